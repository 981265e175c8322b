//! Gazebo classic with ODE: `kp` and `kd` of an SDF file.
//!
//! ODE represents a spring and a damper by error reduction and constraint force mixing, which makes an implicit step
//! of them (`robot_file/engine/ode.rs` has this step, by which errors are computed). The kp of two surfaces act in
//! series and their kd are added: ball and ground have 2K and c/2 each. Separation speeds are limited to `max_vel`,
//! 0.01 m/s by default, and to `contact_max_correcting_vel` of the world; both are therefore set to values far above
//! any speed that occurs.
//!
//! Source: Gazebo classic fa2e5e26, `gazebo/physics/ode/ODEPhysics.cc` (Collide).

use super::Plan;
use super::engine::{Check, Deck, Engine, Form, FrictionKinds, Linear, ZERO_FORCE};
use super::text::{fill, number, setting};
use crate::error::Result;
use crate::robot_file::engine::{Contact, ode};

/// Description of Gazebo classic.
pub(super) const ENGINE: Engine = Engine {
    id: "gazebo-classic",
    title: "Gazebo classic (ODE), SDF kp/kd",
    aliases: &["ode"],
    version: "11, source of 2023",
    check: Check::Read,
    forms: &[Form {
        name: "kp, kd",
        exponent: Some(1.0),
        exits: ZERO_FORCE,
        step_contact: Some(step_contact),
        ..Form::BLANK
    }],
    steps: 2000.0,
    friction: FrictionKinds::Sliding,
    command: &["gzserver", "FILE"],
    traps: &[
        "max_vel is 0.01 m/s unless it is set, and cuts the rebound itself: a ball that should leave at 1 m/s leaves at 0.01 m/s",
        "kp is 1e12 N/m and kd 1 N s/m unless they are set; a surface that gives only one of them gets the other",
        "restitution_coefficient counts above bounce/threshold only, which is 100000 m/s unless it is set; here it is 0, and kp and kd \
         deliver the restitution",
        "the text was checked with carom's reading of SDF (`carom check`), not in Gazebo, which no public registry has",
    ],
    ..Engine::BLANK
};

fn step_contact(law: &Linear) -> Contact {
    Contact::Ode(ode::Contact {
        stiffness: law.stiffness,
        damping: law.damping,
        restitution: 0.0,
        threshold: f64::INFINITY,
        speed_max: f64::INFINITY,
        depth_min: 0.0,
    })
}

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let (kp, kd) = (2.0 * plan.stiffness, 0.5 * plan.damping);
    // Larger than the speed that would remove the largest overlap in one step.
    let speed_max = 10.0 * (plan.impact.indentation_max / plan.step + plan.case.speed);
    let mut values = plan.values();
    values.extend([("kp", number(kp)), ("kd", number(kd)), ("speed_max", number(speed_max))]);
    Ok(Deck {
        files: vec![fill("impact.sdf", include_str!("templates/gazebo_classic.sdf"), &values)?],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("kp", kp, "N/m"),
            setting("kd", kd, "N*s/m"),
            setting("max_vel", speed_max, "m/s"),
        ],
    })
}
