//! Wang & Gao 2023: a ball in a spherical socket.

mod dynamics;
mod printed;
mod statics;

use super::Paper;
use carom::{Damping, Law, Pair, Result, model};
use printed::{BALL, MASS, POISSON, YOUNGS};

/// Wang & Gao 2023.
pub const PAPER: Paper = Paper {
    id: "wang-gao-2023",
    title: "Wang & Gao 2023",
    citation: "S. Wang, P. Gao, Development of a contact force model suited for spherical contact event, \
               Actuators 12 (2023) 89",
    doi: Some("10.3390/act12020089"),
    verdict: "\
**What holds.** Eq. 16 as algebra, and the leading term of Eqs. 17 and 18. The stiffness is Liu's but for 0.1 to 1 %.
The loss of energy does not depend on the index (Sect. 4.2; Sect. 4.1 says that it grows). The restitution is within 2.5 % above 0.9, and in fact within
0.6 %; 2.5 % already holds from e = 0.6.

**What does not.** The integral taken as 13/50 is B(5/4, 3/2)/2 = 0.24972; 0.26 is what its Taylor series gives when it is
cut after x⁶ or x⁸. The factor works in spite of it, because
the assumed profile errs the other way: χ amounts to ε = (20/13)(1−e)/e, between Hu & Guo's 3/2 and Flores'
8/5. For the index 1, which is Hertz's case, the force is √2 times Hertz's, since the circle in which the
undeformed spheres overlap, a = √(2Rδ), is taken for the contact circle, √(Rδ); that is why force and damping
come out larger, not an exponent of 1. Eqs. 17 and 18 hold for δ ≪ ΔR only: at δ = ΔR/10 they are 5 % too large,
at δ = ΔR 45 %. A smaller clearance makes the contact stiffer, not softer. Three of the compared impacts last
longer than the time that was integrated.

**What to use.** `wang-gao-2023` with exact calibration where the conformal geometry matters; `hertz-internal`
where δ ≪ ΔR. The finite elements of Fig. 3 were not available as numbers, and Figs. 1, 2 and 6 are sketches.",
    parts: &[
        ("Figs. 3 and 4: statics", statics::figures),
        ("Figs. 5 and 7: damping and restitution", dynamics::restitution),
        ("Figs. 8 and 9: dissipation and motion", dynamics::motion),
    ],
};

/// Computes E* of two equal bodies.
fn effective_modulus() -> f64 {
    YOUNGS / (2.0 * (1.0 - POISSON * POISSON))
}

/// Computes the effective radius R = R₁R₂/(R₁−R₂).
fn effective_radius(socket: f64) -> f64 {
    BALL * socket / (socket - BALL)
}

/// Returns the pair of ball and socket; the stiffness is that of Hertz, which the conformal laws do not use.
fn pair(socket: f64) -> Result<Pair> {
    let stiffness = 4.0 / 3.0 * effective_modulus() * effective_radius(socket).sqrt();
    let facts = vec![("modulus", effective_modulus()), ("radius_1", BALL), ("radius_2", socket)];
    Ok(Pair { facts, ..Pair::new(MASS, stiffness, 1.5)? })
}

/// Returns a law for ball and socket; `index` is Steuermann's index, for laws that have one.
fn law(id: &str, socket: f64, index: Option<f64>, damping: Damping) -> Result<Law> {
    let set: Vec<_> = index.map(|index| ("index".to_string(), index)).into_iter().collect();
    model(id)?.law(&pair(socket)?, damping, None, &set)
}
