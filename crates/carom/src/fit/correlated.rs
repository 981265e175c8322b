//! Standard errors for correlated noise, and the degrees of freedom of these errors.
//!
//! Least-squares estimates are unbiased also if the noise is correlated, but the usual formula for their errors then
//! yields too small values: if the noise changes slowly, as after an anti-aliasing filter or with a sensor that
//! rings, the points hold less information than as many independent points. Here the noise of each record is modelled
//! as a first-order autoregression with the correlation ρ^|i−j|. With Σ its covariance (for several records, block by
//! block) the fitted parameters have the covariance (JᵀJ)⁻¹·(JᵀΣJ)·(JᵀJ)⁻¹. The residuals are M·noise with
//! M = 1 − Q·Qᵀ, J = Q·R, because the fit absorbs part of the slow noise. Therefore ρ is not set to the observed
//! correlation of neighbouring residuals; it is chosen such that the *expected* correlation after the fit equals the
//! observed one. The variance follows from the expected sum of squares in the same way. If a law misses the curve,
//! its residuals are correlated as well; its errors then increase, as they should.
//!
//! The information on these errors is that of few independent points: with ρ = 0.9, two hundred points determine the
//! slow part of the noise no better than five. An interval of 1.96 standard errors is then too narrow; it is widened
//! by Student's distribution with
//!
//! ν = 2·V²/var(V̂),  var(ln V̂) = 2/m + (d ln V/dρ)²·var(ρ̂),  var(ρ̂) = (1 − r²)/(m·(dr/dρ)²)
//!
//! degrees of freedom (F. E. Satterthwaite, Biometrics Bull. 2 (1946) 110). V is the variance of one fitted
//! parameter, r the observed correlation and m the number of points minus the number of fitted parameters; d ln V/dρ
//! is computed with the variance of the innovations fixed, because the estimates of that variance and of ρ are
//! independent (G. E. P. Box, G. M. Jenkins, Time Series Analysis, Holden-Day 1976, appendix A7.5).

use super::least_squares::Minimum;
use super::statistics::{Inverse, Noise, Uncertainty};
use crate::numeric::root;
use std::ops::Range;

/// Largest correlation of neighbouring points; above it noise cannot be distinguished from a drift.
const MAX_CORRELATION: f64 = 0.995;

/// Returns the errors that follow from the correlation of the residuals of each record, and the noise of each record.
///
/// `records` contains the rows of each record, one record after the other, and whether neighbouring points of it may
/// be correlated. No errors are returned if no record shows a significant correlation.
pub(super) fn uncertainty(
    minimum: &Minimum,
    plain: &Uncertainty,
    records: &[(Range<usize>, bool)],
) -> (Option<Uncertainty>, Vec<Noise>) {
    let Some(blocks) = record_blocks(minimum, records) else { return (None, Vec::new()) };
    let noise = estimate_noise(&blocks);
    let correlated = noise.iter().any(|noise| noise.rho > 0.0);
    (correlated.then(|| uncertainty_with_noise(minimum, plain, &blocks, &noise)), noise)
}

/// Residuals of one record, and the rows of the basis Q that belong to it.
struct Block<'a> {
    rows: Range<usize>,
    /// Whether neighbouring points may be correlated.
    curve: bool,
    residuals: &'a [f64],
    /// Columns of the orthonormal basis, restricted to the rows of this record; only those that are not zero here,
    /// with their indices.
    basis: Vec<(usize, Vec<f64>)>,
    /// Products Σᵢ qᵢ·pᵢ of any two columns.
    products: Vec<Vec<f64>>,
    /// Products Σᵢ qᵢ·pᵢ₊₁ of any two columns.
    neighbour_products: Vec<Vec<f64>>,
}

/// Expected sums of squares and of products of neighbouring residuals.
#[derive(Clone, Copy, Default)]
struct Moments {
    squares: f64,
    neighbours: f64,
}

