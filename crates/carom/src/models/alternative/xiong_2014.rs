//! Xiong, Kikuuwe & Yamamoto: a contact with an internal state and a residual indentation.
//!
//! # Equation
//! F = K·max(0, s + g·(b₁ + b₂·a)·(s − a)), s = δ·|δ|^(λ−1);
//! ȧ = max(−g·a/[1 + g·(b₁ + b₂·a)], g·(s − a)), a = 0 at touch.
//!
//! # Derivation
//! A differential algebraic inclusion for a spring a, a damper that grows with it and a diode that
//! forbids tension, made explicit by the rate g: a follows s with the time 1/g, the force is
//! K·[a + (1/g + b₁ + b₂·a)·ȧ]. Inserting the second branch of ȧ gives F above; the branches switch
//! exactly where F = 0.
//!
//! # Validity
//! Soft and viscoelastic contact, haptics. The force is continuous, convex like Hertz's, and zero
//! at an indentation that is not.
//!
//! # Remarks
//! b₁ sets the residual indentation and the first stiffness K·(1 + g·b₁), b₂ rounds the loop. More
//! of either lowers the restitution, but only to a least value: a very large b₁ makes the contact so
//! stiff that it is over before the state has moved, and elastic again. With g times the elastic
//! duration equal to 1, 10 and 100 the least restitution (b₂ = 0, n = 3/2) is 0.82, 0.28 and 0.01,
//! at g·b₁ about 3, 10 and 400 (computed here). A restitution has no formula; exact calibration finds b₁ by shooting
//! at every touch, on top of b₂, so g must be large enough for what is asked. λ and K are those of
//! the pair. The review prints F with a minus, which is the sign of the force on the mass, and
//! γ ≥ 0 where 1/γ appears: g must be above 0. The equation of a is stiff for large g.
//!
//! # Reference
//! X. Xiong, R. Kikuuwe, M. Yamamoto, A contact force model with nonlinear compliance and residual
//! indentation, J. Appl. Mech. 81 (2014) 021003.

use crate::law::{Calibration, Exponent, Xiong};
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{POSITIVE, delivered, exactly, instead, parameter};

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
            .or(0.0),
    ],
    coefficient: Coefficient::parameter("b1", "s"),
    build: |inputs| {
        let first = match exactly(inputs)? {
            Some(e) => {
                instead(inputs, "b1")?;
                delivered(inputs.exit, e)
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
