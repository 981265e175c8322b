//! Passages: sites that close and open again within a step.
//!
//! A small fast body may pass through a thin one without a trace at the end of a step. The gap cannot change faster than the
//! largest relative speed L of points of the two bodies. An interval of duration T with gaps g₀, g₁ > 0 at its ends is therefore
//! free of contact if g₀ + g₁ > L·T. Otherwise it is halved on the dense output until all parts are free or contact is found.
//! Grazing contacts shallower than a billionth of the body are not searched for.
//!
//! L is computed from the velocities at both ends of the step, which are representative as long as the step is short compared
//! with the time in which the motion changes. For free bodies this is ensured by the control of errors. A body with a prescribed
//! motion has no error and may swing many times in one step, so bounds of its velocity and acceleration within the step are
//! computed from the motion itself ([`driven_bounds`]).
//!
//! Bodies that move beside each other at a tiny distance would require almost endless halving. But the gap is at most that of two
//! balls of radii r_a, r_b that touch the surfaces from within at the nearest points and move with the bodies. Its second
//! derivative is therefore at most B = |a| + v²/(r_a + r_b), where a and v are acceleration and velocity between the centres of
//! the balls (twice the second term if the balls overlap by half a radius). The gap lies below its chord by at most B·T²/8, and
//! an interval that is short compared with the balls is free if the gaps at its ends are larger than that; the test requires four
//! times this value.

use super::Event;
use super::dense::{DenseStep, Interval};
use crate::gap;
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap, smaller_body_size};
use crate::math::Vec3;
use crate::path::PathBounds;
use crate::world::World;

/// Depth, relative to the smaller body, below which grazing contacts are not searched for.
const MIN_GRAZE_DEPTH: f64 = 1e-9;

/// Returns the sums of the bounds of the prescribed motions of both bodies at a site, for a time `length` from `begun` on, in which
/// no motion has a breakpoint.
pub(crate) fn driven_bounds(world: &World, site: usize, begun: f64, length: f64) -> PathBounds {
    let mut sum = PathBounds::default();
    if world.columns.driven.is_empty() {
        return sum;
    }
    let (a, b) = world.bodies_at(site);
    for body in [a, b] {
        if let Some(path) = world.bodies[body].drive() {
            sum += path.bounds(begun, begun + length, world.columns.bounding_radius[body]);
        }
    }
    sum
}

/// Relative motion of the two bodies at a site at one instant.
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

    /// Returns two bounds for a span of time with this motion at its beginning and the motion `end` at its end: of the relative
    /// speed of points near the site, and of the change of velocity of a material point (m/s).
    fn bounds(&self, end: &Self, driven: &PathBounds, length: f64) -> (f64, f64) {
        let speed = self.speed.max(end.speed);
        let turning = (speed + driven.velocity_change) * self.turning.max(end.turning);
        let change =
            (end.velocity - self.velocity).length() + (turning + driven.acceleration) * length;
        (1.1 * speed + (speed - self.speed.min(end.speed)) + driven.velocity_change, change)
    }
}

/// Bounds for a whole step: displacement of the bodies, and deviation of their paths from straight lines (m).
#[derive(Clone, Copy, Debug)]
struct StepBounds {
    travel: f64,
    bend: f64,
}

/// A site that is open at both ends of a step and may have been closed in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    pub site: usize,
    /// Gaps at both ends of the step (m).
    gap_before: f64,
    gap_after: f64,
    /// Rate at which the gap opens at the end of the step (m/s), and motion of the bodies there.
    opening_rate: f64,
    at_end: SiteMotion,
    /// Bound of the relative speed of points near the site within the step (m/s).
    speed_bound: f64,
    /// Bound of the change of velocity of a material point within the step (m/s).
    velocity_change: f64,
    /// Part of the step in which the gap may have been closed, as fractions of the step.
    span: (f64, f64),
}

impl Passage {
    /// Creates a passage from the gap and the motion at the end of the step.
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

