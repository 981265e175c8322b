//! Dormand and Prince's explicit Runge–Kutta pair of order 8(5,3) with dense output of order 7, and event location
//! ([`events`]). It integrates single impacts and scenes.
//!
//! A step takes twelve evaluations. The error is estimated from embedded formulas of orders 5 and 3, after E. Hairer,
//! S. P. Nørsett and G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993, section II.5
//! (coefficients and error estimator) and section II.6 (dense output).
//!
//! It is implemented here because no published crate offers all that impacts need: states of fixed size on the stack,
//! no allocation, and steps that can be repeated with another length, by which events are located to the last digit
//! (`bench/` compares the times with those of `ode_solvers` and `diffsol`). Other parts of carom use other
//! integrators where these are more suitable: collocation for the dimensionless impact ([`crate::exact`]), and fixed
//! steps for beds of grains.
//!
//! If fast motions have decayed, the equations are stiff: the fast motions continue to limit the step of an explicit
//! pair. For such equations there is an implicit pair of order 4(3) ([`ImplicitStepper`]).
//!
//! Two kinds of state share the coefficients and sums in `ode/table.rs`: arrays of fixed size for the integrators of
//! this crate, and slices of any length ([`Stepper`]) for systems whose size is known at run time only.

pub mod events;
mod implicit;
mod stepper;
mod table;

pub use implicit::{ImplicitStepper, StageEquations, implicit_stretch};
pub use stepper::Stepper;
use table::{C, DenseRow, EndWeights, ErrorWeights3, ErrorWeights5, Stage, Weights, sum};

/// Computes y + h·Σ aⱼ·kⱼ.
#[inline(always)]
fn weighted_state<W: Weights, const N: usize>(y: &[f64; N], h: f64, k: &[[f64; N]]) -> [f64; N] {
    let mut out = sum::<W, N>(|j| k.get(j));
    for (out, y) in out.iter_mut().zip(y) {
        *out = y + h * *out;
    }
    out
}

/// One step from `start` at time `t`: its end, and the slopes needed for its error and its dense output.
#[derive(Clone, Copy)]
pub(crate) struct Step<const N: usize> {
    pub t: f64,
    pub h: f64,
    pub start: [f64; N],
    pub end: [f64; N],
    k: [[f64; N]; 12],
}

/// Takes one step of length `h`; `f` is the right-hand side f(t, y) and `slope` its value at the start. The caller
/// decides whether the step is accepted.
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
            $(k[$i] = f(t + C[$i] * h, &weighted_state::<Stage<$i>, N>(y, h, &k));)*
        };
    }
    stages!(1 2 3 4 5 6 7 8 9 10 11);
    let end = weighted_state::<EndWeights, N>(y, h, &k);
    Step { t, h, start: *y, end, k }
}

impl<const N: usize> Step<N> {
    /// Creates a step of length zero.
    pub fn none(t: f64, y: &[f64; N], slope: &[f64; N]) -> Self {
        Self { t, h: 0.0, start: *y, end: *y, k: [*slope; 12] }
    }

    /// Computes the error of the step in units of `scale`; the step is acceptable if it is at most 1.
    #[inline(always)]
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let third = sum::<ErrorWeights3, N>(|j| self.k.get(j)).map(|sum| self.h * sum);
        let fifth = sum::<ErrorWeights5, N>(|j| self.k.get(j)).map(|sum| self.h * sum);
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

    /// Returns f at the start of the step.
    pub fn start_slope(&self) -> &[f64; N] {
        &self.k[0]
    }

    /// Computes the dense output over the step; this takes three more evaluations.
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
                $(k[$i] = f(t + C[$i] * h, &weighted_state::<Stage<$i>, N>(y, h, &k));)*
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

/// Dense output of a step: a polynomial of degree seven.
pub(crate) struct Dense<const N: usize> {
    t: f64,
    h: f64,
    start: [f64; N],
    rows: [[f64; N]; 7],
}

impl<const N: usize> Dense<N> {
    /// Computes the state at time `t` within the step.
    pub fn at(&self, t: f64) -> [f64; N] {
        interpolate(&self.rows, &self.start, (t - self.t) / self.h)
    }
}

/// Evaluates the dense output at the fraction x of a step from `start`; the polynomial is nested, with factors x and
/// 1 − x in turn.
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

/// Computes the factor for the length of the next step from the error of this one (1 is the largest allowed).
///
/// ```
/// assert!(carom::ode::stretch(1e-3) > 1.0 && carom::ode::stretch(10.0) < 1.0);
/// assert_eq!(carom::ode::stretch(f64::NAN), 0.1);
/// ```
#[inline(always)]
pub fn stretch(error: f64) -> f64 {
    // A NaN or infinite error means that the step left the domain of the law: shorten it.
    if !error.is_finite() {
        return 0.1;
    }
    (0.9 / eighth_root(error)).clamp(0.2, 8.0)
}

/// Computes x^(1/8) by three square roots; the exponent follows from the order of the pair.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// Controller that chooses the step length from the error of the last step and its trend.
///
/// A power of the indentation is singular at onset and at separation, so that steps must become longer after onset
/// and shorter before separation. A controller that uses the last error only reacts too late in both cases. The
/// predictive controller of K. Gustafsson (ACM Trans. Math. Softw. 20 (1994) 496–517) extrapolates the trend.
#[derive(Default)]
pub(crate) struct StepController {
    /// Length of the last accepted step and the eighth root of its error.
    last: Option<(f64, f64)>,
}

impl StepController {
    /// Computes the length of the step that follows an accepted one.
    pub fn next(&mut self, h: f64, error: f64) -> f64 {
        let root = eighth_root(error.max(1e-8));
        let trend = match self.last {
            Some((length, last)) => (h / length * (last / root)).clamp(0.4, 1.8),
            None => 1.0,
        };
        self.last = Some((h, root));
        h * (0.92 * stretch(error) * trend).clamp(0.2, 8.0)
    }

    /// Discards the trend, because the equations change at an event.
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

    /// Computes the largest deviation from cos t over [0, 4] with steps of length h, at the ends of steps and within
    /// them.
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
