//! A world as a page draws it: bodies with shapes, joints, springs.

use carom_world::element::{Anchor, Element};
use carom_world::joint::{Kind, Mount};
use carom_world::math::{Quat, Vec3};
use carom_world::{Mobility, Shape, World};
use serde::Serialize;

type Triple = [f64; 3];
type Four = [f64; 4];

pub fn triple(v: Vec3) -> Triple {
    [v.x, v.y, v.z]
}

fn four(q: Quat) -> Four {
    [q.w, q.v.x, q.v.y, q.v.z]
}

/// A body where it starts.
#[derive(Debug, Serialize)]
pub struct Body {
    name: String,
    /// `free`, `fixed` or `driven`.
    moves: &'static str,
    position: Triple,
    rotation: Four,
    shapes: Vec<Solid>,
}

/// A shape in the axes of its body.
#[derive(Debug, Serialize)]
struct Solid {
    shape: &'static str,
    /// Whether a contact names it.
    touches: bool,
    position: Triple,
    rotation: Four,
    #[serde(flatten)]
    lengths: Lengths,
}

/// What a shape is measured by; what it does not have is left out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
struct Lengths {
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    /// Half the length along z.
    #[serde(skip_serializing_if = "Option::is_none")]
    half: Option<f64>,
    /// Half the edges, or the semi-axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    halves: Option<Triple>,
    /// Corners of a hull, and its faces as triangles that are seen counter-clockwise from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<Triple>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faces: Vec<[usize; 3]>,
}

/// A joint, with its place on both bodies.
#[derive(Debug, Serialize)]
pub struct Joint {
    name: String,
    kind: &'static str,
    a: Place,
    b: Place,
}

/// A point of a body and, for joints, an axis, both in body axes.
#[derive(Debug, Serialize)]
struct Place {
    body: usize,
    point: Triple,
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<Triple>,
}

/// A spring between two points.
#[derive(Debug, Serialize)]
pub struct Spring {
    a: Place,
    b: Place,
}

/// All bodies, the ground first.
pub fn bodies(world: &World) -> Vec<Body> {
    let touches = |shape| world.contacts().iter().any(|c| c.a == shape || c.b == shape);
    let bodies = world.bodies().iter().enumerate();
    let of = |index| {
        let own = world.shapes().iter().enumerate().filter(move |(_, p)| p.body == index);
        own.map(|(shape, placed)| Solid {
            shape: placed.shape.name(),
            touches: touches(shape),
            position: triple(placed.position),
            rotation: four(placed.rotation),
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
                Mobility::Driven { .. } => "driven",
            },
            position: triple(body.position),
            rotation: four(body.rotation),
            shapes: of(index),
        })
        .collect()
}

/// All joints.
pub fn joints(world: &World) -> Vec<Joint> {
    let place = |mount: &Mount| Place {
        body: mount.body,
        point: triple(mount.point),
        axis: Some(triple(mount.rotation.turn(Vec3::Z))),
    };
    let kind = |kind: Kind| Kind::ALL.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name);
    let joints = world.joints().iter();
    joints
        .map(|joint| Joint {
            name: joint.name.clone(),
            kind: kind(joint.kind),
            a: place(&joint.a),
            b: place(&joint.b),
        })
        .collect()
}

