//! The scenes that come with carom, built in: one list, which a test holds against the folder `scenes`.

use carom_world::Scene;
use serde::Serialize;
use std::sync::OnceLock;

/// Files of the folder `scenes`, by name, with their text.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../scenes/", $name)))),*]
    };
}

/// In the order in which they are offered; scenes end in `.toml`, what else they read stands here too.
const FILES: &[(&str, &str)] = files![
    "newtons-cradle.toml",
    "bouncing-ball.toml",
    "oblique-impact.toml",
    "rocking-block.toml",
    "ball-in-socket.toml",
    "slider-crank.toml",
    "slider-crank-long.toml",
    "four-bar.toml",
    "pounding.toml",
    "foot.toml",
];

/// A scene of the library.
#[derive(Debug, Serialize)]
pub struct Entry {
    /// The name of its file, without the ending.
    pub name: &'static str,
    title: String,
    about: String,
    /// The scene itself.
    pub text: &'static str,
}

/// The scenes.
pub fn scenes() -> &'static [Entry] {
    static SCENES: OnceLock<Vec<Entry>> = OnceLock::new();
    SCENES.get_or_init(|| {
        let scenes = FILES.iter().filter_map(|(file, text)| {
            let name = file.strip_suffix(".toml")?;
            let scene = Scene::parse(text, &file_of_library).ok()?;
            Some(Entry { name, title: scene.title, about: scene.about, text })
        });
        scenes.collect()
    })
}

/// A file that a scene names; only those of the library are to be had.
pub fn file_of_library(name: &str) -> Result<String, String> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| (*text).to_string()).ok_or_else(|| {
        "the lab reads no files of this machine; send it along with the scene (in the page: open both together), or use `carom simulate`"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_offered_and_every_scene_can_be_read() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let (mut there, mut folders) = (Vec::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_none_or(|ending| ending != "md") {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                    there.push(name.replace('\\', "/"));
                }
            }
        }
        let mut known: Vec<_> = FILES.iter().map(|(name, _)| (*name).to_string()).collect();
        there.sort();
        known.sort();
        assert_eq!(known, there, "list every file of scenes/ in lab/library.rs");
        let scenes = FILES.iter().filter(|(name, _)| name.ends_with(".toml")).count();
        assert_eq!(super::scenes().len(), scenes, "a scene of the library cannot be read");
        assert!(file_of_library("/etc/passwd").is_err());
    }
}
