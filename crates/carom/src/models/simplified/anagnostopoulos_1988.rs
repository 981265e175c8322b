//! Anagnostopoulos: a linear spring and damper for the pounding of buildings.
//!
//! # Equation
//! F = K·δ + 2ζ·√(K·mₑ)·δ̇, ζ = −ln e/√(π² + ln² e).
//!
//! # Derivation
//! The motion is a damped oscillation. Half a period after onset the indentation is zero again, and
//! the speed has been reduced by the factor exp(−πζ/√(1−ζ²)); equating this factor with e and
//! solving for ζ gives the formula. In carom's notation ε = c/√(K·mₑ) = 2ζ, at every speed.
//!
//! # Validity
//! All restitutions, for contact that ends at zero indentation. Structural pounding; linear pairs
//! only (exponent 1).
//!
//! # Remarks
//! The restitution is delivered exactly if contact ends at zero indentation. The force jumps to
//! c·v₀ at onset and is tensile before the end. If contact ends at zero force instead, the
//! restitution is higher: 0.550 for a specified 0.5 and 0.253 for 0.1. The review does not state
//! the exit of contact.
//!
//! # Reference
//! S. A. Anagnostopoulos, Pounding of buildings in series during earthquakes, Earthq. Eng. Struct.
//! Dyn. 16 (1988) 443–456.

use crate::law::Exit;
use crate::model::{Input, Model};
use crate::models::shared::linear_stiffness;
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "anagnostopoulos-1988",
    title: "Anagnostopoulos 1988",
    aliases: &["anagnostopoulos"],
    year: 1988,
    input: Input::Restitution,
    exit: Exit::ZeroIndentation,
    doi: Some("10.1002/eqe.4290160311"),
    build: |inputs| {
        linear_stiffness(inputs)?;
        inputs.power(1.0, 0.0, 1.0, Some(&|e| 2.0 * damping_ratio(e)))
    },
    ..Model::BLANK
};

/// Computes ζ of the oscillator whose speed is reduced by the factor e in half a period.
pub(crate) fn damping_ratio(e: f64) -> f64 {
    let loss = e.ln().abs();
    loss / PI.hypot(loss)
}
