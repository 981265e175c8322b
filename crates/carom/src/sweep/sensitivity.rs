//! Sensitivity: how much each uncertain input contributes to the variance of a result.
//!
//! For every axis with a distribution, the first-order and total Sobol' indices (`sweep/estimate.rs`) are computed
//! with bootstrap confidence intervals, and a curve: the results while this input alone varies from its 1 % to its 99
//! % quantile and the others have their medians. Axes that are lists or ranges are not included in the variance:
//! every point of their grid is analysed separately.
//!
//! ```
//! use carom::sweep::Study;
//! use carom::sweep::sensitivity::{Options, sensitivity};
//! let study = Study::from_toml(r#"
//!     outputs = ["force_max"]
//!     [impact]
//!     law = "hertz-1881"
//!     mass = "0.54 kg"
//!     [sampling]
//!     count = 64
//!     [[axis]]
//!     parameter = "speed"
//!     distribution = "uniform"
//!     from = 0.4
//!     to = 0.6
//!     [[axis]]
//!     parameter = "stiffness"
//!     distribution = "lognormal"
//!     median = 2.4144e10
//!     deviation = 0.02
//! "#)?;
//! let found = sensitivity(&study, &Options { samples: 512, ..Options::default() })?;
//! let force = &found.groups[0].outputs[0];
//! // The force goes as v^1.2·K^0.4: nearly all of its spread comes from the speed.
//! assert_eq!(force.parameters[0].parameter, "speed");
//! assert!(force.parameters[0].index.first > 0.95 && force.parameters[1].index.total < 0.05);
//! # Ok::<(), carom::Error>(())
//! ```

use super::estimate;
pub use super::estimate::Index;
use super::sample::Sampling;
use super::{Evaluate, Plan, Study, Value, Variation};
use crate::error::{Error, Result, check_range};
use crate::stop::Stop;
use serde::Serialize;
use std::collections::BTreeMap;

/// Largest number of grid points that are analysed.
const GROUP_LIMIT: u64 = 1000;

/// Size and parameters of an analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number N of rows of the samples; N(d+2) impacts are computed. It should be a power of two.
    pub samples: u64,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Number of points of the one-at-a-time curves.
    pub points: usize,
    /// Number of threads.
    pub threads: usize,
    /// Flag that ends the analysis with an error when it is raised.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Self { samples: 4096, confidence: 0.95, points: 41, threads: 1, stop: Stop::default() }
    }
}

/// Results of a sensitivity analysis.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Sensitivity {
    /// Title of the study.
    pub title: String,
    /// Number of rows of the samples.
    pub samples: u64,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Number of impacts that were computed.
    pub impacts: u64,
    /// Analyses, one for every point of the grid.
    pub groups: Vec<Group>,
}

/// Analysis at one point of the grid.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Group {
    /// Values of the axes that are lists or ranges.
    pub at: BTreeMap<String, String>,
    /// Number of rows left out because one of their impacts is not possible, or never ends.
    pub dropped: u64,
    /// Contributions to the variance, one entry for every output.
    pub outputs: Vec<Shares>,
    /// One-at-a-time curves, one for every parameter.
    pub curves: Vec<ParameterCurve>,
}

/// Contributions of the parameters to the variance of an output.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Shares {
    /// Name of the output.
    pub output: String,
    /// SI unit of the output.
    pub unit: String,
    /// Mean of the output.
    pub mean: f64,
    /// Standard deviation of the output.
    pub deviation: f64,
    /// Contributions of the parameters, in the order of the study.
    pub parameters: Vec<Share>,
}

/// Contribution of one parameter.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Share {
    /// Name of the parameter.
    pub parameter: String,
    /// Sobol' indices of the parameter.
    #[serde(flatten)]
    pub index: Index,
}

/// Results while one parameter varies and the others have their medians.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ParameterCurve {
    /// Name of the parameter.
    pub parameter: String,
    /// SI unit of the parameter.
    pub unit: String,
    /// Probabilities of the quantiles, from 1 % to 99 %.
    pub quantile: Vec<f64>,
    /// Values of the parameter at these quantiles.
    pub value: Vec<f64>,
    /// Every output at these values, by name; NaN if there is no result.
    pub outputs: BTreeMap<String, Vec<f64>>,
}

