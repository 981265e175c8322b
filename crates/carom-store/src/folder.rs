//! The folder of a simulation: tables that grow during the run, a checkpoint, and a summary at the end.
//!
//! During a run each table is a partial file with a journal (`sink.rs`), and `checkpoint.json` contains the state of the run and
//! the number of fragments of each table that belong to it. The checkpoint is replaced as a whole after the fragments are on the
//! disk; fragments written after it are cut off when the run is resumed. The end of a fragment does not depend on checkpoints, so
//! the files are identical to the byte whether or not and whenever a run was stopped. When the run has ended, a last checkpoint is
//! written, the files receive their final names, `summary.json` is written, and the checkpoint is removed. A run that fails ends in
//! the same way, with the results up to the failure and with `failed` in its summary. A run that fails because of something outside
//! the simulation (a controller) is stopped instead, and can be resumed.
//! `scene.json` ([`Description`]) is written at the beginning, so that the folder can be understood without other files
//! ([`StoredRun`]). A finished run can be extended (`folder/extend.rs`).

mod existing;
mod extend;
mod stored;

pub use stored::{StoredRun, description, last_written};

use crate::file::{self, beside};
use crate::table::Schema;
use crate::{Advice, Checkpoint, Failure, Format, Kept, Simulation, Sink, encode};
use existing::{existing_file, has_unfinished_tables};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CHECKPOINT_FILE: &str = "checkpoint.json";
const SUMMARY_FILE: &str = "summary.json";
const SCENE_FILE: &str = "scene.json";
const EXTENSION_FILE: &str = "extend.json";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Description of what is simulated, as far as the folder needs it; stored in `scene.json`.
pub trait Description: Serialize + DeserializeOwned + Clone {
    /// Returns all tables that simulations of this kind write; several may have the same name.
    fn tables() -> Vec<Schema>;
    /// Returns a text that is the same for a run and for a longer one. A run can be resumed only if this text is unchanged.
    fn identity(&self) -> String;
    /// Returns an identifier of the tables, which is the same for a run and for a longer one.
    fn fingerprint(&self) -> String;
    /// Returns the duration of the run (s).
    fn duration(&self) -> Option<f64>;
}

/// Options for the use of a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Format of the tables. A run that is resumed keeps its format, and a request for another one is refused.
    pub format: Option<Format>,
    /// Resume a run that was stopped, or extend one that has ended.
    pub resume: bool,
    /// Replace the results of an earlier run.
    pub overwrite: bool,
}

/// Starting point of a run in a folder.
pub struct Start<S> {
    /// Checkpoint to resume from, if any; the caller may take it.
    pub checkpoint: Option<Checkpoint<S>>,
    resumed: bool,
    /// Whether files of an earlier run are removed once this run has begun.
    replaces: bool,
    /// Number of fragments of each table that belong to the checkpoint.
    fragments: BTreeMap<String, u64>,
    format: Format,
    /// Journals of the tables of a run that is extended; its tables may be finished.
    journals: Option<BTreeMap<String, String>>,
    /// Whether `extend.json` belongs to the run.
    marked: bool,
}

/// Contents of `checkpoint.json` and of `extend.json`; the latter also has `journals`.
#[derive(Debug, Serialize, Deserialize)]
struct SavedRun<S> {
    /// Version of carom that wrote the file.
    carom: String,
    /// Value of [`Description::identity`].
    scene: String,
    /// Name of the format of the tables.
    format: String,
    /// Number of fragments of each table that belong to the checkpoint.
    fragments: BTreeMap<String, u64>,
    /// Whether `extend.json` belongs to the run.
    marked: bool,
    /// Journals of the tables, which are removed when the tables receive their final names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journals: Option<BTreeMap<String, String>>,
    /// The checkpoint of the simulation.
    checkpoint: Checkpoint<S>,
}

/// Part of a saved checkpoint that can be read for any version and any simulation.
#[derive(Deserialize)]
struct SavedHeader {
    carom: String,
}

impl<S: DeserializeOwned> SavedRun<S> {
    /// Reads a checkpoint of this version of carom; otherwise returns the reason why it cannot be used.
    fn read(text: &[u8]) -> Result<Self, String> {
        let SavedHeader { carom } = serde_json::from_slice(text).map_err(|why| why.to_string())?;
        if carom != VERSION {
            return Err(format!("it was made by carom {carom}, this is {VERSION}"));
        }
        serde_json::from_slice(text).map_err(|why| why.to_string())
    }

    fn format(&self) -> Result<Format, String> {
        let format = Format::ALL.into_iter().find(|format| format.name() == self.format);
        format.ok_or_else(|| format!("no format `{}`", self.format))
    }

