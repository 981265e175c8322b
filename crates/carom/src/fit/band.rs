//! The confidence band of a fitted curve, computed by the delta method.
//!
//! With g the derivatives of the curve at one of its points with respect to the fitted parameters, and C the
//! covariance of the parameters, the variance of the curve at this point is gᵀ·C·g. For a curve over time it is the
//! variance of the force at a fixed time. For a curve over indentation, where the force is not a function, it is the
//! variance of the distance across the loop, with both axes in units of their largest measured value (like the
//! residuals, see `fit/curve.rs`). The derivatives are those of the variational equations. The band is that of the
//! fitted law; single measurements also scatter about it by the noise. If a law misses the data, its band does not
//! cover them.

use super::curve::CurveProblem;
use super::sensitivity;
use super::slopes::Variation;
use super::statistics::Uncertainty;
use super::subject::RowValues;

/// Half width of the band in standard errors, for 95 % of a normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Lower and upper edge of the band; each point consists of time (s) or indentation (m), and force (N).
pub(super) type BandEdges = (Vec<(f64, f64)>, Vec<(f64, f64)>);

impl CurveProblem<'_> {
    /// Returns the edges of the band at times since touch, where the curve has the points `law`; `None` if nothing is
    /// free.
    pub(super) fn band(
        &self,
        x: &[f64],
        uncertainty: &Uncertainty,
        times: &[f64],
        law: &[(f64, f64)],
    ) -> Option<BandEdges> {
        let (trial, motion) = self.simulate(x)?;
        let (indices, variations): (Vec<usize>, Vec<Variation>) =
            self.subject.variations(x, RowValues::default()).into_iter().unzip();
        let s = sensitivity::samples(&motion, &trial.law, &variations, times);
        let (length, force) = self.largest_measured();
        let first = self.series.x.first().copied().unwrap_or(0.0);
        let clock: Vec<f64> = times.iter().map(|t| t + trial.sensor.touch - first).collect();
        let slopes = self.derivative_columns(&indices, &s, &clock);
        let half = |i: usize| -> f64 {
            let variance: f64 = uncertainty
                .covariance
                .iter()
                .enumerate()
                .map(|(p, row)| {
                    let across = row.iter().enumerate().map(|(q, c)| c * slopes[q][i]).sum::<f64>();
                    slopes[p][i] * across
                })
                .sum();
            NORMAL_95 * variance.max(0.0).sqrt()
        };
        let edge = |side: f64| -> Vec<(f64, f64)> {
            let moved = |(i, (x, f)): (usize, &(f64, f64))| match self.over_indentation {
                false => (*x, f + side * half(i)),
                true => {
                    let ((a, b), way) = (self.loop_normal(&s, i), side * half(i) / force);
                    (x + a * way * length, f + b * way * force)
                }
            };
            law.iter().enumerate().map(moved).collect()
        };
        let edges = (edge(-1.0), edge(1.0));
        let finite = edges.0.iter().chain(&edges.1).all(|(x, f)| x.is_finite() && f.is_finite());
        (finite && !x.is_empty()).then_some(edges)
    }
}

#[cfg(test)]
mod tests {
    use crate::fit::{Data, FitReport, Options, fit};
    use crate::impact::{Conditions, Trajectory};
    use crate::numeric::normal::quantile;
    use crate::numeric::random::Sequence;
    use crate::spec::Spec;
    use crate::{Damping, Pair, model};

    /// Returns the curve at `x`, interpolated linearly.
    fn at(curve: &[(f64, f64)], x: f64) -> f64 {
        let next = curve.partition_point(|point| point.0 < x).clamp(1, curve.len() - 1);
        let ((a, f), (b, g)) = (curve[next - 1], curve[next]);
        f + (x - a) / (b - a) * (g - f)
    }

    fn measured() -> Trajectory {
        let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
        let law = model("hunt-crossley-1975").unwrap();
        let law = law.law(&pair, Damping::Coefficient(2e10), None, &[]).unwrap();
        Trajectory::new(&law, 0.5, &Conditions::default(), 150).unwrap()
    }

    fn noisy(exact: &[f64], seed: u64, size: f64) -> Vec<f64> {
        let mut random = Sequence::new(seed);
        exact.iter().map(|value| value + size * quantile(random.unit())).collect()
    }

    fn fitted(data: &Data) -> FitReport {
        let spec = Spec {
            law: "hunt-crossley-1975".into(),
            mass: Some(0.54.into()),
            speed: Some(0.5.into()),
            ..Spec::default()
        };
        fit(data, &spec, &Options::default()).unwrap()
    }

    /// Compares the band with the spread of fits to records that differ only by their noise.
    #[test]
    fn the_band_is_as_wide_as_repeated_measurements_spread() {
        let exact = measured();
        let peak = exact.force.iter().copied().fold(0.0, f64::max);
        let times: Vec<f64> = exact.time.iter().map(|t| t + 1e-3).collect();
        const RECORDS: u64 = 60;
        for share in [0.2, 0.5, 0.8] {
            let t = times[0] + share * (times[times.len() - 1] - times[0]);
            let truth =
                at(&times.iter().copied().zip(exact.force.iter().copied()).collect::<Vec<_>>(), t);
            let (mut sum, mut squares, mut half, mut covered) = (0.0, 0.0, 0.0, 0);
            for seed in 0..RECORDS {
                let force = noisy(&exact.force, seed, 0.02 * peak);
                let curve = fitted(&Data::ForceTime { time: &times, force: &force }).curve;
                let (value, low, high) =
                    (at(&curve.law, t), at(&curve.lower, t), at(&curve.upper, t));
                sum += value - truth;
                squares += (value - truth).powi(2);
                half += (high - low) / 2.0;
                covered += u32::from(low <= truth && truth <= high);
            }
            let n = RECORDS as f64;
            let spread = ((squares - sum * sum / n) / (n - 1.0)).sqrt();
            let expected = half / n / super::NORMAL_95;
            assert!((spread / expected - 1.0).abs() < 0.3, "{share}: {spread} and {expected}");
            assert!(covered >= 52, "{share}: {covered} of {RECORDS}");
        }
    }

    /// For a curve over indentation the edges lie on both sides of the loop, and the band is narrower the more points
    /// there are.
    #[test]
    fn the_band_of_a_loop_narrows_with_the_root_of_the_points() {
        let exact = measured();
        let peak = exact.force.iter().copied().fold(0.0, f64::max);
        let width = |every: usize| {
            let pick = |column: &[f64]| column.iter().copied().step_by(every).collect::<Vec<f64>>();
            let (mut total, seeds) = (0.0, 12);
            for seed in 0..seeds {
                let force = noisy(&pick(&exact.force), seed, 0.02 * peak);
                let indentation = pick(&exact.indentation);
                let data = Data::ForceIndentation { indentation: &indentation, force: &force };
                let curve = fitted(&data).curve;
                assert_eq!(curve.lower.len(), curve.law.len());
                let middle = curve.law.len() / 4;
                total += (curve.upper[middle].1 - curve.lower[middle].1).abs();
            }
            total / f64::from(seeds as u32)
        };
        let ratio = width(4) / width(1);
        assert!((ratio - 2.0).abs() < 0.6, "{ratio}");
    }
}
