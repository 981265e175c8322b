//! Impacts from a track: positions over time, as written by programs that track a ball in a film.
//!
//! The lowest points divide the track into free flights. All flights are fitted together by parabolas
//! y = a + b·t − ½·G·t² with a common acceleration G, which is free: its value shows whether scale and frame rate are
//! right, and neither restitution nor the ratio of speeds depends on it. An impact is where two parabolas intersect. During a
//! time of contact τ the ball stays on the ground, and the parabolas intersect below it; speeds are then smaller by
//! G·τ·u/(u+v) and G·τ·v/(u+v).

use super::propagate::{Uncertain, propagate};
use crate::numeric::linear::Triangle;
use crate::numeric::median::median;

/// Smallest number of points of a flight.
const MIN_POINTS: usize = 4;

/// Results of the fit of a track.
#[derive(Clone, Debug)]
pub struct TrackFit {
    /// Instants of the impacts (s).
    pub times: Vec<f64>,
    /// Speeds before the impacts, followed by the restitutions.
    pub results: Vec<f64>,
    /// Covariance of `results`.
    pub covariance: Vec<Vec<f64>>,
    /// Acceleration G of the flights (m/s²).
    pub acceleration: Uncertain,
    /// Root mean square of the residuals (m).
    pub scatter: f64,
    /// Number of points that were used.
    pub points: usize,
    /// Number of points that were left out because they lie far from their flight.
    pub outliers: usize,
}

/// Fits the flights of a track; returns `None` if fewer than two flights are found.
pub fn fit_track(time: &[f64], position: &[f64], contact: Uncertain) -> Option<TrackFit> {
    let mut points: Vec<(f64, f64)> = time.iter().copied().zip(position.iter().copied()).collect();
    points.retain(|(t, y)| t.is_finite() && y.is_finite());
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by(|a, b| a.0 == b.0);
    if points.len() < 2 * MIN_POINTS {
        return None;
    }
    // Rows of an image are counted downwards.
    if curvature(&points)? > 0.0 {
        points.iter_mut().for_each(|point| point.1 = -point.1);
    }
    let mut flights = flights(&points);
    if flights.len() < 2 {
        return None;
    }
    let mut outliers = 0;
    let mut fit = Parabolas::fit(&flights)?;
    for _ in 0..3 {
        let far = 4.0 * fit.robust_scatter(&flights);
        let before: usize = flights.iter().map(Vec::len).sum();
        for (i, flight) in flights.iter_mut().enumerate() {
            let kept: Vec<_> =
                flight.iter().copied().filter(|p| fit.residual(i, *p).abs() <= far).collect();
            if kept.len() >= MIN_POINTS {
                *flight = kept;
            }
        }
        let after: usize = flights.iter().map(Vec::len).sum();
        outliers += before - after;
        if after == before {
            break;
        }
        fit = Parabolas::fit(&flights)?;
    }
    Some(fit.impacts(&flights, contact, outliers))
}

/// Returns the median second difference with a lag of 0.04 s, which is negative if heights are counted upwards.
fn curvature(points: &[(f64, f64)]) -> Option<f64> {
    let span = points.last()?.0 - points.first()?.0;
    let step = span / (points.len() - 1) as f64;
    let lag = ((0.04 / step).round() as usize).clamp(1, points.len() / 4);
    let second = |i: usize| points[i + 2 * lag].1 - 2.0 * points[i + lag].1 + points[i].1;
    let mut all: Vec<f64> = (0..points.len() - 2 * lag).map(second).collect();
    Some(median(&mut all))
}

