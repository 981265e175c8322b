//! The worst error over all phases of the touch: located, not sampled.
//!
//! Where in a step the bodies touch is chance, so what a step costs is the largest error over that phase. As
//! a function of the phase the error is smooth as long as the run takes the same decisions (contact or
//! not at each force evaluation, a pull cut off or not, the step of the turn); where a decision changes it has
//! a kink, or a jump where the force jumps. A run reports its decisions, so that these breaks are
//! seen even between two phases with equal errors.
//!
//! The interval between two neighbouring phases is given the largest error that it may hold:
//!
//! - *without a break*, the parabola through its ends with twice the curvature of the neighbouring points;
//! - *with a break*, both sides continued with twice their slope. Between two jumps there may be a short
//!   piece that neither side knows of, so for a force that jumps all breaks are narrowed down to
//!   [`NARROW`].
//!
//! The interval that may hold the most is halved until none may hold more than the largest error
//! found, by [`CLOSE`]. What is returned is the larger of the two: an upper bound, no more than that above what
//! was really found. It takes some 25 runs, four times as many for a force that jumps.

use crate::error::Result;

/// Number of phases at the beginning.
pub(super) const FIRST: usize = 16;
/// Number of phases at the beginning for a law with kinks (yield, two stiffnesses) that are not among the decisions.
pub(super) const FIRST_WITH_KINKS: usize = 64;
/// The last phase: at 1 itself the touch would be at an instant again, as at 0.
const LAST: f64 = 1.0 - 1e-9;
/// How far the bound may lie above the largest error found, as a part of it.
const CLOSE: f64 = 1e-3;
/// Factor on estimated curvatures and slopes.
const SAFETY: f64 = 2.0;
/// Breaks of a force that jumps are narrowed down to this width.
const NARROW: f64 = 1e-5;
/// Errors below this are rounding.
const ROUNDING: f64 = 1e-12;
/// Limit on the number of runs; where it is reached the bound is not yet close.
const MAX_RUNS: usize = 400;

/// Worst and mean error over all phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverPhases {
    /// Upper bound of |error|.
    pub worst: f64,
    /// Mean error.
    pub mean: f64,
}

/// An error, and the decisions of the run that made it.
#[derive(Clone, Copy, Debug)]
struct At {
    phase: f64,
    error: f64,
    decisions: u64,
}

/// The worst and the mean of `error` over the phases 0 to 1; none where it has none at some phase.
///
/// `error` returns the error and a number that stands for the decisions that were taken; `jumps` says that the force
/// jumps, `first` at how many phases to begin (16; 64 where the force has kinks that the decisions do not tell).
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
    let run = |phase: f64| -> Result<Option<At>> {
        Ok(error(phase)?.map(|(error, decisions)| At { phase, error, decisions }))
    };
    let mut known: Vec<At> = Vec::with_capacity(64);
    for i in 0..=first {
        let Some(at) = run((i as f64 / first as f64).min(LAST))? else { return Ok(None) };
        known.push(at);
    }
    let mut largest = known.iter().map(|at| at.error.abs()).fold(0.0, f64::max);
    loop {
        let all = (0..known.len() - 1).map(|i| (i, possible(&known, i, jumps)));
        let (i, most) = all.fold((0, 0.0), |best, one| if one.1 > best.1 { one } else { best });
        if most <= (largest * (1.0 + CLOSE)).max(ROUNDING) || known.len() >= MAX_RUNS {
            // What has not been refined is finite and small by now.
            let worst = if most.is_finite() { largest.max(most) } else { largest };
            return Ok(Some(OverPhases { worst, mean: mean(&known) }));
        }
        let Some(at) = run(0.5 * (known[i].phase + known[i + 1].phase))? else { return Ok(None) };
        largest = largest.max(at.error.abs());
        known.insert(i + 1, at);
    }
}

/// The largest |error| that may lie between the phases `i` and `i + 1`; infinite for a break that has not
/// been narrowed down.
fn possible(known: &[At], i: usize, jumps: bool) -> f64 {
    let (a, b) = (known[i], known[i + 1]);
    let (width, ends) = (b.phase - a.phase, a.error.abs().max(b.error.abs()));
    let before = i.checked_sub(1).and_then(|i| known.get(i)).filter(|c| c.decisions == a.decisions);
    let after = known.get(i + 2).filter(|c| c.decisions == b.decisions);
    if width < 1e-9 {
        return ends;
    }
    let slope = |a: &At, b: &At| (b.error - a.error) / (b.phase - a.phase);
    if a.decisions == b.decisions {
        let bend = |a: &At, b: &At, c: &At| {
            (2.0 * (slope(b, c) - slope(a, b)) / (c.phase - a.phase)).abs()
        };
        let bends = [before.map(|c| bend(c, &a, &b)), after.map(|c| bend(&a, &b, c))];
        return match bends.into_iter().flatten().reduce(f64::max) {
            Some(bend) => {
                let bend = SAFETY * bend * width * width;
                ends.max(top(a.error, b.error, bend)).max(top(-a.error, -b.error, bend))
            }
            // Two phases alone say nothing of a curvature.
            None => ends + (b.error - a.error).abs(),
        };
    }
    let steep = |near: &At, far: Option<&At>| far.map(|far| slope(near, far));
    let (left, right) = (steep(&a, before), steep(&b, after));
    let reach = SAFETY * width;
    let explained = reach * (left.unwrap_or(0.0).abs() + right.unwrap_or(0.0).abs());
    let jump = (b.error - a.error).abs();
    if (jumps || jump > explained) && width > NARROW {
        return f64::INFINITY;
    }
    let on = |at: &At, outwards: Option<f64>| match outwards {
        // Only where |error| grows towards the break.
        Some(slope) => at.error.abs() + reach * (slope * at.error.signum()).max(0.0),
        None => at.error.abs() + jump,
    };
    // From left to right is towards the break for one side, away from it for the other.
    on(&a, left).max(on(&b, right.map(|slope| -slope)))
}

/// The largest value of the parabola from `a` to `b` whose second derivative times the width squared is −`bend`.
fn top(a: f64, b: f64, bend: f64) -> f64 {
    match (b - a).abs() < 0.5 * bend {
        true => 0.5 * (a + b) + bend / 8.0 + (b - a) * (b - a) / (2.0 * bend),
        false => a.max(b),
    }
}

/// The mean over the phases by the trapezoidal rule.
fn mean(known: &[At]) -> f64 {
    let areas =
        known.windows(2).map(|w| 0.5 * (w[1].phase - w[0].phase) * (w[0].error + w[1].error));
    areas.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(jumps: bool, error: impl Fn(f64) -> (f64, u64)) -> f64 {
        over_phases(jumps, FIRST, |phase| Ok(Some(error(phase)))).unwrap().unwrap().worst
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
