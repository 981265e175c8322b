//! Numbering of contact sites: which features of two solids belong to a site number.

use super::cylinder::RING_POINTS;
use super::polyhedron::Polyhedron;
use Feature::{Corner, Edge, End, RingPoint, Whole};

/// Feature of a solid that may touch at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The side of a capsule or cylinder, or all of a polyhedron.
    Whole,
    /// The lower (0) or upper (1) end of a capsule or cylinder.
    End(usize),
    /// A point of the two rings of a cylinder.
    RingPoint(usize),
    Edge(usize),
    Corner(usize),
}

/// Number of sites of two segments, without ring points.
pub const SEGMENT_SITES: usize = 9;

/// Returns the features of two capsules or cylinders at a site.
pub fn features_of_segments(site: usize) -> [Feature; 2] {
    match site {
        0..4 => [End(site & 1), End(site >> 1)],
        4..6 => [End(site - 4), Whole],
        6..8 => [Whole, End(site - 6)],
        8 => [Whole, Whole],
        _ => match (site - SEGMENT_SITES).checked_sub(RING_POINTS) {
            None => [RingPoint(site - SEGMENT_SITES), Whole],
            Some(index) => [Whole, RingPoint(index)],
        },
    }
}

/// Returns the features of a capsule or cylinder and of a polyhedron at a site.
pub fn features_of_segment_and_polyhedron(site: usize, polyhedron: &Polyhedron) -> [Feature; 2] {
    let Some(edge) = site.checked_sub(2) else { return [End(site), Whole] };
    let Some(corner) = edge.checked_sub(polyhedron.edges()) else { return [Whole, Edge(edge)] };
    match corner.checked_sub(polyhedron.corners()) {
        None => [Whole, Corner(corner)],
        Some(point) => [RingPoint(point), Whole],
    }
}

/// Returns the features of two polyhedra at a site.
pub fn features_of_polyhedra(site: usize, one: &Polyhedron, two: &Polyhedron) -> [Feature; 2] {
    let Some(rest) = site.checked_sub(one.corners()) else { return [Corner(site), Whole] };
    match rest.checked_sub(two.corners()) {
        None => [Whole, Corner(rest)],
        Some(edges) => {
            let count = two.edges().max(1);
            [Edge(edges / count), Edge(edges % count)]
        }
    }
}
