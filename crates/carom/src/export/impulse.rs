//! Engines with rigid contacts: an impulse within one step makes the rebound speed e times the approach speed.
//!
//! Only the restitution of a law has a counterpart in these engines. A contact has no duration, the force is the
//! impulse divided by the step, and the overlap is the distance that bodies move within a step. Therefore every law
//! with a rebound can be exported, also plastic and adhesive ones, and the export lists what is lost. In return the
//! step need not resolve the contact: a restitution can be delivered with steps a hundred times as long as a contact.
//!
//! The delivered restitution may differ from the one written: most engines ignore it below a threshold speed, and
//! some also separate overlapping bodies. If `robot_file/engine` contains the engine's update formula, the error over
//! all phases of the touch is computed with it; otherwise it is the measured one (`make test-engines`).

use super::engine::{Deck, Engine};
use super::friction::Friction;
use super::impulse_plan::{ImpulsePlan, RigidContact};
use super::plan::{Size, law_and_impact, radius};
use super::{AppliedLaw, DeliveredImpact, Export, Match, RestitutionAtSpeed, Step, with_comments};
use super::{dart, gazebo, newton_rigid, physx, pybullet_rigid, rapier};
use crate::advise::over_phases;
use crate::error::{Error, Result};
use crate::impact::{Impact, collide};
use crate::report::Report;
use crate::robot_file::engine::{Contact, Mechanics};
use crate::robot_file::impact::restitution_at;
use crate::spec::Case;
use crate::units::format;

/// Defines the list of engines with rigid contacts from the modules that each describe one engine and write its
/// input.
macro_rules! impulse_engines {
    ($($module:ident),+ $(,)?) => {
        /// All engines with rigid contacts.
        pub static IMPULSE_ENGINES: &[Engine] = &[$($module::ENGINE),+];

        /// Returns the rebound of an engine with rigid contacts; `None` for other engines.
        pub(super) fn rigid_contact(engine: &Engine) -> Option<&'static RigidContact> {
            match engine.id {
                $(id if id == $module::ENGINE.id => Some(&$module::RIGID_CONTACT),)+
                _ => None,
            }
        }
    };
}

impulse_engines![pybullet_rigid, dart, gazebo, newton_rigid, rapier, physx];

/// Largest fraction of its radius that a ball may move within a step.
const MAX_TRAVEL_IN_STEP: f64 = 0.1;

/// Returns the step (s): the requested one, or the usual one of the engine, reduced if the ball would move further
/// than [`MAX_TRAVEL_IN_STEP`] in it.
fn allowed_step(
    size: Size,
    rigid: &RigidContact,
    speed: f64,
    radius: f64,
    impact: &Impact,
) -> Result<f64> {
    let largest = MAX_TRAVEL_IN_STEP * radius / speed;
    let step = match size {
        Size::Usual => rigid.usual_step.min(largest),
        Size::PerContact(steps) => impact.duration / steps,
        Size::Seconds(step) => step,
    };
    if step <= largest * (1.0 + 1e-9) {
        return Ok(step);
    }
    let allowed =
        format!("at most {}, in which the ball moves a tenth of its radius", format(largest, "s"));
    Err(Error::invalid("step", step, allowed, "take a smaller step"))
}

/// Returns the upper bound of the relative error of the restitution over all phases of the touch, and its mean over
/// them.
fn error_over_phases(plan: &ImpulsePlan, contact: &Contact) -> Result<Option<(f64, f64)>> {
    let mechanics = Mechanics::central(plan.mass);
    let found = over_phases(true, 16, |phase| {
        let found = restitution_at(contact, &mechanics, plan.step, plan.case.speed, phase);
        Ok(found.map(|(e, decisions)| (e / plan.restitution - 1.0, decisions)))
    })?;
    Ok(found.map(|found| (found.worst, found.mean)))
}

