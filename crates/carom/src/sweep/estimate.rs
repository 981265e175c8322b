//! Estimates Sobol' indices from samples, with confidence intervals.
//!
//! With two independent samples A and B of the inputs, and ABᵢ the sample A with column i replaced by that of B,
//!
//! Sᵢ = Σ(f(B) − f̄)(f(ABᵢ) − f(A))/(N·V),   Tᵢ = Σ(f(A) − f(ABᵢ))²/(2N·V):
//!
//! Sᵢ is the share of the variance V by which the variance decreases if input i is known, Tᵢ the share that remains
//! if all other inputs are known. The first estimator is that of A. Saltelli et al. (Comput. Phys. Commun. 181 (2010)
//! 259–270), with the mean subtracted; the second is that of M. J. W. Jansen (Comput. Phys. Commun. 117 (1999)
//! 35–43). Together they are the best known ones for N(d+2) evaluations. Their confidence intervals are percentiles
//! of the bootstrap: rows of the sample are resampled with replacement, five hundred times, with all columns
//! together.

use crate::numeric::random;
use serde::Serialize;

/// Number of bootstrap resamples.
const RESAMPLES: u64 = 500;

/// Sobol' indices of one input.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Index {
    /// First-order index: share of the variance by which it decreases if this input alone is known.
    pub first: f64,
    /// Lower end of the confidence interval of the first-order index.
    pub first_low: f64,
    /// Upper end of the confidence interval of the first-order index.
    pub first_high: f64,
    /// Total index: share of the variance that remains if all other inputs are known.
    pub total: f64,
    /// Lower end of the confidence interval of the total index.
    pub total_low: f64,
    /// Upper end of the confidence interval of the total index.
    pub total_high: f64,
}

/// Returns the indices of all inputs; `mixed[i]` contains the results for sample A with column i from B.
///
/// The indices are NaN if the variance is zero.
pub(super) fn indices(
    a: &[f64],
    b: &[f64],
    mixed: &[Vec<f64>],
    seed: u64,
    level: f64,
) -> Vec<Index> {
    let rows = a.len().min(b.len());
    let once = estimate(a, b, mixed, 0..rows);
    let mut first: Vec<Vec<f64>> = vec![Vec::new(); mixed.len()];
    let mut total = first.clone();
    for k in 0..RESAMPLES {
        let key = random::key(seed, "bootstrap").wrapping_add(random::mix(k + 1));
        let drawn = (0..rows as u64).map(|i| (random::bits(key, i) % rows.max(1) as u64) as usize);
        for (i, (s, t)) in estimate(a, b, mixed, drawn).into_iter().enumerate() {
            first[i].push(s);
            total[i].push(t);
        }
    }
    let interval = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * (values.len().saturating_sub(1)) as f64).round() as usize;
            values.get(index).copied().unwrap_or(f64::NAN)
        };
        (at(0.5 - 0.5 * level), at(0.5 + 0.5 * level))
    };
    once.into_iter()
        .enumerate()
        .map(|(i, (s, t))| {
            let (first_low, first_high) = interval(&mut first[i]);
            let (total_low, total_high) = interval(&mut total[i]);
            Index { first: s, first_low, first_high, total: t, total_low, total_high }
        })
        .collect()
}

