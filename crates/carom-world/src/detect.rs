//! Detection: what a step passed on its way.
//!
//! Every touch and every open site has *guards*, values that are positive until something happens. A
//! guard that is not positive at the end of a step was passed; the earliest is located on the dense
//! output and the step is taken again so that it ends there.
//!
//! An open site may be passed through without a trace at the end of a step: a small fast body through a
//! thin one. The gap cannot change faster than the largest relative speed L of points of the two bodies,
//! so an interval of length T with gaps g₀, g₁ > 0 at its ends is free of contact when g₀ + g₁ > L·T; where it is
//! not, it is halved on the dense output until it is, or until contact is found. A graze shallower than a
//! billionth of the body is not looked for.
//!
//! L comes from the velocities at both ends of the step, which say what happens in between as long as the step is
//! short against the motion. Steps are short against the motion of free bodies, by their errors. A body with a
//! prescribed motion has no error and may swing many times in one step, so what its motion can do in between is
//! asked of the motion itself ([`Own`]): by how much its rate can differ, and how large its acceleration is.
//!
//! Bodies that travel beside each other at a hair's breadth would be halved almost without end. But the gap is not more
//! than that of two balls of radii r_a, r_b that touch the bodies from within at the nearest points and move with them, so
//! it bends upwards by no more than B = |a| + v²/(r_a + r_b), a and v being acceleration and velocity between their
//! centres (twice the second, where they overlap by half a radius). Then it lies below its chord by no more than B·T²/8, and an
//! interval that is short against the balls is free where its ends are wider; four times that is asked for.

use crate::contact::Pushed;
use crate::dynamics::Dynamics;
use crate::gap;
use crate::locate::{Doubt, opening};
use crate::math::Vec3;
use crate::state::{Phase, State, TOUCH, Touch};
use crate::world::{Mobility, World};
use carom::Exit;
use carom::law::Memory;
use carom::ode::Stepper;

/// What may happen to a site or a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An open site closes.
    Begin(usize),
    /// An open site that overlaps (its gap jumped there, or its touch ended there) begins to close further.
    Press(usize),
    /// The rate changes sign.
    Turn(usize),
    /// The law bends.
    Kink(usize),
    /// The force vanishes.
    Vanish(usize),
    /// The force returns.
    Resume(usize),
    /// The bodies part.
    Part(usize),
    /// The tangential spring reaches its limit, and leaves it.
    Slip(usize),
    Stick(usize),
}

impl Event {
    /// The touch it is about.
    pub fn touch(self) -> Option<usize> {
        match self {
            Self::Begin(_) | Self::Press(_) => None,
            Self::Turn(i)
            | Self::Kink(i)
            | Self::Vanish(i)
            | Self::Resume(i)
            | Self::Part(i)
            | Self::Slip(i)
            | Self::Stick(i) => Some(i),
        }
    }
}

/// The guard of an event, with the bodies as they were last read.
pub(crate) fn guard(
    world: &World,
    dynamics: &Dynamics,
    state: &State,
    event: Event,
    t: f64,
    y: &[f64],
) -> f64 {
    let index = match (event, event.touch()) {
        (Event::Begin(site), _) => return dynamics.gap(world, site).0.distance,
        (Event::Press(site), _) => {
            let (gap, a, b) = dynamics.gap(world, site);
            return gap.opening_rate(&dynamics.moving[a], &dynamics.moving[b]);
        }
        (_, Some(index)) => index,
        (_, None) => return f64::INFINITY,
    };
    let at = state.layout.touch(index);
    let pushed = Pushed::of(world, dynamics, &state.touches[index], t, &y[at..at + TOUCH]);
    guard_of(world, dynamics, state, event, index, &pushed, t, y)
}

