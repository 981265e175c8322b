//! Lankarani & Nikravesh: the permanent indentation from the energy balance.
//!
//! # Equation
//! Loading F = K·δⁿ; unloading F = F_max·[(δ − δ_p)/(δ_max − δ_p)]ⁿ, with
//! δ_p = (n+1)·mₑ·v₀²·(1−e²)/(2·F_max).
//!
//! # Derivation
//! The loss ½mₑ·v₀²·(1−e²) is the area between the two curves, F_max·δ_p/(n+1). With Hertz's
//! δ_max = [(n+1)·mₑ·v₀²/(2K)]^(1/(n+1)) and F_max = K·δ_maxⁿ the formula simplifies to δ_p =
//! (1−e²)·δ_max.
//!
//! # Validity
//! Local plasticity: v₀ above about 1e-5·√(E/ρ), the limit of the authors' damped law of 1990.
//!
//! # Remarks
//! The restitution is delivered exactly by the energy balance; published and exact calibration are
//! the same. Here δ_p = (1−e²)·δ_max with the largest indentation so far. For a free impact this is
//! the printed formula, and it remains correct when other forces act. The law is the same as
//! Goldsmith's with a restitution.
//!
//! # Reference
//! H. M. Lankarani, P. E. Nikravesh, Continuous contact force models for impact analysis in
//! multibody systems, Nonlinear Dyn. 5 (1994) 193–207.

use crate::law::Permanent;
use crate::law::plastic::Recovery;
use crate::model::{Input, Model};
use crate::models::shared::restitution_by_energy;

pub const MODEL: Model = Model {
    id: "lankarani-nikravesh-1994",
    title: "Lankarani & Nikravesh 1994",
    aliases: &["lankarani-nikravesh-plastic"],
    year: 1994,
    input: Input::Restitution,
    doi: Some("10.1007/BF00045676"),
    build: |inputs| {
        let e = restitution_by_energy(inputs)?.unwrap_or(1.0);
        let recovery = Recovery::Share(e * e);
        Ok(inputs.law(Permanent::new(inputs.pair.stiffness, inputs.pair.exponent, recovery)))
    },
    ..Model::BLANK
};
