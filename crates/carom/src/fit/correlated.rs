//! Standard errors where the noise is correlated.
//!
//! Least squares of curves are right on average whatever the correlation of the noise, but their textbook errors are not: a
//! noise that changes slowly, as after an anti-aliasing filter or by a sensor that rings, says less than as many independent
//! points. Here the noise is a first-order autoregression, correlation ρ^|i−j|. With J = Q·R the fitted numbers
//! have the covariance s²·R⁻¹·(Qᵀ·Σ·Q)·R⁻ᵀ, and the residuals are M·noise with M = 1 − Q·Qᵀ, which takes from them part of the
//! slow changes that matter most. So ρ is not the correlation of neighbouring residuals but the one whose *expected*
//! correlation after the fit is the observed one, and s² = Σr²/tr(M·Σ). A law that misses the curve leaves correlated residuals as
//! well; its errors then grow, as they should.

use super::least_squares::Minimum;
use super::statistics::{Inverse, Uncertainty};

/// Largest correlation of neighbours that is told from a drift.
const LARGEST: f64 = 0.995;

/// Errors with the correlation of the residuals; none where they are independent as far as one can see.
pub(super) fn uncertainty(minimum: &Minimum, plain: &Uncertainty) -> Option<Uncertainty> {
    let r = &minimum.residuals;
    let (n, k) = (r.len(), minimum.jacobian.len());
    if n < 20 || n < 4 * (k + 1) || k == 0 {
        return None;
    }
    let basis = orthonormal(&minimum.jacobian)?;
    let squares: f64 = r.iter().map(|r| r * r).sum();
    let neighbours: f64 = r.windows(2).map(|w| w[0] * w[1]).sum();
    let observed = neighbours / squares;
    // Two standard errors of a correlation that is none, about what is expected without one.
    let without = expected(&basis, n, 0.0).0;
    if !(observed - without > 2.0 / (n as f64).sqrt()) {
        return None;
    }
    let (mut low, mut high) = (0.0, LARGEST);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if expected(&basis, n, middle).0 < observed { low = middle } else { high = middle }
    }
    let rho = 0.5 * (low + high);
    let variance = squares / expected(&basis, n, rho).1;
    // JᵀΣJ, and with the inverse of JᵀJ on both sides.
    let smoothed: Vec<Vec<f64>> = minimum.jacobian.iter().map(|j| smooth(j, rho)).collect();
    let middle: Vec<Vec<f64>> =
        minimum.jacobian.iter().map(|a| smoothed.iter().map(|b| dot(a, b)).collect()).collect();
    let inverse = Inverse::new(&minimum.jacobian);
    let element = |i: usize, j: usize| -> f64 {
        let row = |a: usize| -> f64 { (0..k).map(|b| middle[a][b] * inverse.at(b, j)).sum() };
        variance * (0..k).map(|a| inverse.at(i, a) * row(a)).sum::<f64>()
    };
    let covariance: Vec<Vec<f64>> =
        (0..k).map(|i| (0..k).map(|j| element(i, j)).collect()).collect();
    Some(Uncertainty::of(&covariance, &inverse.lost, plain.undetermined.clone()))
}

/// Σ·x for correlations ρ^|i−j|, by one sweep in each direction.
fn smooth(x: &[f64], rho: f64) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    let mut sum = 0.0;
    for (out, x) in out.iter_mut().zip(x) {
        sum = rho * sum + x;
        *out += sum;
    }
    sum = 0.0;
    for (out, x) in out.iter_mut().zip(x).rev() {
        *out += rho * sum;
        sum = rho * sum + x;
    }
    out
}

/// Expected correlation of neighbouring residuals, Σᵢ(MΣM)ᵢ,ᵢ₊₁/tr(MΣM), and tr(MΣM) itself, for unit variance.
fn expected(basis: &[Vec<f64>], n: usize, rho: f64) -> (f64, f64) {
    let smoothed: Vec<Vec<f64>> = basis.iter().map(|q| smooth(q, rho)).collect();
    let (mut trace, mut beside) = (n as f64, (n - 1) as f64 * rho);
    for (q, s) in basis.iter().zip(&smoothed) {
        trace -= dot(q, s);
        // −Q·QᵀΣ − ΣQ·Qᵀ beside the diagonal.
        beside -= (0..n - 1).map(|i| q[i] * s[i + 1] + s[i] * q[i + 1]).sum::<f64>();
    }
    for (a, s) in basis.iter().zip(&smoothed) {
        for b in basis {
            let inner = dot(b, s);
            beside += inner * (0..n - 1).map(|i| a[i] * b[i + 1]).sum::<f64>();
        }
    }
    (beside / trace, trace)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// An orthonormal basis of columns, by Gram and Schmidt's method, twice; none where a column is not finite.
fn orthonormal(columns: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for column in columns {
        let size = dot(column, column).sqrt();
        if !size.is_finite() {
            return None;
        }
        let mut rest = column.clone();
        for _ in 0..2 {
            for q in &basis {
                let share = dot(q, &rest);
                rest.iter_mut().zip(q).for_each(|(r, q)| *r -= share * q);
            }
        }
        let norm = dot(&rest, &rest).sqrt();
        // A column that the others contain adds nothing.
        if norm > 1e-9 * size && size > 0.0 {
            basis.push(rest.iter().map(|r| r / norm).collect());
        }
    }
    Some(basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dense matrices, element by element.
    #[test]
    fn sweeps_and_traces_are_those_of_the_matrices() {
        let (n, rho) = (12, 0.7_f64);
        let sigma = |i: usize, j: usize| rho.powi((i as i32 - j as i32).abs());
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
        let swept = smooth(&x, rho);
        for i in 0..n {
            let dense: f64 = (0..n).map(|j| sigma(i, j) * x[j]).sum();
            assert!((swept[i] - dense).abs() < 1e-12);
        }
        let basis = orthonormal(&[vec![1.0; n], x.clone()]).unwrap();
        let m = |i: usize, j: usize| {
            f64::from(u8::from(i == j)) - basis.iter().map(|q| q[i] * q[j]).sum::<f64>()
        };
        let residual = |i: usize, j: usize| -> f64 {
            (0..n).map(|a| (0..n).map(|b| m(i, a) * sigma(a, b) * m(b, j)).sum::<f64>()).sum()
        };
        let trace: f64 = (0..n).map(|i| residual(i, i)).sum();
        let beside: f64 = (0..n - 1).map(|i| residual(i, i + 1)).sum();
        let found = expected(&basis, n, rho);
        assert!((found.1 - trace).abs() < 1e-10 && (found.0 - beside / trace).abs() < 1e-12);
    }
}
