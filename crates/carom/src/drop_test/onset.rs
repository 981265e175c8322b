//! When the sounds of a recording begin.
//!
//! A sound begins where the energy of the milliseconds after an instant is much larger than that of those before it. Each such
//! place is then made precise by the change of variance that explains the samples around it best, as seismologists pick
//! arrivals (N. Maeda, Zisin 38 (1985) 365–379): with k samples of noise and N − k of sound,
//!
//! ```text
//! AIC(k) = k·ln var(x₁…x_k) + (N − k)·ln var(x_{k+1}…x_N),
//! ```
//!
//! and exp(−AIC/2) as weights gives the instant with its standard uncertainty. A sound whose first rise is lost in the noise is
//! heard up to its peak too late: the ball touched anywhere within that time, of which the mean is much the same for all bounces and
//! cancels between them; what is left is the spread of a uniform distribution, 1/√12 of it. Delays that all sounds share (the way to the microphone, a filter) cancel in the times between them.

use crate::numeric::median::median;

/// The beginning of a sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// When it begins (s).
    pub time: f64,
    /// Standard uncertainty (s).
    pub error: f64,
    /// ln of the energy after over the energy before.
    pub strength: f64,
    /// Root mean square of the samples after it.
    pub amplitude: f64,
}

/// What is heard in a recording.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Beginnings of sounds, in their order.
    pub onsets: Vec<Onset>,
    /// Share of the samples near the loudest ones that sit at the end of the scale.
    pub clipped: f64,
}

/// Length over which energies are compared (s).
const WINDOW: f64 = 1.5e-3;
/// Sounds below this frequency (Hz) are hum, wind or handling.
const MIN_FREQUENCY: f64 = 150.0;
/// Share of the variance by the weights with which instants scatter: neighbouring samples of a sound are alike, which the criterion
/// does not know. This and the next number are those of 200 synthetic records, ringing and dull, that no reported coverage uses.
const VARIANCE_SHARE: f64 = 0.3;
/// Noise over peak at which the first rise of a sound is lost in the noise.
const MAX_NOISE_SHARE: f64 = 0.1;
/// What is before a sound is another sound where it is so many times the noise of the record.
const ANOTHER_SOUND: f64 = 3.0;
/// Sounds that are kept, the strongest ones.
const MAX_SOUNDS: usize = 150;

