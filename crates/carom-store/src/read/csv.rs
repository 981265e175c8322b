//! Reads rows of a CSV file written by `csv.rs` (RFC 4180).

use super::{Layout, ReadError, TextDictionary};
use crate::table::Schema;
use crate::{Kind, Values};
use std::borrow::Cow;
use std::io::BufRead;

/// Number of rows of a piece.
const PIECE_ROWS: usize = 4096;
/// Largest length of a row (bytes); a greater length indicates a damaged file.
const ROW_LIMIT: u64 = 1 << 20;

/// Reads the columns from the header row; also returns the position of the first row.
pub fn header(schema: &Schema, file: &mut impl BufRead) -> Result<(Layout, u64), ReadError> {
    let mut record = String::new();
    let length = row(file, &mut record)?;
    let mut names = Vec::new();
    let mut rest = Some(record.trim_end_matches(['\r', '\n']));
    while let Some(text) = rest {
        let (name, more) = cell(text).ok_or("a quote in its first line is not closed")?;
        names.push(name);
        rest = more;
    }
    let stored = names.iter().map(|name| (name.as_bytes(), None));
    Ok((Layout::new(schema, stored)?, length))
}

/// Reads the next rows, from the offset `at` up to `end` at most.
pub fn rows(
    layout: &Layout,
    file: &mut impl BufRead,
    at: &mut u64,
    end: u64,
    line: &mut u64,
) -> Result<Option<Vec<Values>>, ReadError> {
    enum Cells {
        Real(Vec<f64>),
        Integer(Vec<u64>),
        Text(TextDictionary),
        NotWanted,
    }
    let new = |kind: &Option<Kind>| match kind {
        Some(Kind::Real) => Cells::Real(Vec::new()),
        Some(Kind::Integer) => Cells::Integer(Vec::new()),
        Some(Kind::Text) => Cells::Text(TextDictionary::default()),
        None => Cells::NotWanted,
    };
    let mut columns: Vec<Cells> = layout.stored.iter().map(new).collect();
    let (mut record, mut count) = (String::new(), 0);
    while *at < end && count < PIECE_ROWS {
        let length = row(file, &mut record)?;
        let error = |why: &str| ReadError::Contents(format!("line {line}: {why}"));
        if length == 0 || !record.ends_with('\n') {
            return Err(error("it ends too soon"));
        }
        let mut rest = Some(record.trim_end_matches(['\r', '\n']));
        for (index, column) in columns.iter_mut().enumerate() {
            let Some(text) = rest else { return Err(error("it has too few cells")) };
            let (cell, more) = cell(text).ok_or_else(|| error("a quote is not closed"))?;
            rest = more;
            let number = || error(&format!("`{cell}` is not a number for {}", layout.name(index)));
            match column {
                Cells::Real(values) if cell.is_empty() => values.push(f64::NAN),
                Cells::Real(values) => values.push(cell.parse().map_err(|_| number())?),
                Cells::Integer(values) => values.push(cell.parse().map_err(|_| number())?),
                Cells::Text(texts) => texts.push(&cell),
                Cells::NotWanted => {}
            }
        }
        if rest.is_some() {
            return Err(error("it has too many cells"));
        }
        (*at, *line, count) = (*at + length, *line + 1, count + 1);
    }
    let values = |cells: Cells| match cells {
        Cells::Real(values) => Values::Real(values),
        Cells::Integer(values) => Values::Integer(values),
        Cells::Text(texts) => texts.values(),
        Cells::NotWanted => Values::Integer(Vec::new()),
    };
    Ok((count > 0).then(|| columns.into_iter().map(values).collect()))
}

/// Reads one row, which has several lines if a text contains a line break; returns its length (bytes).
fn row(file: &mut impl BufRead, record: &mut String) -> Result<u64, ReadError> {
    record.clear();
    loop {
        let more = std::io::Read::take(&mut *file, ROW_LIMIT).read_line(record)?;
        let open = record.matches('"').count() % 2 == 1;
        if more == 0 || !open || record.len() as u64 >= ROW_LIMIT {
            return Ok(record.len() as u64);
        }
    }
}

/// Returns the first cell and the text after its comma; `None` if a quote is not closed.
fn cell(text: &str) -> Option<(Cow<'_, str>, Option<&str>)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        return Some(match text.split_once(',') {
            Some((cell, rest)) => (cell.into(), Some(rest)),
            None => (text.into(), None),
        });
    };
    let mut cell = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        cell.push_str(part);
        match after.strip_prefix('"') {
            Some(more) => {
                cell.push('"');
                rest = more;
            }
            None => return Some((cell.into(), after.strip_prefix(','))),
        }
    }
}
