//! Carvalho & Martins: the exact restitution of the Hunt–Crossley law.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), e = [1 + W₀(−(1+ε)·exp(−(1+ε)))]/ε, W₀ the principal branch of Lambert's
//! function.
//!
//! # Derivation
//! The phase-plane integral ε(1+e) = ln[(1+ε)/(1−εe)] (see Zhang & Sharf) reads, with d = εe,
//! (d−1)·exp(d−1) = −(1+ε)·exp(−(1+ε)). The branch W₋₁ returns the trivial d−1 = −(1+ε); W₀ is the
//! rebound.
//!
//! # Validity
//! Every restitution in (0, 1], every n ≥ 1.
//!
//! # Remarks
//! Exact: delivers the restitution asked for. The explicit direction is e(ε); ε(e) is found as a
//! root, of which the source gives series. Expanding, e = 1 − (2/3)ε + (4/9)ε² − (44/135)ε³ + …,
//! and ε → 1/e at high damping. Evaluated literally W₀ loses half its digits near its branch point,
//! for small ε.
//!
//! # Reference
//! A. S. Carvalho, J. M. Martins, Exact restitution and generalizations for the Hunt–Crossley
//! contact model, Mech. Mach. Theory 139 (2019) 174–194.

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "carvalho-martins-2019",
    title: "Carvalho & Martins 2019",
    aliases: &["carvalho-martins"],
    year: 2019,
    input: Input::Restitution,
    doi: Some("10.1016/j.mechmachtheory.2019.03.028"),
    build: shared::exact_hunt_crossley,
    ..Model::BLANK
};
