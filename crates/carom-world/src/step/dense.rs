//! Evaluation of event functions along the dense output of a step.

use super::event::{Subject, event_function};
use super::{Event, Probe};
use crate::input::StepInput;
use crate::integrator::Integrator;
use carom::ode::events;

/// A part of a step, given by fractions of the step, with the gaps at both ends (m).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub begin: f64,
    pub gap_at_begin: f64,
    pub end: f64,
    pub gap_at_end: f64,
}

/// A step with dense output, on which event functions are evaluated.
pub(crate) struct DenseStep<'a> {
    pub input: &'a StepInput<'a>,
    pub stepper: &'a Integrator,
    pub probe: &'a mut Probe,
    pub intervals: &'a mut Vec<Interval>,
}

impl DenseStep<'_> {
    /// Returns the value of an event function at a fraction of the step.
    pub fn value(&mut self, event: Event, x: f64) -> f64 {
        let t = self.stepper.begun() + x * self.stepper.length();
        let Probe { y, slope, evaluation } = &mut *self.probe;
        let (input, touches) = (self.input, &self.input.state.touches);
        let kinematics = &mut evaluation.kinematics;
        match event.subject() {
            Subject::Site(site) => {
                kinematics.read_site(input, self.stepper, t, (site, None), y);
            }
            Subject::Touch(index) if !event.needs_accelerations(input.state) => {
                let site = (touches[index].site, Some(index));
                kinematics.read_site(input, self.stepper, t, site, y);
            }
            // Accelerations depend on all bodies, so the whole system is evaluated.
            Subject::Touch(_) | Subject::Joint(_) => {
                self.stepper.at(t, y);
                evaluation.evaluate(input, t, y, slope);
            }
        }
        event_function(input, evaluation, event, t, y)
    }

    /// Returns a root of an event function between two fractions, at the second of which the event has occurred.
    pub fn root_between(&mut self, event: Event, begin: f64, until: f64) -> f64 {
        events::crossing(begin, until, |x| self.value(event, x))
    }
}
