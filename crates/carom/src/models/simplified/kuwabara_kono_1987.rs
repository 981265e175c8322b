//! Kuwabara & Kono: viscoelastic spheres, with damping from their viscosities.
//!
//! # Equation
//! F = K·δ^(3/2) + c·δ^(1/2)·δ̇, c = 2√R/D, D = Σ (3ξ+4η)/[4η(3ξ+η)] over the two bodies.
//!
//! # Derivation
//! Hertz's K is (4/3)√R/(σ₁+σ₂) with σ = (1−ν²)/E = (3K_b+4G)/[4G(3K_b+G)] in terms of bulk and
//! shear modulus. The viscous stress has the same form with viscosities in place of moduli and with
//! the rate of the elastic field, d(δ^(3/2))/dt = (3/2)·δ^(1/2)·δ̇; hence c = (3/2)(4/3)√R/D.
//!
//! # Validity
//! Viscoelastic spheres at low speed, without plasticity; exponent 3/2. The restitution decreases
//! with the speed, 1−e ∝ v₀^(1/5).
//!
//! # Remarks
//! The source has no formula for c from e; use exact calibration, or give viscosities. With the
//! exit at zero force the tensile end of the contact is avoided. For different materials the law
//! does not divide the deformation consistently between the bodies. The review needs two
//! corrections. c is 2√R divided by D, not multiplied by D (the unit of D is 1/(Pa·s)). D has
//! (3ξ−2η)² where 9(ξ−η)² is printed, with which the result for the Kelvin–Voigt solid is wrong by
//! 1 to 4 %; the correct form simplifies to the sum above. It agrees with c = (3/2)·K·A if η/G =
//! ξ/K_b = A.
//!
//! # Reference
//! G. Kuwabara, K. Kono, Restitution coefficient in a collision between two spheres, Jpn. J. Appl.
//! Phys. 26 (1987) 1230–1233.

use crate::error::Result;
use crate::law::{Damper, Power};
use crate::model::{Damping, Input, Inputs, Model};
use crate::models::shared::{POSITIVE, parameter, require_point_contact};
use crate::models::viscoelastic;

pub const MODEL: Model = Model {
    id: "kuwabara-kono-1987",
    title: "Kuwabara & Kono 1987",
    aliases: &["kuwabara-kono"],
    year: 1987,
    input: Input::Material,
    parameters: &[
        viscoelastic::SHEAR_VISCOSITY,
        viscoelastic::BULK_VISCOSITY,
        viscoelastic::SHEAR_VISCOSITY_2,
        viscoelastic::BULK_VISCOSITY_2,
        parameter("radius", "m", POSITIVE).help("effective radius R of the contact"),
    ],
    doi: Some("10.1143/JJAP.26.1230"),
    build: |inputs| {
        require_point_contact(inputs)?;
        if inputs.damping != Damping::None {
            return inputs.power(1.5, 0.5, 1.0, None);
        }
        let damper = Damper::Coefficient(coefficient(inputs)?);
        Ok(inputs.law(Power::new(inputs.pair.stiffness, 1.5, 0.5, 1.0, damper)))
    },
    ..Model::BLANK
};

/// Computes c from the viscosities; body 2 has those of body 1 unless its own are given.
fn coefficient(inputs: &Inputs) -> Result<f64> {
    let shear = inputs.positive("shear_viscosity")?;
    let bulk = inputs.parameter("bulk_viscosity")?;
    let shear_2 = match inputs.optional("shear_viscosity_2")? {
        Some(_) => inputs.positive("shear_viscosity_2")?,
        None => shear,
    };
    let bulk_2 = inputs.optional("bulk_viscosity_2")?.unwrap_or(bulk);
    let friction = internal_friction(shear, bulk) + internal_friction(shear_2, bulk_2);
    Ok(2.0 * inputs.positive("radius")?.sqrt() / friction)
}

/// Computes (3ξ+4η)/[4η(3ξ+η)], the viscous counterpart of (1−ν²)/E.
fn internal_friction(shear: f64, bulk: f64) -> f64 {
    (3.0 * bulk + 4.0 * shear) / (4.0 * shear * (3.0 * bulk + shear))
}
