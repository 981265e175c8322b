//! Standard errors and correlations of fitted parameters, parameters that the data do not determine, and information
//! criteria.
//!
//! With J the Jacobian at the minimum and s² = Σr²/(N − k), the covariance of the parameters is s²·(JᵀJ)⁻¹; for a
//! robust loss s² is replaced by Huber's variance (`fit/loss.rs`). The columns are first scaled to unit length, so
//! that the eigenvalues of JᵀJ do not depend on units. If an eigenvalue is close to zero, the data do not determine
//! the combination of parameters that is its eigenvector.
//!
//! If the force jumps or rises steeply at touch, this does not hold for the time of touch; see `fit/touch.rs`.
//!
//! These errors assume independent residuals; if neighbouring residuals are correlated, `fit/correlated.rs` enlarges
//! the errors. The residuals of a law that does not fit well are correlated: the Durbin–Watson statistic,
//! Σ(rᵢ − rᵢ₋₁)²/Σrᵢ², is 2 for independent residuals and near 0 for a systematic misfit.
//!
//! Criteria: AICc = N·ln(S/N) + 2k + 2k(k+1)/(N−k−1) and BIC = N·ln(S/N) + k·ln N, where S is the sum of squares and
//! k the number of free parameters including the variance of the noise (K. P. Burnham, D. R. Anderson, Model
//! Selection and Multimodel Inference, 2nd ed., Springer 2002, chapters 2 and 6). For the bootstrap, residuals are
//! drawn in circular blocks (D. N. Politis and J. P. Romano 1992).

use super::least_squares::{EndReason, Minimum};
use super::loss::Loss;
use crate::numeric::linear::{Triangle, symmetric_eigen};
use crate::numeric::random::Sequence;
use serde::Serialize;

/// Quality of a fit.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of points that were fitted.
    pub points: usize,
    /// Number of free parameters.
    pub free: usize,
    /// Root mean square of the residuals: in N for curves, relative for results of impacts.
    pub residual_rms: f64,
    /// Root mean square of the residuals divided by the largest measured force, for curves.
    pub relative_rms: f64,
    /// Coefficient of determination R²: share of the variance of the data that the fit explains.
    pub r_squared: f64,
    /// Akaike's information criterion, corrected for small samples; smaller is better. None if it does not exist,
    /// because there are fewer than two points more than free parameters, the noise included.
    pub aicc: Option<f64>,
    /// Bayesian information criterion; smaller is better.
    pub bic: f64,
    /// Durbin–Watson statistic: 2 for independent residuals, near 0 for a systematic misfit.
    pub durbin_watson: f64,
    /// Number of iterations of the search.
    pub iterations: usize,
    /// How the search ended.
    pub ended: EndReason,
}

impl Statistics {
    /// Computes the statistics of the residuals at a minimum; `size` is the largest measured value.
    pub(super) fn new(minimum: &Minimum, measured: &[f64], size: f64) -> Self {
        let r = &minimum.residuals;
        let n = r.len() as f64;
        let k = minimum.parameters.len() as f64 + 1.0;
        let sum: f64 = r.iter().map(|r| r * r).sum();
        let mean = measured.iter().sum::<f64>() / n;
        let total: f64 = measured.iter().map(|y| (y - mean) * (y - mean)).sum();
        let steps: f64 = r.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
        // The likelihood of a perfect fit is unbounded; the residuals are therefore assumed not to be smaller than
        // the rounding of the data.
        let variance = (sum / n).max((1e-15 * size).powi(2));
        let (aicc, bic) = criteria(n * variance.ln(), n, k);
        Self {
            points: r.len(),
            free: minimum.parameters.len(),
            residual_rms: (sum / n).sqrt(),
            relative_rms: (sum / n).sqrt() / size,
            r_squared: 1.0 - sum / total,
            aicc,
            bic,
            durbin_watson: steps / sum,
            iterations: minimum.iterations,
            ended: minimum.ended,
        }
    }
}

/// Returns Akaike's corrected criterion, if it exists, and the Bayesian criterion for n points and k fitted
/// parameters. `likelihood` is the sum of N·ln(S/N) over all parts that have their own noise.
pub(super) fn criteria(likelihood: f64, n: f64, k: f64) -> (Option<f64>, f64) {
    let spare = n - k - 1.0;
    let aicc = likelihood + 2.0 * k + 2.0 * k * (k + 1.0) / spare;
    ((spare > 0.0).then_some(aicc), likelihood + k * n.ln())
}

/// Standard errors and correlations of the fitted parameters.
#[derive(Clone, Debug)]
pub(super) struct Uncertainty {
    /// Standard errors; infinite for parameters that are not determined.
    pub errors: Vec<f64>,
    /// Covariance without the directions that the data do not determine.
    pub covariance: Vec<Vec<f64>>,
    pub correlation: Vec<Vec<f64>>,
    /// Degrees of freedom of each error, for Student's distribution.
    pub freedom: Vec<f64>,
    /// Sets of parameters of which only some combination is determined.
    pub undetermined: Vec<Vec<usize>>,
}

