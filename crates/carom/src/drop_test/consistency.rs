//! Checks whether each sound of a sequence is consistent with the others as a bounce of the same ball.
//!
//! The logarithm of the ratio of successive intervals changes little and steadily from bounce to bounce. Another
//! sound that begins close to the instant of a bounce masks it and is mistaken for it. At an end of the sequence one
//! ratio is then wrong, and the sound is removed. Inside the sequence the instant disagrees with that predicted by
//! its neighbours, and its uncertainty is increased to the difference.

use super::onset::Onset;

/// Smallest and largest number of ratios from which another ratio is predicted.
const MIN_RATIOS: usize = 4;
const MAX_RATIOS: usize = 6;
/// Largest deviation of a ratio from its prediction, in standard deviations.
const MAX_DEVIATIONS: f64 = 6.0;
/// Deviations of ln(ratio) that are always accepted, at an end of the sequence and inside it, because restitution
/// differs from place to place on a floor.
const MAX_DEVIATION_AT_END: f64 = 0.015;
const MAX_DEVIATION_INSIDE: f64 = 0.01;

/// Straight line fitted to points.
struct Line {
    mean: (f64, f64),
    slope: f64,
    /// Variance of the points about the line.
    scatter: f64,
    /// Σ (x − mean)².
    spread: f64,
    count: f64,
}

impl Line {
    fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let sum = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let mean = (sum.0 / count, sum.1 / count);
        let spread: f64 = points.iter().map(|p| (p.0 - mean.0).powi(2)).sum();
        let slope = points.iter().map(|p| (p.0 - mean.0) * p.1).sum::<f64>() / spread;
        let off = |p: &(f64, f64)| (p.1 - mean.1 - slope * (p.0 - mean.0)).powi(2);
        let scatter = points.iter().map(off).sum::<f64>() / (count - 2.0);
        (points.len() > 2).then_some(Self { mean, slope, scatter, spread, count })
    }

    /// Returns the value of the line at `x` and the standard deviation of a further point there.
    fn at(&self, x: f64) -> (f64, f64) {
        let away = x - self.mean.0;
        let variance = self.scatter * (1.0 + 1.0 / self.count + away * away / self.spread);
        (self.mean.1 + self.slope * away, variance.sqrt())
    }
}

/// Returns the logarithm of the ratio of the two intervals between three sounds.
fn ratio(onsets: &[Onset], three: &[usize]) -> f64 {
    let time = |i: usize| onsets[three[i]].time;
    ((time(2) - time(1)) / (time(1) - time(0))).ln()
}

/// Removes sounds from both ends of the sequence as long as their interval is inconsistent with the other bounces.
pub fn remove_inconsistent_ends(onsets: &[Onset], members: &mut Vec<usize>) {
    while last_is_inconsistent(onsets, members) {
        members.pop();
    }
    while last_is_inconsistent(onsets, &members.iter().rev().copied().collect::<Vec<_>>()) {
        members.remove(0);
    }
}

fn last_is_inconsistent(onsets: &[Onset], members: &[usize]) -> bool {
    // Only the nearest ratios are used: over many bounces the time of contact makes the relation nonlinear.
    let near = members.get(members.len().saturating_sub(MAX_RATIOS + 3)..).unwrap_or_default();
    let ratios = near.windows(3).enumerate().map(|(i, three)| (i as f64, ratio(onsets, three)));
    let ratios: Vec<(f64, f64)> = ratios.collect();
    let Some((&(position, last), others)) = ratios.split_last() else { return false };
    let Some(line) = Line::through(others).filter(|_| others.len() >= MIN_RATIOS) else {
        return false;
    };
    let (expected, deviation) = line.at(position);
    (last - expected).abs() > (MAX_DEVIATIONS * deviation).max(MAX_DEVIATION_AT_END)
}

/// Returns the sounds of a sequence; the error is increased where the instant differs from the one that the other
/// sounds predict.
pub fn with_consistent_errors(onsets: &[Onset], members: &[usize]) -> Vec<Onset> {
    let ratios: Vec<f64> = members.windows(3).map(|three| ratio(onsets, three)).collect();
    let mut all: Vec<Onset> = members.iter().map(|&i| onsets[i]).collect();
    for j in 1..members.len().saturating_sub(1) {
        // Ratio k belongs to the intervals before and after bounce k + 1; three ratios contain the instant of bounce
        // j.
        let clear = |&(k, _): &(f64, f64)| (k + 1.0 - j as f64).abs() > 1.5;
        let points = ratios.iter().enumerate().map(|(k, r)| (k as f64, *r));
        let mut others: Vec<(f64, f64)> = points.filter(clear).collect();
        others.sort_by(|a, b| {
            let away = |p: &(f64, f64)| (p.0 + 1.0 - j as f64).abs();
            away(a).total_cmp(&away(b))
        });
        others.truncate(MAX_RATIOS);
        let Some(line) = Line::through(&others).filter(|_| others.len() >= MIN_RATIOS) else {
            continue;
        };
        let (expected, deviation) = line.at(j as f64 - 1.0);
        let both = onsets[members[j + 1]].time - onsets[members[j - 1]].time;
        let share = 1.0 / (1.0 + expected.exp());
        let off = (all[j].time - onsets[members[j - 1]].time - both * share).abs();
        let allowed =
            both * share * (1.0 - share) * (MAX_DEVIATIONS * deviation).max(MAX_DEVIATION_INSIDE);
        if off > allowed.max(MAX_DEVIATIONS * all[j].error) {
            all[j].error = off;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bounces of a ball of restitution 0.8; optionally one of them is recorded late by a given time.
    fn bounces(late: Option<(usize, f64)>) -> (Vec<Onset>, Vec<usize>) {
        let onset = |time: f64| Onset { time, error: 1e-5, strength: 5.0, amplitude: 1.0 };
        let mut times: Vec<f64> = (0..9).map(|i| 4.0 * (1.0 - 0.8_f64.powi(i))).collect();
        if let Some((i, by)) = late {
            times[i] += by;
        }
        (times.into_iter().map(onset).collect(), (0..9).collect())
    }

    #[test]
    fn a_bounce_between_others_at_a_wrong_time_is_in_doubt_by_as_much() {
        let (onsets, members) = bounces(None);
        assert!(with_consistent_errors(&onsets, &members).iter().all(|one| one.error == 1e-5));
        let (onsets, members) = bounces(Some((4, 6e-3)));
        let errors: Vec<f64> =
            with_consistent_errors(&onsets, &members).iter().map(|o| o.error).collect();
        assert!((errors[4] / 6e-3 - 1.0).abs() < 0.05, "{errors:?}");
        assert!(errors[0] == 1e-5 && errors[8] == 1e-5, "{errors:?}");
    }

    #[test]
    fn strange_ends_are_removed_and_no_others() {
        let (onsets, mut members) = bounces(None);
        remove_inconsistent_ends(&onsets, &mut members);
        assert_eq!(members.len(), 9);
        let (onsets, mut members) = bounces(Some((0, -0.03)));
        remove_inconsistent_ends(&onsets, &mut members);
        assert_eq!(members, [1, 2, 3, 4, 5, 6, 7, 8]);
        let (onsets, mut members) = bounces(Some((8, 0.02)));
        remove_inconsistent_ends(&onsets, &mut members);
        assert_eq!(members, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
