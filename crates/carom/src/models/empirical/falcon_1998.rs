//! Falcon, Laroche, Fauve & Coste: a damping coefficient that grows with the indentation.
//!
//! # Equation
//! F = K·δⁿ + c·δ^γ·δ̇, n = 3/2; γ is the parameter `gamma` (¼ unless it is set), c in N·s/m^(1+γ).
//!
//! # Derivation
//! γ is free and fitted. For n = 3/2, ε = c·L^(γ+1)/(mₑ·v₀) with L = (mₑ·v₀²/K)^(1/(n+1)) varies as
//! v₀^((4γ−1)/5), so the restitution is independent of speed for γ = ¼; in general this requires
//! γ = (n−1)/2.
//!
//! # Validity
//! An inelastic ball that bounces on a plane until it rests, with gravity. γ = 0 is a constant
//! damper; γ = ¼ holds where the speed is high enough for gravity to be negligible; otherwise γ is
//! fitted.
//!
//! # Remarks
//! With γ = ¼ and n = 3/2 this is the law of Tsuji, Tanaka & Ishida, which can be transformed to a
//! linear oscillator. The force becomes tensile before δ = 0 for γ < n. The source has no formula
//! for a restitution. The review prints |δ^γ| where |δ|^γ is meant; in contact both are the same.
//!
//! # Reference
//! E. Falcon, C. Laroche, S. Fauve, C. Coste, Behavior of one inelastic ball bouncing repeatedly
//! off the ground, Eur. Phys. J. B 3 (1998) 45–57.

use crate::model::{Input, Model};
use crate::models::shared::parameter;

pub const MODEL: Model = Model {
    id: "falcon-1998",
    title: "Falcon, Laroche, Fauve & Coste 1998",
    aliases: &["falcon"],
    year: 1998,
    input: Input::Coefficient,
    parameters: &[parameter("gamma", "", (0.0, 5.0))
        .help(
            "exponent of the indentation in the damping term; 1/4 makes the restitution \
               independent of speed for n = 3/2",
        )
        .with_default(0.25)],
    doi: Some("10.1007/s100510050283"),
    build: |inputs| inputs.power(inputs.pair.exponent, inputs.parameter("gamma")?, 1.0, None),
    ..Model::BLANK
};