/// Analyses a study of impacts.
///
/// # Errors
/// When no axis has a distribution, when the analysis would be too large, or when more than half of the cases have no
/// result.
pub fn sensitivity(study: &Study, options: &Options) -> Result<Sensitivity> {
    analyse(&study.plan(), options)
}

/// Analyses a study with any evaluator.
///
/// # Errors
/// As [`sensitivity`].
pub fn analyse<E: Evaluate>(plan: &Plan<E>, options: &Options) -> Result<Sensitivity> {
    let study = plan.variation();
    let axes = study.axes();
    let random: Vec<usize> =
        (0..axes.len()).filter(|&i| axes[i].distribution().is_some()).collect();
    if random.is_empty() {
        return Err(Error::missing(
            "distribution",
            "a sensitivity is that to uncertain inputs; give at least one axis a distribution (uniform, normal, …)",
        ));
    }
    let samples = options.samples;
    if !(16..=1 << 24).contains(&samples) {
        let advice = "a few thousand rows give indices to about 0.02";
        return Err(Error::invalid("samples", samples, "16 to 16777216", advice));
    }
    check_range("confidence", options.confidence, 0.5, 0.999, "0.95 is usual")?;
    if study.grid() > GROUP_LIMIT {
        let allowed = format!("at most {GROUP_LIMIT}");
        let advice = "every one has an analysis of its own; shorten the lists and ranges, or give them distributions";
        return Err(Error::invalid("points of the grid", study.grid(), allowed, advice));
    }
    // Coordinates of sample A, followed by those of sample B.
    let names: Vec<&str> = random.iter().map(|&i| axes[i].name()).collect();
    let again: Vec<String> = names.iter().map(|name| format!("{name} again")).collect();
    let both: Vec<&str> = names.iter().copied().chain(again.iter().map(String::as_str)).collect();
    let sampling = study.sampling();
    let points = Sampling::new(sampling.method(), samples, sampling.seed(), true, &both)?;
    let d = random.len();
    let mut groups = Vec::new();
    for point in 0..study.grid() {
        groups.push(analyse_group(plan, &random, &points, point, options)?);
    }
    let impacts = study.grid() * (samples * (d as u64 + 2) + (d * options.points) as u64);
    Ok(Sensitivity {
        title: plan.evaluator().title().to_string(),
        samples,
        confidence: options.confidence,
        impacts,
        groups,
    })
}

/// Returns the analysis at one point of the grid.
fn analyse_group<E: Evaluate>(
    plan: &Plan<E>,
    random: &[usize],
    points: &Sampling,
    point: u64,
    options: &Options,
) -> Result<Group> {
    let study = plan.variation();
    let (n, d) = (points.count() as usize, random.len());
    let mut fixed = Vec::new();
    study.values(study.first_case(point), &mut fixed);
    // Row r of block k; the blocks are A, B, and then A with column k − 2 from B.
    let sampled = |row: usize, values: &mut Vec<Value>| {
        let (block, row) = (row / n, row % n);
        values.clone_from(&fixed);
        for (k, &axis) in random.iter().enumerate() {
            let from_b = block == 1 || block == k + 2;
            let u = points.unit(if from_b { d + k } else { k }, row as u64);
            set_quantile(study, axis, u, values);
        }
    };
    let results = evaluate(plan, n * (d + 2), options.threads, &options.stop, sampled);
    options.stop.check()?;
    let kept: Vec<usize> = (0..n)
        .filter(|row| {
            results.iter().all(|output| {
                (0..d + 2).all(|block| output.get(block * n + row).is_some_and(|x| x.is_finite()))
            })
        })
        .collect();
    if kept.len() < n.div_ceil(2) {
        return Err(too_many_dropped(plan, &sampled, n - kept.len(), n));
    }
    let outputs = plan.evaluator().outputs();
    let outputs = outputs.into_iter().zip(&results).map(|((output, unit), all)| {
        let block = |k: usize| -> Vec<f64> {
            kept.iter().filter_map(|row| all.get(k * n + row).copied()).collect()
        };
        let (a, b) = (block(0), block(1));
        let mixed: Vec<Vec<f64>> = (0..d).map(|k| block(k + 2)).collect();
        let found = estimate::indices(&a, &b, &mixed, points.seed(), options.confidence);
        let count = (a.len() + b.len()) as f64;
        let mean = a.iter().chain(&b).sum::<f64>() / count;
        let squares: f64 = a.iter().chain(&b).map(|x| (x - mean).powi(2)).sum();
        let parameters = random.iter().zip(found).map(|(&axis, index)| Share {
            parameter: study.axes()[axis].name().to_string(),
            index,
        });
        Shares {
            output,
            unit,
            mean,
            deviation: (squares / (count - 1.0)).sqrt(),
            parameters: parameters.collect(),
        }
    });
    let outputs = outputs.collect();
    let curves =
        random.iter().map(|&axis| one_at_a_time(plan, random, axis, &fixed, options)).collect();
    let at = study.at_grid(point).collect();
    Ok(Group { at, dropped: (n - kept.len()) as u64, outputs, curves })
}

