//! Comparison of scenes: whether two texts describe the same run.

use crate::scene::document::Document;
use crate::scene::{Change, SceneError, value_at};
use toml::de::{DeTable, DeValue};

/// Returns the value at a place of a scene with its changes, as text; none if there is none.
///
/// ```
/// use carom_world::record::value_text;
/// let text = "[[contact]]\nname = \"gap\"\nlaw = \"hertz\"\n";
/// assert_eq!(value_text(text, &[], "gap.law").as_deref(), Some("hertz"));
/// assert_eq!(value_text(text, &[], "gap.exit"), None);
/// ```
pub fn value_text(text: &str, changes: &[Change], place: &str) -> Option<String> {
    let document = Document::parse_with(text, changes).ok()?;
    match value_at(document.tables(), place)? {
        DeValue::String(text) => Some(text.to_string()),
        other => {
            let mut text = String::new();
            write_value(other, &mut text);
            Some(text)
        }
    }
}

/// Returns a scene with its changes as a text that does not depend on the order of the keys, on comments or on the keys in
/// `without`. If two scenes have the same text, their runs are the same as long as both last.
///
/// # Errors
/// When the text is not TOML, or a change does not name a table in it.
///
/// ```
/// use carom_world::record::canonical_text;
/// use carom_world::scene::Change;
/// let one = "[simulation]\nduration = 1\n[output]\nformat = \"csv\"\n";
/// let two = "# the same\n[simulation]\nduration = 1\n";
/// let change = [Change::new("output", "format", "csv"), Change::new("simulation", "duration", "5")];
/// let duration = &["simulation.duration"];
/// assert_eq!(canonical_text(one, &[], duration)?, canonical_text(two, &change, duration)?);
/// assert_ne!(canonical_text(one, &[], &[])?, canonical_text(two, &change, &[])?);
/// # Ok::<(), carom_world::SceneError>(())
/// ```
pub fn canonical_text(
    text: &str,
    changes: &[Change],
    without: &[&str],
) -> Result<String, SceneError> {
    let document = Document::parse_with(text, changes)?;
    let mut out = String::new();
    write_table(document.tables(), &mut out, "", without);
    Ok(out)
}

fn write_value(value: &DeValue, out: &mut String) {
    match value {
        DeValue::String(text) => out.push_str(&format!("{text:?}")),
        DeValue::Integer(number) => out.push_str(number.as_str()),
        DeValue::Float(number) => out.push_str(number.as_str()),
        DeValue::Boolean(flag) => out.push_str(&flag.to_string()),
        DeValue::Datetime(time) => out.push_str(&time.to_string()),
        DeValue::Array(items) => {
            out.push('[');
            for item in items.iter() {
                write_value(item.get_ref(), out);
                out.push(',');
            }
            out.push(']');
        }
        DeValue::Table(table) => write_table(table, out, "", &[]),
    }
}

/// Writes keys sorted by name, except those in `without`; `place` is the path of the table.
fn write_table(table: &DeTable, out: &mut String, place: &str, without: &[&str]) {
    let mut entries: Vec<_> =
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), value.get_ref())).collect();
    entries.sort_by_key(|(key, _): &(&str, _)| *key);
    out.push('{');
    for (key, value) in entries {
        let here = if place.is_empty() { key.to_string() } else { format!("{place}.{key}") };
        // The table `control` only describes which keys may be varied and does not affect the run.
        if without.contains(&here.as_str()) || here == "control" {
            continue;
        }
        out.push_str(&format!("{key:?}="));
        match value {
            DeValue::Table(inner) => write_table(inner, out, &here, without),
            other => write_value(other, out),
        }
        out.push(';');
    }
    out.push('}');
}
