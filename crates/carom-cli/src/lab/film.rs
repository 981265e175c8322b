//! A run as a film: few frames, close together where much happens.
//!
//! An impact of microseconds within seconds of flight is lost between frames at equal times. A film takes more
//! frames than it keeps: at the times of `carom simulate` (or every k-th of them), at every touch and
//! separation, and while anything touches at the end of every accepted step with three instants within. When
//! there are twice as many as allowed, those go that change least: a frame matters by how far it lies from
//! the line between its neighbours, positions against the size of the scene, rotations in radians, forces
//! against the geometric mean of what they are and the largest of their contact. Touches and separations go last.
//! A thousand touches at once make a frame a hundred times as large: numbers are limited as frames are.

use super::stop::Stop;
use carom_world::math::Vec3;
use carom_world::{Ended, Energies, Mobility, Observer, Piece, Run, Scene, Touch, World};
use std::collections::BTreeMap;

/// Frames at equal times, about.
const EVEN: (u64, u64) = (600, 1500);
/// Instants per step while anything touches, and in how large a scene: with many bodies, something else
/// ends a step soon.
const WITHIN: f64 = 4.0;
const FEW: usize = 16;
/// Frames that are kept however large they are: fewer would be no film.
const LEAST: usize = 50;
/// Numbers of a touch in a frame, and of a frame besides its poses and touches.
const OF_TOUCH: usize = 10;
const OF_FRAME: usize = 9;
/// Most touches that are listed; the strongest are kept.
const MOST_TOUCHES: usize = 2000;
/// What a frame at an event is worth, against 1 for a body that jumps across the scene.
const EVENT: f64 = 10.0;
/// What a frame must be worth to be kept where there is room for all.
const UNSEEN: f64 = 2e-4;
/// Share of a whole force that matters as much as the size of the scene.
const OF_FORCE: f64 = 0.3;

/// What is seen at an instant.
#[derive(Clone, Debug)]
pub struct Frame {
    /// When (s).
    pub time: f64,
    /// x, y, z, qw, qx, qy, qz of every body that can move.
    pub poses: Vec<f64>,
    /// The touches, in the order of their sites.
    pub pushes: Vec<Push>,
    /// The ledger.
    pub energies: Energies,
    /// A touch or separation.
    pub event: bool,
    /// At one of the even times.
    pub even: bool,
    /// Largest angular speed, so that no turn is lost between frames (rad/s).
    pub spin: f64,
}

impl Frame {
    /// How many numbers it is written with.
    fn numbers(&self) -> usize {
        OF_FRAME + self.poses.len() + OF_TOUCH * self.pushes.len()
    }

    /// The force at a site (N).
    fn push_at(&self, site: (usize, usize)) -> Vec3 {
        let found = self.pushes.binary_search_by_key(&site, |push| push.site);
        found.ok().and_then(|at| self.pushes.get(at)).map_or(Vec3::ZERO, |push| push.vector)
    }
}

/// A touch at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Contact and place.
    pub site: (usize, usize),
    /// Where (m).
    pub point: Vec3,
    /// On the second body (N).
    pub vector: Vec3,
    /// Its normal part, positive when it pushes (N).
    pub force: f64,
    /// Indentation (m).
    pub indentation: f64,
}

/// A touch from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Touched {
    /// Contact and place.
    pub site: (usize, usize),
    /// When it began, and ended where it has (s).
    pub span: (f64, Option<f64>),
    /// Approach and separation speed (m/s).
    pub speeds: (f64, Option<f64>),
    /// Largest force (N) and indentation (m).
    pub largest: (f64, f64),
}

/// What is kept of a run.
pub struct Film {
    /// Frames in the order of time.
    pub frames: Vec<Frame>,
    /// Touches that have ended, in the order of their ends.
    pub touches: Vec<Touched>,
    /// How many touches have ended, listed or not.
    pub ended: usize,
    /// Largest kinetic and stored energy seen (J).
    pub largest: f64,
    moving: Vec<usize>,
    /// Most frames, and numbers in all of them.
    most: (usize, usize),
    /// Numbers in the frames.
    numbers: usize,
    size: f64,
    interval: f64,
    duration: f64,
    /// Samples of `carom simulate` to a frame, or frames to a sample.
    stride: (u64, u64),
    even: u64,
    /// Next instant within a step, and the time between two of them.
    fine: (f64, f64),
    event: bool,
    begun: f64,
}

