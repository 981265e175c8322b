//! One fit, from columns to a report.

use super::correlated;
use super::curve::CurveProblem;
use super::judge::judge;
use super::least_squares::{Minimum, Problem, minimise};
use super::loss::{Loss, spread};
use super::outcomes::{Observation, OutcomeProblem};
use super::prepare::{Prepared, described, prepare};
use super::report::{DataReport, FitReport};
use super::results::{curve, outcomes, parameters, reference};
use super::scales;
use super::search::search;
use super::series::{self, Kind};
use super::start::{Scales, Start, start};
use super::statistics::{Statistics, Uncertainty, blocks};
use super::subject::{Free, Role, RowValues};
use super::touch;
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::impact::collide_under;
use crate::message::Action;
use crate::numeric::random::Sequence;
use crate::report::Report;
use crate::spec::Spec;

/// With fewer points than this AICc may not exist for some law of a ranking; leave-one-out errors are computed as well.
const LEAVE_ONE_OUT_BELOW: usize = 20;

/// Points before and after the impact with which the zero of a force is fitted.
const AT_REST: usize = 6;

/// Fits a law to data.
///
/// `spec` is what is known, as for an impact; what it leaves out of stiffness, dissipation and speed is
/// found. See [`Options::free`].
///
/// # Errors
/// When the data hold no impact, several, or too few points; when they contradict mass and speed by
/// more than any restitution explains; when the law cannot be built from what is known.
pub fn fit(data: &Data, spec: &Spec, options: &Options) -> Result<FitReport> {
    let prepared = prepare(data, spec, options)?;
    fit_prepared(&prepared, spec, options, false)
}

/// Fits a law to prepared data; `as_it_is` allows one with nothing free, which then only predicts.
pub(super) fn fit_prepared(
    prepared: &Prepared,
    spec: &Spec,
    options: &Options,
    as_it_is: bool,
) -> Result<FitReport> {
    let (case, mut given) = described(spec, options, prepared.outcomes)?;
    // The zero of a sensor is never exactly known, that of an accelerometer (about 0 or −g) least of all. What was subtracted
    // is an estimate with an error of its own, which counts only if it is fitted; where nothing before or after the impact
    // shows the zero, an offset cannot be told from the force.
    let zero_is_seen = prepared.kind == Kind::ForceTime && prepared.series.at_rest >= AT_REST;
    given.zero = prepared.kind == Kind::AccelerationTime || zero_is_seen;
    let speed = given.speed.then_some(case.speed);
    let scales = match prepared.kind {
        Kind::ForceTime | Kind::AccelerationTime => {
            scales::of_time(&prepared.series, &case, speed)?
        }
        Kind::ForceIndentation => scales::of_indentation(&prepared.series, &case, speed)?,
        Kind::Outcomes => scales::of_outcomes(prepared.outcomes, speed)?,
    };
    let start = start(&case, &given, &scales)?;
    let subject = &start.subject;
    if !as_it_is && subject.free.iter().all(Free::is_nuisance) {
        let id = subject.case.model.id;
        return Err(Error::unsupported(
            format!("a fit of `{id}` with nothing free"),
            message![
                "name what is free, for example ",
                Action::give_as("free", "stiffness,damping"),
                ", or leave out what is to be found; ",
                Action::set("laws", id),
                " tells how well it predicts as it is",
            ],
        ));
    }
    let stop = &options.stop;
    let found = match prepared.kind {
        Kind::Outcomes => {
            let problem = OutcomeProblem { subject, rows: prepared.outcomes, stop };
            finish(prepared, &start, &scales, &problem, options)
        }
        _ => {
            let over_indentation = prepared.kind == Kind::ForceIndentation;
            let series = &prepared.series;
            let problem = CurveProblem { subject, series, over_indentation, stop };
            finish(prepared, &start, &scales, &problem, options)
        }
    };
    // A search that was stopped returns nothing useful.
    stop.check()?;
    found
}

