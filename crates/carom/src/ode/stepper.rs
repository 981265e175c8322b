//! Explicit steps for states whose length is known at run time only, as slices.
//!
//! The memory is kept between steps, so that nothing is allocated while the length stays the same. A step can be
//! taken again from the same start with another length ([`Stepper::again`]), which makes it end on an event, and the
//! state can be interpolated within it ([`Stepper::at`]).
//!
//! Apart from the evaluation of slopes, most of the cost of a step is in the sums Σ aⱼ·kⱼ. States are therefore
//! divided into blocks of eight numbers, the last one padded with zeros. The sum of a block stays in registers while
//! the stages are added, and the coefficients are compile-time constants.

use super::interpolate;
use super::table::{self, C, DenseRow, EndWeights, ErrorWeights3, ErrorWeights5, Stage, Weights};
use std::ops::Range;

/// Number of values in a block.
const LANES: usize = 8;

/// Values of a state that are processed together.
type Block = [f64; LANES];

/// Integrator that takes one explicit step at a time, for states of any length.
///
/// ```
/// use carom::ode::Stepper;
/// let mut oscillator = |_t: f64, y: &[f64], slope: &mut [f64]| {
///     slope[0] = y[1];
///     slope[1] = -y[0];
/// };
/// let mut stepper = Stepper::default();
/// stepper.step(&mut oscillator, 0.0, &[1.0, 0.0], &[0.0, -1.0], 0.5);
/// assert!((stepper.end()[0] - 0.5f64.cos()).abs() < 1e-9);
/// stepper.interpolate(&mut oscillator);
/// let mut between = [0.0; 2];
/// stepper.at(0.2, &mut between);
/// assert!((between[0] - 0.2f64.cos()).abs() < 1e-7);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stepper {
    t: f64,
    h: f64,
    /// Length of the state.
    n: usize,
    start: Vec<Block>,
    end: Vec<Block>,
    /// Slopes of the stages.
    k: [Vec<Block>; 16],
    /// State at which the next stage is evaluated.
    stage: Vec<Block>,
    /// Coefficients of the dense output, block by block, and whether they belong to this step.
    rows: Vec<[Block; 7]>,
    dense: bool,
    /// Length of the step to which the dense output belongs, before the step was cut.
    dense_h: f64,
}

/// Right-hand side: writes f(t, y) into the third argument.
type Slope<'a> = &'a mut dyn FnMut(f64, &[f64], &mut [f64]);

/// Computes Σ aⱼ·kⱼ of one block.
#[inline(always)]
fn sum<W: Weights>(k: &[Vec<Block>; 16], block: usize) -> Block {
    table::sum::<W, LANES>(|j| k[j].get(block))
}

/// Computes out = y + h·Σ aⱼ·kⱼ, block by block.
#[inline]
fn weighted_state<W: Weights>(out: &mut [Block], y: &[Block], h: f64, k: &[Vec<Block>; 16]) {
    for (block, (out, y)) in out.iter_mut().zip(y).enumerate() {
        // The sum is accumulated in registers and written once.
        let mut next = sum::<W>(k, block);
        for (next, y) in next.iter_mut().zip(y) {
            *next = y + h * *next;
        }
        *out = next;
    }
}

