//! Herbert & McWhannell: the energy balance with unequal phases.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 6(1−e)/[(2e−1)² + 3].
//!
//! # Derivation
//! With the elastic motion δ̇ = v·√(1−(δ/δ_max)^(n+1)) in each phase, v = v₀ and then e·v₀, the
//! damper takes (ε/3)·mₑ·v₀² in compression and e³ times that in restitution. Their sum is the loss
//! mₑ·v₀²·(1−e²)/2, so ε = (3/2)(1−e²)/(1+e³), which is the quotient above.
//!
//! # Validity
//! e above about 0.8: a mass between thick plates, gears, robots.
//!
//! # Remarks
//! Right to first order at e = 1 (slope 3/2): 0.9 delivers 0.901 and 0.8 delivers 0.807. The
//! damping stays finite at e = 0, so the restitution never falls below 0.488: 0.5 delivers 0.594
//! and 0.1 delivers 0.491. An explicit approximation, although the review counts it among the exact
//! equations.
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
