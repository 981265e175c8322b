//! Engines that evaluate any law itself: by a plugin that contains carom, or by code that they compile.
//!
//! Such exports lose nothing: the law is written with its numbers, and the engine stores the memory of a contact. The
//! only error is that of the engine's step. If a step is requested, the damping is calibrated for it, as for other
//! engines.

use super::engine::Engine;
use super::friction::Friction;
use super::law_plan::LawPlan;
use super::plan::{Size, calibrate, law_and_impact, mean_error, radius, unreachable_at_step};
use super::unknown_engine;
use super::{
    AppliedLaw, Deck, DeliveredImpact, Export, Match, RestitutionAtSpeed, Step, dem_engine,
    lammps_plugin, with_comments,
};
use crate::advise::error_at_step;
use crate::error::Result;
use crate::impact::collide;
use crate::law::Law;
use crate::model::Damping;
use crate::report::Report;
use crate::spec::Case;

/// All engines that can evaluate any law.
pub static LAW_ENGINES: &[Engine] = &[lammps_plugin::ENGINE, dem_engine::ENGINE];

/// Returns whether an engine is one of these.
pub(super) fn runs_any_law(engine: &Engine) -> bool {
    LAW_ENGINES.iter().any(|other| other.id == engine.id)
}

/// Returns the results of the engine at these speeds with its law, for the requested step if there is one.
fn over_speeds(
    asked: &Law,
    law: &Law,
    engine: &Engine,
    step: Option<f64>,
    speeds: &[f64],
) -> Result<Vec<RestitutionAtSpeed>> {
    let at = |&speed: &f64| {
        let delivered = collide(law, speed)?.restitution.newton;
        let error = step.and_then(|step| engine_error(engine, law, speed, step, delivered));
        let asked = collide(asked, speed)?.restitution.newton;
        Ok(RestitutionAtSpeed { speed, asked, delivered: delivered * (1.0 + error.unwrap_or(0.0)) })
    };
    speeds.iter().map(at).collect()
}

/// Returns the case whose law delivers a restitution with this step, as the mean over the phases of the touch; none
/// for laws that are not integrated with fixed steps here.
fn calibrate_to_step(case: &Case, engine: &Engine, step: f64, target: f64) -> Result<Option<Case>> {
    if engine_error(engine, &case.law()?, case.speed, step, target).is_none() {
        return Ok(None);
    }
    let make = |e: f64| Ok(Case { damping: Damping::Exact(e), ..case.clone() });
    let error = |case: &Case| Ok(engine_error(engine, &case.law()?, case.speed, step, target));
    match calibrate(target, make, error)? {
        None => Err(unreachable_at_step(engine, target, step)),
        found => Ok(found),
    }
}

/// Returns the mean error of the restitution in an engine relative to a target; `None` for laws that are not integrated
/// with fixed steps here.
fn engine_error(engine: &Engine, law: &Law, speed: f64, step: f64, target: f64) -> Option<f64> {
    mean_error(law, engine.integrator?, speed, step, target).ok().flatten()
}

/// Exports the law of a case; if a step is requested, with the damping that delivers the restitution with this step.
pub(super) fn export(
    case: &Case,
    engine: &'static Engine,
    size: Size,
    friction: Friction,
    speeds: &[f64],
) -> Result<Export> {
    let (_, impact) = law_and_impact(case)?;
    let step = size.seconds(engine, impact.duration)?;
    let given_step = Some(step).filter(|_| size != Size::Usual);
    let for_step = match (given_step, case.damping) {
        (Some(step), Damping::Exact(e)) => calibrate_to_step(case, engine, step, e)?,
        _ => None,
    };
    let target = case.damping.restitution().filter(|_| for_step.is_some());
    let (asked, case) = (case, for_step.as_ref().unwrap_or(case));
    let (law, impact) = law_and_impact(case)?;
    let steps = impact.duration / step;
    // None for laws with an internal state, which are not integrated with fixed steps here.
    let at_step = |scheme| error_at_step(&law, case.speed, scheme, step, target).ok().flatten();
    let error = engine.integrator.and_then(at_step);
    // The measured error is valid for the engine's own step and shorter ones.
    let measured = engine.tolerance.filter(|_| steps > 0.999 * engine.steps);
    let delivered = target.unwrap_or(impact.restitution.newton);
    let radius = radius(case, &law, &impact);
    let plan = LawPlan { case, law, impact, radius, step, friction };
    let (Deck { files, settings }, rounding) = match engine.id {
        id if id == lammps_plugin::ENGINE.id => (lammps_plugin::write(&plan)?, 0.0),
        id if id == dem_engine::ENGINE.id => {
            (dem_engine::write(&plan)?, dem_engine::rounding_error(&plan))
        }
        id => return Err(unknown_engine(id)),
    };
    let LawPlan { law, impact, .. } = plan;
    let exponents = law.damper_exponents();
    let notes = Report::new(case, &law, impact.clone()).notes;
    let export = Export {
        engine: engine.id,
        law: case.model.id,
        text: String::new(),
        files,
        expresses: AppliedLaw {
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
        delivers: DeliveredImpact {
            requested: asked.damping.restitution(),
            restitution: delivered,
            duration: Some(impact.duration),
            force_max: Some(impact.force_max),
            indentation_max: Some(impact.indentation_max),
        },
        step: Step {
            size: step,
            per_contact: steps,
            restitution_error: error.map_or(measured, |at| Some(at.worst? + rounding)),
            restitution: error.and_then(|at| Some(delivered * (1.0 + at.mean?))),
            calibrated: for_step.is_some(),
        },
        over_speeds: over_speeds(&asked.law()?, &law, engine, given_step, speeds)?,
        notes,
    };
    Ok(with_comments(export, engine, asked))
}
