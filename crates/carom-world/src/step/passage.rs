//! Passages: sites that close and open again within a step.
//!
//! A small fast body may pass through a thin one without a trace at the end of a step. The gap cannot change faster than the
//! largest relative speed L of points of the two bodies, so an interval of length T with gaps g₀, g₁ > 0 at its ends is free of
//! contact when g₀ + g₁ > L·T; where it is not, it is halved on the dense output until it is, or until contact is
//! found. A graze shallower than a billionth of the body is not looked for.
//!
//! L comes from the velocities at both ends of the step, which say what happens in between as long as the step is
//! short compared with the motion. Steps are short compared with the motion of free bodies, by their errors. A body with a
//! prescribed motion has no error and may swing many times in one step, so bounds of its velocity and
//! acceleration within the step come from the motion itself ([`DrivenMotion`]).
//!
//! Bodies that travel beside each other at a tiny distance would be halved almost without end. But the gap is not more
//! than that of two balls of radii r_a, r_b that touch the bodies from within at the nearest points and move with them, so
//! it bends upwards by no more than B = |a| + v²/(r_a + r_b), a and v being acceleration and velocity between their
//! centres (twice the second, where they overlap by half a radius). Then it lies below its chord by no more than B·T²/8, and an
//! interval that is short compared with the balls is free where the gaps at its ends are larger; four times that is
//! required.

use super::Event;
use super::dense::{DenseStep, Interval};
use crate::gap;
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap, smaller_body};
use crate::math::Vec3;
use crate::world::World;

/// Grazes shallower than this fraction of the smaller body are not looked for.
const SHALLOWEST_GRAZE: f64 = 1e-9;

/// Bounds of the prescribed motions of the bodies at a site within a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DrivenMotion {
    /// Velocities differ by no more (m/s).
    pub velocity_change: f64,
    /// No acceleration is larger (m/s²).
    pub acceleration: f64,
}

impl DrivenMotion {
    /// Within a time from `begun` on, in which no motion has a breakpoint.
    pub fn at(world: &World, site: usize, begun: f64, length: f64) -> Self {
        let mut sum = Self::default();
        if world.columns.driven.is_empty() {
            return sum;
        }
        let (a, b) = world.bodies_at(site);
        for body in [a, b] {
            if let Some(path) = world.bodies[body].drive() {
                let bounds = path.bounds(begun, begun + length, world.columns.reach[body]);
                sum.velocity_change += bounds.velocity_change;
                sum.acceleration += bounds.acceleration;
            }
        }
        sum
    }

    /// Whether a velocity changes at all.
    pub fn accelerates(self) -> bool {
        self.acceleration > 0.0
    }
}

/// How the two bodies at a site move against each other at one instant.
#[derive(Clone, Copy, Debug)]
struct SiteMotion {
    velocity: Vec3,
    /// Sum of their angular speeds (rad/s).
    turning: f64,
    /// Bound of the relative speed of points near the site (m/s).
    speed: f64,
}

impl SiteMotion {
    fn at(kinematics: &Kinematics, world: &World, site: usize) -> Self {
        let (a, b) = world.bodies_at(site);
        let (a, b) = (&kinematics.bodies[a], &kinematics.bodies[b]);
        let (velocity, turning) = (b.v - a.v, a.w.length() + b.w.length());
        Self { velocity, turning, speed: kinematics.speed_bound(world, site) }
    }

    /// Bounds within a span of time that begins with this motion and ends with another: of the relative speed of points near the
    /// site, and of the change of velocity of a material point (m/s).
    fn bounds(&self, end: &Self, driven: &DrivenMotion, length: f64) -> (f64, f64) {
        let speed = self.speed.max(end.speed);
        let turning = (speed + driven.velocity_change) * self.turning.max(end.turning);
        let change =
            (end.velocity - self.velocity).length() + (turning + driven.acceleration) * length;
        (1.1 * speed + (speed - self.speed.min(end.speed)) + driven.velocity_change, change)
    }
}

/// How far bodies move, and how much their paths bend, over a whole step (m).
#[derive(Clone, Copy, Debug)]
struct Motion {
    travel: f64,
    bend: f64,
}

