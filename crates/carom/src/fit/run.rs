//! Runs one fit, from measured columns to a report.

use super::correlated;
use super::least_squares::{Minimum, Problem, minimise};
use super::loss::{Loss, robust_deviation};
use super::notes::add_notes;
use super::outcomes::Observation;
use super::prepare::{Prepared, case_and_given, prepare};
use super::report::{DataReport, FitReport};
use super::results::{curve, outcomes, parameters, reference};
use super::scales;
use super::search::search;
use super::series::Kind;
use super::start::{Scales, Start, start};
use super::statistics::{Noise, Statistics, Uncertainty, resample_blocks};
use super::subject::{FreeParameter, Role, Subject};
use super::touch;
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::impact::collide_under;
use crate::message::Action;
use crate::numeric::normal::quantile;
use crate::numeric::random::{Sequence, key, unit};
use crate::report::Report;
use crate::spec::Spec;
use std::ops::Range;

/// Number of points below which leave-one-out errors are computed as well, because AICc may not exist for some law of
/// a ranking.
const LEAVE_ONE_OUT_BELOW: usize = 20;

/// Smallest number of points before and after the impact for which the zero of a force is fitted.
const MIN_POINTS_AT_REST: usize = 6;

/// Fits a law to data.
///
/// `spec` contains what is known, as for an impact; stiffness, dissipation and speed are found if they are missing.
/// See [`Options::free`].
///
/// # Errors
/// When the data contain no impact, several impacts, or too few points; when they contradict mass and speed by more
/// than any restitution explains; when the law cannot be built from the given quantities.
pub fn fit(data: &Data, spec: &Spec, options: &Options) -> Result<FitReport> {
    let prepared = prepare(data, spec, options)?;
    fit_prepared(&prepared, spec, options, false)
}

/// Returns the free parameters of a fit to one record with their start values, and the scales of the data.
pub(super) fn start_and_scales(
    prepared: &Prepared,
    spec: &Spec,
    options: &Options,
) -> Result<(Start, Scales)> {
    let (case, mut given) = case_and_given(spec, options, prepared.outcomes)?;
    // The zero of a sensor is never known exactly, in particular that of an accelerometer (about 0 or −g). The zero
    // that was subtracted is an estimate, whose error is taken into account only if an offset is fitted; without
    // points before or after the impact an offset cannot be distinguished from the force.
    let zero_is_seen =
        prepared.kind == Kind::ForceTime && prepared.series.at_rest >= MIN_POINTS_AT_REST;
    given.zero = prepared.kind == Kind::AccelerationTime || zero_is_seen;
    let speed = given.speed.then_some(case.speed);
    let scales = match prepared.kind {
        Kind::ForceTime | Kind::AccelerationTime => {
            scales::from_time_record(&prepared.series, &case, speed)?
        }
        Kind::ForceIndentation => scales::from_loop(&prepared.series, &case, speed)?,
        Kind::Outcomes => scales::from_outcomes(prepared.outcomes, speed)?,
    };
    Ok((start(&case, &given, &scales)?, scales))
}

/// Fits a law to prepared data; `allow_no_free` permits a law without free parameters, which is then only compared with
/// the data.
pub(super) fn fit_prepared(
    prepared: &Prepared,
    spec: &Spec,
    options: &Options,
    allow_no_free: bool,
) -> Result<FitReport> {
    let (start, scales) = start_and_scales(prepared, spec, options)?;
    let subject = &start.subject;
    if !allow_no_free && subject.free.iter().all(FreeParameter::is_nuisance) {
        let id = subject.case.model.id;
        let advice = sentence!(
            "name what is free, for example {}, or leave out what is to be found; {} tells how well it \
             predicts as it is",
            Action::give_as("free", "stiffness,damping"),
            Action::set("laws", id)
        );
        return Err(Error::unsupported(format!("a fit of `{id}` with nothing free"), advice));
    }
    let problem = prepared.problem(subject, &options.stop);
    let found = fit_from(prepared, &start, &scales, &*problem, options);
    // A search that was interrupted returns no usable result.
    options.stop.check()?;
    found
}

