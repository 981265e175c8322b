//! A trial: one step of the integrator from the state, with the equations of motion evaluated at its end.

use super::{Evaluated, Probe, Scratch};
use crate::input::StepInput;
use crate::world::World;
use carom::ode::Stepper;

/// Evaluations of the equations of motion that a step of the integrator takes, besides that at its start.
const STAGES: u64 = 11;
/// Evaluations that its dense output takes.
const DENSE_STAGES: u64 = 4;

/// A step that has been tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// Start, end and dense output.
    pub stepper: Stepper,
    /// The end with rotations of unit length.
    pub end: Vec<f64>,
    /// The equations of motion there, once [`evaluate_end`] was called.
    pub at_end: Evaluated,
}

impl Trial {
    /// Buffers for state vectors of up to a length.
    pub fn new(world: &World, capacity: usize) -> Self {
        let mut stepper = Stepper::default();
        stepper.reserve(capacity);
        Self { stepper, end: Vec::with_capacity(capacity), at_end: Evaluated::new(world, capacity) }
    }

    /// Time at which the step ends (s).
    pub fn end_time(&self) -> f64 {
        self.stepper.begun() + self.stepper.length()
    }
}

/// Tries a step of a length from the state.
pub(crate) fn take(input: &StepInput, scratch: &mut Scratch, length: f64) {
    let Scratch { trial, probe, start, counts, .. } = scratch;
    let state = input.state;
    let mut f = |t: f64, y: &[f64], slope: &mut [f64]| {
        probe.evaluation.evaluate(input, t, y, slope);
    };
    trial.stepper.step(&mut f, state.time, &state.y, &start.slope, length);
    counts.evaluations += STAGES;
}

/// Tries the step again with another length.
pub(crate) fn retake(input: &StepInput, scratch: &mut Scratch, length: f64) {
    let Scratch { trial, probe, counts, .. } = scratch;
    let mut f = |t: f64, y: &[f64], slope: &mut [f64]| {
        probe.evaluation.evaluate(input, t, y, slope);
    };
    trial.stepper.again(&mut f, length);
    counts.evaluations += STAGES;
}

/// Evaluates the equations of motion at the end of the step.
pub(crate) fn evaluate_end(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, counts, .. } = scratch;
    let t = trial.end_time();
    let Trial { stepper, end, at_end } = trial;
    end.clear();
    end.extend_from_slice(stepper.end());
    input.layout().normalise_rotations(end);
    at_end.evaluate(input, t, end);
    counts.evaluations += 1;
}

/// Makes the dense output of the step, where it has none yet.
pub(crate) fn interpolate(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, probe, counts, .. } = scratch;
    let Probe { y, slope, evaluation } = probe;
    let length = trial.stepper.start().len();
    y.resize(length, 0.0);
    slope.resize(length, 0.0);
    if trial.stepper.interpolates() {
        return;
    }
    let mut f = |t: f64, y: &[f64], slope: &mut [f64]| evaluation.evaluate(input, t, y, slope);
    trial.stepper.interpolate(&mut f);
    counts.evaluations += DENSE_STAGES;
}
