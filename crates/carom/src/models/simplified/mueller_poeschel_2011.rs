//! Müller & Pöschel: the restitution of viscoelastic spheres in closed form.
//!
//! # Equation
//! F = K·δ^(3/2) + B·mₑ^(2/5)·K^(3/5)·v₀^(−1/5)·δ^(1/2)·δ̇, contact ends at F = 0; with s = √B
//! e = (1 + 1.07232s + 0.574198s² + 0.141552s³)/(1 + 1.07232s + 1.72765s² + 1.37842s³ + 1.19449s⁴ +
//! 0.467273s⁵ + 0.235585s⁶).
//!
//! # Derivation
//! Scaled with L = (mₑ·v₀²/K)^(2/5) the impact depends only on B = (3/2)·A·v₀/L. The restitution is
//! a power series in √B whose coefficients are pure numbers, but which converges poorly; a Padé
//! approximant of order [3/6] sums it. Here it is inverted for B: it decreases strictly from 1 to
//! 0, so there is exactly one root, which a bracketing method always finds.
//!
//! # Validity
//! All restitutions, for contact that ends at zero force; viscoelastic spheres, exponent 3/2.
//!
//! # Remarks
//! For a specified restitution of 0.5 the formula delivers 0.5000, for 0.2 it delivers 0.1996 and
//! for 0.1 it delivers 0.0994. As B → ∞ the formula decreases as B^(−3/2), whereas the restitution
//! of the impact decreases slightly faster, as (3/2)^(2/3)·B^(−5/3); at B = 30 the formula is 7 %
//! too high. A restitution determines B for the given impact, that is A for this speed. For a
//! material law, in which A is constant and e decreases with v₀, give A to `brilliantov-2015`.
//!
//! # Reference
//! P. Müller, T. Pöschel, Collision of viscoelastic spheres: Compact expressions for the
//! coefficient of normal restitution, Phys. Rev. E 84 (2011) 021302.

use crate::model::{Input, Model};
use crate::models::shared::require_point_contact;
use crate::numeric::root;

pub const MODEL: Model = Model {
    id: "mueller-poeschel-2011",
    title: "Müller & Pöschel 2011",
    aliases: &["mueller-poeschel"],
    year: 2011,
    input: Input::Restitution,
    doi: Some("10.1103/PhysRevE.84.021302"),
    build: |inputs| {
        require_point_contact(inputs)?;
        inputs.power(1.5, 0.5, 1.0, Some(&ratio))
    },
    ..Model::BLANK
};

/// Computes e as a function of √B.
fn restitution(s: f64) -> f64 {
    let above = [1.0, 1.07232, 0.574198, 0.141552];
    let below = [1.0, 1.07232, 1.72765, 1.37842, 1.19449, 0.467273, 0.235585];
    let horner = |c: &[f64]| c.iter().rev().fold(0.0, |sum, c| sum * s + c);
    horner(&above) / horner(&below)
}

/// Computes B(e), which is ε for these exponents.
fn ratio(e: f64) -> f64 {
    // e·s³ is less than 1 for every s, so this is an upper bound of the root.
    let root = root::find(0.0, (1.0 / e).cbrt(), 0.0, |s| restitution(s) - e);
    root.unwrap_or(0.0).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_one_at_every_restitution() {
        assert_eq!(ratio(1.0), 0.0);
        for e in [1e-12, 1e-3, 0.05, 0.1, 0.5, 0.9, 0.999_999] {
            let back = restitution(ratio(e).sqrt());
            assert!((back / e - 1.0).abs() < 1e-12, "{e}: {back}");
        }
        // Values of the exact curve, for contact that ends at zero force.
        assert!((ratio(0.5) - 0.698041).abs() < 2e-4);
        assert!((ratio(0.9) - 0.0928381).abs() < 2e-5);
    }
}
