//! A run that stands in a folder: what it was, how far it came, and its tables to read.
//!
//! A finished run has its tables under their names, and a summary. One that was stopped or killed, or is still on
//! its way, has a checkpoint: its tables are then the fragments that the checkpoint counts, and the rows that
//! were waiting when it was made. What was written after it is left out, for it does not reach equally far in all
//! tables.

use super::{CHECKPOINT, FORMATS, SCENE, SUMMARY, beside};
use crate::read::Reader;
use crate::{Failure, Format};
use carom_world::record::{Rows, SavedRows, Table, tables};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What was run: everything that is needed to run it again. The lab's API takes it as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Told {
    /// The scene, as it was written.
    pub scene: String,
    /// What was changed in it, as `TABLE.KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The files that it names, by name.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// How many of the changes, the last ones, carom made itself, so that a run that was extended goes on as it began.
    #[serde(default, skip_serializing_if = "none")]
    pub pins: usize,
}

fn none(count: &usize) -> bool {
    *count == 0
}

/// A run that stands in a folder.
#[derive(Debug)]
pub struct Past {
    path: PathBuf,
    /// What was run.
    pub told: Told,
    /// The summary of a run that has ended.
    pub summary: Option<serde_json::Value>,
    format: Format,
    /// Of a run that has not ended: fragments of each table that count, and rows that waited.
    stopped: Option<(Vec<u64>, Vec<SavedRows>)>,
}

#[derive(Deserialize)]
struct Checkpoint {
    carom: String,
    format: String,
    fragments: Vec<u64>,
    saved: Waiting,
}

/// All kinds of runs call them so.
#[derive(Deserialize)]
struct Waiting {
    rows: Vec<SavedRows>,
}

