//! Reads row groups of a Parquet file written by `parquet.rs`; the pages follow each other column by column.

use super::{Layout, ReadError, plain_values, read_bytes};
use crate::parquet::{BYTE_ARRAY, DOUBLE, INT64, MAGIC};
use crate::table::Schema;
use crate::thrift::Value;
use crate::{Kind, Values};
use std::io::{Read, Seek, SeekFrom};

/// Row group: its offset in the file, its length in bytes and its number of rows.
type RowGroup = (u64, u64, u64);

/// Reads the columns and the row groups from the footer of a file.
pub fn footer(
    schema: &Schema,
    file: &mut (impl Read + Seek),
    end: u64,
) -> Result<(Layout, Vec<RowGroup>), ReadError> {
    let tail = end.checked_sub(8).ok_or("it ends too soon")?;
    file.seek(SeekFrom::Start(tail))?;
    let last = read_bytes(file, 8)?;
    if last.get(4..) != Some(MAGIC) {
        return Err("it does not end as a Parquet file does".into());
    }
    let length = last.iter().take(4).rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let start = tail.checked_sub(length).ok_or("its footer is longer than the file")?;
    file.seek(SeekFrom::Start(start))?;
    let footer = read_bytes(file, length)?;
    let footer = Value::read(&footer, &mut 0).ok_or("its footer cannot be read")?;
    // The first element of the schema is its root.
    let stored = footer.list(2).iter().skip(1).map(|element| {
        let kind = match element.int(1)? as i32 {
            INT64 => Kind::Integer,
            DOUBLE => Kind::Real,
            BYTE_ARRAY => Kind::Text,
            _ => return None,
        };
        Some((element.text(4)?, Some(kind)))
    });
    let stored = stored.collect::<Option<Vec<_>>>().ok_or("its schema cannot be read")?;
    let layout = Layout::new(schema, stored.into_iter())?;
    let group = |group: &Value| Some((group.int(5)?, group.int(2)?, group.int(3)?));
    let groups = footer.list(4).iter().map(group).collect::<Option<Vec<_>>>();
    Ok((layout, groups.ok_or("its footer does not say where the rows are")?))
}

/// Returns the columns of a row group.
pub fn group(layout: &Layout, bytes: &[u8], rows: u64) -> Result<Vec<Values>, ReadError> {
    let (mut at, mut columns) = (0, Vec::with_capacity(layout.stored.len()));
    for (index, kind) in layout.stored.iter().enumerate() {
        let values = kind.and_then(|kind| column(kind, bytes, &mut at, rows as usize));
        let error = || ReadError::Contents(format!("`{}` cannot be read", layout.name(index)));
        columns.push(values.ok_or_else(error)?);
    }
    match at == bytes.len() {
        true => Ok(columns),
        false => Err("a row group is longer than its columns".into()),
    }
}

fn column(kind: Kind, bytes: &[u8], at: &mut usize, rows: usize) -> Option<Values> {
    let mut page = || -> Option<(Value, &[u8])> {
        let header = Value::read(bytes, at)?;
        let size = usize::try_from(header.int(3)?).ok()?;
        let end = at.checked_add(size)?;
        let page = bytes.get(*at..end)?;
        *at = end;
        Some((header, page))
    };
    if kind == Kind::Text {
        let (header, mut texts) = page()?;
        let mut list = Vec::new();
        for _ in 0..header.inner(7)?.int(1)? {
            let (length, rest) = texts.split_at_checked(4)?;
            let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
            let (text, rest) = rest.split_at_checked(length)?;
            list.push(String::from_utf8(text.to_vec()).ok()?);
            texts = rest;
        }
        let mut index = Vec::new();
        while index.len() < rows {
            let (header, page) = page()?;
            let (count, (width, packed)) = (header.inner(5)?.int(1)?, page.split_first()?);
            decode_hybrid(packed, u32::from(*width), count as usize, &mut index)?;
        }
        let known = index.iter().all(|&k| (k as usize) < list.len());
        return (known && index.len() == rows).then_some(Values::Text { list, index });
    }
    let mut all = Vec::new();
    while all.len() < rows.checked_mul(8)? {
        let (header, page) = page()?;
        // An empty page would make this loop endless.
        if page.is_empty() || header.inner(5)?.int(1)?.checked_mul(8)? != page.len() as u64 {
            return None;
        }
        all.extend_from_slice(page);
    }
    (all.len() == 8 * rows).then(|| plain_values(kind, &all))
}

/// Decodes indices of `width` bits from the RLE/bit-packing hybrid encoding: one run, or bit-packed groups of eight.
fn decode_hybrid(packed: &[u8], width: u32, count: usize, index: &mut Vec<u32>) -> Option<()> {
    let mut at = 0;
    let head = crate::thrift::read_varint(packed, &mut at)?;
    let rest = packed.get(at..)?;
    if count == 0 || !(1..=32).contains(&width) {
        return None;
    }
    if head & 1 == 0 {
        let wide = rest.get(..width.div_ceil(8) as usize)?;
        let value = wide.iter().rev().fold(0u32, |sum, &byte| sum << 8 | u32::from(byte));
        let full = head >> 1 == count as u64 && count < 1 << 24;
        index.extend(std::iter::repeat_n(value, if full { count } else { return None }));
        return Some(());
    }
    let (mut held, mut bits, mut bytes) = (0u64, 0, rest.iter());
    for _ in 0..count {
        while bits < width {
            held |= u64::from(*bytes.next()?) << bits;
            bits += 8;
        }
        index.push((held & ((1 << width) - 1)) as u32);
        held >>= width;
        bits -= width;
    }
    Some(())
}
