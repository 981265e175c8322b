//! Wang & Gao: a ball in a spherical socket, with damping.
//!
//! # Equation
//! F = 4s/(2s+1)·E*·a·δ + χ·δ^(3/2)·δ̇, χ = 50·H·(1−e)/(13·e·v₀);
//! a = √(δ(2R₁−δ)(2R₂+δ)(2Δ+δ))/(2(Δ+δ)), Δ = R₂ − R₁, R₂ > R₁ the radius of the socket;
//! H = 8√2·s·E*·√(R₁R₂)/(5·(2s+1)·√Δ).
//!
//! # Derivation
//! At the contact radius a the force on Steuermann's punch of profile A·r^(2s) is 4s/(2s+1)·E*·a·δ.
//! Here a is the radius of the circle in which the spheres intersect at the eccentricity Δ+δ, by
//! the law of cosines. For δ ≪ Δ the elastic energy is H·δ^(5/2). With the assumed rate δ̇ =
//! v₀·√(1−(δ/δ_max)²) the damper dissipates χ·v₀·(1+e)·δ_max^(5/2)·∫₀¹ x^(3/2)·√(1−x²) dx, where
//! the integral is taken as 13/50. The energy balance gives χ.
//!
//! # Validity
//! Spherical joints with clearance and e above about 0.9; the damping requires δ ≪ Δ. With the
//! index 2 the law agrees with the authors' finite elements.
//!
//! # Remarks
//! For a specified restitution of 0.9 the published formula delivers 0.897, for 0.5 it delivers
//! 0.479 and for 0.1 it delivers 0.072. The value of the integral is 0.24972 instead of 0.26; the
//! formula is nevertheless accurate because the error of the assumed rate has the opposite sign. χ
//! is 20(1−e)/(13e) times the stiffness for small indentations, a factor between 3/2 of Hu & Guo
//! and 8/5 of Flores. At s = 1 the elastic part is √2 times Hertz's, because the circle of overlap
//! is used in place of the contact circle. In the paper the socket is body 1 and the ball body 2;
//! here the ball is body 1. Exact calibration finds χ by shooting at every touch. The stiffness and
//! exponent of the pair are not used. A damping coefficient is χ, in N·s/m^(5/2).
//!
//! # Reference
//! S. Wang, P. Gao, Development of a contact force model suited for spherical contact event,
//! Actuators 12 (2023) 89.

use super::liu_2006::INDEX;
use crate::error::check_restitution;
use crate::law::conformal::RadiusRelation;
use crate::law::curve::{DampingShape, CoefficientSource};
use crate::law::{Curved, Exponent, Socket};
use crate::model::{Coefficient, Damping, Input, Model};
use crate::error::check_coefficient;
use crate::models::shared::{INNER, MODULUS, OUTER, calibration_by_shooting, nested_radii};

pub const MODEL: Model = Model {
    id: "wang-gao-2023",
    title: "Wang & Gao 2023",
    aliases: &["wang-gao"],
    year: 2023,
    input: Input::Restitution,
    restitution: (0.9, 1.0),
    parameters: &[MODULUS, INNER, OUTER, INDEX],
    doi: Some("10.3390/act12020089"),
    coefficient: Coefficient::in_unit("N s/m^2.5"),
    build: |inputs| {
        let (ball, cavity) = nested_radii(inputs)?;
        let (modulus, index) = (inputs.positive("modulus")?, inputs.parameter("index")?);
        let curve = Socket::new(modulus, ball, cavity, index, RadiusRelation::Circle);
        let source = match inputs.damping {
            Damping::None => CoefficientSource::coefficient(0.0),
            Damping::Coefficient(chi) => CoefficientSource::coefficient(check_coefficient(chi)?),
            Damping::Restitution(e) => {
                let e = check_restitution(e)?;
                CoefficientSource::PerSpeed(50.0 * curve.small_depth_factor() * (1.0 - e) / (13.0 * e))
            }
            Damping::Exact(e) => CoefficientSource::Calibrated(calibration_by_shooting(inputs.exit, check_restitution(e)?)),
        };
        Ok(inputs.law(Curved { curve, shape: DampingShape::Power(Exponent::ThreeHalves), source }))
    },
    ..Model::BLANK
};
