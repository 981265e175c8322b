//! What is expected of an impact when it begins: its law, its speed and its depth.

use crate::gap::{Gap, relative_curvatures};
use crate::kinematics::Kinematics;
use crate::world::World;
use carom::law::Memory;
use carom::{Law, Result};

/// The speed that is used where bodies touch at rest, unless another is given (m/s).
const REST_SPEED: f64 = 1e-3;

/// The slowest impact that scales of length and time are made for (m/s), above 0.
pub(crate) fn least_speed(world: &World) -> f64 {
    world.min_onset_speed.filter(|speed| *speed > 0.0).unwrap_or(REST_SPEED)
}

/// A length that no indentation of two bodies reaches (m).
pub(crate) fn body_size(world: &World, a: usize, b: usize) -> f64 {
    let longest = world.columns.reach[a].max(world.columns.reach[b]);
    if longest > 0.0 { longest } else { 1.0 }
}

/// The law of a contact for a mass with its shapes as they lie, and the curvatures that it was made from.
pub(crate) fn law_at(
    world: &World,
    kinematics: &Kinematics,
    contact: usize,
    gap: &Gap,
    mass: f64,
) -> Result<(Law, Option<(f64, f64)>)> {
    let contact = &world.contacts[contact];
    let curvatures = match contact.law_source.needs_curvatures() {
        true => {
            let [a, b] = [contact.a, contact.b].map(|shape| &world.shapes[shape].shape);
            let [at_a, at_b] = [contact.a, contact.b].map(|shape| kinematics.frame(world, shape));
            relative_curvatures(a, &at_a, b, &at_b, gap.normal, gap.point)
        }
        false => None,
    };
    Ok((contact.law_source.law(mass, curvatures)?, curvatures))
}

/// The indentation at which the law would have stored the energy of the impact (m), to a tenth; 0 where it
/// never would up to `largest`.
pub(crate) fn expected_depth(law: &Law, memory: &Memory, speed: f64, largest: f64) -> f64 {
    let energy = 0.5 * law.mass * speed * speed;
    let holds = |delta: f64| law.stored(delta, &Memory { peak: delta, ..*memory }) >= energy;
    smallest_that(holds, largest, 1.1).map_or(0.0, |(below, _)| below)
}

/// Brackets the smallest length up to `largest` at which a condition holds, to a ratio of the two ends; nothing where it does
/// not hold at `largest`. Halves on a logarithmic scale.
pub(crate) fn smallest_that(
    holds: impl Fn(f64) -> bool,
    largest: f64,
    ratio: f64,
) -> Option<(f64, f64)> {
    if !holds(largest) {
        return None;
    }
    let (mut low, mut high) = (1e-18 * largest, largest);
    while high > ratio * low {
        let middle = (low * high).sqrt();
        if holds(middle) { high = middle } else { low = middle }
    }
    Some((low, high))
}
