//! Ramaswamy & Humbert, acceleration form: the stiffness is expressed by a frequency.
//!
//! # Equation
//! δ̈ = −(ωⁿ⁺¹/vⁿ)·δⁿ·(v + ε·δ̇), that is F = K·δⁿ·(1 + ε·δ̇/v₀) with K = mₑ·ω^(n+1)/v^(n−1); ω is
//! the parameter `natural_frequency`, v the speed `design_speed` at which it was found, ε(e) as in
//! the force form (Eq. 17).
//!
//! # Derivation
//! With the length L = (mₑ·v₀²/K)^(1/(n+1)) the unit of time of an impact is L/v₀ = 1/ω, with ω =
//! (K·v₀^(n−1)/mₑ)^(1/(n+1)), which is √(K/mₑ) for n = 1. Solving for K gives the equation above.
//! As the duration is Δτ/ω, where Δτ depends on ε and n only, ω can be obtained from a measured
//! contact time if K is not known.
//!
//! # Validity
//! Bodies of any shape and material for which n and one contact time are known; 0.01 ≤ e ≤ 1.
//!
//! # Remarks
//! For n ≠ 1 the frequency belongs to the speed at which it was determined; impacts at other speeds
//! have the same stiffness K but another frequency. If ω is set, K of the pair is not used, and
//! `design_speed` is required unless n = 1. If ω is not set, K of the pair is used, and the
//! acceleration form and the force form are the same law. For the restitution that is delivered see
//! the force form. In Eq. 25 of the source the dot is missing from the speed, printed δ₀.
//!
//! # Reference
//! D. A. Ramaswamy, J. S. Humbert, A continuous contact force model for highly damped impacts of
//! arbitrary material and geometry, University of Colorado Boulder. The manuscript is undated; the
//! year 2023 is an assumption.

use crate::error::Error;
use crate::model::{Inputs, Model};
use crate::models::general::ramaswamy_humbert_2023 as force_form;
use crate::models::shared::{POSITIVE, parameter, self};

pub const MODEL: Model = Model {
    id: "ramaswamy-humbert-acceleration",
    title: "Ramaswamy & Humbert 2023, acceleration form",
    aliases: &[],
    parameters: &[
        parameter("natural_frequency", "1/s", POSITIVE)
            .help("impact natural frequency at the design speed; K of the pair is used without it"),
        parameter("design_speed", "m/s", POSITIVE)
            .help("impact speed at which the natural frequency was found"),
    ],
    build: |inputs| {
        let n = inputs.pair.exponent;
        if inputs.optional("natural_frequency")?.is_none() {
            if inputs.optional("design_speed")?.is_some() {
                return Err(Error::missing(
                    "natural_frequency",
                    "design_speed says at which speed it was found; set both, or neither to use \
                     the stiffness of the pair",
                ));
            }
            return (force_form::MODEL.build)(inputs);
        }
        let frequency = inputs.positive("natural_frequency")?;
        let speed = if n == 1.0 { 1.0 } else { inputs.positive("design_speed")? };
        let stiffness = inputs.pair.mass * frequency.powf(n + 1.0) / speed.powf(n - 1.0);
        let pair = shared::pair_with_stiffness(inputs, stiffness, n)?;
        (force_form::MODEL.build)(&Inputs { pair: &pair, ..*inputs })
    },
    ..force_form::MODEL
};