    /// Returns the point from which the run in the folder `path` is resumed.
    fn start(self, path: &Path, format: Format, options: Options) -> Result<Start<S>, Failure> {
        if options.format.is_some_and(|wanted| wanted != format) {
            let (shown, name) = (path.display(), format.name());
            let text = format!("the run in `{shown}` writes {name}");
            return Err(Failure::refused(text, &[Advice::OmitFormat, Advice::Overwrite]));
        }
        Ok(Start {
            checkpoint: Some(self.checkpoint),
            resumed: true,
            replaces: false,
            fragments: self.fragments,
            format,
            journals: self.journals,
            marked: self.marked,
        })
    }
}

/// Decides from the files in a folder whether a run can begin or be resumed there.
///
/// # Errors
/// When existing files would be replaced, when there is nothing to resume, or when the run in the folder is of another scene.
pub fn inspect<S: DeserializeOwned, D: Description>(
    path: &Path,
    what: &D,
    options: Options,
) -> Result<Start<S>, Failure> {
    let shown = path.display();
    let stopped = path.join(CHECKPOINT_FILE);
    let new = Start {
        checkpoint: None,
        resumed: false,
        replaces: options.overwrite,
        fragments: BTreeMap::new(),
        format: options.format.unwrap_or(Format::Csv),
        journals: None,
        marked: false,
    };
    if options.resume
        && let Some(start) = extend::inspect(path, what, options)?
    {
        return Ok(start);
    }
    if stopped.exists() && !options.resume {
        if options.overwrite {
            return Ok(new);
        }
        let text = format!("`{shown}` holds a run that was stopped");
        return Err(Failure::refused(text, &[Advice::Resume, Advice::Overwrite]));
    }
    if !stopped.exists() {
        if options.resume && !has_unfinished_tables::<D>(path) {
            let text = format!("`{shown}` holds no run that was stopped");
            return Err(Failure::refused(text, &[Advice::OmitResume]));
        }
        if !options.overwrite
            && !options.resume
            && let Some(name) = existing_file::<D>(path)
        {
            let text = format!(
                "`{shown}` holds the results of a run, or files with their names (`{name}`)"
            );
            let advice = &[Advice::Other("name another folder"), Advice::Overwrite];
            return Err(Failure::refused(text, advice));
        }
        return Ok(new);
    }
    let refuse = |why: String| {
        let text = format!("cannot go on from `{}`: {why}", stopped.display());
        Failure::refused(text, &[Advice::Overwrite])
    };
    let text = fs::read(&stopped).map_err(|why| refuse(why.to_string()))?;
    let saved = SavedRun::read(&text).map_err(refuse)?;
    if saved.scene != what.identity() {
        return Err(refuse("the scene has changed since".into()));
    }
    let format = saved.format().map_err(refuse)?;
    saved.start(path, format, options)
}

/// Folder of a running simulation.
pub struct RunFolder<D> {
    path: PathBuf,
    what: D,
    format: Format,
    replaces: bool,
    /// Whether the run extends an earlier one, whose results are cut back.
    extends: bool,
    /// Whether `extend.json`, from which a longer run would continue, has been written.
    marked: bool,
    tables: Vec<GrowingTable>,
}

/// A table in the folder of a run.
struct GrowingTable {
    name: &'static str,
    /// The open file; `None` for a table whose file is finished.
    sink: Option<Sink>,
    /// Number of fragments written.
    fragments: u64,
}

/// When a run writes checkpoints and when it stops.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Shortest time between two checkpoints; the interval is longer where checkpoints are slow to write.
    pub checkpoint: Duration,
    /// Number of steps after which the run stops, to be resumed later.
    pub steps: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { checkpoint: Duration::from_secs(10), steps: None }
    }
}

