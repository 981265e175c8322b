//! Studies: partitions as columns, or as fragments of a file that may be computed on other machines and are joined here.

use crate::error::{Error, keyword, raise};
use crate::interrupt::interruptible;
use crate::memory::room;
use crate::questions::write;
use carom::sweep::sensitivity::{self, Sensitivity};
use carom::sweep::{AnyStudy, Evaluate, SceneStudy, builtin};
use carom_store::{Column, Existing, Format, Fragment, Source, Values, encode, find};
use carom_world::bifurcation::{Bifurcation, Section, Settings};
use carom_world::sweep::SceneCases;
use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// Returns a built-in study as TOML.
#[pyfunction]
pub fn builtin_study(id: &str) -> PyResult<&'static str> {
    Ok(builtin::find(id).map_err(raise)?.text)
}

/// Returns the format that belongs to the ending of a file name.
fn format_of(path: &std::path::Path) -> PyResult<Format> {
    Format::of(path).ok_or_else(|| {
        Error::new_err(format!(
            "out = `{}` is not allowed: out must be a file name that ends in .parquet, .csv or .arrow; \
             write for example out=\"results.parquet\"",
            path.display()
        ))
    })
}

/// Converts the error of a file.
fn file_error(failure: carom_store::Failure) -> PyErr {
    PyOSError::new_err(failure.worded(keyword))
}

/// A plan of any kind: of impacts, of runs of a scene, of Poincaré sections.
trait AnyPlan: Source + Send {
    fn cases(&self) -> u64;
    fn title(&self) -> &str;
    fn error(&self, case: u64) -> Option<carom::Error>;
    /// Returns the number of axes that vary, and the number of results of a case.
    fn row_size(&self) -> (usize, usize);
    fn sensitivity(&self, options: &sensitivity::Options) -> carom::Result<Sensitivity>;
}

impl<E: Evaluate + Send> AnyPlan for carom::sweep::Plan<E> {
    fn cases(&self) -> u64 {
        self.variation().cases()
    }
    fn title(&self) -> &str {
        self.evaluator().title()
    }
    fn error(&self, case: u64) -> Option<carom::Error> {
        carom::sweep::Plan::error(self, case)
    }
    fn row_size(&self) -> (usize, usize) {
        (self.variation().axes().len(), self.evaluator().outputs().len())
    }
    fn sensitivity(&self, options: &sensitivity::Options) -> carom::Result<Sensitivity> {
        sensitivity::analyse(self, options)
    }
}

/// A study, ready to compute.
#[pyclass(frozen, module = "carom._carom")]
pub struct Plan {
    plan: Box<dyn AnyPlan>,
}

/// Returns a function that reads the files that a scene names, from a folder.
pub fn files_in(
    folder: PathBuf,
) -> impl Fn(&str) -> Result<String, String> + Send + Sync + 'static {
    move |name: &str| {
        let bytes = std::fs::read(folder.join(name)).map_err(|why| why.to_string())?;
        carom_world::shape::file_text(bytes)
    }
}

/// Creates the plan of the runs of a study of the scene with this text, whose files are in a folder.
fn scene_cases(study: SceneStudy, text: String, folder: PathBuf) -> PyResult<Plan> {
    let cases = SceneCases::new(study, text, files_in(folder));
    let cases = cases.map_err(|error| Error::new_err(error.to_string()))?;
    Ok(Plan { plan: Box::new(carom::sweep::Plan::new(cases)) })
}

/// Creates a study over axes in short form.
fn study_over(over: &[String], set: Vec<String>, count: Option<u64>) -> PyResult<SceneStudy> {
    let study = SceneStudy::over("the scene", over, count).map_err(raise)?;
    Ok(SceneStudy { set, ..study })
}

#[pymethods]
impl Plan {
    /// Creates a plan from a study as TOML; a scene that it names is searched in `folder`.
    #[new]
    fn new(py: Python<'_>, text: &str, folder: PathBuf) -> PyResult<Self> {
        let study = AnyStudy::from_toml_with(text, &carom::own_law::name_of).map_err(raise)?;
        match study {
            AnyStudy::Impacts(study) => Ok(Self { plan: Box::new(py.detach(|| study.plan())) }),
            AnyStudy::Scene(study) => {
                let path = folder.join(&study.file);
                let text = std::fs::read_to_string(&path).map_err(|why| {
                    let path = path.display();
                    Error::new_err(format!("cannot read `{path}`: {why}; name a scene in TOML"))
                })?;
                let beside = path.parent().map_or(folder.clone(), PathBuf::from);
                scene_cases(*study, text, beside)
            }
        }
    }

    /// Creates the plan of the runs of a scene over keys that vary.
    #[staticmethod]
    fn of_scene(
        text: String,
        folder: PathBuf,
        over: Vec<String>,
        set: Vec<String>,
        outputs: Vec<String>,
        since: f64,
    ) -> PyResult<Self> {
        let study = study_over(&over, set, None)?;
        scene_cases(SceneStudy { outputs, from: since, ..study }, text, folder)
    }

