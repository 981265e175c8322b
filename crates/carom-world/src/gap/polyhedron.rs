//! Gap between a box or hull and a ball or ellipsoid: at its corners, edges and faces.
//!
//! The gap G of two skins as a function of the vector between their centres is convex (`ellipsoid.rs`). The gap between a skin
//! with its centre at x and a polyhedron P is therefore the minimum of G(p − x) over p in P, and it lies at a corner, at an
//! edge or on a face. For a face with outward normal n and offset d it has a closed form: with y the support point of the skin
//! in direction −n, the gap is n·y − d. The face with the largest gap determines the result if the projection of y lies within
//! that face. Otherwise the edges, including their ends, are searched (`segment.rs`). If x is inside P there is no nearest
//! point; the skin is then pushed out through the face with the largest (least negative) gap, as is done for a ball in a box.

use super::ellipsoid::Skin;
use super::segment::{Segment, nearest, nearest_parameter};
use crate::math::Vec3;
use crate::shape::Hull;

/// A convex polyhedron.
#[derive(Clone, Copy, Debug)]
pub enum Polyhedron<'a> {
    /// A box, given by half the lengths of its edges.
    Block(Vec3),
    /// A hull.
    Hull(&'a Hull),
}

/// Outward normals of the faces of a box.
const BOX_NORMALS: [Vec3; 6] = [
    Vec3::new(-1.0, 0.0, 0.0),
    Vec3::X,
    Vec3::new(0.0, -1.0, 0.0),
    Vec3::Y,
    Vec3::new(0.0, 0.0, -1.0),
    Vec3::Z,
];

impl Polyhedron<'_> {
    /// Returns the number of corners.
    pub fn corners(&self) -> usize {
        match self {
            Self::Block(_) => 8,
            Self::Hull(hull) => hull.corners().len(),
        }
    }

    /// Returns the position of a corner.
    pub fn corner(&self, index: usize) -> Vec3 {
        match self {
            Self::Block(half) => {
                let sign = |bit: usize| if index >> bit & 1 == 0 { -1.0 } else { 1.0 };
                Vec3::new(sign(0), sign(1), sign(2)).scaled(*half)
            }
            Self::Hull(hull) => hull.corners().get(index).copied().unwrap_or_default(),
        }
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        match self {
            Self::Block(_) => 12,
            Self::Hull(hull) => hull.edges().len(),
        }
    }

    /// Returns the two ends of an edge.
    pub fn edge(&self, index: usize) -> (Vec3, Vec3) {
        let (one, two) = match self {
            // The bits of a corner's number are the signs of its coordinates. An edge along an axis joins two corners whose
            // numbers differ only in the bit of that axis; the remaining two bits are those of `k`.
            Self::Block(_) => {
                let (axis, k) = (index / 4, index % 4);
                let corner = (k >> axis) << (axis + 1) | k & ((1 << axis) - 1);
                (corner, corner | 1 << axis)
            }
            Self::Hull(hull) => hull.edges().get(index).copied().unwrap_or_default(),
        };
        (self.corner(one), self.corner(two))
    }

    fn faces(&self) -> usize {
        match self {
            Self::Block(_) => 6,
            Self::Hull(hull) => hull.faces().len(),
        }
    }

    /// Returns outward normal and offset of a face.
    fn face(&self, index: usize) -> (Vec3, f64) {
        match self {
            Self::Block(half) => {
                (BOX_NORMALS[index], BOX_NORMALS[index].dot(BOX_NORMALS[index].scaled(*half)).abs())
            }
            Self::Hull(hull) => (hull.faces()[index].normal, hull.faces()[index].offset),
        }
    }

    /// Returns whether a point in the plane of a face lies within the face.
    fn face_contains(&self, index: usize, point: Vec3) -> bool {
        match self {
            Self::Block(half) => {
                let across = point.perpendicular_to(BOX_NORMALS[index]);
                across.x.abs() <= half.x && across.y.abs() <= half.y && across.z.abs() <= half.z
            }
            Self::Hull(hull) => {
                let face = &hull.faces()[index];
                let corner = |i: usize| hull.corners()[face.corners[i % face.corners.len()]];
                (0..face.corners.len()).all(|i| {
                    let inwards = face.normal.cross(corner(i + 1) - corner(i));
                    inwards.dot(point - corner(i)) >= 0.0
                })
            }
        }
    }

    /// Returns whether a point lies inside the polyhedron.
    pub fn contains(&self, point: Vec3) -> bool {
        (0..self.faces()).all(|index| {
            let (normal, offset) = self.face(index);
            normal.dot(point) < offset
        })
    }

    /// Returns whether a direction (in body coordinates) is the normal of a face.
    pub fn has_face(&self, normal: Vec3) -> bool {
        (0..self.faces()).any(|face| (self.face(face).0 - normal).length() < 1e-7)
    }

    /// Computes the gap between a skin with its centre at x and the polyhedron thickened by `round`, in the frame of the
    /// polyhedron. Returns the distance, the normal out of the polyhedron, and the nearest point of its surface.
    pub fn gap_to_skin(&self, round: f64, skin: &Skin, x: Vec3) -> (f64, Vec3, Vec3) {
        // The face with the largest height of the skin above its plane: outside, no other face can be nearest; inside, no other
        // gives a shorter way out.
        let mut above = (f64::NEG_INFINITY, Vec3::X, x);
        let (mut face, mut outside) = (0, false);
        for index in 0..self.faces() {
            let (normal, offset) = self.face(index);
            let low = x - skin.support(normal);
            let height = normal.dot(low) - offset - round;
            if height > above.0 {
                above = (height, normal, low - normal * height);
                face = index;
            }
            outside |= normal.dot(x) > offset;
        }
        if !outside || self.face_contains(face, above.2 - above.1 * round) {
            return above;
        }
        let mut best = (f64::INFINITY, Vec3::X, x);
        let bound = skin.bounding_radius() + round;
        for index in 0..self.edges() {
            let (one, two) = self.edge(index);
            let edge = Segment::between(one, two, 0.0);
            let nearest_point = edge.middle + edge.half * nearest_parameter(&edge, x);
            let apart = x - nearest_point;
            if apart.length() - bound >= best.0 {
                continue;
            }
            let (distance, normal) = match skin {
                Skin::Ball(radius) => {
                    let normal = apart.unit().unwrap_or(Vec3::X);
                    (apart.length() - radius - round, normal)
                }
                Skin::Ellipsoid(..) => {
                    let ball = Skin::Ball(round);
                    let (near, _, _) = nearest((&ball, skin), &edge, &Segment::point(x));
                    (near.distance, near.normal)
                }
            };
            if distance < best.0 {
                best = (distance, normal, x - skin.support(normal) - normal * distance);
            }
        }
        best
    }
}
