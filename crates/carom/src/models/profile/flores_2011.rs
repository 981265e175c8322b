//! Flores, Machado, Silva & Martins: damping from a parabolic velocity profile.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 8(1−e)/(5e).
//!
//! # Derivation
//! The rate is assumed to follow |δ̇| = v·√(1−(δ/δ_max)²), with v = v₀ in compression and v = e·v₀
//! in restitution. With I = ∫₀¹ z^(3/2)·√(1−z²) dz ≈ 1/4 the energy balance gives ε =
//! (2/5)(1−e)/(e·I).
//!
//! # Validity
//! According to the authors all restitutions, soft and hard materials, and joints with clearance.
//!
//! # Remarks
//! Near e = 1 the damping is about 7 % too large (dε/d(1−e) is 1.6, the exact value is 3/2). For a
//! specified restitution of 0.5 the formula delivers 0.470, for 0.1 it delivers 0.069. The formula
//! is the same as that of Ye, Li & Zhu 2009.
//!
//! # Reference
//! P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models for soft
//! materials in multibody dynamics, Multibody Syst. Dyn. 25 (2011) 357–375.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "flores-2011",
    title: "Flores, Machado, Silva & Martins 2011",
    aliases: &["flores"],
    year: 2011,
    input: Input::Restitution,
    doi: Some("10.1007/s11044-010-9237-4"),
    build: |inputs| inputs.hunt_crossley(&|e| 8.0 * (1.0 - e) / (5.0 * e)),
    ..Model::BLANK
};
