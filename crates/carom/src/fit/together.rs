//! Several records fitted together: the same ball at several speeds, or the same drop several times.
//!
//! Each record is fitted alone first; that finds its start and its noise, and says afterwards whether the records agree. Then all
//! are fitted at once, with the numbers of the law shared and what belongs to one measurement (time of touch, zero and drift of
//! the sensor, the speed) its own. Records are weighted by their noise, which is estimated again from the joint fit (Aitken's
//! generalised least squares with estimated weights: G. A. F. Seber, C. J. Wild, Nonlinear Regression, Wiley 1989, chapter 2).

use super::joint_problem::{JointProblem, Member};
use super::least_squares::{Ended, Minimum, minimise};
use super::loss::{Loss, spread};
use super::prepare::{Prepared, prepare};
use super::report::{FitReport, FittedParameter};
use super::run::{
    RecordRows, Solution, begin, bootstrap, fit_prepared, record_report, uncertainty,
};
use super::series::Kind;
use super::start::Start;
use super::statistics::{Uncertainty, criteria};
use super::subject::{Free, Role};
use super::{Data, Options};
use crate::error::{Error, Result};
use crate::message::Action;
use crate::numeric::student;
use crate::report::NoteReport;
use crate::spec::Spec;
use serde::Serialize;

/// One of several records.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// For messages and reports, such as the name of a file.
    pub name: String,
    /// What was measured.
    pub data: Data<'a>,
    /// What is known of it; the law is the same in all records.
    pub spec: Spec,
}

/// Several records fitted together.
#[derive(Clone, Debug, Serialize)]
pub struct JointReport {
    /// Id of the law.
    pub law: &'static str,
    /// Numbers that records share.
    pub shared: Vec<FittedParameter>,
    /// Correlations of the shared numbers, in their order.
    pub correlation: Vec<Vec<f64>>,
    /// How good the fit is.
    pub statistics: JointStatistics,
    /// Every record with its own numbers.
    pub records: Vec<JointRecord>,
    /// Notes on the fit as a whole; each record has notes of its own.
    pub notes: Vec<NoteReport>,
}

/// How good a fit to several records is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JointStatistics {
    /// Points that were fitted.
    pub points: usize,
    /// Free numbers, shared ones counted once.
    pub free: usize,
    /// Akaike's criterion, corrected for few points, with a noise of its own for every record; less is better.
    pub aicc: Option<f64>,
    /// Bayes's criterion; less is better.
    pub bic: f64,
    /// Iterations of the search.
    pub iterations: usize,
    /// How the search ended.
    pub ended: Ended,
}

/// One record of a joint fit.
#[derive(Clone, Debug, Serialize)]
pub struct JointRecord {
    /// Its name.
    pub name: String,
    /// Its impact, all its numbers (the shared ones as well) and its residuals, in the form of a fit of one record. The
    /// criteria of Akaike and Bayes are those of the whole fit, and not repeated here.
    #[serde(flatten)]
    pub fit: FitReport,
    /// The shared numbers as this record alone gives them.
    pub alone: Vec<FittedParameter>,
}

/// Fewest points with which a record has a noise of its own; smaller ones share that of all their kind, relative to their size.
const MIN_POINTS_FOR_NOISE: usize = 20;

/// Fits one law to several records.
///
/// `shared` are the numbers that all records share, by name; the others are found for each record by itself. Where it is empty, all
/// numbers of the law are shared and the speed is not. Times of touch, zeros and drifts of a sensor are never shared: each record has a clock
/// and a zero of its own.
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
/// When there are fewer than two records, when one of them cannot be fitted alone, when a name to share is not one of a free
/// number of the law, or when the laws differ.
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
        fitted.push(alone(record, options).map_err(|error| error.at(&record.name))?);
    }
    let places = places(&fitted, shared)?;
    let mut problem = problem(&fitted, &places, options);
    let minimum = search(&fitted, &mut problem, options)?;
    options.stop.check()?;
    report(records, &fitted, &places, &problem, &minimum, options)
}

/// A record and the fit to it alone.
struct SingleFit<'a> {
    prepared: Prepared<'a>,
    start: Start,
    alone: FitReport,
    /// The searched numbers of that fit.
    found: Vec<f64>,
}

/// Fits a record alone.
fn alone<'a>(record: &Record<'a>, options: &Options) -> Result<SingleFit<'a>> {
    let prepared = prepare(&record.data, &record.spec, options)?;
    let plain = Options { bootstrap: 0, reference: Vec::new(), ..options.clone() };
    let alone = fit_prepared(&prepared, &record.spec, &plain, false)?;
    let (start, _) = begin(&prepared, &record.spec, options)?;
    let free = start.subject.free.iter().zip(&alone.parameters);
    let found = free.map(|(free, parameter)| free.searched(parameter.value)).collect();
    Ok(SingleFit { prepared, start, alone, found })
}

