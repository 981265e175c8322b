//! Export of an impact as input for another program, with the restitution that this program will deliver.
//!
//! Other simulators use their own laws: a damper of fixed form, specified by a restitution, a damping ratio or a
//! coefficient, with or without a limit of the force to positive values. A number copied from one manual into the
//! input of another program results in another restitution. Here the numbers are computed:
//!
//! 1. The law of the case is given by its numbers, K·δⁿ + c·δᵐ·|δ̇|^q and an [`Exit`].
//! 2. An [`Engine`] lists the [`Form`]s that it can apply. The nearest is used: one that is the law itself, otherwise
//!    one with the same spring and another damper, otherwise one with another spring.
//! 3. What has to change is calibrated again in the form of the engine: c such that the requested restitution is
//!    delivered with the engine's exit of contact, and K (if the exponent changes) such that the duration of contact
//!    is the same.
//! 4. The impact of the *effective law*, the one that the engine really applies, is computed by carom.
//!    [`Export::delivers`] contains its results, and `make test-engines` compares them with the programs themselves.
//!
//! Engines with rigid contacts take only the restitution: [`IMPULSE_ENGINES`]. Some engines can evaluate the law
//! itself, by a plugin or by code that is passed to them: [`LAW_ENGINES`]. Their exports lose nothing.
//!
//! All differences are listed in [`Export::lost`]. A law without any counterpart (plastic, adhesive, with internal
//! state) is an error that names the nearest law that the engine can express.
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

pub use engine::{Check, Deck, Engine, Form, FrictionKinds, Install, Viscous};
pub use friction::Friction;
pub use impulse::IMPULSE_ENGINES;
pub use law_itself::LAW_ENGINES;
pub use plan::{Plan, Size};
pub use wanted::Shape;

use crate::error::{Error, Result, check_positive, check_range};
use crate::law::Exit;
use crate::message::Action;
use crate::report::NoteReport;
use crate::spec::{Case, Spec};
use crate::units::{Dimension, Quantity};
use serde::Serialize;

/// Defines the list of engines from the modules that each describe one engine and write its input.
macro_rules! engines {
    ($($module:ident),+ $(,)?) => {
        /// All engines with their own laws for which carom writes input. Help, lists, documents and tests are made
        /// from this list.
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

/// Returns the engine with this id or alias.
///
/// ```
/// assert_eq!(carom::export::engine("simbody")?.id, "opensim");
/// # Ok::<(), carom::Error>(())
/// ```
pub fn engine(name: &str) -> Result<&'static Engine> {
    let found = engines().find(|engine| engine.id == name || engine.aliases.contains(&name));
    found.ok_or_else(|| unknown_engine(name))
}

/// Returns all engines: those with their own laws ([`ENGINES`]), those with rigid contacts ([`IMPULSE_ENGINES`]) and
/// those that can evaluate any law ([`LAW_ENGINES`]).
pub fn engines() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().chain(IMPULSE_ENGINES).chain(LAW_ENGINES)
}

fn unknown_engine(name: &str) -> Error {
    let names = engines().flat_map(|e| std::iter::once(e.id).chain(e.aliases.iter().copied()));
    let ids: Vec<_> = engines().map(|engine| engine.id).collect();
    Error::unknown("engine", name, names, format!("there are {}", ids.join(", ")))
}

/// Input for an engine, with the results that the engine will deliver.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Export {
    /// Id of the engine.
    pub engine: &'static str,
    /// Id of the requested law.
    pub law: &'static str,
    /// Input to run: the text of the first of [`Export::files`].
    pub text: String,
    /// All files; the first is complete in itself, the others are fragments to be inserted into other input.
    pub files: Vec<File>,
    /// Effective law, which the engine applies.
    pub expresses: AppliedLaw,
    /// Sentences on the properties of the requested law that the engine cannot express.
    pub lost: Vec<String>,
    /// Parameters as the engine names them.
    pub settings: Vec<Setting>,
    /// Results of the effective law, computed by carom.
    pub delivers: DeliveredImpact,
    /// Time step of the input.
    pub step: Step,
    /// Results over a range of speeds, if one was requested.
    pub over_speeds: Vec<RestitutionAtSpeed>,
    /// Notes on the export.
    pub notes: Vec<NoteReport>,
}

