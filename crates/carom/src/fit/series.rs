//! Prepares a measured curve for a fit: sorts it, finds its sign and zero, and selects one impact.
//!
//! - Rows with a missing number are left out and counted; rows out of order are sorted.
//! - The noise is estimated from second differences, to which a smooth curve hardly contributes.
//! - The zero of the signal is the median of the part well before the impact, if there is such a part: it is the
//!   offset of a sensor, or the weight in the reading of an accelerometer.
//! - An impact is an interval in which the signal stays above a twentieth of its peak, and above the noise. If there
//!   are several intervals, the user chooses one; if there is none, this is an error.
//! - If there are more points than a fit needs, groups of points are averaged.

use crate::error::{Error, Result};
use crate::message::{Action, Topic};
use crate::numeric::median::median;
use crate::report::NoteReport;
use serde::Serialize;

/// Largest number of points of a fit: more points make it slower but hardly more accurate.
pub const MAX_POINTS: usize = 2000;
/// Share of the peak force above which a point belongs to an impact.
const IMPACT_THRESHOLD: f64 = 0.05;

/// Kind of measured data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Force over time.
    ForceTime,
    /// Acceleration over time.
    AccelerationTime,
    /// Force over indentation.
    ForceIndentation,
    /// Results of whole impacts.
    Outcomes,
}

/// Part of a record to be fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Window {
    /// Beginning of the part (s).
    pub from: Option<f64>,
    /// End of the part (s).
    pub to: Option<f64>,
    /// Number of the impact if there are several, beginning with 1.
    pub impact: Option<usize>,
}

/// A curve prepared for a fit.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Time (s) or indentation (m), as measured.
    pub x: Vec<f64>,
    /// Force (N), zero before the impact, positive if it is repulsive.
    pub force: Vec<f64>,
    /// Number of measured points averaged into one.
    pub averaged: usize,
    /// Baseline that was subtracted from the signal, in the unit of the signal.
    pub baseline: f64,
    /// Standard deviation of the noise of a single point (N).
    pub noise: f64,
    /// Beginning and end of the selected impact.
    pub span: (f64, f64),
    /// Number of points before and after the impact, from which the zero of the signal can be determined.
    pub at_rest: usize,
}

/// Returns the mean spacing of the points.
pub(super) fn spacing(x: &[f64]) -> f64 {
    match x {
        [first, .., last] => (last - first) / (x.len() - 1) as f64,
        _ => 0.0,
    }
}

