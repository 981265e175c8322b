//! The error of a step against the tolerance.
//!
//! Errors are measured against what matters: positions against the smallest indentation scale of the active touches (bodies
//! apart: against their size), velocities against the largest speed so far, of bodies with a prescribed
//! motion too, or where that is more against what the step itself gives them, so that what starts from rest
//! has a scale. The tolerance is relative to these, and never finer than the rounding of accelerations.

use super::Scratch;
use crate::input::StepInput;
use crate::integrator::Method;
use crate::state::{Phase, TouchVariable, Variable};

/// How much larger relative errors of the work of a contact may be than those of its motion.
const WORK_FACTOR: f64 = 100.0;
/// By how much the error of the force of a lightly damped friction spring is limited further than the tolerance while it slips, at most.
const SLIPPING_FORCE_FACTOR: f64 = 1e-3;
/// Relative errors of works that enter the ledger alone, for implicit steps, over the tolerance.
const IMPLICIT_WORK_FACTOR: f64 = 0.1;

/// What velocities are measured against in a step of a length (m/s).
pub(crate) fn speed_scale(input: &StepInput, scratch: &Scratch, length: f64) -> f64 {
    input.state.largest_speed.max(scratch.start_quantities.largest_acceleration * length)
}

/// The largest error of the step over what is allowed: the step is accurate when that is at most 1.
pub(crate) fn relative_error(input: &StepInput, scratch: &Scratch) -> f64 {
    let stepper = &scratch.trial.stepper;
    let h = stepper.length();
    let speed = speed_scale(input, scratch, h);
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
    let stepper = &scratch.trial.stepper;
    let allowed = AllowedError::new(input, scratch, stepper.length(), speed, stepper.method());
    stepper.error(|i, value| allowed.of(input, i, value))
}

/// The error that a step may make in each variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllowedError {
    tolerance: f64,
    /// Size of the smallest free body (m).
    size: f64,
    /// What velocities are measured against (m/s), and what rounding makes of them in the step.
    speed: f64,
    rounding: f64,
    /// What rounding makes of accelerations (m/s²).
    acceleration_rounding: f64,
    /// Errors allowed in positions (m) and velocities (m/s).
    of_length: f64,
    of_speed: f64,
    /// Error allowed in works that enter the ledger alone (J).
    of_work: f64,
    /// How much larger relative errors of the work of a contact may be than those of its motion.
    work_factor: f64,
}

impl AllowedError {
    /// For a step of a length from the state, with velocities measured against a speed.
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
        let active = input.state.touches.iter().filter(|touch| touch.phase == Phase::Active);
        let length = active.map(|touch| touch.indentation_scale).fold(size, f64::min);
        let of_length = tolerance * length;
        let of_speed = (tolerance * speed).max(rounding).max(f64::MIN_POSITIVE);
        // At order 8 works are more accurate than the motion that is controlled; at order 4 they are controlled themselves.
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
            of_length,
            of_speed,
            of_work,
            work_factor,
        }
    }

    /// The error allowed in the i-th variable, whose size is `value`; infinite where it is not checked.
    #[inline(always)]
    pub fn of(&self, input: &StepInput, i: usize, value: f64) -> f64 {
        let &Self { tolerance, size, speed, rounding, of_length, of_speed, of_work, .. } = self;
        let (world, state) = (input.world, input.state);
        match input.layout().variable(i) {
            Variable::Position => of_length.max(4.0 * f64::EPSILON * value),
            // Errors of rotations add up over many steps: one digit more.
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
                        // While the slider slips, an error in the force of a damped spring decays within the time c/k, and what
                        // matters is the speed that it has given the bodies by then; or, where the slider sticks before, the speed
                        // with which the bodies swing on the spring, √(k/m). Where edges lie on faces the
                        // contact point is known to some 1e-10 m only, and the direction of the slip no better.
                        // The slip ends where its speed vanishes, the excess of the force over the limit divided by the damping:
                        // an error in the force that is harmless otherwise hides that, and the slider sticks late.
                        let relative = tolerance * scale.max(value);
                        let (decayed, most) = match touch.slipping && touch.spring.is_damped() {
                            true => {
                                let mass = touch.law.mass;
                                let (spring, delta) = (&touch.spring, touch.delta);
                                let swing = spring.angular_frequency(delta, mass);
                                let rate = spring.relaxation_rate(delta).min(swing);
                                let seen = of_speed * spring.damping(delta);
                                let least = SLIPPING_FORCE_FACTOR * relative;
                                let force_rounding = mass * self.acceleration_rounding;
                                (0.01 * of_speed * mass * rate, seen.max(least).max(force_rounding))
                            }
                            false => (0.0, f64::INFINITY),
                        };
                        if scale > 0.0 { decayed.max(relative).min(most) } else { f64::INFINITY }
                    }
                    // Forces in balance move nothing, but their work enters the ledger.
                    TouchVariable::NormalWork => {
                        let momentum = touch.law.mass * speed;
                        let energy = value.max(0.5 * momentum * speed);
                        let allowed = self.work_factor * tolerance * energy;
                        let unseen = if of_work.is_finite() { of_work } else { 0.0 };
                        allowed.max(momentum * rounding).max(unseen).max(f64::MIN_POSITIVE)
                    }
                    TouchVariable::FrictionWork => of_work,
                    TouchVariable::Internal => f64::INFINITY,
                }
            }
        }
    }
}
