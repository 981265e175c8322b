//! Dormand & Prince's explicit Runge–Kutta pair of order 8(5,3), with dense output of order 7, and
//! events ([`events`]): under the integration of a single impact and of scenes.
//!
//! Twelve evaluations a step, the error estimated by combining embedded formulas of orders 5 and 3,
//! after E. Hairer, S. P. Nørsett and G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed.,
//! Springer 1993, section II.5 (coefficients and error estimator); dense output section II.6.
//!
//! It is written here, not taken from a crate, because impacts need what the crates do not offer
//! together: fixed-size states on the stack, no allocation, and steps that can be taken again with
//! another length, which is how events are located to the last digit (`bench/` shows the ratio to
//! `ode_solvers` and `diffsol`). Other parts of carom have integrators of their own where these suit better: collocation
//! for the dimensionless impact ([`crate::exact`]), fixed steps for beds of grains.
//!
//! Equations whose fast motions have died out are stiff, and an explicit pair steps at their pace for ever; for them there is an
//! implicit pair of order 4(3) ([`ImplicitStepper`]).
//!
//! Two kinds of state share the coefficients in `ode/table.rs`: arrays of fixed size for the engines of
//! this crate, and slices of any length ([`Stepper`]) for systems whose size is known when they run.

pub mod events;
mod implicit;
mod stepper;
mod table;

pub use implicit::{ImplicitStepper, StageEquations, implicit_stretch};
pub use stepper::Stepper;
use table::{A, B, D, E3, E5};

/// y + h·Σ aᵢ·kᵢ.
#[inline(always)]
fn mix<const N: usize, const S: usize>(
    y: &[f64; N],
    h: f64,
    terms: [(f64, &[f64; N]); S],
) -> [f64; N] {
    let mut out = [0.0; N];
    for i in 0..N {
        let mut sum = 0.0;
        for (a, k) in terms {
            sum += a * k[i];
        }
        out[i] = y[i] + h * sum;
    }
    out
}

/// One step from `y` at `t`: where it ends, and what its error and dense output need.
#[derive(Clone, Copy)]
pub(crate) struct Step<const N: usize> {
    pub t: f64,
    pub h: f64,
    pub start: [f64; N],
    pub end: [f64; N],
    k: [[f64; N]; 12],
}

/// Takes one step of length `h`; `slope` is f(t, y). The caller decides whether it is accepted.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn step<const N: usize>(
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
    t: f64,
    y: &[f64; N],
    slope: &[f64; N],
    h: f64,
) -> Step<N> {
    let mut k = [*slope; 12];
    k[1] = f(t + table::C[1] * h, &mix(y, h, [(A[1][0], &k[0])]));
    k[2] = f(t + table::C[2] * h, &mix(y, h, [(A[2][0], &k[0]), (A[2][1], &k[1])]));
    k[3] = f(t + table::C[3] * h, &mix(y, h, [(A[3][0], &k[0]), (A[3][2], &k[2])]));
    k[4] = f(t + table::C[4] * h, &mix(y, h, [(A[4][0], &k[0]), (A[4][2], &k[2]), (A[4][3], &k[3])]));
    k[5] = f(t + table::C[5] * h, &mix(y, h, [(A[5][0], &k[0]), (A[5][3], &k[3]), (A[5][4], &k[4])]));
    k[6] = f(t + table::C[6] * h, &mix(y, h, [(A[6][0], &k[0]), (A[6][3], &k[3]), (A[6][4], &k[4]), (A[6][5], &k[5])]));
    k[7] = f(t + table::C[7] * h, &mix(y, h, [(A[7][0], &k[0]), (A[7][3], &k[3]), (A[7][4], &k[4]), (A[7][5], &k[5]), (A[7][6], &k[6])]));
    k[8] = f(t + table::C[8] * h, &mix(y, h, [(A[8][0], &k[0]), (A[8][3], &k[3]), (A[8][4], &k[4]), (A[8][5], &k[5]), (A[8][6], &k[6]), (A[8][7], &k[7])]));
    k[9] = f(t + table::C[9] * h, &mix(y, h, [(A[9][0], &k[0]), (A[9][3], &k[3]), (A[9][4], &k[4]), (A[9][5], &k[5]), (A[9][6], &k[6]), (A[9][7], &k[7]), (A[9][8], &k[8])]));
    k[10] = f(t + table::C[10] * h, &mix(y, h, [(A[10][0], &k[0]), (A[10][3], &k[3]), (A[10][4], &k[4]), (A[10][5], &k[5]), (A[10][6], &k[6]), (A[10][7], &k[7]), (A[10][8], &k[8]), (A[10][9], &k[9])]));
    k[11] = f(t + table::C[11] * h, &mix(y, h, [(A[11][0], &k[0]), (A[11][3], &k[3]), (A[11][4], &k[4]), (A[11][5], &k[5]), (A[11][6], &k[6]), (A[11][7], &k[7]), (A[11][8], &k[8]), (A[11][9], &k[9]), (A[11][10], &k[10])]));
    let end = mix(y, h, [(B[0], &k[0]), (B[5], &k[5]), (B[6], &k[6]), (B[7], &k[7]), (B[8], &k[8]), (B[9], &k[9]), (B[10], &k[10]), (B[11], &k[11])]);
    Step { t, h, start: *y, end, k }
}

