//! Functions of time that drive a joint, move the ground or scale a force.
//!
//! A motion has a value and its first and second derivatives, because an ideal constraint needs all three. A record of
//! accelerations is linear between its samples, so velocity and displacement are its exact integrals (quadratic and cubic),
//! starting from rest at the first sample; after the last sample the acceleration is zero.
//!
//! A table is linear between its points or, on request, cubic. Forces are usually given by linear tables. If a displacement
//! is given by a linear table, its velocity jumps at every point, which would require infinite forces on a mass, so runs
//! give a note when they pass such a jump. A cubic table has a continuous velocity: it is Hermite's polynomial between two
//! points, with the slopes of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5 (1984) 300–304). These keep it monotone
//! wherever the points are, so it never overshoots. At the first and last point its rate is zero, as it is outside of the
//! table.

use crate::check::positive;
use carom::{Error, Result};

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// value + rate·t.
    Steady {
        /// Value at t = 0.
        value: f64,
        /// Rate of change per second.
        rate: f64,
    },
    /// offset + amplitude·sin(frequency·t + phase).
    Sine {
        /// Mean value.
        offset: f64,
        /// Amplitude, half the range.
        amplitude: f64,
        /// Angular frequency (rad/s).
        frequency: f64,
        /// Phase at t = 0 (rad).
        phase: f64,
    },
    /// Values at given times, linear or cubic in between, constant outside.
    Table(MotionTable),
    /// Displacement that belongs to recorded accelerations.
    Accelerogram(Accelerogram),
}

/// Value, rate and acceleration of a motion at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSample {
    /// Value of the function.
    pub value: f64,
    /// First derivative.
    pub rate: f64,
    /// Second derivative.
    pub acceleration: f64,
}

impl Motion {
    /// Returns the motion at a time.
    ///
    /// ```
    /// use carom_world::Motion;
    /// let crank = Motion::Steady { value: 0.1, rate: 20.0 };
    /// assert_eq!(crank.at(2.0).value, 40.1);
    /// assert_eq!(crank.at(2.0).rate, 20.0);
    /// ```
    pub fn at(&self, t: f64) -> MotionSample {
        self.evaluate(SidedTime::at(t))
    }

    /// Returns the motion at a time, on the given side of a breakpoint.
    pub(crate) fn evaluate(&self, time: SidedTime) -> MotionSample {
        let t = time.time;
        match self {
            Self::Steady { value, rate } => {
                MotionSample { value: value + rate * t, rate: *rate, acceleration: 0.0 }
            }
            Self::Sine { offset, amplitude, frequency, phase } => {
                let (sin, cos) = (frequency * t + phase).sin_cos();
                MotionSample {
                    value: offset + amplitude * sin,
                    rate: amplitude * frequency * cos,
                    acceleration: -amplitude * frequency * frequency * sin,
                }
            }
            Self::Table(table) => table.evaluate(time),
            Self::Accelerogram(record) => record.evaluate(time),
        }
    }

    /// Returns bounds of the derivatives between two times without a breakpoint in between (see
    /// [`Motion::next_breakpoint`]).
    pub(crate) fn bounds(&self, from: f64, to: f64) -> MotionBounds {
        match self {
            Self::Steady { .. } => MotionBounds::default(),
            Self::Sine { amplitude, frequency, .. } => {
                let rate = (amplitude * frequency).abs();
                let acceleration = rate * frequency.abs();
                MotionBounds {
                    rate_change: (acceleration * (to - from)).min(2.0 * rate),
                    acceleration,
                }
            }
            // Between breakpoints the acceleration is linear, so its largest value is at one of the ends.
            Self::Table(_) | Self::Accelerogram(_) => {
                let ends = [self.at(from), self.evaluate(SidedTime::before(to))];
                let acceleration = ends[0].acceleration.abs().max(ends[1].acceleration.abs());
                MotionBounds { rate_change: acceleration * (to - from), acceleration }
            }
        }
    }

