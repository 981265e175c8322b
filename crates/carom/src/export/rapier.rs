//! Rapier: `setRestitution`.
//!
//! The solver makes the separation speed e times the approach speed, without a threshold. The restitutions of two
//! colliders are averaged by default, so both are e. The rebound occurs in the step in which the bodies would touch.
//! Coefficients of friction are averaged as well. Numbers are in single precision.
//!
//! Source: documentation of Rapier (Colliders, Restitution); the delivered restitution was measured.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::fill;
use crate::error::Result;

/// Description of Rapier.
pub(super) const ENGINE: Engine = Engine {
    id: "rapier",
    title: "Rapier restitution",
    aliases: &["rapier3d"],
    version: "0.21.0 (JavaScript)",
    steps: 1.0,
    tolerance: Some(1e-5),
    friction: FrictionKinds::Sliding,
    install: Install::Npm(&["@dimforge/rapier3d-compat"]),
    command: &["node", "FILE"],
    traps: &[
        "restitutions of two colliders are averaged unless one of them asks for another rule: give both the same",
        "contact_natural_frequency and contact_damping_ratio soften the correction of overlaps and are no spring and damper of the \
         contact: they do not change the rebound",
    ],
    ..Engine::BLANK
};

/// Rebound of this engine, and the function that writes its input.
pub(super) const RIGID_CONTACT: RigidContact =
    RigidContact { usual_step: 1.0 / 60.0, slowest_rebound: 0.0, step_contact: None, write };

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let file = fill("impact_rapier.mjs", include_str!("templates/rapier.mjs"), &plan.values())?;
    Ok(Deck { files: vec![file], settings: plan.settings("setRestitution") })
}