/// The indices of the numbers of each record among all.
struct Indices {
    of_records: Vec<Vec<usize>>,
    /// Names of the shared numbers; they are the last.
    shared: Vec<String>,
    count: usize,
}

/// Shares the numbers named, or all of the law, and numbers all of them.
fn places(fitted: &[SingleFit], named: &[String]) -> Result<Indices> {
    let free = || fitted.iter().flat_map(|fitted| &fitted.start.subject.free);
    let may_be_shared = |free: &&Free| !free.is_nuisance();
    let mut names: Vec<String> = Vec::new();
    for name in named.iter().map(|name| name.trim().replace('-', "_")) {
        if !free().filter(may_be_shared).any(|free| free.name == name) {
            let mut known: Vec<&str> =
                free().filter(may_be_shared).map(|free| free.name.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            let own = free().any(|free| free.name == name);
            let advice = match own {
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
    let position = |free: &Free| names.iter().position(|name| *name == free.name);
    let own: usize = free().filter(|free| position(free).is_none()).count();
    let mut next = 0;
    let mut place = |free: &Free| match position(free) {
        Some(shared) => own + shared,
        None => {
            next += 1;
            next - 1
        }
    };
    let of_records = fitted
        .iter()
        .map(|fitted| fitted.start.subject.free.iter().map(&mut place).collect())
        .collect();
    Ok(Indices { of_records, count: own + names.len(), shared: names })
}

fn problem<'a>(
    fitted: &'a [SingleFit<'a>],
    places: &Indices,
    options: &'a Options,
) -> JointProblem<'a> {
    let mut members = Vec::new();
    let mut next = 0;
    for (fitted, places) in fitted.iter().zip(&places.of_records) {
        let rows = next..next + fitted.prepared.measured().len();
        next = rows.end;
        let problem = fitted.prepared.problem(&fitted.start.subject, &options.stop);
        members.push(Member { problem, places: places.clone(), rows, noise: 1.0 });
    }
    JointProblem { members, count: places.count }
}

/// Start values: means of the fits to single records, weighted by their errors, then the numbers of each such fit.
fn starts(fitted: &[SingleFit], problem: &JointProblem) -> Vec<Vec<f64>> {
    let mut mean = vec![0.0; problem.count];
    let mut weight = vec![0.0; problem.count];
    for (fitted, member) in fitted.iter().zip(&problem.members) {
        let free = fitted.start.subject.free.iter().zip(&fitted.alone.parameters);
        for ((&place, x), (free, parameter)) in member.places.iter().zip(&fitted.found).zip(free) {
            let error = parameter.standard_error / free.slope(*x);
            // A number that a record does not determine has the smallest weight.
            let one = (1.0 / (error * error)).clamp(1e-12, 1e12);
            let one = if one.is_nan() { 1e-12 } else { one };
            mean[place] += one * x;
            weight[place] += one;
        }
    }
    mean.iter_mut().zip(&weight).for_each(|(sum, weight)| *sum /= weight);
    let mut all = vec![mean.clone()];
    for (fitted, member) in fitted.iter().zip(&problem.members) {
        let mut x = mean.clone();
        member.places.iter().zip(&fitted.found).for_each(|(&place, own)| x[place] = *own);
        all.push(x);
    }
    all
}

/// The best minimum, with the noise of the records estimated from it.
fn search(fitted: &[SingleFit], problem: &mut JointProblem, options: &Options) -> Result<Minimum> {
    let loss = options.loss;
    let residuals: Vec<Vec<f64>> = fitted
        .iter()
        .zip(&problem.members)
        .map(|(fitted, member)| member.problem.residuals(&fitted.found).unwrap_or_default())
        .collect();
    set_noise(fitted, problem, &residuals, loss);
    let mut best: Option<Minimum> = None;
    for x in starts(fitted, problem) {
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
        let places = &problem.members[i].places;
        let shared = |place: &&usize| {
            problem.members.iter().filter(|member| member.places.contains(place)).count() > 1
        };
        let common = places.iter().filter(shared).count();
        let own = places.len() - common;
        let points = residuals[i].len() as f64;
        (points - own as f64 - common as f64 * points / total as f64).max(1.0)
    };
    let own = |i: usize, problem: &JointProblem| match loss {
        Loss::Squares => {
            let sum: f64 = residuals[i].iter().map(|r| r * r).sum();
            (sum / spare(i, problem)).sqrt()
        }
        _ => spread(&residuals[i]),
    };
    let relative = |i: usize, problem: &JointProblem| own(i, problem) / fitted[i].prepared.size();
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
            // Records without noise (computed ones) still get a finite weight.
            value.max(1e-10) * fitted[i].prepared.size()
        })
        .collect();
    problem.members.iter_mut().zip(noises).for_each(|(member, noise)| member.noise = noise);
}