/// Searches the minimum, estimates errors and writes the report.
fn fit_from(
    prepared: &Prepared,
    start: &Start,
    scales: &Scales,
    problem: &dyn Problem,
    options: &Options,
) -> Result<FitReport> {
    let subject = &start.subject;
    let (points, count) = (prepared.measured().len(), subject.free.len());
    if points < count {
        let allowed = format!("at least {count}, one for each free number");
        let advice = "measure more, or leave fewer numbers free";
        return Err(Error::invalid("points", points, allowed, advice));
    }
    let (first, mut minimum) = search(start, scales, problem, &prepared.series.x, options.loss)?;
    let mut scale = 1.0;
    if options.loss != Loss::Squares {
        for _ in 0..4 {
            scale =
                robust_deviation(&minimum.residuals).max(1e-12 * prepared.series.peak()).max(1e-15);
            if let Some(next) = minimise(problem, &minimum.parameters, options.loss, scale) {
                let iterations = minimum.iterations + next.iterations;
                minimum = Minimum { iterations, ..next };
            }
        }
    }
    let record = RecordRows {
        rows: 0..minimum.residuals.len(),
        correlated: prepared.kind != Kind::Outcomes,
        touch: subject.position(&Role::Touch).map(|index| (index, prepared.spacing())),
    };
    let (uncertainty, noise) =
        uncertainty(problem, &minimum, std::slice::from_ref(&record), options.loss, scale);
    let freedom = (&noise[..], &uncertainty.freedom[..]);
    let repeats = bootstrap(problem, &minimum, &[record], freedom, options, scale);
    let left_out = match minimum.residuals.len() < LEAVE_ONE_OUT_BELOW {
        true => leave_one_out(problem, &minimum, options.loss, scale),
        false => None,
    };
    let solution = Solution { first, minimum, uncertainty, repeats };
    let mut report = record_report(prepared, subject, problem, &solution, options)?;
    report.leave_one_out = left_out.map(|rms| rms / prepared.size());
    Ok(report)
}

/// Minimum of a record, and the uncertainty of its parameters.
pub(super) struct Solution {
    /// Start values of the search.
    pub first: Vec<f64>,
    pub minimum: Minimum,
    pub uncertainty: Uncertainty,
    /// Fitted parameters of every bootstrap repetition.
    pub repeats: Vec<Vec<f64>>,
}

/// Rows of a record among the residuals, and the properties on which its error estimates depend.
#[derive(Clone, Debug)]
pub(super) struct RecordRows {
    pub rows: Range<usize>,
    /// Whether the noise of neighbouring points may be correlated, as in a curve.
    pub correlated: bool,
    /// Index of its time of touch among the parameters, and the mean spacing of its points.
    pub touch: Option<(usize, f64)>,
}

/// Returns the errors of all parameters, including the effects of correlated noise and of a steep force at touch, and
/// the noise of each record if squares are minimised.
pub(super) fn uncertainty(
    problem: &dyn Problem,
    minimum: &Minimum,
    records: &[RecordRows],
    loss: Loss,
    scale: f64,
) -> (Uncertainty, Vec<Noise>) {
    let plain = Uncertainty::new(minimum, loss, scale);
    let (correlated, noise) = match loss == Loss::Squares {
        true => {
            let rows: Vec<_> = records.iter().map(|r| (r.rows.clone(), r.correlated)).collect();
            correlated::uncertainty(minimum, &plain, &rows)
        }
        false => (None, Vec::new()),
    };
    let mut steep: Option<Uncertainty> = None;
    for (touch, spacing) in records.iter().filter_map(|record| record.touch) {
        if let Some(one) =
            touch::averaged_over_touch(problem, minimum, touch, &plain, spacing, (loss, scale))
        {
            steep = Some(match steep {
                // Touches of different records are independent: their contributions to the variances are summed.
                Some(other) => other.with_added_variance(&one, &plain),
                None => one,
            });
        }
    }
    let found = match (steep, correlated) {
        // If both effects occur, the errors for the steep touch are enlarged by the factor that the correlation
        // causes.
        (Some(steep), Some(correlated)) => steep.widened_by_ratio(&plain, &correlated),
        (Some(other), None) | (None, Some(other)) => other,
        (None, None) => plain,
    };
    (found, noise)
}

/// Returns the report of one record with the parameters of `solution`.
pub(super) fn record_report(
    prepared: &Prepared,
    subject: &Subject,
    problem: &dyn Problem,
    solution: &Solution,
    options: &Options,
) -> Result<FitReport> {
    let Solution { first, minimum, uncertainty, repeats } = solution;
    // R² is meaningless for results of different kinds and is set to NaN.
    let explained = match prepared.kind {
        Kind::Outcomes => vec![f64::NAN],
        _ => prepared.measured(),
    };
    let statistics = Statistics::new(minimum, &explained, prepared.size());
    let (mut case, _) = subject.case(
        &minimum.parameters,
        prepared.outcomes.first().map(Observation::row).unwrap_or_default(),
    );
    case.set.retain(|(name, _)| case.model.parameters.iter().any(|p| p.name == name));
    let law = case.law()?;
    let impact = collide_under(&law, case.speed, &case.conditions)?;
    let mut report = Report::new(&case, &law, impact);
    report.notes.extend(prepared.notes.iter().cloned());
    add_notes(subject, minimum, uncertainty, &statistics, prepared, &mut report.notes);
    let parameters = parameters(subject, first, minimum, uncertainty, repeats, &case);
    let (reference, theirs) = reference(problem, subject, minimum, options)?;
    let outcomes = outcomes(prepared, subject, minimum, theirs.as_deref(), &options.stop);
    Ok(FitReport {
        impact: report,
        parameters,
        correlation: uncertainty.correlation.clone(),
        leave_one_out: None,
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
        curve: curve(prepared, subject, minimum, uncertainty, options),
        law,
    })
}