impl<D: Description> RunFolder<D> {
    /// Opens the tables of a simulation, either new or as they were at the checkpoint, and writes `scene.json` beside them.
    ///
    /// # Errors
    /// When the operating system refuses, or a table contains less than the checkpoint records.
    pub fn open<S: Simulation>(
        path: &Path,
        what: &D,
        simulation: &S,
        start: &Start<S::State>,
    ) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|why| Failure::unwritable(path, why))?;
        let fingerprint = what.fingerprint();
        let extends = start.journals.is_some();
        if !start.resumed {
            // A checkpoint of another run must never be found beside new tables.
            let _ = fs::remove_file(path.join(CHECKPOINT_FILE));
        }
        if !extends && !start.marked {
            let _ = fs::remove_file(path.join(EXTENSION_FILE));
        }
        let mut folder = Self {
            path: path.to_path_buf(),
            what: what.clone(),
            format: start.format,
            replaces: start.replaces,
            extends,
            marked: start.marked,
            tables: Vec::new(),
        };
        for Schema { name, fields, .. } in simulation.tables().schemas() {
            let file = folder.file(name);
            let kept = start.fragments.get(*name).copied().unwrap_or(0);
            let kept = start.resumed.then_some(kept);
            let partial = beside(&file, ".partial");
            let journal = start.journals.as_ref().and_then(|journals| journals.get(*name));
            if let Some(journal) = journal {
                extend::reopen(&file, journal).map_err(|why| Failure::unwritable(&file, why))?;
            }
            let sink = match kept {
                // The process was killed while the finished files were being renamed.
                Some(_) if simulation.done() && file.exists() && !partial.exists() => None,
                _ => match Sink::grow(fields, &fingerprint, &file, start.format, kept) {
                    Ok(sink) => Some(sink),
                    Err(failure) => {
                        // A new run that cannot begin leaves no files.
                        if kept.is_none() && !matches!(failure, Failure::Busy(_)) {
                            folder.discard();
                        }
                        return Err(failure);
                    }
                },
            };
            folder.tables.push(GrowingTable { name, sink, fragments: kept.unwrap_or(0) });
        }
        let file = path.join(SCENE_FILE);
        if (!start.resumed || !file.exists())
            && let Err(why) = folder.write_description()
        {
            if !start.resumed {
                folder.discard();
            }
            return Err(Failure::unwritable(&file, why));
        }
        Ok(folder)
    }

    fn write_description(&self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.what).map_err(io::Error::other)?;
        file::write(&self.path.join(SCENE_FILE), &text)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{}", self.format.name()))
    }

    /// Writes the complete pieces of the tables; at the end of the run writes all remaining rows.
    fn write_tables<S: Simulation>(
        &mut self,
        simulation: &mut S,
        end: bool,
    ) -> Result<(), Failure> {
        for (number, columns) in simulation.tables_mut().take(end) {
            if let Some(GrowingTable { sink: Some(sink), fragments, .. }) =
                self.tables.get_mut(number)
            {
                sink.append(encode(&columns, self.format))?;
                *fragments = sink.next();
            }
        }
        Ok(())
    }

    /// Writes everything that is needed to resume the run into the file with this name.
    fn save<S: Simulation>(
        &self,
        simulation: &S,
        name: &str,
        journals: Option<BTreeMap<String, String>>,
    ) -> Result<(), Failure> {
        let fragments = self.tables.iter().map(|table| (table.name.to_string(), table.fragments));
        let saved = SavedRun {
            carom: VERSION.to_string(),
            scene: self.what.identity(),
            format: self.format.name().to_string(),
            fragments: fragments.collect(),
            marked: self.marked,
            journals,
            checkpoint: simulation.checkpoint(),
        };
        let path = self.path.join(name);
        let text = serde_json::to_vec(&saved).map_err(io::Error::other);
        text.and_then(|text| file::write(&path, &text)).map_err(|why| cannot_write(&path, why))
    }

    fn write_checkpoint<S: Simulation>(&self, simulation: &S) -> Result<(), Failure> {
        for sink in self.tables.iter().filter_map(|table| table.sink.as_ref()) {
            sink.sync()?;
        }
        self.save(simulation, CHECKPOINT_FILE, None)
    }

    /// Writes `extend.json`: the run as it was before the first step that depends on its duration, so that it can be extended.
    fn write_extension_point<S: Simulation>(&self, simulation: &S) -> Result<(), Failure> {
        let journal = |table: &GrowingTable| {
            let text = fs::read_to_string(beside(&self.file(table.name), ".journal"))?;
            Ok((table.name.to_string(), text))
        };
        let journals: io::Result<_> = self.tables.iter().map(journal).collect();
        let journals =
            journals.map_err(|why| cannot_write(&self.path.join(EXTENSION_FILE), why))?;
        self.save(simulation, EXTENSION_FILE, Some(journals))
    }

    /// Runs the simulation until it ends or is stopped. Returns true if the end was reached; all tables are then finished. `watch`
    /// is called before every step and returns whether to continue; `last` may write further files before the run is marked as
    /// finished.
    ///
    /// # Errors
    /// When the operating system refuses (what was written before is safe), or when the simulation fails. In the latter case the
    /// tables are finished with the rows they have, unless they have none.
    pub fn run<S: Simulation>(
        mut self,
        simulation: &mut S,
        limits: Limits,
        mut watch: impl FnMut(&S) -> bool,
        last: impl FnOnce(&S, &Path) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let mut cost = Duration::ZERO;
        // This checkpoint makes it possible to resume the run from its first step on.
        let begins = !self.path.join(CHECKPOINT_FILE).exists();
        match self.write_checkpoint(simulation) {
            Err(Failure::System { path, why, .. }) if begins => {
                self.discard();
                return Err(Failure::unwritable(&path, why));
            }
            other => other?,
        }
        if self.replaces {
            let name = |table: &GrowingTable| format!("{}.{}", table.name, self.format.name());
            let growing: Vec<_> = self.tables.iter().map(name).collect();
            existing::clear::<D>(&self.path, &growing);
        }
        if self.extends {
            // From here on the folder contains an unfinished run.
            let _ = fs::remove_file(self.path.join(SUMMARY_FILE));
            let _ = fs::remove_file(self.path.join(EXTENSION_FILE));
            self.write_description()
                .map_err(|why| cannot_write(&self.path.join(SCENE_FILE), why))?;
        }
        let (mut saved, mut steps) = (Instant::now(), 0u64);
        while !simulation.done() {
            if limits.steps.is_some_and(|most| steps >= most) || !watch(simulation) {
                self.write_checkpoint(simulation)?;
                return Ok(false);
            }
            if !self.marked && simulation.end_matters() {
                self.write_extension_point(simulation)?;
                self.marked = true;
            }
            match simulation.step(limits.steps.map_or(u64::MAX, |most| most - steps)) {
                Ok(taken) => steps += taken,
                Err(error) if simulation.can_try_again() && simulation.time() > 0.0 => {
                    self.write_checkpoint(simulation)?;
                    let (path, reached) = (self.path, simulation.time());
                    return Err(Failure::Halted { path, error: error.into(), reached });
                }
                Err(error) => return Err(self.fail(simulation, error, last)),
            }
            self.write_tables(simulation, false)?;
            if saved.elapsed() >= limits.checkpoint.max(cost * 20) {
                let begun = Instant::now();
                self.write_checkpoint(simulation)?;
                (cost, saved) = (begun.elapsed(), Instant::now());
            }
        }
        watch(simulation);
        self.write_tables(simulation, true)?;
        self.write_checkpoint(simulation)?;
        last(simulation, &self.path)?;
        self.finish(&simulation.summary(), None)?;
        Ok(true)
    }

    /// Finishes the tables of a failed run with the rows they have; the returned error contains the time up to which they reach.
    fn fail<S: Simulation>(
        mut self,
        simulation: &mut S,
        error: S::Error,
        last: impl FnOnce(&S, &Path) -> Result<(), Failure>,
    ) -> Failure {
        let reached = simulation.fail();
        if !(reached > 0.0) {
            self.discard();
            return Failure::Run(error.into());
        }
        let path = self.path.clone();
        let _ = fs::remove_file(path.join(EXTENSION_FILE));
        let finished = self
            .write_tables(simulation, true)
            .and_then(|()| last(simulation, &path))
            .and_then(|()| self.finish(&simulation.summary(), Some(error.to_string())));
        match finished {
            Ok(()) => Failure::Broken { path, error: error.into(), reached },
            Err(failure) => failure,
        }
    }

    /// Finishes the tables and writes the summary.
    fn finish(mut self, summary: &impl Serialize, failed: Option<String>) -> Result<(), Failure> {
        for GrowingTable { name, sink, .. } in std::mem::take(&mut self.tables) {
            match sink {
                Some(sink) => drop(sink.finish()?),
                None => {
                    let _ = fs::remove_file(beside(&self.file(name), ".journal"));
                }
            }
        }
        let file = self.path.join(SUMMARY_FILE);
        let text = match failed {
            None => serde_json::to_string_pretty(summary),
            Some(error) => serde_json::to_value(summary).and_then(|mut summary| {
                summary["finished"] = false.into();
                summary["failed"] = error.into();
                serde_json::to_string_pretty(&summary)
            }),
        };
        let written = text.map_err(io::Error::other);
        let written = written.and_then(|text| file::write(&file, (text + "\n").as_bytes()));
        written.map_err(|why| cannot_write(&file, why))?;
        let checkpoint = self.path.join(CHECKPOINT_FILE);
        fs::remove_file(&checkpoint).map_err(|why| cannot_write(&checkpoint, why))
    }

    /// Removes the files of a run that leaves no results.
    fn discard(&self) {
        for table in &self.tables {
            let file = self.file(table.name);
            let _ = fs::remove_file(beside(&file, ".partial"));
            let _ = fs::remove_file(beside(&file, ".journal"));
        }
        for name in [CHECKPOINT_FILE, SCENE_FILE, EXTENSION_FILE] {
            let _ = fs::remove_file(self.path.join(name));
        }
    }
}

/// Returns the failure of a system call during a run that can be resumed.
fn cannot_write(path: &Path, why: io::Error) -> Failure {
    Failure::System { path: path.into(), why, kept: Kept::Checkpoint }
}
