//! Steps over slices: the same formulas for a state whose length is known only when it runs.
//!
//! All memory is kept between steps, so that nothing is allocated once the length is settled. A step can
//! be taken again from the same start with another length ([`Stepper::again`]), which is how events are
//! put at the end of a step, and be asked for the state in between ([`Stepper::at`]).

use super::table::{A, B, C, D, E3, E5};

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
    start: Vec<f64>,
    end: Vec<f64>,
    /// Slopes of the stages, one row after the other.
    k: Vec<f64>,
    stage: Vec<f64>,
    /// Rows of the dense output, where it was asked for.
    rows: Vec<f64>,
}

/// The right-hand side: writes f(t, y) into the third argument.
type Slope<'a> = &'a mut dyn FnMut(f64, &[f64], &mut [f64]);

/// out = y + h·Σ aⱼ·kⱼ over the coefficients that are not zero; the first never is.
#[inline]
fn mix(out: &mut [f64], y: &[f64], h: f64, weights: &[f64], k: &[f64]) {
    let n = out.len();
    let (first, rest) = k.split_at(n);
    for (sum, slope) in out.iter_mut().zip(first) {
        *sum = weights[0] * slope;
    }
    for (row, &a) in rest.chunks_exact(n).zip(&weights[1..]) {
        if a != 0.0 {
            for (sum, slope) in out.iter_mut().zip(row) {
                *sum += a * slope;
            }
        }
    }
    for (sum, start) in out.iter_mut().zip(y) {
        *sum = start + h * *sum;
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
        for (buffer, length) in [(&mut self.k, 16 * n), (&mut self.stage, n), (&mut self.end, n)] {
            buffer.resize(length, 0.0);
        }
        self.start.clear();
        self.start.extend_from_slice(y);
        self.k[..n].copy_from_slice(slope);
        self.t = t;
        self.again(f, h);
    }

    /// Takes the step again, from the same start with another length.
    pub fn again(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), h: f64) {
        let n = self.start.len();
        self.h = h;
        self.rows.clear();
        if n == 0 {
            return;
        }
        self.stages(f, 1..12);
        mix(&mut self.end, &self.start, h, &B[..12], &self.k);
    }

    fn stages(&mut self, f: Slope, which: std::ops::Range<usize>) {
        let n = self.start.len();
        for i in which {
            mix(&mut self.stage, &self.start, self.h, &A[i][..i], &self.k);
            f(self.t + C[i] * self.h, &self.stage, &mut self.k[i * n..(i + 1) * n]);
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
        &self.start
    }

    /// Where the step ended.
    pub fn end(&self) -> &[f64] {
        &self.end
    }

    /// The error of the step, below 1 when it is good; `scale(i, size)` is the error allowed in component
    /// i, infinite for one that does not count.
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let n = self.start.len();
        let (mut sum3, mut sum5, mut count) = (0.0, 0.0, 0);
        for i in 0..n {
            let unit = scale(i, self.start[i].abs().max(self.end[i].abs()));
            if unit == f64::INFINITY {
                continue;
            }
            let (mut third, mut fifth) = (0.0, 0.0);
            for j in (0..12).filter(|&j| E3[j] != 0.0) {
                third += E3[j] * self.k[j * n + i];
                fifth += E5[j] * self.k[j * n + i];
            }
            sum3 += (self.h * third / unit) * (self.h * third / unit);
            sum5 += (self.h * fifth / unit) * (self.h * fifth / unit);
            count += 1;
        }
        if sum5 == 0.0 && sum3 == 0.0 {
            return 0.0;
        }
        sum5 / ((sum5 + 0.01 * sum3) * f64::from(count)).sqrt()
    }

    /// Prepares [`Stepper::at`] for this step; four more evaluations.
    pub fn interpolate(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64])) {
        let (n, h) = (self.start.len(), self.h);
        if n == 0 {
            return;
        }
        f(self.t + h, &self.end, &mut self.k[12 * n..13 * n]);
        self.stages(f, 13..16);
        self.rows.resize(7 * n, 0.0);
        for i in 0..n {
            let change = self.end[i] - self.start[i];
            self.rows[i] = change;
            self.rows[n + i] = h * self.k[i] - change;
            self.rows[2 * n + i] = 2.0 * change - h * (self.k[12 * n + i] + self.k[i]);
        }
        self.stage.fill(0.0);
        for (row, weights) in self.rows.chunks_exact_mut(n).skip(3).zip(&D) {
            mix(row, &self.stage, h, weights, &self.k);
        }
    }

    /// True once [`Stepper::interpolate`] was called for this step.
    pub fn interpolates(&self) -> bool {
        !self.rows.is_empty() || self.start.is_empty()
    }

    /// The state at time `t` within the step; where the step has no dense output yet, its start.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        let n = self.start.len();
        let x = if self.h == 0.0 { 0.0 } else { (t - self.t) / self.h };
        y.fill(0.0);
        for (i, row) in self.rows.rchunks_exact(n.max(1)).enumerate() {
            let factor = if i % 2 == 0 { x } else { 1.0 - x };
            for (value, term) in y.iter_mut().zip(row) {
                *value = (*value + term) * factor;
            }
        }
        for (value, start) in y.iter_mut().zip(&self.start) {
            *value += start;
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
        let errors = (sliced.error(|_, _| 1e-6), fixed.error(|_, _| 1e-6));
        assert!((errors.0 / errors.1 - 1.0).abs() < 1e-9, "{errors:?}");
        // A component that does not count changes nothing but the number of those that do.
        let alone = sliced.error(|i, _| if i == 0 { 1e-6 } else { f64::INFINITY });
        assert!(alone.is_finite() && alone > 0.0);

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
