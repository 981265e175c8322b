//! Extension of a finished run to a longer duration.
//!
//! The last steps of a run depend on its duration: a step is cut short so that it ends there, and additional rows are written at
//! the end. Therefore, before the first such step, a checkpoint is saved in `extend.json`, together with the journals of the tables
//! (which are removed when the tables are finished). A run with a longer duration is resumed from there: later fragments of its
//! tables are cut off, and the result is identical, byte for byte, to that of a run that had the longer duration from the start.

use super::{
    CHECKPOINT_FILE, Description, EXTENSION_FILE, Options, SUMMARY_FILE, SavedRun, Start,
    description, stored::read_if_exists,
};
use crate::file::{self, beside};
use crate::{Advice, Failure};
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// Returns the point from which a run with a changed duration is resumed; `None` if it is resumed from its checkpoint.
pub(super) fn inspect<S: DeserializeOwned, D: Description>(
    path: &Path,
    what: &D,
    options: Options,
) -> Result<Option<Start<S>>, Failure> {
    let shown = path.display();
    let (stopped, ended) = (path.join(CHECKPOINT_FILE).exists(), path.join(SUMMARY_FILE).exists());
    let Some(before) = description::<D>(path)? else { return Ok(None) };
    if !stopped && !ended {
        return Ok(None);
    }
    let same = before.duration() == what.duration();
    if same && stopped {
        return Ok(None);
    }
    let text = read_if_exists(&path.join(EXTENSION_FILE))?;
    let refuse = |why: String| {
        Failure::refused(format!("cannot go on in `{shown}`: {why}"), &[Advice::Overwrite])
    };
    if before.identity() != what.identity() {
        return Err(refuse("the scene has changed since".into()));
    }
    let Some(text) = text else {
        return match (stopped, same) {
            // The run was stopped before its duration had any effect.
            (true, _) => Ok(None),
            (false, true) => Err(already_finished(path)),
            (false, false) => Err(refuse(format!(
                "the run has ended, and without `{EXTENSION_FILE}` it cannot be extended"
            ))),
        };
    };
    if same {
        return Err(already_finished(path));
    }
    let saved =
        SavedRun::read(&text).map_err(|why| refuse(format!("`{EXTENSION_FILE}`: {why}")))?;
    if saved.scene != what.identity() {
        return Err(refuse(format!("`{EXTENSION_FILE}` is of another scene")));
    }
    let format = saved.format().map_err(refuse)?;
    saved.start(path, format, options).map(Some)
}

fn already_finished(path: &Path) -> Failure {
    let text = format!("the run in `{}` has ended", path.display());
    const LONGER_DURATION_ADVICE: &str =
        "give `simulation.duration` a longer duration than before to extend it";
    Failure::refused(text, &[Advice::Other(LONGER_DURATION_ADVICE), Advice::Overwrite])
}

/// Turns a finished table back into a growing one that has the fragments of this journal. Repeating it has no further effect.
pub(super) fn reopen(file: &Path, journal: &str) -> io::Result<()> {
    let partial = beside(file, ".partial");
    file::write(&beside(file, ".journal"), journal.as_bytes())?;
    match partial.exists() {
        true => Ok(()),
        false => file::rename(file, &partial),
    }
}