impl Series {
    /// Prepares a signal over time; `factor` converts it into a force (the mass, for an acceleration). Its zero is
    /// subtracted if it differs from 0 by five standard errors, or in any case if `always` is set.
    pub(super) fn of_time(
        (time, signal): (&[f64], &[f64]),
        factor: f64,
        always: bool,
        window: Window,
        notes: &mut Vec<NoteReport>,
    ) -> Result<Self> {
        let rows = rows_by_time(time, signal, window, notes)?;
        let mut y: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let noise = noise_deviation(&y);
        let lead = (y.len() / 50).max(5).min(y.len());
        let mut zero = median(&mut y[..lead].to_vec());
        // A spike of a single sample is not an impact.
        let mut smooth: Vec<f64> = median_filter(&y);
        // Value with the largest distance from `zero`, relative to `zero`.
        let farthest = |zero: f64| {
            let sizes = smooth.iter().map(|y| y - zero);
            sizes.fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a })
        };
        // A record that begins during an impact does not show the zero before it.
        if farthest(0.0).abs() > 0.0
            && (zero / farthest(0.0)).abs() > 0.5
            && farthest(zero) * farthest(0.0) < 0.0
        {
            zero = 0.0;
        }
        let peak = farthest(zero);
        if !(peak.abs() > 0.0) || peak.abs() < 6.0 * noise {
            return Err(no_impact_error(peak.abs(), noise));
        }
        if peak < 0.0 {
            y.iter_mut().chain(&mut smooth).for_each(|y| *y = -*y);
            zero = -zero;
            let message = "the signal is negative during the impact: its sign was turned, so that a push is positive";
            notes.push(NoteReport::new("sign_turned", message));
        }
        let x: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let found = find_impacts(&x, &smooth, zero, peak.abs(), noise);
        let chosen = choose_impact(&x, &found, window)?;
        let (first, last) = chosen;
        // The zero is taken well before the impact: earlier by a tenth of its length, and after any previous impact.
        let long = last - first + 1;
        let before = found.iter().filter(|f| f.1 < first).map(|f| f.1 + 1 + (f.1 - f.0) / 3).max();
        let quiet = y.get(before.unwrap_or(0)..first.saturating_sub(long / 10 + 1));
        let mut baseline = 0.0;
        if let Some(quiet) = quiet.filter(|quiet| quiet.len() >= 5) {
            let value = median(&mut quiet.to_vec());
            // Standard error of a median of normally distributed values.
            let error = 1.2533 * noise / (quiet.len() as f64).sqrt();
            let significant = if always { 0.0 } else { 5.0 };
            if value.abs() > significant * error && value.abs() > 1e-6 * peak.abs() {
                baseline = value;
                let share = 100.0 * value / peak.abs();
                // A smaller offset is given in the report without a note.
                if share.abs() >= 0.1 {
                    let message = format!(
                        "the signal stands at {} before the impact ({share:.2} % of its peak); that much was subtracted",
                        crate::units::format(value * factor, "N")
                    );
                    notes.push(NoteReport::new("offset_subtracted", message));
                }
            }
        } else if y[first] > 0.3 * peak.abs() {
            let message = format!(
                "the record begins in mid-impact, at {:.0} % of the peak: the time of touch is extrapolated",
                100.0 * y[first] / peak.abs()
            );
            notes.push(NoteReport::new("begins_late", message));
        }
        let margin = (0.35 * long as f64).ceil() as usize + 2;
        let low = first.saturating_sub(margin).max(before.unwrap_or(0));
        let after = found.iter().filter(|f| f.0 > last).map(|f| f.0).min().unwrap_or(x.len());
        let high = (last + margin + 1).min(after).min(x.len());
        let force: Vec<f64> = y[low..high].iter().map(|y| (y - baseline) * factor).collect();
        Self {
            span: (x[first], x[last]),
            x: x[low..high].to_vec(),
            force,
            averaged: 1,
            baseline: baseline * factor,
            noise: noise * factor,
            // Near its ends an impact is below the threshold but not at rest; the margin is larger at the end,
            // because the force decays more slowly than it rises.
            at_rest: (first - low).saturating_sub(long / 10 + 1)
                + (high - 1 - last).saturating_sub(long / 6 + 1),
        }
        .averaged_to_limit(notes)
    }

    /// Prepares a force over indentation, in the order of loading and unloading.
    pub(super) fn of_indentation(
        indentation: &[f64],
        force: &[f64],
        notes: &mut Vec<NoteReport>,
    ) -> Result<Self> {
        same_length(indentation.len(), force.len())?;
        let rows: Vec<(f64, f64)> =
            indentation.iter().copied().zip(force.iter().copied()).filter(is_finite).collect();
        note_omitted_rows(indentation.len() - rows.len(), notes);
        check_point_count(rows.len())?;
        let (x, y): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
        let deepest = x.iter().copied().fold(0.0, f64::max);
        let peak = y.iter().copied().fold(0.0, f64::max);
        let noise = noise_deviation(&y);
        if !(deepest > 0.0 && peak > 6.0 * noise) {
            return Err(match deepest > 0.0 {
                true => no_impact_error(peak, noise),
                false => Error::invalid(
                    "indentation",
                    format!("{deepest:e} m at most"),
                    "positive in contact",
                    "turn its sign, or subtract the position at which the bodies touch",
                ),
            });
        }
        let span = (0.0, deepest);
        let series = Self { x, force: y, averaged: 1, baseline: 0.0, noise, span, at_rest: 0 };
        series.averaged_to_limit(notes)
    }

    /// Averages groups of neighbouring points until there are at most [`MAX_POINTS`].
    fn averaged_to_limit(mut self, notes: &mut Vec<NoteReport>) -> Result<Self> {
        check_point_count(self.x.len())?;
        let group = self.x.len().div_ceil(MAX_POINTS);
        if group > 1 {
            let mean = |values: &[f64]| -> Vec<f64> {
                values.chunks_exact(group).map(|c| c.iter().sum::<f64>() / group as f64).collect()
            };
            let message = format!(
                "the {} points of the impact were averaged by {group}; more do not sharpen a fit",
                self.x.len()
            );
            notes.push(NoteReport::new("averaged", message));
            (self.x, self.force) = (mean(&self.x), mean(&self.force));
            self.averaged = group;
            self.noise /= (group as f64).sqrt();
        }
        self.at_rest /= group;
        Ok(self)
    }

    /// Returns the largest force (N).
    pub fn peak(&self) -> f64 {
        self.force.iter().copied().fold(0.0, f64::max)
    }

    /// Returns ∫F dt by the trapezoidal rule (N·s).
    pub fn impulse(&self) -> f64 {
        let pairs = self.x.windows(2).zip(self.force.windows(2));
        pairs.map(|(x, f)| 0.5 * (x[1] - x[0]) * (f[0] + f[1])).sum()
    }

    /// Returns the mean time of the force, ∫tF dt/∫F dt (s).
    pub fn centre(&self) -> f64 {
        let pairs = self.x.windows(2).zip(self.force.windows(2));
        let moment: f64 =
            pairs.map(|(x, f)| 0.25 * (x[1] - x[0]) * (f[0] + f[1]) * (x[0] + x[1])).sum();
        moment / self.impulse()
    }
}