impl Block<'_> {
    /// Returns the moments that follow from noise of unit variance in this record.
    fn own_moments(&self, rho: f64) -> Moments {
        let n = self.residuals.len();
        let correlated: Vec<Vec<f64>> = self.basis.iter().map(|(_, q)| correlate(q, rho)).collect();
        let (mut squares, mut neighbours) = (n as f64, n.saturating_sub(1) as f64 * rho);
        for (a, (_, q)) in self.basis.iter().enumerate() {
            let s = &correlated[a];
            squares -= 2.0 * dot(q, s);
            // Contribution of −Q·QᵀΣ − ΣQ·Qᵀ next to the diagonal.
            neighbours -= neighbour_dot(q, s) + neighbour_dot(s, q);
            for (b, (_, p)) in self.basis.iter().enumerate() {
                let inner = dot(p, s);
                squares += inner * self.products[a][b];
                neighbours += inner * self.neighbour_products[a][b];
            }
        }
        Moments { squares, neighbours }
    }

    /// Returns the moments that the noise of another record causes through shared parameters: the part of Q·(QᵀΣQ)·Qᵀ
    /// in the rows of this record.
    fn moments_from(&self, other: &Block, noise: Noise) -> Moments {
        let correlated: Vec<Vec<f64>> =
            other.basis.iter().map(|(_, q)| correlate(q, noise.rho)).collect();
        let mut moments = Moments::default();
        for (a, (first, _)) in self.basis.iter().enumerate() {
            for (b, (second, _)) in self.basis.iter().enumerate() {
                let place = |wanted: &usize| other.basis.iter().position(|(at, _)| at == wanted);
                let (Some(i), Some(j)) = (place(first), place(second)) else { continue };
                let inner = noise.variance * dot(&other.basis[i].1, &correlated[j]);
                moments.squares += inner * self.products[a][b];
                moments.neighbours += inner * self.neighbour_products[a][b];
            }
        }
        moments
    }

    /// Returns the expected correlation of neighbouring residuals.
    fn expected_correlation(&self, rho: f64) -> f64 {
        let own = self.own_moments(rho);
        own.neighbours / own.squares
    }

    /// Returns the number of points minus the number of parameters fitted to them; a shared parameter counts by the
    /// share of this record.
    fn degrees_of_freedom(&self) -> f64 {
        let fitted: f64 = (0..self.basis.len()).map(|a| self.products[a][a]).sum();
        (self.residuals.len() as f64 - fitted).max(1.0)
    }

    /// Returns the noise that explains the residuals; `others` are the moments caused by other records.
    fn noise(&self, others: Moments) -> Noise {
        let n = self.residuals.len();
        let squares = dot(self.residuals, self.residuals) - others.squares;
        let neighbours = neighbour_dot(self.residuals, self.residuals) - others.neighbours;
        let observed = neighbours / squares;
        let mut rho = 0.0;
        // A correlation is significant if it exceeds that expected for independent noise after the fit by two
        // standard errors, each 1/√n.
        let enough = self.curve && n >= 20 && n >= 4 * (self.basis.len() + 1) && squares > 0.0;
        if enough && observed - self.expected_correlation(0.0) > 2.0 / (n as f64).sqrt() {
            let excess = |rho: f64| self.expected_correlation(rho) - observed;
            rho = root::find(0.0, MAX_CORRELATION, 1e-12, excess).unwrap_or(MAX_CORRELATION);
        }
        Noise { rho, variance: squares.max(0.0) / self.own_moments(rho).squares }
    }

    /// Returns JᵀΣJ of this record for unit variance.
    fn noise_matrix(&self, jacobian: &[Vec<f64>], rho: f64) -> Vec<Vec<f64>> {
        let here: Vec<&[f64]> =
            jacobian.iter().map(|j| j.get(self.rows.clone()).unwrap_or_default()).collect();
        let correlated: Vec<Vec<f64>> = here.iter().map(|j| correlate(j, rho)).collect();
        here.iter().map(|a| correlated.iter().map(|b| dot(a, b)).collect()).collect()
    }
}

