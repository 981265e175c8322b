//! Tables to files: streamed, resumable, the same bytes whoever writes them.
//!
//! A table comes in partitions, numbered from 0, each a pure function of its number ([`Source`]).
//! [`encode`] turns the columns of a partition into a *fragment*, bytes that do not depend on where in the file
//! they will stand; threads and machines make fragments in any order. A [`Sink`] puts them into one file
//! in the order of their numbers and remembers in a journal beside it how far it got, so that a run that was
//! killed goes on where it was. [`write()`] does both with a pool of threads and bounded memory.
//!
//! ```
//! use carom::sweep::{Column, Values};
//! use carom_store::{Format, Source, write};
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
//! The three formats are written here, not by the `parquet` and `arrow` crates: of both only a corner is
//! needed (plain columns without nulls, one row group or record batch a partition), fragments that can be
//! spliced after an interruption are not among what they offer, and they would double the time to build
//! carom. The tests read every kind of file with them.

// No input may reach a panic. A library prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]

mod arrow;
mod csv;
mod failure;
mod flat;
pub mod folder;
mod journal;
mod parquet;
mod pool;
mod read;
mod sink;
mod thrift;

pub use failure::Failure;
pub use pool::{Progress, write, write_with};
pub use read::Reader;
pub use sink::{Existing, Sink};

use carom::sweep::{Column, Values};
use carom_world::record::Table;
use std::path::Path;

/// A table that comes in partitions.
pub trait Source: Sync {
    /// Number of partitions.
    fn partitions(&self) -> u64;
    /// The columns of a partition; pure. Names, units, kinds and lists of words are the same in all.
    fn partition(&self, number: u64) -> Vec<Column>;
    /// Tells tables with different contents apart; one word.
    fn fingerprint(&self) -> String;
    /// The columns without rows.
    fn empty(&self) -> Vec<Column> {
        let mut columns = self.partition(0);
        for column in &mut columns {
            match &mut column.values {
                Values::Whole(values) => values.clear(),
                Values::Real(values) => values.clear(),
                Values::Word { index, .. } => index.clear(),
            }
        }
        columns
    }
}

impl Source for carom::sweep::Plan {
    fn partitions(&self) -> u64 {
        self.study().partitions()
    }
    fn partition(&self, number: u64) -> Vec<Column> {
        carom::sweep::Plan::partition(self, number)
    }
    fn fingerprint(&self) -> String {
        self.study().fingerprint()
    }
    fn empty(&self) -> Vec<Column> {
        // Beyond the last there are no cases.
        carom::sweep::Plan::partition(self, u64::MAX)
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text, one header row, shortest numbers that read back the same; an empty cell where there is none.
    Csv,
    /// Arrow IPC file ("Feather 2").
    Arrow,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The format that a file name asks for.
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

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

/// A partition, ready to be put into a file at any place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// What the file will hold.
    pub body: Vec<u8>,
    /// What the end of the file must know of it: rows, then sizes of parts.
    pub sizes: Vec<u64>,
}

/// What the columns of a table are, without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    name: String,
    unit: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Whole,
    Real,
    Word,
}

pub(crate) fn fields(columns: &[Column]) -> Vec<Field> {
    let field = |column: &Column| Field {
        name: column.name.clone(),
        unit: column.unit.clone(),
        kind: match column.values {
            Values::Whole(_) => Kind::Whole,
            Values::Real(_) => Kind::Real,
            Values::Word { .. } => Kind::Word,
        },
    };
    columns.iter().map(field).collect()
}

/// The same of a table of a run.
pub(crate) fn described(table: &Table) -> Vec<Field> {
    let field = |field: &carom_world::record::Field| Field {
        name: field.name.into(),
        unit: field.unit.into(),
        kind: match field.kind {
            carom_world::record::Kind::Whole => Kind::Whole,
            carom_world::record::Kind::Real => Kind::Real,
            carom_world::record::Kind::Word => Kind::Word,
        },
    };
    table.fields.iter().map(field).collect()
}

/// The fragment of a partition. Pure.
pub fn encode(columns: &[Column], format: Format) -> Fragment {
    match format {
        Format::Csv => csv::fragment(columns),
        Format::Arrow => arrow::fragment(columns),
        Format::Parquet => parquet::fragment(columns),
    }
}

/// What stands before all fragments.
pub(crate) fn head(fields: &[Field], format: Format, fingerprint: &str) -> Vec<u8> {
    match format {
        Format::Csv => csv::head(fields),
        Format::Arrow => arrow::head(fields, fingerprint),
        Format::Parquet => parquet::MAGIC.to_vec(),
    }
}

/// What stands after all fragments, whose sizes and places are given.
pub(crate) fn tail(
    fields: &[Field],
    format: Format,
    fingerprint: &str,
    fragments: &[(u64, Vec<u64>)],
) -> Vec<u8> {
    match format {
        Format::Csv => Vec::new(),
        Format::Arrow => arrow::tail(fields, fingerprint, fragments),
        Format::Parquet => parquet::tail(fields, fingerprint, fragments),
    }
}