/// Finds the beginnings of sounds in the samples of one channel.
pub fn onsets(samples: &[f64], rate: f64) -> Heard {
    let x = high_pass(samples, rate);
    let w = ((WINDOW * rate).round() as usize).max(8);
    let n = x.len();
    let loudest = x.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let nothing = Heard { onsets: Vec::new(), clipped: 0.0 };
    if n < 8 * w || loudest == 0.0 {
        return nothing;
    }
    let mut sum = vec![0.0];
    sum.extend(x.iter().scan(0.0, |sum, x| {
        *sum += x * x;
        Some(*sum)
    }));
    let energy = |from: usize, to: usize| (sum[to] - sum[from]) / (to - from) as f64;
    let mut quiet: Vec<f64> = (0..n / w).map(|i| energy(i * w, (i + 1) * w)).collect();
    // The lower half of the windows: a record may be full of bounces.
    quiet.sort_by(f64::total_cmp);
    quiet.truncate((quiet.len() / 2).max(1));
    let noise = median(&mut quiet).max((1e-6 * loudest).powi(2));
    let floor = 0.1 * noise;
    let jump = |k: usize| (energy(k, k + w).max(floor) / energy(k - 3 * w, k).max(floor)).ln();
    // Energies of w and 3w samples of noise scatter by √(2/w) and √(2/3w): five times that, and no less than a factor of 3.
    let threshold = (5.0 * (8.0 / (3.0 * w as f64)).sqrt()).max(1.1);
    let jumps: Vec<f64> = (3 * w..n - w).map(jump).collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < jumps.len() {
        if jumps[i] < threshold {
            i += 1;
            continue;
        }
        let end = (i + 2 * w).min(jumps.len());
        let peak = (i..end).max_by(|&a, &b| jumps[a].total_cmp(&jumps[b])).unwrap_or(i);
        found.push((3 * w + peak, jumps[peak]));
        i = peak + 2 * w;
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(MAX_SOUNDS);
    found.sort_by_key(|(k, _)| *k);
    let quiet = noise.sqrt();
    let pick = |&(k, strength): &(usize, f64)| pick(&x, rate, (k, w), (strength, quiet));
    let onsets = found.iter().map(pick).collect();
    Heard { onsets, clipped: clipped(samples) }
}

/// The most likely beginning near sample k, with its uncertainty; `quiet` is the noise of the record.
fn pick(x: &[f64], rate: f64, (k, w): (usize, usize), (strength, quiet): (f64, f64)) -> Onset {
    let from = k.saturating_sub(3 * w);
    let to = (k + w).min(x.len());
    let part = &x[from..to];
    let total: f64 = part.iter().map(|x| x * x).sum();
    let n = part.len() as f64;
    let least = 1e-12 * total / n + f64::MIN_POSITIVE;
    let (mut before, mut criteria) = (0.0, Vec::new());
    for (i, sample) in part.iter().enumerate() {
        let count = i as f64;
        // Three samples on each side make a variance.
        if i >= 3 && i + 3 <= part.len() {
            let (low, high) = (before / count, (total - before) / (n - count));
            let aic = count * low.max(least).ln() + (n - count) * high.max(least).ln();
            criteria.push((count, aic));
        }
        before += sample * sample;
    }
    let best = criteria.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
    let weight = |aic: f64| (-0.5 * (aic - best)).exp();
    let whole: f64 = criteria.iter().map(|c| weight(c.1)).sum();
    let mean: f64 = criteria.iter().map(|c| c.0 * weight(c.1)).sum::<f64>() / whole;
    let variance: f64 =
        criteria.iter().map(|c| (c.0 - mean).powi(2) * weight(c.1)).sum::<f64>() / whole;
    let split = (mean.round() as usize).clamp(1, part.len() - 1);
    let rms = |part: &[f64]| (part.iter().map(|x| x * x).sum::<f64>() / part.len() as f64).sqrt();
    let (noise, amplitude) = (rms(&part[..split]), rms(&part[split..]));
    let peak = part[split..].iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let to_peak = part[split..].iter().position(|x| x.abs() >= peak).unwrap_or(0) as f64;
    // Within the sound of something else the beginning may be anywhere in the rise.
    let (hidden, sharper) = match noise > ANOTHER_SOUND * quiet {
        true => (2.0 * noise / peak, 1.0),
        false => ((noise / peak / MAX_NOISE_SHARE).powi(3), VARIANCE_SHARE),
    };
    let late = (to_peak + 1.0) * hidden.min(1.0);
    // Half a sample between the last of noise and the first of sound; uniform within a sample, and within the lateness.
    Onset {
        time: (from as f64 + mean - 0.5) / rate,
        error: (sharper * variance + (1.0 + late * late) / 12.0).sqrt() / rate,
        strength,
        amplitude,
    }
}

/// Without hum: Butterworth's filter of second order, causal, so that nothing is heard before it happens.
fn high_pass(samples: &[f64], rate: f64) -> Vec<f64> {
    let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
    let k = (std::f64::consts::PI * (MIN_FREQUENCY / rate).min(0.1)).tan();
    let norm = 1.0 / (1.0 + std::f64::consts::SQRT_2 * k + k * k);
    let (a1, a2) =
        (2.0 * (k * k - 1.0) * norm, (1.0 - std::f64::consts::SQRT_2 * k + k * k) * norm);
    let (mut x1, mut x2, mut y1, mut y2) = (0.0, 0.0, 0.0, 0.0);
    let step = |sample: &f64| {
        let x = sample - mean;
        let y = norm * (x - 2.0 * x1 + x2) - a1 * y1 - a2 * y2;
        (x2, x1, y2, y1) = (x1, x, y1, y);
        y
    };
    samples.iter().map(step).collect()
}

/// Share of the loud samples (above nine tenths of the largest) that equal the largest or the smallest one.
fn clipped(samples: &[f64]) -> f64 {
    let high = samples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = high.abs().max(low.abs());
    let loud = samples.iter().filter(|x| x.abs() > 0.9 * largest).count();
    let at_end = samples.iter().filter(|&&x| x.abs() > 0.9 * largest && (x == high || x == low));
    // The largest and the smallest sample equal themselves.
    if loud < 8 { 0.0 } else { at_end.count().saturating_sub(2) as f64 / loud as f64 }
}
