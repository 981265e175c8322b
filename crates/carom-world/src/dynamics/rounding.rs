//! Rounding errors of accelerations.
//!
//! The sum of forces in balance consists of rounding errors alone: for a body that hangs at rest, some 1e-16 of its weight.
//! Springs and contacts also turn the rounding errors of positions into forces: the length of a spring between points 30 m from
//! the origin is known to 1e-14 m at best. No step, however short, has a smaller error, and a step of which a smaller error is
//! required would be rejected for ever.

use super::{Evaluation, Masses};
use crate::element::Element;
use crate::input::StepInput;
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::solve::Inertia;
use crate::state::Phase;

/// Relative error of a sum of forces.
const RELATIVE_ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Evaluation {
    /// Computes a bound of the rounding error of the acceleration of any point of a free body (m/s²), where this evaluation is
    /// that of the state. `sums` is a buffer.
    pub fn acceleration_rounding(&self, input: &StepInput, sums: &mut Vec<f64>) -> f64 {
        let (world, state) = (input.world, input.state);
        sums.clear();
        sums.resize(world.bodies.len(), 0.0);
        for &body in &world.free {
            sums[body] = RELATIVE_ROUNDING * world.gravity.length();
        }
        // Adds the error of a force, converted to an acceleration of the body's farthest point.
        let mut add = |body: usize, off: f64| {
            if world.columns.free_index[body].is_some() {
                let (mass, reach) = (world.columns.mass[body], world.columns.bounding_radius[body]);
                let [x, y, z] = world.columns.inertia[body].0;
                let gyration = (x.x + y.y + z.z) / (3.0 * mass);
                sums[body] += off / mass * (1.0 + reach * reach / gyration);
            }
        };
        for element in &world.elements {
            match element {
                Element::Spring { a, b, stiffness, length, .. } => {
                    let size = |body: usize, point: Vec3| {
                        self.kinematics.bodies[body].x.length() + point.length()
                    };
                    let off = size(a.body, a.point) + size(b.body, b.point) + length;
                    add(a.body, RELATIVE_ROUNDING * stiffness * off);
                    add(b.body, RELATIVE_ROUNDING * stiffness * off);
                }
                Element::Force { at, direction, magnitude, .. } => {
                    let force = magnitude.at(state.time).value * direction.length();
                    add(at.body, RELATIVE_ROUNDING * force.abs());
                }
                _ => {}
            }
        }
        for actuator in &world.actuators {
            let bodies = &self.kinematics.bodies;
            let Some(at) = actuator.on.motion(&world.joints, bodies, &state.joints, 0.0) else {
                continue;
            };
            let effort = actuator.effort.value(&at, SidedTime::at(state.time), &state.held_efforts);
            let off = RELATIVE_ROUNDING
                * (actuator.effort.stiffness() * (1.0 + at.value.abs()) + effort.abs());
            for (body, linear, turn) in at.row.reactions(1.0) {
                let reach = world.columns.bounding_radius[body];
                let arm = if reach > 0.0 { turn.length() / reach } else { 0.0 };
                add(body, off * linear.length().max(arm));
            }
        }
        for (index, touch) in state.touches.iter().enumerate() {
            if touch.phase != Phase::Active {
                continue;
            }
            let contact = self.active_contact(index);
            let memory = touch.memory_at(state.time, state.touch(index).internal);
            let tangent = touch.law.tangent(contact.delta, contact.rate, &memory);
            let rounding = self.kinematics.gap_rounding(world, contact.a, contact.b);
            let off =
                0.5 * rounding * tangent.stiffness.abs() + RELATIVE_ROUNDING * contact.force.abs();
            if off.is_finite() {
                add(contact.a, off);
                add(contact.b, off);
            }
        }
        let masses = Masses { world, moving: &self.kinematics.bodies };
        for group in &self.joint_groups {
            for (row, &multiplier) in group.rows.iter().zip(&group.multipliers) {
                for (body, force, couple) in row.reactions(multiplier) {
                    let (v, w) = masses.respond(body, force, couple);
                    sums[body] += RELATIVE_ROUNDING
                        * (v.length() + w.length() * world.columns.bounding_radius[body]);
                }
            }
        }
        world.free.iter().map(|&body| sums[body]).fold(0.0, f64::max)
    }
}
