//! The reference of the scene format as Markdown, printed from the declarations.

use super::{Absent, Allowed, Key, SCENE, TableFormat, Unit, Value};
use carom::units::Dimension;
use toml::de::{DeTable, DeValue};

/// Scenes that use every key; the examples of the reference are taken from them.
pub(super) const EXAMPLES: [&str; 2] =
    [include_str!("example-bodies.toml"), include_str!("example-grains.toml")];

/// A table, and all places where it can occur: `contact.friction`, `clearance.friction`.
struct Section {
    format: &'static TableFormat,
    paths: Vec<Vec<Step>>,
}

/// One step from a table to a table within it, and whether there can be several of the latter.
#[derive(Clone, Copy)]
struct Step {
    key: &'static str,
    several: bool,
}

/// Returns the reference: every table and key with value, unit, default, meaning and an example.
///
/// ```
/// let page = carom_world::scene::format::markdown();
/// assert!(page.contains("| `duration` | quantity | s | needed | how long the scene runs, above 0 |"));
/// ```
pub fn markdown() -> String {
    let examples: Vec<_> =
        EXAMPLES.iter().filter_map(|text| Some((*text, DeTable::parse(text).ok()?))).collect();
    let mut page = String::new();
    let sections = sections();
    for section in &sections {
        page += &format!("## {}\n\n{}\n\n", section.heading(), section.format.meaning);
        page += "| key | value | unit | default | meaning | example |\n|---|---|---|---|---|---|\n";
        for key in section.format.keys() {
            let here = |section: &Section| {
                examples.iter().find_map(|(text, root)| {
                    let mut paths = section.paths.iter();
                    paths.find_map(|path| example(text, root.get_ref(), path, key))
                })
            };
            // The example of a key that several tables share may be in another table, unless its unit differs there.
            let shared = sections.iter().filter(|other| {
                let same = other.format.key(key.name).map(|found| found.meaning);
                !key.has_unit_of_motion() && same == Some(key.meaning)
            });
            let example = here(section).or_else(|| shared.filter_map(here).next());
            page += &row(key, &sections, &example.unwrap_or_default());
        }
        page += "\n";
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// Returns every table once, in the order in which they are presented.
fn sections() -> Vec<Section> {
    fn visit(format: &'static TableFormat, path: Vec<Step>, found: &mut Vec<Section>) {
        if let Some(known) = found.iter_mut().find(|section| std::ptr::eq(section.format, format)) {
            known.paths.push(path);
            return;
        }
        found.push(Section { format, paths: vec![path.clone()] });
        for key in format.keys() {
            let (inner, several) = match key.value {
                Value::Table(inner) => (inner, false),
                Value::Tables(inner) => (inner, true),
                _ => continue,
            };
            visit(inner, [path.clone(), vec![Step { key: key.name, several }]].concat(), found);
        }
    }
    let mut found = Vec::new();
    visit(&SCENE, Vec::new(), &mut found);
    found
}

impl Section {
    /// Returns the heading of the section: all places where the table can occur, such as `[[body]]` or `[contact.friction]`;
    /// "The scene" for the scene itself.
    fn heading(&self) -> String {
        let headings = self.paths.iter().map(|path| {
            let name = path.iter().map(|step| step.key).collect::<Vec<_>>().join(".");
            match path.last() {
                None => "The scene".into(),
                Some(Step { several: true, .. }) => format!("`[[{name}]]`"),
                Some(_) => format!("`[{name}]`"),
            }
        });
        headings.collect::<Vec<_>>().join(", ")
    }

    /// Returns the anchor of the heading in Markdown: without punctuation, `-` for spaces.
    fn anchor(&self) -> String {
        let heading = self.heading().to_lowercase().replace(' ', "-");
        heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    }
}

fn row(key: &Key, sections: &[Section], example: &str) -> String {
    let link = |word: &str, inner: &TableFormat| {
        let section = sections.iter().find(|section| std::ptr::eq(section.format, inner));
        section.map_or(word.to_string(), |section| format!("[{word}](#{})", section.anchor()))
    };
    let value = match key.value {
        Value::Text => "text".to_string(),
        Value::Choice(names) => {
            names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        }
        Value::Flag => "`true`, `false`".into(),
        Value::Quantity(Unit::Of(unit)) if unit.same(Dimension::NUMBER) => "number".into(),
        Value::Quantity(_) => "quantity".into(),
        Value::QuantityOrVector(_) => "quantity or three".into(),
        Value::Vector(_) => "vector".into(),
        Value::Direction => "direction".into(),
        Value::List(_) => "list".into(),
        Value::Points(_) => "list of points".into(),
        Value::Pair => "two names".into(),
        Value::Names => "list of names".into(),
        Value::Parameters => "table of quantities".into(),
        Value::Table(inner) => link("table", inner),
        Value::Tables(inner) => link("tables", inner),
    };
    let unit = match key.value.unit() {
        None => String::new(),
        Some(Unit::Of(unit)) if unit.same(Dimension::NUMBER) => String::new(),
        Some(Unit::Of(dimension)) => dimension.to_string(),
        Some(Unit::OfLaw(words)) => words.to_string(),
        Some(Unit::OfMotion(0)) => "that of the motion".into(),
        Some(Unit::OfMotion(1)) => "that of the motion, per s".into(),
        Some(Unit::OfMotion(_)) => "that of the motion, per s²".into(),
    };
    let absent = match key.absent {
        Absent::Refused(_) => "needed".to_string(),
        Absent::Is(value) => format!("`{value}`"),
        Absent::Means(words) => words.to_string(),
    };
    let allowed = match key.allowed {
        Allowed::Any => String::new(),
        Allowed::Positive => ", above 0".into(),
        Allowed::NotNegative => ", at least 0".into(),
        between => format!(", {}", between.words()),
    };
    let cells = [value, unit, absent, format!("{}{allowed}", key.meaning), example.to_string()];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| `{}` | {} |\n", key.name, cells.join(" | "))
}

impl Key {
    fn has_unit_of_motion(&self) -> bool {
        matches!(self.value.unit(), Some(Unit::OfMotion(_)))
    }
}

/// Returns a key with its value as written in an example scene; none for tables.
fn example(text: &str, root: &DeTable, path: &[Step], key: &Key) -> Option<String> {
    if matches!(key.value, Value::Table(_) | Value::Tables(_)) {
        return None;
    }
    let mut tables = vec![root];
    for step in path {
        let inner = tables.iter().filter_map(|table| table.get(step.key));
        let inner = inner.flat_map(|value| match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| item.get_ref()).collect(),
            other => vec![other],
        });
        tables = inner.filter_map(DeValue::as_table).collect();
    }
    let value = tables.iter().find_map(|table| table.get(key.name))?;
    let written = text.get(value.span())?.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("`{} = {written}`", key.name))
}