    /// Returns a time in which the motion changes little (s); infinite if it is a polynomial between its breakpoints.
    pub(crate) fn time_scale(&self) -> f64 {
        match self {
            Self::Sine { frequency, .. } => 0.5 / frequency.abs(),
            _ => f64::INFINITY,
        }
    }

    /// Returns the jump of the rate at a time.
    pub(crate) fn rate_jump_at(&self, t: f64) -> f64 {
        match self {
            Self::Table(table) if table.slopes.is_empty() => {
                self.at(t).rate - self.evaluate(SidedTime::before(t)).rate
            }
            _ => 0.0,
        }
    }

    /// Returns the next breakpoint after t, a time at which a derivative jumps; infinite if the motion is smooth from t on.
    ///
    /// A method of high order loses its order in a step across a breakpoint, so steps end there.
    ///
    /// ```
    /// use carom_world::motion::{Accelerogram, Motion};
    /// let ground = Motion::Accelerogram(Accelerogram::new(0.02, vec![0.0, 1.0, -1.0])?);
    /// assert_eq!(ground.next_breakpoint(0.013), 0.02);
    /// assert_eq!(ground.next_breakpoint(0.02), 0.04);
    /// assert_eq!(ground.next_breakpoint(0.05), f64::INFINITY);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn next_breakpoint(&self, t: f64) -> f64 {
        match self {
            Self::Steady { .. } | Self::Sine { .. } => f64::INFINITY,
            Self::Table(table) => {
                let after = table.times.partition_point(|&time| time <= t);
                table.times.get(after).copied().unwrap_or(f64::INFINITY)
            }
            Self::Accelerogram(record) => {
                let next = (t / record.interval * (1.0 + 1e-12)).max(-1.0).floor() + 1.0;
                let last = (record.accelerations.len() - 1) as f64;
                if next <= last { next * record.interval } else { f64::INFINITY }
            }
        }
    }
}

/// A time, and the side from which motions are evaluated there. In a step that ends at a breakpoint, the piece before the
/// breakpoint is used up to the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SidedTime {
    pub time: f64,
    /// Time from which motions are continued with the piece before it; infinite for none.
    pub limit: f64,
}

impl SidedTime {
    /// Returns a time at which motions are evaluated from the right.
    pub fn at(time: f64) -> Self {
        Self { time, limit: f64::INFINITY }
    }

    /// Returns a time at which motions are evaluated from the left.
    pub fn before(time: f64) -> Self {
        Self { time, limit: time }
    }

    /// Returns a time within the piece that has to be used.
    fn within_piece(self) -> f64 {
        if self.time < self.limit { self.time } else { self.limit - 1e-15 * self.limit.abs() }
    }
}

/// Bounds of a motion within a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MotionBounds {
    /// Upper bound of the difference of any two rates in the span.
    pub rate_change: f64,
    /// Upper bound of the absolute acceleration in the span.
    pub acceleration: f64,
}

/// A table of values at increasing times.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTable {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Rates at the times of a cubic table; empty if the table is linear.
    slopes: Vec<f64>,
}

impl MotionTable {
    /// Creates a table that is linear between its points.
    ///
    /// # Errors
    /// When it is empty, its columns differ in length, or its times do not increase.
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Self> {
        let advice = "give one row of time and value a line, times increasing";
        if times.is_empty() || times.len() != values.len() {
            let allowed = format!("as many values as times ({}), and at least one", times.len());
            return Err(Error::invalid("rows of the table", values.len(), allowed, advice));
        }
        if times.iter().chain(&values).any(|x| !x.is_finite()) {
            return Err(Error::invalid("table", "NaN or infinite", "finite numbers", advice));
        }
        if let Some(i) = (1..times.len()).find(|&i| times[i] <= times[i - 1]) {
            let allowed = format!("above the time before it, {}", times[i - 1]);
            return Err(Error::invalid("time of the table", times[i], allowed, advice));
        }
        Ok(Self { times, values, slopes: Vec::new() })
    }

