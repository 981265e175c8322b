//! A quantity as people and programs give it.

use super::{Dimension, parse};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A quantity as given: a number in SI units, or text with a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A number in SI units.
    Number(f64),
    /// A number with a unit, such as `12.7 mm`.
    Text(String),
}

impl Quantity {
    /// The SI value, checked against a dimension.
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
