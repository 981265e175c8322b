//! A measured compression curve as a spring.
//!
//! The columns of indentation and force and their units are found as for fits ([`crate::measured_table`]). Rows up to
//! the largest indentation are the loading branch, rows after it are the unloading branch. Both are made monotone:
//! points at the same indentation are averaged, and where the force decreases with the indentation, neighbouring
//! points are pooled (isotonic regression, which gives the closest non-decreasing curve in the least-squares sense).
//! At most 200 points are kept, each the mean of its neighbours. Between them the curve is a monotone cubic
//! ([`MonotoneCubic`]). Beyond the last point it is continued with its last slope, and the result contains a note
//! about it.
//!
//! With an unloading branch the law dissipates energy without a damper. A curve is measured from one largest
//! indentation only. For another δ_max the unloading branch is assumed to have the same shape, F =
//! F(δ_max)·g(δ/δ_max), with g(s) = F/F_max at s = δ/δ_max of the measured branch. Reloading follows the same curve.

use crate::error::{Error, Result};
use crate::formula::expression::Reading;
use crate::formula::{Expression, MonotoneCubic};
use crate::law::own::variable;
use crate::measured_table::{Role, TableReader};
use crate::scalar::expression::Binary;
use serde::Deserialize;

/// Largest number of points of a branch.
const MAX_POINTS: usize = 200;
/// Decrease of the indentation, as a fraction of its largest value, above which rows count as unloading.
const UNLOADING_SHARE: f64 = 0.02;
/// Largest force at zero indentation, as a fraction of the largest force, that is taken as the zero error of the
/// sensor.
const ZERO_SHARE: f64 = 0.02;

/// Source of the points of a curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum CurveSource {
    /// The name of a CSV file, or its content if there is more than one line.
    File(String),
    /// Points of indentation (m) and force (N).
    Points(Vec<(f64, f64)>),
    /// A CSV file with the names of its columns.
    Columns {
        /// Name of the file.
        file: String,
        /// Name of the column of the indentation.
        indentation: Option<String>,
        /// Name of the column of the force.
        force: Option<String>,
    },
}

/// A measured curve after it has been made monotone.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    loading: Vec<(f64, f64)>,
    /// Values of δ/δ_max and F/F_max in increasing order.
    unloading: Option<Vec<(f64, f64)>>,
    rows: usize,
}

/// A function that reads a file by its name.
type Files<'a> = &'a dyn Fn(&str) -> Result<String>;

/// Reads the curve of a law.
pub(super) fn read_curve(source: &CurveSource, files: Files) -> Result<Measured> {
    let rows = match source {
        CurveSource::Points(points) => points.clone(),
        CurveSource::File(file) => read(file, files, &[])?,
        CurveSource::Columns { file, indentation, force } => {
            let wanted = [(Role::Indentation, indentation), (Role::Force, force)];
            let named =
                wanted.into_iter().filter_map(|(role, name)| Some((Some(role), name.clone()?)));
            read(file, files, &named.collect::<Vec<_>>())?
        }
    };
    Measured::new(&rows)
}

fn read(file: &str, files: Files, wanted: &[(Option<Role>, String)]) -> Result<Vec<(f64, f64)>> {
    let (text, file) = match file.contains('\n') {
        true => (file.to_string(), "given as text"),
        false => (files(file)?, file),
    };
    let in_file = |error: Error| error.at(format!("curve `{file}`"));
    let mut table = TableReader::new(wanted);
    for line in text.lines() {
        table.line(line).map_err(in_file)?;
    }
    let columns = table.finish().map_err(in_file)?;
    let column = |role: Role| {
        columns.column(role).ok_or_else(|| {
            Error::missing(
                role.name(),
                format!(
                    "the curve `{file}` needs columns of indentation and force; name them with \
                         `curve = {{ file = \"{file}\", indentation = \"…\", force = \"…\" }}`"
                ),
            )
        })
    };
    let rows = column(Role::Indentation)?.iter().zip(column(Role::Force)?);
    Ok(rows.map(|(x, y)| (*x, *y)).filter(|(x, y)| x.is_finite() && y.is_finite()).collect())
}

