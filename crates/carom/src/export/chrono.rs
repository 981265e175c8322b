//! Project Chrono, smooth contacts (`ChSystemSMC`).
//!
//! The impact is that of two equal spheres, as for LAMMPS; the core module limits the force to repulsion, so contact
//! ends at zero force.
//!
//! | model | force | c |
//! |---|---|---|
//! | Hertz, material properties | (4/3)·E*·√R·δ^(3/2) + 2√(5/6)·β·√(2E*·√(Rδ)·mₑ)·δ̇ | √5·β·√(mₑK), m = 1/4 |
//! | Hertz, coefficients | R·√δ·(kn·δ + mₑ·gn·δ̇) | R·mₑ·gn, m = 1/2; K = R·kn |
//! | Hooke, coefficients | kn·δ + mₑ·gn·δ̇ | mₑ·gn |
//!
//! β is the damping ratio that belongs to the restitution in the input; without the limit of the force this
//! restitution would be delivered, with the limit another one has to be written (see `lammps.rs`). R is the effective
//! radius of curvature. With Bullet, Chrono's default collision system, R is not computed from the shapes: a global
//! default of 0.1 m applies to every contact, and the script sets it to the value of the pair.
//!
//! Source: chrono 7689fbc0, `src/chrono/physics/ChContactSMC.cpp`, `src/chrono/collision/ChCollisionInfo.cpp`.

use super::Plan;
use super::engine::{Check, Deck, Engine, Form, FrictionKinds, Viscous, ZERO_FORCE};
use super::lammps::{nominal_restitution, sphere_values};
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::Result;

/// Description of Chrono.
pub(super) const ENGINE: Engine = Engine {
    id: "chrono",
    title: "Project Chrono SMC",
    aliases: &["project-chrono", "pychrono"],
    version: "10.0, source of August 2026",
    check: Check::Read,
    forms: &[
        Form {
            name: "Hertz, material properties",
            exponent: Some(1.5),
            damping: Viscous::Power(0.25),
            exits: ZERO_FORCE,
            ..Form::BLANK
        },
        Form { name: "Hooke, coefficients", exponent: Some(1.0), exits: ZERO_FORCE, ..Form::BLANK },
        Form {
            name: "Hertz, coefficients",
            exponent: Some(1.5),
            damping: Viscous::Power(0.5),
            exits: ZERO_FORCE,
            ..Form::BLANK
        },
    ],
    integrator: Some(Integrator::SemiImplicitEuler),
    friction: FrictionKinds::Sliding,
    traps: &[
        "the core module cuts the pull but computes damping as if it did not: SetRestitution(0.5) delivers 0.55; \
         the number written here allows for it",
        "with Bullet collision detection every contact has one effective radius of curvature, 0.1 m unless \
         SetDefaultEffectiveCurvatureRadius says otherwise, whatever the shapes",
        "`Flores` is in the list of contact force models but falls through to Hooke",
        "material numbers are kept in single precision: seven digits",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let mass = plan.law.mass;
    let (model, properties, settings) = match (plan.exponent, plan.m()) {
        (1.5, 0.25) => (
            "Hertz",
            "True",
            vec![
                setting("SetYoungModulus", plan.youngs(plan.poisson()), "Pa"),
                setting("SetPoissonRatio", plan.poisson(), ""),
                setting("SetRestitution", nominal_restitution(plan, 5f64.sqrt())?, ""),
            ],
        ),
        (1.5, _) => (
            "Hertz",
            "False",
            vec![
                setting("SetKn", plan.stiffness / plan.radius, "N/m^2.5"),
                setting("SetGn", plan.damping / (plan.radius * mass), "1/(m^1.5*s)"),
            ],
        ),
        _ => (
            "Hooke",
            "False",
            vec![
                setting("SetKn", plan.stiffness, "N/m"),
                setting("SetGn", plan.damping / mass, "1/s"),
            ],
        ),
    };
    let lines: Vec<_> =
        settings.iter().map(|s| format!("material.{}({})", s.name, number(s.value))).collect();
    // If coefficients are given, the tangential one has to be given as well.
    let along = settings.first().filter(|s| s.name == "SetKn" && plan.friction.acts());
    let tangential = along.map_or(0.0, |s| s.value * plan.tangential_ratio());
    let mut values = sphere_values(plan);
    values.extend([
        ("model", model.to_string()),
        ("properties", properties.to_string()),
        ("material", lines.join("\n")),
        ("effective_radius", number(plan.radius)),
        ("friction", number(plan.friction.sliding)),
        ("tangential", number(tangential)),
    ]);
    let mut all =
        vec![setting("radius", 2.0 * plan.radius, "m"), setting("mass", 2.0 * mass, "kg")];
    all.extend(settings);
    let file = fill("impact_chrono.py", include_str!("templates/chrono.py"), &values)?;
    Ok(Deck { files: vec![file], settings: all })
}