/// Returns the points of each flight without those next to an impact.
fn flights(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let y: Vec<f64> = points.iter().map(|p| p.1).collect();
    let mut sorted = y.clone();
    sorted.sort_by(f64::total_cmp);
    let quantile = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let range = quantile(0.99) - quantile(0.01);
    let mut rough: Vec<f64> = y.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).collect();
    let noise = median(&mut rough) / (0.6745 * 6.0_f64.sqrt());
    let swing = (0.02 * range).max(6.0 * noise);
    // Single outliers would look like impacts; a running median of three points removes them.
    let middle = |i: usize| match (i.checked_sub(1).map(|before| y[before]), y.get(i + 1)) {
        (Some(a), Some(b)) => a.max(*b).min(a.min(*b).max(y[i])),
        _ => y[i],
    };
    let smooth: Vec<f64> = (0..y.len()).map(middle).collect();
    let (mut minima, last_top) = lowest_points(&smooth, swing);
    for index in &mut minima {
        let near = index.saturating_sub(1)..(*index + 3).min(y.len());
        *index = near.min_by(|&a, &b| y[a].total_cmp(&y[b])).unwrap_or(*index);
    }
    let mut found = Vec::new();
    let Some((&first, &last)) = minima.first().zip(minima.last()) else { return found };
    // The flight before the first impact begins where the ball has left the hand.
    let top = (0..first).max_by(|&a, &b| smooth[a].total_cmp(&smooth[b])).unwrap_or(0);
    let released = (top..first).rev().take_while(|&i| smooth[i] < smooth[top] - 0.5 * swing).last();
    let mut spans = vec![(released.unwrap_or(first), first)];
    spans.extend(minima.windows(2).map(|w| (w[0] + 1, w[1])));
    // The flight after the last impact ends when the ball comes down again.
    if last_top > last {
        let back = (last_top..y.len()).find(|&i| smooth[i] < y[last] + swing).unwrap_or(y.len());
        spans.push((last + 1, back));
    }
    for (mut from, mut to) in spans {
        // The points next to an impact may belong to the contact and are left out.
        if to.saturating_sub(from) >= 2 * MIN_POINTS {
            (from, to) = (from + 1, to - 1);
        }
        found.push(points[from.min(to)..to].to_vec());
    }
    // Flights with too few points for a parabola are dropped at the beginning of the record; later the first of them
    // ends the sequence.
    let enough = |flight: &Vec<(f64, f64)>| flight.len() >= MIN_POINTS;
    let start = found.iter().position(enough).unwrap_or(found.len());
    found.into_iter().skip(start).take_while(enough).collect()
}

/// Returns the places where the track has come down by `swing` and rises by as much again, and the last highest
/// place.
fn lowest_points(y: &[f64], swing: f64) -> (Vec<usize>, usize) {
    let (mut minima, mut low, mut high, mut falling) = (Vec::new(), 0, 0, true);
    let mut fallen = false;
    for i in 0..y.len() {
        if falling {
            if y[i] < y[low] {
                low = i;
                fallen |= y[low] < y[high] - swing;
            }
            if y[i] > y[low] + swing {
                if fallen {
                    minima.push(low);
                }
                (falling, high) = (false, i);
            } else if !fallen && y[i] > y[high] {
                (high, low) = (i, i);
            }
        } else {
            if y[i] > y[high] {
                high = i;
            }
            if y[i] < y[high] - swing {
                (falling, low, fallen) = (true, i, true);
            }
        }
    }
    (minima, high)
}

/// Parabolas with a common acceleration.
struct Parabolas {
    /// Mean instant of each flight (s).
    centres: Vec<f64>,
    /// The acceleration G, followed by a and b of each flight.
    parameters: Vec<f64>,
    /// Triangle R of the factorisation JᵀJ = RᵀR.
    triangle: Triangle,
}

impl Parabolas {
    fn fit(flights: &[Vec<(f64, f64)>]) -> Option<Self> {
        let mean = |f: &Vec<(f64, f64)>| f.iter().map(|p| p.0).sum::<f64>() / f.len() as f64;
        let centres: Vec<f64> = flights.iter().map(mean).collect();
        let count: usize = flights.iter().map(Vec::len).sum();
        let unknowns = 1 + 2 * flights.len();
        if count <= unknowns {
            return None;
        }
        let mut columns = vec![vec![0.0; count]; unknowns];
        let (mut right, mut row) = (Vec::with_capacity(count), 0);
        for (i, flight) in flights.iter().enumerate() {
            for (t, y) in flight {
                let t = t - centres[i];
                columns[0][row] = -0.5 * t * t;
                columns[1 + 2 * i][row] = 1.0;
                columns[2 + 2 * i][row] = t;
                right.push(-y);
                row += 1;
            }
        }
        let triangle = Triangle::reduce(columns, right);
        let parameters = triangle.minimum();
        Some(Self { centres, parameters, triangle })
    }

