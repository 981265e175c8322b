//! The report of an impact, which programs print, send and save.
//!
//! A [`Report`] is the JSON of an impact in the command, the lab and Python; its field names are part of the
//! interface. Numbers that do not exist (the duration of a contact that never ends) are `null`.

mod entry;

pub use entry::{Entry, Page, ParameterEntry};

use crate::error::Result;
use crate::exact::{self, Exponents};
use crate::impact::{
    Energy, Impact, Impulse, Note, RollingBall, Trajectory, collide_under, trajectory,
};
use crate::law::{Exit, Law, Phases};
use crate::message::{Message, WordedAction};
use crate::model::{Damping, Group, Model};
use crate::pair::Pair;
use crate::pair::limits::NOTABLE_WAVE_LOSS;
use crate::pair::stiffness::effective_radius;
use crate::spec::Case;
use serde::Serialize;

/// All results of one impact, with the names that users see.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Id of the law.
    pub law: &'static str,
    /// Properties of the pair of bodies.
    pub pair: PairReport,
    /// Approach speed at touch (m/s).
    pub speed: f64,
    /// Exit of contact: the condition for its end.
    pub exit: Exit,
    /// Damping that was used.
    pub damping: DampingReport,
    /// Requested and delivered restitution.
    pub restitution: RestitutionReport,
    /// Duration of contact (s).
    pub duration: f64,
    /// Largest indentation (m).
    pub indentation_max: f64,
    /// Time of the largest indentation (s).
    pub time_of_indentation_max: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Time of the largest force (s).
    pub time_of_force_max: f64,
    /// Indentation at the end of contact (m).
    pub residual_indentation: f64,
    /// Impulses of the contact force (N·s).
    pub impulse: Impulse,
    /// Energies (J).
    pub energy: Energy,
    /// Notes on the results.
    pub notes: Vec<NoteReport>,
}

/// Mass, stiffness and exponent as the law used them.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct PairReport {
    /// Effective mass (kg).
    pub mass: f64,
    /// Stiffness K (N/mⁿ); not a number if the spring of an own law has none.
    pub stiffness: f64,
    /// Stiffness exponent n.
    pub exponent: f64,
}

impl PairReport {
    /// Returns the values that a law made for a pair uses; a power law has its own stiffness and exponent.
    pub(crate) fn new(pair: &Pair, law: &Law) -> Self {
        let own = law.power().map(|power| (power.stiffness, power.elastic.value()));
        let (stiffness, exponent) = own.unwrap_or((pair.stiffness, pair.exponent));
        Self { mass: law.mass, stiffness, exponent }
    }
}

/// Damping and the way in which it was determined.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DampingReport {
    /// Calibration: `published`, `exact`, `coefficient` or `none`.
    pub calibration: &'static str,
    /// Number that sets the dissipation, in the convention of the law: if it is given as `parameter`, the same law
    /// results.
    pub coefficient: Option<f64>,
    /// SI unit of the coefficient.
    pub unit: Option<String>,
    /// Name of the parameter by which the coefficient is given: `damping`, or the parameter of the law that replaces
    /// it.
    pub parameter: Option<&'static str>,
    /// Dimensionless damping ε, for power laws.
    pub epsilon: Option<f64>,
    /// Damping exponent m, for power laws.
    pub damping_exponent: Option<f64>,
    /// Rate exponent q, for power laws.
    pub rate_exponent: Option<f64>,
}

impl DampingReport {
    /// Describes the damping of a model's law in an impact at `speed`.
    pub fn new(model: &Model, asked: Damping, law: &Law, speed: f64) -> Self {
        let power = law.power();
        let coefficient = model.written_coefficient(law, speed);
        Self {
            calibration: asked.name(),
            coefficient,
            unit: coefficient.map(|_| model.coefficient_unit(law)),
            parameter: coefficient.map(|_| model.coefficient.name),
            epsilon: power.map(|p| p.epsilon(law.mass, speed)),
            damping_exponent: power.map(|p| p.damping.value()),
            rate_exponent: power.map(|p| p.rate.value()),
        }
    }
}

