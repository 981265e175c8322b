//! Font subsetting: reduces TrueType files to the characters that a figure shows.
//!
//! Figures embed their font, so that SVG, PNG and PDF look the same on every machine. A whole font has hundreds of kilobytes, while
//! a figure shows some eighty characters. The subset is a small TrueType file with their outlines, without hinting instructions and
//! without kerning (so that every program sets lines with the same width). Fonts with PostScript outlines (CFF) are embedded whole.
//! The tables are those of the OpenType specification.

use skrifa::charmap::Charmap;
use skrifa::{FontRef, MetadataProvider};
use std::collections::{BTreeMap, BTreeSet};

/// A font to be embedded in a figure.
pub struct EmbeddedFont {
    /// Family name in the figure.
    pub family: &'static str,
    /// A complete font file.
    pub data: Vec<u8>,
    /// Whether it has PostScript instead of TrueType outlines.
    pub postscript: bool,
    /// Font units per em.
    pub units: u16,
    /// Ascent and descent, in font units.
    pub height: (i16, i16),
    /// Advance width of every glyph, in font units.
    pub advances: Vec<u16>,
}

/// Returns the subset of a font file with these characters, under another family name; characters that the font lacks are left out.
/// Returns `None` if the file is not a usable font.
pub fn embed(file: &[u8], family: &'static str, letters: &BTreeSet<char>) -> Option<EmbeddedFont> {
    let font = Font::read(file)?;
    let postscript = font.table(b"glyf").is_none();
    let glyphs: Vec<(char, u16)> =
        letters.iter().filter_map(|&letter| Some((letter, font.glyph(letter)?))).collect();
    let data = if postscript { file.to_vec() } else { font.subset(family, &glyphs)? };
    let kept = Font::read(&data)?;
    let count = u16_at(kept.table(b"maxp")?, 4)?;
    let hhea = kept.table(b"hhea")?;
    Some(EmbeddedFont {
        family,
        postscript,
        units: u16_at(kept.table(b"head")?, 18)?.max(1),
        height: (u16_at(hhea, 4)? as i16, u16_at(hhea, 6)? as i16),
        advances: (0..count).map(|glyph| kept.metrics(glyph).unwrap_or((0, 0)).0).collect(),
        data,
    })
}

/// Returns those of these characters that a font has.
pub fn covered_letters(file: &[u8], letters: &BTreeSet<char>) -> BTreeSet<char> {
    let font = Font::read(file);
    let has = |letter: &&char| font.as_ref().is_some_and(|font| font.glyph(**letter).is_some());
    letters.iter().filter(has).copied().collect()
}

/// Returns whether a file is a font that can be embedded.
pub fn is_usable(file: &[u8]) -> bool {
    let letters = BTreeSet::from(['0', 'e']);
    covered_letters(file, &letters) == letters && embed(file, "", &letters).is_some()
}

