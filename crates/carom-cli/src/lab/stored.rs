//! The film of a run in a folder, made from its tables without repeating any computation.
//!
//! The folder is read when the lab starts, so that errors are reported then, and again when a client requests the film and the run
//! has advanced. Tables are read piece by piece, and no more than a film may hold is kept in memory.

mod bodies;

use super::bed;
use super::run_film::RunFilm;
use crate::failure::Failure;
use carom_store::folder::{self, StoredRun};
use carom_store::table::Schema;
use carom_store::{Column, Reader, find, row_count};
use carom_world::Scene;
use carom_world::grains::GranularScene;
use carom_world::record::SceneSource;
use carom_world::scene::Change;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime};

/// Run that was given to the lab.
static RUN: OnceLock<OpenRun> = OnceLock::new();

struct OpenRun {
    path: PathBuf,
    seen: Mutex<ReadFilm>,
}

/// Film as it was last read.
#[derive(Clone)]
struct ReadFilm {
    film: Arc<[u8]>,
    ended: bool,
    /// Time at which the folder was last written before the film was read.
    written: Option<SystemTime>,
    /// When the folder was first read, and the simulated time that the run had reached (s), which give the rate of a run in
    /// progress.
    first: (Instant, f64),
}

/// State of a stored run.
#[derive(Debug, Serialize)]
pub struct RunState {
    ended: bool,
    /// Time at which the folder was last written (s since 1970).
    written: f64,
}

impl RunState {
    /// Example for the description of the API.
    pub const EXAMPLE: Self = Self { ended: true, written: 0.0 };
}

/// Returns the film, read again if the run has advanced; `None` if the lab has no run. While the folder cannot be read, the last
/// film is returned.
pub fn film_json() -> Option<Arc<[u8]>> {
    let run = RUN.get()?;
    let seen = run.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let written = folder::last_written(&run.path);
    if seen.ended || written == seen.written {
        return Some(seen.film);
    }
    // A folder may be unreadable for a moment while its files are replaced.
    let Ok(new) = ReadFilm::read(&run.path, Some(seen.first)) else { return Some(seen.film) };
    let film = new.film.clone();
    *run.seen.lock().unwrap_or_else(PoisonError::into_inner) = new;
    Some(film)
}

/// Returns the state of the run, without reading its tables; `None` if the lab has no run.
pub fn run_state() -> Option<RunState> {
    let run = RUN.get()?;
    let ended = run.seen.lock().unwrap_or_else(PoisonError::into_inner).ended;
    let written = folder::last_written(&run.path)?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(RunState { ended, written: written.as_secs_f64() })
}

/// Opens the folder of a run and stores its film.
///
/// # Errors
/// When it is not the folder of a run, or cannot be read.
pub fn open(path: &Path) -> Result<(), Failure> {
    let seen = Mutex::new(ReadFilm::read(path, None)?);
    RUN.get_or_init(|| OpenRun { path: path.to_path_buf(), seen });
    Ok(())
}

impl ReadFilm {
    /// Reads a folder; `first` is the value from the first reading.
    fn read(path: &Path, first: Option<(Instant, f64)>) -> Result<Self, Failure> {
        refuse_special_files(path, 2)?;
        // This time is taken before the tables are read, so that rows written meanwhile are recognised as new.
        let written = folder::last_written(path);
        let (mut film, ended) = read_film(path)?;
        let first = first.unwrap_or_else(|| (Instant::now(), film.time));
        let (seconds, way) = (first.0.elapsed().as_secs_f64(), film.time - first.1);
        if film.running && way > 0.0 {
            film.left = Some(seconds * (film.duration - film.time).max(0.0) / way);
        }
        let film = serde_json::to_vec(&film);
        let film = film.map_err(|why| Failure::System(format!("cannot write the film: {why}")))?;
        Ok(Self { film: film.into(), ended, written, first })
    }
}

