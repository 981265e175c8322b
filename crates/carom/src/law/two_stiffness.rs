//! A stiff spring in compression and a softer one in restitution (Zhang et al. 2022).
//!
//! F = k·δᵐ while δ̇ > 0, F = e²·k·δᵐ while δ̇ ≤ 0. Both phases share the turn, so that the ratio of the speeds at δ
//! = 0 is exactly e for every k and m. The stiffness depends on the impact: if d is the largest indentation, the
//! energy gives k = (m+1)·mₑ·v₀²/(2·d^(m+1)). The largest indentation follows from
//!
//! d^(n+1) = s·(n+1)·mₑ·v₀²/(2K),
//!
//! which is that of the elastic law K·δⁿ, reduced by the fraction 1−s of the energy that the damping dissipates in
//! compression.

use super::{Exponent, Force, Memory, Response};
use crate::scalar::Scalar;

/// A stiff spring in compression and a softer one in restitution.
#[derive(Clone, Copy, Debug)]
pub struct TwoStiffness<S = f64> {
    /// K of the approximated law (N/mⁿ).
    pub stiffness: S,
    /// n of the approximated law.
    pub elastic: S,
    /// Exponent m of both springs.
    pub exponent: Exponent<S>,
    /// Restitution e; the stiffness of the softer spring is e² times that of the stiff one.
    pub restitution: S,
    /// s, the fraction of the energy that is stored at the turn in the approximated law.
    pub share: S,
}

impl TwoStiffness {
    /// Creates the springs that approximate K·δⁿ + c·δᵐ·|δ̇|^q, with s = (e² + e^q)/(1 + e^q).
    pub fn new(stiffness: f64, n: f64, m: f64, q: f64, restitution: f64) -> Self {
        let (square, power) = (restitution * restitution, restitution.powf(q));
        Self {
            stiffness,
            elastic: n,
            exponent: Exponent::new(m),
            restitution,
            share: (square + power) / (1.0 + power),
        }
    }
}

impl<S: Scalar> TwoStiffness<S> {
    /// Computes the indentation at the turn (m).
    pub fn indentation_at_turn(&self, mass: S, speed: S) -> S {
        let n = self.elastic;
        let energy = (n + 1.0) * 0.5 * mass * speed * speed / self.stiffness;
        (self.share * energy).powf(S::of(1.0) / (n + 1.0))
    }

    #[inline(always)]
    fn spring(&self, rate: S, memory: &Memory<S>) -> S {
        let softening = self.restitution * self.restitution;
        S::choose(rate.gt(S::of(0.0)), || memory.damping, || softening * memory.damping)
    }
}

impl<S: Scalar> Response<S> for TwoStiffness<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        self.spring(rate, memory) * self.exponent.of(delta)
    }

    /// Computes the stiffness in compression.
    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        let m = self.exponent.value();
        let turn = self.indentation_at_turn(mass, speed);
        Some((m + 1.0) * 0.5 * mass * speed * speed / turn.powf(m + 1.0))
    }
}

impl Force for TwoStiffness {
    over!(TwoStiffness {
        stiffness, elastic as "elastic_exponent", exponent, restitution, share as "stored_share"
    });
    const FIXED_AT_TOUCH: &'static str = "stiffness of compression";

    fn with_plain_exponents(&self) -> Self {
        Self { exponent: self.exponent.as_plain_number(), ..*self }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let m = self.exponent.value();
        self.spring(0.0, memory) * delta.max(0.0).powf(m + 1.0) / (m + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{impact, near, stored, tangents};
    use super::*;
    use crate::law::Exit;

    #[test]
    fn tangents_and_stored_energy() {
        let form = TwoStiffness::new(2.4e10, 1.5, 1.2, 0.9, 0.6);
        let memory = form.touch(0.54, 0.5);
        tangents(form, 3e-5, 0.2, &memory);
        tangents(form, 3e-5, -0.2, &memory);
        stored(form, 0.0, 3e-5, &memory, 1e-9);
    }

    #[test]
    fn the_restitution_is_exact_the_turn_where_it_was_put_and_the_duration_closed() {
        // G(m) = √π·Γ(1+1/(m+1))/Γ(1/2+1/(m+1)); the duration is G·(1+1/e)·d/v₀.
        for (m, g) in [(1.5_f64, 1.4716375921625), (1.0, std::f64::consts::FRAC_PI_2)] {
            for e in [0.9, 0.3] {
                let form = TwoStiffness::new(2.4e10, 1.5, m, 1.1, e);
                let turn = form.indentation_at_turn(0.54, 0.5);
                let [delivered, peak, time] =
                    impact(form, 0.54, 0.5, Exit::ZeroIndentation, turn / 0.5);
                near(delivered, e, 1e-6);
                near(peak, turn, 1e-6);
                near(time, g * (1.0 + 1.0 / e) * turn / 0.5, 1e-5);
            }
        }
    }
}
