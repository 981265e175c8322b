//! Messages whose advice is data.
//!
//! An error or a note says in a sentence what is wrong and what to do about it. What to do is an [`Action`] on a parameter
//! of the description, and not text, because each program writes it in its own way: the command as an option, Python as a
//! keyword, a scene as a key, the page of the lab as a button. A [`Wording`] is such a way.
//!
//! ```
//! use carom::message::Action;
//! let message = carom::message!["use ", Action::set("exit", "force"), " or less damping"];
//! assert_eq!(message.to_string(), "use exit = \"force\" or less damping");
//! assert_eq!(message.actions().count(), 1);
//! ```

use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;

/// Something that a user can do about an error or a note.
///
/// Parameters are named as in the description ([`Spec`](crate::spec::Spec)): `set.radius` is the entry `radius` of `set`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Set a parameter to this value; `true` for a switch.
    Set {
        /// Its name.
        parameter: String,
        /// The value.
        value: String,
    },
    /// Give a parameter whose value only the user knows.
    Give {
        /// Its name.
        parameter: String,
        /// A symbol for the value (`E`) or an example of one (`0.5 m/s`).
        example: Option<String>,
    },
    /// Leave a parameter out.
    LeaveOut {
        /// Its name.
        parameter: String,
    },
    /// Look something up, or ask another question.
    See {
        /// What.
        topic: Topic,
    },
}

/// What a message refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Topic {
    /// The list of laws.
    Laws,
    /// The page of a law, with its parameters.
    Law,
    /// The list of materials.
    Materials,
    /// The identification of stiffness and damping from measured numbers.
    Identification,
}

impl Action {
    /// Set a parameter to a value.
    pub fn set(parameter: impl Into<String>, value: impl fmt::Display) -> Self {
        Self::Set { parameter: parameter.into(), value: value.to_string() }
    }

    /// Give a parameter.
    pub fn give(parameter: impl Into<String>) -> Self {
        Self::Give { parameter: parameter.into(), example: None }
    }

    /// Give a parameter; `example` is a symbol for its value or an example of one.
    pub fn give_as(parameter: impl Into<String>, example: impl Into<String>) -> Self {
        Self::Give { parameter: parameter.into(), example: Some(example.into()) }
    }

    /// Give a parameter of the law or a property of the bodies, by its name.
    pub fn give_entry(name: &str) -> Self {
        Self::give_as(format!("set.{name}"), "VALUE")
    }

    /// Leave a parameter out.
    pub fn leave_out(parameter: impl Into<String>) -> Self {
        Self::LeaveOut { parameter: parameter.into() }
    }

    /// Look something up.
    pub fn see(topic: Topic) -> Self {
        Self::See { topic }
    }

    /// Parameter and value as written in an assignment, where there is a parameter: `exit` and `"force"`. Words are
    /// quoted; numbers, switches, lists in brackets and placeholders in capitals are not.
    pub fn assignment(&self) -> Option<(&str, Option<String>)> {
        let (parameter, value) = match self {
            Self::Set { parameter, value } => (parameter, Some(value)),
            Self::Give { parameter, example } => (parameter, example.as_ref()),
            Self::LeaveOut { parameter } => (parameter, None),
            Self::See { .. } => return None,
        };
        let bare = |value: &str| {
            let placeholder = value.chars().all(|c| c.is_ascii_uppercase() || c == '…');
            placeholder || value == "true" || value.parse::<f64>().is_ok()
        };
        let item = |value: &str| match bare(value) {
            true => value.to_string(),
            false => format!("\"{value}\""),
        };
        let literal = |value: &String| match value.contains(',') {
            true => format!("[{}]", value.split(',').map(item).collect::<Vec<_>>().join(", ")),
            false => item(value),
        };
        Some((parameter, value.map(literal)))
    }
}

/// How a program writes actions.
pub trait Wording {
    /// An action without its verb, which stands in the sentence around it: `exit = "force"` after "use".
    fn action(&self, action: &Action) -> String;
}

/// The library's own wording, of no program: `exit = "force"`.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Wording for Plain {
    fn action(&self, action: &Action) -> String {
        match (action.assignment(), action) {
            (Some((parameter, value)), _) => {
                let name = parameter.strip_prefix("set.").unwrap_or(parameter);
                value.map_or(name.to_string(), |value| format!("{name} = {value}"))
            }
            (None, Action::See { topic: Topic::Laws }) => "the list of laws".into(),
            (None, Action::See { topic: Topic::Law }) => "the description of the law".into(),
            (None, Action::See { topic: Topic::Materials }) => "the list of materials".into(),
            (None, _) => "identification from measured numbers".into(),
        }
    }
}

