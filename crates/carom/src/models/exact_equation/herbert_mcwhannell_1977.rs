//! Herbert & McWhannell: an energy balance with different losses in the two phases.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 6(1−e)/[(2e−1)² + 3].
//!
//! # Derivation
//! The rate of the elastic impact, δ̇ = v·√(1−(δ/δ_max)^(n+1)), is assumed in both phases, with v =
//! v₀ in compression and v = e·v₀ in restitution. The damper then dissipates (ε/3)·mₑ·v₀² in
//! compression and e³ times that in restitution. The sum is the loss mₑ·v₀²·(1−e²)/2, so ε =
//! (3/2)(1−e²)/(1+e³), which equals the quotient above.
//!
//! # Validity
//! e above about 0.8; a mass between thick plates, gears, robots.
//!
//! # Remarks
//! The formula is exact to first order at e = 1 (dε/d(1−e) is 3/2): for a specified restitution of
//! 0.9 it delivers 0.901 and for 0.8 it delivers 0.807. The damping is finite at e = 0, so no
//! restitution below 0.488 is delivered: the result is 0.594 for 0.5 and 0.491 for 0.1. It is an
//! explicit approximation, although the review counts it among the exact equations.
//!
//! # Reference
//! R. G. Herbert, D. C. McWhannell, Shape and frequency composition of pulses from an impact pair,
//! J. Eng. Ind. 99 (1977) 513–518.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "herbert-mcwhannell-1977",
    title: "Herbert & McWhannell 1977",
    aliases: &["herbert-mcwhannell"],
    year: 1977,
    input: Input::Restitution,
    restitution: (0.8, 1.0),
    doi: Some("10.1115/1.3439270"),
    build: |inputs| {
        inputs.hunt_crossley(&|e| 6.0 * (1.0 - e) / ((2.0 * e - 1.0).powi(2) + 3.0))
    },
    ..Model::BLANK
};
