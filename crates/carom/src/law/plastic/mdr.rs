//! The mechanically derived contact law of Zunker & Kamrin (2024) for a single contact, without adhesion and without
//! the response of the bulk, which depends on all contacts of a particle.
//!
//! The force follows Hertz's law until the mean pressure 4E*·√δ/(3π·√R) reaches the pressure at yield, p = Y·(1 +
//! 1.75·exp(−4.4·δ/R)), at δ_Y. Beyond δ_Y, F = π·a²·p with the contact radius a of a truncated sphere, a² = 2R·δ −
//! δ² + δ_Y² − R·δ_Y, which makes F continuous at δ_Y. In the method of dimensionality reduction (MDR) the flattened
//! contact is a half-ellipse of width 2a and depth h = 2p·a/E*, which unloads along
//!
//! ρ(s) = (2/π)·(θ − sin θ·cos θ),  cos θ = 1 − s,
//!
//! over the depth w = h + u, where u is the displacement of the surface by the load on the whole body, u =
//! p·a²·[(1−2ν)·z/(√(a²+z²) + z) − 2(1−ν)]/((1−ν)·E*·√(a²+z²)), z = R − δ_max + h.

use std::f64::consts::PI;

use super::yielding::{YieldCurve, YieldForce};
use crate::law::Exponent;
use crate::scalar::Scalar;

/// A sphere against a rigid plane: plastically flattened, with an elastic recovery.
#[derive(Clone, Copy, Debug)]
pub struct Mdr<S = f64> {
    /// Effective modulus E* (Pa).
    pub modulus: S,
    /// Effective radius R (m).
    pub radius: S,
    /// Poisson's ratio ν.
    pub poisson: S,
}

/// Number of Newton iterations for the indentation at yield, from above; five reach rounding accuracy for Y/E* up to
/// 0.1.
const NEWTON_STEPS: usize = 7;

impl<S: Scalar> Mdr<S> {
    /// Computes p/Y for an indentation divided by the radius.
    #[inline(always)]
    fn relative_pressure(depth: S) -> S {
        (depth * -4.4).exp() * 1.75 + 1.0
    }

    /// Solves for δ_Y/R: with z² = δ_Y/R, (4E*/(3π·Y))·z = 1 + 1.75·exp(−4.4·z²).
    #[inline(always)]
    fn yield_indentation(&self, strength: S) -> S {
        let slope = self.modulus / strength * (4.0 / (3.0 * PI));
        let mut z = S::of(2.75) / slope;
        for _ in 0..NEWTON_STEPS {
            let falling = (z * z * -4.4).exp() * 1.75;
            let step = (slope * z - 1.0 - falling) / (slope + z * 8.8 * falling);
            z = z - step;
            if !S::any(step.abs().gt(z * 1e-16)) {
                break;
            }
        }
        z * z
    }

    /// Computes a²/R² beyond yield, for an indentation divided by the radius.
    #[inline(always)]
    fn relative_area(depth: S, yields: S) -> S {
        let depth = depth.min(S::of(1.0));
        depth * (S::of(2.0) - depth) + yields * (yields - 1.0)
    }
}

/// Computes ρ(s) for 0 ≤ s ≤ 1.
#[inline(always)]
fn half_ellipse<S: Scalar>(share: S) -> S {
    // The variable `angle` is φ = 2θ.
    let angle = (share / (S::of(2.0) - share)).sqrt().atan() * 4.0;
    // θ − sin θ·cos θ = (φ − sin φ)/2; a series replaces the difference where it cancels.
    let series = || {
        let square = angle * angle;
        let mut sum = S::of(1.0);
        for k in (1..=5).rev() {
            let k = f64::from(2 * k);
            sum = S::of(1.0) - square / ((k + 2.0) * (k + 3.0)) * sum;
        }
        angle * square * sum / 6.0
    };
    S::choose(angle.lt(S::of(0.5)), series, || angle - angle.sin()) / PI
}

