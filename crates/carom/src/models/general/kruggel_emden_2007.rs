//! Kruggel-Emden, Simsek, Rickelt, Wirtz & Scherer: Kuwabara and Kono's law with free exponents.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·δ̇; n is that of the pair, m the parameter `damping_exponent` (½ unless it is
//! set), c in N·s/m^(m+1).
//!
//! # Derivation
//! Kuwabara & Kono derive n = 3/2 and m = ½ for viscoelastic spheres, with damping in proportion to
//! the rate of the elastic force. Here the exponents are free, so that they can be fitted to
//! measured restitutions over a range of speeds, since ε = c·L^(m+1)/(mₑ·v₀) varies as
//! v₀^(2(m+1)/(n+1) − 1).
//!
//! # Validity
//! Discrete elements, with K, c and the exponents fitted.
//!
//! # Remarks
//! The source has no formula for a restitution. The restitution decreases with speed for m >
//! (n−1)/2, increases for m < (n−1)/2 and is constant for m = (n−1)/2. For m < n the force becomes
//! tensile before δ = 0.
//!
//! # Reference
//! H. Kruggel-Emden, E. Simsek, S. Rickelt, S. Wirtz, V. Scherer, Review and extension of normal
//! force models for the discrete element method, Powder Technol. 171 (2007) 157–173.

use crate::model::{Input, Model, Parameter};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "kruggel-emden-2007",
    title: "Kruggel-Emden, Simsek, Rickelt, Wirtz & Scherer 2007",
    aliases: &["kruggel-emden"],
    year: 2007,
    input: Input::Coefficient,
    parameters: &[Parameter {
        default: Some(0.5),
        help: "m of c*delta^m*rate; 1/2 is the law of Kuwabara and Kono",
        ..shared::DAMPING_EXPONENT
    }],
    doi: Some("10.1016/j.powtec.2006.10.004"),
    build: |inputs| {
        let m = inputs.parameter("damping_exponent")?;
        inputs.power(inputs.pair.exponent, m, 1.0, None)
    },
    ..Model::BLANK
};
