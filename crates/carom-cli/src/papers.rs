//! Reproduction of papers, number by number: the printed and the recomputed number, and the reason for a difference.
//!
//! This module uses only the public interface of the library and thereby shows that this interface is sufficient; users of the
//! library do not carry the papers' tables. The `printed.rs` files contain the printed numbers as data.
//!
//! A [`Check`] compares one printed number with the recomputed one. They agree if they differ by at most one unit of the last
//! printed digit, which covers rounding and truncation. Where they differ, the computation is repeated with the error of the
//! source, as far as it is known (a complex power, a sampled time, a misprinted factor): if this *variant* yields the printed
//! number, the difference is explained. A printed number from which a quantity was determined that the paper does not print (a
//! measured peak, a damping factor, the density of a grid) agrees by construction and is no test: its verdict is
//! [`Verdict::NoInformation`]. A [`Claim`] is a statement in words with the numbers that decide it.

mod complex;
mod fit;
pub mod page;
mod ramaswamy;
mod review;
#[cfg(test)]
mod tests;
mod wang_gao;
mod zhang;

use crate::figure::Figure;
use carom::exact::{self, Exponents, Outcome};
use carom::{Error, Exit, Result};
use serde::Serialize;

/// A paper that can be reproduced.
pub struct Paper {
    /// Name on the command line.
    pub id: &'static str,
    /// Authors and year.
    pub title: &'static str,
    /// Bibliographic reference.
    pub citation: &'static str,
    /// Digital object identifier, if there is one.
    pub doi: Option<&'static str>,
    /// Summary in Markdown: which results hold, which do not, and what to use instead.
    pub verdict: &'static str,
    /// Steps of the reproduction, with their names for the progress display.
    pub parts: &'static [(&'static str, Part)],
}

/// A step of a reproduction, which adds its results.
pub type Part = fn(&mut Reproduction) -> Result<()>;

/// All papers, in the order of the page.
pub static PAPERS: &[Paper] = &[zhang::PAPER, ramaswamy::PAPER, wang_gao::PAPER, review::PAPER];

/// Results of reproducing a paper.
#[derive(Serialize)]
pub struct Reproduction {
    /// Name on the command line.
    pub paper: &'static str,
    /// Authors and year.
    pub title: &'static str,
    /// Bibliographic reference.
    pub citation: &'static str,
    /// Printed numbers.
    pub checks: Vec<Check>,
    /// Statements in words.
    pub claims: Vec<Claim>,
    /// Numbers behind figures, which the paper does not print.
    pub tables: Vec<ResultTable>,
    /// Figures, by file name.
    #[serde(skip)]
    pub figures: Vec<PaperFigure>,
}

/// A printed number and the recomputed one.
#[derive(Serialize)]
pub struct Check {
    /// Table, equation or section.
    pub place: &'static str,
    /// Name of the quantity.
    pub quantity: String,
    /// Printed value.
    pub printed: f64,
    /// Number of digits after the decimal point in print.
    #[serde(skip)]
    pub decimals: usize,
    /// Recomputed value.
    pub recomputed: f64,
    /// Recomputed minus printed.
    pub difference: f64,
    /// Value computed with the error of the source.
    pub variant: Option<f64>,
    /// Agreement, and the reason for a difference.
    pub verdict: Verdict,
    /// Reason for a difference, as far as it is known.
    pub why: String,
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within one unit of the last printed digit.
    Agrees,
    /// Differs, and the named variant yields the printed number.
    Explained,
    /// Differs, and no known variant yields the printed number.
    Differs,
    /// A quantity that is not printed was chosen so that it yields this number, which therefore agrees by construction.
    NoInformation,
}

impl Verdict {
    /// All verdicts in the order of the summaries.
    pub const ALL: [Self; 4] = [Self::Agrees, Self::Explained, Self::Differs, Self::NoInformation];

    /// Returns the name as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Explained => "explained",
            Self::Differs => "differs",
            Self::NoInformation => "no-information",
        }
    }
}

impl Check {
    /// Marks a printed number from which a quantity that is not printed was determined; `why` names that quantity.
    pub fn chosen_to_match(&mut self, why: impl Into<String>) {
        self.verdict = Verdict::NoInformation;
        self.why = why.into();
    }

    /// Returns the variant of a number that does not agree.
    pub fn variant_of_disagreement(&self) -> Option<f64> {
        self.variant.filter(|_| self.verdict != Verdict::Agrees)
    }
}

/// A statement in words.
#[derive(Serialize)]
pub struct Claim {
    /// Place in the paper.
    pub place: &'static str,
    /// Claim, in our own words.
    pub claim: &'static str,
    /// Whether the claim is true.
    pub holds: bool,
    /// The numbers that decide it.
    pub evidence: String,
}

/// A table of numbers.
#[derive(Serialize)]
pub struct ResultTable {
    /// Description of the contents.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// Cells as text, row by row.
    pub rows: Vec<Vec<String>>,
}

