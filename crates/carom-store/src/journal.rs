//! The journal beside a growing file: how far it got, so that nothing is lost and nothing is trusted.
//!
//! One line for the table, one for every fragment that was written, each with a checksum of itself; a
//! fragment's line also holds a checksum of its bytes. A line is written after its bytes, so after a kill the
//! journal never promises more than there is; after a power failure it may, which the checksums tell.

use crate::{Format, Fragment};

/// First line: what the table is.
pub fn head(format: Format, fingerprint: &str, partitions: u64) -> String {
    sealed(&format!("carom-journal 1 {} {fingerprint} {partitions}", format.name()))
}

/// The line of a fragment.
pub fn line(number: u64, fragment: &Fragment) -> String {
    let sizes: Vec<String> = fragment.sizes.iter().map(u64::to_string).collect();
    let sum = checksum(&fragment.body);
    sealed(&format!("{number} {} {sum:016x} {}", fragment.body.len(), sizes.join(" ")))
}

fn sealed(text: &str) -> String {
    format!("{text} #{:016x}\n", checksum(text.as_bytes()))
}

/// What a fragment's line says.
pub struct Entry {
    /// Bytes of the fragment.
    pub length: u64,
    /// Their checksum.
    pub checksum: u64,
    /// Its sizes.
    pub sizes: Vec<u64>,
    /// Bytes of the line.
    pub line: u64,
}

/// The first line, and the entries after it up to the first that is torn or out of order.
pub fn read(text: &str) -> Option<(&str, Vec<Entry>)> {
    let mut lines = text.split_inclusive('\n');
    let head = lines.next().filter(|line| unsealed(line).is_some())?;
    let mut entries = Vec::new();
    for line in lines {
        let Some(entry) = unsealed(line).and_then(|text| entry(text, entries.len(), line.len()))
        else {
            break;
        };
        entries.push(entry);
    }
    Some((head, entries))
}

fn unsealed(line: &str) -> Option<&str> {
    let (text, sum) = line.strip_suffix('\n')?.rsplit_once(" #")?;
    (u64::from_str_radix(sum, 16).ok()? == checksum(text.as_bytes())).then_some(text)
}

fn entry(text: &str, expected: usize, line: usize) -> Option<Entry> {
    let mut words = text.split(' ');
    let number: usize = words.next()?.parse().ok()?;
    let length = words.next()?.parse().ok()?;
    let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
    let sizes = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    (number == expected).then_some(Entry { length, checksum, sizes, line: line as u64 })
}

/// Eight bytes at a time; against accidents, not against anyone.
pub fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| {
        let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    let mut words = bytes.chunks_exact(8);
    let mut sum = step(0x6361_726f_6d00_0001, bytes.len() as u64);
    for word in words.by_ref() {
        sum = step(sum, word.try_into().map_or(0, u64::from_le_bytes));
    }
    let mut last = [0; 8];
    for (place, byte) in last.iter_mut().zip(words.remainder()) {
        *place = *byte;
    }
    step(step(sum, u64::from_le_bytes(last)), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_or_changed_line_ends_what_is_believed() {
        let fragment = Fragment { body: b"abc".to_vec(), sizes: vec![1, 2] };
        let head = head(Format::Csv, "f", 9);
        let whole = head.clone() + &line(0, &fragment) + &line(1, &fragment) + &line(2, &fragment);
        assert_eq!(read(&whole).unwrap().1.len(), 3);
        for cut in head.len()..whole.len() {
            let lines = whole[head.len()..cut].matches('\n').count();
            assert_eq!(read(&whole[..cut]).unwrap().1.len(), lines);
        }
        assert!(read(&whole[..head.len() - 1]).is_none());
        let changed = whole.replacen("1 3 ", "1 4 ", 1);
        assert_eq!(read(&changed).unwrap().1.len(), 1);
        assert_eq!(read(&(head.clone() + &line(1, &fragment))).unwrap().1.len(), 0);
    }

    #[test]
    fn every_byte_counts() {
        let bytes: Vec<u8> = (0..21).collect();
        for k in 0..bytes.len() {
            let mut other = bytes.clone();
            other[k] ^= 1;
            assert_ne!(checksum(&bytes), checksum(&other));
        }
        assert_ne!(checksum(&[0]), checksum(&[0, 0]));
    }
}