    /// Creates a table that is cubic between its points, with a continuous rate that is 0 at both ends.
    ///
    /// # Errors
    /// As for [`MotionTable::new`].
    ///
    /// ```
    /// use carom_world::motion::{Motion, MotionTable};
    /// let lift = Motion::Table(MotionTable::cubic(vec![0.0, 1.0, 2.0], vec![0.0, 0.0, 0.1])?);
    /// assert_eq!(lift.at(0.5).value, 0.0);
    /// assert!((lift.at(1.5).value - 0.05).abs() < 1e-15);
    /// assert_eq!(lift.at(2.0).rate, 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn cubic(times: Vec<f64>, values: Vec<f64>) -> Result<Self> {
        let mut table = Self::new(times, values)?;
        let chord = |i: usize| {
            let span = table.times[i + 1] - table.times[i];
            (span, (table.values[i + 1] - table.values[i]) / span)
        };
        let mut slopes = vec![0.0; table.times.len()];
        for i in 1..slopes.len().saturating_sub(1) {
            let ((before, left), (after, right)) = (chord(i - 1), chord(i));
            // Weighted harmonic mean of the slopes of the two chords; 0 at an extremum.
            if left * right > 0.0 {
                let (one, two) = (2.0 * after + before, after + 2.0 * before);
                slopes[i] = (one + two) / (one / left + two / right);
            }
        }
        table.slopes = slopes;
        Ok(table)
    }

    fn evaluate(&self, time: SidedTime) -> MotionSample {
        let still = |value| MotionSample { value, rate: 0.0, acceleration: 0.0 };
        let (t, side) = (time.time, time.within_piece());
        let after = self.times.partition_point(|&time| time <= side);
        if after == 0 {
            return still(self.values[0]);
        }
        if after == self.times.len() {
            return still(self.values[after - 1]);
        }
        let (start, span) = (self.values[after - 1], self.times[after] - self.times[after - 1]);
        let (since, chord) = (t - self.times[after - 1], (self.values[after] - start) / span);
        let (Some(first), Some(last)) = (self.slopes.get(after - 1), self.slopes.get(after)) else {
            return MotionSample { value: start + chord * since, rate: chord, acceleration: 0.0 };
        };
        // Hermite's cubic polynomial: start + first·s + square·s² + cube·s³.
        let square = (3.0 * chord - 2.0 * first - last) / span;
        let cube = (first + last - 2.0 * chord) / (span * span);
        MotionSample {
            value: start + since * (first + since * (square + since * cube)),
            rate: first + since * (2.0 * square + 3.0 * since * cube),
            acceleration: 2.0 * square + 6.0 * since * cube,
        }
    }
}

/// Accelerations sampled at equal intervals, with their integrals.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerogram {
    interval: f64,
    accelerations: Vec<f64>,
    /// Velocities and displacements at the samples.
    integrals: Vec<(f64, f64)>,
}

