//! Equations of the flow: its right-hand sides, the series at onset and the tail at separation.

use super::super::Exponents;
use super::MAX_TAIL;

// Components of the state: s, c, Q, w and then either η, or P and τ.
pub(super) const S: usize = 0;
pub(super) const C: usize = 1;
pub(super) const Q: usize = 2;
pub(super) const W: usize = 3;
pub(super) const ETA: usize = 4;
pub(super) const P: usize = 4;
pub(super) const TAU: usize = 5;

/// The flow for one set of exponents and one ε.
#[derive(Clone, Copy)]
pub(super) struct Flow {
    pub(super) exponents: Exponents,
    pub(super) mu: f64,
    pub(super) kappa: f64,
    pub(super) alpha: f64,
    /// Initial value of ε̂, ε·((n+1)/2)^(μ−1).
    pub(super) strength: f64,
    pub(super) ln_strength: f64,
    pub(super) epsilon: f64,
}

impl Flow {
    pub(super) fn new(exponents: Exponents, epsilon: f64) -> Self {
        let Exponents { n, m, q } = exponents;
        let mu = (m + 1.0) / (n + 1.0);
        let strength = epsilon * (0.5 * (n + 1.0)).powf(mu - 1.0);
        Self {
            exponents,
            mu,
            kappa: (q * (n + 1.0) - 2.0 * (n - m)) / (2.0 * (n + 1.0)),
            alpha: (n - 1.0) / (2.0 * (n + 1.0)),
            strength,
            ln_strength: strength.ln(),
            epsilon,
        }
    }

    /// Evaluates the right-hand side in compression; see `phase.rs`.
    #[inline(always)]
    pub(super) fn compression<const N: usize>(&self, y: &[f64; N]) -> [f64; N] {
        let [s, c, strength] = [y[S], y[C], y[Q]];
        let inverse = 1.0 / (1.0 + strength);
        let turn = 2.0 * s * c;
        let loss = -2.0 * strength * c * inverse;
        let mut slope = [0.0; N];
        slope[S] = turn;
        slope[C] = -turn;
        slope[Q] = strength * (2.0 * self.mu * c - self.exponents.q * s + self.kappa * loss);
        slope[W] = loss;
        if N == 5 {
            slope[ETA] = loss * inverse * (1.0 + self.kappa * y[ETA]);
        } else {
            slope[P] = y[P] * (c - s - self.alpha * (loss + 2.0 * c));
            slope[TAU] = y[P] * inverse;
        }
        slope
    }

    /// Evaluates the right-hand side in restitution; see `phase.rs`.
    #[inline(always)]
    pub(super) fn restitution<const N: usize>(&self, y: &[f64; N]) -> [f64; N] {
        let [s, c, strength] = [y[S], y[C], y[Q]];
        let free = 1.0 - strength;
        let turn = 2.0 * s * c * free;
        let loss = -2.0 * strength * c;
        let mut slope = [0.0; N];
        slope[S] = -turn;
        slope[C] = turn;
        slope[Q] =
            strength * ((self.exponents.q * s - 2.0 * self.mu * c) * free + self.kappa * loss);
        slope[W] = loss;
        if N == 5 {
            slope[ETA] = loss / free * (1.0 + self.kappa * y[ETA]);
        } else {
            slope[P] = y[P] * ((s - c) * free - self.alpha * (loss - 2.0 * c * free));
            slope[TAU] = y[P];
        }
        slope
    }

    /// Computes the state at a small indentation after onset by series.
    ///
    /// v² = 1 − 2ε∫xᵐv^q dx − 2xⁿ⁺¹/(n+1), to second order in εxᵐ⁺¹ and xⁿ⁺¹.
    pub(super) fn touch<const N: usize>(&self) -> [f64; N] {
        let Exponents { n, m, q } = self.exponents;
        let x = MAX_TAIL
            .powf(1.0 / (n + 1.0))
            .min((MAX_TAIL / self.epsilon.max(1e-300)).powf(1.0 / (m + 1.0)));
        let elastic = x.powf(n + 1.0) / (n + 1.0);
        let viscous = self.epsilon * x.powf(m + 1.0) / (m + 1.0);
        let second = q * viscous * (0.5 * viscous + elastic * (m + 1.0) / (m + n + 2.0));
        let lost = 2.0 * (viscous - second);
        let energy = 1.0 - lost;
        let v2 = energy - 2.0 * elastic;
        let v = v2.sqrt();
        let mut y = [0.0; N];
        y[S] = 2.0 * elastic / energy;
        y[C] = v2 / energy;
        y[Q] = 2.0 * (m + 1.0) / (n + 1.0) * viscous * v.powf(q) / energy;
        y[W] = (-lost).ln_1p();
        if N == 5 {
            y[ETA] = -lost + 2.0 * second;
        } else {
            y[P] = 2.0 / (n + 1.0) * x * v / energy;
            y[TAU] = x * (1.0 + viscous / (m + 2.0) + elastic / (n + 2.0));
        }
        y
    }

    /// Computes dF/dt in compression times a positive factor; it is positive while the force increases.
    pub(super) fn force_rises<const N: usize>(&self, y: &[f64; N]) -> f64 {
        let Exponents { n, m, q } = self.exponents;
        n * y[S] * y[C] + m * y[Q] * y[C] - 0.5 * q * (n + 1.0) * y[Q] * (y[S] + y[Q])
    }

    /// Computes the indentation at a state.
    pub(super) fn indentation<const N: usize>(&self, y: &[f64; N]) -> f64 {
        let n = self.exponents.n;
        (0.5 * (n + 1.0) * y[W].exp() * y[S]).powf(1.0 / (n + 1.0))
    }

    /// Computes the force at a state of compression.
    pub(super) fn force<const N: usize>(&self, y: &[f64; N]) -> f64 {
        self.indentation(y).powf(self.exponents.n) * (1.0 + y[Q] / y[S])
    }

    /// Adds the tail from a small s and Q to separation, to second order in both.
    pub(super) fn separate<const N: usize>(&self, y: &mut [f64; N]) {
        let Exponents { n, q, .. } = self.exponents;
        let (mu, kappa, alpha) = (self.mu, self.kappa, self.alpha);
        let (s, strength) = (y[S], y[Q]);
        let spread = (2.0 * mu + q) * 0.5 * s;
        let tail = -2.0
            * strength
            * ((1.0 + spread - kappa * strength / mu) / (2.0 * mu)
                - (spread + s) / (2.0 * mu + 2.0)
                + (kappa / mu + 1.0) * strength / (4.0 * mu));
        if N == 5 {
            y[ETA] += tail * (1.0 + kappa * y[ETA]);
        } else {
            let rho = 2.0 / (n + 1.0);
            let spread = (rho + 1.0) * 0.5 * s;
            let drift = alpha * strength / mu;
            y[TAU] += y[P]
                * ((1.0 + spread + drift) / rho - spread / (rho + 2.0)
                    + (strength - drift) / (rho + 2.0 * mu));
        }
        y[W] += tail;
        y[S] = 0.0;
        y[C] = 1.0;
    }
}