/// A part of a message.
#[derive(Clone, PartialEq)]
enum Part {
    Text(String),
    Action(Action),
}

/// A sentence for the user in which what to do is data. In JSON it is its text.
#[derive(Clone, Default, PartialEq)]
pub struct Message(Vec<Part>);

/// A [`Message`](crate::message::Message) from texts, actions and other messages, one after the other.
#[macro_export]
macro_rules! message {
    ($($part:expr),+ $(,)?) => {
        $crate::message::Message::default()$(.and($part))+
    };
}

/// A [`Message`](crate::message::Message) from a text as that of `format!`, with a text, an action or another message for each
/// `{}`. Values in braces, as `{force:.3e}`, are formatted as usual.
///
/// ```
/// use carom::message::Action;
/// let limit = 0.5;
/// let message = carom::sentence!("it is above {limit:.1}; use {}", Action::set("exit", "force"));
/// assert_eq!(message.to_string(), "it is above 0.5; use exit = \"force\"");
/// assert_eq!(message.actions().count(), 1);
/// ```
#[macro_export]
macro_rules! sentence {
    ($text:literal $(, $part:expr)* $(,)?) => {
        $crate::message::Composer::compose(|composer| {
            composer.write(format_args!($text $(, composer.part($part))*));
        })
    };
}

/// Collects the parts of a [`sentence!`](crate::sentence) in the order in which formatting comes to them.
#[doc(hidden)]
#[derive(Default)]
pub struct Composer(RefCell<Message>);

/// A part of a sentence, which formatting puts into the composer.
struct Slot<'a>(&'a Composer, Message);

impl Composer {
    #[doc(hidden)]
    pub fn compose(write: impl FnOnce(&Self)) -> Message {
        let composer = Self::default();
        write(&composer);
        composer.0.into_inner()
    }

    #[doc(hidden)]
    pub fn write(&self, text: fmt::Arguments) {
        // Writing into memory does not fail.
        let _ = fmt::Write::write_fmt(&mut &*self, text);
    }

    #[doc(hidden)]
    pub fn part(&self, part: impl Into<Message>) -> impl fmt::Display {
        Slot(self, part.into())
    }
}

impl fmt::Write for &Composer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let parts = &mut self.0.borrow_mut().0;
        match parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => parts.push(Part::Text(text.to_string())),
        }
        Ok(())
    }
}

impl fmt::Display for Slot<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.0.borrow_mut().0.extend(self.1.0.iter().cloned());
        Ok(())
    }
}

impl Message {
    /// The sentence in the words of a program.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Action(action) => wording.action(action),
        };
        self.0.iter().map(part).collect()
    }

    /// What can be done.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.0.iter().filter_map(|part| match part {
            Part::Action(action) => Some(action),
            Part::Text(_) => None,
        })
    }

    /// What can be done, each with its text within the sentence, for JSON.
    pub fn advice(&self) -> Vec<WordedAction> {
        let worded =
            |action: &Action| WordedAction { action: action.clone(), text: Plain.action(action) };
        self.actions().map(worded).collect()
    }

    /// This message with another one after it.
    pub fn and(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }
}

/// An action as data, and as the text that stands for it in the [plain](Plain) message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordedAction {
    /// What to do.
    #[serde(flatten)]
    pub action: Action,
    /// Its text in the message.
    pub text: String,
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_string().into()
    }
}

impl From<&String> for Message {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(vec![Part::Text(text)])
    }
}

impl From<Action> for Message {
    fn from(action: Action) -> Self {
        Self(vec![Part::Action(action)])
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&Plain))
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_worded_and_listed() {
        let message = message![
            "give ",
            Action::give_as("mass", "M"),
            " or ",
            Action::give_entry("radius"),
            ", for example ",
            Action::give_as("speeds", "0.1,0.5"),
            "; leave out ",
            Action::leave_out("published"),
        ];
        let text =
            "give mass = M or radius = VALUE, for example speeds = [0.1, 0.5]; leave out published";
        assert_eq!(message.to_string(), text);
        assert_eq!(message.actions().count(), 4);
        let json = serde_json::to_string(&message.advice()[0]).unwrap();
        assert_eq!(json, r#"{"do":"give","parameter":"mass","example":"M","text":"mass = M"}"#);
    }
}
