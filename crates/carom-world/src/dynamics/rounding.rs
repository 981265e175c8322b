//! What rounding makes of accelerations.
//!
//! Forces that balance leave a sum that is rounding alone: of a body that hangs still, some 1e-16 of its weight.
//! Springs and contacts also make forces of the rounding of positions: a spring of stiffness k between points 30 m from
//! the origin cannot be told its length better than to 1e-14 m. No step, however short, is better than that, and a
//! step that is asked to be is refused for ever.

use super::{Dynamics, Masses, sides};
use crate::detect::hair;
use crate::element::Element;
use crate::math::Vec3;
use crate::solve::Inertia;
use crate::state::{Phase, State};
use crate::world::World;

/// What a sum of forces may be off by, as a share of their sizes.
const SHARE: f64 = 16.0 * f64::EPSILON;

impl Dynamics {
    /// A bound of what rounding makes of the acceleration of any point of a free body (m/s²), as of the last slope,
    /// which must have been that of the state. `sums` is room for one number a body.
    pub fn roughness(&self, world: &World, state: &State, sums: &mut Vec<f64>) -> f64 {
        sums.clear();
        sums.resize(world.bodies.len(), 0.0);
        for &body in &world.free {
            sums[body] = SHARE * world.gravity.length();
        }
        // A force that is off by so much, as an acceleration of the body's farthest point.
        let mut add = |body: usize, off: f64| {
            if world.columns.slot[body].is_some() {
                let (mass, reach) = (world.columns.mass[body], world.columns.reach[body]);
                let [x, y, z] = world.columns.inertia[body].0;
                let gyration = (x.x + y.y + z.z) / (3.0 * mass);
                sums[body] += off / mass * (1.0 + reach * reach / gyration);
            }
        };
        for element in &world.elements {
            match element {
                Element::Spring { a, b, stiffness, length, .. } => {
                    let size =
                        |body: usize, point: Vec3| self.moving[body].x.length() + point.length();
                    let off = size(a.body, a.point) + size(b.body, b.point) + length;
                    add(a.body, SHARE * stiffness * off);
                    add(b.body, SHARE * stiffness * off);
                }
                Element::Force { at, direction, magnitude } => {
                    let force = magnitude.at(state.time).value * direction.length();
                    add(at.body, SHARE * force.abs());
                }
                _ => {}
            }
        }
        for (index, touch) in state.touches.iter().enumerate() {
            let Some(pushed) = self.pushed.get(index) else { continue };
            if touch.phase == Phase::Pushing {
                let memory = touch.memory_at(state.time, &state.y[state.layout.touch(index)..]);
                let tangent = touch.law.tangent(pushed.delta, pushed.rate, &memory);
                let place = 0.5 * hair(world, self, pushed.a, pushed.b) * tangent.stiffness.abs();
                let off = place + SHARE * pushed.force.abs();
                if off.is_finite() {
                    add(pushed.a, off);
                    add(pushed.b, off);
                }
            }
        }
        let masses = Masses { world, moving: &self.moving };
        for island in &self.islands {
            for (row, &multiplier) in island.rows.iter().zip(&island.multipliers) {
                for (body, force, couple) in sides(row, multiplier) {
                    let (v, w) = masses.respond(body, force, couple);
                    sums[body] += SHARE * (v.length() + w.length() * world.columns.reach[body]);
                }
            }
        }
        world.free.iter().map(|&body| sums[body]).fold(0.0, f64::max)
    }
}
