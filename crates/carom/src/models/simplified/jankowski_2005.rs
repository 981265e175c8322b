//! Jankowski: nonlinear pounding, damped while the bodies approach.
//!
//! # Equation
//! F = K·δ^(3/2) + 2ξ·√(K·mₑ)·δ^(1/4)·δ̇ for δ̇ > 0, K·δ^(3/2) for δ̇ ≤ 0; ξ = (√5/2π)(1−e²)/e.
//!
//! # Derivation
//! Most of the loss of a pounding happens in the approach, so the damper acts there only, and the
//! force never pulls. With y = δ^(5/4) and dτ = δ^(1/4)·dt the approach is a linear oscillator of
//! damping ratio z = 2ξ/√5. Its loss 2zω·∫ẏ dy is taken over an ellipse from the speed v₀ to the
//! peak e·v₀/ω that gives e back: (π/2)·z·e·v₀². Equated with ½(1−e²)·v₀² this is z = (1−e²)/(π·e).
//!
//! # Validity
//! All restitutions in the source; structural pounding (concrete, steel), speed-independent.
//!
//! # Remarks
//! Approximate: 0.5 delivers 0.558 and 0.1 delivers 0.148, the worst error 0.077. `jankowski-2006`
//! is ten times closer. The exact relation is ln e = −z·arccos z/√(1−z²), which an exact
//! restitution solves. For n ≠ 3/2 the damper is δ^((n−1)/2) and ε = √(2(n+1))·z, the same
//! oscillator.
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

/// The law with z(e), the damping ratio of the oscillator that the approach is.
pub(crate) fn law(inputs: &Inputs, damping_ratio: fn(f64) -> f64) -> Result<Law> {
    let n = inputs.pair.exponent;
    let ratio = |e: f64| (2.0 * (n + 1.0)).sqrt() * damping_ratio(e);
    inputs.compression_power(n, 0.5 * (n - 1.0), 1.0, Some(&ratio))
}