impl<S: Scalar> YieldForce<S> for Mdr<S> {
    #[inline(always)]
    fn force(&self, delta: S, strength: S) -> S {
        let (depth, yields) = (delta / self.radius, self.yield_indentation(strength));
        let square = self.radius * self.radius;
        let elastic = || self.modulus * (4.0 / 3.0) * Exponent::ThreeHalves.of(depth);
        let plastic =
            || strength * Self::relative_pressure(depth) * PI * Self::relative_area(depth, yields);
        square * S::choose(depth.le(yields), elastic, plastic)
    }

    #[inline(always)]
    fn recovered_depth(&self, peak: S, strength: S) -> S {
        let (depth, yields) = (peak / self.radius, self.yield_indentation(strength));
        let plastic = || {
            let strain = strength * Self::relative_pressure(depth) / self.modulus;
            let square = Self::relative_area(depth, yields);
            let h = strain * 2.0 * square.sqrt();
            let z = (S::of(1.0) - depth).positive_part() + h;
            let far = (square + z * z).sqrt();
            let free = S::of(1.0) - self.poisson;
            let moved = (S::of(1.0) - self.poisson * 2.0) * z / (far + z) - free * 2.0;
            self.radius * (h + strain * square * moved / (free * far)).min(depth)
        };
        S::choose(depth.le(yields), || peak, plastic)
    }

    #[inline(always)]
    fn relative_rebound_force(&self, share: S, peak: S, strength: S) -> S {
        let elastic = (peak / self.radius).le(self.yield_indentation(strength));
        S::choose(elastic, || Exponent::ThreeHalves.of(share), || half_ellipse(share))
    }
}

impl YieldCurve for Mdr {
    over!(Mdr { modulus, radius, poisson });
    const STRENGTH_SCALES_CURVE: bool = false;

    fn elastic_strength(&self) -> f64 {
        1e3 * self.modulus
    }

    /// Computes ∫ρ ds = (2/π)·(sin θ − θ·cos θ − sin³θ/3) beyond yield.
    fn rebound_energy(&self, share: f64, peak: f64, strength: f64) -> f64 {
        if peak / self.radius <= self.yield_indentation(strength) {
            return 0.4 * share * share * share.sqrt();
        }
        let angle = 2.0 * (share / (2.0 - share)).sqrt().atan();
        let (sin, cos) = angle.sin_cos();
        2.0 / PI * (sin - angle * cos - sin.powi(3) / 3.0)
    }

    fn kinks(&self, strength: f64) -> [f64; 3] {
        [self.yield_indentation(strength) * self.radius, self.radius, f64::INFINITY]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::near;
    use super::*;

    const SOFT: Mdr = Mdr { modulus: 1e9, radius: 0.5e-3, poisson: 0.3 };

    #[test]
    fn the_pressure_at_yield_is_hertzs_mean_and_falls_to_the_yield_stress() {
        for strength in [1e5, 1e7, 1e8] {
            let depth = SOFT.yield_indentation(strength);
            let mean = 4.0 * SOFT.modulus * depth.sqrt() / (3.0 * PI);
            near(mean, strength * Mdr::relative_pressure(depth), 1e-13);
        }
        // At an indentation of a quarter of the radius F/(π·a²) is 1.58 Y.
        let delta = 0.25 * SOFT.radius;
        let area = PI * (2.0 * SOFT.radius * delta - delta * delta);
        near(SOFT.force(delta, 1e6) / (1e6 * area), 1.0 + 1.75 * (-1.1f64).exp(), 1e-3);
    }

    #[test]
    fn a_half_ellipse_rebounds_without_cancellation_and_with_its_energy() {
        for share in [1e-12, 1e-3, 0.03, 0.0311, 0.5, 1.0] {
            // The derivative of θ − sin θ·cos θ with respect to s is 2·sin θ.
            let h = 1e-4 * share;
            let up = half_ellipse(share) - half_ellipse(share - h);
            let sin = |s: f64| (s * (2.0 - s)).sqrt();
            near(up, 4.0 / PI * sin(share - 0.5 * h) * h, 1e-7);
        }
        near(half_ellipse(1.0), 1.0, 1e-15);
        near(SOFT.rebound_energy(1.0, 1e-4, 1e6), 4.0 / (3.0 * PI), 1e-15);
    }
}