/// Eigenvalues of the scaled JᵀJ below this value count as zero, because errors of the derivatives cause smaller
/// ones.
const SINGULAR_EIGENVALUE: f64 = 1e-10;

impl Uncertainty {
    pub fn new(minimum: &Minimum, loss: Loss, scale: f64) -> Self {
        let inverse = Inverse::new(&minimum.jacobian);
        let n = minimum.jacobian.len();
        let variance = loss.variance(&minimum.residuals, scale, n);
        let covariance: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| variance * inverse.at(i, j)).collect()).collect();
        let spare = (minimum.residuals.len() as f64 - n as f64).max(1.0);
        Self::from_covariance(&covariance, &inverse.lost, inverse.undetermined, vec![spare; n])
    }

    /// Multiplies these errors by the ratio of the errors of `wide` to those of `plain` where it exceeds 1.
    pub fn widened_by_ratio(mut self, plain: &Self, wide: &Self) -> Self {
        let ratio = |(plain, wide): (&f64, &f64)| match wide / plain {
            ratio if ratio.is_finite() => ratio.max(1.0),
            _ => 1.0,
        };
        let ratios: Vec<f64> = plain.errors.iter().zip(&wide.errors).map(ratio).collect();
        self.scale(&ratios);
        self.freedom.clone_from(&wide.freedom);
        self
    }

    /// Multiplies the errors, and the covariance accordingly.
    fn scale(&mut self, ratios: &[f64]) {
        for (i, (error, row)) in self.errors.iter_mut().zip(&mut self.covariance).enumerate() {
            *error *= ratios[i];
            row.iter_mut().zip(ratios).for_each(|(element, other)| *element *= ratios[i] * other);
        }
    }

    /// Adds the difference of the variances of `other` and `plain` to these variances.
    pub fn with_added_variance(mut self, other: &Self, plain: &Self) -> Self {
        let ratio = |((error, other), plain): ((&f64, &f64), &f64)| {
            let ratio = 1.0 + (other * other - plain * plain) / (error * error);
            // A jump of the force may make the error of a touch smaller than the usual estimate.
            if ratio.is_nan() { 1.0 } else { ratio.max(0.25).sqrt() }
        };
        let errors = self.errors.iter().zip(&other.errors).zip(&plain.errors);
        let ratios: Vec<f64> = errors.map(ratio).collect();
        self.scale(&ratios);
        self
    }

    /// Computes errors and correlations from a covariance; the errors of the parameters that are `lost` are infinite.
    pub fn from_covariance(
        covariance: &[Vec<f64>],
        lost: &[bool],
        undetermined: Vec<Vec<usize>>,
        freedom: Vec<f64>,
    ) -> Self {
        let n = covariance.len();
        let error = |i: usize| match lost[i] {
            true => f64::INFINITY,
            false => covariance[i][i].sqrt(),
        };
        let correlation = |i: usize, j: usize| {
            let size = (covariance[i][i] * covariance[j][j]).sqrt();
            if i == j { 1.0 } else { (covariance[i][j] / size).clamp(-1.0, 1.0) }
        };
        Self {
            errors: (0..n).map(error).collect(),
            covariance: covariance.to_vec(),
            correlation: (0..n).map(|i| (0..n).map(|j| correlation(i, j)).collect()).collect(),
            freedom,
            undetermined,
        }
    }
}

/// (JᵀJ)⁻¹ without the directions that the columns of J do not determine.
pub(super) struct Inverse {
    /// Inverse for columns of unit length.
    scaled: Vec<Vec<f64>>,
    norms: Vec<f64>,
    /// Columns that are zero or part of a direction that is not determined.
    pub lost: Vec<bool>,
    /// Columns of each such direction.
    pub undetermined: Vec<Vec<usize>>,
}

impl Inverse {
    pub fn new(columns: &[Vec<f64>]) -> Self {
        let rows = columns.first().map_or(0, Vec::len);
        let triangle = Triangle::reduce(columns.to_vec(), vec![0.0; rows]);
        let (norms, triangle) = (triangle.column_norms(), triangle.rows);
        let n = norms.len();
        let product = |i: usize, j: usize| -> f64 {
            let product: f64 = (0..=i.min(j)).map(|k| triangle[k][i] * triangle[k][j]).sum();
            let size = norms[i] * norms[j];
            if size > 0.0 { product / size } else { 0.0 }
        };
        let matrix: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
        let (values, vectors) = symmetric_eigen(matrix);
        let mut scaled = vec![vec![0.0; n]; n];
        let mut lost: Vec<bool> = norms.iter().map(|norm| *norm == 0.0).collect();
        let mut undetermined = Vec::new();
        for (k, &value) in values.iter().enumerate() {
            if value <= SINGULAR_EIGENVALUE {
                let part: Vec<usize> = (0..n).filter(|&i| vectors[i][k].abs() > 0.2).collect();
                part.iter().for_each(|&i| lost[i] = true);
                undetermined.push(part);
                continue;
            }
            for i in 0..n {
                for j in 0..n {
                    scaled[i][j] += vectors[i][k] * vectors[j][k] / value;
                }
            }
        }
        Self { scaled, norms, lost, undetermined }
    }

