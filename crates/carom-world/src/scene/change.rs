//! Changes to a scene: the same scene with another law, clearance or speed, without another file.
//!
//! A change names a table, a key and a value: `wrist pin.law=flores-2011` sets `law` in the table whose `name`
//! is `wrist pin` (a contact without one has the name that tables show, `ball-ground`); `simulation.duration=0.1 s` sets a key of `[simulation]`. The value is TOML where it can be
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
pub(super) fn apply<'t>(
    root: &mut DeTable<'t>,
    change: &'t Change,
    at: usize,
) -> Result<(), SceneError> {
    let fail = |error: Error| SceneError { line: 0, error: format!("{}: {error}", said(change)) };
    let names = names(root);
    let found: Vec<usize> =
        names.iter().enumerate().filter(|(_, n)| **n == change.table).map(|(i, _)| i).collect();
    let value = value(&change.value);
    match (found.as_slice(), change.table.as_str()) {
        ([index], _) => {
            if let Some((_, table)) = tables(root).nth(*index) {
                set(table, &change.key, value, at);
            }
            Ok(())
        }
        ([], name) if ALONE.contains(&name) && root.contains_key(name) => {
            if let Some(entry) = root.get_mut(change.table.as_str())
                && let DeValue::Table(table) = entry.get_mut()
            {
                set(table, &change.key, value, at);
            }
            Ok(())
        }
        ([], name) => {
            let known = names.iter().map(String::as_str).filter(|name| !name.is_empty());
            let alone = ALONE.into_iter().filter(|name| root.contains_key(*name));
            let known: Vec<_> = known.chain(alone).collect();
            let otherwise = format!("there are {}", known.join(", "));
            Err(fail(Error::unknown("table", name, known, &otherwise)))
        }
        (several, name) => {
            let count = several.len();
            Err(fail(Error::invalid(
                "change",
                format!("`{name}`"),
                format!("the name of one table, not of {count}"),
                "give the tables of the scene different names",
            )))
        }
    }
}

/// A change as it is written on the command line.
fn said(Change { table, key, value }: &Change) -> String {
    format!("--set '{table}.{key}={value}'")
}

/// An error about what a change says, which no line of the text does.
pub(crate) fn blame(error: SceneError, changes: &[Change]) -> SceneError {
    match changes.get(usize::MAX - error.line) {
        Some(change) => SceneError { line: 0, error: format!("{}: {}", said(change), error.error) },
        None => error,
    }
}

/// The tables of all lists, in their order, each with whether its list is one of contacts.
fn tables<'a, 't>(root: &'a mut DeTable<'t>) -> impl Iterator<Item = (bool, &'a mut DeTable<'t>)> {
    let lists = root.iter_mut().filter(|(key, _)| LISTS.contains(&key.get_ref().as_ref()));
    lists
        .filter_map(|(key, value)| match value.get_mut() {
            DeValue::Array(items) => {
                Some((matches!(key.get_ref().as_ref(), "contact" | "clearance"), items))
            }
            _ => None,
        })
        .flat_map(|(touches, items)| items.iter_mut().map(move |item| (touches, item)))
        .filter_map(|(touches, item)| match item.get_mut() {
            DeValue::Table(table) => Some((touches, table)),
            _ => None,
        })
}

/// Their names; what touches, for a contact without one; empty where there is neither.
fn names(root: &mut DeTable) -> Vec<String> {
    let name = |(touches, table): (bool, &mut DeTable)| {
        if let Some(name) = table.get("name").and_then(|name| name.get_ref().as_str()) {
            return name.to_string();
        }
        let pair = table.get("between").filter(|_| touches);
        let pair = pair.and_then(|pair| pair.get_ref().as_array());
        let names =
            pair.into_iter().flat_map(|pair| pair.iter().filter_map(|v| v.get_ref().as_str()));
        // The world names a contact after its bodies, whatever parts of them touch.
        let bodies = names.map(|name| name.split('/').next().unwrap_or(name));
        bodies.collect::<Vec<_>>().join("-")
    };
    tables(root).map(name).collect()
}

/// Sets a key that then stands at a place of its own, for errors about it.
fn set<'t>(table: &mut DeTable<'t>, key: &'t str, value: DeValue<'t>, at: usize) {
    table.insert(Spanned::new(at..at, key.into()), Spanned::new(at..at, value));
}

/// A value as TOML, or else as the text that it is.
fn value(text: &str) -> DeValue<'_> {
    match DeValue::parse(text) {
        Ok(value) => value.into_inner(),
        Err(_) => DeValue::String(text.into()),
    }
}
