//! Ristow: Hertz's spring and a damper in proportion to the mass.
//!
//! # Equation
//! F = K·δⁿ + χ·mₑ·δ̇, n = 3/2; the damping coefficient χ is a rate, in 1/s.
//!
//! # Derivation
//! An assumption, fitted to tests: friction of the grains as a force in proportion to their
//! momentum, so that χ is the rate at which an unloaded pair would lose speed. In the dimensionless
//! impact ε = χ·L/v₀, L = (mₑ·v₀²/K)^(1/(n+1)): the ratio falls with speed as v₀^(−1/5) for
//! n = 3/2.
//!
//! # Validity
//! Molecular dynamics of granular flow, with χ fitted to the material and the speeds at hand.
//!
//! # Remarks
//! The damping coefficient given to this model is χ in 1/s, and so is what is printed; carom multiplies it by mₑ. The force
//! jumps by χ·mₑ·v₀ at first touch and turns to tension before δ = 0. Slow impacts are damped more
//! than fast ones (1−e ~ v₀^(−1/5)), against experience. The source has no formula for a
//! restitution; one calibrated for F = 0 but ended at δ = 0 never separates at e ≤ 0.2 and gives
//! 0.401 for 0.5.
//!
//! # Reference
//! G. H. Ristow, Simulating granular flow with molecular dynamics, J. Phys. I France 2 (1992)
//! 649–662.

use crate::model::{Coefficient, Input, Model};

pub const MODEL: Model = Model {
    id: "ristow-1992",
    title: "Ristow 1992",
    aliases: &["ristow"],
    year: 1992,
    input: Input::Coefficient,
    doi: Some("10.1051/jp1:1992159"),
    coefficient: Coefficient { factor: |mass| mass, ..Coefficient::in_unit("1/s") },
    build: |inputs| inputs.power(inputs.pair.exponent, 0.0, 1.0, None),
    ..Model::BLANK
};
