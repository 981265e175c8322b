//! Writes tables to files, streamed, resumable and reproducible byte for byte, and reads them back.
//!
//! This crate handles columns, files and folders. It is independent of what is computed: a sweep is a [`Source`] of partitions, and
//! a run in time is a [`Simulation`] that fills [`table::Tables`].
//!
//! A table consists of partitions, numbered from 0, each of which is a pure function of its number ([`Source`]). [`encode`] turns
//! the columns of a partition into a *fragment*: bytes that do not depend on their later position in the file, so that threads and
//! machines can produce fragments in any order. A [`Sink`] appends them to one file in the order of their numbers and records its
//! progress in a journal beside it, so that a run that was killed can be resumed. [`write()`] does both with a pool of threads and
//! bounded memory.
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
//! Units and meanings of columns are metadata of Arrow fields (`unit`, `about`) and of Parquet files (`unit:NAME`, `about:NAME`).
//! CSV has no place for them: its header row consists of the names alone, and in the tables of a run these end in the unit
//! (`force_N`).
//!
//! This crate writes the three formats itself, without the `parquet` and `arrow` crates; `parquet.rs` gives the reasons, with
//! numbers. The tests read every kind of file with these crates.

// The library must not panic on any input, and it prints nothing.
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

/// A table that is computed in partitions.
pub trait Source: Sync {
    /// Returns the number of partitions.
    fn partitions(&self) -> u64;
    /// Returns the columns of a partition. The function is pure; names, units, types and lists of texts are the same in all
    /// partitions.
    fn partition(&self, number: u64) -> Vec<Column>;
    /// Returns an identifier that differs between tables with different contents.
    fn fingerprint(&self) -> String;
    /// Returns the descriptions of the columns, without values.
    fn fields(&self) -> Vec<Field> {
        self.partition(0).iter().map(Column::field).collect()
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text with one header row. Numbers have the fewest digits with which they read back unchanged; an empty cell is a missing
    /// value.
    Csv,
    /// Arrow IPC file ("Feather 2").
    Arrow,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Parquet, Self::Arrow];

    /// Returns the format that belongs to the ending of a file name.
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

    /// Returns the name of the format, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

/// An encoded partition, which can be placed at any position in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Bytes that are written to the file.
    pub body: Vec<u8>,
    /// Numbers that the footer of the file needs: the number of rows, then sizes of parts of `body`.
    pub sizes: Vec<u64>,
}

/// Encodes a partition. The function is pure.
pub fn encode(columns: &[Column], format: Format) -> Fragment {
    match format {
        Format::Csv => csv::fragment(columns),
        Format::Arrow => arrow::fragment(columns),
        Format::Parquet => parquet::fragment(columns),
    }
}

/// Returns the bytes before all fragments.
pub(crate) fn header(fields: &[Field], format: Format, fingerprint: &str) -> Vec<u8> {
    match format {
        Format::Csv => csv::header(fields),
        Format::Arrow => arrow::header(fields, fingerprint),
        Format::Parquet => parquet::MAGIC.to_vec(),
    }
}

/// Returns the bytes after all fragments, given the offset in the file and the sizes of each.
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
