//! Tables as they grow: what their columns are, and rows that wait.

use carom::sweep::{Column, Values};
use serde::{Deserialize, Serialize};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers; NaN where there is none.
    Real,
    /// Counts.
    Whole,
    /// Words of a short list.
    Word,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, as in the header row.
    pub name: &'static str,
    /// SI unit; empty for pure numbers and words.
    pub unit: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means.
    pub about: &'static str,
}

/// A kind of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name: that of its file.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// Its columns.
    pub fields: &'static [Field],
}

/// Rows of a piece: enough for a column of a Parquet file to be worth its header, few enough to be kept
/// with a checkpoint.
const PIECE: usize = 4096;

/// Rows that wait to be taken.
#[derive(Clone, Debug)]
pub struct Rows {
    table: &'static Table,
    /// The list of words of each column; empty where it holds numbers.
    words: Vec<Vec<String>>,
    /// By column, each value by its 64 bits.
    waiting: Vec<Vec<u64>>,
    ready: Vec<Vec<Column>>,
}

/// Rows that wait, as plain data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedRows(Vec<Vec<u64>>);

impl Rows {
    /// A table without rows; `words` are the lists of its columns of words, in their order.
    pub fn new(table: &'static Table, words: Vec<Vec<String>>) -> Self {
        let mut lists = words.into_iter();
        let of = |field: &Field| match field.kind {
            Kind::Word => lists.next().unwrap_or_default(),
            _ => Vec::new(),
        };
        let words = table.fields.iter().map(of).collect();
        Self { table, words, waiting: vec![Vec::new(); table.fields.len()], ready: Vec::new() }
    }

    /// Adds a row; a word is given by its place in the list. NaN is a cell without a number.
    pub fn push(&mut self, cells: &[f64]) {
        for ((column, field), cell) in self.waiting.iter_mut().zip(self.table.fields).zip(cells) {
            column.push(match field.kind {
                Kind::Real => cell.to_bits(),
                Kind::Whole | Kind::Word => *cell as u64,
            });
        }
        if self.waiting.first().is_some_and(|column| column.len() >= PIECE) {
            self.close();
        }
    }

    /// Makes a piece of what waits.
    fn close(&mut self) {
        let waiting = self.waiting.iter_mut().map(std::mem::take).collect::<Vec<_>>();
        self.ready.push(self.columns(waiting));
    }

    fn columns(&self, values: Vec<Vec<u64>>) -> Vec<Column> {
        let fields = self.table.fields.iter().zip(&self.words).zip(values);
        fields
            .map(|((field, words), bits)| {
                let values = match field.kind {
                    Kind::Real => Values::Real(bits.into_iter().map(f64::from_bits).collect()),
                    Kind::Whole => Values::Whole(bits),
                    Kind::Word => Values::Word {
                        list: words.clone(),
                        index: bits.into_iter().map(|bits| bits as u32).collect(),
                    },
                };
                Column::new(field.name, field.unit, values)
            })
            .collect()
    }

    /// The columns without rows.
    pub fn empty(&self) -> Vec<Column> {
        self.columns(vec![Vec::new(); self.table.fields.len()])
    }

    /// The name of the table.
    pub fn name(&self) -> &'static str {
        self.table.name
    }

    /// Takes the pieces that are complete; at the end the rest as well.
    pub fn take(&mut self, end: bool) -> Vec<Vec<Column>> {
        if end && self.waiting.first().is_some_and(|column| !column.is_empty()) {
            self.close();
        }
        std::mem::take(&mut self.ready)
    }

    /// What waits, as plain data.
    pub fn save(&self) -> SavedRows {
        SavedRows(self.waiting.clone())
    }

    /// The same with what waited; nothing where it does not fit.
    pub fn restored(mut self, saved: &SavedRows) -> Option<Self> {
        let length = saved.0.first().map_or(0, Vec::len);
        let fits = saved.0.len() == self.waiting.len() && saved.0.iter().all(|c| c.len() == length);
        self.waiting.clone_from(&saved.0);
        fits.then_some(self)
    }
}

impl Table {
    /// The table as Markdown: a heading, what a row is, and its columns.
    pub fn markdown(&self) -> String {
        let mut text = format!("### `{}`\n\n{}\n\n", self.name, self.about);
        text += "| column | unit | meaning |\n|---|---|---|\n";
        for Field { name, unit, about, .. } in self.fields {
            text += &format!("| `{name}` | {unit} | {about} |\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table = Table {
        name: "table",
        about: "",
        fields: &[
            Field { name: "n", unit: "", kind: Kind::Whole, about: "" },
            Field { name: "w", unit: "", kind: Kind::Word, about: "" },
            Field { name: "x_m", unit: "m", kind: Kind::Real, about: "" },
        ],
    };

    #[test]
    fn pieces_do_not_depend_on_when_they_are_taken_or_saved() {
        let new = || Rows::new(&TABLE, vec![vec!["a".into(), "b".into()]]);
        let mut whole = new();
        let mut pieces = new();
        let mut taken = Vec::new();
        for i in 0..10_000 {
            let row = [f64::from(i), f64::from(i % 2), 0.1 * f64::from(i)];
            whole.push(&row);
            pieces.push(&row);
            if i % 700 == 0 {
                taken.extend(pieces.take(false));
                pieces = new().restored(&pieces.save()).unwrap();
            }
        }
        taken.extend(pieces.take(true));
        assert_eq!(whole.take(true), taken);
        assert_eq!(taken.len(), 3);
        assert_eq!(taken[0][1].values.word(1), Some("b"));
        assert!(new().restored(&SavedRows(vec![vec![1]])).is_none());
    }
}
