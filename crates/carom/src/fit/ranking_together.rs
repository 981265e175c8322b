//! Fits many laws to several records together and orders them by how well they explain the data.
//!
//! The order is that of [`rank`](super::rank): AICc of the joint fit, in which every record has its own noise.

use super::Options;
use super::ranking::{
    Candidate, Criterion, FailedFit, RankedLaw, fit_each, fitted_law, options_for, rank_candidates,
    spec_for,
};
use super::statistics::Statistics;
use super::together::{JointReport, Record, fit_together};
use crate::error::Result;
use crate::model::Model;
use crate::report::NoteReport;
use serde::Serialize;

/// Laws in order of a joint fit to several records, and those that could not be fitted.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct JointRanking {
    /// Criterion by which the laws are ordered.
    pub criterion: Criterion,
    /// Notes on the reason why the criterion is not AICc.
    pub notes: Vec<NoteReport>,
    /// Laws, the best first; those without a rank last. Their parameters are the shared ones, their residuals those
    /// of all records, and their restitution is that of the first record.
    pub laws: Vec<RankedLaw>,
    /// Laws that could not be fitted, with the reason for each.
    pub failed: Vec<FailedFit>,
    /// Complete fit of the best law.
    pub best: Option<JointReport>,
}

/// Fits every law of `models` to all records together ([`fit_together`]) and orders them; `finished` is called with
/// the number of laws that have been fitted. The laws given in the records are ignored.
///
/// A shared parameter that a law does not have is omitted for that law.
///
/// # Errors
/// When the search is stopped; a law that cannot be fitted is listed in [`JointRanking::failed`].
pub fn rank_together(
    records: &[Record],
    shared: &[String],
    options: &Options,
    models: &[&'static Model],
    finished: &(dyn Fn(usize) + Sync),
) -> Result<JointRanking> {
    let fitted = |model: &'static Model| {
        let mut records = records.to_vec();
        records.iter_mut().for_each(|record| record.spec = spec_for(model, &record.spec));
        let named = Options { free: shared.to_vec(), ..Options::default() };
        let shared = options_for(model, &named).free;
        fit_together(&records, &shared, &options_for(model, options))
    };
    let all = fit_each(models, options, finished, &fitted)?;
    let (ranking, fits) = rank_candidates(all, candidate);
    let best = fits.into_iter().next();
    let (criterion, notes) = (ranking.criterion, ranking.notes);
    Ok(JointRanking { criterion, notes, laws: ranking.laws, failed: ranking.failed, best })
}

fn candidate(joint: &JointReport) -> Candidate {
    let fits = || joint.records.iter().map(|record| &record.fit);
    let sum = |of: &dyn Fn(&Statistics) -> f64| -> f64 {
        fits().map(|fit| fit.statistics.points as f64 * of(&fit.statistics)).sum()
    };
    let points = joint.statistics.points as f64;
    let squares = sum(&|s| s.residual_rms.powi(2));
    let total = sum(&|s| s.residual_rms.powi(2) / (1.0 - s.r_squared).max(f64::MIN_POSITIVE));
    let statistics = Statistics {
        points: joint.statistics.points,
        free: joint.statistics.free,
        aicc: joint.statistics.aicc,
        bic: joint.statistics.bic,
        residual_rms: (squares / points).sqrt(),
        relative_rms: (sum(&|s| s.relative_rms.powi(2)) / points).sqrt(),
        r_squared: if total > 0.0 { 1.0 - squares / total } else { f64::NAN },
        iterations: joint.statistics.iterations,
        ended: joint.statistics.ended,
        // The statistic is defined for each record alone.
        durbin_watson: f64::NAN,
    };
    Candidate {
        statistics,
        leave_one_out: None,
        restitution: fits().next().map_or(f64::NAN, |fit| fit.impact.restitution.newton),
        parameters: joint.shared.clone(),
        laws: fits().map(fitted_law).collect(),
    }
}
