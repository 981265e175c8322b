//! The part of Thrift's compact protocol that Parquet's headers and footer need.
//!
//! A struct is a list of fields. One byte contains the type of a field and its number as the difference from the number before;
//! integers are zigzag varints; a struct ends with 0. (Apache Thrift, compact protocol specification.)

const INT32: u8 = 5;
const INT64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A struct under construction. Fields must be added in the order of their numbers.
#[derive(Default)]
pub struct Struct {
    bytes: Vec<u8>,
    last: i16,
}

impl Struct {
    fn field(&mut self, number: i16, kind: u8) {
        // Field numbers increase by less than 16 in all structs of Parquet.
        self.bytes.push(((number - self.last) as u8) << 4 | kind);
        self.last = number;
    }

    /// Adds an integer of 32 bits, or an enum.
    pub fn int32(mut self, number: i16, value: i32) -> Self {
        self.field(number, INT32);
        zigzag(&mut self.bytes, i64::from(value));
        self
    }

    /// Adds an integer of 64 bits.
    pub fn int64(mut self, number: i16, value: u64) -> Self {
        self.field(number, INT64);
        zigzag(&mut self.bytes, value as i64);
        self
    }

    /// Adds a text.
    pub fn text(mut self, number: i16, value: &str) -> Self {
        self.field(number, BINARY);
        binary(&mut self.bytes, value);
        self
    }

    /// Adds a nested struct.
    pub fn inner(mut self, number: i16, value: Self) -> Self {
        self.field(number, STRUCT);
        self.bytes.extend(value.end());
        self
    }

    /// Adds a list of structs.
    pub fn structs(mut self, number: i16, values: impl ExactSizeIterator<Item = Self>) -> Self {
        self.field(number, LIST);
        length(&mut self.bytes, values.len(), STRUCT);
        for value in values {
            self.bytes.extend(value.end());
        }
        self
    }

    /// Adds a list of integers of 32 bits.
    pub fn ints(mut self, number: i16, values: &[i32]) -> Self {
        self.field(number, LIST);
        length(&mut self.bytes, values.len(), INT32);
        for &value in values {
            zigzag(&mut self.bytes, i64::from(value));
        }
        self
    }

    /// Adds a list of texts.
    pub fn texts(mut self, number: i16, values: &[&str]) -> Self {
        self.field(number, LIST);
        length(&mut self.bytes, values.len(), BINARY);
        for value in values {
            binary(&mut self.bytes, value);
        }
        self
    }

    /// Ends the struct and returns its bytes.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn length(bytes: &mut Vec<u8>, count: usize, kind: u8) {
    match count {
        0..15 => bytes.push((count as u8) << 4 | kind),
        _ => {
            bytes.push(0xf0 | kind);
            varint(bytes, count as u64);
        }
    }
}

fn binary(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value.as_bytes());
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

/// Writes seven bits per byte, the lowest first.
pub fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// A value that was read.
#[derive(Debug)]
pub enum Value {
    Int(u64),
    Text(Vec<u8>),
    List(Vec<Value>),
    Struct(Vec<(i16, Value)>),
}

impl Value {
    /// Reads the struct at `at`, which is moved past it; returns `None` if the bytes end early or contain an unsupported type.
    pub fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
        Self::read_value(bytes, at, STRUCT, 0)
    }

    fn read_value(bytes: &[u8], at: &mut usize, kind: u8, depth: usize) -> Option<Self> {
        // Structs of Parquet are nested at most three levels deep.
        if depth > 8 {
            return None;
        }
        Some(match kind {
            INT32 | INT64 => {
                let value = read_varint(bytes, at)?;
                Self::Int((value >> 1) ^ (value & 1).wrapping_neg())
            }
            BINARY => {
                let length = usize::try_from(read_varint(bytes, at)?).ok()?;
                let text = bytes.get(*at..at.checked_add(length)?)?;
                *at += length;
                Self::Text(text.to_vec())
            }
            LIST => {
                let head = next_byte(bytes, at)?;
                let count = match head >> 4 {
                    15 => read_varint(bytes, at)?,
                    few => u64::from(few),
                };
                let items = (0..count).map(|_| Self::read_value(bytes, at, head & 15, depth + 1));
                Self::List(items.collect::<Option<_>>()?)
            }
            STRUCT => {
                let (mut fields, mut last) = (Vec::new(), 0i16);
                loop {
                    let head = next_byte(bytes, at)?;
                    if head == 0 {
                        break Self::Struct(fields);
                    }
                    last = last.checked_add(i16::from(head >> 4))?;
                    fields.push((last, Self::read_value(bytes, at, head & 15, depth + 1)?));
                }
            }
            _ => return None,
        })
    }

    /// Returns a field of a struct.
    pub fn inner(&self, number: i16) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(known, _)| *known == number).map(|(_, value)| value)
    }

    /// Returns a non-negative integer field of a struct.
    pub fn int(&self, number: i16) -> Option<u64> {
        match self.inner(number)? {
            Self::Int(value) if *value <= i64::MAX as u64 => Some(*value),
            _ => None,
        }
    }

    /// Returns a text field of a struct.
    pub fn text(&self, number: i16) -> Option<&[u8]> {
        match self.inner(number)? {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a list field of a struct; empty if there is none.
    pub fn list(&self, number: i16) -> &[Self] {
        match self.inner(number) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }
}

fn next_byte(bytes: &[u8], at: &mut usize) -> Option<u8> {
    let byte = *bytes.get(*at)?;
    *at += 1;
    Some(byte)
}

/// Reads seven bits per byte, the lowest first.
pub fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = next_byte(bytes, at)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
