//! Selects frames of a run for its film, more densely where more changes.
//!
//! Frames at equal intervals would miss an impact of microseconds within seconds of flight. A film records more frames than it
//! keeps: at the times of `carom simulate` (or every k-th of them), at every touch and separation, and during contact at the end of
//! every accepted step and at three instants within it. When there are twice as many frames as allowed, those that change least are
//! dropped. The weight of a frame is its distance from the linear interpolation between its neighbours: positions relative to the
//! size of the scene, rotations in radians, forces relative to the geometric mean of their size and the largest force of their
//! contact. Touches and separations are dropped last. A frame with a thousand touches is a hundred times as large as one without,
//! so the total number of values is limited, too.

use super::stop::Stop;
use carom_world::math::Vec3;
use carom_world::{
    EndedTouch, Energies, ImpactClass, Mobility, Observer, RigidTouch, Run, Sample, Scene, Touch,
    World,
};
use std::collections::BTreeMap;

/// Smallest and largest number of frames at regular times, approximately.
const REGULAR_FRAMES: (u64, u64) = (600, 1500);
/// Number of instants per step during contact.
const INSTANTS_PER_STEP: f64 = 4.0;
/// Largest number of bodies for which instants within a step are recorded; with more bodies, steps are short anyway.
const INSTANTS_BODY_LIMIT: usize = 16;
/// Number of frames that are always kept, however large they are.
const FRAMES_MIN: usize = 50;
/// Number of values of a touch in a frame.
const NUMBERS_PER_TOUCH: usize = 10;
/// Number of values of a frame besides its poses and touches.
const NUMBERS_PER_FRAME: usize = 9;
/// Largest number of touches in the list; the strongest are kept.
const TOUCH_LIMIT: usize = 2000;
/// Weight of a frame at an event. A weight of 1 corresponds to a body that jumps across the whole scene.
const EVENT_WEIGHT: f64 = 10.0;
/// Smallest weight of a frame that is kept even if there is room for all.
const WEIGHT_MIN: f64 = 2e-4;
/// Weight of a force difference as large as the force itself.
const FORCE_WEIGHT: f64 = 0.3;

/// State of the scene at an instant.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Time (s).
    pub time: f64,
    /// x, y, z, qw, qx, qy, qz of every body that can move.
    pub poses: Vec<f64>,
    /// Touches, in the order of their sites.
    pub forces: Vec<TouchForce>,
    /// Energies of the ledger.
    pub energies: Energies,
    /// Whether a touch or separation occurs at this instant.
    pub event: bool,
    /// Whether the instant is one of the regular times.
    pub regular: bool,
    /// Largest angular speed (rad/s), used to keep enough frames to show every revolution.
    pub spin: f64,
}

impl Frame {
    /// Returns the number of values with which the frame is written.
    fn value_count(&self) -> usize {
        NUMBERS_PER_FRAME + self.poses.len() + NUMBERS_PER_TOUCH * self.forces.len()
    }

    /// Returns the force at a site (N).
    fn force_at(&self, site: (usize, usize)) -> Vec3 {
        let found = self.forces.binary_search_by_key(&site, |push| push.site);
        found.ok().and_then(|at| self.forces.get(at)).map_or(Vec3::ZERO, |push| push.vector)
    }
}

/// A touch at an instant.
#[derive(Clone, Copy, Debug)]
pub struct TouchForce {
    /// Index of the contact, and site of the contact.
    pub site: (usize, usize),
    /// Contact point (m).
    pub point: Vec3,
    /// Force on the second body (N).
    pub vector: Vec3,
    /// Normal component of the force, positive when it pushes (N).
    pub force: f64,
    /// Indentation (m).
    pub indentation: f64,
}

/// A touch from its onset to its end.
#[derive(Clone, Debug)]
pub struct TouchSpan {
    /// Index of the contact, and site of the contact.
    pub site: (usize, usize),
    /// Times of onset and, if it has ended, of the end (s).
    pub span: (f64, Option<f64>),
    /// Approach and separation speed (m/s).
    pub speeds: (f64, Option<f64>),
    /// Largest force (N) and indentation (m).
    pub largest: (f64, f64),
    /// Class of the impact with which it began, if known.
    pub class: Option<ImpactClass>,
}

