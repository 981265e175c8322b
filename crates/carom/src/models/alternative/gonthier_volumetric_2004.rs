//! Gonthier, McPhee, Lange & Piedbœuf: a force proportional to the volume of interference.
//!
//! # Equation
//! F = k_v·V(δ)·(1 + a·δ̇), a = (1−e²)/(e·v₀); V is the volume of the lens of two spheres, or of
//! the cap of a sphere on a plane.
//!
//! # Derivation
//! The contact is an elastic foundation of stiffness k_v per unit of volume. As the damping is
//! proportional to the elastic force, the variables of the equation of motion separate, m·v·dv/(1 +
//! a·v) = −k_v·V·dδ, and e depends only on a·v₀ and not on the shape of the bodies: ε(1+e) =
//! ln[(1+ε)/(1−εe)] with ε = a·v₀. The authors' ε = (1−e²)/e is an approximation to the root of
//! this equation.
//!
//! # Validity
//! According to the authors 0 < e ≤ 1 and large contact areas, including conformal ones; accurate
//! below e ≈ 0.5.
//!
//! # Remarks
//! Near e = 1 the damping is too large: dε/d(1−e) is 2, the exact value is 3/2. For a specified
//! restitution of 0.9 the formula delivers 0.876, for 0.5 it delivers 0.488 and for 0.1 it delivers
//! 0.101. Exact calibration uses the exact root, which holds for any shape. The review calls the
//! intended contacts nonconformal; conformal is meant. The stiffness and exponent of the pair are
//! not used. A damping coefficient is a, in s/m.
//!
//! # Reference
//! Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, A regularized contact model with asymmetric
//! damping and dwell-time dependent friction, Multibody Syst. Dyn. 11 (2004) 209–233.

use crate::error::{check_coefficient, check_restitution};
use crate::exact::{Exponents, epsilon};
use crate::law::curve::{DampingShape, CoefficientSource};
use crate::law::{Curved, Lens};
use crate::model::{Coefficient, Damping, Input, Model};
use crate::models::shared::{POSITIVE, parameter};

pub const MODEL: Model = Model {
    id: "gonthier-volumetric-2004",
    title: "Gonthier, McPhee, Lange & Piedbœuf 2004 (volumetric)",
    aliases: &["gonthier-volumetric"],
    year: 2004,
    input: Input::Restitution,
    parameters: &[
        parameter("radius_1", "m", POSITIVE).help("radius of body 1"),
        parameter("radius_2", "m", POSITIVE).help("radius of body 2; leave it out for a plane"),
        parameter("volume_stiffness", "N/m^3", POSITIVE)
            .help("force per volume of interference k_v"),
    ],
    doi: Some("10.1023/B:MUBO.0000029392.21648.bc"),
    coefficient: Coefficient::in_unit("s/m"),
    build: |inputs| {
        let source = match inputs.damping {
            Damping::None => CoefficientSource::coefficient(0.0),
            Damping::Coefficient(a) => CoefficientSource::coefficient(check_coefficient(a)?),
            Damping::Restitution(e) => {
                let e = check_restitution(e)?;
                CoefficientSource::PerSpeed((1.0 - e * e) / e)
            }
            Damping::Exact(e) => {
                let exponents = Exponents::new(1.0, 1.0, 1.0)?;
                CoefficientSource::PerSpeed(epsilon(exponents, inputs.exit, check_restitution(e)?)?)
            }
        };
        let other = match inputs.optional("radius_2")? {
            Some(_) => Some(inputs.positive("radius_2")?),
            None => None,
        };
        let stiffness = inputs.positive("volume_stiffness")?;
        let curve = Lens::new(stiffness, inputs.positive("radius_1")?, other);
        Ok(inputs.law(Curved { curve, shape: DampingShape::Force, source }))
    },
    ..Model::BLANK
};
