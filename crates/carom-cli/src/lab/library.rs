//! The scenes that come with carom, embedded by the build script from the folder `scenes`.

use carom_world::Scene;
use carom_world::grains::GranularScene;
use serde::Serialize;
use std::sync::OnceLock;

/// Names and contents of the files in `scenes`: scenes (`.toml`), and files that they read.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// A scene of the library.
#[derive(Debug, Serialize)]
pub struct LibraryScene {
    /// File name without its extension.
    pub name: &'static str,
    title: String,
    about: String,
    /// Contents of the file.
    pub text: &'static str,
}

/// Returns all scenes of the library.
pub fn scenes() -> &'static [LibraryScene] {
    static SCENES: OnceLock<Vec<LibraryScene>> = OnceLock::new();
    SCENES.get_or_init(|| {
        let scenes = FILES.iter().filter_map(|(file, text)| {
            let name = file.strip_suffix(".toml")?;
            let (title, about) = match GranularScene::recognizes(text) {
                true => {
                    let scene = GranularScene::parse(text, &file_of_library).ok()?;
                    (scene.title, scene.about)
                }
                false => {
                    let scene = Scene::parse(text, &file_of_library).ok()?;
                    (scene.title, scene.about)
                }
            };
            Some(LibraryScene { name, title, about, text })
        });
        scenes.collect()
    })
}

/// Returns the contents of a file of the library that a scene names; other files are not read.
pub fn file_of_library(name: &str) -> Result<String, String> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| (*text).to_string()).ok_or_else(|| {
        "the lab reads no files of this machine; open it together with the scene (a program sends it in `files`)"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_there_and_every_scene_can_be_read() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let there = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
        let there: Vec<_> = there
            .filter(|path| path.is_file() && path.extension().is_none_or(|ending| ending != "md"))
            .collect();
        assert!(there.len() >= 10 && FILES.len() >= there.len());
        for path in there {
            let name = path.file_name().unwrap().to_str().unwrap();
            let found = file_of_library(name).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(found, std::fs::read_to_string(&path).unwrap(), "{name}");
        }
        for (name, text) in FILES.iter().filter(|(name, _)| name.ends_with(".toml")) {
            assert!(scenes().iter().any(|entry| entry.text == *text), "{name}");
        }
        assert!(file_of_library("/etc/passwd").is_err());
    }
}
