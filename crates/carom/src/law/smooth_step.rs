//! The smooth-step form: K·δⁿ + c·STEP(δ/d)·δ̇.
//!
//! A constant damper exerts a force at onset, before there is any indentation, and tension at the end. In this form
//! the damper increases smoothly from zero over a depth d by the cubic
//!
//! STEP(h) = h²(3 − 2h) on [0, 1], 0 below and 1 above,
//!
//! whose slope vanishes at both ends, so that force and tangents are continuous in δ. The damping of shallow impacts
//! (δ_max ≪ d) is about 3c(δ/d)²·δ̇, that of deep ones c·δ̇. The depth d is a further length, so that the form does
//! not scale like [`Power`](super::Power) and a restitution is calibrated at onset.

use super::{Calibration, Exponent, Force, Memory, Response};
use crate::scalar::Scalar;

/// K·δⁿ + c·STEP(δ/d)·δ̇.
#[derive(Clone, Copy, Debug)]
pub struct SmoothStep<S = f64> {
    /// K (N/mⁿ).
    pub stiffness: S,
    /// n.
    pub elastic: Exponent<S>,
    /// d, the indentation from which the damper has its full coefficient (m).
    pub depth: S,
    /// Source of c (N·s/m).
    pub calibration: Calibration,
}

impl<S: Scalar> Response<S> for SmoothStep<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        // Fraction of the damping coefficient at this indentation.
        let h = (delta / self.depth).clamp(S::of(0.0), S::of(1.0));
        let share = h * h * (S::of(3.0) - h * 2.0);
        self.stiffness * self.elastic.of(delta) + memory.damping * share * rate
    }

    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        self.calibration.known()
    }
}

impl Force for SmoothStep {
    over!(SmoothStep { stiffness, elastic as "exponent", depth; calibration });

    fn with_plain_exponents(&self) -> Self {
        Self { elastic: self.elastic.as_plain_number(), ..*self }
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(self.calibration)
    }

    fn kink(&self, _loading: bool, _memory: &Memory) -> f64 {
        self.depth
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        let n = self.elastic.value();
        self.stiffness * delta.max(0.0).powf(n + 1.0) / (n + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> SmoothStep {
        SmoothStep {
            stiffness: 3.0,
            elastic: Exponent::new(2.2),
            depth: 0.4,
            calibration: Calibration::Coefficient(1.7),
        }
    }

    #[test]
    fn the_damper_fades_in_and_is_then_constant() {
        let form = form();
        let memory = form.touch(1.0, 1.0);
        let damper = |delta: f64| form.tangent(delta, 1.0, &memory).damping;
        assert_eq!((damper(0.0), damper(-0.1)), (0.0, 0.0));
        assert!((damper(0.2) - 0.5 * 1.7).abs() < 1e-15, "half of c at half the depth");
        assert_eq!((damper(0.4), damper(2.0)), (1.7, 1.7));
    }
}
