//! Export: an impact as input for another program, and the restitution that this program will deliver.
//!
//! Other simulators apply laws of their own: a damper of fixed shape, written as a restitution, a
//! damping ratio or a coefficient, with or without a cut at zero force. Whoever copies a number from
//! one manual into another gets another restitution. Here the numbers are computed:
//!
//! 1. The law of the case is given by its numbers, K·δⁿ + c·δᵐ·|δ̇|^q and an [`Exit`].
//! 2. An [`Engine`] states the [`Form`]s it can apply. The nearest is taken: one that is the law
//!    itself, else one with the same spring and another damper, else one with another spring.
//! 3. What had to change is calibrated again in the engine's own form: c so that the restitution asked
//!    for is delivered under the engine's end of contact, K (where the exponent changes) so that the
//!    contact lasts as long.
//! 4. The *effective law*, the one that the engine really applies, is collided by carom. That is what
//!    [`Export::delivers`] says, and `make test-engines` compares it with the programs themselves.
//!
//! Engines whose contacts are rigid take the restitution alone: [`IMPULSE_ENGINES`]. Some engines run the law itself, by a plugin or
//! by code that is given to them: [`LAW_ENGINES`]. Nothing is lost there.
//!
//! Everything that changed is in [`Export::lost`]; a law that has no counterpart at all (plastic,
//! adhesive, with internal state) is an error that names the nearest law the engine can express.
//!
//! ```
//! use carom::{export, spec::Spec};
//! let spec = Spec {
//!     law: "tsuji-1992".into(),
//!     mass: Some(0.54.into()),
//!     stiffness: Some(2.4144e10.into()),
//!     speed: Some(0.5.into()),
//!     restitution: Some(0.7568.into()),
//!     calibration: Some("exact".into()),
//!     ..Spec::default()
//! };
//! let deck = export::run(&spec, "lammps")?;
//! assert!(deck.text.contains("coeff_restitution") && deck.lost.is_empty());
//! assert!((deck.delivers.restitution - 0.7568).abs() < 1e-9);
//! # Ok::<(), carom::Error>(())
//! ```

mod adams;
mod chrono;
mod dart;
mod dem_engine;
mod drake;
mod effective;
pub mod engine;
mod exudyn;
mod friction;
mod gazebo;
mod gazebo_classic;
mod impulse;
mod impulse_plan;
mod lammps;
mod lammps_plugin;
mod law_itself;
mod law_plan;
mod liggghts;
mod mbdyn;
mod mujoco;
mod nearest;
mod newton;
mod newton_rigid;
mod opensees;
mod opensim;
mod physx;
pub mod plan;
mod pybullet;
mod pybullet_rigid;
mod rapier;
mod text;
mod wanted;
mod yade;

pub use engine::{Check, Deck, Engine, Form, Install, Resists, Viscous};
pub use friction::Friction;
pub use impulse::IMPULSE_ENGINES;
pub use law_itself::LAW_ENGINES;
pub use plan::{Plan, Size};
pub use wanted::Shape;

use crate::error::{Error, Result, positive, within};
use crate::law::Exit;
use crate::message::Action;
use crate::report::NoteReport;
use crate::spec::{Case, Spec};
use crate::units::{Dimension, Quantity};
use serde::Serialize;

/// The list of engines from the modules that describe and write for one each.
macro_rules! engines {
    ($($module:ident),+ $(,)?) => {
        /// Every engine with laws of its own that carom writes for. Help, lists, documents and tests are made from this one.
        pub static ENGINES: &[Engine] = &[$($module::ENGINE),+];

        /// Writes the input for the engine of a plan.
        fn write(plan: &Plan) -> Result<Deck> {
            match plan.engine.id {
                $(id if id == $module::ENGINE.id => $module::write(plan),)+
                id => Err(unknown_engine(id)),
            }
        }
    };
}

engines![
    lammps,
    liggghts,
    yade,
    chrono,
    mujoco,
    drake,
    opensim,
    exudyn,
    mbdyn,
    adams,
    opensees,
    pybullet,
    newton,
    gazebo_classic,
];

/// The engine with this id or alias.
///
/// ```
/// assert_eq!(carom::export::engine("simbody")?.id, "opensim");
/// # Ok::<(), carom::Error>(())
/// ```
pub fn engine(name: &str) -> Result<&'static Engine> {
    let found = engines().find(|engine| engine.id == name || engine.aliases.contains(&name));
    found.ok_or_else(|| unknown_engine(name))
}

/// All engines: those with laws of their own ([`ENGINES`]), those with rigid contacts ([`IMPULSE_ENGINES`]) and those that run any
/// law ([`LAW_ENGINES`]).
pub fn engines() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().chain(IMPULSE_ENGINES).chain(LAW_ENGINES)
}

fn unknown_engine(name: &str) -> Error {
    let names = engines().flat_map(|e| std::iter::once(e.id).chain(e.aliases.iter().copied()));
    let ids: Vec<_> = engines().map(|engine| engine.id).collect();
    Error::unknown("engine", name, names, format!("there are {}", ids.join(", ")))
}

