//! Khatiwada, Chouw & Butterworth: the exact equation for seismic pounding.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε the root of 1+e = (1/ε)·ln[(1/ε + 1)/(1/ε − e)] with εe < 1.
//!
//! # Derivation
//! Multiply by ε and extend the fraction by it: ε(1+e) = ln[(1+ε)/(1−εe)], the phase-plane integral
//! of the motion (see Zhang & Sharf). During restitution the force stays repulsive while εe < 1.
//!
//! # Validity
//! Every restitution in (0, 1]; pounding of bridges and buildings.
//!
//! # Remarks
//! Exact: delivers the restitution asked for. The source takes |1/ε − e| to keep the logarithm
//! real; that adds a second, spurious root with εe > 1 (1.114 beside the true 0.716 for e = 0.5;
//! 1.0002 beside 0.9998 for 0.1). carom takes the root with εe < 1, where the bars do nothing.
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
