//! Pant & Wijeyewickrema: a linear spring with Hunt–Crossley damping during approach only.
//!
//! # Equation
//! F = K·δ·(1 + ε·δ̇/v₀) for δ̇ > 0, K·δ for δ̇ ≤ 0; ε = 3(1−e²)/(2e²).
//!
//! # Derivation
//! The loss c·∫δ·δ̇ dδ of the approach is computed for the undamped path δ̇ = v₀·√(1−(δ/δ_m)²),
//! which gives c·v₀·δ_m²/3. The largest indentation for which the elastic energy is that of the
//! restitution e is δ_m² = e²·mₑ·v₀²/K. Equating the loss with ½·mₑ·v₀²(1−e²) gives c =
//! 3(1−e²)/(2e²)·K/v₀.
//!
//! # Validity
//! According to the source all restitutions; structural pounding. Linear pairs only (exponent 1).
//!
//! # Remarks
//! The force neither jumps at onset nor is tensile; the exits at zero force and at zero indentation
//! coincide. The formula is approximate: for a specified restitution of 0.9 it delivers 0.902, for
//! 0.5 it delivers 0.525 and for 0.1 it delivers 0.114. The exact relation for such a damper, for
//! every exponent, is e = √(2[ε − ln(1+ε)])/ε, which exact calibration solves. Some programs apply
//! the factor in both phases; that is a different law.
//!
//! # Reference
//! D. R. Pant, A. C. Wijeyewickrema, Structural performance of a base-isolated reinforced concrete
//! building subjected to seismic pounding, Earthq. Eng. Struct. Dyn. 41 (2012) 1709–1716.

use crate::model::{Input, Model};
use crate::models::shared::linear_stiffness;

pub const MODEL: Model = Model {
    id: "pant-wijeyewickrema-2012",
    title: "Pant & Wijeyewickrema 2012",
    aliases: &["pant-wijeyewickrema"],
    year: 2012,
    input: Input::Restitution,
    build: |inputs| {
        linear_stiffness(inputs)?;
        let ratio = |e: f64| 1.5 * (1.0 - e * e) / (e * e);
        inputs.compression_power(1.0, 1.0, 1.0, Some(&ratio))
    },
    ..Model::BLANK
};