/// Exports the restitution of a case.
pub(super) fn export(
    case: &Case,
    engine: &'static Engine,
    rigid: &RigidContact,
    size: Size,
    friction: Friction,
    speeds: &[f64],
) -> Result<Export> {
    let (law, impact) = law_and_impact(case)?;
    let restitution = case.damping.restitution().unwrap_or(impact.restitution.newton);
    let radius = radius(case, &law, &impact);
    let step = allowed_step(size, rigid, case.speed, radius, &impact)?;
    let plan = ImpulsePlan { case, restitution, mass: law.mass, radius, step, friction };
    let rebound = restitution * case.speed;
    if rebound <= rigid.slowest_rebound {
        return Err(Error::unsupported(
            format!("a rebound at {} in {}", format(rebound, "m/s"), engine.title),
            format!(
                "it ignores the restitution where bodies would part more slowly than {}; ask for it at a higher speed",
                format(rigid.slowest_rebound, "m/s")
            ),
        ));
    }
    let at_step = match rigid.step_contact {
        Some(step_contact) => error_over_phases(&plan, &step_contact(&plan))?,
        None => None,
    };
    let Deck { files, settings } = (rigid.write)(&plan)?;
    let mut notes = Report::new(case, &law, impact.clone()).notes;
    notes.retain(|note| note.kind != "restitution_missed");
    let mut lost = lost_quantities(&plan, &impact);
    let at_speed = |speed: f64| -> Result<RestitutionAtSpeed> {
        let asked = collide(&law, speed)?.restitution.newton;
        let delivered = if restitution * speed > rigid.slowest_rebound { restitution } else { 0.0 };
        Ok(RestitutionAtSpeed { speed, asked, delivered })
    };
    let [half, twice] = [0.5, 2.0].map(|factor| at_speed(factor * case.speed));
    if let (Ok(half), Ok(twice)) = (half, twice)
        && (half.asked - twice.asked).abs() > 1e-6
    {
        lost.push(format!(
            "the dependence on the speed: the law delivers {:.4} at {} and {:.4} at {}, the engine {restitution:.4} at every speed",
            half.asked,
            format(half.speed, "m/s"),
            twice.asked,
            format(twice.speed, "m/s"),
        ));
    }
    let export = Export {
        engine: engine.id,
        law: case.model.id,
        text: String::new(),
        files,
        expresses: AppliedLaw {
            form: "a restitution, delivered by an impulse within one step",
            equation: format!("rebound speed = e * approach speed, e = {restitution}"),
            matches: Match::Restitution,
            mass: law.mass,
            stiffness: None,
            exponent: None,
            damping: None,
            damping_exponent: None,
            rate_exponent: None,
            full_damping_depth: None,
            exit: None,
        },
        lost,
        settings,
        delivers: DeliveredImpact {
            requested: case.damping.restitution(),
            restitution,
            duration: None,
            force_max: None,
            indentation_max: None,
        },
        step: Step {
            size: step,
            per_contact: impact.duration / step,
            restitution_error: at_step.map_or(engine.tolerance, |(worst, _)| Some(worst)),
            restitution: at_step.map(|(_, mean)| restitution * (1.0 + mean)),
            calibrated: false,
        },
        over_speeds: speeds.iter().copied().map(at_speed).collect::<Result<_>>()?,
        notes,
    };
    Ok(with_comments(export, engine, case))
}

/// Returns sentences on the quantities that a contact without duration does not have.
fn lost_quantities(plan: &ImpulsePlan, impact: &Impact) -> Vec<String> {
    let mean_force = (1.0 + plan.restitution) * plan.mass * plan.case.speed / plan.step;
    vec![
        format!(
            "the contact time of {}: the rebound happens within one step",
            format(impact.duration, "s")
        ),
        format!(
            "the peak force of {}: the force is the impulse over the step, {} at this one, and not a property of the contact",
            format(impact.force_max, "N"),
            format(mean_force, "N")
        ),
        format!(
            "the indentation of {}: bodies overlap by what they move within a step, up to {} at this one",
            format(impact.indentation_max, "m"),
            format(plan.overlap(), "m")
        ),
    ]
}
