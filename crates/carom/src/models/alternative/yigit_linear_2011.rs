//! Yigit, Christoforou & Majeed, linearised: one straight line for loading and one for unloading.
//!
//! # Equation
//! Loading F = K_y·δ, K_y = n·K·δ_y^(n−1); unloading F = K_y·δ_m·(δ − δ_f)/(δ_m − δ_f) for δ > δ_f,
//! else 0.
//!
//! # Derivation
//! The yielded contact is nearly linear with the slope K_y of the nonlinear law, so that slope is
//! used for the whole of loading. The unloading line runs from the peak to the permanent
//! indentation δ_f of the nonlinear law, δ_fⁿ = δ_mⁿ − δ_yⁿ − n·δ_y^(n−1)·(δ_m − δ_y). The areas of
//! the triangles give e² = 1 − δ_f/δ_m.
//!
//! # Validity
//! δ_m well above δ_y; metals and composites at low and medium speed.
//!
//! # Remarks
//! A specified restitution determines δ_f = (1−e²)·δ_m and is delivered exactly, with published and
//! with exact calibration. Without a restitution, δ_f follows from `yield_indentation`, which
//! determines the slope in either case. The review prints the unloading slope K_y/γ² with γ = 1 −
//! δ_f/δ_m. With these two values the force would jump at the peak and no energy would be lost. The
//! correct slope is K_y/γ (γ² is printed in place of γ in one of the two places).
//!
//! # Reference
//! A. S. Yigit, A. P. Christoforou, M. A. Majeed, A nonlinear visco-elastoplastic impact model and
//! the coefficient of restitution, Nonlinear Dyn. 66 (2011) 509–521.

use crate::law::Permanent;
use crate::law::plastic::Recovery;
use crate::model::{Input, Model};
use crate::models::shared::{parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "yigit-linear-2011",
    title: "Yigit, Christoforou & Majeed 2011 (linearised)",
    aliases: &["yigit-linear"],
    year: 2011,
    input: Input::Restitution,
    stands_in: &["yield_indentation"],
    parameters: &[parameter("yield_indentation", "m", (1e-12, f64::INFINITY))
        .help("indentation at which the contact yields; sets the slope K_y")],
    build: |inputs| {
        let exponent = inputs.pair.exponent;
        let indentation = inputs.positive("yield_indentation")?;
        let recovery = match restitution_by_energy(inputs)? {
            Some(e) => Recovery::Share(e * e),
            None => Recovery::Yielded { indentation, exponent },
        };
        let slope = exponent * inputs.pair.stiffness * indentation.powf(exponent - 1.0);
        Ok(inputs.law(Permanent::new(slope, 1.0, recovery)))
    },
    ..Model::BLANK
};
