//! The error of a step, relative to the tolerance.
//!
//! Errors of positions are measured against the smallest indentation scale of the active touches, or against the size of the
//! bodies if none touch. Errors of velocities are measured against the largest speed so far, including that of bodies with a
//! prescribed motion, or against the change of velocity in the step if that is larger, so that there is a scale for bodies that
//! start from rest. The tolerance is relative to these scales; an error in velocity is never required to be smaller than the
//! rounding error of accelerations makes it.

use super::Scratch;
use crate::input::StepInput;
use crate::integrator::Method;
use crate::state::{Phase, TouchVariable, Variable};

/// Ratio of the relative errors allowed in the work of a contact and in its motion.
const WORK_FACTOR: f64 = 100.0;
/// Lower limit, as a factor of the tolerance, to which the allowed error of the force of a lightly damped friction spring is
/// reduced while it slips.
const SLIPPING_FORCE_FACTOR: f64 = 1e-3;
/// Relative error, in units of the tolerance, allowed in works that only enter the energy ledger, for implicit steps.
const IMPLICIT_WORK_FACTOR: f64 = 0.1;

/// Returns the speed against which errors of velocities are measured in a step of a length (m/s).
pub(crate) fn speed_scale(input: &StepInput, scratch: &Scratch, length: f64) -> f64 {
    input.state.largest_speed.max(scratch.start_quantities.largest_acceleration * length)
}

/// Returns the largest ratio of the error of the step to the allowed error: the step is accurate if this is at most 1.
pub(crate) fn relative_error(input: &StepInput, scratch: &Scratch) -> f64 {
    let stepper = &scratch.trial.stepper;
    let h = stepper.length();
    let speed = speed_scale(input, scratch, h);
    let error = error_against(input, scratch, speed);
    if error <= 1.0 {
        return error;
    }
    // A contact may have begun to push within the step: velocities are then measured against the velocity gained in the step.
    let layout = input.layout();
    let linear = stepper.steepest(layout.velocities());
    let angular = scratch.scales.length * stepper.steepest(layout.angular_velocities());
    let gained = linear.max(angular) * h;
    if gained > speed { error_against(input, scratch, gained) } else { error }
}

/// Returns the relative error with velocities measured against a given speed.
fn error_against(input: &StepInput, scratch: &Scratch, speed: f64) -> f64 {
    let stepper = &scratch.trial.stepper;
    let allowed = AllowedError::new(input, scratch, stepper.length(), speed, stepper.method());
    stepper.error(|i, value| allowed.of_variable(input, i, value))
}

/// Rounding error of the position of a point of a body, relative to its distance from the origin.
const POSITION_ROUNDING: f64 = 2.0 * f64::EPSILON;

/// The error that a step may make in each variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllowedError {
    tolerance: f64,
    /// Size of the smallest free body (m).
    size: f64,
    /// Speed against which errors of velocities are measured, and the rounding error of velocities in the step (m/s).
    speed: f64,
    rounding: f64,
    /// Bound of the rounding error of accelerations (m/s²).
    acceleration_rounding: f64,
    /// Bound of the rounding error of the position of any point of a free body (m).
    position_rounding: f64,
    /// Errors allowed in positions (m) and velocities (m/s).
    of_length: f64,
    of_speed: f64,
    /// Error allowed in works that only enter the energy ledger (J).
    of_work: f64,
    /// Ratio of the relative errors allowed in the work of a contact and in its motion.
    work_factor: f64,
}

impl AllowedError {
    /// Computes the allowed errors for a step of a given length from the state, with velocities measured against `speed`.
    pub fn new(
        input: &StepInput,
        scratch: &Scratch,
        length_of_step: f64,
        speed: f64,
        method: Method,
    ) -> Self {
        let (tolerance, size) = (input.world.tolerance, scratch.scales.length);
        let acceleration_rounding = scratch.start_quantities.acceleration_rounding;
        let rounding = acceleration_rounding * length_of_step;
        let bodies = &scratch.start.evaluation.kinematics.bodies;
        let farthest = input
            .world
            .free
            .iter()
            .map(|&body| bodies[body].x.length() + input.world.columns.bounding_radius[body]);
        let position_rounding = POSITION_ROUNDING * farthest.fold(0.0, f64::max);
        let active = input.state.touches.iter().filter(|touch| touch.phase == Phase::Active);
        let length = active.map(|touch| touch.indentation_scale).fold(size, f64::min);
        let of_length = tolerance * length;
        let of_speed = (tolerance * speed).max(rounding).max(f64::MIN_POSITIVE);
        // In the pair of order 8, works are more accurate than the motion whose error is controlled; in that of order 4, their
        // errors are controlled as well.
        let (of_work, work_factor) = match method {
            Method::Explicit => (f64::INFINITY, WORK_FACTOR),
            Method::Implicit => {
                let energy = IMPLICIT_WORK_FACTOR * tolerance * input.state.largest_kinetic;
                (energy.max(input.state.rounding(input.world)), 1.0)
            }
        };
        Self {
            tolerance,
            size,
            speed,
            rounding,
            acceleration_rounding,
            position_rounding,
            of_length,
            of_speed,
            of_work,
            work_factor,
        }
    }

