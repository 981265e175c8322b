//! Tables to files: streamed, resumable, byte for byte reproducible; and read back.
//!
//! This crate knows columns, files and folders. It does not know what is computed: a sweep is a [`Source`] of
//! partitions, a run in time is a [`Simulation`] that fills [`table::Tables`].
//!
//! A table comes in partitions, numbered from 0, each a pure function of its number ([`Source`]).
//! [`encode`] turns the columns of a partition into a *fragment*, bytes that do not depend on where in the file
//! they will stand; threads and machines make fragments in any order. A [`Sink`] appends them to one file
//! in the order of their numbers and records in a journal beside it how far it got, so that a run that was
//! killed can be resumed. [`write()`] does both with a pool of threads and bounded memory.
//!
//! ```
//! use carom_store::{Column, Format, Source, Values, write};
//! struct Squares;
//! impl Source for Squares {
//!     fn partitions(&self) -> u64 {
//!         3
//!     }
//!     fn partition(&self, k: u64) -> Vec<Column> {
//!         vec![Column::new("square", "", Values::Real(vec![(k * k) as f64]))]
//!     }
//!     fn fingerprint(&self) -> String {
//!         "squares".into()
//!     }
//! }
//! let path = std::env::temp_dir().join(format!("squares-{}.csv", std::process::id()));
//! write(&Squares, &path, Format::Csv, 2, |_| {})?;
//! assert_eq!(std::fs::read_to_string(&path)?, "square\n0\n1\n4\n");
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Units and meanings of columns are metadata of Arrow fields (`unit`, `about`) and of Parquet files
//! (`unit:NAME`, `about:NAME`). CSV has no place for them: its header row is the names alone, which end in the
//! unit where the column belongs to a run (`force_N`).
//!
//! The three formats are written here and not by the `parquet` and `arrow` crates; `parquet.rs` says why, with
//! numbers. The tests read every kind of file with these crates.

// No input may reach a panic. A library prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]

mod arrow;
mod column;
pub mod csv;
mod failure;
pub mod file;
mod flat;
pub mod folder;
mod journal;
mod parquet;
mod pool;
mod read;
mod simulation;
mod sink;
pub mod table;
mod thrift;

pub use column::{Column, Field, Kind, Values, find, row_count};
pub use failure::{Advice, Failure, Kept, Problem};
pub use pool::{Progress, gather, write, write_with};
pub use read::Reader;
pub use simulation::{Checkpoint, Simulation, collect};
pub use sink::{Existing, Sink};

use std::path::Path;

/// A table that comes in partitions.
pub trait Source: Sync {
    /// Number of partitions.
    fn partitions(&self) -> u64;
    /// The columns of a partition; pure. Names, units, types and lists of texts are the same in all.
    fn partition(&self, number: u64) -> Vec<Column>;
    /// A word that differs between tables with different contents.
    fn fingerprint(&self) -> String;
    /// The columns without values.
    fn fields(&self) -> Vec<Field> {
        self.partition(0).iter().map(Column::field).collect()
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text, one header row, shortest numbers that read back the same; an empty cell for a missing value.
    Csv,
    /// Arrow IPC file ("Feather 2").
    Arrow,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Parquet, Self::Arrow];

    /// The format of a file by the ending of its name.
    ///
    /// ```
    /// use carom_store::Format;
    /// assert_eq!(Format::of("results.parquet".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of("results.xls".as_ref()), None);
    /// ```
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "arrow" | "feather" | "ipc" => Some(Self::Arrow),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Its name, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

/// An encoded partition, which can stand anywhere in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The bytes that go into the file.
    pub body: Vec<u8>,
    /// What the footer of the file must know: the number of rows, then sizes of parts of `body`.
    pub sizes: Vec<u64>,
}

/// Encodes a partition. Pure.
pub fn encode(columns: &[Column], format: Format) -> Fragment {
    match format {
        Format::Csv => csv::fragment(columns),
        Format::Arrow => arrow::fragment(columns),
        Format::Parquet => parquet::fragment(columns),
    }
}

/// The bytes before all fragments.
pub(crate) fn header(fields: &[Field], format: Format, fingerprint: &str) -> Vec<u8> {
    match format {
        Format::Csv => csv::header(fields),
        Format::Arrow => arrow::header(fields, fingerprint),
        Format::Parquet => parquet::MAGIC.to_vec(),
    }
}

/// The bytes after all fragments, whose offsets in the file and sizes are given.
pub(crate) fn footer(
    fields: &[Field],
    format: Format,
    fingerprint: &str,
    fragments: &[(u64, Vec<u64>)],
) -> Vec<u8> {
    match format {
        Format::Csv => Vec::new(),
        Format::Arrow => arrow::footer(fields, fingerprint, fragments),
        Format::Parquet => parquet::footer(fields, fingerprint, fragments),
    }
}
