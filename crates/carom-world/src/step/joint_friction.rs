//! Friction of joints: the instants at which it begins to hold a joint and at which the joint begins to slide.
//!
//! Sliding ends when the rate of the coordinate crosses zero. The joint is then held, unless the force required to hold it
//! exceeds the friction limit, in which case it slides on in the direction of that force. Holding ends when the holding force,
//! which is the multiplier of its constraint row, exceeds the friction limit.

use super::Scratch;
use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::joint::{BodyMotion, JointCoordinate, JointFrictionState};
use crate::state::State;
use crate::world::World;

/// Relative excess of the holding force over the limit at which the joint slips; a margin for rounding errors.
const SLIP_MARGIN: f64 = 1e-10;
/// Rates below this fraction of the largest speed are considered rounding errors.
const RATE_ROUNDING: f64 = 1e-12;

/// Returns the joints with friction, each with its friction limit (N or N·m).
fn joints_with_friction(world: &World) -> impl Iterator<Item = (usize, f64)> {
    let joints = world.joints.iter().enumerate();
    joints.filter_map(|(index, joint)| Some((index, joint.friction?.coulomb)))
}

/// Returns the friction limit of a joint (N or N·m).
fn friction_limit(world: &World, joint: usize) -> f64 {
    world.joints[joint].friction.map_or(0.0, |friction| friction.coulomb)
}

/// Returns the rate of the coordinate on which the friction of a joint acts (rad/s or m/s).
fn coordinate_rate(world: &World, bodies: &[BodyMotion], joint: usize) -> f64 {
    let joint = &world.joints[joint];
    let coordinate = joint.friction.map(|friction| friction.coordinate);
    coordinate.map_or(0.0, |which| joint.coordinate_row(which, bodies).rate_of(bodies))
}

/// Returns the smallest rate that is distinguished from rounding errors (rad/s or m/s).
fn min_rate(world: &World, state: &State, joint: usize) -> f64 {
    let joint = &world.joints[joint];
    let reach = [joint.a.body, joint.b.body].map(|body| world.columns.bounding_radius[body]);
    let arm = match joint.friction.map(|friction| friction.coordinate) {
        Some(JointCoordinate::Angle) => reach[0].max(reach[1]),
        _ => 1.0,
    };
    let scale = RATE_ROUNDING * state.largest_speed;
    if arm > 0.0 { scale / arm } else { scale }
}

/// Returns the event function of a joint, which is positive until the joint stops or slips.
pub(crate) fn event_function(input: &StepInput, evaluation: &Evaluation, joint: usize) -> f64 {
    match input.state.joints[joint].friction {
        JointFrictionState::Sliding(direction) => {
            direction * coordinate_rate(input.world, &evaluation.kinematics.bodies, joint)
        }
        JointFrictionState::Undecided | JointFrictionState::Held(_) => {
            friction_limit(input.world, joint) * (1.0 + SLIP_MARGIN)
                - evaluation.holding_force(joint).abs()
        }
    }
}

/// Returns the joints whose friction has begun or ceased to hold by the end of the step, which has been evaluated.
pub(crate) fn changed_joints<'a>(
    input: &'a StepInput,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = usize> + 'a {
    let joints = joints_with_friction(input.world).map(|(joint, _)| joint);
    joints.filter(|&joint| {
        let least = match input.state.joints[joint].friction {
            JointFrictionState::Sliding(_) => -min_rate(input.world, input.state, joint),
            JointFrictionState::Undecided | JointFrictionState::Held(_) => 0.0,
        };
        event_function(input, evaluation, joint) < least
    })
}

/// Holds a joint that has stopped, or lets it slide if friction cannot hold it; a joint that was held slides.
pub(crate) fn hold_or_release(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    joint: usize,
) {
    if let JointFrictionState::Held(_) = state.joints[joint].friction {
        state.joints[joint].friction =
            sliding_against(scratch.start.evaluation.holding_force(joint));
        return;
    }
    hold_joint(world, state, scratch, joint);
    scratch.evaluate_state(world, state);
    let force = scratch.start.evaluation.holding_force(joint);
    if force.abs() > friction_limit(world, joint) {
        state.joints[joint].friction = sliding_against(force);
    }
}

/// Returns the state of sliding in the direction that a holding force opposed.
fn sliding_against(force: f64) -> JointFrictionState {
    JointFrictionState::Sliding(if force > 0.0 { -1.0 } else { 1.0 })
}

/// Holds a joint at its present coordinate.
fn hold_joint(world: &World, state: &mut State, scratch: &Scratch, index: usize) {
    let (joint, bodies) = (&world.joints[index], &scratch.start.evaluation.kinematics.bodies);
    let Some(friction) = joint.friction else { return };
    let memory = &mut state.joints[index];
    let (value, _) = joint.coordinate_value(friction.coordinate, bodies, memory, 0.0);
    memory.friction = JointFrictionState::Held(value);
}

/// Decides at the start of a scene which joints with friction slide and which are held. The equations of motion must have been
/// evaluated at the state.
pub(crate) fn begin(world: &World, state: &mut State, scratch: &mut Scratch) {
    for (joint, _) in joints_with_friction(world) {
        let rate = coordinate_rate(world, &scratch.start.evaluation.kinematics.bodies, joint);
        match rate.abs() > min_rate(world, state, joint) {
            true => state.joints[joint].friction = JointFrictionState::Sliding(rate.signum()),
            false => hold_joint(world, state, scratch, joint),
        }
    }
    // The joint with the largest excess over its limit slips first, because this relieves the others.
    for _ in 0..world.joints.len() {
        scratch.evaluate_state(world, state);
        let evaluation = &scratch.start.evaluation;
        let is_held =
            |joint: usize| matches!(state.joints[joint].friction, JointFrictionState::Held(_));
        let held = joints_with_friction(world).filter(|(joint, _)| is_held(*joint));
        let over =
            held.map(|(joint, limit)| (joint, evaluation.holding_force(joint).abs() - limit));
        let worst = over.filter(|(_, excess)| *excess > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((joint, _)) = worst else { break };
        state.joints[joint].friction = sliding_against(evaluation.holding_force(joint));
    }
}

/// Updates the angles of the joints at the state; `since` is the time since they were updated last (s).
pub(crate) fn record_angles(world: &World, state: &mut State, bodies: &[BodyMotion], since: f64) {
    for (joint, memory) in world.joints.iter().zip(&mut state.joints) {
        memory.angle = joint.coordinate_value(JointCoordinate::Angle, bodies, memory, since).0;
    }
}