fn report(
    records: &[Record],
    fitted: &[SingleFit],
    places: &Indices,
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
                touch: touch.map(|local| (member.places[local], fitted.prepared.spacing())),
            }
        })
        .collect();
    let (uncertainty, noise) = uncertainty(problem, minimum, &rows, options.loss, 1.0);
    let known = (&noise[..], &uncertainty.freedom[..]);
    let repeats = bootstrap(problem, minimum, &rows, known, options, 1.0);
    let mut all = Vec::new();
    for ((record, fitted), member) in records.iter().zip(fitted).zip(&problem.members) {
        let solution = Solution {
            first: fitted.found.clone(),
            minimum: own_minimum(minimum, member),
            uncertainty: own_uncertainty(&uncertainty, member),
            repeats: repeats.iter().map(|repeat| member.numbers(repeat)).collect(),
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
        let alone = alone.filter(|p| places.shared.contains(&p.name)).cloned().collect();
        all.push(JointRecord { name: record.name.clone(), fit, alone });
    }
    let value = |name: &String| {
        all.iter().find_map(|r: &JointRecord| r.fit.parameters.iter().find(|p| p.name == *name))
    };
    let shared: Vec<FittedParameter> = places.shared.iter().filter_map(value).cloned().collect();
    let first = places.count - places.shared.len();
    let correlation = uncertainty.correlation.get(first..).unwrap_or_default();
    let correlation =
        correlation.iter().map(|row| row.get(first..).unwrap_or_default().to_vec()).collect();
    Ok(JointReport {
        law: all.first().map_or("", |record| record.fit.impact.law),
        statistics: statistics(minimum, problem),
        notes: disagreements(&shared, &all),
        correlation,
        shared,
        records: all,
    })
}

/// The part of a record: its numbers, its residuals in their own unit and their derivatives.
fn own_minimum(minimum: &Minimum, member: &Member) -> Minimum {
    let part = |column: &[f64]| -> Vec<f64> {
        let rows = column.get(member.rows.clone()).unwrap_or_default();
        rows.iter().map(|r| r * member.noise).collect()
    };
    let residuals = part(&minimum.residuals);
    Minimum {
        parameters: member.numbers(&minimum.parameters),
        cost: residuals.iter().map(|r| r * r).sum(),
        residuals,
        jacobian: member.places.iter().map(|&place| part(&minimum.jacobian[place])).collect(),
        iterations: minimum.iterations,
        ended: minimum.ended,
    }
}

fn own_uncertainty(all: &Uncertainty, member: &Member) -> Uncertainty {
    let places = &member.places;
    let own = |matrix: &[Vec<f64>]| -> Vec<Vec<f64>> {
        places.iter().map(|&i| places.iter().map(|&j| matrix[i][j]).collect()).collect()
    };
    let undetermined = |part: &Vec<usize>| -> Option<Vec<usize>> {
        let local = |place: &usize| places.iter().position(|own| own == place);
        let local: Vec<usize> = part.iter().filter_map(local).collect();
        (!local.is_empty()).then_some(local)
    };
    Uncertainty {
        errors: member.numbers(&all.errors),
        correlation: own(&all.correlation),
        covariance: own(&all.covariance),
        freedom: member.numbers(&all.freedom),
        undetermined: all.undetermined.iter().filter_map(undetermined).collect(),
    }
}

/// AICc of the joint fit: each record has a noise of its own, so that the likelihood has a term N·ln(S/N) for each.
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

/// Records whose own value of a shared number lies further from it than chance allows.
///
/// The difference of an efficient estimate and another of the same number has the difference of their variances.
fn disagreements(shared: &[FittedParameter], records: &[JointRecord]) -> Vec<NoteReport> {
    let mut notes = Vec::new();
    for number in shared {
        for record in records {
            let Some(alone) = record.alone.iter().find(|p| p.name == number.name) else { continue };
            let variance = alone.standard_error.powi(2) - number.standard_error.powi(2);
            // Where the record dominates the joint fit, the difference of the variances is rounding.
            let error = variance.max(0.1 * alone.standard_error.powi(2)).sqrt();
            let off = (alone.value - number.value).abs() / error;
            // Three standard errors of a normal distribution, one record in 370.
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