/// Tables of a font file, and its map from characters to glyphs.
struct Font<'a> {
    tables: BTreeMap<[u8; 4], &'a [u8]>,
    charmap: Charmap<'a>,
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn big_endian(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn overwrite(data: &mut [u8], at: usize, bytes: &[u8]) -> Option<()> {
    data.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
    Some(())
}

impl<'a> Font<'a> {
    fn read(file: &'a [u8]) -> Option<Self> {
        let count = usize::from(u16_at(file, 4)?);
        let mut tables = BTreeMap::new();
        for entry in (0..count).map(|i| 12 + 16 * i) {
            let tag: [u8; 4] = file.get(entry..entry + 4)?.try_into().ok()?;
            let (from, length) =
                (u32_at(file, entry + 8)? as usize, u32_at(file, entry + 12)? as usize);
            tables.insert(tag, file.get(from..from.checked_add(length)?)?);
        }
        let font = Self { tables, charmap: FontRef::new(file).ok()?.charmap() };
        let known = font.table(b"glyf").or(font.table(b"CFF ")).or(font.table(b"CFF2"));
        (known.is_some() && font.charmap.has_map()).then_some(font)
    }

    fn table(&self, tag: &[u8; 4]) -> Option<&'a [u8]> {
        self.tables.get(tag).copied()
    }

    /// Returns the glyph of a character, if the font has it.
    fn glyph(&self, letter: char) -> Option<u16> {
        let glyph = self.charmap.map(letter)?;
        u16::try_from(glyph.to_u32()).ok().filter(|glyph| *glyph > 0)
    }

    /// Returns the advance width and left side bearing of a glyph.
    fn metrics(&self, glyph: u16) -> Option<(u16, u16)> {
        let long = u16_at(self.table(b"hhea")?, 34)?;
        let hmtx = self.table(b"hmtx")?;
        let row = 4 * usize::from(glyph.min(long.checked_sub(1)?));
        let bearing = match glyph < long {
            true => row + 2,
            false => 4 * usize::from(long) + 2 * usize::from(glyph - long),
        };
        Some((u16_at(hmtx, row)?, u16_at(hmtx, bearing).unwrap_or(0)))
    }

    /// Returns the outline of a glyph; empty for a space.
    fn outline(&self, glyph: u16) -> Option<&'a [u8]> {
        let (loca, i) = (self.table(b"loca")?, usize::from(glyph));
        let (from, to) = match u16_at(self.table(b"head")?, 50)? {
            0 => (2 * usize::from(u16_at(loca, 2 * i)?), 2 * usize::from(u16_at(loca, 2 * i + 2)?)),
            _ => (u32_at(loca, 4 * i)? as usize, u32_at(loca, 4 * i + 4)? as usize),
        };
        self.table(b"glyf")?.get(from..to)
    }

    /// Returns a font file with glyph 0 and the glyphs of these characters, renumbered in their order.
    fn subset(&self, family: &str, letters: &[(char, u16)]) -> Option<Vec<u8>> {
        let mut kept: Vec<u16> = vec![0];
        for (_, glyph) in letters {
            if !kept.contains(glyph) {
                kept.push(*glyph);
            }
        }
        // Components of composite glyphs (accented letters) are glyphs too; the list grows while it is read.
        let mut next = 0;
        while let Some(&glyph) = kept.get(next) {
            for (_, part) in composite_components(self.outline(glyph)?) {
                if !kept.contains(&part) {
                    kept.push(part);
                }
            }
            next += 1;
        }
        let new_number = |glyph: u16| kept.iter().position(|kept| *kept == glyph).map(|i| i as u16);
        let (mut glyf, mut loca, mut hmtx) = (Vec::new(), vec![0; 4], Vec::new());
        for &glyph in &kept {
            glyf.extend(without_hints(self.outline(glyph)?, &new_number)?);
            glyf.resize(glyf.len().next_multiple_of(4), 0);
            loca.extend((glyf.len() as u32).to_be_bytes());
            let (advance, bearing) = self.metrics(glyph)?;
            hmtx.extend([advance.to_be_bytes(), bearing.to_be_bytes()].concat());
        }
        let count = (kept.len() as u16).to_be_bytes();
        let mut head = self.table(b"head")?.to_vec();
        overwrite(&mut head, 8, &[0; 4])?;
        overwrite(&mut head, 50, &[0, 1])?;
        let mut hhea = self.table(b"hhea")?.to_vec();
        overwrite(&mut hhea, 34, &count)?;
        let mut maxp = self.table(b"maxp")?.to_vec();
        overwrite(&mut maxp, 4, &count)?;
        // Version 3 has no glyph names.
        let mut post = vec![0; 32];
        overwrite(&mut post, 0, &[0, 3, 0, 0])?;
        let mut tables = vec![
            (*b"cmap", character_map(letters, &new_number)),
            (*b"glyf", glyf),
            (*b"head", head),
            (*b"hhea", hhea),
            (*b"hmtx", hmtx),
            (*b"loca", loca),
            (*b"maxp", maxp),
            (*b"name", name_table(family)),
            (*b"post", post),
        ];
        if let Some(metrics) = self.table(b"OS/2") {
            tables.insert(0, (*b"OS/2", metrics.to_vec()));
        }
        font_file(tables)
    }
}

/// Flags of a component of a composite glyph.
const ARGUMENTS_ARE_WORDS: u16 = 0x0001;
const HAS_SCALE: u16 = 0x0008;
const MORE_COMPONENTS: u16 = 0x0020;
const HAS_XY_SCALES: u16 = 0x0040;
const HAS_MATRIX: u16 = 0x0080;
const HAS_INSTRUCTIONS: u16 = 0x0100;

/// Returns the components of a composite glyph: their offsets in its outline, and their glyphs.
fn composite_components(outline: &[u8]) -> Vec<(usize, u16)> {
    let mut found = Vec::new();
    // A negative number of contours marks a composite glyph.
    if u16_at(outline, 0).is_none_or(|contours| (contours as i16) >= 0) {
        return found;
    }
    let mut at = 10;
    while let (Some(flags), Some(glyph)) = (u16_at(outline, at), u16_at(outline, at + 2)) {
        found.push((at, glyph));
        at += 4 + if flags & ARGUMENTS_ARE_WORDS != 0 { 4 } else { 2 };
        at += match flags {
            f if f & HAS_SCALE != 0 => 2,
            f if f & HAS_XY_SCALES != 0 => 4,
            f if f & HAS_MATRIX != 0 => 8,
            _ => 0,
        };
        if flags & MORE_COMPONENTS == 0 {
            break;
        }
    }
    found
}

/// Returns the outline without hinting instructions and with its components renumbered.
fn without_hints(outline: &[u8], new_number: &impl Fn(u16) -> Option<u16>) -> Option<Vec<u8>> {
    if outline.is_empty() {
        return Some(Vec::new());
    }
    let contours = u16_at(outline, 0)? as i16;
    if contours >= 0 {
        let ends = 10 + 2 * contours as usize;
        let hints = usize::from(u16_at(outline, ends)?);
        return Some([outline.get(..ends)?, &[0, 0], outline.get(ends + 2 + hints..)?].concat());
    }
    let mut copy = outline.to_vec();
    for (at, part) in composite_components(outline) {
        overwrite(&mut copy, at, &(u16_at(outline, at)? & !HAS_INSTRUCTIONS).to_be_bytes())?;
        overwrite(&mut copy, at + 2, &new_number(part)?.to_be_bytes())?;
    }
    Some(copy)
}

