//! Simbody: Hertz's spring with Hunt–Crossley dissipation.
//!
//! # Equation
//! F = max(0, K·δⁿ·(1 + (3/2)·d·δ̇)), d the dissipation of the material.
//!
//! # Derivation
//! Hunt and Crossley with e = 1 − d·v₀: ε = (3/2)(1−e), c = ε·K/v₀ = (3/2)·d·K. The program's
//! helper turns an observed restitution into d = (1−e)/v₀, which is ε = (3/2)(1−e) again.
//!
//! # Validity
//! d·v₀ ≪ 1, restitutions near 1; biomechanics, lasting contact.
//!
//! # Remarks
//! The law of `marhefka-orin-1999` with the force kept from pulling, which the exit at zero force
//! means. Too little damping away from e = 1: 0.9 delivers 0.909, 0.5 delivers 0.663. Give d by the
//! parameter `dissipation`, or a restitution. Simbody mixes the stiffness of two materials by a 2/3
//! power of its own; here K is that of the pair.
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
