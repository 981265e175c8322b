//! Why a table could not be written or read, and what is left of it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Error of a simulation.
type RunError = Box<dyn std::error::Error + Send + Sync>;

/// Why a table could not be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The system refused to write.
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
        /// What was written before and is safe.
        kept: Kept,
    },
    /// The file exists and is not the result of this table.
    Exists(PathBuf),
    /// Beside the file there is an unfinished file of another table.
    Changed {
        /// The unfinished file.
        partial: PathBuf,
        /// Partitions in it.
        kept: u64,
    },
    /// Another process is writing the same file.
    Busy(PathBuf),
    /// A file holds less than the checkpoint beside it says.
    Damaged(PathBuf),
    /// The request does not fit the files that are there.
    Refused(Problem),
    /// A file or folder that was named does not exist.
    Missing(Problem),
    /// The simulation failed at its first step, so that nothing is kept.
    Run(RunError),
    /// The simulation failed on its way; its tables hold the results up to there.
    Broken {
        /// The folder.
        path: PathBuf,
        /// Why it failed.
        error: RunError,
        /// The time up to which the tables reach (s).
        reached: f64,
    },
    /// A step could not be taken because of something outside the simulation; a checkpoint is written, from which it goes on.
    Halted {
        /// The folder.
        path: PathBuf,
        /// Why the step could not be taken.
        error: RunError,
        /// The time that was reached (s).
        reached: f64,
    },
    /// A file could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// A thread ended early.
    Thread,
}

/// What is safe on the disk when the system refuses to write more, so that the run can be resumed from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing.
    Nothing,
    /// A checkpoint, with the rows up to it.
    Checkpoint,
    /// The first partitions of a table.
    Partitions {
        /// How many are safe.
        count: u64,
        /// How many the table has.
        of: u64,
    },
}

/// What is wrong, and the ways out of it, of which one is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub text: String,
    /// What can be done.
    pub advice: &'static [Advice],
}

/// Something that can be done about a failure. Options are named as parameters; every program writes them in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Begin anew, replacing what is there.
    Overwrite,
    /// Go on with a run that was stopped.
    Resume,
    /// Discard the partitions of an unfinished file.
    Restart,
    /// Name no format: a run that is resumed keeps its own.
    OmitFormat,
    /// Begin a run instead of resuming one.
    OmitResume,
    /// Simulate a scene, with results in a folder.
    Simulate,
    /// Something that needs no option.
    Other(&'static str),
}

impl Advice {
    /// The parameter that it is about, with `true` where it is to be set and `false` where it is to be left out.
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

    /// The words before the option.
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

    /// The option in the words of no program.
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
    /// A request that does not fit the files that are there.
    pub(crate) fn refused(text: String, advice: &'static [Advice]) -> Self {
        Self::Refused(Problem { text, advice })
    }

    /// The system refuses before anything is written.
    pub(crate) fn unwritable(path: &Path, why: io::Error) -> Self {
        Self::System { path: path.into(), why, kept: Kept::Nothing }
    }

    /// The system refuses to read.
    pub(crate) fn unreadable(path: &Path, why: io::Error) -> Self {
        Self::Unreadable { path: path.into(), why }
    }

    /// A file that cannot be understood.
    pub(crate) fn damaged(path: &Path, why: &str) -> Self {
        Self::refused(format!("`{}` is damaged: {why}", path.display()), &[Advice::Overwrite])
    }

    /// What is wrong, and what can be done.
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

    /// The sentence; `option` writes the option of an advice as the program does, and nothing where there is none.
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
