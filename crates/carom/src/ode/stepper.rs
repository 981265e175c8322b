//! Steps over slices: the same formulas for a state whose length is known only when it runs.
//!
//! All memory is kept between steps, so that nothing is allocated once the length is settled. A step can
//! be taken again from the same start with another length ([`Stepper::again`]), which is how events are
//! put at the end of a step, and be asked for the state in between ([`Stepper::at`]).
//!
//! Most of what a step costs besides the slopes is sums Σ aⱼ·kⱼ over a few numbers each. Rows are therefore
//! padded with zeros to whole blocks of eight numbers, whose sums stay in registers while the
//! coefficients that are not zero go by.

use super::table::{A, B, C, D, E3, E5};

/// Numbers of a block.
const LANES: usize = 8;

/// A block.
type Block = [f64; LANES];

/// One step at a time, over states of any length.
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
    /// Numbers of the state; all rows below are padded to whole blocks.
    n: usize,
    start: Vec<f64>,
    end: Vec<f64>,
    /// Slopes of the stages, one row after the other.
    k: Vec<f64>,
    stage: Vec<f64>,
    /// Rows of the dense output, one after the other, and whether they are those of this step.
    rows: Vec<f64>,
    dense: bool,
}

/// The right-hand side: writes f(t, y) into the third argument.
type Slope<'a> = &'a mut dyn FnMut(f64, &[f64], &mut [f64]);

/// Coefficients of a sum that are not zero.
struct Terms {
    count: usize,
    stage: [usize; 16],
    weight: [f64; 16],
}

impl Terms {
    const fn of(row: &[f64; 16]) -> Self {
        let mut terms = Self { count: 0, stage: [0; 16], weight: [0.0; 16] };
        let mut j = 0;
        while j < 16 {
            if row[j] != 0.0 {
                terms.stage[terms.count] = j;
                terms.weight[terms.count] = row[j];
                terms.count += 1;
            }
            j += 1;
        }
        terms
    }

    const fn all<const N: usize>(rows: &[[f64; 16]; N]) -> [Self; N] {
        let mut all = [const { Self::of(&[0.0; 16]) }; N];
        let mut i = 0;
        while i < N {
            all[i] = Self::of(&rows[i]);
            i += 1;
        }
        all
    }

    /// Σ aⱼ·kⱼ of one block.
    #[inline(always)]
    fn sum(&self, k: &[f64], stride: usize, block: usize) -> Block {
        let mut sum = [0.0; LANES];
        for (&stage, &weight) in self.stage[..self.count].iter().zip(&self.weight) {
            if let Some(row) = k[stage * stride + block..].first_chunk::<LANES>() {
                for (sum, slope) in sum.iter_mut().zip(row) {
                    *sum += weight * slope;
                }
            }
        }
        sum
    }
}

static STAGES: [Terms; 16] = Terms::all(&A);
static DENSE: [Terms; 4] = Terms::all(&D);
static END: Terms = Terms::of(&B);
static THIRD: Terms = Terms::of(&E3);
static FIFTH: Terms = Terms::of(&E5);

/// out = y + h·Σ aⱼ·kⱼ, block by block.
#[inline]
fn mix(out: &mut [f64], y: &[f64], h: f64, terms: &Terms, k: &[f64]) {
    let stride = out.len();
    let (out, _) = out.as_chunks_mut::<LANES>();
    let (y, _) = y.as_chunks::<LANES>();
    for (i, (out, y)) in out.iter_mut().zip(y).enumerate() {
        let sum = terms.sum(k, stride, LANES * i);
        for lane in 0..LANES {
            out[lane] = y[lane] + h * sum[lane];
        }
    }
}

