//! Reads tables of a scene. Units, defaults and allowed values are those declared for a key in `format`. Keys that are not
//! declared, or that have no effect because of other keys of their table, are refused.

use super::SceneError;
use super::document::{Document, location};
use super::format::{Absent, Key, SCENE, TableFormat, Unit, Value};
use crate::math::Vec3;
use carom::Error;
use carom::message::Message;
use carom::spec::Quantity;
use carom::units::Dimension;
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) use super::document::Read;

impl Document<'_> {
    /// Returns the table of the scene itself.
    pub fn root(&self) -> SceneTable<'_> {
        let table = self.table.get_ref();
        let simulation = table.get("simulation").and_then(|value| value.get_ref().as_table());
        let planar = simulation.and_then(|table| table.get("planar")?.get_ref().as_bool());
        let root = SceneTable::new(self.text, table, self.table.span().start, &SCENE);
        SceneTable { planar: planar.unwrap_or(false), ..root }
    }
}

/// Format of tables whose keys are parameters of a law, which the library checks.
static PARAMETERS: TableFormat = TableFormat { meaning: "parameters of a law", keys: &[] };

/// A table of the text with its declared format, and a list of the keys that have been requested.
pub(crate) struct SceneTable<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    at: usize,
    format: &'static TableFormat,
    /// Whether points may have two numbers.
    planar: bool,
    /// Dimension for `Unit::OfMotion`.
    motion: Cell<Dimension>,
    requested: RefCell<Vec<&'static str>>,
}

impl<'a> SceneTable<'a> {
    pub fn new(
        text: &'a str,
        table: &'a DeTable<'a>,
        at: usize,
        format: &'static TableFormat,
    ) -> Self {
        let (motion, requested) = (Cell::new(Dimension::NUMBER), RefCell::new(Vec::new()));
        Self { text, table, at, format, planar: false, motion, requested }
    }

    /// Creates the reader of a table within this one.
    fn inner_table(&self, table: &'a DeTable<'a>, at: usize, format: &'static TableFormat) -> Self {
        Self { planar: self.planar, ..Self::new(self.text, table, at, format) }
    }

    /// Returns the declaration of a key, and its value if there is one. A key that is not declared is not found, and `finish`
    /// refuses it.
    fn get(&self, key: &str) -> Option<(&'static Key, Option<&'a Spanned<DeValue<'a>>>)> {
        let declared = self.format.key(key);
        #[cfg(test)]
        assert!(declared.is_some(), "`{key}` is not declared in scene/format");
        let declared = declared?;
        let mut requested = self.requested.borrow_mut();
        if !requested.contains(&declared.name) {
            requested.push(declared.name);
        }
        Some((declared, self.table.get(key)))
    }

    /// Returns the value of a key as it was written.
    fn written_value(&self, key: &str) -> Option<(&'static Key, &'a Spanned<DeValue<'a>>)> {
        let (declared, value) = self.get(key)?;
        Some((declared, value?))
    }

