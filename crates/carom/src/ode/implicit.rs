//! An implicit Runge–Kutta pair of order 4(3) for stiff equations, with dense output of order 3.
//!
//! The pair has six stages, the first explicit and the others with the same factor γ = 1/4 (*ESDIRK*). It is
//! L-stable, so that motions much faster than the step are damped instead of limiting it, and stiffly accurate, so
//! that the last stage is the end of the step. The coefficients are those of the implicit part of ARK4(3)6L\[2\]SA of
//! C. A. Kennedy and M. H. Carpenter, Applied Numerical Mathematics 44 (2003) 139–181; a test checks the conditions
//! of orders 4 and 3.
//!
//! Each stage solves Y = y + h·Σ aᵢⱼ·kⱼ + γh·f(Y) by a simplified Newton iteration. The caller solves its linear
//! systems ([`StageEquations`]), because it knows the structure of the equations. The iteration ends when the
//! remaining error is a small part of the error allowed; the accuracy of the derivatives used by the caller affects
//! the number of iterations only, not the result. The difference of the two formulas is multiplied by (I −
//! γh·∂f/∂y)⁻¹, so that stiff components do not dominate the error estimate (L. F. Shampine and L. S. Baca, Journal
//! of Computational and Applied Mathematics 11 (1984) 197–207).
//!
//! ```
//! use carom::ode::{ImplicitStepper, StageEquations};
//! // y′ = −10⁶·(y − cos t): an explicit step of this length would explode.
//! struct Fast(f64);
//! impl StageEquations for Fast {
//!     fn slope(&mut self, t: f64, y: &[f64], slope: &mut [f64]) {
//!         slope[0] = -1e6 * (y[0] - t.cos());
//!     }
//!     fn correct(&mut self, _y: &[f64], residual: &mut [f64]) {
//!         residual[0] /= 1.0 + 1e6 * self.0;
//!     }
//!     fn size(&self, _y: &[f64], correction: &[f64]) -> f64 {
//!         correction[0].abs() / 1e-9
//!     }
//! }
//! let mut stepper = ImplicitStepper::default();
//! stepper.begin(0.0, &[1.0], &[0.0]);
//! assert!(stepper.step(&mut Fast(ImplicitStepper::GAMMA * 0.1), 0.1));
//! assert!((stepper.end()[0] - 0.1f64.cos()).abs() < 1e-6);
//! ```

use std::ops::Range;

/// Number of stages.
const STAGES: usize = 6;

const A: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [0.25, 0.25, 0.0, 0.0, 0.0, 0.0],
    [8611.0 / 62500.0, -1743.0 / 31250.0, 0.25, 0.0, 0.0, 0.0],
    [5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25, 0.0, 0.0],
    [
        15267082809.0 / 155376265600.0,
        -71443401.0 / 120774400.0,
        730878875.0 / 902184768.0,
        2285395.0 / 8070912.0,
        0.25,
        0.0,
    ],
    [82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25],
];
/// Times of the stages, as fractions of the step.
const C: [f64; STAGES] = [0.0, 0.5, 0.332, 0.62, 0.85, 1.0];
/// Weights of the formula of order 3.
const THIRD: [f64; STAGES] = [
    4586570599.0 / 29645900160.0,
    0.0,
    178811875.0 / 945068544.0,
    814220225.0 / 1159782912.0,
    -3700637.0 / 11593932.0,
    61727.0 / 225920.0,
];

/// Largest number of Newton corrections of a stage.
const MAX_CORRECTIONS: usize = 8;
/// Remaining error at which the iteration ends, in units of the error allowed.
const ITERATION_ERROR: f64 = 0.02;
/// Ratio of successive corrections above which the iteration is abandoned as too slow.
const MAX_RATE: f64 = 0.6;

/// Equations that the stages of an [`ImplicitStepper`] solve.
pub trait StageEquations {
    /// Writes f(t, y).
    fn slope(&mut self, t: f64, y: &[f64], slope: &mut [f64]);

    /// Replaces a residual r by an approximation of (I − γh·∂f/∂y)⁻¹·r, where h is the length of the step in
    /// progress.
    fn correct(&mut self, y: &[f64], residual: &mut [f64]);

    /// Computes the size of a correction of y in units of the error allowed.
    fn size(&self, y: &[f64], correction: &[f64]) -> f64;
}

/// Integrator that takes one implicit step at a time, for states of any length. Its memory is kept between steps.
#[derive(Clone, Debug, Default)]
pub struct ImplicitStepper {
    t: f64,
    h: f64,
    start: Vec<f64>,
    end: Vec<f64>,
    k: [Vec<f64>; STAGES],
    base: Vec<f64>,
    residual: Vec<f64>,
    error: Vec<f64>,
    converged: bool,
    evaluations: u64,
}

