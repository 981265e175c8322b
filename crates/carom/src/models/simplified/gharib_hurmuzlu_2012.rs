//! Gharib & Hurmuzlu: damping for nearly plastic impacts.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 1/e.
//!
//! # Derivation
//! In a strongly damped restitution the body is pushed out at the speed at which damper and spring
//! balance: 1 + ε·δ̇/v₀ = 0, δ̇ = −v₀/ε. It leaves with that speed, so e = 1/ε. The exact law
//! ε(1+e) = ln[(1+ε)/(1−εe)] has the same limit, 1 − εe → 0 as e → 0.
//!
//! # Validity
//! Restitutions below about 0.2.
//!
//! # Remarks
//! Exact as e → 0 (0.1 delivers 0.1000, 0.2 delivers 0.197), wrong above: 0.5 delivers 0.411, and e
//! = 1 is not elastic but delivers 0.594. The review states no limit.
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