/// Returns first-order and total index of every input, estimated from these rows.
fn estimate(
    a: &[f64],
    b: &[f64],
    mixed: &[Vec<f64>],
    rows: impl Iterator<Item = usize>,
) -> Vec<(f64, f64)> {
    // Sums for every input: of f(B)·(f(ABᵢ) − f(A)), of f(ABᵢ) − f(A), and of its square.
    let mut sums = vec![[0.0; 3]; mixed.len()];
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    // The first value is subtracted, because sums of large numbers would lose digits.
    let origin = a.first().copied().unwrap_or(0.0);
    for row in rows {
        let (Some(&fa), Some(&fb)) = (a.get(row), b.get(row)) else { continue };
        n += 1.0;
        sum += fa - origin + (fb - origin);
        squares += (fa - origin).powi(2) + (fb - origin).powi(2);
        for (sums, column) in sums.iter_mut().zip(mixed) {
            let fm = column.get(row).copied().unwrap_or(f64::NAN);
            let change = fm - fa;
            sums[0] += (fb - origin) * change;
            sums[1] += change;
            sums[2] += change * change;
        }
    }
    let variance = squares / (2.0 * n) - (sum / (2.0 * n)).powi(2);
    // A variance that consists of rounding errors counts as zero.
    let scale = origin.abs().max(squares.sqrt());
    let variance = if variance > (1e-13 * scale).powi(2) { variance } else { f64::NAN };
    let mean = sum / (2.0 * n);
    let share = |[product, change, square]: [f64; 3]| {
        ((product - mean * change) / (n * variance), square / (2.0 * n * variance))
    };
    sums.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Method, Sampling};
    use super::*;
    use std::f64::consts::PI;

    /// Returns the indices of a function of `d` numbers in (0, 1).
    fn of(d: usize, n: u64, f: impl Fn(&[f64]) -> f64) -> Vec<Index> {
        let names: Vec<String> = (0..2 * d).map(|k| format!("x{k}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let points = Sampling::new(Method::Sobol, n, 3, true, &names).unwrap();
        let row = |i: u64, from_b: &dyn Fn(usize) -> bool| {
            let x: Vec<f64> =
                (0..d).map(|k| points.unit(if from_b(k) { d + k } else { k }, i)).collect();
            f(&x)
        };
        let a: Vec<f64> = (0..n).map(|i| row(i, &|_| false)).collect();
        let b: Vec<f64> = (0..n).map(|i| row(i, &|_| true)).collect();
        let mixed: Vec<Vec<f64>> =
            (0..d).map(|k| (0..n).map(|i| row(i, &|j| j == k)).collect()).collect();
        indices(&a, &b, &mixed, 1, 0.95)
    }

    fn holds(found: &[Index], first: &[f64], total: &[f64], tolerance: f64) {
        for (k, index) in found.iter().enumerate() {
            assert!((index.first - first[k]).abs() < tolerance, "S{k} {index:?} {}", first[k]);
            assert!((index.total - total[k]).abs() < tolerance, "T{k} {index:?} {}", total[k]);
            // The interval is a 95 % interval for random points; the error of the points used here is smaller.
            assert!(index.first_low - 0.01 < first[k] && first[k] < index.first_high + 0.01);
            assert!(index.total_low - 0.01 < total[k] && total[k] < index.total_high + 0.01);
        }
    }

    #[test]
    fn ishigami_s_function_has_its_known_indices() {
        // sin x₁ + 7 sin²x₂ + 0.1 x₃⁴ sin x₁ on (−π, π)³, T. Ishigami & T. Homma 1990.
        let found = of(3, 1 << 13, |u| {
            let x: Vec<f64> = u.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
            x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
        });
        let v1 = 0.5 * (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2);
        let v2 = 49.0 / 8.0;
        let v13 = 0.01 * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let v = v1 + v2 + v13;
        let first = [v1 / v, v2 / v, 0.0];
        let total = [(v1 + v13) / v, v2 / v, v13 / v];
        holds(&found, &first, &total, 0.01);
    }

    #[test]
    fn sobol_s_g_function_has_its_known_indices() {
        // ∏ (|4xᵢ − 2| + aᵢ)/(1 + aᵢ): Vᵢ = 1/(3(1+aᵢ)²).
        let a = [0.0, 1.0, 4.5, 9.0];
        let found = of(4, 1 << 13, |x| {
            x.iter().zip(a).map(|(x, a)| ((4.0 * x - 2.0f64).abs() + a) / (1.0 + a)).product()
        });
        let v = a.map(|a: f64| 1.0 / (3.0 * (1.0 + a).powi(2)));
        let all = v.iter().map(|v| 1.0 + v).product::<f64>();
        let variance = all - 1.0;
        holds(&found, &v.map(|v| v / variance), &v.map(|v| v * all / (1.0 + v) / variance), 0.01);
    }

    #[test]
    fn what_does_not_vary_has_no_shares() {
        assert!(of(2, 64, |_| 0.3).iter().all(|index| index.first.is_nan()));
    }
}
