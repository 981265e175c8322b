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
use super::site_numbers::{PolyhedronFeature, PolyhedronFeatures, SegmentFeatures};
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
            Shape::HalfSpace
            | Shape::Socket { .. }
            | Shape::Bore { .. }
            | Shape::Finger { .. }
            | Shape::Stop(_) => return None,
        };
        Some(Self { centre: Vec3::ZERO, half })
    }

    /// The lower (0) or upper (1) half of a capsule or cylinder, in which its end lies.
    fn end(shape: &Shape, index: usize) -> Option<Self> {
        let mut half = Self::whole(shape)?.half;
        half.z *= 0.5;
        let side = if index == 1 { half.z } else { -half.z };
        Some(Self { centre: Vec3::Z * side, half })
    }

    fn ring_point(shape: &Shape, index: usize) -> Option<Self> {
        let Shape::Cylinder { radius, half } = shape else { return None };
        Some(Self::around([cylinder::ring_point(*radius, *half, index)], 0.0))
    }

    fn edge(polyhedron: &Polyhedron, index: usize, skin: f64) -> Self {
        let (one, two) = polyhedron.edge(index);
        Self::around([one, two], skin)
    }
}

/// The boxes around the features of two shapes at a site; none where a shape has no bounds.
pub(crate) fn site_boxes(a: &Shape, b: &Shape, site: usize) -> Option<SiteBoxes> {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let both = |a: Option<FeatureBox>, b: Option<FeatureBox>| Some((a?, b?));
    let whole = FeatureBox::whole;
    match (a, b) {
        // One site.
        (Capsule { .. }, Capsule { .. }) => both(whole(a), whole(b)),
        (Box { .. } | Hull { .. }, Box { .. } | Hull { .. }) => {
            let ((p, round_p), (q, round_q)) = (unrounded(a), unrounded(b));
            match PolyhedronFeatures::of(site, &p, &q) {
                PolyhedronFeatures::CornerOfFirst(i) => {
                    both(Some(FeatureBox::around([p.corner(i)], round_p)), whole(b))
                }
                PolyhedronFeatures::CornerOfSecond(i) => {
                    both(whole(a), Some(FeatureBox::around([q.corner(i)], round_q)))
                }
                PolyhedronFeatures::Edges(i, j) => {
                    let edges =
                        (FeatureBox::edge(&p, i, round_p), FeatureBox::edge(&q, j, round_q));
                    Some(edges)
                }
            }
        }
        (Capsule { .. } | Cylinder { .. }, Box { .. } | Hull { .. }) => {
            let polyhedron = sharp(b)?;
            match PolyhedronFeature::of(site, &polyhedron) {
                PolyhedronFeature::End(i) => both(FeatureBox::end(a, i), whole(b)),
                PolyhedronFeature::RingPoint(i) => both(FeatureBox::ring_point(a, i), whole(b)),
                PolyhedronFeature::Edge(i) => {
                    both(whole(a), Some(FeatureBox::edge(&polyhedron, i, 0.0)))
                }
                PolyhedronFeature::Corner(i) => {
                    both(whole(a), Some(FeatureBox::around([polyhedron.corner(i)], 0.0)))
                }
            }
        }
        (Box { .. } | Hull { .. }, Capsule { .. } | Cylinder { .. }) => {
            site_boxes(b, a, site).map(|(b, a)| (a, b))
        }
        (Capsule { .. } | Cylinder { .. }, Capsule { .. } | Cylinder { .. }) => {
            match SegmentFeatures::of(site) {
                SegmentFeatures::Ends(i, j) => both(FeatureBox::end(a, i), FeatureBox::end(b, j)),
                SegmentFeatures::EndAndSide(i) => both(FeatureBox::end(a, i), whole(b)),
                SegmentFeatures::SideAndEnd(j) => both(whole(a), FeatureBox::end(b, j)),
                SegmentFeatures::Sides => both(whole(a), whole(b)),
                SegmentFeatures::RingPointOfFirst(i) => {
                    both(FeatureBox::ring_point(a, i), whole(b))
                }
                SegmentFeatures::RingPointOfSecond(i) => {
                    both(whole(a), FeatureBox::ring_point(b, i))
                }
            }
        }
        // One site, or a plane.
        _ => both(whole(a), whole(b)),
    }
}

/// A box or hull with sharp edges.
fn sharp(shape: &Shape) -> Option<Polyhedron<'_>> {
    match shape {
        Shape::Box { half } => Some(Polyhedron::Block(*half)),
        Shape::Hull { points } => Some(Polyhedron::Hull(points)),
        _ => None,
    }
}

/// How two shapes lie to each other.
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
        along(between, a.half, &self.turn, b.half).max(along(
            self.back.of(between),
            b.half,
            &self.back,
            a.half,
        ))
    }
}
