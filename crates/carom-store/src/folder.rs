//! The folder of a simulation: tables as they grow, a checkpoint, and in the end a summary.
//!
//! While a run is on its way each table is a partial file with its journal (`sink.rs`), and
//! `checkpoint.json` holds the state of the run and how many fragments of each table belong to it. It is
//! replaced whole, after the fragments are on the disk; fragments that came later are cut off again on
//! resuming. Where a fragment ends does not depend on checkpoints, so the files are the same bytes whether or
//! not a run was stopped, at whatever moment. When it has ended, a last checkpoint says so, the files get
//! their names, `summary.json` is written, and the checkpoint goes. A run that cannot go on ends in the same
//! way, with what it has and with `failed` in its summary. `scene.json` stands beside from the first moment on, so
//! that the folder can be understood by itself ([`Past`]). A finished run can go on for longer (`folder/extend.rs`).

mod before;
mod extend;
mod past;

pub(crate) use past::damaged;
pub use past::{Past, Told};

use crate::{Failure, Format, Sink, encode};
use before::{begun, in_the_way};
use carom_world::record::Simulation;
use extend::{EXTEND, Extendable};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CHECKPOINT: &str = "checkpoint.json";
const SUMMARY: &str = "summary.json";
const SCENE: &str = "scene.json";
const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Arrow];

/// What is wanted of a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Format of the tables; on resuming that of the run, whatever is said here, unless it differs.
    pub format: Option<Format>,
    /// Go on with a run that was stopped.
    pub resume: bool,
    /// Replace what is there.
    pub overwrite: bool,
}

/// What stood in a folder.
pub struct Found<T> {
    /// The run to go on with, if any; may be taken.
    pub saved: Option<T>,
    resumed: bool,
    /// What an earlier run left goes once this one has begun.
    replaces: bool,
    fragments: Vec<u64>,
    format: Format,
    /// Of a run that goes on for longer: the journals of its tables, which may be finished.
    journals: Vec<String>,
    /// `extend.json` belongs to the run.
    marked: bool,
}

#[derive(Serialize)]
struct Checkpoint<'a, T> {
    carom: &'a str,
    scene: &'a str,
    format: &'a str,
    fragments: Vec<u64>,
    ended: bool,
    /// `extend.json` belongs to the run.
    marked: bool,
    saved: T,
}

#[derive(Deserialize)]
struct Read<T> {
    scene: String,
    format: String,
    fragments: Vec<u64>,
    marked: bool,
    saved: T,
}

/// Looks what a folder holds and decides whether a run can begin or go on there.
///
/// # Errors
/// When there is something in the way, or nothing to go on with, or the scene is another one.
pub fn look<T: serde::de::DeserializeOwned>(
    path: &Path,
    told: &Told,
    wanted: Wanted,
) -> Result<Found<T>, Failure> {
    let shown = path.display();
    let stopped = path.join(CHECKPOINT);
    let new = Found {
        saved: None,
        resumed: false,
        replaces: wanted.overwrite,
        fragments: Vec::new(),
        format: wanted.format.unwrap_or(Format::Csv),
        journals: Vec::new(),
        marked: false,
    };
    if wanted.resume
        && let Some(found) = extend::look(path, told, wanted)?
    {
        return Ok(found);
    }
    if stopped.exists() && !wanted.resume {
        if wanted.overwrite {
            return Ok(new);
        }
        return Err(Failure::Refused(format!(
            "`{shown}` holds a run that was stopped: go on with --resume, or begin anew with --overwrite"
        )));
    }
    if !stopped.exists() {
        if wanted.resume && !begun(path) {
            return Err(Failure::Refused(format!(
                "`{shown}` holds no run that was stopped: leave out --resume"
            )));
        }
        if !wanted.overwrite
            && !wanted.resume
            && let Some(name) = in_the_way(path)
        {
            return Err(Failure::Refused(format!(
                "`{shown}` holds the results of a run, or files with their names (`{name}`): name another \
                 folder, or replace them with --overwrite"
            )));
        }
        return Ok(new);
    }
    let refuse = |why: String| {
        Failure::Refused(format!(
            "cannot go on from `{}`: {why}; begin anew with --overwrite",
            stopped.display()
        ))
    };
    let text = fs::read(&stopped).map_err(|why| refuse(why.to_string()))?;
    // What it was made of is read before what it holds, which another version may have shaped otherwise.
    #[derive(Deserialize)]
    struct Head {
        carom: String,
    }
    let head: Head = serde_json::from_slice(&text).map_err(|why| refuse(why.to_string()))?;
    let version = env!("CARGO_PKG_VERSION");
    if head.carom != version {
        return Err(refuse(format!("it was made by carom {}, this is {version}", head.carom)));
    }
    let read: Read<T> = serde_json::from_slice(&text).map_err(|why| refuse(why.to_string()))?;
    if read.scene != told.essence() {
        return Err(refuse("the scene has changed since".into()));
    }
    let Some(format) = FORMATS.into_iter().find(|format| format.name() == read.format) else {
        return Err(refuse(format!("no format `{}`", read.format)));
    };
    if wanted.format.is_some_and(|wanted| wanted != format) {
        return Err(other_format(path, format));
    }
    let (saved, fragments, journals) = (Some(read.saved), read.fragments, Vec::new());
    let marked = read.marked;
    Ok(Found { saved, resumed: true, replaces: false, fragments, format, journals, marked })
}

