//! Why a command did not do what it was asked: one sentence and an exit status.

use crate::output::style;
use std::path::Path;
use std::process::ExitCode;

/// A refusal.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense to carom; exit status 2.
    Input(String),
    /// The system did not let carom read or write; exit status 1.
    System(String),
}

impl Failure {
    /// A file that could not be written.
    pub fn unwritable(path: &Path, why: &std::io::Error) -> Self {
        Self::System(format!(
            "cannot write `{}`: {why}; nothing was left behind, name a file in a folder that can be written",
            path.display()
        ))
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

    /// Says the sentence on standard error and gives the exit status.
    pub fn report(self) -> ExitCode {
        let (sentence, status) = match self {
            Self::Input(sentence) => (sentence, 2),
            Self::System(sentence) => (sentence, 1),
        };
        let label = style::ERROR;
        anstream::eprintln!("{label}error:{label:#} {sentence}");
        ExitCode::from(status)
    }
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        Self::Input(error.to_string())
    }
}