/// The restitution at one speed of a range.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct RestitutionAtSpeed {
    /// Approach speed (m/s).
    pub speed: f64,
    /// Restitution of the requested law at this speed.
    pub asked: f64,
    /// Restitution that the engine delivers: with the requested step, as the mean over the phases of the touch; with
    /// small steps if no step was requested, or if the engine's scheme is not known.
    pub delivered: f64,
}

/// A file of an export.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct File {
    /// Suggested name of the file.
    pub name: String,
    /// Contents of the file.
    pub text: String,
}

/// How closely the effective law agrees with the requested law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// The forces of both laws are equal at every indentation and rate.
    Exact,
    /// The spring is the same; the damper has another form, with the coefficient that delivers the restitution.
    Damping,
    /// The exponent of the spring differs; restitution and duration are the same.
    Spring,
    /// Only the restitution is the same, by an impulse within one step; there is no spring, no duration, and no
    /// meaningful force.
    Restitution,
}

/// Law that an engine applies, in SI units.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AppliedLaw {
    /// Name of the form in the engine's documentation.
    pub form: &'static str,
    /// Equation of the force.
    pub equation: String,
    /// How closely it agrees with the requested law.
    #[serde(rename = "match")]
    pub matches: Match,
    /// Effective mass (kg).
    pub mass: f64,
    /// Stiffness K (N/mⁿ); `null` for rigid contacts, like all following fields.
    pub stiffness: Option<f64>,
    /// Stiffness exponent n.
    pub exponent: Option<f64>,
    /// Damping coefficient c, in the unit of the form.
    pub damping: Option<f64>,
    /// Damping exponent m, if the damper is a power of the indentation.
    pub damping_exponent: Option<f64>,
    /// Rate exponent q, if the damper is a power of the rate.
    pub rate_exponent: Option<f64>,
    /// Depth over which the damper fades in (m), for the form that has one.
    pub full_damping_depth: Option<f64>,
    /// Exit of contact: the condition for its end.
    pub exit: Option<Exit>,
}

/// A parameter of the input as the engine names it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Setting {
    /// Name in the engine.
    pub name: &'static str,
    /// Value in the input.
    pub value: f64,
    /// Unit of the value.
    pub unit: String,
}

/// Results of the effective law.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct DeliveredImpact {
    /// Requested restitution, if there is one.
    pub requested: Option<f64>,
    /// Rebound speed divided by impact speed.
    pub restitution: f64,
    /// Duration of contact (s), with the engine's exit of contact; `null` for rigid contacts.
    pub duration: Option<f64>,
    /// Largest force (N); `null` for rigid contacts.
    pub force_max: Option<f64>,
    /// Largest indentation (m); `null` for rigid contacts.
    pub indentation_max: Option<f64>,
}

/// Time step of the input.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Size of the step (s).
    pub size: f64,
    /// Number of steps per contact.
    pub per_contact: f64,
    /// Upper bound of the relative error of the restitution at this step, over all phases of the touch within a step:
    /// computed with the engine's scheme or, if the engine controls its error itself, measured with the engine.
    pub restitution_error: Option<f64>,
    /// Mean restitution over the phases at this step, if the engine's scheme is known.
    pub restitution: Option<f64>,
    /// Whether the damping was calibrated for this step, so that the mean is the requested restitution.
    pub calibrated: bool,
}

/// Options of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Number of steps per contact. If it or the step is given, the damping is calibrated such that the engine
    /// delivers the requested restitution with this step; otherwise the number of the engine is used.
    pub steps: Option<f64>,
    /// Time step (s), instead of the number of steps.
    pub step: Option<f64>,
    /// Whether an export with losses is refused.
    pub strict: bool,
    /// Coulomb's coefficient of friction to be written, if the engine has friction.
    pub friction: Option<f64>,
    /// Coefficient of rolling friction to be written: the rolling resistance couple divided by normal force and
    /// effective radius.
    pub rolling_friction: Option<f64>,
    /// Range of speeds (m/s) over which the delivered restitution is computed.
    pub speeds: Option<(f64, f64)>,
}

