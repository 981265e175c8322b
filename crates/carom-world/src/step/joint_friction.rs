//! Friction of joints: the instants at which it begins to hold a joint and at which the joint begins to slide.
//!
//! Sliding ends when the rate of the coordinate crosses zero. The joint is then held, unless the force required to hold it
//! exceeds the friction limit, in which case it slides on in the direction of that force, or drives and other joints determine
//! its motion. Holding ends when the holding force, which is the multiplier of its constraint row, exceeds the friction limit.

use super::Scratch;
use crate::dynamics::{Evaluation, NormalForce};
use crate::input::StepInput;
use crate::joint::{BodyMotion, ConstraintRow, JointCoordinate, JointFrictionState};
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

/// Returns the row of the coordinate on which the friction of a joint acts.
fn friction_row(world: &World, bodies: &[BodyMotion], joint: usize) -> Option<ConstraintRow> {
    let joint = &world.joints[joint];
    joint.friction.map(|friction| joint.coordinate_row(friction.coordinate, bodies))
}

/// Returns the rate of the coordinate on which the friction of a joint acts (rad/s or m/s).
fn coordinate_rate(world: &World, bodies: &[BodyMotion], joint: usize) -> f64 {
    friction_row(world, bodies, joint).map_or(0.0, |row| row.rate_of(bodies))
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
    if is_held(state, joint) {
        state.joints[joint].friction =
            sliding_against(scratch.start.evaluation.holding_force(joint));
        return;
    }
    state.joints[joint].friction = JointFrictionState::Undecided;
    decide_undecided_joints(world, state, scratch);
}

/// Returns whether friction holds a joint.
fn is_held(state: &State, joint: usize) -> bool {
    matches!(state.joints[joint].friction, JointFrictionState::Held(_))
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

/// Releases all joints where the velocity of a drive jumps: friction has no impulse.
pub(crate) fn release_all(state: &mut State) {
    for memory in &mut state.joints {
        memory.friction = JointFrictionState::Undecided;
    }
}

/// Decides which joints with friction slide and which are held: at the start of a scene, and where the velocity of a drive jumps.
/// The equations of motion must have been evaluated at the state.
pub(crate) fn begin(world: &World, state: &mut State, scratch: &mut Scratch) {
    for (joint, _) in joints_with_friction(world) {
        let rate = coordinate_rate(world, &scratch.start.evaluation.kinematics.bodies, joint);
        state.joints[joint].friction = match rate.abs() > min_rate(world, state, joint) {
            true => JointFrictionState::Sliding(rate.signum()),
            false => JointFrictionState::Undecided,
        };
    }
    decide_undecided_joints(world, state, scratch);
}

/// Decides about the joints that are undecided, which are at rest at this instant: each is held if its coordinate responds to
/// forces, one after the other because a held joint may hold others too. Of those that exceed their limit, the one with the
/// largest excess slips first, because this relieves the others. Where the coordinate is determined by drives or other joints (a
/// slider at the dead centre of its crank), friction has no influence on the motion, and the joint slides on as they move it.
fn decide_undecided_joints(world: &World, state: &mut State, scratch: &mut Scratch) {
    for _ in 0..2 * world.joints.len() {
        scratch.evaluate_state(world, state);
        let evaluation = &mut scratch.start.evaluation;
        let mut waiting = joints_with_friction(world).map(|(joint, _)| joint);
        let free = waiting.find(|&joint| {
            let row = friction_row(world, &evaluation.kinematics.bodies, joint);
            state.joints[joint].friction == JointFrictionState::Undecided
                && row.is_some_and(|row| evaluation.responds(world, &row))
        });
        if let Some(joint) = free {
            hold_joint(world, state, scratch, joint);
            continue;
        }
        let held = joints_with_friction(world).filter(|(joint, _)| is_held(state, *joint));
        let over =
            held.map(|(joint, limit)| (joint, evaluation.holding_force(joint).abs() - limit));
        let worst = over.filter(|(_, excess)| *excess > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((joint, _)) = worst else { break };
        state.joints[joint].friction = sliding_against(evaluation.holding_force(joint));
    }
    let evaluation = &scratch.start.evaluation;
    for (joint, _) in joints_with_friction(world) {
        if state.joints[joint].friction == JointFrictionState::Undecided {
            let row = friction_row(world, &evaluation.kinematics.bodies, joint);
            let acceleration = row.map_or(0.0, |row| evaluation.acceleration_along(&row));
            state.joints[joint].friction = JointFrictionState::Sliding(acceleration.signum());
        }
    }
}

/// Returns whether friction holds any joint.
pub(crate) fn holds_any(world: &World, state: &State) -> bool {
    joints_with_friction(world).any(|(joint, _)| is_held(state, joint))
}

/// Releases the joints that friction cannot hold against a normal force, until [`hold_again`], and evaluates the equations of
/// motion without them. Returns whether there are any.
pub(crate) fn release_overcome(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    normal: NormalForce,
) -> bool {
    let evaluation = &mut scratch.start.evaluation;
    let mut any = false;
    for (joint, limit) in joints_with_friction(world) {
        if is_held(state, joint) {
            let force = evaluation.holding_force(joint)
                + evaluation.holding_force_under(world, normal, joint);
            if force.abs() > limit {
                state.joints[joint].friction = JointFrictionState::Undecided;
                any = true;
            }
        }
    }
    if any {
        scratch.evaluate_state(world, state);
    }
    any
}

/// Holds the joints again that [`release_overcome`] has released.
pub(crate) fn hold_again(world: &World, state: &mut State, scratch: &mut Scratch) {
    for (joint, _) in joints_with_friction(world) {
        if state.joints[joint].friction == JointFrictionState::Undecided {
            hold_joint(world, state, scratch, joint);
        }
    }
    scratch.evaluate_state(world, state);
}

/// Updates the angles of the joints at the state; `since` is the time since they were updated last (s).
pub(crate) fn record_angles(world: &World, state: &mut State, bodies: &[BodyMotion], since: f64) {
    for (joint, memory) in world.joints.iter().zip(&mut state.joints) {
        memory.angle = joint.coordinate_value(JointCoordinate::Angle, bodies, memory, since).0;
    }
}
