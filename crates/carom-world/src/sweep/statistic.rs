//! Statistics of a column of a table, updated row by row.

use super::row_filter::{WordFilter, find_table, row_matches, word_filters};
use carom::Result;
use carom_store::Column;

/// A statistic: its name, and the function that returns it from the rows added so far.
type Statistic = (&'static str, fn(&RunningStatistic) -> f64);

pub(super) const STATISTICS: [Statistic; 9] = [
    ("max", |of| of.max),
    ("min", |of| of.min),
    ("mean", |of| of.sum / of.count),
    ("rms", |of| (of.squares / of.count).sqrt()),
    ("first", |of| of.first),
    ("last", |of| of.last),
    ("change", |of| of.last - of.first),
    ("sum", |of| of.sum),
    (COUNT, |of| of.count),
];

/// Name of the number of rows, the only statistic that needs no column.
pub(super) const COUNT: &str = "count";

/// A statistic of a column over the rows that contain some words.
pub(super) struct ColumnStatistic {
    pub name: &'static str,
    pub table: String,
    /// Name of the column; none for `count`.
    pub column: Option<String>,
    /// Words that a row must contain: names of bodies or contacts, kinds of events.
    pub words: Vec<String>,
}

/// A statistic that is updated row by row.
pub(super) struct RunningStatistic {
    name: &'static str,
    pub table: usize,
    column: Option<usize>,
    filters: Vec<WordFilter>,
    count: f64,
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    sum: f64,
    squares: f64,
}

impl RunningStatistic {
    pub fn new(of: &ColumnStatistic, tables: &[(&'static str, Vec<Column>)]) -> Result<Self> {
        let (table, columns) = find_table(tables, &of.table)?;
        let position = |name: &str| columns.iter().position(|column| column.name == name);
        Ok(Self {
            table,
            column: of.column.as_deref().and_then(position),
            filters: word_filters(&of.table, columns, &of.words)?,
            name: of.name,
            count: 0.0,
            first: f64::NAN,
            last: f64::NAN,
            min: f64::NAN,
            max: f64::NAN,
            sum: 0.0,
            squares: 0.0,
        })
    }

    pub fn add(&mut self, columns: &[Column], row: usize) {
        if !row_matches(columns, &self.filters, row) {
            return;
        }
        let value = match self.column {
            Some(column) => columns.get(column).and_then(|column| column.values.real(row)),
            None => Some(1.0),
        };
        let Some(value) = value.filter(|value| !value.is_nan()) else { return };
        if self.count == 0.0 {
            self.first = value;
        }
        self.count += 1.0;
        self.last = value;
        // `f64::min` and `max` ignore the NaN of the initial value.
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += value;
        self.squares += value * value;
    }

    pub fn value(&self) -> f64 {
        let known = STATISTICS.iter().find(|(name, _)| *name == self.name);
        known.map_or(f64::NAN, |(_, value)| value(self))
    }
}
