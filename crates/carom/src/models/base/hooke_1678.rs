//! Hooke's linear spring.
//!
//! # Equation
//! F = K·δ, K in N/m.
//!
//! # Derivation
//! Force in proportion to extension. A flat punch is the contact that really behaves so: its area
//! does not grow with δ. An impact is half a period of an oscillator: δ_max = v₀·√(mₑ/K),
//! F_max = v₀·√(K·mₑ) and a duration of π·√(mₑ/K), whatever the speed.
//!
//! # Validity
//! Small, linear, lossless contact; flat contact areas; penalty springs.
//!
//! # Remarks
//! No dissipation: the restitution is 1. It knows neither shape nor material, so K has to be
//! chosen. The pair must have exponent 1, because a K given in N/mⁿ with another n is a different
//! quantity. The law was found about 1660 and printed in 1678; the review's 1661 is neither.
//!
//! # Reference
//! R. Hooke, Lectures de potentia restitutiva, or of spring, J. Martyn, London (1678).

use crate::law::Power;
use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "hooke-1678",
    title: "Hooke 1678",
    aliases: &["hooke"],
    year: 1678,
    input: Input::Elastic,
    build: |inputs| {
        shared::linear(inputs)?;
        Ok(inputs.law(Power::elastic(inputs.pair.stiffness, 1.0)))
    },
    ..Model::BLANK
};
