//! One error type for the whole library.
//!
//! An error is a sentence for the user: it names the parameter, its value, what is allowed and what to do. What to do is
//! data (see [`message`](mod@crate::message)), so that every program can word it in its own way. The kinds are private, so that
//! messages can improve without breaking anyone; programs ask by predicate ([`Error::is_invalid`], …).

use crate::message::{Message, Wording};
use std::fmt;

/// What every fallible function of carom returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why carom refused: a sentence, and predicates to tell the cases apart.
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
    /// A parameter whose value lies outside what is allowed.
    #[cold]
    pub fn invalid(
        parameter: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Invalid {
            parameter: parameter.into(),
            value: readable(value.to_string()),
            allowed: allowed.into(),
            advice: advice.into(),
        }))
    }

    /// A name that is not in the list it was looked up in; the nearest names are suggested.
    #[cold]
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<Message>,
    ) -> Self {
        let advice = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?").into(),
            None => otherwise.into(),
        };
        Self(Box::new(Kind::Unknown { what, name: name.to_string(), advice }))
    }

    /// A name that is none of these; all of them are listed unless one is near enough to be meant.
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

    /// A parameter that was needed and not given.
    #[cold]
    pub fn missing(parameter: impl Into<String>, advice: impl Into<Message>) -> Self {
        Self(Box::new(Kind::Missing { parameter: parameter.into(), advice: advice.into() }))
    }

    /// A combination that carom does not offer (it never falls back to something else).
    #[cold]
    pub fn unsupported(what: impl Into<String>, advice: impl Into<Message>) -> Self {
        Self(Box::new(Kind::Unsupported { what: what.into(), advice: advice.into() }))
    }

    /// A restitution that no damping of this law can deliver under this exit.
    #[cold]
    pub fn unreachable(
        requested: f64,
        limit: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Unreachable {
            requested: readable(requested.to_string()),
            limit: limit.into(),
            advice: advice.into(),
        }))
    }

    /// A computation that did not finish; names what was computed and what to change.
    #[cold]
    pub fn numerical(
        what: &'static str,
        reason: impl Into<String>,
        advice: impl Into<Message>,
    ) -> Self {
        Self(Box::new(Kind::Numerical { what, reason: reason.into(), advice: advice.into() }))
    }

    /// A text that is not what it should be.
    #[cold]
    pub fn unreadable(what: &'static str, reason: impl Into<String>) -> Self {
        Self(Box::new(Kind::Unreadable { what, reason: reason.into() }))
    }

    /// This error with the place where it was made, such as `line 12`, before it.
    ///
    /// ```
    /// let error = carom::Error::missing("mass", "give it in kg").at("line 12");
    /// assert_eq!(error.to_string(), "line 12: mass is missing: give it in kg");
    /// ```
    #[cold]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self(Box::new(Kind::At { place: place.into(), error: self }))
    }

    /// The whole sentence, with its advice as data.
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
                (format!("a restitution of {requested} cannot be had: {limit}; "), advice)
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

    /// The sentence in the words of a program.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        self.message().worded(wording)
    }

    /// The kind in one word, for programs: `invalid`, `unknown`, `missing`, …
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

    /// True when a parameter had a value that is not allowed.
    pub fn is_invalid(&self) -> bool {
        self.kind() == "invalid"
    }

    /// True when a name (law, parameter, unit, material) is not known.
    pub fn is_unknown(&self) -> bool {
        self.kind() == "unknown"
    }

    /// True when a parameter was not given.
    pub fn is_missing(&self) -> bool {
        self.kind() == "missing"
    }

    /// The parameter that was not given, where that is what is wrong.
    pub fn missing_parameter(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Missing { parameter, .. } => Some(parameter),
            _ => None,
        }
    }

    /// The parameter that is wrong or missing, or the kind of name that is unknown; none where the error is about something
    /// else.
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

    /// True when the combination asked for is not offered.
    pub fn is_unsupported(&self) -> bool {
        self.kind() == "unsupported"
    }

    /// True when the restitution asked for cannot be delivered.
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

/// A number of hundreds of digits in scientific notation, anything else as it is.
fn readable(value: String) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 20 => format!("{number:e}"),
        _ => value,
    }
}

/// `value` if it is finite and positive, otherwise an error that names the parameter.
pub(crate) fn positive(parameter: &str, value: f64, advice: impl Into<Message>) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(Error::invalid(parameter, value, "a finite number above 0", advice))
}

/// `value` if it lies in `low..=high`, otherwise an error that names the parameter.
pub(crate) fn within(
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

/// A damping coefficient, in the unit of the law.
pub(crate) fn coefficient(value: f64) -> Result<f64> {
    within("damping", value, 0.0, f64::MAX, "a damping coefficient is never negative")
}

/// A restitution, in (0, 1].
pub(crate) fn restitution(value: f64) -> Result<f64> {
    if value > 0.0 && value <= 1.0 {
        return Ok(value);
    }
    let advice =
        "give the ratio of rebound speed to impact speed (0.001 is nearly plastic, 1 is elastic)";
    Err(Error::invalid("restitution", value, "above 0 and at most 1", advice))
}

/// The one of `all` with this name, otherwise an error that lists the names.
pub(crate) fn by_name<T: Copy>(
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

/// The known name nearest to `name`, when it is near enough to be a typing error.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// Levenshtein distance.
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
        assert_eq!(nearest("flores", known), Some("flores-2011"));
        assert_eq!(nearest("hu-gou-2015", known), Some("hu-guo-2015"));
        assert_eq!(nearest("quaternion", known), None);
    }

    #[test]
    fn a_sentence_names_parameter_value_range_and_remedy() {
        let text = restitution(1.5).unwrap_err().to_string();
        for part in ["restitution = 1.5", "above 0 and at most 1", "give the ratio"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(restitution(f64::NAN).is_err() && restitution(0.0).is_err());
    }
}
