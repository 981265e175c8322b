//! Why a table could not be written, and what is left of it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a table could not be written.
#[derive(Debug)]
pub enum Failure {
    /// The system refused; `kept` of `partitions` partitions are safe and the run can go on from there.
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
        /// Partitions that are safe.
        kept: u64,
        /// Partitions of the table.
        partitions: u64,
    },
    /// The file exists and is something else.
    Exists(PathBuf),
    /// A part of another table waits beside the file.
    Changed {
        /// The part.
        partial: PathBuf,
        /// Partitions in it.
        kept: u64,
    },
    /// Another process is writing the same file.
    Busy(PathBuf),
    /// What a checkpoint counts on is not there.
    Damaged(PathBuf),
    /// What was asked for makes no sense with what is there; the sentence.
    Refused(String),
    /// What was named is not there; the sentence.
    Missing(String),
    /// What ran could not go on; the sentence.
    Run(carom::Error),
    /// The same, with tables that hold what came before.
    Broken {
        /// The folder.
        path: PathBuf,
        /// Why it could not go on.
        error: carom::Error,
        /// Up to which time the tables reach (s).
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
                "`{}` is not what the checkpoint beside it counts on; begin anew with --overwrite",
                path.display()
            ),
            Self::Refused(sentence) | Self::Missing(sentence) => write!(f, "{sentence}"),
            Self::Run(error) => write!(f, "{error}"),
            Self::Broken { path, error, reached } => write!(
                f,
                "{error}; the tables in `{}` reach up to t = {} and are marked as unfinished",
                path.display(),
                carom::units::format(*reached, "s")
            ),
            Self::Unreadable { path, why } => {
                write!(f, "cannot read `{}`: {why}; see to it that it may be read", path.display())
            }
            Self::Thread => write!(f, "a thread ended early; run the same command again to go on"),
        }
    }
}

impl std::error::Error for Failure {}
