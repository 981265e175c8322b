//! Safaeifar & Farshidianfar: a velocity profile with two fitted exponents.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 5(1−e)/(4e).
//!
//! # Derivation
//! |δ̇| = v·[1−(δ/δ_max)^1.5]^(1/5.5), v = v₀ in compression and e·v₀ in restitution; the exponents
//! 1.5 and 5.5 are a least-squares fit of the damping to that of the simulated motion. For n = 3/2,
//! I = ∫₀¹ z^1.5·(1−z^1.5)^(1/5.5) dz ≈ 0.32 and the balance gives ε = (2/5)(1−e)/(e·I).
//!
//! # Validity
//! Stated for all restitutions; tuned to low and middle ones.
//!
//! # Remarks
//! Too little damping near e = 1 (slope 1.25 where 3/2 is exact): 0.9 delivers 0.915, 0.6 delivers
//! 0.638 (the worst, +0.038), 0.5 delivers 0.536, 0.2 delivers 0.197 and 0.1 delivers 0.089. The
//! review prints v₀ alone in the profile; in restitution the final speed is meant, else 5/4 does
//! not follow.
//!
//! # Reference
//! H. Safaeifar, A. Farshidianfar, A new model of the contact force for the collision between two
//! solid bodies, Multibody Syst. Dyn. 50 (2020) 233–257.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "safaeifar-farshidianfar-2020",
    title: "Safaeifar & Farshidianfar 2020",
    aliases: &["safaeifar-farshidianfar"],
    year: 2020,
    input: Input::Restitution,
    doi: Some("10.1007/s11044-020-09732-2"),
    build: |inputs| inputs.hunt_crossley(&|e| 5.0 * (1.0 - e) / (4.0 * e)),
    ..Model::BLANK
};
