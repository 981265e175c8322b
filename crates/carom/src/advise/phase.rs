//! The largest error over all phases of the touch within a step, located adaptively.
//!
//! At which phase of a step the bodies touch is arbitrary, so the error of a step is the largest over that phase. As
//! a function of the phase the error is smooth as long as the run takes the same decisions (contact or
//! not at each force evaluation, a pull cut off or not, the step of the turn); where a decision changes it has a *break*:
//! a kink, or a jump where the force jumps. A run reports its decisions, so that breaks are
//! found even between two phases with equal errors.
//!
//! For the interval between two neighbouring phases the error is bounded by
//!
//! - *without a break*, the parabola through its ends with twice the curvature at the neighbouring points;
//! - *with a break*, both sides continued with twice their slope. Between two jumps there may be a short
//!   piece that neither side shows, so for a force that jumps all breaks are narrowed down to
//!   [`MAX_BREAK_WIDTH`].
//!
//! The interval with the largest bound is halved until no bound exceeds the largest error found by more than
//! [`BOUND_TOLERANCE`]. The larger of the two is returned. It takes some 25 runs, four times as many for a force that jumps.

use crate::error::Result;

/// Number of intervals of the phase to begin with.
pub(super) const INTERVALS: usize = 16;
/// Number of intervals to begin with for a law with kinks (yield, two stiffnesses) that are not among the decisions.
pub(super) const INTERVALS_WITH_KINKS: usize = 64;
/// The largest phase: at 1 the touch would be at the end of the step, which is phase 0 of the next one.
const LAST_PHASE: f64 = 1.0 - 1e-9;
/// How far the bound may lie above the largest error found, relatively.
const BOUND_TOLERANCE: f64 = 1e-3;
/// Factor on estimated curvatures and slopes.
const SAFETY: f64 = 2.0;
/// Breaks of a force that jumps are narrowed down to this width of the phase.
const MAX_BREAK_WIDTH: f64 = 1e-5;
/// Errors below this are rounding.
const ROUNDING: f64 = 1e-12;
/// Largest number of runs; where it is reached the bound may lie further above the largest error found.
const MAX_RUNS: usize = 400;

/// Worst and mean error over all phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverPhases {
    /// Upper bound of |error|.
    pub worst: f64,
    /// Mean error.
    pub mean: f64,
}

/// The error at a phase, and the decisions of its run.
#[derive(Clone, Copy, Debug)]
struct PhaseError {
    phase: f64,
    error: f64,
    decisions: u64,
}

/// The worst and the mean of `error` over the phases 0 to 1; none where `error` returns none at some phase.
///
/// `error` returns the error and a number that stands for the decisions that were taken; `jumps` says that the force
/// jumps, `first` into how many intervals the phases are divided to begin with (16; 64 where the force has kinks that are not
/// among the decisions).
///
/// ```
/// // An error that is largest where a decision changes, at a phase of 0.3.
/// let error = |phase: f64| Ok(Some(match phase < 0.3 {
///     true => (phase, 0),
///     false => (0.1, 1),
/// }));
/// let found = carom::advise::over_phases(false, 16, error)?.map(|found| found.worst);
/// assert!(found.is_some_and(|worst| (worst - 0.3).abs() < 1e-3));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// Those of `error`.
pub fn over_phases(
    jumps: bool,
    first: usize,
    error: impl Fn(f64) -> Result<Option<(f64, u64)>>,
) -> Result<Option<OverPhases>> {
    let run = |phase: f64| -> Result<Option<PhaseError>> {
        Ok(error(phase)?.map(|(error, decisions)| PhaseError { phase, error, decisions }))
    };
    let mut known: Vec<PhaseError> = Vec::with_capacity(64);
    for i in 0..=first {
        let Some(at) = run((i as f64 / first as f64).min(LAST_PHASE))? else { return Ok(None) };
        known.push(at);
    }
    let mut largest = known.iter().map(|at| at.error.abs()).fold(0.0, f64::max);
    loop {
        let bounds = (0..known.len() - 1).map(|i| (i, bound_between(&known, i, jumps)));
        let (i, bound) = bounds.fold((0, 0.0), |best, one| if one.1 > best.1 { one } else { best });
        if bound <= (largest * (1.0 + BOUND_TOLERANCE)).max(ROUNDING) || known.len() >= MAX_RUNS {
            // The bound is infinite only where the number of runs has run out.
            let worst = if bound.is_finite() { largest.max(bound) } else { largest };
            return Ok(Some(OverPhases { worst, mean: mean(&known) }));
        }
        let Some(at) = run(0.5 * (known[i].phase + known[i + 1].phase))? else { return Ok(None) };
        largest = largest.max(at.error.abs());
        known.insert(i + 1, at);
    }
}

