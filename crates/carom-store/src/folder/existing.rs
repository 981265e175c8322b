//! Files of an earlier run in a folder.

use super::{Description, EXTEND, SCENE, SUMMARY};
use crate::Format;
use std::fs;
use std::path::Path;

/// Names of the files of all tables in every format.
fn table_files<D: Description>() -> impl Iterator<Item = String> {
    let names = D::tables().into_iter().map(|table| table.name);
    names.flat_map(|name| Format::ALL.map(|format| format!("{name}.{}", format.name())))
}

/// A file that a run would replace or, as a table of an earlier run in another format, remove.
pub(super) fn existing_file<D: Description>(path: &Path) -> Option<String> {
    // Beside unfinished tables, the scene is that of a run killed before its first checkpoint.
    let scene = (!has_unfinished_tables::<D>(path)).then(|| SCENE.to_string());
    let mut names = std::iter::once(SUMMARY.to_string()).chain(table_files::<D>()).chain(scene);
    names.find(|name| path.join(name).exists())
}

/// Whether there are unfinished tables.
pub(super) fn has_unfinished_tables<D: Description>(path: &Path) -> bool {
    let partial = |name: String| path.join(format!("{name}.partial")).exists();
    !path.join(SUMMARY).exists() && table_files::<D>().any(partial)
}

/// Removes the files of an earlier run, so that everything in the folder is of one run: results, figures, and
/// unfinished tables, except the tables that are growing now. Files that cannot be removed are replaced in the end.
pub(super) fn clear<D: Description>(path: &Path, growing: &[String]) {
    // The summary first: without it the folder does not count as finished.
    let _ = fs::remove_file(path.join(SUMMARY));
    let _ = fs::remove_file(path.join(EXTEND));
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
    // Fails, as it should, where there are other files in it.
    let _ = fs::remove_dir(&figures);
}