/// A figure with its file name and caption.
pub struct PaperFigure {
    /// File name without its ending.
    pub file: &'static str,
    /// Caption.
    pub caption: &'static str,
    /// The figure.
    pub figure: Figure,
}

impl Paper {
    /// Creates an empty reproduction of the paper.
    pub fn begin(&self) -> Reproduction {
        Reproduction {
            paper: self.id,
            title: self.title,
            citation: self.citation,
            checks: Vec::new(),
            claims: Vec::new(),
            tables: Vec::new(),
            figures: Vec::new(),
        }
    }
}

impl Reproduction {
    /// Adds a printed number; `variant` is the value computed with the error of the source, `why` names that error.
    pub fn check(
        &mut self,
        place: &'static str,
        quantity: impl Into<String>,
        printed: &str,
        recomputed: f64,
        variant: Option<f64>,
        why: impl Into<String>,
    ) -> &mut Check {
        // A mistyped number becomes NaN, which appears as a difference.
        let value: f64 = printed.parse().unwrap_or(f64::NAN);
        let decimals = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
        let unit = 10f64.powi(-(decimals as i32)) * (1.0 + 1e-9);
        let same = |other: f64| (other - value).abs() <= unit;
        let verdict = match (same(recomputed), variant) {
            (true, _) => Verdict::Agrees,
            (false, Some(variant)) if same(variant) => Verdict::Explained,
            _ => Verdict::Differs,
        };
        let agrees = verdict == Verdict::Agrees;
        self.checks.push(Check {
            place,
            quantity: quantity.into(),
            printed: value,
            decimals,
            recomputed,
            difference: recomputed - value,
            variant,
            verdict,
            why: if agrees { String::new() } else { why.into() },
        });
        let last = self.checks.len() - 1;
        &mut self.checks[last]
    }

    /// Adds a statement.
    pub fn claim(
        &mut self,
        place: &'static str,
        claim: &'static str,
        holds: bool,
        evidence: String,
    ) {
        self.claims.push(Claim { place, claim, holds, evidence });
    }

    /// Adds a table of computed numbers; `|` separates the names of columns.
    pub fn table(
        &mut self,
        title: impl Into<String>,
        columns: &'static str,
        rows: Vec<Vec<String>>,
    ) {
        let columns = columns.split('|').map(str::trim).collect();
        self.tables.push(ResultTable { title: title.into(), columns, rows });
    }

    /// Adds a figure.
    pub fn draw(&mut self, file: &'static str, caption: &'static str, figure: Figure) {
        self.figures.push(PaperFigure { file, caption, figure });
    }

    /// Returns the number of checks with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }

    /// Returns the number of statements that hold.
    pub fn claims_that_hold(&self) -> usize {
        self.claims.iter().filter(|claim| claim.holds).count()
    }
}

/// Runs every part of these papers. `progress` receives the name of the part that begins and the numbers of finished and of all
/// parts; it may end the computation with an error.
pub fn reproduce(
    papers: &[&Paper],
    mut progress: impl FnMut(&str, usize, usize) -> Result<()>,
) -> Result<Vec<Reproduction>> {
    let all = papers.iter().map(|paper| paper.parts.len()).sum();
    let mut done = 0;
    let mut reproduced = Vec::new();
    for paper in papers {
        let mut found = paper.begin();
        for (name, part) in paper.parts {
            progress(&format!("{}: {name}", paper.id), done, all)?;
            part(&mut found)?;
            done += 1;
        }
        reproduced.push(found);
    }
    progress("", done, all)?;
    Ok(reproduced)
}

/// Computes an impact that ends at zero indentation.
fn outcome(n: f64, m: f64, q: f64, epsilon: f64) -> Result<Outcome> {
    let found = exact::outcome(Exponents::new(n, m, q)?, Exit::ZeroIndentation, epsilon)?;
    found.ok_or_else(|| Error::numerical("the impact", "it never separates", "use less damping"))
}

/// Computes the points (x, f(x)) of a curve.
fn points(x: impl Iterator<Item = f64>, f: impl Fn(f64) -> Result<f64>) -> Result<Vec<(f64, f64)>> {
    x.map(|x| Ok((x, f(x)?))).collect()
}

/// Formats a difference; a difference below the bound is rounding error, for which only the bound is shown.
fn difference_text(difference: f64, bound: f64) -> String {
    if difference < bound { format!("below {bound:.0e}") } else { format!("{difference:.1e}") }
}

/// Returns equally spaced numbers, including both ends.
fn linspace(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> + Clone {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count).map(move |i| from + (to - from) * i as f64 / last)
}

/// Computes ∫₀^end f(x) dx by Simpson's rule with an even number of steps.
fn simpson(end: f64, steps: usize, f: impl Fn(f64) -> f64) -> f64 {
    let h = end / steps as f64;
    let f = |i: usize| f(h * i as f64);
    let inner: f64 = (1..steps).map(|i| if i % 2 == 1 { 4.0 * f(i) } else { 2.0 * f(i) }).sum();
    h / 3.0 * (f(0) + inner + f(steps))
}
