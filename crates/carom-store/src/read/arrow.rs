//! Reads record batches of an Arrow file written by `arrow.rs`. Buffers follow each other, each padded to a multiple of eight
//! bytes, so that the number of rows and the types of the columns determine all positions.

use super::{Layout, ReadError, TextDictionary, plain_values, read_bytes};
use crate::arrow::{FLOATING_POINT, INT, MAGIC, UTF8};
use crate::table::Schema;
use crate::{Kind, Values};
use std::io::{Read, Seek, SeekFrom};

/// Largest length of the metadata of a message (bytes); a greater length indicates a damaged file.
const METADATA_LIMIT: u64 = 1 << 24;

/// Reads the columns from the schema at the beginning of the file; also returns the position of the first batch.
pub fn header(schema: &Schema, file: &mut impl Read) -> Result<(Layout, u64), ReadError> {
    let start = read_bytes(file, 16)?;
    let length = u32_at(&start, 12).filter(|length| *length < METADATA_LIMIT);
    let length = length.filter(|_| start.starts_with(MAGIC));
    let length = length.ok_or("it does not begin as an Arrow file does")?;
    let metadata = read_bytes(file, length)?;
    let stored = fields(&metadata).ok_or("its schema cannot be read")?;
    Ok((Layout::new(schema, stored.into_iter())?, 16 + length))
}

/// Returns the names and types of the columns from a message that contains a schema.
fn fields(metadata: &[u8]) -> Option<Vec<(&[u8], Option<Kind>)>> {
    let message = u32_at(metadata, 0)? as usize;
    let schema = follow_offset(metadata, field_position(metadata, message, 2)?)?;
    let list = follow_offset(metadata, field_position(metadata, schema, 1)?)?;
    let mut fields = Vec::new();
    for k in 0..u32_at(metadata, list)? as usize {
        let entry = follow_offset(metadata, list.checked_add(4 + 4 * k)?)?;
        let name = follow_offset(metadata, field_position(metadata, entry, 0)?)?;
        let length = u32_at(metadata, name)? as usize;
        let text = metadata.get(name + 4..)?.get(..length)?;
        let kind = match *metadata.get(field_position(metadata, entry, 2)?)? {
            INT => Kind::Integer,
            FLOATING_POINT => Kind::Real,
            UTF8 => Kind::Text,
            _ => return None,
        };
        fields.push((text, Some(kind)));
    }
    Some(fields)
}

/// Checks that a finished file ends with the magic bytes.
pub fn check_end(file: &mut (impl Read + Seek), end: u64) -> Result<(), ReadError> {
    file.seek(SeekFrom::Start(end.saturating_sub(MAGIC.len() as u64)))?;
    match read_bytes(file, MAGIC.len() as u64)? == MAGIC {
        true => Ok(()),
        false => Err("it ends too soon".into()),
    }
}

/// Reads the next batch, up to `end` or up to the message that marks the end.
pub fn batch(
    layout: &Layout,
    file: &mut (impl Read + Seek),
    at: &mut u64,
    end: Option<u64>,
) -> Result<Option<Vec<Values>>, ReadError> {
    if end.is_some_and(|end| *at >= end) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(*at))?;
    let start = read_bytes(file, 8)?;
    if start.get(..4) != Some(&[0xff; 4]) {
        return Err("a batch does not begin where it should".into());
    }
    let length =
        u32_at(&start, 4).filter(|length| *length < METADATA_LIMIT).ok_or("a batch is too long")?;
    if length == 0 {
        return Ok(None);
    }
    let metadata = read_bytes(file, length)?;
    let (rows, size) = batch_sizes(&metadata).ok_or("a batch is not described as it should")?;
    let body = read_bytes(file, size)?;
    *at += 8 + length + size;
    columns(layout, &body, rows).ok_or_else(|| "a batch is not as long as it says".into()).map(Some)
}

/// Returns the number of rows of a batch, and the bytes of its body.
fn batch_sizes(metadata: &[u8]) -> Option<(u64, u64)> {
    let root = u32_at(metadata, 0)? as usize;
    let body = u64_at(metadata, field_position(metadata, root, 3)?)?;
    let batch = follow_offset(metadata, field_position(metadata, root, 2)?)?;
    Some((u64_at(metadata, field_position(metadata, batch, 0)?)?, body))
}

/// Returns the position of a field of a table in a flatbuffer.
fn field_position(bytes: &[u8], table: usize, field: usize) -> Option<usize> {
    let back = u32_at(bytes, table)? as u32 as i32;
    let vtable = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
    let slot = vtable.checked_add(4 + 2 * field)?;
    let within = u16::from_le_bytes(bytes.get(slot..slot + 2)?.try_into().ok()?);
    (within > 0).then_some(table + usize::from(within))
}

/// Returns the position in a flatbuffer to which the offset at `at` refers.
fn follow_offset(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32_at(bytes, at)? as usize)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u64::from(u32::from_le_bytes(word.try_into().ok()?)))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn columns(layout: &Layout, body: &[u8], rows: u64) -> Option<Vec<Values>> {
    let rows = usize::try_from(rows).ok()?;
    let mut rest = body;
    let mut take = |size: usize| {
        let (now, then) = rest.split_at_checked(size.checked_next_multiple_of(8)?)?;
        rest = then;
        now.get(..size)
    };
    let mut columns = Vec::with_capacity(layout.stored.len());
    for kind in &layout.stored {
        columns.push(match (*kind)? {
            Kind::Text => {
                let ends = take(rows.checked_add(1)?.checked_mul(4)?)?;
                let end = |row: usize| u32_at(ends, 4 * row).map(|end| end as usize);
                let all = std::str::from_utf8(take(end(rows)?)?).ok()?;
                let mut texts = TextDictionary::default();
                for row in 0..rows {
                    texts.push(all.get(end(row)?..end(row + 1)?)?);
                }
                texts.values()
            }
            kind => plain_values(kind, take(rows.checked_mul(8)?)?),
        });
    }
    rest.is_empty().then_some(columns)
}
