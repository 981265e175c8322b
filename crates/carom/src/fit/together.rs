//! Fits several records together, for example of the same ball at several speeds, or of repeated drops.
//!
//! Each record is first fitted alone, which yields its start values and its noise, and shows afterwards whether the
//! records agree. Then all records are fitted at once. The parameters of the law are shared; those of one measurement
//! (time of touch, offset and drift of the sensor, speed) belong to each record. Records are weighted by their noise,
//! which is estimated again from the joint fit (Aitken's generalised least squares with estimated weights: G. A. F.
//! Seber, C. J. Wild, Nonlinear Regression, Wiley 1989, chapter 2).

use super::joint_problem::{JointProblem, Member};
use super::least_squares::{EndReason, Minimum, minimise};
use super::loss::{Loss, robust_deviation};
use super::prepare::{Prepared, prepare};
use super::report::{FitReport, FittedParameter};
use super::run::{
    RecordRows, Solution, bootstrap, fit_prepared, record_report, start_and_scales, uncertainty,
};
use super::series::Kind;
use super::start::Start;
use super::statistics::{Uncertainty, criteria};
use super::subject::{FreeParameter, Role};
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::message::Action;
use crate::numeric::student;
use crate::report::NoteReport;
use crate::spec::Spec;
use serde::Serialize;

/// One of several records to be fitted together.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Name used in messages and reports, such as that of a file.
    pub name: String,
    /// Measured data.
    pub data: Data<'a>,
    /// Description of the impact; the law is the same in all records.
    pub spec: Spec,
}

/// Result of a fit to several records together.
#[derive(Clone, Debug, Serialize)]
pub struct JointReport {
    /// Id of the law.
    pub law: &'static str,
    /// Parameters that the records share.
    pub shared: Vec<FittedParameter>,
    /// Correlations of the shared parameters, in their order.
    pub correlation: Vec<Vec<f64>>,
    /// Quality of the fit.
    pub statistics: JointStatistics,
    /// Every record with its own parameters.
    pub records: Vec<JointRecord>,
    /// Notes on the fit as a whole; each record also has its own notes.
    pub notes: Vec<NoteReport>,
}

/// Quality of a fit to several records.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JointStatistics {
    /// Number of points that were fitted.
    pub points: usize,
    /// Number of free parameters; each shared one is counted once.
    pub free: usize,
    /// Akaike's information criterion, corrected for small samples, with separate noise for every record; smaller is
    /// better.
    pub aicc: Option<f64>,
    /// Bayesian information criterion; smaller is better.
    pub bic: f64,
    /// Number of iterations of the search.
    pub iterations: usize,
    /// How the search ended.
    pub ended: EndReason,
}

/// One record of a joint fit.
#[derive(Clone, Debug, Serialize)]
pub struct JointRecord {
    /// Name of the record.
    pub name: String,
    /// Impact, all parameters (including the shared ones) and residuals of the record, in the form of a fit to one
    /// record. The criteria of Akaike and Bayes are those of the whole fit and are not repeated here.
    #[serde(flatten)]
    pub fit: FitReport,
    /// Shared parameters as determined by this record alone.
    pub alone: Vec<FittedParameter>,
}

/// Smallest number of points for which a record has its own noise; smaller records of the same kind share one noise,
/// relative to their size.
const MIN_POINTS_FOR_NOISE: usize = 20;

