//! Gharib & Hurmuzlu: damping for nearly plastic impacts.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 1/e.
//!
//! # Derivation
//! With strong damping the body is pushed out in the restitution phase at the speed at which damper
//! and spring are in equilibrium: 1 + ε·δ̇/v₀ = 0, δ̇ = −v₀/ε. It separates with this speed, so e =
//! 1/ε. The exact relation ε(1+e) = ln[(1+ε)/(1−εe)] has the same limit, 1 − εe → 0 as e → 0.
//!
//! # Validity
//! Restitutions below about 0.2.
//!
//! # Remarks
//! The formula is exact as e → 0 (for a specified restitution of 0.1 it delivers 0.1000, for 0.2 it
//! delivers 0.197) and wrong at higher restitutions: for 0.5 it delivers 0.411, and for e = 1 it
//! delivers 0.594 instead of an elastic impact. The review states no limit of validity.
//!
//! # Reference
//! M. Gharib, Y. Hurmuzlu, A new contact force model for low coefficient of restitution impact,
//! J. Appl. Mech. 79 (2012) 064506.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "gharib-hurmuzlu-2012",
    title: "Gharib & Hurmuzlu 2012",
    aliases: &["gharib-hurmuzlu"],
    year: 2012,
    input: Input::Restitution,
    restitution: (0.0, 0.2),
    doi: Some("10.1115/1.4006494"),
    build: |inputs| inputs.hunt_crossley(&|e| 1.0 / e),
    ..Model::BLANK
};
