//! Changes of keys in a scene, for example of its law, clearance or speed, without another file.
//!
//! A change consists of a place and a value. The place names a table and, separated by dots, a key in it at any depth:
//! `simulation.duration` (or `duration`: keys of `[simulation]` can be given alone), `grains.contact.friction.coefficient`,
//! `main bearing.angle.rate`. A table of a list is given by its `name` (a contact without a name has the one that the result
//! tables show, `ball-ground`), optionally after the name of the list (`contact.ball-ground.law`), or by its number from 0
//! (`force.1.value`, `grains.wall.0.normal`). Names may contain spaces and dots; the longest name that matches is used. Tables
//! along the path that do not exist are created. The value is parsed as TOML if it is valid TOML (a number, a list, true), and
//! is a text otherwise, so that quotes are not needed.

use super::format::{self, Key, SCENE, Value};
use super::{Location, SceneError};
use carom::Error;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// One key of a scene, set to another value.
///
/// ```
/// use carom_world::scene::Change;
/// let change: Change = "wrist pin.clearance=0.1 mm".parse()?;
/// assert_eq!((change.place.as_str(), change.value.as_str()), ("wrist pin.clearance", "0.1 mm"));
/// assert!("clearance".parse::<Change>().is_err());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key: the name of a table, and keys below it, separated by dots.
    pub place: String,
    /// The new value, as written.
    pub value: String,
}

impl Change {
    /// Creates a change of a key in a table.
    pub fn new(table: impl AsRef<str>, key: impl AsRef<str>, value: impl Into<String>) -> Self {
        Self { place: format!("{}.{}", table.as_ref(), key.as_ref()), value: value.into() }
    }
}

impl std::str::FromStr for Change {
    type Err = Error;

    fn from_str(text: &str) -> carom::Result<Self> {
        match text.split_once('=').map(|(place, value)| (place.trim(), value.trim())) {
            Some((place, value)) if !place.split('.').any(str::is_empty) => {
                Ok(Self { place: place.into(), value: value.into() })
            }
            _ => Err(Error::invalid("change", format!("`{text}`"), "TABLE.KEY=VALUE", EXAMPLES)),
        }
    }
}

const EXAMPLES: &str =
    "write for example 'wrist pin.law=flores-2011' or 'grains.contact.restitution=0.7'";

/// Returns the top-level keys of a scene: with `lists`, those whose values are lists of tables, which can be named
/// individually; otherwise all others, that is single tables, which are created if the scene has none, and `title` and `about`.
fn top_level_keys(lists: bool) -> impl Iterator<Item = &'static str> {
    let wanted = move |key: &&Key| matches!(key.value, Value::Tables(_)) == lists;
    SCENE.keys().filter(wanted).map(|key| key.name)
}

/// One step of a path from the root of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathStep<'t> {
    Key(&'t str),
    Item(usize),
}

/// Applies change `number` to a parsed scene. Errors about its value will be located at the offset `at`.
///
/// # Errors
/// When no table or more than one has the name, or when the value with that name is not a table.
pub(super) fn apply<'t>(
    root: &mut DeTable<'t>,
    change: &'t Change,
    number: usize,
    at: usize,
) -> Result<(), SceneError> {
    let path =
        find_path(root, &change.place).map_err(|error| error_in_change(change, number, error))?;
    set_value(root, &path, parse_value(&change.value, at), at);
    Ok(())
}

/// Returns a message for each key that is set by several changes, of which only the last has an effect.
///
/// ```
/// use carom_world::scene::{Change, repeated_keys};
/// let text = "[[body]]\nname = \"ball\"\nradius = 1\n";
/// let twice = ["ball.radius=2", "body.0.radius=3"].map(|change| change.parse::<Change>().unwrap());
/// assert_eq!(repeated_keys(text, &twice), ["`body.0.radius` is set 2 times; the last counts: 3"]);
/// ```
pub fn repeated_keys(text: &str, changes: &[Change]) -> Vec<String> {
    let Ok(mut document) = DeTable::parse(text) else { return Vec::new() };
    let mut seen: Vec<(Vec<PathStep>, usize, &Change)> = Vec::new();
    for change in changes {
        let Ok(path) = find_path(document.get_ref(), &change.place) else { continue };
        set_value(document.get_mut(), &path, parse_value(&change.value, 0), 0);
        match seen.iter_mut().find(|(known, _, _)| *known == path) {
            Some((_, times, last)) => (*times, *last) = (*times + 1, change),
            None => seen.push((path, 1, change)),
        }
    }
    let several = seen.iter().filter(|(_, times, _)| *times > 1);
    several
        .map(|(_, times, last)| {
            format!("`{}` is set {times} times; the last counts: {}", last.place, last.value)
        })
        .collect()
}