/// Fits one law to several records.
///
/// `shared` contains the names of the parameters that all records share; the others are found for each record
/// separately. If it is empty, all parameters of the law are shared, but not the speed. Time of touch, offset and
/// drift of a sensor are never shared, because each record has its own clock and zero.
///
/// ```
/// use carom::fit::{Data, Options, Record, fit_together};
/// use carom::impact::{Conditions, Trajectory};
/// use carom::spec::Spec;
/// use carom::{Damping, Pair, model};
/// # let pair = Pair::new(0.54, 2.4144e10, 1.5)?;
/// # let law = model("hunt-crossley-1975")?.law(&pair, Damping::Coefficient(2e10), None, &[])?;
/// // The same ball at two speeds.
/// let curves = [0.5, 1.5].map(|speed| Trajectory::new(&law, speed, &Conditions::default(), 200));
/// let mut records = Vec::new();
/// for (curve, speed) in curves.iter().zip([0.5, 1.5]) {
///     let curve = curve.as_ref().map_err(Clone::clone)?;
///     let spec = Spec {
///         law: "hunt-crossley-1975".into(),
///         mass: Some(0.54.into()),
///         speed: Some(speed.into()),
///         ..Spec::default()
///     };
///     let data = Data::ForceTime { time: &curve.time, force: &curve.force };
///     records.push(Record { name: format!("{speed} m/s"), data, spec });
/// }
/// let found = fit_together(&records, &[], &Options::default())?;
/// let damping = found.shared.iter().find(|p| p.name == "damping");
/// assert!((damping.map_or(0.0, |p| p.value) / 2e10 - 1.0).abs() < 1e-4);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// When there are fewer than two records, when one of them cannot be fitted alone, when a name in `shared` is not
/// that of a free parameter of the law, or when the laws differ.
pub fn fit_together(
    records: &[Record],
    shared: &[String],
    options: &Options,
) -> Result<JointReport> {
    let [first, others @ ..] = records else {
        return Err(Error::missing("records", "give at least two"));
    };
    if others.is_empty() {
        return Err(Error::invalid("records", 1, "at least two", "fit one record by itself"));
    }
    if let Some(other) = others.iter().find(|other| other.spec.law != first.spec.law) {
        let (name, law) = (&other.name, &other.spec.law);
        let advice = "all records are fitted with one law";
        return Err(Error::invalid("law", format!("{law} of {name}"), &first.spec.law, advice));
    }
    let mut fitted = Vec::new();
    for record in records {
        fitted.push(fit_alone(record, options).map_err(|error| error.at(&record.name))?);
    }
    let indices = assign_indices(&fitted, shared)?;
    let mut problem = joint_problem(&fitted, &indices, options);
    let minimum = search(&fitted, &mut problem, options)?;
    options.stop.check()?;
    report(records, &fitted, &indices, &problem, &minimum, options)
}

/// A record with the fit to it alone.
struct SingleFit<'a> {
    prepared: Prepared<'a>,
    start: Start,
    alone: FitReport,
    /// Fitted parameters of that fit, in the form in which they are searched.
    found: Vec<f64>,
}

/// Fits a record alone.
fn fit_alone<'a>(record: &Record<'a>, options: &Options) -> Result<SingleFit<'a>> {
    let prepared = prepare(&record.data, &record.spec, options)?;
    let plain = Options { bootstrap: 0, reference: Vec::new(), ..options.clone() };
    let alone = fit_prepared(&prepared, &record.spec, &plain, false)?;
    let (start, _) = start_and_scales(&prepared, &record.spec, options)?;
    let free = start.subject.free.iter().zip(&alone.parameters);
    let found = free.map(|(free, parameter)| free.to_search_variable(parameter.value)).collect();
    Ok(SingleFit { prepared, start, alone, found })
}

/// Indices of the parameters of each record among all parameters.
struct Indices {
    of_records: Vec<Vec<usize>>,
    /// Names of the shared parameters, which come last.
    shared: Vec<String>,
    count: usize,
}