impl<const N: usize> Step<N> {
    /// The step of length zero.
    pub fn none(t: f64, y: &[f64; N], slope: &[f64; N]) -> Self {
        Self { t, h: 0.0, start: *y, end: *y, k: [*slope; 12] }
    }

    /// The error of the step in units of `scale`, below 1 when the step is acceptable.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let k = &self.k;
        let zero = [0.0; N];
        let third = mix(&zero, self.h, [(E3[0], &k[0]), (E3[5], &k[5]), (E3[6], &k[6]), (E3[7], &k[7]), (E3[8], &k[8]), (E3[9], &k[9]), (E3[10], &k[10]), (E3[11], &k[11])]);
        let fifth = mix(&zero, self.h, [(E5[0], &k[0]), (E5[5], &k[5]), (E5[6], &k[6]), (E5[7], &k[7]), (E5[8], &k[8]), (E5[9], &k[9]), (E5[10], &k[10]), (E5[11], &k[11])]);
        let (mut sum3, mut sum5) = (0.0, 0.0);
        for i in 0..N {
            let unit = scale(i, self.start[i].abs().max(self.end[i].abs()));
            sum3 += (third[i] / unit) * (third[i] / unit);
            sum5 += (fifth[i] / unit) * (fifth[i] / unit);
        }
        if sum5 == 0.0 && sum3 == 0.0 {
            return 0.0;
        }
        sum5 / ((sum5 + 0.01 * sum3) * N as f64).sqrt()
    }

    /// f at the start of the step.
    pub fn start_slope(&self) -> &[f64; N] {
        &self.k[0]
    }

    /// Dense output over the step; three more evaluations.
    #[rustfmt::skip]
    pub fn dense(&self, f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N], slope_end: &[f64; N]) -> Dense<N> {
        let (t, h, y) = (self.t, self.h, &self.start);
        let mut k = [[0.0; N]; 16];
        k[..12].copy_from_slice(&self.k);
        k[12] = *slope_end;
        k[13] = f(t + table::C[13] * h, &mix(y, h, [(A[13][0], &k[0]), (A[13][6], &k[6]), (A[13][7], &k[7]), (A[13][8], &k[8]), (A[13][9], &k[9]), (A[13][10], &k[10]), (A[13][11], &k[11]), (A[13][12], &k[12])]));
        k[14] = f(t + table::C[14] * h, &mix(y, h, [(A[14][0], &k[0]), (A[14][5], &k[5]), (A[14][6], &k[6]), (A[14][7], &k[7]), (A[14][10], &k[10]), (A[14][11], &k[11]), (A[14][12], &k[12]), (A[14][13], &k[13])]));
        k[15] = f(t + table::C[15] * h, &mix(y, h, [(A[15][0], &k[0]), (A[15][5], &k[5]), (A[15][6], &k[6]), (A[15][7], &k[7]), (A[15][8], &k[8]), (A[15][12], &k[12]), (A[15][13], &k[13]), (A[15][14], &k[14])]));
        let zero = [0.0; N];
        let mut rows = [[0.0; N]; 7];
        for i in 0..N {
            let change = self.end[i] - self.start[i];
            rows[0][i] = change;
            rows[1][i] = h * k[0][i] - change;
            rows[2][i] = 2.0 * change - h * (k[12][i] + k[0][i]);
        }
        rows[3] = mix(&zero, h, [(D[0][0], &k[0]), (D[0][5], &k[5]), (D[0][6], &k[6]), (D[0][7], &k[7]), (D[0][8], &k[8]), (D[0][9], &k[9]), (D[0][10], &k[10]), (D[0][11], &k[11]), (D[0][12], &k[12]), (D[0][13], &k[13]), (D[0][14], &k[14]), (D[0][15], &k[15])]);
        rows[4] = mix(&zero, h, [(D[1][0], &k[0]), (D[1][5], &k[5]), (D[1][6], &k[6]), (D[1][7], &k[7]), (D[1][8], &k[8]), (D[1][9], &k[9]), (D[1][10], &k[10]), (D[1][11], &k[11]), (D[1][12], &k[12]), (D[1][13], &k[13]), (D[1][14], &k[14]), (D[1][15], &k[15])]);
        rows[5] = mix(&zero, h, [(D[2][0], &k[0]), (D[2][5], &k[5]), (D[2][6], &k[6]), (D[2][7], &k[7]), (D[2][8], &k[8]), (D[2][9], &k[9]), (D[2][10], &k[10]), (D[2][11], &k[11]), (D[2][12], &k[12]), (D[2][13], &k[13]), (D[2][14], &k[14]), (D[2][15], &k[15])]);
        rows[6] = mix(&zero, h, [(D[3][0], &k[0]), (D[3][5], &k[5]), (D[3][6], &k[6]), (D[3][7], &k[7]), (D[3][8], &k[8]), (D[3][9], &k[9]), (D[3][10], &k[10]), (D[3][11], &k[11]), (D[3][12], &k[12]), (D[3][13], &k[13]), (D[3][14], &k[14]), (D[3][15], &k[15])]);
        Dense { t, h, start: self.start, rows }
    }
}