/// Sets the value of an axis to the quantile `u` of its distribution.
fn set_quantile(study: &Variation, axis: usize, u: f64, values: &mut [Value]) {
    if let (Some(distribution), Some(value)) =
        (study.axes()[axis].distribution(), values.get_mut(axis))
    {
        *value = Value::Number(distribution.quantile(u));
    }
}

fn too_many_dropped<E: Evaluate>(
    plan: &Plan<E>,
    sampled: &impl Fn(usize, &mut Vec<Value>),
    dropped: usize,
    n: usize,
) -> Error {
    let mut values = Vec::new();
    let mut scratch = E::Scratch::default();
    let why = (0..n).find_map(|row| {
        sampled(row, &mut values);
        plan.evaluator().evaluate(&values, &mut scratch, &mut Vec::new()).err()
    });
    let why = why.map_or("contacts never end".to_string(), |error| error.to_string());
    Error::numerical(
        "the sensitivity analysis",
        format!("{dropped} of {n} rows have no result, for example because {why}"),
        "correct the study, or cut the distributions off with from and to",
    )
}

/// Returns the results while this axis runs through its quantiles and the others have their medians.
fn one_at_a_time<E: Evaluate>(
    plan: &Plan<E>,
    random: &[usize],
    axis: usize,
    fixed: &[Value],
    options: &Options,
) -> ParameterCurve {
    let study = plan.variation();
    let points = options.points.max(2);
    let quantile: Vec<f64> =
        (0..points).map(|k| 0.01 + 0.98 * k as f64 / (points - 1) as f64).collect();
    let at = |row: usize, values: &mut Vec<Value>| {
        values.clear();
        values.extend_from_slice(fixed);
        for &other in random {
            let u = if other == axis { quantile.get(row).copied().unwrap_or(0.5) } else { 0.5 };
            set_quantile(study, other, u, values);
        }
    };
    let results = evaluate(plan, points, 1, &options.stop, at);
    let parameter = &study.axes()[axis];
    let distribution = parameter.distribution();
    ParameterCurve {
        parameter: parameter.name().to_string(),
        unit: parameter.unit().to_string(),
        value: quantile
            .iter()
            .map(|&u| distribution.map_or(f64::NAN, |it| it.quantile(u)))
            .collect(),
        quantile,
        outputs: plan
            .evaluator()
            .outputs()
            .into_iter()
            .map(|(name, _)| name)
            .zip(results)
            .collect(),
    }
}

/// Returns every output of some rows, computed in parallel; NaN if a case has no result.
fn evaluate<E: Evaluate>(
    plan: &Plan<E>,
    rows: usize,
    threads: usize,
    stop: &Stop,
    values_of: impl Fn(usize, &mut Vec<Value>) + Sync,
) -> Vec<Vec<f64>> {
    let outputs = plan.evaluator().outputs().len();
    let piece = rows.div_ceil(threads.max(1)).max(1);
    let work = |from: usize| {
        let mut scratch = E::Scratch::default();
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        let mut found = vec![Vec::with_capacity(piece); outputs];
        for row in from..(from + piece).min(rows) {
            if stop.raised() {
                break;
            }
            values_of(row, &mut values);
            numbers.clear();
            let found_one = plan.evaluator().evaluate(&values, &mut scratch, &mut numbers).is_ok();
            for (k, column) in found.iter_mut().enumerate() {
                column.push(numbers.get(k).copied().filter(|_| found_one).unwrap_or(f64::NAN));
            }
        }
        found
    };
    let mut all = vec![Vec::with_capacity(rows); outputs];
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> =
            (0..rows).step_by(piece).map(|from| scope.spawn(move || work(from))).collect();
        for thread in running {
            let found = thread.join().unwrap_or_default();
            for (all, found) in all.iter_mut().zip(found) {
                all.extend(found);
            }
        }
    });
    all
}
