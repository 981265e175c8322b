//! Propagation of measurement errors, and linear least squares with correlated errors.
//!
//! Each instant ends one flight and begins the next, and gravity and the properties of the ball are the same for all
//! flights. The errors of the restitutions are therefore correlated, and a fit to them must take that into account.

use crate::numeric::linear::{Cholesky, Triangle};
use std::convert::Infallible;

/// A number with its standard uncertainty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uncertain {
    /// Value in SI units.
    pub value: f64,
    /// Standard uncertainty in SI units; 0 if the value is exact.
    pub error: f64,
}

impl Uncertain {
    /// Returns a value with its standard uncertainty.
    pub fn new(value: f64, error: f64) -> Self {
        Self { value, error }
    }
}

/// Returns the results for independent inputs and their covariance to first order, by central differences over one
/// standard uncertainty.
pub fn propagate(
    inputs: &[Uncertain],
    results: impl Fn(&[f64]) -> Vec<f64>,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut x: Vec<f64> = inputs.iter().map(|input| input.value).collect();
    let centre = results(&x);
    let mut covariance = vec![vec![0.0; centre.len()]; centre.len()];
    for (i, input) in inputs.iter().enumerate().filter(|(_, input)| input.error > 0.0) {
        x[i] = input.value + input.error;
        let high = results(&x);
        x[i] = input.value - input.error;
        let low = results(&x);
        x[i] = input.value;
        let half: Vec<f64> = high.iter().zip(&low).map(|(a, b)| 0.5 * (a - b)).collect();
        for (row, a) in covariance.iter_mut().zip(&half) {
            for (cell, b) in row.iter_mut().zip(&half) {
                *cell += a * b;
            }
        }
    }
    (centre, covariance)
}

/// Linear fit to values with correlated errors.
#[derive(Clone, Debug)]
pub struct LinearFit {
    /// The coefficients.
    pub coefficients: Vec<f64>,
    /// Covariance of the coefficients.
    pub covariance: Vec<Vec<f64>>,
    /// Weighted sum of squared residuals, rᵀ·C⁻¹·r.
    pub chi_squared: f64,
}

/// Returns the Cholesky factor of a covariance; a direction without uncertainty is given a small one, so that the
/// matrix is invertible.
fn factorise(covariance: &[Vec<f64>]) -> Cholesky {
    let scale = (0..covariance.len()).map(|i| covariance[i][i]).fold(0.0, f64::max).max(1e-30);
    let pivot = |left: f64, _| Ok::<_, Infallible>(left.max(1e-10 * scale));
    let Ok(factor) = Cholesky::of(covariance.to_vec(), pivot);
    factor
}

/// Returns rᵀ·C⁻¹·r.
pub fn chi_squared(covariance: &[Vec<f64>], residuals: &[f64]) -> f64 {
    factorise(covariance).forward(residuals).iter().map(|r| r * r).sum()
}

/// Fits y by a linear combination of columns; y and all columns have as many elements as the covariance has rows.
pub fn linear_fit(columns: &[Vec<f64>], y: &[f64], covariance: &[Vec<f64>]) -> LinearFit {
    let l = factorise(covariance);
    let white: Vec<Vec<f64>> = columns.iter().map(|column| l.forward(column)).collect();
    let target = l.forward(y);
    let triangle = Triangle::reduce(white.clone(), target.iter().map(|y| -y).collect());
    let coefficients = triangle.minimum();
    let k = columns.len();
    // (RᵀR)⁻¹ = R⁻¹·R⁻ᵀ.
    let mut inverse = vec![vec![0.0; k]; k];
    for j in 0..k {
        for i in (0..=j).rev() {
            let sum: f64 = (i + 1..=j).map(|m| triangle.rows[i][m] * inverse[m][j]).sum();
            let right = if i == j { 1.0 } else { 0.0 };
            let pivot = triangle.rows[i][i];
            inverse[i][j] = if pivot == 0.0 { f64::INFINITY } else { (right - sum) / pivot };
        }
    }
    let element = |a: usize, b: usize| (0..k).map(|m| inverse[a][m] * inverse[b][m]).sum();
    let of_fit = (0..k).map(|a| (0..k).map(|b| element(a, b)).collect()).collect();
    let chi = |i: usize| {
        let fitted: f64 = white.iter().zip(&coefficients).map(|(column, c)| c * column[i]).sum();
        (target[i] - fitted).powi(2)
    };
    let chi_squared = (0..target.len()).map(chi).sum();
    LinearFit { coefficients, covariance: of_fit, chi_squared }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_that_two_intervals_share_makes_their_quotient_less_certain() {
        let instants = [0.0, 0.5, 0.9].map(|t| Uncertain::new(t, 1e-3));
        let (result, covariance) =
            propagate(&instants, |t| vec![(t[2] - t[1]) / (t[1] - t[0]), t[1] - t[0]]);
        assert!((result[0] - 0.8).abs() < 1e-12);
        // ∂e/∂t = (e, −1 − e, 1)/0.5.
        let expected = 1e-3 / 0.5 * (0.64_f64 + 1.8 * 1.8 + 1.0).sqrt();
        assert!((covariance[0][0].sqrt() / expected - 1.0).abs() < 1e-4);
        assert!(covariance[0][1] < 0.0);
    }

    #[test]
    fn correlated_errors_are_fitted_as_the_textbook_says() {
        // Two readings with a common error: the uncertainty of their mean is at least that error.
        let covariance = vec![vec![1.0 + 0.25, 1.0], vec![1.0, 1.0 + 0.25]];
        let fit = linear_fit(&[vec![1.0, 1.0]], &[3.0, 5.0], &covariance);
        assert!((fit.coefficients[0] - 4.0).abs() < 1e-12);
        assert!((fit.covariance[0][0] - (1.0 + 0.125)).abs() < 1e-12);
        assert!((fit.chi_squared - 8.0).abs() < 1e-9, "{}", fit.chi_squared);
        assert!((chi_squared(&covariance, &[-1.0, 1.0]) - 8.0).abs() < 1e-9);
    }
}
