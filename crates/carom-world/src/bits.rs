//! Numbers stored by their 64 bits, so that JSON keeps them exactly, and under their names.
//!
//! A list of [`Number`]s ([`numbers!`]) declares which numbers of a row are saved, once for both writing and reading. Single
//! numbers use `#[serde(with = "crate::bits")]`.

use crate::math::Vec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Writes a number by its bits.
pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(value.to_bits())
}

/// Reads a number from its bits.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    u64::deserialize(from).map(f64::from_bits)
}

/// A number of a row: its name, and a function that returns a reference to it.
pub type Number<R> = (&'static str, fn(&mut R) -> &mut f64);

/// Creates a list of [`Number`]s from their paths within the row. `memory.speed` is saved under that name, `"load" =>
/// work.load` under the name `load`.
macro_rules! numbers {
    (@name $name:literal $($field:ident).+) => { $name };
    (@name $first:ident $(. $rest:ident)*) => {
        concat!(stringify!($first) $(, ".", stringify!($rest))*)
    };
    ($($($name:literal =>)? $($field:ident).+),+ $(,)?) => {
        &[$(($crate::bits::numbers!(@name $($name)? $($field).+), |row| &mut row.$($field).+)),+]
    };
}
pub(crate) use numbers;

/// Numbers of a vector.
pub const VECTOR: &[Number<Vec3>] = numbers! { x, y, z };

/// Numbers of several rows, stored by columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedColumns(BTreeMap<String, Vec<u64>>);

impl SavedColumns {
    /// Collects the numbers of rows.
    pub fn of<R: Clone>(rows: &[R], numbers: &[Number<R>]) -> Self {
        let mut rows = rows.to_vec();
        let mut column = |&(name, number): &Number<R>| {
            (name.to_string(), rows.iter_mut().map(|row| number(row).to_bits()).collect())
        };
        Self(numbers.iter().map(&mut column).collect())
    }

    /// Writes the numbers into the same number of rows; none if a column is missing or has another length.
    pub fn write<R>(&self, rows: &mut [R], numbers: &[Number<R>]) -> Option<()> {
        for (name, number) in numbers {
            let column = self.0.get(*name).filter(|column| column.len() == rows.len())?;
            for (row, &bits) in rows.iter_mut().zip(column) {
                *number(row) = f64::from_bits(bits);
            }
        }
        Some(())
    }

    /// Returns the vectors if their number is `count`.
    pub fn vectors(&self, count: usize) -> Option<Vec<Vec3>> {
        let mut vectors = vec![Vec3::ZERO; count];
        self.write(&mut vectors, VECTOR)?;
        Some(vectors)
    }
}
