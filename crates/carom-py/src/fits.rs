//! Fits of laws to measured columns.

use crate::error::{Error, raise};
use crate::interrupt::interruptible;
use crate::questions::{read, write};
use carom::Stop;
use carom::fit::{Data, FitReport, Observation, Options, Record, Window};
use carom::spec::Spec;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Deserialize;

/// Options of a fit, as passed by Python.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct FitOptions {
    free: Vec<String>,
    loss: Option<String>,
    bootstrap: usize,
    seed: u64,
    from: Option<f64>,
    to: Option<f64>,
    impact: Option<usize>,
    touch: Option<f64>,
    reference: Vec<(String, f64)>,
    gravity: bool,
}

impl FitOptions {
    fn options(self) -> PyResult<Options> {
        let loss = self.loss.as_deref().map(str::parse).transpose().map_err(raise)?;
        Ok(Options {
            free: self.free,
            loss: loss.unwrap_or_default(),
            bootstrap: self.bootstrap,
            seed: self.seed,
            window: Window { from: self.from, to: self.to, impact: self.impact },
            touch: self.touch,
            reference: self.reference,
            gravity: self.gravity,
            stop: Stop::default(),
        })
    }
}

/// Columns by name.
type Measured<'py> = Vec<(String, PyReadonlyArray1<'py, f64>)>;

struct Columns<'a>(Vec<(&'a str, &'a [f64])>);

impl<'a> Columns<'a> {
    fn new(measured: &'a Measured<'_>) -> PyResult<Self> {
        let mut columns = Vec::new();
        for (name, column) in measured {
            let column = column
                .as_slice()
                .map_err(|_| PyValueError::new_err(format!("{name} is not contiguous")))?;
            columns.push((name.as_str(), column));
        }
        Ok(Self(columns))
    }

    fn get(&self, name: &str) -> Option<&'a [f64]> {
        self.0.iter().find(|(known, _)| *known == name).map(|&(_, column)| column)
    }

    /// Returns the numbers of whole impacts, row by row.
    fn observations(&self) -> Vec<Observation> {
        let rows = self.0.iter().map(|(_, column)| column.len()).max().unwrap_or(0);
        let at = |name: &str, row: usize| {
            self.get(name)?.get(row).copied().filter(|value| !value.is_nan())
        };
        let row = |row| Observation {
            speed: at("speed", row),
            mass: at("mass", row),
            stiffness: at("stiffness", row),
            requested: at("requested", row),
            restitution: at("restitution", row),
            duration: at("duration", row),
            force_max: at("force_max", row),
            indentation_max: at("indentation_max", row),
        };
        (0..rows).map(row).collect()
    }

    /// Determines the kind of data that the columns contain.
    fn data<'b>(&self, rows: &'b [Observation]) -> PyResult<Data<'b>>
    where
        'a: 'b,
    {
        let [time, force, acceleration, indentation] =
            ["time", "force", "acceleration", "indentation"].map(|name| self.get(name));
        Ok(match (time, force, acceleration, indentation) {
            (Some(time), Some(force), None, None) => Data::ForceTime { time, force },
            (Some(time), None, Some(acceleration), None) => {
                Data::AccelerationTime { time, acceleration }
            }
            (None, Some(force), None, Some(indentation)) => {
                Data::ForceIndentation { indentation, force }
            }
            (None, None, None, None) => Data::Outcomes(rows),
            _ => {
                return Err(Error::new_err(
                    "the measured columns are not one of the kinds that can be fitted: give time and force, time and \
                     acceleration, indentation and force, or outcomes of whole impacts",
                ));
            }
        })
    }
}

/// The report as JSON, and the curve: x, measured and residuals of the points; x and force of the law; the edges of its confidence
/// band, which are empty if no parameter is free.
type Fitted<'py> = (String, Vec<Bound<'py, PyArray1<f64>>>);

