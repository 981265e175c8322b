//! Lankarani & Nikravesh: Hunt–Crossley damping from the kinetic energy that is lost.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e²)/4.
//!
//! # Derivation
//! The loss is ½·mₑ·v₀²(1−e²). Taken along the elastic path, compression and restitution alike, the
//! damper dissipates ∮ c·δⁿ·δ̇ dδ = (2/3)(c/K)·mₑ·v₀³. Equating the two gives c = (3/4)(1−e²)·K/v₀.
//!
//! # Validity
//! Restitutions near 1, where the loss is small against the energy stored, and speeds
//! v₀ ≤ 1e-5·√(E/ρ) (about 0.05 m/s for steel), above which plasticity dissipates.
//!
//! # Remarks
//! Too little damping away from e = 1: 0.9 delivers 0.913, 0.5 delivers 0.725, and even 0 delivers
//! 0.663. Of the speed limit the review says that v₀ must be below the wave speed; it is 1e-5 of
//! it, as its formula has.
//!
//! # Reference
//! H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for impact
//! analysis of multibody systems, J. Mech. Des. 112 (1990) 369–376.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "lankarani-nikravesh-1990",
    title: "Lankarani & Nikravesh 1990",
    aliases: &["lankarani-nikravesh"],
    year: 1990,
    input: Input::Restitution,
    restitution: (0.9, 1.0),
    low_speed: true,
    doi: Some("10.1115/1.2912617"),
    build: |inputs| inputs.hunt_crossley(&ratio),
    ..Model::BLANK
};

/// ε(e) from the loss of kinetic energy along the elastic path.
pub(crate) fn ratio(e: f64) -> f64 {
    0.75 * (1.0 - e * e)
}
