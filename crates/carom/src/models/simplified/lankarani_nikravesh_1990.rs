//! Lankarani & Nikravesh: Hunt–Crossley damping from the loss of kinetic energy.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e²)/4.
//!
//! # Derivation
//! The loss is ½·mₑ·v₀²(1−e²). Along the elastic path, in compression and in restitution, the
//! damper dissipates ∮ c·δⁿ·δ̇ dδ = (2/3)(c/K)·mₑ·v₀³. Equating the two gives c = (3/4)(1−e²)·K/v₀.
//!
//! # Validity
//! Restitutions near 1, where the loss is small compared with the stored energy, and speeds v₀ ≤
//! 1e-5·√(E/ρ) (about 0.05 m/s for steel), above which plastic deformation dissipates energy.
//!
//! # Remarks
//! The damping is too small away from e = 1: for a specified restitution of 0.9 the formula
//! delivers 0.913, for 0.5 it delivers 0.725, and even for 0 it delivers 0.663. According to the
//! text of the review v₀ must be below the wave speed; it must be below 1e-5 of the wave speed, as
//! in the review's formula.
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

/// Computes ε(e) from the loss of kinetic energy along the elastic path.
pub(crate) fn ratio(e: f64) -> f64 {
    0.75 * (1.0 - e * e)
}
