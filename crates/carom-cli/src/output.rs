//! Output of results: text, JSON and CSV, and files that are written as a whole.

pub mod csv;
pub mod progress;
pub mod report;
pub mod style;
pub mod table;
pub mod wrap;

use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// The options `--json` and `--csv` of every command.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Output")]
pub struct Format {
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV, one header row
    #[arg(long)]
    csv: bool,
}

impl Format {
    /// Returns whether CSV was requested.
    pub fn is_csv(self) -> bool {
        self.csv
    }

    /// Renders the results of a search. If there are none, the result is an empty list (in CSV only the header) and a failure with
    /// the sentence `nothing`. `example` is a row with all columns.
    pub fn search<R: Serialize>(
        self,
        found: &[R],
        example: &R,
        nothing: impl FnOnce() -> String,
        text: impl FnOnce() -> String,
    ) -> Result<String, Failure> {
        if !found.is_empty() {
            return self.render(&found, found, text);
        }
        let result = self.render_like(&found, found, example, String::new)?;
        Err(Failure::Nothing { result, sentence: nothing() })
    }

    /// Renders like [`Format::render`]; `example` is a row from which the header of an empty CSV table is made.
    pub fn render_like<V: Serialize, R: Serialize>(
        self,
        value: &V,
        rows: &[R],
        example: &R,
        text: impl FnOnce() -> String,
    ) -> Result<String, Failure> {
        match self.csv && rows.is_empty() {
            true => csv::header(example),
            false => self.render(value, rows, text),
        }
    }

    /// Renders `value` as JSON, or `rows` as CSV, or otherwise the text.
    pub fn render<V: Serialize, R: Serialize>(
        self,
        value: &V,
        rows: &[R],
        text: impl FnOnce() -> String,
    ) -> Result<String, Failure> {
        match (self.json, self.csv) {
            (true, _) => json(value),
            (_, true) => csv::rows(rows),
            _ => Ok(text()),
        }
    }
}

/// Returns indented JSON; numbers that are not finite are `null`.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => Ok(text + "\n"),
        Err(why) => Err(Failure::System(format!("cannot write the result as JSON: {why}"))),
    }
}

/// Writes a file as a whole ([`carom_store::file::write`]); if the system refuses, the old contents remain.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    carom_store::file::write(path, contents).map_err(|why| Failure::unwritable(path, &why))
}

/// Writes to standard output: in colour on a terminal, plain into a pipe or file. A pipe that is closed early (`| head`) is not a
/// failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::System(format!("cannot write to standard output: {why}")))
        }
        _ => Ok(()),
    }
}

/// Prints the message of a failure to standard error, after its empty result if it has one, and returns the exit status.
pub fn report(failure: Failure) -> u8 {
    if let Failure::Nothing { result, .. } = &failure
        && let Err(unwritable) = print(result)
    {
        return report(unwritable);
    }
    let (label, word) = match failure {
        Failure::Stopped(_) => (style::NOTE, "stopped:"),
        _ => (style::ERROR, "error:"),
    };
    anstream::eprintln!("{label}{word}{label:#} {}", failure.sentence());
    match failure {
        Failure::System(_) | Failure::Nothing { .. } => 1,
        Failure::Input(_) | Failure::Refused(_) => 2,
        Failure::Stopped(_) => 130,
    }
}

/// Returns the width of the terminal (columns); `None` for a pipe or file, where nothing is cut, unless COLUMNS is set.
pub fn terminal_width() -> Option<usize> {
    let terminal = match std::io::stdout().is_terminal() {
        true => terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
        false => None,
    };
    let said = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|width| *width > 0);
    terminal.or_else(said)
}

/// Returns the width for running text (columns).
pub fn text_width() -> usize {
    terminal_width().unwrap_or(100).clamp(40, 100)
}