/// Returns a `cmap` table of format 4 with one segment per character.
fn character_map(letters: &[(char, u16)], new_number: &impl Fn(u16) -> Option<u16>) -> Vec<u8> {
    let mut rows: Vec<(u16, u16)> = letters
        .iter()
        .filter_map(|(letter, glyph)| {
            Some((u16::try_from(u32::from(*letter)).ok()?, new_number(*glyph)?))
        })
        .collect();
    rows.push((u16::MAX, 0));
    let count = rows.len() as u16;
    let half = count.checked_ilog2().unwrap_or(0);
    let search = 2u16 << half;
    let codes: Vec<u16> = rows.iter().map(|row| row.0).collect();
    let delta = |&(code, glyph): &(u16, u16)| match code {
        u16::MAX => 1,
        _ => glyph.wrapping_sub(code),
    };
    let deltas: Vec<u16> = rows.iter().map(delta).collect();
    [
        big_endian(&[0, 1, 3, 1, 0, 12]),
        big_endian(&[4, 16 + 8 * count, 0, 2 * count, search, half as u16, 2 * count - search]),
        big_endian(&codes),
        big_endian(&[0]),
        big_endian(&codes),
        big_endian(&deltas),
        vec![0; 2 * rows.len()],
    ]
    .concat()
}

/// Returns a `name` table with family, style, full and PostScript name.
fn name_table(family: &str) -> Vec<u8> {
    let entries = [(1u16, family), (2, "Regular"), (4, family), (6, family)];
    let (mut records, mut strings) = (Vec::new(), Vec::new());
    for (id, text) in entries {
        let text: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        records.extend(big_endian(&[3, 1, 0x409, id, text.len() as u16, strings.len() as u16]));
        strings.extend(text);
    }
    let head = big_endian(&[0, entries.len() as u16, 6 + records.len() as u16]);
    [head, records, strings].concat()
}

fn checksum(data: &[u8]) -> u32 {
    let words = data.chunks(4).map(|word| {
        let mut four = [0; 4];
        four[..word.len()].copy_from_slice(word);
        u32::from_be_bytes(four)
    });
    words.fold(0, u32::wrapping_add)
}

/// Returns a font file with these tables, which are sorted by name.
fn font_file(tables: Vec<([u8; 4], Vec<u8>)>) -> Option<Vec<u8>> {
    let count = tables.len() as u16;
    let half = count.checked_ilog2().unwrap_or(0);
    let search = 16u16 << half;
    let mut data = vec![0, 1, 0, 0];
    data.extend(big_endian(&[count, search, half as u16, 16 * count - search]));
    let mut at = 12 + 16 * tables.len();
    let mut head = 0;
    for (tag, table) in &tables {
        if tag == b"head" {
            head = at;
        }
        data.extend(tag);
        for word in [checksum(table), at as u32, table.len() as u32] {
            data.extend(word.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        data.extend(table);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let adjustment = 0xB1B0_AFBAu32.wrapping_sub(checksum(&data));
    overwrite(&mut data, head + 8, &adjustment.to_be_bytes())?;
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_has_its_letters_and_their_widths_and_is_small() {
        let file = epaint_default_fonts::UBUNTU_LIGHT;
        let letters: BTreeSet<char> = "force (kN) é0123456789".chars().collect();
        let font = embed(file, "carom-text", &letters).unwrap();
        assert!(font.data.len() < 8_000, "{} bytes", font.data.len());
        let (whole, cut) = (Font::read(file).unwrap(), Font::read(&font.data).unwrap());
        for &letter in &letters {
            let (a, b) = (whole.glyph(letter).unwrap(), cut.glyph(letter).unwrap());
            assert_eq!(whole.metrics(a), cut.metrics(b), "{letter}");
            let (a, b) = (whole.outline(a).unwrap(), cut.outline(b).unwrap());
            assert_eq!(a.get(..10), b.get(..10), "{letter}: contours and box");
        }
        assert_eq!(cut.glyph('Z'), None);
        // The checksum of a whole font file is a constant of the format.
        assert_eq!(checksum(&font.data), 0xB1B0_AFBA);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(!is_usable(b"") && !is_usable(b"not a font at all, but long enough to look at"));
        let mut broken = epaint_default_fonts::UBUNTU_LIGHT.to_vec();
        broken.truncate(5000);
        assert!(!is_usable(&broken));
        assert!(
            is_usable(epaint_default_fonts::UBUNTU_LIGHT)
                && is_usable(epaint_default_fonts::HACK_REGULAR)
        );
    }
}
