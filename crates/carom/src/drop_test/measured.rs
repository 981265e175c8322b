//! Computes the report from measured values and their errors, for all kinds of records.

use super::dependence::{Dependence, Measurements, choose_dependence};
use super::flight::{Air, DRAG_COEFFICIENT, DRAG_UNCERTAINTY, air_density};
use super::law::{DropLaw, find_law};
use super::propagate::{Uncertain, propagate};
use crate::error::{Error, Result};
use crate::message::Action;
use crate::report::NoteReport;
use serde::Serialize;

/// A measured impact.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredImpact {
    /// Approach speed (m/s).
    pub speed: f64,
    /// Standard uncertainty of the speed (m/s).
    pub speed_error: f64,
    /// Restitution.
    pub restitution: f64,
    /// Standard uncertainty of the restitution.
    pub restitution_error: f64,
    /// Instant of the impact (s), if the record contains times.
    pub time: Option<f64>,
}

/// The results of a drop test.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DropReport {
    /// The impacts, in the order of the record.
    pub impacts: Vec<MeasuredImpact>,
    /// Restitution as a function of speed.
    pub dependence: Dependence,
    /// Notes on limitations of the result and further remarks.
    pub notes: Vec<NoteReport>,
    /// Kind of measurement: `heights`, `times`, `sound` or `track`.
    pub source: &'static str,
    /// Law with these restitutions; none if a restitution is 1 or more.
    pub law: Option<DropLaw>,
    /// The recording, for a figure.
    #[serde(skip)]
    pub wave: Option<Wave>,
}

/// A recording, reduced to a bounded number of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wave {
    /// Instant, smallest and largest sample of each of many parts of equal length.
    pub parts: Vec<(f64, f64, f64)>,
    /// Instants of the bounces (s).
    pub bounces: Vec<f64>,
    /// Instants of other sounds (s).
    pub others: Vec<f64>,
}

/// Quantities that are known in addition to the record.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances {
    pub gravity: Uncertain,
    pub mass: Option<Uncertain>,
    pub diameter: Option<Uncertain>,
    pub contact: Option<Uncertain>,
    /// Temperature of the air (°C).
    pub temperature: f64,
    /// Standard deviation of the distance that the sound travels to the microphone (m).
    pub wander: f64,
    /// Stiffness exponent n of the law.
    pub exponent: f64,
}

/// Number of inputs that all kinds of records share, in this order: gravity, drag coefficient, mass, diameter, time
/// of contact.
pub const SHARED_INPUTS: usize = 5;

impl Circumstances {
    pub fn inputs(&self) -> Vec<Uncertain> {
        let drag = Uncertain::new(DRAG_COEFFICIENT, DRAG_UNCERTAINTY * DRAG_COEFFICIENT);
        let ball = |one: Option<Uncertain>| one.filter(|_| self.has_ball()).unwrap_or_default();
        let drag = if self.has_ball() { drag } else { Uncertain::default() };
        vec![
            self.gravity,
            drag,
            ball(self.mass),
            ball(self.diameter),
            self.contact.unwrap_or_default(),
        ]
    }

    pub fn has_ball(&self) -> bool {
        self.mass.is_some() && self.diameter.is_some()
    }

    /// Returns the air and the time of contact (s) for these inputs.
    pub fn air(&self, inputs: &[f64]) -> (Air, f64) {
        match inputs {
            [gravity, drag, mass, diameter, contact, ..] if self.has_ball() => {
                let density = air_density(self.temperature);
                (Air::around(*gravity, *mass, *diameter, density, *drag), *contact)
            }
            [gravity, _, _, _, contact, ..] => (Air::none(*gravity), *contact),
            _ => (Air::none(self.gravity.value), 0.0),
        }
    }
}

/// Measured values of a record with the names of their groups.
pub struct Problem<'a> {
    pub source: &'static str,
    pub circumstances: &'a Circumstances,
    /// Number of impacts.
    pub count: usize,
    /// Shared inputs, followed by those of the record.
    pub inputs: Vec<Uncertain>,
    /// Groups of the record's inputs: a name, and the index at which the next group begins.
    pub groups: Vec<(&'static str, usize)>,
    pub times: Option<Vec<f64>>,
    pub notes: Vec<NoteReport>,
}

impl Problem<'_> {
    /// Propagates the errors through `results`, which computes the speeds followed by the restitutions, and returns
    /// the report.
    pub fn report(mut self, results: impl Fn(&[f64]) -> Vec<f64>) -> Result<DropReport> {
        let (values, covariance) = propagate(&self.inputs, &results);
        self.notes.extend(self.limit(&results));
        finish(self.source, self.circumstances, (values, covariance), self.times, self.notes)
    }

    /// Returns a note that states which inputs contribute most to the errors of the restitutions.
    fn limit(&self, results: &impl Fn(&[f64]) -> Vec<f64>) -> Option<NoteReport> {
        let shared = [
            "gravity",
            "the drag coefficient",
            "mass of the ball",
            "its diameter",
            "the time of contact",
        ];
        let mut groups: Vec<(&str, usize, usize)> =
            shared.iter().enumerate().map(|(i, name)| (*name, i, i + 1)).collect();
        let mut begin = SHARED_INPUTS;
        for (name, end) in &self.groups {
            groups.push((name, begin, *end));
            begin = *end;
        }
        let variance = |from: usize, to: usize| -> f64 {
            let keep = |(i, input): (usize, &Uncertain)| match (from..to).contains(&i) {
                true => *input,
                false => Uncertain::new(input.value, 0.0),
            };
            let inputs: Vec<_> = self.inputs.iter().enumerate().map(keep).collect();
            let (values, covariance) = propagate(&inputs, results);
            let places = self.count..values.len();
            let relative = |i: usize| Some(covariance.get(i)?.get(i)? / values.get(i)?.powi(2));
            places.filter_map(relative).sum()
        };
        let mut shares: Vec<(&str, f64)> =
            groups.iter().map(|(name, from, to)| (*name, variance(*from, *to))).collect();
        let whole: f64 = shares.iter().map(|s| s.1).sum();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (name, largest) = shares.first().filter(|s| s.1 > 0.0)?;
        let share = 100.0 * largest / whole;
        let message = format!(
            "the errors of the restitutions are those of {name} ({share:.0} % of their variance)"
        );
        Some(NoteReport::new("limit", message))
    }
}

