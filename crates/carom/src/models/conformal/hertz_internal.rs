//! Hertz's contact of a ball in a spherical cavity.
//!
//! # Equation
//! F = (4/3)·E*·√R·δ^(3/2), R = R₁R₂/(R₂ − R₁), R₂ > R₁ the radius of the cavity.
//!
//! # Derivation
//! Hertz's theory depends on the undeformed surfaces only through their gap, which is r²/(2R) near
//! the axis. A concave surface has a negative radius, so 1/R = 1/R₁ − 1/R₂.
//!
//! # Validity
//! A clearance that is large compared with the indentation, so that the contact area is small
//! compared with the ball. For R₂ → R₁ the bodies cannot be treated as half-spaces; see liu-2006
//! and wang-gao-2023.
//!
//! # Remarks
//! The law is elastic: the restitution is 1. The stiffness and exponent of the pair are not used.
//!
//! # Reference
//! H. Hertz, Über die Berührung fester elastischer Körper, J. reine angew. Math. 92 (1881) 156–171.

use crate::law::Power;
use crate::model::{Input, Model};
use crate::models::shared::{INNER, MODULUS, OUTER, nested_radii, refuse_damping};

pub const MODEL: Model = Model {
    id: "hertz-internal",
    title: "Hertz 1881 (internal contact)",
    year: 1881,
    input: Input::Elastic,
    parameters: &[MODULUS, INNER, OUTER],
    doi: Some("10.1515/crll.1882.92.156"),
    build: |inputs| {
        refuse_damping(inputs, "the law is elastic; for damping use wang-gao-2023")?;
        let (ball, cavity) = nested_radii(inputs)?;
        let radius = ball * cavity / (cavity - ball);
        let stiffness = 4.0 / 3.0 * inputs.positive("modulus")? * radius.sqrt();
        Ok(inputs.law(Power::elastic(stiffness, 1.5)))
    },
    ..Model::BLANK
};
