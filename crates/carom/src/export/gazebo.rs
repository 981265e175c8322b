//! Gazebo (gz sim), whose default physics is DART: an SDF world with `restitution_coefficient`.
//!
//! Gazebo passes `bounce/restitution_coefficient` of both surfaces to DART, which multiplies them: the ground has 1,
//! the ball e. The contact is that of DART. `bounce/threshold`, whose default is 100000 m/s, is written as 0 for
//! those engines that read it (ODE in Gazebo classic) and ignore the restitution at lower speeds.
//!
//! Source: gz-physics, `dartsim/src/SDFFeatures.cc`; SDFormat 1.9, `surface.sdf`.

use super::dart::step_contact;
use super::engine::{Check, Deck, Engine, FrictionKinds};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::fill;
use crate::error::Result;
use crate::robot_file::engine::dart;

/// Description of Gazebo with DART.
pub(super) const ENGINE: Engine = Engine {
    id: "gazebo",
    title: "Gazebo (DART), SDF restitution_coefficient",
    aliases: &["sdf", "gz"],
    version: "SDFormat 1.9, DART 6.20",
    check: Check::Read,
    steps: 1.0,
    friction: FrictionKinds::Sliding,
    command: &["gz", "sim", "-s", "-r", "FILE"],
    traps: &[
        "bounce/threshold is 100000 m/s unless it is set: engines that read it ignore the restitution below, so it is 0 here",
        "restitutions of two surfaces are multiplied by DART, and ODE takes the smaller: the ground has 1 here",
        "a rebound slower than 0.1 m/s is cut to nothing by DART",
        "the text was checked with carom's reading of SDF (`carom check`), not in Gazebo, which no public registry has",
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

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let file = fill("impact.sdf", include_str!("templates/gazebo.sdf"), &plan.values())?;
    Ok(Deck { files: vec![file], settings: plan.settings("restitution_coefficient") })
}
