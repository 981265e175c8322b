//! Reading TOML with lines: every value knows where it stands, every key must be known.

use super::SceneError;
use super::words::SceneKeys;
use crate::math::Vec3;
use carom::Error;
use carom::spec::Quantity;
use carom::units::Dimension;
use std::cell::RefCell;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) type Read<T> = Result<T, SceneError>;

/// Lines of one statement that are looked through for where it began.
const LOOK_BACK: usize = 1000;

/// A parsed text.
pub(crate) struct Document<'t> {
    text: &'t str,
    table: Spanned<DeTable<'t>>,
}

impl<'t> Document<'t> {
    pub fn parse(text: &'t str) -> Read<Self> {
        match DeTable::parse(text) {
            Ok(table) => Ok(Self { text, table }),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
                let line = line(text, at);
                // A bracket or quotes that nobody closed are missed where the next thing begins, or at the end.
                let began = match begun(text, line) {
                    Some(first) if first < line => format!(", in what begins in line {first}"),
                    _ => String::new(),
                };
                let sentence = format!("this is not TOML: {message}{began}; see https://toml.io");
                Err(SceneError { line, error: sentence })
            }
        }
    }

    /// A text with some of its keys set to other values.
    pub fn changed(text: &'t str, changes: &'t [super::Change]) -> Read<Self> {
        let mut document = Self::parse(text)?;
        for (number, change) in changes.iter().enumerate() {
            // What a change says stands behind the end of the text.
            let at = text.len() + 1 + number;
            super::change::apply(document.table.get_mut(), change, at)?;
        }
        Ok(document)
    }

    /// The tables as they were parsed.
    pub fn tables(&self) -> &DeTable<'t> {
        self.table.get_ref()
    }

    pub fn root(&self) -> Table<'_> {
        Table::new(self.text, self.table.get_ref(), self.table.span().start)
    }
}

/// The line of an offset, from 1; for what change number k says, k before the last number there is.
fn line(text: &str, at: usize) -> usize {
    if at > text.len() {
        return usize::MAX - (at - text.len() - 1);
    }
    1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count()
}

/// The line in which the statement begins that is broken in a line: the last before which everything is in order.
fn begun(text: &str, broken: usize) -> Option<usize> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(starts).take(broken).collect();
    let mut lines = starts.iter().enumerate().rev().take(LOOK_BACK);
    let first = lines.find(|(_, at)| text.get(..**at).is_some_and(|t| DeTable::parse(t).is_ok()));
    first.map(|(index, _)| index + 1)
}