fn other_format(path: &Path, format: Format) -> Failure {
    let (shown, name) = (path.display(), format.name());
    Failure::Refused(format!(
        "the run in `{shown}` writes {name}: go on without --format, or begin anew with --overwrite"
    ))
}

/// The folder of one run.
pub struct Folder {
    path: PathBuf,
    told: Told,
    scene: String,
    format: Format,
    replaces: bool,
    /// Goes on for longer than an earlier run, whose results are cut back.
    extends: bool,
    /// Where a longer run would go on from is written down.
    marked: bool,
    names: Vec<&'static str>,
    /// A table whose file has its name already has no sink.
    sinks: Vec<Option<Sink>>,
    kept: Vec<u64>,
}

/// When a run is interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time between two checkpoints; longer where they are slow to write.
    pub checkpoint: Duration,
    /// Stop after so many steps, ready to be resumed.
    pub steps: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { checkpoint: Duration::from_secs(10), steps: None }
    }
}

impl Folder {
    /// Opens the tables of a simulation, new or as they were when it was saved, with the scene beside them.
    ///
    /// # Errors
    /// When the system refuses, or what the checkpoint counts on is not there.
    pub fn open<S: Simulation>(
        path: &Path,
        scene: &Told,
        simulation: &S,
        found: &Found<S::Saved>,
    ) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|why| unwritable(path, why))?;
        let said = scene.essence();
        let fingerprint = scene.fingerprint();
        let extends = !found.journals.is_empty();
        if !found.resumed {
            // A checkpoint of another run must never describe new tables.
            let _ = fs::remove_file(path.join(CHECKPOINT));
        }
        if !extends && !found.marked {
            let _ = fs::remove_file(path.join(EXTEND));
        }
        let mut folder = Self {
            path: path.to_path_buf(),
            told: scene.clone(),
            scene: said,
            format: found.format,
            replaces: found.replaces,
            extends,
            marked: found.marked,
            names: Vec::new(),
            sinks: Vec::new(),
            kept: Vec::new(),
        };
        for (number, (name, empty)) in simulation.tables().into_iter().enumerate() {
            let file = folder.file(name);
            let kept = found.resumed.then(|| found.fragments.get(number).copied().unwrap_or(0));
            let partial = beside(&file, ".partial");
            if let Some(journal) = found.journals.get(number) {
                extend::reopen(&file, journal).map_err(|why| unwritable(&file, why))?;
            }
            let sink = match kept {
                // It was killed while the finished files got their names.
                Some(_) if simulation.done() && file.exists() && !partial.exists() => None,
                _ => match Sink::grow(&empty, &fingerprint, &file, found.format, kept) {
                    Ok(sink) => Some(sink),
                    Err(failure) => {
                        // A new run that cannot begin leaves nothing, not even the tables that could.
                        if kept.is_none() && !matches!(failure, Failure::Busy(_)) {
                            folder.discard();
                        }
                        return Err(failure);
                    }
                },
            };
            folder.names.push(name);
            folder.sinks.push(sink);
            folder.kept.push(kept.unwrap_or(0));
        }
        let file = path.join(SCENE);
        if (!found.resumed || !file.exists())
            && let Err(why) = folder.tell()
        {
            if !found.resumed {
                folder.discard();
            }
            return Err(unwritable(&file, why));
        }
        Ok(folder)
    }

    /// Writes what is run beside the tables.
    fn tell(&self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.told).map_err(io::Error::other)?;
        whole(&self.path.join(SCENE), &text)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{}", self.format.name()))
    }

    /// Writes the pieces of tables that are complete.
    fn take<S: Simulation>(&mut self, simulation: &mut S, end: bool) -> Result<(), Failure> {
        for (number, columns) in simulation.ready(end) {
            if let Some(Some(sink)) = self.sinks.get_mut(number) {
                sink.append(encode(&columns, self.format))?;
                self.kept[number] = sink.next();
            }
        }
        Ok(())
    }

    /// Keeps everything that is needed to go on.
    fn save<S: Simulation>(&mut self, simulation: &S, ended: bool) -> Result<(), Failure> {
        for sink in self.sinks.iter().flatten() {
            sink.sync()?;
        }
        let checkpoint = Checkpoint {
            carom: env!("CARGO_PKG_VERSION"),
            scene: &self.scene,
            format: self.format.name(),
            fragments: self.kept.clone(),
            ended,
            marked: self.marked,
            saved: simulation.save(),
        };
        let path = self.path.join(CHECKPOINT);
        let text = serde_json::to_vec(&checkpoint)
            .map_err(|why| stopped(&path, io::Error::other(why.to_string())))?;
        whole(&path, &text).map_err(|why| stopped(&path, why))
    }

    /// Keeps the run as it is before its end matters, so that it can be extended.
    fn mark<S: Simulation>(&self, simulation: &S) -> Result<(), Failure> {
        let journal =
            |name: &&'static str| fs::read_to_string(beside(&self.file(name), ".journal"));
        let path = self.path.join(EXTEND);
        let journals: io::Result<Vec<String>> = self.names.iter().map(journal).collect();
        let marked = journals.and_then(|journals| {
            let what = Extendable {
                carom: env!("CARGO_PKG_VERSION"),
                scene: &self.scene,
                format: self.format.name(),
                fragments: &self.kept,
                journals,
                saved: simulation.save(),
            };
            extend::mark(&self.path, &what)
        });
        marked.map_err(|why| stopped(&path, why))
    }

    /// Runs the simulation to its end, or until it is told to stop; true when the end was reached, and all
    /// tables are then in their places. `watch` sees every step and says whether to go on; `last` may add
    /// files of its own before a finished run is called finished.
    ///
    /// # Errors
    /// When the system refuses (what was written is safe), or the simulation cannot go on: then the tables get
    /// their names with what they hold, unless that is nothing.
    pub fn run<S: Simulation>(
        mut self,
        simulation: &mut S,
        limits: Limits,
        mut watch: impl FnMut(&S) -> bool,
        last: impl FnOnce(&S, &Path) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let mut cost = Duration::ZERO;
        // From the first moment on there is something to go on from.
        let begins = !self.path.join(CHECKPOINT).exists();
        match self.save(simulation, false) {
            Err(Failure::System { path, why, .. }) if begins => {
                self.discard();
                return Err(unwritable(&path, why));
            }
            other => other?,
        }
        if self.replaces {
            let growing: Vec<_> =
                self.names.iter().map(|name| format!("{name}.{}", self.format.name())).collect();
            before::clear(&self.path, &growing);
        }
        if self.extends {
            // From here on it is a run that was stopped.
            let _ = fs::remove_file(self.path.join(SUMMARY));
            let _ = fs::remove_file(self.path.join(EXTEND));
            self.tell().map_err(|why| stopped(&self.path.join(SCENE), why))?;
        }
        let (mut saved, mut steps) = (Instant::now(), 0u64);
        while !simulation.done() {
            if limits.steps.is_some_and(|most| steps >= most) || !watch(simulation) {
                self.save(simulation, false)?;
                return Ok(false);
            }
            if !self.marked && simulation.end_matters() {
                self.mark(simulation)?;
                self.marked = true;
            }
            match simulation.step(limits.steps.map_or(u64::MAX, |most| most - steps)) {
                Ok(taken) => steps += taken,
                Err(error) => return Err(self.give_up(simulation, error, last)),
            }
            self.take(simulation, false)?;
            if saved.elapsed() >= limits.checkpoint.max(cost * 20) {
                let begun = Instant::now();
                self.save(simulation, false)?;
                (cost, saved) = (begun.elapsed(), Instant::now());
            }
        }
        watch(simulation);
        self.take(simulation, true)?;
        self.save(simulation, true)?;
        last(simulation, &self.path)?;
        self.finish(&simulation.summary(), None)?;
        Ok(true)
    }

    /// Keeps what a run has that cannot go on, and says up to where it reaches.
    fn give_up<S: Simulation>(
        mut self,
        simulation: &mut S,
        error: carom::Error,
        last: impl FnOnce(&S, &Path) -> Result<(), Failure>,
    ) -> Failure {
        let reached = simulation.fail();
        if !(reached > 0.0) {
            self.discard();
            return Failure::Run(error);
        }
        let path = self.path.clone();
        let _ = fs::remove_file(path.join(EXTEND));
        let kept = self
            .take(simulation, true)
            .and_then(|()| last(simulation, &path))
            .and_then(|()| self.finish(&simulation.summary(), Some(&error)));
        match kept {
            Ok(()) => Failure::Broken { path, error, reached },
            Err(failure) => failure,
        }
    }

    /// Gives the files their names.
    fn finish(
        self,
        summary: &impl Serialize,
        failed: Option<&carom::Error>,
    ) -> Result<(), Failure> {
        let Self { path, format, names, sinks, .. } = self;
        for (name, sink) in names.iter().zip(sinks) {
            match sink {
                Some(sink) => drop(sink.finish()?),
                None => {
                    let file = path.join(format!("{name}.{}", format.name()));
                    let _ = fs::remove_file(beside(&file, ".journal"));
                }
            }
        }
        let file = path.join(SUMMARY);
        let text = match failed {
            None => serde_json::to_string_pretty(summary),
            Some(error) => serde_json::to_value(summary).and_then(|mut summary| {
                summary["finished"] = false.into();
                summary["failed"] = error.to_string().into();
                serde_json::to_string_pretty(&summary)
            }),
        };
        let text = text.map_err(|why| stopped(&file, io::Error::other(why.to_string())))?;
        whole(&file, (text + "\n").as_bytes()).map_err(|why| stopped(&file, why))?;
        let checkpoint = path.join(CHECKPOINT);
        fs::remove_file(&checkpoint).map_err(|why| stopped(&checkpoint, why))
    }

    /// Leaves nothing of a run that cannot go on.
    fn discard(&self) {
        for name in &self.names {
            let file = self.file(name);
            let _ = fs::remove_file(beside(&file, ".partial"));
            let _ = fs::remove_file(beside(&file, ".journal"));
        }
        for name in [CHECKPOINT, SCENE, EXTEND] {
            let _ = fs::remove_file(self.path.join(name));
        }
    }
}

pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn unwritable(path: &Path, why: io::Error) -> Failure {
    Failure::System { path: path.into(), why, kept: 0, partitions: u64::MAX }
}

fn stopped(path: &Path, why: io::Error) -> Failure {
    Failure::System { path: path.into(), why, kept: 1, partitions: u64::MAX }
}

/// Writes a file whole or not at all, on the disk before it has its name.
fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path, ".new");
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
