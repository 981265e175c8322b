//! Zhang, Li, Zhao & He: the most accurate of the explicit factors.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 249(1−e)/(6 + 160e).
//!
//! # Derivation
//! With an equivalent velocity in each phase, an energy balance gives 3(1−e)/(2e). The equivalent
//! velocity is then adjusted so that the simulated restitution agrees with the specified one, which
//! changes the denominator. At e = 1, dε/d(1−e) is 249/166 = 1.5, which is exact; at e = 0, ε =
//! 41.5 is finite.
//!
//! # Validity
//! According to the authors all restitutions; regular and irregular surfaces.
//!
//! # Remarks
//! From e = 0.1 upwards the restitution is delivered to within 0.012: 0.900 for a specified 0.9,
//! 0.497 for 0.5, 0.188 for 0.2 and 0.098 for 0.1. No restitution below 0.024 is delivered. The
//! factor is the one that the review prints, and its limits are correct. The row "2020" in the
//! tables of the authors' paper of 2022 requires a damping that is 0.3–0.6 % higher, so they may
//! have used differently rounded numbers.
//!
//! # Reference
//! J. Zhang, W. Li, L. Zhao, G. He, A continuous contact force model for impact analysis in
//! multibody dynamics, Mech. Mach. Theory 153 (2020) 103946.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "zhang-2020",
    title: "Zhang, Li, Zhao & He 2020",
    aliases: &["zhang-li-zhao-he-2020"],
    year: 2020,
    input: Input::Restitution,
    doi: Some("10.1016/j.mechmachtheory.2020.103946"),
    build: |inputs| inputs.hunt_crossley(&|e| 249.0 * (1.0 - e) / (6.0 + 160.0 * e)),
    ..Model::BLANK
};
