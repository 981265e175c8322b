//! Zhang & Sharf: the exact equation, solved.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε the root of ε(1+e) = ln[(1+ε)/(1−εe)].
//!
//! # Derivation
//! mₑ·v·dv/(1+εv/v₀) = −K·δⁿ·dδ has separate variables. Compression and restitution cover the same
//! δ, so the integrals over v are equal: ε − ln(1+ε) = −εe − ln(1−εe). Neither n nor K nor the mass
//! remains.
//!
//! # Validity
//! Every restitution in (0, 1], every n ≥ 1.
//!
//! # Remarks
//! Exact: delivers the restitution that is asked for, as long as no other force acts during
//! contact. The equation has exactly one root with 1−e < εe < 1, for every e; statements that it
//! cannot be solved below 0.25 come from a residual in which two numbers of size exp(1+1/e) are
//! subtracted. At e = 1, ε = (3/2)(1−e); towards e = 0, ε = 1/e.
//!
//! # Reference
//! Y. Zhang, I. Sharf, Compliant force modelling for impact analysis, ASME IDETC (2004)
//! DETC2004-57220; Validation of nonlinear viscoelastic contact force models for low speed impact,
//! J. Appl. Mech. 76 (5) (2009), doi 10.1115/1.3112739.

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "zhang-sharf-2004",
    title: "Zhang & Sharf 2004",
    aliases: &["zhang-sharf", "zhang-sharf-2009"],
    year: 2004,
    input: Input::Restitution,
    doi: Some("10.1115/DETC2004-57220"),
    build: shared::exact_hunt_crossley,
    ..Model::BLANK
};
