//! The integrators of scenes: an explicit pair of order 8, and an implicit one of order 4 for lasting contact.
//!
//! Contacts oscillate at a frequency of their own, which limits the steps of an explicit pair whether or not there is any
//! motion left at that frequency. While there is, the explicit pair is the cheaper one: its order is high and its steps resolve the
//! oscillation anyway. Once it has died out, the implicit pair steps at the pace of what still moves. `step/pace.rs` decides which of
//! them takes the next step. Both are seen through one type, so that events, samples and peaks do not know which it was.

use carom::ode::{ImplicitStepper, StageEquations, Stepper};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which pair takes a step.
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

/// What an integrator may ask a step for, by the method that takes it.
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
    /// Reserves memory for states of up to `n` numbers, so that no later step allocates.
    pub fn reserve(&mut self, n: usize) {
        self.explicit.reserve(n);
        self.implicit.reserve(n);
    }

    /// Takes an explicit step; `slope` is that at the start.
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

    /// Takes the explicit step again with another length.
    pub fn step_explicitly_again(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), h: f64) {
        self.explicit.again(f, h);
    }

    /// Sets where an implicit step begins.
    pub fn begin_implicitly(&mut self, t: f64, y: &[f64], slope: &[f64]) {
        self.method = Method::Implicit;
        self.implicit.begin(t, y, slope);
    }

    /// Takes the implicit step that was begun, or takes it again with another length; gives the number of evaluations.
    pub fn step_implicitly(&mut self, equations: &mut impl StageEquations, h: f64) -> u64 {
        self.implicit.step(equations, h);
        self.implicit.evaluations()
    }

    /// The pair that took the step.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Time at which the step began.
    pub fn begun(&self) -> f64 {
        of_both!(self, stepper => stepper.begun())
    }

    /// Length of the step.
    pub fn length(&self) -> f64 {
        of_both!(self, stepper => stepper.length())
    }

    /// Where the step began.
    pub fn start(&self) -> &[f64] {
        of_both!(self, stepper => stepper.start())
    }

    /// Where the step ended.
    pub fn end(&self) -> &[f64] {
        of_both!(self, stepper => stepper.end())
    }

    /// The largest error of the step over the error allowed in each component.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        of_both!(self, stepper => stepper.error(scale))
    }

    /// The largest absolute slope of some components over the stages of the step.
    pub fn steepest(&self, which: Range<usize>) -> f64 {
        of_both!(self, stepper => stepper.steepest(which))
    }

    /// Prepares [`Integrator::at`] for this step; the number of evaluations that this took.
    pub fn interpolate(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64])) -> u64 {
        match self.method {
            Method::Explicit if !self.explicit.interpolates() => {
                self.explicit.interpolate(f);
                DENSE_STAGES
            }
            _ => 0,
        }
    }

    /// Ends the explicit step earlier, on its dense output.
    pub fn cut(&mut self, h: f64) {
        self.explicit.cut(h);
    }

    /// The state at a time within the step.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        self.part(t, 0..y.len(), y);
    }

    /// Some components of the state at a time within the step; the others of `y` are left as they are.
    pub fn part(&self, t: f64, which: Range<usize>, y: &mut [f64]) {
        of_both!(self, stepper => stepper.part(t, which, y));
    }
}

/// Evaluations that the dense output of the explicit pair takes.
const DENSE_STAGES: u64 = 4;
