//! Simbody and OpenSim, `HuntCrossleyForce`.
//!
//! F = (4/3)·√R·k^(3/2)·δ^(3/2)·(1 + (3/2)·d·δ̇), limited to F ≥ 0, where k = k₁k₂/(k₁+k₂), kᵢ = Eᵢ^(2/3) for two
//! surfaces with stiffness E₁ and E₂. For two surfaces of equal stiffness E, k^(3/2) = E/2^(3/2), so that
//!
//! E = (3/4)·2^(3/2)·K/√R = 2√2·E*,  d = (2/3)·c/K.
//!
//! d is the mean of both values weighted with the compliances, and is equal for both. A ball of mass mₑ collides with
//! a fixed half-space. The usual rule for d, (1−e)/v₀, delivers 0.66 instead of 0.5; the d written here is the exact
//! one for the approach speed.
//!
//! Source: Simbody f312d0dd, `Simbody/src/HuntCrossleyForce.cpp`.

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, Viscous, ZERO_FORCE};
use super::text::{fill, number, setting};
use crate::error::Result;

/// Description of Simbody and OpenSim.
pub(super) const ENGINE: Engine = Engine {
    id: "opensim",
    title: "Simbody/OpenSim HuntCrossleyForce",
    aliases: &["simbody"],
    version: "OpenSim 4.6, Simbody 3.7",
    forms: &[Form {
        name: "HuntCrossleyForce",
        exponent: Some(1.5),
        damping: Viscous::Power(1.5),
        exits: ZERO_FORCE,
        ..Form::BLANK
    }],
    tolerance: Some(1e-5),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["opensim"]),
    traps: &[
        "two equal surfaces of stiffness E make a contact of E* = E/(2*sqrt(2)), not E/2: stiffnesses are mixed \
         by their 2/3 powers",
        "the manual's dissipation (1-e)/v delivers 0.66 for 0.5",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let stiffness = 8f64.sqrt() * plan.modulus();
    let dissipation = plan.damping / (1.5 * plan.stiffness);
    let mut values = vec![("stiffness", number(stiffness)), ("dissipation", number(dissipation))];
    values.extend(plan.values());
    let model = fill("impact.osim", include_str!("templates/opensim.osim"), &values)?;
    values.push(("model", model.text.clone()));
    let script = fill("impact_opensim.py", include_str!("templates/opensim.py"), &values)?;
    let simbody = fill("impact_simbody.cpp", include_str!("templates/simbody.cpp"), &values)?;
    Ok(Deck {
        files: vec![script, model, simbody],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("radius", plan.radius, "m"),
            setting("stiffness", stiffness, "Pa"),
            setting("dissipation", dissipation, "s/m"),
        ],
    })
}
