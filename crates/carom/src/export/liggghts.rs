//! LIGGGHTS-PUBLIC, `pair_style gran`.
//!
//! The impact is that of two equal spheres, as for LAMMPS. The following models take stiffness and damping directly:
//!
//! | model | force | c |
//! |---|---|---|
//! | `hooke/stiffness` | kn·δ + mₑ·γ·δ̇ | mₑ·γ |
//! | `hertz/stiffness` | √(Rδ)·(kn·δ + mₑ·γ·δ̇) | mₑ·γ·√R, m = 1/2; K = kn·√R |
//! | `hertz` | (4/3)·E*·√(Rδ)·δ + 2√(5/6)·β·√(2E*·√(Rδ)·mₑ)·δ̇ | √5·β·√(mₑK), m = 1/4 |
//!
//! β belongs to the restitution in the input, as in `lammps.rs`; `limitForce on` limits the force to repulsion.
//! Young's modulus follows from K and R for two equal materials with Poisson's ratio of the pair (0.3 if it is not
//! known).
//!
//! Source: LIGGGHTS-PUBLIC 3d5c00f2, `src/normal_model_{hertz,hertz_stiffness,hooke_stiffness}.h`.

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, Viscous};
use super::friction::Friction;
use super::lammps::{density, nominal_restitution, root_damper_advice, sphere_values};
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::{Error, Result};
use crate::message::Action;

/// Description of LIGGGHTS.
pub(super) const ENGINE: Engine = Engine {
    id: "liggghts",
    title: "LIGGGHTS-PUBLIC pair_style gran",
    version: "3.8.0",
    forms: &[
        Form {
            name: "model hertz",
            exponent: Some(1.5),
            damping: Viscous::Power(0.25),
            ..Form::BLANK
        },
        Form { name: "model hooke/stiffness", exponent: Some(1.0), ..Form::BLANK },
        Form {
            name: "model hertz/stiffness",
            exponent: Some(1.5),
            damping: Viscous::Power(0.5),
            ..Form::BLANK
        },
    ],
    tolerance: Some(1e-3),
    integrator: Some(Integrator::VelocityVerlet),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Apt(&["liggghts"]),
    command: &["liggghts", "-in", "FILE", "-log", "none"],
    traps: &[
        "`limitForce on` changes the restitution, as the manual admits; the number written here allows for it",
        "Coulomb's law limits its tangential spring but not the damper beside it: an oblique impact under a linear law loses c^2/(kt*m) more of \
         its speed of approach times the coefficient of friction than it should, before it slides",
        "Young's modulus above 1e9 Pa needs `hard_particles yes`, which this input says",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let (mass, root) = (plan.law.mass, plan.radius.sqrt());
    let cut = if plan.clamps_force() { "on" } else { "off" };
    let mut values = sphere_values(plan);
    let (model, settings) = match (plan.exponent, plan.m()) {
        (1.5, 0.25) => {
            let youngs = plan.youngs(plan.poisson());
            if youngs < 5e6 {
                return Err(Error::unsupported(
                    format!("Young's modulus of {youngs:.3e} Pa in LIGGGHTS"),
                    message![
                        "it takes 5e6 Pa and more; give a smaller effective radius (",
                        Action::give_entry("radius"),
                        "), or choose ",
                        root_damper_advice(),
                        ", for which `hertz/stiffness` takes any K",
                    ],
                ));
            }
            let e = setting("coefficientRestitution", nominal_restitution(plan, 5f64.sqrt())?, "");
            (
                "hertz",
                vec![
                    setting("youngsModulus", youngs, "Pa"),
                    setting("poissonsRatio", plan.poisson(), ""),
                    e,
                ],
            )
        }
        (1.5, _) => (
            "hertz/stiffness",
            vec![
                setting("kn", plan.stiffness / root, "N/m^2"),
                setting("gamman", plan.damping / (mass * root), "1/(m*s)"),
            ],
        ),
        _ => (
            "hooke/stiffness",
            vec![
                setting("kn", plan.stiffness, "N/m"),
                setting("gamman", plan.damping / mass, "1/s"),
            ],
        ),
    };
    let mut lines = Vec::new();
    for setting in &settings {
        let per = match setting.name {
            "youngsModulus" | "poissonsRatio" => "peratomtype",
            _ => "peratomtypepair 1",
        };
        let (name, value) = (setting.name, number(setting.value));
        lines.push(format!("fix             {name} all property/global {name} {per} {value}"));
        // LIGGGHTS requires the tangential constants even where there is no tangential force.
        if let Some(twin) = [("kn", "kt"), ("gamman", "gammat")].iter().find(|t| t.0 == name) {
            let name = twin.1;
            let ratio = if twin.0 == "kn" { plan.tangential_ratio() } else { 1.0 };
            let along =
                if plan.friction.acts() { number(ratio * setting.value) } else { "0".into() };
            lines.push(format!("fix             {name} all property/global {name} {per} {along}"));
        }
    }
    let Friction { sliding, rolling } = plan.friction;
    let tangential = if plan.friction.acts() { "history" } else { "off" };
    let against_rolling = match rolling > 0.0 {
        false => "",
        true => {
            lines.push(format!(
                "fix             rolling all property/global coefficientRollingFriction peratomtypepair 1 {}",
                number(rolling)
            ));
            " rolling_friction epsd2"
        }
    };
    values.push(("friction", number(sliding)));
    lines.push(format!(
        "pair_style      gran model {model} tangential {tangential}{against_rolling} limitForce {cut}"
    ));
    lines.push("pair_coeff      * *".to_string());
    values.push(("model", lines.join("\n")));
    let mut all = vec![
        setting("radius", 2.0 * plan.radius, "m"),
        setting("density", density(plan), "kg/m^3"),
    ];
    all.extend(settings);
    Ok(Deck {
        files: vec![fill("in.impact.liggghts", include_str!("templates/liggghts.lmp"), &values)?],
        settings: all,
    })
}
