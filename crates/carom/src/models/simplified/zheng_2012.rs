//! Zheng, Zhu & Yu: viscoelastic spheres, corrected with finite elements.
//!
//! # Equation
//! F = K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇, A = (1−2ν)(1+ν)/E·(2ξ + (2/3)·η).
//!
//! # Derivation
//! The scaling argument of Brilliantov et al. is replaced by the viscous stress in the contact area
//! of a sphere on a rigid plane, computed from the elastic strain rates there and compared with
//! finite elements. The form A·δ̇·∂F_el/∂δ is the same.
//!
//! # Validity
//! Slow impacts of viscoelastic spheres of the same material, or of one sphere on a rigid plane.
//!
//! # Remarks
//! A is regular at ν = 0, but still vanishes at ν = 1/2; `brilliantov-2015` corrects that. It is
//! correct for a Kelvin–Voigt solid (η = τG, ξ = τK_b give A = τ). Two remarks on the review: its η
//! is η₁ = 2η, the coefficient of the deviatoric strain rate (if η is used instead, A is 7 % too
//! small at ν = 0.3), and its c = 2·A·E·√R/(1−ν²) equals (3/2)·K·A only against a rigid plane; for
//! two equal spheres it is too large by a factor of 2. The source has no formula for A from e; use
//! exact calibration, or see `mueller-poeschel-2011`. For exponents other than 3/2 the damping term
//! is n·K·A·δ^(n−1)·δ̇.
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
    parameters: viscoelastic::ONE_MATERIAL,
    doi: Some("10.1016/j.powtec.2012.04.032"),
    build: |inputs| viscoelastic::law(inputs, dissipation_time),
    ..Model::BLANK
};

/// Computes the dissipation time A (s).
fn dissipation_time(solid: Solid) -> f64 {
    let Solid { young, poisson: nu, shear, bulk } = solid;
    (1.0 - 2.0 * nu) * (1.0 + nu) / young * (2.0 * bulk + 2.0 / 3.0 * shear)
}
