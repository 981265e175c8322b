//! Which law explains the data: many laws fitted and ordered.
//!
//! The order is that of AICc. Δ is the distance to the best, exp(−Δ/2) its relative likelihood, and the
//! weights of Akaike share 1 among laws that differ. Many laws of the catalogue are one force with
//! different formulas from restitution to damping; with the damping free they are the same curve, and all
//! but the first say so. With a restitution given, each takes its own formula and they part.
//!
//! Criteria assume independent noise. A thousand points of a smooth misfit are not a thousand witnesses:
//! a Δ of hundreds means that one curve is nearer, not that the other law is wrong for the material.

use super::report::{FitReport, FittedParameter};
use super::run::{fit_ready, ready};
use super::{Data, Options};
use crate::error::Result;
use crate::model::{Input, Model};
use crate::spec::Spec;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Laws in the order of AICc, and those that could not be fitted.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// The best first.
    pub laws: Vec<Ranked>,
    /// With the reason for each.
    pub failed: Vec<Failed>,
    /// The whole fit of the best law.
    pub best: Option<FitReport>,
    /// Fits of all laws, in the order of `laws`.
    #[serde(skip)]
    pub fits: Vec<FitReport>,
}

/// A fitted law in a ranking.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// Place, from 1 on; laws with the same curve share it.
    pub rank: usize,
    /// Id of the law.
    pub law: &'static str,
    /// As cited.
    pub title: &'static str,
    /// The law above that has the same curve.
    pub same_as: Option<&'static str>,
    /// Akaike's criterion, corrected.
    pub aicc: f64,
    /// Distance to the best.
    pub delta: f64,
    /// Its share of the evidence among laws that differ.
    pub weight: f64,
    /// Bayes's criterion.
    pub bic: f64,
    /// Root mean square of the residuals.
    pub residual_rms: f64,
    /// The same over the largest force.
    pub relative_rms: f64,
    /// Share of the variance explained.
    pub r_squared: f64,
    /// Delivered restitution.
    pub restitution: f64,
    /// What was fitted.
    pub parameters: Vec<FittedParameter>,
}

/// A law that could not be fitted.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// Id of the law.
    pub law: &'static str,
    /// Why.
    pub reason: String,
}

/// Sums of squares closer than this are the same curve.
const SAME: f64 = 1e-6;

/// Fits every law of `models` and orders them; `finished` is told how many are done.
///
/// Free parameters that a law does not have are left out for that law; a law of which everything is known
/// takes part as it is.
///
/// # Errors
/// When the data themselves cannot be used; a law that fails is a row of [`Ranking::failed`].
pub fn rank(
    data: &Data,
    spec: &Spec,
    options: &Options,
    models: &[&'static Model],
    finished: &(dyn Fn(usize) + Sync),
) -> Result<Ranking> {
    let Some(first) = models.first() else {
        return Ok(Ranking { laws: vec![], failed: vec![], best: None, fits: vec![] });
    };
    let ready = ready(data, &Spec { law: first.id.into(), ..spec.clone() }, options)?;
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut mine = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let model = match models.get(i) {
                Some(&model) if !options.stop.raised() => model,
                _ => return mine,
            };
            let (spec, options) = (spec_for(model, spec), options_for(model, options));
            mine.push((model, fit_ready(&ready, &spec, &options, true)));
            finished(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(models.len());
    let mut all: Vec<(&'static Model, Result<FitReport>)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        // A thread that panicked would leave its laws out; nothing here panics.
        all.extend(others.into_iter().filter_map(|thread| thread.join().ok()).flatten());
        all
    });
    options.stop.check()?;
    let place = |model: &Model| models.iter().position(|m| m.id == model.id);
    all.sort_by_key(|(model, _)| place(model));
    Ok(ordered(all))
}

fn ordered(all: Vec<(&'static Model, Result<FitReport>)>) -> Ranking {
    let (mut fits, mut failed) = (Vec::new(), Vec::new());
    for (model, result) in all {
        match result {
            Ok(fit) => fits.push((model, fit)),
            Err(error) => failed.push(Failed { law: model.id, reason: error.to_string() }),
        }
    }
    // Equal curves differ by rounding; the order of the catalogue decides between them.
    let key = |fit: &FitReport| (fit.statistics.aicc * 1e3).round();
    fits.sort_by(|a, b| key(&a.1).total_cmp(&key(&b.1)));
    let lowest = fits.first().map_or(0.0, |(_, fit)| fit.statistics.aicc);
    let mut laws: Vec<Ranked> = Vec::new();
    for (model, fit) in &fits {
        let s = &fit.statistics;
        let same = |other: &&Ranked| {
            let free = other.parameters.len() == fit.parameters.len();
            free && (other.residual_rms - s.residual_rms).abs() <= SAME * s.residual_rms
                && (other.restitution - fit.impact.restitution.newton).abs() < 1e-4
        };
        let twin = laws.iter().find(same).map(|law| (law.rank, law.law));
        let delta = s.aicc - lowest;
        laws.push(Ranked {
            rank: twin.map_or(laws.len() + 1, |twin| twin.0),
            law: model.id,
            title: model.title,
            same_as: twin.map(|twin| twin.1),
            aicc: s.aicc,
            delta,
            weight: if twin.is_some() { 0.0 } else { (-0.5 * delta).exp() },
            bic: s.bic,
            residual_rms: s.residual_rms,
            relative_rms: s.relative_rms,
            r_squared: s.r_squared,
            restitution: fit.impact.restitution.newton,
            parameters: fit.parameters.clone(),
        });
    }
    let sum: f64 = laws.iter().map(|law| law.weight).sum();
    for i in 0..laws.len() {
        laws[i].weight /= sum;
        // The same curve has the same weight; it is counted once.
        if let Some(same) = laws[i].same_as {
            laws[i].weight = laws.iter().find(|law| law.law == same).map_or(0.0, |law| law.weight);
        }
    }
    let fits: Vec<FitReport> = fits.into_iter().map(|(_, fit)| fit).collect();
    Ranking { laws, failed, best: fits.first().cloned(), fits }
}

/// What is known, for this law: a restitution by its own formula, else exactly, and not for elastic laws.
fn spec_for(model: &'static Model, spec: &Spec) -> Spec {
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

/// What is free, of what this law has.
fn options_for(model: &'static Model, options: &Options) -> Options {
    let general = ["stiffness", "exponent", "speed", "touch", "offset"];
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
