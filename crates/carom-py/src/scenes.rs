//! Runs of scenes, with tables as columns or written to a folder as by `carom simulate`.

use crate::command::watch as watch_python;
use crate::error::{Error, keyword, raise};
use crate::questions::{read, write};
use crate::sweeps::{NamedColumn, files_in, named_column};
use carom_store::folder::{self, Limits, Options, RunFolder, Start};
use carom_store::{Column, Failure, Format, Simulation, collect};
use carom_world::Scene;
use carom_world::grains::GranularScene;
use carom_world::measure::Reading;
use carom_world::record::{BodySimulation, Controller, GrainSimulation, SceneSource};
use carom_world::regimes::{LawStudy, LawStudyError};
use carom_world::scene::Change;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Number of steps between two checks for signals and calls of `progress`.
const STEPS_PER_CHECK: u64 = 64;

/// Largest number of rows of a table in memory.
const ROW_LIMIT: f64 = 3e7;

/// Refuses tables that are too long for the memory.
fn check_size(request: &Request, rows: f64) -> PyResult<()> {
    if request.out.is_some() || rows <= ROW_LIMIT {
        return Ok(());
    }
    let (found, allowed) =
        (format!("{rows:.3e} rows of a table"), format!("at most {ROW_LIMIT:e} in memory"));
    let advice = "take a longer `sample` or `snapshot`, or name a folder with out=";
    Err(raise(carom::Error::invalid("sample", found, allowed, advice)))
}

/// Name of a table and its columns.
type NamedTable<'py> = (&'static str, Vec<NamedColumn<'py>>);

/// All tables of a run.
type Tables = Vec<(&'static str, Vec<Column>)>;

/// Options of a run: where results are stored, and the function that receives the progress.
struct Request {
    out: Option<PathBuf>,
    options: Options,
    threads: usize,
    progress: Option<Py<PyAny>>,
}

/// Runs a scene; returns the summary as JSON, and the tables if no folder was named.
#[pyfunction]
#[pyo3(signature = (text, set, files, out, format, resume, overwrite, threads, progress, controller))]
#[expect(
    clippy::too_many_arguments,
    reason = "one call from one place in Python, which names them"
)]
pub fn simulate<'py>(
    py: Python<'py>,
    text: &str,
    set: Vec<String>,
    files: PathBuf,
    out: Option<PathBuf>,
    format: Option<&str>,
    resume: bool,
    overwrite: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
    controller: Option<Py<PyAny>>,
) -> PyResult<(String, Option<Vec<NamedTable<'py>>>)> {
    // Files that the scene names are stored with its results.
    let (kept, load) = (RefCell::new(BTreeMap::new()), files_in(files));
    let read = |name: &str| {
        let text = load(name)?;
        kept.borrow_mut().insert(name.to_string(), text.clone());
        Ok(text)
    };
    // A run that is extended keeps the intervals with which it began.
    let source = SceneSource { scene: text.to_string(), set, ..SceneSource::default() };
    let source = match (&out, resume) {
        (Some(out), true) => source.continuing(folder::description(out).map_err(folder_error)?),
        _ => source,
    };
    let changes = source.set.iter().map(|text| text.parse::<Change>());
    let changes = changes.collect::<Result<Vec<_>, _>>().map_err(raise)?;
    let source = || SceneSource { files: kept.take(), ..source.clone() };
    let wrong = |error: carom_world::SceneError| Error::new_err(error.to_string());
    let options = |default: Option<&'static str>| -> PyResult<Options> {
        let default = if resume { None } else { default };
        let format = format.or(default).map(|name| {
            Format::of(Path::new(&format!("table.{name}"))).ok_or_else(|| {
                let known = carom_world::scene::Output::FORMATS;
                let otherwise = format!("use one of {}", known.join(", "));
                raise(carom::Error::unknown("format", name, known, &otherwise))
            })
        });
        Ok(Options { format: format.transpose()?, resume, overwrite })
    };
    if GranularScene::recognizes(text) {
        if controller.is_some() {
            let advice = "leave it out: only scenes of bodies have motors";
            return Err(raise(carom::Error::unsupported("a controller of grains", advice)));
        }
        let scene = GranularScene::parse_with(text, &read, &changes).map_err(wrong)?;
        let request = Request { out, options: options(scene.format)?, threads, progress };
        check_size(&request, scene.rows())?;
        let source = source();
        let mut start = inspect(&request, &source)?;
        let run = match start.as_mut().and_then(|start| start.checkpoint.take()) {
            Some(checkpoint) => GrainSimulation::resume(&scene, &checkpoint).map_err(raise)?,
            None => GrainSimulation::new(&scene),
        };
        let mut run = run.on_threads(request.threads).map_err(raise)?;
        return run_to_end(py, &source, &mut run, start.as_ref(), &request);
    }
    let scene = Scene::parse_with(text, &read, &changes).map_err(wrong)?;
    let request = Request { out, options: options(scene.output.format)?, threads, progress };
    check_size(&request, scene.rows())?;
    let source = source();
    let mut start = inspect(&request, &source)?;
    let mut run = match start.as_mut().and_then(|start| start.checkpoint.take()) {
        Some(checkpoint) => BodySimulation::resume(&scene, checkpoint).map_err(raise)?,
        None => BodySimulation::new(&scene).map_err(raise)?,
    };
    let raised = RaisedException::default();
    if let Some(controller) = controller {
        run = run.controlled(python_controller(controller, &raised)).map_err(raise)?;
    }
    let result = run_to_end(py, &source, &mut run, start.as_ref(), &request);
    let raised = raised.lock().ok().and_then(|mut raised| raised.take());
    let Some(raised) = raised else { return result };
    if let (Some(out), true) = (&request.out, run.time() > 0.0) {
        let note = format!(
            "the run in `{}` stopped at t = {} s and is kept up to there; go on with resume=True and a controller that answers",
            out.display(),
            run.time()
        );
        // Exceptions can have notes from Python 3.11 on.
        let _ = raised.value(py).call_method1("add_note", (note,));
    }
    Err(raised)
}