/// Exports a described impact to the engine of this name.
pub fn run(spec: &Spec, engine_name: &str) -> Result<Export> {
    // The name is checked first, because a wrong one is the easiest to correct.
    run_with(spec, engine(engine_name)?, &Options::default())
}

/// Exports a described impact to an engine. If its speed is a range, `1..4 m/s`, the damping is calibrated for the
/// geometric mean of its ends, and the export contains the restitutions that the engine delivers over the range.
///
/// # Errors
/// As [`export`].
pub fn run_with(spec: &Spec, engine: &'static Engine, options: &Options) -> Result<Export> {
    let Some((low, high)) = spec.speed.as_ref().and_then(Quantity::range) else {
        return export(&spec.case()?, engine, options);
    };
    let read = |speed: &Quantity| {
        let advice = "give the approach speed at touch in m/s, above 0";
        check_positive("speed", speed.si("speed", Dimension::SPEED)?, advice)
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

/// Returns the requested step.
fn requested_step(options: &Options) -> Result<Size> {
    Ok(match (options.steps, options.step) {
        (Some(_), Some(_)) => {
            let advice = message!["leave out ", Action::leave_out("steps")];
            return Err(Error::unsupported("a step together with a number of steps", advice));
        }
        (Some(steps), None) => {
            let advice = "steps in one contact, 1000 for example";
            Size::PerContact(check_range("steps", steps, 6.0, 1e6, advice)?)
        }
        (None, Some(step)) => Size::Seconds(check_positive(
            "step",
            step,
            "give the time step in s, 1e-6 for example",
        )?),
        (None, None) => Size::Usual,
    })
}

/// Exports a case to an engine.
///
/// # Errors
/// When the engine has no counterpart of the law, when the restitution cannot be delivered in its form, and, for a
/// strict export, when anything is lost. The message names the nearest law that the engine can express.
pub fn export(case: &Case, engine: &'static Engine, options: &Options) -> Result<Export> {
    // Number of speeds over a range, including its ends, with equal ratios.
    const POINTS: i32 = 5;
    let speeds = options.speeds.map_or_else(Vec::new, |(low, high)| {
        let speed = |i: i32| low * (high / low).powf(f64::from(i) / f64::from(POINTS - 1));
        (0..POINTS).map(speed).collect()
    });
    export_at(case, engine, options, &speeds)
}

/// Exports a case like [`export`], with results at these speeds (m/s) instead of the range of the options.
///
/// # Errors
/// As [`export`].
pub fn export_at(
    case: &Case,
    engine: &'static Engine,
    options: &Options,
    speeds: &[f64],
) -> Result<Export> {
    let size = requested_step(options)?;
    let friction = Friction::new(options.friction, options.rolling_friction, engine)?;
    if law_itself::runs_any_law(engine) {
        return law_itself::export(case, engine, size, friction, speeds);
    }
    if let Some(rigid) = impulse::rigid_contact(engine) {
        let export = impulse::export(case, engine, rigid, size, friction, speeds)?;
        return match options.strict {
            true => Err(nearest::strict_error(case, engine, &export.lost)),
            false => Ok(export),
        };
    }
    let mut plan = Plan::new(case, engine, size)?;
    plan.friction = friction;
    let lost = plan.lost();
    if options.strict && !lost.is_empty() {
        return Err(nearest::strict_error(case, engine, &lost));
    }
    let deck = write(&plan)?;
    if let Some(wrong) = deck.settings.iter().find(|setting| !setting.value.is_finite()) {
        return Err(text::not_finite_error(wrong.name, wrong.value));
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
    Ok(with_comments(export, engine, case))
}

/// Adds the peculiarities of the engine to the notes, and a comment on law, losses and results to the top of every
/// file.
fn with_comments(mut export: Export, engine: &Engine, case: &Case) -> Export {
    let traps = engine.traps.iter().map(|&message| NoteReport::new("engine", message));
    export.notes.extend(traps);
    let header = text::header(engine, case, &export);
    for file in &mut export.files {
        file.text = text::with_header(&file.name, &file.text, &header);
    }
    export.text = export.files.first().map(|file| file.text.clone()).unwrap_or_default();
    export
}
