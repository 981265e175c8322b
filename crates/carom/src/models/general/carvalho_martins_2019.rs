//! Carvalho & Martins: the exact restitution of the Hunt–Crossley law.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), e = [1 + W₀(−(1+ε)·exp(−(1+ε)))]/ε, W₀ the principal branch of Lambert's
//! function.
//!
//! # Derivation
//! With d = εe the phase-plane integral ε(1+e) = ln[(1+ε)/(1−εe)] (see Zhang & Sharf) becomes
//! (d−1)·exp(d−1) = −(1+ε)·exp(−(1+ε)). The branch W₋₁ gives the trivial solution d−1 = −(1+ε); W₀
//! gives the separation.
//!
//! # Validity
//! All restitutions in (0, 1] and all n ≥ 1.
//!
//! # Remarks
//! The specified restitution is delivered exactly. e(ε) is explicit; ε(e) is found as a root, for
//! which the source gives series. The expansion is e = 1 − (2/3)ε + (4/9)ε² − (44/135)ε³ + …, and ε
//! → 1/e at high damping. For small ε, if the formula is evaluated as written, W₀ loses half its
//! digits because its argument is close to the branch point.
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
