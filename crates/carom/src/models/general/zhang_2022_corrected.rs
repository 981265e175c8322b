//! The damping factor of Zhang and co-authors for any exponents, corrected to first order.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, ε = ε₃₅/R, where ε₃₅ is Eq. 35 of Zhang et al. 2022 and
//! R = (1+q/2)·μ·B(μ, 1+q/2), μ = (m+1)/(n+1), B Euler's beta function.
//!
//! # Derivation
//! For a small loss the motion is the elastic one, δ̇ = v₀·√(1−z^(n+1)) with z = δ/δ_max, and the
//! damper dissipates c·v₀^q·δ_max^(m+1)·∫₀¹ zᵐ·(1−z^(n+1))^(q/2) dz, where the integral is B(μ,
//! 1+q/2)/(n+1). With the exponent m+1 of the source the integral is 2/[(m+1)(2+q)]. R is the ratio
//! of the former to the latter: the factor by which ε₃₅ is too large as e → 1.
//!
//! # Validity
//! Arbitrary m and q, restitutions above about 0.5; below 0.3 exact calibration should be used
//! instead.
//!
//! # Remarks
//! R = 1 for m = n, so nothing changes in that case. Over 60 sets of exponents the largest error of
//! the restitution is 0.01 % at 0.9, 0.5 % at 0.7, 3.6 % at 0.5 and 23 % at 0.3; with Eq. 35 itself
//! it is 3, 10, 19 and 55 %. The correction is not part of the source.
//!
//! # Reference
//! J. Zhang, X. Liang, Z. Zhang, G. Feng, Q. Zhao, L. Zhao, G. He, A continuous contact force model
//! for impact analysis, Mech. Syst. Signal Process. 168 (2022) 108739; the factor R is derived
//! here.

use crate::law::Exit;
use crate::model::Model;
use crate::models::general::zhang_2022;
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "zhang-2022-corrected",
    title: "Zhang et al. 2022, corrected to first order",
    restitution: (0.5, 1.0),
    exit: Exit::ZeroIndentation,
    build: |inputs| {
        let (n, m, q) = shared::free_exponents(inputs)?;
        let excess = excess(n, m, q);
        inputs.power(n, m, q, Some(&|e| zhang_2022::ratio(n, m, q, e) / excess))
    },
    ..zhang_2022::MODEL
};

/// Computes R, the factor by which Eq. 35 is too large as e → 1.
fn excess(n: f64, m: f64, q: f64) -> f64 {
    let (mu, half) = ((m + 1.0) / (n + 1.0), 1.0 + 0.5 * q);
    let log_beta = libm::lgamma(mu) + libm::lgamma(half) - libm::lgamma(mu + half);
    half * mu * log_beta.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excess_is_one_for_equal_exponents_and_known_elsewhere() {
        for n in [1.0, 1.5, 2.0, 5.0] {
            for q in [0.5, 1.0, 1.5] {
                assert!((excess(n, n, q) - 1.0).abs() < 1e-13);
            }
        }
        assert!((excess(1.5, 0.25, 1.0) - 1.178).abs() < 5e-4);
        assert!((excess(1.5, 0.5, 1.0) - 1.135).abs() < 5e-4);
    }

    #[test]
    fn small_losses_are_right_to_first_order() {
        // (1−e)/ε as e → 1 for n = 3/2, q = 1 and m = 0, ¼, ½, 0.65, 1, 3/2.
        let slopes = [
            (0.0, 1.787814),
            (0.25, 1.404963),
            (0.5, 1.153449),
            (0.65, 1.040518),
            (1.0, 0.845742),
            (1.5, 0.666667),
        ];
        for (m, slope) in slopes {
            let e = 1.0 - 1e-7;
            let ratio = zhang_2022::ratio(1.5, m, 1.0, e) / excess(1.5, m, 1.0);
            assert!(((1.0 - e) / ratio - slope).abs() < 2e-6, "{m}");
        }
    }
}
