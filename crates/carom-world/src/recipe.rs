//! Where the law of a contact comes from.
//!
//! A law is either known beforehand (that of a cylinder's side holds for its side only), or follows from the curvatures at the place of first touch: then
//! Hertz's (elliptical) stiffness is computed there, the model is asked for its law, and both stay as
//! they are until the bodies part, so that the contact stores and returns the same energy.

use crate::shape::Shape;
use carom::pair::stiffness;
use carom::{Damping, Error, Exit, Law, Model, Pair, Result};

/// How the normal force of a contact is made.
#[derive(Clone, Debug)]
pub enum Recipe {
    /// By a law that is known. Its mass is replaced by the effective mass of the contact.
    Law(Law),
    /// By a law for the side of a cylinder, known beforehand like [`Recipe::Law`]; its ends and rims are refused.
    Side(Law),
    /// By a model and the curvatures at first touch.
    Curved(Box<Curved>),
}

/// A model that waits for the curvatures of a contact.
#[derive(Clone, Debug)]
pub struct Curved {
    /// The model.
    pub model: &'static Model,
    /// How dissipation is asked for.
    pub damping: Damping,
    /// When contact ends, where that was said.
    pub exit: Option<Exit>,
    /// Parameters of the model that were set.
    pub set: Vec<(String, f64)>,
    /// Effective modulus E* (Pa).
    pub modulus: f64,
    /// Facts of the pair, for models that ask for them.
    pub facts: Vec<(&'static str, f64)>,
}

/// Where a surface has no curvatures.
const FLAT: &str = "a Hertzian contact at an edge, a corner, a rim or a flat end";

fn refuse(what: &str) -> Result<Law> {
    let advice = "give stiffness and exponent of this contact instead of materials";
    Err(Error::unsupported(what, advice))
}

impl Recipe {
    /// The law for a contact of this effective mass and these principal relative curvatures.
    ///
    /// # Errors
    /// When the curvatures are needed and unknown, or the model refuses them.
    pub fn law(&self, mass: f64, curvatures: Option<(f64, f64)>) -> Result<Law> {
        match self {
            Self::Law(law) => Ok(Law { mass, ..*law }),
            Self::Side(law) => match curvatures {
                Some(_) => Ok(Law { mass, ..*law }),
                None => refuse(FLAT),
            },
            Self::Curved(curved) => {
                let Some((low, high)) = curvatures else { return refuse(FLAT) };
                if !(high > 0.0) {
                    return refuse("a Hertzian contact of two faces that lie on each other");
                }
                if !(low > 1e-9 * high) {
                    return refuse("a Hertzian contact along a line between a cylinder and a face");
                }
                let k = stiffness::elliptical(curved.modulus, low, high)?;
                let pair = Pair { facts: curved.facts.clone(), ..Pair::new(mass, k, 1.5)? };
                curved.model.law(&pair, curved.damping, curved.exit, &curved.set)
            }
        }
    }

    /// Refuses two shapes that have no curvatures wherever they touch: flat faces, edges and corners on each other,
    /// and cylinders, which touch these along lines.
    ///
    /// # Errors
    /// Says that such a contact needs a stiffness.
    pub fn can_curve(a: &Shape, b: &Shape) -> Result<()> {
        let flat = |shape: &Shape| {
            matches!(shape, Shape::Box { .. } | Shape::Hull { .. } | Shape::HalfSpace)
        };
        let polyhedron = |shape: &Shape| matches!(shape, Shape::Box { .. } | Shape::Hull { .. });
        let cylinder = |shape: &Shape| matches!(shape, Shape::Cylinder { .. });
        let never = (flat(a) && flat(b))
            || (cylinder(a) && polyhedron(b))
            || (polyhedron(a) && cylinder(b));
        match never {
            true => refuse("a Hertzian contact of flat faces, edges and corners").map(|_| ()),
            false => Ok(()),
        }
    }

    /// True when the law waits for the curvatures.
    pub fn is_curved(&self) -> bool {
        matches!(self, Self::Curved(_) | Self::Side(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_on_a_plane_has_hertzs_stiffness() {
        let curved = Curved {
            model: carom::model("hertz-1881").unwrap(),
            damping: Damping::None,
            exit: None,
            set: Vec::new(),
            modulus: 1e11,
            facts: Vec::new(),
        };
        let recipe = Recipe::Curved(Box::new(curved));
        let law = recipe.law(2.0, Some((100.0, 100.0))).unwrap();
        let expected = stiffness::sphere_plane(1e11, 0.01).unwrap();
        assert!((law.power().unwrap().stiffness / expected - 1.0).abs() < 1e-14);
        assert_eq!(law.mass, 2.0);
        for (curvatures, word) in
            [(None, "edge"), (Some((0.0, 0.0)), "faces"), (Some((0.0, 9.0)), "line")]
        {
            let error = recipe.law(2.0, curvatures).unwrap_err();
            assert!(error.is_unsupported() && error.to_string().contains(word), "{error}");
        }
    }
}
