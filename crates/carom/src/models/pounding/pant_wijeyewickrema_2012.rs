//! Pant & Wijeyewickrema: a linear spring with Hunt–Crossley damping while the bodies approach.
//!
//! # Equation
//! F = K·δ·(1 + ε·δ̇/v₀) for δ̇ > 0, K·δ for δ̇ ≤ 0; ε = 3(1−e²)/(2e²).
//!
//! # Derivation
//! The loss c·∫δ·δ̇ dδ of the approach is taken over the undamped path δ̇ = v₀·√(1−(δ/δ_m)²), which
//! gives c·v₀·δ_m²/3. The peak that gives e back is δ_m² = e²·mₑ·v₀²/K. Equated with ½·mₑ·v₀²(1−e²)
//! this is c = 3(1−e²)/(2e²)·K/v₀.
//!
//! # Validity
//! All restitutions in the source; structural pounding. Linear pairs only (exponent 1).
//!
//! # Remarks
//! No jump at touch and no tension; zero force and zero indentation are the same end. Approximate:
//! 0.9 delivers 0.902, 0.5 delivers 0.525, 0.1 delivers 0.114. The exact relation for such a
//! damper, for every exponent, is e = √(2[ε − ln(1+ε)])/ε, which an exact restitution solves. Some
//! programs apply the factor in both phases; that is another law.
//!
//! # Reference
//! D. R. Pant, A. C. Wijeyewickrema, Structural performance of a base-isolated reinforced concrete
//! building subjected to seismic pounding, Earthq. Eng. Struct. Dyn. 41 (2012) 1709–1716.

use crate::model::{Input, Model};
use crate::models::shared::linear;

pub const MODEL: Model = Model {
    id: "pant-wijeyewickrema-2012",
    title: "Pant & Wijeyewickrema 2012",
    aliases: &["pant-wijeyewickrema"],
    year: 2012,
    input: Input::Restitution,
    build: |inputs| {
        linear(inputs)?;
        let ratio = |e: f64| 1.5 * (1.0 - e * e) / (e * e);
        inputs.compression_power(1.0, 1.0, 1.0, Some(&ratio))
    },
    ..Model::BLANK
};
