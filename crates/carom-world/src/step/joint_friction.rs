//! Friction of joints: where it begins to hold a joint, and where it lets go.
//!
//! Sliding ends where the rate of the coordinate passes 0. The joint is then held, unless the force that holds it is more than
//! friction can carry: in that case it slides on in the direction of that force. Holding ends where the holding force, the multiplier of
//! its row, exceeds what friction can carry.

use super::Scratch;
use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::joint::{BodyMotion, JointCoordinate};
use crate::state::State;
use crate::world::World;

/// Share of the limit by which the holding force has to exceed it before the joint slips, against rounding.
const SLIP_MARGIN: f64 = 1e-10;
/// Share of the largest speed below which a rate is rounding.
const RATE_ROUNDING: f64 = 1e-12;

/// Joints with friction, with the largest force that it carries.
fn with_friction(world: &World) -> impl Iterator<Item = (usize, f64)> {
    let joints = world.joints.iter().enumerate();
    joints.filter_map(|(index, joint)| Some((index, joint.friction?.coulomb)))
}

/// The largest force that the friction of a joint carries.
fn limit_of(world: &World, joint: usize) -> f64 {
    world.joints[joint].friction.map_or(0.0, |friction| friction.coulomb)
}

/// Rate of the coordinate on which the friction of a joint acts (rad/s or m/s).
fn rate_of(world: &World, bodies: &[BodyMotion], joint: usize) -> f64 {
    let joint = &world.joints[joint];
    let coordinate = joint.friction.map(|friction| friction.coordinate);
    coordinate.map_or(0.0, |which| joint.coordinate_row(which, bodies).rate_of(bodies))
}

/// The smallest rate that is not rounding (rad/s or m/s).
fn smallest_rate(world: &World, state: &State, joint: usize) -> f64 {
    let joint = &world.joints[joint];
    let reach = [joint.a.body, joint.b.body].map(|body| world.columns.reach[body]);
    let arm = match joint.friction.map(|friction| friction.coordinate) {
        Some(JointCoordinate::Angle) => reach[0].max(reach[1]),
        _ => 1.0,
    };
    let scale = RATE_ROUNDING * state.largest_speed;
    if arm > 0.0 { scale / arm } else { scale }
}

/// The event function of a joint: positive until it stops or slips.
pub(crate) fn event_function(input: &StepInput, evaluation: &Evaluation, joint: usize) -> f64 {
    let memory = &input.state.joints[joint];
    if memory.sliding != 0.0 {
        return memory.sliding * rate_of(input.world, &evaluation.kinematics.bodies, joint);
    }
    limit_of(input.world, joint) * (1.0 + SLIP_MARGIN) - evaluation.holding_force(joint).abs()
}

/// The joints whose friction has changed by the end of the step, which has been evaluated.
pub(crate) fn changed<'a>(
    input: &'a StepInput,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = usize> + 'a {
    let joints = with_friction(input.world).map(|(joint, _)| joint);
    joints.filter(|&joint| {
        let least = match input.state.joints[joint].sliding != 0.0 {
            true => -smallest_rate(input.world, input.state, joint),
            false => 0.0,
        };
        event_function(input, evaluation, joint) < least
    })
}

/// Holds a joint that has stopped, or lets it slip where friction cannot hold it.
pub(crate) fn change(world: &World, state: &mut State, scratch: &mut Scratch, joint: usize) {
    if state.joints[joint].sliding == 0.0 {
        state.joints[joint].sliding = against(scratch.start.evaluation.holding_force(joint));
        return;
    }
    hold(world, state, scratch, joint);
    scratch.evaluate_state(world, state);
    let force = scratch.start.evaluation.holding_force(joint);
    if force.abs() > limit_of(world, joint) {
        state.joints[joint].sliding = against(force);
    }
}

/// The direction of the motion that a holding force was against.
fn against(force: f64) -> f64 {
    if force > 0.0 { -1.0 } else { 1.0 }
}

/// Holds a joint where it is.
fn hold(world: &World, state: &mut State, scratch: &Scratch, index: usize) {
    let (joint, bodies) = (&world.joints[index], &scratch.start.evaluation.kinematics.bodies);
    let Some(friction) = joint.friction else { return };
    let memory = &mut state.joints[index];
    memory.held = joint.coordinate_value(friction.coordinate, bodies, memory, 0.0).0;
    memory.sliding = 0.0;
}

/// Decides for all joints with friction whether they slide or are held where a scene begins, where the equations of motion have been
/// evaluated at the state.
pub(crate) fn begin(world: &World, state: &mut State, scratch: &mut Scratch) {
    for (joint, _) in with_friction(world) {
        let rate = rate_of(world, &scratch.start.evaluation.kinematics.bodies, joint);
        match rate.abs() > smallest_rate(world, state, joint) {
            true => state.joints[joint].sliding = rate.signum(),
            false => hold(world, state, scratch, joint),
        }
    }
    // The most overloaded one slips first, because that takes load off the others.
    for _ in 0..world.joints.len() {
        scratch.evaluate_state(world, state);
        let evaluation = &scratch.start.evaluation;
        let held = with_friction(world).filter(|(joint, _)| state.joints[*joint].sliding == 0.0);
        let over =
            held.map(|(joint, limit)| (joint, evaluation.holding_force(joint).abs() - limit));
        let worst = over.filter(|(_, excess)| *excess > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((joint, _)) = worst else { break };
        state.joints[joint].sliding = against(evaluation.holding_force(joint));
    }
}

/// Takes over the angles of the joints at the state, `since` the time at which they were taken over last (s).
pub(crate) fn record_angles(world: &World, state: &mut State, bodies: &[BodyMotion], since: f64) {
    for (joint, memory) in world.joints.iter().zip(&mut state.joints) {
        memory.angle = joint.coordinate_value(JointCoordinate::Angle, bodies, memory, since).0;
    }
}
