//! The scene format: every table and key, declared once.
//!
//! The reader takes the unit, the default and the allowed values of a key from a [`TableFormat`], and cannot read a key that is
//! not declared. [`markdown`] prints the reference from the same declarations, with examples taken from scenes that the tests
//! parse. To add a key, declare it in `format/` and use it in one of the examples.

// These files are formatted as tables, with one key in each line.
#[rustfmt::skip]
mod bodies;
#[rustfmt::skip]
mod grains;
#[rustfmt::skip]
mod joints;
mod reference;
#[rustfmt::skip]
mod shared;

pub use bodies::{SCENE, TABLE_FORMATS};
pub use reference::markdown;

use carom::units::Dimension;

/// Returns whether `[simulation]` has a key of this name.
pub(super) fn is_simulation_key(name: &str) -> bool {
    match SCENE.key("simulation").map(|key| key.value) {
        Some(Value::Table(simulation)) => simulation.key(name).is_some(),
        _ => false,
    }
}

/// A table of the scene format.
pub struct TableFormat {
    /// Subject of the table.
    pub meaning: &'static str,
    /// Keys, in groups that several tables may share.
    pub keys: &'static [&'static [Key]],
}

impl TableFormat {
    /// Returns all keys.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().flat_map(|group| group.iter())
    }

    /// Returns a key by name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }
}

/// A key of a table.
#[derive(Clone, Copy)]
pub struct Key {
    /// Name of the key.
    pub name: &'static str,
    /// Kind of value.
    pub value: Value,
    /// Meaning if the key is left out.
    pub absent: Absent,
    /// Allowed numbers.
    pub allowed: Allowed,
    /// Meaning, in one line.
    pub meaning: &'static str,
}

