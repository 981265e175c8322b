//! Steuermann: a punch with a power-law profile, and the contact radius that equilibrium requires.
//!
//! # Equation
//! F = K·δ^((2s+1)/(2s)), K = (4s/(2s+1))·E*·(c_s·A)^(−1/(2s)), c_s = (2·4·…·2s)/(1·3·…·(2s−1)), for
//! the gap A·r^(2s) between the undeformed surfaces, s = 1, 2, 3, …; A = 1/(2L^(2s−1)).
//!
//! # Derivation
//! The contact radius a follows from δ = c_s·A·a^(2s), and the force is (4s/(2s+1))·E*·a·δ; a is
//! then eliminated. For s = 1 the law is Hertz's with L = R. The pressure is the product of
//! (A·E*·a^(2s−2)/π)·c_s², the sum (r/a)^(2s−2) + ½·(r/a)^(2s−4) + … +
//! (1·3·…·(2s−3))/(2·4·…·(2s−2)), and √(a² − r²).
//!
//! # Validity
//! Elastic half-spaces without friction; axisymmetric profiles that are a single power of r, such
//! as blunt noses and worn surfaces. The larger s, the flatter the middle of the profile and the
//! closer the law to a linear one.
//!
//! # Remarks
//! The law is elastic: the restitution is 1. liu-2006 and wang-gao-2023 use the same relation
//! between force and contact radius, but take the radius from the overlap of the undeformed
//! spheres; for this reason they differ from Hertz's law at s = 1. Force, radius and pressure are
//! computed in `law::punch::Punch`, where tests check that the pressure integrates to the force and
//! displaces the centre by δ. The equations were taken from Wang & Gao 2023 (their Eqs 4 to 7,
//! after Johnson). Their pressure has an additional factor s, with which it would integrate to s
//! times the force. The stiffness and exponent of the pair are not used.
//!
//! # Reference
//! E. Steuermann, To Hertz's theory of local deformations in compressed elastic bodies, C. R. Acad.
//! Sci. URSS 25 (1939) 359–361; K. L. Johnson, Contact Mechanics, Cambridge University Press 1985.

use crate::error::Error;
use crate::law::Power;
use crate::law::punch::Punch;
use crate::model::{Input, Model, Parameter};
use crate::models::shared::{MODULUS, RADIUS, parameter, refuse_damping};

pub const MODEL: Model = Model {
    id: "steuermann-1939",
    title: "Steuermann 1939",
    aliases: &["steuermann"],
    year: 1939,
    input: Input::Elastic,
    parameters: &[
        MODULUS,
        parameter("index", "", (1.0, 50.0))
            .help("s of the profile A*r^(2s), a whole number")
            .with_default(2.0),
        Parameter {
            help: "length L of the profile r^(2s)/(2*L^(2s-1)): the effective radius for s = 1",
            ..RADIUS
        },
    ],
    build: |inputs| {
        refuse_damping(inputs, "the law is elastic; give its K and n to a law with damping")?;
        let index = inputs.parameter("index")?;
        if index.fract() != 0.0 {
            return Err(Error::invalid(
                "index",
                index,
                "a whole number from 1 to 50",
                "the profile is A*r^(2s) with s = 1, 2, 3 and so on",
            ));
        }
        let profile = 0.5 * inputs.positive("radius")?.powf(1.0 - 2.0 * index);
        let punch = Punch { modulus: inputs.positive("modulus")?, profile, index: index as u32 };
        Ok(inputs.law(Power::elastic(punch.stiffness(), punch.exponent())))
    },
    ..Model::BLANK
};
