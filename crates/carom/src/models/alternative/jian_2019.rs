//! Jian, Hu, Fang, Zhou & Xia: viscoelastic spheres of one material.
//!
//! # Equation
//! F = 4G√R/(3(1−ν))·δ^(3/2) + 2η/(1−ν)·(1 − e^(−t/T))·√(R·δ)·δ̇, t is the time since onset.
//!
//! # Derivation
//! The shear modulus relaxes, G(t) = G + G′·e^(−t/T), at constant Poisson's ratio. Hertz's solution
//! with the relaxing modulus has a memory integral. In the rubbery range t ≫ T it reduces to the
//! equilibrium spring with K = (4/3)·E*·√R, E* = G/(1−ν) for equal spheres, and a damper of
//! viscosity η = G′·T that builds up over the time T.
//!
//! # Validity
//! Two spheres of the same material; an impact that is long compared with the relaxation time.
//!
//! # Remarks
//! For t ≫ T the law has Kuwabara & Kono's form with the retardation time A = η/G (checked by a
//! test). The force depends on the time since onset. It is tensile at the end, so contact ends at
//! zero force. The stiffness and exponent of the pair are not used. The source has no formula for a
//! restitution; exact calibration finds η by shooting at every touch. A damping coefficient is η,
//! in Pa·s.
//!
//! # Reference
//! B. Jian, G. Hu, Z. Fang, H. Zhou, R. Xia, A normal contact force approach for viscoelastic
//! spheres of the same material, Powder Technol. 350 (2019) 51–61.

use crate::error::{Result, check_coefficient};
use crate::law::{Calibration, Jian};
use crate::model::{Coefficient, Damping, Input, Inputs, Model, Parameter};
use crate::models::shared::{POSITIVE, RADIUS, calibration_by_shooting, exact_restitution, parameter, refuse_parameter};

/// Parameters of the two spheres.
pub(super) const SPHERES: &[Parameter] = &[
    RADIUS,
    parameter("equilibrium_shear_modulus", "Pa", POSITIVE).help("shear modulus G after relaxation"),
    parameter("poisson_1", "", (-0.999, 0.5)).help("Poisson's ratio of the spheres"),
    parameter("viscosity", "Pa*s", POSITIVE).help("viscosity eta = G' T of the damper"),
    parameter("relaxation_time", "s", POSITIVE).help("relaxation time T of the material"),
];

/// Returns the law of the spheres with this viscosity.
pub(super) fn spheres(inputs: &Inputs, viscosity: Calibration) -> Result<Jian> {
    Ok(Jian {
        modulus: inputs.positive("equilibrium_shear_modulus")?,
        poisson: inputs.parameter("poisson_1")?,
        radius: inputs.positive("radius")?,
        time: inputs.positive("relaxation_time")?,
        viscosity,
    })
}

pub const MODEL: Model = Model {
    id: "jian-2019",
    title: "Jian, Hu, Fang, Zhou & Xia 2019",
    aliases: &["jian"],
    year: 2019,
    input: Input::Material,
    parameters: SPHERES,
    coefficient: Coefficient::in_unit("Pa s"),
    build: |inputs| {
        let viscosity = match inputs.damping {
            Damping::Coefficient(eta) => Calibration::Coefficient(check_coefficient(eta)?),
            _ => match exact_restitution(inputs)? {
                Some(e) => {
                    refuse_parameter(inputs, "viscosity")?;
                    calibration_by_shooting(inputs.exit, e)
                }
                None => Calibration::Coefficient(inputs.parameter("viscosity")?),
            },
        };
        Ok(inputs.law(spheres(inputs, viscosity)?))
    },
    ..Model::BLANK
};
