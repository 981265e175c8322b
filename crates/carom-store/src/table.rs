//! Tables declared once: the name, unit, type and meaning of every column, and how its value is read off a row.
//!
//! Writers, readers, the documentation and the metadata of files all follow from a [`Table`]; whoever reads a
//! table back finds columns by name, so a column can be added without touching anything else.
//!
//! ```
//! use carom_store::table::{Table, Tables, real, text};
//! struct Drop { time: f64, height: f64, ball: u32 }
//! const DROPS: Table<Drop> = Table {
//!     name: "drops",
//!     about: "One row for each drop.",
//!     columns: &[
//!         real("time_s", "s", "time", |row| row.time),
//!         text("ball", "name of the ball", |row| row.ball),
//!         real("height_m", "m", "height of the centre", |row| row.height),
//!     ],
//! };
//! let mut tables = Tables::default().with(&DROPS, [("ball", vec!["red".into(), "blue".into()])]);
//! tables.rows(&DROPS).push(&Drop { time: 0.0, height: 1.5, ball: 1 });
//! let (number, columns) = tables.take(true).remove(0);
//! assert_eq!((number, columns[1].values.text(0)), (0, Some("blue")));
//! assert_eq!(DROPS.schema().fields[2].unit, "m");
//! ```

use crate::column::{Column, Field, Kind, Values};
use serde::{Deserialize, Serialize};

/// A table whose rows are computed from values of the type `R`.
pub struct Table<R: 'static> {
    /// Name of the table and of its file.
    pub name: &'static str,
    /// Meaning of a row.
    pub about: &'static str,
    /// The columns, in the order of the file.
    pub columns: &'static [Declaration<R>],
}

/// A column, and the function that obtains its value from a row.
pub struct Declaration<R> {
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    value: Value<R>,
}

enum Value<R> {
    Real(fn(&R) -> f64),
    Integer(fn(&R) -> u64),
    /// Index into the list of texts that [`Tables::with`] was given.
    Text(fn(&R) -> u32),
}

/// Declares a column of real numbers; NaN marks a missing value.
pub const fn real<R>(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    value: fn(&R) -> f64,
) -> Declaration<R> {
    Declaration { name, unit, about, value: Value::Real(value) }
}

/// Declares a column of non-negative integers.
pub const fn integer<R>(
    name: &'static str,
    about: &'static str,
    value: fn(&R) -> u64,
) -> Declaration<R> {
    Declaration { name, unit: "", about, value: Value::Integer(value) }
}

/// Declares a column of text, given as an index into its list of texts.
pub const fn text<R>(
    name: &'static str,
    about: &'static str,
    value: fn(&R) -> u32,
) -> Declaration<R> {
    Declaration { name, unit: "", about, value: Value::Text(value) }
}

/// Description of a table without its rows and the functions that produce them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Schema {
    /// Name of the table and of its file.
    pub name: &'static str,
    /// Meaning of a row.
    pub about: &'static str,
    /// The columns, in the order of the file.
    pub fields: Vec<Field>,
}

impl<R> Table<R> {
    /// Returns the description of the table, without the functions that produce its rows.
    pub fn schema(&self) -> Schema {
        let field = |column: &Declaration<R>| Field {
            name: column.name.into(),
            unit: column.unit.into(),
            kind: match column.value {
                Value::Real(_) => Kind::Real,
                Value::Integer(_) => Kind::Integer,
                Value::Text(_) => Kind::Text,
            },
            about: column.about.into(),
        };
        let fields = self.columns.iter().map(field).collect();
        Schema { name: self.name, about: self.about, fields }
    }

    /// Returns the number of a row in the column with this name; NaN if there is no such column.
    pub fn number(&self, name: &str, row: &R) -> f64 {
        let column = self.columns.iter().find(|column| column.name == name);
        column.map_or(f64::NAN, |column| match column.value {
            Value::Real(value) => value(row),
            Value::Integer(value) => value(row) as f64,
            Value::Text(value) => f64::from(value(row)),
        })
    }
}

