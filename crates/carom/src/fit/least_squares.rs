//! The Levenberg–Marquardt method for sums of squares with a few parameters.
//!
//! The Jacobian is reduced once by Householder reflections to a triangle R and a short right-hand side, so that
//! trying another damping λ costs only a problem of the size of the parameters, independent of the number of data.
//! The step minimises |J·d + r|² + λ·|D·d|², where D contains the largest norms of the columns so far (Moré's
//! scaling); λ is changed according to the ratio of actual to predicted decrease (Nielsen), and steps are cut at the
//! bounds. A robust loss enters through row weights, √ρ′, and through the cost Σρ that must decrease.
//!
//! The method is implemented here, because `levenberg-marquardt` 0.15 has no bounds and depends on `nalgebra` and
//! some thirty packages (39 s of processor time to build, measured in 2026), for problems of at most ten columns.
//!
//! References: D. W. Marquardt, J. SIAM 11 (1963) 431; J. J. Moré, Lecture Notes in Mathematics 630 (1978)
//! 105; H. B. Nielsen, Damping parameter in Marquardt's method, DTU 1999.

use super::loss::{Loss, weight_rows};
use crate::numeric::linear::Triangle;
use serde::Serialize;

/// Least-squares problem: residuals and their derivatives.
pub(super) trait Problem {
    /// Returns the residuals; `None` if the law cannot be computed with these parameters.
    fn residuals(&self, parameters: &[f64]) -> Option<Vec<f64>>;

    /// Returns the residuals and the columns of the Jacobian.
    fn jacobian(&self, parameters: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)>;

    /// Returns the smallest and largest value of each parameter.
    fn bounds(&self) -> Vec<(f64, f64)>;
}

/// Reason for the end of the iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndReason {
    /// The step or the decrease of the cost became negligible.
    Converged,
    /// The largest number of iterations was reached.
    MostIterations,
    /// No step decreases the cost, although the gradient predicts a decrease.
    Stuck,
}

/// Parameters at which the iteration ended.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    pub parameters: Vec<f64>,
    pub residuals: Vec<f64>,
    /// Columns of the Jacobian.
    pub jacobian: Vec<Vec<f64>>,
    /// Cost Σρ; for the loss `Squares`, the sum of squares.
    pub cost: f64,
    pub iterations: usize,
    pub ended: EndReason,
}

/// Largest number of iterations.
const MAX_ITERATIONS: usize = 100;
/// Relative change of cost and parameters at which the iteration has converged.
const CONVERGENCE_TOLERANCE: f64 = 1e-11;

/// Minimises the cost, beginning at `start`.
pub(super) fn minimise(
    problem: &dyn Problem,
    start: &[f64],
    loss: Loss,
    scale: f64,
) -> Option<Minimum> {
    let bounds = problem.bounds();
    let clamp = |x: &mut Vec<f64>| {
        for (x, &(low, high)) in x.iter_mut().zip(&bounds) {
            *x = x.clamp(low, high);
        }
    };
    let mut x = start.to_vec();
    clamp(&mut x);
    let (residuals, jacobian) = problem.jacobian(&x)?;
    let cost = loss.cost(&residuals, scale);
    if !cost.is_finite() {
        return None;
    }
    let mut best = Minimum {
        parameters: x,
        residuals,
        jacobian,
        cost,
        iterations: 0,
        ended: EndReason::Stuck,
    };
    let mut size = vec![0.0_f64; best.parameters.len()];
    let (mut lambda, mut grow) = (1e-3, 2.0);
    while best.iterations < MAX_ITERATIONS {
        let weights = loss.weights(&best.residuals, scale);
        let triangle = weighted_triangle(&best.jacobian, &best.residuals, weights.as_deref());
        for (size, norm) in size.iter_mut().zip(triangle.column_norms()) {
            *size = size.max(norm).max(1e-300);
        }
        let mut improved = false;
        for _ in 0..40 {
            best.iterations += 1;
            let step = step_within(&bounds, &best.parameters, |held| {
                damped_step(&triangle, &size, lambda, held)
            });
            let mut next: Vec<f64> =
                best.parameters.iter().zip(&step).map(|(x, d)| x + d).collect();
            clamp(&mut next);
            let moved: Vec<f64> = next.iter().zip(&best.parameters).map(|(a, b)| a - b).collect();
            let predicted = predicted_decrease(&triangle, &moved);
            let small = moved
                .iter()
                .zip(&best.parameters)
                .all(|(d, x)| d.abs() <= CONVERGENCE_TOLERANCE * (x.abs() + CONVERGENCE_TOLERANCE));
            let cut = moved.iter().zip(&step).any(|(a, b)| (a - b).abs() > 1e-9 * b.abs());
            if small
                || (!cut && predicted <= CONVERGENCE_TOLERANCE * CONVERGENCE_TOLERANCE * best.cost)
            {
                best.ended = EndReason::Converged;
                return Some(best);
            }
            // A step that is cut at a bound may predict no decrease; a larger λ shortens the step, so that less of it
            // is cut.
            if predicted <= 0.0 {
                lambda *= grow;
                grow *= 2.0;
                continue;
            }
            let tried = problem.residuals(&next).map(|r| loss.cost(&r, scale));
            let gained = tried.map_or(f64::NEG_INFINITY, |cost| best.cost - cost);
            if gained > 0.0 {
                let ratio = (gained / predicted).min(1.0);
                lambda *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(1.0 / 10.0);
                grow = 2.0;
                let Some((residuals, jacobian)) = problem.jacobian(&next) else { break };
                let cost = loss.cost(&residuals, scale);
                let negligible =
                    gained <= CONVERGENCE_TOLERANCE * best.cost && predicted <= 1e-9 * best.cost;
                let (iterations, ended) = (best.iterations, best.ended);
                best = Minimum { parameters: next, residuals, jacobian, cost, iterations, ended };
                if negligible {
                    best.ended = EndReason::Converged;
                    return Some(best);
                }
                improved = true;
                break;
            }
            // The iteration has converged if the predicted decrease is below rounding errors.
            if predicted <= 1e-12 * best.cost {
                best.ended = EndReason::Converged;
                return Some(best);
            }
            lambda *= grow;
            grow *= 2.0;
        }
        if !improved {
            best.ended = EndReason::Stuck;
            return Some(best);
        }
    }
    best.ended = EndReason::MostIterations;
    Some(best)
}

