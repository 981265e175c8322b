//! Converts carom's errors to one Python exception.

use carom::message::{Action, Topic, Wording};
use carom_store::Advice;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    carom,
    Error,
    PyValueError,
    "Why carom refused: a sentence that names the parameter, its value, what is allowed and what to do."
);

/// Wording that expresses the advice in messages as Python keywords, such as `exit="force"`.
struct Keywords;

impl Wording for Keywords {
    fn action(&self, action: &Action) -> String {
        match (action.assignment(), action) {
            (Some((parameter, value)), _) => {
                let name = parameter.strip_prefix("set.").unwrap_or(parameter);
                match value.as_deref() {
                    None => name.to_string(),
                    Some("true") => format!("{name}=True"),
                    Some(value) => format!("{name}={value}"),
                }
            }
            (None, Action::See { topic: Topic::Laws }) => "carom.models()".into(),
            (None, Action::See { topic: Topic::Law }) => "carom.model(law).parameters".into(),
            (None, Action::See { topic: Topic::Materials }) => "carom.materials()".into(),
            (None, Action::See { topic: Topic::Identification }) => "carom.identify(...)".into(),
            (None, other) => carom::message::Plain.action(other),
        }
    }
}

/// Expresses advice about files as a keyword.
pub fn keyword(advice: Advice) -> String {
    match (advice, advice.parameter()) {
        (_, Some((name, true))) => format!("{name}=True"),
        (_, Some((name, false))) => name.into(),
        (Advice::Simulate, _) => "carom.simulate(scene, out=folder)".into(),
        _ => String::new(),
    }
}

/// Returns the sentence of an error, with its advice as keywords.
pub fn sentence(error: &carom::Error) -> String {
    error.worded(&Keywords)
}

/// Converts an error of the library to an exception.
pub fn raise(error: carom::Error) -> PyErr {
    Error::new_err(sentence(&error))
}

/// Returns the exception for a description that cannot be parsed.
pub fn unreadable(what: &str, why: serde_json::Error) -> PyErr {
    Error::new_err(format!("the description of {what} cannot be read: {why}"))
}