/// Exception that a controller in Python raised.
type RaisedException = Arc<Mutex<Option<PyErr>>>;

/// Returns a controller that calls a Python function: f(time, {sensor: number or (x, y, z)}) returns {motor: number}, or None to
/// leave the motors unchanged.
fn python_controller(function: Py<PyAny>, raised: &RaisedException) -> Controller<'static> {
    let raised = Arc::clone(raised);
    Box::new(move |time, readings| {
        let answer = Python::attach(|py| -> PyResult<Vec<(String, f64)>> {
            let sensors = PyDict::new(py);
            for (name, reading) in readings {
                match reading {
                    Reading::Number(number) => sensors.set_item(name, *number)?,
                    Reading::Vector(vector) => {
                        sensors.set_item(name, (vector.x, vector.y, vector.z))?;
                    }
                }
            }
            let answer = function.bind(py).call1((time, sensors))?;
            if answer.is_none() {
                return Ok(Vec::new());
            }
            let efforts: PyResult<BTreeMap<String, f64>> = answer.extract();
            let efforts = efforts.map_err(|_| match answer.repr() {
                Ok(found) => Error::new_err(format!(
                    "the controller returned {found}: it must return a torque (N m) or force (N) for each motor, as in {{\"shoulder\": 1.5}}, or None"
                )),
                Err(error) => error,
            })?;
            Ok(efforts.into_iter().collect())
        });
        answer.map_err(|error| {
            let message = error.to_string();
            if let Ok(mut raised) = raised.lock() {
                *raised = Some(error);
            }
            carom::Error::numerical("the controller", message, "see what it raised")
        })
    })
}

