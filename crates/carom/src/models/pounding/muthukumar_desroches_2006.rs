//! Muthukumar & DesRoches: a bilinear loop with the energy loss of Hertz's law with damping.
//!
//! # Equation
//! The force–indentation loop is a parallelogram: slope k₁ up to a·d, slope k₂ beyond; unloading
//! with k₁ and then k₂ to the origin. k₁ = K_d + ΔE/(a·d²), k₂ = K_d − ΔE/((1−a)·d²), K_d =
//! K·d^(n−1), ΔE = K·d^(n+1)·(1−e²)/(n+1), d = [(n+1)·mₑ·v₀²/(2K)]^(1/(n+1)).
//!
//! # Derivation
//! d is the largest indentation of an elastic impact and ΔE the fraction 1−e² of its energy. The
//! two slopes are those for which the loop passes through the elastic law at d, k₁·a·d +
//! k₂·(1−a)·d = K·dⁿ, and encloses the area (k₁ − k₂)·a·(1−a)·d² = ΔE.
//!
//! # Validity
//! Pounding of bridge decks and buildings; a replacement for Hertz's law with damping that is
//! easier to program. Exact calibration requires e² ≥ a/(2−a).
//!
//! # Remarks
//! The loop is stiffer than Hertz's curve, so the turn of the impact is before d and the loss is
//! less than ΔE: with n = 3/2, a = 0.1 the element delivers 0.917 for a specified restitution of
//! 0.9, 0.692 for 0.5 and 0.609 for 0.1 (computed with carom). Exact calibration places the corner
//! of the loop at the actual turn of the impact, d^(n+1) = mₑ·v₀²/(K·(1+x)) with ΔE = x·K·d^(n+1),
//! x = (1−e²)/(1+e²), and delivers e. The damped element of the same paper is Lankarani &
//! Nikravesh's law of 1990. Reloading before separation follows the unloading path back.
//!
//! # Reference
//! S. Muthukumar, R. DesRoches, A Hertz contact model with non-linear damping for pounding
//! simulation, Earthq. Eng. Struct. Dyn. 35 (2006) 811–828.

use crate::law::plastic::Bilinear;
use crate::model::{Damping, Input, Model};
use crate::models::shared::{parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "muthukumar-desroches-2006",
    title: "Muthukumar & DesRoches 2006 (bilinear element)",
    aliases: &["muthukumar-desroches-bilinear"],
    year: 2006,
    input: Input::Restitution,
    parameters: &[parameter("yield_fraction", "", (0.001, 0.5))
        .help("share a of the design indentation at which the slope changes")
        .with_default(0.1)],
    doi: Some("10.1002/eqe.557"),
    build: |inputs| {
        let (stiffness, n) = (inputs.pair.stiffness, inputs.pair.exponent);
        let fraction = inputs.parameter("yield_fraction")?;
        let e = restitution_by_energy(inputs)?.unwrap_or(1.0);
        Ok(inputs.law(match inputs.damping {
            Damping::Exact(_) => Bilinear::delivering(stiffness, n, fraction, e)?,
            _ => Bilinear::published(stiffness, n, fraction, e),
        }))
    },
    ..Model::BLANK
};