/// A table of the text, which remembers what was asked of it.
pub(crate) struct Table<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    at: usize,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Table<'a> {
    fn new(text: &'a str, table: &'a DeTable<'a>, at: usize) -> Self {
        Self { text, table, at, asked: RefCell::new(Vec::new()) }
    }

    fn get(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        self.table.get(key)
    }

    /// An error at this table, or in the line of the key that it is about.
    pub fn fail(&self, error: Error) -> SceneError {
        self.fail_on(self.place_of(&error).unwrap_or(self.at), &error)
    }

    /// Where the key stands that an error is about: in this table, or in a table within it.
    fn place_of(&self, error: &Error) -> Option<usize> {
        // Such as `radius`, or `radius of the sphere`.
        let key = error.parameter()?.split(' ').next()?;
        let here = self.table.get(key).map(|value| value.span().start);
        here.or_else(|| {
            let inner = self.table.iter().filter_map(|(_, value)| value.get_ref().as_table());
            inner.filter_map(|table| table.get(key)).map(|value| value.span().start).next()
        })
    }

    /// An error at one of its keys.
    pub fn fail_at(&self, key: &'static str, error: Error) -> SceneError {
        let at = self.get(key).map_or(self.at, |value| value.span().start);
        self.fail_on(at, &error)
    }

    fn fail_on(&self, at: usize, error: &Error) -> SceneError {
        let slip = if error.is_missing() { self.slip() } else { None };
        slip.unwrap_or_else(|| SceneError {
            line: line(self.text, at),
            error: error.worded(&SceneKeys),
        })
    }

    /// A key that nobody asked for and that looks like one that was looked for and not found: where
    /// something is missing, a slip of the finger is the likelier reason.
    fn slip(&self) -> Option<SceneError> {
        let asked = self.asked.borrow();
        let absent: Vec<_> = asked.iter().filter(|key| !self.table.contains_key(**key)).collect();
        self.table.iter().find_map(|(found, _)| {
            let name = found.get_ref().as_ref();
            let error = Error::unknown("key", name, absent.iter().map(|key| **key), "").to_string();
            let line = line(self.text, found.span().start);
            (!asked.contains(&name) && error.contains("did you mean"))
                .then_some(SceneError { line, error })
        })
    }

    /// A result, its error placed at this table.
    pub fn check<T>(&self, result: carom::Result<T>) -> Read<T> {
        result.map_err(|error| self.fail(error))
    }

    fn wrong(
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
        let error = Error::invalid(key, found, allowed, advice);
        SceneError { line: line(self.text, value.span().start), error: error.to_string() }
    }

    pub fn has(&self, key: &'static str) -> bool {
        self.get(key).is_some()
    }

    pub fn is_list(&self, key: &'static str) -> bool {
        self.get(key).is_some_and(|value| value.get_ref().is_array())
    }

    pub fn text(&self, key: &'static str) -> Read<Option<String>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_string())),
            None => Err(self.wrong(key, value, "a text in quotes", "write it between \" and \"")),
        }
    }

    pub fn needed_text(&self, key: &'static str, advice: &str) -> Read<String> {
        match self.text(key)? {
            Some(text) => Ok(text),
            None => Err(self.missing(key, advice)),
        }
    }

    pub fn flag(&self, key: &'static str) -> Read<Option<bool>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref().as_bool() {
            Some(flag) => Ok(Some(flag)),
            None => Err(self.wrong(key, value, "true or false", "write it without quotes")),
        }
    }

    /// A quantity as it was written.
    pub fn written(&self, key: &'static str) -> Read<Option<Quantity>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match written(value.get_ref()) {
            Some(quantity) => Ok(Some(quantity)),
            None => Err(self.wrong(
                key,
                value,
                "a number, or a text with a unit",
                "for example 0.5 or \"12.7 mm\"",
            )),
        }
    }

    pub fn quantity(&self, key: &'static str, dimension: Dimension) -> Read<Option<f64>> {
        match self.written(key)? {
            Some(quantity) => match quantity.si(key, dimension) {
                Ok(value) => Ok(Some(value)),
                Err(error) => Err(self.fail_at(key, error)),
            },
            None => Ok(None),
        }
    }

    pub fn needed(&self, key: &'static str, dimension: Dimension) -> Read<f64> {
        match self.quantity(key, dimension)? {
            Some(value) => Ok(value),
            None => {
                let advice = match dimension.same(Dimension::NUMBER) {
                    true => "give it as a number".to_string(),
                    false => format!("give it in {dimension}, or with another unit in quotes"),
                };
                Err(self.missing(key, &advice))
            }
        }
    }

    /// A key that is not there, or is there with a slip of the finger.
    pub fn missing(&self, key: &'static str, advice: &str) -> SceneError {
        // What is missed was looked for.
        self.get(key);
        self.fail(Error::missing(key, advice))
    }

    /// A list of quantities.
    pub fn list(&self, key: &'static str, dimension: Dimension) -> Read<Option<Vec<f64>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let advice = "for example [\"0 m\", \"0 m\", \"0.1 m\"] or [0, 0, 0.1]";
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of numbers", advice));
        };
        items
            .iter()
            .map(|item| self.item(key, item, dimension, advice))
            .collect::<Read<_>>()
            .map(Some)
    }

    /// One quantity of a list.
    fn item(
        &self,
        key: &'static str,
        item: &Spanned<DeValue>,
        dimension: Dimension,
        advice: &str,
    ) -> Read<f64> {
        let Some(quantity) = written(item.get_ref()) else {
            return Err(self.wrong(key, item, "a number, or a text with a unit", advice));
        };
        quantity.si(key, dimension).map_err(|error| SceneError {
            line: line(self.text, item.span().start),
            error: error.to_string(),
        })
    }

    /// A list of points.
    pub fn points(&self, key: &'static str, dimension: Dimension) -> Read<Option<Vec<Vec3>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let advice = "for example [[0, 0, 0], [\"10 mm\", 0, 0], [0, 0.01, 0], [0, 0, 0.01]]";
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of points", advice));
        };
        let mut points = Vec::new();
        for item in items.iter() {
            let Some(numbers) = item.get_ref().as_array() else {
                return Err(self.wrong(key, item, "a point of three numbers", advice));
            };
            let numbers: Vec<f64> = numbers
                .iter()
                .map(|number| self.item(key, number, dimension, advice))
                .collect::<Read<_>>()?;
            let [x, y, z] = numbers[..] else {
                let found = format!("a point of {} numbers", numbers.len());
                let error = Error::invalid(key, found, "three numbers each", advice);
                let line = line(self.text, item.span().start);
                return Err(SceneError { line, error: error.to_string() });
            };
            points.push(Vec3::new(x, y, z));
        }
        Ok(Some(points))
    }

    pub fn vector(&self, key: &'static str, dimension: Dimension) -> Read<Option<Vec3>> {
        match self.list(key, dimension)?.as_deref() {
            None => Ok(None),
            Some([x, y, z]) => Ok(Some(Vec3::new(*x, *y, *z))),
            Some([x, y]) => Ok(Some(Vec3::new(*x, *y, 0.0))),
            Some(other) => {
                let error = Error::invalid(
                    key,
                    format!("{} numbers", other.len()),
                    "three numbers (or two in a plane)",
                    "give x, y and z",
                );
                Err(self.fail_at(key, error))
            }
        }
    }

    /// A direction of length 1.
    pub fn direction(&self, key: &'static str) -> Read<Option<Vec3>> {
        let Some(vector) = self.vector(key, Dimension::NUMBER)? else { return Ok(None) };
        match vector.unit() {
            Some(unit) => Ok(Some(unit)),
            None => {
                let error = Error::invalid(
                    key,
                    "no length",
                    "a direction such as [0, 0, 1]",
                    "at least one number must not be 0",
                );
                Err(self.fail_at(key, error))
            }
        }
    }

    /// Two names.
    pub fn pair(&self, key: &'static str, advice: &str) -> Read<(String, String)> {
        let Some(value) = self.get(key) else {
            return Err(self.fail(Error::missing(key, advice)));
        };
        let names: Option<Vec<&str>> = value
            .get_ref()
            .as_array()
            .and_then(|list| list.iter().map(|v| v.get_ref().as_str()).collect());
        match names.as_deref() {
            Some([a, b]) => Ok((a.to_string(), b.to_string())),
            _ => Err(self.wrong(key, value, "a list of two names", advice)),
        }
    }

    /// Names, as many as there are.
    pub fn names(&self, key: &'static str, advice: &str) -> Read<Vec<String>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let names: Option<Vec<String>> = value.get_ref().as_array().and_then(|list| {
            list.iter().map(|v| v.get_ref().as_str().map(str::to_string)).collect()
        });
        names.ok_or_else(|| self.wrong(key, value, "a list of names", advice))
    }

    pub fn table(&self, key: &'static str) -> Read<Option<Table<'a>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref().as_table() {
            Some(table) => Ok(Some(Table::new(self.text, table, value.span().start))),
            None => {
                Err(self.wrong(key, value, "a table", &format!("write [{key}] or {key} = {{ … }}")))
            }
        }
    }

    pub fn tables(&self, key: &'static str) -> Read<Vec<Table<'a>>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let advice = format!("write [[{key}]] once for each");
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of tables", &advice));
        };
        let mut tables = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => tables.push(Table::new(self.text, table, item.span().start)),
                None => return Err(self.wrong(key, item, "a table", &advice)),
            }
        }
        Ok(tables)
    }

    /// All keys and values, for tables whose keys are free.
    pub fn entries(&self) -> Read<Vec<(String, Quantity)>> {
        let mut entries = Vec::new();
        for (key, value) in self.table.iter() {
            let Some(quantity) = written(value.get_ref()) else {
                return Err(self.wrong(
                    "parameter",
                    value,
                    "a number, or a text with a unit",
                    "for example 0.3",
                ));
            };
            entries.push((key.get_ref().to_string(), quantity));
        }
        Ok(entries)
    }

    /// Refuses keys that nobody asked for.
    pub fn finish(&self) -> Read<()> {
        let asked = self.asked.borrow();
        for (key, _) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if !asked.contains(&name) {
                let mut known = asked.clone();
                known.sort_unstable();
                let otherwise = format!("here may stand {}", known.join(", "));
                let error = Error::unknown("key", name, known.iter().copied(), &otherwise);
                let line = line(self.text, key.span().start);
                return Err(SceneError { line, error: error.to_string() });
            }
        }
        Ok(())
    }
}

fn written(value: &DeValue) -> Option<Quantity> {
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
