//! Row groups of a Parquet file, as `parquet.rs` writes it: pages follow each other column by column.

use super::{Wrong, bytes, plain};
use crate::parquet::MAGIC;
use crate::thrift::Value;
use carom::sweep::{Column, Values};
use carom_world::record::{Kind, Table};
use std::io::{Read, Seek, SeekFrom};

/// Place, bytes and rows of every row group, from the footer.
pub fn groups(
    table: &Table,
    file: &mut (impl Read + Seek),
    end: u64,
) -> Result<Vec<(u64, u64, u64)>, Wrong> {
    let tail = end.checked_sub(8).ok_or("it ends too soon")?;
    file.seek(SeekFrom::Start(tail))?;
    let last = bytes(file, 8)?;
    if last.get(4..) != Some(MAGIC) {
        return Err("it does not end as a Parquet file does".into());
    }
    let length = last.iter().take(4).rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let start = tail.checked_sub(length).ok_or("its footer is longer than the file")?;
    file.seek(SeekFrom::Start(start))?;
    let footer = bytes(file, length)?;
    let footer = Value::read(&footer, &mut 0).ok_or("its footer cannot be read")?;
    let names = footer.list(2).iter().skip(1).map(|element| element.text(4));
    let expected = table.fields.iter().map(|field| Some(field.name.as_bytes()));
    if !names.eq(expected) {
        return Err("it does not have the columns of this table".into());
    }
    let group = |group: &Value| Some((group.int(5)?, group.int(2)?, group.int(3)?));
    let groups = footer.list(4).iter().map(group).collect::<Option<Vec<_>>>();
    groups.ok_or_else(|| "its footer does not say where the rows are".into())
}

/// The columns of a row group.
pub fn group(table: &Table, bytes: &[u8], rows: u64) -> Result<Vec<Column>, Wrong> {
    let (mut at, mut columns) = (0, Vec::with_capacity(table.fields.len()));
    for field in table.fields {
        let values = column(field.kind, bytes, &mut at, rows as usize);
        let wrong = || Wrong::Contents(format!("`{}` cannot be read", field.name));
        columns.push(Column::new(field.name, field.unit, values.ok_or_else(wrong)?));
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
    if kind == Kind::Word {
        let (header, mut words) = page()?;
        let mut list = Vec::new();
        for _ in 0..header.inner(7)?.int(1)? {
            let (length, rest) = words.split_at_checked(4)?;
            let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
            let (word, rest) = rest.split_at_checked(length)?;
            list.push(String::from_utf8(word.to_vec()).ok()?);
            words = rest;
        }
        let mut index = Vec::new();
        while index.len() < rows {
            let (header, page) = page()?;
            let (count, (width, packed)) = (header.inner(5)?.int(1)?, page.split_first()?);
            hybrid(packed, u32::from(*width), count as usize, &mut index)?;
        }
        let known = index.iter().all(|&k| (k as usize) < list.len());
        return (known && index.len() == rows).then_some(Values::Word { list, index });
    }
    let mut all = Vec::new();
    while all.len() < rows.checked_mul(8)? {
        let (header, page) = page()?;
        // A page without rows would never lead to an end.
        if page.is_empty() || header.inner(5)?.int(1)?.checked_mul(8)? != page.len() as u64 {
            return None;
        }
        all.extend_from_slice(page);
    }
    (all.len() == 8 * rows).then(|| plain(kind, &all))
}

/// Indices of `width` bits: one run of the same, or packed in eights.
fn hybrid(packed: &[u8], width: u32, count: usize, index: &mut Vec<u32>) -> Option<()> {
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
