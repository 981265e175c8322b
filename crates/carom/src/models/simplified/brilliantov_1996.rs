//! Brilliantov, Spahn, Hertzsch & Pöschel: viscoelastic spheres, first version.
//!
//! # Equation
//! F = K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇, A = (1/3)·(3ξ−2η)²/(3ξ+4η)·(1−ν²)(1−2ν)/(E·ν²).
//!
//! # Derivation
//! The viscous stress on the contact plane is computed from the elastic displacement field, by
//! scaling the coordinates so that the viscous problem takes the form of the elastic one. The
//! result is the time A multiplied by the rate of the elastic force: A·δ̇·∂F_el/∂δ with F_el =
//! K·δ^(3/2).
//!
//! # Validity
//! Slow impacts of viscoelastic spheres of the same material, with ν clearly between 0 and 1/2. The
//! restitution decreases with the speed, 1−e ∝ v₀^(1/5).
//!
//! # Remarks
//! A is singular at ν = 0 and vanishes at ν = 1/2, so that rubber would not dissipate;
//! `brilliantov-2015` corrects both. It is correct for a Kelvin–Voigt solid (η = τG, ξ = τK_b give
//! A = τ). Convention: the source's η₁ multiplies the deviatoric strain rate without the factor 2;
//! here η is the usual shear viscosity, η₁ = 2η. If η₁ = η is used, as the review suggests, A is
//! 1.8 times too large at ν = 0.3. The source has no formula for A from e; use exact calibration,
//! or see `mueller-poeschel-2011`. For exponents other than 3/2 the damping term is
//! n·K·A·δ^(n−1)·δ̇.
//!
//! # Reference
//! N. V. Brilliantov, F. Spahn, J.-M. Hertzsch, T. Pöschel, Model for collisions in granular gases,
//! Phys. Rev. E 53 (1996) 5382–5392.

use crate::model::{Input, Model};
use crate::models::viscoelastic::{self, Solid};

pub const MODEL: Model = Model {
    id: "brilliantov-1996",
    title: "Brilliantov, Spahn, Hertzsch & Pöschel 1996",
    year: 1996,
    input: Input::Material,
    parameters: viscoelastic::ONE_MATERIAL,
    doi: Some("10.1103/PhysRevE.53.5382"),
    build: |inputs| viscoelastic::law(inputs, dissipation_time),
    ..Model::BLANK
};

/// Computes the dissipation time A (s).
fn dissipation_time(solid: Solid) -> f64 {
    let Solid { young, poisson: nu, shear, bulk } = solid;
    let viscosity = (3.0 * bulk - 2.0 * shear).powi(2) / (3.0 * bulk + 4.0 * shear);
    viscosity / 3.0 * (1.0 - nu * nu) * (1.0 - 2.0 * nu) / (young * nu * nu)
}
