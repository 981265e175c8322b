//! Xiong, Kikuuwe & Yamamoto: a contact with an internal state and a residual indentation.
//!
//! # Equation
//! F = K·max(0, s + g·(b₁ + b₂·a)·(s − a)), s = δ·|δ|^(λ−1);
//! ȧ = max(−g·a/[1 + g·(b₁ + b₂·a)], g·(s − a)), a = 0 at touch.
//!
//! # Derivation
//! The source formulates a differential algebraic inclusion for a spring with the state a, a damper
//! that grows with a, and a diode that prevents tension. The rate g makes it explicit: a follows s
//! with the time constant 1/g, and the force is K·[a + (1/g + b₁ + b₂·a)·ȧ]. Inserting the second
//! branch of ȧ gives F above; the branches change exactly at F = 0.
//!
//! # Validity
//! Soft and viscoelastic contact, haptics. The force is continuous, convex like Hertz's, and
//! becomes zero at a non-zero indentation.
//!
//! # Remarks
//! b₁ determines the residual indentation and the initial stiffness K·(1 + g·b₁); b₂ rounds the
//! loop. Larger values of either lower the restitution, but only to a minimum: with a very large b₁
//! the contact is so stiff that it ends before the state has changed, and is elastic again. If g
//! times the elastic duration is 1, 10 and 100, the minimum restitution (b₂ = 0, n = 3/2) is 0.82,
//! 0.28 and 0.01, at g·b₁ of about 3, 10 and 400 (computed with carom). The source has no formula
//! for a restitution; exact calibration finds b₁ by shooting at every touch for the given b₂, so g
//! must be large enough for the specified restitution. λ and K are those of the pair. The review
//! prints F with a minus sign, as the force on the mass, and γ ≥ 0 although 1/γ appears; g must be
//! greater than 0. The differential equation of a is stiff for large g.
//!
//! # Reference
//! X. Xiong, R. Kikuuwe, M. Yamamoto, A contact force model with nonlinear compliance and residual
//! indentation, J. Appl. Mech. 81 (2014) 021003.

use crate::law::{Calibration, Exponent, Xiong};
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{POSITIVE, calibration_by_shooting, exact_restitution, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "xiong-2014",
    title: "Xiong, Kikuuwe & Yamamoto 2014",
    aliases: &["xiong"],
    year: 2014,
    input: Input::Material,
    parameters: &[
        parameter("relaxation", "1/s", POSITIVE).help("rate g with which the state follows"),
        parameter("b1", "s", POSITIVE).help("constant part of the damper"),
        parameter("b2", "s/m^lambda", POSITIVE)
            .help("part of the damper that grows with a")
            .with_default(0.0),
    ],
    coefficient: Coefficient::parameter("b1", "s"),
    build: |inputs| {
        let first = match exact_restitution(inputs)? {
            Some(e) => {
                refuse_parameter(inputs, "b1")?;
                calibration_by_shooting(inputs.exit, e)
            }
            None => Calibration::Coefficient(inputs.parameter("b1")?),
        };
        Ok(inputs.law(Xiong {
            stiffness: inputs.pair.stiffness,
            exponent: Exponent::new(inputs.pair.exponent),
            relaxation: inputs.positive("relaxation")?,
            first,
            second: inputs.parameter("b2")?,
        }))
    },
    ..Model::BLANK
};
