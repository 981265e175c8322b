//! Uncertainty of the time of touch if the sum of squares is not a parabola as a function of it.
//!
//! If the force jumps at touch (Kelvin–Voigt) or rises as δ^¼ (Tsuji), the sum of squares jumps or bends sharply
//! whenever the time of touch τ passes a measured point. The derivatives at the minimum then do not determine the
//! width of the minimum: next to a point of a force ∝ t^¼ the derivative is nearly infinite and the standard error
//! much too small; for a force that jumps, the derivative ignores that the points on both sides of the jump confine τ
//! to the time between them, and the standard error is too large.
//!
//! Therefore τ is not linearised. With the other parameters θ at their optimum θ(τ) for each τ, and S(τ) the sum of
//! squares that remains, the probability density of τ is
//!
//! p(τ) ∝ exp(−(S(τ) − S(τ̂))/2s²)
//!
//! (the likelihood with a uniform prior, because the touch falls anywhere between points), and with ⟨·⟩ the mean over
//! this density
//!
//! cov(τ, τ) = ⟨(τ − τ̂)²⟩,  cov(θ, τ) = ⟨(θ(τ) − θ̂)(τ − τ̂)⟩,  cov(θ, θ) = ⟨(θ(τ) − θ̂)(θ(τ) − θ̂)ᵀ⟩ + s²·(JᵀJ)⁻¹,
//!
//! where J is the Jacobian without the column of τ. If S is a parabola, this is the usual covariance, s²·(JᵀJ)⁻¹ of
//! all columns; whether it is one, within its own standard error and one sampling interval to either side, is tested
//! first. On averaging over one parameter: A. Gelman et al., Bayesian Data Analysis, 3rd ed., CRC 2013, chapter 3.

use super::least_squares::{Minimum, Problem};
use super::loss::{Loss, weight_rows};
use super::statistics::{Inverse, Uncertainty};

/// Value of (S − Ŝ)/s² above which the probability density of the touch is set to 0.
const MAX_DISTANCE: f64 = 30.0;
/// Number of times of touch over which the density is summed.
const GRID_POINTS: usize = 64;

/// Sum of squares as a function of the time of touch.
struct Profile<'a> {
    problem: &'a dyn Problem,
    minimum: &'a Minimum,
    /// Index of the time of touch among the parameters.
    touch: usize,
    /// Indices of the other parameters.
    indices: Vec<usize>,
    /// Square root of the weight of each residual, for a robust loss.
    weights: Option<Vec<f64>>,
    /// Weighted columns of the other parameters.
    others: Vec<Vec<f64>>,
    inverse: Inverse,
    /// Variance s² multiplied by the mean weight.
    variance: f64,
    /// Sum of squares at the minimum.
    lowest: f64,
}

impl Profile<'_> {
    /// Returns the sum of squares for the touch shifted by `shift` and the other parameters at their optimum, and the
    /// changes of these.
    ///
    /// If the touch is strongly correlated with the other parameters, these change by much; the derivatives at the
    /// minimum are wrong by a few per cent there, so three corrections are made.
    fn sum_of_squares(&self, shift: f64) -> Option<(f64, Vec<f64>)> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut moves = vec![0.0; self.others.len()];
        let mut left = 0.0;
        for _ in 0..3 {
            let mut x = self.minimum.parameters.clone();
            x[self.touch] += shift;
            self.indices.iter().zip(&moves).for_each(|(&index, by)| x[index] += by);
            let mut residuals = weight_rows(&self.problem.residuals(&x)?, self.weights.as_deref());
            let slopes: Vec<f64> = self.others.iter().map(|c| dot(c, &residuals)).collect();
            for (i, (column, moved)) in self.others.iter().zip(&mut moves).enumerate() {
                let row = slopes.iter().enumerate().map(|(j, slope)| self.inverse.at(i, j) * slope);
                let by = -row.sum::<f64>();
                *moved += by;
                residuals.iter_mut().zip(column).for_each(|(r, c)| *r += by * c);
            }
            left = dot(&residuals, &residuals);
        }
        Some((left, moves))
    }

    /// Returns (S − Ŝ)/s² for the touch shifted by `shift`, and the changes of the other parameters.
    fn at(&self, shift: f64) -> Option<(f64, Vec<f64>)> {
        let (left, moves) = self.sum_of_squares(shift)?;
        Some(((left - self.lowest) / self.variance, moves))
    }

    /// Returns whether the profile is the parabola of this standard error, at distances from the standard error to
    /// one sampling interval on either side.
    fn is_parabola(&self, error: f64, spacing: f64) -> bool {
        let mut shifts = vec![error, 2.0 * error];
        let mut shift = spacing;
        while shift > 3.0 * error && shifts.len() < 40 {
            shifts.push(shift);
            shift *= 0.5;
        }
        shifts.into_iter().flat_map(|shift| [shift, -shift]).all(|shift| {
            let expected = (shift / error).powi(2);
            let Some((distance, _)) = self.at(shift) else { return true };
            (distance > 9.0 && expected > 9.0) || (0.6..1.6).contains(&(distance / expected))
        })
    }

    /// Returns the distance from the minimum to which the density extends on one side, `direction` being ±1. At least
    /// two sampling intervals are searched, because there may be a separate narrow minimum next to a point.
    fn distance_searched(&self, direction: f64, spacing: f64) -> f64 {
        let near = |shift: f64| self.at(direction * shift).is_some_and(|(d, _)| d < MAX_DISTANCE);
        let (mut low, mut high) = (0.0, spacing / 1024.0);
        let mut shift = high;
        while shift <= 2.0 * spacing || (near(shift) && shift < 1e3 * spacing) {
            let next = if shift < 0.25 * spacing { 2.0 * shift } else { 1.25 * shift };
            if near(shift) {
                (low, high) = (shift, next);
            }
            shift = next;
        }
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            if near(middle) { low = middle } else { high = middle }
        }
        high
    }
}

