//! Mahmoud & Jankowski: a linear spring with a damper that acts during approach only.
//!
//! # Equation
//! F = K·δ + 2ξ·√(K·mₑ)·δ̇ for δ̇ > 0, K·δ for δ̇ ≤ 0; ξ = (1−e²)/{e·[e(π−2) + 2]}.
//!
//! # Derivation
//! The force of a Kelvin–Voigt contact is tensile before the end; without the damper in restitution
//! it never is. The loss c·∫δ̇ dδ of the approach is the weighted sum of the losses on two paths:
//! with weight e the undamped quarter period (area π/4), with weight 1−e a speed that falls
//! linearly with the indentation (area 1/2). With the largest indentation e·v₀·√(mₑ/K), for which
//! the elastic energy is that of the restitution e, and with the loss ½·mₑ·v₀²(1−e²), the formula
//! follows.
//!
//! # Validity
//! All restitutions and speeds; structural pounding. Linear pairs only (exponent 1).
//!
//! # Remarks
//! The error is at most 0.007: for a specified restitution of 0.5 the formula delivers 0.506, for
//! 0.1 it delivers 0.1025. The force jumps to c·v₀ at onset. The exits at zero force and at zero
//! indentation coincide. The exact relation, which exact calibration solves, is ln e = −ξ·arccos
//! ξ/√(1−ξ²) (for ξ > 1, ln e = −ξ·arcosh ξ/√(ξ²−1)).
//!
//! # Reference
//! S. Mahmoud, R. Jankowski, Modified linear viscoelastic model of earthquake-induced structural
//! pounding, Iran. J. Sci. Technol. Trans. Civ. Eng. 35 (2011) 51–62.

use crate::model::{Input, Model};
use crate::models::shared::linear_stiffness;
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "mahmoud-jankowski-2011",
    title: "Mahmoud & Jankowski 2011",
    aliases: &["mahmoud-jankowski"],
    year: 2011,
    input: Input::Restitution,
    build: |inputs| {
        linear_stiffness(inputs)?;
        let ratio = |e: f64| 2.0 * (1.0 - e * e) / (e * (e * (PI - 2.0) + 2.0));
        inputs.compression_power(1.0, 0.0, 1.0, Some(&ratio))
    },
    ..Model::BLANK
};
