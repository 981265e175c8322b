//! Contact problems with Coulomb's friction: Gauss–Seidel over exact local solutions, alone and accelerated as the nonsmooth method has
//! it, against an interior-point solver for second-order cones (`clarabel`).
//!
//! The problem is a stack of boxes that lands, four corners to an interface: find p in the cones with u = q + W·p, Signorini and
//! Coulomb. W has rank 6 for each box and 12 rows for each interface. Coulomb's law is not the optimality condition of a convex
//! problem: the cone solver finds the solution of min ½pᵀWp + (q + μs)ᵀp with s = |u_t| known (G. De Saxcé & Z.-Q. Feng, Mathematical and
//! Computer Modelling 28 (1998) 225–245), and s is iterated (V. Acary, F. Cadoux, C. Lemaréchal & J. Malick, ZAMM 91 (2011) 155–175).

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, SupportedConeT::SecondOrderConeT,
};
use std::time::Instant;

#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/carom-world/src/nonsmooth/anderson.rs"]
mod anderson;
#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/carom-world/src/nonsmooth/cone.rs"]
mod cone;
use anderson::Acceleration;
use cone::LocalProblem;

const FRICTION: f64 = 0.4;
const MAX_SWEEPS: usize = 20_000;

/// W and q of a stack of boxes of 1 kg and 0.2 m × 0.2 m × 0.1 m that falls at 1 m/s and slides at 0.3 m/s.
struct Problem {
    contacts: usize,
    w: Vec<f64>,
    q: Vec<f64>,
}

