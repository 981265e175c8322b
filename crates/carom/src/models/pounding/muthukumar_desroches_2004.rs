//! Muthukumar & DesRoches: the Hertzdamp element for the pounding of bridges.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e²)/4.
//!
//! # Derivation
//! The element consists of a gap, Hertz's spring and a Hunt–Crossley damper between two decks. The
//! damper follows from the energy balance of Lankarani and Nikravesh: the loss ½·mₑ·v₀²(1−e²)
//! equals the work (2/3)(c/K)·mₑ·v₀³ of the damper along the elastic path.
//!
//! # Validity
//! Restitutions near 1; pounding of bridge decks and buildings.
//!
//! # Remarks
//! The formula and its results are those of Lankarani and Nikravesh's law, without the limit on the
//! speed: for a specified restitution of 0.9 it delivers 0.913, for 0.5 it delivers 0.725, and even
//! for 0 it delivers 0.663. For concrete decks, whose restitution usually is 0.6 to 0.8, it
//! dissipates too little. The bilinear element of the same authors is a different law.
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