impl Past {
    /// Looks what a folder holds.
    ///
    /// # Errors
    /// When it is no folder of a run, or cannot be read.
    ///
    /// ```
    /// use carom_store::folder::{self, Folder, Limits, Past, Told, Wanted};
    /// use carom_world::record::{Recorded, tables};
    /// let text = "[simulation]\nduration = \"1 s\"\nsample = \"0.5 s\"\ngravity = 10\n\
    ///             [[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n";
    /// let scene = carom_world::Scene::parse(text, &|_| Err("no files".into()))?;
    /// let told = Told { scene: text.into(), ..Told::default() };
    /// let path = std::env::temp_dir().join(format!("past-{}", std::process::id()));
    /// let (mut run, found) = (Recorded::new(&scene)?, folder::look(&path, &told, Wanted::default())?);
    /// let folder = Folder::open(&path, &told, &run, &found)?;
    /// folder.run(&mut run, Limits::default(), |_| true, |_, _| Ok(()))?;
    ///
    /// let past = Past::look(&path)?;
    /// assert_eq!(past.told.scene, text);
    /// let names = vec!["ground".into(), "stone".into()];
    /// let rows = past.table(&tables::TRAJECTORY, vec![names])?.rows()?.unwrap();
    /// assert_eq!((rows[1].values.word(2), rows[0].values.real(2)), (Some("stone"), Some(1.0)));
    /// # std::fs::remove_dir_all(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn look(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let about = "`carom simulate SCENE --out DIR` makes the folder of a run";
        let unreadable = |why| Failure::Unreadable { path: path.into(), why };
        let entry = match fs::metadata(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return Err(Failure::Missing(format!("there is no folder `{shown}`; {about}")));
            }
            other => other.map_err(unreadable)?,
        };
        if !entry.is_dir() {
            return Err(Failure::Refused(format!(
                "`{shown}` is a file, not the folder of a run: name the folder, or run a scene first; {about}"
            )));
        }
        let Some(text) = optional(&path.join(SCENE))? else {
            let again = "run the scene again with --overwrite";
            return Err(Failure::Refused(match super::in_the_way(path).is_some() {
                true => format!(
                    "`{shown}` has no `{SCENE}`, without which its tables cannot be understood; {again}"
                ),
                false => format!("`{shown}` holds no run; {about}"),
            }));
        };
        let told: Told = serde_json::from_slice(&text).map_err(|why| {
            damaged(&path.join(SCENE), &format!("it is not what a run leaves there ({why})"))
        })?;
        let mut past =
            Self { path: path.into(), told, summary: None, format: Format::Csv, stopped: None };
        let file = path.join(CHECKPOINT);
        if let Some(text) = optional(&file)? {
            let wrong = |why: String| damaged(&file, &why);
            let read: Checkpoint =
                serde_json::from_slice(&text).map_err(|why| wrong(why.to_string()))?;
            if read.carom != env!("CARGO_PKG_VERSION") {
                return Err(wrong(format!("it was made by carom {}", read.carom)));
            }
            let format = FORMATS.into_iter().find(|format| format.name() == read.format);
            past.format = format.ok_or_else(|| wrong(format!("no format `{}`", read.format)))?;
            past.stopped = Some((read.fragments, read.saved.rows));
            return Ok(past);
        }
        let file = path.join(SUMMARY);
        let Some(text) = optional(&file)? else {
            return Err(Failure::Refused(format!(
                "the run in `{shown}` was stopped before there was anything to see, or its summary is gone: go on with \
                 `carom simulate SCENE --out {shown} --resume`, or begin anew with --overwrite"
            )));
        };
        let summary = serde_json::from_slice(&text);
        past.summary = Some(summary.map_err(|why| damaged(&file, &why.to_string()))?);
        let names = [&tables::ENERGIES, &tables::BED].map(|table| table.name);
        let has = |format: &Format| names.iter().any(|name| past.file(name, *format).exists());
        past.format = FORMATS.into_iter().find(has).ok_or_else(|| {
            let missing = past.file(names[0], Format::Csv);
            Failure::Refused(format!(
                "`{}` is missing, in this and in every other format; run the scene again with --overwrite",
                missing.display()
            ))
        })?;
        Ok(past)
    }

    /// Whether it has ended, well or not.
    pub fn ended(&self) -> bool {
        self.stopped.is_none()
    }

    fn file(&self, name: &str, format: Format) -> PathBuf {
        self.path.join(format!("{name}.{}", format.name()))
    }

    /// One of its tables; `words` are the lists of its columns of words, in their order.
    ///
    /// # Errors
    /// When it is missing, damaged or not a table of this kind.
    pub fn table(&self, table: &'static Table, words: Vec<Vec<String>>) -> Result<Reader, Failure> {
        let file = self.file(table.name, self.format);
        let Some((fragments, waiting)) = &self.stopped else {
            return Reader::finished(table, &file, self.format);
        };
        let number = |list: &[&'static Table]| list.iter().position(|known| *known == table);
        // Whether of bodies or of grains, a table has its number among its own.
        let number = number(&tables::BODIES).or_else(|| number(&tables::GRAINS)).unwrap_or(0);
        let kept = fragments.get(number).copied().unwrap_or(0);
        let rows = waiting.get(number).cloned().unwrap_or_default();
        let rows = Rows::new(table, words).restored(&rows);
        let last = rows.map(|mut rows| rows.take(true)).unwrap_or_default();
        match beside(&file, ".partial").exists() {
            // It was killed while the finished files got their names.
            false => Reader::finished(table, &file, self.format),
            true => Reader::growing(table, &file, self.format, kept, last),
        }
    }
}

/// What a file holds, or nothing where there is none.
pub(super) fn optional(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Failure::Unreadable { path: path.into(), why }),
    }
}

/// Says that a file cannot be understood.
pub(crate) fn damaged(path: &Path, why: &str) -> Failure {
    Failure::Refused(format!(
        "`{}` is damaged: {why}; run the scene again with --overwrite",
        path.display()
    ))
}
