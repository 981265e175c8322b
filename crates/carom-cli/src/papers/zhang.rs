//! Zhang, Liang, Zhang, Feng, Zhao, Zhao & He 2022: a damping factor for any exponents.

mod approximate;
mod errata;
mod exponents;
mod printed;
mod sliotar;
mod steel;

use super::Paper;
use carom::law::{Damper, Power};
use carom::{Exit, Law};

/// Zhang et al. 2022.
pub const PAPER: Paper = Paper {
    id: "zhang-2022",
    title: "Zhang, Liang, Zhang, Feng, Zhao, Zhao & He 2022",
    citation: "J. Zhang, X. Liang, Z. Zhang, G. Feng, Q. Zhao, L. Zhao, G. He, A continuous contact \
               force model for impact analysis, Mech. Syst. Signal Process. 168 (2022) 108739",
    doi: Some("10.1016/j.ymssp.2021.108739"),
    verdict: "\
**What holds.** Eq. 35 follows from its assumptions. For the new model, Hunt & Crossley and Lankarani & Nikravesh every
printed peak force of the steel ball and every restitution with q = 1 comes out again to the last digit. (The row
of Zhang 2020 was computed with another formula than the one the review prints, which is all that is known;
all its numbers follow from two damping ratios, ε = 0.1867 at 0.15 m/s and 0.4793 at 0.5 m/s.) What is said of
Fig. 5 comes out with Eqs. 47 and 49 as they are printed, so these were run.

**What does not.** The printed restitutions with q ≠ 1 are not those of λδᵐ|δ̇|^q·sgn δ̇. All eight, and their
errors, are what a complex power of the negative rate yields (the modulus of a complex rebound). In the
printed tables m = 1.2 is nearer to the restitution asked for than m = 1.8, with the real law it is the other way
round; the text concludes nothing from it. The durations of the new model are read from samples 0.2 µs apart, one sample late. Eqs. 8, 17, 21, 36, 40, 47
and 49 are misprinted. Eq. 49 as printed is right for q = 1 only, and so are the findings which pairs
(m, q) are approximated best artefacts of it. The peaks of the sliotar cores are not printed: they are derived
from the stated errors, so that only two of three of these are tests, and core D's indentation fails them. For m ≠ n Eq. 35 errs even as e → 1, by the factor
R = (1+q/2)·μ·B(μ, 1+q/2), μ = (m+1)/(n+1).

**What to use.** `zhang-2022` with exact calibration where a restitution matters, `zhang-2022-corrected` (Eq. 35
divided by R) where a formula is wanted, `zhang-2022-approximate` for the approximate equation in its
corrected form, which is free of n, q and v₀ and delivers e exactly. That complex powers were used is
inferred from the digits; no source code was seen.",
    parts: &[
        ("Tables 1 and 2: steel ball", steel::tables),
        ("Table 3, Fig. 6: sliotar cores", sliotar::comparison),
        ("Figs. 4 and 5: approximate equation", approximate::figures),
        ("Fig. 7: exponents", exponents::figure),
        ("Errata, wrong and right", errata::table),
    ],
};

/// Computes k of Eq. 43: the stiffness in units of δ_max (Eq. 31) and v₀.
fn stiffness(n: f64, q: f64, e: f64) -> f64 {
    let eq = e.powf(q);
    0.5 * (n + 1.0) * (e * e + eq) / (1.0 + eq)
}

/// Computes λ of Eq. 46: the damping in the same units.
fn damping(m: f64, q: f64, e: f64) -> f64 {
    (m + 1.0) * (2.0 + q) * (1.0 - e * e) / (4.0 * (1.0 + e.powf(q)))
}

/// Returns the law of x″ + k·xⁿ + λ·xᵐ·|x′|^q·sgn x′ = 0: Eq. 40 without the factor v₀^q, which Eq. 42 already contains.
fn system(n: f64, m: f64, q: f64, e: f64) -> Law {
    let damper = Damper::Coefficient(damping(m, q, e));
    Law::new(1.0, Exit::ZeroIndentation, Power::new(stiffness(n, q, e), n, m, q, damper))
}