    /// Returns the rounding error of the i-th variable if it is a position or rotation, otherwise zero. Gaps, and with them the
    /// positions at which forces are in balance, are known no better, so smaller corrections of a stage do not decrease.
    #[inline(always)]
    pub fn rounding_of(&self, input: &StepInput, i: usize) -> f64 {
        match input.layout().variable(i) {
            Variable::Position => self.position_rounding,
            Variable::Rotation => self.position_rounding / self.size,
            _ => 0.0,
        }
    }

    /// Returns the error allowed in the i-th variable, whose magnitude is `value`; infinite for variables whose error is not
    /// controlled.
    #[inline(always)]
    pub fn of_variable(&self, input: &StepInput, i: usize, value: f64) -> f64 {
        let &Self { tolerance, size, speed, rounding, of_length, of_speed, of_work, .. } = self;
        let (world, state) = (input.world, input.state);
        match input.layout().variable(i) {
            Variable::Position => of_length.max(4.0 * f64::EPSILON * value),
            // Errors of rotations accumulate over many steps, so they have to be ten times smaller.
            Variable::Rotation => (0.1 * of_length / size).max(4.0 * f64::EPSILON),
            Variable::Velocity => of_speed.max(4.0 * f64::EPSILON * value),
            Variable::AngularVelocity => of_speed / size,
            Variable::Work => of_work,
            Variable::Touch(index, variable) => {
                let touch = &state.touches[index];
                match variable {
                    TouchVariable::Internal if touch.internal_scale > 0.0 || value > 0.0 => {
                        tolerance * touch.internal_scale.max(value)
                    }
                    TouchVariable::Friction => {
                        let friction = world.contact_at(touch.site).friction;
                        let scale = friction.map_or(0.0, |f| f.scale(touch.load_scale()));
                        // An error in the force of a damped spring that slips decays within the time c/k. Its effect is the
                        // velocity given to the bodies by then or, if the slider sticks before, the velocity with which the
                        // bodies oscillate on the spring at √(k/m). (Where edges lie on faces, the contact point is known only to
                        // about 1e-10 m, and the direction of slip no better.) The slip ends where its speed, the excess of the
                        // force over the limit divided by the damping, vanishes. An otherwise harmless error in the force hides
                        // this instant, so that the slider sticks too late: hence the upper bound.
                        let relative = tolerance * scale.max(value);
                        let (decayed, most) = match touch.slipping && touch.spring.is_damped() {
                            true => {
                                let mass = touch.law.mass;
                                let (spring, delta) = (&touch.spring, touch.delta);
                                let swing = spring.angular_frequency(delta, mass);
                                let rate = spring.relaxation_rate(delta).min(swing);
                                let by_slip_speed = of_speed * spring.damping(delta);
                                let least = SLIPPING_FORCE_FACTOR * relative;
                                let force_rounding = mass * self.acceleration_rounding;
                                (
                                    0.01 * of_speed * mass * rate,
                                    by_slip_speed.max(least).max(force_rounding),
                                )
                            }
                            false => (0.0, f64::INFINITY),
                        };
                        if scale > 0.0 { decayed.max(relative).min(most) } else { f64::INFINITY }
                    }
                    // Forces in balance cause no motion, but their work enters the energy ledger.
                    TouchVariable::NormalWork => {
                        let momentum = touch.law.mass * speed;
                        let energy = value.max(0.5 * momentum * speed);
                        let allowed = self.work_factor * tolerance * energy;
                        let ledger_error = if of_work.is_finite() { of_work } else { 0.0 };
                        allowed.max(momentum * rounding).max(ledger_error).max(f64::MIN_POSITIVE)
                    }
                    TouchVariable::FrictionWork => of_work,
                    TouchVariable::Internal => f64::INFINITY,
                }
            }
        }
    }
}
