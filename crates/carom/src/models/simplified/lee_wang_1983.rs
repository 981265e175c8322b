//! Lee & Wang: half of Hunt and Crossley's damping.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e)/4.
//!
//! # Derivation
//! The damping force is assumed to vanish at onset and at the largest indentation, as a hysteresis
//! loop requires, and its magnitude is determined from the loss over the loop. The factor is half
//! of the one that an energy balance to first order in 1−e gives.
//!
//! # Validity
//! According to the authors restitutions near 1; mechanisms with clearance and intermittent motion.
//! The law is rarely used.
//!
//! # Remarks
//! The damping is half of what is needed, even near e = 1, where dε/d(1−e) is 3/4 instead of 3/2:
//! the law delivers about (1+e)/2, that is 0.952 for a specified 0.9 and 0.799 for 0.5. The review
//! states that the contact force is zero at the largest indentation; it is the damping force that
//! is zero.
//!
//! # Reference
//! T. W. Lee, A. C. Wang, On the dynamics of intermittent-motion mechanisms, Part 1: Dynamic model
//! and response, J. Mech. Transm. Autom. Des. 105 (1983) 534–540.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "lee-wang-1983",
    title: "Lee & Wang 1983",
    aliases: &["lee-wang"],
    year: 1983,
    input: Input::Restitution,
    restitution: (0.9, 1.0),
    build: |inputs| inputs.hunt_crossley(&|e| 0.75 * (1.0 - e)),
    ..Model::BLANK
};
