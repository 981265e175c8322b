//! A bilinear hysteresis loop (Muthukumar & DesRoches 2006).
//!
//! The loop is defined at a design indentation d, with the secant stiffness K_d = K·d^(n−1) of the elastic law:
//! loading with slope k₁ up to a·d and with slope k₂ beyond, unloading with slope k₁ and then with k₂ to the origin.
//! It is a parallelogram. With
//!
//! k₁ = K_d·(1 + x/a),  k₂ = K_d·(1 − x/(1−a))
//!
//! it passes through (d, K·dⁿ) and encloses the area x·K·d^(n+1). An impact that turns at p > a·d loses (k₁ −
//! k₂)·a·d·(p − a·d).
//!
//! The source takes d and the loss from Hertz's law: d^(n+1) = (n+1)·m·v₀²/(2K), x = (1 − e²)/(n+1). As the loop is
//! stiffer than Hertz's curve, the impact turns before d and loses less energy: for a requested restitution of 0.5
//! the result is 0.69. If the turn is to be exactly at d, the loading energy ½·(1 + x)·K·d^(n+1) must equal that of
//! the impact, which gives d^(n+1) = m·v₀²/(K·(1 + x)) and, for the requested loss, x = (1 − e²)/(1 + e²).

use super::is_loading;
use crate::error::{Error, Result};
use crate::law::{Force, Memory, Response};
use crate::scalar::Scalar;

/// A bilinear loop through the elastic law at the design indentation.
#[derive(Clone, Copy, Debug)]
pub struct Bilinear<S = f64> {
    /// K of the elastic law (N/mⁿ).
    pub stiffness: S,
    /// n of the elastic law.
    pub exponent: S,
    /// a, the fraction of the design indentation at which the slope changes.
    pub fraction: S,
    /// x, the area of the loop divided by K·d^(n+1).
    pub loss: S,
    /// Ratio K·d^(n+1)/(m·v₀²).
    pub size: S,
}

impl Bilinear {
    /// Creates the published element, whose design indentation and loss follow from Hertz's law.
    pub fn published(stiffness: f64, exponent: f64, fraction: f64, restitution: f64) -> Self {
        let loss = (1.0 - restitution * restitution) / (exponent + 1.0);
        Self { stiffness, exponent, fraction, loss, size: 0.5 * (exponent + 1.0) }
    }

    /// Creates the element that delivers this restitution: its impacts turn exactly at the design indentation.
    pub fn delivering(
        stiffness: f64,
        exponent: f64,
        fraction: f64,
        restitution: f64,
    ) -> Result<Self> {
        let square = restitution * restitution;
        let loss = (1.0 - square) / (1.0 + square);
        if loss > 1.0 - fraction {
            let least = (fraction / (2.0 - fraction)).sqrt();
            return Err(Error::unreachable(
                restitution,
                format!(
                    "a bilinear loop with yield_fraction = {fraction} returns at least {least:.4}"
                ),
                "lower yield_fraction, or use goldsmith-1960, which takes every restitution",
            ));
        }
        Ok(Self { stiffness, exponent, fraction, loss, size: 1.0 / (1.0 + loss) })
    }
}

impl<S: Scalar> Bilinear<S> {
    /// Computes the yield indentation and both slopes for the design indentation `d`.
    #[inline(always)]
    fn yield_and_slopes(&self, d: S) -> (S, S, S) {
        let secant = self.stiffness * d.powf(self.exponent - 1.0);
        let first = secant * (self.loss / self.fraction + 1.0);
        let second = secant * (S::of(1.0) - self.loss / (S::of(1.0) - self.fraction));
        (self.fraction * d, first, second)
    }

    #[inline(always)]
    fn loading_force(&self, delta: S, d: S) -> S {
        let (limit, first, second) = self.yield_and_slopes(d);
        S::choose(
            delta.le(limit),
            || first * delta.positive_part(),
            || first * limit + second * (delta - limit),
        )
    }
}

impl<S: Scalar> Response<S> for Bilinear<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let unloading = || {
            let (_, first, second) = self.yield_and_slopes(memory.damping);
            let top = self.loading_force(memory.peak, memory.damping);
            (top - first * (memory.peak - delta)).max(second * delta.positive_part())
        };
        S::choose(
            is_loading(delta, rate, memory),
            || self.loading_force(delta, memory.damping),
            unloading,
        )
    }

    /// Computes the design indentation (m).
    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        let energy = self.size * mass * speed * speed / self.stiffness;
        Some(energy.powf(S::of(1.0) / (self.exponent + 1.0)))
    }
}

impl Force for Bilinear {
    over!(Bilinear { stiffness, exponent, fraction as "yield_fraction", loss, size });
    const FIXED_AT_TOUCH: &'static str = "design indentation (m)";

    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        let limit = self.fraction * memory.damping;
        if loading { limit } else { memory.peak - limit }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let peak = memory.peak.max(delta);
        let (limit, first, second) = self.yield_and_slopes(memory.damping);
        let delta = delta.max(0.0);
        // The slope is k₂ below the corner of the parallelogram and k₁ above it.
        let corner = if peak <= limit { 0.0 } else { peak - limit };
        let low = delta.min(corner);
        let rise = (delta - corner).max(0.0);
        0.5 * second * low * low + rise * (second * corner + 0.5 * first * rise)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{impact, near, stored};
    use super::*;
    use crate::law::Exit;

    const MASS: f64 = 0.54;
    const SPEED: f64 = 0.5;

    #[test]
    fn stored_energy_is_the_work_of_unloading() {
        let form = Bilinear::published(2e10, 1.5, 0.1, 0.6);
        let none = form.touch(MASS, SPEED);
        let d = none.damping;
        for peak in [0.05 * d, 0.15 * d, 0.8 * d] {
            let memory = Memory { peak, ..none };
            stored(form, 0.0, 0.99 * peak, &memory, 1e-6);
        }
    }

    #[test]
    fn the_loop_passes_through_the_elastic_law_and_encloses_the_loss() {
        let form = Bilinear::published(2e10, 1.5, 0.1, 0.6);
        let memory = form.touch(MASS, SPEED);
        let d = memory.damping;
        near(form.force(d, 1.0, &memory), 2e10 * d.powf(1.5), 1e-14);
        let spent = super::super::super::check::work(form, 0.0, d, &memory);
        let back = form.stored(d, &Memory { peak: d, ..memory });
        near(spent - back, 0.4 * (1.0 - 0.36) * 2e10 * d.powf(2.5), 1e-6);
    }

    #[test]
    fn published_returns_too_much_and_the_self_consistent_loop_what_is_asked() {
        let published = Bilinear::published(2e10, 1.5, 0.1, 0.5);
        let span = published.touch(MASS, SPEED).damping / SPEED;
        near(impact(published, MASS, SPEED, Exit::ZeroForce, span)[0], 0.6925, 1e-3);
        for e in [1.0, 0.8, 0.5, 0.25] {
            let form = Bilinear::delivering(2e10, 1.5, 0.1, e).unwrap();
            let [delivered, peak, _] = impact(form, MASS, SPEED, Exit::ZeroForce, span);
            near(delivered, e, 1e-5);
            near(peak, form.touch(MASS, SPEED).damping, 1e-6);
        }
        assert!(Bilinear::delivering(2e10, 1.5, 0.1, 0.2).unwrap_err().is_unreachable());
    }
}
