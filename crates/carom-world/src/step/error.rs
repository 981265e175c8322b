//! The error of a step against the tolerance.
//!
//! Errors are measured against what matters: positions against the smallest indentation scale of the active touches (bodies
//! apart: against their size), velocities against the largest speed so far, of bodies with a prescribed
//! motion too, or where that is more against what the step itself gives them, so that what starts from rest
//! has a scale. The tolerance is relative to these, and never finer than the rounding of accelerations.

use super::Scratch;
use crate::input::StepInput;
use crate::state::{Phase, TouchVariable, Variable};

/// How much larger relative errors of the work of a contact may be than those of its motion.
const WORK_FACTOR: f64 = 100.0;

/// The largest error of the step over what is allowed: the step is accurate when that is at most 1.
pub(crate) fn relative_error(input: &StepInput, scratch: &Scratch) -> f64 {
    let stepper = &scratch.trial.stepper;
    let h = stepper.length();
    let speed = input.state.largest_speed.max(scratch.survey.largest_acceleration * h);
    let error = error_against(input, scratch, speed);
    if error <= 1.0 {
        return error;
    }
    // Forces may begin within the step: velocities are then measured against what the step gives the bodies.
    let layout = input.layout();
    let linear = stepper.steepest(layout.velocities());
    let angular = scratch.scales.length * stepper.steepest(layout.angular_velocities());
    let gained = linear.max(angular) * h;
    if gained > speed { error_against(input, scratch, gained) } else { error }
}

/// The error with velocities measured against a speed.
fn error_against(input: &StepInput, scratch: &Scratch, speed: f64) -> f64 {
    let (world, state, layout) = (input.world, input.state, input.layout());
    let (tolerance, size) = (world.tolerance, scratch.scales.length);
    let stepper = &scratch.trial.stepper;
    let rounding = scratch.survey.acceleration_rounding * stepper.length();
    let active = state.touches.iter().filter(|touch| touch.phase == Phase::Active);
    let length = active.map(|touch| touch.indentation_scale).fold(size, f64::min);
    let of_length = tolerance * length;
    let of_speed = (tolerance * speed).max(rounding).max(f64::MIN_POSITIVE);
    stepper.error(|i, value| match layout.variable(i) {
        Variable::Position => of_length.max(4.0 * f64::EPSILON * value),
        // Errors of rotations add up over many steps: one digit more.
        Variable::Rotation => (0.1 * of_length / size).max(4.0 * f64::EPSILON),
        Variable::Velocity => of_speed.max(4.0 * f64::EPSILON * value),
        Variable::AngularVelocity => of_speed / size,
        Variable::Work => f64::INFINITY,
        Variable::Touch(index, variable) => {
            let touch = &state.touches[index];
            match variable {
                TouchVariable::Internal if touch.internal_scale > 0.0 || value > 0.0 => {
                    tolerance * touch.internal_scale.max(value)
                }
                TouchVariable::Friction => {
                    let friction = world.contact_at(touch.site).friction;
                    let scale = friction.map_or(0.0, |f| f.scale(touch.load_scale()));
                    // While the slider slips, an error in the force of a damped spring decays within the time c/k, and what
                    // matters is the speed that it has given the bodies by then. Where edges lie on faces the
                    // contact point is known to some 1e-10 m only, and the direction of the slip no better.
                    let decayed = match touch.slipping && touch.spring.is_damped() {
                        true => {
                            0.01 * of_speed
                                * touch.law.mass
                                * touch.spring.relaxation_rate(touch.delta)
                        }
                        false => 0.0,
                    };
                    if scale > 0.0 {
                        decayed.max(tolerance * scale.max(value))
                    } else {
                        f64::INFINITY
                    }
                }
                // Forces in balance move nothing, but their work enters the ledger.
                TouchVariable::NormalWork => {
                    let momentum = touch.law.mass * speed;
                    let allowed = WORK_FACTOR * tolerance * value.max(0.5 * momentum * speed);
                    allowed.max(momentum * rounding).max(f64::MIN_POSITIVE)
                }
                _ => f64::INFINITY,
            }
        }
    })
}
