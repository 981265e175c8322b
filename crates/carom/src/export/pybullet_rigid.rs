//! PyBullet with its restitution: rigid contacts, for steps that do not resolve a contact.
//!
//! The impulse makes the separation speed e·v, with e = e₁·e₂ of the two bodies, so the ground has 1 and the ball e.
//! By default PyBullet also acts before bodies touch (within 0.02 times half the diagonal of the bounding box), where
//! it reduces the rebound speed by the remaining gap divided by the step, and after touch adds 0.08 times the overlap
//! divided by the step: a ball with a restitution of 0.7 rebounds with 0.60 to 0.77 at 1 m/s, depending on the
//! position of the onset within a step. The file sets `contactBreakingThreshold` to a very small value and
//! `contactERP` to 0, which removes these effects (`robot_file/engine/bullet.rs` has the step, by which errors are
//! computed).
//!
//! Source: see `pybullet.rs`.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::text::{fill, number, setting};
use crate::error::Result;
use crate::robot_file::engine::{Contact, bullet};

/// Description of PyBullet with rigid contacts.
pub(super) const ENGINE: Engine = Engine {
    id: "pybullet-rigid",
    title: "PyBullet restitution",
    aliases: &["bullet-rigid"],
    version: "3.2.7",
    steps: 1.0,
    tolerance: Some(2e-3),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Pip(&["pybullet"]),
    traps: &[
        "restitutions of two bodies are multiplied: 0.7 on both delivers 0.49",
        "with PyBullet's own contactERP of 0.08 and contactBreakingThreshold of 0.02 a restitution of 0.7 becomes anything from 0.60 to \
         0.77, by where within a step the touch falls; with the numbers written here it does not, but an overlap stays as it is when \
         bodies come to rest",
        "restitution counts above restitutionVelocityThreshold, 0.2 m/s unless it is set; it is a tenth of the speed here",
        "setPhysicsEngineParameter(contactBreakingThreshold) outlives a connection: other worlds of the same process get it too",
    ],
    ..Engine::BLANK
};

/// Rebound of this engine, and the function that writes its input.
pub(super) const RIGID_CONTACT: RigidContact = RigidContact {
    usual_step: 1.0 / 240.0,
    slowest_rebound: 0.0,
    step_contact: Some(step_contact),
    write,
};

/// Returns `contactBreakingThreshold`, for which contacts begin at a thousandth of the distance that the ball moves
/// within a step.
fn breaking_threshold(plan: &ImpulsePlan) -> f64 {
    1e-3 * plan.overlap() / bullet::sphere_reach(plan.radius, 1.0)
}

fn restitution_threshold(plan: &ImpulsePlan) -> f64 {
    0.1 * plan.case.speed
}

fn step_contact(plan: &ImpulsePlan) -> Contact {
    Contact::Bullet(bullet::Contact {
        restitution: plan.restitution,
        spring: None,
        reach: bullet::sphere_reach(plan.radius, breaking_threshold(plan)),
        slop: 0.0,
        threshold: restitution_threshold(plan),
        reduction: 0.0,
    })
}

fn write(plan: &ImpulsePlan) -> Result<Deck> {
    let mut values = plan.values();
    values.push(("breaking", number(breaking_threshold(plan))));
    values.push(("threshold", number(restitution_threshold(plan))));
    values.push(("rolling_friction", number(plan.friction.rolling * plan.radius)));
    let file = fill("impact_pybullet.py", include_str!("templates/pybullet_rigid.py"), &values)?;
    let mut settings = plan.settings("restitution");
    settings.push(setting("contactBreakingThreshold", breaking_threshold(plan), ""));
    settings.push(setting("restitutionVelocityThreshold", restitution_threshold(plan), "m/s"));
    Ok(Deck { files: vec![file], settings })
}
