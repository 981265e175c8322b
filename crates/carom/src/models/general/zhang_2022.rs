//! Zhang, Liang, Zhang, Feng, Zhao, Zhao & He: a damping factor for any exponents.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ with, for s = (e²+e^q)/(1+e^q) and ε = c·L^(m+1)·v₀^(q−2)/mₑ,
//! ε = (2+q)(m+1)(1−e²)/[4(1+e^q)] · [(n+1)·s/2]^(−(m+1)/(n+1)) (Eq. 35).
//!
//! # Derivation
//! The assumed rate is |δ̇| = v·√(1−(δ/δ_max)^(m+1)), with v = v₀ in compression and v = e·v₀ in
//! restitution. The damper then dissipates c·δ_max^(m+1)·2v₀^q/[(m+1)(2+q)] in compression and e^q
//! times that in restitution. The elastic energy stored at δ_max is mₑ·v₀²·s/2 =
//! K·δ_max^(n+1)/(n+1), and the sum of the losses is mₑ·v₀²·(1−e²)/2.
//!
//! # Validity
//! Single impacts with arbitrary m and q; the source shows e = 0.3, 0.6 and 0.9. Accurate for m =
//! n.
//!
//! # Remarks
//! For m = n and q = 1 this is the formula of Hu & Guo. For m ≠ n the profile should have the
//! exponent n+1. The damping is therefore too large by the factor R = (1+q/2)·μ·B(μ, 1+q/2), μ =
//! (m+1)/(n+1), even as e → 1 (R = 1.178 for n = 3/2, m = ¼, q = 1); see the corrected form. Over
//! 60 sets of exponents the largest error of the restitution is 3 % at 0.9, 19 % at 0.5 and 55 % at
//! 0.3. carom uses |δ̇|^q·sgn δ̇. The source's tables for q ≠ 1 agree with a complex power of the
//! negative rate, by which 5 % of the damping in restitution is lost for q = 0.9 and 1.1. Eqs. 8,
//! 17, 21, 36, 40, 47 and 49 are misprinted in the source; Eq. 35 follows from its assumptions.
//!
//! # Reference
//! J. Zhang, X. Liang, Z. Zhang, G. Feng, Q. Zhao, L. Zhao, G. He, A continuous contact force model
//! for impact analysis, Mech. Syst. Signal Process. 168 (2022) 108739.

use crate::law::Exit;
use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "zhang-2022",
    title: "Zhang, Liang, Zhang, Feng, Zhao, Zhao & He 2022",
    year: 2022,
    input: Input::Restitution,
    // The energy balance covers the contact from δ = 0 to the return to δ = 0.
    exit: Exit::ZeroIndentation,
    parameters: &[shared::DAMPING_EXPONENT, shared::RATE_EXPONENT],
    doi: Some("10.1016/j.ymssp.2021.108739"),
    build: |inputs| {
        let (n, m, q) = shared::free_exponents(inputs)?;
        inputs.power(n, m, q, Some(&|e| ratio(n, m, q, e)))
    },
    ..Model::BLANK
};

/// Computes ε(e) of Eq. 35.
pub(super) fn ratio(n: f64, m: f64, q: f64, e: f64) -> f64 {
    let eq = e.powf(q);
    let stored = (e * e + eq) / (1.0 + eq);
    let lost = (2.0 + q) * (m + 1.0) * (1.0 - e * e) / (4.0 * (1.0 + eq));
    lost * (0.5 * (n + 1.0) * stored).powf(-(m + 1.0) / (n + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_of_the_papers_steel_balls() {
        // m, q, e and ε for n = 3/2: rows of Tables 1 and 2.
        let rows = [
            (1.5, 1.0, 0.8892, 0.186910),
            (1.2, 0.9, 0.8892, 0.160040),
            (1.2, 1.1, 0.8892, 0.173189),
            (1.8, 0.9, 0.8892, 0.198552),
            (1.8, 1.1, 0.8892, 0.214936),
            (1.5, 1.0, 0.7568, 0.482030),
            (1.2, 0.9, 0.7568, 0.401062),
            (1.8, 1.1, 0.7568, 0.570786),
        ];
        for (m, q, e, epsilon) in rows {
            assert!((ratio(1.5, m, q, e) - epsilon).abs() < 1e-6, "{m} {q} {e}");
        }
    }
}
