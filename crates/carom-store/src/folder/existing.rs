//! Files that an earlier run left in a folder.

use super::{Description, EXTENSION_FILE, SCENE_FILE, SUMMARY_FILE};
use crate::Format;
use std::fs;
use std::path::Path;

/// Returns the file names of all tables in every format.
fn table_files<D: Description>() -> impl Iterator<Item = String> {
    let names = D::tables().into_iter().map(|table| table.name);
    names.flat_map(|name| Format::ALL.map(|format| format!("{name}.{}", format.name())))
}

/// Returns the name of a file that a new run would replace or, for a table of an earlier run in another format, remove.
pub(super) fn existing_file<D: Description>(path: &Path) -> Option<String> {
    // If there are unfinished tables, the scene belongs to a run that was killed before its first checkpoint.
    let scene = (!has_unfinished_tables::<D>(path)).then(|| SCENE_FILE.to_string());
    let mut names =
        std::iter::once(SUMMARY_FILE.to_string()).chain(table_files::<D>()).chain(scene);
    names.find(|name| path.join(name).exists())
}

/// Returns whether there are unfinished tables.
pub(super) fn has_unfinished_tables<D: Description>(path: &Path) -> bool {
    let partial = |name: String| path.join(format!("{name}.partial")).exists();
    !path.join(SUMMARY_FILE).exists() && table_files::<D>().any(partial)
}

/// Removes the files of an earlier run (results, figures, and unfinished tables except those that are growing now), so that all
/// files in the folder belong to one run. Files that cannot be removed are replaced at the end of the run.
pub(super) fn clear<D: Description>(path: &Path, growing: &[String]) {
    // The summary is removed first: without it the folder does not count as finished.
    let _ = fs::remove_file(path.join(SUMMARY_FILE));
    let _ = fs::remove_file(path.join(EXTENSION_FILE));
    for name in table_files::<D>() {
        let _ = fs::remove_file(path.join(&name));
        if !growing.contains(&name) {
            let _ = fs::remove_file(path.join(format!("{name}.partial")));
            let _ = fs::remove_file(path.join(format!("{name}.journal")));
        }
    }
    let figures = path.join("figures");
    for entry in fs::read_dir(&figures).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|end| end == "svg") {
            let _ = fs::remove_file(entry.path());
        }
    }
    // This fails, as intended, if the folder contains other files.
    let _ = fs::remove_dir(&figures);
}
