//! Writes Arrow IPC files ("Feather 2"), with one record batch per partition.
//!
//! A message consists of 0xFFFFFFFF, the length of its metadata, the metadata (a flatbuffer) and the body. Each part is a multiple
//! of eight bytes long, so that a batch stays aligned at any position in the file. Columns have no nulls, and text is stored in
//! full, without a dictionary. The unit and meaning of a column are metadata of its field, `unit` and `about`. (Apache Arrow
//! columnar format 1.4, `Schema.fbs`, `Message.fbs`, `File.fbs`.)

use crate::flat::{Cell, Flat, Position};
use crate::{Column, Field, Fragment, Kind, Values, row_count};

/// First and last six bytes of a file.
pub const MAGIC: &[u8] = b"ARROW1";
/// Version of the metadata: V5.
const VERSION: Cell = Cell::Int16(4);
// Kinds of messages (`MessageHeader` in `Message.fbs`).
const SCHEMA: u8 = 1;
const RECORD_BATCH: u8 = 3;
// Types of columns (`Type` in `Schema.fbs`).
pub const INT: u8 = 2;
pub const FLOATING_POINT: u8 = 3;
pub const UTF8: u8 = 5;

/// Returns the bytes before the first batch: the magic bytes and the schema.
pub fn header(fields: &[Field], fingerprint: &str) -> Vec<u8> {
    let mut flat = Flat::default();
    let schema = schema(&mut flat, fields, fingerprint);
    let metadata = message(flat, SCHEMA, schema, 0);
    [MAGIC, &[0, 0], &metadata].concat()
}

/// Encodes a partition as a record batch. Its sizes are the number of rows, the bytes of the metadata and the bytes of the body.
pub fn fragment(columns: &[Column]) -> Fragment {
    let rows = row_count(columns);
    let mut body = Vec::with_capacity(rows * columns.len() * 8 + 4096);
    let mut buffers: Vec<[u64; 2]> = Vec::new();
    let mut put = |body: &mut Vec<u8>, bytes: &mut dyn Iterator<Item = u8>| {
        let start = body.len();
        body.extend(bytes);
        buffers.push([start as u64, (body.len() - start) as u64]);
        body.resize(body.len().next_multiple_of(8), 0);
    };
    for column in columns {
        // No column has nulls, so the validity bitmap is empty.
        put(&mut body, &mut std::iter::empty());
        match &column.values {
            Values::Integer(values) => {
                put(&mut body, &mut values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Values::Real(values) => {
                put(&mut body, &mut values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Values::Text { list, index } => {
                let texts =
                    || index.iter().map(|&k| list.get(k as usize).map_or("", String::as_str));
                let mut end = 0i32;
                let ends = texts().map(|text| {
                    end += text.len() as i32;
                    end
                });
                let mut ends = std::iter::once(0).chain(ends).flat_map(i32::to_le_bytes);
                put(&mut body, &mut ends);
                put(&mut body, &mut texts().flat_map(str::bytes));
            }
        }
    }
    let mut flat = Flat::default();
    let buffers = flat.structs(&buffers);
    let nodes = flat.structs(&vec![[rows as u64, 0]; columns.len()]);
    let batch = flat.table(&[
        (0, Cell::Int64(rows as i64)),
        (1, Cell::Offset(nodes)),
        (2, Cell::Offset(buffers)),
    ]);
    let metadata = message(flat, RECORD_BATCH, batch, body.len() as i64);
    let sizes = vec![rows as u64, metadata.len() as u64, body.len() as u64];
    Fragment { body: [metadata, body].concat(), sizes }
}

/// Returns the bytes after the last batch: the end of the stream, the footer, its length and the magic bytes.
pub fn footer(fields: &[Field], fingerprint: &str, fragments: &[(u64, Vec<u64>)]) -> Vec<u8> {
    let blocks: Vec<[u64; 3]> = fragments
        .iter()
        .map(|(start, sizes)| {
            let [_, metadata, body] = [0, 1, 2].map(|k| sizes.get(k).copied().unwrap_or(0));
            [*start, metadata, body]
        })
        .collect();
    let mut flat = Flat::default();
    let batches = flat.structs(&blocks);
    let dictionaries = flat.structs::<3>(&[]);
    let schema = schema(&mut flat, fields, fingerprint);
    let footer = flat.table(&[
        (0, VERSION),
        (1, Cell::Offset(schema)),
        (2, Cell::Offset(dictionaries)),
        (3, Cell::Offset(batches)),
    ]);
    let footer = flat.finish(footer);
    let length = (footer.len() as i32).to_le_bytes();
    [&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], footer.as_slice(), &length, MAGIC].concat()
}

/// Returns a message without its body, whose length is `body` bytes.
fn message(mut flat: Flat, kind: u8, header: Position, body: i64) -> Vec<u8> {
    let root = flat.table(&[
        (3, Cell::Int64(body)),
        (2, Cell::Offset(header)),
        (0, VERSION),
        (1, Cell::Byte(kind)),
    ]);
    let metadata = flat.finish(root);
    let length = (metadata.len() as i32).to_le_bytes();
    [&[0xff; 4], length.as_slice(), &metadata].concat()
}

fn schema(flat: &mut Flat, fields: &[Field], fingerprint: &str) -> Position {
    let fields: Vec<Position> = fields.iter().map(|field| schema_field(flat, field)).collect();
    let fields = flat.tables(&fields);
    let fingerprint = key_value(flat, "carom:fingerprint", fingerprint);
    let metadata = flat.tables(&[fingerprint]);
    flat.table(&[(1, Cell::Offset(fields)), (2, Cell::Offset(metadata)), (0, Cell::Int16(0))])
}

/// Writes an entry of the metadata of a field or schema.
fn key_value(flat: &mut Flat, key: &str, value: &str) -> Position {
    let (key, value) = (flat.text(key), flat.text(value));
    flat.table(&[(0, Cell::Offset(key)), (1, Cell::Offset(value))])
}

/// Writes the field of the schema that describes a column.
fn schema_field(flat: &mut Flat, field: &Field) -> Position {
    let (kind, described) = match field.kind {
        // Unsigned integers of 64 bits.
        Kind::Integer => (INT, flat.table(&[(0, Cell::Int32(64)), (1, Cell::Byte(0))])),
        // Double precision.
        Kind::Real => (FLOATING_POINT, flat.table(&[(0, Cell::Int16(2))])),
        Kind::Text => (UTF8, flat.table(&[])),
    };
    let known = [("unit", &field.unit), ("about", &field.about)];
    let known = known.into_iter().filter(|(_, value)| !value.is_empty());
    let known: Vec<Position> = known.map(|(key, value)| key_value(flat, key, value)).collect();
    let metadata = flat.tables(&known);
    let children = flat.tables(&[]);
    let name = flat.text(&field.name);
    flat.table(&[
        (0, Cell::Offset(name)),
        (3, Cell::Offset(described)),
        (5, Cell::Offset(children)),
        (6, Cell::Offset(metadata)),
        (1, Cell::Byte(0)),
        (2, Cell::Byte(kind)),
    ])
}
