//! Units: reads quantities as text into SI numbers and writes these as text.
//!
//! Inside carom every number is an SI `f64`; units exist only where people write or read. [`parse`]
//! turns `"210 GPa"` into 2.1e11 and refuses `"210 mm"` where a pressure is meant; [`format()`] turns
//! 2.6174e-4 s into `"261.74 µs"`.
//!
//! What may be written: a number, then a product of units with `*`, `·` or a space, `/` for the one
//! unit that follows it, `^` with a decimal or a fraction in parentheses, and parentheses:
//! `2.4e10 N/m^1.5`, `2.4e10 N/m^(3/2)`, `12 N s/m`, `12 N/(m/s)`, `7850 kg/m³`. SI units take SI prefixes.
//! A number without unit is SI.
//!
//! Two things a unit cannot tell apart: Hz and rad/s are both 1/s (50 Hz is read as 50 rad/s where
//! an angular speed is meant), and `ms` is a millisecond, never a metre-second.

mod dimension;
mod format;
mod grammar;
mod quantity;

pub use dimension::Dimension;
pub use format::format;
pub use quantity::Quantity;

use crate::error::{Error, Result};
use grammar::{Problem, Unit};

/// The SI value of `text`, which must measure `dimension`; a plain number is SI already.
///
/// `parameter` is only for the error message.
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
/// When there is no number, when it or its SI value is not finite, when the unit is not known or
/// measures something else.
pub fn parse(parameter: &str, text: &str, dimension: Dimension) -> Result<f64> {
    let trimmed = text.trim();
    let (number, rest) = split(trimmed);
    if number.is_empty() {
        return Err(no_number(parameter, trimmed, dimension));
    }
    if rest.starts_with(',') {
        let advice = "write a decimal point, not a comma, and no separators between digits";
        return Err(Error::invalid(parameter, quote(trimmed), "a number", advice));
    }
    let unit = match rest {
        "" => Unit::ONE,
        _ => grammar::unit(rest).map_err(|problem| refuse(parameter, trimmed, rest, problem))?,
    };
    if !rest.is_empty() && !unit.dimension.same(dimension) {
        return Err(mismatch(parameter, trimmed, rest, unit.dimension, dimension));
    }
    scaled(number, &unit).ok_or_else(|| {
        let allowed = "a number that fits a 64-bit float (about 1e-308 to 1e308)";
        Error::invalid(parameter, quote(trimmed), allowed, "check its exponent and its unit")
    })
}

/// Number and unit of a quantity as they are written, each empty where there is none.
pub(crate) fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let number = grammar::number(text).unwrap_or_default();
    (number, text.strip_prefix(number).unwrap_or_default().trim_start())
}

/// A number without a unit with this one; any other text as it is.
pub(crate) fn with_unit(text: &str, unit: &str) -> String {
    match split(text) {
        (number, "") if !(number.is_empty() || unit.is_empty()) => format!("{number} {unit}"),
        _ => text.trim().to_string(),
    }
}

impl Dimension {
    /// The dimension of the unit that a quantity is written with; a pure number where it has none.
    ///
    /// ```
    /// use carom::units::Dimension;
    /// assert_eq!(Dimension::in_text("3 kg"), Dimension::MASS);
    /// ```
    pub fn in_text(text: &str) -> Self {
        Self::of(split(text).1).unwrap_or(Self::NUMBER)
    }

    /// The dimension of a unit written as text, as models declare their parameters.
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
                Err(problem) => Err(refuse("unit", text, text, problem)),
            },
        }
    }
}

/// `number` (as text) in SI, or nothing when that overflows, or underflows to a false zero.
fn scaled(number: &str, unit: &Unit) -> Option<f64> {
    let number = number.replace('\u{2212}', "-");
    let value: f64 = number.parse().ok()?;
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
        None => (number.as_str(), Some(0)),
    };
    if !mantissa.contains(|c: char| ('1'..='9').contains(&c)) {
        return Some(0.0);
    }
    // Powers of ten go into the text, so that 12.7 mm is the very float that 0.0127 is.
    let si = match exponent {
        Some(exponent) if unit.decade == unit.decade.trunc() && unit.decade.abs() < 1e4 => {
            let shifted = exponent.checked_add(unit.decade as i64)?;
            format!("{mantissa}e{shifted}").parse::<f64>().ok()? * unit.coefficient
        }
        _ => value * unit.coefficient * 10f64.powf(unit.decade),
    };
    (si.is_finite() && si != 0.0).then_some(si)
}

/// At most the first few words of what was given, so that no message is longer than a line or two.
fn quote(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None if text.is_empty() => "(nothing)".to_string(),
        None => text.to_string(),
    }
}

#[cold]
fn no_number(parameter: &str, text: &str, dimension: Dimension) -> Error {
    let allowed = match dimension.same(Dimension::NUMBER) {
        true => "a finite number".to_string(),
        false => format!("a finite number with or without a unit ({dimension} if without)"),
    };
    let advice = format!("write for example `{}`", dimension.example());
    Error::invalid(parameter, quote(text), allowed, advice)
}

#[cold]
fn refuse(parameter: &str, text: &str, unit: &str, problem: Problem) -> Error {
    match problem {
        Problem::Unknown(name) => grammar::unknown(&quote(&name)),
        Problem::Syntax(advice) => {
            let allowed =
                format!("a number and a unit; `{}` cannot be read as a unit", quote(unit));
            Error::invalid(parameter, quote(text), allowed, advice)
        }
    }
}

#[cold]
fn mismatch(
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
    let advice = format!("`{unit}` is {found}; write for example `{}`{hint}", expected.example());
    Error::invalid(parameter, quote(text), allowed, advice)
}

#[cfg(test)]
mod tests;
