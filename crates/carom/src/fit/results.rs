//! Builds the parts of a report: parameters, comparison with reference values, outcomes, curve.

use super::Options;
use super::least_squares::{Minimum, Problem};
use super::outcomes::OutcomeProblem;
use super::prepare::Prepared;
use super::report::{Bootstrap, FittedCurve, FittedParameter, Outcome, Reference};
use super::series::Kind;
use super::statistics::Uncertainty;
use super::subject::{Role, Subject};
use crate::error::{Error, Result};
use crate::message::Action;
use crate::numeric::median::median;
use crate::numeric::student;
use crate::spec::Case;
use crate::stop::Stop;
use crate::units::Dimension;

/// Returns the free parameters with their uncertainties.
pub(super) fn parameters(
    subject: &Subject,
    first: &[f64],
    minimum: &Minimum,
    uncertainty: &Uncertainty,
    repeats: &[Vec<f64>],
    case: &Case,
) -> Vec<FittedParameter> {
    let mut fitted = Vec::new();
    for (i, free) in subject.free.iter().enumerate() {
        let x = minimum.parameters[i];
        let slope = free.slope(x);
        let unit = match (&free.role, case.law()) {
            (Role::Stiffness, _) => Dimension::stiffness_unit(case.pair.exponent),
            (Role::Damping, Ok(law)) => case.model.coefficient_unit(&law),
            _ => free.unit.clone(),
        };
        let freedom = uncertainty.freedom[i];
        let half = student::quantile(0.975, freedom) * uncertainty.errors[i];
        let mut values: Vec<f64> = repeats.iter().map(|repeat| free.value(repeat[i])).collect();
        fitted.push(FittedParameter {
            name: free.name.clone(),
            unit,
            value: free.value(x),
            standard_error: uncertainty.errors[i] * slope,
            degrees_of_freedom: freedom,
            low_95: free.value(x - half),
            high_95: free.value(x + half),
            start: free.value(first[i]),
            bootstrap: (values.len() > 1).then(|| bootstrap_interval(&mut values)),
        });
    }
    fitted
}

fn bootstrap_interval(values: &mut [f64]) -> Bootstrap {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
    // `median` has sorted the values.
    let middle = median(values);
    let at =
        |share: f64| values.get((share * (n - 1.0)).round() as usize).copied().unwrap_or(middle);
    let (low, high) = (at(0.025), at(0.975));
    Bootstrap { standard_error: variance.sqrt(), low, high, repeats: values.len() }
}

/// Compares the fit with given values: returns root mean squares, and the residuals with those values.
pub(super) fn reference(
    problem: &dyn Problem,
    subject: &Subject,
    minimum: &Minimum,
    options: &Options,
) -> Result<(Option<Reference>, Option<Vec<f64>>)> {
    if options.reference.is_empty() {
        return Ok((None, None));
    }
    let mut x = minimum.parameters.clone();
    for (name, value) in &options.reference {
        let plain = name.replace('-', "_");
        let Some(i) = subject.free.iter().position(|free| free.name == plain) else {
            let known = subject.free.iter().map(|free| free.name.as_str());
            let otherwise = sentence!(
                "values are compared with those of free parameters; name it in {}",
                Action::give("free")
            );
            return Err(Error::unknown("free parameter", name, known, otherwise));
        };
        x[i] = subject.free[i].to_search_variable(*value);
    }
    let Some(residuals) = problem.residuals(&x) else {
        let reason = "the law cannot be computed with the values to compare with";
        return Err(Error::numerical("the comparison", reason, "check them"));
    };
    let rms = |r: &[f64]| (r.iter().map(|r| r * r).sum::<f64>() / r.len() as f64).sqrt();
    let theirs = rms(&residuals);
    let reference = Reference {
        values: options.reference.clone(),
        residual_rms: theirs,
        improvement: 1.0 - rms(&minimum.residuals) / theirs,
    };
    Ok((Some(reference), Some(residuals)))
}

/// Returns the measured and fitted results of whole impacts.
pub(super) fn outcomes(
    prepared: &Prepared,
    subject: &Subject,
    minimum: &Minimum,
    theirs: Option<&[f64]>,
    stop: &Stop,
) -> Vec<Outcome> {
    if prepared.kind != Kind::Outcomes {
        return Vec::new();
    }
    let problem = OutcomeProblem { subject, rows: prepared.outcomes, stop };
    let predicted = problem.predicted(&minimum.parameters).unwrap_or_default();
    let outcome =
        |(i, (row, name, measured, fitted)): (usize, (usize, &'static str, f64, f64))| Outcome {
            row: row + 1,
            name,
            measured,
            fitted,
            error: fitted / measured - 1.0,
            reference_error: theirs.and_then(|r| r.get(i).copied()),
        };
    predicted.into_iter().enumerate().map(outcome).collect()
}

/// Returns the measured points and the curve of the fitted law with its confidence band.
pub(super) fn curve(
    prepared: &Prepared,
    subject: &Subject,
    minimum: &Minimum,
    uncertainty: &Uncertainty,
    options: &Options,
) -> FittedCurve {
    if prepared.kind == Kind::Outcomes {
        return FittedCurve::default();
    }
    let shift = options.touch.unwrap_or(0.0);
    let problem = prepared.curve(subject, &options.stop);
    let over_indentation = problem.over_indentation;
    let (mut law, mut times) = (Vec::new(), Vec::new());
    if let Some((trial, motion)) = subject.motion(&minimum.parameters) {
        for i in 0..=400 {
            let t = motion.end * f64::from(i) / 400.0;
            let Some(point) = motion.at(t) else { continue };
            let clock = t + trial.sensor.touch;
            let zero = match over_indentation {
                true => trial.sensor.offset,
                false => trial.sensor.zero(clock - prepared.series.x.first().unwrap_or(&0.0)),
            };
            let force = trial.law.force(point.delta, point.rate, &point.memory) + zero;
            let x = if over_indentation { point.delta } else { clock + shift };
            law.push((x, force));
            times.push(t);
        }
    }
    let edges = problem.band(&minimum.parameters, uncertainty, &times, &law);
    let (lower, upper) = edges.unwrap_or_default();
    FittedCurve {
        x: prepared.series.x.iter().map(|x| x + shift).collect(),
        measured: prepared.series.force.clone(),
        residuals: minimum.residuals.clone(),
        law,
        lower,
        upper,
    }
}
