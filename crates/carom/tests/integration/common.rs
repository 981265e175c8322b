//! Helpers shared by the test files: random numbers, tables, and a list of failed checks.
//!
//! A test collects its failed checks in [`Misses`] and panics once at the end, with the first few of them and their count: for a
//! table of two hundred rows, three of which are wrong, the message names these three.

pub mod answers;
pub mod reference;
pub mod subjects;

use std::fmt::Display;

/// A linear congruential generator (Knuth's MMIX), which yields the same numbers on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        random.unit();
        random
    }

    /// Returns a number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a number whose logarithm is uniformly distributed between those of `low` and `high`.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (high / low).ln() * self.unit()).exp()
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// The failed checks of a test.
#[derive(Default)]
pub struct Misses {
    found: Vec<String>,
    checks: usize,
}

impl Misses {
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks that `found` is within `tolerance`·|`expected`| of `expected`.
    pub fn near(&mut self, what: impl Display, found: f64, expected: f64, tolerance: f64) {
        self.within(what, found, expected, tolerance * expected.abs());
    }

    /// Checks that `found` is within `distance` of `expected`; a NaN fails.
    pub fn within(&mut self, what: impl Display, found: f64, expected: f64, distance: f64) {
        let off = (found - expected).abs();
        let good = off <= distance || found == expected;
        self.require(good, || format!("{what}: {found:e} is {off:.1e} off {expected:e}"));
    }

    pub fn require(&mut self, good: bool, what: impl FnOnce() -> String) {
        self.checks += 1;
        if !good {
            self.found.push(what());
        }
    }

    /// Panics if a check failed, or if nothing was checked.
    #[track_caller]
    pub fn assert_none(self) {
        assert!(self.checks > 0, "nothing was checked");
        let shown: Vec<_> = self.found.iter().take(25).map(String::as_str).collect();
        assert!(
            self.found.is_empty(),
            "{} of {} checks failed:\n  {}",
            self.found.len(),
            self.checks,
            shown.join("\n  ")
        );
    }
}

/// A table with a header line; lines that begin with # are comments.
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn read(text: &str) -> Self {
        let split = |line: &str| line.split(',').map(|cell| cell.trim().to_string()).collect();
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let header: Vec<String> = split(lines.next().expect("a table has a header"));
        Self { header, rows: lines.map(split).collect() }
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { header: &self.header, cells })
    }
}

#[derive(Clone, Copy)]
pub struct Row<'a> {
    header: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.header.iter().position(|name| name == column);
        &self.cells[at.unwrap_or_else(|| panic!("no column {column}"))]
    }

    pub fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or_else(|_| panic!("{column}: {}", self.text(column)))
    }

    /// Returns (restitution, cell) for every column whose name is `prefix` followed by a number.
    pub fn by_restitution(&self, prefix: &str) -> Vec<(f64, f64)> {
        let columns = self.header.iter().zip(self.cells);
        columns
            .filter_map(|(name, cell)| {
                let e = name.strip_prefix(prefix)?.parse().ok()?;
                Some((e, cell.parse().expect("a number")))
            })
            .collect()
    }
}
