//! Drake's point contact: a linear spring with Hunt–Crossley dissipation.
//!
//! # Equation
//! F = K·δ·max(0, 1 + d·δ̇).
//!
//! # Derivation
//! Hunt and Crossley's damper on a linear spring, c = d·K, where d is chosen and not computed. The
//! bracket vanishes at δ̇ = −1/d, so 1/d is an upper bound of the separation speed of any impact.
//!
//! # Validity
//! Robots in lasting contact; K is a penalty stiffness. Linear pairs only (exponent 1).
//!
//! # Remarks
//! The program has no formula for d from a restitution, and its default of 50 s/m is nearly plastic
//! at 1 m/s. The exact relation is d = ε/v₀ with ε(1+e) = ln[(1+ε)/(1−εe)]; if an exact restitution
//! is specified, c = d·K for the given impact. d is given by the parameter `dissipation`. The
//! manual interprets d as the slope of e = 1 − d·v₀ with the exponent of the spring as a factor,
//! 3/2 for spheres and therefore 1 here. However, the slope is 2/3 of c·v₀/K for every exponent,
//! and this law delivers e ≈ 1 − (2/3)·d·v₀.
//!
//! # Reference
//! R. Tedrake and the Drake Development Team, Drake: model-based design and verification for
//! robotics (2019), drake.mit.edu, section on compliant point contact.

use crate::law::{Damper, Power};
use crate::model::{Damping, Input, Model};
use crate::models::shared::{POSITIVE, linear_stiffness, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "drake",
    title: "Drake point contact",
    aliases: &["drake-point"],
    year: 2019,
    input: Input::Material,
    parameters: &[parameter("dissipation", "s/m", POSITIVE)
        .help("dissipation d, 1/d bounds the bounce speed; used when no damping is asked for")],
    build: |inputs| {
        linear_stiffness(inputs)?;
        let k = inputs.pair.stiffness;
        if inputs.damping != Damping::None {
            refuse_parameter(inputs, "dissipation")?;
            return inputs.power(1.0, 1.0, 1.0, None);
        }
        let d = inputs.parameter("dissipation")?;
        Ok(inputs.law(Power::new(k, 1.0, 1.0, 1.0, Damper::Coefficient(d * k))))
    },
    ..Model::BLANK
};