    /// Returns the element for two columns; 0 for a column of zeros.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        let size = self.norms[i] * self.norms[j];
        if size > 0.0 { self.scaled[i][j] / size } else { 0.0 }
    }
}

/// Noise of one record: correlation of neighbouring points, and variance of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Noise {
    pub rho: f64,
    pub variance: f64,
}

/// Draws residuals again in circular blocks of length √n, which preserve correlations that the autoregression of the
/// noise does not describe.
///
/// Strongly correlated noise would need blocks so long that there are too few of them. Therefore the autoregression
/// is removed first and applied again afterwards (D. N. Politis, Statist. Sci. 18 (2003) 219–230): blocks of
/// rᵢ − ρ·rᵢ₋₁ are drawn, with ρ of the noise instead of that of the residuals, and the recursion is applied to them.
/// Residuals have less variance than the noise, because the fit follows part of it; they are scaled to the variance
/// of the noise.
pub(super) fn resample_blocks(
    residuals: &[f64],
    noise: Option<Noise>,
    random: &mut Sequence,
) -> Vec<f64> {
    let n = residuals.len();
    let rho = noise.map_or(0.0, |noise| noise.rho);
    // If there are only a few values, they are drawn one by one.
    let length = if n < 50 { 1 } else { (n as f64).sqrt().ceil() as usize };
    let mut previous = residuals.last().copied().unwrap_or(0.0);
    let fresh: Vec<f64> = residuals
        .iter()
        .map(|&r| r - rho * std::mem::replace(&mut previous, r))
        // The last value is not a neighbour of the first.
        .skip(usize::from(rho != 0.0))
        .collect();
    let mean_square = fresh.iter().map(|r| r * r).sum::<f64>() / fresh.len() as f64;
    let left = 1.0 - rho * rho;
    let enlarged = noise.map_or(1.0, |noise| (left * noise.variance / mean_square).sqrt());
    let factor = if enlarged.is_finite() { enlarged } else { 1.0 };
    let mut drawn = Vec::with_capacity(n + length);
    while drawn.len() < n {
        let start = random.below(fresh.len());
        drawn.extend((0..length).map(|i| factor * fresh[(start + i) % fresh.len()]));
    }
    drawn.truncate(n);
    let mut sum = 0.0;
    for (i, value) in drawn.iter_mut().enumerate() {
        // The first value must have the same variance as all others.
        sum = if i == 0 { *value / left.sqrt() } else { rho * sum + *value };
        *value = sum;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_straight_line_are_those_of_the_textbook() {
        // y = a + b·t at t = 0…9 with residuals ±1: s² = 10/8, var b = s²/Σ(t−t̄)², Σ(t−t̄)² = 82.5.
        let t: Vec<f64> = (0..10).map(f64::from).collect();
        let residuals: Vec<f64> = (0..10).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let minimum = Minimum {
            parameters: vec![0.0, 0.0],
            residuals,
            jacobian: vec![vec![1.0; 10], t],
            cost: 10.0,
            iterations: 1,
            ended: EndReason::Converged,
        };
        let found = Uncertainty::new(&minimum, Loss::Squares, 1.0);
        assert!((found.errors[1] - (1.25f64 / 82.5).sqrt()).abs() < 1e-12);
        // Correlation of intercept and slope: −t̄/√(mean of t²).
        assert!((found.correlation[0][1] + 4.5 / 28.5f64.sqrt()).abs() < 1e-12);
        assert!(found.undetermined.is_empty());
    }

    #[test]
    fn twins_cannot_be_told_apart_and_are_named() {
        let minimum = Minimum {
            parameters: vec![0.0; 3],
            residuals: vec![0.1, -0.2, 0.1, 0.05],
            jacobian: vec![vec![1.0; 4], vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 4.0, 6.0, 8.0]],
            cost: 1.0,
            iterations: 1,
            ended: EndReason::Converged,
        };
        let found = Uncertainty::new(&minimum, Loss::Squares, 1.0);
        assert_eq!(found.undetermined, [[1, 2]]);
        assert!(found.errors[0].is_finite() && found.errors[1].is_infinite());
    }
}
