//! Lower bounds of gaps from boxes around the two features of a site, by which most sites of a pair can be excluded cheaply.
//!
//! Two boxes have 160 sites. While one stands on the other, some twenty of them are near each other. In the axes of its own
//! shape every feature lies in a constant box. Along any axis the boxes of two features are apart by the distance of their
//! centres less their half widths, and the gap cannot be smaller than that. The three axes of each shape are tried. This takes
//! some thirty multiplications per site, whereas the gap itself requires a search for the nearest points.

use super::cylinder;
use super::features::core_polyhedron;
use super::kinematics::Frame;
use super::polyhedron::Polyhedron;
use super::site_numbers::{
    Feature, features_of_polyhedra, features_of_segment_and_polyhedron, features_of_segments,
};
use crate::math::{Mat3, Vec3};
use crate::shape::Shape;

/// A box with edges parallel to the axes of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FeatureBox {
    centre: Vec3,
    half: Vec3,
}

/// Boxes around the features of both shapes at a site, each in the axes of its own shape.
pub(crate) type SiteBoxes = (FeatureBox, FeatureBox);

impl FeatureBox {
    fn around(points: impl IntoIterator<Item = Vec3>, skin: f64) -> Self {
        let ends = points.into_iter().map(|p| (p, p));
        let ends = ends.reduce(|(low, high), (p, _)| (low.min(p), high.max(p)));
        let (low, high) = ends.unwrap_or_default();
        Self { centre: (low + high) * 0.5, half: (high - low) * 0.5 + Vec3::splat(skin) }
    }

    /// Returns the box around a whole solid; none for shapes that are unbounded.
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

    /// Returns the box around a feature of a solid; none for shapes that are unbounded. Between two polyhedra, edges and
    /// corners are those of their cores, thickened by their roundings.
    fn of(shape: &Shape, feature: Feature, between_polyhedra: bool) -> Option<Self> {
        let polyhedron = || match between_polyhedra {
            true => Some(core_polyhedron(shape)),
            false => Some((sharp_polyhedron(shape)?, 0.0)),
        };
        match feature {
            Feature::Whole => Self::whole(shape),
            // The half of the capsule or cylinder that contains the end.
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

/// Returns the boxes around the features of two shapes at a site; none if a shape is unbounded.
pub(crate) fn site_boxes(a: &Shape, b: &Shape, site: usize) -> Option<SiteBoxes> {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let mut between_polyhedra = false;
    let [of_a, of_b] = match (a, b) {
        (Box { .. } | Hull { .. }, Box { .. } | Hull { .. }) => {
            between_polyhedra = true;
            features_of_polyhedra(site, &core_polyhedron(a).0, &core_polyhedron(b).0)
        }
        (Capsule { .. } | Cylinder { .. }, Box { .. } | Hull { .. }) => {
            features_of_segment_and_polyhedron(site, &sharp_polyhedron(b)?)
        }
        (Box { .. } | Hull { .. }, Capsule { .. } | Cylinder { .. }) => {
            return site_boxes(b, a, site).map(|(b, a)| (a, b));
        }
        // Two capsules have one site.
        (Cylinder { .. }, Capsule { .. } | Cylinder { .. }) | (Capsule { .. }, Cylinder { .. }) => {
            features_of_segments(site)
        }
        _ => [Feature::Whole; 2],
    };
    Some((FeatureBox::of(a, of_a, between_polyhedra)?, FeatureBox::of(b, of_b, between_polyhedra)?))
}

/// Returns the polyhedron of a box or hull, with sharp edges; none for other shapes.
pub fn sharp_polyhedron(shape: &Shape) -> Option<Polyhedron<'_>> {
    match shape {
        Shape::Box { half } => Some(Polyhedron::Block(*half)),
        Shape::Hull { points } => Some(Polyhedron::Hull(points)),
        _ => None,
    }
}

/// The pose of one shape relative to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeFrame {
    /// Rotations from the axes of b to those of a, and from the axes of a to those of b.
    b_to_a: Mat3,
    a_to_b: Mat3,
    /// Vector from the origin of a to that of b, in the axes of a.
    offset: Vec3,
}

impl RelativeFrame {
    pub fn new(a: &Frame, b: &Frame) -> Self {
        let to_a = a.rotation.inverse();
        let axis = |unit: Vec3| to_a.rotate(b.rotation.rotate(unit));
        let a_to_b = Mat3([axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z)]);
        Self { b_to_a: a_to_b.transposed(), a_to_b, offset: to_a.rotate(b.origin - a.origin) }
    }

    /// Returns a lower bound of the gap between the contents of two boxes. If it is negative, the boxes overlap along all axes
    /// that are tried, and the gap may have any value.
    pub fn gap_bound(&self, (a, b): &SiteBoxes) -> f64 {
        let between = self.offset + self.b_to_a.of(b.centre) - a.centre;
        let along = |vector: Vec3, own: Vec3, matrix: &Mat3, other: Vec3| {
            let reach =
                |row: Vec3| row.x.abs() * other.x + row.y.abs() * other.y + row.z.abs() * other.z;
            let [x, y, z] = matrix.0;
            (vector.x.abs() - own.x - reach(x))
                .max(vector.y.abs() - own.y - reach(y))
                .max(vector.z.abs() - own.z - reach(z))
        };
        let from_b = along(self.a_to_b.of(between), b.half, &self.a_to_b, a.half);
        along(between, a.half, &self.b_to_a, b.half).max(from_b)
    }
}
