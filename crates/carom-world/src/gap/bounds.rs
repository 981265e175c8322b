//! Bounds of gaps: boxes around the two features of a site, which say that most sites of a pair cannot act now.
//!
//! Two boxes have 160 sites, of which some twenty are near each other while one stands on the other. In the axes of its own shape every
//! feature lies in a constant box. Along any axis the boxes are apart by the distance of their centres less their half widths, and no
//! gap is smaller than that; the three axes of each shape are tried. Per site that is some thirty multiplications, where the gap
//! itself takes a search for the nearest points.

use super::cylinder;
use super::features::unrounded;
use super::kinematics::Frame;
use super::polyhedron::Polyhedron;
use super::site_numbers::{Feature, of_polyhedra, of_segment_and_polyhedron, of_segments};
use crate::math::{Mat3, Vec3};
use crate::shape::Shape;

/// A box along the axes of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FeatureBox {
    centre: Vec3,
    half: Vec3,
}

/// The boxes around the features of both shapes at a site.
pub(crate) type SiteBoxes = (FeatureBox, FeatureBox);

impl FeatureBox {
    fn around(points: impl IntoIterator<Item = Vec3>, skin: f64) -> Self {
        let ends = points.into_iter().map(|p| (p, p));
        let ends = ends.reduce(|(low, high), (p, _)| (low.min(p), high.max(p)));
        let (low, high) = ends.unwrap_or_default();
        Self { centre: (low + high) * 0.5, half: (high - low) * 0.5 + Vec3::splat(skin) }
    }

    /// The whole of a solid; none for shapes that are not bounded by a box.
    fn whole(shape: &Shape) -> Option<Self> {
        let half = match shape {
            Shape::Sphere { radius } => Vec3::splat(*radius),
            Shape::Ellipsoid { semi } => *semi,
            Shape::Capsule { radius, half } => Vec3::new(*radius, *radius, radius + half),
            Shape::Cylinder { radius, half } => Vec3::new(*radius, *radius, *half),
            Shape::Box { half } => *half,
            Shape::Hull { points } => {
                return Some(Self::around(points.corners().iter().copied(), 0.0));
            }
            _ => return None,
        };
        Some(Self { centre: Vec3::ZERO, half })
    }

    /// A feature of a solid; none for shapes that are not bounded by a box. Edges and corners of two polyhedra are those of their
    /// cores, thickened by their roundings.
    fn of(shape: &Shape, feature: Feature, between_polyhedra: bool) -> Option<Self> {
        let polyhedron = || match between_polyhedra {
            true => Some(unrounded(shape)),
            false => Some((sharp(shape)?, 0.0)),
        };
        match feature {
            Feature::Whole => Self::whole(shape),
            // The half of a capsule or cylinder in which its end lies.
            Feature::End(index) => {
                let mut half = Self::whole(shape)?.half;
                half.z *= 0.5;
                let side = if index == 1 { half.z } else { -half.z };
                Some(Self { centre: Vec3::Z * side, half })
            }
            Feature::RingPoint(index) => {
                let Shape::Cylinder { radius, half } = shape else { return None };
                Some(Self::around([cylinder::ring_point(*radius, *half, index)], 0.0))
            }
            Feature::Edge(index) => {
                let (polyhedron, skin) = polyhedron()?;
                let (one, two) = polyhedron.edge(index);
                Some(Self::around([one, two], skin))
            }
            Feature::Corner(index) => {
                let (polyhedron, skin) = polyhedron()?;
                Some(Self::around([polyhedron.corner(index)], skin))
            }
        }
    }
}

/// The boxes around the features of two shapes at a site; none where a shape has no bounds.
pub(crate) fn site_boxes(a: &Shape, b: &Shape, site: usize) -> Option<SiteBoxes> {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let mut between_polyhedra = false;
    let [of_a, of_b] = match (a, b) {
        (Box { .. } | Hull { .. }, Box { .. } | Hull { .. }) => {
            between_polyhedra = true;
            of_polyhedra(site, &unrounded(a).0, &unrounded(b).0)
        }
        (Capsule { .. } | Cylinder { .. }, Box { .. } | Hull { .. }) => {
            of_segment_and_polyhedron(site, &sharp(b)?)
        }
        (Box { .. } | Hull { .. }, Capsule { .. } | Cylinder { .. }) => {
            return site_boxes(b, a, site).map(|(b, a)| (a, b));
        }
        // Two capsules have one site.
        (Cylinder { .. }, Capsule { .. } | Cylinder { .. }) | (Capsule { .. }, Cylinder { .. }) => {
            of_segments(site)
        }
        _ => [Feature::Whole; 2],
    };
    Some((FeatureBox::of(a, of_a, between_polyhedra)?, FeatureBox::of(b, of_b, between_polyhedra)?))
}

/// A box or hull with sharp edges.
pub fn sharp(shape: &Shape) -> Option<Polyhedron<'_>> {
    match shape {
        Shape::Box { half } => Some(Polyhedron::Block(*half)),
        Shape::Hull { points } => Some(Polyhedron::Hull(points)),
        _ => None,
    }
}

/// The pose of one shape relative to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeFrame {
    /// Axes of b in those of a, by columns, and the other way round.
    turn: Mat3,
    back: Mat3,
    /// From a to b, in the axes of a.
    offset: Vec3,
}

impl RelativeFrame {
    pub fn new(a: &Frame, b: &Frame) -> Self {
        let to_a = a.rotation.inverse();
        let axis = |unit: Vec3| to_a.turn(b.rotation.turn(unit));
        let back = Mat3([axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z)]);
        Self { turn: back.transposed(), back, offset: to_a.turn(b.origin - a.origin) }
    }

    /// A lower bound of the gap of what two boxes contain; below 0 where there is none.
    pub fn apart(&self, (a, b): &SiteBoxes) -> f64 {
        let between = self.offset + self.turn.of(b.centre) - a.centre;
        let along = |vector: Vec3, own: Vec3, matrix: &Mat3, other: Vec3| {
            let reach =
                |row: Vec3| row.x.abs() * other.x + row.y.abs() * other.y + row.z.abs() * other.z;
            let [x, y, z] = matrix.0;
            (vector.x.abs() - own.x - reach(x))
                .max(vector.y.abs() - own.y - reach(y))
                .max(vector.z.abs() - own.z - reach(z))
        };
        let from_b = along(self.back.of(between), b.half, &self.back, a.half);
        along(between, a.half, &self.turn, b.half).max(from_b)
    }
}
