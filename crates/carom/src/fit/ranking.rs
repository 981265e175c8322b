//! Fits many laws to the data and orders them by how well they explain it.
//!
//! Laws are ordered by AICc. Δ is the difference from the best AICc, exp(−Δ/2) the relative likelihood of a law, and
//! the Akaike weights sum to 1 over all forces that differ. Many laws of the catalogue are the same force with
//! different formulas for the damping as a function of restitution; if the damping is free they yield the same curve
//! ([`same_force`]). The best-known one of them is ranked and has the weight; the others refer to it. If a
//! restitution is given, each law uses its own formula and their forces differ.
//!
//! AICc exists only if there are at least two values more than free parameters, noise included: it does not for three
//! drops and two free parameters. In that case all laws are ordered by leave-one-out errors: each value is predicted
//! from a fit to all the others, and the root mean square of these errors is the criterion. It penalises free
//! parameters that merely follow the data, and exists if there is at least one value more than free parameters. It
//! yields no weights. All laws of a ranking are ordered by the same criterion; a law for which it does not exist has
//! no rank.
//!
//! The criteria assume independent noise. A thousand points of a smooth misfit are not a thousand independent
//! observations: a Δ of hundreds means that one curve is closer to the data; it does not disprove the other law for
//! the material.
//!
//! References: on leave-one-out, M. Stone, J. R. Statist. Soc. B 36 (1974) 111; on the use of AICc, K. P. Burnham, D.
//! R. Anderson, Model Selection and Multimodel Inference, 2nd ed., Springer 2002, chapter 2.

use super::prepare::prepare;
use super::report::{FitReport, FittedParameter};
use super::run::fit_prepared;
use super::statistics::Statistics;
use super::{Data, Options};
use crate::error::Result;
use crate::law::Law;
use crate::message::{Message, WordedAction};
use crate::model::{Input, Model};
use crate::report::NoteReport;
use crate::same_force::{self, Scale};
use crate::spec::Spec;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Criterion by which laws are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// Akaike's information criterion, corrected for small samples.
    #[default]
    Aicc,
    /// Root mean square error of predicting each value from a fit to the others.
    LeaveOneOut,
    /// No criterion, because there are too few values to order the laws.
    None,
}

/// Laws in order, and those that could not be fitted.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Ranking {
    /// Criterion by which the laws are ordered.
    pub criterion: Criterion,
    /// Notes on the reason why the criterion is not AICc.
    pub notes: Vec<NoteReport>,
    /// Laws, the best first; those without a rank last.
    pub laws: Vec<RankedLaw>,
    /// Laws that could not be fitted, with the reason for each.
    pub failed: Vec<FailedFit>,
    /// Complete fit of the best law.
    pub best: Option<FitReport>,
    /// Fits of all laws, in the order of `laws`.
    #[serde(skip)]
    pub fits: Vec<FitReport>,
}

/// A fitted law in a ranking.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RankedLaw {
    /// Rank, beginning with 1; laws with the same force share it. None if the criterion does not exist for the law.
    pub rank: Option<usize>,
    /// Id of the law.
    pub law: &'static str,
    /// Title of the law as it is cited.
    pub title: &'static str,
    /// Id of the better-known law that has the same force.
    pub same_as: Option<&'static str>,
    /// Akaike's information criterion, corrected for small samples; none if there are too few values for it.
    pub aicc: Option<f64>,
    /// Difference from the best AICc, if AICc is the criterion.
    pub delta: Option<f64>,
    /// Akaike weight among forces that differ, if AICc is the criterion. All laws with the same force share one
    /// weight, which is given for the first of them; the weights of all laws sum to 1.
    pub weight: Option<f64>,
    /// Root mean square error of values predicted from fits to the others, if there are fewer than 20 of them:
    /// relative for results of impacts, divided by the largest force for curves.
    pub leave_one_out: Option<f64>,
    /// Bayesian information criterion.
    pub bic: f64,
    /// Root mean square of the residuals.
    pub residual_rms: f64,
    /// Root mean square of the residuals divided by the largest force.
    pub relative_rms: f64,
    /// Coefficient of determination R²: share of the variance of the data that the fit explains.
    pub r_squared: f64,
    /// Restitution that the fitted law delivers.
    pub restitution: f64,
    /// Fitted parameters.
    pub parameters: Vec<FittedParameter>,
}

/// A law that could not be fitted.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FailedFit {
    /// Id of the law.
    pub law: &'static str,
    /// Reason for the failure.
    pub reason: Message,
    /// Actions that may help; the text of each is part of the reason.
    pub advice: Vec<WordedAction>,
}

/// Largest difference, relative to the largest force, at which fitted forces count as the same: a fit determines its
/// minimum to a few digits only.
const SAME_FORCE_TOLERANCE: f64 = 1e-4;

