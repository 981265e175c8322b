//! DART: `setRestitutionCoeff`.
//!
//! Overlapping bodies receive the impulse that makes the separation speed e₁·e₂ times the approach speed
//! (`robot_file/engine/dart.rs`), so one of the two bodies has the restitution 1 and the other e. Rebounds slower
//! than 0.1 m/s are suppressed. The smaller of the two coefficients of friction is used.
//!
//! Source: DART aa2f31e8, `dart/constraint/contact_constraint.cpp`.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::fill;
use crate::error::Result;
use crate::robot_file::engine::{Contact, dart};

/// Description of DART.
pub(super) const ENGINE: Engine = Engine {
    id: "dart",
    title: "DART restitution",
    aliases: &["dartpy"],
    version: "6.20.0",
    steps: 1.0,
    tolerance: Some(1e-4),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["dartpy", "numpy"]),
    traps: &[
        "restitutions of two bodies are multiplied: 0.7 on both delivers 0.49",
        "a rebound slower than 0.1 m/s is cut to nothing, so that bodies come to rest",
    ],
    ..Engine::BLANK
};

/// Rebound of this engine, and the function that writes its input.
pub(super) const RIGID_CONTACT: RigidContact = RigidContact {
    usual_step: 1e-3,
    slowest_rebound: dart::BOUNCE_MIN,
    step_contact: Some(step_contact),
    write,
};

/// Returns the contact of a ball with these parameters, which Gazebo uses as well.
pub(super) fn step_contact(plan: &ImpulsePlan) -> Contact {
    Contact::Dart(dart::Contact { restitution: plan.restitution })
}

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let file = fill("impact_dart.py", include_str!("templates/dart.py"), &plan.values())?;
    Ok(Deck { files: vec![file], settings: plan.settings("setRestitutionCoeff") })
}
