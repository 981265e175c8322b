//! Small fits: least squares (Levenberg–Marquardt) and minimax (Gauss–Newton with Lawson's iteration).
//!
//! A residual r is a function of the constants at a data point. Least squares minimises Σ w·r². Minimax fits minimise max |r|
//! (Chebyshev): r is linearised, r − J·d, and the step d with the smallest maximum is found by Lawson's iteration, i.e. weighted
//! least squares with weights w ← w·|r − J·d|. The step is shortened until it reduces the maximum, and the procedure is repeated.
//! Derivatives are central differences, because the functions are smooth and a few digits are sufficient.

use carom::numeric::linear::solve;

/// Largest number of Gauss–Newton steps, and of Lawson iterations in each.
const GAUSS_NEWTON_STEPS: usize = 40;
const LAWSON_ITERATIONS: usize = 300;

/// Fitted constants and their errors.
#[derive(Clone, Debug)]
pub struct Fit<const K: usize> {
    /// Fitted constants.
    pub constants: [f64; K],
    /// Largest error, max |r|.
    pub largest: f64,
    /// Mean error, mean |r|.
    pub mean: f64,
}

impl<const K: usize> Fit<K> {
    /// Returns the fit with constants rounded to four decimals, and its errors.
    pub fn rounded(&self, count: usize, r: &impl Residual<K>) -> Self {
        evaluate(self.constants.map(|c| (c * 1e4).round() / 1e4), count, r)
    }
}

/// Residual at a point for given constants.
pub trait Residual<const K: usize>: Fn(&[f64; K], usize) -> f64 {}
impl<const K: usize, R: Fn(&[f64; K], usize) -> f64> Residual<K> for R {}

/// Computes the errors of given constants.
pub fn evaluate<const K: usize>(constants: [f64; K], count: usize, r: &impl Residual<K>) -> Fit<K> {
    let sizes = (0..count).map(|i| r(&constants, i).abs());
    let (largest, sum) = sizes.fold((0.0f64, 0.0), |(most, sum), r| (most.max(r), sum + r));
    Fit { constants, largest, mean: sum / count as f64 }
}

/// Returns the constants that minimise Σ r².
pub fn least_squares<const K: usize>(
    start: [f64; K],
    count: usize,
    r: &impl Residual<K>,
) -> Fit<K> {
    let weights = vec![1.0 / count as f64; count];
    evaluate(levenberg_marquardt(start, &weights, 400, r), count, r)
}

/// Returns the constants that minimise max |r|, starting from a least-squares fit.
pub fn minimax<const K: usize>(start: [f64; K], count: usize, r: &impl Residual<K>) -> Fit<K> {
    let mut best = evaluate(start, count, r);
    // Damping of the normal equations, which limits the step.
    let mut damping = 1e-9;
    for _ in 0..GAUSS_NEWTON_STEPS {
        let at = best.constants;
        let here: Vec<f64> = (0..count).map(|i| r(&at, i)).collect();
        let gradients: Vec<[f64; K]> = (0..count).map(|i| gradient(&at, i, r)).collect();
        let step = minimax_step(&here, &gradients, damping);
        let trial = |share: f64| {
            let constants = std::array::from_fn(|k| at[k] - share * step[k]);
            evaluate(constants, count, r)
        };
        let found = [1.0, 0.5, 0.25, 0.1, 0.03, 0.01].map(trial);
        let least = found.into_iter().min_by(|a, b| a.largest.total_cmp(&b.largest));
        match least {
            Some(fit) if fit.largest < best.largest => best = fit,
            _ => damping *= 10.0,
        }
        if damping > 1.0 {
            break;
        }
    }
    best
}

