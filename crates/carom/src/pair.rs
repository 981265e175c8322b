//! Two bodies that touch: effective mass, stiffness, exponent, and the facts they came from.

use crate::error::{Result, positive, within};

/// What an impact needs to know of the two bodies.
///
/// Made from numbers with [`Pair::new`], or from shapes and materials, in which case the facts
/// (effective radius, modulus, …) that some laws ask for come along.
///
/// ```
/// let pair = carom::Pair::new(0.54, 2.4144e10, 1.5)?;
/// assert_eq!(pair.exponent, 1.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Effective mass m₁m₂/(m₁+m₂), the mass of the one body against a fixed ground (kg).
    pub mass: f64,
    /// K of K·δⁿ (N/mⁿ).
    pub stiffness: f64,
    /// n of K·δⁿ.
    pub exponent: f64,
    /// Named facts of geometry and material in SI units, e.g. `("radius", 0.0127)`; see [`FACTS`].
    pub facts: Vec<(&'static str, f64)>,
}

/// The facts a pair may know: name, unit and meaning.
pub const FACTS: &[(&str, &str, &str)] = &[
    ("radius", "m", "effective radius R of the contact, 1/R = 1/R1 + 1/R2"),
    ("modulus", "Pa", "effective modulus E*, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2"),
    ("radius_1", "m", "radius of body 1"),
    ("radius_2", "m", "radius of body 2; of the cavity for internal contact"),
    ("youngs_1", "Pa", "Young's modulus of body 1"),
    ("youngs_2", "Pa", "Young's modulus of body 2"),
    ("poisson_1", "", "Poisson's ratio of body 1"),
    ("poisson_2", "", "Poisson's ratio of body 2"),
    ("density_1", "kg/m^3", "density of body 1"),
    ("density_2", "kg/m^3", "density of body 2"),
    ("yield_1", "Pa", "yield strength of body 1"),
    ("yield_2", "Pa", "yield strength of body 2"),
    ("length", "m", "length of a line contact"),
];

impl Pair {
    /// A pair from its three numbers, checked.
    pub fn new(mass: f64, stiffness: f64, exponent: f64) -> Result<Self> {
        positive("mass", mass, "give the effective mass in kg, m1*m2/(m1+m2)")?;
        positive("stiffness", stiffness, "give K of F = K*delta^n in N/m^n")?;
        within("exponent", exponent, 1.0, 5.0, "3/2 is Hertz's point contact, 1 a linear spring")?;
        Ok(Self { mass, stiffness, exponent, facts: Vec::new() })
    }

    /// A fact by name, where it is known.
    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}
