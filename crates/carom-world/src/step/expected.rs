//! Expected quantities of an impact when it begins: its law, its lowest speed and its depth.

use crate::gap::{Gap, relative_curvatures};
use crate::kinematics::Kinematics;
use crate::world::World;
use carom::law::Memory;
use carom::{Law, Result};

/// Approach speed assumed for bodies that touch at rest, unless the scene specifies another (m/s).
const REST_SPEED: f64 = 1e-3;

/// Returns the lowest approach speed for which scales of length and time are computed (m/s); it is positive.
pub(crate) fn min_speed_scale(world: &World) -> f64 {
    world.min_onset_speed.filter(|speed| *speed > 0.0).unwrap_or(REST_SPEED)
}

/// Returns a length that the indentation of two bodies does not reach (m).
pub(crate) fn body_size(world: &World, a: usize, b: usize) -> f64 {
    let longest = world.columns.bounding_radius[a].max(world.columns.bounding_radius[b]);
    if longest > 0.0 { longest } else { 1.0 }
}

/// Returns the law of a contact for an effective mass (kg) and the current placement of its shapes, and the curvatures that it
/// follows from, if it depends on them.
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

/// Returns the indentation at which the stored energy of the law equals the kinetic energy of the impact (m), within ten per
/// cent; 0 if it is not reached up to `largest`.
pub(crate) fn expected_depth(law: &Law, memory: &Memory, speed: f64, largest: f64) -> f64 {
    let energy = 0.5 * law.mass * speed * speed;
    let holds = |delta: f64| law.stored(delta, &Memory { peak: delta, ..*memory }) >= energy;
    bracket_smallest(holds, largest, 1.1).map_or(0.0, |(below, _)| below)
}

/// Brackets the smallest length up to `largest` at which a condition holds, by bisection on a logarithmic scale until the ratio
/// of the two ends is at most `ratio`. Returns nothing if the condition does not hold at `largest`.
pub(crate) fn bracket_smallest(
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