/// Assigns indices to all parameters; the named ones, or all parameters of the law, are shared.
fn assign_indices(fitted: &[SingleFit], named: &[String]) -> Result<Indices> {
    let free = || fitted.iter().flat_map(|fitted| &fitted.start.subject.free);
    let may_be_shared = |free: &&FreeParameter| !free.is_nuisance();
    let mut names: Vec<String> = Vec::new();
    for name in named.iter().map(|name| name.trim().replace('-', "_")) {
        if !free().filter(may_be_shared).any(|free| free.name == name) {
            let mut known: Vec<&str> =
                free().filter(may_be_shared).map(|free| free.name.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            let is_own = free().any(|free| free.name == name);
            let advice = match is_own {
                true => "each record has a clock and a zero of its own".to_string(),
                false => format!("free here are {}", known.join(", ")),
            };
            return Err(Error::unknown("number to share", &name, known, &advice));
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if named.is_empty() {
        for free in free().filter(may_be_shared).filter(|free| free.role != Role::Speed) {
            if !names.contains(&free.name) {
                names.push(free.name.clone());
            }
        }
    }
    let has = |fitted: &&SingleFit, name: &String| {
        fitted.start.subject.free.iter().any(|free| free.name == *name)
    };
    names.retain(|name| fitted.iter().filter(|fitted| has(fitted, name)).count() > 1);
    if names.is_empty() {
        return Err(Error::unsupported(
            "a joint fit in which the records share nothing",
            sentence!("name what they share: {}", Action::give_as("shared", "stiffness,damping")),
        ));
    }
    let position = |free: &FreeParameter| names.iter().position(|name| *name == free.name);
    let own_count: usize = free().filter(|free| position(free).is_none()).count();
    let mut next = 0;
    let mut index = |free: &FreeParameter| match position(free) {
        Some(shared) => own_count + shared,
        None => {
            next += 1;
            next - 1
        }
    };
    let of_records = fitted
        .iter()
        .map(|fitted| fitted.start.subject.free.iter().map(&mut index).collect())
        .collect();
    Ok(Indices { of_records, count: own_count + names.len(), shared: names })
}

fn joint_problem<'a>(
    fitted: &'a [SingleFit<'a>],
    indices: &Indices,
    options: &'a Options,
) -> JointProblem<'a> {
    let mut members = Vec::new();
    let mut next = 0;
    for (fitted, indices) in fitted.iter().zip(&indices.of_records) {
        let rows = next..next + fitted.prepared.measured().len();
        next = rows.end;
        let problem = fitted.prepared.problem(&fitted.start.subject, &options.stop);
        members.push(Member { problem, indices: indices.clone(), rows, noise: 1.0 });
    }
    JointProblem { members, count: indices.count }
}

/// Returns start vectors: the mean of the fits to single records, weighted by their errors, followed by the
/// parameters of each of these fits.
fn start_vectors(fitted: &[SingleFit], problem: &JointProblem) -> Vec<Vec<f64>> {
    let mut mean = vec![0.0; problem.count];
    let mut weight = vec![0.0; problem.count];
    for (fitted, member) in fitted.iter().zip(&problem.members) {
        let free = fitted.start.subject.free.iter().zip(&fitted.alone.parameters);
        for ((&index, x), (free, parameter)) in member.indices.iter().zip(&fitted.found).zip(free) {
            let error = parameter.standard_error / free.slope(*x);
            // A parameter that a record does not determine has the smallest weight.
            let one = (1.0 / (error * error)).clamp(1e-12, 1e12);
            let one = if one.is_nan() { 1e-12 } else { one };
            mean[index] += one * x;
            weight[index] += one;
        }
    }
    mean.iter_mut().zip(&weight).for_each(|(sum, weight)| *sum /= weight);
    let mut all = vec![mean.clone()];
    for (fitted, member) in fitted.iter().zip(&problem.members) {
        let mut x = mean.clone();
        member.indices.iter().zip(&fitted.found).for_each(|(&index, own)| x[index] = *own);
        all.push(x);
    }
    all
}

/// Searches the best minimum, and estimates the noise of the records from it.
fn search(fitted: &[SingleFit], problem: &mut JointProblem, options: &Options) -> Result<Minimum> {
    let loss = options.loss;
    let residuals: Vec<Vec<f64>> = fitted
        .iter()
        .zip(&problem.members)
        .map(|(fitted, member)| member.problem.residuals(&fitted.found).unwrap_or_default())
        .collect();
    set_noise(fitted, problem, &residuals, loss);
    let mut best: Option<Minimum> = None;
    for x in start_vectors(fitted, problem) {
        let Some(found) = minimise(problem, &x, loss, 1.0) else { continue };
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(found);
        }
    }
    for _ in 0..3 {
        let Some(found) = &mut best else { break };
        let noise = |member: &Member| {
            let part = found.residuals.get(member.rows.clone()).unwrap_or_default();
            part.iter().map(|r| r * member.noise).collect()
        };
        let residuals: Vec<Vec<f64>> = problem.members.iter().map(noise).collect();
        set_noise(fitted, problem, &residuals, loss);
        let Some(next) = minimise(problem, &found.parameters, loss, 1.0) else { break };
        *found = Minimum { iterations: found.iterations + next.iterations, ..next };
    }
    best.ok_or_else(|| {
        Error::numerical(
            "the joint fit",
            "the law cannot be computed with numbers between those of the records",
            sentence!("share less with {}, or look at each record alone", Action::give("shared")),
        )
    })
}