/// Returns a step that stays within the bounds: parameters at a bound that the step would cross are held, and the
/// step of the others is computed without them.
fn step_within(bounds: &[(f64, f64)], at: &[f64], step: impl Fn(&[bool]) -> Vec<f64>) -> Vec<f64> {
    let mut held = vec![false; at.len()];
    loop {
        let found = step(&held);
        let mut more = false;
        for (i, &(low, high)) in bounds.iter().enumerate() {
            let leaves = (at[i] <= low && found[i] < 0.0) || (at[i] >= high && found[i] > 0.0);
            if leaves && !held[i] {
                (held[i], more) = (true, true);
            }
        }
        if !more {
            return found;
        }
    }
}

/// Returns the problem with weighted rows, reduced to its triangle.
fn weighted_triangle(columns: &[Vec<f64>], residuals: &[f64], weights: Option<&[f64]>) -> Triangle {
    let columns = columns.iter().map(|column| weight_rows(column, weights)).collect();
    Triangle::reduce(columns, weight_rows(residuals, weights))
}

/// Returns the step that minimises |R·d + b|² + λ·|D·d|²; held parameters do not change.
fn damped_step(triangle: &Triangle, size: &[f64], lambda: f64, held: &[bool]) -> Vec<f64> {
    let n = size.len();
    let mut columns = vec![vec![0.0; 2 * n]; n];
    for j in (0..n).filter(|&j| !held[j]) {
        for i in 0..n {
            columns[j][i] = triangle.rows[i][j];
        }
        columns[j][n + j] = lambda.sqrt() * size[j];
    }
    let mut b = triangle.right.clone();
    b.resize(2 * n, 0.0);
    Triangle::reduce(columns, b).minimum()
}

/// Returns the decrease of the cost that the linear model predicts for a step.
fn predicted_decrease(Triangle { rows, right }: &Triangle, step: &[f64]) -> f64 {
    let n = rows.len();
    let mut gain = 0.0;
    for i in 0..n {
        let change: f64 = (i..n).map(|j| rows[i][j] * step[j]).sum();
        gain -= change * (2.0 * right[i] + change);
    }
    gain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's function as a least-squares problem with the residuals 10·(y − x²) and 1 − x.
    struct Valley;

    impl Problem for Valley {
        fn residuals(&self, p: &[f64]) -> Option<Vec<f64>> {
            Some(vec![10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0]])
        }

        fn jacobian(&self, p: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
            let columns = vec![vec![-20.0 * p[0], -1.0], vec![10.0, 0.0]];
            Some((self.residuals(p)?, columns))
        }

        fn bounds(&self) -> Vec<(f64, f64)> {
            vec![(-5.0, 5.0), (-5.0, 0.5)]
        }
    }

    #[test]
    fn a_curved_valley_is_followed_to_its_bound() {
        let found = minimise(&Valley, &[-1.2, 0.4], Loss::Squares, 1.0).unwrap();
        // With y held at ½ the gradient −400·x·(y − x²) − 2·(1 − x) vanishes near x = √½.
        let (x, y) = (found.parameters[0], found.parameters[1]);
        assert_eq!(y, 0.5);
        let slope = -400.0 * x * (y - x * x) - 2.0 * (1.0 - x);
        assert!(slope.abs() < 1e-6, "{slope}");
    }
}