impl Schema {
    /// Returns the index of the column with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the table as Markdown: a heading, the meaning of a row, and the columns.
    pub fn markdown(&self) -> String {
        let mut text = format!("### `{}`\n\n{}\n\n", self.name, self.about);
        text += "| column | unit | meaning |\n|---|---|---|\n";
        for Field { name, unit, about, .. } in &self.fields {
            text += &format!("| `{name}` | {unit} | {about} |\n");
        }
        text
    }
}

/// Number of rows of a piece of a table: large enough that the header of a Parquet column is a small part of it, and small enough
/// that an incomplete piece can be stored in a checkpoint.
const PIECE_ROWS: usize = 4096;

/// Tables of a run while they grow. Rows are collected into pieces. The end of a piece depends only on the number of rows, so a run
/// that is resumed produces the same pieces as one that was never stopped.
#[derive(Clone, Debug, Default)]
pub struct Tables(Vec<TableBuffer>);

#[derive(Clone, Debug)]
struct TableBuffer {
    schema: Schema,
    columns: Vec<PendingColumn>,
    complete: Vec<Vec<Column>>,
}

/// Rows of a table that do not yet fill a piece, as part of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingTable {
    /// Name of the table.
    pub name: String,
    /// The columns, in the order of the file.
    pub columns: Vec<PendingColumn>,
}

/// A column of rows that do not yet fill a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingColumn {
    /// Name of the column.
    pub name: String,
    /// Type of its values.
    pub kind: Kind,
    /// The distinct texts of a column of text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<String>,
    /// Values: integers, indices into `list`, or the bit patterns of real numbers, so that they are exact in JSON.
    bits: Vec<u64>,
}

impl PendingColumn {
    fn values(&self) -> Values {
        let bits = self.bits.iter();
        match self.kind {
            Kind::Real => Values::Real(bits.map(|&bits| f64::from_bits(bits)).collect()),
            Kind::Integer => Values::Integer(self.bits.clone()),
            Kind::Text => Values::Text {
                list: self.list.clone(),
                index: bits.map(|&bits| bits as u32).collect(),
            },
        }
    }
}

impl PendingTable {
    /// Returns the rows as columns, in the order of `schema` and with its units; `None` if a column is missing.
    pub(crate) fn columns(&self, schema: &Schema) -> Option<Vec<Column>> {
        let column = |field: &Field| {
            let found = self.columns.iter().find(|column| column.name == field.name)?;
            Some(Column::new(&field.name, &field.unit, found.values()))
        };
        schema.fields.iter().map(column).collect()
    }
}

impl TableBuffer {
    /// Turns the pending rows into a piece.
    fn close(&mut self) {
        let mut piece = Vec::with_capacity(self.columns.len());
        for (column, field) in self.columns.iter_mut().zip(&self.schema.fields) {
            piece.push(Column::new(&field.name, &field.unit, column.values()));
            column.bits.clear();
        }
        self.complete.push(piece);
    }
}

/// Adds rows to one of the tables.
pub struct Rows<'a, R: 'static> {
    table: &'static Table<R>,
    buffer: Option<&'a mut TableBuffer>,
}

impl<R> Rows<'_, R> {
    /// Adds a row.
    pub fn push(&mut self, row: &R) {
        let Some(buffer) = &mut self.buffer else { return };
        for (column, declared) in buffer.columns.iter_mut().zip(self.table.columns) {
            column.bits.push(match declared.value {
                Value::Real(value) => value(row).to_bits(),
                Value::Integer(value) => value(row),
                Value::Text(value) => u64::from(value(row)),
            });
        }
        if buffer.columns.first().is_some_and(|column| column.bits.len() >= PIECE_ROWS) {
            buffer.close();
        }
    }
}

impl Tables {
    /// Adds a table without rows; `lists` contains the distinct texts of its text columns, by column name.
    pub fn with<R, const N: usize>(
        mut self,
        table: &'static Table<R>,
        lists: [(&str, Vec<String>); N],
    ) -> Self {
        let schema = table.schema();
        let column = |field: &Field| {
            let list = lists.iter().find(|(name, _)| *name == field.name);
            let list = list.map_or(Vec::new(), |(_, list)| list.clone());
            PendingColumn { name: field.name.clone(), kind: field.kind, list, bits: Vec::new() }
        };
        let columns = schema.fields.iter().map(column).collect();
        self.0.push(TableBuffer { schema, columns, complete: Vec::new() });
        self
    }

