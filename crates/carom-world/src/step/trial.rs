//! A trial: one step of the integrator from the state, with the equations of motion evaluated at its end.

use super::error::{AllowedError, speed_scale};
use super::stage_equations::{LinearSystem, Stages};
use super::{Probe, Scratch, StateDerivative};
use crate::input::StepInput;
use crate::integrator::{Integrator, Method};
use crate::world::World;
use carom::ode::ImplicitStepper;

/// Number of evaluations of the equations of motion in an explicit step, besides that at its start.
const EXPLICIT_EVALUATIONS: u64 = 11;

/// A step that has been tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// Integrator with start, end and dense output of the step.
    pub stepper: Integrator,
    /// State vector at the end of the step, with rotations of unit length.
    pub end: Vec<f64>,
    /// The equations of motion at the end, after a call of [`evaluate_end`].
    pub at_end: StateDerivative,
    /// Linear systems of an implicit step.
    system: LinearSystem,
}

impl Trial {
    /// Allocates buffers for state vectors with a length of up to `capacity`.
    pub fn new(world: &World, capacity: usize) -> Self {
        let mut stepper = Integrator::default();
        stepper.reserve(capacity);
        Self {
            stepper,
            end: Vec::with_capacity(capacity),
            at_end: StateDerivative::new(world, capacity),
            system: LinearSystem::default(),
        }
    }

    /// Returns the time at which the step ends (s).
    pub fn end_time(&self) -> f64 {
        self.stepper.begun() + self.stepper.length()
    }
}

/// Tries a step of a given length from the state. Returns false if the implicit pair cannot take it, because an island is too
/// large.
pub(crate) fn take(input: &StepInput, scratch: &mut Scratch, length: f64, method: Method) -> bool {
    let state = input.state;
    let Scratch { trial, probe, start, counts, .. } = scratch;
    match method {
        Method::Explicit => {
            let mut f = |t: f64, y: &[f64], slope: &mut [f64]| {
                probe.evaluation.evaluate(input, t, y, slope);
            };
            let stepper = &mut trial.stepper;
            stepper.step_explicitly(&mut f, state.time, &state.y, &start.slope, length);
            counts.evaluations += EXPLICIT_EVALUATIONS;
            true
        }
        Method::Implicit => {
            trial.stepper.begin_implicitly(state.time, &state.y, &start.slope);
            let possible = trial.system.linearise(input, &start.evaluation);
            if possible {
                retake(input, scratch, length);
            }
            possible
        }
    }
}

/// Repeats the step with another length.
pub(crate) fn retake(input: &StepInput, scratch: &mut Scratch, length: f64) {
    let method = scratch.trial.stepper.method();
    let speed = speed_scale(input, scratch, length);
    let allowed = AllowedError::new(input, scratch, length, speed, method);
    let Scratch { trial, probe, start, counts, .. } = scratch;
    let Trial { stepper, system, .. } = trial;
    if method == Method::Explicit {
        let mut f = |t: f64, y: &[f64], slope: &mut [f64]| {
            probe.evaluation.evaluate(input, t, y, slope);
        };
        stepper.step_explicitly_again(&mut f, length);
        counts.evaluations += EXPLICIT_EVALUATIONS;
        return;
    }
    system.factorise(input, &start.evaluation, ImplicitStepper::GAMMA * length);
    let evaluation = &mut probe.evaluation;
    let mut stages = Stages { input, evaluation, system, allowed };
    counts.evaluations += stepper.step_implicitly(&mut stages, length);
}

/// Evaluates the equations of motion at the end of the step.
pub(crate) fn evaluate_end(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, counts, .. } = scratch;
    let t = trial.end_time();
    let Trial { stepper, end, at_end, .. } = trial;
    end.clear();
    end.extend_from_slice(stepper.end());
    input.layout().normalise_rotations(end);
    at_end.evaluate(input, t, end);
    counts.evaluations += 1;
}

/// Computes the dense output of the step, unless it exists already.
pub(crate) fn interpolate(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, probe, counts, .. } = scratch;
    let Probe { y, slope, evaluation } = probe;
    let length = trial.stepper.start().len();
    y.resize(length, 0.0);
    slope.resize(length, 0.0);
    let mut f = |t: f64, y: &[f64], slope: &mut [f64]| evaluation.evaluate(input, t, y, slope);
    counts.evaluations += trial.stepper.interpolate(&mut f);
}
