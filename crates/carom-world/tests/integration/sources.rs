//! Scenes compared with their sources: measured rebounds, a recorded earthquake, mechanisms with closed forms.

mod clearance;
mod kharaz;
mod pounding;
mod socket;

use crate::common;
use carom_world::Scene;
use carom_world::scene::Change;
use std::path::PathBuf;

/// Reads a scene of the library with some of its keys changed.
fn scene(name: &str, changes: &[(&str, &str, String)]) -> Scene {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
    let files =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|why| why.to_string());
    let changes: Vec<Change> = changes
        .iter()
        .map(|(table, key, value)| Change::new(*table, *key, value.as_str()))
        .collect();
    Scene::parse_with(&text, &files, &changes).unwrap_or_else(|error| panic!("{name}: {error}"))
}
