//! Ye, Li & Zhu: Hertz contact with nonlinear damping for pounding, from a parabolic velocity
//! profile.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 8(1−e)/(5e).
//!
//! # Derivation
//! |δ̇| = v·√(1−(δ/δ_max)²), v = v₀ in compression and e·v₀ in restitution, makes the losses of the
//! phases 1 : e, so that mₑ·v₀²·e/2 is stored at δ_max. With n = 3/2 and I = ∫₀¹ z^(3/2)·√(1−z²)
//! dz = 0.2497 ≈ 1/4 the balance gives ε = (2/5)(1−e)/(e·I).
//!
//! # Validity
//! Meant for all restitutions; pounding of adjacent buildings.
//!
//! # Remarks
//! A correction of the factor that had been used for pounding (that of Lankarani & Nikravesh), and
//! two years before Flores and co-authors the same formula as theirs. About 7 % too much damping
//! near e = 1 (slope 1.6 where 3/2 is exact); 0.9 delivers 0.894, 0.5 delivers 0.470 and 0.1
//! delivers 0.069.
//!
//! # Reference
//! K. Ye, L. Li, H. Zhu, A note on the Hertz contact model with nonlinear damping for pounding
//! simulation, Earthq. Eng. Struct. Dyn. 38 (2009) 1135–1142.

use crate::model::{Input, Model};
use crate::models::profile::flores_2011;

pub const MODEL: Model = Model {
    id: "ye-li-zhu-2009",
    title: "Ye, Li & Zhu 2009",
    aliases: &["ye"],
    year: 2009,
    input: Input::Restitution,
    doi: Some("10.1002/eqe.883"),
    // One formula, found twice.
    build: flores_2011::MODEL.build,
    ..Model::BLANK
};