/// Computes the state of stage i.
#[inline]
fn stage(i: usize, out: &mut [Block], y: &[Block], h: f64, k: &[Vec<Block>; 16]) {
    macro_rules! stages {
        ($($i:literal)*) => {
            match i {
                $($i => weighted_state::<Stage<$i>>(out, y, h, k),)*
                _ => out.copy_from_slice(y),
            }
        };
    }
    stages!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

impl Stepper {
    /// Takes a step of length `h` from the state `y` with the slope `slope`. The caller decides whether it is
    /// accepted.
    pub fn step(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        slope: &[f64],
        h: f64,
    ) {
        let n = y.len();
        if self.n != n {
            self.n = n;
            let blocks = n.div_ceil(LANES);
            // The padding of the last block is zero and remains zero.
            let others = [&mut self.start, &mut self.end, &mut self.stage];
            for row in self.k.iter_mut().chain(others) {
                row.clear();
                row.resize(blocks, [0.0; LANES]);
            }
            self.rows.clear();
            self.rows.resize(blocks, [[0.0; LANES]; 7]);
        }
        self.start.as_flattened_mut()[..n].copy_from_slice(y);
        self.k[0].as_flattened_mut()[..n].copy_from_slice(slope);
        self.t = t;
        self.again(f, h);
    }

    /// Reserves memory for states of up to `n` numbers, so that no later step allocates.
    pub fn reserve(&mut self, n: usize) {
        let blocks = n.div_ceil(LANES);
        for row in self.k.iter_mut().chain([&mut self.start, &mut self.end, &mut self.stage]) {
            row.reserve(blocks.saturating_sub(row.len()));
        }
        self.rows.reserve(blocks.saturating_sub(self.rows.len()));
    }

    /// Takes the step again from the same start with another length.
    pub fn again(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), h: f64) {
        self.h = h;
        self.dense = false;
        if self.n == 0 {
            return;
        }
        self.stages(f, 1..12);
        weighted_state::<EndWeights>(&mut self.end, &self.start, h, &self.k);
    }

    /// Evaluates the slopes of some stages.
    fn stages(&mut self, f: Slope, which: Range<usize>) {
        let n = self.n;
        for i in which {
            stage(i, &mut self.stage, &self.start, self.h, &self.k);
            let slope = &mut self.k[i].as_flattened_mut()[..n];
            f(self.t + C[i] * self.h, &self.stage.as_flattened()[..n], slope);
        }
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
        &self.start.as_flattened()[..self.n]
    }

    /// Returns the state at which the step ended.
    pub fn end(&self) -> &[f64] {
        &self.end.as_flattened()[..self.n]
    }

    /// Computes the largest error of the step, which is acceptable if it is at most 1; `scale(i, size)` is the error
    /// allowed in component i, infinite for components that are not checked.
    ///
    /// The largest error is used instead of a mean, in which the error of one body in contact would be averaged out
    /// among many bodies in free flight.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let mut largest = 0.0f64;
        let ends = self.start.iter().zip(&self.end);
        for (block, (start, end)) in ends.enumerate() {
            let (third, fifth) =
                (sum::<ErrorWeights3>(&self.k, block), sum::<ErrorWeights5>(&self.k, block));
            for lane in 0..LANES {
                // A component without an error, or padding.
                let (e3, e5) = (third[lane] * third[lane], fifth[lane] * fifth[lane]);
                if e5 == 0.0 {
                    continue;
                }
                let unit = scale(LANES * block + lane, start[lane].abs().max(end[lane].abs()));
                let error = self.h * e5 / ((e5 + 0.01 * e3).sqrt() * unit);
                // The comparison regards NaN as too large.
                if !(error <= largest) {
                    largest = error;
                }
                if largest.is_nan() {
                    return largest;
                }
            }
        }
        largest
    }

    /// Computes the largest absolute slope of some components of the state over the stages of the step.
    ///
    /// ```
    /// # use carom::ode::Stepper;
    /// let mut pulse = |t: f64, _y: &[f64], slope: &mut [f64]| slope[0] = if t > 0.5 { -3.0 } else { 0.0 };
    /// let mut stepper = Stepper::default();
    /// stepper.step(&mut pulse, 0.0, &[0.0], &[0.0], 1.0);
    /// assert_eq!(stepper.steepest(0..1), 3.0);
    /// ```
    pub fn steepest(&self, which: Range<usize>) -> f64 {
        let which = which.start.min(self.n)..which.end.min(self.n);
        let stages = self.k[..12].iter().flat_map(|k| &k.as_flattened()[which.clone()]);
        stages.fold(0.0, |largest, slope| largest.max(slope.abs()))
    }

    /// Computes the dense output of this step for [`Stepper::at`]; this takes four more evaluations.
    pub fn interpolate(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64])) {
        let (n, h) = (self.n, self.h);
        (self.dense, self.dense_h) = (true, h);
        if n == 0 {
            return;
        }
        let slope = &mut self.k[12].as_flattened_mut()[..n];
        f(self.t + h, &self.end.as_flattened()[..n], slope);
        self.stages(f, 13..16);
        let ends = self.start.iter().zip(&self.end);
        let k = &self.k;
        let slopes = k[0].iter().zip(&k[12]);
        for (block, ((rows, (start, end)), (first, last))) in
            self.rows.iter_mut().zip(ends).zip(slopes).enumerate()
        {
            for i in 0..LANES {
                let change = end[i] - start[i];
                rows[0][i] = change;
                rows[1][i] = h * first[i] - change;
                rows[2][i] = 2.0 * change - h * (last[i] + first[i]);
            }
            let [.., a, b, c, d] = rows;
            *a = sum::<DenseRow<0>>(k, block).map(|sum| h * sum);
            *b = sum::<DenseRow<1>>(k, block).map(|sum| h * sum);
            *c = sum::<DenseRow<2>>(k, block).map(|sum| h * sum);
            *d = sum::<DenseRow<3>>(k, block).map(|sum| h * sum);
        }
    }

    /// Ends the step earlier, at a state on its dense output, which is kept; without a dense output the step is
    /// unchanged. It needs no evaluation, whereas [`Stepper::again`] takes eleven, and has the accuracy of the dense
    /// output.
    ///
    /// ```
    /// # use carom::ode::Stepper;
    /// let mut grow = |_t: f64, y: &[f64], slope: &mut [f64]| slope.copy_from_slice(y);
    /// let mut stepper = Stepper::default();
    /// stepper.step(&mut grow, 0.0, &[1.0], &[1.0], 0.1);
    /// stepper.interpolate(&mut grow);
    /// stepper.cut(0.04);
    /// assert_eq!(stepper.length(), 0.04);
    /// assert!((stepper.end()[0] - 0.04f64.exp()).abs() < 1e-13);
    /// ```
    pub fn cut(&mut self, h: f64) {
        if !self.dense || self.dense_h == 0.0 {
            return;
        }
        let x = h / self.dense_h;
        for ((end, rows), start) in self.end.iter_mut().zip(&self.rows).zip(&self.start) {
            *end = interpolate(rows, start, x);
        }
        self.h = h;
    }

    /// Returns whether [`Stepper::interpolate`] was called for this step.
    pub fn interpolates(&self) -> bool {
        self.dense || self.n == 0
    }

    /// Computes the state at time `t` within the step; if the step has no dense output yet, the state at its start.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        self.part(t, 0..y.len(), y);
    }

    /// Does the same as [`Stepper::at`] for some components of the state; the other elements of `y` are unchanged.
    ///
    /// ```
    /// # use carom::ode::Stepper;
    /// # let mut grow = |_t: f64, y: &[f64], slope: &mut [f64]| slope.copy_from_slice(y);
    /// # let mut stepper = Stepper::default();
    /// # stepper.step(&mut grow, 0.0, &[1.0; 20], &[1.0; 20], 0.5);
    /// # stepper.interpolate(&mut grow);
    /// let (mut all, mut some) = ([0.0; 20], [0.0; 20]);
    /// stepper.at(0.2, &mut all);
    /// stepper.part(0.2, 7..10, &mut some);
    /// assert_eq!(some[7..10], all[7..10]);
    /// assert_eq!(some[10], 0.0);
    /// ```
    pub fn part(&self, t: f64, which: Range<usize>, y: &mut [f64]) {
        let which = which.start..which.end.min(y.len()).min(self.n);
        if which.is_empty() {
            return;
        }
        if !self.dense || self.dense_h == 0.0 {
            return y[which.clone()].copy_from_slice(&self.start()[which]);
        }
        let x = (t - self.t) / self.dense_h;
        let blocks = which.start / LANES..which.end.div_ceil(LANES);
        let values = self.rows[blocks.clone()].iter().zip(&self.start[blocks.clone()]);
        for (block, (rows, start)) in blocks.zip(values) {
            let value = interpolate(rows, start, x);
            let from = (LANES * block).max(which.start);
            let to = (LANES * (block + 1)).min(which.end);
            y[from..to].copy_from_slice(&value[from - LANES * block..to - LANES * block]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::step;
    use super::*;

    /// Slope of a pendulum under a force that depends on time.
    fn pendulum(t: f64, y: &[f64; 2]) -> [f64; 2] {
        [y[1], -y[0].sin() + 0.3 * t]
    }

    #[test]
    fn slices_and_arrays_take_the_same_step() {
        let y = [0.7, -0.4];
        let slope = pendulum(0.2, &y);
        let fixed = step(&mut { pendulum }, 0.2, &y, &slope, 0.6);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&pendulum(t, &[y[0], y[1]]));
        };
        let mut sliced = Stepper::default();
        sliced.step(&mut f, 0.2, &y, &slope, 0.6);
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-15);
        assert!(close(sliced.end(), &fixed.end));
        // The error for arrays is a mean over both components, that of the stepper the larger of them.
        let of = |which: usize| {
            let only = |i: usize| if i == which { 1e-6 } else { f64::INFINITY };
            (sliced.error(|i, _| only(i)), fixed.error(|i, _| only(i)) * 2f64.sqrt())
        };
        let (one, two) = (of(0), of(1));
        assert!((one.0 / one.1 - 1.0).abs() < 1e-9 && (two.0 / two.1 - 1.0).abs() < 1e-9);
        assert_eq!(sliced.error(|_, _| 1e-6), one.0.max(two.0));

        let dense = fixed.dense(&mut { pendulum }, &pendulum(0.8, &fixed.end));
        sliced.interpolate(&mut f);
        assert!(sliced.interpolates());
        let mut between = [0.0; 2];
        for t in [0.2, 0.33, 0.5, 0.8] {
            sliced.at(t, &mut between);
            assert!(close(&between, &dense.at(t)), "{t}");
        }
        sliced.again(&mut f, 0.3);
        let shorter = step(&mut { pendulum }, 0.2, &y, &slope, 0.3);
        assert!(close(sliced.end(), &shorter.end) && !sliced.interpolates());
    }

    #[test]
    fn an_empty_state_steps_nowhere() {
        let mut sliced = Stepper::default();
        sliced.step(&mut |_, _, _| {}, 0.0, &[], &[], 1.0);
        sliced.interpolate(&mut |_, _, _| {});
        sliced.at(0.5, &mut []);
        assert_eq!(sliced.error(|_, _| 1.0), 0.0);
    }
}