/// Returns the step d that minimises max |r − J·d|, found by Lawson's iteration.
fn minimax_step<const K: usize>(r: &[f64], gradients: &[[f64; K]], damping: f64) -> [f64; K] {
    let mut weights = vec![1.0 / r.len() as f64; r.len()];
    let residual = |step: &[f64; K], i: usize| {
        r[i] - gradients[i].iter().zip(step).map(|(gradient, step)| gradient * step).sum::<f64>()
    };
    let (mut best, mut least) = ([0.0; K], f64::INFINITY);
    for _ in 0..LAWSON_ITERATIONS {
        let (mut matrix, right) = normal_equations(r, gradients, &weights);
        for k in 0..K {
            matrix[k][k] *= 1.0 + damping;
        }
        let step = solve(matrix, right);
        let sizes: Vec<f64> = (0..r.len()).map(|i| residual(&step, i).abs()).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        if largest < least {
            (best, least) = (step, largest);
        }
        // A weight of zero would remain zero.
        weights.iter_mut().zip(&sizes).for_each(|(w, size)| *w = (*w * size).max(1e-300));
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    best
}

/// Minimises Σ w·r² (Levenberg–Marquardt).
fn levenberg_marquardt<const K: usize>(
    start: [f64; K],
    weights: &[f64],
    steps: usize,
    r: &impl Residual<K>,
) -> [f64; K] {
    let cost = |at: &[f64; K]| -> f64 {
        let terms = weights.iter().enumerate().map(|(i, weight)| weight * r(at, i).powi(2));
        terms.sum()
    };
    let (mut at, mut damping) = (start, 1e-4);
    let mut lowest = cost(&at);
    for _ in 0..steps {
        let here: Vec<f64> = (0..weights.len()).map(|i| r(&at, i)).collect();
        let gradients: Vec<[f64; K]> = (0..weights.len()).map(|i| gradient(&at, i, r)).collect();
        let (matrix, right) = normal_equations(&here, &gradients, weights);
        let mut moved = false;
        for _ in 0..12 {
            let mut damped = matrix;
            for k in 0..K {
                damped[k][k] *= 1.0 + damping;
            }
            let step = solve(damped, right);
            let trial: [f64; K] = std::array::from_fn(|k| at[k] - step[k]);
            let reached = cost(&trial);
            if reached < lowest {
                moved = reached < lowest * (1.0 - 1e-13);
                (at, lowest) = (trial, reached);
                damping = (0.2 * damping).max(1e-14);
                break;
            }
            damping *= 5.0;
        }
        if !moved {
            break;
        }
    }
    at
}

/// Computes ∂r/∂c at a data point.
fn gradient<const K: usize>(at: &[f64; K], i: usize, r: &impl Residual<K>) -> [f64; K] {
    std::array::from_fn(|k| {
        let h = 1e-6 * at[k].abs().max(1e-3);
        let [mut up, mut down] = [*at, *at];
        up[k] += h;
        down[k] -= h;
        (r(&up, i) - r(&down, i)) / (2.0 * h)
    })
}

/// Computes the matrix JᵀWJ and the vector JᵀWr of the normal equations.
fn normal_equations<const K: usize>(
    r: &[f64],
    gradients: &[[f64; K]],
    weights: &[f64],
) -> ([[f64; K]; K], [f64; K]) {
    let (mut matrix, mut right) = ([[0.0; K]; K], [0.0; K]);
    for ((here, gradient), weight) in r.iter().zip(gradients).zip(weights) {
        for a in 0..K {
            let weighted = weight * gradient[a];
            right[a] += weighted * here;
            for b in 0..=a {
                matrix[a][b] += weighted * gradient[b];
            }
        }
    }
    for a in 0..K {
        for b in 0..a {
            matrix[b][a] = matrix[a][b];
        }
    }
    (matrix, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_line_through_a_parabola_is_chebyshevs() {
        // For x² on [0, 1] the minimax line is x − 1/8 with error 1/8; the least-squares line is x − 1/6.
        let x = |i: usize| i as f64 / 1000.0;
        let r = |c: &[f64; 2], i: usize| c[0] + c[1] * x(i) - x(i) * x(i);
        let squares = least_squares([0.3, 0.3], 1001, &r);
        assert!((squares.constants[0] + 1.0 / 6.0).abs() < 2e-3, "{squares:?}");
        let best = minimax(squares.constants, 1001, &r);
        assert!((best.largest - 0.125).abs() < 1e-4, "{best:?}");
        assert!((best.constants[0] + 0.125).abs() < 1e-3, "{best:?}");
    }

    #[test]
    fn a_nonlinear_form_is_found_again() {
        let x = |i: usize| i as f64 / 50.0;
        let r = |c: &[f64; 2], i: usize| c[0] * (-c[1] * x(i)).exp() - 1.3 * (-0.7 * x(i)).exp();
        let found = least_squares([1.0, 1.0], 101, &r);
        assert!((found.constants[0] - 1.3).abs() < 1e-6, "{found:?}");
        assert!((found.constants[1] - 0.7).abs() < 1e-6, "{found:?}");
    }
}
