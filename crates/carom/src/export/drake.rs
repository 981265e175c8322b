//! Drake, compliant point contact.
//!
//! F = k·δ·max(0, 1 + d·δ̇), so that K = k and c = d·k with m = 1. Two geometries act in series: k = k₁k₂/(k₁+k₂),
//! d = (k₂d₁ + k₁d₂)/(k₁+k₂); ball and ground each have 2K and d. Only the continuous plant is suitable for an
//! impact: the discrete solvers are of first order (an error of 0.1 % needs more than 3000 steps per contact), and
//! one of them, SAP, ignores d.
//!
//! Source: Drake be259df7, `multibody/plant/contact_model_doxygen.h`.

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, Viscous, ZERO_FORCE};
use super::text::{fill, number, setting};
use crate::error::Result;

/// Description of Drake.
pub(super) const ENGINE: Engine = Engine {
    id: "drake",
    title: "Drake point contact",
    aliases: &["pydrake"],
    version: "1.51.1",
    forms: &[Form {
        name: "point_contact_stiffness, hunt_crossley_dissipation",
        exponent: Some(1.0),
        damping: Viscous::Power(1.0),
        exits: ZERO_FORCE,
        ..Form::BLANK
    }],
    tolerance: Some(1e-5),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["drake"]),
    traps: &[
        "two geometries act in series: each carries twice the stiffness of the contact, and a geometry \
         without a point_contact_stiffness gets one from the weight of the whole model",
        "the discrete SAP solver ignores hunt_crossley_dissipation; this script uses the continuous plant",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let (stiffness, dissipation) = (2.0 * plan.stiffness, plan.damping / plan.stiffness);
    let mut values = vec![("stiffness", number(stiffness)), ("dissipation", number(dissipation))];
    values.extend(plan.values());
    let model = fill("impact.sdf", include_str!("templates/drake.sdf"), &values)?;
    values.push(("model", model.text.clone()));
    let script = fill("impact_drake.py", include_str!("templates/drake.py"), &values)?;
    Ok(Deck {
        files: vec![script, model],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("point_contact_stiffness", stiffness, "N/m"),
            setting("hunt_crossley_dissipation", dissipation, "s/m"),
        ],
    })
}