/// Sets the noise of every record from its residuals.
fn set_noise(fitted: &[SingleFit], problem: &mut JointProblem, residuals: &[Vec<f64>], loss: Loss) {
    let total: usize = residuals.iter().map(Vec::len).sum();
    let spare = |i: usize, problem: &JointProblem| {
        let indices = &problem.members[i].indices;
        let shared = |index: &&usize| {
            problem.members.iter().filter(|member| member.indices.contains(index)).count() > 1
        };
        let common = indices.iter().filter(shared).count();
        let own_count = indices.len() - common;
        let points = residuals[i].len() as f64;
        (points - own_count as f64 - common as f64 * points / total as f64).max(1.0)
    };
    let residual_scale = |i: usize, problem: &JointProblem| match loss {
        Loss::Squares => {
            let sum: f64 = residuals[i].iter().map(|r| r * r).sum();
            (sum / spare(i, problem)).sqrt()
        }
        _ => robust_deviation(&residuals[i]),
    };
    let relative =
        |i: usize, problem: &JointProblem| residual_scale(i, problem) / fitted[i].prepared.size();
    let noises: Vec<f64> = (0..fitted.len())
        .map(|i| {
            let kind = fitted[i].prepared.kind == Kind::Outcomes;
            let alike =
                (0..fitted.len()).filter(|&j| (fitted[j].prepared.kind == Kind::Outcomes) == kind);
            let value = match residuals[i].len() < MIN_POINTS_FOR_NOISE {
                true => {
                    let squares: Vec<f64> = alike.map(|j| relative(j, problem).powi(2)).collect();
                    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
                }
                false => relative(i, problem),
            };
            // Records without noise (computed ones) are given a finite weight.
            value.max(1e-10) * fitted[i].prepared.size()
        })
        .collect();
    problem.members.iter_mut().zip(noises).for_each(|(member, noise)| member.noise = noise);
}

fn report(
    records: &[Record],
    fitted: &[SingleFit],
    indices: &Indices,
    problem: &JointProblem,
    minimum: &Minimum,
    options: &Options,
) -> Result<JointReport> {
    let rows: Vec<RecordRows> = fitted
        .iter()
        .zip(&problem.members)
        .map(|(fitted, member)| {
            let touch = fitted.start.subject.position(&Role::Touch);
            RecordRows {
                rows: member.rows.clone(),
                correlated: fitted.prepared.kind != Kind::Outcomes,
                touch: touch.map(|local| (member.indices[local], fitted.prepared.spacing())),
            }
        })
        .collect();
    let (uncertainty, noise) = uncertainty(problem, minimum, &rows, options.loss, 1.0);
    let known = (&noise[..], &uncertainty.freedom[..]);
    let repeats = bootstrap(problem, minimum, &rows, known, options, 1.0);
    let mut joint_records = Vec::new();
    for ((record, fitted), member) in records.iter().zip(fitted).zip(&problem.members) {
        let solution = Solution {
            first: fitted.found.clone(),
            minimum: own_minimum(minimum, member),
            uncertainty: own_uncertainty(&uncertainty, member),
            repeats: repeats.iter().map(|repeat| member.own_parameters(repeat)).collect(),
        };
        let fit = record_report(
            &fitted.prepared,
            &fitted.start.subject,
            &*member.problem,
            &solution,
            options,
        );
        let mut fit = fit.map_err(|error| error.at(&record.name))?;
        (fit.statistics.aicc, fit.statistics.bic) = (None, f64::NAN);
        let alone = fitted.alone.parameters.iter();
        let alone = alone.filter(|p| indices.shared.contains(&p.name)).cloned().collect();
        joint_records.push(JointRecord { name: record.name.clone(), fit, alone });
    }
    let value = |name: &String| {
        joint_records
            .iter()
            .find_map(|r: &JointRecord| r.fit.parameters.iter().find(|p| p.name == *name))
    };
    let shared: Vec<FittedParameter> = indices.shared.iter().filter_map(value).cloned().collect();
    let first = indices.count - indices.shared.len();
    let correlation = uncertainty.correlation.get(first..).unwrap_or_default();
    let correlation =
        correlation.iter().map(|row| row.get(first..).unwrap_or_default().to_vec()).collect();
    Ok(JointReport {
        law: joint_records.first().map_or("", |record| record.fit.impact.law),
        statistics: statistics(minimum, problem),
        notes: disagreement_notes(&shared, &joint_records),
        correlation,
        shared,
        records: joint_records,
    })
}

