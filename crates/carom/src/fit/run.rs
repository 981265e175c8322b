//! One fit, from columns to a report.

use super::curve::CurveProblem;
use super::judge::judge;
use super::least_squares::{Minimum, Problem, minimise};
use super::loss::{Loss, spread};
use super::outcomes::{Observation, OutcomeProblem};
use super::report::{DataReport, FitReport};
use super::results::{curve, outcomes, parameters, reference};
use super::scales;
use super::search::search;
use super::series::{self, Kind, Series};
use super::start::{Given, Scales, Start, start};
use super::statistics::{Statistics, Uncertainty, blocks};
use super::subject::{Free, Role, Row, weight};
use super::touch;
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::impact::collide_under;
use crate::model::Input;
use crate::numeric::random::Sequence;
use crate::report::{NoteReport, Report};
use crate::spec::{Case, Spec};

/// Fewer points than this may be too few for AICc of some law of a ranking.
const FEW: usize = 20;

/// Data made ready, once for all laws.
pub(super) struct Ready<'a> {
    pub kind: Kind,
    pub rows: usize,
    pub series: Series,
    pub outcomes: &'a [Observation],
    pub notes: Vec<NoteReport>,
}

/// Fits a law to data.
///
/// `spec` is what is known, as for an impact; what it leaves out of stiffness, dissipation and speed is
/// found. See [`Options::free`].
///
/// # Errors
/// When the data hold no impact, several, or too few points; when they contradict mass and speed by
/// more than any restitution explains; when the law cannot be built from what is known.
pub fn fit(data: &Data, spec: &Spec, options: &Options) -> Result<FitReport> {
    let ready = ready(data, spec, options)?;
    fit_ready(&ready, spec, options, false)
}

/// A spec without what is to be found, and what was given.
fn described(spec: &Spec, options: &Options, outcomes: &[Observation]) -> Result<(Case, Given)> {
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
    // A column of restitutions that the law is asked for: by its own formula where it has one.
    let open = spec.restitution.is_none() && spec.damping.is_none();
    if let Some(e) = column(|row| row.requested)
        && open
        && !named("restitution")
        && !named("damping")
    {
        let input = crate::models::model(&spec.law)?.input;
        let usual = if input == Input::Restitution { "published" } else { "exact" };
        if input != Input::Elastic {
            spec.restitution = Some(e.into());
            spec.calibration.get_or_insert_with(|| usual.into());
        }
    }
    let mut case = spec.case()?;
    if options.gravity {
        if spec.external_force.is_some() {
            return Err(Error::unsupported(
                "gravity together with an external force",
                "give one of them; the weight is the effective mass times 9.80665 m/s^2",
            ));
        }
        case.conditions.external_force = weight(case.pair.mass);
    }
    Ok((case, given))
}

/// Cleans the data; the mass makes forces of accelerations.
pub(super) fn ready<'a>(data: &Data<'a>, spec: &Spec, options: &Options) -> Result<Ready<'a>> {
    let mut notes = Vec::new();
    let mut outcomes: &[Observation] = &[];
    let window = options.window;
    let mut series = match *data {
        Data::ForceTime { time, force } => {
            Series::of_time((time, force), 1.0, false, window, &mut notes)?
        }
        Data::AccelerationTime { time, acceleration } => {
            let (case, _) = described(spec, options, &[])?;
            Series::of_time((time, acceleration), case.pair.mass, true, window, &mut notes)?
        }
        Data::ForceIndentation { indentation, force } => {
            Series::of_indentation(indentation, force, &mut notes)?
        }
        Data::Outcomes(rows) => {
            rows.iter().try_for_each(Observation::checked)?;
            outcomes = rows;
            Series::default()
        }
    };
    if let Some(touch) = options.touch {
        series.x.iter_mut().for_each(|t| *t -= touch);
    }
    Ok(Ready { kind: data.kind(), rows: data.rows(), series, outcomes, notes })
}

