//! Why a table could not be written or read, and what is left of it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Error of a simulation.
type RunError = Box<dyn std::error::Error + Send + Sync>;

/// Why a table could not be written or read.
#[derive(Debug)]
pub enum Failure {
    /// The system refused; `kept` of `partitions` partitions are on the disk and the run can be resumed from there.
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
        /// Partitions that are on the disk.
        kept: u64,
        /// Partitions of the table.
        partitions: u64,
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
    /// The request does not fit the files that are there; the sentence.
    Refused(String),
    /// A file or folder that was named does not exist; the sentence.
    Missing(String),
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

impl Failure {
    /// A file that cannot be understood.
    pub(crate) fn damaged(path: &Path, why: &str) -> Self {
        Self::Refused(format!(
            "`{}` is damaged: {why}; run the scene again with --overwrite",
            path.display()
        ))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System { path, why, kept: 0, .. } => write!(
                f,
                "cannot write `{}`: {why}; name a file in a folder that can be written and has room",
                path.display()
            ),
            Self::System { path, why, partitions: u64::MAX, .. } => write!(
                f,
                "cannot write `{}`: {why}; what was written before is safe: make room and go on with --resume",
                path.display()
            ),
            Self::System { path, why, kept, partitions } => write!(
                f,
                "cannot write `{}`: {why}; {kept} of {partitions} partitions are safe, make room and run \
                 the same command again to go on from there",
                path.display()
            ),
            Self::Exists(path) => write!(
                f,
                "`{}` exists and is not a result of this study; name another file, or --overwrite it",
                path.display()
            ),
            Self::Changed { partial, kept } => write!(
                f,
                "`{}` holds {kept} partitions of another study (or another version of this one); finish that \
                 one first, name another file, or --restart to throw them away",
                partial.display()
            ),
            Self::Busy(path) => write!(
                f,
                "`{}` is being written by another process; wait for it, or name another file",
                path.display()
            ),
            Self::Damaged(path) => write!(
                f,
                "`{}` holds less than the checkpoint beside it says; begin anew with --overwrite",
                path.display()
            ),
            Self::Refused(sentence) | Self::Missing(sentence) => write!(f, "{sentence}"),
            Self::Run(error) => write!(f, "{error}"),
            Self::Broken { path, error, reached } => write!(
                f,
                "{error}; the tables in `{}` reach up to t = {reached} s and are marked as unfinished",
                path.display()
            ),
            Self::Unreadable { path, why } => {
                write!(f, "cannot read `{}`: {why}; see to it that it may be read", path.display())
            }
            Self::Thread => write!(f, "a thread ended early; run the same command again to go on"),
        }
    }
}

impl std::error::Error for Failure {}
