//! Reading of a run in a folder: its description, the time it reached, and its tables.
//!
//! A finished run has its tables under their final names, and a summary. A run that was stopped or killed, or that is still
//! running, has a checkpoint: its tables then consist of the fragments that the checkpoint counts, followed by the pending rows of
//! the checkpoint. Later fragments are left out, because they do not reach the same time in all tables.

use super::{CHECKPOINT_FILE, Description, SCENE_FILE, SUMMARY_FILE, SavedRun};
use crate::file::beside;
use crate::read::Reader;
use crate::table::Schema;
use crate::{Advice, Failure, Format, Problem};
use serde::de::IgnoredAny;
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A run in a folder.
#[derive(Debug)]
pub struct StoredRun<D> {
    path: PathBuf,
    /// Description of what was simulated.
    pub what: D,
    /// Summary of a run that has ended.
    pub summary: Option<serde_json::Value>,
    format: Format,
    /// Checkpoint of a run that has not ended.
    checkpoint: Option<SavedRun<IgnoredAny>>,
}

/// Returns the description of what was simulated in a folder; `None` if the folder has no `scene.json`.
///
/// # Errors
/// When the file cannot be read.
pub fn description<D: Description>(path: &Path) -> Result<Option<D>, Failure> {
    let file = path.join(SCENE_FILE);
    let Some(text) = read_if_exists(&file)? else { return Ok(None) };
    let read = serde_json::from_slice(&text).map(Some);
    read.map_err(|why| {
        Failure::damaged(&file, &format!("it is not what a run leaves there ({why})"))
    })
}

/// Returns the time at which the checkpoint or the summary of a run was last written; `None` before the first of them is written. A
/// reader that has read the run at this time has seen everything.
pub fn last_written(path: &Path) -> Option<SystemTime> {
    let modified = |name| fs::metadata(path.join(name)).and_then(|file| file.modified()).ok();
    [CHECKPOINT_FILE, SUMMARY_FILE].into_iter().filter_map(modified).max()
}

impl<D: Description> StoredRun<D> {
    /// Opens the folder of a run.
    ///
    /// # Errors
    /// When it is not the folder of a run, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let entry = match fs::metadata(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                let text = format!("there is no folder `{shown}`");
                return Err(Failure::Missing(Problem { text, advice: &[Advice::Simulate] }));
            }
            other => other.map_err(|why| Failure::unreadable(path, why))?,
        };
        if !entry.is_dir() {
            let text = format!("`{shown}` is a file, not the folder of a run");
            let advice = &[Advice::Other("name the folder"), Advice::Simulate];
            return Err(Failure::refused(text, advice));
        }
        let Some(what) = description(path)? else {
            let no_scene = "without which its tables cannot be understood";
            return Err(match super::existing_file::<D>(path).is_some() {
                true => Failure::refused(
                    format!("`{shown}` has no `{SCENE_FILE}`, {no_scene}"),
                    &[Advice::Overwrite],
                ),
                false => Failure::refused(format!("`{shown}` holds no run"), &[Advice::Simulate]),
            });
        };
        let mut run =
            Self { path: path.into(), what, summary: None, format: Format::Csv, checkpoint: None };
        let file = path.join(CHECKPOINT_FILE);
        if let Some(text) = read_if_exists(&file)? {
            let wrong = |why: String| Failure::damaged(&file, &why);
            let saved = SavedRun::read(&text).map_err(wrong)?;
            run.format = saved.format().map_err(wrong)?;
            run.checkpoint = Some(saved);
            return Ok(run);
        }
        let file = path.join(SUMMARY_FILE);
        let Some(text) = read_if_exists(&file)? else {
            let text = format!(
                "the run in `{shown}` was stopped before there was anything to see, or its summary is gone"
            );
            return Err(Failure::refused(text, &[Advice::Resume, Advice::Overwrite]));
        };
        let summary = serde_json::from_slice(&text);
        run.summary = Some(summary.map_err(|why| Failure::damaged(&file, &why.to_string()))?);
        let tables = D::tables();
        let count =
            |format: Format| tables.iter().filter(|it| run.file(it.name, format).exists()).count();
        // The format that most tables have; if several are equally frequent, the first of them.
        let found = Format::ALL.into_iter().rev().max_by_key(|format| count(*format));
        run.format = found.filter(|format| count(*format) > 0).ok_or_else(|| {
            let text = format!("the tables in `{shown}` are missing, in every format");
            Failure::refused(text, &[Advice::Overwrite])
        })?;
        Ok(run)
    }

    /// Returns whether the run has ended, successfully or not.
    pub fn ended(&self) -> bool {
        self.checkpoint.is_none()
    }

    /// Returns whether a process is writing this run: it has not ended, and its tables are locked.
    pub fn being_written(&self) -> bool {
        let locked = |table: &Schema| {
            let file = fs::File::open(beside(&self.file(table.name, self.format), ".partial"));
            file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
        };
        !self.ended() && D::tables().iter().any(locked)
    }

    fn file(&self, name: &str, format: Format) -> PathBuf {
        self.path.join(format!("{name}.{}", format.name()))
    }

    /// Opens one of its tables.
    ///
    /// # Errors
    /// When the table is missing or damaged, or columns are missing.
    pub fn table(&self, table: Schema) -> Result<Reader, Failure> {
        let file = self.file(table.name, self.format);
        let Some(saved) = &self.checkpoint else {
            return Reader::open_finished(table, &file, self.format);
        };
        let pending = saved.checkpoint.pending.iter().find(|pending| pending.name == table.name);
        match pending.filter(|_| beside(&file, ".partial").exists()) {
            // The process was killed while the finished files were being renamed.
            None => Reader::open_finished(table, &file, self.format),
            Some(pending) => {
                let fragments = saved.fragments.get(table.name).copied().unwrap_or(0);
                Reader::open_growing(table, &file, self.format, fragments, pending)
            }
        }
    }
}

/// Returns the contents of a file; `None` if it does not exist.
pub(super) fn read_if_exists(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Failure::unreadable(path, why)),
    }
}
