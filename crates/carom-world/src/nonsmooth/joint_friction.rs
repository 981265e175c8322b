//! Friction of joints: set-valued, with a bound that is known.
//!
//! With the rate u of the coordinate after the step and the impulse p along it, |p| ≤ h·T; p = −h·T·u/|u| where it moves, and where it does not
//! p is what holds it. These conditions are solved together with those of the contacts (`newton.rs`), so that a joint which friction
//! holds passes on an impact up to what friction carries. An impact takes no time, and friction has no impulse in it: h·T vanishes with
//! the step. The viscous part is a force like any other.
//!
//! Rates of angles are multiplied by an arm, the reach of the larger body, so that they are velocities like those of contacts.

use super::active::joined;
use super::rows::{BodyVelocity, ContactRows, dot};
use crate::dynamics::{BodyResponse, Evaluation};
use crate::joint::{JointCoordinate, JointMemory};
use crate::state::State;
use crate::world::World;

/// A coordinate that moves by less than this share of what its bodies would without joints is held or driven.
const HELD: f64 = 1e-9;

/// Friction of a joint in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct RubbingJoint {
    pub joint: usize,
    /// Its two bodies, with the coefficients of their velocities in the rate.
    pub sides: [(usize, BodyVelocity); 2],
    /// Its rows among those that are solved; none where a drive or other joints decide its rate, and friction moves nothing.
    pub row: Option<usize>,
    /// Largest impulse, h·T over the arm (N·s).
    pub bound: f64,
    /// Its direction and share of the bound in the last step, to begin with.
    pub last: f64,
    /// Work that drives do while a unit impulse acts (J/(N·s)).
    pub drive_work: f64,
    /// Its impulse (N·s).
    pub impulse: f64,
    /// The impulse is more than rounding.
    pub acts: bool,
}

/// Takes friction out of the equations of motion of a step, in which it is an impulse. Gives direction and share of the bound that each had.
pub(super) fn take_out(world: &World, state: &mut State, last: &mut Vec<f64>) {
    last.clear();
    for (joint, memory) in world.joints.iter().zip(&mut state.joints) {
        let none = JointMemory::UNDECIDED.sliding;
        let known = joint.friction.is_some() && memory.sliding != none;
        last.push(if known { -memory.sliding } else { 0.0 });
        memory.sliding = none;
    }
}

/// Makes the rows of all joints with friction, where the equations of motion have been evaluated.
pub(super) fn find(
    world: &World,
    evaluation: &mut Evaluation,
    (length, last): (f64, &[f64]),
    rows: &mut Vec<ContactRows>,
    found: &mut Vec<BodyResponse>,
    rubbing: &mut Vec<RubbingJoint>,
) {
    rubbing.clear();
    for (index, joint) in world.joints.iter().enumerate() {
        let Some(friction) = joint.friction.filter(|friction| friction.coulomb > 0.0) else {
            continue;
        };
        let row = joint.coordinate_row(friction.coordinate, &evaluation.kinematics.bodies);
        let reach = world.columns.reach[row.a].max(world.columns.reach[row.b]);
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
        let row = (one.response[0][0] > HELD * alone).then_some(rows.len());
        if row.is_some() {
            rows.push(one);
        }
        rubbing.push(RubbingJoint {
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

impl RubbingJoint {
    /// Takes over the impulse, where the mean velocities of the bodies in the step are known.
    pub fn conclude(&mut self, rows: &[ContactRows], rate: f64) {
        self.impulse = match self.row {
            Some(row) => rows[row].impulse[0],
            None if rate == 0.0 => 0.0,
            None => -self.bound * rate.signum(),
        };
    }

    /// Rate of the coordinate at velocities of the bodies.
    pub fn rate(&self, velocity: impl Fn(usize) -> BodyVelocity) -> f64 {
        self.sides.iter().map(|(body, row)| dot(row, &velocity(*body))).sum()
    }

    /// Keeps direction and share of the bound, from which forces and the next step follow.
    pub fn keep(&self, state: &mut State) {
        let share = -self.impulse / self.bound;
        let none = JointMemory::UNDECIDED.sliding;
        let known = self.acts && share != 0.0;
        state.joints[self.joint].sliding = if known { share } else { none };
    }
}
