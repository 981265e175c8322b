//! Walton & Braun: a soft spring for loading and a stiff spring for unloading.
//!
//! # Equation
//! Loading F = k₁·δ; unloading F = k₂·(δ − δ₀) for δ > δ₀, else 0, δ₀ = (1 − k₁/k₂)·δ_max;
//! k₂ = k₁/e², or k₂ = k₁ + S·F_max.
//!
//! # Derivation
//! The areas under the loading and unloading lines are triangles with the energies F_max²/(2k₁) and
//! F_max²/(2k₂), so e = √(k₁/k₂). With k₂ = k₁ + S·F_max and F_max = k₁·v₀·√(mₑ/k₁) this is e =
//! 1/√(1 + S·v₀·√(mₑ/k₁)).
//!
//! # Validity
//! Granular flow of plastic spheres; any restitution. The law is linear: the stiffness of the pair
//! is k₁ in N/m and its exponent must be 1.
//!
//! # Remarks
//! A specified restitution is delivered exactly at every speed, with published and with exact
//! calibration. If `stiffness_slope` sets S instead, the restitution decreases with the speed.
//! Reloading follows the unloading line back to the peak. The law is Goldsmith's with n = 1.
//!
//! # Reference
//! O. R. Walton, R. L. Braun, Viscosity, granular-temperature, and stress calculations for shearing
//! assemblies of inelastic, frictional disks, J. Rheol. 30 (1986) 949–980.

use crate::law::Permanent;
use crate::law::plastic::Recovery;
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, linear_stiffness, parameter, refuse_parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "walton-braun-1986",
    title: "Walton & Braun 1986",
    aliases: &["walton-braun"],
    year: 1986,
    input: Input::Restitution,
    stands_in: &["stiffness_slope"],
    parameters: &[parameter("stiffness_slope", "1/m", POSITIVE)
        .help("S of k2 = k1 + S*F_max, instead of a restitution")],
    doi: Some("10.1122/1.549893"),
    build: |inputs| {
        let recovery = match restitution_by_energy(inputs)? {
            Some(e) => {
                refuse_parameter(inputs, "stiffness_slope")?;
                Recovery::Share(e * e)
            }
            None => Recovery::Stiffening(inputs.optional("stiffness_slope")?.unwrap_or(0.0)),
        };
        Ok(inputs.law(Permanent::new(linear_stiffness(inputs)?, 1.0, recovery)))
    },
    ..Model::BLANK
};