    fn residual(&self, i: usize, (t, y): (f64, f64)) -> f64 {
        let t = t - self.centres[i];
        let p = &self.parameters;
        y - (p[1 + 2 * i] + p[2 + 2 * i] * t - 0.5 * p[0] * t * t)
    }

    fn residuals(&self, flights: &[Vec<(f64, f64)>]) -> Vec<f64> {
        let residuals_of = |(i, flight): (usize, &Vec<(f64, f64)>)| -> Vec<f64> {
            flight.iter().map(|point| self.residual(i, *point)).collect()
        };
        flights.iter().enumerate().flat_map(residuals_of).collect()
    }

    /// Returns the standard deviation from the median of the residuals, which is insensitive to outliers.
    fn robust_scatter(&self, flights: &[Vec<(f64, f64)>]) -> f64 {
        let mut all: Vec<f64> = self.residuals(flights).iter().map(|r| r.abs()).collect();
        let scale = self.parameters.iter().skip(1).step_by(2).fold(0.0, |a: f64, b| a.max(b.abs()));
        (median(&mut all) / 0.6745).max(1e-9 * scale)
    }

    fn impacts(
        &self,
        flights: &[Vec<(f64, f64)>],
        contact: Uncertain,
        outliers: usize,
    ) -> TrackFit {
        let residuals = self.residuals(flights);
        let (count, unknowns) = (residuals.len(), self.parameters.len());
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        let products: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
        // The errors of tracking programs are correlated from frame to frame; neighbouring points then contain less
        // information than independent ones.
        let correlation = (products / squares.max(f64::MIN_POSITIVE)).clamp(0.0, 0.9);
        let inflation = (1.0 + correlation) / (1.0 - correlation);
        let scatter = (inflation * squares / (count - unknowns) as f64).sqrt();
        // Parameters are the best fit plus R⁻¹·z, with independent z of this standard deviation.
        let mut inputs = vec![Uncertain::new(0.0, scatter); unknowns];
        inputs.push(contact);
        let results = |z: &[f64]| self.results(z);
        let (all, covariance) = propagate(&inputs, results);
        let impacts = self.centres.len() - 1;
        // The last of the results is G.
        let wanted = 2 * impacts;
        let acceleration = Uncertain::new(all[wanted], covariance[wanted][wanted].sqrt());
        let absolute = self.in_record_time(&self.parameters);
        let times = absolute.windows(2).map(|w| (w[0].0 - w[1].0) / (w[1].1 - w[0].1)).collect();
        let covariance = covariance[..wanted].iter().map(|row| row[..wanted].to_vec()).collect();
        TrackFit {
            times,
            results: all[..wanted].to_vec(),
            covariance,
            acceleration,
            scatter: (squares / (count - unknowns) as f64).sqrt(),
            points: count,
            outliers,
        }
    }

    /// Returns the speeds before the impacts, the restitutions and G for a deviation z of the parameters and a time
    /// of contact.
    fn results(&self, z: &[f64]) -> Vec<f64> {
        let n = self.parameters.len();
        let mut p = self.parameters.clone();
        let mut shift = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| self.triangle.rows[i][j] * shift[j]).sum();
            shift[i] = (z[i] - known) / self.triangle.rows[i][i];
            p[i] += shift[i];
        }
        let (g, contact) = (p[0], z[n]);
        let mut speeds = Vec::new();
        let mut restitutions = Vec::new();
        for w in self.in_record_time(&p).windows(2) {
            let t = (w[0].0 - w[1].0) / (w[1].1 - w[0].1);
            let (before, after) = (g * t - w[0].1, w[1].1 - g * t);
            let v = before - g * contact * after / (before + after);
            let u = after - g * contact * before / (before + after);
            speeds.push(v);
            restitutions.push(u / v);
        }
        speeds.into_iter().chain(restitutions).chain([g]).collect()
    }

    /// Returns α and β of y = α + β·t − ½·G·t² for the time axis of the track.
    fn in_record_time(&self, p: &[f64]) -> Vec<(f64, f64)> {
        let one = |(i, c): (usize, &f64)| {
            let (a, b) = (p[1 + 2 * i], p[2 + 2 * i]);
            (a - b * c - 0.5 * p[0] * c * c, b + p[0] * c)
        };
        self.centres.iter().enumerate().map(one).collect()
    }
}
