//! Wang et al.: the restitution from the yield strengths and the speed.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (3/4)(1−c²)·exp[2(1−c)], c = 1 − 0.26·K*·v₀^(1/3).
//! K* from the yield strengths σ₁ ≥ σ₂: σ₁/(σ₁−σ₂) if σ₁ ≥ 2σ₂; σ₁/σ₂ if σ₁ ≈ σ₂; else σ₁/(σ₁+σ₂).
//!
//! # Derivation
//! Because of yielding the restitution decreases with the approach speed; here it decreases with
//! the cube root of the speed, and with a factor K* that describes how different the two materials
//! are. 0.26 is an empirical number. This restitution, which depends only on the materials and v₀,
//! is inserted into Zhiying and Qishao's formula.
//!
//! # Validity
//! Materials that yield, v₀ < (0.26·K*)⁻³, where c reaches 0 (57 m/s for K* = 1). Accurate for c >
//! 0.3, as is Zhiying and Qishao's formula.
//!
//! # Remarks
//! No restitution is needed: give `yield_1` and `yield_2`, or `k_star` itself. If a published
//! restitution e is specified, it is used as c (0.896 is delivered for 0.9, 0.483 for 0.5). The
//! number 0.26 has the implicit unit (s/m)^(1/3), with speeds in m/s. Above the speed at which c
//! would become negative, c is kept at 0, the strongest damping of this formula (0.179 is
//! delivered). K* jumps from 2 to 2/3 at σ₁ = 2σ₂ and from 1 to about 1/2 near σ₁ = σ₂. It is used
//! as the review prints it, with σ₁ the larger of the two and `≈` interpreted as within 1 %. The
//! review's Table 1 prints c³ in place of c²; that variant is `wang-2019-table`.
//!
//! # Reference
//! Wang et al., in Chinese, reference 185 of E. Corral, R. Gismeros Moreno, M. J. Gómez García, C.
//! Castejón, Nonlinear phenomena of contact in multibody systems dynamics: a review, Nonlinear Dyn.
//! 104 (2021) 1269–1295, eqs 5.58–5.60. The formulas are those of the review; the original paper
//! was not available.

use super::zhiying_qishao_2006::ratio;
use crate::error::Result;
use crate::law::{Damper, Law, Power};
use crate::model::{Damping, Input, Inputs, Model, Parameter};
use crate::models::shared::{POSITIVE, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "wang-2019",
    title: "Wang et al. 2019",
    aliases: &["wang"],
    year: 2019,
    input: Input::Material,
    restitution: (0.3, 1.0),
    parameters: PARAMETERS,
    build: |inputs| law(inputs, ratio, |speed, [k_star, _]| ratio(restitution(speed, k_star))),
    ..Model::BLANK
};

/// The yield strengths of both bodies, or K* computed from them.
pub(crate) const PARAMETERS: &[Parameter] = &[
    parameter("yield_1", "Pa", POSITIVE)
        .help("yield strength of body 1; not needed where k_star is set"),
    parameter("yield_2", "Pa", POSITIVE)
        .help("yield strength of body 2; not needed where k_star is set"),
    parameter("k_star", "", POSITIVE)
        .help("K* of c = 1 - 0.26 K* v0^(1/3), in place of the yield strengths"),
];

/// Builds the law from ε(c) and from ε(v₀, [K*, _]), which are the same formula as a function of
/// different variables.
pub(crate) fn law(
    inputs: &Inputs,
    ratio: fn(f64) -> f64,
    of_speed: fn(f64, [f64; 2]) -> f64,
) -> Result<Law> {
    let n = inputs.pair.exponent;
    if inputs.damping != Damping::None {
        refuse_parameter(inputs, "k_star")?;
        return inputs.power(n, n, 1.0, Some(&ratio));
    }
    let k_star = match inputs.optional("k_star")? {
        Some(k_star) => k_star,
        None => k_star(inputs.positive("yield_1")?, inputs.positive("yield_2")?),
    };
    let damper = Damper::OfSpeed(of_speed, [k_star, 0.0]);
    Ok(inputs.law(Power::new(inputs.pair.stiffness, n, n, 1.0, damper)))
}

/// Computes the restitution of the materials at this speed (m/s), which is kept at 0 where the
/// formula would be negative.
pub(crate) fn restitution(speed: f64, k_star: f64) -> f64 {
    (1.0 - 0.26 * k_star * speed.cbrt()).clamp(0.0, 1.0)
}

/// Computes K* as printed, from the yield strengths in any order.
fn k_star(a: f64, b: f64) -> f64 {
    let (high, low) = (a.max(b), a.min(b));
    if high >= 2.0 * low {
        high / (high - low)
    } else if high - low <= 0.01 * high {
        high / low
    } else {
        high / (high + low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_cases_of_the_printed_rule() {
        assert_eq!(k_star(3.0, 1.0), 1.5);
        assert_eq!(k_star(1.0, 3.0), 1.5, "the order of the bodies does not matter");
        assert_eq!(k_star(2.0, 2.0), 1.0);
        assert_eq!(k_star(3.0, 2.0), 0.6);
    }

    #[test]
    fn beyond_the_range_of_the_formula_the_restitution_is_held() {
        assert!((restitution(1.0, 1.0) - 0.74).abs() < 1e-15);
        assert_eq!((restitution(0.0, 1.0), restitution(1e3, 1.0)), (1.0, 0.0));
        assert!(ratio(restitution(1e3, 1.0)).is_finite());
    }
}
