//! Corral et al. 2021: the review whose Table 1 lists the laws of the catalogue.

mod delivered;
mod errata;
mod xiong;

use super::Paper;

/// Corral, Gismeros Moreno, Gómez García & Castejón 2021.
pub const PAPER: Paper = Paper {
    id: "review-2021",
    title: "Corral, Gismeros Moreno, Gómez García & Castejón 2021 (review)",
    citation: "E. Corral, R. Gismeros Moreno, M. J. Gómez García, C. Castejón, Nonlinear phenomena of contact in \
               multibody systems dynamics: a review, Nonlinear Dyn. 104 (2021) 1269–1295",
    doi: Some("10.1007/s11071-021-06344-z"),
    verdict: "\
**What holds.** Most factors of Table 1 are as their authors meant them. Several deliver what is asked for at every
restitution: the exact equation of Zhang & Sharf (of which Luo & Nahon and Khatiwada are forms), Yu's
piecewise fit above 0.25, and, each for its own end of contact, Goyal and Anagnostopoulos.

**What does not.** A formula that takes a restitution seldom gives it back, and the review does not say by how
much: asked for 0.5, the laws deliver between 0.41 and 0.80. Several entries are misprinted so that the
number changes; they are run below, wrong and right. The exact equation does have a root below 0.25, one
for every restitution. Of what is said of Xiong's parameters the fall of the restitution with b₁ and b₂ is true up
to a least value only. Laws with m < n deliver different restitutions at F = 0 and δ = 0, which the table does
not distinguish.

**What to use.** Any of these laws with exact calibration (`--calibration exact`), which makes the choice a
matter of the shape of the loop. By formula: `zhang-2020` (within 0.012 above 0.1) or `hu-guo-2015` (within 0.013 above 0.5). Where the impact speed
has no meaning (resting and multiple contact), a velocity-free law: `tsuji-1992` or `goyal-pinson-sinden-1994`.
The originals of most laws were not at hand: corrections rest on dimensions, limits, energy and simulation.",
    parts: &[
        ("Table 1: requested and delivered", delivered::table),
        ("Table 1: loops", delivered::loops),
        ("Xiong's parameters", xiong::claims),
        ("Errata, wrong and right", errata::table),
    ],
};
