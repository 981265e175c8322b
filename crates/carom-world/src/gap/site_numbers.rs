//! Numbers of contact sites: which features of two solids the site of a number is about.

use super::cylinder::RING_POINTS;
use super::polyhedron::Polyhedron;

/// The site of two segments.
pub enum SegmentFeatures {
    /// An end of each.
    Ends(usize, usize),
    /// An end of the first and the side of the second.
    EndAndSide(usize),
    /// The side of the first and an end of the second.
    SideAndEnd(usize),
    Sides,
    /// A ring point of the first cylinder.
    RingPointOfFirst(usize),
    /// A ring point of the second cylinder.
    RingPointOfSecond(usize),
}

impl SegmentFeatures {
    /// Sites without ring points.
    pub const COUNT: usize = 9;

    pub fn of(site: usize) -> Self {
        match site {
            0..4 => Self::Ends(site & 1, site >> 1),
            4..6 => Self::EndAndSide(site - 4),
            6..8 => Self::SideAndEnd(site - 6),
            8 => Self::Sides,
            _ => match (site - Self::COUNT).checked_sub(RING_POINTS) {
                None => Self::RingPointOfFirst(site - Self::COUNT),
                Some(index) => Self::RingPointOfSecond(index),
            },
        }
    }
}

/// The feature of a capsule or cylinder, or of a polyhedron that touches its side.
pub enum PolyhedronFeature {
    /// An end of the segment against the polyhedron.
    End(usize),
    /// An edge of the polyhedron against the side.
    Edge(usize),
    /// A corner of the polyhedron against the side.
    Corner(usize),
    /// A ring point of the cylinder against the polyhedron.
    RingPoint(usize),
}

impl PolyhedronFeature {
    /// Sites without ring points.
    pub fn count(polyhedron: &Polyhedron) -> usize {
        2 + polyhedron.edges() + polyhedron.corners()
    }

    pub fn of(site: usize, polyhedron: &Polyhedron) -> Self {
        let Some(edge) = site.checked_sub(2) else { return Self::End(site) };
        let Some(corner) = edge.checked_sub(polyhedron.edges()) else { return Self::Edge(edge) };
        match corner.checked_sub(polyhedron.corners()) {
            None => Self::Corner(corner),
            Some(point) => Self::RingPoint(point),
        }
    }
}

/// The site of two polyhedra.
pub enum PolyhedronFeatures {
    CornerOfFirst(usize),
    CornerOfSecond(usize),
    /// An edge of each.
    Edges(usize, usize),
}

impl PolyhedronFeatures {
    pub fn of(site: usize, one: &Polyhedron, two: &Polyhedron) -> Self {
        let Some(rest) = site.checked_sub(one.corners()) else { return Self::CornerOfFirst(site) };
        match rest.checked_sub(two.corners()) {
            None => Self::CornerOfSecond(rest),
            Some(edges) => {
                let count = two.edges().max(1);
                Self::Edges(edges / count, edges % count)
            }
        }
    }
}
