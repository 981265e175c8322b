//! Recurrence: the whole state at the section, once per turn, and the number of turns after which it repeats.

use crate::math::Vec3;
use crate::observe::Sample;

/// Components of the state count as equal if they differ by no more than this fraction of their range.
const REPETITION_TOLERANCE: f64 = 0.01;
/// A range below this fraction of the largest range of the same kind of quantity is rounding.
const RANGE_ROUNDING: f64 = 1e-6;

/// Kind of quantity of a component of the state; ranges are compared within the same kind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Position,
    Velocity,
    Orientation,
    AngularVelocity,
}

/// State as vectors, and for each contact whether it touches.
#[derive(Clone, Debug, Default, PartialEq)]
struct StateComponents {
    vectors: Vec<(Quantity, Vec3)>,
    touching: Vec<bool>,
}

/// States at the section, and the ranges of their components over all samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Recurrence {
    section: Vec<StateComponents>,
    /// First sample, and the largest distance of each component from it.
    first: StateComponents,
    ranges: Vec<f64>,
}

impl Recurrence {
    /// Adds a sample.
    pub fn add(&mut self, sample: &Sample, at_section: bool) {
        let now = StateComponents::of(sample);
        if self.ranges.is_empty() {
            self.ranges = vec![0.0; now.vectors.len()];
            self.first = now.clone();
        }
        let both = self.first.vectors.iter().zip(&now.vectors);
        for (range, ((_, first), (_, now))) in self.ranges.iter_mut().zip(both) {
            *range = range.max((*now - *first).length());
        }
        if at_section {
            self.section.push(now);
        }
    }

    /// Returns the smallest number of turns after which the state repeats, up to a third of the turns.
    pub fn turns(&self) -> Option<usize> {
        let ranges = || self.first.vectors.iter().map(|(quantity, _)| *quantity).zip(&self.ranges);
        let largest = |quantity: Quantity| {
            let same = ranges().filter(|(other, _)| *other == quantity);
            same.map(|(_, range)| *range).fold(0.0, f64::max)
        };
        let scales: Vec<f64> = ranges()
            .map(|(quantity, range)| range.max(RANGE_ROUNDING * largest(quantity)))
            .collect();
        let equal = |a: &StateComponents, b: &StateComponents| {
            let components = a.vectors.iter().zip(&b.vectors).zip(&scales);
            let mut errors = components.map(|((one, two), scale)| (two.1 - one.1).length() / scale);
            // A component that never moves has a range of zero, and its error is 0/0.
            a.touching == b.touching
                && errors.all(|error| error.is_nan() || error <= REPETITION_TOLERANCE)
        };
        let turns = &self.section;
        (1..=turns.len() / 3).find(|&p| turns.iter().zip(&turns[p..]).all(|(a, b)| equal(a, b)))
    }
}

impl StateComponents {
    fn of(sample: &Sample) -> Self {
        let (world, state) = (sample.world, sample.state);
        let mut vectors = Vec::new();
        for &body in &world.free {
            let Some(pose) = state.body(world, body) else { continue };
            vectors.extend([
                (Quantity::Position, pose.position),
                (Quantity::Velocity, pose.velocity),
                (Quantity::AngularVelocity, pose.spin),
            ]);
            // Orientation is represented by two axes of the body, which are the same after a full turn, while an angle is
            // not.
            vectors.extend(
                [Vec3::X, Vec3::Y].map(|axis| (Quantity::Orientation, pose.rotation.rotate(axis))),
            );
        }
        // Pins move little relative to the bodies that carry them, so their relative motion is compared separately.
        for contact in &world.contacts {
            let shapes = [contact.a, contact.b].map(|index| &world.shapes[index]);
            if shapes.iter().any(|placed| placed.shape.is_cavity()) {
                let [(a, va), (b, vb)] = shapes.map(|placed| {
                    let body = state.motion_of(world, placed.body);
                    let at = body.x + body.q.rotate(placed.position);
                    (at, body.velocity_at(at))
                });
                vectors.extend([(Quantity::Position, a - b), (Quantity::Velocity, va - vb)]);
            }
        }
        let mut touching = vec![false; world.contacts.len()];
        for touch in state.touches() {
            touching[touch.site(world).0] = true;
        }
        Self { vectors, touching }
    }
}
