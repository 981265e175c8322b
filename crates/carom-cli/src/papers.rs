//! Papers, number by number: what they print, what comes out when it is computed again, and why the
//! two differ.
//!
//! This is a user of the library and not a part of it: everything goes through the public interface,
//! so that a reproduction also shows that the interface suffices, and nobody who only wants a law
//! carries the tables of other people. What the papers print stands in the `printed.rs` files, as data.
//!
//! A [`Check`] is one printed number beside the recomputed one. Where they differ, the error in the
//! source is committed on purpose, as far as it is known (a complex power, a sampled time, a misprinted
//! factor): if that *variant* yields the printed number, the difference is explained. Two numbers agree
//! when they are within one unit of the last printed digit, which covers rounding and truncation. Where
//! something that is not printed (a measured peak, a damping factor, the density of a grid) was chosen so that
//! a printed number comes out, that number says nothing any more: one of them a choice has the verdict
//! [`Verdict::NoInformation`], and only the others are tests. A [`Claim`] is a statement in words with the
//! numbers that decide it.

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
use carom::Result;
use serde::Serialize;

/// A paper that can be reproduced.
pub struct Paper {
    /// Name on the command line.
    pub id: &'static str,
    /// Authors and year.
    pub title: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// Digital object identifier, where there is one.
    pub doi: Option<&'static str>,
    /// What holds, what does not, what to use instead: Markdown.
    pub verdict: &'static str,
    /// What is done, in order, and how to call it while it runs.
    pub parts: &'static [(&'static str, Part)],
}

/// Adds to a reproduction.
pub type Part = fn(&mut Reproduction) -> Result<()>;

/// Every paper, in the order of the page.
pub static PAPERS: &[Paper] = &[zhang::PAPER, ramaswamy::PAPER, wang_gao::PAPER, review::PAPER];

/// What became of a paper.
#[derive(Serialize)]
pub struct Reproduction {
    /// Name on the command line.
    pub paper: &'static str,
    /// Authors and year.
    pub title: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// Printed numbers.
    pub checks: Vec<Check>,
    /// Statements in words.
    pub claims: Vec<Claim>,
    /// Numbers behind figures, which the paper does not print.
    pub tables: Vec<Grid>,
    /// Figures, by file name.
    #[serde(skip)]
    pub figures: Vec<Drawing>,
}

/// A printed number and the same number computed again.
#[derive(Serialize)]
pub struct Check {
    /// Table, equation or section.
    pub place: &'static str,
    /// What it is.
    pub quantity: String,
    /// As printed.
    pub printed: f64,
    /// Digits after the point in print.
    #[serde(skip)]
    pub decimals: usize,
    /// What comes out.
    pub recomputed: f64,
    /// Recomputed less printed.
    pub difference: f64,
    /// What comes out when the error of the source is committed on purpose.
    pub variant: Option<f64>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why not, as far as it is known.
    pub why: String,
}

/// What became of a printed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within one unit of the last printed digit.
    Agrees,
    /// Differs, and the named variant yields the printed number.
    Explained,
    /// Differs, and nothing tried yields it.
    Differs,
    /// Something that is not printed was chosen to yield it, so that it could not have come out otherwise.
    NoInformation,
}

impl Verdict {
    /// In the order of the summaries.
    pub const ALL: [Self; 4] = [Self::Agrees, Self::Explained, Self::Differs, Self::NoInformation];

    /// As in JSON.
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
    /// The variant, where it is needed: not for numbers that agree anyway.
    pub fn shown_variant(&self) -> Option<f64> {
        self.variant.filter(|_| self.verdict != Verdict::Agrees)
    }
}

/// A statement in words.
#[derive(Serialize)]
pub struct Claim {
    /// Where it is made.
    pub place: &'static str,
    /// What is claimed, in our words.
    pub claim: &'static str,
    /// Whether it is true.
    pub holds: bool,
    /// The numbers that decide it.
    pub evidence: String,
}

/// A table of numbers.
#[derive(Serialize)]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// Cells, ready to be read.
    pub rows: Vec<Vec<String>>,
}

/// A figure and what belongs to it.
pub struct Drawing {
    /// File name without its ending.
    pub file: &'static str,
    /// What to see in it.
    pub caption: &'static str,
    /// The figure.
    pub figure: Figure,
}

impl Paper {
    /// A reproduction with nothing in it yet.
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
    /// Adds a printed number; `variant` is what the error in the source yields, `why` names it.
    pub fn check(
        &mut self,
        place: &'static str,
        quantity: impl Into<String>,
        printed: &str,
        recomputed: f64,
        variant: Option<f64>,
        why: impl Into<String>,
    ) {
        // The data are ours and tested; a slip would show as a number that differs.
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
    }

    /// Adds a printed number that something unknown was chosen to yield; `why` names what was chosen.
    pub fn chosen_to_match(
        &mut self,
        place: &'static str,
        quantity: impl Into<String>,
        printed: &str,
        recomputed: f64,
        variant: Option<f64>,
        why: impl Into<String>,
    ) {
        self.check(place, quantity, printed, recomputed, variant, "");
        if let Some(check) = self.checks.last_mut() {
            check.verdict = Verdict::NoInformation;
            check.why = why.into();
        }
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

    /// Adds a figure.
    pub fn draw(&mut self, file: &'static str, caption: &'static str, figure: Figure) {
        self.figures.push(Drawing { file, caption, figure });
    }

    /// How many numbers have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }

    /// How many statements hold.
    pub fn holding(&self) -> usize {
        self.claims.iter().filter(|claim| claim.holds).count()
    }
}

/// A difference that is rounding, whose digits mean nothing, by its bound; a larger one as it is.
fn below(difference: f64, bound: f64) -> String {
    match difference < bound {
        true => format!("below {bound:.0e}"),
        false => format!("{difference:.1e}"),
    }
}

/// Equally spaced numbers, both ends included.
fn spaced(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> + Clone {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count).map(move |i| from + (to - from) * i as f64 / last)
}
