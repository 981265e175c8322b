//! The integrators of scenes: an explicit pair of order 8, and an implicit one of order 4 for lasting contact.
//!
//! Contacts have natural frequencies, which limit the steps of an explicit pair whether or not an oscillation at that frequency
//! remains. While it does, the explicit pair is the cheaper one: its order is high, and its steps resolve the oscillation
//! anyway. Once the oscillation has died out, the implicit pair takes steps as long as the remaining motion permits.
//! `step/pace.rs` decides which of them takes the next step. Both are used through one type, so that events, samples and peaks
//! need not distinguish them.

use carom::ode::{ImplicitStepper, StageEquations, Stepper};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Pair that takes a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Method {
    /// Of order 8(5,3).
    #[default]
    Explicit,
    /// Of order 4(3), L-stable.
    Implicit,
}

/// A step of one of the two pairs: its start, its end and the state in between.
#[derive(Clone, Debug, Default)]
pub(crate) struct Integrator {
    method: Method,
    explicit: Stepper,
    implicit: ImplicitStepper,
}

/// Evaluates an expression with the stepper of the method that took the step.
macro_rules! of_both {
    ($self:ident, $stepper:ident => $value:expr) => {
        match $self.method {
            Method::Explicit => {
                let $stepper = &$self.explicit;
                $value
            }
            Method::Implicit => {
                let $stepper = &$self.implicit;
                $value
            }
        }
    };
}

impl Integrator {
    /// Reserves memory for states of up to `n` numbers, so that later steps do not allocate.
    pub fn reserve(&mut self, n: usize) {
        self.explicit.reserve(n);
        self.implicit.reserve(n);
    }

    /// Takes an explicit step; `slope` is the derivative of the state at the start.
    pub fn step_explicitly(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        slope: &[f64],
        h: f64,
    ) {
        self.method = Method::Explicit;
        self.explicit.step(f, t, y, slope, h);
    }

    /// Repeats the explicit step with another length.
    pub fn step_explicitly_again(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), h: f64) {
        self.explicit.again(f, h);
    }

    /// Sets time, state and derivative at which an implicit step begins.
    pub fn begin_implicitly(&mut self, t: f64, y: &[f64], slope: &[f64]) {
        self.method = Method::Implicit;
        self.implicit.begin(t, y, slope);
    }

    /// Takes the implicit step that was begun, or repeats it with another length; returns the number of evaluations.
    pub fn step_implicitly(&mut self, equations: &mut impl StageEquations, h: f64) -> u64 {
        self.implicit.step(equations, h);
        self.implicit.evaluations()
    }

    /// Returns the pair that took the step.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the time at which the step began (s).
    pub fn begun(&self) -> f64 {
        of_both!(self, stepper => stepper.begun())
    }

    /// Returns the length of the step (s).
    pub fn length(&self) -> f64 {
        of_both!(self, stepper => stepper.length())
    }

    /// Returns the state at the beginning of the step.
    pub fn start(&self) -> &[f64] {
        of_both!(self, stepper => stepper.start())
    }

    /// Returns the state at the end of the step.
    pub fn end(&self) -> &[f64] {
        of_both!(self, stepper => stepper.end())
    }

    /// Computes the largest ratio of the error of a component to the error allowed for it.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        of_both!(self, stepper => stepper.error(scale))
    }

    /// Computes the largest absolute derivative of some components over the stages of the step.
    pub fn steepest(&self, which: Range<usize>) -> f64 {
        of_both!(self, stepper => stepper.steepest(which))
    }

    /// Prepares the dense output for [`Integrator::at`]; returns the number of evaluations that this took.
    pub fn interpolate(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64])) -> u64 {
        match self.method {
            Method::Explicit if !self.explicit.interpolates() => {
                self.explicit.interpolate(f);
                DENSE_STAGES
            }
            _ => 0,
        }
    }

    /// Shortens the explicit step; its new end is taken from the dense output.
    pub fn cut(&mut self, h: f64) {
        self.explicit.cut(h);
    }

    /// Computes the state at a time within the step.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        self.part(t, 0..y.len(), y);
    }

    /// Computes some components of the state at a time within the step; the others of `y` are left unchanged.
    pub fn part(&self, t: f64, which: Range<usize>, y: &mut [f64]) {
        of_both!(self, stepper => stepper.part(t, which, y));
    }
}

/// Number of evaluations for the dense output of the explicit pair.
const DENSE_STAGES: u64 = 4;