/// The same where it is known what the touch does.
#[allow(clippy::too_many_arguments)]
pub(crate) fn guard_of(
    world: &World,
    dynamics: &Dynamics,
    state: &State,
    event: Event,
    index: usize,
    pushed: &Pushed,
    t: f64,
    y: &[f64],
) -> f64 {
    let touch = &state.touches[index];
    let at = state.layout.touch(index);
    let slots = &y[at..at + TOUCH];
    let sign = if touch.loading { 1.0 } else { -1.0 };
    match event {
        Event::Turn(_) => sign * pushed.rate,
        Event::Kink(_) => sign * (touch.marks().1 - pushed.delta),
        Event::Part(_) => pushed.delta - touch.marks().0,
        Event::Vanish(_) => touch.signed_as(pushed, t, slots),
        // A force that has vanished and stays at zero has not returned, nor where rounding makes it more.
        Event::Resume(_) => {
            let memory = touch.memory_at(t, slots);
            let stiffness = touch.law.tangent(pushed.delta, pushed.rate, &memory).stiffness.abs();
            let rough = stiffness * hair(world, dynamics, pushed.a, pushed.b);
            match touch.signed_as(pushed, t, slots) {
                force if force > rough.max(1e-12 * touch.strongest.0) => -force,
                force => (-force).max(f64::MIN_POSITIVE),
            }
        }
        Event::Slip(_) => {
            let limit = limit(world, touch.site, pushed);
            limit + slack(world, touch) - pushed.trial
        }
        // With a damper the slip speed is what the spring would carry more than the limit, over the damping.
        Event::Stick(_) if touch.spring.is_damped() => match limit(world, touch.site, pushed) {
            limit if limit < slack(world, touch) => 1.0,
            limit => pushed.trial - limit,
        },
        Event::Stick(_) => slip_rate(world, dynamics, touch, pushed, &touch.memory_at(t, slots)),
        Event::Begin(_) | Event::Press(_) => 0.0,
    }
}

/// How fast a spring without a damper slips at its limit.
///
/// The velocity v is that of the spring, −Ṫ/k, and that of the slip. At the limit |T| = μF, so with T̂ the
/// slip against T is −v·T̂ − μḞ/k; where it would be along T the contact sticks. (With −v·T̂ alone, or with a rate
/// of the load that leaves out how the bodies turn, a contact would stick and slip for ever at one instant. What
/// rounding leaves of that is met by a millionth: it sticks where it is sure to.)
fn slip_rate(
    world: &World,
    dynamics: &Dynamics,
    touch: &Touch,
    pushed: &Pushed,
    memory: &Memory,
) -> f64 {
    let contact = &world.contacts[world.sites[touch.site].contact];
    let Some(friction) = contact.friction else { return 0.0 };
    // A contact that pulls, or hardly pushes, carries no friction and has nothing to stick with.
    if pushed.force <= 0.0 || limit(world, touch.site, pushed) < slack(world, touch) {
        return 1.0;
    }
    let tangent = touch.law.tangent(pushed.delta, pushed.rate, memory);
    let closing = dynamics.closing(world, touch.site, speed_bound(world, dynamics, touch.site));
    let load_rate = tangent.stiffness * pushed.rate + tangent.damping * closing;
    let along = pushed.tangential.unit().unwrap_or(Vec3::ZERO);
    let k = touch.spring.stiffness(pushed.delta);
    let spring = friction.limit(load_rate).unwrap_or(0.0) / k;
    // While the load falls a spring of Hertz's kind lets go by itself.
    let fading = touch.spring.unloading_rate(pushed.delta, pushed.rate, touch.scale);
    let fading = fading * pushed.tangential.length() / k;
    let moves = -along.dot(pushed.velocity);
    moves - spring + fading + 1e-6 * (moves.abs() + spring.abs() + fading.abs())
}

/// Tangential forces below this are not told from none.
fn slack(world: &World, touch: &Touch) -> f64 {
    let contact = &world.contacts[world.sites[touch.site].contact];
    let most = contact.friction.and_then(|f| f.limit(touch.load())).unwrap_or(0.0);
    world.tolerance * most
}

/// Whether the friction of a touch has a limit that is watched.
pub(crate) fn has_slider(world: &World, touch: &Touch) -> bool {
    let contact = &world.contacts[world.sites[touch.site].contact];
    contact.friction.is_some_and(|friction| friction.limit(1.0).is_some())
}