fn curve<'py>(py: Python<'py>, fit: &FitReport) -> Vec<Bound<'py, PyArray1<f64>>> {
    let curve = &fit.curve;
    let (x, force): (Vec<f64>, Vec<f64>) = curve.law.iter().copied().unzip();
    let [lower, upper] =
        [&curve.lower, &curve.upper].map(|edge| edge.iter().map(|point| point.1).collect());
    let points = [curve.x.clone(), curve.measured.clone(), curve.residuals.clone()];
    let columns = points.into_iter().chain([x, force, lower, upper]);
    columns.map(|column| PyArray1::from_vec(py, column)).collect()
}

/// Returns the known quantities, the options and the columns of a fit.
fn inputs<'a>(
    spec: &str,
    options: &str,
    measured: &'a Measured<'_>,
) -> PyResult<(Spec, Options, Columns<'a>)> {
    let options = read::<FitOptions>("the fit", options)?.options()?;
    Ok((read("what is known", spec)?, options, Columns::new(measured)?))
}

/// Fits a law.
#[pyfunction]
pub fn fit<'py>(
    py: Python<'py>,
    spec: &str,
    options: &str,
    measured: Measured<'py>,
) -> PyResult<Fitted<'py>> {
    let (spec, options, columns) = inputs(spec, options, &measured)?;
    let rows = columns.observations();
    let data = columns.data(&rows)?;
    let found = interruptible(py, |stop| {
        carom::fit::fit(&data, &spec, &Options { stop: stop.clone(), ..options })
    })?
    .map_err(raise)?;
    Ok((write(&found)?, curve(py, &found)))
}

/// The report as JSON, and the curve of every record.
type FittedTogether<'py> = (String, Vec<Vec<Bound<'py, PyArray1<f64>>>>);

/// Fits one law to several records, each given by its name, its known quantities and its columns; returns a curve for each.
#[pyfunction]
pub fn fit_together<'py>(
    py: Python<'py>,
    records: Vec<(String, String, Measured<'py>)>,
    options: &str,
    shared: Vec<String>,
) -> PyResult<FittedTogether<'py>> {
    let options = read::<FitOptions>("the fit", options)?.options()?;
    let mut columns = Vec::new();
    for (_, _, measured) in &records {
        columns.push(Columns::new(measured)?);
    }
    let rows: Vec<Vec<Observation>> = columns.iter().map(Columns::observations).collect();
    let mut all = Vec::new();
    for ((name, spec, _), (columns, rows)) in records.iter().zip(columns.iter().zip(&rows)) {
        let spec: Spec = read("what is known", spec)?;
        all.push(Record { name: name.clone(), data: columns.data(rows)?, spec });
    }
    let found = interruptible(py, |stop| {
        carom::fit::fit_together(&all, &shared, &Options { stop: stop.clone(), ..options })
    })?
    .map_err(raise)?;
    let curves = found.records.iter().map(|record| curve(py, &record.fit)).collect();
    Ok((write(&found)?, curves))
}

/// Fits many laws and orders them by the evidence; the returned curve is that of the best law.
#[pyfunction]
pub fn rank<'py>(
    py: Python<'py>,
    spec: &str,
    options: &str,
    measured: Measured<'py>,
    laws: Vec<String>,
) -> PyResult<Fitted<'py>> {
    let (spec, options, columns) = inputs(spec, options, &measured)?;
    let rows = columns.observations();
    let data = columns.data(&rows)?;
    let models: Vec<_> = laws
        .iter()
        .map(|law| carom::model(&carom::own_law::name_of(law)?))
        .collect::<Result<_, _>>()
        .map_err(raise)?;
    let found = interruptible(py, |stop| {
        let options = Options { stop: stop.clone(), ..options };
        carom::fit::rank(&data, &spec, &options, &models, &|_| ())
    })?
    .map_err(raise)?;
    let best = found.fits.first().or(found.best.as_ref());
    Ok((write(&found)?, best.map_or_else(Vec::new, |best| curve(py, best))))
}