/// Returns the value at a place, if there is one.
pub(crate) fn value_at<'a, 't>(root: &'a DeTable<'t>, place: &str) -> Option<&'a DeValue<'t>> {
    let path = find_path(root, place).ok()?;
    let (PathStep::Key(first), rest) = path.split_first()? else { return None };
    let mut value = root.get(*first)?.get_ref();
    for step in rest {
        value = match step {
            PathStep::Key(key) => value.as_table()?.get(*key)?.get_ref(),
            PathStep::Item(index) => value.as_array()?.get(*index)?.get_ref(),
        };
    }
    Some(value)
}

/// Creates an error in change `number` that quotes the change.
fn error_in_change(change: &Change, number: usize, error: Error) -> SceneError {
    let Change { place, value } = change;
    let error = error.at(format!("change '{place}={value}'"));
    SceneError { location: Location::Change(number), error }
}

/// Adds the quoted change to an error about its value; other errors are returned unchanged.
pub(crate) fn name_change(error: SceneError, changes: &[Change]) -> SceneError {
    match error.location {
        Location::Change(number) => match changes.get(number) {
            Some(change) => error_in_change(change, number, error.error),
            None => error,
        },
        Location::Line(_) | Location::Scene => error,
    }
}

/// Returns the rest of a place after a leading name, empty if the place ends there; none if it begins with another name.
fn strip_name<'t>(place: &'t str, name: &str) -> Option<&'t str> {
    match place.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// Finds the path of a place in a scene.
fn find_path<'t>(root: &DeTable, place: &'t str) -> Result<Vec<PathStep<'t>>, Error> {
    // Tables of lists that match the place: length of the name, list, index, table, and the rest of the place.
    let mut named: Vec<(usize, &'static str, usize, &DeValue, &'t str)> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for list in top_level_keys(true) {
        let Some(DeValue::Array(items)) = root.get(list).map(Spanned::get_ref) else { continue };
        for (index, item) in items.iter().enumerate() {
            let Some(name) = name_of(list, item.get_ref()) else { continue };
            if let Some(rest) = strip_name(place, &name) {
                named.push((name.len(), list, index, item.get_ref(), rest));
            }
            known.push(name);
        }
    }
    let longest = named.iter().map(|(length, ..)| *length).max().unwrap_or(0);
    named.retain(|(length, ..)| *length == longest);
    // A heading is chosen if no longer name matches.
    let mut headings: Vec<&str> = top_level_keys(false).collect();
    headings.extend(root.iter().map(|(key, _)| key.get_ref().as_ref()));
    let heading = headings.iter().filter_map(|key| Some((*key, strip_name(place, key)?)));
    if let Some((key, rest)) = heading.max_by_key(|(key, _)| key.len())
        && (named.is_empty() || key.len() > longest)
    {
        // The name is borrowed from the place, which outlives the scene.
        let key = place.get(..key.len()).unwrap_or(place);
        let mut path = vec![PathStep::Key(key)];
        match root.get(key) {
            Some(value) => extend_path(value.get_ref(), key, rest, &mut path)?,
            None => append_new_keys(rest, &mut path),
        }
        return Ok(path);
    }
    match named.as_slice() {
        [(.., "")] => Err(Error::invalid("change", format!("`{place}`"), "TABLE.KEY", EXAMPLES)),
        [(_, list, index, item, rest)] => {
            let mut path = vec![PathStep::Key(list), PathStep::Item(*index)];
            extend_path(item, place, rest, &mut path)?;
            Ok(path)
        }
        // A key of `[simulation]` can be given alone.
        [] if format::is_simulation_key(place) => {
            Ok(vec![PathStep::Key("simulation"), PathStep::Key(place)])
        }
        [] => {
            if let Some(path) = find_stops_path(root, place) {
                return path;
            }
            let first = place.split('.').next().unwrap_or(place);
            let mut known: Vec<&str> = known.iter().map(String::as_str).chain(headings).collect();
            known.sort_unstable();
            known.dedup();
            // Looks for a table that has this key, for the case that its name was forgotten.
            let mut owners = root.iter().filter(|(_, value)| {
                value.get_ref().as_table().is_some_and(|table| table.contains_key(place))
            });
            let otherwise = match owners.next() {
                Some((key, _)) => format!("did you mean `{}.{place}`?", key.get_ref()),
                None if first.contains('-') && has_auto_contacts(root) => {
                    "contacts of contact = \"auto\" have the laws of [[pair]]: change a key of pair.0, or list the contact"
                        .to_string()
                }
                None => format!("there are {}", known.join(", ")),
            };
            Err(Error::unknown("table", first, known, &otherwise))
        }
        several => {
            let places = several.iter().map(|(_, list, index, ..)| format!("`{list}.{index}`"));
            let places: Vec<String> = places.collect();
            let allowed = format!("the name of one table, not of {}", places.len());
            let advice = format!("write which of them is meant: {}", places.join(", "));
            Err(Error::invalid("change", format!("`{place}`"), allowed, advice))
        }
    }
}