    /// Returns an object that adds rows to a table; the rows are ignored if the table is not among these.
    pub fn rows<R>(&mut self, table: &'static Table<R>) -> Rows<'_, R> {
        let buffer = self.0.iter_mut().find(|buffer| buffer.schema.name == table.name);
        Rows { table, buffer }
    }

    /// Returns the descriptions of the tables, without rows.
    pub fn schemas(&self) -> impl Iterator<Item = &Schema> {
        self.0.iter().map(|buffer| &buffer.schema)
    }

    /// Removes and returns the complete pieces, each with the index of its table; at the end of a run also the rows that do not
    /// fill a piece.
    pub fn take(&mut self, end: bool) -> Vec<(usize, Vec<Column>)> {
        let mut pieces = Vec::new();
        for (number, buffer) in self.0.iter_mut().enumerate() {
            if end && buffer.columns.first().is_some_and(|column| !column.bits.is_empty()) {
                buffer.close();
            }
            pieces.extend(buffer.complete.drain(..).map(|piece| (number, piece)));
        }
        pieces
    }

    /// Returns the rows that do not yet fill a piece. Complete pieces are not included and must be taken first.
    pub fn pending(&self) -> Vec<PendingTable> {
        let table = |buffer: &TableBuffer| PendingTable {
            name: buffer.schema.name.into(),
            columns: buffer.columns.clone(),
        };
        self.0.iter().map(table).collect()
    }

    /// Returns these tables with the pending rows of a checkpoint; `None` if the checkpoint belongs to other tables.
    pub fn restored(mut self, saved: &[PendingTable]) -> Option<Self> {
        for buffer in &mut self.0 {
            let table = saved.iter().find(|table| table.name == buffer.schema.name)?;
            let rows = table.columns.first().map_or(0, |column| column.bits.len());
            for column in &mut buffer.columns {
                let same = |other: &&PendingColumn| {
                    (&other.name, other.kind, &other.list, other.bits.len())
                        == (&column.name, column.kind, &column.list, rows)
                };
                column.bits.clone_from(&table.columns.iter().find(same)?.bits);
            }
        }
        Some(self)
    }

    /// Returns the columns of all tables without rows, with the names of the tables.
    pub fn empty(&self) -> Vec<(&'static str, Vec<Column>)> {
        let column = |(column, field): (&PendingColumn, &Field)| {
            let values = PendingColumn { bits: Vec::new(), ..column.clone() }.values();
            Column::new(&field.name, &field.unit, values)
        };
        let table = |buffer: &TableBuffer| {
            let columns = buffer.columns.iter().zip(&buffer.schema.fields);
            (buffer.schema.name, columns.map(column).collect())
        };
        self.0.iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table<u32> = Table {
        name: "table",
        about: "",
        columns: &[
            integer("n", "", |row| u64::from(*row)),
            text("w", "", |row| row % 2),
            real("x_m", "m", "", |row| 0.1 * f64::from(*row)),
        ],
    };

    #[test]
    fn pieces_do_not_depend_on_when_they_are_taken_or_saved() {
        let new = || Tables::default().with(&TABLE, [("w", vec!["a".into(), "b".into()])]);
        let mut whole = new();
        let mut pieces = new();
        let mut taken = Vec::new();
        for row in 0..10_000 {
            whole.rows(&TABLE).push(&row);
            pieces.rows(&TABLE).push(&row);
            if row % 700 == 0 {
                taken.extend(pieces.take(false));
                pieces = new().restored(&pieces.pending()).unwrap();
            }
        }
        taken.extend(pieces.take(true));
        assert_eq!(whole.take(true), taken);
        assert_eq!(taken.len(), 3);
        assert_eq!(taken[0].1[1].values.text(1), Some("b"));
        let mut other = pieces.pending();
        other[0].columns[0].bits.push(1);
        assert!(new().restored(&other).is_none());
        let named_otherwise = Tables::default().with(&TABLE, [("w", vec!["a".into()])]);
        assert!(named_otherwise.restored(&pieces.pending()).is_none());
    }
}
