//! Text of a scene with all files that belong to it, as kept in the folder of a run.

use super::same_run::{canonical_text, value_text};
use super::tables;
use crate::grains::{GranularScene, whole_steps};
use crate::scene::document::Document;
use crate::scene::{Change, Scene};
use carom_store::folder::Description;
use carom_store::table::Schema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A scene as it was given, with everything that is needed to run it again. It is stored in `scene.json` and is accepted
/// unchanged by the API of the lab.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SceneSource {
    /// Text of the scene, unchanged.
    pub scene: String,
    /// Changes of its keys, as `TABLE.KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// Contents of the files that it names, by name.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Number of changes, at the end of `set`, that were added by carom to keep the intervals of a run that is extended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pins: usize,
}

/// Key that may differ when a run is extended.
const DURATION_KEYS: &[&str] = &["simulation.duration"];

/// Keys of the duration and of the intervals of the output.
const TIMING_KEYS: &[&str] =
    &["simulation.duration", "simulation.sample", "simulation.step", "grains.snapshot"];

/// Duration of a scene, and the intervals that follow from it where the scene does not give them.
struct Timing {
    /// Duration of the run (s).
    duration: f64,
    /// Length of a step of a bed (s); the duration is a whole number of steps.
    step: Option<f64>,
    /// Keys of intervals, and their lengths (s).
    intervals: Vec<(&'static str, f64)>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl SceneSource {
    fn parse_changes(set: &[String]) -> Vec<Change> {
        set.iter().filter_map(|text| text.parse().ok()).collect()
    }

    /// Returns the changes that were made by the user.
    fn own_changes(&self) -> &[String] {
        self.set.get(..self.set.len().saturating_sub(self.pins)).unwrap_or_default()
    }

    fn canonical_text_without(&self, keys: &[&str]) -> String {
        let changes = Self::parse_changes(self.own_changes());
        canonical_text(&self.scene, &changes, keys).unwrap_or_else(|_| self.scene.clone())
    }

    fn timing(&self) -> Option<Timing> {
        let files = |name: &str| {
            self.files.get(name).cloned().ok_or_else(|| "it is not in `scene.json`".to_string())
        };
        let changes = Self::parse_changes(&self.set);
        if !GranularScene::recognizes(&self.scene) {
            let scene = Scene::parse_with(&self.scene, &files, &changes).ok()?;
            let intervals = vec![("simulation.sample", scene.sample)];
            return Some(Timing { duration: scene.duration, step: None, intervals });
        }
        let scene = GranularScene::parse_with(&self.scene, &files, &changes).ok()?;
        let (step, (ledger, snapshot)) = (scene.step(), scene.every);
        let intervals = vec![
            ("simulation.step", step),
            ("simulation.sample", ledger as f64 * step),
            ("grains.snapshot", snapshot as f64 * step),
        ];
        Some(Timing { duration: scene.duration, step: Some(step), intervals })
    }

    /// Returns this scene as the continuation of the run of `before`. If its duration differs, intervals that would follow
    /// from the duration are set to those of the earlier run, and the duration of a bed is rounded up to a whole number of
    /// its steps.
    pub fn continuing(mut self, before: Option<Self>) -> Self {
        let Some(before) = before.filter(|before| {
            before.canonical_text_without(DURATION_KEYS)
                == self.canonical_text_without(DURATION_KEYS)
        }) else {
            return self;
        };
        let Some(asked) = self.duration() else { return self };
        let unchanged = |this: Self| Self { set: before.set.clone(), pins: before.pins, ..this };
        if before.duration() == Some(asked) {
            return unchanged(self);
        }
        let Some(timing) = before.timing() else { return self };
        let own = self.set.len();
        if let Some(step) = timing.step {
            let duration = whole_steps(asked, step).0 * step;
            if duration == timing.duration {
                return unchanged(self);
            }
            if duration != asked {
                self.set.push(format!("simulation.duration={duration:e}"));
            }
        }
        let changes = Self::parse_changes(&self.set);
        for (place, interval) in timing.intervals {
            // An interval that is given in a scene of bodies does not depend on the duration; in a bed, intervals are
            // rounded to whole steps.
            if timing.step.is_some() || value_text(&self.scene, &changes, place).is_none() {
                self.set.push(format!("{place}={interval:e}"));
            }
        }
        self.pins = self.set.len() - own;
        self
    }
}

impl Description for SceneSource {
    fn tables() -> Vec<Schema> {
        tables::of_bodies().into_iter().chain(tables::of_grains()).collect()
    }

    fn identity(&self) -> String {
        // Files that the scene names (laws, motions, positions) are identified by their contents.
        let files = self
            .files
            .iter()
            .map(|(name, text)| format!("# {name}: {}\n", carom::sweep::fingerprint(text)));
        self.canonical_text_without(DURATION_KEYS) + &files.collect::<String>()
    }

    fn fingerprint(&self) -> String {
        format!("scene-{}", carom::sweep::fingerprint(&self.canonical_text_without(TIMING_KEYS)))
    }

    fn duration(&self) -> Option<f64> {
        let changes = Self::parse_changes(&self.set);
        let document = Document::parse_with(&self.scene, &changes).ok()?;
        let simulation = document.root().table("simulation").ok()??;
        simulation.quantity("duration").ok()?
    }
}
