//! Ye, Li & Zhu: a linear spring with damping in proportion to the indentation.
//!
//! # Equation
//! F = K·δ·(1 + ε·δ̇/v₀), ε = 3(1−e)/(2e), K in N/m.
//!
//! # Derivation
//! |δ̇| = v·√(1−(δ/δ_max)²), the profile of the undamped linear spring, v = v₀ and then e·v₀. The
//! losses of the phases are as 1 : e, mₑ·v₀²·e/2 = K·δ_max²/2 is stored at δ_max, and with I = ∫₀¹
//! z·√(1−z²) dz = 1/3 the balance gives ε = (1/2)(1−e)/(e·I).
//!
//! # Validity
//! Meant for all restitutions; pounding of base-isolated buildings, where Hertz's exponent has no
//! meaning.
//!
//! # Remarks
//! The factor of Hu & Guo, for n = 1: e(ε) does not depend on n, so the restitutions are the same.
//! 0.9 delivers 0.900, 0.5 delivers 0.488 and 0.1 delivers 0.074. In contrast to Kelvin–Voigt there
//! is neither a jump at first touch nor tension. Listed as of 2008, apart from the authors' Hertz
//! law of 2009; the journal paper also is of 2009.
//!
//! # Reference
//! K. Ye, L. Li, H. Zhu, A modified Kelvin impact model for pounding simulation of base-isolated
//! building with adjacent structures, Earthq. Eng. Eng. Vib. 8 (2009) 433–446.

use crate::model::{Input, Model};
use crate::models::profile::hu_guo_2015;
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "ye-li-zhu-2008",
    title: "Ye, Li & Zhu 2009, modified Kelvin model",
    aliases: &["ye-linear"],
    year: 2009,
    input: Input::Restitution,
    build: |inputs| {
        shared::linear(inputs)?;
        // Hu & Guo's factor, at n = 1.
        (hu_guo_2015::MODEL.build)(inputs)
    },
    ..Model::BLANK
};
