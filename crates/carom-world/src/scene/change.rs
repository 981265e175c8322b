//! Changes to a scene: the same scene with another law, clearance or speed, without another file.
//!
//! A change names a table, a key and a value: `wrist pin.law=flores-2011` sets `law` in the table whose `name`
//! is `wrist pin`; `simulation.duration=0.1 s` sets a key of `[simulation]`. The value is TOML where it can be
//! read as TOML (a number, a list, true) and a text otherwise, so that quotes are not needed.

use super::SceneError;
use carom::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One key of one table, set to another value.
///
/// ```
/// use carom_world::scene::Change;
/// let change: Change = "wrist pin.clearance=0.1 mm".parse()?;
/// assert_eq!((change.table.as_str(), change.key.as_str()), ("wrist pin", "clearance"));
/// assert!("clearance".parse::<Change>().is_err());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Name of the table: its `name`, or its heading where there is one only (`simulation`, `grains`).
    pub table: String,
    /// Which key.
    pub key: String,
    /// What it becomes, as it was written.
    pub value: String,
}

impl Change {
    /// A change from its three parts.
    pub fn new(table: impl Into<String>, key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { table: table.into(), key: key.into(), value: value.into() }
    }
}

impl std::str::FromStr for Change {
    type Err = Error;

    fn from_str(text: &str) -> carom::Result<Self> {
        let parts = text.split_once('=').and_then(|(place, value)| {
            let (table, key) = place.rsplit_once('.')?;
            Some((table.trim(), key.trim(), value.trim()))
        });
        match parts {
            Some((table, key, value)) if !(table.is_empty() || key.is_empty()) => {
                Ok(Self::new(table, key, value))
            }
            _ => Err(Error::invalid(
                "change",
                format!("`{text}`"),
                "TABLE.KEY=VALUE",
                "write for example 'wrist pin.law=flores-2011' or 'simulation.duration=0.1 s'",
            )),
        }
    }
}

/// Lists of tables that have names.
const LISTS: [&str; 5] = ["body", "contact", "joint", "clearance", "spring"];

/// Tables of which there is one, named by their heading.
const ALONE: [&str; 4] = ["simulation", "ground", "grains", "output"];

/// Makes a change in a parsed scene.
///
/// # Errors
/// When no table, or more than one, has the name.
pub(super) fn apply<'t>(root: &mut DeTable<'t>, change: &'t Change) -> Result<(), SceneError> {
    let names = names(root);
    let found: Vec<usize> =
        names.iter().enumerate().filter(|(_, n)| **n == change.table).map(|(i, _)| i).collect();
    let value = value(&change.value);
    match (found.as_slice(), change.table.as_str()) {
        ([index], _) => {
            if let Some(table) = tables(root).nth(*index) {
                set(table, &change.key, value);
            }
            Ok(())
        }
        ([], name) if ALONE.contains(&name) && root.contains_key(name) => {
            if let Some(entry) = root.get_mut(change.table.as_str())
                && let DeValue::Table(table) = entry.get_mut()
            {
                set(table, &change.key, value);
            }
            Ok(())
        }
        ([], name) => {
            let known = names.iter().map(String::as_str).filter(|name| !name.is_empty());
            let alone = ALONE.into_iter().filter(|name| root.contains_key(*name));
            let known: Vec<_> = known.chain(alone).collect();
            let otherwise = format!("there are {}", known.join(", "));
            let error = Error::unknown("table", name, known, &otherwise);
            Err(SceneError { line: 1, error: error.to_string() })
        }
        (several, name) => {
            let count = several.len();
            let error = Error::invalid(
                "change",
                format!("`{name}`"),
                format!("the name of one table, not of {count}"),
                "give the tables of the scene different names",
            );
            Err(SceneError { line: 1, error: error.to_string() })
        }
    }
}

/// The tables of all lists, in their order.
fn tables<'a, 't>(root: &'a mut DeTable<'t>) -> impl Iterator<Item = &'a mut DeTable<'t>> {
    let lists = root.iter_mut().filter(|(key, _)| LISTS.contains(&key.get_ref().as_ref()));
    lists
        .filter_map(|(_, value)| match value.get_mut() {
            DeValue::Array(items) => Some(items),
            _ => None,
        })
        .flat_map(|items| items.iter_mut())
        .filter_map(|item| match item.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        })
}

/// Their names; empty where a table has none.
fn names(root: &mut DeTable) -> Vec<String> {
    let name = |table: &mut DeTable| {
        table.get("name").and_then(|name| name.get_ref().as_str()).unwrap_or_default().to_string()
    };
    tables(root).map(name).collect()
}

/// Sets a key; errors about it are reported where the key stood, or at the top of the text.
fn set<'t>(table: &mut DeTable<'t>, key: &'t str, value: DeValue<'t>) {
    let span = table.get(key).map_or(0..0, |old| old.span());
    table.insert(Spanned::new(span.clone(), key.into()), Spanned::new(span, value));
}

/// A value as TOML, or else as the text that it is.
fn value(text: &str) -> DeValue<'_> {
    match DeValue::parse(text) {
        Ok(value) => value.into_inner(),
        Err(_) => DeValue::String(text.into()),
    }
}
