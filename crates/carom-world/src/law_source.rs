//! Sources of the normal law of a contact.
//!
//! A law is either given (for a cylinder possibly for its side only), or it follows from the curvatures at onset: then
//! Hertz's stiffness of an elliptical contact is computed at onset, and the model returns its law. The law and the stiffness
//! remain constant until separation, so that the contact returns the energy that it stores.

use crate::shape::Shape;
use carom::pair::stiffness;
use carom::{Damping, Error, Exit, Law, Model, Pair, Result};

/// Source of a normal law.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LawSource {
    /// A given law. Its mass is replaced by the effective mass of the contact.
    Given(Law),
    /// A given law for the side of a cylinder; contacts at its ends and rims are rejected.
    CylinderSide(Law),
    /// A model with Hertz's stiffness from the curvatures at onset.
    Hertzian(Box<HertzianModel>),
}

/// Description of a Hertzian contact that is complete except for the curvatures.
#[derive(Clone, Debug)]
pub struct HertzianModel {
    /// The model.
    pub model: &'static Model,
    /// Specification of the damping.
    pub damping: Damping,
    /// Exit of contact, if it differs from that of the model.
    pub exit: Option<Exit>,
    /// Parameters of the model that are set explicitly.
    pub set: Vec<(String, f64)>,
    /// Effective modulus E* (Pa).
    pub modulus: f64,
    /// Further properties of the pair that some models need.
    pub facts: Vec<(&'static str, f64)>,
}

/// Contacts in which a surface has no curvatures, for messages.
const NO_CURVATURE: &str = "a Hertzian contact at an edge, a corner, a rim or a flat end";

fn unsupported(what: &str) -> Result<Law> {
    let advice = "give stiffness and exponent of this contact instead of materials";
    Err(Error::unsupported(what, advice))
}

impl LawSource {
    /// Returns the law of a contact with this effective mass (kg) and these principal relative curvatures (1/m).
    ///
    /// # Errors
    /// When curvatures are needed but do not exist, or the model is not valid for them.
    pub fn law(&self, mass: f64, curvatures: Option<(f64, f64)>) -> Result<Law> {
        match self {
            Self::Given(law) => Ok(Law { mass, ..*law }),
            Self::CylinderSide(law) => match curvatures {
                Some(_) => Ok(Law { mass, ..*law }),
                None => unsupported(NO_CURVATURE),
            },
            Self::Hertzian(model) => {
                let Some((low, high)) = curvatures else {
                    return unsupported(NO_CURVATURE);
                };
                if !(high > 0.0) {
                    return unsupported("a Hertzian contact of two faces that lie on each other");
                }
                if !(low > 1e-9 * high) {
                    return unsupported(
                        "a Hertzian contact along a line between a cylinder and a face",
                    );
                }
                let k = stiffness::elliptical(model.modulus, low, high)?;
                let pair = Pair { facts: model.facts.clone(), ..Pair::new(mass, k, 1.5)? };
                model.model.law(&pair, model.damping, model.exit, &model.set)
            }
        }
    }

    /// Rejects pairs of shapes that have no curvatures at any of their contacts: flat faces, edges and corners against each
    /// other, and cylinders against these, which touch along lines.
    ///
    /// # Errors
    /// When the shapes are such a pair; the error says that the contact needs a stiffness.
    pub fn check_curvatures(a: &Shape, b: &Shape) -> Result<()> {
        use Shape::{Box, Cylinder, HalfSpace, Hull};
        match (a, b) {
            (Box { .. } | Hull { .. } | HalfSpace, Box { .. } | Hull { .. } | HalfSpace)
            | (Cylinder { .. }, Box { .. } | Hull { .. })
            | (Box { .. } | Hull { .. }, Cylinder { .. }) => {
                unsupported("a Hertzian contact of flat faces, edges and corners").map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the law depends on the curvatures at onset, or is rejected without them.
    pub fn needs_curvatures(&self) -> bool {
        matches!(self, Self::Hertzian(_) | Self::CylinderSide(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_on_a_plane_has_hertzs_stiffness() {
        let model = HertzianModel {
            model: carom::model("hertz-1881").unwrap(),
            damping: Damping::None,
            exit: None,
            set: Vec::new(),
            modulus: 1e11,
            facts: Vec::new(),
        };
        let source = LawSource::Hertzian(Box::new(model));
        let law = source.law(2.0, Some((100.0, 100.0))).unwrap();
        let expected = stiffness::sphere_plane(1e11, 0.01).unwrap();
        assert!((law.power().unwrap().stiffness / expected - 1.0).abs() < 1e-14);
        assert_eq!(law.mass, 2.0);
        for (curvatures, word) in
            [(None, "edge"), (Some((0.0, 0.0)), "faces"), (Some((0.0, 9.0)), "line")]
        {
            let error = source.law(2.0, curvatures).unwrap_err();
            assert!(error.is_unsupported() && error.to_string().contains(word), "{error}");
        }
    }
}
