//! Hunt & Crossley: damping that grows with the indentation.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e)/2.
//!
//! # Derivation
//! In contrast to that of Kelvin and Voigt, a damper c·δⁿ·δ̇ has no force at onset and at
//! separation. For small losses the rate is approximately that of the elastic impact, and the work
//! of the damper is ∮ c·δⁿ·δ̇ dδ = (2/3)(c/K)·mₑ·v₀³. The energy lost is ½·mₑ·v₀²(1−e²) ≈
//! mₑ·v₀²(1−e). Equating the two gives ε = c·v₀/K = (3/2)(1−e), which is exact to first order at
//! e = 1.
//!
//! # Validity
//! Restitutions near 1, with dissipation by internal damping only.
//!
//! # Remarks
//! The damping is too small away from e = 1: for a specified restitution of 0.9 the formula
//! delivers 0.909, for 0.5 it delivers 0.663, and even for 0 it delivers 0.488. A large family of
//! laws is derived from this one: every law with a damper c·δⁿ·δ̇ is called a Hunt–Crossley law.
//! Simon proposed the force for n = 3/2 in 1967, for golf clubs, with c as an independent parameter
//! (according to Zhang and others 2022, who print the force); give `damping` to use his law.
//!
//! # Reference
//! K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact,
//! J. Appl. Mech. 42 (1975) 440–445. Before it: R. Simon, The development of a mathematical tool for
//! evaluating golf club performance, ASME Design Engineering Conference, New York 1967.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "hunt-crossley-1975",
    title: "Hunt & Crossley 1975",
    aliases: &["hunt-crossley", "simon-1967"],
    year: 1975,
    input: Input::Restitution,
    restitution: (0.9, 1.0),
    doi: Some("10.1115/1.3423596"),
    build: |inputs| inputs.hunt_crossley(&ratio),
    ..Model::BLANK
};

/// Computes ε(e) to first order in 1−e.
pub(crate) fn ratio(e: f64) -> f64 {
    1.5 * (1.0 - e)
}
