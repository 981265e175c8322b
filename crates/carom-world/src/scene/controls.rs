//! `[[control]]`: keys of a scene that are meant to be varied, each with its range.
//!
//! The simulation does not depend on these tables. The page of the lab shows each control as a slider and runs the scene again
//! with the changed keys. Any other key with a number can also be made a control ([`Control::of_key`]).

use super::change::value_at;
use super::document::Document;
use super::reader::{Read, SceneTable, quantity_of};
use super::{Change, SceneError};
use carom::Error;
use carom::units::{Dimension, Quantity, parse};
use serde::Serialize;

/// Range of a key for which the scene declares no control: from its value divided by this factor to its value multiplied by it.
const DEFAULT_RANGE_FACTOR: f64 = 10.0;

/// Keys that are varied together, and the range of their common value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// Label shown to the user.
    pub label: String,
    /// The keys, as [`Change::place`] names them.
    pub keys: Vec<String>,
    /// Unit of the values; empty for SI.
    pub unit: String,
    /// Lower end of the range.
    pub from: f64,
    /// Upper end of the range.
    pub to: f64,
    /// The value of the first key in this scene.
    pub value: f64,
    /// Whether the slider has a logarithmic scale.
    pub logarithmic: bool,
}

impl Control {
    /// Creates a control for one key of a scene with changes; its range follows from its value.
    ///
    /// # Errors
    /// When the scene has no such key, or its value is not a number.
    ///
    /// ```
    /// use carom_world::scene::Control;
    /// let text = "[simulation]\nduration = \"20 ms\"\n";
    /// let control = Control::of_key(text, &[], "simulation.duration")?;
    /// assert_eq!((control.value, control.unit.as_str()), (20.0, "ms"));
    /// assert_eq!((control.from, control.to, control.logarithmic), (2.0, 200.0, true));
    /// # Ok::<(), carom_world::SceneError>(())
    /// ```
    pub fn of_key(text: &str, changes: &[Change], key: &str) -> Result<Self, SceneError> {
        let document = Document::parse_with(text, changes)?;
        let found = quantity_at(&document, key).map_err(SceneError::of_scene)?;
        let unit = unit_of(&found);
        let value = number_in(&found, key, &unit).map_err(SceneError::of_scene)?;
        let (from, to) = match value {
            0.0 => (-1.0, 1.0),
            value if value > 0.0 => (value / DEFAULT_RANGE_FACTOR, value * DEFAULT_RANGE_FACTOR),
            value => (2.0 * value, 0.0),
        };
        let (label, keys) = (key.to_string(), vec![key.to_string()]);
        Ok(Self { label, keys, unit, from, to, value, logarithmic: value > 0.0 })
    }
}

/// Reads all controls of a scene.
pub(crate) fn read(document: &Document, root: &SceneTable) -> Read<Vec<Control>> {
    root.tables("control")?.iter().map(|table| read_control(document, table)).collect()
}

fn read_control(document: &Document, table: &SceneTable) -> Read<Control> {
    let keys = table.names("keys")?;
    let Some(first) = keys.first() else {
        return table.missing("keys", "name the keys, for example [\"ball-ground.restitution\"]");
    };
    for key in &keys {
        table.check_at("keys", quantity_at(document, key))?;
    }
    let found = table.check_at("keys", quantity_at(document, first))?;
    let label = table.text("label")?.unwrap_or_else(|| first.clone());
    let ends: [Option<Quantity>; 2] = [table.raw_quantity("from")?, table.raw_quantity("to")?];
    let [Some(from), Some(to)] = ends else {
        let which = if ends[0].is_none() { "from" } else { "to" };
        return table.missing(which, "give the range as numbers, or with a unit in quotes");
    };
    // Values are shown in the unit of the upper end.
    let unit = unit_of(&to);
    let number = |key, quantity: &Quantity| table.check_at(key, number_in(quantity, key, &unit));
    let (from, to) = (number("from", &from)?, number("to", &to)?);
    if !(from < to) {
        return table.invalid(
            "to",
            to,
            format!("above `from`, {from}"),
            "give the lower end first",
        );
    }
    let logarithmic = table.flag("logarithmic")?;
    if logarithmic && !(from > 0.0) {
        let advice = "begin above 0, or leave out `logarithmic`";
        return table.invalid("from", from, "above 0 on a logarithmic scale", advice);
    }
    let value = number("keys", &found)?;
    table.finish()?;
    Ok(Control { label, keys, unit, from, to, value, logarithmic })
}

