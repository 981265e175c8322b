//! CSV: shortest decimal numbers that read back as the same binary ones.

use crate::{Field, Fragment};
use carom::sweep::{Column, Values};
use std::fmt::Write;

/// The header row.
pub fn head(fields: &[Field]) -> Vec<u8> {
    let names: Vec<_> = fields.iter().map(|field| quote(&field.name)).collect();
    (names.join(",") + "\n").into_bytes()
}

/// The rows.
pub fn fragment(columns: &[Column]) -> Fragment {
    let rows = columns.first().map_or(0, |column| column.values.len());
    let words: Vec<Vec<String>> = columns
        .iter()
        .map(|column| match &column.values {
            Values::Word { list, .. } => list.iter().map(|word| quote(word)).collect(),
            _ => Vec::new(),
        })
        .collect();
    let mut text = String::with_capacity(rows * columns.len() * 16);
    for row in 0..rows {
        for (k, (column, words)) in columns.iter().zip(&words).enumerate() {
            if k > 0 {
                text.push(',');
            }
            match &column.values {
                Values::Whole(values) => {
                    let _ = write!(text, "{}", values.get(row).copied().unwrap_or(0));
                }
                Values::Real(values) => real(&mut text, values.get(row).copied()),
                Values::Word { index, .. } => {
                    let word = index.get(row).and_then(|&k| words.get(k as usize));
                    text.push_str(word.map_or("", String::as_str));
                }
            }
        }
        text.push('\n');
    }
    Fragment { body: text.into_bytes(), sizes: vec![rows as u64] }
}

/// Nothing for NaN; scientific where digits would be zeros.
fn real(text: &mut String, value: Option<f64>) {
    let value = value.unwrap_or(f64::NAN);
    // Writing to a string does not fail.
    let _ = match value.abs() {
        size if size.is_nan() => Ok(()),
        0.0 | 1e-5..1e16 | f64::INFINITY => write!(text, "{value}"),
        _ => write!(text, "{value:e}"),
    };
}

/// Quoted only where a comma, quote or line break makes it necessary (RFC 4180).
fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_they_were() {
        for value in [0.1, -1.0 / 3.0, 2.4144e10, 1e-300, 5e-324, f64::MAX, f64::INFINITY, 0.0] {
            let mut text = String::new();
            real(&mut text, Some(value));
            assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
            assert!(text.len() < 25, "{text}");
        }
    }
}
