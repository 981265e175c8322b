//! PhysX, which Isaac Sim and SAPIEN use: `restitution` of a material, and the bounce threshold of the scene.
//!
//! The impulse makes the separation speed e times the approach speed if that is above the bounce threshold of the
//! scene (2 m/s in PhysX and SAPIEN, 0.2 m/s in scenes of Isaac Sim); otherwise the bodies stay together. The
//! threshold written here is a tenth of the speed. The restitutions of two materials are averaged by default, so both
//! are e. The same numbers are written as a USD scene for Isaac Sim.
//!
//! Source: PhysX 5 guide (Rigid Body Collision, Restitution). The delivered restitution was measured with PhysX 5.3.1
//! of SAPIEN: it is too small by 0.04 % at e = 0.3 and 0.3 % at e = 0.99, over twelve phases of the touch.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::{fill, number, setting};
use crate::error::Result;

/// Description of PhysX.
pub(super) const ENGINE: Engine = Engine {
    id: "physx",
    title: "PhysX restitution (Isaac Sim, SAPIEN)",
    aliases: &["isaac", "sapien"],
    version: "5.3.1 of SAPIEN 3.0.3",
    steps: 1.0,
    tolerance: Some(4e-3),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["sapien"]),
    traps: &[
        "below the bounce threshold of the scene (2 m/s unless it is set) the restitution is ignored: a ball at 1 m/s with e = 0.7 does \
         not rebound; the threshold written here is a tenth of the speed",
        "restitutions of two materials are averaged unless one of them asks for another rule: give both the same",
        "the USD scene for Isaac Sim has the same numbers and was not run",
    ],
    ..Engine::BLANK
};

/// Rebound of this engine, and the function that writes its input.
pub(super) const RIGID_CONTACT: RigidContact =
    RigidContact { usual_step: 1.0 / 240.0, slowest_rebound: 0.0, step_contact: None, write };

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let threshold = 0.1 * plan.case.speed;
    let mut values = plan.values();
    values.push(("threshold", number(threshold)));
    // The contact offset is so small that a ball is not stopped before it touches.
    values.push(("contact_offset", number(1e-3 * plan.overlap())));
    values.push(("steps_per_second", super::text::count((1.0 / plan.step).round())));
    let script = fill("impact_physx.py", include_str!("templates/physx.py"), &values)?;
    let scene = fill("impact.usda", include_str!("templates/physx.usda"), &values)?;
    let mut settings = plan.settings("restitution");
    settings.push(setting("bounce_threshold", threshold, "m/s"));
    Ok(Deck { files: vec![script, scene], settings })
}
