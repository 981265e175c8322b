//! Messages whose advice is data.
//!
//! An error or a note is a sentence that states what is wrong and what to do about it. The advice is an [`Action`] on
//! a parameter of the description instead of text, because each program writes it differently: the command as an
//! option, Python as a keyword argument, a scene as a key, the page of the lab as a button. A [`Wording`] defines how
//! a program writes actions.
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

/// An action that a user can take to correct an error or to follow a note.
///
/// Parameters are named as in the description ([`Spec`](crate::spec::Spec)): `set.radius` is the entry `radius` of `set`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Setting a parameter to this value; `true` for a switch.
    Set {
        /// Name of the parameter.
        parameter: String,
        /// Value of the parameter.
        value: String,
    },
    /// Giving a parameter whose value only the user knows.
    Give {
        /// Name of the parameter.
        parameter: String,
        /// Symbol for the value (`E`) or example of one (`0.5 m/s`).
        example: Option<String>,
    },
    /// Leaving a parameter out.
    LeaveOut {
        /// Name of the parameter.
        parameter: String,
    },
    /// Looking something up, or using another function of the program.
    See {
        /// Topic that is referred to.
        topic: Topic,
    },
}

/// Topic to which a message refers.
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
    /// Returns the action of setting a parameter to a value.
    pub fn set(parameter: impl Into<String>, value: impl fmt::Display) -> Self {
        Self::Set { parameter: parameter.into(), value: value.to_string() }
    }

    /// Returns the action of giving a parameter.
    pub fn give(parameter: impl Into<String>) -> Self {
        Self::Give { parameter: parameter.into(), example: None }
    }

    /// Returns the action of giving a parameter; `example` is a symbol for its value or an example of one.
    pub fn give_as(parameter: impl Into<String>, example: impl Into<String>) -> Self {
        Self::Give { parameter: parameter.into(), example: Some(example.into()) }
    }

    /// Returns the action of giving a parameter of the law or a property of the bodies, by its name.
    pub fn give_entry(name: &str) -> Self {
        Self::give_as(format!("set.{name}"), "VALUE")
    }

    /// Returns the action of leaving a parameter out.
    pub fn leave_out(parameter: impl Into<String>) -> Self {
        Self::LeaveOut { parameter: parameter.into() }
    }

    /// Returns the action of looking something up.
    pub fn see(topic: Topic) -> Self {
        Self::See { topic }
    }

    /// Returns parameter and value as written in an assignment, such as `exit` and `"force"`, if the action has a
    /// parameter. Words are quoted; numbers, switches, lists in brackets and placeholders in capitals are not.
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
    /// Returns the text of an action without its verb, which is part of the surrounding sentence: `exit = "force"`
    /// after "use".
    fn action(&self, action: &Action) -> String;
}

/// The library's own wording, independent of any program: `exit = "force"`.
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

/// A sentence for the user whose advice is data. In JSON it is a text.
#[derive(Clone, Default, PartialEq)]
pub struct Message(Vec<Part>);

/// Creates a [`Message`](crate::message::Message) by joining texts, actions and other messages.
#[macro_export]
macro_rules! message {
    ($($part:expr),+ $(,)?) => {
        $crate::message::Message::default()$(.and($part))+
    };
}

/// Creates a [`Message`](crate::message::Message) from a text like that of `format!`, with a text, an action or
/// another message for each `{}`. Values in braces, such as `{force:.3e}`, are formatted as usual.
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

/// Collects the parts of a [`sentence!`](crate::sentence) in the order in which they are formatted.
#[doc(hidden)]
#[derive(Default)]
pub struct Composer(RefCell<Message>);

/// A part of a sentence; formatting it appends it to the composer.
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
        // Writing into memory cannot fail.
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
    /// Returns the sentence in the wording of a program.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Action(action) => wording.action(action),
        };
        self.0.iter().map(part).collect()
    }

    /// Returns the actions of the message.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.0.iter().filter_map(|part| match part {
            Part::Action(action) => Some(action),
            Part::Text(_) => None,
        })
    }

    /// Returns the actions, each with its text within the sentence, for JSON.
    pub fn advice(&self) -> Vec<WordedAction> {
        let worded =
            |action: &Action| WordedAction { action: action.clone(), text: Plain.action(action) };
        self.actions().map(worded).collect()
    }

    /// Returns this message followed by another one.
    pub fn and(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }
}

/// An action as data, and its text in the [plain](Plain) message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordedAction {
    /// Action as data.
    #[serde(flatten)]
    pub action: Action,
    /// Text of the action in the message.
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
