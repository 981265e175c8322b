//! Evaluates a law at many points; the form of the law is matched once per call instead of once per point.

use crate::impact::ContactState;
use crate::law::{Force, Law, Work};

/// Returns the force at every point.
pub(super) fn forces(law: &Law, points: &[ContactState]) -> Vec<f64> {
    struct Evaluate<'a>(&'a [ContactState]);
    impl Work for Evaluate<'_> {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            self.0.iter().map(|p| form.force(p.delta, p.rate, &p.memory)).collect()
        }
    }
    law.with(Evaluate(points))
}

/// Returns the rate of the internal state at every point.
pub(super) fn internal_rates(law: &Law, points: &[ContactState]) -> Vec<f64> {
    struct Evaluate<'a>(&'a [ContactState]);
    impl Work for Evaluate<'_> {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            self.0.iter().map(|p| form.internal_rate(p.delta, p.rate, &p.memory)).collect()
        }
    }
    law.with(Evaluate(points))
}
