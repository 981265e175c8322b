//! Going on with a run for longer than it was meant to take.
//!
//! The last steps of a run depend on where it ends: a step is cut short so that it ends there, and the end has rows of its
//! own. So before the first step that does, `extend.json` keeps the run as it is, how many fragments of each table belong
//! to it, and their journals (which go when the tables get their names). With a longer duration the run goes on from
//! there: what its tables hold behind that is cut off, and what it leaves is, byte for byte, what a run leaves that was
//! meant to take that long from the start.
//!
//! Intervals that a scene does not say follow from its duration. They stay as they were, and so that the folder can still
//! be understood by itself they are put into `scene.json` as changes ([`Told::pins`]).

use super::past::optional;
use super::{CHECKPOINT, Found, SCENE, SUMMARY, Told, Wanted, beside, damaged, whole};
use crate::Failure;
use crate::journal::checksum;
use carom_world::scene::{Change, DURATION, TIMES, Timing, duration, essence, said_at};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

pub(super) const EXTEND: &str = "extend.json";

/// A run before its end matters.
#[derive(Serialize)]
pub(super) struct Extendable<'a, T> {
    pub carom: &'a str,
    pub scene: &'a str,
    pub format: &'a str,
    pub fragments: &'a [u64],
    pub journals: Vec<String>,
    pub saved: T,
}

/// The same, read back.
#[derive(Deserialize)]
struct Read<T> {
    carom: String,
    scene: String,
    format: String,
    fragments: Vec<u64>,
    journals: Vec<String>,
    saved: T,
}

impl Told {
    fn changes(&self, set: &[String]) -> Vec<Change> {
        set.iter().filter_map(|text| text.parse().ok()).collect()
    }

    /// What was said, without what carom added so that a longer run goes on as it began.
    fn said_by_user(&self) -> &[String] {
        self.set.get(..self.set.len().saturating_sub(self.pins)).unwrap_or_default()
    }

    /// The scene with its changes as one text: a run is resumed with the same or not at all. How long it runs is no part
    /// of it.
    pub fn essence(&self) -> String {
        self.without(DURATION)
    }

    /// The name of the scene in its tables: the same for a run and for a longer one, however its intervals are said.
    pub(super) fn fingerprint(&self) -> String {
        format!("scene-{:016x}", checksum(self.without(TIMES).as_bytes()))
    }

    fn without(&self, keys: &[&str]) -> String {
        let changes = self.changes(self.said_by_user());
        essence(&self.scene, &changes, keys).unwrap_or_else(|_| self.scene.clone())
    }

    /// How long it runs (s).
    pub(super) fn duration(&self) -> Option<f64> {
        duration(&self.scene, &self.changes(&self.set))
    }

    fn timing(&self) -> Option<Timing> {
        let files = |name: &str| {
            self.files.get(name).cloned().ok_or_else(|| "it is not in `scene.json`".to_string())
        };
        Timing::of(&self.scene, &files, &self.changes(&self.set)).ok()
    }

    /// What was run in a folder, where it says so.
    pub(super) fn of(path: &Path) -> Result<Option<Self>, Failure> {
        let file = path.join(SCENE);
        let Some(text) = optional(&file)? else { return Ok(None) };
        serde_json::from_slice(&text)
            .map(Some)
            .map_err(|why| damaged(&file, &format!("it is not what a run leaves there ({why})")))
    }