impl Film {
    /// Begins with the state that a run starts from.
    pub fn new(scene: &Scene, run: &Run, most: (usize, usize)) -> Self {
        let mut film = Self::empty(scene, most);
        film.take(&Piece::of(&scene.world, run.state()), true, true);
        film
    }

    /// Without frames yet.
    /// It ends with at most so many frames and, where they are not few, so many numbers.
    pub fn empty(scene: &Scene, (frames, numbers): (usize, usize)) -> Self {
        let world = &scene.world;
        let samples = (scene.duration / scene.sample).ceil().clamp(1.0, 1e18) as u64;
        let stride = (samples.div_ceil(EVEN.1).max(1), EVEN.0.div_ceil(samples).max(1));
        Self {
            frames: Vec::new(),
            touches: Vec::new(),
            ended: 0,
            largest: 0.0,
            moving: moving(world),
            most: (frames.max(2), numbers),
            numbers: 0,
            size: size(world),
            interval: scene.sample,
            duration: scene.duration,
            stride,
            even: 1,
            fine: (f64::INFINITY, 0.0),
            event: false,
            begun: 0.0,
        }
    }

    /// Samples of `carom simulate` to a frame at even times, and such frames to a sample.
    pub fn stride(&self) -> (u64, u64) {
        self.stride
    }

    /// The bodies that have poses.
    pub fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Keeps what a step came to.
    pub fn step(&mut self, run: &Run) {
        let (world, state) = (run.world(), run.state());
        let touching = !state.touches().is_empty();
        let new = self.frames.last().is_none_or(|last| last.time < state.time);
        if self.event || (touching && new) {
            let event = std::mem::take(&mut self.event);
            self.take(&Piece::of(world, state), event, false);
        }
        let within = (state.time - self.begun) / WITHIN;
        self.fine = match touching && within > 0.0 && self.moving.len() <= FEW {
            true => (state.time + within, within),
            false => (f64::INFINITY, 0.0),
        };
        self.begun = state.time;
        self.keep_within();
    }

    /// Adds a frame that comes from elsewhere, later than all others.
    pub fn put(&mut self, frame: Frame) {
        self.largest = self.largest.max(frame.energies.kinetic + frame.energies.stored);
        self.numbers += frame.numbers();
        self.frames.push(frame);
        self.keep_within();
    }

    fn keep_within(&mut self) {
        if self.frames.len() > 2 * self.allowed() {
            self.thin();
        }
    }

    /// Adds a touch that has ended.
    pub fn touched(&mut self, touched: Touched) {
        self.ended += 1;
        self.touches.push(touched);
        if self.touches.len() > 2 * MOST_TOUCHES {
            self.trim_touches(MOST_TOUCHES);
        }
    }

    /// Ends with no more frames than are allowed, or anyhow when nobody waits for them.
    pub fn finish(&mut self, run: &Run, stop: &Stop) {
        let state = run.state();
        if self.frames.last().is_none_or(|last| last.time < state.time) {
            self.take(&Piece::of(run.world(), state), true, true);
        }
        self.close(stop);
    }

    /// The same where no state follows the last frame.
    pub fn close(&mut self, stop: &Stop) {
        self.thin();
        while !stop.gone() && self.trim() > 0 {}
        self.trim_touches(MOST_TOUCHES);
    }

