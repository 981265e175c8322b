//! Qin Zhiying & Lu Qishao: Lankarani and Nikravesh's formula, extended to lower restitutions.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (3/4)(1−e²)·exp[2(1−e)].
//!
//! # Derivation
//! Lankarani and Nikravesh's factor (3/4)(1−e²) assumes an elastic path, so the damping is too
//! small when the loss is large. The exponential factor, fitted to the energy dissipated over the
//! impact, is 1 at e = 1, so that the formula remains exact to first order there (3/2), and grows
//! to e² ≈ 7.4 (e being Euler's number) at zero restitution.
//!
//! # Validity
//! Accurate to 0.03 for restitutions from 0.3 to 1.
//!
//! # Remarks
//! For a specified restitution of 0.9 the formula delivers 0.896, for 0.5 it delivers 0.483, for
//! 0.3 it delivers 0.327, but for 0.1 it delivers 0.218 and for 0 it delivers 0.179. The review
//! describes it as good for low and medium restitutions; below 0.3 it is not.
//!
//! # Reference
//! Qin Zhiying, Lu Qishao, Analysis of impact process based on restitution coefficient, J. Dyn.
//! Control 4 (2006) 294–298 (in Chinese).

use super::lankarani_nikravesh_1990;
use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "zhiying-qishao-2006",
    title: "Zhiying & Qishao 2006",
    aliases: &["zhiying-qishao"],
    year: 2006,
    input: Input::Restitution,
    restitution: (0.3, 1.0),
    build: |inputs| inputs.hunt_crossley(&ratio),
    ..Model::BLANK
};

/// Computes ε(e), which is finite at e = 0 as well.
pub(crate) fn ratio(e: f64) -> f64 {
    lankarani_nikravesh_1990::ratio(e) * (2.0 * (1.0 - e)).exp()
}