impl Measured {
    /// Creates the curve from rows (indentation, force) in the order of measurement.
    ///
    /// # Errors
    /// When there are too few rows, or when the force does not increase from 0.
    pub fn new(rows: &[(f64, f64)]) -> Result<Self> {
        let refused = |value: String, advice: &str| {
            Err(Error::invalid(
                "curve",
                value,
                "a force that rises from 0 with the indentation",
                advice,
            ))
        };
        if rows.iter().any(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return refused("a number that is not finite".to_string(), "remove such points");
        }
        let Some((turn, end)) =
            rows.iter().map(|row| row.0).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
        else {
            return refused("no points".to_string(), "give at least two");
        };
        let (up, down) = rows.split_at(turn + 1);
        let loading = monotone_branch(up.iter().copied().filter(|row| row.0 >= 0.0).collect());
        let top = loading.last().map_or(0.0, |point| point.1);
        if loading.len() < 2 || !(top > 0.0) || !(end > 0.0) {
            let advice = "give the indentation as positive in contact and the force as positive in compression, from first touch on";
            return refused(format!("{} points up to {top} N at {end} m", loading.len()), advice);
        }
        let Some(loading) = through_origin(loading, top) else {
            let advice = "subtract the zero of the sensor, and begin at first touch";
            return refused("a force at zero indentation".to_string(), advice);
        };
        let low = down.iter().map(|row| row.0).fold(end, f64::min);
        let unloading = (end - low > UNLOADING_SHARE * end && down.len() > 1).then(|| {
            let shares = down.iter().filter(|row| row.0 >= 0.0).map(|(x, y)| (x / end, y / top));
            unloading_branch(monotone_branch(shares.collect()))
        });
        Ok(Self { loading, unloading, rows: rows.len() })
    }

    /// Returns the largest indentation (m).
    pub fn end(&self) -> f64 {
        self.loading.last().map_or(0.0, |point| point.0)
    }

    /// Returns a description of the curve for use within a sentence.
    pub(super) fn description(&self) -> String {
        let branches = if self.unloading.is_some() { "loading and unloading" } else { "loading" };
        format!("a measured curve of {} rows ({branches}) up to {} m", self.rows, self.end())
    }

    /// Returns the loading branch as a formula of δ.
    pub(super) fn spring(&self) -> Expression {
        table(&self.loading, Expression::Variable(variable::DELTA))
    }

    /// Returns the unloading branch F(δ_max)·g(δ/δ_max).
    pub(super) fn unloading(&self) -> Option<Expression> {
        let share = Expression::binary(
            Binary::Divide,
            Expression::Variable(variable::DELTA),
            Expression::Variable(variable::PEAK),
        );
        let shape = table(self.unloading.as_ref()?, share);
        Some(Expression::binary(
            Binary::Multiply,
            Expression::Variable(variable::PEAK_FORCE),
            shape,
        ))
    }
}

/// Returns the monotone cubic through the points as a formula of its argument.
fn table(points: &[(f64, f64)], argument: Expression) -> Expression {
    match MonotoneCubic::new(points) {
        Some(table) => {
            Expression::Curve(Box::leak(Box::new(table)), Reading::Value, Box::new(argument))
        }
        None => Expression::Number(f64::NAN),
    }
}

