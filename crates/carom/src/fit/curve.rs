//! The least-squares problem of a measured curve.
//!
//! **Over time** a residual is F(t − t₀) + offset + drift·(t − t₁) − measured, in N, with t₁ the first point.
//!
//! **Over indentation** the points have no times at which they could be compared, and the force is not a function of
//! the indentation: the loop is round at its tip, where loading and unloading meet with a vertical tangent. A
//! residual is therefore the signed distance of the measured point from the loop, with both axes in units of their
//! largest measured value (orthogonal distance regression: P. T. Boggs, J. R. Donaldson, R. H. Byrd and R. B.
//! Schnabel, ACM Trans. Math. Softw. 15 (1989) 348). Its derivative is the displacement of the loop along its normal
//! at the nearest point; to first order the distance does not change when the nearest point moves along the loop.

use super::least_squares::Problem;
use super::probe;
use super::sensitivity::{self, Samples};
use super::series::Series;
use super::slopes::Variation;
use super::subject::{Role, RowValues, Subject, TrialImpact};
use crate::impact::ContactMotion;
use crate::stop::Stop;

/// Number of points of the force–indentation loop among which the one nearest to a measured point is searched first.
const LOOP_POINTS: usize = 128;

/// A measured curve with the law to be fitted.
pub(super) struct CurveProblem<'a> {
    pub subject: &'a Subject,
    pub series: &'a Series,
    /// Whether the curve is over indentation instead of time.
    pub over_indentation: bool,
    /// Flag that, once raised, makes all parameters invalid, which ends every search soon.
    pub stop: &'a Stop,
}

impl CurveProblem<'_> {
    /// Returns the impact with these parameters, and its motion.
    pub(super) fn simulate(&self, x: &[f64]) -> Option<(TrialImpact, ContactMotion)> {
        self.stop.check().ok()?;
        self.subject.motion(x)
    }

    /// Returns for every measured point the time since touch of the nearest point of the computed loop.
    fn nearest_times(&self, trial: &TrialImpact, motion: &ContactMotion) -> Vec<f64> {
        let (length, force) = self.largest_measured();
        let times: Vec<f64> =
            (0..=LOOP_POINTS).map(|i| motion.end * i as f64 / LOOP_POINTS as f64).collect();
        let points: Vec<_> = times.iter().filter_map(|&t| motion.at(t)).collect();
        let forces = probe::forces(&trial.law, &points);
        let scaled_point = |i: usize| (points[i].delta / length, forces[i] / force);
        let measured = self.series.x.iter().zip(&self.series.force);
        let mut nearest_times: Vec<f64> = measured
            .map(|(x, f)| {
                let (x, f) = (x / length, f / force);
                let square = |i: usize| {
                    let (a, b) = scaled_point(i);
                    (a - x).powi(2) + (b - f).powi(2)
                };
                let least = (0..points.len()).map(square).fold(f64::INFINITY, f64::min);
                // Loading and unloading of an elastic law coincide except for rounding errors: the point on the
                // loading branch is used.
                let nearest = (0..points.len()).find(|&i| square(i) <= least * (1.0 + 1e-6));
                times[nearest.unwrap_or(0)]
            })
            .collect();
        // Newton steps along the tangent lead to the foot of the perpendicular.
        let step = motion.end / LOOP_POINTS as f64;
        for _ in 0..4 {
            let s = sensitivity::samples(motion, &trial.law, &[], &nearest_times);
            for (i, t) in nearest_times.iter_mut().enumerate() {
                let Some(point) = s.points[i] else { continue };
                let (du, dw) = (point.rate / length, s.force_rate[i] / force);
                let (u, w) = (point.delta / length, s.force[i] / force);
                let (u, w) = (u - self.series.x[i] / length, w - self.series.force[i] / force);
                let square = du * du + dw * dw;
                if square > 0.0 {
                    let change = (u * du + w * dw) / square;
                    *t = (*t - change.clamp(-step, step)).clamp(0.0, motion.end);
                }
            }
        }
        nearest_times
    }

    /// Returns the largest measured indentation (m) and force (N).
    pub(super) fn largest_measured(&self) -> (f64, f64) {
        (self.series.span.1, self.series.peak())
    }

    /// Returns the unit normal of the loop at sample `i`, with both axes in units of their largest measured value.
    pub(super) fn loop_normal(&self, s: &Samples, i: usize) -> (f64, f64) {
        let (length, force) = self.largest_measured();
        let rate = s.points[i].map_or(0.0, |point| point.rate);
        let (du, dw) = (rate / length, s.force_rate[i] / force);
        let size = du.hypot(dw).max(f64::MIN_POSITIVE);
        (-dw / size, du / size)
    }

    /// Returns the residuals over indentation, and the points of the loop from which they are measured.
    fn loop_residuals(
        &self,
        trial: &TrialImpact,
        motion: &ContactMotion,
        variations: &[Variation],
    ) -> (Vec<f64>, Samples) {
        let (length, force) = self.largest_measured();
        let nearest_times = self.nearest_times(trial, motion);
        let s = sensitivity::samples(motion, &trial.law, variations, &nearest_times);
        let residual = |i: usize| {
            let (a, b) = self.loop_normal(&s, i);
            let delta = s.points[i].map_or(0.0, |point| point.delta);
            let across = a * (delta - self.series.x[i]) / length
                + b * (s.force[i] - self.series.force[i]) / force;
            force * across
        };
        ((0..nearest_times.len()).map(residual).collect(), s)
    }

    /// Returns the derivatives of the curve at some samples with respect to all fitted parameters, in N: those of the
    /// force over time, or of the distance across the loop over indentation. `indices` are the parameter indices of
    /// the variations, `clock` the times since the first point (s).
    pub(super) fn derivative_columns(
        &self,
        indices: &[usize],
        s: &Samples,
        clock: &[f64],
    ) -> Vec<Vec<f64>> {
        let (length, force) = self.largest_measured();
        let mut columns = vec![vec![0.0; clock.len()]; self.subject.free.len()];
        for (&index, (by_motion, by_force)) in
            indices.iter().zip(s.by_motion.iter().zip(&s.by_force))
        {
            let slope = |i: usize| match self.over_indentation {
                false => by_force[i],
                true => {
                    let (a, b) = self.loop_normal(s, i);
                    force * a * by_motion[i].delta / length + b * by_force[i]
                }
            };
            columns[index] = (0..clock.len()).map(slope).collect();
        }
        let mut set = |role: Role, column: Vec<f64>| {
            if let Some(index) = self.subject.position(&role).filter(|_| !self.over_indentation) {
                columns[index] = column;
            }
        };
        set(Role::Touch, s.force_rate.iter().map(|rate| -rate).collect());
        set(Role::Offset, vec![1.0; clock.len()]);
        set(Role::Drift, clock.to_vec());
        columns
    }

    /// Returns the times since the first point (s).
    fn since_first(&self) -> impl Iterator<Item = f64> + '_ {
        let first = self.series.x.first().copied().unwrap_or(0.0);
        self.series.x.iter().map(move |t| t - first)
    }

    /// Returns the sum of offset and drift of the sensor at each point (N).
    fn sensor_zeros<'a>(&'a self, trial: &'a TrialImpact) -> impl Iterator<Item = f64> + 'a {
        self.since_first().map(|t| trial.sensor.zero(t))
    }
}

