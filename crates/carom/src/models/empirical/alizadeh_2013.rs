//! Alizadeh, Bertrand & Chaouki: a damper filled with a non-Newtonian liquid.
//!
//! # Equation
//! F = K·δⁿ + 4π·μ·δ·|δ̇|^q·sgn δ̇, n = 3/2; q is the parameter `rate_power` (1 unless it is set)
//! and the damping coefficient is μ, in Pa·s·(m/s)^(1−q).
//!
//! # Derivation
//! The dissipation is modelled by a dashpot whose liquid follows a power law, stress ~ rate^q, with
//! 4π·μ·δ as the drag on a body that is immersed over the length δ. The dimensions are consistent;
//! everything else is fitted. For q = 1 and n = 3/2, ε = 4π·μ·L²/(mₑ·v₀) with L = (mₑ·v₀²/K)^(2/5),
//! which grows as v₀^0.6.
//!
//! # Validity
//! Discrete elements; μ and q are fitted for each material, and separately for contacts of two
//! spheres and of a sphere with a plane.
//!
//! # Remarks
//! The damping coefficient that is given to this model and printed in results is μ; carom
//! multiplies it by 4π. The review prints δ̇^q, which is undefined for a negative rate (and
//! supplies energy if q is even); the sign has to be separated, as above. μ is a viscosity in Pa·s
//! only for q = 1. The force becomes tensile before δ = 0. The source has no formula for a
//! restitution. The year is that of the journal; catalogues also list the paper under 2014.
//!
//! # Reference
//! E. Alizadeh, F. Bertrand, J. Chaouki, Development of a granular normal contact force model based
//! on a non-Newtonian liquid filled dashpot, Powder Technol. 237 (2013) 202–212.

use std::f64::consts::PI;

use crate::model::{Coefficient, Input, Model, Parameter};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "alizadeh-2013",
    title: "Alizadeh, Bertrand & Chaouki 2013",
    aliases: &["alizadeh", "alizadeh-2014"],
    year: 2013,
    input: Input::Coefficient,
    parameters: &[Parameter {
        name: "rate_power",
        help: "flow index of the liquid, the power of the rate; 1 is Newtonian",
        ..shared::RATE_EXPONENT
    }],
    doi: Some("10.1016/j.powtec.2013.01.027"),
    coefficient: Coefficient { factor: |_| 4.0 * PI, ..Coefficient::DAMPER },
    build: |inputs| {
        let q = inputs.parameter("rate_power")?;
        inputs.power(inputs.pair.exponent, 1.0, q, None)
    },
    ..Model::BLANK
};
