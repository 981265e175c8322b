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
//! Two kinds of state share the coefficients and sums in `ode/table.rs`: arrays of fixed size for the engines of
//! this crate, and slices of any length ([`Stepper`]) for systems whose size is known when they run.

pub mod events;
mod implicit;
mod stepper;
mod table;

pub use implicit::{ImplicitStepper, StageEquations, implicit_stretch};
pub use stepper::Stepper;
use table::{C, DenseRow, End, Fifth, Stage, Third, Weights, sum};

/// y + h·Σ aⱼ·kⱼ.
#[inline(always)]
fn mix<W: Weights, const N: usize>(y: &[f64; N], h: f64, k: &[[f64; N]]) -> [f64; N] {
    let mut out = sum::<W, N>(|j| k.get(j));
    for (out, y) in out.iter_mut().zip(y) {
        *out = y + h * *out;
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
pub(crate) fn step<const N: usize>(
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
    t: f64,
    y: &[f64; N],
    slope: &[f64; N],
    h: f64,
) -> Step<N> {
    let mut k = [*slope; 12];
    macro_rules! stages {
        ($($i:literal)*) => {
            $(k[$i] = f(t + C[$i] * h, &mix::<Stage<$i>, N>(y, h, &k));)*
        };
    }
    stages!(1 2 3 4 5 6 7 8 9 10 11);
    let end = mix::<End, N>(y, h, &k);
    Step { t, h, start: *y, end, k }
}

impl<const N: usize> Step<N> {
    /// The step of length zero.
    pub fn none(t: f64, y: &[f64; N], slope: &[f64; N]) -> Self {
        Self { t, h: 0.0, start: *y, end: *y, k: [*slope; 12] }
    }

    /// The error of the step in units of `scale`, below 1 when the step is acceptable.
    #[inline(always)]
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let third = sum::<Third, N>(|j| self.k.get(j)).map(|sum| self.h * sum);
        let fifth = sum::<Fifth, N>(|j| self.k.get(j)).map(|sum| self.h * sum);
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
    pub fn dense(
        &self,
        f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
        slope_end: &[f64; N],
    ) -> Dense<N> {
        let (t, h, y) = (self.t, self.h, &self.start);
        let mut k = [[0.0; N]; 16];
        k[..12].copy_from_slice(&self.k);
        k[12] = *slope_end;
        macro_rules! stages {
            ($($i:literal)*) => {
                $(k[$i] = f(t + C[$i] * h, &mix::<Stage<$i>, N>(y, h, &k));)*
            };
        }
        stages!(13 14 15);
        let mut rows = [[0.0; N]; 7];
        for i in 0..N {
            let change = self.end[i] - self.start[i];
            rows[0][i] = change;
            rows[1][i] = h * k[0][i] - change;
            rows[2][i] = 2.0 * change - h * (k[12][i] + k[0][i]);
        }
        rows[3] = sum::<DenseRow<0>, N>(|j| k.get(j)).map(|sum| h * sum);
        rows[4] = sum::<DenseRow<1>, N>(|j| k.get(j)).map(|sum| h * sum);
        rows[5] = sum::<DenseRow<2>, N>(|j| k.get(j)).map(|sum| h * sum);
        rows[6] = sum::<DenseRow<3>, N>(|j| k.get(j)).map(|sum| h * sum);
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
