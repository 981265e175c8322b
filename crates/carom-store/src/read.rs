//! Tables read back, piece by piece, so that a run of any size passes through little memory.
//!
//! Only what this crate writes is read: plain columns without nulls or compression (`parquet.rs`, `arrow.rs`,
//! `csv.rs`). Every length is checked before it is believed.

mod arrow;
mod csv;
mod parquet;

use crate::folder::damaged;
use crate::{Failure, Format, journal};
use carom::sweep::{Column, Values};
use carom_world::record::{Kind, Table};
use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What goes wrong within a file: its contents, as a sentence, or the system.
pub(crate) enum Wrong {
    Contents(String),
    System(std::io::Error),
}

impl From<std::io::Error> for Wrong {
    fn from(why: std::io::Error) -> Self {
        match why.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::Contents("it ends too soon".into()),
            std::io::ErrorKind::InvalidData => Self::Contents(why.to_string()),
            _ => Self::System(why),
        }
    }
}

impl From<&str> for Wrong {
    fn from(why: &str) -> Self {
        Self::Contents(why.into())
    }
}

/// Reads a table from its first row to its last.
pub struct Reader {
    table: &'static Table,
    path: PathBuf,
    file: BufReader<File>,
    way: Way,
    /// Pieces that come after those of the file.
    last: std::vec::IntoIter<Vec<Column>>,
}

/// How the file is gone through.
enum Way {
    /// Lines, up to a place in the file.
    Lines { at: u64, end: u64, line: u64 },
    /// Messages up to a place in the file, or up to the one that says it is the last.
    Messages { at: u64, end: Option<u64> },
    /// Row groups: place, length and rows, in turn.
    Groups(std::vec::IntoIter<(u64, u64, u64)>),
}

impl Reader {
    /// A table whose file has its name.
    pub(crate) fn finished(
        table: &'static Table,
        path: &Path,
        format: Format,
    ) -> Result<Self, Failure> {
        let mut reader = Self::open(table, path.into())?;
        let way = reader.begin(format).map_err(|wrong| reader.failure(wrong))?;
        reader.way = way;
        Ok(reader)
    }

    /// A table that grows: so many fragments, then pieces that had no place in the file yet.
    pub(crate) fn growing(
        table: &'static Table,
        path: &Path,
        format: Format,
        kept: u64,
        last: Vec<Vec<Column>>,
    ) -> Result<Self, Failure> {
        let beside = |ending| super::folder::beside(path, ending);
        let mut reader = Self::open(table, beside(".partial"))?;
        reader.last = last.into_iter();
        let log = beside(".journal");
        let text = fs::read_to_string(&log).map_err(|why| unreadable(&log, why))?;
        let entries = journal::read(&text).map(|(_, entries)| entries).unwrap_or_default();
        let fewer = || damaged(&reader.path, "it holds less than the checkpoint counts on");
        let entries = entries.get(..kept as usize).ok_or_else(fewer)?;
        let begun = reader.begin_growing(format, entries);
        let way = begun.map_err(|wrong| reader.failure(wrong))?;
        reader.way = way;
        Ok(reader)
    }

    fn open(table: &'static Table, path: PathBuf) -> Result<Self, Failure> {
        let file = match File::open(&path) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                return Err(Failure::Refused(format!(
                    "`{}` is missing; run the scene again with --overwrite",
                    path.display()
                )));
            }
            other => other.map_err(|why| unreadable(&path, why))?,
        };
        let (file, last) = (BufReader::new(file), Vec::new().into_iter());
        let way = Way::Groups(Vec::new().into_iter());
        Ok(Self { table, path, file, way, last })
    }

    fn begin(&mut self, format: Format) -> Result<Way, Wrong> {
        let end = self.file.get_ref().metadata()?.len();
        Ok(match format {
            Format::Csv => Way::Lines { at: csv::head(self.table, &mut self.file)?, end, line: 2 },
            Format::Arrow => {
                let at = arrow::head(self.table, &mut self.file)?;
                arrow::tail(&mut self.file, end)?;
                Way::Messages { at, end: None }
            }
            Format::Parquet => {
                Way::Groups(parquet::groups(self.table, &mut self.file, end)?.into_iter())
            }
        })
    }

    fn begin_growing(&mut self, format: Format, entries: &[journal::Entry]) -> Result<Way, Wrong> {
        let length: u64 = entries.iter().map(|entry| entry.length).sum();
        let way = match format {
            Format::Csv => {
                let at = csv::head(self.table, &mut self.file)?;
                Way::Lines { at, end: at + length, line: 2 }
            }
            Format::Arrow => {
                let at = arrow::head(self.table, &mut self.file)?;
                Way::Messages { at, end: Some(at + length) }
            }
            Format::Parquet => {
                let mut at = crate::parquet::MAGIC.len() as u64;
                let groups = entries.iter().map(|entry| {
                    let group = (at, entry.length, entry.sizes.first().copied().unwrap_or(0));
                    at += entry.length;
                    group
                });
                Way::Groups(groups.collect::<Vec<_>>().into_iter())
            }
        };
        Ok(way)
    }

    /// The next rows, or nothing after the last.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub fn rows(&mut self) -> Result<Option<Vec<Column>>, Failure> {
        match self.piece() {
            Ok(Some(piece)) => Ok(Some(piece)),
            Ok(None) => Ok(self.last.next()),
            Err(wrong) => Err(self.failure(wrong)),
        }
    }

    fn piece(&mut self) -> Result<Option<Vec<Column>>, Wrong> {
        match &mut self.way {
            Way::Lines { at, end, line } => csv::rows(self.table, &mut self.file, at, *end, line),
            Way::Messages { at, end } => arrow::batch(self.table, &mut self.file, at, *end),
            Way::Groups(groups) => match groups.next() {
                None => Ok(None),
                Some((at, length, rows)) => {
                    self.file.seek(SeekFrom::Start(at))?;
                    let bytes = bytes(&mut self.file, length)?;
                    parquet::group(self.table, &bytes, rows).map(Some)
                }
            },
        }
    }

    fn failure(&self, wrong: Wrong) -> Failure {
        match wrong {
            Wrong::Contents(why) => damaged(&self.path, &why),
            Wrong::System(why) => unreadable(&self.path, why),
        }
    }
}

fn unreadable(path: &Path, why: std::io::Error) -> Failure {
    Failure::Unreadable { path: path.into(), why }
}

/// So many bytes and no fewer; a length that lies takes no memory.
fn bytes(file: &mut impl Read, length: u64) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err("it ends too soon".into()),
    }
}

/// Numbers of eight bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes))
}

/// Values of eight bytes each.
fn plain(kind: Kind, bytes: &[u8]) -> Values {
    match kind {
        Kind::Whole => Values::Whole(words(bytes).collect()),
        _ => Values::Real(words(bytes).map(f64::from_bits).collect()),
    }
}

/// Words as they come, into a list and places in it.
#[derive(Default)]
struct Words {
    known: std::collections::HashMap<String, u32>,
    list: Vec<String>,
    index: Vec<u32>,
}

impl Words {
    fn push(&mut self, word: &str) {
        let index = match self.known.get(word) {
            Some(index) => *index,
            None => {
                let index = self.list.len() as u32;
                self.known.insert(word.to_string(), index);
                self.list.push(word.to_string());
                index
            }
        };
        self.index.push(index);
    }

    fn values(self) -> Values {
        Values::Word { list: self.list, index: self.index }
    }
}
