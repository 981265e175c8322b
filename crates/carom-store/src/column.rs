//! Columns: a name, a unit and values of one type.

use serde::{Deserialize, Serialize};

/// A column: its name, its unit and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, as in a header row.
    pub name: String,
    /// SI unit; empty for pure numbers and text.
    pub unit: String,
    /// The values.
    pub values: Values,
}

/// Values of a column, all of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Non-negative integers.
    Integer(Vec<u64>),
    /// Real numbers; NaN marks a missing value.
    Real(Vec<f64>),
    /// Text from a short list (dictionary encoding).
    Text {
        /// The distinct texts, in the same order in every partition of a table.
        list: Vec<String>,
        /// For every row the index into `list`.
        index: Vec<u32>,
    },
}

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Non-negative integers of 64 bits.
    Integer,
    /// Real numbers in double precision.
    Real,
    /// Text.
    Text,
}

/// Description of a column without its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Name, as in a header row.
    pub name: String,
    /// SI unit; empty for pure numbers and text.
    pub unit: String,
    /// Type of the values.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Meaning; empty where it follows from the name or from the column before.
    pub about: String,
}

impl Column {
    /// Creates a column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), unit: unit.into(), values }
    }

    /// Returns the description of the column without its values.
    pub fn field(&self) -> Field {
        let (name, unit) = (self.name.clone(), self.unit.clone());
        Field { name, unit, kind: self.values.kind(), about: String::new() }
    }
}

/// Returns the number of rows of a table given by its columns.
pub fn row_count(columns: &[Column]) -> usize {
    columns.first().map_or(0, |column| column.values.len())
}

/// Returns the column with this name.
pub fn find<'a>(columns: &'a [Column], name: &str) -> Option<&'a Column> {
    columns.iter().find(|column| column.name == name)
}

impl Values {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Integer(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Text { index, .. } => index.len(),
        }
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the type of the values.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Integer(_) => Kind::Integer,
            Self::Real(_) => Kind::Real,
            Self::Text { .. } => Kind::Text,
        }
    }

    /// Returns the number in a row; `None` for text.
    pub fn real(&self, row: usize) -> Option<f64> {
        match self {
            Self::Integer(values) => values.get(row).map(|&value| value as f64),
            Self::Real(values) => values.get(row).copied(),
            Self::Text { .. } => None,
        }
    }

    /// Returns the text in a row; `None` for numbers.
    pub fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Text { list, index } => list.get(*index.get(row)? as usize).map(String::as_str),
            _ => None,
        }
    }

    /// Appends the rows of a column of the same type; a column of another type is ignored.
    pub fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::Real(a), Self::Real(b)) => a.extend(b),
            (Self::Integer(a), Self::Integer(b)) => a.extend(b),
            (Self::Text { index: a, .. }, Self::Text { index: b, .. }) => a.extend(b),
            _ => {}
        }
    }
}