/// Computes dependence, law and report from speeds and restitutions with their covariance.
pub fn finish(
    source: &'static str,
    circumstances: &Circumstances,
    (values, covariance): (Vec<f64>, Vec<Vec<f64>>),
    times: Option<Vec<f64>>,
    mut notes: Vec<NoteReport>,
) -> Result<DropReport> {
    let count = values.len() / 2;
    let error = |i: usize| covariance.get(i).and_then(|row| row.get(i)).map_or(0.0, |v| v.sqrt());
    let (speeds, restitutions) = values.split_at(count);
    let impacts: Vec<MeasuredImpact> = speeds
        .iter()
        .zip(restitutions)
        .enumerate()
        .map(|(i, (&speed, &restitution))| MeasuredImpact {
            speed,
            speed_error: error(i),
            restitution,
            restitution_error: error(count + i),
            time: times.as_ref().and_then(|times| times.get(i).copied()),
        })
        .collect();
    let sound = |impact: &MeasuredImpact| {
        impact.speed.is_finite()
            && impact.speed > 0.0
            && impact.restitution.is_finite()
            && impact.restitution > 0.0
    };
    if impacts.is_empty() || !impacts.iter().all(sound) {
        let reason = "a speed or a restitution is not a positive number";
        let advice = "check the measured numbers and their units; is the time of contact longer than a flight?";
        return Err(Error::numerical("the drop test", reason, advice));
    }
    let data = Measurements { results: &values, covariance: &covariance };
    let dependence = choose_dependence(&data);
    let law = find_law(
        &data,
        &dependence,
        circumstances.exponent,
        (circumstances.mass, circumstances.contact),
    )?;
    drag_note(circumstances, source, &impacts, &mut notes);
    if dependence.scatter > 0.0 {
        let scatter = 100.0 * dependence.scatter;
        notes.push(NoteReport::new(
            "scatter",
            format!("impacts differ by {scatter:.1} % beyond their errors (spots of the surface, spin, or errors larger than given); this counts in the dependence"),
        ));
    }
    notes.push(NoteReport::new("dependence", dependence.reason.clone()));
    if let Some(law) = &law {
        notes.push(NoteReport::new("law", format!("{}: {}", law.law, law.limit)));
        if law.identified.is_none() {
            let message = sentence!(
                "restitution alone does not determine stiffness; give {} and {} to have K and c as well",
                Action::give("mass"),
                Action::give("contact_time")
            );
            notes.push(NoteReport::new("stiffness", message));
        }
    }
    Ok(DropReport { impacts, dependence, notes, source, law, wave: None })
}

/// Adds a note on the effect of drag if it was not corrected for.
fn drag_note(
    circumstances: &Circumstances,
    source: &str,
    impacts: &[MeasuredImpact],
    notes: &mut Vec<NoteReport>,
) {
    let Some(fastest) = impacts.iter().max_by(|a, b| a.speed.total_cmp(&b.speed)) else { return };
    let density = air_density(circumstances.temperature);
    let loss = |air: Air| {
        let x = fastest.speed / air.terminal();
        25.0 * x * x * (1.0 + fastest.restitution.powi(2))
    };
    let g = circumstances.gravity.value;
    if circumstances.has_ball() && source != "track" {
        let inputs: Vec<f64> = circumstances.inputs().iter().map(|input| input.value).collect();
        let taken = loss(circumstances.air(&inputs).0);
        notes.push(NoteReport::new(
            "drag",
            format!("drag of the air was taken off: it raises the restitution at {:.3} m/s by {taken:.2} %", fastest.speed),
        ));
        return;
    }
    let around = |mass, diameter| Air::around(g, mass, diameter, density, DRAG_COEFFICIENT);
    let (light, steel) = (loss(around(2.7e-3, 0.04)), loss(around(32.9e-3, 0.02)));
    let sentence = format!(
        "drag of the air was not taken off: at {:.3} m/s it makes the restitution of a table-tennis ball {light:.2} % too low and that of a steel ball of 20 mm {steel:.3} %",
        fastest.speed
    );
    let advice = match source {
        "track" => sentence.into(),
        _ => sentence!(
            "{}; give {} and {} to take it off",
            sentence,
            Action::give("mass"),
            Action::give("diameter")
        ),
    };
    notes.push(NoteReport::new("drag", advice));
}
