//! Elements that the text reports of all commands share: labelled lines, notes, rounded numbers.

use super::style::{self, paint};
use super::wrap;
use crate::wording::CommandLine;
use carom::report::NoteReport;
use std::fmt::Display;

/// Width of the column of labels in reports of impacts.
pub const LABEL_WIDTH: usize = 11;

/// Returns a line of a report of impacts: a faint label and the value beside it.
pub fn line(label: &str, value: impl Display) -> String {
    labelled(LABEL_WIDTH, label, value)
}

/// Returns lines of a report of impacts that share one label, which is written before the first.
pub fn lines(label: &str, values: impl IntoIterator<Item = impl Display>) -> String {
    let values = values.into_iter().enumerate();
    values.map(|(i, value)| line(if i == 0 { label } else { "" }, value)).collect()
}

/// Returns a line with a faint label in a column of `width`.
pub fn labelled(width: usize, label: &str, value: impl Display) -> String {
    format!("  {}  {value}\n", paint(style::FAINT, format!("{label:<width$}")))
}

/// Returns messages below a report, each beside the word `note` in the column of labels.
pub fn notes(width: usize, messages: impl IntoIterator<Item = String>) -> String {
    let (label, indent) = (paint(style::NOTE, "note"), width + 4);
    let mut text = String::new();
    for message in messages {
        let filled = wrap::fill_beside(&message, indent);
        text += &format!("  {label}{}{filled}", " ".repeat(width - 2));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Returns one paragraph that begins with the word `note`.
pub fn note(sentence: &str) -> String {
    let label = paint(style::NOTE, "note:");
    wrap::fill(&format!("{label} {sentence}"), 0, 6)
}

/// Returns the messages of notes, with their advice as options of the command.
pub fn note_messages(notes: &[NoteReport]) -> impl Iterator<Item = String> {
    notes.iter().map(|note| note.message.worded(&CommandLine))
}

/// Rounds a number to this number of significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// Formats a quantity rounded to this number of significant digits.
pub fn rounded_quantity(value: f64, digits: usize, unit: &str) -> String {
    carom::units::format(rounded(value, digits), unit)
}

/// Formats a number with this number of decimals; a dash if there is none.
pub fn decimals(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        let two = [0.123, 0.0996, 1234.5, 0.0, -0.0567].map(|value| rounded(value, 2));
        assert_eq!(two, [0.12, 0.1, 1200.0, 0.0, -0.057]);
        assert!(rounded(f64::NAN, 2).is_nan() && rounded(f64::INFINITY, 3).is_infinite());
    }
}
