//! Failures of commands: a message of one sentence and an exit status.

use crate::wording::{CommandLine, option};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Exit statuses, as `carom help` and docs/reference/command-line.md list them. They have the same meaning in every command.
pub const STATUSES: &str = "\
Exit status:
  0    done
  1    valid, but it could not be done: a file does not exist or cannot be read or written, a search
       found nothing, a run cannot continue
  2    invalid: an option, name, number, unit or key, or the contents of a file
  130  stopped with Ctrl-C; the message says how to continue";

/// Reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong; exit status 2.
    Input(String),
    /// The library refused the input, with advice as data; exit status 2.
    Refused(carom::Error),
    /// A file could not be read or written, or a computation cannot continue; exit status 1.
    System(String),
    /// A search found nothing: the empty result and a sentence; exit status 1.
    Nothing { result: String, sentence: String },
    /// Ctrl-C was pressed; the text says how to continue; exit status 130.
    Stopped(String),
}

impl Failure {
    /// Returns the failure of an error in the contents of a file.
    pub fn in_file(path: &Path, mistake: impl std::fmt::Display) -> Self {
        Self::Input(format!("{}: {mistake}", path.display()))
    }

    /// Returns the failure of a computation that cannot continue.
    pub fn internal(error: &carom::Error) -> Self {
        Self::System(error.worded(&CommandLine))
    }

    /// Returns the failure of a file that could not be written.
    pub fn unwritable(path: &Path, why: &io::Error) -> Self {
        Self::System(format!(
            "cannot write `{}`: {why}; nothing was left behind, name a file in a writable folder",
            path.display()
        ))
    }

    /// Returns the failure of a file that could not be read, with advice on what to name instead. A file that is not text is
    /// invalid input.
    pub fn unreadable(what: &str, path: &Path, why: &io::Error, advice: &str) -> Self {
        let sentence = format!("cannot read {what}`{}`: {why}; {advice}", path.display());
        match why.kind() {
            io::ErrorKind::InvalidData => Self::Input(sentence),
            _ => Self::System(sentence),
        }
    }

    /// Converts an error of clap to one sentence. Help and version are printed, and end the program.
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
        // A list of missing arguments follows a colon.
        let sentence = parts.join("; ").replace(":; ", ": ");
        Self::Input(format!(
            "{sentence}; `carom help` and `carom COMMAND --help` list commands and options"
        ))
    }

    /// Returns the sentence, with actions expressed as options of the command.
    pub fn sentence(&self) -> Cow<'_, str> {
        match self {
            Self::Input(sentence) | Self::System(sentence) | Self::Stopped(sentence) => {
                sentence.into()
            }
            Self::Refused(error) => error.worded(&CommandLine).into(),
            Self::Nothing { sentence, .. } => sentence.into(),
        }
    }
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        Self::Refused(error)
    }
}

impl From<carom_store::Failure> for Failure {
    /// Converts a failure of the store. Failures of the file system and runs that cannot continue are not errors of the user (exit
    /// status 1); all others are.
    fn from(failure: carom_store::Failure) -> Self {
        use carom_store::Failure as Store;
        match &failure {
            Store::Broken { path, error, reached } => {
                let (path, reached) = (path.display(), carom::units::format(*reached, "s"));
                Self::System(format!(
                    "{error}; the tables in `{path}` end at t = {reached} and are marked as unfinished; `carom lab \
                     {path}` plays them"
                ))
            }
            Store::Refused(_) | Store::Damaged(_) | Store::Exists(_) | Store::Changed { .. } => {
                Self::Input(failure.worded(option))
            }
            _ => Self::System(failure.worded(option)),
        }
    }
}