fn is_finite(row: &(f64, f64)) -> bool {
    row.0.is_finite() && row.1.is_finite()
}

fn same_length(a: usize, b: usize) -> Result<()> {
    match a == b {
        true => Ok(()),
        false => Err(Error::invalid(
            "columns",
            format!("{a} and {b} rows"),
            "of equal length",
            "give one value a row in both; NaN where one is missing",
        )),
    }
}

fn check_point_count(points: usize) -> Result<()> {
    if points >= 8 {
        return Ok(());
    }
    let advice = sentence!(
        "sample faster, or widen the window of {} and {}; for single numbers see {}",
        Action::give("from"),
        Action::give("to"),
        Action::see(Topic::Identification)
    );
    Err(Error::invalid("points", points, "at least 8 within the impact", advice))
}

fn note_omitted_rows(rows: usize, notes: &mut Vec<NoteReport>) {
    if rows > 0 {
        let (noun, verb) = if rows == 1 { ("row", "was") } else { ("rows", "were") };
        let message = format!("{rows} {noun} without a number in both columns {verb} left out");
        notes.push(NoteReport::new("rows_left_out", message));
    }
}

/// Returns the complete rows within the window, sorted by time.
fn rows_by_time(
    time: &[f64],
    signal: &[f64],
    window: Window,
    notes: &mut Vec<NoteReport>,
) -> Result<Vec<(f64, f64)>> {
    same_length(time.len(), signal.len())?;
    let mut rows: Vec<(f64, f64)> =
        time.iter().copied().zip(signal.iter().copied()).filter(is_finite).collect();
    note_omitted_rows(time.len() - rows.len(), notes);
    if let Some(at) = rows.windows(2).position(|w| w[1].0 < w[0].0) {
        let message =
            format!("the times are not in order (first after row {}); they were sorted", at + 1);
        notes.push(NoteReport::new("sorted", message));
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let (from, to) = (window.from.unwrap_or(f64::NEG_INFINITY), window.to.unwrap_or(f64::INFINITY));
    rows.retain(|row| (from..=to).contains(&row.0));
    check_point_count(rows.len())?;
    match (rows.first(), rows.last()) {
        (Some(first), Some(last)) if last.0 > first.0 => Ok(rows),
        _ => Err(Error::invalid(
            "time",
            "the same in every row",
            "growing",
            "check which column is the time",
        )),
    }
}

/// Returns the values, each replaced by the median of itself and its two neighbours.
fn median_filter(y: &[f64]) -> Vec<f64> {
    let mut out = y.to_vec();
    for (i, w) in y.windows(3).enumerate() {
        out[i + 1] = w[0].min(w[1]).max(w[0].max(w[1]).min(w[2]));
    }
    out
}

/// Returns the standard deviation of the noise, from the median second difference, to which a smooth curve hardly
/// contributes.
fn noise_deviation(y: &[f64]) -> f64 {
    let mut second: Vec<f64> = y.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).collect();
    1.4826 * median(&mut second) / 6f64.sqrt()
}