/// Returns the number, or the text with a unit, at a place of the scene.
fn quantity_at(document: &Document, key: &str) -> Result<Quantity, Error> {
    let advice = "name a key with a number that the scene has, such as 'ball-ground.restitution'";
    let Some(value) = value_at(document.tables(), key) else {
        return Err(Error::invalid("keys", format!("`{key}`"), "a key of the scene", advice));
    };
    let quantity = quantity_of(value).filter(|quantity| match quantity {
        Quantity::Number(_) => true,
        Quantity::Text(text) => parse(key, text, Dimension::in_text(text)).is_ok(),
    });
    quantity
        .ok_or_else(|| Error::invalid("keys", format!("`{key}`"), "a key with a number", advice))
}

/// Returns the unit with which a quantity is written; empty for a plain number.
fn unit_of(quantity: &Quantity) -> String {
    let Quantity::Text(text) = quantity else { return String::new() };
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '\u{2212}');
    let rest = text.trim().trim_start_matches(number);
    // Skips an exponent, as in 1e-3 m.
    let rest = match rest.strip_prefix(['e', 'E']) {
        Some(behind) if behind.starts_with(number) => behind.trim_start_matches(number),
        _ => rest,
    };
    rest.trim().to_string()
}

/// Converts a quantity to a number in a unit.
fn number_in(quantity: &Quantity, name: &str, unit: &str) -> Result<f64, Error> {
    // If the unit is the same, the number is taken exactly as written.
    if let Quantity::Text(text) = quantity
        && unit_of(quantity) == unit
    {
        return parse(name, text.trim().strip_suffix(unit).unwrap_or(text), Dimension::NUMBER);
    }
    let dimension = match (quantity, unit) {
        (Quantity::Text(text), "") => Dimension::in_text(text),
        _ => Dimension::of(unit)?,
    };
    let one = if unit.is_empty() { 1.0 } else { parse(name, &format!("1 {unit}"), dimension)? };
    Ok(quantity.si(name, dimension)? / one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    const BALL: &str = "[simulation]\nduration = 1\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"2 cm\"\n\
                        density = 1000\n[[contact]]\nbetween = [\"ball\", \"ground\"]\nlaw = \"hunt-crossley-1975\"\n\
                        stiffness = 1e9\nrestitution = 0.8\n";

    fn read(more: &str, changes: &[Change]) -> Result<Vec<Control>, String> {
        let scene = Scene::parse_with(&format!("{BALL}{more}"), &|_| Err("none".into()), changes);
        scene.map(|scene| scene.controls).map_err(|error| error.to_string())
    }

    #[test]
    fn a_control_has_the_value_of_its_key_in_the_unit_of_its_range() {
        let text = "[[control]]\nkeys = [\"ball.radius\"]\nfrom = \"5 mm\"\nto = \"50 mm\"\nlabel = \"size\"\nlogarithmic = true\n\
                    [[control]]\nkeys = [\"ball-ground.restitution\"]\nfrom = 0.1\nto = 1\n";
        let found = read(text, &[]).unwrap();
        let radius = &found[0];
        assert!((radius.value - 20.0).abs() < 1e-12, "{radius:?}");
        assert_eq!((radius.unit.as_str(), radius.from, radius.to), ("mm", 5.0, 50.0));
        assert_eq!((found[1].value, found[1].label.as_str()), (0.8, "ball-ground.restitution"));
        let changed = read(text, &[Change::new("ball-ground", "restitution", "0.3")]).unwrap();
        assert_eq!(changed[1].value, 0.3);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, expected) in [
            ("from = 0\nto = 1\n", "line 13: keys"),
            ("keys = [\"ball.size\"]\nfrom = 0\nto = 1\n", "line 14: keys = `ball.size`"),
            ("keys = [\"ball-ground.law\"]\nfrom = 0\nto = 1\n", "a key with a number"),
            ("keys = [\"ball.radius\"]\nfrom = 0\n", "to"),
            ("keys = [\"ball.radius\"]\nfrom = \"3 mm\"\nto = \"1 mm\"\n", "above `from`, 3"),
            ("keys = [\"ball.radius\"]\nfrom = \"3 kg\"\nto = \"1 mm\"\n", "kg"),
            ("keys = [\"ball.radius\"]\nfrom = 0\nto = \"1 mm\"\nlogarithmic = true\n", "above 0"),
        ] {
            let error = read(&format!("[[control]]\n{text}"), &[]).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn any_key_with_a_number_can_be_varied() {
        let of = |key| Control::of_key(BALL, &[], key);
        let control = of("ball.radius").unwrap();
        assert_eq!((control.value, control.from, control.to), (2.0, 0.2, 20.0));
        assert_eq!(of("ball-ground.stiffness").unwrap().value, 1e9);
        assert!(of("ball-ground.law").is_err() && of("ball.mass").is_err() && of("").is_err());
    }
}
