//! Friction of joints in the nonsmooth method: a set-valued law with a known bound.
//!
//! Let u be the rate of the coordinate after the step, p the impulse along it, T the friction force or torque and h the
//! step. Then |p| ≤ h·T. If the coordinate moves, p = −h·T·u/|u|; otherwise p is the impulse that holds it. These conditions
//! are solved together with those of the contacts (`newton.rs`), so a joint that is held by friction transmits the load of a
//! contact up to the limit of friction. An impact takes no time, so friction has no impulse during it: h·T vanishes with the
//! step. The viscous part is treated like any other force.
//!
//! Rates of angles are multiplied by an arm, the bounding radius of the larger body, which makes them velocities like those
//! of contacts.

use super::active::joined;
use super::rows::{BodyVelocity, ContactRows, dot};
use crate::dynamics::{BodyResponse, Evaluation, MIN_RESPONSE_RATIO};
use crate::joint::{JointCoordinate, JointFrictionState};
use crate::state::State;
use crate::world::World;

/// Friction of a joint in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointFrictionImpulse {
    pub joint: usize,
    /// The two bodies of the joint, with the coefficients of their velocities in the rate of the coordinate.
    pub sides: [(usize, BodyVelocity); 2],
    /// Index of its row among those that are solved; none if a drive or other joints determine the rate, so that friction
    /// changes no velocity.
    pub row: Option<usize>,
    /// Largest impulse: h·T divided by the arm (N·s).
    pub bound: f64,
    /// Impulse in the last step as a signed fraction of the bound, from which the solution starts.
    pub last: f64,
    /// Work of prescribed motions during a unit impulse (J/(N·s)).
    pub drive_work: f64,
    /// Impulse in this step (N·s).
    pub impulse: f64,
    /// Whether the impulse is larger than rounding.
    pub acts: bool,
}

/// Removes the friction of joints from the equations of motion of a step, because it is treated as an impulse. Stores in
/// `last` the impulse of each joint in the last step as a signed fraction of its bound.
pub(super) fn take_out(world: &World, state: &mut State, last: &mut Vec<f64>) {
    last.clear();
    for (joint, memory) in world.joints.iter().zip(&mut state.joints) {
        last.push(match memory.friction {
            JointFrictionState::Sliding(fraction) if joint.friction.is_some() => -fraction,
            _ => 0.0,
        });
        memory.friction = JointFrictionState::Undecided;
    }
}

/// Creates the rows of all joints with friction, at the state at which the equations of motion were last evaluated.
pub(super) fn find(
    world: &World,
    evaluation: &mut Evaluation,
    (length, last): (f64, &[f64]),
    rows: &mut Vec<ContactRows>,
    found: &mut Vec<BodyResponse>,
    frictions: &mut Vec<JointFrictionImpulse>,
) {
    frictions.clear();
    for (index, joint) in world.joints.iter().enumerate() {
        let Some(friction) = joint.friction.filter(|friction| friction.coulomb > 0.0) else {
            continue;
        };
        let row = joint.coordinate_row(friction.coordinate, &evaluation.kinematics.bodies);
        let reach = world.columns.bounding_radius[row.a].max(world.columns.bounding_radius[row.b]);
        let arm = match friction.coordinate {
            JointCoordinate::Angle if reach > 0.0 && reach.is_finite() => reach,
            _ => 1.0,
        };
        let pushes = row.reactions(arm);
        let drive_work = evaluation.response_to(world, pushes, found);
        let first = |row: BodyVelocity| [row, [0.0; 6], [0.0; 6]];
        let sides = pushes.map(|(body, linear, turn)| (body, joined(linear, turn)));
        let bound = length * friction.coulomb / arm;
        let mut one = ContactRows {
            sides: sides.map(|(body, row)| (body, first(row))),
            responses: found.iter().map(|r| (r.body, first(joined(r.velocity, r.spin)))).collect(),
            bound: Some(bound),
            ..ContactRows::default()
        };
        one.find_response();
        let alone: f64 = pushes.map(|push| evaluation.alone(world, push)).iter().sum();
        let row = (one.response[0][0] > MIN_RESPONSE_RATIO * alone).then_some(rows.len());
        if row.is_some() {
            rows.push(one);
        }
        frictions.push(JointFrictionImpulse {
            joint: index,
            sides,
            row,
            bound,
            last: last[index],
            drive_work,
            impulse: 0.0,
            acts: true,
        });
    }
}

impl JointFrictionImpulse {
    /// Stores the impulse of the step; `rate` is the rate at the mean velocities of the bodies in the step.
    pub fn conclude(&mut self, rows: &[ContactRows], rate: f64) {
        self.impulse = match self.row {
            Some(row) => rows[row].impulse[0],
            None if rate == 0.0 => 0.0,
            None => -self.bound * rate.signum(),
        };
    }

    /// Returns the rate of the coordinate for these velocities of the bodies.
    pub fn rate(&self, velocity: impl Fn(usize) -> BodyVelocity) -> f64 {
        self.sides.iter().map(|(body, row)| dot(row, &velocity(*body))).sum()
    }

    /// Stores the impulse in the state as a signed fraction of the bound, for the output of forces and for the next step.
    pub fn keep(&self, state: &mut State) {
        let share = -self.impulse / self.bound;
        state.joints[self.joint].friction = match self.acts && share != 0.0 {
            true => JointFrictionState::Sliding(share),
            false => JointFrictionState::Undecided,
        };
    }
}
