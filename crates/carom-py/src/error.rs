//! carom's errors as one Python exception.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    carom,
    Error,
    PyValueError,
    "Why carom refused: a sentence that names the parameter, its value, what is allowed and what to do."
);

/// The same sentence as on the command line.
pub fn raise(error: carom::Error) -> PyErr {
    Error::new_err(error.to_string())
}

/// A description that does not read.
pub fn unreadable(what: &str, why: serde_json::Error) -> PyErr {
    Error::new_err(format!("the description of {what} cannot be read: {why}"))
}
