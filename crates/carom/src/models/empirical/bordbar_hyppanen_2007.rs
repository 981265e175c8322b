//! Bordbar & Hyppänen: a damping exponent fitted to impacts of ice.
//!
//! # Equation
//! F = K·δⁿ + c·δ^0.65·δ̇, n = 3/2, c in N·s/m^1.65.
//!
//! # Derivation
//! The exponent 0.65 was chosen so that the restitution of colliding ice particles decreases with
//! speed as measured. With L = (mₑ·v₀²/K)^(1/(n+1)), ε = c·L^1.65/(mₑ·v₀) grows as v₀^0.32 for n =
//! 3/2, and 1−e = 1.0405·ε for a small loss.
//!
//! # Validity
//! Discrete elements; collisions of ice particles (Saturn's rings). The authors compared the law
//! with finite elements.
//!
//! # Remarks
//! The force becomes tensile before δ = 0. The source has no formula for a restitution. If the law
//! is calibrated exactly for a restitution of 0.5 and one exit of contact but run with the other,
//! it delivers 0.522 (calibrated for δ = 0, run to F = 0) or 0.475 (the reverse).
//!
//! # Reference
//! M. H. Bordbar, T. Hyppänen, Modeling of binary collision between multisize viscoelastic spheres,
//! J. Numer. Anal. Ind. Appl. Math. 2 (2007) 115–128.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "bordbar-hyppanen-2007",
    title: "Bordbar & Hyppänen 2007",
    aliases: &["bordbar-hyppanen"],
    year: 2007,
    input: Input::Coefficient,
    build: |inputs| inputs.power(inputs.pair.exponent, 0.65, 1.0, None),
    ..Model::BLANK
};
