//! Goyal, Pinson & Sinden: a linear spring and damper that separate at zero force.
//!
//! # Equation
//! F = K·δ + c·δ̇, c = 2ζ·√(K·mₑ) (ε = 2ζ), where ζ solves e = exp(−2ζ·arccos ζ/√(1−ζ²)); for
//! ζ > 1, e = exp(−2ζ·arccosh ζ/√(ζ²−1)).
//!
//! # Derivation
//! δ = (v₀/ω_d)·exp(−ζωt)·sin ω_d·t with ω = √(K/mₑ), ω_d = ω·√(1−ζ²). The force, −mₑ·δ̈, is zero
//! again at ω_d·t = 2φ with cos φ = ζ, where the speed is v₀·exp(−2ζφ/√(1−ζ²)). This is monotone in
//! ζ: ζ = 1 gives e = exp(−2) = 0.135, and every e in (0, 1] corresponds to one ζ.
//!
//! # Validity
//! Any restitution; rigid bodies with a viscoelastic surface layer.
//!
//! # Remarks
//! The restitution is delivered exactly if contact ends at F = 0. If contact ends at δ = 0, the law
//! delivers 0.436 for a specified 0.5 and does not separate for 0.1. The force jumps by c·v₀ at
//! onset. The review prints c = ζ/(2·mₑ·ω), in s/kg, where 2ζ·mₑ·ω is meant. It also prints an
//! exponent of 4ζ with the full angle, where 2ζ is correct; as printed, √e would be delivered
//! (0.707 for 0.5).
//!
//! # Reference
//! S. Goyal, E. N. Pinson, F. W. Sinden, Simulation of dynamics of interacting rigid bodies
//! including friction I: general problem and contact model, Eng. Comput. 10 (1994) 162–174.

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "goyal-pinson-sinden-1994",
    title: "Goyal, Pinson & Sinden 1994",
    aliases: &["goyal"],
    year: 1994,
    input: Input::Restitution,
    doi: Some("10.1007/BF01198742"),
    build: |inputs| {
        shared::linear_stiffness(inputs)?;
        shared::exact_power(inputs, 1.0, 0.0, 1.0)
    },
    ..Model::BLANK
};