/// Fits every law of `models` and orders them; `finished` is called with the number of laws that have been fitted.
///
/// Free parameters that a law does not have are omitted for that law; a law without free parameters takes part as it
/// is.
///
/// # Errors
/// When the data themselves cannot be used; a law that cannot be fitted is listed in [`Ranking::failed`].
pub fn rank(
    data: &Data,
    spec: &Spec,
    options: &Options,
    models: &[&'static Model],
    finished: &(dyn Fn(usize) + Sync),
) -> Result<Ranking> {
    let Some(first) = models.first() else {
        return Ok(Ranking::default());
    };
    let prepared = prepare(data, &Spec { law: first.id.into(), ..spec.clone() }, options)?;
    let fitted = |model: &'static Model| {
        fit_prepared(&prepared, &spec_for(model, spec), &options_for(model, options), true)
    };
    let all = fit_each(models, options, finished, &fitted)?;
    let (ranking, fits) = rank_candidates(all, |fit: &FitReport| Candidate {
        statistics: fit.statistics,
        leave_one_out: fit.leave_one_out,
        restitution: fit.impact.restitution.newton,
        parameters: fit.parameters.clone(),
        laws: vec![fitted_law(fit)],
    });
    Ok(Ranking { best: fits.first().cloned(), fits, ..ranking })
}

/// Data of a fitted law that a ranking needs.
pub(super) struct Candidate {
    pub statistics: Statistics,
    pub leave_one_out: Option<f64>,
    pub restitution: f64,
    pub parameters: Vec<FittedParameter>,
    /// The law in every record, with the scales of the impact at which forces are compared.
    pub laws: Vec<(Law, Scale)>,
}

/// Returns the law of a fit, with the scales of its impact.
pub(super) fn fitted_law(fit: &FitReport) -> (Law, Scale) {
    let impact = &fit.impact;
    let scale =
        Scale { speed: impact.speed, indentation: impact.indentation_max, force: impact.force_max };
    (fit.law, scale)
}

