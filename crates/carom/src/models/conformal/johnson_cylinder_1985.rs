//! Johnson: parallel cylinders, for example a pin in a bore.
//!
//! # Equation
//! δ = (f/(π·E*))·[ln(4π·E*·ΔR/f) − 1], f = F/length; ΔR = R₂ − R₁ for a pin in a bore, R₁ + R₂ for
//! cylinders side by side.
//!
//! # Derivation
//! The displacement in a line contact of elastic half-spaces grows with the logarithm of the depth
//! at which it is measured. If it is measured at the centres of the cylinders, the radii enter
//! through ΔR. Solving for the force leads to a Lambert W function.
//!
//! # Validity
//! δ < 0.54·ΔR. At this value the printed function δ(f) has its maximum; the valid branch has
//! ln(4π·E*·ΔR/f) > 2.
//!
//! # Remarks
//! The law is elastic: the restitution is 1. The formula is inverted by Newton's method to rounding
//! accuracy. Above δ = 0.527·ΔR, close to the end of the range of the formula, the force is
//! continued along its tangent so that trial steps of an integrator remain finite; results in that
//! range are not Johnson's. The condition ln(…) > 1 found in the literature only ensures δ > 0. The
//! stiffness and exponent of the pair are not used.
//!
//! # Reference
//! K. L. Johnson, Contact Mechanics, Cambridge University Press, Cambridge 1985.

use crate::law::{Curved, Journal};
use crate::model::{Input, Model};
use crate::models::shared::{INNER, MODULUS, POSITIVE, nested_radii, parameter, refuse_damping};

pub const MODEL: Model = Model {
    id: "johnson-cylinder-1985",
    title: "Johnson 1985 (parallel cylinders)",
    aliases: &["johnson-cylinder"],
    year: 1985,
    input: Input::Elastic,
    parameters: &[
        MODULUS,
        INNER,
        parameter("radius_2", "m", POSITIVE).help("radius of the bore or of the other cylinder"),
        parameter("length", "m", POSITIVE).help("length of the line of contact"),
        parameter("external", "", (0.0, 1.0))
            .help("1 for cylinders side by side, 0 for a bore")
            .with_default(0.0),
    ],
    doi: Some("10.1017/CBO9781139171731"),
    build: |inputs| {
        refuse_damping(inputs, "the law is elastic; give no damping")?;
        let clearance = if inputs.parameter("external")? >= 0.5 {
            inputs.positive("radius_1")? + inputs.positive("radius_2")?
        } else {
            let (pin, bore) = nested_radii(inputs)?;
            bore - pin
        };
        let (modulus, length) = (inputs.positive("modulus")?, inputs.positive("length")?);
        Ok(inputs.law(Curved::elastic(Journal { modulus, length, clearance })))
    },
    ..Model::BLANK
};
