//! Two bodies in contact: effective mass, stiffness, exponent, and the facts of geometry and material from which they
//! follow.

pub mod combination;
mod elliptical;
pub mod limits;
pub mod material;
pub mod shape;
pub mod stiffness;

pub use combination::CombinationRule;
pub use material::{MATERIALS, Material, material};
pub use shape::{Body, Shape, effective_mass};

use crate::error::{Error, Result, check_positive, check_range};
use Shape::{Bore, Cylinder, Plane, Socket, Sphere, SquarePunch};
use stiffness::{HERTZ, PALMGREN};

/// Properties of two bodies that an impact needs.
///
/// A pair is created from numbers with [`Pair::new`], or from shapes and materials with [`Pair::of`]. In the latter
/// case it also contains the facts (effective radius, modulus, …) that some laws need.
///
/// ```
/// let pair = carom::Pair::new(0.54, 2.4144e10, 1.5)?;
/// assert_eq!(pair.exponent, 1.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Effective mass m₁m₂/(m₁+m₂), which for a fixed ground is the mass of the other body (kg).
    pub mass: f64,
    /// Masses of the two bodies (kg), if they are known; infinite for a fixed body.
    pub masses: Option<[f64; 2]>,
    /// K of K·δⁿ (N/mⁿ).
    pub stiffness: f64,
    /// n of K·δⁿ.
    pub exponent: f64,
    /// Named facts of geometry and material in SI units, e.g. `("radius", 0.0127)`; see [`FACTS`].
    pub facts: Vec<(&'static str, f64)>,
}