/// Searches, judges and reports.
fn finish(
    prepared: &Prepared,
    start: &Start,
    scales: &Scales,
    problem: &impl Problem,
    options: &Options,
) -> Result<FitReport> {
    let subject = &start.subject;
    let measured: Vec<f64> = match prepared.kind {
        Kind::Outcomes => {
            prepared.outcomes.iter().flat_map(|r| r.measured()).map(|m| m.1).collect()
        }
        _ => prepared.series.force.clone(),
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
    let (first, mut minimum) = search(start, scales, problem, &prepared.series.x, options.loss)?;
    let mut scale = 1.0;
    if options.loss != Loss::Squares {
        for _ in 0..4 {
            scale = spread(&minimum.residuals).max(1e-12 * prepared.series.peak()).max(1e-15);
            if let Some(next) = minimise(problem, &minimum.parameters, options.loss, scale) {
                let iterations = minimum.iterations + next.iterations;
                minimum = Minimum { iterations, ..next };
            }
        }
    }
    let size = match prepared.kind {
        Kind::Outcomes => 1.0,
        _ => prepared.series.peak(),
    };
    // For numbers of different kinds the variance to explain is that of relative values, about 1.
    let spreadable = match prepared.kind {
        Kind::Outcomes => vec![f64::NAN],
        _ => measured,
    };
    let statistics = Statistics::new(&minimum, &spreadable, size);
    let mut uncertainty = Uncertainty::new(&minimum, options.loss, scale);
    let correlated = match prepared.kind != Kind::Outcomes && options.loss == Loss::Squares {
        true => correlated::uncertainty(&minimum, &uncertainty),
        false => None,
    };
    let steep = subject.position(&Role::Touch).and_then(|touch| {
        let spacing = series::spacing(&prepared.series.x);
        let how = (options.loss, scale);
        touch::averaged(problem, &minimum, touch, &uncertainty, spacing, how)
    });
    uncertainty = match (steep, correlated) {
        // Both at once: the one widened as the other is.
        (Some(steep), Some(correlated)) => steep.widened(&uncertainty, &correlated),
        (Some(other), None) | (None, Some(other)) => other,
        (None, None) => uncertainty,
    };
    let (mut case, _) = subject.case(&minimum.parameters, first_row(prepared));
    case.set.retain(|(name, _)| case.model.parameters.iter().any(|p| p.name == name));
    let law = case.law()?;
    let impact = collide_under(&law, case.speed, &case.conditions)?;
    let mut report = Report::new(&case, &law, impact);
    report.notes.extend(prepared.notes.iter().cloned());
    judge(subject, &minimum, &uncertainty, &statistics, prepared, &mut report.notes);
    let repeats = repeat(problem, &minimum, options, scale);
    let parameters = parameters(subject, &first, &minimum, &uncertainty, &repeats, &case);
    let (reference, theirs) = reference(problem, subject, &minimum, options)?;
    let outcomes = outcomes(prepared, subject, &minimum, theirs.as_deref(), &options.stop);
    Ok(FitReport {
        impact: report,
        parameters,
        correlation: uncertainty.correlation.clone(),
        leave_one_out: match statistics.points < LEAVE_ONE_OUT_BELOW {
            true => leave_one_out(problem, &minimum, options.loss, scale).map(|rms| rms / size),
            false => None,
        },
        statistics,
        data: DataReport {
            kind: prepared.kind,
            rows: prepared.rows,
            points: statistics.points,
            averaged: prepared.series.averaged.max(1),
            baseline: prepared.series.baseline,
            noise: prepared.series.noise,
            from: prepared.series.span.0,
            to: prepared.series.span.1,
        },
        reference,
        outcomes,
        curve: curve(prepared, subject, &minimum, &uncertainty, options),
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

fn first_row(prepared: &Prepared) -> RowValues {
    prepared.outcomes.first().map(Observation::row).unwrap_or_default()
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
