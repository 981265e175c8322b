//! A law evaluated at many points: its form is matched once per call, not per point.

use crate::impact::ContactState;
use crate::law::{Force, Law, Work};

/// The force at every point.
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

/// The rate of the internal state at every point.
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
