//! What stood in a folder before a run.

use super::{EXTEND, FORMATS, SCENE, SUMMARY};
use carom_world::record::tables;
use std::fs;
use std::path::Path;

/// Names of tables, of bodies and of grains, in every format.
fn tables() -> impl Iterator<Item = String> {
    let tables = tables::BODIES.iter().chain(&tables::GRAINS);
    tables.flat_map(|table| FORMATS.map(|f| format!("{}.{}", table.name, f.name())))
}

/// A file that a run would replace or, as a table of an earlier run in another format, take away.
pub(super) fn in_the_way(path: &Path) -> Option<String> {
    // Beside tables that were begun, the scene is that of a run killed before its first checkpoint.
    let scene = (!begun(path)).then(|| SCENE.to_string());
    let mut names = std::iter::once(SUMMARY.to_string()).chain(tables()).chain(scene);
    names.find(|name| path.join(name).exists())
}

/// Whether tables were begun there, of a run that has not ended.
pub(super) fn begun(path: &Path) -> bool {
    let partial = |name: String| path.join(format!("{name}.partial")).exists();
    !path.join(SUMMARY).exists() && tables().any(partial)
}

/// Takes away what an earlier run left, so that nothing in the folder is of another one than its scene: results,
/// figures, and what was begun, except the tables that are growing now. What cannot be removed is replaced in the end.
pub(super) fn clear(path: &Path, growing: &[String]) {
    // The summary first: without it nothing here is finished.
    let _ = fs::remove_file(path.join(SUMMARY));
    let _ = fs::remove_file(path.join(EXTEND));
    for name in tables() {
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
    // Only where nothing else is in it.
    let _ = fs::remove_dir(&figures);
}
