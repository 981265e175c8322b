//! Zhang & Sharf: the exact equation and its solution.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε the root of ε(1+e) = ln[(1+ε)/(1−εe)].
//!
//! # Derivation
//! The variables of mₑ·v·dv/(1+εv/v₀) = −K·δⁿ·dδ separate. Compression and restitution cover the
//! same range of δ, so the integrals over v are equal: ε − ln(1+ε) = −εe − ln(1−εe). The result
//! depends neither on n nor on K nor on the mass.
//!
//! # Validity
//! All restitutions in (0, 1] and all n ≥ 1.
//!
//! # Remarks
//! The specified restitution is delivered exactly, as long as no other force acts during contact.
//! For every e the equation has exactly one root with 1−e < εe < 1. Statements that it cannot be
//! solved below 0.25 are due to a residual in which two numbers of size exp(1+1/e) are subtracted.
//! As e → 1, ε → (3/2)(1−e); as e → 0, ε → 1/e.
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
