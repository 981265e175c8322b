//! Reads lines of text files as spreadsheets and instruments save them: ended by LF, CR LF or CR alone, in UTF-8, or in UTF-16 with
//! a byte order mark.

use std::io::{self, BufRead, BufReader, Read};

/// Longest line (bytes). No row of a table is longer, and a file without line ends must not fill the memory.
const MAX_LINE: usize = 1 << 20;

/// Order of the two bytes of a character.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Little,
    Big,
}

/// Reader of the lines of a source, one at a time.
pub struct Lines<R> {
    reader: BufReader<R>,
    utf16: Option<Order>,
    /// Whether the last line was ended by a CR; an LF after it belongs to the same line end.
    after_return: bool,
}

impl<R: Read> Lines<R> {
    /// Creates a reader, and reads the byte order mark if there is one.
    pub fn new(source: R) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, source);
        let utf16 = match reader.fill_buf()? {
            [0xff, 0xfe, ..] => Some(Order::Little),
            [0xfe, 0xff, ..] => Some(Order::Big),
            _ => None,
        };
        if utf16.is_some() {
            reader.consume(2);
        }
        Ok(Self { reader, utf16, after_return: false })
    }

    /// Reads the next line without its end, as UTF-8 if the source was UTF-16; returns false after the last line.
    pub fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        let mut units: Vec<u16> = Vec::new();
        let mut read = false;
        while let Some(unit) = self.unit()? {
            let is_second_half = std::mem::take(&mut self.after_return) && unit == u16::from(b'\n');
            if is_second_half {
                continue;
            }
            read = true;
            self.after_return = unit == u16::from(b'\r');
            if self.after_return || unit == u16::from(b'\n') {
                break;
            }
            match (self.utf16, u8::try_from(unit)) {
                (None, Ok(byte)) => line.push(byte),
                _ => units.push(unit),
            }
            if line.len().max(units.len()) >= MAX_LINE {
                break;
            }
        }
        if self.utf16.is_some() {
            line.extend_from_slice(String::from_utf16_lossy(&units).as_bytes());
        }
        Ok(read)
    }

    /// Reads the next byte, or in UTF-16 the next pair of bytes.
    fn unit(&mut self) -> io::Result<Option<u16>> {
        let Some(first) = self.byte()? else { return Ok(None) };
        let Some(order) = self.utf16 else { return Ok(Some(u16::from(first))) };
        let second = self.byte()?.unwrap_or(0);
        Ok(Some(match order {
            Order::Little => u16::from_le_bytes([first, second]),
            Order::Big => u16::from_be_bytes([first, second]),
        }))
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let first = self.reader.fill_buf()?.first().copied();
        if first.is_some() {
            self.reader.consume(1);
        }
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes).unwrap();
        let (mut line, mut all) = (Vec::new(), Vec::new());
        while lines.next(&mut line).unwrap() {
            all.push(String::from_utf8(line.clone()).unwrap());
        }
        all
    }

    #[test]
    fn all_ends_of_lines_are_one() {
        let expected = ["t,µ", "", "1,2"];
        assert_eq!(lines("t,µ\n\n1,2\n".as_bytes()), expected);
        assert_eq!(lines("t,µ\r\n\r\n1,2".as_bytes()), expected);
        assert_eq!(lines("t,µ\r\r1,2\r".as_bytes()), expected);
    }

    #[test]
    fn utf16_with_its_mark_is_read_in_both_orders() {
        let units: Vec<u16> = "\u{feff}t,µ\r\n\r\n1,2\r\n".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(lines(&little), ["t,µ", "", "1,2"]);
        assert_eq!(lines(&big), ["t,µ", "", "1,2"]);
    }
}
