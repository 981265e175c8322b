//! Prediction of contacts between bodies of different islands, while both islands take the steps that were found for them.
//!
//! As within a step (`step/passage.rs`), a gap cannot change faster than the bodies move: it remains open over a span of time T
//! if the sum of the gaps at both ends of the span is larger than L·T, where L is a bound of the relative speed of points of the
//! bodies. First the placements at the beginnings of the two steps are compared, which costs little and suffices for bodies far
//! apart. Then the span is halved a few times on the dense output of both steps. If this does not exclude a contact, the bodies
//! may touch.

use crate::island::Island;
use crate::joint::BodyMotion;
use crate::kinematics::Kinematics;
use crate::state::Pose;
use crate::step::{FeatureBoxes, GapBounds};
use crate::world::World;
use std::ops::Range;

/// Number of parts of a span that are examined before it is assumed that bodies may touch.
const MAX_PARTS: usize = 12;

/// Buffers of the search for bodies of different islands that may touch.
#[derive(Clone, Debug)]
pub(super) struct Approach {
    /// Kinematics of the whole world, of which only the bodies of the present pair are up to date.
    kinematics: Kinematics,
    boxes: FeatureBoxes,
    /// For each contact: the range of its sites.
    sites: Vec<Range<usize>>,
    /// Parts of a span that remain to be examined: times and smallest gaps at both ends.
    parts: Vec<[(f64, f64); 2]>,
}

/// Returns a bound of a speed within a step from its values at both ends. By the control of errors, steps are short compared with
/// the time in which the motion changes.
fn speed_bound_between(one: f64, two: f64) -> f64 {
    1.1 * one.max(two) + (one - two).abs()
}

/// Returns a bound of the speed of the points of a body within the step of its island (m/s).
fn speed_in_step(island: &Island, body: usize) -> f64 {
    let reach = island.world.columns.bounding_radius[body];
    let speed = |at: &BodyMotion| at.v.length() + at.w.length() * reach;
    let scratch = &island.scratch;
    let before = &scratch.start.evaluation.kinematics.bodies[body];
    let after = &scratch.trial.at_end.evaluation.kinematics.bodies[body];
    speed_bound_between(speed(before), speed(after))
}

/// The two bodies of a contact between two islands.
struct BodyPair<'a> {
    islands: [&'a mut Island; 2],
    /// Indices of the bodies in the whole world, and in their islands.
    bodies: [usize; 2],
    in_island: [usize; 2],
}

impl BodyPair<'_> {
    /// Reads the placements of both bodies at the beginnings of their steps.
    fn read_starts(&self, kinematics: &mut Kinematics) {
        for i in 0..2 {
            let start = &self.islands[i].scratch.start.evaluation.kinematics;
            kinematics.bodies[self.bodies[i]] = start.bodies[self.in_island[i]];
        }
    }

    /// Returns a bound of the sum of the displacements of both bodies from the beginnings of their steps to a time (m).
    fn travel(&self, until: f64) -> f64 {
        let of = |i: usize| {
            let island = &self.islands[i];
            speed_in_step(island, self.in_island[i]) * (until - island.state.time)
        };
        of(0) + of(1)
    }

    /// Reads the motion of both bodies at a time within their steps, whose dense output must exist.
    fn read(&mut self, kinematics: &mut Kinematics, time: f64) {
        self.read_starts(kinematics);
        for i in 0..2 {
            let Island { world, state, scratch, .. } = &mut *self.islands[i];
            let Some(slot) =
                world.columns.free_index[self.in_island[i]].filter(|_| time > state.time)
            else {
                continue;
            };
            let y = &mut scratch.probe.y;
            y.resize(state.y.len(), 0.0);
            for range in state.layout.body_ranges(slot) {
                scratch.trial.stepper.part(time, range, y);
            }
            let Pose { position: x, rotation: q, velocity: v, spin: w } =
                state.layout.pose(y, slot);
            kinematics.bodies[self.bodies[i]] = BodyMotion { x, q, v, w };
        }
    }
}

impl Approach {
    pub fn new(world: &World) -> Self {
        let mut sites = vec![0..0; world.contacts.len()];
        for (index, site) in world.sites.iter().enumerate() {
            let range = &mut sites[site.contact];
            let start = if range.start == range.end { index } else { range.start };
            *range = start..index + 1;
        }
        Self {
            kinematics: Kinematics::new(world),
            boxes: FeatureBoxes::new(world),
            sites,
            parts: Vec::with_capacity(MAX_PARTS + 1),
        }
    }

    /// Returns whether the two shapes of a contact may touch between the time `from`, at which the later of the two steps begins,
    /// and the end of the step that ends first. The islands must be in the order of the shapes.
    pub fn may_touch(
        &mut self,
        world: &World,
        contact: usize,
        islands: [&mut Island; 2],
        from: f64,
    ) -> bool {
        if self.sites[contact].is_empty() {
            return false;
        }
        let until = islands[0].end().min(islands[1].end());
        let shapes = [world.contacts[contact].a, world.contacts[contact].b];
        let bodies = shapes.map(|shape| world.shapes[shape].body);
        let in_island = [islands[0].body(bodies[0]), islands[1].body(bodies[1])];
        let mut pair = BodyPair { islands, bodies, in_island };
        let travel = pair.travel(until);
        pair.read_starts(&mut self.kinematics);
        if self.smallest_gap(world, contact, travel) > travel {
            return false;
        }
        for island in &mut pair.islands {
            island.interpolate();
        }
        !self.stays_open(world, contact, &mut pair, (from, until))
    }

    /// Returns whether the gaps of a contact certainly remain open over a span of time.
    fn stays_open(
        &mut self,
        world: &World,
        contact: usize,
        pair: &mut BodyPair,
        (from, until): (f64, f64),
    ) -> bool {
        let first = self.sites[contact].start;
        pair.read(&mut self.kinematics, until);
        let after = self.kinematics.speed_bound(world, first);
        pair.read(&mut self.kinematics, from);
        let speed = speed_bound_between(self.kinematics.speed_bound(world, first), after);
        // Gaps larger than this do not affect the decision.
        let enough = speed * (until - from);
        let mut gap_at = |approach: &mut Self, time: f64| {
            pair.read(&mut approach.kinematics, time);
            (time, approach.smallest_gap(world, contact, enough))
        };
        let ends = [gap_at(self, from), gap_at(self, until)];
        self.parts.clear();
        self.parts.push(ends);
        for _ in 0..MAX_PARTS {
            let Some([(a, gap_a), (b, gap_b)]) = self.parts.pop() else { return true };
            if !(gap_a > 0.0 && gap_b > 0.0) {
                return false;
            }
            if gap_a + gap_b > speed * (b - a) {
                continue;
            }
            let middle = gap_at(self, 0.5 * (a + b));
            self.parts.push([middle, (b, gap_b)]);
            self.parts.push([(a, gap_a), middle]);
        }
        self.parts.is_empty()
    }

    /// Returns the smallest gap of a contact for the placements that were read (m); infinite if all gaps are larger than
    /// `enough`.
    fn smallest_gap(&self, world: &World, contact: usize, enough: f64) -> f64 {
        let mut bounds = GapBounds::new(world, &self.boxes, &self.kinematics);
        let mut least = f64::INFINITY;
        for site in self.sites[contact].clone() {
            if !bounds.exceeds(site, enough) {
                least = least.min(self.kinematics.gap_without_memory(world, site).gap.distance);
            }
        }
        least
    }
}