/// The largest force that friction can carry at a site (N).
pub(crate) fn limit(world: &World, site: usize, pushed: &Pushed) -> f64 {
    let contact = &world.contacts[world.sites[site].contact];
    contact.friction.and_then(|f| f.limit(pushed.force.max(0.0))).unwrap_or(f64::INFINITY)
}

/// What rounding may make of a gap of two bodies.
pub(crate) fn hair(world: &World, dynamics: &Dynamics, a: usize, b: usize) -> f64 {
    let size = |body: usize| dynamics.moving[body].x.length() + world.columns.reach[body];
    8.0 * f64::EPSILON * (size(a) + size(b))
}

/// The events that a touch has to be watched for.
pub(crate) fn watched(
    world: &World,
    dynamics: &Dynamics,
    state: &State,
    index: usize,
    list: &mut Vec<Event>,
) {
    let touch = &state.touches[index];
    if touch.phase == Phase::Idle {
        list.extend([Event::Part(index), Event::Resume(index)]);
        return;
    }
    let smooth = touch.turns_smoothly();
    if !smooth {
        list.push(Event::Turn(index));
    }
    let (_, kink) = touch.marks();
    // A kink that lies ahead, by more than rounding.
    let ahead = if touch.loading { kink - touch.delta } else { touch.delta - kink };
    let contact = &world.contacts[world.sites[touch.site].contact];
    let [a, b] = [contact.a, contact.b].map(|shape| world.shapes[shape].body);
    if ahead > (1e-12 * touch.scale).max(hair(world, dynamics, a, b)) {
        list.push(Event::Kink(index));
    }
    list.push(Event::Part(index));
    if may_end(touch) && touch.law.exit == Exit::ZeroForce {
        list.push(Event::Vanish(index));
    }
    if has_slider(world, touch) {
        list.push(if touch.slipping { Event::Stick(index) } else { Event::Slip(index) });
    }
}

/// Whether a step may hold the end of a touch: while it is let go, and once it is well in contact, when a step may hold
/// the turn as well. A touch that has just begun is within rounding of its end, and ends only where its gap jumps
/// (`run/jump.rs`).
pub(crate) fn may_end(touch: &Touch) -> bool {
    !touch.loading || (touch.turns_smoothly() && touch.delta > 0.01 * touch.scale)
}

/// A bound of the relative speed of points near a site.
pub(crate) fn speed_bound(world: &World, dynamics: &Dynamics, site: usize) -> f64 {
    let contact = &world.contacts[world.sites[site].contact];
    let (a, b) = (world.shapes[contact.a].body, world.shapes[contact.b].body);
    let (one, two) = (&dynamics.moving[a], &dynamics.moving[b]);
    let swing = |w: Vec3, body: usize| w.length() * world.columns.reach[body];
    (two.v - one.v).length() + swing(one.w, a) + swing(two.w, b)
}

/// What the prescribed motion of the bodies at a site may do within a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Own {
    /// Velocities differ by no more.
    pub change: f64,
    /// No acceleration is larger.
    pub acceleration: f64,
}

impl Own {
    /// Within the time from `begun` on, in which no motion may bend.
    pub fn of(world: &World, site: usize, begun: f64, length: f64) -> Self {
        let mut sum = Self::default();
        if world.columns.driven.is_empty() {
            return sum;
        }
        let contact = &world.contacts[world.sites[site].contact];
        for body in [contact.a, contact.b].map(|shape| world.shapes[shape].body) {
            if let Mobility::Driven { motion, .. } = &world.bodies[body].mobility {
                let bounds = motion.bounds(begun, begun + length);
                sum.change += bounds.rate_change;
                sum.acceleration += bounds.acceleration;
            }
        }
        sum
    }

    /// Whether a velocity changes at all.
    pub fn bends(self) -> bool {
        self.acceleration > 0.0
    }
}

/// What is needed to look into a step.
pub(crate) struct Look<'a> {
    pub world: &'a World,
    pub dynamics: &'a mut Dynamics,
    pub stepper: &'a Stepper,
    pub state: &'a State,
    pub y: &'a mut Vec<f64>,
    pub slope: &'a mut Vec<f64>,
    /// Pieces of the step that are still to be looked through.
    pub pieces: &'a mut Vec<[f64; 4]>,
}

