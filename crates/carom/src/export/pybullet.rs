//! PyBullet, `contactStiffness` and `contactDamping`.
//!
//! With a stiffness k and a damping c the contact of Bullet's multibody solver is an implicit step of a linear spring
//! and damper, limited to repulsion: F = k·δ′ + c·δ̇′ at the end of the step (`robot_file/engine/bullet.rs` has this
//! step, by which errors are computed). The stiffnesses of two bodies act in series and their dampings are added; a
//! body without them is rigid and has a damping of 0.1 N s/m. The ball is therefore given K and c − 0.1 N s/m. A
//! contact already acts within a distance of 0.02 times half the diagonal of the ball's bounding box, where it
//! prevents an overlap at the end of the step with the largest possible stiffness.
//!
//! Source: Bullet 6c888f4a, `btMultiBodyConstraintSolver.cpp` (setupMultiBodyContactConstraint), `btManifoldResult.cpp`.

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, Linear, ZERO_FORCE};
use super::text::{fill, number, setting};
use crate::error::{Error, Result};
use crate::robot_file::engine::{Contact, bullet};

/// Damping of a body for which none is given (N s/m).
const DEFAULT_DAMPING: f64 = 0.1;
/// PyBullet's `contactBreakingThreshold`.
const BREAKING_THRESHOLD: f64 = 0.02;

/// Description of PyBullet with soft contacts.
pub(super) const ENGINE: Engine = Engine {
    id: "pybullet",
    title: "PyBullet contactStiffness",
    aliases: &["bullet"],
    version: "3.2.7",
    forms: &[Form {
        name: "contactStiffness, contactDamping",
        exponent: Some(1.0),
        exits: ZERO_FORCE,
        step_contact: Some(step_contact),
        ..Form::BLANK
    }],
    steps: 2000.0,
    tolerance: Some(4e-3),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Pip(&["pybullet"]),
    traps: &[
        "stiffness and damping count where one of the bodies has them: a body without is rigid and adds 0.1 N s/m, \
         which the number written here allows for",
        "at PyBullet's own step of 1/240 s stiff contacts are not resolved; `pybullet-rigid` writes a restitution for such steps",
        "the step is implicit of first order: it damps by itself, so that halving the step halves the error",
    ],
    ..Engine::BLANK
};

fn step_contact(law: &Linear) -> Contact {
    Contact::Bullet(bullet::Contact {
        restitution: 0.0,
        spring: Some((law.stiffness, law.damping)),
        reach: bullet::sphere_reach(law.radius, BREAKING_THRESHOLD),
        slop: 0.0,
        threshold: bullet::THRESHOLD,
        reduction: bullet::REDUCTION,
    })
}

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    if plan.damping < DEFAULT_DAMPING {
        return Err(Error::unsupported(
            format!("a damping of {:.3e} N s/m in PyBullet", plan.damping),
            "the ground, a body without a damping of its own, has 0.1 N s/m already; ask for a lower restitution or take a larger mass and stiffness",
        ));
    }
    let (stiffness, damping) = (plan.stiffness, plan.damping - DEFAULT_DAMPING);
    let mut values = vec![
        ("damping", number(damping)),
        ("rolling_friction", number(plan.friction.rolling * plan.radius)),
    ];
    values.extend(plan.values());
    Ok(Deck {
        files: vec![fill("impact_pybullet.py", include_str!("templates/pybullet.py"), &values)?],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("contactStiffness", stiffness, "N/m"),
            setting("contactDamping", damping, "N*s/m"),
        ],
    })
}
