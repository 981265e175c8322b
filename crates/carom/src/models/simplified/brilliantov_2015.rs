//! Brilliantov, Pimenova & Goldobin: viscoelastic bodies, the rigorous version.
//!
//! # Equation
//! F = K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇, A = (1/E)·(1+ν)/(1−ν)·[(4/3)·η(1−ν+ν²) + ξ(1−2ν)²].
//!
//! # Derivation
//! A perturbation of the equations of motion in the slowness of the impact. The same follows from
//! energy: of the strain energy of any frictionless load on a half-space the share
//! f = (1+ν)(1−2ν)/[3(1−ν)] is volumetric, so A = (η/G)(1−f) + (ξ/K_b)·f.
//! Unlike bodies, to first order: A = (σ₁A₁ + σ₂A₂)/(σ₁ + σ₂), σ = (1−ν²)/E.
//!
//! # Validity
//! Slow impacts of viscoelastic bodies without plasticity, all ν up to 1/2. The restitution falls
//! with the speed, 1−e ∝ v₀^(1/5).
//!
//! # Remarks
//! The one to take of its family: regular for every ν, and right for a Kelvin–Voigt solid (η = τG,
//! ξ = τK_b give A = τ). Unlike in the versions of 1996 and 2012, η is the usual shear viscosity
//! already in the source. Give viscosities and elastic constants (of body 2 too, where its
//! viscosities differ), or `dissipation_time` itself. With B = (3/2)·A·(K/mₑ)^(2/5)·v₀^(1/5) the
//! restitution is 1 − 1.153449·B + 0.798267·B² + …; `mueller-poeschel-2011` has it for all B. Ask
//! for an exact restitution to go from e to A. Exponents other than 3/2 use n·K·A·δ^(n−1)·δ̇.
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
    parameters: viscoelastic::UNLIKE,
    doi: Some("10.1209/0295-5075/109/14005"),
    build: |inputs| viscoelastic::law(inputs, time),
    ..Model::BLANK
};

/// A.
fn time(solid: Solid) -> f64 {
    let Solid { young, poisson: nu, shear, bulk } = solid;
    let viscosity =
        4.0 / 3.0 * shear * (1.0 - nu + nu * nu) + bulk * (1.0 - 2.0 * nu) * (1.0 - 2.0 * nu);
    (1.0 + nu) / (1.0 - nu) * viscosity / young
}
