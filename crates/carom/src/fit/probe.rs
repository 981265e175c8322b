//! Questions to a law at many points at once: the form is matched once per question, not per point.

use crate::impact::ContactState;
use crate::law::{Force, Law, Memory, Tangent, Work};

/// The force at every point. `frozen` replaces what was frozen at touch, for a law whose parameters
/// differ a little from those of the motion.
pub(super) fn forces(law: &Law, points: &[ContactState], frozen: Option<&Memory>) -> Vec<f64> {
    struct Evaluate<'a>(&'a [ContactState], Option<&'a Memory>);
    impl Work for Evaluate<'_> {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            let Evaluate(points, frozen) = self;
            let force =
                |p: &ContactState| form.force(p.delta, p.rate, &replaced(&p.memory, frozen));
            points.iter().map(force).collect()
        }
    }
    law.with(Evaluate(points, frozen))
}

/// ∂F/∂δ and ∂F/∂δ̇ at every point.
pub(super) fn tangents(law: &Law, points: &[ContactState]) -> Vec<Tangent> {
    struct Evaluate<'a>(&'a [ContactState]);
    impl Work for Evaluate<'_> {
        type Output = Vec<Tangent>;
        fn run<F: Force>(self, form: F) -> Vec<Tangent> {
            self.0.iter().map(|p| form.tangent(p.delta, p.rate, &p.memory)).collect()
        }
    }
    law.with(Evaluate(points))
}

/// The rate of the internal state at every point.
pub(super) fn internal_rates(
    law: &Law,
    points: &[ContactState],
    frozen: Option<&Memory>,
) -> Vec<f64> {
    struct Evaluate<'a>(&'a [ContactState], Option<&'a Memory>);
    impl Work for Evaluate<'_> {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            let Evaluate(points, frozen) = self;
            let rate = |p: &ContactState| {
                form.internal_rate(p.delta, p.rate, &replaced(&p.memory, frozen))
            };
            points.iter().map(rate).collect()
        }
    }
    law.with(Evaluate(points, frozen))
}

/// What a law keeps in place of the largest indentation after an accepted step to each point.
pub(super) fn commits(law: &Law, points: &[ContactState], frozen: Option<&Memory>) -> Vec<f64> {
    struct Evaluate<'a>(&'a [ContactState], Option<&'a Memory>);
    impl Work for Evaluate<'_> {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            let Evaluate(points, frozen) = self;
            let peak = |p: &ContactState| {
                let mut memory = replaced(&p.memory, frozen);
                form.commit(p.delta, p.rate, &mut memory);
                memory.peak
            };
            points.iter().map(peak).collect()
        }
    }
    law.with(Evaluate(points, frozen))
}

/// What was frozen at touch, by another law in its place.
pub(super) fn replaced(memory: &Memory, frozen: Option<&Memory>) -> Memory {
    match frozen {
        Some(frozen) => Memory { speed: frozen.speed, damping: frozen.damping, ..*memory },
        None => *memory,
    }
}
