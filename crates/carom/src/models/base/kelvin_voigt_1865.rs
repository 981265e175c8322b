//! Kelvin and Voigt: a linear spring and a linear damper in parallel.
//!
//! # Equation
//! F = K·δ + c·δ̇, K in N/m and c in N·s/m.
//!
//! # Derivation
//! The impact is that of a damped oscillator with ζ = c/(2·√(K·mₑ)), ε = 2ζ. If contact ends at δ =
//! 0, e = exp(−πζ/√(1−ζ²)); for ζ ≥ 1 the bodies do not separate. The force is zero earlier, at
//! ω_d·t = 2·arccos ζ, with e = exp(−2ζ·arccos ζ/√(1−ζ²)); for ζ > 1, arccos ζ/√(1−ζ²) is replaced
//! by arccosh ζ/√(ζ²−1), and at ζ = 1, e = exp(−2).
//!
//! # Validity
//! Linear viscoelastic contact: pads, clearances in machines, flexible multibody systems, snow.
//!
//! # Remarks
//! The force jumps by c·v₀ at onset, and it is tensile before δ = 0; if contact ends at zero force,
//! there is no tension. K, c and the restitution do not depend on the speed, so the law can also be
//! used in lasting contact. The source has no formula for c from a restitution; Anagnostopoulos
//! (exit at δ = 0) and Goyal, Pinson & Sinden (exit at F = 0) do.
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
        shared::linear_stiffness(inputs)?;
        inputs.power(1.0, 0.0, 1.0, None)
    },
    ..Model::BLANK
};