/// Kind of value of a key.
#[derive(Clone, Copy)]
pub enum Value {
    /// A text in quotes.
    Text,
    /// One of several words.
    Choice(fn() -> Vec<&'static str>),
    /// `true` or `false`.
    Flag,
    /// A number, or a text with a unit.
    Quantity(Unit),
    /// A quantity, or three of them.
    QuantityOrVector(Unit),
    /// Three quantities, or two in a plane.
    Vector(Unit),
    /// Three numbers, of which only the direction counts.
    Direction,
    /// A list of quantities.
    List(Unit),
    /// A list of points.
    Points(Unit),
    /// Two names.
    Pair,
    /// A list of names.
    Names,
    /// Parameters of a law, each a quantity.
    Parameters,
    /// A table, `[key]` or `key = { … }`.
    Table(&'static TableFormat),
    /// Any number of tables, `[[key]]`.
    Tables(&'static TableFormat),
}

impl Value {
    /// Returns the unit of the quantities.
    pub fn unit(self) -> Option<Unit> {
        match self {
            Self::Quantity(unit)
            | Self::QuantityOrVector(unit)
            | Self::Vector(unit)
            | Self::List(unit)
            | Self::Points(unit) => Some(unit),
            _ => None,
        }
    }
}

/// Unit of a quantity.
#[derive(Clone, Copy)]
pub enum Unit {
    /// A dimension.
    Of(Dimension),
    /// A unit that follows from the exponents of the law, which the library checks; given in words.
    OfLaw(&'static str),
    /// The unit of the moving quantity, divided this many times by the unit of time: m, m/s, m/s² for a displacement.
    OfMotion(u8),
}

/// Meaning of a key that is left out.
#[derive(Clone, Copy)]
pub enum Absent {
    /// The scene is refused with this advice.
    Refused(&'static str),
    /// This value, in TOML, is used instead.
    Is(&'static str),
    /// Described in words.
    Means(&'static str),
}

/// Allowed numbers.
#[derive(Clone, Copy, PartialEq)]
pub enum Allowed {
    /// Any number; the object that is created from the key may still refuse it.
    Any,
    /// Above 0.
    Positive,
    /// 0 and above.
    NotNegative,
    /// Between two numbers.
    Between(f64, f64),
}

impl Allowed {
    /// Returns whether a number is allowed.
    pub fn contains(self, value: f64) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => value > 0.0 && value.is_finite(),
            Self::NotNegative => value >= 0.0 && value.is_finite(),
            Self::Between(least, most) => (least..=most).contains(&value),
        }
    }

    /// Returns the allowed range in words, for errors.
    pub fn words(self) -> String {
        match self {
            Self::Any => "a number".into(),
            Self::Positive => "a finite number above 0".into(),
            Self::NotNegative => "a finite number of at least 0".into(),
            Self::Between(least, most) => {
                let text = |x: f64| if x < 0.01 { format!("{x:e}") } else { x.to_string() };
                format!("between {} and {}", text(least), text(most))
            }
        }
    }
}

impl Key {
    const fn new(name: &'static str, value: Value, meaning: &'static str) -> Self {
        Self { name, value, absent: Absent::Means("–"), allowed: Allowed::Any, meaning }
    }

    /// Declares that scenes without the key are refused, with this advice.
    const fn required(self, advice: &'static str) -> Self {
        Self { absent: Absent::Refused(advice), ..self }
    }

    /// Declares a TOML value that is used if the key is left out.
    const fn with_default(self, value: &'static str) -> Self {
        Self { absent: Absent::Is(value), ..self }
    }

    /// Declares in words what holds if the key is left out.
    const fn absent_means(self, words: &'static str) -> Self {
        Self { absent: Absent::Means(words), ..self }
    }

    const fn allowed(self, allowed: Allowed) -> Self {
        Self { allowed, ..self }
    }

    const fn positive(self) -> Self {
        self.allowed(Allowed::Positive)
    }

    const fn not_negative(self) -> Self {
        self.allowed(Allowed::NotNegative)
    }
}

const fn text(name: &'static str, meaning: &'static str) -> Key {
    Key::new(name, Value::Text, meaning)
}

const fn flag(name: &'static str, meaning: &'static str) -> Key {
    Key::new(name, Value::Flag, meaning)
}

const fn choice(
    name: &'static str,
    names: fn() -> Vec<&'static str>,
    meaning: &'static str,
) -> Key {
    Key::new(name, Value::Choice(names), meaning)
}

const fn quantity(name: &'static str, dimension: Dimension, meaning: &'static str) -> Key {
    Key::new(name, Value::Quantity(Unit::Of(dimension)), meaning)
}

/// Creates a key for a quantity whose unit is given in words.
const fn quantity_in_words(name: &'static str, unit: &'static str, meaning: &'static str) -> Key {
    Key::new(name, Value::Quantity(Unit::OfLaw(unit)), meaning)
}

const fn number(name: &'static str, meaning: &'static str) -> Key {
    quantity(name, Dimension::NUMBER, meaning)
}

const fn length(name: &'static str, meaning: &'static str) -> Key {
    quantity(name, Dimension::LENGTH, meaning)
}

const fn vector(name: &'static str, dimension: Dimension, meaning: &'static str) -> Key {
    Key::new(name, Value::Vector(Unit::Of(dimension)), meaning)
}

const fn direction(name: &'static str, meaning: &'static str) -> Key {
    Key::new(name, Value::Direction, meaning)
}

const fn list(name: &'static str, dimension: Dimension, meaning: &'static str) -> Key {
    Key::new(name, Value::List(Unit::Of(dimension)), meaning)
}

const fn points(name: &'static str, dimension: Dimension, meaning: &'static str) -> Key {
    Key::new(name, Value::Points(Unit::Of(dimension)), meaning)
}

const fn table(name: &'static str, format: &'static TableFormat, meaning: &'static str) -> Key {
    Key::new(name, Value::Table(format), meaning)
}

const fn tables(name: &'static str, format: &'static TableFormat, meaning: &'static str) -> Key {
    Key::new(name, Value::Tables(format), meaning)
}

#[cfg(test)]
mod tests;
