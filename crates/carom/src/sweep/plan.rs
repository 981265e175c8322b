//! A study that is ready to be computed: passes the values of each case to its evaluator and collects the results in
//! columns.
//!
//! The evaluator is an [`Evaluate`]: impacts in this crate (`sweep/impacts.rs`), runs of scenes in another. A case
//! has one row or several, all with the same columns; a case that is not possible has one row with a status and
//! without numbers.

use super::{Figure, Points, Value, Variation};
use crate::error::{Error, Result};
use carom_store::{Column, Source, Values};
use std::ops::Range;

/// Possible statuses of a case; only the first two have results.
const STATUSES: [&str; 9] = [
    "ok",
    "never_separates",
    "invalid",
    "unknown",
    "missing",
    "unsupported",
    "unreachable",
    "numerical",
    "unreadable",
];

/// Evaluator of the cases of a study.
pub trait Evaluate: Sync {
    /// Data that one thread reuses from case to case; results do not depend on them.
    type Scratch: Default;
    /// Returns the axes and the order of cases.
    fn variation(&self) -> &Variation;
    /// Returns the title of the study, which may be empty.
    fn title(&self) -> &str;
    /// Returns the kind of figure, if the study specifies one.
    fn figure(&self) -> Option<Figure>;
    /// Returns names and SI units of the numbers of a row.
    fn outputs(&self) -> Vec<(String, String)>;
    /// Computes the case with these values of the axes and appends the numbers of its rows, one row after the other.
    /// Returns `ok`, or `never_separates` for an impact without end.
    ///
    /// # Errors
    /// When the case is not possible.
    fn evaluate(
        &self,
        values: &[Value],
        scratch: &mut Self::Scratch,
        rows: &mut Vec<f64>,
    ) -> Result<&'static str>;
    /// Returns a text that differs between studies with different results.
    fn fingerprint(&self) -> String;
}

/// A study that is ready to be computed.
pub struct Plan<E> {
    evaluator: E,
}

impl<E: Evaluate> Plan<E> {
    /// Creates a plan that computes cases with this evaluator.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator }
    }

    /// Returns the evaluator of the cases.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Returns the axes and the order of cases.
    pub fn variation(&self) -> &Variation {
        self.evaluator.variation()
    }

    /// Computes a partition of the study as columns: `case`, the axes, the outputs, `status`.
    ///
    /// The function is pure: the columns depend only on the study and the number of the partition.
    pub fn partition(&self, partition: u64) -> Vec<Column> {
        self.cases(self.variation().partition_cases(partition))
    }

    /// Computes any contiguous cases, with the columns of a partition.
    pub fn cases(&self, cases: Range<u64>) -> Vec<Column> {
        let variation = self.variation();
        let (all, named) = (variation.axes(), self.evaluator.outputs());
        let last = variation.cases();
        let cases = cases.start.min(last)..cases.end.clamp(cases.start.min(last), last);
        let count = (cases.end - cases.start) as usize;
        let mut number = Vec::with_capacity(count);
        let mut axes: Vec<Vec<f64>> = vec![Vec::with_capacity(count); all.len()];
        let mut words: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
        let mut outputs: Vec<Vec<f64>> = vec![Vec::with_capacity(count); named.len()];
        let mut status = Vec::with_capacity(count);
        let mut scratch = E::Scratch::default();
        let (mut values, mut rows) = (Vec::new(), Vec::new());
        for index in cases {
            variation.values(index, &mut values);
            rows.clear();
            let found = self.evaluator.evaluate(&values, &mut scratch, &mut rows);
            if found.is_err() {
                rows.clear();
                rows.resize(named.len(), f64::NAN);
            }
            let kind = found.unwrap_or_else(|error| error.kind());
            let kind = STATUSES.iter().position(|known| *known == kind).unwrap_or(0) as u32;
            for row in rows.chunks_exact(named.len().max(1)) {
                number.push(index);
                for (i, value) in values.iter().enumerate() {
                    match value {
                        Value::Number(number) => axes[i].push(*number),
                        Value::Word(k) => words[i].push(*k),
                    }
                }
                outputs.iter_mut().zip(row).for_each(|(column, value)| column.push(*value));
                status.push(kind);
            }
        }
        let mut columns = vec![Column::new("case", "", Values::Integer(number))];
        for ((axis, numbers), index) in all.iter().zip(axes).zip(words) {
            let values = match axis.points() {
                Points::Words(list) => Values::Text { list: list.clone(), index },
                _ => Values::Real(numbers),
            };
            columns.push(Column::new(axis.name(), axis.unit(), values));
        }
        for ((name, unit), numbers) in named.into_iter().zip(outputs) {
            columns.push(Column::new(name, unit, Values::Real(numbers)));
        }
        let list = STATUSES.iter().map(|word| word.to_string()).collect();
        columns.push(Column::new("status", "", Values::Text { list, index: status }));
        columns
    }

    /// Returns the error of a case; `None` if it has a result.
    pub fn error(&self, index: u64) -> Option<Error> {
        let mut values = Vec::new();
        self.variation().values(index, &mut values);
        self.evaluator.evaluate(&values, &mut E::Scratch::default(), &mut Vec::new()).err()
    }
}

impl<E: Evaluate> Source for Plan<E> {
    fn partitions(&self) -> u64 {
        self.variation().partitions()
    }
    fn partition(&self, number: u64) -> Vec<Column> {
        Plan::partition(self, number)
    }
    fn fingerprint(&self) -> String {
        self.evaluator.fingerprint()
    }
    fn fields(&self) -> Vec<carom_store::Field> {
        // An empty range has the same columns.
        self.cases(0..0).iter().map(Column::field).collect()
    }
}