/// Returns the records with their rows of the basis; `None` if a derivative is not finite.
fn record_blocks<'a>(
    minimum: &'a Minimum,
    records: &[(Range<usize>, bool)],
) -> Option<Vec<Block<'a>>> {
    if minimum.jacobian.is_empty() {
        return None;
    }
    let basis = orthonormal(&minimum.jacobian)?;
    let mut blocks = Vec::new();
    for (rows, curve) in records {
        let residuals = minimum.residuals.get(rows.clone())?;
        let part = |(place, q): (usize, &Vec<f64>)| Some((place, q.get(rows.clone())?.to_vec()));
        let mut here: Vec<(usize, Vec<f64>)> = basis.iter().enumerate().filter_map(part).collect();
        here.retain(|(_, q)| q.iter().any(|q| *q != 0.0));
        let table = |of: fn(&[f64], &[f64]) -> f64| -> Vec<Vec<f64>> {
            here.iter().map(|(_, q)| here.iter().map(|(_, p)| of(q, p)).collect()).collect()
        };
        let (products, neighbour_products) = (table(dot), table(neighbour_dot));
        let curve = *curve;
        let rows = rows.clone();
        blocks.push(Block { rows, curve, residuals, products, neighbour_products, basis: here });
    }
    Some(blocks)
}

/// Returns the noise of every record. Through shared parameters the noise of one record affects the residuals of the
/// others, so all are estimated together by a fixed-point iteration.
fn estimate_noise(blocks: &[Block]) -> Vec<Noise> {
    let alone = |block: &Block| block.noise(Moments::default());
    let mut noise: Vec<Noise> = blocks.iter().map(alone).collect();
    for _ in 0..if blocks.len() > 1 { 3 } else { 0 } {
        for (i, block) in blocks.iter().enumerate() {
            let mut others = Moments::default();
            for (j, other) in blocks.iter().enumerate().filter(|(j, _)| *j != i) {
                let one = block.moments_from(other, noise[j]);
                others.squares += one.squares;
                others.neighbours += one.neighbours;
            }
            noise[i] = block.noise(others);
        }
    }
    noise
}

/// Returns the errors and their degrees of freedom for this noise (see the module comment).
fn uncertainty_with_noise(
    minimum: &Minimum,
    plain: &Uncertainty,
    blocks: &[Block],
    noise: &[Noise],
) -> Uncertainty {
    let k = minimum.jacobian.len();
    let inverse = Inverse::new(&minimum.jacobian);
    // Element of (JᵀJ)⁻¹·`middle`·(JᵀJ)⁻¹.
    let element = |middle: &[Vec<f64>], i: usize, j: usize| -> f64 {
        let row = |a: usize| -> f64 { (0..k).map(|b| middle[a][b] * inverse.at(b, j)).sum() };
        (0..k).map(|a| inverse.at(i, a) * row(a)).sum()
    };
    let mut covariance = vec![vec![0.0; k]; k];
    // var(V̂) of every parameter, summed over the records.
    let mut variance_error = vec![0.0; k];
    for (block, &Noise { rho, variance }) in blocks.iter().zip(noise) {
        let middle = block.noise_matrix(&minimum.jacobian, rho);
        for (i, row) in covariance.iter_mut().enumerate() {
            for (j, c) in row.iter_mut().enumerate() {
                *c += variance * element(&middle, i, j);
            }
        }
        let spare = block.degrees_of_freedom();
        let step = 1e-3 * (1.0 - rho);
        let (low, high) = ((rho - step).max(0.0), rho + step);
        let width = high - low;
        let observed = block.expected_correlation(rho);
        let slope = (block.expected_correlation(high) - block.expected_correlation(low)) / width;
        // If no correlation was found, white noise is assumed and ρ has no error.
        let of_rho = match rho > 0.0 {
            true => (1.0 - observed * observed) / (spare * slope * slope),
            false => 0.0,
        };
        let [below, above] = [low, high].map(|rho| block.noise_matrix(&minimum.jacobian, rho));
        for (i, variance_error) in variance_error.iter_mut().enumerate() {
            let share = element(&middle, i, i);
            if share > 0.0 {
                // The variance of the innovations, s²·(1 − ρ²), is kept fixed.
                let growth = (element(&above, i, i) / element(&below, i, i)).ln() / width
                    + 2.0 * rho / (1.0 - rho * rho);
                *variance_error +=
                    (variance * share).powi(2) * (2.0 / spare + growth * growth * of_rho);
            }
        }
    }
    let freedom = |(i, variance_error): (usize, &f64)| {
        let found = 2.0 * covariance[i][i].powi(2) / variance_error;
        if found.is_finite() { found.clamp(1.0, plain.freedom[i]) } else { plain.freedom[i] }
    };
    let freedom = variance_error.iter().enumerate().map(freedom).collect();
    Uncertainty::from_covariance(&covariance, &inverse.lost, plain.undetermined.clone(), freedom)
}