/// All springs.
pub fn springs(world: &World) -> Vec<Spring> {
    let place =
        |anchor: &Anchor| Place { body: anchor.body, point: triple(anchor.point), axis: None };
    let springs = world.elements().iter().filter_map(|element| match element {
        Element::Spring { a, b, .. } => Some(Spring { a: place(a), b: place(b) }),
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
        Shape::HalfSpace => none,
        Shape::Box { half } => Lengths { halves: Some(triple(*half)), ..none },
        Shape::Ellipsoid { semi } => Lengths { halves: Some(triple(*semi)), ..none },
        Shape::Capsule { radius, half }
        | Shape::Cylinder { radius, half }
        | Shape::Bore { radius, half } => {
            Lengths { radius: Some(*radius), half: Some(*half), ..none }
        }
        Shape::Hull { points, .. } => Lengths {
            points: points.iter().copied().map(triple).collect(),
            faces: faces(points),
            ..none
        },
    }
}

/// The convex hull of points as triangles, counter-clockwise from outside: points are added one by one, and
/// the faces that a new point sees are replaced by a fan to their rim. Empty where all lie in one plane.
fn faces(points: &[Vec3]) -> Vec<[usize; 3]> {
    let size = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let hair = 1e-9 * size;
    let Some(first) = first(points, hair) else { return Vec::new() };
    let [a, b, c, d] = first;
    let inside = (points[a] + points[b] + points[c] + points[d]) * 0.25;
    let above = |[a, b, c]: [usize; 3], p: Vec3| {
        let normal = (points[b] - points[a]).cross(points[c] - points[a]);
        normal.unit().map_or(0.0, |unit| unit.dot(p - points[a]))
    };
    let outward = |[a, b, c]: [usize; 3]| match above([a, b, c], inside) > 0.0 {
        true => [a, c, b],
        false => [a, b, c],
    };
    let mut faces: Vec<_> = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(outward).to_vec();
    for (index, &point) in points.iter().enumerate() {
        let (seen, hidden): (Vec<_>, Vec<_>) =
            faces.iter().partition(|&&face| above(face, point) > hair);
        if seen.is_empty() {
            continue;
        }
        faces = hidden;
        let edges = |[a, b, c]: [usize; 3]| [(a, b), (b, c), (c, a)];
        let all: std::collections::BTreeSet<_> = seen.iter().copied().flat_map(edges).collect();
        let rim = all.iter().filter(|(a, b)| !all.contains(&(*b, *a)));
        faces.extend(rim.map(|&(a, b)| [a, b, index]));
    }
    faces
}

/// Four points that are not in one plane.
fn first(points: &[Vec3], hair: f64) -> Option<[usize; 4]> {
    let farthest = |measure: &dyn Fn(Vec3) -> f64| {
        let far = points.iter().enumerate().map(|(i, p)| (measure(*p), i));
        far.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(far, _)| *far > hair).map(|(_, i)| i)
    };
    let a = *points.first()?;
    let b = farthest(&|p| (p - a).length())?;
    let line = (points[b] - a).unit()?;
    let c = farthest(&|p| (p - a).across(line).length())?;
    let normal = line.cross(points[c] - a).unit()?;
    let d = farthest(&|p| (p - a).dot(normal).abs())?;
    Some([0, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume within the triangles.
    fn six_volumes(points: &[Vec3], faces: &[[usize; 3]]) -> f64 {
        faces.iter().map(|&[a, b, c]| points[a].dot(points[b].cross(points[c]))).sum()
    }

    #[test]
    fn a_hull_is_closed_and_holds_its_volume() {
        let mut cube: Vec<Vec3> = (0..8)
            .map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
            .collect();
        // Points inside, on a face and on an edge change nothing.
        cube.extend([Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.5, 0.5, 1.0), Vec3::new(0.5, 0.0, 0.0)]);
        let found = faces(&cube);
        assert_eq!(found.len(), 12);
        assert!((six_volumes(&cube, &found) - 6.0).abs() < 1e-12);
        // Points on a sphere: Euler's formula, and nearly the ball.
        let golden = 2.399_963_229_728_653;
        let ball: Vec<Vec3> = (0..400)
            .map(|i| {
                let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 400.0;
                let (r, a) = ((1.0 - z * z).sqrt(), golden * f64::from(i));
                Vec3::new(r * a.cos(), r * a.sin(), z)
            })
            .collect();
        let found = faces(&ball);
        assert_eq!(found.len(), 2 * 400 - 4);
        let volume = six_volumes(&ball, &found) / 6.0;
        assert!((volume / 4.188_79 - 1.0).abs() < 0.03, "{volume}");
    }

    #[test]
    fn flat_points_have_no_hull() {
        let flat: Vec<_> =
            (0..9).map(|i| Vec3::new(f64::from(i % 3), f64::from(i / 3), 0.0)).collect();
        assert!(faces(&flat).is_empty());
        assert!(faces(&[]).is_empty());
        assert!(faces(&[Vec3::X; 5]).is_empty());
    }
}
