//! Brilliantov, Pimenova & Goldobin: viscoelastic bodies, the rigorous version.
//!
//! # Equation
//! F = K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇, A = (1/E)·(1+ν)/(1−ν)·[(4/3)·η(1−ν+ν²) + ξ(1−2ν)²].
//!
//! # Derivation
//! The source uses a perturbation of the equations of motion for slow impacts. The same result
//! follows from energy: for any frictionless load on a half-space, the fraction f =
//! (1+ν)(1−2ν)/[3(1−ν)] of the strain energy is volumetric, so A = (η/G)(1−f) + (ξ/K_b)·f. For
//! bodies of different materials, to first order, A = (σ₁A₁ + σ₂A₂)/(σ₁ + σ₂) with σ = (1−ν²)/E.
//!
//! # Validity
//! Slow impacts of viscoelastic bodies without plasticity, all ν up to 1/2. The restitution
//! decreases with the speed, 1−e ∝ v₀^(1/5).
//!
//! # Remarks
//! This model is the recommended one of its family: A is regular for every ν, and correct for a
//! Kelvin–Voigt solid (η = τG, ξ = τK_b give A = τ). In contrast to the versions of 1996 and 2012,
//! η in the source is already the usual shear viscosity. Give viscosities and elastic constants
//! (also of body 2, if its viscosities differ), or `dissipation_time` itself. With B =
//! (3/2)·A·(K/mₑ)^(2/5)·v₀^(1/5) the restitution is 1 − 1.153449·B + 0.798267·B² + …;
//! `mueller-poeschel-2011` has it for all B. Exact calibration computes A from e. For exponents
//! other than 3/2 the damping term is n·K·A·δ^(n−1)·δ̇.
//!
//! # Reference
//! N. V. Brilliantov, A. V. Pimenova, D. S. Goldobin, A dissipative force between colliding
//! viscoelastic bodies: Rigorous approach, EPL 109 (2015) 14005.

use crate::model::{Input, Model};
use crate::models::viscoelastic::{self, Solid};

pub const MODEL: Model = Model {
    id: "brilliantov-2015",
    title: "Brilliantov, Pimenova & Goldobin 2015",
    year: 2015,
    input: Input::Material,
    parameters: viscoelastic::TWO_MATERIALS,
    doi: Some("10.1209/0295-5075/109/14005"),
    build: |inputs| viscoelastic::law(inputs, dissipation_time),
    ..Model::BLANK
};

/// Computes the dissipation time A (s).
fn dissipation_time(solid: Solid) -> f64 {
    let Solid { young, poisson: nu, shear, bulk } = solid;
    let viscosity =
        4.0 / 3.0 * shear * (1.0 - nu + nu * nu) + bulk * (1.0 - 2.0 * nu) * (1.0 - 2.0 * nu);
    (1.0 + nu) / (1.0 - nu) * viscosity / young
}