/// Calls `fitted` for every law on all threads, and returns the results in the order of the laws.
pub(super) fn fit_each<T: Send>(
    models: &[&'static Model],
    options: &Options,
    finished: &(dyn Fn(usize) + Sync),
    fitted: &(dyn Fn(&'static Model) -> T + Sync),
) -> Result<Vec<(&'static Model, T)>> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut mine = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let model = match models.get(i) {
                Some(&model) if !options.stop.raised() => model,
                _ => return mine,
            };
            mine.push((model, fitted(model)));
            finished(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(models.len());
    let mut all: Vec<(&'static Model, T)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        // Joining fails only after a panic, and no code here panics.
        all.extend(others.into_iter().filter_map(|thread| thread.join().ok()).flatten());
        all
    });
    options.stop.check()?;
    let index = |model: &Model| models.iter().position(|m| m.id == model.id);
    all.sort_by_key(|(model, _)| index(model));
    Ok(all)
}

/// Returns the ranking of the fits, with ranks and weights, and the fits in its order.
pub(super) fn rank_candidates<T>(
    all: Vec<(&'static Model, Result<T>)>,
    candidate: impl Fn(&T) -> Candidate,
) -> (Ranking, Vec<T>) {
    let (mut fits, mut candidates, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (model, result) in all {
        match result {
            Ok(fit) => {
                candidates.push((model, candidate(&fit)));
                fits.push(Some(fit));
            }
            Err(error) => {
                let reason = error.message();
                failed.push(FailedFit { law: model.id, advice: reason.advice(), reason });
            }
        }
    }
    let (criterion, notes) = choose_criterion(&candidates);
    let value = |index: usize| match criterion {
        Criterion::Aicc => candidates[index].1.statistics.aicc,
        Criterion::LeaveOneOut => candidates[index].1.leave_one_out,
        Criterion::None => None,
    };
    let mut families = same_force_families(&candidates);
    // The sort is stable: families without a value keep the order of the catalogue.
    families.sort_by(|a, b| {
        let criterion_of = |family: &[usize]| value(family[0]).unwrap_or(f64::INFINITY);
        criterion_of(a).total_cmp(&criterion_of(b))
    });
    let best = families.first().and_then(|family| value(family[0]));
    let delta = |family: &[usize]| match criterion {
        Criterion::Aicc => Some(value(family[0])? - best?),
        _ => None,
    };
    let likelihood = |family: &[usize]| Some((-0.5 * delta(family)?).exp());
    let total: f64 = families.iter().filter_map(|family| likelihood(family)).sum();
    let mut laws: Vec<RankedLaw> = Vec::new();
    for family in &families {
        let lead = candidates[family[0]].0.id;
        let rank = value(family[0]).map(|_| laws.len() + 1);
        for (i, &index) in family.iter().enumerate() {
            let (model, fit) = &candidates[index];
            let s = &fit.statistics;
            laws.push(RankedLaw {
                rank,
                law: model.id,
                title: model.title,
                same_as: (i > 0).then_some(lead),
                aicc: s.aicc,
                delta: delta(family),
                weight: likelihood(family).filter(|_| i == 0).map(|one| one / total),
                leave_one_out: fit.leave_one_out,
                bic: s.bic,
                residual_rms: s.residual_rms,
                relative_rms: s.relative_rms,
                r_squared: s.r_squared,
                restitution: fit.restitution,
                parameters: fit.parameters.clone(),
            });
        }
    }
    let ordered = families.iter().flatten().filter_map(|&index| fits.get_mut(index)?.take());
    let fits = ordered.collect();
    (Ranking { criterion, notes, laws, failed, ..Ranking::default() }, fits)
}

/// Returns AICc if it exists for every law; otherwise leave-one-out, for the laws for which that exists.
fn choose_criterion(fits: &[(&'static Model, Candidate)]) -> (Criterion, Vec<NoteReport>) {
    let Some(most) = fits.iter().map(|(_, fit)| fit.statistics.free).max() else {
        return (Criterion::Aicc, Vec::new());
    };
    if fits.iter().all(|(_, fit)| fit.statistics.aicc.is_some()) {
        return (Criterion::Aicc, Vec::new());
    }
    let (count, records) =
        fits.first().map_or((0, 1), |(_, fit)| (fit.statistics.points, fit.laws.len()));
    let measured = match count {
        1 => "1 measured number is".to_string(),
        _ => format!("{count} measured numbers are"),
    };
    // Each record has its own noise parameter.
    let needed = most + records + 2;
    let few = format!("{measured} too few for AICc: with {most} free it needs at least {needed}");
    let (criterion, then) = match fits.iter().any(|(_, fit)| fit.leave_one_out.is_some()) {
        true => (
            Criterion::LeaveOneOut,
            "the laws are ordered by how well each number is predicted from the others (leave-one-out), which has no weights",
        ),
        false => (
            Criterion::None,
            "and none is left over to try a prediction on, so that the laws cannot be ranked; measure more impacts, or leave fewer numbers free",
        ),
    };
    let joint = if criterion == Criterion::None { ", " } else { "; " };
    let message = format!("{few}{joint}{then}");
    (criterion, vec![NoteReport::new("few_numbers", message)])
}

/// Groups the indices of fits that have the same force in every record and equally many free parameters, the
/// best-known law first.
fn same_force_families(fits: &[(&'static Model, Candidate)]) -> Vec<Vec<usize>> {
    let Some((_, first)) = fits.first() else { return Vec::new() };
    let mut counts: Vec<usize> = fits.iter().map(|(_, fit)| fit.statistics.free).collect();
    counts.sort_unstable();
    counts.dedup();
    let with = |count: usize| {
        (0..fits.len()).filter(|&i| fits[i].1.statistics.free == count).collect::<Vec<_>>()
    };
    let mut families: Vec<Vec<usize>> = counts.into_iter().map(with).collect();
    for (record, (_, scale)) in first.laws.iter().enumerate() {
        let same = |family: Vec<usize>| {
            let law = |&i: &usize| Some((fits[i].0, fits[i].1.laws.get(record)?.0));
            let laws: Vec<_> = family.iter().filter_map(law).collect();
            let parts = same_force::families(&laws, scale, SAME_FORCE_TOLERANCE);
            let places = |part: Vec<usize>| part.iter().map(|&i| family[i]).collect::<Vec<_>>();
            parts.into_iter().map(places).collect::<Vec<_>>()
        };
        families = families.into_iter().flat_map(same).collect();
    }
    families
}

/// Returns the description for this law without keys that it does not accept; a restitution is calibrated by the
/// published formula of the law if it takes a restitution, otherwise exactly.
pub(super) fn spec_for(model: &'static Model, spec: &Spec) -> Spec {
    let mut spec = Spec { law: model.id.into(), ..spec.clone() };
    if spec.restitution.is_some() && spec.calibration.is_none() {
        spec.calibration = match model.input {
            Input::Restitution => Some("published".into()),
            _ => Some("exact".into()),
        };
    }
    if model.input == Input::Elastic {
        (spec.restitution, spec.calibration, spec.damping) = (None, None, None);
    }
    let own = |name: &str| model.parameters.iter().any(|p| p.name == name);
    if !own("damping_exponent") {
        spec.damping_exponent = None;
    }
    if !own("rate_exponent") {
        spec.rate_exponent = None;
    }
    let fact = |name: &str| crate::pair::FACTS.iter().any(|(fact, ..)| *fact == name);
    spec.set.retain(|name, _| own(name) || fact(name));
    spec
}

/// Returns the options without free parameters that this law does not have.
pub(super) fn options_for(model: &'static Model, options: &Options) -> Options {
    let general = ["stiffness", "exponent", "speed", "touch", "offset", "drift"];
    let dissipates = model.input != Input::Elastic;
    let mut options = Options { reference: Vec::new(), ..options.clone() };
    options.free.retain(|name| {
        let plain = name.trim().replace('-', "_");
        general.contains(&plain.as_str())
            || (dissipates && plain == "damping")
            || (model.input == Input::Restitution && plain == "restitution")
            || model.parameters.iter().any(|p| p.name == plain)
    });
    options
}