/// The frames and touches of a run.
#[derive(Clone)]
pub struct Film {
    /// Frames in the order of time.
    pub frames: Vec<Frame>,
    /// Touches that have ended, in the order of their ends.
    pub touches: Vec<TouchSpan>,
    /// Number of touches that have ended, including those not listed.
    pub ended: usize,
    /// Largest sum of kinetic and stored energy so far (J).
    pub energy_max: f64,
    moving: Vec<usize>,
    /// Largest number of frames, and of values in all of them.
    limits: (usize, usize),
    /// Number of values in the frames.
    values: usize,
    scene_size: f64,
    interval: f64,
    duration: f64,
    /// Number of samples of `carom simulate` per frame, and number of frames per sample.
    stride: (u64, u64),
    /// Index of the next regular time.
    next_regular: u64,
    /// Next instant within a step, and the time between two such instants (s).
    next_instant: (f64, f64),
    /// Whether a touch began or ended in the current step.
    event_pending: bool,
    /// Time at which the current step began (s).
    step_begin: f64,
}

impl Film {
    /// Creates a film that begins with the initial state of a run.
    pub fn new(scene: &Scene, run: &Run, limits: (usize, usize)) -> Self {
        let mut film = Self::empty(scene, limits);
        film.record(&Sample::of(&scene.world, run.state()), true, true);
        film
    }

    /// Creates a film without frames, with limits on the number of frames and of values in all of them.
    pub fn empty(scene: &Scene, (frames, values): (usize, usize)) -> Self {
        let world = &scene.world;
        let samples = (scene.duration / scene.sample).ceil().clamp(1.0, 1e18) as u64;
        let stride =
            (samples.div_ceil(REGULAR_FRAMES.1).max(1), REGULAR_FRAMES.0.div_ceil(samples).max(1));
        Self {
            frames: Vec::new(),
            touches: Vec::new(),
            ended: 0,
            energy_max: 0.0,
            moving: moving_bodies(world),
            limits: (frames.max(2), values),
            values: 0,
            scene_size: scene_size(world),
            interval: scene.sample,
            duration: scene.duration,
            stride,
            next_regular: 1,
            next_instant: (f64::INFINITY, 0.0),
            event_pending: false,
            step_begin: 0.0,
        }
    }

    /// Returns the number of samples of `carom simulate` per frame at regular times, and the number of such frames per sample.
    pub fn stride(&self) -> (u64, u64) {
        self.stride
    }

    /// Returns the indices of the bodies that have poses.
    pub fn moving_bodies(&self) -> &[usize] {
        &self.moving
    }

    /// Adds a given frame, which must be later than all others.
    pub fn add_frame(&mut self, frame: Frame) {
        self.energy_max = self.energy_max.max(frame.energies.kinetic + frame.energies.stored);
        self.values += frame.value_count();
        self.frames.push(frame);
        self.drop_if_too_many();
    }

    fn drop_if_too_many(&mut self) {
        if self.frames.len() > 2 * self.frames_allowed() {
            self.drop_least_weights();
        }
    }

    /// Adds a touch that has ended.
    pub fn add_touch(&mut self, touched: TouchSpan) {
        self.ended += 1;
        self.touches.push(touched);
        if self.touches.len() > 2 * TOUCH_LIMIT {
            self.trim_touches(TOUCH_LIMIT);
        }
    }

    /// Records the end of the run and drops frames down to the limit, unless the request is cancelled.
    pub fn finish(&mut self, run: &Run, stop: &Stop) {
        let state = run.state();
        if self.frames.last().is_none_or(|last| last.time < state.time) {
            self.record(&Sample::of(run.world(), state), true, true);
        }
        self.drop_to_limit(stop);
    }

    /// Drops frames down to the limit, unless the request is cancelled.
    pub fn drop_to_limit(&mut self, stop: &Stop) {
        self.drop_least_weights();
        while !stop.is_cancelled() && self.drop_invisible() > 0 {}
        self.trim_touches(TOUCH_LIMIT);
    }

