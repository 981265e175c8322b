//! Ye, Li & Zhu: a linear spring with damping in proportion to the indentation.
//!
//! # Equation
//! F = K·δ·(1 + ε·δ̇/v₀), ε = 3(1−e)/(2e), K in N/m.
//!
//! # Derivation
//! The assumed rate |δ̇| = v·√(1−(δ/δ_max)²) is that of the undamped linear spring, with v = v₀ in
//! compression and v = e·v₀ in restitution. The losses of the two phases then have the ratio 1 : e,
//! and mₑ·v₀²·e/2 = K·δ_max²/2 is stored at δ_max. With I = ∫₀¹ z·√(1−z²) dz = 1/3 the energy
//! balance gives ε = (1/2)(1−e)/(e·I).
//!
//! # Validity
//! According to the authors all restitutions; pounding of base-isolated buildings, where Hertz's
//! exponent has no meaning.
//!
//! # Remarks
//! The formula is that of Hu & Guo for n = 1. As e(ε) does not depend on n, the restitutions are
//! the same: 0.900 is delivered for a specified 0.9, 0.488 for 0.5 and 0.074 for 0.1. In contrast
//! to Kelvin–Voigt, the force neither jumps at onset nor becomes tensile. The law is listed under
//! 2008, to distinguish it from the authors' Hertz law of 2009; the journal paper is also of 2009.
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
        shared::linear_stiffness(inputs)?;
        // The formula of Hu & Guo, at n = 1.
        (hu_guo_2015::MODEL.build)(inputs)
    },
    ..Model::BLANK
};