/// Input for an engine and what it will do with it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Export {
    /// Id of the engine.
    pub engine: &'static str,
    /// Id of the law that was asked for.
    pub law: &'static str,
    /// The input to run: the first of [`Export::files`].
    pub text: String,
    /// All files; the first is complete in itself, the others are for pasting.
    pub files: Vec<File>,
    /// The effective law: what the engine applies.
    pub expresses: Expresses,
    /// What the engine cannot express of the law that was asked for, a sentence each.
    pub lost: Vec<String>,
    /// The numbers in the engine's own terms.
    pub settings: Vec<Setting>,
    /// What the effective law delivers, computed by carom.
    pub delivers: Delivers,
    /// The time step of the input.
    pub step: Step,
    /// What it delivers over a range of speeds, where one was asked for.
    pub over_speeds: Vec<AtSpeed>,
    /// What is worth knowing.
    pub notes: Vec<NoteReport>,
}

/// The restitution at one speed of a range.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct AtSpeed {
    /// Approach speed (m/s).
    pub speed: f64,
    /// What the law that was asked for delivers there.
    pub asked: f64,
    /// What the engine delivers: with the step that was asked for, on average over the phases of the touch; with small steps
    /// where none was, or where the engine's scheme is not known.
    pub delivered: f64,
}

/// A file of an export.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct File {
    /// Suggested name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// How near the effective law is to the law that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// It has the force of that law at every indentation and rate.
    Exact,
    /// It has the spring of that law; the damper has another form and the coefficient that delivers the restitution.
    Damping,
    /// Another exponent of the spring; restitution and duration are kept.
    Spring,
    /// The restitution alone, by an impulse within one step: no spring, no duration, no force that means anything.
    Restitution,
}

/// The law an engine applies, in SI units.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Expresses {
    /// The engine's own name for it.
    pub form: &'static str,
    /// Its equation.
    pub equation: String,
    /// How near it is to the law that was asked for.
    #[serde(rename = "match")]
    pub matches: Match,
    /// Effective mass (kg).
    pub mass: f64,
    /// K (N/mⁿ); `null` where contacts are rigid, as all that follows.
    pub stiffness: Option<f64>,
    /// n.
    pub exponent: Option<f64>,
    /// c, in the unit of the form.
    pub damping: Option<f64>,
    /// m, where the damper is a power of the indentation.
    pub damping_exponent: Option<f64>,
    /// q, where it is a power of the rate.
    pub rate_exponent: Option<f64>,
    /// The depth over which the damper fades in (m), for the form that has one.
    pub full_damping_depth: Option<f64>,
    /// When contact ends.
    pub exit: Option<Exit>,
}

/// A number of the input in the engine's own terms.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Setting {
    /// Its name there.
    pub name: &'static str,
    /// Its value as written.
    pub value: f64,
    /// Its unit.
    pub unit: String,
}

/// What the effective law delivers.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Delivers {
    /// What was asked for, if a restitution was.
    pub requested: Option<f64>,
    /// Rebound speed over impact speed.
    pub restitution: f64,
    /// Time of contact (s), to the engine's end of contact; `null` where contacts are rigid.
    pub duration: Option<f64>,
    /// Largest force (N); `null` where contacts are rigid.
    pub force_max: Option<f64>,
    /// Largest indentation (m); `null` where contacts are rigid.
    pub indentation_max: Option<f64>,
}

/// The time step that the input asks for.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Its size (s).
    pub size: f64,
    /// Steps in one contact.
    pub per_contact: f64,
    /// Upper bound of the relative error of the restitution at this step, over all phases of the touch within a step:
    /// computed with the engine's scheme, or, where the engine controls its error itself, as measured with it.
    pub restitution_error: Option<f64>,
    /// Mean over the phases of the restitution at this step, where the engine's scheme is known.
    pub restitution: Option<f64>,
    /// Whether the damping was chosen for this step, so that the mean is what was asked for.
    pub calibrated: bool,
}

/// What may be chosen about an export.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Steps in one contact. Where it or the step is given, the damping is chosen so that the engine delivers the
    /// restitution that was asked for with this step; else it is the engine's own number.
    pub steps: Option<f64>,
    /// The time step (s), in place of the number of steps.
    pub step: Option<f64>,
    /// Refuse what the engine cannot express without loss.
    pub strict: bool,
    /// Coulomb's coefficient of friction to write, where the engine has it.
    pub friction: Option<f64>,
    /// Rolling friction to write: the couple against rolling over normal force and effective radius.
    pub rolling_friction: Option<f64>,
    /// A range of speeds (m/s) over which to say what the engine delivers.
    pub speeds: Option<(f64, f64)>,
}

/// Exports a described impact to the engine of this name.
pub fn run(spec: &Spec, engine_name: &str) -> Result<Export> {
    // The name is checked first: a wrong one is the easiest to correct.
    run_with(spec, engine(engine_name)?, &Options::default())
}

