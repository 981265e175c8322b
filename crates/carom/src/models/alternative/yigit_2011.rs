//! Yigit, Christoforou & Majeed: Hertzian and then linear loading, with Hertzian unloading.
//!
//! # Equation
//! Loading F = K·δⁿ to δ_y, then F = K·δ_yⁿ + K_y·(δ − δ_y), K_y = n·K·δ_y^(n−1);
//! unloading F = K·(δⁿ − δ_mⁿ + δ_yⁿ) + K_y·(δ_m − δ_y), not below 0; n = 3/2 in the source.
//!
//! # Derivation
//! After first yield the force follows the tangent of the elastic curve at that point, so that
//! force and stiffness are continuous. Unloading is elastic: it follows the elastic curve, shifted
//! so that it passes through the peak. The force is zero at the permanent indentation δ_fⁿ = δ_mⁿ −
//! δ_yⁿ − (K_y/K)·(δ_m − δ_y).
//!
//! # Validity
//! Metals and composites at low and medium speed. In the source the force may also be multiplied by
//! a viscous factor; carom implements the plastic part only.
//!
//! # Remarks
//! The review prints δ_f = δ_m·[1 − K_y/(K·√δ_m)]^(2/3), which is the limit for δ_m ≫ δ_y and is
//! not defined below δ_m = 2.25·δ_y; the expression above is exact. The restitution is a function
//! of δ_y/δ_m only. From it and from the energy of the impact, exact calibration finds δ_y at every
//! touch.
//!
//! # Reference
//! A. S. Yigit, A. P. Christoforou, M. A. Majeed, A nonlinear visco-elastoplastic impact model and
//! the coefficient of restitution, Nonlinear Dyn. 66 (2011) 509–521.

use crate::law::plastic::Yield;
use crate::law::{Exponent, Yigit};
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{exact_restitution, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "yigit-2011",
    title: "Yigit, Christoforou & Majeed 2011",
    aliases: &["yigit"],
    year: 2011,
    input: Input::Material,
    parameters: &[parameter("yield_indentation", "m", (1e-12, f64::INFINITY))
        .help("indentation at which the contact yields")],
    coefficient: Coefficient::parameter("yield_indentation", "m"),
    build: |inputs| {
        let n = inputs.pair.exponent;
        let yields = match exact_restitution(inputs)? {
            Some(e) => {
                refuse_parameter(inputs, "yield_indentation")?;
                Yield::delivering(n, e)?
            }
            None => Yield::Given(inputs.positive("yield_indentation")?),
        };
        let (stiffness, exponent) = (inputs.pair.stiffness, Exponent::new(n));
        Ok(inputs.law(Yigit { stiffness, exponent, yields }))
    },
    ..Model::BLANK
};
