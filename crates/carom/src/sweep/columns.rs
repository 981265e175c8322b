//! Results as columns: what a table file holds, and what Python makes arrays of.

/// A column: its name, its unit and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, as in a header row.
    pub name: String,
    /// SI unit; empty for pure numbers and words.
    pub unit: String,
    /// The values.
    pub values: Values,
}

/// Values of a column, all of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Counts.
    Whole(Vec<u64>),
    /// Numbers; NaN where there is none.
    Real(Vec<f64>),
    /// Words of a short list, by their place in it.
    Word {
        /// The list, the same in every partition.
        list: Vec<String>,
        /// Places in the list.
        index: Vec<u32>,
    },
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), unit: unit.into(), values }
    }
}

impl Values {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Word { index, .. } => index.len(),
        }
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number in a row; `None` for words.
    pub fn real(&self, row: usize) -> Option<f64> {
        match self {
            Self::Whole(values) => values.get(row).map(|&value| value as f64),
            Self::Real(values) => values.get(row).copied(),
            Self::Word { .. } => None,
        }
    }

    /// The word in a row; `None` for numbers.
    pub fn word(&self, row: usize) -> Option<&str> {
        match self {
            Self::Word { list, index } => list.get(*index.get(row)? as usize).map(String::as_str),
            _ => None,
        }
    }
}
