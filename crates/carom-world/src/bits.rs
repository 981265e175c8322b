//! Numbers by their 64 bits, so that JSON keeps them exactly, and under their names.
//!
//! Which numbers of a row are saved is declared once for writing and reading, by a list of [`Number`]s ([`numbers!`]). For single
//! numbers there is `#[serde(with = "crate::bits")]`.

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

/// A number of a row: its name, and where it is.
pub type Number<R> = (&'static str, fn(&mut R) -> &mut f64);

/// A list of [`Number`]s, each by its path within the row: `memory.speed` is saved under that name, `"load" => work.load` under
/// another one.
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

/// The numbers of a vector.
pub const VECTOR: &[Number<Vec3>] = numbers! { x, y, z };

/// Numbers of several rows, column by column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedColumns(BTreeMap<String, Vec<u64>>);

impl SavedColumns {
    /// The numbers of rows.
    pub fn of<R: Clone>(rows: &[R], numbers: &[Number<R>]) -> Self {
        let mut rows = rows.to_vec();
        let mut column = |&(name, number): &Number<R>| {
            (name.to_string(), rows.iter_mut().map(|row| number(row).to_bits()).collect())
        };
        Self(numbers.iter().map(&mut column).collect())
    }

    /// Writes the numbers into as many rows; nothing where one is missing.
    pub fn write<R>(&self, rows: &mut [R], numbers: &[Number<R>]) -> Option<()> {
        for (name, number) in numbers {
            let column = self.0.get(*name).filter(|column| column.len() == rows.len())?;
            for (row, &bits) in rows.iter_mut().zip(column) {
                *number(row) = f64::from_bits(bits);
            }
        }
        Some(())
    }

    /// Vectors, where there are so many.
    pub fn vectors(&self, count: usize) -> Option<Vec<Vec3>> {
        let mut vectors = vec![Vec3::ZERO; count];
        self.write(&mut vectors, VECTOR)?;
        Some(vectors)
    }
}
