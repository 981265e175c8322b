//! Jankowski: nonlinear pounding with a damper that acts during approach only.
//!
//! # Equation
//! F = K·δ^(3/2) + 2ξ·√(K·mₑ)·δ^(1/4)·δ̇ for δ̇ > 0, K·δ^(3/2) for δ̇ ≤ 0; ξ = (√5/2π)(1−e²)/e.
//!
//! # Derivation
//! Most of the energy loss of a pounding impact occurs during approach. The damper therefore acts
//! only there, and the force is never tensile. With y = δ^(5/4) and dτ = δ^(1/4)·dt the approach is
//! a linear oscillator with the damping ratio z = 2ξ/√5. Its loss 2zω·∫ẏ dy is computed for an
//! elliptic path from the speed v₀ to the largest value e·v₀/ω, for which the elastic energy is
//! that of the restitution e: (π/2)·z·e·v₀². Equating it with ½(1−e²)·v₀² gives z = (1−e²)/(π·e).
//!
//! # Validity
//! According to the source all restitutions; structural pounding (concrete, steel); the damping
//! does not depend on the speed.
//!
//! # Remarks
//! The formula is approximate: for a specified restitution of 0.5 it delivers 0.558 and for 0.1 it
//! delivers 0.148; the largest error is 0.077. `jankowski-2006` is ten times more accurate. The
//! exact relation, which exact calibration solves, is ln e = −z·arccos z/√(1−z²). For n ≠ 3/2 the
//! damper has δ^((n−1)/2) and ε = √(2(n+1))·z, which is the same oscillator.
//!
//! # Reference
//! R. Jankowski, Non-linear viscoelastic modelling of earthquake-induced structural pounding,
//! Earthq. Eng. Struct. Dyn. 34 (2005) 595–611; the formula for ξ is the first of the two in
//! Earthq. Eng. Struct. Dyn. 35 (2006) 517–524.

use crate::error::Result;
use crate::law::Law;
use crate::model::{Input, Inputs, Model};
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "jankowski-2005",
    title: "Jankowski 2005",
    year: 2005,
    input: Input::Restitution,
    doi: Some("10.1002/eqe.434"),
    build: |inputs| law(inputs, |e| (1.0 - e * e) / (PI * e)),
    ..Model::BLANK
};

/// Builds the law from z(e), the damping ratio of the oscillator that represents the approach.
pub(crate) fn law(inputs: &Inputs, damping_ratio: fn(f64) -> f64) -> Result<Law> {
    let n = inputs.pair.exponent;
    let ratio = |e: f64| (2.0 * (n + 1.0)).sqrt() * damping_ratio(e);
    inputs.compression_power(n, 0.5 * (n - 1.0), 1.0, Some(&ratio))
}
