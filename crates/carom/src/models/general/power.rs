//! The general power law, with free exponents.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇; m is the parameter `damping_exponent` (n unless it is set), q the
//! parameter `rate_exponent` (1 unless it is set), c in N/(mᵐ·(m/s)^q).
//!
//! # Derivation
//! With L = (mₑ·v₀²/K)^(1/(n+1)) the equation of motion is x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0, x(0) =
//! 0, x′(0) = 1, with ε = c·L^(m+1)·v₀^(q−2)/mₑ: four numbers determine an impact. The restitution
//! depends on three combinations of them, (m+1)/(n+1), q and ε·(n+1)^((m−n)/(n+1)).
//!
//! # Validity
//! All values to which the exponents may be fitted: n in [1, 5], m in [0, 5], q in (0, 3].
//!
//! # Remarks
//! The law has no published formula for a restitution; use exact calibration. For m < n, and only
//! then, the force becomes tensile before δ = 0. If q = 2(n−m)/(n+1), neither the restitution
//! depends on the speed nor the damping on v₀. For this q and for smaller ones, bodies with too
//! much damping do not separate at δ = 0.
//!
//! # Reference
//! K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact,
//! J. Appl. Mech. 42 (1975) 440–445, where the exponents are still free.

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "power",
    title: "General power law",
    aliases: &["general"],
    year: 1975,
    input: Input::Coefficient,
    parameters: &[shared::DAMPING_EXPONENT, shared::RATE_EXPONENT],
    doi: Some("10.1115/1.3423596"),
    build: |inputs| {
        let (n, m, q) = shared::free_exponents(inputs)?;
        inputs.power(n, m, q, None)
    },
    ..Model::BLANK
};
