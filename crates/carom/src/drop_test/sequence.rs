//! Selects the sounds that are bounces of one ball.
//!
//! The times between the bounces of a ball become shorter, each by the factor of the restitution, and the restitution
//! changes little from bounce to bounce. Echoes, steps, claps and a second ball do not follow this pattern. Among all
//! ordered subsets of the sounds the one with the highest score is chosen: the strength of each sound is added to the
//! score; changes of the ratio of successive intervals and of the loudness are subtracted. The search extends pairs
//! of sounds by a third (dynamic programming).

use super::onset::Onset;

/// Shortest and longest time between bounces (s).
const MIN_INTERVAL: f64 = 0.012;
const MAX_INTERVAL: f64 = 4.0;
/// Logarithms of the smallest and the largest ratio of successive intervals.
const MIN_LOG_RATIO: f64 = -3.0;
const MAX_LOG_RATIO: f64 = 0.02;
/// Change of ln(ratio) from bounce to bounce that lowers the score by 1.
const UNIT_RATIO_CHANGE: f64 = 0.08;
/// Change of ln(amplitude), beyond that of the speed, that lowers the score by 1.
const UNIT_AMPLITUDE_CHANGE: f64 = 1.2;
/// Largest contribution of a sound to the score, and the amount subtracted for each bounce so that noise does not
/// lengthen a sequence.
const MAX_STRENGTH: f64 = 5.0;
const BOUNCE_COST: f64 = 1.0;
/// Tolerance (s) with which a sound may coincide with an expected bounce. The more sounds of the same loudness there
/// are, the more often one of them coincides by chance: in a voice a sound begins with every pulse of the vocal
/// cords, so that any sequence could be found in it.
const COINCIDENCE_TOLERANCE: f64 = 0.025;
/// Smallest contribution of a sound to the score.
const MIN_SCORE: f64 = 0.1;

/// Sounds in an order that is plausible for bounces.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Indices of the sounds.
    pub members: Vec<usize>,
    /// Score of the sequence; larger is better.
    pub score: f64,
}

/// The best sequence that ends with a given pair of sounds.
#[derive(Clone, Copy)]
struct Ending {
    score: f64,
    /// Index of the sound before the pair.
    before: Option<usize>,
    /// Logarithm of the last ratio of intervals.
    ratio: Option<f64>,
    length: usize,
}

/// Returns the sequence of highest score among the sounds that are not in `taken`.
pub fn best_sequence(onsets: &[Onset], taken: &[usize]) -> Sequence {
    let n = onsets.len();
    let free = |i: &usize| !taken.contains(i);
    let interval = |i: usize, j: usize| onsets[j].time - onsets[i].time;
    let louder = count_as_loud(onsets);
    let [Some(first), Some(last)] = [onsets.first(), onsets.last()] else {
        return Sequence::default();
    };
    let whole = (last.time - first.time).max(1.0);
    let value = |i: usize| {
        let rare = (whole / (louder[i] * COINCIDENCE_TOLERANCE)).ln();
        (onsets[i].strength.min(MAX_STRENGTH) - BOUNCE_COST).min(rare).max(MIN_SCORE)
    };
    let loudness = |i: usize, j: usize| (onsets[j].amplitude / onsets[i].amplitude).ln();
    let mut endings: Vec<Vec<Option<Ending>>> = vec![vec![None; n]; n];
    let mut best: Option<(usize, usize)> = None;
    let score = |endings: &[Vec<Option<Ending>>], (i, j): (usize, usize)| {
        endings[i][j].map_or(f64::NEG_INFINITY, |e| e.score)
    };
    for j in (0..n).filter(free) {
        for i in (0..j).filter(free) {
            let time = interval(i, j);
            if !(MIN_INTERVAL..=MAX_INTERVAL).contains(&time) {
                continue;
            }
            let start = Ending { score: value(i) + value(j), before: None, ratio: None, length: 2 };
            let mut ending = start;
            for h in (0..i).filter(free) {
                let Some(earlier) = endings[h][i] else { continue };
                let ratio = (time / interval(h, i)).ln();
                if !(MIN_LOG_RATIO..=MAX_LOG_RATIO).contains(&ratio) {
                    continue;
                }
                let change = earlier.ratio.map_or(0.0, |r| (ratio - r) / UNIT_RATIO_CHANGE);
                let louder = (loudness(i, j) - ratio) / UNIT_AMPLITUDE_CHANGE;
                let score = earlier.score + value(j) - change * change - louder * louder;
                if score > ending.score {
                    let length = earlier.length + 1;
                    ending = Ending { score, before: Some(h), ratio: Some(ratio), length };
                }
            }
            endings[i][j] = Some(ending);
            if best.is_none_or(|best| ending.score > score(&endings, best)) {
                best = Some((i, j));
            }
        }
    }
    let Some((i, j)) = best else { return Sequence::default() };
    let mut members = vec![j, i];
    let (mut first, mut second) = (i, j);
    while let Some(before) = endings[first][second].and_then(|ending| ending.before) {
        members.push(before);
        (first, second) = (before, first);
    }
    members.reverse();
    Sequence { members, score: score(&endings, (i, j)) }
}

/// Returns for each sound the number of sounds that are at least as loud.
fn count_as_loud(onsets: &[Onset]) -> Vec<f64> {
    let count =
        |one: &Onset| onsets.iter().filter(|other| other.amplitude >= one.amplitude).count() as f64;
    onsets.iter().map(count).collect()
}

/// Returns the delay (s) with which one sequence repeats another one, if it is an echo of it.
pub fn echo_delay(onsets: &[Onset], sounds: &[usize], again: &[usize]) -> Option<f64> {
    let before = |i: usize| sounds.iter().rev().find(|&&s| s < i);
    let delays: Vec<f64> =
        again.iter().filter_map(|&i| before(i).map(|&s| onsets[i].time - onsets[s].time)).collect();
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    let same = delays.iter().filter(|d| (*d - mean).abs() < 2e-3).count();
    (delays.len() >= 2 && 3 * same >= 2 * again.len()).then_some(mean)
}
