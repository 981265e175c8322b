//! Largest error over all phases of the onset within a step, located adaptively.
//!
//! The phase of a step at which the bodies touch is arbitrary, so that the error of a step is the largest one over
//! the phase. As a function of the phase the error is smooth as long as the decisions of the run are the same
//! (contact or not at each force evaluation, a tensile force suppressed or not, the step of the turn). Where a
//! decision changes, the error has a *break*: a kink, or a jump if the force jumps. A run reports its decisions, so
//! that breaks are found even between two phases with equal errors.
//!
//! For the interval between two neighbouring phases the error is bounded
//!
//! - *without a break* by the parabola through its ends with twice the curvature at the neighbouring points;
//! - *with a break* by continuing both sides with twice their slope. Between two jumps there may be a short piece
//!   that neither side shows; for a force that jumps all breaks are therefore narrowed down to [`MAX_BREAK_WIDTH`].
//!
//! The interval with the largest bound is halved until no bound exceeds the largest error found by more than
//! [`BOUND_TOLERANCE`]. The larger of the two is returned. This takes about 25 runs, and four times as many for a
//! force that jumps.

use crate::error::Result;

/// Initial number of intervals of the phase.
pub(super) const INTERVALS: usize = 16;
/// Initial number of intervals for a law with kinks (yield, two stiffnesses) that are not among the decisions.
pub(super) const INTERVALS_WITH_KINKS: usize = 64;
/// Largest phase; at 1 the onset would be at the end of the step, which is phase 0 of the next one.
const LAST_PHASE: f64 = 1.0 - 1e-9;
/// Relative amount by which the bound may exceed the largest error found.
const BOUND_TOLERANCE: f64 = 1e-3;
/// Safety factor on estimated curvatures and slopes.
const SAFETY_FACTOR: f64 = 2.0;
/// Width of the phase to which the breaks of a force that jumps are narrowed down.
const MAX_BREAK_WIDTH: f64 = 1e-5;
/// Error below which it is regarded as rounding.
const ROUNDING_ERROR: f64 = 1e-12;
/// Largest number of runs; if it is reached, the bound may exceed the largest error found by more.
const MAX_RUNS: usize = 400;

/// Largest and mean error over all phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverPhases {
    /// Upper bound of |error|.
    pub worst: f64,
    /// Mean error.
    pub mean: f64,
}

/// Error at a phase, and the decisions of its run.
#[derive(Clone, Copy, Debug)]
struct PhaseError {
    phase: f64,
    error: f64,
    decisions: u64,
}

/// Computes the largest and the mean of `error` over the phases 0 to 1; `None` if `error` returns `None` at some
/// phase.
///
/// `error` returns the error and a number that represents the decisions of the run. `jumps` states whether the force
/// jumps, and `first` is the initial number of intervals of the phase (16; 64 if the force has kinks that are not
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
        if bound <= (largest * (1.0 + BOUND_TOLERANCE)).max(ROUNDING_ERROR)
            || known.len() >= MAX_RUNS
        {
            // The bound can only be infinite here if the largest number of runs was reached.
            let worst = if bound.is_finite() { largest.max(bound) } else { largest };
            return Ok(Some(OverPhases { worst, mean: mean_over_phases(&known) }));
        }
        let Some(at) = run(0.5 * (known[i].phase + known[i + 1].phase))? else { return Ok(None) };
        largest = largest.max(at.error.abs());
        known.insert(i + 1, at);
    }
}

/// Computes a bound of |error| between the phases `i` and `i + 1`; infinite for a break that has not been narrowed
/// down.
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
                let bend = SAFETY_FACTOR * curvature * width * width;
                ends.max(parabola_max(a.error, b.error, bend))
                    .max(parabola_max(-a.error, -b.error, bend))
            }
            // There is no third phase on the same side of all breaks, so that the curvature is unknown.
            None => ends + (b.error - a.error).abs(),
        };
    }
    let (left, right) = (before.map(|c| slope(&a, c)), after.map(|c| slope(&b, c)));
    let reach = SAFETY_FACTOR * width;
    let explained = reach * (left.unwrap_or(0.0).abs() + right.unwrap_or(0.0).abs());
    let jump = (b.error - a.error).abs();
    if (jumps || jump > explained) && width > MAX_BREAK_WIDTH {
        return f64::INFINITY;
    }
    let continued = |at: &PhaseError, towards_break: Option<f64>| match towards_break {
        // The slope is used only if |error| grows towards the break.
        Some(slope) => at.error.abs() + reach * (slope * at.error.signum()).max(0.0),
        None => at.error.abs() + jump,
    };
    // On the left side of a break an increase of the phase leads towards it, on the right side away from it.
    continued(&a, left).max(continued(&b, right.map(|slope| -slope)))
}

/// Computes the largest value of the parabola from `a` to `b` whose second derivative times the squared width is
/// −`bend`.
fn parabola_max(a: f64, b: f64, bend: f64) -> f64 {
    match (b - a).abs() < 0.5 * bend {
        true => 0.5 * (a + b) + bend / 8.0 + (b - a) * (b - a) / (2.0 * bend),
        false => a.max(b),
    }
}

/// Computes the mean over the phases by the trapezoidal rule.
fn mean_over_phases(known: &[PhaseError]) -> f64 {
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
        // The slope increases without bound towards the break, as for a force ∝ δ^¼ at onset.
        let error = |p: f64| match p < 0.37 {
            true => (1.0 - (0.37 - p).powf(0.25), 1),
            false => (1.0 - 2.0 * (p - 0.37), 2),
        };
        let found = bound(false, error);
        assert!((1.0..1.01).contains(&found), "{found}");
    }
}