    fn take(&mut self, piece: &Piece, event: bool, even: bool) {
        let mut poses = Vec::with_capacity(7 * self.moving.len());
        let mut spin = 0.0f64;
        for pose in self.moving.iter().filter_map(|&body| piece.pose(body)) {
            let (x, q) = (pose.position, pose.rotation);
            poses.extend([x.x, x.y, x.z, q.w, q.v.x, q.v.y, q.v.z]);
            spin = spin.max(pose.spin.length());
        }
        let pushes = piece.forces().into_iter().map(|f| Push {
            site: (f.contact, f.place),
            point: f.point,
            vector: f.normal * f.force + f.friction,
            force: f.force,
            indentation: f.indentation,
        });
        let energies = piece.state().energies(piece.world);
        self.largest = self.largest.max(energies.kinetic + energies.stored);
        let mut pushes: Vec<Push> = pushes.collect();
        pushes.sort_unstable_by_key(|push| push.site);
        let frame = Frame { time: piece.time, poses, pushes, energies, event, even, spin };
        // Within a step nothing is let go.
        self.numbers += frame.numbers();
        self.frames.push(frame);
    }

    /// How many frames as large as those that there are may stay.
    fn allowed(&self) -> usize {
        let (frames, numbers) = self.most;
        let each = self.numbers.div_ceil(self.frames.len().max(1)).max(1);
        frames.min((numbers / each).max(LEAST))
    }

    /// The next of the even times: those of `carom simulate`, to the bit, where they coincide.
    fn even(&self, index: u64) -> f64 {
        let (of, to) = self.stride;
        let index = index.saturating_mul(of);
        match index % to {
            0 => (index / to) as f64 * self.interval,
            _ => index as f64 / to as f64 * self.interval,
        }
    }

    /// Lets the frames go that change least, until there are as many as allowed.
    fn thin(&mut self) {
        while let surplus @ 1.. = self.frames.len().saturating_sub(self.allowed()) {
            let worth = self.worths();
            let surplus = surplus.min(worth.len());
            let Some(last) = surplus.checked_sub(1) else { return };
            let mut ordered = worth.clone();
            let (_, limit, _) = ordered.select_nth_unstable_by(last, f64::total_cmp);
            let limit = *limit;
            self.leave_out(surplus, |_, index| worth.get(index).is_some_and(|w| *w <= limit));
        }
    }

    /// Lets frames within touches go that nobody would miss: an impact begins with steps of nanoseconds. Says
    /// how many went; then others may.
    fn trim(&mut self) -> usize {
        let worth = self.worths();
        let small = |index: usize| worth.get(index).is_some_and(|w| *w < UNSEEN);
        self.leave_out(usize::MAX, |frame, index| !frame.even && small(index))
    }

    /// Drops frames that may go by their index among those between the first and the last, at most so many,
    /// and says how many went. Neighbours do not go together: each was judged by the other.
    fn leave_out(&mut self, most: usize, goes: impl Fn(&Frame, usize) -> bool) -> usize {
        let (mut gone, mut index, mut before) = (0, 0usize, false);
        self.frames.retain(|frame| {
            let inner = index.checked_sub(1);
            index += 1;
            before = !before && gone < most && inner.is_some_and(|i| goes(frame, i));
            gone += usize::from(before);
            !before
        });
        self.numbers = self.frames.iter().map(Frame::numbers).sum();
        gone
    }

    /// What every frame between the first and the last is worth.
    fn worths(&self) -> Vec<f64> {
        let mut peaks = BTreeMap::new();
        for push in self.frames.iter().flat_map(|frame| &frame.pushes) {
            let peak = peaks.entry(push.site.0).or_insert(0.0f64);
            *peak = peak.max(push.vector.length());
        }
        let of = |three: &[Frame]| match three {
            [a, b, c] => self.worth(a, b, c, &peaks),
            _ => f64::INFINITY,
        };
        self.frames.windows(3).map(of).collect()
    }