/// Requested and delivered restitution.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct RestitutionReport {
    /// Requested restitution, if there is one.
    pub requested: Option<f64>,
    /// Newton's restitution: rebound speed divided by impact speed.
    pub newton: f64,
    /// Poisson's restitution: ratio of the impulses of restitution and compression.
    pub poisson: f64,
    /// Stronge's restitution: square root of the ratio of the works of restitution and compression.
    pub stronge: f64,
    /// Ratio of the relative angular velocities of two balls that roll along one track, the second being at rest
    /// before, if masses and radii of both are known.
    pub hedrih: Option<f64>,
}

/// A note: a message for people, and its advice as data.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NoteReport {
    /// Short name of the kind of note, for programs.
    pub kind: &'static str,
    /// Sentence for people.
    pub message: Message,
    /// Actions that may help; the text of each is part of the message.
    pub advice: Vec<WordedAction>,
}

impl NoteReport {
    /// Creates a note with this message; the actions of the message are the advice.
    pub fn new(kind: &'static str, message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { kind, advice: message.advice(), message }
    }
}

impl From<&Note> for NoteReport {
    fn from(note: &Note) -> Self {
        Self::new(note.kind(), note.message())
    }
}

impl Report {
    /// Creates the report of an impact of a case.
    pub fn new(case: &Case, law: &Law, impact: Impact) -> Self {
        let mut pair = PairReport::new(&case.pair, law);
        if law.power().is_none() && case.model.own.is_some_and(|own| !own.takes_stiffness()) {
            pair.stiffness = f64::NAN;
        }
        let damping = DampingReport::new(case.model, case.damping, law, impact.speed);
        let mut notes = impact.notes.clone();
        notes.extend(validity_notes(case, law, &impact));
        Self {
            law: case.model.id,
            pair,
            speed: impact.speed,
            exit: law.exit,
            damping,
            restitution: RestitutionReport {
                requested: case.damping.restitution(),
                newton: impact.restitution.newton,
                poisson: impact.restitution.poisson,
                stronge: impact.restitution.stronge,
                hedrih: rolling_balls(&case.pair, impact.speed)
                    .and_then(|balls| impact.restitution.hedrih(balls)),
            },
            duration: impact.duration,
            indentation_max: impact.indentation_max,
            time_of_indentation_max: impact.time_of_indentation_max,
            force_max: impact.force_max,
            time_of_force_max: impact.time_of_force_max,
            residual_indentation: impact.residual_indentation,
            impulse: impact.impulse,
            energy: impact.energy,
            notes: notes.iter().map(NoteReport::from).collect(),
        }
    }
}

impl Case {
    /// Computes the impact and its report.
    pub fn run(&self) -> Result<Report> {
        let law = self.law()?;
        let impact = collide_under(&law, self.speed, &self.conditions)?;
        Ok(Report::new(self, &law, impact))
    }

    /// Computes the impact and its report, with the motion at `points` instants.
    pub fn run_with_trajectory(&self, points: usize) -> Result<(Report, Trajectory)> {
        let law = self.law()?;
        let (impact, motion) = trajectory(&law, self.speed, &self.conditions, points)?;
        Ok((Report::new(self, &law, impact), motion))
    }
}

/// Returns the bodies as balls that roll along one track, the second being at rest, if their masses and radii are
/// known.
fn rolling_balls(pair: &Pair, speed: f64) -> Option<[RollingBall; 2]> {
    let ball =
        |mass, radius, velocity| Some(RollingBall { mass, radius: pair.fact(radius)?, velocity });
    let [first, second] = pair.masses?;
    let balls = [ball(first, "radius_1", speed)?, ball(second, "radius_2", 0.0)?];
    // A ball in a socket and a fixed body are excluded.
    let radius = effective_radius(balls[0].radius, balls[1].radius).ok()?;
    let free = balls.iter().all(|ball| ball.mass.is_finite());
    (free && (radius / pair.fact("radius")? - 1.0).abs() < 1e-12).then_some(balls)
}

