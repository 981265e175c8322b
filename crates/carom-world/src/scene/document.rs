//! A scene as a TOML document, with the lines of its statements.

use super::{Location, SceneError};
use carom::Error;
use toml::Spanned;
use toml::de::DeTable;

/// Number of lines before a syntax error that are searched for the start of the broken statement.
const MAX_STATEMENT_LINES: usize = 1000;

pub(crate) type Read<T> = Result<T, SceneError>;

/// A parsed TOML text.
pub(crate) struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) table: Spanned<DeTable<'t>>,
}

impl<'t> Document<'t> {
    pub fn parse(text: &'t str) -> Read<Self> {
        match DeTable::parse(text) {
            Ok(table) => Ok(Self { text, table }),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
                let line = line_number(text, at);
                // The parser detects an unclosed bracket or quote only where the next statement begins, or at the end.
                let began = match statement_start(text, line) {
                    Some(first) if first < line => format!(", in what begins in line {first}"),
                    _ => String::new(),
                };
                let reason = format!("this is not TOML: {message}{began}; see https://toml.io");
                Err(SceneError {
                    location: Location::Line(line),
                    error: Error::unreadable("the scene", reason),
                })
            }
        }
    }

    /// Parses a text and sets some of its keys to other values.
    pub fn parse_with(text: &'t str, changes: &'t [super::Change]) -> Read<Self> {
        let mut document = Self::parse(text)?;
        for (number, change) in changes.iter().enumerate() {
            // Values of changes are given offsets beyond the end of the text, from which `location` finds the number of the
            // change.
            let at = text.len() + 1 + number;
            super::change::apply(document.table.get_mut(), change, number, at)?;
        }
        Ok(document)
    }

    /// Returns the parsed tables.
    pub fn tables(&self) -> &DeTable<'t> {
        self.table.get_ref()
    }
}

/// Returns the line of an offset in the text, or the change to whose value this offset beyond the end was given.
pub(super) fn location(text: &str, at: usize) -> Location {
    match at.checked_sub(text.len() + 1) {
        Some(change) => Location::Change(change),
        None => Location::Line(line_number(text, at)),
    }
}

/// Returns the line of an offset in the text, counted from 1.
fn line_number(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// Returns the line in which a broken statement begins: the last line for which the text before it parses.
fn statement_start(text: &str, broken: usize) -> Option<usize> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(starts).take(broken).collect();
    let mut lines = starts.iter().enumerate().rev().take(MAX_STATEMENT_LINES);
    let first = lines.find(|(_, at)| text.get(..**at).is_some_and(|t| DeTable::parse(t).is_ok()));
    first.map(|(index, _)| index + 1)
}