/// Finds the path of a place in the stops of a joint, whose contacts are named after it; both have the same table.
fn find_stops_path<'t>(root: &DeTable, place: &'t str) -> Option<Result<Vec<PathStep<'t>>, Error>> {
    let DeValue::Array(joints) = root.get("joint")?.get_ref() else { return None };
    joints.iter().enumerate().find_map(|(index, joint)| {
        let name = name_of("joint", joint.get_ref())?;
        let stops = joint.get_ref().as_table()?.get("stops")?.get_ref();
        let rest = ["lower", "upper"]
            .iter()
            .find_map(|side| strip_name(place, &format!("{name} {side}")))?;
        let mut path = vec![PathStep::Key("joint"), PathStep::Item(index), PathStep::Key("stops")];
        Some(extend_path(stops, "stops", rest, &mut path).map(|()| path))
    })
}

/// Returns whether the scene has contacts between all bodies.
fn has_auto_contacts(root: &DeTable) -> bool {
    let simulation = root.get("simulation").and_then(|table| table.get_ref().as_table());
    let contact = simulation.and_then(|table| table.get("contact"));
    contact.and_then(|contact| contact.get_ref().as_str()) == Some("auto")
}

/// Extends a path by the rest of a place below a value.
fn extend_path<'t>(
    value: &DeValue,
    name: &str,
    rest: &'t str,
    path: &mut Vec<PathStep<'t>>,
) -> Result<(), Error> {
    if rest.is_empty() {
        return Ok(());
    }
    match value {
        DeValue::Table(table) => {
            let keys = table.iter().map(|(key, value)| (key.get_ref().as_ref(), value));
            let fitting = keys.filter(|(key, _)| strip_name(rest, key).is_some());
            match fitting.max_by_key(|(key, _)| key.len()) {
                Some((key, value)) => {
                    let further = strip_name(rest, key).unwrap_or_default();
                    let key = rest.get(..key.len()).unwrap_or(rest);
                    path.push(PathStep::Key(key));
                    extend_path(value.get_ref(), key, further, path)
                }
                None => {
                    append_new_keys(rest, path);
                    Ok(())
                }
            }
        }
        DeValue::Array(items) => {
            let named = items.iter().enumerate().filter_map(|(index, item)| {
                let name = name_of(name, item.get_ref())?;
                Some((name.len(), index, strip_name(rest, &name)?))
            });
            let (first, further) = rest.split_once('.').unwrap_or((rest, ""));
            let numbered = first.parse::<usize>().ok().filter(|index| *index < items.len());
            let found = named.max_by_key(|(length, _, _)| *length);
            let found = found.map(|(_, index, further)| (index, further));
            match found.or(numbered.map(|index| (index, further))) {
                Some((index, further)) => {
                    path.push(PathStep::Item(index));
                    items
                        .get(index)
                        .map_or(Ok(()), |v| extend_path(v.get_ref(), first, further, path))
                }
                None => {
                    let names: Vec<String> =
                        items.iter().filter_map(|item| name_of(name, item.get_ref())).collect();
                    let count = items.len();
                    let otherwise = match count {
                        0 => format!("`{name}` is an empty list"),
                        1 => format!("the only item of `{name}` is number 0"),
                        _ => format!("items of `{name}` have the numbers 0 to {}", count - 1),
                    };
                    let names = names.iter().map(String::as_str);
                    Err(Error::unknown("item of the list", first, names, &otherwise))
                }
            }
        }
        other => {
            let found = format!("{} and no table", other.type_str());
            let advice =
                "set it to a table, as in 'friction={ coefficient = 0.3 }', or name another key";
            Err(Error::invalid(name, found, format!("a table with the key `{rest}`"), advice))
        }
    }
}

