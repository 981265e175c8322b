//! Khatiwada, Chouw & Butterworth: the exact equation for seismic pounding.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε the root of 1+e = (1/ε)·ln[(1/ε + 1)/(1/ε − e)] with εe < 1.
//!
//! # Derivation
//! Multiplying by ε, and numerator and denominator of the fraction by ε, gives ε(1+e) =
//! ln[(1+ε)/(1−εe)], the phase-plane integral of the motion (see Zhang & Sharf). During restitution
//! the force remains repulsive while εe < 1.
//!
//! # Validity
//! All restitutions in (0, 1]; pounding of bridges and buildings.
//!
//! # Remarks
//! The specified restitution is delivered exactly. The source uses |1/ε − e| to keep the logarithm
//! real. This adds a second, spurious root with εe > 1 (εe = 1.114 in addition to the true 0.716
//! for e = 0.5; 1.0002 in addition to 0.9998 for e = 0.1). carom uses the root with εe < 1, where
//! the absolute value has no effect.
//!
//! # Reference
//! S. Khatiwada, N. Chouw, J. W. Butterworth, A generic structural pounding model using numerically
//! exact displacement proportional damping, Eng. Struct. 62–63 (2014) 33–41.

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "khatiwada-2014",
    title: "Khatiwada, Chouw & Butterworth 2014",
    aliases: &["khatiwada"],
    year: 2014,
    input: Input::Restitution,
    build: shared::exact_hunt_crossley,
    ..Model::BLANK
};