fn no_impact_error(peak: f64, noise: f64) -> Error {
    Error::invalid(
        "curve",
        format!("{peak:.3e} at most with a scatter of {noise:.1e}"),
        "a curve with an impact in it: a peak well above the noise",
        sentence!(
            "check the columns, or widen the window of {} and {}",
            Action::give("from"),
            Action::give("to")
        ),
    )
}

/// Returns the first and last index of every impact.
fn find_impacts(x: &[f64], y: &[f64], zero: f64, peak: f64, noise: f64) -> Vec<(usize, usize)> {
    let level = zero + (IMPACT_THRESHOLD * peak).max(4.0 * noise).min(0.5 * peak);
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut start = None;
    for i in 0..=y.len() {
        let above = y.get(i).is_some_and(|&y| y > level);
        match (above, start) {
            (true, None) => start = Some(i),
            (false, Some(first)) => {
                found.push((first, i - 1));
                start = None;
            }
            _ => {}
        }
    }
    let span = |f: &(usize, usize)| x[f.1] - x[f.0];
    let longest = found.iter().map(span).fold(0.0, f64::max);
    // Noise near the threshold splits an impact into parts; parts that are close together are merged.
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for f in found {
        match merged.last_mut() {
            Some(last) if x[f.0] - x[last.1] < 0.15 * longest => last.1 = f.1,
            _ => merged.push(f),
        }
    }
    let height = |f: &(usize, usize)| y[f.0..=f.1].iter().copied().fold(0.0, f64::max) - zero;
    merged.retain(|f| height(f) > (0.1 * peak).max(6.0 * noise) && f.1 - f.0 >= 2);
    merged
}

/// Returns the impact to be fitted.
fn choose_impact(x: &[f64], found: &[(usize, usize)], window: Window) -> Result<(usize, usize)> {
    let times = |f: &(usize, usize)| format!("{:.6e} to {:.6e} s", x[f.0], x[f.1]);
    match (found, window.impact) {
        ([], _) => Err(Error::invalid(
            "curve",
            "fewer than 3 points above a twentieth of its peak",
            "a curve with an impact in it",
            "sample faster, or check the columns",
        )),
        ([one], None) => Ok(*one),
        (several, Some(i)) => several.get(i.wrapping_sub(1)).copied().ok_or_else(|| {
            let allowed = format!("between 1 and {}", several.len());
            Error::invalid("impact", i, allowed, "impacts are counted from the first on")
        }),
        (several, None) => {
            let shown: Vec<_> = several.iter().take(5).map(times).collect();
            let more = if several.len() > 5 { ", …" } else { "" };
            let found = format!("{} impacts ({}{more})", several.len(), shown.join(", "));
            let advice = sentence!(
                "choose one with {}, counted from 1, or with {} and {}",
                Action::give_as("impact", "N"),
                Action::give("from"),
                Action::give("to")
            );
            Err(Error::invalid("curve", found, "one impact", advice))
        }
    }
}