/// The dense output of a step: a polynomial of degree seven.
pub(crate) struct Dense<const N: usize> {
    t: f64,
    h: f64,
    start: [f64; N],
    rows: [[f64; N]; 7],
}

impl<const N: usize> Dense<N> {
    /// The state at time `t` within the step.
    pub fn at(&self, t: f64) -> [f64; N] {
        interpolate(&self.rows, &self.start, (t - self.t) / self.h)
    }
}

/// The dense output at the fraction x of a step from `start`: a polynomial nested in factors x and 1 − x by turns.
#[inline(always)]
fn interpolate<const N: usize>(rows: &[[f64; N]; 7], start: &[f64; N], x: f64) -> [f64; N] {
    let mut value = [0.0; N];
    for (i, row) in rows.iter().rev().enumerate() {
        let factor = if i % 2 == 0 { x } else { 1.0 - x };
        for (value, term) in value.iter_mut().zip(row) {
            *value = (*value + term) * factor;
        }
    }
    for (value, start) in value.iter_mut().zip(start) {
        *value += start;
    }
    value
}

/// Factor by which the next step should be longer, given the error of this one (1 is the largest allowed).
///
/// ```
/// assert!(carom::ode::stretch(1e-3) > 1.0 && carom::ode::stretch(10.0) < 1.0);
/// assert_eq!(carom::ode::stretch(f64::NAN), 0.1);
/// ```
#[inline(always)]
pub fn stretch(error: f64) -> f64 {
    // A NaN or infinite error means the step left the domain of the law: shorten it.
    if !error.is_finite() {
        return 0.1;
    }
    (0.9 / eighth_root(error)).clamp(0.2, 8.0)
}

/// x^(1/8), the exponent being that of the order, by three square roots.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// Chooses the lengths of steps by the error of the last step and by its trend.
///
/// A power of the indentation is singular at touch and at separation: steps must grow away from the one
/// and shrink towards the other, and a rule that knows only the last error lags behind on both sides.
/// The predictive controller of K. Gustafsson (ACM Trans. Math. Softw. 20 (1994) 496–517) extrapolates the trend.
#[derive(Default)]
pub(crate) struct Pace {
    /// Length and eighth root of the error of the last accepted step.
    last: Option<(f64, f64)>,
}

impl Pace {
    /// The length of the step after one that was accepted.
    pub fn next(&mut self, h: f64, error: f64) -> f64 {
        let root = eighth_root(error.max(1e-8));
        let trend = match self.last {
            Some((length, last)) => (h / length * (last / root)).clamp(0.4, 1.8),
            None => 1.0,
        };
        self.last = Some((h, root));
        h * (0.92 * stretch(error) * trend).clamp(0.2, 8.0)
    }

    /// Forgets the trend, at an event.
    pub fn forget(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillator(_: f64, y: &[f64; 2]) -> [f64; 2] {
        [y[1], -y[0]]
    }

    /// Largest deviation from cos t over [0, 4] with steps of length h, at the ends and in between.
    fn deviations(h: f64) -> (f64, f64) {
        let mut f = oscillator;
        let (mut t, mut y) = (0.0, [1.0, 0.0]);
        let (mut ends, mut inside) = (0.0f64, 0.0f64);
        while t < 4.0 - 1e-9 {
            let slope = f(t, &y);
            let taken = step(&mut f, t, &y, &slope, h);
            let slope_end = f(t + h, &taken.end);
            let dense = taken.dense(&mut f, &slope_end);
            inside = inside.max((dense.at(t + 0.37 * h)[0] - (t + 0.37 * h).cos()).abs());
            t += h;
            y = taken.end;
            ends = ends.max((y[0] - t.cos()).abs());
        }
        (ends, inside)
    }

    #[test]
    fn steps_are_of_order_eight_and_dense_output_of_order_seven() {
        let (coarse, fine) = (deviations(1.0), deviations(0.5));
        let order = (coarse.0 / fine.0).log2();
        assert!(order > 7.5 && order < 9.5, "order {order}");
        let order = (coarse.1 / fine.1).log2();
        assert!(order > 6.5, "dense order {order}");
    }

    #[test]
    fn the_error_estimate_bounds_the_error() {
        let mut f = oscillator;
        let y = [1.0, 0.0];
        let slope = f(0.0, &y);
        let taken = step(&mut f, 0.0, &y, &slope, 0.8);
        let estimate = taken.error(|_, _| 1.0);
        assert!((taken.end[0] - 0.8f64.cos()).abs() < estimate);
        assert!(estimate < 1e-6);
    }
}
