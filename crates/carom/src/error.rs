//! The error type of the whole library.
//!
//! An error is a sentence for the user: it names the parameter, its value, what is permitted and what to do. The
//! advice is data (see [`message`](mod@crate::message)), so that every program can word it in its own way. The kinds
//! are private, so that messages can be improved without breaking dependent programs; programs use predicates
//! ([`Error::is_invalid`], …).

use crate::message::{Message, Wording};
use std::fmt;

/// Result type of all fallible functions of carom.
pub type Result<T> = std::result::Result<T, Error>;

/// An error with a sentence for the user, and predicates for its kind.
///
/// ```
/// let error = carom::model("flores-2").unwrap_err();
/// assert!(error.is_unknown());
/// assert!(error.to_string().contains("did you mean `flores-2011`?"));
/// ```
#[derive(Clone, PartialEq)]
pub struct Error(Box<Kind>);

#[derive(Clone, PartialEq)]
enum Kind {
    Invalid { parameter: String, value: String, allowed: String, advice: Message },
    Unknown { what: &'static str, name: String, advice: Message },
    Missing { parameter: String, advice: Message },
    Unsupported { what: String, advice: Message },
    Unreachable { requested: String, limit: String, advice: Message },
    Numerical { what: &'static str, reason: String, advice: Message },
    Unreadable { what: &'static str, reason: String },
    At { place: String, error: Error },
}

impl Error {
    /// Creates an error for a parameter whose value is outside its permitted range.
    #[cold]
    pub fn invalid(
        parameter: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Invalid {
            parameter: parameter.into(),
            value: shorten_number(value.to_string()),
            allowed: allowed.into(),
            advice: advice.into(),
        }))
    }

    /// Creates an error for a name that is not in a list; the nearest names are suggested.
    #[cold]
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<Message>,
    ) -> Self {
        let advice = match nearest_name(name, known) {
            Some(near) => format!("did you mean `{near}`?").into(),
            None => otherwise.into(),
        };
        Self(Box::new(Kind::Unknown { what, name: name.to_string(), advice }))
    }

    /// Creates an error for a name that is not in a list; all known names are listed unless one is so similar that a
    /// typing error is likely.
    ///
    /// ```
    /// let error = carom::Error::not_among("body", "wheel", ["ball", "ground"]);
    /// assert_eq!(error.to_string(), "no body `wheel`; there are ball, ground");
    /// ```
    #[cold]
    pub fn not_among<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<_> = known.into_iter().collect();
        let all = match known.is_empty() {
            true => "there are none".to_string(),
            false => format!("there are {}", known.join(", ")),
        };
        Self::unknown(what, name, known, all)
    }

    /// Creates an error for a required parameter that was not given.
    #[cold]
    pub fn missing(parameter: impl Into<String>, advice: impl Into<Message>) -> Self {
        Self(Box::new(Kind::Missing { parameter: parameter.into(), advice: advice.into() }))
    }

    /// Creates an error for a combination that carom does not offer (carom never falls back to something else).
    #[cold]
    pub fn unsupported(what: impl Into<String>, advice: impl Into<Message>) -> Self {
        Self(Box::new(Kind::Unsupported { what: what.into(), advice: advice.into() }))
    }

    /// Creates an error for a restitution that no damping of this law can deliver with this exit.
    #[cold]
    pub fn unreachable(
        requested: f64,
        limit: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Unreachable {
            requested: shorten_number(requested.to_string()),
            limit: limit.into(),
            advice: advice.into(),
        }))
    }

    /// Creates an error for a computation that did not finish; it names what was computed and what to change.
    #[cold]
    pub fn numerical(
        what: &'static str,
        reason: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Numerical { what, reason: reason.into(), advice: advice.into() }))
    }

    /// Creates an error for a text that cannot be read as expected.
    #[cold]
    pub fn unreadable(what: &'static str, reason: impl Into<String>) -> Self {
        Self(Box::new(Kind::Unreadable { what, reason: reason.into() }))
    }

    /// Returns this error preceded by its place, such as `line 12`.
    ///
    /// ```
    /// let error = carom::Error::missing("mass", "give it in kg").at("line 12");
    /// assert_eq!(error.to_string(), "line 12: mass is missing: give it in kg");
    /// ```
    #[cold]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self(Box::new(Kind::At { place: place.into(), error: self }))
    }

    /// Returns the whole sentence, with its advice as data.
    pub fn message(&self) -> Message {
        let (what, advice) = match &*self.0 {
            Kind::Invalid { parameter, value, allowed, advice } => (
                format!("{parameter} = {value} is not allowed: {parameter} must be {allowed}; "),
                advice,
            ),
            Kind::Unknown { what, name, advice } => (format!("no {what} `{name}`; "), advice),
            Kind::Missing { parameter, advice } => (format!("{parameter} is missing: "), advice),
            Kind::Unsupported { what, advice } => (format!("{what} is not supported: "), advice),
            Kind::Unreachable { requested, limit, advice } => {
                (format!("a restitution of {requested} cannot be delivered: {limit}; "), advice)
            }
            Kind::Numerical { what, reason, advice } => {
                (format!("{what} failed: {reason}; "), advice)
            }
            Kind::Unreadable { what, reason } => {
                return format!("{what} cannot be read: {reason}").into();
            }
            Kind::At { place, error } => {
                return Message::from(format!("{place}: ")).and(error.message());
            }
        };
        Message::from(what).and(advice.clone())
    }

    /// Returns the sentence in the wording of a program.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        self.message().worded(wording)
    }

    /// Returns the kind of the error in one word, for programs: `invalid`, `unknown`, `missing`, …
    ///
    /// ```
    /// assert_eq!(carom::model("flores-2").unwrap_err().kind(), "unknown");
    /// ```
    pub fn kind(&self) -> &'static str {
        match &*self.0 {
            Kind::Invalid { .. } => "invalid",
            Kind::Unknown { .. } => "unknown",
            Kind::Missing { .. } => "missing",
            Kind::Unsupported { .. } => "unsupported",
            Kind::Unreachable { .. } => "unreachable",
            Kind::Numerical { .. } => "numerical",
            Kind::Unreadable { .. } => "unreadable",
            Kind::At { error, .. } => error.kind(),
        }
    }

    /// Returns whether a parameter has a value that is not permitted.
    pub fn is_invalid(&self) -> bool {
        self.kind() == "invalid"
    }

    /// Returns whether a name (law, parameter, unit, material) is not known.
    pub fn is_unknown(&self) -> bool {
        self.kind() == "unknown"
    }

    /// Returns whether a parameter was not given.
    pub fn is_missing(&self) -> bool {
        self.kind() == "missing"
    }

    /// Returns the parameter that was not given, if that is the error.
    pub fn missing_parameter(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Missing { parameter, .. } => Some(parameter),
            _ => None,
        }
    }

    /// Returns the parameter that is wrong or missing, or the kind of name that is unknown; `None` for other errors.
    ///
    /// ```
    /// let error = carom::Error::invalid("mass", -1, "above 0", "give it in kg").at("line 12");
    /// assert_eq!(error.parameter(), Some("mass"));
    /// assert_eq!(carom::model("flores-2").unwrap_err().parameter(), Some("law"));
    /// ```
    pub fn parameter(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Invalid { parameter, .. } | Kind::Missing { parameter, .. } => Some(parameter),
            Kind::Unknown { what: "parameter", name, .. } => Some(name),
            Kind::Unknown { what, .. } => Some(what),
            Kind::Unreachable { .. } => Some("restitution"),
            Kind::At { error, .. } => error.parameter(),
            _ => None,
        }
    }

    /// Returns whether the requested combination is not offered.
    pub fn is_unsupported(&self) -> bool {
        self.kind() == "unsupported"
    }

    /// Returns whether the requested restitution cannot be delivered.
    pub fn is_unreachable(&self) -> bool {
        self.kind() == "unreachable"
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "carom::Error({self})")
    }
}

