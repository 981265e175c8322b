//! Shape and contact parameters of an MJCF geometry.

use super::super::description::Edit;
use super::super::pose::{Pose, add, norm, scale, subtract, z_onto};
use super::super::solid::Shape;
use super::super::xml::Place;
use super::attributes::{Angles, Attributes};
use crate::error::Result;

/// Default of `solref` in MuJoCo.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default of `solimp` in MuJoCo.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Contact parameters of a geometry.
#[derive(Clone, Debug)]
pub struct Surface {
    pub contype: i64,
    pub conaffinity: i64,
    pub condim: i64,
    pub priority: i64,
    pub solmix: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub friction: [f64; 3],
    pub margin: f64,
    /// Places where `solref` and `solimp` are written, if they are.
    pub solref_place: Option<Place>,
    pub solimp_place: Option<Place>,
    /// Place where another `solref` would be written.
    pub write: Edit,
}

/// Reads the contact parameters of a geometry.
pub fn surface(attributes: &Attributes) -> Result<Surface> {
    Ok(Surface {
        contype: attributes.integer("contype", 1)?,
        conaffinity: attributes.integer("conaffinity", 1)?,
        condim: attributes.integer("condim", 3)?,
        priority: attributes.integer("priority", 0)?,
        solmix: attributes.number("solmix", 1.0)?,
        solref: attributes.fill("solref", SOLREF)?,
        solimp: attributes.fill("solimp", SOLIMP)?,
        friction: attributes.fill("friction", [1.0, 0.005, 0.0001])?,
        margin: attributes.number("margin", 0.0)?,
        solref_place: attributes.attribute("solref").map(|attribute| attribute.place),
        solimp_place: attributes.attribute("solimp").map(|attribute| attribute.place),
        write: Edit::attribute("solref", attributes.attribute("solref"), attributes.own),
    })
}

/// Returns shape and frame of a geometry; `fromto` defines the ends of its axis.
pub fn shape(attributes: &Attributes, angles: &Angles) -> Result<(Shape, Pose)> {
    let size = attributes.fill("size", [0.0; 3])?;
    let at = |i: usize| size.get(i).copied().filter(|x| *x > 0.0);
    let mut pose = angles.pose(attributes)?;
    let mut half_length = None;
    if let Some(&[a, b, c, d, e, f]) = attributes.numbers("fromto")?.as_deref() {
        let along = subtract([d, e, f], [a, b, c]);
        half_length = Some(0.5 * norm(along));
        pose.position = scale(add([a, b, c], [d, e, f]), 0.5);
        // The axis points from the second end to the first.
        pose.rotation = z_onto(scale(along, -1.0));
    }
    let shape = match (attributes.value("type").unwrap_or("sphere"), at(0)) {
        ("plane", _) => Some(Shape::Plane),
        ("sphere", Some(radius)) => Some(Shape::Sphere { radius }),
        (kind @ ("capsule" | "cylinder"), Some(radius)) => {
            half_length.or(at(1)).map(|half| match kind {
                "capsule" => Shape::Capsule { radius, half },
                _ => Shape::Cylinder { radius, half },
            })
        }
        (kind @ ("box" | "ellipsoid"), Some(x)) => {
            let half = [Some(x), at(1).or(half_length.and(Some(x))), half_length.or(at(2))];
            match half {
                [Some(x), Some(y), Some(z)] if kind == "box" => {
                    Some(Shape::Box { half: [x, y, z] })
                }
                [Some(x), Some(y), Some(z)] => Some(Shape::Ellipsoid { half: [x, y, z] }),
                _ => None,
            }
        }
        _ => None,
    };
    Ok((shape.unwrap_or(Shape::Other), pose))
}