/// Returns the part of the minimum that belongs to a record: its parameters, its residuals in their own unit and
/// their derivatives.
fn own_minimum(minimum: &Minimum, member: &Member) -> Minimum {
    let part = |column: &[f64]| -> Vec<f64> {
        let rows = column.get(member.rows.clone()).unwrap_or_default();
        rows.iter().map(|r| r * member.noise).collect()
    };
    let residuals = part(&minimum.residuals);
    Minimum {
        parameters: member.own_parameters(&minimum.parameters),
        cost: residuals.iter().map(|r| r * r).sum(),
        residuals,
        jacobian: member.indices.iter().map(|&index| part(&minimum.jacobian[index])).collect(),
        iterations: minimum.iterations,
        ended: minimum.ended,
    }
}

fn own_uncertainty(all: &Uncertainty, member: &Member) -> Uncertainty {
    let indices = &member.indices;
    let own = |matrix: &[Vec<f64>]| -> Vec<Vec<f64>> {
        indices.iter().map(|&i| indices.iter().map(|&j| matrix[i][j]).collect()).collect()
    };
    let undetermined = |part: &Vec<usize>| -> Option<Vec<usize>> {
        let local = |index: &usize| indices.iter().position(|own| own == index);
        let local: Vec<usize> = part.iter().filter_map(local).collect();
        (!local.is_empty()).then_some(local)
    };
    Uncertainty {
        errors: member.own_parameters(&all.errors),
        correlation: own(&all.correlation),
        covariance: own(&all.covariance),
        freedom: member.own_parameters(&all.freedom),
        undetermined: all.undetermined.iter().filter_map(undetermined).collect(),
    }
}

/// Returns the criteria of the joint fit: each record has its own noise, so the likelihood has a term N·ln(S/N) for
/// each.
fn statistics(minimum: &Minimum, problem: &JointProblem) -> JointStatistics {
    let points = minimum.residuals.len() as f64;
    let mut likelihood = 0.0;
    for member in &problem.members {
        let own = minimum.residuals.get(member.rows.clone()).unwrap_or_default();
        let mean = own.iter().map(|r| (r * member.noise).powi(2)).sum::<f64>() / own.len() as f64;
        likelihood += own.len() as f64 * mean.max(f64::MIN_POSITIVE).ln();
    }
    let k = (minimum.parameters.len() + problem.members.len()) as f64;
    let (aicc, bic) = criteria(likelihood, points, k);
    JointStatistics {
        points: minimum.residuals.len(),
        free: minimum.parameters.len(),
        aicc: aicc.filter(|aicc| aicc.is_finite()),
        bic,
        iterations: minimum.iterations,
        ended: minimum.ended,
    }
}

/// Returns notes on records whose own value of a shared parameter differs from the shared value by more than chance
/// allows.
///
/// The variance of the difference between an efficient estimate and another estimate of the same parameter is the
/// difference of their variances.
fn disagreement_notes(shared: &[FittedParameter], records: &[JointRecord]) -> Vec<NoteReport> {
    let mut notes = Vec::new();
    for number in shared {
        for record in records {
            let Some(alone) = record.alone.iter().find(|p| p.name == number.name) else { continue };
            let variance = alone.standard_error.powi(2) - number.standard_error.powi(2);
            // If the record dominates the joint fit, the difference of the variances consists of rounding errors.
            let error = variance.max(0.1 * alone.standard_error.powi(2)).sqrt();
            let off = (alone.value - number.value).abs() / error;
            // The limit corresponds to three standard errors of a normal distribution, which one record in 370
            // exceeds by chance.
            if off.is_finite() && off > student::quantile(0.99865, alone.degrees_of_freedom) {
                let shown = |value: f64| crate::units::format(value, &number.unit);
                let message = format!(
                    "{} alone gives {} = {}, {off:.1} standard errors from the shared {}: its conditions differ, or the law does not \
                     hold for all records; ",
                    record.name,
                    number.name.replace('_', " "),
                    shown(alone.value),
                    shown(number.value),
                );
                let advice = sentence!(
                    "{}leave it out, or name in {} only what is the same in all",
                    message,
                    Action::give("shared")
                );
                notes.push(NoteReport::new("records_disagree", advice));
            }
        }
    }
    notes
}
