//! The part of the FlatBuffers format that Arrow's messages need.
//!
//! A flatbuffer is built from its end: an offset is the distance from its own position to its target, which lies after it. A table
//! begins with the distance to its vtable, which lists the positions of its fields within the table. (FlatBuffers internals
//! specification.)

/// Buffer under construction, stored in reverse: its first byte is the last byte of the result.
#[derive(Default)]
pub struct Flat {
    backwards: Vec<u8>,
}

/// A position in the buffer, counted from its end.
#[derive(Clone, Copy)]
pub struct Position(u32);

/// The value of a field of a table.
#[derive(Clone, Copy)]
pub enum Cell {
    Byte(u8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    Offset(Position),
}

impl Flat {
    fn length(&self) -> u32 {
        self.backwards.len() as u32
    }

    fn push(&mut self, bytes: &[u8]) {
        self.backwards.extend(bytes.iter().rev());
    }

    /// Pads with zeros, so that the length will be a multiple of `size` after `more` further bytes.
    fn align(&mut self, size: u32, more: u32) {
        while !(self.length() + more).is_multiple_of(size) {
            self.backwards.push(0);
        }
    }

    fn offset(&mut self, to: Position) {
        self.align(4, 4);
        let distance = self.length() + 4 - to.0;
        self.push(&distance.to_le_bytes());
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> Position {
        self.align(4, text.len() as u32 + 1);
        self.push(&[0]);
        self.push(text.as_bytes());
        self.push(&(text.len() as u32).to_le_bytes());
        Position(self.length())
    }

    /// Writes a list of tables.
    pub fn tables(&mut self, items: &[Position]) -> Position {
        self.align(4, 4 * items.len() as u32);
        items.iter().rev().for_each(|item| self.offset(*item));
        self.push(&(items.len() as u32).to_le_bytes());
        Position(self.length())
    }

    /// Writes a list of structs that consist of eight-byte words.
    pub fn structs<const WORDS: usize>(&mut self, items: &[[u64; WORDS]]) -> Position {
        self.align(8, (8 * WORDS * items.len()) as u32);
        for word in items.iter().rev().flat_map(|item| item.iter().rev()) {
            self.push(&word.to_le_bytes());
        }
        self.push(&(items.len() as u32).to_le_bytes());
        Position(self.length())
    }

    /// Writes a table with these fields, which are given by number.
    pub fn table(&mut self, fields: &[(u16, Cell)]) -> Position {
        let start = self.length();
        let mut positions = Vec::new();
        for &(number, cell) in fields {
            match cell {
                Cell::Byte(value) => self.push(&[value]),
                Cell::Int16(value) => {
                    self.align(2, 2);
                    self.push(&value.to_le_bytes());
                }
                Cell::Int32(value) => {
                    self.align(4, 4);
                    self.push(&value.to_le_bytes());
                }
                Cell::Int64(value) => {
                    self.align(8, 8);
                    self.push(&value.to_le_bytes());
                }
                Cell::Offset(to) => self.offset(to),
            }
            positions.push((number, self.length()));
        }
        let slots = fields.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
        let vtable = 4 + 2 * slots;
        // The vtable is placed immediately before the table.
        self.align(4, 4);
        self.push(&i32::from(vtable).to_le_bytes());
        let table = self.length();
        for slot in (0..slots).rev() {
            let position = positions.iter().find(|(number, _)| *number == slot);
            let within = position.map_or(0, |(_, position)| (table - position) as u16);
            self.push(&within.to_le_bytes());
        }
        self.push(&((table - start) as u16).to_le_bytes());
        self.push(&vtable.to_le_bytes());
        Position(table)
    }

    /// Returns the bytes of the buffer, which begin with the offset of the root table; their number is a multiple of eight.
    pub fn finish(mut self, root: Position) -> Vec<u8> {
        self.align(8, 4);
        self.offset(root);
        self.backwards.reverse();
        self.backwards
    }
}
