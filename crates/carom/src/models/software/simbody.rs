//! Simbody: Hertz's spring with Hunt–Crossley dissipation.
//!
//! # Equation
//! F = max(0, K·δⁿ·(1 + (3/2)·d·δ̇)), d the dissipation of the material.
//!
//! # Derivation
//! Hunt and Crossley with e = 1 − d·v₀: ε = (3/2)(1−e), c = ε·K/v₀ = (3/2)·d·K. The program has a
//! helper function that converts an observed restitution into d = (1−e)/v₀, which again is ε =
//! (3/2)(1−e).
//!
//! # Validity
//! d·v₀ ≪ 1, restitutions near 1; biomechanics, lasting contact.
//!
//! # Remarks
//! This is the law of `marhefka-orin-1999` without tension, which corresponds to the exit at zero
//! force. The damping is too small away from e = 1: for a specified restitution of 0.9 it delivers
//! 0.909, for 0.5 it delivers 0.663. Give d by the parameter `dissipation`, or give a restitution.
//! Simbody has its own rule for the stiffness of two materials, with the power 2/3; here K is that
//! of the pair.
//!
//! # Reference
//! M. A. Sherman, A. Seth, S. L. Delp, Simbody: multibody dynamics for biomedical research,
//! Procedia IUTAM 2 (2011) 241–261.

use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, parameter};
use crate::models::simplified::marhefka_orin_1999::law;

pub const MODEL: Model = Model {
    id: "simbody",
    title: "Simbody (Sherman, Seth & Delp 2011)",
    aliases: &["simbody-hc", "sherman-2011"],
    year: 2011,
    input: Input::Restitution,
    stands_in: &["dissipation"],
    restitution: (0.9, 1.0),
    parameters: &[parameter("dissipation", "s/m", POSITIVE)
        .help("dissipation d of the material; used when no damping is asked for")],
    doi: Some("10.1016/j.piutam.2011.04.023"),
    build: |inputs| law(inputs, "dissipation"),
    ..Model::BLANK
};