    /// The same scene as it goes on in the folder of an earlier run. Where it is to run for another time than that one,
    /// intervals that would follow from the duration are those of the earlier run; a bed takes a whole number of its
    /// steps.
    ///
    /// # Errors
    /// When what was run in the folder cannot be read.
    pub fn going_on(mut self, path: &Path) -> Result<Self, Failure> {
        let Some(before) = Self::of(path)? else { return Ok(self) };
        if before.essence() != self.essence() {
            return Ok(self);
        }
        let Some(asked) = self.duration() else { return Ok(self) };
        let pinned = |told: Self| Self { set: before.set.clone(), pins: before.pins, ..told };
        if before.duration() == Some(asked) {
            return Ok(pinned(self));
        }
        let Some(timing) = before.timing() else { return Ok(self) };
        let said = self.set.len();
        if let Some(step) = timing.step {
            let ratio = asked / step;
            let near = (ratio - ratio.round()).abs() <= 1e-9f64.max(4.0 * f64::EPSILON * ratio);
            let steps = if near { ratio.round() } else { ratio.ceil() };
            let duration = steps * step;
            if duration == timing.duration {
                return Ok(pinned(self));
            }
            if duration != asked {
                self.set.push(format!("simulation.duration={duration:e}"));
            }
        }
        let changes = self.changes(&self.set);
        for (place, interval) in timing.intervals {
            // What a scene of bodies says does not follow from anything; a bed rounds intervals to whole steps.
            if timing.step.is_some() || said_at(&self.scene, &changes, place).is_none() {
                self.set.push(format!("{place}={interval:e}"));
            }
        }
        self.pins = self.set.len() - said;
        Ok(self)
    }
}

/// Where a run for another time than before goes on from; nothing where it goes on from its checkpoint.
pub(super) fn look<T: serde::de::DeserializeOwned>(
    path: &Path,
    told: &Told,
    wanted: Wanted,
) -> Result<Option<Found<T>>, Failure> {
    let shown = path.display();
    let (stopped, ended) = (path.join(CHECKPOINT).exists(), path.join(SUMMARY).exists());
    let Some(before) = Told::of(path)? else { return Ok(None) };
    if !stopped && !ended {
        return Ok(None);
    }
    let same = before.duration() == told.duration();
    if same && stopped {
        return Ok(None);
    }
    let file = path.join(EXTEND);
    let text = optional(&file)?;
    let refuse = |why: String| Failure::Refused(format!("cannot go on in `{shown}`: {why}"));
    if before.essence() != told.essence() {
        let why = "the scene has changed since; begin anew with --overwrite";
        return Err(refuse(why.into()));
    }
    let Some(text) = text else {
        return match (stopped, same) {
            // Its end did not matter yet.
            (true, _) => Ok(None),
            (false, true) => Err(finished(path)),
            (false, false) => {
                let why =
                    format!("the run has ended, and without `{EXTEND}` it cannot be extended");
                Err(refuse(why + "; begin anew with --overwrite"))
            }
        };
    };
    if same {
        return Err(finished(path));
    }
    let version = env!("CARGO_PKG_VERSION");
    let anew = "begin anew with --overwrite";
    let read: Read<T> = serde_json::from_slice(&text)
        .map_err(|why| refuse(format!("`{EXTEND}` is damaged ({why}); {anew}")))?;
    if read.carom != version || read.scene != told.essence() {
        let why = format!("`{EXTEND}` is of another scene or of carom {}; {anew}", read.carom);
        return Err(refuse(why));
    }
    let format = super::FORMATS.into_iter().find(|format| format.name() == read.format);
    let format = format.ok_or_else(|| refuse(format!("no format `{}`; {anew}", read.format)))?;
    if wanted.format.is_some_and(|wanted| wanted != format) {
        return Err(super::other_format(path, format));
    }
    Ok(Some(Found {
        saved: Some(read.saved),
        resumed: true,
        replaces: false,
        fragments: read.fragments,
        format,
        journals: read.journals,
        marked: false,
    }))
}

fn finished(path: &Path) -> Failure {
    Failure::Refused(format!(
        "the run in `{}` has ended: --resume goes on with it where `simulation.duration` says a longer duration than \
         before; or begin anew with --overwrite",
        path.display()
    ))
}

/// Makes tables that have their names grow again, up to what their journals say. Doing it twice does no harm.
pub(super) fn reopen(file: &Path, journal: &str) -> io::Result<()> {
    let partial = beside(file, ".partial");
    whole(&beside(file, ".journal"), journal.as_bytes())?;
    match partial.exists() {
        true => Ok(()),
        false => fs::rename(file, partial),
    }
}

/// Writes down where a longer run would go on from.
pub(super) fn mark<T: Serialize>(path: &Path, what: &Extendable<T>) -> io::Result<()> {
    let text = serde_json::to_vec(what).map_err(io::Error::other)?;
    whole(&path.join(EXTEND), &text)
}
