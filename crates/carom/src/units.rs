//! Units: conversion of quantities from text to SI numbers and back.
//!
//! All numbers within carom are `f64` in SI units; other units occur only in input and output. [`parse`] converts
//! `"210 GPa"` to 2.1e11 and rejects `"210 mm"` where a pressure is expected; [`format()`] converts 2.6174e-4 s to
//! `"261.74 µs"`.
//!
//! A quantity consists of a number followed by a product of units. Units are multiplied by `*`, `·` or a space; `/`
//! divides by the one unit that follows it; `^` is followed by a decimal number or by a fraction in parentheses;
//! parentheses may be used: `2.4e10 N/m^1.5`, `2.4e10 N/m^(3/2)`, `12 N s/m`, `12 N/(m/s)`, `7850 kg/m³`. SI units
//! may have SI prefixes. A number without a unit is in SI units.
//!
//! Two ambiguities cannot be resolved by a unit: Hz and rad/s are both 1/s (50 Hz is read as 50 rad/s where an
//! angular speed is expected), and `ms` is always a millisecond and never a metre-second.

mod dimension;
mod format;
mod grammar;
mod quantity;

pub use dimension::Dimension;
pub use format::format;
pub use quantity::Quantity;

use crate::error::{Error, Result};
use grammar::{Unit, UnitError};

/// Returns the SI value of `text`, which must have this dimension. A plain number is taken as an SI value.
///
/// `parameter` is used only in the error message.
///
/// ```
/// use carom::units::{Dimension, parse};
/// assert_eq!(parse("youngs", "210 GPa", Dimension::PRESSURE)?, 210e9);
/// assert_eq!(parse("radius", "12.7mm", Dimension::LENGTH)?, 0.0127);
/// assert_eq!(parse("stiffness", "2.4144e10 N/m^1.5", Dimension::stiffness(1.5))?, 2.4144e10);
/// assert_eq!(parse("mass", "0.54", Dimension::MASS)?, 0.54);
///
/// let error = parse("mass", "12.7 mm", Dimension::MASS).unwrap_err().to_string();
/// assert!(error.contains("mass must be a mass, in kg") && error.contains("`0.54 kg`"));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// When there is no number, when the number or its SI value is not finite, or when the unit is unknown or has another
/// dimension.
pub fn parse(parameter: &str, text: &str, dimension: Dimension) -> Result<f64> {
    let trimmed = text.trim();
    let (number, rest) = split(trimmed);
    if number.is_empty() {
        return Err(no_number_error(parameter, trimmed, dimension));
    }
    if rest.starts_with(',') {
        let advice = "write a decimal point, not a comma, and no separators between digits";
        return Err(Error::invalid(parameter, quote(trimmed), "a number", advice));
    }
    let unit = match rest {
        "" => Unit::ONE,
        _ => {
            grammar::unit(rest).map_err(|problem| unit_error(parameter, trimmed, rest, problem))?
        }
    };
    if !rest.is_empty() && !unit.dimension.same(dimension) {
        return Err(dimension_error(parameter, trimmed, rest, unit.dimension, dimension));
    }
    to_si(number, &unit).ok_or_else(|| {
        let allowed = "a number that fits a 64-bit float (about 1e-308 to 1e308)";
        Error::invalid(parameter, quote(trimmed), allowed, "check its exponent and its unit")
    })
}

/// Returns number and unit of a quantity as they are written; a missing part is empty.
pub(crate) fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let number = grammar::number(text).unwrap_or_default();
    (number, text.strip_prefix(number).unwrap_or_default().trim_start())
}

/// Appends this unit to a number without a unit; any other text is returned unchanged.
pub(crate) fn with_unit(text: &str, unit: &str) -> String {
    match split(text) {
        (number, "") if !(number.is_empty() || unit.is_empty()) => format!("{number} {unit}"),
        _ => text.trim().to_string(),
    }
}