/// Returns the root mean square of the residuals of points that the fit did not use, each point being left out in
/// turn; `None` if the remaining points are fewer than the free parameters.
fn leave_one_out(problem: &dyn Problem, minimum: &Minimum, loss: Loss, scale: f64) -> Option<f64> {
    let count = minimum.residuals.len();
    if count < minimum.parameters.len() + 1 {
        return None;
    }
    let mut sum = 0.0;
    for left_out in 0..count {
        let others = Resampled { problem, shift: &[], left_out: Some(left_out) };
        let found = match minimum.parameters.is_empty() {
            true => minimum.parameters.clone(),
            false => minimise(&others, &minimum.parameters, loss, scale)?.parameters,
        };
        sum += problem.residuals(&found)?.get(left_out)?.powi(2);
    }
    Some((sum / count as f64).sqrt()).filter(|rms| rms.is_finite())
}

/// Returns the parameters of bootstrap fits to resampled residuals, drawn record by record.
///
/// The variance of the noise is estimated from the residuals with the degrees of freedom `freedom`. Each repetition
/// scales the residuals by a variance drawn from the χ² distribution with the smallest of these, so that the
/// repetitions scatter according to Student's distribution.
pub(super) fn bootstrap(
    problem: &dyn Problem,
    minimum: &Minimum,
    records: &[RecordRows],
    (noise, freedom): (&[Noise], &[f64]),
    options: &Options,
    scale: f64,
) -> Vec<Vec<f64>> {
    let mut random = Sequence::new(options.seed);
    let mut repeats = Vec::new();
    let smallest = freedom.iter().copied().filter(|f| f.is_finite()).fold(f64::INFINITY, f64::min);
    let variances = key(options.seed, "noise of a repeat");
    for i in 0..options.bootstrap {
        // The caller reports the interruption.
        if options.stop.raised() {
            break;
        }
        // χ²/ν is drawn by the cube-root approximation (E. B. Wilson, M. M. Hilferty, Proc. Natl. Acad. Sci. 17
        // (1931) 684).
        let spread = 2.0 / (9.0 * smallest.max(1.0));
        let root = 1.0 - spread + quantile(unit(variances, i as u64)) * spread.sqrt();
        let noise_scale = root.max(0.2).powf(-1.5);
        let drawn: Vec<f64> = records
            .iter()
            .enumerate()
            .filter_map(|(i, record)| {
                let residuals = minimum.residuals.get(record.rows.clone())?;
                Some(resample_blocks(residuals, noise.get(i).copied(), &mut random))
            })
            .flatten()
            .map(|residual| noise_scale * residual)
            .collect();
        // The data are shifted such that the residuals at the minimum are `drawn`.
        let shift: Vec<f64> = drawn.iter().zip(&minimum.residuals).map(|(d, r)| d - r).collect();
        let again = Resampled { problem, shift: &shift, left_out: None };
        if let Some(found) = minimise(&again, &minimum.parameters, options.loss, scale) {
            repeats.push(found.parameters);
        }
    }
    repeats
}

/// A problem with changed data: `shift` is added to its residuals, or one residual is left out by setting it to 0.
struct Resampled<'a> {
    problem: &'a dyn Problem,
    shift: &'a [f64],
    left_out: Option<usize>,
}

impl Resampled<'_> {
    fn change_residuals(&self, residuals: &mut [f64]) {
        residuals.iter_mut().zip(self.shift).for_each(|(r, s)| *r += s);
        self.leave_out(residuals);
    }

    fn leave_out(&self, column: &mut [f64]) {
        if let Some(value) = self.left_out.and_then(|row| column.get_mut(row)) {
            *value = 0.0;
        }
    }
}

impl Problem for Resampled<'_> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut residuals = self.problem.residuals(x)?;
        self.change_residuals(&mut residuals);
        Some(residuals)
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (mut residuals, mut columns) = self.problem.jacobian(x)?;
        self.change_residuals(&mut residuals);
        columns.iter_mut().for_each(|column| self.leave_out(column));
        Some((residuals, columns))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        self.problem.bounds()
    }
}