impl Accelerogram {
    /// Creates a record from samples (m/s², or rad/s²) at an interval (s).
    ///
    /// # Errors
    /// When there are no samples, or the interval is not positive.
    pub fn new(interval: f64, accelerations: Vec<f64>) -> Result<Self> {
        positive("interval", interval, "give the time between two samples in s")?;
        if accelerations.is_empty() || accelerations.iter().any(|a| !a.is_finite()) {
            let advice = "give accelerations as finite numbers, one after the other";
            let count = accelerations.len();
            return Err(Error::invalid("samples", count, "one or more finite numbers", advice));
        }
        let mut integrals = vec![(0.0, 0.0)];
        let (mut v, mut x) = (0.0, 0.0);
        for pair in accelerations.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            x += v * interval + (2.0 * a + b) * interval * interval / 6.0;
            v += 0.5 * (a + b) * interval;
            integrals.push((v, x));
        }
        Ok(Self { interval, accelerations, integrals })
    }

    fn evaluate(&self, time: SidedTime) -> MotionSample {
        let t = time.time;
        let last = self.accelerations.len() - 1;
        let place = (time.within_piece() / self.interval).max(0.0);
        let i = (place as usize).min(last);
        let (v, x) = self.integrals[i];
        let since = (t - i as f64 * self.interval).max(0.0);
        if i == last {
            return MotionSample { value: x + v * since, rate: v, acceleration: 0.0 };
        }
        let a = self.accelerations[i];
        let slope = (self.accelerations[i + 1] - a) / self.interval;
        MotionSample {
            value: x + since * (v + since * (0.5 * a + since * slope / 6.0)),
            rate: v + since * (a + 0.5 * slope * since),
            acceleration: a + slope * since,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_integrated_exactly() {
        // a = 6t has v = 3t² and x = t³, both at the samples and between them.
        let samples = (0..=10).map(|i| 6.0 * 0.1 * f64::from(i)).collect();
        let ground = Motion::Accelerogram(Accelerogram::new(0.1, samples).unwrap());
        for t in [0.0, 0.05, 0.3, 0.77, 0.999] {
            let at = ground.at(t);
            assert!((at.value - t * t * t).abs() < 1e-14, "{t}");
            assert!(
                (at.rate - 3.0 * t * t).abs() < 1e-14 && (at.acceleration - 6.0 * t).abs() < 1e-13
            );
        }
        let after = ground.at(2.0);
        assert!((after.value - 4.0).abs() < 1e-13 && after.acceleration == 0.0);
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        let sine = Motion::Sine { offset: 1.0, amplitude: 0.5, frequency: 3.0, phase: 0.2 };
        let (times, values) = (vec![0.0, 1.0, 3.0, 4.5], vec![0.0, 2.0, 2.5, -1.0]);
        let table = Motion::Table(MotionTable::new(times.clone(), values.clone()).unwrap());
        let cubic = Motion::Table(MotionTable::cubic(times, values).unwrap());
        for (motion, t) in [(sine, 0.7), (table, 0.7), (cubic.clone(), 0.7), (cubic, 1.9)] {
            let h = 1e-5;
            let (before, now, after) = (motion.at(t - h), motion.at(t), motion.at(t + h));
            assert!(((after.value - before.value) / (2.0 * h) - now.rate).abs() < 1e-8);
            assert!(((after.rate - before.rate) / (2.0 * h) - now.acceleration).abs() < 1e-8);
        }
    }

    #[test]
    fn a_cubic_table_has_a_continuous_rate_and_does_not_overshoot() {
        let (times, values) = (vec![0.5, 1.0, 2.0, 2.2, 4.0], vec![0.0, 0.0, 1.0, 3.0, 2.0]);
        let cubic = Motion::Table(MotionTable::cubic(times.clone(), values.clone()).unwrap());
        let linear = Motion::Table(MotionTable::new(times.clone(), values.clone()).unwrap());
        for (&t, &value) in times.iter().zip(&values) {
            let (before, after) = (cubic.evaluate(SidedTime::before(t)), cubic.at(t));
            assert!((before.rate - after.rate).abs() < 1e-12 && after.value == value, "{t}");
            assert_eq!(cubic.rate_jump_at(t), 0.0);
        }
        assert!((linear.rate_jump_at(2.0) - 9.0).abs() < 1e-12 && linear.rate_jump_at(1.5) == 0.0);
        let mut most = 0.0f64;
        for i in 0..500 {
            let t = 0.01 * f64::from(i);
            let now = cubic.at(t);
            assert!((-1e-15..=3.0 + 1e-15).contains(&now.value), "{t}: {}", now.value);
            most = most.max(now.acceleration.abs());
            if t < 1.0 {
                assert_eq!(now.value, 0.0);
            }
        }
        let steepest = cubic.bounds(2.0, 2.2).acceleration;
        assert!(most <= steepest && most > 0.9 * steepest, "{most} {steepest}");
    }

    #[test]
    fn tables_that_are_not_functions_are_refused() {
        assert!(MotionTable::new(vec![0.0, 0.0], vec![1.0, 2.0]).is_err());
        assert!(
            MotionTable::new(vec![], vec![]).is_err()
                && MotionTable::new(vec![0.0], vec![f64::NAN]).is_err()
        );
        assert!(
            Accelerogram::new(0.0, vec![1.0]).is_err() && Accelerogram::new(1.0, vec![]).is_err()
        );
    }
}