impl Dimension {
    /// Returns the dimension of the unit of a quantity given as text; without a unit it is that of a pure number.
    ///
    /// ```
    /// use carom::units::Dimension;
    /// assert_eq!(Dimension::in_text("3 kg"), Dimension::MASS);
    /// ```
    pub fn in_text(text: &str) -> Self {
        Self::of(split(text).1).unwrap_or(Self::NUMBER)
    }

    /// Returns the dimension of a unit given as text, as in the declarations of parameters of models.
    ///
    /// ```
    /// use carom::units::Dimension;
    /// assert_eq!(Dimension::of("Pa s")?, Dimension::VISCOSITY);
    /// assert_eq!(Dimension::of("")?, Dimension::NUMBER);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn of(unit: &str) -> Result<Self> {
        match unit.trim() {
            "" => Ok(Self::NUMBER),
            text => match grammar::unit(text) {
                Ok(unit) => Ok(unit.dimension),
                Err(problem) => Err(unit_error("unit", text, text, problem)),
            },
        }
    }
}

/// Returns `number` (as text) in SI units, or `None` if the result overflows, or underflows to a zero that is not
/// exact.
fn to_si(number: &str, unit: &Unit) -> Option<f64> {
    let number = number.replace('\u{2212}', "-");
    let value: f64 = number.parse().ok()?;
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
        None => (number.as_str(), Some(0)),
    };
    if !mantissa.contains(|c: char| ('1'..='9').contains(&c)) {
        return Some(0.0);
    }
    // The power of ten is added to the exponent in the text, so that 12.7 mm gives the same floating-point number as
    // 0.0127.
    let si = match exponent {
        Some(exponent) if unit.decade == unit.decade.trunc() && unit.decade.abs() < 1e4 => {
            let shifted = exponent.checked_add(unit.decade as i64)?;
            format!("{mantissa}e{shifted}").parse::<f64>().ok()? * unit.coefficient
        }
        _ => value * unit.coefficient * 10f64.powf(unit.decade),
    };
    (si.is_finite() && si != 0.0).then_some(si)
}

/// Returns at most the first 60 characters of the input, so that no message is longer than one or two lines.
fn quote(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None if text.is_empty() => "(nothing)".to_string(),
        None => text.to_string(),
    }
}

#[cold]
fn no_number_error(parameter: &str, text: &str, dimension: Dimension) -> Error {
    let allowed = match dimension.same(Dimension::NUMBER) {
        true => "a finite number".to_string(),
        false => format!("a finite number with or without a unit ({dimension} if without)"),
    };
    let advice = format!("write for example `{}`", dimension.example());
    Error::invalid(parameter, quote(text), allowed, advice)
}

#[cold]
fn unit_error(parameter: &str, text: &str, unit: &str, problem: UnitError) -> Error {
    match problem {
        UnitError::Unknown(name) => grammar::unknown(&quote(&name)),
        UnitError::Syntax(advice) => {
            let allowed =
                format!("a number and a unit; `{}` cannot be read as a unit", quote(unit));
            Error::invalid(parameter, quote(text), allowed, advice)
        }
    }
}

#[cold]
fn dimension_error(
    parameter: &str,
    text: &str,
    unit: &str,
    found: Dimension,
    expected: Dimension,
) -> Error {
    let allowed = match expected.same(Dimension::NUMBER) {
        true => "a pure number".to_string(),
        false => format!("{}, in {expected}", expected.kind()),
    };
    let unit = quote(unit);
    let hint = match found.is_stiffness() && expected.is_stiffness() {
        true => "; the unit of K in K*delta^n is N/m^n, so it follows the exponent n",
        false => "",
    };
    let advice = format!(
        "`{unit}` measures {}, in {found}; write for example `{}`{hint}",
        found.kind(),
        expected.example()
    );
    Error::invalid(parameter, quote(text), allowed, advice)
}

#[cfg(test)]
mod tests;