    /// Reduces the span by what is known of the start of the step. Returns false if the site cannot have been closed.
    ///
    /// On a straight path a gap has a single minimum: if it opens at the start or closes at the end of the step, it has not been
    /// smaller than at that end. The rate of the gap changes by no more than the change of velocity of material points, which
    /// includes the rotation times the speed, so it keeps its sign for a part of the step, and only the remaining span has to be
    /// searched. Sites that count as open again deep inside a body ([`gap::may_reopen`]) may have been passed even if they seem
    /// to close at the end: for these, only the start of the step is used.
    pub fn narrow(
        &mut self,
        input: &StepInput,
        at_start: &Kinematics,
        begun: f64,
        length: f64,
    ) -> bool {
        let world = input.world;
        let opening = at_start.opening_rate(&at_start.gap(input, self.site));
        let driven = driven_bounds(world, self.site, begun, length);
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
    /// Returns the first fraction of the step before `until` at which a site that may have been passed is closed.
    pub fn first_closed(&mut self, passage: &Passage, until: f64) -> Option<f64> {
        let (begin, end) = passage.span;
        let length = self.stepper.length();
        let motion = StepBounds {
            travel: passage.speed_bound * length,
            bend: passage.velocity_change * length,
        };
        match begin < until {
            true => self.first_closed_in(passage.site, (begin, end.min(until)), motion),
            false => None,
        }
    }

    /// Returns whether the gap at a site may have more than one root within a step: for shapes that count as open again deep
    /// inside, and for driven bodies.
    pub fn may_close_several_times(&self, site: usize) -> bool {
        let [a, b] = self.input.world.shapes_at(site);
        gap::may_reopen(a, b) || self.driven_bounds(site).accelerates()
    }

    /// Returns the first fraction in (0, `until`] at which a site is closed, if it is closed at the end of the step.
    pub fn first_closed_before(&mut self, site: usize, until: f64) -> Option<f64> {
        let (event, driven, length) =
            (Event::Onset(site), self.driven_bounds(site), self.stepper.length());
        let world = self.input.world;
        self.value(event, 1.0);
        let after = SiteMotion::at(&self.probe.evaluation.kinematics, world, site);
        self.value(event, 0.0);
        let before = SiteMotion::at(&self.probe.evaluation.kinematics, world, site);
        let (speed, change) = before.bounds(&after, &driven, length);
        let change = if driven.accelerates() { change } else { f64::INFINITY };
        let motion = StepBounds { travel: speed * length, bend: change * length };
        match until < 1.0 {
            true => self.first_closed_in(site, (0.0, until), motion),
            false => Some(self.first_root_between(site, (0.0, until), motion)),
        }
    }

    /// Returns the first fraction of a span at which a site is closed; it may be open or closed at the end of the span.
    fn first_closed_in(
        &mut self,
        site: usize,
        (begin, end): (f64, f64),
        motion: StepBounds,
    ) -> Option<f64> {
        let event = Event::Onset(site);
        let (gap_at_begin, gap_at_end) =
            (self.value(event, begin).max(0.0), self.value(event, end));
        if gap_at_end <= 0.0 {
            return Some(self.first_root_between(site, (begin, end), motion));
        }
        self.first_closed_within(site, Interval { begin, gap_at_begin, end, gap_at_end }, motion)
    }

    /// Returns the first fraction of a span at which a site is closed, given that it is closed at the end of the span.
    ///
    /// If there are sign changes far from each other, an arbitrary root is not the first one. The span is therefore halved until
    /// the gap can cross zero only once in it or the bodies hardly move in it; first halves with open ends are searched for
    /// passages.
    fn first_root_between(
        &mut self,
        site: usize,
        (mut a, mut b): (f64, f64),
        motion: StepBounds,
    ) -> f64 {
        let event = Event::Onset(site);
        let (mut fa, mut fb) = (self.value(event, a), self.value(event, b));
        let size = self.smaller_body_size(site);
        // For free bodies the step itself resolves the motion.
        let smallest =
            if self.driven_bounds(site).accelerates() { 1e-9 * size } else { 1e-3 * size };
        let curved = motion.bend + self.curvature_bend(site, motion.travel);
        while motion.travel * (b - a) > smallest && fa > 0.0 && b - a > 1e-13 {
            // The gap decreases throughout: its rate differs from that of the chord by at most the change of the rate.
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

    /// Returns the first fraction of an interval at which a site is closed that is open at both ends of the interval.
    fn first_closed_within(
        &mut self,
        site: usize,
        interval: Interval,
        motion: StepBounds,
    ) -> Option<f64> {
        let event = Event::Onset(site);
        let graze = MIN_GRAZE_DEPTH * self.smaller_body_size(site);
        let ball = self.inner_ball_radius(site);
        let bend = motion.bend + self.curvature_bend(site, motion.travel);
        let driven = self.driven_bounds(site).accelerates();
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

    /// Returns bounds of the prescribed motions at a site in this step.
    fn driven_bounds(&self, site: usize) -> PathBounds {
        driven_bounds(self.input.world, site, self.stepper.begun(), self.stepper.length())
    }

    /// Returns the radius of the balls that touch the surfaces from within (m), see the module.
    fn inner_ball_radius(&self, site: usize) -> f64 {
        let [a, b] = self.input.world.shapes_at(site);
        gap::min_curvature_radius(a, b)
    }

    /// Returns what the curvature of two shapes contributes to the deviation of their gap from its chord over a displacement (m).
    fn curvature_bend(&self, site: usize, travel: f64) -> f64 {
        2.0 * travel * travel / self.inner_ball_radius(site)
    }

    /// Returns the size of the smaller of the two bodies at a site (m).
    fn smaller_body_size(&self, site: usize) -> f64 {
        let (a, b) = self.input.world.bodies_at(site);
        smaller_body_size(self.input.world, a, b)
    }
}
