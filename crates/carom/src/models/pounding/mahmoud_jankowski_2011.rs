//! Mahmoud & Jankowski: a linear spring, damped while the bodies approach.
//!
//! # Equation
//! F = K·δ + 2ξ·√(K·mₑ)·δ̇ for δ̇ > 0, K·δ for δ̇ ≤ 0; ξ = (1−e²)/{e·[e(π−2) + 2]}.
//!
//! # Derivation
//! Kelvin and Voigt's damper pulls before the end; without it in restitution the force never does.
//! The loss c·∫δ̇ dδ of the approach is taken over a mixture of two paths: with weight e the
//! undamped quarter period (area π/4), with weight 1−e a speed that falls linearly with the
//! indentation (area 1/2). With the peak e·v₀·√(mₑ/K) that gives e back, and the loss
//! ½·mₑ·v₀²(1−e²), this is the formula.
//!
//! # Validity
//! All restitutions, every speed; structural pounding. Linear pairs only (exponent 1).
//!
//! # Remarks
//! Good to 0.007: 0.5 delivers 0.506, 0.1 delivers 0.1025. The force jumps to c·v₀ at touch. Zero
//! force and zero indentation are the same end. The exact relation is ln e = −ξ·arccos ξ/√(1−ξ²) (ξ
//! > 1: −ξ·arcosh ξ/√(ξ²−1)), which an exact restitution solves.
//!
//! # Reference
//! S. Mahmoud, R. Jankowski, Modified linear viscoelastic model of earthquake-induced structural
//! pounding, Iran. J. Sci. Technol. Trans. Civ. Eng. 35 (2011) 51–62.

use crate::model::{Input, Model};
use crate::models::shared::linear;
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "mahmoud-jankowski-2011",
    title: "Mahmoud & Jankowski 2011",
    aliases: &["mahmoud-jankowski"],
    year: 2011,
    input: Input::Restitution,
    build: |inputs| {
        linear(inputs)?;
        let ratio = |e: f64| 2.0 * (1.0 - e * e) / (e * (e * (PI - 2.0) + 2.0));
        inputs.compression_power(1.0, 0.0, 1.0, Some(&ratio))
    },
    ..Model::BLANK
};
