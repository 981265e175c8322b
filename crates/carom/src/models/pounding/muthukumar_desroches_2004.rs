//! Muthukumar & DesRoches: the Hertzdamp element of bridge pounding.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e²)/4.
//!
//! # Derivation
//! A gap, Hertz's spring and a Hunt–Crossley damper between two decks. The damper is set by
//! Lankarani and Nikravesh's balance: the loss ½·mₑ·v₀²(1−e²) equals (2/3)(c/K)·mₑ·v₀³, the work of
//! the damper along the elastic path.
//!
//! # Validity
//! Restitutions near 1; pounding of bridge decks and buildings.
//!
//! # Remarks
//! In formula and result the law of Lankarani and Nikravesh, without its limit on the speed: 0.9
//! delivers 0.913, 0.5 delivers 0.725, and even 0 delivers 0.663. For the concrete of decks, where
//! 0.6 to 0.8 is usual, it dissipates too little. The bilinear element of the same authors is
//! another law.
//!
//! # Reference
//! S. Muthukumar, R. DesRoches, Evaluation of impact models for seismic pounding, 13th World Conf.
//! Earthq. Eng., Vancouver (2004), paper 235; A Hertz contact model with non-linear damping for
//! pounding simulation, Earthq. Eng. Struct. Dyn. 35 (2006) 811–828, doi 10.1002/eqe.557.

use crate::model::{Input, Model};
use crate::models::simplified::lankarani_nikravesh_1990::ratio;

pub const MODEL: Model = Model {
    id: "muthukumar-desroches-2004",
    title: "Muthukumar & DesRoches 2004",
    aliases: &["muthukumar-desroches", "hertzdamp"],
    year: 2004,
    input: Input::Restitution,
    restitution: (0.9, 1.0),
    build: |inputs| inputs.hunt_crossley(&ratio),
    ..Model::BLANK
};