/// Compares laws in a joint with clearance, as JSON. The keys of `options` are the options of `carom regimes`; `progress` is called
/// with the number of turns done and of all turns, for all laws together.
#[pyfunction]
pub fn regimes(
    py: Python<'_>,
    text: &str,
    set: Vec<String>,
    files: PathBuf,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let asked: RegimeOptions = read("the study", options)?;
    let study = LawStudy {
        joint: asked.joint,
        laws: asked.laws,
        calibration: asked.calibration,
        turns: asked.turns,
        skip: asked.skip,
        at: asked.at,
        body: asked.body,
    };
    let changes = set.iter().map(|text| text.parse::<Change>());
    let changes = changes.collect::<Result<Vec<_>, _>>().map_err(raise)?;
    let read = files_in(files);
    let turns = (study.turns + study.skip) as f64;
    let all = turns * study.laws.len().max(1) as f64;
    let mut stopped = None;
    let (mut begun, mut calls) = (0.0, 0u64);
    let found = py.detach(|| {
        study.run(text, &read, &changes, |_, share| {
            if share == 0.0 {
                begun += 1.0;
            }
            calls += 1;
            if share > 0.0 && !calls.is_multiple_of(STEPS_PER_CHECK) {
                return Ok(());
            }
            watch_python(progress.as_ref(), (turns * (begun - 1.0 + share), all), &mut stopped)
        })
    });
    match (found, stopped) {
        (_, Some(error)) => Err(error),
        (Ok(found), _) => write(&found),
        (Err(LawStudyError::Study(error)), _) => Err(raise(error)),
        (Err(LawStudyError::Scene(error)), _) => Err(Error::new_err(error.to_string())),
    }
}

/// Options of a study of a joint, as passed by Python.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegimeOptions {
    joint: Option<String>,
    laws: Vec<String>,
    calibration: Option<String>,
    turns: usize,
    skip: usize,
    at: f64,
    body: Option<String>,
}

fn inspect<T: serde::de::DeserializeOwned>(
    request: &Request,
    source: &SceneSource,
) -> PyResult<Option<Start<T>>> {
    let Some(out) = &request.out else { return Ok(None) };
    folder::inspect(out, source, request.options).map(Some).map_err(folder_error)
}

/// Runs to the end, acquiring the interpreter's lock only for signals and progress.
fn run_to_end<'py, S: Simulation<Error = carom::Error> + Send + Sync>(
    py: Python<'py>,
    source: &SceneSource,
    run: &mut S,
    start: Option<&Start<S::State>>,
    request: &Request,
) -> PyResult<(String, Option<Vec<NamedTable<'py>>>)>
where
    S::State: Sync,
{
    let duration = run.duration();
    let mut stopped: Option<PyErr> = None;
    let mut steps = 0u64;
    let mut watch = |time: f64| -> bool {
        steps += 1;
        if !steps.is_multiple_of(STEPS_PER_CHECK) && time < duration {
            return true;
        }
        watch_python(request.progress.as_ref(), (time, duration), &mut stopped).is_ok()
    };
    let tables: Result<Option<Tables>, Failure> = py.detach(|| match (&request.out, start) {
        (Some(out), Some(start)) => {
            let folder = RunFolder::open(out, source, run, start)?;
            let watch = |run: &S| watch(run.time());
            folder.run(run, Limits::default(), watch, |_, _| Ok(())).map(|_| None)
        }
        _ => {
            let interrupted = || {
                let advice = "run it again";
                carom::Error::numerical("the run", "it was interrupted", advice)
            };
            let watch = |time: f64| if watch(time) { Ok(()) } else { Err(interrupted()) };
            collect(run, watch).map(Some).map_err(|error| Failure::Run(error.into()))
        }
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    let tables = tables.map_err(folder_error)?;
    let table = |(name, columns): (&'static str, Vec<Column>)| {
        (name, columns.into_iter().map(|column| named_column(py, column)).collect())
    };
    let summary = write(&run.summary())?;
    Ok((summary, tables.map(|tables| tables.into_iter().map(table).collect())))
}

/// Converts the error of a folder.
fn folder_error(failure: Failure) -> PyErr {
    let sentence = failure.worded(keyword);
    match failure {
        Failure::Refused(_)
        | Failure::Run(_)
        | Failure::Broken { .. }
        | Failure::Halted { .. }
        | Failure::Damaged(_) => Error::new_err(sentence),
        _ => PyOSError::new_err(sentence),
    }
}