impl Problem {
    fn stack(boxes: usize) -> Self {
        let (half, height, moments) = (0.1, 0.05, [5e-3 / 1.2, 5e-3 / 1.2, 8e-2 / 12.0]);
        let contacts = 4 * boxes;
        // Rows of H by box: force and couple of a unit impulse along each axis of a contact on the box above, opposite below.
        let mut rows: Vec<Vec<(usize, [f64; 6])>> = Vec::new();
        for interface in 0..boxes {
            for corner in 0..4 {
                let (x, y) = ([half, -half][corner % 2], [half, -half][corner / 2]);
                for axis in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                    let wrench = |z: f64, sign: f64| {
                        let [a, b, c] = axis;
                        let couple = [y * c - z * b, z * a - x * c, x * b - y * a];
                        [a, b, c, couple[0], couple[1], couple[2]].map(|f| sign * f)
                    };
                    let mut row = vec![(interface, wrench(-height, 1.0))];
                    if interface > 0 {
                        row.push((interface - 1, wrench(height, -1.0)));
                    }
                    rows.push(row);
                }
            }
        }
        let n = rows.len();
        let mut w = vec![0.0; n * n];
        for (i, one) in rows.iter().enumerate() {
            for (j, two) in rows.iter().enumerate() {
                for (_, (a, b)) in one.iter().flat_map(|(body, a)| {
                    let same = two.iter().filter(move |(other, _)| other == body);
                    same.map(move |(other, b)| (other, (a, b)))
                }) {
                    for k in 0..6 {
                        let inverse = if k < 3 { 1.0 } else { 1.0 / moments[k - 3] };
                        w[i * n + j] += inverse * a[k] * b[k];
                    }
                }
            }
        }
        let mut q = vec![0.0; n];
        for corner in 0..4 {
            (q[3 * corner], q[3 * corner + 1]) = (-1.0, 0.3);
        }
        Self { contacts, w, q }
    }

    /// q + W·p.
    fn velocity(&self, p: &[f64]) -> Vec<f64> {
        let n = self.q.len();
        (0..n).map(|i| self.q[i] + (0..n).map(|j| self.w[i * n + j] * p[j]).sum::<f64>()).collect()
    }

    /// How far Signorini and Coulomb are missed (m/s): each contact solved anew with the others fixed.
    fn residual(&self, p: &[f64]) -> f64 {
        let u = self.velocity(p);
        let mut worst = 0.0f64;
        for c in 0..self.contacts {
            let (problem, old) = self.local(c, &u, p);
            let new = problem.solve();
            for i in 0..3 {
                worst = worst.max((problem.response[i][i] * (new[i] - old[i])).abs());
            }
        }
        worst
    }

    fn local(&self, c: usize, u: &[f64], p: &[f64]) -> (LocalProblem, [f64; 3]) {
        let n = self.q.len();
        let old = [p[3 * c], p[3 * c + 1], p[3 * c + 2]];
        let response: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| self.w[(3 * c + i) * n + 3 * c + j]));
        let velocity = std::array::from_fn(|i| {
            u[3 * c + i] - (0..3).map(|j| response[i][j] * old[j]).sum::<f64>()
        });
        (LocalProblem { response, velocity, friction: FRICTION, floor: 0.0 }, old)
    }

    /// Gauss–Seidel until velocities change by less than a tolerance (m/s); impulses and sweeps.
    fn gauss_seidel(&self, tolerance: f64, accelerated: bool) -> (Vec<f64>, usize) {
        let n = self.q.len();
        let mut p = vec![0.0; n];
        let mut acceleration = Acceleration::default();
        for sweep in 1..=MAX_SWEEPS {
            let (begun, mut u) = (p.clone(), self.velocity(&p));
            let mut worst = 0.0f64;
            for c in 0..self.contacts {
                let (problem, old) = self.local(c, &u, &p);
                let new = problem.solve();
                for i in 0..3 {
                    let change = new[i] - old[i];
                    worst = worst.max((problem.response[i][i] * change).abs());
                    p[3 * c + i] = new[i];
                    for (j, u) in u.iter_mut().enumerate() {
                        *u += self.w[j * n + 3 * c + i] * change;
                    }
                }
            }
            if worst < tolerance {
                return (p, sweep);
            }
            if accelerated {
                p = acceleration.next(&begun, &p);
            }
        }
        (p, MAX_SWEEPS)
    }

    /// The cone solver within the iteration of s; impulses and solutions of convex problems.
    fn cone_solver(&self, tolerance: f64) -> (Vec<f64>, usize) {
        let n = self.q.len();
        let upper = |i: usize, j: usize| (i <= j).then(|| self.w[i * n + j]);
        let (mut colptr, mut rowval, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..n {
            for i in 0..=j {
                if let Some(value) = upper(i, j).filter(|w| *w != 0.0 || i == j) {
                    rowval.push(i);
                    values.push(value);
                }
            }
            colptr.push(rowval.len());
        }
        let w = CscMatrix::new(n, n, colptr, rowval, values);
        // −A·p in the cone |p_t| ≤ μpₙ: rows (μpₙ, p_t).
        let diagonal: Vec<f64> =
            (0..n).map(|i| if i % 3 == 0 { -FRICTION } else { -1.0 }).collect();
        let a = CscMatrix::new(n, n, (0..=n).collect(), (0..n).collect(), diagonal);
        let cones = vec![SecondOrderConeT(3); self.contacts];
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: 1e-11,
            tol_gap_rel: 1e-11,
            tol_feas: 1e-11,
            ..DefaultSettings::default()
        };
        let (mut s, mut p) = (vec![0.0; self.contacts], vec![0.0; n]);
        for solved in 1..=200 {
            let mut q = self.q.clone();
            for (c, s) in s.iter().enumerate() {
                q[3 * c] += FRICTION * s;
            }
            let solver = DefaultSolver::new(&w, &q, &a, &vec![0.0; n], &cones, settings.clone());
            let Ok(mut solver) = solver else { return (p, solved) };
            solver.solve();
            p.clone_from(&solver.solution.x);
            let u = self.velocity(&p);
            let mut worst = 0.0f64;
            for (c, s) in s.iter_mut().enumerate() {
                let sliding = u[3 * c + 1].hypot(u[3 * c + 2]);
                worst = worst.max((sliding - *s).abs());
                *s = sliding;
            }
            if worst < tolerance {
                return (p, solved);
            }
        }
        (p, 200)
    }
}

/// Prints time, work and residual of all three.
pub fn run() {
    println!(
        "| boxes | contacts | tolerance | Gauss–Seidel | sweeps | residual | accelerated | sweeps | residual | cone solver | problems | residual |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for boxes in [1, 2, 3, 5, 8] {
        let problem = Problem::stack(boxes);
        let timed = |solve: &dyn Fn() -> (Vec<f64>, usize)| {
            let (mut time, mut found) = (f64::INFINITY, (Vec::new(), 0));
            for _ in 0..5 {
                let begun = Instant::now();
                found = solve();
                time = time.min(1e3 * begun.elapsed().as_secs_f64());
            }
            let (p, count) = found;
            format!("{time:.3} ms | {count} | {:.0e}", problem.residual(&p))
        };
        for tolerance in [1e-6, 1e-10] {
            let plain = timed(&|| problem.gauss_seidel(tolerance, false));
            let accelerated = timed(&|| problem.gauss_seidel(tolerance, true));
            let cones = timed(&|| problem.cone_solver(tolerance));
            let contacts = problem.contacts;
            println!(
                "| {boxes} | {contacts} | {tolerance:.0e} | {plain} | {accelerated} | {cones} |"
            );
        }
    }
}