    fn record(&mut self, sample: &Sample, event: bool, regular: bool) {
        let mut poses = Vec::with_capacity(7 * self.moving.len());
        let mut spin = 0.0f64;
        for pose in self.moving.iter().filter_map(|&body| sample.pose(body)) {
            let (x, q) = (pose.position, pose.rotation);
            poses.extend([x.x, x.y, x.z, q.w, q.v.x, q.v.y, q.v.z]);
            spin = spin.max(pose.spin.length());
        }
        let forces = sample.forces().into_iter().map(|f| TouchForce {
            site: (f.contact, f.site),
            point: f.point,
            vector: f.normal * f.force + f.friction,
            force: f.force,
            indentation: f.indentation,
        });
        let energies = sample.state().energies(sample.world);
        self.energy_max = self.energy_max.max(energies.kinetic + energies.stored);
        let mut forces: Vec<TouchForce> = forces.collect();
        forces.sort_unstable_by_key(|push| push.site);
        let frame = Frame { time: sample.time, poses, forces, energies, event, regular, spin };
        // Frames are dropped only between steps.
        self.values += frame.value_count();
        self.frames.push(frame);
    }

    /// Returns the number of frames that may be kept, given their average size.
    fn frames_allowed(&self) -> usize {
        let (frames, values) = self.limits;
        let each = self.values.div_ceil(self.frames.len().max(1)).max(1);
        frames.min((values / each).max(FRAMES_MIN))
    }

    /// Returns a regular time (s), which is bit for bit that of `carom simulate` where the two coincide.
    fn regular_time(&self, index: u64) -> f64 {
        let (of, to) = self.stride;
        let index = index.saturating_mul(of);
        match index % to {
            0 => (index / to) as f64 * self.interval,
            _ => index as f64 / to as f64 * self.interval,
        }
    }

    /// Drops the frames with the smallest weights until there are as many as allowed.
    fn drop_least_weights(&mut self) {
        while let surplus @ 1.. = self.frames.len().saturating_sub(self.frames_allowed()) {
            let weight = self.weights();
            let surplus = surplus.min(weight.len());
            let Some(last) = surplus.checked_sub(1) else { return };
            let mut ordered = weight.clone();
            let (_, limit, _) = ordered.select_nth_unstable_by(last, f64::total_cmp);
            let limit = *limit;
            self.drop_frames(surplus, |_, index| weight.get(index).is_some_and(|w| *w <= limit));
        }
    }

    /// Drops frames within touches whose weight is too small to be visible (an impact begins with steps of nanoseconds), and
    /// returns their number. The weights of other frames may thereby become too small.
    fn drop_invisible(&mut self) -> usize {
        let weight = self.weights();
        let small = |index: usize| weight.get(index).is_some_and(|w| *w < WEIGHT_MIN);
        self.drop_frames(usize::MAX, |frame, index| !frame.regular && small(index))
    }

    /// Drops at most `most` of the frames between the first and the last for which `goes` is true, and returns their number. Two
    /// neighbours are not dropped together, because the weight of each depends on the other.
    fn drop_frames(&mut self, most: usize, goes: impl Fn(&Frame, usize) -> bool) -> usize {
        let (mut gone, mut index, mut before) = (0, 0usize, false);
        self.frames.retain(|frame| {
            let inner = index.checked_sub(1);
            index += 1;
            before = !before && gone < most && inner.is_some_and(|i| goes(frame, i));
            gone += usize::from(before);
            !before
        });
        self.values = self.frames.iter().map(Frame::value_count).sum();
        gone
    }

    /// Computes the weights of the frames between the first and the last.
    fn weights(&self) -> Vec<f64> {
        let mut peaks = BTreeMap::new();
        for push in self.frames.iter().flat_map(|frame| &frame.forces) {
            let peak = peaks.entry(push.site.0).or_insert(0.0f64);
            *peak = peak.max(push.vector.length());
        }
        let of = |three: &[Frame]| match three {
            [a, b, c] => self.weight(a, b, c, &peaks),
            _ => f64::INFINITY,
        };
        self.frames.windows(3).map(of).collect()
    }

