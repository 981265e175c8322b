//! Ramaswamy & Humbert: a velocity profile whose curvature depends on the damping, and stiffness from time.

mod duration;
mod printed;
mod restitution;

use super::Paper;

/// Ramaswamy & Humbert.
pub const PAPER: Paper = Paper {
    id: "ramaswamy-humbert",
    title: "Ramaswamy & Humbert",
    citation: "D. A. Ramaswamy, J. S. Humbert, A continuous contact force model for highly damped impacts of \
               arbitrary material and geometry, University of Colorado Boulder, undated (2023 is presumed)",
    doi: None,
    verdict: "\
**What holds.** The dimensionless form, Eqs. 15 to 17 as algebra, ε = 5 for e ≈ 0.2 and ε = 100 for e = 0.01. The
idea of Sect. 4, stiffness from a measured time, is sound.

**What does not.** The relative error of 0.062 % is not the error of a restitution: Eq. 17 is off by up to 3.3 %
(at e = 0.32) and by 1.5 % on average over e. It is ‖fit − exact‖₂/‖exact‖₂ of ε over a grid of ε, which ε > 50
dominates, where every formula near 1/e is good: least squares in that norm over ε = 100·u^1.05, u equally
spaced, yield α, β and the 0.062 % (the exponent is inferred, and one of the three is used up by it). The relation is not unsolvable: ε(1+e) = ln[(1+ε)/(1−εe)] for every n.
Δτ of Eq. 23 is off by up to 1.5 % (so K by up to 5 %), most where there is no damping and a closed form
exists, and it does not grow linearly: Δτ → (n+1)^(1/(n+1))·ε^(n/(n+1)), so that at ε = 100 it is 68 % too long for
n = 1.

**What to use.** Exact calibration (`--calibration exact`), which is as cheap, and `carom identify` for
stiffness and damping from restitution and duration. In their own forms, the refitted constants below.",
    parts: &[
        ("Fig. 1: velocity over deformation", restitution::profile),
        ("Fig. 2: damping over restitution", restitution::damping),
        ("Figs. 3 to 5: duration", duration::figures),
    ],
};
