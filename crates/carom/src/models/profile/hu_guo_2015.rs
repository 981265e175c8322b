//! Hu & Guo: damping from the velocity profile of elastic motion.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e)/(2e).
//!
//! # Derivation
//! |δ̇| = v·√(1−(δ/δ_max)^(5/2)), the profile of Hertz's undamped contact, v = v₀ in compression
//! and e·v₀ in restitution. The losses of the phases are as 1 : e, mₑ·v₀²·e/2 is stored at δ_max,
//! and with I = ∫₀¹ z^(3/2)·√(1−z^(5/2)) dz = 4/15 the balance gives ε = (2/5)(1−e)/(e·I). The same
//! for any n, with n+1 in place of 5/2.
//!
//! # Validity
//! Meant for all restitutions; soft materials, biomechanics, bearings.
//!
//! # Remarks
//! Right to first order at e = 1: 0.9 delivers 0.900. Too much damping where it is low: 0.5
//! delivers 0.488, 0.2 delivers 0.166 (the worst, −0.034) and 0.1 delivers 0.074.
//!
//! # Reference
//! S. Hu, X. Guo, A dissipative contact force model for impact analysis in multibody dynamics,
//! Multibody Syst. Dyn. 35 (2015) 131–151.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "hu-guo-2015",
    title: "Hu & Guo 2015",
    aliases: &["hu-guo"],
    year: 2015,
    input: Input::Restitution,
    doi: Some("10.1007/s11044-015-9453-z"),
    build: |inputs| inputs.hunt_crossley(&|e| 3.0 * (1.0 - e) / (2.0 * e)),
    ..Model::BLANK
};
