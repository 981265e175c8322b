//! Reads CSV text into columns with names and units.
//!
//! [`TableReader`] reads line by line, so that a file of any length needs bounded memory and every error has a line
//! number. It recognises
//!
//! - the separator: tab, semicolon, comma or spaces; with any separator but the comma, also a decimal comma,
//! - comments (`#`, `%`, `//`), a byte-order mark, empty lines, the line `sep=;` of spreadsheets,
//! - lines before the header, as instruments write them: the header is the last line of words before the numbers that
//!   names a measured quantity, or otherwise the last line of words,
//! - a header with names and units (`time_ms`, `Force [kN]`, `t (s)`, `a / g`), also with the units in a separate
//!   line,
//! - cells without a number: empty, `NaN`, `NA`, `-`, `null`.
//!
//! Records of millions of rows are condensed during reading: pairs of successive rows in the quiet part of the signal
//! are averaged, and rows of the impact are kept.
//!
//! ```
//! use carom::measured_table::{Role, TableReader};
//! let text = "# drop 7\ntime_ms;Force [kN]\n0,0;0,01\n0,1;1,25\n0,2;\n";
//! let mut table = TableReader::new(&[]);
//! for line in text.lines() {
//!     table.line(line)?;
//! }
//! let columns = table.finish()?;
//! assert_eq!(columns.column(Role::Force).unwrap()[1], 1250.0);
//! assert_eq!(columns.found[0].to_string(), "time from `time_ms` in ms");
//! assert_eq!(columns.rows_missing, 1);
//! # Ok::<(), carom::Error>(())
//! ```

mod header;

pub use header::{FoundColumn, Role};

use crate::error::{Error, Result};
use crate::message::Action;
use crate::numeric::median::median;
use header::Header;

/// Number of rows in memory above which rows without a signal are averaged.
const MAX_ROWS: usize = 1 << 20;

/// Reads a table line by line.
#[derive(Debug, Default)]
pub struct TableReader {
    wanted: Vec<(Option<Role>, String)>,
    header: Option<Header>,
    /// Line number and cells of a header line that may be followed by a line of units.
    pending: Option<(usize, Vec<String>)>,
    separator: Option<Separator>,
    /// Whether the file declares its separator (`sep=;`).
    declared: bool,
    /// Number of lines to be skipped at the beginning.
    skipped: usize,
    /// Number of names in the header; 0 without a header.
    names: usize,
    columns: Vec<Vec<f64>>,
    /// Number of the last line that was read.
    line: usize,
    /// Number of rows in which a number is missing; `first_missing` is the line of the first of them.
    missing: usize,
    first_missing: Option<usize>,
    rows: usize,
    condensed: bool,
}

/// Columns in SI units, with their origin.
#[derive(Clone, Debug)]
pub struct Columns {
    /// Description of each column, in the order of `values`.
    pub found: Vec<FoundColumn>,
    /// Values in SI units; NaN if a cell has no number.
    pub values: Vec<Vec<f64>>,
    /// Number of rows that were read.
    pub rows: usize,
    /// Number of rows in which a number is missing.
    pub rows_missing: usize,
    /// Line number of the first of them, beginning with 1.
    pub first_missing: Option<usize>,
    /// Whether rows of the quiet part were averaged.
    pub condensed: bool,
}

impl Columns {
    /// Returns the column with this role.
    pub fn column(&self, role: Role) -> Option<&[f64]> {
        let index = self.found.iter().position(|found| found.role == role)?;
        self.values.get(index).map(Vec::as_slice)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Tab,
    Semicolon,
    Comma,
    Spaces,
}

impl Separator {
    fn of(line: &str) -> Self {
        match line {
            _ if line.contains('\t') => Self::Tab,
            _ if line.contains(';') => Self::Semicolon,
            // `0,5 1,25` is two numbers with decimal commas, not three cells.
            _ if line.contains(',') && !decimal_commas(line) => Self::Comma,
            _ => Self::Spaces,
        }
    }

    /// Calls `visit` for the cells of a line, without allocating memory.
    fn cells(self, line: &str, mut visit: impl FnMut(usize, &str)) {
        let mark = match self {
            Self::Tab => '\t',
            Self::Semicolon => ';',
            Self::Comma => ',',
            Self::Spaces => {
                return line.split_whitespace().enumerate().for_each(|(i, c)| visit(i, c));
            }
        };
        // A separator within quotes, as in `"Time, s"`, does not end a cell.
        let mut quoted = false;
        let ends = |letter: char| {
            quoted ^= letter == '"';
            letter == mark && !quoted
        };
        match line.contains('"') {
            true => line.split(ends).enumerate().for_each(|(i, c)| visit(i, c)),
            false => line.split(mark).enumerate().for_each(|(i, c)| visit(i, c)),
        }
    }

