//! The journal beside a growing file, which lists the fragments in it, so that an interrupted run can be resumed.
//!
//! The first line describes the table; one line follows for every fragment that was written. Each line ends with a CRC-32 of
//! itself, and the line of a fragment also contains the CRC-32 of the fragment's bytes. A line is written after the bytes it
//! describes, so after a process was killed the journal never lists more than the file contains. After a power failure it may do
//! so, which the checksums reveal.

use crate::{Format, Fragment};
use crc32fast::hash as checksum;

/// Beginning of the first line; the number is the version of the journal.
const FIRST_WORDS: &str = "carom-journal 2";

/// Returns the first line, which describes the table.
pub fn header(format: Format, fingerprint: &str, partitions: u64) -> String {
    with_checksum(&format!("{FIRST_WORDS} {} {fingerprint} {partitions}", format.name()))
}

/// Returns the line of a fragment.
pub fn line(number: u64, fragment: &Fragment) -> String {
    let sizes: Vec<String> = fragment.sizes.iter().map(u64::to_string).collect();
    let sum = checksum(&fragment.body);
    with_checksum(&format!("{number} {} {sum:08x} {}", fragment.body.len(), sizes.join(" ")))
}

fn with_checksum(text: &str) -> String {
    format!("{text} #{:08x}\n", checksum(text.as_bytes()))
}

/// Line of a fragment as read back.
pub struct Entry {
    /// Length of the fragment (bytes).
    pub length: u64,
    /// CRC-32 of the fragment.
    pub checksum: u32,
    /// Sizes of the fragment, as in `Fragment::sizes`.
    pub sizes: Vec<u64>,
    /// Length of the line (bytes).
    pub line: u64,
}

/// Returns whether the bytes of a fragment are those for which its line was written.
pub fn matches_entry(bytes: &[u8], entry: &Entry) -> bool {
    checksum(bytes) == entry.checksum
}

/// Returns the number of fragments in a journal that another version of carom wrote; `None` if this version wrote it or it is not a
/// journal.
pub fn fragments_of_other_version(text: &str) -> Option<u64> {
    let (first, entries) = text.split_once('\n')?;
    let other = first.starts_with("carom-journal ") && !first.starts_with(FIRST_WORDS);
    other.then(|| entries.lines().count() as u64)
}

/// Returns the first line and the entries after it, up to the first that is incomplete or out of order.
pub fn read(text: &str) -> Option<(&str, Vec<Entry>)> {
    let mut lines = text.split_inclusive('\n');
    let header = lines.next().filter(|line| check_line(line).is_some())?;
    let mut entries = Vec::new();
    for line in lines {
        let Some(entry) = check_line(line).and_then(|text| entry(text, entries.len(), line.len()))
        else {
            break;
        };
        entries.push(entry);
    }
    Some((header, entries))
}

fn check_line(line: &str) -> Option<&str> {
    let (text, sum) = line.strip_suffix('\n')?.rsplit_once(" #")?;
    (u32::from_str_radix(sum, 16).ok()? == checksum(text.as_bytes())).then_some(text)
}

fn entry(text: &str, expected: usize, line: usize) -> Option<Entry> {
    let mut words = text.split(' ');
    let number: usize = words.next()?.parse().ok()?;
    let length = words.next()?.parse().ok()?;
    let checksum = u32::from_str_radix(words.next()?, 16).ok()?;
    let sizes = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    (number == expected).then_some(Entry { length, checksum, sizes, line: line as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_or_changed_line_ends_what_is_believed() {
        let fragment = Fragment { body: b"abc".to_vec(), sizes: vec![1, 2] };
        let head = header(Format::Csv, "f", 9);
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
        assert_eq!(fragments_of_other_version(&whole), None);
        assert_eq!(
            fragments_of_other_version(&whole.replacen("journal 2", "journal 1", 1)),
            Some(3)
        );
    }
}
