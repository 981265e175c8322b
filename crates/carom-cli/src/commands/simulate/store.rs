//! The folder of a run: rows as they come, checkpoints, and the final files.
//!
//! While a run is on its way its rows go to `NAME.csv.part`. A checkpoint is written whole or not at all
//! and says how long these files were; on resuming they are cut to that length. When the run has ended
//! they get their final names and the checkpoint goes.

use super::recorder::Recorder;
use crate::failure::Failure;
use crate::output::file;
use carom_world::Saved;
use carom_world::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const CHECKPOINT: &str = "checkpoint.json";

/// Everything that is needed to go on.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    /// The scene that was running.
    scene: String,
    /// Its state.
    pub state: Saved,
    /// Samples taken.
    pub samples: u64,
    /// Largest kinetic and stored energy seen, by its bits.
    pub largest: u64,
    /// Notes so far.
    pub notes: Vec<(String, String)>,
    /// Bytes of the files.
    lengths: BTreeMap<String, u64>,
}

impl Checkpoint {
    /// Of a run at a step.
    pub fn new(scene: &str, state: &State, recorder: &Recorder, store: &Store) -> Self {
        Self {
            scene: scene.to_string(),
            state: state.save(),
            samples: recorder.samples,
            largest: recorder.largest.to_bits(),
            notes: recorder.all_notes(state),
            lengths: store.lengths(),
        }
    }
}

/// Where rows go: a folder, or memory.
pub struct Store {
    folder: Option<PathBuf>,
    texts: BTreeMap<String, String>,
    /// Names of the files written so far and their lengths.
    written: BTreeMap<String, u64>,
    resume: bool,
}

impl Store {
    /// A folder for a new run or one that is resumed; memory where none is given.
    pub fn open(folder: Option<&Path>, resume: bool) -> Result<Self, Failure> {
        let store = Self {
            folder: folder.map(Path::to_path_buf),
            texts: BTreeMap::new(),
            written: BTreeMap::new(),
            resume,
        };
        let Some(folder) = folder else { return Ok(store) };
        fs::create_dir_all(folder).map_err(|why| Failure::unwritable(folder, &why))?;
        let stopped = folder.join(CHECKPOINT).exists();
        if stopped && !resume {
            return Err(Failure::Input(format!(
                "`{}` holds a run that was stopped: go on with --resume, or remove its {CHECKPOINT}",
                folder.display()
            )));
        }
        if resume && !stopped {
            return Err(Failure::Input(format!(
                "`{}` holds no run that was stopped: leave out --resume",
                folder.display()
            )));
        }
        Ok(store)
    }

    /// The checkpoint to go on from, with the files cut to what they were then.
    pub fn checkpoint(&mut self, scene: &str) -> Result<Option<Checkpoint>, Failure> {
        let Some(folder) = &self.folder else { return Ok(None) };
        if !self.resume {
            return Ok(None);
        }
        let path = folder.join(CHECKPOINT);
        let damaged = |why: String| {
            let advice = "start the run again without --resume, after removing it";
            Failure::Input(format!("cannot go on from `{}`: {why}; {advice}", path.display()))
        };
        let text = fs::read_to_string(&path).map_err(|why| damaged(why.to_string()))?;
        let found: Checkpoint =
            serde_json::from_str(&text).map_err(|why| damaged(why.to_string()))?;
        if found.scene != scene {
            return Err(damaged("the scene has changed since".into()));
        }
        for (name, &length) in &found.lengths {
            let part = part(folder, name);
            let cut = OpenOptions::new().write(true).open(&part).and_then(|f| {
                match f.metadata()?.len() >= length {
                    true => f.set_len(length),
                    false => Err(std::io::ErrorKind::UnexpectedEof.into()),
                }
            });
            cut.map_err(|why| damaged(format!("`{}`: {why}", part.display())))?;
        }
        self.written.clone_from(&found.lengths);
        Ok(Some(found))
    }

    /// Appends rows to a file; a new one begins with its header.
    pub fn append(&mut self, name: &str, header: &str, rows: &str) -> Result<(), Failure> {
        let new = !self.written.contains_key(name);
        let text = if new { format!("{header}\n{rows}") } else { rows.to_string() };
        *self.written.entry(name.to_string()).or_default() += text.len() as u64;
        let Some(folder) = &self.folder else {
            *self.texts.entry(name.to_string()).or_default() += &text;
            return Ok(());
        };
        let path = part(folder, name);
        let mut options = OpenOptions::new();
        let options = if new {
            options.write(true).create(true).truncate(true)
        } else {
            options.append(true)
        };
        options
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|why| Failure::unwritable(&path, &why))
    }

    /// What a file holds so far.
    pub fn text(&self, name: &str) -> Result<String, Failure> {
        match &self.folder {
            None => Ok(self.texts.get(name).cloned().unwrap_or_default()),
            Some(folder) => {
                let path = part(folder, name);
                fs::read_to_string(&path).map_err(|why| Failure::unwritable(&path, &why))
            }
        }
    }

    fn lengths(&self) -> BTreeMap<String, u64> {
        self.written.clone()
    }

    /// Keeps a checkpoint.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        file::write(&folder.join(CHECKPOINT), crate::output::json(checkpoint)?.as_bytes())
    }

    /// Gives the files their final names.
    pub fn finish(&self, summary: &str) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        for name in self.written.keys() {
            let whole = folder.join(format!("{name}.csv"));
            fs::rename(part(folder, name), &whole)
                .map_err(|why| Failure::unwritable(&whole, &why))?;
        }
        file::write(&folder.join("summary.json"), summary.as_bytes())?;
        let checkpoint = folder.join(CHECKPOINT);
        if checkpoint.exists() {
            fs::remove_file(&checkpoint).map_err(|why| Failure::unwritable(&checkpoint, &why))?;
        }
        Ok(())
    }
}

fn part(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.csv.part"))
}