    /// Computes the weight of frame `b` between `a` and `c`.
    fn weight(&self, a: &Frame, b: &Frame, c: &Frame, peaks: &BTreeMap<usize, f64>) -> f64 {
        let span = c.time - a.time;
        let share = if span > 0.0 { (b.time - a.time) / span } else { 0.5 };
        let between = |x: f64, y: f64| x + share * (y - x);
        let mut weight = if b.event { EVENT_WEIGHT } else { 0.0 };
        // The page would show a rotation of more than a radian between two frames inaccurately, in the worst case as a shorter one.
        if a.spin.max(b.spin).max(c.spin) * span > 1.0 {
            weight += 1.0;
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
            far = far.max(apart.iter().sum::<f64>().sqrt() / self.scene_size);
            // q and −q are the same rotation; a linear combination of quaternions is not of unit length.
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let (one, two) = (1.0 - share, share * dot(aq, cq).signum());
            let length = one * one + two * two + 2.0 * one * two * dot(aq, cq);
            let along = one * dot(aq, bq) + two * dot(cq, bq);
            let cosine = along.abs() / length.sqrt().max(f64::MIN_POSITIVE);
            far = far.max(2.0 * cosine.min(1.0).acos());
        }
        for push in &b.forces {
            let peak = peaks.get(&push.site.0).copied().unwrap_or(0.0);
            let (before, after) = (a.force_at(push.site), c.force_at(push.site));
            let miss = (before + (after - before) * share - push.vector).length();
            // With the geometric mean, weak impacts have more weight than in proportion to their force.
            let here = push.vector.length().max(before.length()).max(after.length());
            if here > 0.0 {
                far = far.max(FORCE_WEIGHT * miss / (peak * here).sqrt());
            }
        }
        weight + far
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
        let mut next = self.regular_time(self.next_regular);
        let last = self.regular_time(self.next_regular.saturating_sub(1));
        if next > self.duration {
            next = if last < self.duration * (1.0 - 1e-12) { self.duration } else { f64::INFINITY };
        }
        next.min(self.next_instant.0)
    }

    fn sample(&mut self, sample: &Sample) {
        let regular = sample.time >= self.regular_time(self.next_regular).min(self.duration);
        self.next_regular += u64::from(regular);
        if self.next_instant.0 <= sample.time {
            // The interval grows, because a long step may follow one that an event cut short.
            self.next_instant.1 *= 1.3;
            self.next_instant.0 = sample.time + self.next_instant.1;
        }
        self.record(sample, false, regular);
    }

    fn began(&mut self, _: &World, _: f64, _: &Touch) {
        self.event_pending = true;
    }

    fn began_rigid(&mut self, _: &World, _: &RigidTouch) {
        self.event_pending = true;
    }

    fn ended(&mut self, _: &World, ended: &EndedTouch) {
        self.event_pending = true;
        self.add_touch(TouchSpan {
            site: (ended.contact, ended.site),
            span: (ended.begun, Some(ended.ended)),
            speeds: (ended.speed, Some(ended.rebound)),
            largest: (ended.force_max, ended.indentation_max),
            class: Some(ended.class),
        });
    }

    fn wants_steps(&self) -> bool {
        true
    }

    fn stepped(&mut self, sample: &Sample) {
        let touching = !sample.state().touches().is_empty();
        let new = self.frames.last().is_none_or(|last| last.time < sample.time);
        if self.event_pending || (touching && new) {
            let event = std::mem::take(&mut self.event_pending);
            self.record(sample, event, false);
        }
        let within = (sample.time - self.step_begin) / INSTANTS_PER_STEP;
        self.next_instant =
            match touching && within > 0.0 && self.moving.len() <= INSTANTS_BODY_LIMIT {
                true => (sample.time + within, within),
                false => (f64::INFINITY, 0.0),
            };
        self.step_begin = sample.time;
        self.drop_if_too_many();
    }
}

fn moving_bodies(world: &World) -> Vec<usize> {
    let bodies = world.bodies().iter().enumerate();
    bodies.filter(|(_, body)| body.mobility != Mobility::Fixed).map(|(index, _)| index).collect()
}

/// Returns the size of the scene (m): the diagonal of the box around its bodies and shapes at the start.
fn scene_size(world: &World) -> f64 {
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
            reach(body.position + body.rotation.rotate(placed.position), r);
        }
    }
    let size = (high - low).length();
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}
