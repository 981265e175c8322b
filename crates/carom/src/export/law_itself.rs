//! Engines that run any law itself: by a plugin that contains carom, or by code that they compile.
//!
//! Nothing has to be calibrated and nothing is lost; the law is written with its numbers, and the engine stores the memory of
//! each contact. The error is that of the engine's step alone.

use super::engine::Engine;
use super::friction::Friction;
use super::law_plan::LawPlan;
use super::plan::{Size, radius, rebounding};
use super::unknown_engine;
use super::{
    AtSpeed, Deck, Delivers, Export, Expresses, Match, Step, add_headers, dem_engine, lammps_plugin,
};
use crate::advise::error_at_step;
use crate::error::Result;
use crate::impact::collide;
use crate::law::Law;
use crate::report::{NoteReport, Report};
use crate::spec::Case;

/// Every engine that runs any law.
pub static LAW_ENGINES: &[Engine] = &[lammps_plugin::ENGINE, dem_engine::ENGINE];

/// Whether an engine is one of these.
pub(super) fn runs_any_law(engine: &Engine) -> bool {
    LAW_ENGINES.iter().any(|other| other.id == engine.id)
}

/// The restitution at a speed: the engine delivers that of the law.
fn at_speed(law: &Law, speed: f64) -> Result<AtSpeed> {
    let restitution = collide(law, speed)?.restitution.newton;
    Ok(AtSpeed { speed, asked: restitution, delivered: restitution })
}

/// Exports the law of a case.
pub(super) fn export(
    case: &Case,
    engine: &'static Engine,
    size: Size,
    friction: Friction,
    speeds: &[f64],
) -> Result<Export> {
    let (law, impact) = rebounding(case)?;
    let step = size.seconds(impact.duration, impact.duration / engine.steps);
    let steps = impact.duration / step;
    // Not computed for laws with an internal state, which `march` refuses.
    let at_step = match engine.integrator {
        Some(scheme) => error_at_step(&law, case.speed, scheme, step, None).ok().flatten(),
        None => None,
    };
    // The measured error holds at the engine's own step and below.
    let measured = engine.tolerance.filter(|_| steps > 0.999 * engine.steps);
    let delivered = impact.restitution.newton;
    let radius = radius(case, &law, &impact);
    let plan = LawPlan { case, law, impact, radius, step, friction };
    let Deck { files, settings } = match engine.id {
        id if id == lammps_plugin::ENGINE.id => lammps_plugin::write(&plan)?,
        id if id == dem_engine::ENGINE.id => dem_engine::write(&plan)?,
        id => return Err(unknown_engine(id)),
    };
    let LawPlan { law, impact, .. } = plan;
    let exponents = law.damper_exponents();
    let mut notes = Report::new(case, &law, impact.clone()).notes;
    notes.extend(engine.traps.iter().map(|&message| NoteReport::new("engine", message)));
    let mut export = Export {
        engine: engine.id,
        law: case.model.id,
        text: String::new(),
        files,
        expresses: Expresses {
            form: "the law itself",
            equation: format!("the force of `{}`", case.model.id),
            matches: Match::Exact,
            mass: law.mass,
            stiffness: Some(case.pair.stiffness),
            exponent: Some(case.pair.exponent),
            damping: law.coefficient(case.speed),
            damping_exponent: exponents.map(|(m, _)| m),
            rate_exponent: exponents.map(|(_, q)| q),
            full_damping_depth: None,
            exit: Some(law.exit),
        },
        lost: Vec::new(),
        settings,
        delivers: Delivers {
            requested: case.damping.restitution(),
            restitution: impact.restitution.newton,
            duration: Some(impact.duration),
            force_max: Some(impact.force_max),
            indentation_max: Some(impact.indentation_max),
        },
        step: Step {
            size: step,
            per_contact: steps,
            restitution_error: at_step.map_or(measured, |at| at.worst),
            restitution: at_step.and_then(|at| Some(delivered * (1.0 + at.mean?))),
            calibrated: false,
        },
        // The engine runs the law itself, at every speed.
        over_speeds: speeds.iter().map(|&speed| at_speed(&law, speed)).collect::<Result<_>>()?,
        notes,
    };
    add_headers(&mut export, engine, case);
    Ok(export)
}
