//! Reads tables in pieces, so that a table of any size needs little memory.
//!
//! Columns are found by their names: a file may have more columns than the requested table, in any order. Only files that this
//! crate writes can be read: plain columns without nulls or compression (`parquet.rs`, `arrow.rs`, `csv.rs`). Every length is
//! checked before it is used.

mod arrow;
mod csv;
mod parquet;

use crate::file::beside;
use crate::table::{PendingTable, Schema};
use crate::{Advice, Column, Failure, Field, Format, Kind, Values, journal};
use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Error in reading a file: its contents are invalid (described by a sentence), or the operating system reports an error.
pub(crate) enum ReadError {
    Contents(String),
    System(std::io::Error),
}

impl From<std::io::Error> for ReadError {
    fn from(why: std::io::Error) -> Self {
        match why.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::Contents("it ends too soon".into()),
            std::io::ErrorKind::InvalidData => Self::Contents(why.to_string()),
            _ => Self::System(why),
        }
    }
}

impl From<&str> for ReadError {
    fn from(why: &str) -> Self {
        Self::Contents(why.into())
    }
}

/// Columns of a file, and which of them are requested.
struct Layout {
    /// Types of the columns in the order of the file; `None` for a column of a CSV file that is not requested, whose type is
    /// unknown.
    stored: Vec<Option<Kind>>,
    /// Requested columns in the order of the table.
    wanted: Vec<Field>,
    /// Index in the file for every column of `wanted`.
    indices: Vec<usize>,
}

impl Layout {
    /// Finds the columns of a table among the columns of a file.
    fn new<'a>(
        schema: &Schema,
        stored: impl Iterator<Item = (&'a [u8], Option<Kind>)>,
    ) -> Result<Self, ReadError> {
        let (names, mut kinds): (Vec<&[u8]>, Vec<Option<Kind>>) = stored.unzip();
        let mut indices = Vec::new();
        for field in &schema.fields {
            let index = names.iter().position(|name| *name == field.name.as_bytes());
            let known = index.and_then(|index| Some((index, kinds.get_mut(index)?)));
            match known {
                Some((index, kind)) if kind.is_none_or(|kind| kind == field.kind) => {
                    *kind = Some(field.kind);
                    indices.push(index);
                }
                _ => {
                    let name = &field.name;
                    let why = format!("it does not have the columns of this table (no `{name}`)");
                    return Err(ReadError::Contents(why));
                }
            }
        }
        Ok(Self { stored: kinds, wanted: schema.fields.clone(), indices })
    }

    /// Returns the name of the column of the file with this index, for error messages.
    fn name(&self, index: usize) -> &str {
        let wanted = self.indices.iter().position(|known| *known == index);
        wanted.and_then(|k| self.wanted.get(k)).map_or("another column", |field| &field.name)
    }

    /// Returns the requested columns, given the values of all columns of the file.
    fn requested_columns(&self, mut stored: Vec<Values>) -> Vec<Column> {
        let fields = self.wanted.iter().zip(&self.indices);
        let column = |(field, &index): (&Field, &usize)| {
            let none = || Values::Integer(Vec::new());
            let values =
                stored.get_mut(index).map_or_else(none, |found| std::mem::replace(found, none()));
            Column::new(&field.name, &field.unit, values)
        };
        fields.map(column).collect()
    }
}

/// Reader of a table from its first row to its last.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    schema: Schema,
    layout: Layout,
    position: Position,
    /// Rows of a checkpoint, which follow those of the file.
    pending: Option<Vec<Column>>,
}

/// Position of the next piece in the file.
enum Position {
    /// CSV: the lines from offset `at` up to `end`; `line` is the number of the next line.
    Lines { at: u64, end: u64, line: u64 },
    /// Arrow: the messages from offset `at` up to `end`, or up to the message that marks the end.
    Messages { at: u64, end: Option<u64> },
    /// Parquet: offset, length and number of rows of the remaining row groups.
    Groups(std::vec::IntoIter<(u64, u64, u64)>),
}

impl Reader {
    /// Opens a finished table.
    pub(crate) fn open_finished(
        schema: Schema,
        path: &Path,
        format: Format,
    ) -> Result<Self, Failure> {
        Self::open(schema, path.into(), |schema, file| {
            let end = file.get_ref().metadata()?.len();
            Ok(match format {
                Format::Csv => {
                    let (layout, at) = csv::header(schema, file)?;
                    (layout, Position::Lines { at, end, line: 2 })
                }
                Format::Arrow => {
                    let (layout, at) = arrow::header(schema, file)?;
                    arrow::check_end(file, end)?;
                    (layout, Position::Messages { at, end: None })
                }
                Format::Parquet => {
                    let (layout, groups) = parquet::footer(schema, file, end)?;
                    (layout, Position::Groups(groups.into_iter()))
                }
            })
        })
    }

    /// Returns all rows of a finished table with these columns; the lists of texts are those of the file.
    ///
    /// # Errors
    /// When the file is damaged, cannot be read or has other columns.
    pub fn table(fields: Vec<Field>, path: &Path, format: Format) -> Result<Vec<Column>, Failure> {
        let schema = Schema { name: "table", about: "", fields };
        let mut reader = Self::open_finished(schema, path, format)?;
        let mut all: Vec<Column> = Vec::new();
        while let Some(piece) = reader.rows()? {
            if all.is_empty() {
                all = piece;
                continue;
            }
            for (column, more) in all.iter_mut().zip(piece) {
                match (&mut column.values, more.values) {
                    // The lists of texts differ from piece to piece and are merged here.
                    (values @ Values::Text { .. }, more @ Values::Text { .. }) => {
                        let mut texts = TextDictionary::default();
                        for part in [&*values, &more] {
                            (0..part.len())
                                .filter_map(|row| part.text(row))
                                .for_each(|text| texts.push(text));
                        }
                        *values = texts.values();
                    }
                    (values, more) => values.append(more),
                }
            }
        }
        Ok(all)
    }

