//! Newton on Warp with `SolverXPBD`: rigid contacts with a restitution.
//!
//! With `enable_restitution` the solver makes the separation speed e times the approach speed, if that is above twice
//! the speed that gravity adds in a step. The restitutions of two shapes are averaged, so both are e.
//!
//! Source: Newton 1.8.0, `newton/_src/solvers/xpbd/restitution_kernels.py` (build_restitution_manifolds); the
//! delivered restitution was measured.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::fill;
use crate::error::Result;

/// Description of Newton with rigid contacts.
pub(super) const ENGINE: Engine = Engine {
    id: "newton-rigid",
    title: "Newton SolverXPBD restitution",
    aliases: &["xpbd"],
    version: "1.8.0, Warp 1.19.0",
    steps: 1.0,
    tolerance: Some(1e-4),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["newton", "warp-lang"]),
    traps: &[
        "SolverXPBD ignores restitution unless it is made with enable_restitution=True",
        "restitutions of two shapes are averaged: give both the same",
        "approach speeds below twice gravity times the step do not rebound",
    ],
    ..Engine::BLANK
};

/// Rebound of this engine, and the function that writes its input.
pub(super) const RIGID_CONTACT: RigidContact =
    RigidContact { usual_step: 1.0 / 240.0, slowest_rebound: 0.0, step_contact: None, write };

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let file = fill("impact_newton.py", include_str!("templates/newton_rigid.py"), &plan.values())?;
    Ok(Deck { files: vec![file], settings: plan.settings("restitution") })
}