/// Fits a law to data that are ready; `as_it_is` allows one with nothing free, which then only predicts.
pub(super) fn fit_ready(
    ready: &Ready,
    spec: &Spec,
    options: &Options,
    as_it_is: bool,
) -> Result<FitReport> {
    let (case, mut given) = described(spec, options, ready.outcomes)?;
    // An accelerometer's zero is the weight or nothing, and never quite either.
    if ready.kind == Kind::AccelerationTime {
        given.named.push("offset".into());
    }
    let speed = given.speed.then_some(case.speed);
    let scales = match ready.kind {
        Kind::ForceTime | Kind::AccelerationTime => scales::of_time(&ready.series, &case, speed)?,
        Kind::ForceIndentation => scales::of_indentation(&ready.series, &case, speed)?,
        Kind::Outcomes => scales::of_outcomes(ready.outcomes, speed)?,
    };
    let start = start(&case, &given, &scales)?;
    let subject = &start.subject;
    if !as_it_is && subject.free.iter().all(Free::is_nuisance) {
        let id = subject.case.model.id;
        return Err(Error::unsupported(
            format!("a fit of `{id}` with nothing free"),
            format!(
                "name what is free, for example --free stiffness,damping, or leave out what is to be found; --laws {id} tells how well it predicts as it is"
            ),
        ));
    }
    let stop = &options.stop;
    let found = match ready.kind {
        Kind::Outcomes => {
            let problem = OutcomeProblem { subject, rows: ready.outcomes, stop };
            finish(ready, &start, &scales, &problem, options)
        }
        _ => {
            let over_indentation = ready.kind == Kind::ForceIndentation;
            let series = &ready.series;
            let problem = CurveProblem { subject, series, over_indentation, stop };
            finish(ready, &start, &scales, &problem, options)
        }
    };
    // What a search makes of no answers is not to be told.
    stop.check()?;
    found
}

/// Searches, judges and reports.
fn finish(
    ready: &Ready,
    start: &Start,
    scales: &Scales,
    problem: &impl Problem,
    options: &Options,
) -> Result<FitReport> {
    let subject = &start.subject;
    let measured: Vec<f64> = match ready.kind {
        Kind::Outcomes => ready.outcomes.iter().flat_map(|r| r.measured()).map(|m| m.1).collect(),
        _ => ready.series.force.clone(),
    };
    let count = subject.free.len();
    if measured.len() < count {
        return Err(Error::invalid(
            "points",
            measured.len(),
            format!("at least {count}, one for each free number"),
            "measure more, or leave fewer numbers free",
        ));
    }
    let (first, mut minimum) = search(start, scales, problem, &ready.series.x, options.loss)?;
    let mut scale = 1.0;
    if options.loss != Loss::Squares {
        for _ in 0..4 {
            scale = spread(&minimum.residuals).max(1e-12 * ready.series.peak()).max(1e-15);
            if let Some(next) = minimise(problem, &minimum.parameters, options.loss, scale) {
                let iterations = minimum.iterations + next.iterations;
                minimum = Minimum { iterations, ..next };
            }
        }
    }
    let size = match ready.kind {
        Kind::Outcomes => 1.0,
        _ => ready.series.peak(),
    };
    // For numbers of different kinds the variance to explain is that of relative values, about 1.
    let spreadable = match ready.kind {
        Kind::Outcomes => vec![f64::NAN],
        _ => measured,
    };
    let statistics = Statistics::new(&minimum, &spreadable, size);
    let mut uncertainty = Uncertainty::new(&minimum, options.loss, scale);
    if let Some(touch) = subject.position(&Role::Touch) {
        let spacing = series::spacing(&ready.series.x);
        let how = (options.loss, scale);
        let other = touch::averaged(problem, &minimum, touch, &uncertainty, spacing, how);
        uncertainty = other.unwrap_or(uncertainty);
    }
    let (mut case, _, _) = subject.case(&minimum.parameters, first_row(ready));
    case.set.retain(|(name, _)| case.model.parameters.iter().any(|p| p.name == name));
    let law = case.law()?;
    let impact = collide_under(&law, case.speed, &case.conditions)?;
    let mut report = Report::new(&case, &law, impact);
    report.notes.extend(ready.notes.iter().cloned());
    judge(subject, &minimum, &uncertainty, &statistics, ready, &mut report.notes);
    let repeats = repeat(problem, &minimum, options, scale);
    let parameters = parameters(subject, &first, &minimum, &uncertainty, &repeats, &case);
    let (reference, theirs) = reference(problem, subject, &minimum, options)?;
    let outcomes = outcomes(ready, subject, &minimum, theirs.as_deref(), &options.stop);
    Ok(FitReport {
        impact: report,
        parameters,
        correlation: uncertainty.correlation,
        leave_one_out: match statistics.points < FEW {
            true => leave_one_out(problem, &minimum, options.loss, scale).map(|rms| rms / size),
            false => None,
        },
        statistics,
        data: DataReport {
            kind: ready.kind,
            rows: ready.rows,
            points: statistics.points,
            averaged: ready.series.averaged.max(1),
            baseline: ready.series.baseline,
            noise: ready.series.noise,
            from: ready.series.span.0,
            to: ready.series.span.1,
        },
        reference,
        outcomes,
        curve: curve(ready, subject, &minimum, options),
        law,
    })
}