impl ImplicitStepper {
    /// Factor γ of h in the linear systems of all stages.
    pub const GAMMA: f64 = 0.25;

    /// Reserves memory for states of up to `n` numbers, so that no later step allocates.
    pub fn reserve(&mut self, n: usize) {
        for row in self.rows() {
            row.reserve(n.saturating_sub(row.len()));
        }
    }

    /// Iterates over all vectors that have the length of the state.
    fn rows(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let others =
            [&mut self.start, &mut self.end, &mut self.base, &mut self.residual, &mut self.error];
        self.k.iter_mut().chain(others)
    }

    /// Sets the start of the next step: time, state and slope.
    pub fn begin(&mut self, t: f64, y: &[f64], slope: &[f64]) {
        for row in self.rows() {
            row.resize(y.len(), 0.0);
        }
        self.t = t;
        self.start.copy_from_slice(y);
        self.k[0].copy_from_slice(slope);
    }

    /// Takes a step of length `h` from the start that was set, also repeatedly. Returns whether its stages could be
    /// solved.
    pub fn step(&mut self, equations: &mut impl StageEquations, h: f64) -> bool {
        self.h = h;
        self.evaluations = 0;
        self.converged = (1..STAGES).all(|stage| self.solve_stage(equations, stage));
        if !self.converged {
            return false;
        }
        self.error.fill(0.0);
        for (stage, k) in self.k.iter().enumerate() {
            let weight = h * (A[STAGES - 1][stage] - THIRD[stage]);
            for (error, k) in self.error.iter_mut().zip(k) {
                *error += weight * k;
            }
        }
        equations.correct(&self.end, &mut self.error);
        true
    }

    /// Solves one stage, and stores its state in `end` and its slope in `k`.
    fn solve_stage(&mut self, equations: &mut impl StageEquations, stage: usize) -> bool {
        let Self { t, h, start, end, k, base, residual, .. } = self;
        let (h, t) = (*h, *t + C[stage] * *h);
        base.copy_from_slice(start);
        for (weight, k) in A[stage][..stage].iter().zip(&*k) {
            for (base, k) in base.iter_mut().zip(k) {
                *base += h * weight * k;
            }
        }
        let by = Self::GAMMA * h;
        // The slope of the previous stage gives the first guess.
        for ((end, base), k) in end.iter_mut().zip(&*base).zip(&k[stage - 1]) {
            *end = base + by * k;
        }
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_CORRECTIONS {
            equations.slope(t, end, residual);
            self.evaluations += 1;
            for ((residual, base), end) in residual.iter_mut().zip(&*base).zip(&*end) {
                *residual = base + by * *residual - end;
            }
            equations.correct(end, residual);
            let size = equations.size(end, residual);
            for (end, correction) in end.iter_mut().zip(&*residual) {
                *end += correction;
            }
            let rate = if iteration == 0 { 0.3 } else { size / last };
            if !size.is_finite() || (iteration > 0 && rate > MAX_RATE && size > ITERATION_ERROR) {
                return false;
            }
            // The corrections are regarded as a geometric series, whose remaining sum is the remaining error.
            if size * (rate / (1.0 - rate)).min(1.0) <= ITERATION_ERROR
                || (rate >= 1.0 && size <= ITERATION_ERROR)
            {
                for ((k, end), base) in k[stage].iter_mut().zip(&*end).zip(&*base) {
                    *k = (end - base) / by;
                }
                return true;
            }
            last = size;
        }
        false
    }

    /// Returns the time at which the step began.
    pub fn begun(&self) -> f64 {
        self.t
    }

    /// Returns the length of the step.
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Returns the state at which the step began.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Returns the state at which the step ended.
    pub fn end(&self) -> &[f64] {
        &self.end
    }

    /// Returns the number of evaluations of the slope in the last step.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Computes the largest error of the step, which is acceptable if it is at most 1, as [`super::Stepper::error`];
    /// infinite if the stages could not be solved.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        if !self.converged {
            return f64::INFINITY;
        }
        let mut largest = 0.0f64;
        for (i, error) in self.error.iter().enumerate() {
            if *error == 0.0 {
                continue;
            }
            let error = error.abs() / scale(i, self.start[i].abs().max(self.end[i].abs()));
            if !(error <= largest) {
                largest = error;
            }
        }
        largest
    }

    /// Computes the largest absolute slope of some components over the stages of the step.
    pub fn steepest(&self, which: Range<usize>) -> f64 {
        let which = which.start.min(self.start.len())..which.end.min(self.start.len());
        let stages = self.k.iter().flat_map(|k| &k[which.clone()]);
        stages.fold(0.0, |largest, slope| largest.max(slope.abs()))
    }

    /// Interpolates some components of the state at time `t` within the step, by the cubic through the states and
    /// slopes at both ends; the other elements of `y` are unchanged.
    pub fn part(&self, t: f64, which: Range<usize>, y: &mut [f64]) {
        let which = which.start..which.end.min(y.len()).min(self.start.len());
        let (h, x) = (self.h, if self.h > 0.0 { (t - self.t) / self.h } else { 0.0 });
        let z = 1.0 - x;
        for i in which {
            let (change, first, last) =
                (self.end[i] - self.start[i], h * self.k[0][i], h * self.k[STAGES - 1][i]);
            y[i] = self.start[i] + x * (change + z * ((first - change) * z + (change - last) * x));
        }
    }
}

