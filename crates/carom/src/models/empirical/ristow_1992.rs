//! Ristow: Hertz's spring and a damper proportional to the mass.
//!
//! # Equation
//! F = K·δⁿ + χ·mₑ·δ̇, n = 3/2; the damping coefficient χ is a rate, in 1/s.
//!
//! # Derivation
//! The source assumes, and fits to tests, a friction force between the grains that is proportional
//! to their momentum; χ is the rate at which the relative speed of a pair would decrease without
//! the spring. In the dimensionless impact ε = χ·L/v₀ with L = (mₑ·v₀²/K)^(1/(n+1)); for n = 3/2, ε
//! decreases with speed as v₀^(−1/5).
//!
//! # Validity
//! Molecular dynamics of granular flow, with χ fitted to the given material and speeds.
//!
//! # Remarks
//! The damping coefficient that is given to this model and printed in results is χ in 1/s; carom
//! multiplies it by mₑ. The force jumps by χ·mₑ·v₀ at onset and becomes tensile before δ = 0. Slow
//! impacts are damped more than fast ones (1−e ~ v₀^(−1/5)), contrary to observation. The source
//! has no formula for a restitution. If the law is calibrated exactly for the exit at F = 0 but
//! ends at δ = 0, it delivers 0.401 for a restitution of 0.5, and for e ≤ 0.2 the bodies do not
//! separate.
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