/// Root mean square of the residuals of points that the fit did not see, each left out in turn; none where
/// the others are fewer than the free numbers.
fn leave_one_out(problem: &impl Problem, minimum: &Minimum, loss: Loss, scale: f64) -> Option<f64> {
    let count = minimum.residuals.len();
    if count < minimum.parameters.len() + 1 {
        return None;
    }
    let mut sum = 0.0;
    for left_out in 0..count {
        let others = Without { problem, left_out };
        let found = match minimum.parameters.is_empty() {
            true => minimum.parameters.clone(),
            false => minimise(&others, &minimum.parameters, loss, scale)?.parameters,
        };
        sum += problem.residuals(&found)?.get(left_out)?.powi(2);
    }
    Some((sum / count as f64).sqrt()).filter(|rms| rms.is_finite())
}

/// A problem in which one residual does not count.
struct Without<'a, P> {
    problem: &'a P,
    left_out: usize,
}

impl<P: Problem> Problem for Without<'_, P> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut residuals = self.problem.residuals(x)?;
        *residuals.get_mut(self.left_out)? = 0.0;
        Some(residuals)
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (mut residuals, mut columns) = self.problem.jacobian(x)?;
        *residuals.get_mut(self.left_out)? = 0.0;
        for column in &mut columns {
            *column.get_mut(self.left_out)? = 0.0;
        }
        Some((residuals, columns))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        self.problem.bounds()
    }
}

fn first_row(ready: &Ready) -> Row {
    ready.outcomes.first().map(Observation::row).unwrap_or_default()
}

/// The searched numbers of every repeat.
fn repeat(
    problem: &impl Problem,
    minimum: &Minimum,
    options: &Options,
    scale: f64,
) -> Vec<Vec<f64>> {
    let mut random = Sequence::new(options.seed);
    let mut repeats = Vec::new();
    for _ in 0..options.bootstrap {
        let drawn = blocks(&minimum.residuals, &mut random);
        // Data with other residuals: predicted − new, so that the residual of the minimum is `drawn`.
        let shift: Vec<f64> = drawn.iter().zip(&minimum.residuals).map(|(d, r)| d - r).collect();
        let again = Shifted { problem, shift: &shift };
        if let Some(found) = minimise(&again, &minimum.parameters, options.loss, scale) {
            repeats.push(found.parameters);
        }
    }
    repeats
}

/// A problem whose residuals are moved.
struct Shifted<'a, P> {
    problem: &'a P,
    shift: &'a [f64],
}

impl<P: Problem> Problem for Shifted<'_, P> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut residuals = self.problem.residuals(x)?;
        residuals.iter_mut().zip(self.shift).for_each(|(r, s)| *r += s);
        Some(residuals)
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (mut residuals, columns) = self.problem.jacobian(x)?;
        residuals.iter_mut().zip(self.shift).for_each(|(r, s)| *r += s);
        Some((residuals, columns))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        self.problem.bounds()
    }
}
