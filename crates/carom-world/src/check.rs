//! Checks of parameters, with errors that name the parameter.

use crate::math::Vec3;
use carom::{Error, Result};

/// Returns the value if it is finite and above 0.
pub fn positive(name: &str, value: f64, advice: &str) -> Result<f64> {
    check(value > 0.0 && value.is_finite(), name, value, "a finite number above 0", advice)
}

/// Returns the value if it is finite and at least 0.
pub fn not_negative(name: &str, value: f64, advice: &str) -> Result<f64> {
    check(value >= 0.0 && value.is_finite(), name, value, "a finite number of at least 0", advice)
}

fn check(sound: bool, name: &str, value: f64, allowed: &str, advice: &str) -> Result<f64> {
    if sound { Ok(value) } else { Err(Error::invalid(name, value, allowed, advice)) }
}

/// Returns the index of a name in a list of known names.
pub fn index_by_name<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize> {
    let found = known.clone().position(|other| other == name);
    found.ok_or_else(|| Error::not_among(what, name, known))
}

/// Returns an error if a component of a vector is not finite.
pub fn finite(what: &str, name: &str, vector: Vec3) -> Result<()> {
    if vector.is_finite() {
        return Ok(());
    }
    let advice = "give three finite numbers";
    Err(Error::invalid(format!("{what} of `{name}`"), format!("{vector:?}"), "finite", advice))
}
