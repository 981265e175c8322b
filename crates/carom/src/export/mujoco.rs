//! MuJoCo, `solref` and `solimp`.
//!
//! A contact is a soft constraint with the acceleration d·(−b·ṙ − k·r) + (1−d)·a₀, limited to repulsion. With
//! `solref="-k' -b'"` the coefficients are k = k′·d/d_max² and b = b′/d_max, and with a constant impedance d = d_max
//! (`solimp="d d …"`) the reference acceleration is −b′·ṙ − k′·r: a spring and a dashpot *per effective mass*,
//!
//! k′ = K/mₑ,  b′ = c/mₑ,
//!
//! linear and with the force limited to repulsion. The constant d is 0.9999, MuJoCo's largest; the remaining 1e-4 of
//! the acceleration without contact is zero here, because no other force acts. A ball of mass mₑ collides with a
//! fixed plane.
//!
//! Source: MuJoCo a7255075, `doc/modeling.rst` (Solver parameters).

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, ZERO_FORCE};
use super::friction::Friction;
use super::text::{count, fill, number, setting};
use crate::advise::Integrator;
use crate::error::Result;

/// Description of MuJoCo.
pub(super) const ENGINE: Engine = Engine {
    id: "mujoco",
    title: "MuJoCo solref/solimp",
    aliases: &["mjcf"],
    version: "4.0.0",
    forms: &[Form {
        name: "solref=(-stiffness, -damping), constant solimp",
        exponent: Some(1.0),
        exits: ZERO_FORCE,
        ..Form::BLANK
    }],
    steps: 5000.0,
    tolerance: Some(2e-4),
    integrator: Some(Integrator::SemiImplicitEuler),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Pip(&["mujoco"]),
    traps: &[
        "solref is per effective mass: the same numbers on a body of another mass are another spring \
         with the same duration and restitution",
        "the integrators are of first order where contact begins and ends: halving the step halves the error",
    ],
    ..Engine::BLANK
};

/// Returns the friction attributes of the pair. Rolling friction is a length in MuJoCo; with the elliptic cone
/// friction does not change the rebound.
fn friction_attributes(plan: &Plan) -> String {
    let Friction { sliding, rolling } = plan.friction;
    let arm = rolling * plan.radius;
    match (plan.friction.acts(), rolling > 0.0) {
        (false, _) => r#"condim="1""#.to_string(),
        (true, false) => format!(r#"condim="3" friction="{0} {0}""#, number(sliding)),
        (true, true) => {
            format!(r#"condim="6" friction="{0} {0} 0 {1} {1}""#, number(sliding), number(arm))
        }
    }
}

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let mass = plan.law.mass;
    let (stiffness, damping) = (plan.stiffness / mass, plan.damping / mass);
    let steps = 1.2 * plan.impact.duration / plan.step;
    let mut values = vec![
        ("radius", number(plan.radius)),
        ("mass", number(mass)),
        ("speed", number(plan.case.speed)),
        ("minus_stiffness", number(-stiffness)),
        ("minus_damping", number(-damping)),
        ("step", number(plan.step)),
        ("steps", count(steps)),
        ("contact", friction_attributes(plan)),
    ];
    let model = fill("impact.xml", include_str!("templates/mujoco.xml"), &values)?;
    values.push(("model", model.text.clone()));
    let script = fill("impact_mujoco.py", include_str!("templates/mujoco.py"), &values)?;
    Ok(Deck {
        files: vec![script, model],
        settings: vec![
            setting("mass", mass, "kg"),
            setting("solref_stiffness", -stiffness, "1/s^2"),
            setting("solref_damping", -damping, "1/s"),
        ],
    })
}