/// A site that is open at both ends of a step and may have been closed in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    pub site: usize,
    /// Gaps at both ends.
    gap_before: f64,
    gap_after: f64,
    /// At the end of the step: how fast the gap opens, and how the bodies move.
    opening_rate: f64,
    at_end: SiteMotion,
    /// Bound of the relative speed of points near the site within the step.
    speed_bound: f64,
    /// Bound of the change of the velocity of a material point.
    velocity_change: f64,
    /// The part of the step in which the gap may have been closed, as fractions.
    span: (f64, f64),
}

impl Passage {
    /// A site that may be passed, as it is at the end of the step.
    pub fn new(
        input: &StepInput,
        at_end: &Kinematics,
        site: usize,
        gap_before: f64,
        found: &SiteGap,
    ) -> Self {
        Self {
            site,
            gap_before,
            gap_after: found.gap.distance,
            opening_rate: at_end.opening_rate(found),
            at_end: SiteMotion::at(at_end, input.world, site),
            speed_bound: f64::INFINITY,
            velocity_change: f64::INFINITY,
            span: (0.0, 1.0),
        }
    }

    /// Narrows the span with what is known of the start of the step; false where the site has not been closed.
    ///
    /// On a straight path a gap has one minimum: one that opens at the start or closes at the end has not been
    /// smaller than there. A rate changes by no more than the change of velocity and the turn times the speed, so
    /// that it keeps its sign for a part of the step; what is left is to be searched. Sites that are open again deep inside
    /// ([`gap::may_reopen`]) may have been passed where they seem to close at the end: of those only the start is known.
    pub fn narrow(
        &mut self,
        input: &StepInput,
        at_start: &Kinematics,
        begun: f64,
        length: f64,
    ) -> bool {
        let world = input.world;
        let opening = at_start.opening_rate(&at_start.gap(input, self.site));
        let driven = DrivenMotion::at(world, self.site, begun, length);
        let start = SiteMotion::at(at_start, world, self.site);
        let (speed, change) = start.bounds(&self.at_end, &driven, length);
        (self.speed_bound, self.velocity_change) = (speed, change);
        let bend = 0.5 * length * change;
        let [a, b] = world.shapes_at(self.site);
        let closing = if gap::may_reopen(a, b) { f64::NEG_INFINITY } else { -self.opening_rate };
        let clear = (opening >= 0.0 && self.gap_before >= bend)
            || (closing >= 0.0 && self.gap_after >= bend);
        let steady = |rate: f64| if rate > 0.0 { 0.5 * rate / change } else { 0.0 };
        self.span = (steady(opening), 1.0 - steady(closing));
        !clear && self.span.0 < self.span.1
    }
}

