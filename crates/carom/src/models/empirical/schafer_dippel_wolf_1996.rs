//! Schäfer, Dippel & Wolf: Hertz's spring and a constant damper.
//!
//! # Equation
//! F = K·δⁿ + c·δ̇, n = 3/2, c in N·s/m.
//!
//! # Derivation
//! This is the simplest damper that can be added to Hertz's spring, one of the force schemes that
//! the authors compare. With L = (mₑ·v₀²/K)^(1/(n+1)) the impact depends only on ε = c·L/(mₑ·v₀),
//! which decreases as v₀^(−1/5).
//!
//! # Validity
//! Impacts of spheres in granular simulations, with c fitted.
//!
//! # Remarks
//! This is Ristow's law with c in place of χ·mₑ. The force jumps by c·v₀ at onset and becomes
//! tensile before δ = 0. The restitution increases with speed, whereas that of real materials
//! decreases. The source has no formula for a restitution. If the law is calibrated exactly for a
//! restitution of 0.5 and one exit of contact but run with the other, it delivers 0.573 (calibrated
//! for δ = 0, run to F = 0) or 0.401 (the reverse).
//!
//! # Reference
//! J. Schäfer, S. Dippel, D. E. Wolf, Force schemes in simulations of granular materials, J. Phys.
//! I France 6 (1996) 5–20.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "schafer-dippel-wolf-1996",
    title: "Schäfer, Dippel & Wolf 1996",
    aliases: &["schafer"],
    year: 1996,
    input: Input::Coefficient,
    doi: Some("10.1051/jp1:1996129"),
    build: |inputs| inputs.power(inputs.pair.exponent, 0.0, 1.0, None),
    ..Model::BLANK
};