/// Facts that a pair may contain: name, unit and meaning.
pub const FACTS: &[(&str, &str, &str)] = &[
    (
        "radius",
        "m",
        "effective radius R of the contact, 1/R = 1/R1 + 1/R2 (a cavity counts as -1/R2)",
    ),
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
    /// Creates a pair from its three numbers, after checking them.
    pub fn new(mass: f64, stiffness: f64, exponent: f64) -> Result<Self> {
        check_positive("mass", mass, "give the effective mass in kg, m1*m2/(m1+m2)")?;
        check_positive("stiffness", stiffness, "give K of F = K*delta^n in N/m^n")?;
        check_range(
            "exponent",
            exponent,
            1.0,
            5.0,
            "3/2 is Hertz's point contact, 1 a linear spring",
        )?;
        Ok(Self { mass, masses: None, stiffness, exponent, facts: Vec::new() })
    }

    /// Creates a pair from two bodies: mass, stiffness and exponent follow from them, and their facts are included.
    ///
    /// | bodies | K | n |
    /// |---|---|---|
    /// | sphere, sphere | [`stiffness::sphere_sphere`] | 3/2 |
    /// | sphere, plane | [`stiffness::sphere_plane`] | 3/2 |
    /// | sphere, socket | [`stiffness::sphere_socket`] | 3/2 |
    /// | sphere, cylinder; sphere, bore | [`stiffness::elliptical`] | 3/2 |
    /// | cylinder, parallel cylinder, plane or bore | [`stiffness::palmgren`] | 10/9 |
    /// | square punch, plane or equal square punch | [`stiffness::square_flat`] | 1 |
    ///
    /// In the facts a plane, socket or bore is always body 2, independently of the order of the arguments; otherwise
    /// `a` is body 1. The length of a line contact is that of the shorter body.
    ///
    /// ```
    /// use carom::pair::{Body, Pair, Shape, material};
    /// let steel = *material("steel-wang-gao")?;
    /// let ball = Body::new(Shape::Sphere { radius: 0.05 }, steel).with_mass(1.0);
    /// let pair = Pair::of(&ball, &Body::new(Shape::Socket { radius: 0.0505 }, steel))?;
    /// assert_eq!((pair.mass, pair.exponent), (1.0, 1.5));
    /// assert!((pair.fact("radius").unwrap() - 5.05).abs() < 1e-9);
    /// assert!((pair.stiffness / 3.38265e11 - 1.0).abs() < 1e-5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a length or mass is out of range, if a cavity is not wider than the body inside, if both bodies are rigid
    /// or both fixed, and if no power law is known for the two shapes.
    pub fn of(a: &Body, b: &Body) -> Result<Self> {
        let (a, b) = match a.shape.is_seat() && !b.shape.is_seat() {
            true => (b, a),
            false => (a, b),
        };
        let shapes = (*a.shape.check()?, *b.shape.check()?);
        let (one, two) = (a.material.check()?, b.material.check()?);
        let contact = Contact::of(shapes, one.compliance(), two.compliance())?;
        let masses = [a.mass()?, b.mass()?];
        let mass = effective_mass(masses[0], masses[1])?;
        let pair = Self::new(mass, contact.stiffness, contact.exponent)?;
        let values = [
            ("radius", contact.radius),
            ("modulus", Some(contact.modulus)),
            ("radius_1", a.shape.radius()),
            ("radius_2", b.shape.radius()),
            ("youngs_1", Some(one.youngs)),
            ("youngs_2", Some(two.youngs)),
            ("poisson_1", (!one.is_rigid()).then_some(one.poisson)),
            ("poisson_2", (!two.is_rigid()).then_some(two.poisson)),
            ("density_1", Some(one.density)),
            ("density_2", Some(two.density)),
            ("yield_1", one.yield_strength),
            ("yield_2", two.yield_strength),
            ("length", contact.length),
        ];
        // The infinite modulus and density of a rigid body are omitted, because no law could compute with them.
        let finite =
            |(name, value): (_, Option<f64>)| Some((name, value.filter(|v| v.is_finite())?));
        let facts = values.into_iter().filter_map(finite).collect();
        Ok(Self { masses: Some(masses), facts, ..pair })
    }

    /// Returns a fact by name, if it is known.
    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

/// Contact of two shapes.
struct Contact {
    stiffness: f64,
    exponent: f64,
    modulus: f64,
    /// Effective radius, if one radius describes the contact.
    radius: Option<f64>,
    /// Length of a line contact.
    length: Option<f64>,
}

impl Contact {
    fn of(shapes: (Shape, Shape), compliance_1: f64, compliance_2: f64) -> Result<Self> {
        let modulus = stiffness::effective_modulus(compliance_1, compliance_2)?;
        let bare = Self { stiffness: 0.0, exponent: HERTZ, modulus, radius: None, length: None };
        Ok(match shapes {
            (Sphere { radius: r1 }, Sphere { radius: r2 }) => Self {
                stiffness: stiffness::sphere_sphere(modulus, r1, r2)?,
                radius: Some(stiffness::effective_radius(r1, r2)?),
                ..bare
            },
            (Sphere { radius }, Plane) => Self {
                stiffness: stiffness::sphere_plane(modulus, radius)?,
                radius: Some(radius),
                ..bare
            },
            (Sphere { radius }, Socket { radius: cavity }) => Self {
                stiffness: stiffness::sphere_socket(modulus, radius, cavity)?,
                radius: Some(stiffness::internal_radius(radius, cavity)?),
                ..bare
            },
            (Sphere { radius: ball }, Cylinder { radius: round, .. })
            | (Cylinder { radius: round, .. }, Sphere { radius: ball }) => {
                let across = 1.0 / stiffness::effective_radius(ball, round)?;
                Self { stiffness: stiffness::elliptical(modulus, 1.0 / ball, across)?, ..bare }
            }
            (Sphere { radius: ball }, Bore { radius: bore, .. }) => {
                let across = 1.0 / stiffness::internal_radius(ball, bore)?;
                Self { stiffness: stiffness::elliptical(modulus, 1.0 / ball, across)?, ..bare }
            }
            (Cylinder { radius: r1, length: l1 }, Cylinder { radius: r2, length: l2 }) => {
                bare.line_contact(stiffness::effective_radius(r1, r2)?, l1.min(l2))?
            }
            (Cylinder { radius, length }, Plane) => bare.line_contact(radius, length)?,
            (Cylinder { radius, length }, Bore { radius: bore, length: l2 }) => {
                bare.line_contact(stiffness::internal_radius(radius, bore)?, length.min(l2))?
            }
            (SquarePunch { half_side }, Plane) => bare.flat_contact(half_side)?,
            (SquarePunch { half_side }, SquarePunch { half_side: other }) if half_side == other => {
                bare.flat_contact(half_side)?
            }
            (first, second) => {
                let what = format!("contact of a {} and a {}", first.name(), second.name());
                let advice = "no power law is known for it; give stiffness and exponent instead of shapes, \
                              or describe the bodies near the contact as sphere, plane, socket, cylinder, bore";
                return Err(Error::unsupported(what, advice));
            }
        })
    }

    fn line_contact(self, radius: f64, length: f64) -> Result<Self> {
        Ok(Self {
            stiffness: stiffness::palmgren(self.modulus, length)?,
            exponent: PALMGREN,
            radius: Some(radius),
            length: Some(length),
            ..self
        })
    }

    fn flat_contact(self, half_side: f64) -> Result<Self> {
        let stiffness = stiffness::square_flat(self.modulus, half_side)?;
        Ok(Self { stiffness, exponent: 1.0, ..self })
    }
}

/// Returns the stiffness, or an error if it overflowed or vanished.
fn check_representable(stiffness: f64) -> Result<f64> {
    check_positive("stiffness", stiffness, "the lengths and moduli given lead to no usable K")
}

#[cfg(test)]
mod tests;
