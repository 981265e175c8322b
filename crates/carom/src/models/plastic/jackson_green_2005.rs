//! Jackson & Green: an elastic, perfectly plastic sphere whose hardness decreases as the contact
//! grows.
//!
//! # Equation
//! In x = δ/δ_c, δ_c = (π·C·Y/(2E*))²·R, C = 1.295·exp(0.736ν), F_c = (4/3)·E*·√R·δ_c^(3/2): F/F_c
//! = x^1.5 or, where less, exp(−x^(5/12)/4)·x^1.5 + (4H/(C·Y))·(1 − exp(−x^(5/9)/25))·x; H/Y =
//! 2.84·(1 − exp(−0.82·(a/R)^(−0.7))), a = √(R·δ)·(x/1.9)^(B/2), B = 0.14·exp(23·Y/E*). Unloading
//! from (δ_m, F_m): F = F_m·((δ − δ_r)/(δ_m − δ_r))^(3/2), δ_r = 1.02·δ_m·(1 − ((x_m +
//! 5.9)/6.9)^(−0.54)) for x_m > 1, else 0.
//!
//! # Derivation
//! The formulas are fits to finite-element results. At x = 1 first yield occurs below the surface,
//! where by von Mises' criterion the largest contact pressure is C·Y. The hardness is not 2.8·Y
//! throughout, because a wide contact is more like a compressed cylinder than an indented
//! half-space. The residual indentations were fitted in a second paper.
//!
//! # Validity
//! Spheres flattened by a harder body, a/R up to 0.4, Y/E* up to about 0.02; no hardening and no
//! rate effects.
//!
//! # Remarks
//! The source uses Hertz's law up to x = 1.9 and the fit beyond. The two curves intersect near 1.9
//! but not exactly there (at x = 2.01 for ν = 0.3; at 1.9 they differ by 0.5 %). carom therefore
//! uses the smaller of the two, which is continuous. The recovered part of the indentation begins
//! to decrease at x = 1, so there is a small loss below x = 1.9 too. Above x of about 10⁴ the fit
//! of δ_r exceeds δ_m; at least 10⁻⁴ of the indentation is recovered here. Because of B and a/R the
//! curve depends on Y/E* and δ/R as well as on x, so exact calibration finds Y by a search at
//! onset. The force is taken from the public code of an asperity model (JG.m), and the residual
//! indentation from that of a rough-contact program (tests of SPHERE_PLASTIC_PRE). The stiffness
//! and exponent of the pair are not used.
//!
//! # Reference
//! R. L. Jackson, I. Green, A finite element study of elasto-plastic hemispherical contact against
//! a rigid flat, J. Tribol. 127 (2005) 343–354; R. Jackson, I. Chusoipin, I. Green, A finite
//! element study of the residual stress and deformation in hemispherical contacts, J. Tribol. 127
//! (2005) 484–493.

use crate::law::JacksonGreen;
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{MODULUS, POISSON, RADIUS, YIELD, yielding};

pub const MODEL: Model = Model {
    id: "jackson-green-2005",
    title: "Jackson & Green 2005",
    aliases: &["jackson-green"],
    year: 2005,
    input: Input::Material,
    parameters: &[MODULUS, RADIUS, POISSON, YIELD],
    doi: Some("10.1115/1.1866166"),
    coefficient: Coefficient::parameter(YIELD.name, YIELD.unit),
    build: |inputs| {
        let (modulus, radius) = (inputs.positive("modulus")?, inputs.positive("radius")?);
        let curve = JacksonGreen::new(modulus, radius, inputs.parameter(POISSON.name)?);
        Ok(inputs.law(yielding(inputs, YIELD.name, curve)?))
    },
    ..Model::BLANK
};
