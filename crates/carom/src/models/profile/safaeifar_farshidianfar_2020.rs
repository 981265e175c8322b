//! Safaeifar & Farshidianfar: a velocity profile with two fitted exponents.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 5(1−e)/(4e).
//!
//! # Derivation
//! The assumed rate is |δ̇| = v·[1−(δ/δ_max)^1.5]^(1/5.5), with v = v₀ in compression and v = e·v₀
//! in restitution. The exponents 1.5 and 5.5 are a least-squares fit of the resulting damping to
//! that of the simulated motion. For n = 3/2, I = ∫₀¹ z^1.5·(1−z^1.5)^(1/5.5) dz ≈ 0.32 and the
//! energy balance gives ε = (2/5)(1−e)/(e·I).
//!
//! # Validity
//! According to the authors all restitutions; fitted to low and medium ones.
//!
//! # Remarks
//! Near e = 1 the damping is too small (dε/d(1−e) is 1.25, the exact value is 3/2). For a specified
//! restitution of 0.9 the formula delivers 0.915, for 0.6 it delivers 0.638 (the largest error,
//! +0.038), for 0.5 it delivers 0.536, for 0.2 it delivers 0.197 and for 0.1 it delivers 0.089. The
//! review prints the profile with v₀ only; in the restitution phase the separation speed is meant,
//! otherwise the factor 5/4 does not follow.
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