/// Returns Σ·x for correlations ρ^|i−j|, by one recursive sweep in each direction.
fn correlate(x: &[f64], rho: f64) -> Vec<f64> {
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

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns Σᵢ aᵢ·bᵢ₊₁.
fn neighbour_dot(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b.get(1..).unwrap_or_default())
}

/// Returns an orthonormal basis of the columns by the Gram–Schmidt method, applied twice; `None` if a column is not
/// finite.
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
        // A column that is a combination of the others adds nothing to the basis.
        if norm > 1e-9 * size && size > 0.0 {
            basis.push(rest.iter().map(|r| r / norm).collect());
        }
    }
    Some(basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with full matrices, element by element.
    #[test]
    fn sweeps_and_traces_are_those_of_the_matrices() {
        let (n, rho) = (12, 0.7_f64);
        let sigma = |i: usize, j: usize| rho.powi((i as i32 - j as i32).abs());
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
        let swept = correlate(&x, rho);
        for i in 0..n {
            let dense: f64 = (0..n).map(|j| sigma(i, j) * x[j]).sum();
            assert!((swept[i] - dense).abs() < 1e-12);
        }
        // Two records that share the second column, with noise in the first or in the second record.
        let half = n / 2;
        let only: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < half))).collect();
        let columns = vec![only, x];
        let basis = orthonormal(&columns).unwrap();
        let m = |i: usize, j: usize| {
            f64::from(u8::from(i == j)) - basis.iter().map(|q| q[i] * q[j]).sum::<f64>()
        };
        let minimum = Minimum {
            parameters: vec![0.0; 2],
            residuals: (0..n).map(|i| (i as f64 * 1.3).cos()).collect(),
            jacobian: columns,
            cost: 1.0,
            iterations: 0,
            ended: crate::fit::EndReason::Converged,
        };
        let both = record_blocks(&minimum, &[(0..half, true), (half..n, true)]).unwrap();
        for (noisy, of) in [(0..half, 0), (half..n, 1)] {
            let inside = |i: usize, j: usize| noisy.contains(&i) && noisy.contains(&j);
            let residual = |i: usize, j: usize| -> f64 {
                let sum = |a: usize| -> f64 {
                    (0..n).filter(|&b| inside(a, b)).map(|b| m(i, a) * sigma(a, b) * m(b, j)).sum()
                };
                (0..n).map(sum).sum()
            };
            for (seen, rows) in [(0, 0..half), (1, half..n)] {
                let trace: f64 = rows.clone().map(|i| residual(i, i)).sum();
                let beside: f64 = rows.clone().skip(1).map(|i| residual(i - 1, i)).sum();
                let found = match seen == of {
                    true => both[of].own_moments(rho),
                    false => both[seen].moments_from(&both[of], Noise { rho, variance: 1.0 }),
                };
                assert!((found.squares - trace).abs() < 1e-10, "{of} {seen}");
                assert!((found.neighbours - beside).abs() < 1e-10, "{of} {seen}");
            }
        }
    }
}