impl DenseStep<'_> {
    /// The first fraction of the step, before another, at which a site that may have been passed is closed.
    pub fn first_closed(&mut self, passage: &Passage, until: f64) -> Option<f64> {
        let (begin, end) = passage.span;
        let length = self.stepper.length();
        let motion =
            Motion { travel: passage.speed_bound * length, bend: passage.velocity_change * length };
        match begin < until {
            true => self.first_closed_in(passage.site, (begin, end.min(until)), motion),
            false => None,
        }
    }

    /// Whether the gap at a site may have more than one root within a step: where it may open again deep inside, and for driven
    /// bodies.
    pub fn may_close_several_times(&self, site: usize) -> bool {
        let [a, b] = self.input.world.shapes_at(site);
        gap::may_reopen(a, b) || self.driven(site).accelerates()
    }

    /// The first fraction in (0, `until`] at which a site is closed that is closed at the end of the step.
    pub fn first_closed_before(&mut self, site: usize, until: f64) -> Option<f64> {
        let (event, driven, length) =
            (Event::Onset(site), self.driven(site), self.stepper.length());
        let world = self.input.world;
        self.value(event, 1.0);
        let after = SiteMotion::at(&self.probe.evaluation.kinematics, world, site);
        self.value(event, 0.0);
        let before = SiteMotion::at(&self.probe.evaluation.kinematics, world, site);
        let (speed, change) = before.bounds(&after, &driven, length);
        let change = if driven.accelerates() { change } else { f64::INFINITY };
        let motion = Motion { travel: speed * length, bend: change * length };
        match until < 1.0 {
            true => self.first_closed_in(site, (0.0, until), motion),
            false => Some(self.first_root_between(site, (0.0, until), motion)),
        }
    }

    /// The first fraction of a span at which a site is closed, whether or not it is at its ends.
    fn first_closed_in(
        &mut self,
        site: usize,
        (begin, end): (f64, f64),
        motion: Motion,
    ) -> Option<f64> {
        let event = Event::Onset(site);
        let (gap_at_begin, gap_at_end) =
            (self.value(event, begin).max(0.0), self.value(event, end));
        if gap_at_end <= 0.0 {
            return Some(self.first_root_between(site, (begin, end), motion));
        }
        self.first_closed_within(site, Interval { begin, gap_at_begin, end, gap_at_end }, motion)
    }

    /// The first fraction of a span at which a site is closed, given that it is at its end.
    ///
    /// Between sign changes far from each other a root is not the first one. So the span is halved until the gap can cross
    /// zero only once in it, or the bodies hardly move in it, and halves with open ends are searched.
    fn first_root_between(
        &mut self,
        site: usize,
        (mut a, mut b): (f64, f64),
        motion: Motion,
    ) -> f64 {
        let event = Event::Onset(site);
        let (mut fa, mut fb) = (self.value(event, a), self.value(event, b));
        let size = self.smaller_body(site);
        // The motion of free bodies is resolved by the step.
        let smallest = if self.driven(site).accelerates() { 1e-9 * size } else { 1e-3 * size };
        let curved = motion.bend + self.curvature_bend(site, motion.travel);
        while motion.travel * (b - a) > smallest && fa > 0.0 && b - a > 1e-13 {
            // The rate differs from that of the chord by no more than its change.
            if motion.travel * (b - a) < 1e-3 * size && fa - fb > curved * (b - a) * (b - a) {
                break;
            }
            let middle = 0.5 * (a + b);
            let value = self.value(event, middle);
            if value <= 0.0 {
                (b, fb) = (middle, value);
                continue;
            }
            let interval = Interval { begin: a, gap_at_begin: fa, end: middle, gap_at_end: value };
            if let Some(x) = self.first_closed_within(site, interval, motion) {
                return x;
            }
            (a, fa) = (middle, value);
        }
        self.root_between(event, a, b)
    }

    /// The first fraction of an interval with open ends at which a site is closed.
    fn first_closed_within(
        &mut self,
        site: usize,
        interval: Interval,
        motion: Motion,
    ) -> Option<f64> {
        let event = Event::Onset(site);
        let graze = SHALLOWEST_GRAZE * self.smaller_body(site);
        let ball = self.inner_ball(site);
        let bend = motion.bend + self.curvature_bend(site, motion.travel);
        let driven = self.driven(site).accelerates();
        self.intervals.clear();
        self.intervals.push(interval);
        while let Some(interval) = self.intervals.pop() {
            let Interval { begin: a, gap_at_begin: fa, end: b, gap_at_end: fb } = interval;
            let (moves, bends) = (motion.travel * (b - a), 0.5 * bend * (b - a) * (b - a));
            if fa + fb > moves || moves < graze || b - a < 1e-12 {
                continue;
            }
            if moves < 0.5 * ball && (fa.min(fb) > bends || bends < graze) {
                continue;
            }
            let middle = 0.5 * (a + b);
            let value = self.value(event, middle);
            if value <= 0.0 {
                return Some(match driven {
                    true => self.first_root_between(site, (a, middle), motion),
                    false => self.root_between(event, a, middle),
                });
            }
            self.intervals.push(Interval { begin: middle, gap_at_begin: value, ..interval });
            self.intervals.push(Interval { end: middle, gap_at_end: value, ..interval });
        }
        None
    }

    /// Bounds of the prescribed motions at a site in this step.
    fn driven(&self, site: usize) -> DrivenMotion {
        DrivenMotion::at(self.input.world, site, self.stepper.begun(), self.stepper.length())
    }

    /// Radius of balls that touch the surfaces from within, see the module.
    fn inner_ball(&self, site: usize) -> f64 {
        let [a, b] = self.input.world.shapes_at(site);
        gap::min_curvature_radius(a, b)
    }

    /// What the curvature of two shapes that travel so far adds to the bend of their gap (m).
    fn curvature_bend(&self, site: usize, travel: f64) -> f64 {
        2.0 * travel * travel / self.inner_ball(site)
    }

    /// Size of the smaller of the two bodies at a site (m).
    fn smaller_body(&self, site: usize) -> f64 {
        let (a, b) = self.input.world.bodies_at(site);
        smaller_body(self.input.world, a, b)
    }
}
