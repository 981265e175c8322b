//! Hu & Guo: damping from the velocity profile of an elastic impact.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e)/(2e).
//!
//! # Derivation
//! The assumed rate |δ̇| = v·√(1−(δ/δ_max)^(5/2)) is that of Hertz's undamped contact, with v = v₀
//! in compression and v = e·v₀ in restitution. The losses of the two phases then have the ratio 1 :
//! e, and the energy mₑ·v₀²·e/2 is stored at δ_max. With I = ∫₀¹ z^(3/2)·√(1−z^(5/2)) dz = 4/15 the
//! energy balance gives ε = (2/5)(1−e)/(e·I). For any other n, with n+1 in place of 5/2, the result
//! is the same.
//!
//! # Validity
//! According to the authors all restitutions; soft materials, biomechanics, bearings.
//!
//! # Remarks
//! The formula is exact to first order at e = 1: for a specified restitution of 0.9 it delivers
//! 0.900. At low restitutions the damping is too large: for 0.5 it delivers 0.488, for 0.2 it
//! delivers 0.166 (the largest error, −0.034) and for 0.1 it delivers 0.074.
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
