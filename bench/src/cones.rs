//! Contact problems with Coulomb friction: the solver of the nonsmooth method compared with an interior-point solver for
//! second-order cones (`clarabel`).
//!
//! The problem is a stack of boxes that lands, with four corners at each interface: find p in the friction cones so that u = q +
//! W·p satisfies the laws of Signorini and Coulomb. W has rank 6 for each box and 12 rows for each interface. Coulomb's law is
//! not the optimality condition of a convex problem: the cone solver finds the minimum of ½pᵀWp + (q + μs)ᵀp for a known s =
//! |u_t| (G. De Saxcé & Z.-Q. Feng, Mathematical and Computer Modelling 28 (1998) 225–245), and s is found by iteration (V.
//! Acary, F. Cadoux, C. Lemaréchal & J. Malick, ZAMM 91 (2011) 155–175).

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, SupportedConeT::SecondOrderConeT,
};
use std::time::Instant;

#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/carom-world/src/nonsmooth/newton.rs"]
mod newton;
#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/carom-world/src/nonsmooth/rows.rs"]
mod rows;
#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/carom-world/src/nonsmooth/solver.rs"]
mod solver;
use rows::{BodyVelocity, ContactRows};
use solver::Solver;

const FRICTION: f64 = 0.4;

/// A stack of boxes of 1 kg and 0.2 m × 0.2 m × 0.1 m that falls at 1 m/s and slides at 0.3 m/s, in the form required by each
/// solver.
struct Problem {
    contacts: usize,
    w: Vec<f64>,
    q: Vec<f64>,
    rows: Vec<ContactRows>,
    /// Velocities of the ground and the boxes without impulses.
    free: Vec<BodyVelocity>,
}

impl Problem {
    fn stack(boxes: usize) -> Self {
        let (half, height, moments) = (0.1, 0.05, [5e-3 / 1.2, 5e-3 / 1.2, 8e-2 / 12.0]);
        let mut rows: Vec<ContactRows> = Vec::new();
        for interface in 0..boxes {
            for corner in 0..4 {
                let (x, y) = ([half, -half][corner % 2], [half, -half][corner / 2]);
                // The tangents normal and parallel to the direction of the corner are the principal axes of the tangential
                // response.
                let (c, s) = (x / half / 2f64.sqrt(), y / half / 2f64.sqrt());
                let axes = [[0.0, 0.0, 1.0], [-s, c, 0.0], [c, s, 0.0]];
                let side = |z: f64, sign: f64| -> [BodyVelocity; 3] {
                    axes.map(|[a, b, c]: [f64; 3]| {
                        let couple = [y * c - z * b, z * a - x * c, x * b - y * a];
                        [a, b, c, couple[0], couple[1], couple[2]].map(|f| sign * f)
                    })
                };
                // Body 0 is the ground, which does not move.
                let sides = [(interface, side(height, -1.0)), (interface + 1, side(-height, 1.0))];
                let answers = |(body, rows): &(usize, [BodyVelocity; 3])| {
                    let moved = |row: BodyVelocity| {
                        std::array::from_fn(
                            |k| if k < 3 { row[k] } else { row[k] / moments[k - 3] },
                        )
                    };
                    (*body > 0).then(|| (*body, rows.map(moved)))
                };
                let responses = sides.iter().filter_map(answers).collect();
                let mut contact =
                    ContactRows { sides, responses, friction: FRICTION, ..ContactRows::default() };
                contact.find_response();
                rows.push(contact);
            }
        }
        let mut free = vec![[0.3, 0.0, -1.0, 0.0, 0.0, 0.0]; boxes + 1];
        free[0] = [0.0; 6];
        let n = 3 * rows.len();
        let mut w = vec![0.0; n * n];
        for (i, one) in rows.iter().enumerate() {
            for (j, two) in rows.iter().enumerate() {
                for (body, columns) in &two.responses {
                    for (_, lines) in one.sides.iter().filter(|(other, _)| other == body) {
                        for (k, line) in lines.iter().enumerate() {
                            for (l, column) in columns.iter().enumerate() {
                                w[(3 * i + k) * n + 3 * j + l] += rows::dot(line, column);
                            }
                        }
                    }
                }
            }
        }
        let q = rows.iter().flat_map(|contact| contact.velocity(&free)).collect();
        Self { contacts: rows.len(), w, q, rows, free }
    }

    /// Returns q + W·p.
    fn velocity(&self, p: &[f64]) -> Vec<f64> {
        let n = self.q.len();
        (0..n).map(|i| self.q[i] + (0..n).map(|j| self.w[i * n + j] * p[j]).sum::<f64>()).collect()
    }

    /// Returns the residual of Signorini's and Coulomb's laws (m/s), as the solver of the nonsmooth method defines it.
    fn residual(&self, p: &[f64]) -> f64 {
        let (mut rows, mut bodies) = (self.rows.clone(), self.free.clone());
        for (contact, p) in rows.iter_mut().zip(p.as_chunks::<3>().0) {
            contact.push(*p, &mut bodies);
        }
        newton::residual(&rows, &(0..rows.len()).collect::<Vec<_>>(), &bodies)
    }

    /// Solves the problem with the solver of the nonsmooth method; returns the impulses and the number of Newton steps.
    fn newton(&self) -> (Vec<f64>, usize) {
        let (mut rows, mut bodies) = (self.rows.clone(), self.free.clone());
        let members: Vec<usize> = (0..rows.len()).collect();
        let mut solver = Solver::default();
        solver.solve(&mut rows, &members, &mut bodies, &[0, 1, 2, 3, 4, 5], 1.0);
        (rows.iter().flat_map(|contact| contact.impulse).collect(), solver.steps)
    }

    /// Solves the problem with the cone solver and iteration of s; returns the impulses and the number of convex problems.
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
        // The constraint is −A·p in the cone |p_t| ≤ μpₙ: rows (μpₙ, p_t).
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

/// Prints time, work and residual of both solvers.
pub fn run() {
    println!(
        "| boxes | contacts | Newton | steps | residual | cone solver | problems | residual |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for boxes in [1, 2, 3, 5, 8, 20] {
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
        let newton = timed(&|| problem.newton());
        let cones = timed(&|| problem.cone_solver(1e-10));
        println!("| {boxes} | {} | {newton} | {cones} |", problem.contacts);
    }
}
