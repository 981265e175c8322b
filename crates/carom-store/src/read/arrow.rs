//! Batches of an Arrow file, as `arrow.rs` writes it: buffers follow each other, each filled up to eight bytes,
//! so that the number of rows and the kinds of the columns say where everything lies.

use super::{Words, Wrong, bytes, plain};
use carom::sweep::Column;
use carom_world::record::{Kind, Table};
use std::io::{Read, Seek, SeekFrom};

/// Most bytes of the metadata of a message.
const MOST: u64 = 1 << 24;
const FINGERPRINT: &[u8] = b"scene-";

/// Checks magic and schema; where the batches begin.
pub fn head(table: &Table, file: &mut impl Read) -> Result<u64, Wrong> {
    let mut head = bytes(file, 16)?;
    let length = number(&head, 12).filter(|length| *length < MOST);
    head.extend(bytes(file, length.ok_or("it does not begin as an Arrow file does")?)?);
    let fields = crate::described(table);
    let place = head.windows(FINGERPRINT.len()).position(|window| window == FINGERPRINT);
    let end = |at: usize| at + FINGERPRINT.len() + 16;
    let found = place.and_then(|at| std::str::from_utf8(head.get(at..end(at))?).ok());
    match found.is_some_and(|fingerprint| crate::arrow::head(&fields, fingerprint) == head) {
        true => Ok(head.len() as u64),
        false => Err("it does not have the columns of this table".into()),
    }
}

/// Checks that a file that is finished ends as it should.
pub fn tail(file: &mut (impl Read + Seek), end: u64) -> Result<(), Wrong> {
    let magic = crate::arrow::MAGIC;
    file.seek(SeekFrom::Start(end.saturating_sub(magic.len() as u64)))?;
    match bytes(file, magic.len() as u64)? == magic {
        true => Ok(()),
        false => Err("it ends too soon".into()),
    }
}

/// The next batch, before a place in the file or before the message that says there is none.
pub fn batch(
    table: &Table,
    file: &mut (impl Read + Seek),
    at: &mut u64,
    end: Option<u64>,
) -> Result<Option<Vec<Column>>, Wrong> {
    if end.is_some_and(|end| *at >= end) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(*at))?;
    let start = bytes(file, 8)?;
    if start.get(..4) != Some(&[0xff; 4]) {
        return Err("a batch does not begin where it should".into());
    }
    let length = number(&start, 4).filter(|length| *length < MOST).ok_or("a batch is too long")?;
    if length == 0 {
        return Ok(None);
    }
    let metadata = bytes(file, length)?;
    let (rows, size) = sizes(&metadata).ok_or("a batch is not described as it should")?;
    let body = bytes(file, size)?;
    *at += 8 + length + size;
    columns(table, &body, rows).ok_or_else(|| "a batch is not as long as it says".into()).map(Some)
}

/// Rows of a batch, and bytes of its body.
fn sizes(metadata: &[u8]) -> Option<(u64, u64)> {
    let root = number(metadata, 0)? as usize;
    let body = long(metadata, field(metadata, root, 3)?)?;
    let header = field(metadata, root, 2)?;
    let batch = header.checked_add(number(metadata, header)? as usize)?;
    Some((long(metadata, field(metadata, batch, 0)?)?, body))
}

/// Where a field of a flatbuffer's table lies.
fn field(bytes: &[u8], table: usize, field: usize) -> Option<usize> {
    let back = number(bytes, table)? as u32 as i32;
    let vtable = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
    let slot = vtable.checked_add(4 + 2 * field)?;
    let within = u16::from_le_bytes(bytes.get(slot..slot + 2)?.try_into().ok()?);
    (within > 0).then_some(table + usize::from(within))
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u64::from(u32::from_le_bytes(word.try_into().ok()?)))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn columns(table: &Table, body: &[u8], rows: u64) -> Option<Vec<Column>> {
    let rows = usize::try_from(rows).ok()?;
    let mut rest = body;
    let mut take = |size: usize| {
        let (now, then) = rest.split_at_checked(size.checked_next_multiple_of(8)?)?;
        rest = then;
        now.get(..size)
    };
    let mut columns = Vec::with_capacity(table.fields.len());
    for known in table.fields {
        let values = match known.kind {
            Kind::Word => {
                let ends = take(rows.checked_add(1)?.checked_mul(4)?)?;
                let end = |row: usize| number(ends, 4 * row).map(|end| end as usize);
                let text = std::str::from_utf8(take(end(rows)?)?).ok()?;
                let mut words = Words::default();
                for row in 0..rows {
                    words.push(text.get(end(row)?..end(row + 1)?)?);
                }
                words.values()
            }
            kind => plain(kind, take(rows.checked_mul(8)?)?),
        };
        columns.push(Column::new(known.name, known.unit, values));
    }
    rest.is_empty().then_some(columns)
}