/// Returns notes on the use of a law outside its range of validity.
fn validity_notes(case: &Case, law: &Law, impact: &Impact) -> Vec<Note> {
    let model = case.model;
    let mut notes = Vec::new();
    let delivered = impact.restitution.newton;
    if let Some(requested) = case.damping.restitution()
        && case.conditions.external_force != 0.0
        && (delivered - requested).abs() > 0.005
    {
        notes.push(Note::ExternalForce { requested, delivered });
    }
    if let Damping::Restitution(requested) = case.damping {
        let (low, high) = model.restitution;
        if !(low..=high).contains(&requested) {
            let what = format!("restitution {requested} is outside {low} to {high}");
            notes.push(Note::OutsideValidity { what });
        }
        if law.exit != model.exit && depends_on_exit(law) {
            notes.push(Note::OtherExit { derived_for: model.exit });
        }
        if case.conditions.external_force == 0.0 && (delivered - requested).abs() > 0.005 {
            notes.push(Note::RestitutionMissed { requested, delivered });
        }
    }
    notes.extend(sensitivity_note(case, law, impact));
    if let Some(limit) = model.own.and_then(|own| own.definition.limit)
        && impact.indentation_max > limit
    {
        let what = format!(
            "an indentation of {:.4e} m is beyond {limit:.4e} m, the end of `{}`; a curve continues along its last slope",
            impact.indentation_max, model.id
        );
        notes.push(Note::OutsideValidity { what });
    }
    notes.extend(defaults_in_other_units(case));
    if let Some(limit) = case.pair.low_speed_limit()
        && model.low_speed
        && impact.speed > limit
    {
        let what = format!(
            "{} m/s is above {limit:.3} m/s, 1e-5 of the elastic wave speed, where local plasticity begins",
            impact.speed
        );
        notes.push(Note::OutsideValidity { what });
    }
    if case.damping.restitution().is_none()
        && let Some(share) = case.pair.wave_loss(impact.speed)
        && share > NOTABLE_WAVE_LOSS
    {
        notes.push(Note::WaveLoss { share });
    }
    let plastic = matches!(model.group, Group::Plastic | Group::Alternative);
    if let Some(limit) = case.pair.yield_speed()
        && !plastic
        && impact.speed > limit
    {
        notes.push(Note::Yield { speed: impact.speed, limit });
    }
    notes
}

/// Returns notes on parameters of an own law that have their default although another parameter changes their unit,
/// such as K in `N/m^n` if n was set: the default is a number in the unit that belongs to the default of n.
fn defaults_in_other_units(case: &Case) -> Vec<Note> {
    let parameters = if case.model.own.is_some() { case.model.parameters } else { &[] };
    let set = |name: &str| case.set.iter().find(|(known, _)| known == name);
    let mut notes = Vec::new();
    for exponent in parameters {
        let Some((_, value)) = set(exponent.name).filter(|it| Some(it.1) != exponent.default)
        else {
            continue;
        };
        let in_unit = |unit: &str| unit.ends_with(&format!("^{}", exponent.name));
        for other in parameters.iter().filter(|it| in_unit(it.unit) && set(it.name).is_none()) {
            let (Some(number), Some(usual)) = (other.default, exponent.default) else { continue };
            let what = format!(
                "`{0}` has its default {number}, which is a number in {1} with {2} = {usual}, and {2} is {value} here; give `{0}` too",
                other.name, other.unit, exponent.name
            );
            notes.push(Note::OutsideValidity { what });
        }
    }
    notes
}

/// Largest |∂ln e/∂ln c| without a note; if it is larger, the relative uncertainty of the restitution exceeds 1e-8.
const CONDITION_LIMIT: f64 = 1e4;

/// Returns a note if the restitution depends on the last digits of the damping. This occurs close to creeping motion,
/// if contact ends at zero indentation and damping dominates inertia as the motion slows down (q < 2(n−m)/(n+1)).
fn sensitivity_note(case: &Case, law: &Law, impact: &Impact) -> Option<Note> {
    let power = law.power().filter(|power| power.phases == Phases::Both)?;
    let exponents = Exponents::of(power).ok()?;
    let e = impact.restitution.newton;
    if law.exit != Exit::ZeroIndentation
        || exponents.speed_power() >= 0.0
        || case.conditions.external_force != 0.0
        || !(e > 0.0 && e < 0.1)
    {
        return None;
    }
    let epsilon = power.epsilon(law.mass, impact.speed);
    let condition = exact::sensitivity(exponents, law.exit, epsilon).ok()?.abs();
    (condition > CONDITION_LIMIT).then_some(Note::Sensitive { condition })
}

/// Returns whether the two exits of contact are different events for this law.
fn depends_on_exit(law: &Law) -> bool {
    match law.power() {
        Some(power) => power.damping.value() < power.elastic.value(),
        None => true,
    }
}
