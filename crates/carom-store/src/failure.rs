//! Reasons why a table could not be written or read, and what remains of it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Error of a simulation.
type RunError = Box<dyn std::error::Error + Send + Sync>;

/// Reason why a table could not be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The operating system reported an error while writing.
    System {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        why: io::Error,
        /// What had been written before and is safe on the disk.
        kept: Kept,
    },
    /// The file exists and is not the result of this table.
    Exists(PathBuf),
    /// An unfinished file of another table exists under the name that this table would use.
    Changed {
        /// The unfinished file.
        partial: PathBuf,
        /// Number of partitions in it.
        kept: u64,
    },
    /// Another process is writing the same file.
    Busy(PathBuf),
    /// A file contains less than the checkpoint beside it records.
    Damaged(PathBuf),
    /// The request does not agree with the files that exist.
    Refused(Problem),
    /// A file or folder that the request names does not exist.
    Missing(Problem),
    /// The simulation failed at its first step, so no results are kept.
    Run(RunError),
    /// The simulation failed during the run; its tables contain the results up to that time.
    Broken {
        /// The folder.
        path: PathBuf,
        /// Why it failed.
        error: RunError,
        /// Time up to which the tables contain results (s).
        reached: f64,
    },
    /// A step could not be taken because of something outside the simulation. A checkpoint is written, from which the run can be
    /// resumed.
    Halted {
        /// The folder.
        path: PathBuf,
        /// Why the step could not be taken.
        error: RunError,
        /// Time that the simulation reached (s).
        reached: f64,
    },
    /// A file could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        why: io::Error,
    },
    /// A thread ended early.
    Thread,
}

/// What is safe on the disk when the operating system refuses to write more, so that the run can be resumed from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing.
    Nothing,
    /// A checkpoint, and the rows up to it.
    Checkpoint,
    /// The first partitions of a table.
    Partitions {
        /// Number of partitions that are safe.
        count: u64,
        /// Number of partitions of the table.
        of: u64,
    },
}

/// Description of a failure and the possible remedies, each of which is sufficient on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub text: String,
    /// Possible remedies.
    pub advice: &'static [Advice],
}

/// A remedy for a failure. Options are given as names of parameters, which every front end expresses in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Begin a new run and replace the existing files.
    Overwrite,
    /// Continue a run that was stopped.
    Resume,
    /// Discard the partitions of an unfinished file.
    Restart,
    /// Do not name a format: a run that is resumed keeps its own.
    OmitFormat,
    /// Begin a run instead of resuming one.
    OmitResume,
    /// Simulate a scene, with results in a folder.
    Simulate,
    /// Something that needs no option.
    Other(&'static str),
}

impl Advice {
    /// Returns the parameter that the advice concerns, with `true` where it is to be set and `false` where it is to be left out.
    pub fn parameter(self) -> Option<(&'static str, bool)> {
        match self {
            Self::Overwrite => Some(("overwrite", true)),
            Self::Resume => Some(("resume", true)),
            Self::Restart => Some(("restart", true)),
            Self::OmitFormat => Some(("format", false)),
            Self::OmitResume => Some(("resume", false)),
            Self::Simulate | Self::Other(_) => None,
        }
    }

    /// Returns the words that precede the option.
    fn phrase(self) -> &'static str {
        match self {
            Self::Overwrite => "begin anew with ",
            Self::Resume => "go on with ",
            Self::Restart => "discard them with ",
            Self::OmitFormat => "go on without ",
            Self::OmitResume => "leave out ",
            Self::Simulate => "simulate a scene into a folder with ",
            Self::Other(phrase) => phrase,
        }
    }

    /// Returns the option in neutral words, for use outside any front end.
    fn plain(self) -> String {
        match (self, self.parameter()) {
            (_, Some((name, true))) => format!("{name} = true"),
            (_, Some((name, false))) => name.into(),
            (Self::Simulate, _) => "`simulate`".into(),
            _ => String::new(),
        }
    }
}

impl Failure {
    /// Returns the failure of a request that does not agree with the existing files.
    pub(crate) fn refused(text: String, advice: &'static [Advice]) -> Self {
        Self::Refused(Problem { text, advice })
    }

    /// Returns the failure of a file that could not be created, so that nothing has been written.
    pub(crate) fn unwritable(path: &Path, why: io::Error) -> Self {
        Self::System { path: path.into(), why, kept: Kept::Nothing }
    }

    /// Returns the failure of a file that could not be read.
    pub(crate) fn unreadable(path: &Path, why: io::Error) -> Self {
        Self::Unreadable { path: path.into(), why }
    }

    /// Returns the failure of a file whose contents are invalid.
    pub(crate) fn damaged(path: &Path, why: &str) -> Self {
        Self::refused(format!("`{}` is damaged: {why}", path.display()), &[Advice::Overwrite])
    }

    /// Returns what is wrong and what can be done about it.
    pub fn problem(&self) -> Problem {
        use Advice::{Other, Overwrite, Restart, Resume};
        let (text, advice): (String, &'static [Advice]) = match self {
            Self::System { path, why, kept } => {
                let refused = format!("cannot write `{}`: {why}", path.display());
                match kept {
                    Kept::Nothing => (
                        refused,
                        &[Other("name a file in a folder that can be written and has room")],
                    ),
                    Kept::Checkpoint => (
                        refused
                            + "; what was written before is safe and goes on once there is room",
                        &[Resume],
                    ),
                    Kept::Partitions { count, of } => (
                        format!("{refused}; {count} of {of} partitions are safe"),
                        &[Other("make room and run the same study again to go on from there")],
                    ),
                }
            }
            Self::Exists(path) => (
                format!("`{}` exists and is not a result of this study", path.display()),
                &[Other("name another file"), Overwrite],
            ),
            Self::Changed { partial, kept } => (
                format!(
                    "`{}` holds {kept} partitions of another study (or another version of this one)",
                    partial.display()
                ),
                &[Other("finish that one first"), Other("name another file"), Restart],
            ),
            Self::Busy(path) => (
                format!("`{}` is being written by another process", path.display()),
                &[Other("wait for it"), Other("name another file")],
            ),
            Self::Damaged(path) => (
                format!("`{}` holds less than the checkpoint beside it says", path.display()),
                &[Overwrite],
            ),
            Self::Refused(problem) | Self::Missing(problem) => return problem.clone(),
            Self::Run(error) => (error.to_string(), &[]),
            Self::Broken { path, error, reached } => (
                format!(
                    "{error}; the tables in `{}` reach up to t = {reached} s and are marked as unfinished",
                    path.display()
                ),
                &[],
            ),
            Self::Halted { path, error, reached } => (
                format!(
                    "{error}; the run in `{}` stopped at t = {reached} s and is kept up to there",
                    path.display()
                ),
                &[Resume],
            ),
            Self::Unreadable { path, why } => (
                format!("cannot read `{}`: {why}", path.display()),
                &[Other("see to it that it may be read")],
            ),
            Self::Thread => {
                ("a thread ended early".into(), &[Other("run the same study again to go on")])
            }
        };
        Problem { text, advice }
    }

    /// Returns the failure as a sentence. `option` expresses the option of an advice as the front end does; it returns an empty
    /// text where there is no such option.
    pub fn worded(&self, option: impl Fn(Advice) -> String) -> String {
        let Problem { text, advice } = self.problem();
        let ways: Vec<_> =
            advice.iter().map(|way| way.phrase().to_string() + &option(*way)).collect();
        match ways.is_empty() {
            true => text,
            false => format!("{text}; {}", ways.join(", or ")),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(Advice::plain))
    }
}

impl std::error::Error for Failure {}