impl std::error::Error for Error {}

/// Returns a number with many digits in scientific notation, and any other text unchanged.
fn shorten_number(value: String) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 20 => format!("{number:e}"),
        _ => value,
    }
}

/// Returns `value` if it is finite and positive, otherwise an error that names the parameter.
pub(crate) fn check_positive(
    parameter: &str,
    value: f64,
    advice: impl Into<Message>,
) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(Error::invalid(parameter, value, "a finite number above 0", advice))
}

/// Returns `value` if it lies in `low..=high`, otherwise an error that names the parameter.
pub(crate) fn check_range(
    parameter: &str,
    value: f64,
    low: f64,
    high: f64,
    advice: impl Into<Message>,
) -> Result<f64> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    let allowed = match (low, high) {
        (low, f64::INFINITY) => format!("a number of at least {low}"),
        (low, f64::MAX) => format!("a finite number of at least {low}"),
        _ => format!("between {low} and {high}"),
    };
    Err(Error::invalid(parameter, value, allowed, advice))
}

/// Checks a damping coefficient, in the unit of the law.
pub(crate) fn check_coefficient(value: f64) -> Result<f64> {
    check_range("damping", value, 0.0, f64::MAX, "a damping coefficient is never negative")
}

/// Checks a restitution, which must be in (0, 1].
pub(crate) fn check_restitution(value: f64) -> Result<f64> {
    if value > 0.0 && value <= 1.0 {
        return Ok(value);
    }
    let advice =
        "give the ratio of rebound speed to impact speed (0.001 is nearly plastic, 1 is elastic)";
    Err(Error::invalid("restitution", value, "above 0 and at most 1", advice))
}

/// Returns the element of `all` with this name, otherwise an error that lists the names.
pub(crate) fn find_by_name<T: Copy>(
    what: &'static str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter().copied().find(|&one| name(one) == text).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&one| name(one)).collect();
        let otherwise = match names.split_last() {
            Some((last, others)) => format!("use {} or {last}", others.join(", ")),
            None => String::new(),
        };
        Error::unknown(what, text, names, otherwise)
    })
}

/// Returns the known name nearest to `name`, if it is so similar that a typing error is likely.
fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    if name.chars().count() < 2 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let distance =
            if candidate.len() > name.len() && candidate.starts_with(&name) && name.len() > 2 {
                1
            } else {
                edit_distance(&name, candidate)
            };
        if best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.filter(|&(d, candidate)| d <= 2.max(candidate.len() / 3)).map(|(_, c)| c)
}

/// Returns the Levenshtein distance of two texts.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_nonsense_is_not() {
        let known = ["flores-2011", "hertz-1881", "hu-guo-2015"];
        assert_eq!(nearest_name("flores", known), Some("flores-2011"));
        assert_eq!(nearest_name("hu-gou-2015", known), Some("hu-guo-2015"));
        assert_eq!(nearest_name("quaternion", known), None);
    }

    #[test]
    fn a_sentence_names_parameter_value_range_and_remedy() {
        let text = check_restitution(1.5).unwrap_err().to_string();
        for part in ["restitution = 1.5", "above 0 and at most 1", "give the ratio"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(check_restitution(f64::NAN).is_err() && check_restitution(0.0).is_err());
    }
}