/// Returns at most [`MAX_POINTS`] points with increasing x and non-decreasing y.
fn monotone_branch(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Mean x, mean y and number of points of each group; initially one group for each distinct x.
    let mut groups: Vec<(f64, f64, f64)> = Vec::new();
    for (x, y) in points {
        match groups.last_mut() {
            Some((last, mean, count)) if *last == x => {
                *mean = (*mean * *count + y) / (*count + 1.0);
                *count += 1.0;
            }
            _ => groups.push((x, y, 1.0)),
        }
    }
    // If there are too many groups, neighbours are averaged. The first and the last one are kept, as they are the
    // ends of the curve.
    if groups.len() > MAX_POINTS {
        let (first, last) = (groups.first().copied(), groups.last().copied());
        let inner = groups.get(1..groups.len() - 1).unwrap_or_default();
        let size = inner.len().div_ceil(MAX_POINTS - 2);
        let merged = inner.chunks(size).map(|part| {
            let count: f64 = part.iter().map(|it| it.2).sum();
            let mean = |of: fn(&(f64, f64, f64)) -> f64| {
                part.iter().map(|it| of(it) * it.2).sum::<f64>() / count
            };
            (mean(|it| it.0), mean(|it| it.1), count)
        });
        groups = first.into_iter().chain(merged).chain(last).collect();
    }
    // Pool adjacent violators algorithm; each block is (sum of y, weight, number of groups).
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (_, y, count) in &groups {
        let mut block = (y * count, *count, 1);
        while let Some(last) = blocks.last().filter(|last| last.0 / last.1 >= block.0 / block.1) {
            block = (last.0 + block.0, last.1 + block.1, last.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let levels =
        blocks.iter().flat_map(|(sum, weight, length)| std::iter::repeat_n(sum / weight, *length));
    groups.iter().zip(levels).map(|((x, ..), y)| (*x, y)).collect()
}

/// Returns the branch with (0, 0) as its first point, or `None` if the force there is too large for a zero error of
/// the sensor.
fn through_origin(mut points: Vec<(f64, f64)>, top: f64) -> Option<Vec<(f64, f64)>> {
    let (x, y) = points.first().copied()?;
    if x == 0.0 && y.abs() > ZERO_SHARE * top {
        return None;
    }
    points.retain(|point| point.0 > 0.0 && point.1 > 0.0);
    points.insert(0, (0.0, 0.0));
    (points.len() > 1).then_some(points)
}

/// Returns g(s) from its last zero to (1, 1), preceded by (0, 0) if that zero is at s > 0.
fn unloading_branch(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let zero = points.iter().rev().find(|point| point.1 <= 0.0).map(|point| point.0);
    points.retain(|point| point.1 > 0.0 && point.1 < 1.0 && point.0 < 1.0);
    // Without a point at zero force the branch is extrapolated to zero force along its first chord.
    let end = zero.unwrap_or_else(|| match points.as_slice() {
        [(x0, y0), (x1, y1), ..] if y1 > y0 => (x0 - y0 * (x1 - x0) / (y1 - y0)).max(0.0),
        _ => 0.0,
    });
    points.retain(|point| point.0 > end);
    points.insert(0, (end, 0.0));
    if end > 0.0 {
        points.insert(0, (0.0, 0.0));
    }
    points.push((1.0, 1.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noisy_curve_becomes_monotone_and_keeps_its_ends() {
        let noise = |i: i32| 0.02 * f64::from((i * 7919) % 101 - 50) / 50.0;
        let rows: Vec<(f64, f64)> = (0..=5000)
            .map(|i| {
                (
                    f64::from(i) * 1e-6,
                    (f64::from(i) / 5000.0).powf(1.5) + noise(i) * f64::from(i.min(100)) / 100.0,
                )
            })
            .collect();
        let curve = Measured::new(&rows).unwrap();
        assert!(curve.loading.len() <= MAX_POINTS && curve.unloading.is_none());
        assert!(curve.loading.windows(2).all(|it| it[0].0 < it[1].0 && it[0].1 <= it[1].1));
        assert_eq!((curve.loading[0], curve.end()), ((0.0, 0.0), 5e-3));
        for (x, y) in &curve.loading {
            assert!((y - (x / 5e-3).powf(1.5)).abs() < 0.02, "{x} {y}");
        }
    }

    #[test]
    fn rows_after_the_deepest_are_the_unloading_branch() {
        let up = (0..=50).map(|i| f64::from(i) / 50.0).map(|s| (1e-3 * s, 100.0 * s));
        let down = (0..=50)
            .rev()
            .map(|i| f64::from(i) / 50.0)
            .map(|s| (1e-3 * (0.5 + 0.5 * s), 100.0 * s));
        let curve = Measured::new(&up.chain(down).collect::<Vec<_>>()).unwrap();
        let branch = curve.unloading.as_ref().unwrap();
        assert_eq!(
            (branch[0], branch[1], *branch.last().unwrap()),
            ((0.0, 0.0), (0.5, 0.0), (1.0, 1.0))
        );
    }

    #[test]
    fn what_is_no_compression_curve_is_refused() {
        for (rows, words) in [
            (vec![], "no points"),
            (vec![(0.0, 0.0)], "points"),
            (vec![(0.0, 0.0), (-1e-3, 5.0)], "positive in contact"),
            (vec![(0.0, 0.0), (1e-3, -5.0)], "positive"),
            (vec![(0.0, 3.0), (1e-3, 5.0)], "zero of the sensor"),
            (vec![(0.0, 0.0), (f64::NAN, 5.0)], "finite"),
        ] {
            let error = Measured::new(&rows).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
