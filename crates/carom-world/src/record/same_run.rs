//! Compares scenes: whether two texts describe the same run, and which keys may differ when a run is extended.

use crate::grains::GranularScene;
use crate::scene::document::Document;
use crate::scene::{Change, Files, Scene, SceneError, value_at};
use toml::de::{DeTable, DeValue};

/// How long a scene runs, and the intervals that follow from that where it does not say them.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// How long it runs (s).
    pub duration: f64,
    /// Length of a step of a bed (s), of which a run has a whole number.
    pub step: Option<f64>,
    /// Places of intervals, as a [`Change`] names them, and their lengths (s).
    pub intervals: Vec<(&'static str, f64)>,
}

impl Timing {
    /// Of a scene of bodies or of grains with its changes.
    ///
    /// # Errors
    /// As [`Scene::parse_with`].
    ///
    /// ```
    /// use carom_world::record::Timing;
    /// let timing = Timing::of("[simulation]\nduration = \"2 s\"\n", &|_| Err("none".into()), &[])?;
    /// assert_eq!((timing.duration, timing.intervals), (2.0, vec![("simulation.sample", 0.002)]));
    /// # Ok::<(), carom_world::SceneError>(())
    /// ```
    pub fn of(text: &str, files: Files, changes: &[Change]) -> Result<Self, SceneError> {
        if !GranularScene::recognizes(text) {
            let Scene { duration, sample, .. } = Scene::parse_with(text, files, changes)?;
            let intervals = vec![("simulation.sample", sample)];
            return Ok(Self { duration, step: None, intervals });
        }
        let scene = GranularScene::parse_with(text, files, changes)?;
        let step = scene.step();
        let (ledger, snapshot) = scene.every;
        let intervals = vec![
            ("simulation.step", step),
            ("simulation.sample", ledger as f64 * step),
            ("grains.snapshot", snapshot as f64 * step),
        ];
        Ok(Self { duration: scene.duration, step: Some(step), intervals })
    }
}

/// How long a scene runs with its changes (s), where it says so.
pub fn duration(text: &str, changes: &[Change]) -> Option<f64> {
    let document = Document::changed(text, changes).ok()?;
    let simulation = document.root().table("simulation").ok()??;
    simulation.quantity("duration").ok()?
}

/// The value at a place of a scene with its changes, as text; none where there is none.
///
/// ```
/// use carom_world::record::value_text;
/// let text = "[[contact]]\nname = \"gap\"\nlaw = \"hertz\"\n";
/// assert_eq!(value_text(text, &[], "gap.law").as_deref(), Some("hertz"));
/// assert_eq!(value_text(text, &[], "gap.exit"), None);
/// ```
pub fn value_text(text: &str, changes: &[Change], place: &str) -> Option<String> {
    let document = Document::changed(text, changes).ok()?;
    match value_at(document.tables(), place)? {
        DeValue::String(text) => Some(text.to_string()),
        other => {
            let mut text = String::new();
            write(other, &mut text);
            Some(text)
        }
    }
}

/// The key of the duration.
pub const DURATION: &[&str] = &["simulation.duration"];

/// Duration and output intervals.
pub const TIMES: &[&str] =
    &["simulation.duration", "simulation.sample", "simulation.step", "grains.snapshot"];

/// A scene with its changes as one text that does not depend on the order of keys, on remarks or on the keys that are
/// left out, such as [`DURATION`]: two scenes with the same one are the same run, as far as both go.
///
/// # Errors
/// When the text is not TOML, or a change names no table of it.
///
/// ```
/// use carom_world::record::{DURATION, canonical_text};
/// use carom_world::scene::Change;
/// let one = "[simulation]\nduration = 1\n[output]\nformat = \"csv\"\n";
/// let two = "# the same\n[simulation]\nduration = 1\n";
/// let change = [Change::new("output", "format", "csv"), Change::new("simulation", "duration", "5")];
/// assert_eq!(canonical_text(one, &[], DURATION)?, canonical_text(two, &change, DURATION)?);
/// assert_ne!(canonical_text(one, &[], &[])?, canonical_text(two, &change, &[])?);
/// # Ok::<(), carom_world::SceneError>(())
/// ```
pub fn canonical_text(
    text: &str,
    changes: &[Change],
    without: &[&str],
) -> Result<String, SceneError> {
    let document = Document::changed(text, changes)?;
    let mut out = String::new();
    write_table(document.tables(), &mut out, "", without);
    Ok(out)
}

fn write(value: &DeValue, out: &mut String) {
    match value {
        DeValue::String(text) => out.push_str(&format!("{text:?}")),
        DeValue::Integer(number) => out.push_str(number.as_str()),
        DeValue::Float(number) => out.push_str(number.as_str()),
        DeValue::Boolean(flag) => out.push_str(&flag.to_string()),
        DeValue::Datetime(time) => out.push_str(&time.to_string()),
        DeValue::Array(items) => {
            out.push('[');
            for item in items.iter() {
                write(item.get_ref(), out);
                out.push(',');
            }
            out.push(']');
        }
        DeValue::Table(table) => write_table(table, out, "", &[]),
    }
}

/// Keys in the order of their names, without those that are left out; `place` is where the table stands.
fn write_table(table: &DeTable, out: &mut String, place: &str, without: &[&str]) {
    let mut entries: Vec<_> =
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), value.get_ref())).collect();
    entries.sort_by_key(|(key, _): &(&str, _)| *key);
    out.push('{');
    for (key, value) in entries {
        let here = if place.is_empty() { key.to_string() } else { format!("{place}.{key}") };
        // What may be varied does not change the run.
        if without.contains(&here.as_str()) || here == "control" {
            continue;
        }
        out.push_str(&format!("{key:?}="));
        match value {
            DeValue::Table(inner) => write_table(inner, out, &here, without),
            other => write(other, out),
        }
        out.push(';');
    }
    out.push('}');
}
