//! Gonthier, McPhee, Lange & Piedbœuf: the exact equation, closed by a simple guess.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (1−e²)/e.
//!
//! # Derivation
//! The motion integrates exactly to (1 + d/e)/(1−d) = exp[d(1 + 1/e)] with d = ε·e; the guess
//! d ≈ 1−e² has its two limits, d = 0 at e = 1 and d → 1 as e → 0.
//!
//! # Validity
//! Stated for all restitutions; accurate below about 0.5. Also written with the volume of
//! interference in place of δⁿ, for conformal contact.
//!
//! # Remarks
//! Too much damping near e = 1, where the slope is 2 and 3/2 is exact: 0.9 delivers 0.876, 0.8
//! delivers 0.768 (the worst, −0.032), 0.5 delivers 0.488 and 0.1 delivers 0.101. The review's word
//! for the contacts meant, nonconformal, contradicts its own explanation: conformal ones have the
//! large areas.
//!
//! # Reference
//! Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, A regularized contact model with asymmetric
//! damping and dwell-time dependent friction, Multibody Syst. Dyn. 11 (2004) 209–233.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "gonthier-2004",
    title: "Gonthier, McPhee, Lange & Piedbœuf 2004",
    aliases: &["gonthier"],
    year: 2004,
    input: Input::Restitution,
    doi: Some("10.1023/B:MUBO.0000029392.21648.bc"),
    build: |inputs| inputs.hunt_crossley(&|e| (1.0 - e * e) / e),
    ..Model::BLANK
};
