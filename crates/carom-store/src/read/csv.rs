//! Rows of a CSV file (RFC 4180, as `csv.rs` writes it).

use super::{Words, Wrong};
use carom::sweep::{Column, Values};
use carom_world::record::{Kind, Table};
use std::borrow::Cow;
use std::io::BufRead;

/// Rows of a piece, and most bytes of one row.
const PIECE: usize = 4096;
const LONGEST: u64 = 1 << 20;

/// Checks the header row; where the rows begin.
pub fn head(table: &Table, file: &mut impl BufRead) -> Result<u64, Wrong> {
    let mut record = String::new();
    let length = row(file, &mut record)?;
    let names: Vec<_> = table.fields.iter().map(|field| field.name).collect();
    match record.trim_end_matches(['\r', '\n']) == names.join(",") {
        true => Ok(length),
        false => Err("its first line does not name the columns of this table".into()),
    }
}

/// The next rows up to a place in the file.
pub fn rows(
    table: &Table,
    file: &mut impl BufRead,
    at: &mut u64,
    end: u64,
    line: &mut u64,
) -> Result<Option<Vec<Column>>, Wrong> {
    enum Cells {
        Real(Vec<f64>),
        Whole(Vec<u64>),
        Word(Words),
    }
    let mut columns: Vec<Cells> = table
        .fields
        .iter()
        .map(|field| match field.kind {
            Kind::Real => Cells::Real(Vec::new()),
            Kind::Whole => Cells::Whole(Vec::new()),
            Kind::Word => Cells::Word(Words::default()),
        })
        .collect();
    let (mut record, mut count) = (String::new(), 0);
    while *at < end && count < PIECE {
        let length = row(file, &mut record)?;
        let wrong = |why: &str| Wrong::Contents(format!("line {line}: {why}"));
        if length == 0 || !record.ends_with('\n') {
            return Err(wrong("it ends too soon"));
        }
        let mut rest = Some(record.trim_end_matches(['\r', '\n']));
        for (column, field) in columns.iter_mut().zip(table.fields) {
            let Some(text) = rest else { return Err(wrong("it has too few cells")) };
            let (cell, more) = cell(text).ok_or_else(|| wrong("a quote is not closed"))?;
            rest = more;
            let number = || wrong(&format!("`{cell}` is no number for {}", field.name));
            match column {
                Cells::Real(values) if cell.is_empty() => values.push(f64::NAN),
                Cells::Real(values) => values.push(cell.parse().map_err(|_| number())?),
                Cells::Whole(values) => values.push(cell.parse().map_err(|_| number())?),
                Cells::Word(words) => words.push(&cell),
            }
        }
        if rest.is_some() {
            return Err(wrong("it has too many cells"));
        }
        (*at, *line, count) = (*at + length, *line + 1, count + 1);
    }
    let column = |(cells, field): (Cells, &carom_world::record::Field)| {
        let values = match cells {
            Cells::Real(values) => Values::Real(values),
            Cells::Whole(values) => Values::Whole(values),
            Cells::Word(words) => words.values(),
        };
        Column::new(field.name, field.unit, values)
    };
    Ok((count > 0).then(|| columns.into_iter().zip(table.fields).map(column).collect()))
}

/// One row, which may be several lines where a name has a line break; its bytes.
fn row(file: &mut impl BufRead, record: &mut String) -> Result<u64, Wrong> {
    record.clear();
    loop {
        let more = std::io::Read::take(&mut *file, LONGEST).read_line(record)?;
        let open = record.matches('"').count() % 2 == 1;
        if more == 0 || !open || record.len() as u64 >= LONGEST {
            return Ok(record.len() as u64);
        }
    }
}

/// The first cell, and what follows its comma; nothing where a quote is not closed.
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
