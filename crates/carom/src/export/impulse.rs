//! Engines with rigid contacts: an impulse within one step that makes the rebound speed e times the approach speed.
//!
//! Nothing of a law but its restitution has a counterpart there. A contact has no duration, the force is the impulse over
//! the step, whatever that is, and the overlap is what bodies move within a step. So all laws can be exported that rebound,
//! plastic and adhesive ones too, and what is lost is said. On the other hand such a contact needs no step that resolves it:
//! this is how a restitution is delivered with steps a hundred times as long as a contact.
//!
//! What an engine makes of the restitution is not always what is written: most ignore it below a speed, some push overlapping bodies
//! apart besides. Where `robot_file/engine` knows the engine's own step, the error over all phases of the touch is
//! computed with it; else it is what was measured (`make test-engines`).

use super::engine::{Deck, Engine};
use super::friction::Friction;
use super::impulse_plan::{ImpulsePlan, Rigid};
use super::plan::{Size, radius, rebounding};
use super::{AtSpeed, Delivers, Export, Expresses, Match, Step, add_headers};
use super::{dart, gazebo, newton_rigid, physx, pybullet_rigid, rapier, unknown_engine};
use crate::advise::over_phases;
use crate::error::{Error, Result};
use crate::impact::{Impact, collide};
use crate::report::{NoteReport, Report};
use crate::robot_file::engine::{Contact, Meeting};
use crate::robot_file::impact::restitution_at;
use crate::spec::Case;
use crate::units::format;

/// Every engine with rigid contacts.
pub static IMPULSE_ENGINES: &[Engine] = &[
    pybullet_rigid::ENGINE,
    dart::ENGINE,
    gazebo::ENGINE,
    newton_rigid::ENGINE,
    rapier::ENGINE,
    physx::ENGINE,
];

/// The part of a radius that a ball may move within a step.
const PART_OF_RADIUS: f64 = 0.1;

/// Whether an engine is one of these.
pub(super) fn is_rigid(engine: &Engine) -> bool {
    IMPULSE_ENGINES.iter().any(|other| other.id == engine.id)
}

fn rigid(engine: &Engine) -> Result<&'static Rigid> {
    match engine.id {
        id if id == pybullet_rigid::ENGINE.id => Ok(&pybullet_rigid::RIGID),
        id if id == dart::ENGINE.id => Ok(&dart::RIGID),
        id if id == gazebo::ENGINE.id => Ok(&gazebo::RIGID),
        id if id == newton_rigid::ENGINE.id => Ok(&newton_rigid::RIGID),
        id if id == rapier::ENGINE.id => Ok(&rapier::RIGID),
        id if id == physx::ENGINE.id => Ok(&physx::RIGID),
        id => Err(unknown_engine(id)),
    }
}

/// The step: the one that is asked for, or the engine's usual one where the ball moves a small part of its radius in it.
fn step(size: Size, rigid: &Rigid, speed: f64, radius: f64, impact: &Impact) -> Result<f64> {
    let largest = PART_OF_RADIUS * radius / speed;
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

/// Upper bound of the relative error of the restitution over all phases of the touch, and the mean over them.
fn error(plan: &ImpulsePlan, contact: &Contact) -> Result<Option<(f64, f64)>> {
    let mobility = 1.0 / plan.mass;
    let meeting = Meeting { mobility, mobility_estimate: mobility, press: 0.0, points: 1.0 };
    let found = over_phases(true, 16, |phase| {
        let found = restitution_at(contact, &meeting, plan.step, plan.case.speed, phase);
        Ok(found.map(|(e, decisions)| (e / plan.restitution - 1.0, decisions)))
    })?;
    Ok(found.map(|found| (found.worst, found.mean)))
}

/// Exports the restitution of a case.
pub(super) fn export(
    case: &Case,
    engine: &'static Engine,
    size: Size,
    friction: Friction,
    speeds: &[f64],
) -> Result<Export> {
    let (law, impact) = rebounding(case)?;
    let rigid = rigid(engine)?;
    let restitution = case.damping.restitution().unwrap_or(impact.restitution.newton);
    let radius = radius(case, &law, &impact);
    let step = step(size, rigid, case.speed, radius, &impact)?;
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
    let at_step = match rigid.one_step {
        Some(one_step) => error(&plan, &one_step(&plan))?,
        None => None,
    };
    let Deck { files, settings } = (rigid.write)(&plan)?;
    let mut notes = Report::new(case, &law, impact.clone()).notes;
    notes.retain(|note| note.kind != "restitution_missed");
    notes.extend(engine.traps.iter().map(|&message| NoteReport::new("engine", message)));
    let mut lost = lost(&plan, &impact);
    let at_speed = |speed: f64| -> Result<AtSpeed> {
        let asked = collide(&law, speed)?.restitution.newton;
        let delivered = if restitution * speed > rigid.slowest_rebound { restitution } else { 0.0 };
        Ok(AtSpeed { speed, asked, delivered })
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
    let mut export = Export {
        engine: engine.id,
        law: case.model.id,
        text: String::new(),
        files,
        expresses: Expresses {
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
        delivers: Delivers {
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
    add_headers(&mut export, engine, case);
    Ok(export)
}

/// What a contact without duration does not have.
fn lost(plan: &ImpulsePlan, impact: &Impact) -> Vec<String> {
    let mean = (1.0 + plan.restitution) * plan.mass * plan.case.speed / plan.step;
    vec![
        format!(
            "the contact time of {}: the rebound happens within one step",
            format(impact.duration, "s")
        ),
        format!(
            "the peak force of {}: the force is the impulse over the step, {} at this one, and says nothing of the contact",
            format(impact.force_max, "N"),
            format(mean, "N")
        ),
        format!(
            "the indentation of {}: bodies overlap by what they move within a step, up to {} at this one",
            format(impact.indentation_max, "m"),
            format(plan.overlap(), "m")
        ),
    ]
}