impl Stepper {
    /// Takes a step of length `h` from `y`, where the slope is `slope`; accepts or rejects nothing.
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
            let stride = n.next_multiple_of(LANES);
            for (buffer, rows) in [
                (&mut self.k, 16),
                (&mut self.rows, 7),
                (&mut self.stage, 1),
                (&mut self.start, 1),
                (&mut self.end, 1),
            ] {
                // What pads a row is zero and stays it.
                buffer.clear();
                buffer.resize(rows * stride, 0.0);
            }
        }
        self.start[..n].copy_from_slice(y);
        self.k[..n].copy_from_slice(slope);
        self.t = t;
        self.again(f, h);
    }

    /// Makes room for states of up to so many numbers, so that no later step allocates.
    pub fn reserve(&mut self, n: usize) {
        let stride = n.next_multiple_of(LANES);
        for (buffer, rows) in [
            (&mut self.k, 16),
            (&mut self.rows, 7),
            (&mut self.stage, 1),
            (&mut self.start, 1),
            (&mut self.end, 1),
        ] {
            buffer.reserve((rows * stride).saturating_sub(buffer.len()));
        }
    }

    /// Takes the step again, from the same start with another length.
    pub fn again(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), h: f64) {
        self.h = h;
        self.dense = false;
        if self.n == 0 {
            return;
        }
        self.stages(f, 1..12);
        mix(&mut self.end, &self.start, h, &END, &self.k);
    }

    fn stages(&mut self, f: Slope, which: std::ops::Range<usize>) {
        let (n, stride) = (self.n, self.start.len());
        for i in which {
            mix(&mut self.stage, &self.start, self.h, &STAGES[i], &self.k);
            let slope = &mut self.k[i * stride..i * stride + n];
            f(self.t + C[i] * self.h, &self.stage[..n], slope);
        }
    }

    /// Time at which the step began.
    pub fn begun(&self) -> f64 {
        self.t
    }

    /// Length of the step.
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Where the step began.
    pub fn start(&self) -> &[f64] {
        &self.start[..self.n]
    }

    /// Where the step ended.
    pub fn end(&self) -> &[f64] {
        &self.end[..self.n]
    }

    /// The largest error of the step, below 1 when it is good; `scale(i, size)` is the error allowed in
    /// component i, infinite for one that does not count.
    ///
    /// The largest, not a mean: in a scene of many bodies the one that is being hit may not hide among those that fly.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let (n, stride) = (self.n, self.start.len());
        let mut largest = 0.0f64;
        for block in (0..stride).step_by(LANES) {
            let third = THIRD.sum(&self.k, stride, block);
            let fifth = FIFTH.sum(&self.k, stride, block);
            for (lane, i) in (block..n.min(block + LANES)).enumerate() {
                let (e3, e5) = (third[lane] * third[lane], fifth[lane] * fifth[lane]);
                if e5 == 0.0 {
                    continue;
                }
                let unit = scale(i, self.start[i].abs().max(self.end[i].abs()));
                let error = self.h * e5 / ((e5 + 0.01 * e3).sqrt() * unit);
                // Not a number is not good either.
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

    /// Prepares [`Stepper::at`] for this step; four more evaluations.
    pub fn interpolate(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64])) {
        let (n, stride, h) = (self.n, self.start.len(), self.h);
        self.dense = true;
        if n == 0 {
            return;
        }
        f(self.t + h, &self.end[..n], &mut self.k[12 * stride..12 * stride + n]);
        self.stages(f, 13..16);
        for i in 0..n {
            let change = self.end[i] - self.start[i];
            self.rows[i] = change;
            self.rows[stride + i] = h * self.k[i] - change;
            self.rows[2 * stride + i] = 2.0 * change - h * (self.k[12 * stride + i] + self.k[i]);
        }
        self.stage.fill(0.0);
        for (row, terms) in self.rows.chunks_exact_mut(stride).skip(3).zip(&DENSE) {
            mix(row, &self.stage, h, terms, &self.k);
        }
    }

    /// True once [`Stepper::interpolate`] was called for this step.
    pub fn interpolates(&self) -> bool {
        self.dense || self.n == 0
    }

    /// The state at time `t` within the step; where the step has no dense output yet, its start.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        if !self.dense || self.h == 0.0 {
            return y.copy_from_slice(&self.start[..y.len()]);
        }
        let (stride, x) = (self.start.len(), (t - self.t) / self.h);
        let (starts, _) = self.start.as_chunks::<LANES>();
        for (i, (out, start)) in y.chunks_mut(LANES).zip(starts).enumerate() {
            let mut value = [0.0; LANES];
            for row in (0..7).rev() {
                // The last row comes first, with x.
                let factor = if row % 2 == 0 { x } else { 1.0 - x };
                if let Some(terms) = self.rows[row * stride + LANES * i..].first_chunk::<LANES>() {
                    for (value, term) in value.iter_mut().zip(terms) {
                        *value = (*value + term) * factor;
                    }
                }
            }
            for (value, start) in value.iter_mut().zip(start) {
                *value += start;
            }
            out.copy_from_slice(&value[..out.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::step;
    use super::*;

    /// A pendulum under a force that depends on time.
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
        // The arrays' error is a mean of both components, this one the larger of them.
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
