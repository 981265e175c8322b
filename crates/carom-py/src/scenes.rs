//! Scenes: a text in, columns or a folder of files out; the same loops as `carom simulate`.

use crate::error::{Error, raise};
use crate::questions::write;
use crate::sweeps::{NamedColumn, named};
use carom::sweep::Column;
use carom_store::folder::{self, Folder, Found, Limits, Told, Wanted};
use carom_store::{Failure, Format};
use carom_world::Scene;
use carom_world::grains::{GranularScene, Poured};
use carom_world::record::{Recorded, Simulation, collect};
use carom_world::scene::Change;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Steps between two looks at signals and calls of `progress`.
const OFTEN: u64 = 64;

/// Most rows of a table that is kept in memory.
const MOST_ROWS: f64 = 3e7;

/// Refuses tables that are kept in memory and too long for it.
fn fits(asked: &Asked, rows: f64) -> PyResult<()> {
    if asked.out.is_some() || rows <= MOST_ROWS {
        return Ok(());
    }
    let (found, allowed) =
        (format!("{rows:.3e} rows of a table"), format!("at most {MOST_ROWS:e} in memory"));
    let advice = "take a longer `sample` or `snapshot`, or name a folder with out=";
    Err(raise(carom::Error::invalid("sample", found, allowed, advice)))
}

/// Name of a table and its columns.
type NamedTable<'py> = (&'static str, Vec<NamedColumn<'py>>);

/// All tables of a run.
type Tables = Vec<(&'static str, Vec<Column>)>;

/// Where results go, and who is told.
struct Asked {
    out: Option<PathBuf>,
    wanted: Wanted,
    threads: usize,
    progress: Option<Py<PyAny>>,
}

/// Runs a scene: the summary as JSON, and the tables where no folder was named.
#[pyfunction]
#[pyo3(signature = (text, files, out, format, resume, overwrite, threads, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "one call from one place in Python, which names them"
)]
pub fn simulate<'py>(
    py: Python<'py>,
    text: &str,
    files: PathBuf,
    out: Option<PathBuf>,
    format: Option<&str>,
    resume: bool,
    overwrite: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Option<Vec<NamedTable<'py>>>)> {
    // What the scene reads is kept with its results.
    let kept = RefCell::new(BTreeMap::new());
    let read = |name: &str| {
        let text = std::fs::read_to_string(files.join(name)).map_err(|why| why.to_string())?;
        kept.borrow_mut().insert(name.to_string(), text.clone());
        Ok(text)
    };
    // A run that goes on for longer keeps the intervals with which it began.
    let told = Told { scene: text.to_string(), ..Told::default() };
    let told = match (&out, resume) {
        (Some(out), true) => told.going_on(out).map_err(trouble)?,
        _ => told,
    };
    let changes = told.set.iter().map(|text| text.parse::<Change>());
    let changes = changes.collect::<Result<Vec<_>, _>>().map_err(raise)?;
    let told = || Told { files: kept.take(), ..told.clone() };
    let wrong = |error: carom_world::SceneError| Error::new_err(error.to_string());
    let wanted = |said: Option<&'static str>| -> PyResult<Wanted> {
        let said = if resume { None } else { said };
        let format = format.or(said).map(|name| {
            Format::of(Path::new(&format!("table.{name}"))).ok_or_else(|| {
                let known = carom_world::scene::Output::FORMATS;
                let otherwise = format!("use one of {}", known.join(", "));
                raise(carom::Error::unknown("format", name, known, &otherwise))
            })
        });
        Ok(Wanted { format: format.transpose()?, resume, overwrite })
    };
    if GranularScene::recognizes(text) {
        let scene = GranularScene::parse_with(text, &read, &changes).map_err(wrong)?;
        let asked = Asked { out, wanted: wanted(scene.format)?, threads, progress };
        fits(&asked, scene.rows())?;
        let told = told();
        let mut found = look(&asked, &told)?;
        let run = match found.as_mut().and_then(|found| found.saved.take()) {
            Some(saved) => Poured::resume(&scene, &saved).map_err(raise)?,
            None => Poured::new(&scene),
        };
        let mut run = run.on_threads(asked.threads).map_err(raise)?;
        return go(py, &told, &mut run, found.as_ref(), &asked);
    }
    let scene = Scene::parse_with(text, &read, &changes).map_err(wrong)?;
    let asked = Asked { out, wanted: wanted(scene.output.format)?, threads, progress };
    fits(&asked, scene.rows())?;
    let told = told();
    let mut found = look(&asked, &told)?;
    let mut run = match found.as_mut().and_then(|found| found.saved.take()) {
        Some(saved) => Recorded::resume(&scene, saved).map_err(raise)?,
        None => Recorded::new(&scene).map_err(raise)?,
    };
    go(py, &told, &mut run, found.as_ref(), &asked)
}

fn look<T: serde::de::DeserializeOwned>(asked: &Asked, told: &Told) -> PyResult<Option<Found<T>>> {
    let Some(out) = &asked.out else { return Ok(None) };
    folder::look(out, told, asked.wanted).map(Some).map_err(trouble)
}

/// Runs to the end without the interpreter's lock, but for signals and progress.
fn go<'py, S: Simulation + Send + Sync>(
    py: Python<'py>,
    told: &Told,
    run: &mut S,
    found: Option<&Found<S::Saved>>,
    asked: &Asked,
) -> PyResult<(String, Option<Vec<NamedTable<'py>>>)>
where
    S::Saved: Sync,
{
    let duration = run.duration();
    let mut stopped: Option<PyErr> = None;
    let mut steps = 0u64;
    let mut watch = |time: f64| -> bool {
        steps += 1;
        if !steps.is_multiple_of(OFTEN) && time < duration {
            return true;
        }
        let told = Python::attach(|py| {
            py.check_signals()?;
            match &asked.progress {
                Some(progress) => progress.call1(py, (time, duration)).map(|_| ()),
                None => Ok(()),
            }
        });
        stopped = told.err();
        stopped.is_none()
    };
    let tables: Result<Option<Tables>, Failure> = py.detach(|| match (&asked.out, found) {
        (Some(out), Some(found)) => {
            let folder = Folder::open(out, told, run, found)?;
            let watch = |run: &S| watch(run.time());
            folder.run(run, Limits::default(), watch, |_, _| Ok(())).map(|_| None)
        }
        _ => {
            let interrupted = || {
                let advice = "run it again";
                carom::Error::numerical("the run", "it was interrupted", advice)
            };
            let watch = |time: f64| if watch(time) { Ok(()) } else { Err(interrupted()) };
            collect(run, watch).map(Some).map_err(Failure::Run)
        }
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    let tables = tables.map_err(trouble)?;
    let table = |(name, columns): (&'static str, Vec<Column>)| {
        (name, columns.into_iter().map(|column| named(py, column)).collect())
    };
    let summary = write(&run.summary())?;
    Ok((summary, tables.map(|tables| tables.into_iter().map(table).collect())))
}

/// The sentence, with the words of Python for what the command calls flags.
fn trouble(failure: Failure) -> PyErr {
    let words =
        [("--resume", "resume=True"), ("--overwrite", "overwrite=True"), ("--format", "format")];
    let sentence = words.iter().fold(failure.to_string(), |text, (a, b)| text.replace(a, b));
    match failure {
        Failure::Refused(_) | Failure::Run(_) | Failure::Broken { .. } | Failure::Damaged(_) => {
            Error::new_err(sentence)
        }
        _ => PyOSError::new_err(sentence),
    }
}
