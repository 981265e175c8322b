//! Thornton, Cummins & Cleary: Tsuji's damper for contacts without tension.
//!
//! # Equation
//! F = K·δⁿ + α·√(mₑ·K)·δ^((n−1)/2)·δ̇, contact ends at F = 0; α = √(2(n+1))·ζ with
//! ln e = −2ζ·arccos ζ/√(1−ζ²) (ζ > 1: −2ζ·arcosh ζ/√(ζ²−1)).
//!
//! # Derivation
//! The transformation of `tsuji-1992` makes the impact a linear oscillator with the damping ratio
//! ζ. Its force becomes zero before half a period has passed, at the phase 2·arccos ζ, where the
//! speed has been reduced by the factor exp(−2ζ·arccos ζ/√(1−ζ²)). This is solved for ζ.
//!
//! # Validity
//! All restitutions and speeds, for contact that ends at zero force (no tension). Granular flow.
//!
//! # Remarks
//! The restitution is delivered exactly if contact ends at zero force. The source fits α(e) by a
//! polynomial in e; here the underlying relation is solved instead, which avoids the error of the
//! fit. A published restitution is always calibrated for the exit at zero force. With the other
//! exit the restitution is lower (0.436 for a specified 0.5), and below e⁻² = 0.135, where ζ ≥ 1,
//! the indentation does not return to zero in finite time.
//!
//! # Reference
//! C. Thornton, S. J. Cummins, P. W. Cleary, An investigation of the comparative behaviour of
//! alternative contact force models during inelastic collisions, Powder Technol. 233 (2013) 30–46.

use crate::law::Exit;
use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "thornton-cummins-cleary-2013",
    title: "Thornton, Cummins & Cleary 2013",
    aliases: &["thornton-2013-tsuji"],
    year: 2013,
    input: Input::Restitution,
    exit: Exit::ZeroForce,
    doi: Some("10.1016/j.powtec.2012.08.012"),
    build: |inputs| {
        let n = inputs.pair.exponent;
        shared::exact_power(inputs, n, 0.5 * (n - 1.0), 1.0)
    },
    ..Model::BLANK
};
