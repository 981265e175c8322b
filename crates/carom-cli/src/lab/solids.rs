//! The geometry of a scene for the page: bodies with shapes, joints, springs.

use carom_world::element::{Anchor, Element};
use carom_world::grains::Wall;
use carom_world::joint::{Kind, Mount};
use carom_world::math::{Quat, Vec3};
use carom_world::{Mobility, Shape, World};
use serde::Serialize;

type Triple = [f64; 3];
type Quadruple = [f64; 4];

pub fn triple(v: Vec3) -> Triple {
    [v.x, v.y, v.z]
}

fn quadruple(q: Quat) -> Quadruple {
    [q.w, q.v.x, q.v.y, q.v.z]
}

/// A body in its initial pose.
#[derive(Debug, Serialize)]
pub struct Body {
    name: String,
    /// `free`, `fixed` or `driven`.
    moves: &'static str,
    position: Triple,
    rotation: Quadruple,
    shapes: Vec<Solid>,
}

/// A shape in the body axes.
#[derive(Debug, Serialize)]
struct Solid {
    shape: &'static str,
    /// Whether the shape is part of a contact.
    touches: bool,
    position: Triple,
    rotation: Quadruple,
    #[serde(flatten)]
    lengths: Lengths,
}

/// Dimensions of a shape; those that do not apply are left out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
struct Lengths {
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    /// Half of the length along z.
    #[serde(skip_serializing_if = "Option::is_none")]
    half: Option<f64>,
    /// Half of the edge lengths of a box, or the semi-axes of an ellipsoid.
    #[serde(skip_serializing_if = "Option::is_none")]
    halves: Option<Triple>,
    /// Vertices of a hull, and its faces as triangles, counter-clockwise seen from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<Triple>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faces: Vec<[usize; 3]>,
}

/// A joint, with its point and axis on both bodies.
#[derive(Debug, Serialize)]
pub struct Joint {
    name: String,
    kind: &'static str,
    a: AttachmentPoint,
    b: AttachmentPoint,
}

/// A point of a body and, for joints, an axis, both in body axes.
#[derive(Debug, Serialize)]
struct AttachmentPoint {
    body: usize,
    point: Triple,
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<Triple>,
}

/// A spring between two points.
#[derive(Debug, Serialize)]
pub struct Spring {
    a: AttachmentPoint,
    b: AttachmentPoint,
}

/// Returns all bodies, the ground first.
pub fn bodies(world: &World) -> Vec<Body> {
    let touches = |shape| world.contacts().iter().any(|c| c.a == shape || c.b == shape);
    let bodies = world.bodies().iter().enumerate();
    let of = |index| {
        let drawn = |shape: &Shape| !matches!(shape, Shape::Finger { .. } | Shape::Stop(_));
        let own = world.shapes().iter().enumerate();
        let own = own.filter(move |(_, p)| p.body == index && drawn(&p.shape));
        own.map(|(shape, placed)| Solid {
            shape: placed.shape.name(),
            touches: touches(shape),
            position: triple(placed.position),
            rotation: quadruple(placed.rotation),
            lengths: lengths(&placed.shape),
        })
        .collect()
    };
    bodies
        .map(|(index, body)| Body {
            name: body.name.clone(),
            moves: match body.mobility {
                Mobility::Free => "free",
                Mobility::Fixed => "fixed",
                Mobility::Driven(_) => "driven",
            },
            position: triple(body.position),
            rotation: quadruple(body.rotation),
            shapes: of(index),
        })
        .collect()
}

/// Returns the ground with these walls of a bed as half-spaces.
pub fn planes<'a>(walls: impl Iterator<Item = &'a Wall>) -> Vec<Body> {
    let shapes = walls.map(|wall| {
        // The rotation that turns z into the normal is a rotation by π about the bisector of the two.
        let half = (Vec3::Z + wall.normal).unit();
        Solid {
            shape: Shape::HalfSpace.name(),
            touches: true,
            position: triple(wall.point),
            rotation: half.map_or([0.0, 1.0, 0.0, 0.0], |h| [0.0, h.x, h.y, h.z]),
            lengths: Lengths::default(),
        }
    });
    let (name, position, rotation) = ("ground".to_string(), [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    vec![Body { name, moves: "fixed", position, rotation, shapes: shapes.collect() }]
}

/// Returns all joints.
pub fn joints(world: &World) -> Vec<Joint> {
    let attachment = |mount: &Mount| AttachmentPoint {
        body: mount.body,
        point: triple(mount.point),
        axis: Some(triple(mount.rotation.rotate(Vec3::Z))),
    };
    let kind = |kind: Kind| Kind::ALL.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name);
    let joints = world.joints().iter();
    joints
        .map(|joint| Joint {
            name: joint.name.clone(),
            kind: kind(joint.kind),
            a: attachment(&joint.a),
            b: attachment(&joint.b),
        })
        .collect()
}

/// Returns all springs.
pub fn springs(world: &World) -> Vec<Spring> {
    let attachment = |anchor: &Anchor| AttachmentPoint {
        body: anchor.body,
        point: triple(anchor.point),
        axis: None,
    };
    let springs = world.elements().iter().filter_map(|element| match element {
        Element::Spring { a, b, .. } => Some(Spring { a: attachment(a), b: attachment(b) }),
        _ => None,
    });
    springs.collect()
}

fn lengths(shape: &Shape) -> Lengths {
    let none = Lengths::default();
    match shape {
        Shape::Sphere { radius } | Shape::Socket { radius } => {
            Lengths { radius: Some(*radius), ..none }
        }
        Shape::HalfSpace | Shape::Finger { .. } | Shape::Stop(_) => none,
        Shape::Box { half } => Lengths { halves: Some(triple(*half)), ..none },
        Shape::Ellipsoid { semi } => Lengths { halves: Some(triple(*semi)), ..none },
        Shape::Capsule { radius, half }
        | Shape::Cylinder { radius, half }
        | Shape::Bore { radius, half } => {
            Lengths { radius: Some(*radius), half: Some(*half), ..none }
        }
        Shape::Hull { points } => Lengths {
            points: points.corners().iter().copied().map(triple).collect(),
            faces: points.faces().iter().flat_map(|face| fan(&face.corners)).collect(),
            ..none
        },
    }
}

/// Splits a convex face into triangles.
fn fan(corners: &[usize]) -> impl Iterator<Item = [usize; 3]> {
    corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]])
}
