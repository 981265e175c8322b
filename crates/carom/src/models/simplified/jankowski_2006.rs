//! Jankowski: a more accurate formula for his law of pounding.
//!
//! # Equation
//! F = K·δ^(3/2) + 2ξ·√(K·mₑ)·δ^(1/4)·δ̇ for δ̇ > 0, K·δ^(3/2) for δ̇ ≤ 0;
//! ξ = (9√5/2)(1−e²)/{e·[e(9π−16) + 16]}.
//!
//! # Derivation
//! As in `jankowski-2005`, but the loss is the weighted sum of the losses on two paths: with weight
//! e the ellipse of the undamped approach (area π/4), with weight 1−e a speed that falls linearly
//! with the indentation (area ∫(1−y^(4/5)) dy = 4/9). Both formulas have the exact limit ξ =
//! (√5/π)(1−e) at e = 1.
//!
//! # Validity
//! All restitutions; structural pounding (concrete, steel); the damping does not depend on the
//! speed.
//!
//! # Remarks
//! The error is at most 0.009: for a specified restitution of 0.5 the formula delivers 0.495, for
//! 0.1 it delivers 0.093. The force is never tensile, and the exits at zero force and at zero
//! indentation coincide. With z = 2ξ/√5 the exact relation, which exact calibration solves, is ln
//! e = −z·arccos z/√(1−z²) (for z > 1, ln e = −z·arcosh z/√(z²−1)). For n ≠ 3/2 the damper has
//! δ^((n−1)/2) and ε = √(2(n+1))·z.
//!
//! # Reference
//! R. Jankowski, Analytical expression between the impact damping ratio and the coefficient of
//! restitution in the non-linear viscoelastic model of structural pounding, Earthq. Eng. Struct.
//! Dyn. 35 (2006) 517–524.

use super::jankowski_2005::law;
use crate::model::{Input, Model};
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "jankowski-2006",
    title: "Jankowski 2006",
    aliases: &["jankowski"],
    year: 2006,
    input: Input::Restitution,
    doi: Some("10.1002/eqe.537"),
    build: |inputs| {
        law(inputs, |e| 9.0 * (1.0 - e * e) / (e * (e * (9.0 * PI - 16.0) + 16.0)))
    },
    ..Model::BLANK
};
