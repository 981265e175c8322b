//! Roy & Carretero: a force from the volume of interference, with damping from the materials.
//!
//! # Equation
//! F = [E₁E₂/(h₂E₁ + h₁E₂)]·V(δ) + [D₁D₂/(h₂D₁ + h₁D₂)]·V′(δ)·δ̇; V is the volume of the lens of
//! two spheres, or of the cap of a sphere on a plane, h the depth of a body, its radius for a
//! sphere.
//!
//! # Derivation
//! Each body is treated as a column of depth h that is compressed by its share of the overlap. This
//! gives two springs in series and two dashpots in series, h₁/E₁ + h₂/E₂ and h₁/D₁ + h₂/D₂ per unit
//! area. Integrated over the contact area, the overlap becomes the volume V, and its rate becomes
//! V′·δ̇ with V′ = π·(radius of the rim)².
//!
//! # Validity
//! Sphere on sphere, sphere on plane, conformal contact. The damping does not depend on the speed.
//!
//! # Remarks
//! The review prints h₂E₁ + h₁E₂ in the denominator of the damping too, which gives the unit N·s;
//! the dashpots in series give h₂D₁ + h₁D₂. Since V′ approaches zero more slowly than V, the force
//! is tensile at the end, so contact ends at zero force. The source has no formula for a
//! restitution; exact calibration finds the damping by shooting at every touch. The stiffness and
//! exponent of the pair are not used. Unless they are set, the depths are the radii; a plane needs
//! `depth_2`, which is 0 if it is rigid. A damping coefficient is the second bracket, in N·s/m³.
//!
//! # Reference
//! A. Roy, J. A. Carretero, A damping term based on material properties for the volume-based
//! contact dynamics model, Int. J. Non-Linear Mech. 47 (2012).

use crate::error::{Result, check_coefficient};
use crate::law::curve::{DampingShape, CoefficientSource};
use crate::law::{Curved, Lens};
use crate::model::{Coefficient, Damping, Input, Inputs, Model};
use crate::models::shared::{POSITIVE, calibration_by_shooting, exact_restitution, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "roy-carretero-2012",
    title: "Roy & Carretero 2012",
    aliases: &["roy-carretero"],
    year: 2012,
    input: Input::Material,
    parameters: &[
        parameter("radius_1", "m", POSITIVE).help("radius of body 1"),
        parameter("radius_2", "m", POSITIVE).help("radius of body 2; leave it out for a plane"),
        parameter("depth_1", "m", POSITIVE)
            .help("depth of body 1, 0 if rigid; its radius unless set"),
        parameter("depth_2", "m", POSITIVE)
            .help("depth of body 2, 0 if rigid; its radius unless set"),
        parameter("youngs_1", "Pa", POSITIVE).help("Young's modulus of body 1"),
        parameter("youngs_2", "Pa", POSITIVE).help("Young's modulus of body 2"),
        parameter("damping_modulus_1", "Pa*s", POSITIVE).help("damping modulus D of body 1"),
        parameter("damping_modulus_2", "Pa*s", POSITIVE).help("damping modulus D of body 2"),
    ],
    coefficient: Coefficient::in_unit("N s/m^3"),
    build: |inputs| {
        let radius = inputs.positive("radius_1")?;
        let (other, depths) = match inputs.optional("radius_2")? {
            Some(_) => {
                let other = inputs.positive("radius_2")?;
                let depths = (inputs.optional("depth_1")?, inputs.optional("depth_2")?);
                (Some(other), [depths.0.unwrap_or(radius), depths.1.unwrap_or(other)])
            }
            None => {
                let depth = inputs.optional("depth_1")?.unwrap_or(radius);
                (None, [depth, inputs.parameter("depth_2")?])
            }
        };
        let stiffness = 1.0 / series(inputs, depths, ["youngs_1", "youngs_2"])?;
        // The curve already contains the elastic bracket; the viscous one is the damping
        // coefficient.
        let (shape, viscous) =
            (DampingShape::Slope(stiffness), ["damping_modulus_1", "damping_modulus_2"]);
        let source = match inputs.damping {
            Damping::Coefficient(c) => CoefficientSource::coefficient(check_coefficient(c)?),
            _ => match exact_restitution(inputs)? {
                Some(e) => {
                    viscous.into_iter().try_for_each(|name| refuse_parameter(inputs, name))?;
                    CoefficientSource::Calibrated(calibration_by_shooting(inputs.exit, e))
                }
                None if inputs.optional(viscous[0])?.is_none()
                    && inputs.optional(viscous[1])?.is_none() =>
                {
                    CoefficientSource::coefficient(0.0)
                }
                None => CoefficientSource::coefficient(1.0 / series(inputs, depths, viscous)?),
            },
        };
        Ok(inputs.law(Curved { curve: Lens::new(stiffness, radius, other), shape, source }))
    },
    ..Model::BLANK
};

/// Computes h₁/E₁ + h₂/E₂; a body with zero depth is rigid and needs no modulus.
fn series(inputs: &Inputs, depths: [f64; 2], names: [&'static str; 2]) -> Result<f64> {
    let mut sum = 0.0;
    for (depth, name) in depths.into_iter().zip(names) {
        if depth > 0.0 {
            sum += depth / inputs.positive(name)?;
        }
    }
    crate::error::check_positive("depth_1 + depth_2", sum, "at least one body must deform")
}
