//! Gauss collocation of order 6 for ṡ = M(t)·s + b(t) with at most three states: one matrix for each step, one
//! right-hand side for each parameter.

use crate::numeric::linear::Lu;

const SQRT_15: f64 = 3.872_983_346_207_417; // √15
/// Nodes of the method in the interval (0, 1).
pub(super) const C: [f64; 3] = [0.5 - SQRT_15 / 10.0, 0.5, 0.5 + SQRT_15 / 10.0];
const A: [[f64; 3]; 3] = [
    [5.0 / 36.0, 2.0 / 9.0 - SQRT_15 / 15.0, 5.0 / 36.0 - SQRT_15 / 30.0],
    [5.0 / 36.0 + SQRT_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - SQRT_15 / 24.0],
    [5.0 / 36.0 + SQRT_15 / 30.0, 2.0 / 9.0 + SQRT_15 / 15.0, 5.0 / 36.0],
];
/// Weights of the nodes.
pub(super) const B: [f64; 3] = [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];

/// Implicit equations of one part of a step; they are the same for all parameters.
pub(super) struct Solver {
    size: usize,
    /// Derivatives of ṡ with respect to the state at the nodes.
    matrices: [[[f64; 3]; 3]; 3],
    /// LU decomposition of I − h·(aᵢⱼ·Mᵢ).
    equations: Lu<9>,
}

impl Solver {
    pub fn new(matrices: [[[f64; 3]; 3]; 3], internal: bool, h: f64) -> Self {
        let n = if internal { 3 } else { 2 };
        let size = 3 * n;
        let mut matrix = [[0.0; 9]; 9];
        for i in 0..3 {
            for r in 0..n {
                for j in 0..3 {
                    for c in 0..n {
                        let unit = if i == j && r == c { 1.0 } else { 0.0 };
                        matrix[n * i + r][n * j + c] = unit - h * A[i][j] * matrices[i][r][c];
                    }
                }
            }
        }
        Self { size, matrices, equations: Lu::new(matrix, size) }
    }

    /// Returns ṡ at the nodes for an initial state and the right-hand sides of s_v and s_a.
    pub fn slopes(&self, start: &[f64; 3], forcing: impl Fn(usize) -> (f64, f64)) -> [[f64; 3]; 3] {
        let n = self.size / 3;
        let mut x = [0.0; 9];
        for i in 0..3 {
            let (force, internal) = forcing(i);
            for r in 0..n {
                let own: f64 = (0..n).map(|c| self.matrices[i][r][c] * start[c]).sum();
                x[n * i + r] = own + [0.0, force, internal][r];
            }
        }
        self.equations.solve(&mut x);
        let mut slopes = [[0.0; 3]; 3];
        for i in 0..3 {
            for r in 0..n {
                let slope = x[n * i + r];
                slopes[i][r] = if slope.is_finite() { slope } else { 0.0 };
            }
        }
        slopes
    }
}
