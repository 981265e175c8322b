//! A quantity in the form in which people and programs give it.

use super::{Dimension, parse, split, with_unit};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A quantity as it is given: a number in SI units, or text with a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A number in SI units.
    Number(f64),
    /// A number with a unit, such as `12.7 mm`.
    Text(String),
}

impl Quantity {
    /// Returns the ends of a range such as `0.1..5 m/s`, or `None` if the text is not a range. A lower end without a
    /// unit has that of the upper end.
    ///
    /// ```
    /// use carom::units::{Dimension, Quantity};
    /// let (low, high) = Quantity::from("1..4 mm/s").range().unwrap();
    /// assert_eq!(low.si("speed", Dimension::SPEED)?, 1e-3);
    /// assert_eq!(high.si("speed", Dimension::SPEED)?, 4e-3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn range(&self) -> Option<(Self, Self)> {
        let Self::Text(text) = self else { return None };
        let (low, high) = text.split_once("..")?;
        let low = with_unit(low, split(high).1);
        Some((Self::Text(low), Self::Text(high.trim().to_string())))
    }

    /// Returns the SI value of an optional quantity.
    pub(crate) fn si_if_given(
        given: &Option<Self>,
        parameter: &str,
        dimension: Dimension,
    ) -> Result<Option<f64>> {
        given.as_ref().map(|value| value.si(parameter, dimension)).transpose()
    }

    /// Returns the SI value, after checking its dimension.
    pub fn si(&self, parameter: &str, dimension: Dimension) -> Result<f64> {
        match self {
            Self::Text(text) => parse(parameter, text, dimension),
            Self::Number(value) if value.is_finite() => Ok(*value),
            Self::Number(value) => Err(Error::invalid(
                parameter,
                value,
                "a finite number",
                "check the input for overflow or missing values",
            )),
        }
    }
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Quantity {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}
