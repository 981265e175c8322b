//! Derjaguin, Muller & Toporov: Hertz's contact with a constant attraction.
//!
//! # Equation
//! F = (4/3)·E*·√R·δ^(3/2) − 2π·w·R.
//!
//! # Derivation
//! The attraction acts in a ring outside the contact area and does not change its shape, so Hertz's
//! law remains valid. At first touch the attraction of two spheres with the work of adhesion w is
//! 2π·w·R (Bradley); it is taken as constant.
//!
//! # Validity
//! Small, stiff, weakly adhesive spheres (Tabor parameter below about 0.1).
//!
//! # Remarks
//! The law is conservative: the attraction acts during compression and restitution alike, and
//! contact begins and ends at δ = 0, so the restitution is 1. The stored energy is the potential,
//! which is 0 at δ = 0. Contact cannot end at zero force. A restitution cannot be specified. The
//! stiffness and exponent of the pair are not used.
//!
//! # Reference
//! B. V. Derjaguin, V. M. Muller, Y. P. Toporov, Effect of contact deformations on the adhesion of
//! particles, J. Colloid Interface Sci. 53 (1975) 314–326.

use super::jkr_1971::{SPHERES, spheres};
use crate::law::{Dmt, Exit};
use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "dmt-1975",
    title: "Derjaguin, Muller & Toporov 1975",
    aliases: &["dmt", "derjaguin-muller-toporov-1975"],
    year: 1975,
    input: Input::Material,
    exit: Exit::ZeroIndentation,
    parameters: SPHERES,
    doi: Some("10.1016/0021-9797(75)90018-1"),
    build: |inputs| {
        let (modulus, radius, adhesion) = spheres(inputs)?;
        Ok(inputs.law(Dmt::new(modulus, radius, adhesion)))
    },
    ..Model::BLANK
};