impl Problem for CurveProblem<'_> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let (trial, motion) = self.simulate(x)?;
        if self.over_indentation {
            return Some(self.loop_residuals(&trial, &motion, &[]).0);
        }
        let times = self.series.x.iter().map(|t| t - trial.sensor.touch);
        let points: Vec<_> = times.map(|t| motion.at(t)).collect();
        let inside: Vec<_> = points.iter().filter_map(|p| *p).collect();
        let mut forces = probe::forces(&trial.law, &inside).into_iter();
        let measured = points.iter().zip(&self.series.force).zip(self.sensor_zeros(&trial));
        let residual = |((point, y), zero): ((&Option<_>, &f64), f64)| {
            let force = if point.is_some() { forces.next().unwrap_or(0.0) } else { 0.0 };
            force + zero - y
        };
        Some(measured.map(residual).collect())
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let (trial, motion) = self.simulate(x)?;
        let (indices, variations): (Vec<usize>, Vec<Variation>) =
            self.subject.variations(x, RowValues::default()).into_iter().unzip();
        let (residuals, s) = match self.over_indentation {
            true => self.loop_residuals(&trial, &motion, &variations),
            false => {
                let times: Vec<f64> =
                    self.series.x.iter().map(|t| t - trial.sensor.touch).collect();
                let s = sensitivity::samples(&motion, &trial.law, &variations, &times);
                let measured =
                    s.force.iter().zip(&self.series.force).zip(self.sensor_zeros(&trial));
                (measured.map(|((force, y), zero)| force + zero - y).collect(), s)
            }
        };
        let clock: Vec<f64> = self.since_first().collect();
        Some((residuals, self.derivative_columns(&indices, &s, &clock)))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        self.subject.bounds()
    }
}