/// Returns the standard errors averaged over the time of touch; `None` if the usual ones are valid.
pub(super) fn averaged_over_touch(
    problem: &dyn Problem,
    minimum: &Minimum,
    touch: usize,
    usual: &Uncertainty,
    spacing: f64,
    (loss, scale): (Loss, f64),
) -> Option<Uncertainty> {
    let count = minimum.parameters.len();
    let indices: Vec<usize> = (0..count).filter(|&i| i != touch).collect();
    let weights = loss.weights(&minimum.residuals, scale);
    let weighted = |&i: &usize| weight_rows(&minimum.jacobian[i], weights.as_deref());
    let others: Vec<Vec<f64>> = indices.iter().map(weighted).collect();
    let variance = loss.variance(&minimum.residuals, scale, count);
    let mean_weight = weights.as_ref().map_or(1.0, |weights| {
        weights.iter().map(|w| w * w).sum::<f64>() / weights.len().max(1) as f64
    });
    let mut profile = Profile {
        inverse: Inverse::new(&others),
        problem,
        minimum,
        touch,
        indices: indices.clone(),
        weights,
        others,
        variance: variance * mean_weight,
        lowest: 0.0,
    };
    (profile.lowest, _) = profile.sum_of_squares(0.0)?;
    let error = usual.errors[touch];
    let small = !(variance > 0.0 && spacing > 0.0);
    if small || (error.is_finite() && error > 0.0 && profile.is_parabola(error, spacing)) {
        return None;
    }
    let (before, after) =
        (profile.distance_searched(-1.0, spacing), profile.distance_searched(1.0, spacing));
    let width = (before + after) / GRID_POINTS as f64;
    let shifts = (0..GRID_POINTS).map(|i| (i as f64 + 0.5) * width - before);
    let tried: Vec<(f64, f64, Vec<f64>)> = shifts
        .filter_map(|shift| profile.at(shift).map(|(distance, moves)| (shift, distance, moves)))
        .collect();
    let nearest = tried.iter().map(|(_, distance, _)| *distance).fold(f64::INFINITY, f64::min);
    let mut covariance = vec![vec![0.0; count]; count];
    let mut total = 0.0;
    for (shift, distance, moves) in &tried {
        let density = (-0.5 * (distance - nearest)).exp();
        total += density;
        let mut all = vec![*shift; count];
        indices.iter().zip(moves).for_each(|(&index, by)| all[index] = *by);
        for i in 0..count {
            for j in 0..count {
                covariance[i][j] += density * all[i] * all[j];
            }
        }
    }
    covariance.iter_mut().flatten().for_each(|c| *c /= total);
    let inverse = match profile.weights {
        // The inverse is that of the columns without weights, to which `variance` belongs.
        Some(_) => {
            let plain = |&i: &usize| minimum.jacobian[i].clone();
            Inverse::new(&indices.iter().map(plain).collect::<Vec<_>>())
        }
        None => profile.inverse,
    };
    let mut lost = vec![false; count];
    for (i, &row) in indices.iter().enumerate() {
        lost[row] = inverse.lost[i];
        for (j, &column) in indices.iter().enumerate() {
            covariance[row][column] += variance * inverse.at(i, j);
        }
    }
    let undetermined =
        inverse.undetermined.iter().map(|part| part.iter().map(|&i| indices[i]).collect());
    let undetermined = undetermined.collect();
    let sound = total > 0.0 && covariance.iter().flatten().all(|c| c.is_finite());
    sound.then(|| {
        Uncertainty::from_covariance(&covariance, &lost, undetermined, usual.freedom.clone())
    })
}
