//! Yu, Chu, Li et al.: a piecewise fit to the exact equation.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = d(e)/e, with d = 1 up to e = 0.25 and cubic polynomials in e, one
//! for each of (0.25, 0.4], (0.4, 0.6], (0.6, 0.8] and (0.8, 1].
//!
//! # Derivation
//! d = εe is the root of (1 + d/e)/(1−d) = exp[d(1 + 1/e)], see Zhang & Sharf; each cubic is a fit
//! to it over its interval. Below 0.25 the source uses the limit d = 1, that is ε = 1/e.
//!
//! # Validity
//! All restitutions.
//!
//! # Remarks
//! Above 0.25 the fit is within 10⁻⁴ of the exact d, and the specified restitution is delivered.
//! Below 0.25 the damping is too large: for 0.2 the formula delivers 0.197, for 0.1 it delivers
//! 0.100. d jumps from 1 to 0.9602 at 0.25, and slightly at the other boundaries. The source states
//! as reason for d = 1 that the equation has no solution there. This is an artefact of the residual
//! it uses: the equation has a root for every e.
//!
//! # Reference
//! J. Yu, J. Chu, Y. Li et al., An improved compliant contact force model using a piecewise
//! function for impact analysis in multibody dynamics, Proc. Inst. Mech. Eng. K 234 (2020).

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "yu-2020",
    title: "Yu, Chu, Li et al. 2020",
    aliases: &["yu"],
    year: 2020,
    input: Input::Restitution,
    doi: Some("10.1177/1464419319900874"),
    build: |inputs| inputs.hunt_crossley(&|e| product(e) / e),
    ..Model::BLANK
};

/// Returns d = εe.
fn product(e: f64) -> f64 {
    let [a, b, c, d] = match e {
        _ if e <= 0.25 => return 1.0,
        _ if e <= 0.4 => [2.1663, -3.7216, 0.8724, 0.9409],
        _ if e <= 0.6 => [1.1664, -2.4893, 0.3625, 1.0117],
        _ if e <= 0.8 => [0.5048, -1.3255, -0.3236, 1.1472],
        _ => [0.2256, -0.6663, -0.8437, 1.2844],
    };
    // Just below e = 1 rounding could make d negative, and with it the damping.
    (((a * e + b) * e + c) * e + d).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cubics_follow_the_exact_root() {
        // e and the exact d = εe.
        let exact = [
            (0.3, 0.926_124_594_338_887),
            (0.4, 0.832_999_265_658_803),
            (0.5, 0.716_375_266_635_688),
            (0.6, 0.584_923_026_487_959),
            (0.7, 0.444_379_796_886_492),
            (0.8, 0.298_516_962_692_043),
            (0.9, 0.149_833_755_616_777),
            (1.0, 0.0),
        ];
        for (e, d) in exact {
            assert!((product(e) - d).abs() < 1e-4, "{e}: {}", product(e));
        }
    }
}
