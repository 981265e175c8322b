//! CSV (RFC 4180) as all parts of this project write it.
//!
//! A real number is written as the shortest decimal number that reads back as the same binary number, a missing value (NaN) as an
//! empty cell, and an infinite value as `inf`. Text is quoted only where this is necessary. The header row contains names without
//! units.

use crate::{Column, Field, Fragment, Values, row_count};
use std::borrow::Cow;
use std::fmt::Write;

/// Returns one row as text.
///
/// ```
/// assert_eq!(carom_store::csv::line(["a", "b, c", ""]), "a,\"b, c\",\n");
/// ```
pub fn line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(quote).collect();
    cells.join(",") + "\n"
}

/// Returns a real number as the text of a cell.
///
/// ```
/// use carom_store::csv::number;
/// assert_eq!([0.1, 2.0, 2.4144e-10, f64::INFINITY, f64::NAN].map(number), ["0.1", "2", "2.4144e-10", "inf", ""]);
/// ```
pub fn number(value: f64) -> String {
    let mut text = String::new();
    write_number(&mut text, value);
    text
}

/// Returns columns as CSV text, with a header row.
pub fn text(columns: &[Column]) -> String {
    let mut text = line(columns.iter().map(|column| column.name.as_str()));
    write_rows(&mut text, columns);
    text
}

pub(crate) fn header(fields: &[Field]) -> Vec<u8> {
    line(fields.iter().map(|field| field.name.as_str())).into_bytes()
}

pub(crate) fn fragment(columns: &[Column]) -> Fragment {
    let rows = row_count(columns);
    let mut text = String::with_capacity(rows * columns.len() * 16);
    write_rows(&mut text, columns);
    Fragment { body: text.into_bytes(), sizes: vec![rows as u64] }
}

fn write_rows(text: &mut String, columns: &[Column]) {
    let lists: Vec<Vec<Cow<str>>> = columns
        .iter()
        .map(|column| match &column.values {
            Values::Text { list, .. } => list.iter().map(|text| quote(text)).collect(),
            _ => Vec::new(),
        })
        .collect();
    for row in 0..row_count(columns) {
        for (k, (column, list)) in columns.iter().zip(&lists).enumerate() {
            if k > 0 {
                text.push(',');
            }
            match &column.values {
                Values::Integer(values) => {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{}", values.get(row).copied().unwrap_or(0));
                }
                Values::Real(values) => {
                    write_number(text, values.get(row).copied().unwrap_or(f64::NAN));
                }
                Values::Text { index, .. } => {
                    let cell = index.get(row).and_then(|&k| list.get(k as usize));
                    text.push_str(cell.map_or("", |cell| cell));
                }
            }
        }
        text.push('\n');
    }
}

/// Writes a number, in scientific notation where plain digits would be mostly zeros.
fn write_number(text: &mut String, value: f64) {
    let _ = match value.abs() {
        size if size.is_nan() => Ok(()),
        0.0 | 1e-5..1e16 | f64::INFINITY => write!(text, "{value}"),
        _ => write!(text, "{value:e}"),
    };
}

/// Quotes a cell if it contains a comma, a quote or a line break.
fn quote(cell: &str) -> Cow<'_, str> {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")).into(),
        false => cell.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_they_were() {
        for value in [0.1, -1.0 / 3.0, 2.4144e10, 1e-300, 5e-324, f64::MAX, f64::INFINITY, 0.0] {
            let text = number(value);
            assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
            assert!(text.len() < 25, "{text}");
        }
    }
}
