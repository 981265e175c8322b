//! Lee & Herrmann: Hertz's spring and a damper proportional to the mass, for granular heaps.
//!
//! # Equation
//! F = K·δⁿ + χ·mₑ·δ̇, n = 3/2; the damping coefficient χ is a rate, in 1/s.
//!
//! # Derivation
//! The force of Ristow's granular flow, used to compute the angle of repose; χ is fitted. In the
//! dimensionless impact ε = χ·L/v₀ with L = (mₑ·v₀²/K)^(1/(n+1)).
//!
//! # Validity
//! Molecular dynamics of heaps and slopes, with χ fitted.
//!
//! # Remarks
//! The damping coefficient that is given to this model and printed in results is χ in 1/s; carom
//! multiplies it by mₑ. (The review's Eq. 5.13 is correct in this respect, and in its mₑ.) As with
//! every constant damper, the force jumps at onset and becomes tensile before δ = 0, and slow
//! impacts are damped more than fast ones. The source has no formula for a restitution. The review
//! spells the second author Hermann.
//!
//! # Reference
//! J. Lee, H. J. Herrmann, Angle of repose and angle of marginal stability: molecular dynamics of
//! granular particles, J. Phys. A: Math. Gen. 26 (1993) 373–383.

use crate::model::{Coefficient, Input, Model};

pub const MODEL: Model = Model {
    id: "lee-herrmann-1993",
    title: "Lee & Herrmann 1993",
    aliases: &["lee-herrmann"],
    year: 1993,
    input: Input::Coefficient,
    doi: Some("10.1088/0305-4470/26/2/021"),
    coefficient: Coefficient { factor: |mass| mass, ..Coefficient::in_unit("1/s") },
    build: |inputs| inputs.power(inputs.pair.exponent, 0.0, 1.0, None),
    ..Model::BLANK
};