/// Bound of |error| between the phases `i` and `i + 1`; infinite for a break that has not
/// been narrowed down.
fn bound_between(known: &[PhaseError], i: usize, jumps: bool) -> f64 {
    let (a, b) = (known[i], known[i + 1]);
    let (width, ends) = (b.phase - a.phase, a.error.abs().max(b.error.abs()));
    let before = i.checked_sub(1).and_then(|i| known.get(i)).filter(|c| c.decisions == a.decisions);
    let after = known.get(i + 2).filter(|c| c.decisions == b.decisions);
    if width < 1e-9 {
        return ends;
    }
    let slope = |a: &PhaseError, b: &PhaseError| (b.error - a.error) / (b.phase - a.phase);
    if a.decisions == b.decisions {
        let curvature = |a: &PhaseError, b: &PhaseError, c: &PhaseError| {
            (2.0 * (slope(b, c) - slope(a, b)) / (c.phase - a.phase)).abs()
        };
        let curvatures =
            [before.map(|c| curvature(c, &a, &b)), after.map(|c| curvature(&a, &b, c))];
        return match curvatures.into_iter().flatten().reduce(f64::max) {
            Some(curvature) => {
                let bend = SAFETY * curvature * width * width;
                ends.max(parabola_max(a.error, b.error, bend))
                    .max(parabola_max(-a.error, -b.error, bend))
            }
            // No third phase on the same side of all breaks: the curvature is unknown.
            None => ends + (b.error - a.error).abs(),
        };
    }
    let (left, right) = (before.map(|c| slope(&a, c)), after.map(|c| slope(&b, c)));
    let reach = SAFETY * width;
    let explained = reach * (left.unwrap_or(0.0).abs() + right.unwrap_or(0.0).abs());
    let jump = (b.error - a.error).abs();
    if (jumps || jump > explained) && width > MAX_BREAK_WIDTH {
        return f64::INFINITY;
    }
    let continued = |at: &PhaseError, towards_break: Option<f64>| match towards_break {
        // Counts only where |error| grows towards the break.
        Some(slope) => at.error.abs() + reach * (slope * at.error.signum()).max(0.0),
        None => at.error.abs() + jump,
    };
    // Increasing phase leads towards the break on its left side, away from it on its right side.
    continued(&a, left).max(continued(&b, right.map(|slope| -slope)))
}

/// The largest value of the parabola from `a` to `b` whose second derivative times the width squared is −`bend`.
fn parabola_max(a: f64, b: f64, bend: f64) -> f64 {
    match (b - a).abs() < 0.5 * bend {
        true => 0.5 * (a + b) + bend / 8.0 + (b - a) * (b - a) / (2.0 * bend),
        false => a.max(b),
    }
}

/// The mean over the phases by the trapezoidal rule.
fn mean(known: &[PhaseError]) -> f64 {
    let areas =
        known.windows(2).map(|w| 0.5 * (w[1].phase - w[0].phase) * (w[0].error + w[1].error));
    areas.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(jumps: bool, error: impl Fn(f64) -> (f64, u64)) -> f64 {
        over_phases(jumps, INTERVALS, |phase| Ok(Some(error(phase)))).unwrap().unwrap().worst
    }

    #[test]
    fn the_top_of_a_smooth_curve_is_found_between_the_phases() {
        let found = bound(false, |p| ((-(p - 0.342_f64).powi(2) * 30.0).exp() - 0.3, 0));
        assert!((0.7..0.7 * 1.002).contains(&found), "{found}");
    }

    #[test]
    fn a_short_piece_between_two_jumps_is_found() {
        // Both neighbouring phases have the same small error.
        let error = |p: f64| match p {
            ..0.4665 => (0.002, 1),
            ..0.4865 => (-0.04, 2),
            ..0.4999 => (-0.08, 3),
            _ => (0.0025, 4),
        };
        assert_eq!(bound(true, error), 0.08);
    }

    #[test]
    fn the_limit_at_a_kink_is_bounded() {
        // Steeper and steeper towards the break, as with a force ∝ δ^¼ at touch.
        let error = |p: f64| match p < 0.37 {
            true => (1.0 - (0.37 - p).powf(0.25), 1),
            false => (1.0 - 2.0 * (p - 0.37), 2),
        };
        let found = bound(false, error);
        assert!((1.0..1.01).contains(&found), "{found}");
    }
}
