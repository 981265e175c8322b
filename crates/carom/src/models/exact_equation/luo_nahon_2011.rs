//! Luo & Nahon: stiffness from a polygonal contact area, damping from the exact equation.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε the root of ε(1+e) = ln[(1+ε)/(1−εe)]. With the contact polygon known,
//! K = γπ·E*·A₀/s₀ and n = 1, where A₀ is its area and s₀ the largest value over it of ∫dA/r. Where
//! the area grows with the indentation, A₀ = g·δ, K = (γ/2)·E*·√(πg) and n = 3/2.
//!
//! # Derivation
//! Under a uniform pressure p the surface is displaced by p·s₀/(πE*) at the point where ∫dA/r is
//! largest (Boussinesq); with F = p·A₀ this gives F = π·E*·(A₀/s₀)·δ. γ accounts for other pressure
//! distributions and shapes. For a circle of radius b, s₀ = 2πb; for a square of side 2a, s₀ =
//! 8a·ln(1+√2). For the damping see Zhang & Sharf.
//!
//! # Validity
//! All restitutions in (0, 1]. Contact areas that do not change during the impact, or that grow in
//! proportion to δ without changing their shape.
//!
//! # Remarks
//! The damping is exact: the specified restitution is delivered. Set either `contact_area` and
//! `patch_integral`, or `area_growth`, or none of them, in which case K and n of the pair are used.
//! The review calls s₀ a shape coefficient. It is a length, and its meaning here is inferred from
//! the dimensions and from Boussinesq's solution. For areas of one shape s₀ is proportional to √A₀,
//! from which the law of a growing area follows. The s₀ used is that of a circle, 2√(πA₀); that of
//! a square is 0.5 % less, which γ can account for. The overlap of a sphere has g = 2πR; for γ =
//! 4√2/(3π) = 0.6002 the result is Hertz's law.
//!
//! # Reference
//! L. Luo, M. Nahon, Development and validation of geometry-based compliant contact models, J.
//! Comput. Nonlinear Dyn. 6 (2011) 011004.

use crate::error::Error;
use crate::model::{Input, Inputs, Model};
use crate::models::shared::{MODULUS, POSITIVE, parameter, self};
use std::f64::consts::PI;

pub const MODEL: Model = Model {
    id: "luo-nahon-2011",
    title: "Luo & Nahon 2011",
    aliases: &["luo-nahon"],
    year: 2011,
    input: Input::Restitution,
    parameters: &[
        parameter("contact_area", "m^2", POSITIVE)
            .help("area A0 of the contact polygon; K and n of the pair are used without it"),
        parameter("patch_integral", "m", POSITIVE)
            .help("largest value s0 of the integral of dA/r over the polygon; 2*pi*b for a circle"),
        parameter("area_growth", "m", POSITIVE)
            .help("g = A0/delta of an area that grows with the indentation; 2*pi*R for a sphere"),
        parameter("case_coefficient", "", POSITIVE)
            .help("gamma, 1 for a uniform pressure over the polygon")
            .with_default(1.0),
        MODULUS,
    ],
    build: |inputs| {
        let area = inputs.optional("contact_area")?;
        let integral = inputs.optional("patch_integral")?;
        let growth = inputs.optional("area_growth")?;
        let fixed = area.is_some() || integral.is_some();
        let (shape, n) = match (fixed, growth.is_some()) {
            (false, false) => {
                let n = inputs.pair.exponent;
                return shared::exact_power(inputs, n, n, 1.0);
            }
            // If only one of the two is given, `check_positive` reports the missing one.
            (true, false) => {
                (inputs.positive("contact_area")? / inputs.positive("patch_integral")?, 1.0)
            }
            // For a circle s₀ = 2·√(π·A₀).
            (false, true) => (0.5 * (inputs.positive("area_growth")? / PI).sqrt(), 1.5),
            (true, true) => {
                return Err(Error::unsupported(
                    "area_growth together with contact_area or patch_integral",
                    "an area grows or is fixed; leave out one of them",
                ));
            }
        };
        let modulus = inputs.positive("case_coefficient")? * inputs.positive("modulus")?;
        let pair = shared::pair_with_stiffness(inputs, PI * modulus * shape, n)?;
        shared::exact_power(&Inputs { pair: &pair, ..*inputs }, n, n, 1.0)
    },
    ..Model::BLANK
};
