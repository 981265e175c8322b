//! The short form of an axis for command lines: `KEY=VALUES`.
//!
//! `wrist pin.law=flores-2011, tsuji-1992` is a list, `wrist pin.clearance=0.1..1 mm:10` a range of ten values (in
//! both forms a unit at the end applies to all values), `crank.angle.rate=10..1000 rad/s:30:log` a range with equal
//! ratios. Distributions are possible only in a study.

use super::axis::{AxisText, is_quantity};
use super::{SceneStudy, Variation, refuse_second_axis, scene_partition};
use crate::error::{Error, Result};
use crate::spec::Quantity;
use crate::units;

/// The two forms of an axis, for error messages.
const ALLOWED_FORMS: &str = "KEY=VALUE, VALUE, … or KEY=FROM..TO:COUNT";
const EXAMPLES: &str = "write for example 'wrist pin.clearance=0.1..1 mm:10' or 'wrist pin.law=flores-2011, tsuji-1992'";

impl SceneStudy {
    /// Returns a study of the scene in `file` over axes in short form, such as `wrist pin.clearance=0.1..1 mm:10`;
    /// ranges without a number of values have `count` values, if it is given.
    ///
    /// # Errors
    /// When an axis cannot be read, or a key occurs twice.
    ///
    /// ```
    /// use carom::sweep::SceneStudy;
    /// let axes = ["ball-ground.restitution=0.5, 0.9", "ball.position.2=1..2 cm:11"].map(String::from);
    /// let study = SceneStudy::over("ball.toml", &axes, None)?;
    /// assert_eq!(study.variation.cases(), 22);
    /// assert_eq!(study.variation.axes()[1].unit(), "m");
    /// let sizes = SceneStudy::over("ball.toml", &["ball.radius=5, 10 mm".into()], None)?;
    /// assert_eq!(sizes.variation.words(0), ["0.005"]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn over(file: &str, axes: &[String], count: Option<u64>) -> Result<Self> {
        let mut made = Vec::new();
        for text in axes {
            let axis = read(text, count)?.of_scene()?;
            refuse_second_axis(&made, &axis)?;
            made.push(axis);
        }
        Ok(Self {
            title: String::new(),
            file: file.into(),
            set: Vec::new(),
            from: 0.0,
            outputs: Vec::new(),
            variation: Variation::new(made, super::Sampling::default(), scene_partition)?,
            figure: None,
        })
    }
}

/// Reads an axis in short form.
fn read(text: &str, count: Option<u64>) -> Result<AxisText> {
    let refuse = || Error::invalid("axis", format!("`{text}`"), ALLOWED_FORMS, EXAMPLES);
    let (key, values) = text.split_once('=').ok_or_else(refuse)?;
    let (parameter, values) = (key.trim().to_string(), values.trim());
    if parameter.is_empty() || values.is_empty() {
        return Err(refuse());
    }
    let Some((from, rest)) = values.split_once("..").filter(|(from, _)| is_quantity(from)) else {
        let mut items = list_items(values);
        if items.iter().all(|item| is_quantity(item)) {
            let unit = items.last().map_or("", |last| units::split(last).1).to_string();
            items = items.iter().map(|item| units::with_unit(item, &unit)).collect();
        }
        let values = Some(items.into_iter().map(Quantity::Text).collect());
        return Ok(AxisText { parameter, values, ..AxisText::default() });
    };
    let mut parts = rest.split(':').map(str::trim);
    let to = parts.next().unwrap_or_default();
    let (mut counted, mut spacing) = (None, None);
    for part in parts {
        match part.parse() {
            Ok(number) => counted = Some(number),
            Err(_) => spacing = Some(part.to_string()),
        }
    }
    let from = units::with_unit(from, units::split(to).1);
    let (from, to) = (Some(Quantity::Text(from)), Some(Quantity::Text(to.to_string())));
    let count = counted.or(count);
    if count.is_none() {
        let advice = "say how many values the range has: 'wrist pin.clearance=0.1..1 mm:10'";
        return Err(Error::missing(format!("count of {parameter}"), advice));
    }
    Ok(AxisText { parameter, from, to, count, spacing, ..AxisText::default() })
}

/// Returns the items of a list; commas within brackets and quotes do not separate items.
fn list_items(text: &str) -> Vec<String> {
    let (mut items, mut depth, mut quoted) = (vec![String::new()], 0i32, false);
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if depth == 0 && !quoted => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(item) = items.last_mut() {
            item.push(letter);
        }
    }
    items.into_iter().map(|item| item.trim().to_string()).collect()
}
