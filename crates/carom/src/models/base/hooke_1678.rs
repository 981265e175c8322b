//! Hooke's linear spring.
//!
//! # Equation
//! F = K·δ, K in N/m.
//!
//! # Derivation
//! The force is proportional to the indentation. A flat punch behaves exactly in this way, because
//! its contact area does not grow with δ. An impact is half a period of an oscillator: δ_max =
//! v₀·√(mₑ/K), F_max = v₀·√(K·mₑ), and the duration is π·√(mₑ/K) at every speed.
//!
//! # Validity
//! Small linear deformations without losses; flat contact areas; penalty springs.
//!
//! # Remarks
//! There is no dissipation: the restitution is 1. The law contains neither shape nor material, so K
//! has to be chosen. The pair must have the exponent 1, because K given in N/mⁿ with another n is a
//! different quantity. The law was found about 1660 and printed in 1678; the year 1661 of the
//! review is neither.
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
        shared::linear_stiffness(inputs)?;
        Ok(inputs.law(Power::elastic(inputs.pair.stiffness, 1.0)))
    },
    ..Model::BLANK
};
