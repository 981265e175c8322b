//! Why a command did not do what it was asked: one sentence and an exit status.

use crate::output::style;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The exit statuses, as `carom help` and docs/reference/command-line.md list them. They mean the same in every command.
pub const STATUSES: &str = "\
Exit status:
  0    done
  1    asked rightly, but it could not be done: a file is not there or cannot be read or written, a
       search found nothing, a run cannot go on
  2    asked wrongly: an option, name, number, unit or key, or what a file says
  130  stopped with Ctrl-C; what to do to go on is said";

/// A refusal.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense to carom; exit status 2.
    Input(String),
    /// The system did not let carom read or write, or a computation cannot go on; exit status 1.
    System(String),
    /// A search that found nothing: the result, which is empty, and the sentence; exit status 1.
    Nothing { result: String, sentence: String },
    /// Ctrl-C was pressed: how to go on; exit status 130.
    Stopped(String),
}

impl Failure {
    /// A file that could not be written.
    pub fn unwritable(path: &Path, why: &io::Error) -> Self {
        Self::System(format!(
            "cannot write `{}`: {why}; nothing was left behind, name a file in a folder that can be written",
            path.display()
        ))
    }

    /// A file that could not be read, with what to name instead. What the system gave but is no text is wrong input.
    pub fn unreadable(what: &str, path: &Path, why: &io::Error, advice: &str) -> Self {
        let sentence = format!("cannot read {what}`{}`: {why}; {advice}", path.display());
        match why.kind() {
            io::ErrorKind::InvalidData => Self::Input(sentence),
            _ => Self::System(sentence),
        }
    }

    /// What clap refuses, as one sentence; help and version are printed and end the program.
    pub fn usage(error: clap::Error) -> Self {
        let missing = clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if !error.use_stderr() || error.kind() == missing {
            error.exit();
        }
        let text = error.to_string();
        let parts: Vec<&str> = text
            .lines()
            .map(|line| line.trim().trim_start_matches("error: ").trim_start_matches("tip: "))
            .take_while(|line| !line.starts_with("Usage:"))
            .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
            .collect();
        // A list of what is missing follows a colon.
        let sentence = parts.join("; ").replace(":; ", ": ");
        Self::Input(format!(
            "{sentence}; `carom help` and `carom COMMAND --help` list what there is"
        ))
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        match self {
            Self::Input(sentence) | Self::System(sentence) | Self::Stopped(sentence) => sentence,
            Self::Nothing { sentence, .. } => sentence,
        }
    }

    /// Prints the result where there is one, says the sentence on standard error and gives the exit status.
    pub fn report(self) -> ExitCode {
        if let Self::Nothing { result, .. } = &self
            && let Err(failure) = crate::output::print(result)
        {
            return failure.report();
        }
        let (label, word) = match self {
            Self::Stopped(_) => (style::NOTE, "stopped:"),
            _ => (style::ERROR, "error:"),
        };
        anstream::eprintln!("{label}{word}{label:#} {}", self.sentence());
        ExitCode::from(match self {
            Self::System(_) | Self::Nothing { .. } => 1,
            Self::Input(_) => 2,
            Self::Stopped(_) => 130,
        })
    }
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        Self::Input(error.to_string())
    }
}
