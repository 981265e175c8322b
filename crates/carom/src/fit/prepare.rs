//! Prepares measured data for a fit, once for all laws.

use super::curve::CurveProblem;
use super::least_squares::Problem;
use super::outcomes::{Observation, OutcomeProblem};
use super::series::{Kind, Series, spacing};
use super::start::Given;
use super::subject::{Subject, weight};
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::message::Action;
use crate::model::Input;
use crate::report::NoteReport;
use crate::spec::{Case, Spec};
use crate::stop::Stop;

/// Measured data prepared for a fit.
pub(super) struct Prepared<'a> {
    pub kind: Kind,
    pub rows: usize,
    pub series: Series,
    pub outcomes: &'a [Observation],
    pub notes: Vec<NoteReport>,
}

impl Prepared<'_> {
    /// Returns the measured values: forces (N) of a curve, or results of impacts.
    pub fn measured(&self) -> Vec<f64> {
        match self.kind {
            Kind::Outcomes => {
                self.outcomes.iter().flat_map(|r| r.measured()).map(|m| m.1).collect()
            }
            _ => self.series.force.clone(),
        }
    }

    /// Returns the scale of the residuals: the largest force (N), or 1 for relative errors.
    pub fn size(&self) -> f64 {
        match self.kind {
            Kind::Outcomes => 1.0,
            _ => self.series.peak(),
        }
    }

    /// Returns the least-squares problem of this record.
    pub fn problem<'s>(&'s self, subject: &'s Subject, stop: &'s Stop) -> Box<dyn Problem + 's> {
        match self.kind {
            Kind::Outcomes => Box::new(OutcomeProblem { subject, rows: self.outcomes, stop }),
            _ => Box::new(self.curve(subject, stop)),
        }
    }

    /// Returns the least-squares problem of a curve.
    pub fn curve<'s>(&'s self, subject: &'s Subject, stop: &'s Stop) -> CurveProblem<'s> {
        let over_indentation = self.kind == Kind::ForceIndentation;
        CurveProblem { subject, series: &self.series, over_indentation, stop }
    }

    /// Returns the mean spacing of the points of a curve.
    pub fn spacing(&self) -> f64 {
        spacing(&self.series.x)
    }
}

/// Returns the case of a description, with placeholders for the quantities to be found, and which quantities were
/// given.
pub(super) fn case_and_given(
    spec: &Spec,
    options: &Options,
    outcomes: &[Observation],
) -> Result<(Case, Given)> {
    let first = outcomes.first();
    let column = |value: fn(&Observation) -> Option<f64>| first.and_then(value);
    let mut spec = spec.clone();
    let named = |name: &str| options.free.iter().any(|free| free.trim() == name);
    let given = Given {
        stiffness: (spec.stiffness.is_some()
            || !spec.bodies.is_empty()
            || column(|row| row.stiffness).is_some())
            && !named("stiffness"),
        exponent: spec.exponent.is_some() || !spec.bodies.is_empty(),
        speed: (spec.speed.is_some() || column(|row| row.speed).is_some()) && !named("speed"),
        touch: options.touch,
        named: options.free.clone(),
        gravity: options.gravity,
        zero: false,
    };
    if spec.mass.is_none() && spec.bodies.is_empty() {
        spec.mass = column(|row| row.mass).map(Into::into);
    }
    if spec.stiffness.is_none() && spec.bodies.is_empty() {
        spec.stiffness = Some(column(|row| row.stiffness).unwrap_or(1.0).into());
    }
    if spec.speed.is_none() {
        spec.speed = Some(column(|row| row.speed).unwrap_or(1.0).into());
    }
    // A column of requested restitutions is calibrated by the published formula of the law if it has one.
    let open = spec.restitution.is_none() && spec.damping.is_none();
    if let Some(e) = column(|row| row.requested)
        && open
        && !named("restitution")
        && !named("damping")
    {
        let input = spec.model()?.input;
        let usual = if input == Input::Restitution { "published" } else { "exact" };
        if input != Input::Elastic {
            spec.restitution = Some(e.into());
            spec.calibration.get_or_insert_with(|| usual.into());
        }
    }
    let mut case = spec.case()?;
    if options.gravity {
        if spec.external_force.is_some() {
            let advice = sentence!(
                "leave out {} or {}; the weight is the effective mass times 9.80665 m/s^2",
                Action::leave_out("gravity"),
                Action::leave_out("external_force")
            );
            return Err(Error::unsupported("gravity together with an external force", advice));
        }
        case.conditions.external_force = weight(case.pair.mass);
    }
    Ok((case, given))
}

/// Selects the impact and cleans the data; accelerations are multiplied by the mass.
pub(super) fn prepare<'a>(data: &Data<'a>, spec: &Spec, options: &Options) -> Result<Prepared<'a>> {
    let mut notes = Vec::new();
    let mut outcomes: &[Observation] = &[];
    let window = options.window;
    let mut series = match *data {
        Data::ForceTime { time, force } => {
            Series::of_time((time, force), 1.0, false, window, &mut notes)?
        }
        Data::AccelerationTime { time, acceleration } => {
            let (case, _) = case_and_given(spec, options, &[])?;
            Series::of_time((time, acceleration), case.pair.mass, true, window, &mut notes)?
        }
        Data::ForceIndentation { indentation, force } => {
            Series::of_indentation(indentation, force, &mut notes)?
        }
        Data::Outcomes(rows) => {
            rows.iter().try_for_each(Observation::check)?;
            outcomes = rows;
            Series::default()
        }
    };
    if let Some(touch) = options.touch {
        series.x.iter_mut().for_each(|t| *t -= touch);
    }
    Ok(Prepared { kind: data.kind(), rows: data.rows(), series, outcomes, notes })
}
