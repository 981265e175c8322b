//! Lee & Wang: half of Hunt and Crossley's damping.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 3(1−e)/4.
//!
//! # Derivation
//! The damper is shaped so that its force vanishes at first touch and at the largest indentation,
//! as a hysteresis loop requires, and its size is set from the loss over the loop. The factor is
//! half of the one that an energy balance to first order in 1−e gives.
//!
//! # Validity
//! Claimed for restitutions near 1, mechanisms with clearances and intermittent motion. Little
//! used.
//!
//! # Remarks
//! Half the damping that is needed, also near e = 1, where the slope is 3/4 instead of 3/2: about
//! (1+e)/2 is delivered, 0.952 for 0.9 and 0.799 for 0.5. The review says that the contact force is
//! zero at the largest indentation; it is the damping force that is.
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