/// Exports a described impact to an engine. Where its speed is a range, `1..4 m/s`, the damping is chosen for the geometric
/// mean of its ends, and the export says what the engine delivers between them.
///
/// # Errors
/// As [`export`].
pub fn run_with(spec: &Spec, engine: &'static Engine, options: &Options) -> Result<Export> {
    let Some((low, high)) = spec.speed.as_ref().and_then(Quantity::range) else {
        return export(&spec.case()?, engine, options);
    };
    let read = |speed: &Quantity| {
        let advice = "give the approach speed at touch in m/s, above 0";
        positive("speed", speed.si("speed", Dimension::SPEED)?, advice)
    };
    let speeds = (read(&low)?, read(&high)?);
    if speeds.0 >= speeds.1 {
        let range = format!("{}..{}", speeds.0, speeds.1);
        let allowed = "a range from the lower to the higher speed";
        let advice = if speeds.0 == speeds.1 { "give it as one speed" } else { "swap the two" };
        return Err(Error::invalid("speed", range, allowed, advice));
    }
    let middle = (speeds.0 * speeds.1).sqrt();
    let case = Spec { speed: Some(middle.into()), ..spec.clone() }.case()?;
    export(&case, engine, &Options { speeds: Some(speeds), ..*options })
}

/// The step that is asked for.
fn size(options: &Options) -> Result<Size> {
    Ok(match (options.steps, options.step) {
        (Some(_), Some(_)) => {
            let advice = message!["leave out ", Action::leave_out("steps")];
            return Err(Error::unsupported("a step together with a number of steps", advice));
        }
        (Some(steps), None) => {
            let advice = "steps in one contact, 1000 for example";
            Size::PerContact(within("steps", steps, 6.0, 1e6, advice)?)
        }
        (None, Some(step)) => {
            Size::Seconds(positive("step", step, "give the time step in s, 1e-6 for example")?)
        }
        (None, None) => Size::Usual,
    })
}

/// Exports a case to an engine.
///
/// # Errors
/// When the engine has no counterpart of the law, when the restitution cannot be delivered in its form,
/// and, for a strict export, when anything is lost. The sentence names the nearest law it can express.
pub fn export(case: &Case, engine: &'static Engine, options: &Options) -> Result<Export> {
    // Number of speeds of a range, ends included, at equal ratios.
    const POINTS: i32 = 5;
    let speeds = options.speeds.map_or_else(Vec::new, |(low, high)| {
        let speed = |i: i32| low * (high / low).powf(f64::from(i) / f64::from(POINTS - 1));
        (0..POINTS).map(speed).collect()
    });
    export_at(case, engine, options, &speeds)
}

/// [`export`] that says what the engine delivers at these speeds (m/s), in place of the range of the options.
///
/// # Errors
/// As [`export`].
pub fn export_at(
    case: &Case,
    engine: &'static Engine,
    options: &Options,
    speeds: &[f64],
) -> Result<Export> {
    let size = size(options)?;
    let friction = Friction::new(options.friction, options.rolling_friction, engine)?;
    if law_itself::runs_any_law(engine) {
        return law_itself::export(case, engine, size, friction, speeds);
    }
    if let Some(rigid) = impulse::rigid(engine) {
        let export = impulse::export(case, engine, rigid, size, friction, speeds)?;
        return match options.strict {
            true => Err(nearest::strict(case, engine, &export.lost)),
            false => Ok(export),
        };
    }
    let mut plan = Plan::new(case, engine, size)?;
    plan.friction = friction;
    let lost = plan.lost();
    if options.strict && !lost.is_empty() {
        return Err(nearest::strict(case, engine, &lost));
    }
    let deck = write(&plan)?;
    if let Some(wrong) = deck.settings.iter().find(|setting| !setting.value.is_finite()) {
        return Err(text::overflow(wrong.name, wrong.value));
    }
    let mut notes = plan.notes();
    if size != Size::Usual && plan.at_step.is_none() {
        let what = "the step that was asked for is written, but what it does to the restitution is not known: this engine controls its error \
                    itself, or steps in a way that carom does not follow; the damping is that for small steps";
        notes.push(NoteReport::new("step_not_known", what));
    }
    let export = Export {
        engine: engine.id,
        law: case.model.id,
        text: String::new(),
        files: deck.files,
        expresses: plan.expresses(),
        lost,
        settings: deck.settings,
        delivers: plan.delivers(),
        step: plan.stepped(),
        over_speeds: plan.at_speeds(speeds)?,
        notes,
    };
    Ok(completed(export, engine, case))
}

/// Adds what is special about the engine to the notes, and the comment about law, losses and results to the top of every file.
fn completed(mut export: Export, engine: &Engine, case: &Case) -> Export {
    let traps = engine.traps.iter().map(|&message| NoteReport::new("engine", message));
    export.notes.extend(traps);
    let header = text::header(engine, case, &export);
    for file in &mut export.files {
        file.text = text::with_header(&file.name, &file.text, &header);
    }
    export.text = export.files.first().map(|file| file.text.clone()).unwrap_or_default();
    export
}
