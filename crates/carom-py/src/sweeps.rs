//! Studies: partitions as columns or as fragments of a file, made anywhere, put together here.

use crate::error::{Error, keyword, raise};
use crate::interrupt::interruptible;
use crate::memory::room;
use crate::questions::write;
use carom::sweep::{Study, builtin, sensitivity};
use carom_store::{Column, Existing, Format, Fragment, Values, encode, find};
use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// A study that comes with carom, as TOML.
#[pyfunction]
pub fn builtin_study(id: &str) -> PyResult<&'static str> {
    Ok(builtin::find(id).map_err(raise)?.text)
}

/// Sensitivity indices of the results of a study, as JSON.
#[pyfunction]
pub fn study_sensitivity(
    py: Python<'_>,
    text: &str,
    samples: u64,
    confidence: f64,
    threads: usize,
) -> PyResult<String> {
    let study = Study::from_toml(text).map_err(raise)?;
    let (axes, outputs) = (study.axes().len(), study.outputs().len());
    // Every result is in memory twice: while it is computed, and in its column.
    let numbers = u128::from(samples) * (axes as u128 + 2) * outputs as u128 * 2;
    room(&format!("an analysis of {samples} samples"), numbers * size_of::<f64>() as u128)?;
    let found = interruptible(py, |stop| {
        let options = sensitivity::Options {
            samples,
            confidence,
            threads,
            stop: stop.clone(),
            ..sensitivity::Options::default()
        };
        sensitivity::sensitivity(&study, &options)
    })?;
    write(&found.map_err(raise)?)
}

/// The format that a file name asks for.
fn format_of(path: &std::path::Path) -> PyResult<Format> {
    Format::of(path).ok_or_else(|| {
        Error::new_err(format!(
            "out = `{}` is not allowed: out must be a file name that ends in .parquet, .csv or .arrow; \
             write for example out=\"results.parquet\"",
            path.display()
        ))
    })
}

/// The error of a file.
fn file_error(failure: carom_store::Failure) -> PyErr {
    PyOSError::new_err(failure.worded(keyword))
}

/// A study, ready to compute.
#[pyclass(frozen, module = "carom._carom")]
pub struct Plan {
    plan: carom::sweep::Plan,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let plan = py.detach(|| Ok(Study::from_toml(text)?.plan()));
        Ok(Self { plan: plan.map_err(raise)? })
    }

    /// Number of cases.
    #[getter]
    fn cases(&self) -> u64 {
        self.plan.study().cases()
    }

    /// Number of partitions.
    #[getter]
    fn partitions(&self) -> u64 {
        self.plan.study().partitions()
    }

    /// What the study is about.
    #[getter]
    fn title(&self) -> &str {
        self.plan.study().title()
    }

    /// The columns of a partition: name, unit, and an array of numbers, or of indices and a list of texts.
    fn partition<'py>(&self, py: Python<'py>, number: u64) -> Vec<NamedColumn<'py>> {
        let columns = py.detach(|| self.plan.partition(number));
        columns.into_iter().map(|column| named(py, column)).collect()
    }

    /// A partition as part of a file: its bytes, the sizes of its parts, and the number of cases of each status.
    fn fragment<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        path: PathBuf,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<u64>, Bound<'py, PyDict>)> {
        let format = format_of(&path)?;
        let (fragment, counts) = py.detach(|| {
            let columns = self.plan.partition(number);
            (encode(&columns, format), counts(&columns))
        });
        let status = PyDict::new(py);
        for (word, count) in counts {
            status.set_item(word, count)?;
        }
        Ok((PyBytes::new(py, &fragment.body), fragment.sizes, status))
    }

    /// Why a case has no result; nothing if it has one.
    fn error(&self, case: u64) -> Option<String> {
        self.plan.error(case).map(|error| crate::error::sentence(&error))
    }
}

/// Name, unit, values, and the list of texts of a column of text.
pub type NamedColumn<'py> = (String, String, Bound<'py, PyAny>, Option<Vec<String>>);

/// A column for Python.
pub fn named(py: Python<'_>, column: Column) -> NamedColumn<'_> {
    let Column { name, unit, values } = column;
    match values {
        Values::Integer(values) => (name, unit, PyArray1::from_vec(py, values).into_any(), None),
        Values::Real(values) => (name, unit, PyArray1::from_vec(py, values).into_any(), None),
        Values::Text { list, index } => {
            (name, unit, PyArray1::from_vec(py, index).into_any(), Some(list))
        }
    }
}

/// Number of cases of each status.
fn counts(columns: &[Column]) -> Vec<(String, u64)> {
    let Some(Column { values: Values::Text { list, index }, .. }) = find(columns, "status") else {
        return Vec::new();
    };
    let mut counts = vec![0u64; list.len()];
    for &entry in index {
        if let Some(count) = counts.get_mut(entry as usize) {
            *count += 1;
        }
    }
    list.iter().cloned().zip(counts).filter(|(_, count)| *count > 0).collect()
}

/// A file as it grows, fragment by fragment; `None` where it was complete before.
#[pyclass(module = "carom._carom")]
pub struct Sink {
    sink: Option<carom_store::Sink>,
}

#[pymethods]
impl Sink {
    #[new]
    fn new(
        py: Python<'_>,
        plan: &Plan,
        path: PathBuf,
        overwrite: bool,
        restart: bool,
    ) -> PyResult<Self> {
        let format = format_of(&path)?;
        let existing = Existing { overwrite, restart };
        let sink = py.detach(|| carom_store::Sink::open(&plan.plan, &path, format, existing));
        Ok(Self { sink: sink.map_err(file_error)? })
    }

    /// Number of the fragment that comes next; nothing where the file is complete.
    #[getter]
    fn next(&self) -> Option<u64> {
        self.sink.as_ref().map(carom_store::Sink::next)
    }

    /// Writes the next fragment.
    fn append(&mut self, body: &[u8], sizes: Vec<u64>) -> PyResult<()> {
        match &mut self.sink {
            Some(sink) => sink.append(Fragment { body: body.to_vec(), sizes }).map_err(file_error),
            None => Ok(()),
        }
    }

    /// Ends the file and gives it its name; returns its size in bytes.
    fn finish(&mut self, py: Python<'_>) -> PyResult<u64> {
        match self.sink.take() {
            Some(sink) => py.detach(|| sink.finish()).map_err(file_error),
            None => Ok(0),
        }
    }
}