    /// Returns the cells of a header, or of a first row.
    fn split(self, line: &str) -> Vec<String> {
        let mut cells: Vec<String> = Vec::new();
        self.cells(line, |_, cell| match cells.last_mut() {
            // In `t [s]  F [N]` a unit belongs to the preceding name.
            Some(name) if self == Self::Spaces && cell.starts_with(['[', '(']) => {
                *name += " ";
                *name += cell;
            }
            _ => cells.push(clean(cell).to_string()),
        });
        cells
    }
}

/// Returns whether a line consists of two or more words that are all numbers with one comma each.
fn decimal_commas(line: &str) -> bool {
    let number = |word: &str| word.matches(',').count() == 1 && number(word).is_ok();
    let words = line.split_whitespace().count();
    words > 1 && line.split_whitespace().all(number)
}

/// Returns the text of a cell without surrounding spaces and quotes.
fn clean(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

/// Returns the number in a cell: NaN if it is empty or marked as missing, an error for other text.
fn number(cell: &str) -> std::result::Result<f64, ()> {
    let cell = clean(cell);
    if let Ok(value) = cell.parse::<f64>() {
        return Ok(if value.is_finite() { value } else { f64::NAN });
    }
    match cell {
        "" | "-" | "--" | "NA" | "N/A" | "n/a" | "null" | "None" | "#N/A" => Ok(f64::NAN),
        // The text may have a decimal comma, or the typographic minus sign.
        _ => match cell.replace('\u{2212}', "-").replacen(',', ".", 1).parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Ok(f64::NAN),
            Err(_) => Err(()),
        },
    }
}

impl TableReader {
    /// Creates a reader. `wanted` selects columns: each entry is a role and the name or number (beginning with 1) of
    /// its column, with its unit in brackets if the header does not specify it; or, without a role, the names of all
    /// columns in their order.
    pub fn new(wanted: &[(Option<Role>, String)]) -> Self {
        Self { wanted: wanted.to_vec(), ..Self::default() }
    }

    /// Returns this reader, set to skip the first lines.
    ///
    /// ```
    /// use carom::measured_table::{Role, TableReader};
    /// let mut table = TableReader::new(&[]).without_lines(1);
    /// for line in ["1,2,3", "t,F", "0.1,7"] {
    ///     table.line(line)?;
    /// }
    /// assert_eq!(table.finish()?.column(Role::Force), Some(&[7.0][..]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn without_lines(self, count: usize) -> Self {
        Self { skipped: count, ..self }
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// With the line number: when there is text instead of a number, or when columns are ambiguous.
    pub fn line(&mut self, line: &str) -> Result<()> {
        self.line += 1;
        let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim_end_matches(['\r', '\n']);
        let start = line.trim_start();
        if start.is_empty()
            || self.line <= self.skipped
            || ["#", "%", "//"].iter().any(|mark| start.starts_with(mark))
        {
            return Ok(());
        }
        if self.header.is_some() {
            return self.row(line);
        }
        if self.pending.is_none()
            && let Some(mark) = start.to_lowercase().strip_prefix("sep=")
        {
            self.separator = Some(match mark {
                "," => Separator::Comma,
                "\t" => Separator::Tab,
                _ => Separator::Semicolon,
            });
            self.declared = true;
            return Ok(());
        }
        self.before_rows(line)
    }

    /// Reads a line before the first row (names, units, text of an instrument), or the first row itself.
    fn before_rows(&mut self, line: &str) -> Result<()> {
        let declared = if self.declared { self.separator } else { None };
        let of_header = declared.or(self.separator.filter(|_| self.pending.is_some()));
        let separator = of_header.unwrap_or_else(|| Separator::of(line));
        let cells = separator.split(line);
        let numbers = cells.iter().filter(|cell| number(cell).is_ok_and(f64::is_finite)).count();
        let all = cells.iter().all(|cell| number(cell).is_ok());
        let named = self.pending.as_ref().is_some_and(|(_, names)| header::names_something(names));
        let below_names =
            self.pending.as_ref().is_some_and(|(_, names)| names.len() == cells.len());
        // The line is a row of numbers; it may contain a wrong cell if the names above it are known.
        if (numbers > 0 && (all || named && below_names)) || (all && named) {
            let (at, names) = self.pending.take().unzip();
            let at = at.unwrap_or(self.line);
            self.separator = Some(separator);
            self.header = Some(Header::new(names, None, cells.len(), &self.wanted, at)?);
            self.columns = vec![Vec::new(); self.header.as_ref().map_or(0, Header::len)];
            return self.row(line);
        }
        match self.pending.take() {
            Some((at, names)) if header::are_units(&cells) && below_names => {
                let header = Header::new(Some(names), Some(cells), 0, &self.wanted, at)?;
                self.columns = vec![Vec::new(); header.len()];
                self.header = Some(header);
            }
            // Known names are kept, whatever lines stand between them and the numbers.
            Some(names) if named && !header::names_something(&cells) => self.pending = Some(names),
            _ => {
                let separator = declared.unwrap_or_else(|| Separator::of(line));
                let cells = separator.split(line);
                self.separator = Some(separator);
                self.names = cells.len();
                self.pending = Some((self.line, cells));
            }
        }
        Ok(())
    }

