//! Gonthier, McPhee, Lange & Piedbœuf: the exact equation, solved by a simple approximation.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (1−e²)/e.
//!
//! # Derivation
//! The equation of motion integrates exactly to (1 + d/e)/(1−d) = exp[d(1 + 1/e)] with d = ε·e. The
//! approximation d ≈ 1−e² has the correct limits d = 0 at e = 1 and d → 1 as e → 0.
//!
//! # Validity
//! According to the authors all restitutions; accurate below about 0.5. The law is also formulated
//! with the volume of interference in place of δⁿ, for conformal contact.
//!
//! # Remarks
//! Near e = 1 the damping is too large: dε/d(1−e) is 2, the exact value is 3/2. For a specified
//! restitution of 0.9 the formula delivers 0.876, for 0.8 it delivers 0.768 (the largest error,
//! −0.032), for 0.5 it delivers 0.488 and for 0.1 it delivers 0.101. The review calls the intended
//! contacts nonconformal, which contradicts its own explanation: large contact areas are those of
//! conformal contacts.
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