/// Appends keys that do not exist in the scene yet.
fn append_new_keys<'t>(rest: &'t str, path: &mut Vec<PathStep<'t>>) {
    path.extend(rest.split('.').filter(|key| !key.is_empty()).map(PathStep::Key));
}

/// Returns the name of a table of a list; for a contact without a name, the names of its bodies.
fn name_of(list: &str, item: &DeValue) -> Option<String> {
    let table = item.as_table()?;
    if let Some(name) = table.get("name").and_then(|name| name.get_ref().as_str()) {
        return Some(name.to_string());
    }
    if !matches!(list, "contact" | "clearance") {
        return None;
    }
    let pair = table.get("between")?.get_ref().as_array()?;
    // Contacts are named after their bodies, whichever parts touch.
    let bodies = pair.iter().filter_map(|name| name.get_ref().as_str());
    let bodies = bodies.map(|name| name.split('/').next().unwrap_or(name));
    Some(bodies.collect::<Vec<_>>().join("-"))
}

/// Sets the value at a path, and creates missing tables along it.
fn set_value<'t>(
    table: &mut DeTable<'t>,
    path: &[PathStep<'t>],
    value: Spanned<DeValue<'t>>,
    at: usize,
) {
    let [PathStep::Key(key), rest @ ..] = path else { return };
    let placed = Spanned::new(at..at, (*key).into());
    if rest.is_empty() {
        // Remove the earlier key, so that errors about the new value are placed at the change.
        table.remove(*key);
        table.insert(placed, value);
        return;
    }
    let made = || Spanned::new(at..at, DeValue::Table(DeTable::new()));
    set_value_below(table.entry(placed).or_insert_with(made), rest, value, at);
}

/// Sets the value at a path below a value.
fn set_value_below<'t>(
    entry: &mut Spanned<DeValue<'t>>,
    path: &[PathStep<'t>],
    value: Spanned<DeValue<'t>>,
    at: usize,
) {
    match (path, entry.get_mut()) {
        ([], _) => *entry = value,
        ([PathStep::Item(index), rest @ ..], DeValue::Array(items)) => {
            if let Some(item) = items.get_mut(*index) {
                set_value_below(item, rest, value, at);
            }
        }
        (_, DeValue::Table(table)) => set_value(table, path, value, at),
        _ => {}
    }
}

/// Parses a value as TOML, or takes it as a text if it is not TOML; all its parts get the same offset.
fn parse_value(text: &str, at: usize) -> Spanned<DeValue<'_>> {
    let value = match DeValue::parse(text) {
        Ok(value) => value.into_inner(),
        Err(_) => DeValue::String(text.into()),
    };
    with_offset(value, at)
}

/// Gives a value and everything in it one offset, because offsets in the text of a change have no meaning in the scene.
fn with_offset(value: DeValue<'_>, at: usize) -> Spanned<DeValue<'_>> {
    let value = match value {
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| with_offset(item.into_inner(), at));
            DeValue::Array(items.collect::<DeArray>())
        }
        DeValue::Table(table) => {
            let mut placed = DeTable::new();
            for (key, value) in table {
                placed.insert(
                    Spanned::new(at..at, key.into_inner()),
                    with_offset(value.into_inner(), at),
                );
            }
            DeValue::Table(placed)
        }
        other => other,
    };
    Spanned::new(at..at, value)
}

#[cfg(test)]
mod tests;
