//! Zheng, Zhu & Yu: viscoelastic spheres, corrected with finite elements.
//!
//! # Equation
//! F = K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇, A = (1−2ν)(1+ν)/E·(2ξ + (2/3)·η).
//!
//! # Derivation
//! The viscous stress at the contact patch of a sphere on a rigid plane, taken from the elastic
//! strain rates there and compared with finite elements, replaces the scaling argument of
//! Brilliantov et al.; the form A·δ̇·∂F_el/∂δ stays.
//!
//! # Validity
//! Slow impacts of like viscoelastic spheres, or of one on a rigid plane.
//!
//! # Remarks
//! Regular at ν = 0, but still vanishing at ν = 1/2; `brilliantov-2015` corrects that. Right for a
//! Kelvin–Voigt solid (η = τG, ξ = τK_b give A = τ). Two points of the review: its η is η₁ = 2η,
//! the coefficient of the deviatoric strain rate (read with η, A is 7 % too small at ν = 0.3), and
//! its c = 2·A·E·√R/(1−ν²) equals (3/2)·K·A only against a rigid plane; for two equal spheres it is
//! twice too large. No formula e → A; ask for an exact restitution, or see `mueller-poeschel-2011`.
//! Exponents other than 3/2 use n·K·A·δ^(n−1)·δ̇.
//!
//! # Reference
//! Q. J. Zheng, H. P. Zhu, A. B. Yu, Finite element analysis of the contact forces between a
//! viscoelastic sphere and rigid plane, Powder Technol. 226 (2012) 130–142.

use crate::model::{Input, Model};
use crate::models::viscoelastic::{self, Solid};

pub const MODEL: Model = Model {
    id: "zheng-2012",
    title: "Zheng, Zhu & Yu 2012",
    aliases: &["zheng"],
    year: 2012,
    input: Input::Material,
    parameters: viscoelastic::LIKE,
    doi: Some("10.1016/j.powtec.2012.04.032"),
    build: |inputs| viscoelastic::law(inputs, time),
    ..Model::BLANK
};

/// A.
fn time(solid: Solid) -> f64 {
    let Solid { young, poisson: nu, shear, bulk } = solid;
    (1.0 - 2.0 * nu) * (1.0 + nu) / young * (2.0 * bulk + 2.0 / 3.0 * shear)
}
