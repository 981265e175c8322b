//! Searches the lowest minimum from several start vectors.
//!
//! - Parameters whose start values are guesses (a relaxation time) are tried over several powers of ten, and the
//!   search begins from the best few candidates that differ.
//! - If the force of a law jumps at touch (Kelvin–Voigt), the sum of squares jumps whenever the time of touch passes
//!   a measured point; the search is then repeated between other points.

use super::least_squares::{EndReason, Minimum, Problem, minimise};
use super::loss::{Loss, robust_deviation};
use super::start::{Scales, Start, mean_force_time};
use super::subject::Role;
use crate::error::{Error, Result};
use crate::message::Action;

/// Largest number of start vectors from which a minimum is searched.
const MAX_STARTS: usize = 5;

/// A parameter vector with its sum of squares.
type Candidate = (f64, Vec<f64>);

/// Returns the best start vector and the minimum to which it led.
pub(super) fn search(
    start: &Start,
    scales: &Scales,
    problem: &dyn Problem,
    x: &[f64],
    loss: Loss,
) -> Result<(Vec<f64>, Minimum)> {
    let cost =
        |x: &[f64]| problem.residuals(x).map_or(f64::INFINITY, |r| Loss::Squares.cost(&r, 1.0));
    let mut candidates: Vec<Candidate> =
        start.candidates.iter().map(|x| (cost(x), x.clone())).collect();
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some(best), false) = (candidates.first().cloned(), start.guesses.is_empty()) {
        candidates.extend(with_other_guesses(start, scales, best, &cost));
        candidates = distinct_candidates(candidates, &start.guesses);
    }
    let mut found: Option<(Vec<f64>, Minimum)> = None;
    for (first, x) in candidates.iter().filter(|one| one.0.is_finite()).take(MAX_STARTS) {
        // The first search has to be robust against outliers as well.
        let scale =
            problem.residuals(x).map_or(1.0, |r| robust_deviation(&r)).max(f64::MIN_POSITIVE);
        let Some(minimum) = minimise(problem, x, loss, scale) else { continue };
        let good = minimum.ended == EndReason::Converged && minimum.cost < 0.3 * first;
        if found.as_ref().is_none_or(|(_, best)| is_lower(&minimum, best, loss)) {
            found = Some((x.clone(), minimum));
        }
        if good && start.guesses.is_empty() {
            break;
        }
    }
    let Some((first, mut minimum)) = found else {
        let reason = format!("`{}` cannot be computed with any start", start.subject.case.model.id);
        let advice = sentence!(
            "give more of its numbers ({} or parameters of the law), or try another law",
            Action::give("stiffness")
        );
        return Err(Error::numerical("the fit", reason, advice));
    };
    search_between_points(start, problem, x, loss, &mut minimum);
    Ok((first, minimum))
}

/// Returns whether one minimum is lower than the other; costs of robust losses are compared with a common scale.
fn is_lower(one: &Minimum, other: &Minimum, loss: Loss) -> bool {
    let scale = robust_deviation(&one.residuals)
        .min(robust_deviation(&other.residuals))
        .max(f64::MIN_POSITIVE);
    loss.cost(&one.residuals, scale) < loss.cost(&other.residuals, scale)
}

/// Returns candidates in which each guess in turn is changed by powers of √10; two rounds if there are several
/// guesses.
fn with_other_guesses(
    start: &Start,
    scales: &Scales,
    mut best: Candidate,
    cost: &impl Fn(&[f64]) -> f64,
) -> Vec<Candidate> {
    let subject = &start.subject;
    let mut all = Vec::new();
    for _ in 0..if start.guesses.len() > 1 { 2 } else { 1 } {
        for &index in &start.guesses {
            let free = &subject.free[index];
            let centre = best.1[index];
            for i in -8..=8 {
                let mut x = best.1.clone();
                x[index] = match free.logarithmic {
                    true => centre + f64::from(i) * 0.5 * std::f64::consts::LN_10,
                    false => {
                        let (low, high) = (free.range.0.max(-10.0), free.range.1.min(10.0));
                        low + (high - low) * f64::from(i + 9) / 18.0
                    }
                };
                if let (Some(touch), Some(middle)) = (subject.position(&Role::Touch), scales.centre)
                    && let Some(own) = mean_force_time(subject, &x)
                {
                    x[touch] = middle - own;
                }
                all.push((cost(&x), x));
            }
            for one in &all {
                if one.0 < best.0 {
                    best = one.clone();
                }
            }
        }
    }
    all
}

/// Returns the best candidates that differ by more than a factor of five in some guess.
fn distinct_candidates(mut candidates: Vec<Candidate>, guesses: &[usize]) -> Vec<Candidate> {
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut kept: Vec<Candidate> = Vec::new();
    for one in candidates {
        let near = |other: &Candidate| guesses.iter().all(|&g| (other.1[g] - one.1[g]).abs() < 1.6);
        if !kept.iter().any(near) {
            kept.push(one);
        }
    }
    kept
}

/// Repeats the search with the touch between other points, for laws whose force jumps at touch.
fn search_between_points(
    start: &Start,
    problem: &dyn Problem,
    x: &[f64],
    loss: Loss,
    minimum: &mut Minimum,
) {
    let Some(touch) = start.subject.position(&Role::Touch) else { return };
    let Some((trial, motion)) = start.subject.motion(&minimum.parameters) else { return };
    let spacing = super::series::spacing(x);
    // The force is considered to jump if it exceeds a twentieth of the peak half a sampling interval after touch.
    let memory = trial.law.touch(trial.speed);
    let soon = trial.law.force(0.5 * spacing * trial.speed, trial.speed, &memory);
    if !(soon.abs() > 0.05 * motion.force_max.0) {
        return;
    }
    let scale = robust_deviation(&minimum.residuals).max(f64::MIN_POSITIVE);
    for _ in 0..4 {
        let mut lower: Option<Minimum> = None;
        for shift in [-6.0, -3.0, -1.5, -1.0, -0.6, -0.3, 0.3, 0.6, 1.0, 1.5, 3.0, 6.0] {
            let mut x = minimum.parameters.clone();
            x[touch] += shift * spacing;
            if let Some(other) = minimise(problem, &x, loss, scale)
                && other.cost < lower.as_ref().map_or(minimum.cost * (1.0 - 1e-9), |b| b.cost)
            {
                lower = Some(other);
            }
        }
        match lower {
            Some(lower) => *minimum = lower,
            None => return,
        }
    }
}