    fn row(&mut self, line: &str) -> Result<()> {
        let (Some(header), Some(separator)) = (&self.header, self.separator) else {
            return Ok(());
        };
        for column in &mut self.columns {
            column.push(f64::NAN);
        }
        let mut wrong = None;
        let mut cells = 0;
        let columns = &mut self.columns;
        separator.cells(line, |i, cell| {
            if !clean(cell).is_empty() {
                cells = i + 1;
            }
            for (index, factor) in header.read_from(i) {
                match number(cell) {
                    Ok(value) => {
                        if let Some(last) = columns.get_mut(index).and_then(|c| c.last_mut()) {
                            *last = value * factor;
                        }
                    }
                    Err(()) => wrong = wrong.take().or(Some((i, clean(cell).to_string()))),
                }
            }
        });
        if let Some((i, cell)) = wrong {
            let shown: String = cell.chars().take(40).collect();
            let parameter = format!("line {}, column {}", self.line, i + 1);
            let allowed = "a number, or empty where none was measured";
            let advice = sentence!(
                "mark comments with #, or name the columns with {}",
                Action::give("columns")
            );
            return Err(Error::invalid(parameter, format!("`{shown}`"), allowed, advice));
        }
        // A decimal comma splits one number into two cells and shifts all following columns.
        if separator == Separator::Comma && self.names > 0 && cells > self.names {
            let parameter = format!("line {}", self.line);
            let allowed = format!("{} cells, one for each name in the header", self.names);
            let advice = "write decimal points, or separate columns by semicolons where numbers have decimal commas";
            return Err(Error::invalid(parameter, format!("{cells} cells"), allowed, advice));
        }
        self.rows += 1;
        if self.columns.iter().any(|column| column.last().is_none_or(|value| value.is_nan())) {
            self.missing += 1;
            self.first_missing = self.first_missing.or(Some(self.line));
        }
        if self.columns.first().is_some_and(|column| column.len() >= MAX_ROWS) {
            self.condense();
        }
        Ok(())
    }

    /// Averages pairs of quiet rows; if fewer than half of the rows are quiet, pairs of all rows.
    fn condense(&mut self) {
        let before = self.columns.first().map_or(0, Vec::len);
        let Some(header) = &self.header else { return };
        // A table without force or acceleration has one row per impact, and never so many rows, so any column may be
        // used.
        let Some(signal) = self.columns.get(header.signal_index()) else { return };
        let mut some: Vec<f64> =
            signal.iter().step_by(97).copied().filter(|v| v.is_finite()).collect();
        let zero = median(&mut some);
        let far = signal.iter().map(|v| (v - zero).abs()).filter(|v| v.is_finite());
        let level = 0.02 * far.fold(0.0, f64::max);
        // Number of loud rows before each row. A row is near an impact if one of the 64 rows before or after it is
        // loud.
        let mut loud = vec![0u32];
        loud.extend(signal.iter().scan(0, |sum, v| {
            *sum += u32::from((v - zero).abs() > level);
            Some(*sum)
        }));
        let near = |i: usize| loud[(i + 65).min(before)] > loud[i.saturating_sub(64)];
        let mut groups: Vec<(usize, usize)> = Vec::with_capacity(before);
        let mut i = 0;
        while i < before {
            let pair = i + 1 < before && !near(i) && !near(i + 1);
            groups.push((i, if pair { 2 } else { 1 }));
            i += if pair { 2 } else { 1 };
        }
        if groups.len() > before / 4 * 3 {
            groups = (0..before / 2).map(|i| (2 * i, 2)).collect();
        }
        for column in &mut self.columns {
            let mean = |&(start, count): &(usize, usize)| {
                column[start..start + count].iter().sum::<f64>() / count as f64
            };
            *column = groups.iter().map(mean).collect();
            column.reserve(MAX_ROWS.saturating_sub(column.len()));
        }
        self.condensed = true;
    }

    /// Returns the columns.
    ///
    /// # Errors
    /// When there are no rows.
    pub fn finish(self) -> Result<Columns> {
        let Some(header) = self.header.filter(|_| self.rows > 0) else {
            let found = format!("{} lines without a row of numbers", self.line);
            let allowed = "a table with a header and rows of numbers";
            let advice = "check the file and its separator (comma, semicolon, tab or spaces)";
            return Err(Error::invalid("table", found, allowed, advice));
        };
        Ok(Columns {
            found: header.found,
            values: self.columns,
            rows: self.rows,
            rows_missing: self.missing,
            first_missing: self.first_missing,
            condensed: self.condensed,
        })
    }
}
