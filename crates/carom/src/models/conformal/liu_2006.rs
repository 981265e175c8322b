//! Liu, Zhang & Yang: a ball in a spherical socket with clearance.
//!
//! # Equation
//! F = 4s/(2s+1)·E*·R₂·√(1 − (Δ/(Δ+δ))²)·δ, Δ = R₂ − R₁, R₂ > R₁ the radius of the socket.
//!
//! # Derivation
//! At the contact radius a the force on Steuermann's punch of profile A·r^(2s) is 4s/(2s+1)·E*·a·δ.
//! The contact radius is taken from the overlap of the undeformed spheres, a = R₂·sin θ with cos
//! θ = Δ/(Δ+δ).
//!
//! # Validity
//! Small clearances, for which Hertz's law is too stiff; the authors compared it with finite
//! elements for s = 2.
//!
//! # Remarks
//! The law is elastic: the restitution is 1. For δ ≪ Δ the force is √2·3s/(2s+1) times Hertz's. At
//! s = 1 this factor is 1.41 and should be 1; the reason is that the radius √(2Rδ) of the circle of
//! overlap is used in place of the contact radius √(Rδ). The equation is that printed by Wang & Gao
//! (their Eq. 12), with the radius of the socket. The stiffness and exponent of the pair are not
//! used.
//!
//! # Reference
//! C. Liu, K. Zhang, L. Yang, Normal force–displacement relationship of spherical joints with
//! clearances, J. Comput. Nonlinear Dyn. 1 (2006) 160–167.

use crate::law::conformal::RadiusRelation;
use crate::law::{Curved, Socket};
use crate::model::{Input, Model, Parameter};
use crate::models::shared::{INNER, MODULUS, OUTER, nested_radii, parameter, refuse_damping};

/// The index s of Steuermann's profile A·r^(2s).
pub(super) const INDEX: Parameter = parameter("index", "", (1.0, f64::INFINITY))
    .help("index s of Steuermann's profile A*r^(2s)")
    .with_default(2.0);

pub const MODEL: Model = Model {
    id: "liu-2006",
    title: "Liu, Zhang & Yang 2006",
    aliases: &["liu-zhang-yang-2006"],
    year: 2006,
    input: Input::Elastic,
    parameters: &[MODULUS, INNER, OUTER, INDEX],
    build: |inputs| {
        refuse_damping(inputs, "the law is elastic; wang-gao-2023 is nearly the same curve with damping")?;
        let (ball, cavity) = nested_radii(inputs)?;
        let (modulus, index) = (inputs.positive("modulus")?, inputs.parameter("index")?);
        Ok(inputs.law(Curved::elastic(Socket::new(modulus, ball, cavity, index, RadiusRelation::Clearance))))
    },
    ..Model::BLANK
};
