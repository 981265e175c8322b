//! Steuermann: a punch of a power-law profile, with the contact radius that equilibrium gives.
//!
//! # Equation
//! F = K·δ^((2s+1)/(2s)), K = (4s/(2s+1))·E*·(c_s·A)^(−1/(2s)), c_s = (2·4·…·2s)/(1·3·…·(2s−1)), for
//! the gap A·r^(2s) between the undeformed surfaces, s = 1, 2, 3, …; A = 1/(2L^(2s−1)).
//!
//! # Derivation
//! The contact radius a follows from δ = c_s·A·a^(2s) and the force is (4s/(2s+1))·E*·a·δ; a is
//! eliminated. s = 1 is Hertz's law with L = R. The pressure is (A·E*·a^(2s−2)/π)·c_s² times
//! (r/a)^(2s−2) + ½·(r/a)^(2s−4) + … + (1·3·…·(2s−3))/(2·4·…·(2s−2)), times √(a² − r²).
//!
//! # Validity
//! Elastic half-spaces without friction; axisymmetric profiles with one power of r. Blunt noses and
//! worn surfaces: the larger s, the flatter the middle and the nearer the law to a linear one.
//!
//! # Remarks
//! Elastic: the restitution is 1. liu-2006 and wang-gao-2023 take the same force at a radius from
//! the overlap of undeformed spheres instead, which is why theirs differs from Hertz's at s = 1.
//! Force, radius and pressure are `law::punch::Punch`, where the pressure is checked to carry the
//! force and to sink the centre by δ. Read in Wang & Gao 2023 (their Eqs 4 to 7, after Johnson);
//! their pressure has a factor s too many, with which it would carry s times the force. The stiffness
//! and exponent of the pair are not used.
//!
//! # Reference
//! E. Steuermann, To Hertz's theory of local deformations in compressed elastic bodies, C. R. Acad.
//! Sci. URSS 25 (1939) 359–361; K. L. Johnson, Contact Mechanics, Cambridge University Press 1985.

use crate::error::Error;
use crate::law::Power;
use crate::law::punch::Punch;
use crate::model::{Input, Model, Parameter};
use crate::models::shared::{MODULUS, RADIUS, elastic, parameter};

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
            .or(2.0),
        Parameter {
            help: "length L of the profile r^(2s)/(2*L^(2s-1)): the effective radius for s = 1",
            ..RADIUS
        },
    ],
    build: |inputs| {
        elastic(inputs, "the law is elastic; give its K and n to a law with damping")?;
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