/// Refuses a folder that contains pipes, sockets or devices, on which a reader would block.
fn refuse_special_files(folder: &Path, depth: usize) -> Result<(), Failure> {
    // Entries that cannot be read are reported when they are needed.
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = std::fs::metadata(&path) else { continue };
        if kind.is_dir() && depth > 0 {
            refuse_special_files(&path, depth - 1)?;
        } else if !kind.is_file() && !kind.is_dir() {
            return Err(Failure::Input(format!(
                "`{}` is not a file but a pipe, a socket or a device; a run has files only, take it out of the folder",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Makes the film of a run in a folder; also returns whether the run has ended.
fn read_film(path: &Path) -> Result<(RunFilm, bool), Failure> {
    let run: StoredRun<SceneSource> = StoredRun::open(path)?;
    let SceneSource { scene: text, set, files, .. } = &run.what;
    let of = |name: &str| {
        let text = files.get(name).cloned();
        text.ok_or_else(|| "`scene.json` does not hold it".to_string())
    };
    let scene = path.join("scene.json");
    let wrong = |why: String| {
        let (scene, again) = (scene.display(), "run the scene again with --overwrite");
        Failure::Input(format!("`{scene}` holds no scene that can be read ({why}); {again}"))
    };
    let changes: Result<Vec<Change>, _> = set.iter().map(|change| change.parse()).collect();
    let changes = changes.map_err(|why: carom::Error| wrong(why.to_string()))?;
    let mut film = match GranularScene::recognizes(text) {
        true => {
            let scene = GranularScene::parse_with(text, &of, &changes);
            bed::read(&scene.map_err(|why| wrong(why.to_string()))?, &run)?
        }
        false => {
            let scene = Scene::parse_with(text, &of, &changes);
            bodies::read(&scene.map_err(|why| wrong(why.to_string()))?, &run)?
        }
    };
    film.time = film.frames.time.last().copied().unwrap_or(0.0);
    describe_end(&mut film, &run, path)?;
    film.folder = Some(path.display().to_string());
    let ended = run.ended();
    film.source = Some(run.what);
    Ok((film, ended))
}

/// Adds the reason for the end of the run, and its notes.
fn describe_end(
    film: &mut RunFilm,
    run: &StoredRun<SceneSource>,
    path: &Path,
) -> Result<(), Failure> {
    let (folder, at) = (path.display(), carom::units::format(film.time, "s"));
    let Some(summary) = &run.summary else {
        let of = carom::units::format(film.duration, "s");
        film.running = run.being_written();
        if film.running {
            return Ok(());
        }
        film.stopped = Some(format!(
            "this run is not finished: it was stopped, and its last checkpoint is at t = {at} of {of}; when it is resumed, what is new \
             is shown here"
        ));
        return Ok(());
    };
    let notes = summary.get("notes").cloned().unwrap_or_default();
    film.notes = serde_json::from_value(notes).unwrap_or_default();
    film.steps = summary.get("steps").and_then(serde_json::Value::as_u64).unwrap_or(0);
    film.finished = summary.get("finished") == Some(&true.into());
    if let Some(why) = summary.get("failed").and_then(serde_json::Value::as_str) {
        film.stopped = Some(format!("this run could not go on after t = {at}: {why}"));
    }
    // A truncated CSV table can be recognised only by its last time.
    let reached = summary.get("time").and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    match film.finished && film.time < reached * (1.0 - 1e-9) {
        true => Err(Failure::Input(format!(
            "the tables in `{folder}` are damaged: they end at t = {at} and the run at t = {}; run the scene again \
             with --overwrite",
            carom::units::format(reached, "s")
        ))),
        false => Ok(()),
    }
}

/// A table, read row by row.
struct Cursor {
    reader: Reader,
    piece: Vec<Column>,
    row: usize,
}

impl Cursor {
    /// Opens a table that has a column `time_s`.
    fn open(run: &StoredRun<SceneSource>, table: Schema) -> Result<Self, Failure> {
        let reader = run.table(table)?;
        Ok(Self { reader, piece: Vec::new(), row: 0 })
    }

    /// Returns the time of the row; `None` after the last row.
    fn time(&mut self) -> Result<Option<f64>, Failure> {
        while self.row >= row_count(&self.piece) {
            match self.reader.rows()? {
                Some(piece) => (self.piece, self.row) = (piece, 0),
                None => return Ok(None),
            }
        }
        Ok(Some(self.real("time_s")))
    }

    /// Returns the time of the row if it is before `end`.
    fn time_before(&mut self, end: f64) -> Result<Option<f64>, Failure> {
        Ok(self.time()?.filter(|time| *time < end))
    }

    /// Returns the number in a column of the row.
    fn real(&self, column: &str) -> f64 {
        find(&self.piece, column).and_then(|it| it.values.real(self.row)).unwrap_or(f64::NAN)
    }

    /// Returns the text in a column of the row.
    fn text(&self, column: &str) -> &str {
        find(&self.piece, column).and_then(|it| it.values.text(self.row)).unwrap_or_default()
    }

    fn step(&mut self) {
        self.row += 1;
    }
}
