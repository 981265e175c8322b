//! Kelvin and Voigt: a linear spring beside a linear damper.
//!
//! # Equation
//! F = K·δ + c·δ̇, K in N/m and c in N·s/m.
//!
//! # Derivation
//! A damped oscillator with ζ = c/(2·√(K·mₑ)), ε = 2ζ. It leaves at δ = 0 with
//! e = exp(−πζ/√(1−ζ²)), and never for ζ ≥ 1. The force is zero earlier, at ω_d·t = 2·arccos ζ,
//! with e = exp(−2ζ·arccos ζ/√(1−ζ²)); for ζ > 1 read arccosh ζ/√(ζ²−1), and e = exp(−2) at ζ = 1.
//!
//! # Validity
//! Linear viscoelastic contact: pads, clearances in machines, flexible multibody systems, snow.
//!
//! # Remarks
//! The force jumps by c·v₀ at first touch, and it pulls before δ = 0; ending the contact at zero
//! force avoids the pull. Neither K nor c depends on the speed, and so neither does the
//! restitution, which keeps the law sound in sustained contact. The source gives no rule for c from
//! a restitution; Anagnostopoulos (δ = 0) and Goyal, Pinson & Sinden (F = 0) do.
//!
//! # Reference
//! W. Thomson (Lord Kelvin), On the elasticity and viscosity of metals, Proc. R. Soc. London 14
//! (1865) 289–297; also O. E. Meyer (1874) and W. Voigt (1892).

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "kelvin-voigt-1865",
    title: "Kelvin 1865, Voigt 1892",
    aliases: &["kelvin-voigt"],
    year: 1865,
    input: Input::Coefficient,
    doi: Some("10.1098/rspl.1865.0052"),
    build: |inputs| {
        shared::linear(inputs)?;
        inputs.power(1.0, 0.0, 1.0, None)
    },
    ..Model::BLANK
};
