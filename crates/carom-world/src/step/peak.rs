//! The largest force or indentation of a touch within a step.

use super::{Scratch, trial};
use crate::contact::ContactEvaluation;
use crate::input::StepInput;
use crate::state::Peak;
use carom::ode::events;

/// Returns the largest value of a quantity of a touch within the step. Its rates (per second) at the ends of the step are given:
/// the first is positive, the second is not.
pub(crate) fn peak_within(
    input: &StepInput,
    scratch: &mut Scratch,
    index: usize,
    (rise, fall): (f64, f64),
    quantity: impl Fn(&ContactEvaluation) -> f64,
) -> Peak {
    trial::interpolate(input, scratch);
    let Scratch { trial, probe, .. } = scratch;
    let (begun, h) = (trial.stepper.begun(), trial.stepper.length());
    let touch = &input.state.touches[index];
    let value = |x: f64| {
        let t = begun + x * h;
        let kinematics = &mut probe.evaluation.kinematics;
        kinematics.read_site(input, &trial.stepper, t, (touch.site, Some(index)), &mut probe.y);
        let variables = input.layout().touch(&probe.y, index);
        quantity(&ContactEvaluation::of(input, kinematics, touch, t, &variables))
    };
    let (fraction, value) = events::peak(Some((rise * h, fall * h)), value);
    Peak { value, time: begun + fraction * h }
}