    /// How much is lost with a frame between two others.
    fn worth(&self, a: &Frame, b: &Frame, c: &Frame, peaks: &BTreeMap<usize, f64>) -> f64 {
        let span = c.time - a.time;
        let share = if span > 0.0 { (b.time - a.time) / span } else { 0.5 };
        let between = |x: f64, y: f64| x + share * (y - x);
        let mut worth = if b.event { EVENT } else { 0.0 };
        // A turn of more than a radian would be taken for a shorter one.
        if a.spin.max(b.spin).max(c.spin) * span > 1.0 {
            worth += 1.0;
        }
        let mut far = 0.0f64;
        let bodies = a.poses.chunks(7).zip(b.poses.chunks(7)).zip(c.poses.chunks(7));
        for ((a, b), c) in bodies {
            let ([ax, ay, az, aq @ ..], [bx, by, bz, bq @ ..], [cx, cy, cz, cq @ ..]) = (a, b, c)
            else {
                continue;
            };
            let apart = [(ax, bx, cx), (ay, by, cy), (az, bz, cz)]
                .map(|(a, b, c)| (between(*a, *c) - b).powi(2));
            far = far.max(apart.iter().sum::<f64>().sqrt() / self.size);
            // Quaternions of one rotation have two signs; what is between them is not of unit length.
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let (one, two) = (1.0 - share, share * dot(aq, cq).signum());
            let length = one * one + two * two + 2.0 * one * two * dot(aq, cq);
            let along = one * dot(aq, bq) + two * dot(cq, bq);
            let cosine = along.abs() / length.sqrt().max(f64::MIN_POSITIVE);
            far = far.max(2.0 * cosine.min(1.0).acos());
        }
        for push in &b.pushes {
            let peak = peaks.get(&push.site.0).copied().unwrap_or(0.0);
            let (before, after) = (a.push_at(push.site), c.push_at(push.site));
            let miss = (before + (after - before) * share - push.vector).length();
            // Weak impacts count too, though less than in proportion.
            let here = push.vector.length().max(before.length()).max(after.length());
            if here > 0.0 {
                far = far.max(OF_FORCE * miss / (peak * here).sqrt());
            }
        }
        worth + far
    }

    /// Keeps the strongest touches, in the order of time.
    fn trim_touches(&mut self, most: usize) {
        if self.touches.len() <= most {
            return;
        }
        self.touches.sort_by(|a, b| b.largest.0.total_cmp(&a.largest.0));
        self.touches.truncate(most);
        self.touches.sort_by(|a, b| a.span.0.total_cmp(&b.span.0));
    }
}

impl Observer for Film {
    fn next(&self) -> f64 {
        let mut next = self.even(self.even);
        let last = self.even(self.even.saturating_sub(1));
        if next > self.duration {
            next = if last < self.duration * (1.0 - 1e-12) { self.duration } else { f64::INFINITY };
        }
        next.min(self.fine.0)
    }

    fn sample(&mut self, piece: &Piece) {
        let even = piece.time >= self.even(self.even).min(self.duration);
        self.even += u64::from(even);
        if self.fine.0 <= piece.time {
            // A long step may follow one that an event cut short.
            self.fine.1 *= 1.3;
            self.fine.0 = piece.time + self.fine.1;
        }
        self.take(piece, false, even);
    }

    fn began(&mut self, _: &World, _: f64, _: &Touch) {
        self.event = true;
    }

    fn ended(&mut self, _: &World, ended: &Ended) {
        self.event = true;
        self.touched(Touched {
            site: (ended.contact, ended.place),
            span: (ended.begun, Some(ended.ended)),
            speeds: (ended.speed, Some(ended.rebound)),
            largest: (ended.force_max, ended.indentation_max),
        });
    }
}

fn moving(world: &World) -> Vec<usize> {
    let bodies = world.bodies().iter().enumerate();
    bodies.filter(|(_, body)| body.mobility != Mobility::Fixed).map(|(index, _)| index).collect()
}

/// How large the scene is: where its bodies start and how far their shapes reach.
fn size(world: &World) -> f64 {
    let endless = Vec3::new(1.0, 1.0, 1.0) * f64::INFINITY;
    let (mut low, mut high) = (endless, -endless);
    let mut reach = |p: Vec3, r: f64| {
        low = Vec3::new(low.x.min(p.x - r), low.y.min(p.y - r), low.z.min(p.z - r));
        high = Vec3::new(high.x.max(p.x + r), high.y.max(p.y + r), high.z.max(p.z + r));
    };
    for body in world.bodies().iter().skip(1) {
        reach(body.position, 0.0);
    }
    for placed in world.shapes() {
        let r = placed.shape.reach();
        if let Some(body) = world.bodies().get(placed.body)
            && r.is_finite()
        {
            reach(body.position + body.rotation.turn(placed.position), r);
        }
    }
    let size = (high - low).length();
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}