/// Computes the factor for the length of the next implicit step from the error of this one (1 is the largest
/// allowed).
///
/// ```
/// assert!(carom::ode::implicit_stretch(1e-3) > 1.0 && carom::ode::implicit_stretch(10.0) < 1.0);
/// ```
pub fn implicit_stretch(error: f64) -> f64 {
    // NaN or infinite: the stages could not be solved.
    if !error.is_finite() {
        return 0.25;
    }
    (0.85 / error.sqrt().sqrt()).clamp(0.2, 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coefficients satisfy the conditions of order 4 for the end of the step, of order 3 for the estimate, and
    /// of stage order 2.
    #[test]
    fn the_coefficients_have_their_orders() {
        let dot =
            |a: &[f64; STAGES], b: &[f64; STAGES]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let times = |a: &[f64; STAGES], b: &[f64; STAGES]| std::array::from_fn(|i| a[i] * b[i]);
        let of = |x: &[f64; STAGES]| -> [f64; STAGES] { std::array::from_fn(|i| dot(&A[i], x)) };
        let one = [1.0; STAGES];
        let (c, squares): (_, [f64; STAGES]) = (C, times(&C, &C));
        let cubes = times(&squares, &c);
        for (c, sum) in C.iter().zip(of(&one)) {
            assert!((c - sum).abs() < 1e-15);
        }
        for (sum, square) in of(&c).iter().zip(squares) {
            assert!((sum - 0.5 * square).abs() < 1e-15, "stage order 2");
        }
        let third = [(one, 1.0), (c, 0.5), (squares, 1.0 / 3.0), (of(&c), 1.0 / 6.0)];
        let fourth = [
            (cubes, 0.25),
            (times(&c, &of(&c)), 0.125),
            (of(&squares), 1.0 / 12.0),
            (of(&of(&c)), 1.0 / 24.0),
        ];
        for (x, expected) in third.iter().chain(&fourth) {
            assert!((dot(&A[STAGES - 1], x) - expected).abs() < 1e-15);
        }
        for (x, expected) in &third {
            assert!((dot(&THIRD, x) - expected).abs() < 1e-15);
        }
    }

    /// A pendulum, with the derivatives of the linear one; the iteration converges nevertheless.
    struct Pendulum(f64);
    impl StageEquations for Pendulum {
        fn slope(&mut self, _t: f64, y: &[f64], slope: &mut [f64]) {
            (slope[0], slope[1]) = (y[1], -y[0].sin());
        }
        fn correct(&mut self, _y: &[f64], r: &mut [f64]) {
            let by = self.0;
            let v = (r[1] - by * r[0]) / (1.0 + by * by);
            (r[0], r[1]) = (r[0] + by * v, v);
        }
        fn size(&self, _y: &[f64], correction: &[f64]) -> f64 {
            correction.iter().fold(0.0, |a: f64, b| a.max(b.abs())) / 1e-12
        }
    }

    /// Computes the angle of the pendulum after some steps of length h, and half a step before.
    fn swing(steps: usize, h: f64) -> (f64, f64) {
        let (mut stepper, mut equations) = (ImplicitStepper::default(), Pendulum(0.25 * h));
        let mut y = [1.0, 0.0];
        for i in 0..steps {
            stepper.begin(h * i as f64, &y, &[y[1], -y[0].sin()]);
            assert!(stepper.step(&mut equations, h));
            y.copy_from_slice(stepper.end());
        }
        let mut between = [0.0; 2];
        stepper.part(h * (steps as f64 - 0.5), 0..2, &mut between);
        (y[0], between[0])
    }

    #[test]
    fn steps_are_of_order_four() {
        let exact = swing(640, 2.0 / 640.0).0;
        let [coarse, fine] = [20, 40].map(|n| (swing(n, 2.0 / n as f64).0 - exact).abs());
        let order = (coarse / fine).log2();
        assert!(order > 3.7 && order < 4.5, "{order}");
        // The angle half a step before the end is compared with that of steps of half the length that end there.
        let (between, there) = (swing(40, 0.05).1, swing(79, 0.025).0);
        assert!((between - there).abs() < 1e-6, "{:e}", between - there);
    }
}