    /// Opens a table of a run that has not ended: the fragments that its checkpoint counts, followed by its pending rows.
    pub(crate) fn open_growing(
        schema: Schema,
        path: &Path,
        format: Format,
        fragments: u64,
        pending: &PendingTable,
    ) -> Result<Self, Failure> {
        let (partial, log) = (beside(path, ".partial"), beside(path, ".journal"));
        let text = fs::read_to_string(&log).map_err(|why| Failure::unreadable(&log, why))?;
        let entries = journal::read(&text).map(|(_, entries)| entries).unwrap_or_default();
        let fewer = || Failure::damaged(&partial, "it holds less than the checkpoint counts on");
        let entries = entries.get(..fragments as usize).ok_or_else(fewer)?;
        let length: u64 = entries.iter().map(|entry| entry.length).sum();
        let mut reader = Self::open(schema, partial.clone(), |schema, file| {
            Ok(match format {
                Format::Csv => {
                    let (layout, at) = csv::header(schema, file)?;
                    (layout, Position::Lines { at, end: at + length, line: 2 })
                }
                Format::Arrow => {
                    let (layout, at) = arrow::header(schema, file)?;
                    (layout, Position::Messages { at, end: Some(at + length) })
                }
                // The names of the columns are written at the end of the file; until then they are taken from the checkpoint.
                Format::Parquet => {
                    let stored = pending.columns.iter();
                    let stored = stored.map(|column| (column.name.as_bytes(), Some(column.kind)));
                    let mut at = crate::parquet::MAGIC.len() as u64;
                    let groups = entries.iter().map(|entry| {
                        let group = (at, entry.length, entry.sizes.first().copied().unwrap_or(0));
                        at += entry.length;
                        group
                    });
                    let groups = groups.collect::<Vec<_>>().into_iter();
                    (Layout::new(schema, stored)?, Position::Groups(groups))
                }
            })
        })?;
        let rows = pending.columns(&reader.schema);
        reader.pending = rows.filter(|columns| crate::row_count(columns) > 0);
        Ok(reader)
    }

    fn open(
        schema: Schema,
        path: PathBuf,
        begin: impl FnOnce(&Schema, &mut BufReader<File>) -> Result<(Layout, Position), ReadError>,
    ) -> Result<Self, Failure> {
        let file = match File::open(&path) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                let text = format!("`{}` is missing", path.display());
                return Err(Failure::refused(text, &[Advice::Overwrite]));
            }
            other => other.map_err(|why| Failure::unreadable(&path, why))?,
        };
        let mut file = BufReader::new(file);
        let begun = begin(&schema, &mut file).map_err(|error| failure(&path, error));
        let (layout, position) = begun?;
        Ok(Self { path, file, schema, layout, position, pending: None })
    }

    /// Returns the schema of the table; the pieces have its columns in its order.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the next rows; `None` after the last.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub fn rows(&mut self) -> Result<Option<Vec<Column>>, Failure> {
        match self.read_piece() {
            Ok(Some(piece)) => Ok(Some(self.layout.requested_columns(piece))),
            Ok(None) => Ok(self.pending.take()),
            Err(error) => Err(failure(&self.path, error)),
        }
    }

    /// Returns the values of all columns of the file in its next piece.
    fn read_piece(&mut self) -> Result<Option<Vec<Values>>, ReadError> {
        let (layout, file) = (&self.layout, &mut self.file);
        match &mut self.position {
            Position::Lines { at, end, line } => csv::rows(layout, file, at, *end, line),
            Position::Messages { at, end } => arrow::batch(layout, file, at, *end),
            Position::Groups(groups) => match groups.next() {
                None => Ok(None),
                Some((at, length, rows)) => {
                    file.seek(SeekFrom::Start(at))?;
                    let bytes = read_bytes(file, length)?;
                    parquet::group(layout, &bytes, rows).map(Some)
                }
            },
        }
    }
}

fn failure(path: &Path, error: ReadError) -> Failure {
    match error {
        ReadError::Contents(why) => Failure::damaged(path, &why),
        ReadError::System(why) => Failure::unreadable(path, why),
    }
}

/// Reads exactly `length` bytes. A wrong length does not cause an allocation larger than the file.
fn read_bytes(file: &mut impl Read, length: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err("it ends too soon".into()),
    }
}

/// Returns little-endian integers of eight bytes.
fn integers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|eight| eight.try_into().map_or(0, u64::from_le_bytes))
}

/// Returns values of eight bytes each.
fn plain_values(kind: Kind, bytes: &[u8]) -> Values {
    match kind {
        Kind::Integer => Values::Integer(integers(bytes).collect()),
        _ => Values::Real(integers(bytes).map(f64::from_bits).collect()),
    }
}

/// Collects text as a list of distinct texts and indices into it.
#[derive(Default)]
struct TextDictionary {
    known: std::collections::HashMap<String, u32>,
    list: Vec<String>,
    index: Vec<u32>,
}

impl TextDictionary {
    fn push(&mut self, text: &str) {
        let index = match self.known.get(text) {
            Some(index) => *index,
            None => {
                let index = self.list.len() as u32;
                self.known.insert(text.to_string(), index);
                self.list.push(text.to_string());
                index
            }
        };
        self.index.push(index);
    }

    fn values(self) -> Values {
        Values::Text { list: self.list, index: self.index }
    }
}