    /// Creates the plan of the Poincaré sections of a scene over a key that varies.
    #[staticmethod]
    #[expect(
        clippy::too_many_arguments,
        reason = "one call from one place in Python, which names them"
    )]
    fn bifurcation(
        text: String,
        folder: PathBuf,
        over: String,
        set: Vec<String>,
        touch: bool,
        joint: Option<String>,
        body: Option<String>,
        turns: usize,
        skip: usize,
        phase: f64,
        period: Option<f64>,
        exponent: bool,
    ) -> PyResult<Self> {
        let study = study_over(&[over], set, Some(200))?;
        let section = if touch { Section::Touch } else { Section::Turn };
        let settings =
            Settings { contact: joint, body, section, period, skip, turns, phase, exponent };
        let made = Bifurcation::new(&study, settings, text, files_in(folder));
        let made = made.map_err(|error| Error::new_err(error.to_string()))?;
        Ok(Self { plan: Box::new(carom::sweep::Plan::new(made)) })
    }

    /// Number of cases.
    #[getter]
    fn cases(&self) -> u64 {
        self.plan.cases()
    }

    /// Number of partitions.
    #[getter]
    fn partitions(&self) -> u64 {
        self.plan.partitions()
    }

    /// Title of the study.
    #[getter]
    fn title(&self) -> &str {
        self.plan.title()
    }

    /// Computes sensitivity indices of the results, as JSON.
    fn sensitivity(
        &self,
        py: Python<'_>,
        samples: u64,
        confidence: f64,
        threads: usize,
    ) -> PyResult<String> {
        let (axes, outputs) = self.plan.row_size();
        // Every result is in memory twice: during the computation, and in its column.
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
            self.plan.sensitivity(&options)
        })?;
        write(&found.map_err(raise)?)
    }

    /// Returns the columns of a partition: name, unit, and an array of numbers, or of indices and a list of texts.
    fn partition<'py>(&self, py: Python<'py>, number: u64) -> Vec<NamedColumn<'py>> {
        let columns = py.detach(|| self.plan.partition(number));
        columns.into_iter().map(|column| named_column(py, column)).collect()
    }

    /// Returns a partition as part of a file: its bytes, the sizes of its parts, and the number of cases of each status.
    fn fragment<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        path: PathBuf,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<u64>, Bound<'py, PyDict>)> {
        let format = format_of(&path)?;
        let (fragment, counts) = py.detach(|| {
            let columns = self.plan.partition(number);
            (encode(&columns, format), status_counts(&columns))
        });
        let status = PyDict::new(py);
        for (word, count) in counts {
            status.set_item(word, count)?;
        }
        Ok((PyBytes::new(py, &fragment.body), fragment.sizes, status))
    }

    /// Returns the reason why a case has no result; `None` if it has one.
    fn error(&self, case: u64) -> Option<String> {
        self.plan.error(case).map(|error| crate::error::sentence(&error))
    }
}

impl Source for Plan {
    fn partitions(&self) -> u64 {
        self.plan.partitions()
    }
    fn partition(&self, number: u64) -> Vec<Column> {
        self.plan.partition(number)
    }
    fn fingerprint(&self) -> String {
        self.plan.fingerprint()
    }
    fn fields(&self) -> Vec<carom_store::Field> {
        self.plan.fields()
    }
}

/// Name, unit, values, and the list of texts of a column of text.
pub type NamedColumn<'py> = (String, String, Bound<'py, PyAny>, Option<Vec<String>>);

/// Converts a column for Python.
pub fn named_column(py: Python<'_>, column: Column) -> NamedColumn<'_> {
    let Column { name, unit, values } = column;
    match values {
        Values::Integer(values) => (name, unit, PyArray1::from_vec(py, values).into_any(), None),
        Values::Real(values) => (name, unit, PyArray1::from_vec(py, values).into_any(), None),
        Values::Text { list, index } => {
            (name, unit, PyArray1::from_vec(py, index).into_any(), Some(list))
        }
    }
}

/// Counts the cases of each status.
fn status_counts(columns: &[Column]) -> Vec<(String, u64)> {
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

/// A file that grows fragment by fragment; `None` if it was complete before.
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
        let sink = py.detach(|| carom_store::Sink::open(plan, &path, format, existing));
        Ok(Self { sink: sink.map_err(file_error)? })
    }

    /// Number of the next fragment; `None` if the file is complete.
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

    /// Ends the file and gives it its final name; returns its size in bytes.
    fn finish(&mut self, py: Python<'_>) -> PyResult<u64> {
        match self.sink.take() {
            Some(sink) => py.detach(|| sink.finish()).map_err(file_error),
            None => Ok(0),
        }
    }
}