    /// Reads a key, or its declared default if it is left out.
    fn read<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'static Key, &Spanned<DeValue>) -> Read<T>,
    ) -> Read<Option<T>> {
        match self.get(key) {
            Some((declared, Some(value))) => read(declared, value).map(Some),
            Some((declared, None)) => match declared.absent {
                Absent::Is(default) => {
                    let default = DeValue::parse(default).ok();
                    default.map(|value| read(declared, &value)).transpose()
                }
                _ => Ok(None),
            },
            None => Ok(None),
        }
    }

    /// Returns the value of a key that is required and has no default, or fails with the declared advice.
    fn require<T>(&self, key: &'static str, value: Option<T>) -> Read<T> {
        value.ok_or_else(|| {
            let declared = self.format.key(key);
            let advice = match declared.map(|key| (key.absent, key.value)) {
                Some((_, Value::Choice(names))) => format!("one of {}", names().join(", ")),
                Some((Absent::Refused(advice), _)) => advice.to_string(),
                Some((_, Value::Quantity(unit))) => match self.dimension(unit) {
                    Some(dimension) if !dimension.same(Dimension::NUMBER) => {
                        format!("give it in {dimension}, or with another unit in quotes")
                    }
                    _ => "give it as a number".to_string(),
                },
                _ => "give it".to_string(),
            };
            let name = match declared.map(|key| key.value) {
                Some(Value::Table(_)) => format!("[{key}]"),
                _ => key.to_string(),
            };
            self.error_here(Error::missing(name, advice))
        })
    }

    /// Sets the dimension of the quantity that a motion describes.
    pub fn set_motion_dimension(&self, dimension: Dimension) {
        self.motion.set(dimension);
    }

    /// Returns the dimension of a unit if the declaration alone determines it.
    fn dimension(&self, unit: Unit) -> Option<Dimension> {
        match unit {
            Unit::Of(dimension) => Some(dimension),
            Unit::OfMotion(per_time) => {
                Some((0..per_time).fold(self.motion.get(), |d, _| d * Dimension::FREQUENCY))
            }
            Unit::OfLaw(_) => None,
        }
    }

    /// Returns the dimension of a declared value.
    fn dimension_of(&self, key: &Key) -> Dimension {
        key.value.unit().and_then(|unit| self.dimension(unit)).unwrap_or(Dimension::NUMBER)
    }

    /// Creates an error at an offset of the text.
    fn error_at(&self, at: usize, error: Error) -> SceneError {
        SceneError { location: location(self.text, at), error }
    }

    /// Creates an error located at this table, or at the line of the key that it concerns.
    pub fn error_here(&self, error: Error) -> SceneError {
        self.error_or_misspelling(self.offset_of(&error).unwrap_or(self.at), error)
    }

    /// Returns the offset of the key that an error concerns, in this table or in a table within it.
    fn offset_of(&self, error: &Error) -> Option<usize> {
        // The parameter has a form such as `radius`, or `radius of the sphere`.
        let key = error.parameter()?.split(' ').next()?;
        let here = self.table.get(key).map(|value| value.span().start);
        here.or_else(|| {
            let inner = self.table.iter().filter_map(|(_, value)| value.get_ref().as_table());
            inner.filter_map(|table| table.get(key)).map(|value| value.span().start).next()
        })
    }

    /// Creates an error located at one of its keys.
    pub fn error_at_key(&self, key: &'static str, error: Error) -> SceneError {
        let at = self.table.get(key).map_or(self.at, |value| value.span().start);
        self.error_or_misspelling(at, error)
    }

    fn error_or_misspelling(&self, at: usize, error: Error) -> SceneError {
        let misspelt = if error.is_missing() { self.misspelling() } else { None };
        misspelt.unwrap_or_else(|| self.error_at(at, error))
    }

    /// Refuses a combination of keys, with the error located at one of them.
    pub fn unsupported<T>(
        &self,
        key: &'static str,
        what: impl Into<String>,
        advice: &str,
    ) -> Read<T> {
        Err(self.error_at_key(key, Error::unsupported(what, advice)))
    }

    /// Refuses the value of a key.
    pub fn invalid<T>(
        &self,
        key: &'static str,
        value: impl Display,
        allowed: impl Into<String>,
        advice: &str,
    ) -> Read<T> {
        Err(self.error_at_key(key, Error::invalid(key, value, allowed, advice)))
    }

    /// Finds an unknown key that resembles one that was requested and not found. Where a key is missing, a misspelt key is the
    /// likely reason.
    fn misspelling(&self) -> Option<SceneError> {
        let requested = self.requested.borrow();
        let absent: Vec<_> =
            requested.iter().filter(|key| !self.table.contains_key(**key)).collect();
        self.table.iter().find_map(|(found, _)| {
            let name = found.get_ref().as_ref();
            let error = Error::unknown("key", name, absent.iter().map(|key| **key), "");
            (!requested.contains(&name) && error.to_string().contains("did you mean"))
                .then(|| self.error_at(found.span().start, error))
        })
    }

    /// Returns a result, with its error located at this table.
    pub fn check<T>(&self, result: carom::Result<T>) -> Read<T> {
        result.map_err(|error| self.error_here(error))
    }

    /// Returns a result, with its error located at one of the keys.
    pub fn check_at<T>(&self, key: &'static str, result: carom::Result<T>) -> Read<T> {
        result.map_err(|error| self.error_at_key(key, error))
    }

    fn type_error(
        &self,
        key: &'static str,
        value: &Spanned<DeValue>,
        allowed: &str,
        advice: &str,
    ) -> SceneError {
        let found = match value.get_ref().type_str() {
            kind if kind.starts_with(['a', 'i']) => format!("an {kind}"),
            kind => format!("a {kind}"),
        };
        self.error_at(value.span().start, Error::invalid(key, found, allowed, advice))
    }

    pub fn has(&self, key: &'static str) -> bool {
        self.written_value(key).is_some()
    }

    pub fn is_list(&self, key: &'static str) -> bool {
        self.written_value(key).is_some_and(|(_, value)| value.get_ref().is_array())
    }

    pub fn text(&self, key: &'static str) -> Read<Option<String>> {
        self.read(key, |_, value| match value.get_ref().as_str() {
            Some(text) => Ok(text.to_string()),
            None => {
                Err(self.type_error(key, value, "a text in quotes", "write it between \" and \""))
            }
        })
    }

    pub fn required_text(&self, key: &'static str) -> Read<String> {
        self.text(key).and_then(|text| self.require(key, text))
    }

    /// Reads one of the declared words; `what` names the kind of choice in errors.
    pub fn choice(&self, key: &'static str, what: &'static str) -> Read<Option<&'static str>> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        let names = match self.format.key(key).map(|declared| declared.value) {
            Some(Value::Choice(names)) => names(),
            _ => Vec::new(),
        };
        let found = names.iter().copied().find(|name| *name == word);
        found.map(Some).ok_or_else(|| {
            let otherwise = format!("use one of {}", names.join(", "));
            self.error_at_key(key, Error::unknown(what, &word, names.iter().copied(), &otherwise))
        })
    }

    pub fn required_choice(&self, key: &'static str, what: &'static str) -> Read<&'static str> {
        self.choice(key, what).and_then(|word| self.require(key, word))
    }

    /// Returns the meaning of the word given for a key, from a list of all words with their meanings.
    pub fn required_one_of<T: Copy>(
        &self,
        key: &'static str,
        what: &'static str,
        all: &[(&'static str, T)],
    ) -> Read<T> {
        let word = self.required_choice(key, what)?;
        self.require(key, all.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning))
    }

    pub fn flag(&self, key: &'static str) -> Read<bool> {
        let flag = self.read(key, |_, value| match value.get_ref().as_bool() {
            Some(flag) => Ok(flag),
            None => Err(self.type_error(key, value, "true or false", "write it without quotes")),
        });
        Ok(flag?.unwrap_or(false))
    }

    /// Returns a quantity as it was written, to be read by the library.
    pub fn raw_quantity(&self, key: &'static str) -> Read<Option<Quantity>> {
        self.read(key, |_, value| self.parse_quantity(key, value))
    }

    fn parse_quantity(&self, key: &'static str, value: &Spanned<DeValue>) -> Read<Quantity> {
        let advice = "for example 0.5 or \"12.7 mm\"";
        let wrong = || self.type_error(key, value, "a number, or a text with a unit", advice);
        quantity_of(value.get_ref()).ok_or_else(wrong)
    }

    /// Reads a quantity in SI units and checks that it is in the declared range.
    pub fn quantity(&self, key: &'static str) -> Read<Option<f64>> {
        self.read(key, |declared, value| {
            let quantity = self.parse_quantity(key, value)?;
            let dimension = self.dimension_of(declared);
            let number = self.check_at(key, quantity.si(key, dimension))?;
            if dimension.same(Dimension::FREQUENCY)
                && let Some(text) = value.get_ref().as_str()
                && text.ends_with("Hz")
            {
                // The unit Hz does not distinguish turns from radians, and all angular speeds of a scene are in rad/s.
                let advice =
                    format!("a turn is 2π rad: write \"{} rad/s\"", std::f64::consts::TAU * number);
                return self.invalid(key, text, "an angular frequency, in rad/s", &advice);
            }
            match declared.allowed.contains(number) {
                true => Ok(number),
                false => self.invalid(key, number, declared.allowed.words(), declared.meaning),
            }
        })
    }

    /// Reads a quantity with a given dimension, for keys whose dimension depends on other keys, such as the law.
    pub fn quantity_in(&self, key: &'static str, dimension: Dimension) -> Read<Option<f64>> {
        let si = |quantity: Quantity| quantity.si(key, dimension);
        self.check_at(key, self.raw_quantity(key)?.map(si).transpose())
    }

    /// Reads a quantity like `quantity_in`; it is an error if the key is missing.
    pub fn required_quantity_in(&self, key: &'static str, dimension: Dimension) -> Read<f64> {
        let advice = format!("give it in {dimension}, or with another unit in quotes");
        self.or_missing(key, self.quantity_in(key, dimension)?, advice)
    }

    /// Reads a quantity or its declared default; it is an error if there is neither.
    pub fn required_quantity(&self, key: &'static str) -> Read<f64> {
        self.quantity(key).and_then(|value| self.require(key, value))
    }

    /// Refuses a table in which a key is missing or misspelt. The key must have been requested before, so that a misspelt one
    /// is recognised.
    pub fn missing<T>(&self, key: &str, advice: impl Into<Message>) -> Read<T> {
        Err(self.error_here(Error::missing(key, advice)))
    }

    /// Returns the value of a key, or an error that it is missing.
    pub fn or_missing<T>(
        &self,
        key: &str,
        value: Option<T>,
        advice: impl Into<Message>,
    ) -> Read<T> {
        value.map_or_else(|| self.missing(key, advice), Ok)
    }

    /// Reads a list of quantities.
    pub fn list(&self, key: &'static str) -> Read<Option<Vec<f64>>> {
        self.read(key, |declared, value| {
            let dimension = self.dimension_of(declared);
            let quantity = match dimension {
                Dimension::NUMBER => "0.1".to_string(),
                _ => format!("\"0.1 {dimension}\""),
            };
            let advice = format!("for example [{quantity}, 0.2, 0.3]");
            self.numbers(key, value, dimension, ("a list of numbers", &advice))
        })
    }

    /// Reads the quantities of a list; `allowed` has the allowed values and the advice for the error about other values.
    fn numbers(
        &self,
        key: &'static str,
        value: &Spanned<DeValue>,
        dimension: Dimension,
        allowed: (&str, &str),
    ) -> Read<Vec<f64>> {
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.type_error(key, value, allowed.0, allowed.1));
        };
        let number = |item: &Spanned<DeValue>| match quantity_of(item.get_ref()) {
            Some(quantity) => {
                quantity.si(key, dimension).map_err(|error| self.error_at(item.span().start, error))
            }
            None => Err(self.type_error(key, item, "a number, or a text with a unit", allowed.1)),
        };
        items.iter().map(number).collect()
    }

    /// Reads a list of points.
    pub fn points(&self, key: &'static str) -> Read<Option<Vec<Vec3>>> {
        let Some((declared, value)) = self.written_value(key) else { return Ok(None) };
        let advice = "for example [[0, 0, 0], [\"10 mm\", 0, 0], [0, 0.01, 0], [0, 0, 0.01]]";
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.type_error(key, value, "a list of points", advice));
        };
        let dimension = self.dimension_of(declared);
        let point = |item: &Spanned<DeValue>| {
            let allowed = ("a point of three numbers", advice);
            match self.numbers(key, item, dimension, allowed)?[..] {
                [x, y, z] => Ok(Vec3::new(x, y, z)),
                [x, y] if self.planar => Ok(Vec3::new(x, y, 0.0)),
                ref others => {
                    let found = format!("a point of {} numbers", others.len());
                    let error = Error::invalid(key, found, "three numbers each", advice);
                    Err(self.error_at(item.span().start, error))
                }
            }
        };
        items.iter().map(point).collect::<Read<_>>().map(Some)
    }

    pub fn vector(&self, key: &'static str) -> Read<Option<Vec3>> {
        match self.list(key)?.as_deref() {
            None => Ok(None),
            Some([x, y, z]) => Ok(Some(Vec3::new(*x, *y, *z))),
            Some([x, y]) if self.planar => Ok(Some(Vec3::new(*x, *y, 0.0))),
            Some(other) => {
                let (found, allowed) = (other.len(), "three numbers (two where planar = true)");
                self.invalid(key, format!("{found} numbers"), allowed, "give x, y and z")
            }
        }
    }

    /// Reads a direction and normalises it to length 1.
    pub fn direction(&self, key: &'static str) -> Read<Option<Vec3>> {
        let Some(vector) = self.vector(key)? else { return Ok(None) };
        if vector.unit().is_none() {
            let advice = "at least one number must not be 0";
            return self.invalid(key, "no length", "a direction such as [0, 0, 1]", advice);
        }
        Ok(vector.unit())
    }

    /// Reads two names.
    pub fn pair(&self, key: &'static str) -> Read<(String, String)> {
        let pair =
            self.written_value(key).map(|(declared, value)| match self.texts(value).as_deref() {
                Some([a, b]) => Ok((a.clone(), b.clone())),
                _ => {
                    let advice = match declared.absent {
                        Absent::Refused(advice) => advice,
                        _ => declared.meaning,
                    };
                    Err(self.type_error(key, value, "a list of two names", advice))
                }
            });
        self.require(key, pair.transpose()?)
    }

    /// Reads a list of names.
    pub fn names(&self, key: &'static str) -> Read<Vec<String>> {
        let Some((declared, value)) = self.written_value(key) else { return Ok(Vec::new()) };
        let names = self.texts(value);
        names.ok_or_else(|| self.type_error(key, value, "a list of names", declared.meaning))
    }

    fn texts(&self, value: &Spanned<DeValue>) -> Option<Vec<String>> {
        let list = value.get_ref().as_array()?;
        list.iter().map(|item| item.get_ref().as_str().map(str::to_string)).collect()
    }

    /// Returns the table of a key.
    pub fn table(&self, key: &'static str) -> Read<Option<SceneTable<'a>>> {
        let Some((declared, value)) = self.written_value(key) else { return Ok(None) };
        let format = match declared.value {
            Value::Table(format) => format,
            _ => &PARAMETERS,
        };
        match value.get_ref().as_table() {
            Some(table) => Ok(Some(self.inner_table(table, value.span().start, format))),
            None => {
                let names: Vec<_> = format.keys().map(|key| key.name).collect();
                let advice = format!("write {key} = {{ … }} with keys of {}", names.join(", "));
                Err(self.type_error(key, value, "a table", &advice))
            }
        }
    }

    /// Returns the table of a key, or an error if it is missing.
    pub fn required_table(&self, key: &'static str) -> Read<SceneTable<'a>> {
        self.table(key).and_then(|table| self.require(key, table))
    }

    /// Returns the tables of a list.
    pub fn tables(&self, key: &'static str) -> Read<Vec<SceneTable<'a>>> {
        let Some((declared, value)) = self.written_value(key) else { return Ok(Vec::new()) };
        let Value::Tables(format) = declared.value else { return Ok(Vec::new()) };
        let advice = format!("write [[{key}]] once for each");
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.type_error(key, value, "a list of tables", &advice));
        };
        let mut tables = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => tables.push(self.inner_table(table, item.span().start, format)),
                None => return Err(self.type_error(key, item, "a table", &advice)),
            }
        }
        Ok(tables)
    }

    /// Returns all keys and values, for tables with arbitrary keys.
    pub fn entries(&self) -> Read<Vec<(String, Quantity)>> {
        let mut entries = Vec::new();
        for (key, value) in self.table.iter() {
            let Some(quantity) = quantity_of(value.get_ref()) else {
                let allowed = "a number, or a text with a unit";
                return Err(self.type_error("parameter", value, allowed, "for example 0.3"));
            };
            entries.push((key.get_ref().to_string(), quantity));
        }
        Ok(entries)
    }

    /// Refuses keys that are not declared for this table. It is called before other checks whose errors would hide a misspelt
    /// key.
    pub fn refuse_unknown_keys(&self) -> Read<()> {
        let names = || self.format.keys().map(|key| key.name);
        let unknown = self.table.iter().find(|(key, _)| self.format.key(key.get_ref()).is_none());
        let Some((key, _)) = unknown else { return Ok(()) };
        let mut all: Vec<_> = names().collect();
        all.sort_unstable();
        let otherwise = format!("allowed here: {}", all.join(", "));
        let error = Error::unknown("key", key.get_ref(), names(), &otherwise);
        Err(self.error_at(key.span().start, error))
    }

    /// Refuses keys that were not requested: unknown ones, and those that have no effect here.
    pub fn finish(&self) -> Read<()> {
        let requested = self.requested.borrow();
        for (key, _) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if !requested.contains(&name) {
                let mut known = requested.clone();
                known.sort_unstable();
                let otherwise = format!("allowed here: {}", known.join(", "));
                let error = match self.format.key(name) {
                    Some(_) => {
                        Error::unsupported(format!("`{name}` beside the other keys"), otherwise)
                    }
                    None => Error::unknown("key", name, known.iter().copied(), &otherwise),
                };
                return Err(self.error_at(key.span().start, error));
            }
        }
        Ok(())
    }
}

/// Returns a number or a text as it was written.
pub(super) fn quantity_of(value: &DeValue) -> Option<Quantity> {
    match value {
        DeValue::String(text) => Some(Quantity::Text(text.to_string())),
        DeValue::Float(number) => number.as_str().parse().ok().map(Quantity::Number),
        DeValue::Integer(number) => {
            let value = i64::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(Quantity::Number(value as f64))
        }
        _ => None,
    }
}