impl Look<'_> {
    /// The guard at a share x of the step.
    pub fn value(&mut self, event: Event, x: f64) -> f64 {
        let t = self.stepper.begun() + x * self.stepper.length();
        self.y.resize(self.stepper.start().len(), 0.0);
        let (world, state) = (self.world, self.state);
        match event {
            // This one asks how the bodies accelerate, and that depends on all of them.
            Event::Stick(_) => {
                self.stepper.at(t, self.y);
                self.slope.resize(self.y.len(), 0.0);
                let (layout, touches) = (state.layout, &state.touches);
                self.dynamics.slope(world, layout, touches, t, self.y, self.slope);
            }
            _ => {
                let place = match event {
                    Event::Begin(site) | Event::Press(site) => (site, None),
                    other => {
                        let touch = other.touch();
                        (touch.map_or(0, |index| state.touches[index].site), touch)
                    }
                };
                self.dynamics.glimpse(world, state.layout, self.stepper, t, place, self.y);
            }
        }
        guard(self.world, self.dynamics, self.state, event, t, self.y)
    }

    /// An x in (0, `until`] where a guard stops being positive, given that it is not positive at `until`.
    pub fn root(&mut self, event: Event, until: f64) -> f64 {
        match event {
            Event::Begin(site) if self.folds(site) || self.own(site).bends() => {
                self.first(site, until)
            }
            _ => self.within(event, 0.0, until),
        }
    }

    /// True when the gap at a site may open again deep inside.
    fn folds(&self, site: usize) -> bool {
        let contact = &self.world.contacts[self.world.sites[site].contact];
        let shape = |index: usize| &self.world.shapes[index].shape;
        gap::may_reopen(shape(contact.a), shape(contact.b))
    }

    /// What prescribed motions do at a site in this step.
    fn own(&self, site: usize) -> Own {
        Own::of(self.world, site, self.stepper.begun(), self.stepper.length())
    }

    /// The first x in (0, `until`] at which a site is closed, given that it is at `until`.
    fn first(&mut self, site: usize, until: f64) -> f64 {
        let (event, own, length) = (Event::Begin(site), self.own(site), self.stepper.length());
        self.value(event, until);
        let ended = speed_bound(self.world, self.dynamics, site);
        let (_, later, turn) = opening(self.world, self.dynamics, site);
        self.value(event, 0.0);
        let begun = speed_bound(self.world, self.dynamics, site);
        let (_, now, turned) = opening(self.world, self.dynamics, site);
        let most = begun.max(ended);
        let bound = 1.1 * most + (begun - ended).abs() + own.change;
        let bend = match own.bends() {
            true => {
                let turning = (most + own.change) * turn.max(turned);
                (later - now).length() + (turning + own.acceleration) * length
            }
            false => f64::INFINITY,
        };
        self.first_between(site, (0.0, until), (bound * length, bend * length))
    }

    /// The first x of a span at which a site is closed, given that it is at its end.
    ///
    /// Between sign changes far from each other a root is not the first one. So the span is halved until the gap has only
    /// one way across it, or the bodies move by next to nothing in it, and halves with open ends are looked through.
    fn first_between(
        &mut self,
        site: usize,
        (mut a, mut b): (f64, f64),
        (swing, bend): (f64, f64),
    ) -> f64 {
        let event = Event::Begin(site);
        let (mut fa, mut fb) = (self.value(event, a), self.value(event, b));
        let size = self.size(site);
        // Bodies that only their own forces move are resolved by the step.
        let least = if self.own(site).bends() { 1e-9 * size } else { 1e-3 * size };
        let curved = bend + self.sharpness(site, swing);
        while swing * (b - a) > least && fa > 0.0 && b - a > 1e-13 {
            // The rate differs from that of the chord by no more than its change.
            if swing * (b - a) < 1e-3 * size && fa - fb > curved * (b - a) * (b - a) {
                break;
            }
            let middle = 0.5 * (a + b);
            let value = self.value(event, middle);
            if value <= 0.0 {
                (b, fb) = (middle, value);
                continue;
            }
            if let Some(x) = self.closes(site, [a, fa, middle, value], (swing, bend)) {
                return x;
            }
            (a, fa) = (middle, value);
        }
        self.within(event, a, b)
    }

    /// What the curvature of two shapes that move by `swing` adds to the bend of their gap.
    fn sharpness(&self, site: usize, swing: f64) -> f64 {
        let contact = &self.world.contacts[self.world.sites[site].contact];
        let [one, two] = [contact.a, contact.b].map(|shape| &self.world.shapes[shape].shape);
        2.0 * swing * swing / gap::min_curvature_radius(one, two)
    }

    /// The smaller of the two bodies at a site.
    fn size(&self, site: usize) -> f64 {
        let contact = &self.world.contacts[self.world.sites[site].contact];
        let bodies = [contact.a, contact.b].map(|s| self.world.shapes[s].body);
        let size = bodies.map(|b| self.world.columns.reach[b]);
        size.into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// A root between two x, of which the second is passed.
    fn within(&mut self, event: Event, begin: f64, until: f64) -> f64 {
        let (mut a, mut fa) = (begin, self.value(event, begin));
        let (mut b, mut fb) = (until, self.value(event, until));
        let (mut last, mut crawls) = (until, false);
        for attempt in 0..60 {
            // Illinois where both ends carry a sign; halving on plateaus and where a secant crawls.
            let secant = fa > 0.0 && fb < 0.0 && attempt < 20 && !crawls;
            let x = if secant { (a * fb - b * fa) / (fb - fa) } else { 0.5 * (a + b) };
            let fx = self.value(event, x);
            // A secant that no longer moves has arrived, though one end may be far; or it starts from
            // next to nothing, as a gap does after parting, and never gets away.
            if secant && (x - last).abs() < 1e-13 {
                let beside = if fx > 0.0 { (x + 1e-12).min(b) } else { (x - 1e-12).max(a) };
                if (self.value(event, beside) > 0.0) != (fx > 0.0) {
                    return x;
                }
                crawls = true;
            }
            last = x;
            if fx > 0.0 {
                (a, fa) = (x, fx);
                fb *= 0.5;
            } else {
                (b, fb) = (x, fx);
                fa *= 0.5;
            }
            if b - a < 1e-13 {
                break;
            }
        }
        b
    }

    /// The first x of a span at which an open site is closed, where it may be.
    pub fn passed_through(&mut self, doubt: &Doubt) -> Option<f64> {
        let (event, (begin, end)) = (Event::Begin(doubt.site), doubt.span);
        let span = [begin, self.value(event, begin).max(0.0), end, self.value(event, end).max(0.0)];
        let length = self.stepper.length();
        self.closes(doubt.site, span, (doubt.bound * length, doubt.bend * length))
    }

    /// The same between two x with their gaps, for bodies that move by `swing` in the whole step and whose points
    /// change their way by `bend`.
    fn closes(&mut self, site: usize, span: [f64; 4], (swing, bend): (f64, f64)) -> Option<f64> {
        let event = Event::Begin(site);
        let graze = 1e-9 * self.size(site);
        let contact = &self.world.contacts[self.world.sites[site].contact];
        let [one, two] = [contact.a, contact.b].map(|shape| &self.world.shapes[shape].shape);
        let ball = gap::min_curvature_radius(one, two);
        let (given, bend) = (bend, bend + self.sharpness(site, swing));
        let bends_itself = self.own(site).bends();
        self.pieces.clear();
        self.pieces.push(span);
        while let Some([a, fa, b, fb]) = self.pieces.pop() {
            let (moves, bends) = (swing * (b - a), 0.5 * bend * (b - a) * (b - a));
            if fa + fb > moves || moves < graze || b - a < 1e-12 {
                continue;
            }
            if moves < 0.5 * ball && (fa.min(fb) > bends || bends < graze) {
                continue;
            }
            let middle = 0.5 * (a + b);
            let value = self.value(event, middle);
            if value <= 0.0 {
                return Some(match bends_itself {
                    true => self.first_between(site, (a, middle), (swing, given)),
                    false => self.within(event, a, middle),
                });
            }
            self.pieces.push([middle, value, b, fb]);
            self.pieces.push([a, fa, middle, value]);
        }
        None
    }
}
