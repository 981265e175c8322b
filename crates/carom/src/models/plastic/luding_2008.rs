//! Luding: a soft spring for loading, a stiff spring for unloading, and a cohesive limit.
//!
//! # Equation
//! Loading F = k₁·δ; unloading and reloading F = k₂·(δ − δ₀), δ₀ = (1 − k₁/k₂)·δ_max, but not below
//! −k_c·δ, along which the contact opens.
//!
//! # Derivation
//! The triangles of Walton & Braun give e² = k₁/k₂ if contact ends at zero force. If contact ends
//! at δ = 0, the energy of the cohesive triangle is lost too. With r = k₂/k₁, κ = k_c/k₁ it is
//! κ·(r−1)²/(r·(r+κ)) times the loading energy, so e² = 1/r − κ·(r−1)²/(r·(r+κ)), with the solution
//! r = (1 + 2κ − κe²)/(e² + κ).
//!
//! # Validity
//! Cohesive powders. The law is linear: the stiffness of the pair is k₁ in N/m and its exponent
//! must be 1.
//!
//! # Remarks
//! Published calibration sets k₂ = k₁/e², which delivers e only without cohesion or if contact ends
//! at zero force; exact calibration uses the closed form above for the chosen exit of contact.
//! `unloading_stiffness` sets k₂ instead; above k₂ = k₁·(2 + k₁/k_c) the bodies stick. In the
//! source k₂ grows with δ_max up to a limit; here it is constant. Reloading from the cohesive limit
//! follows the slope k₂, as in the source; this is implemented by lowering the stored largest
//! indentation.
//!
//! # Reference
//! S. Luding, Cohesive, frictional powders: contact models for tension, Granul. Matter 10 (2008)
//! 235–246.

use crate::error::Error;
use crate::law::{Exit, LinearCohesive};
use crate::model::{Damping, Input, Model};
use crate::models::shared::{POSITIVE, linear_stiffness, parameter, refuse_parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "luding-2008",
    title: "Luding 2008",
    aliases: &["luding", "luding-adhesive-plastic"],
    year: 2008,
    input: Input::Restitution,
    stands_in: &["unloading_stiffness"],
    exit: Exit::ZeroIndentation,
    parameters: &[
        parameter("cohesion_stiffness", "N/m", POSITIVE)
            .help("k_c of the limit -k_c*delta")
            .with_default(0.0),
        parameter("unloading_stiffness", "N/m", POSITIVE)
            .help("k2 of unloading, at least k1, instead of a restitution"),
    ],
    doi: Some("10.1007/s10035-008-0099-x"),
    build: |inputs| {
        let loading = linear_stiffness(inputs)?;
        let cohesion = inputs.parameter("cohesion_stiffness")?;
        if let Some(e) = restitution_by_energy(inputs)? {
            refuse_parameter(inputs, "unloading_stiffness")?;
            let exit = match inputs.damping {
                Damping::Exact(_) => inputs.exit,
                _ => Exit::ZeroForce,
            };
            return Ok(inputs.law(LinearCohesive::linear_delivering(loading, cohesion, exit, e)));
        }
        let unloading = inputs.optional("unloading_stiffness")?.unwrap_or(loading);
        if unloading < loading {
            return Err(Error::invalid(
                "unloading_stiffness",
                unloading,
                format!("at least the stiffness of loading, {loading}"),
                "a softer way out would return more energy than went in",
            ));
        }
        Ok(inputs.law(LinearCohesive::linear(loading, unloading, cohesion)))
    },
    ..Model::BLANK
};
