//! Approximate convex decomposition: a concave mesh is cut by planes until the hulls of its pieces enclose hardly more volume
//! than the mesh.
//!
//! A piece is a set of oriented triangles, so that volumes are exact sums for cuts of any shape. The opening that a plane
//! leaves is closed by triangles from one of its points to all cut edges. Where the section is concave these triangles overlap
//! and their contributions cancel. Such lids are used for volumes only: where they cancel there is no material, and their
//! corners are not corners of the piece. The piece whose hull has the largest excess volume is cut next, by the plane that
//! leaves the smallest total excess. Candidates are planes of its own faces, which separate parts made of prisms exactly, and
//! planes perpendicular to the axes. No single plane reduces the excess of a ring, because each half has half of the hull of
//! the whole; as long as the pieces would be refused, two successive cuts are therefore considered together.
//!
//! Surfaces that enclose a cavity are left out, because nothing can touch them from outside.

use super::{ConvexPieces, Mesh};
use crate::disjoint_sets::DisjointSets;
use crate::math::Vec3;
use crate::shape::{Hull, hull};
use carom::{Error, Result};
use std::collections::BTreeMap;

/// Excess volume of the hulls, divided by the volume of the mesh, below which no more cuts are made.
const ACCEPTED_EXCESS: f64 = 0.005;
/// Relative error of the volume of all hulls above which the pieces are refused.
const MAX_VOLUME_ERROR: f64 = 0.1;
/// Largest number of triangles of a mesh that is cut.
const MAX_TRIANGLES: usize = 5000;
/// Largest number of planes of faces that are tried for a cut.
const MAX_PLANES: usize = 48;
/// Largest number of corners of a piece; the number of sites of two pieces grows with the product of their edges.
const MAX_CORNERS: usize = 64;
/// Distance from a plane, divided by the size, below which points belong to the plane, because files have single precision.
const FLATNESS: f64 = 1e-6;

/// Surface of a piece: the part from the mesh itself, and the lids on its cuts.
#[derive(Clone, Default)]
struct Boundary {
    surface: Vec<[Vec3; 3]>,
    lids: Vec<[Vec3; 3]>,
}

/// A piece with its volume and that of its hull.
#[derive(Clone)]
struct Piece {
    boundary: Boundary,
    volume: f64,
    hull: f64,
    /// No cut reduces the excess volume.
    is_final: bool,
}

/// The plane n·p = offset.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Piece {
    fn of(boundary: Boundary, size: f64) -> Self {
        let middle = boundary.surface.first().map_or(Vec3::ZERO, |triangle| triangle[0]);
        let volume = volume(boundary.surface.iter().chain(&boundary.lids).copied(), middle);
        let points = distinct_corners(&boundary, size);
        let hull = hull_volume(&points);
        Self { boundary, volume, hull, is_final: false }
    }

    fn excess(&self) -> f64 {
        self.hull - self.volume
    }
}

/// Cuts a mesh into convex pieces.
pub fn convex_pieces(mesh: &Mesh, most: usize) -> Result<ConvexPieces> {
    let boundary = outer_surfaces(mesh);
    let middle = hull::mean(&mesh.points);
    let size = mesh.points.iter().map(|p| (*p - middle).length()).fold(0.0, f64::max);
    let whole = Piece::of(boundary, size);
    let total = whole.volume;
    let mut pieces = vec![whole];
    while pieces.len() < most.max(1) {
        let excess: f64 = pieces.iter().map(Piece::excess).sum();
        let open = (0..pieces.len()).filter(|&i| !pieces[i].is_final);
        let worst = open.max_by(|&i, &j| pieces[i].excess().total_cmp(&pieces[j].excess()));
        let Some(worst) = worst.filter(|_| excess > ACCEPTED_EXCESS * total) else { break };
        if mesh.triangles.len() > MAX_TRIANGLES {
            let found = format!("concave with {} triangles", mesh.triangles.len());
            let allowed = format!("at most {MAX_TRIANGLES} to be cut into convex pieces");
            let advice = "simplify it, or make the body of several parts with a convex mesh each";
            return Err(Error::invalid("mesh", found, allowed, advice));
        }
        let mut found = best_cut(&pieces[worst], size, total);
        if found.is_none() && excess > MAX_VOLUME_ERROR * total {
            found = best_first_of_two_cuts(&pieces[worst], size, total);
        }
        match found {
            Some((one, two)) => {
                pieces[worst] = one;
                pieces.push(two);
            }
            None => pieces[worst].is_final = true,
        }
    }
    let hulls: Result<Vec<Hull>> =
        pieces.iter().map(|piece| hull_of(&piece.boundary, size)).collect();
    let hulls = hulls?;
    let covered: f64 = hulls.iter().map(|hull| hull.solid(1.0).mass).sum();
    let volume_error = covered / total - 1.0;
    if volume_error.abs() > MAX_VOLUME_ERROR {
        let found =
            format!("{} pieces, whose volume is off by {:.0} %", hulls.len(), 100.0 * volume_error);
        let advice = "allow more pieces, or make the body of several parts with a convex mesh each";
        return Err(Error::invalid(
            "pieces",
            found,
            "so many that they come near the mesh",
            advice,
        ));
    }
    Ok(ConvexPieces { hulls, volume_error })
}

/// Computes the hull of a piece; if it has too many corners, that of a selection of its outermost points.
fn hull_of(boundary: &Boundary, size: f64) -> Result<Hull> {
    let points = distinct_corners(boundary, size);
    let hull = Hull::with_flatness(&points, FLATNESS)?;
    if hull.corners().len() <= MAX_CORNERS {
        return Ok(hull);
    }
    // Keeps the farthest corners in directions that are distributed evenly over the sphere (a spiral with the golden angle).
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut chosen = BTreeMap::new();
    for i in 0..MAX_CORNERS {
        let z = 1.0 - (2 * i + 1) as f64 / MAX_CORNERS as f64;
        let (across, turn) = ((1.0 - z * z).sqrt(), golden * i as f64);
        let along = Vec3::new(across * turn.cos(), across * turn.sin(), z);
        let corners = hull.corners().iter().enumerate();
        let farthest = corners.max_by(|a, b| along.dot(*a.1).total_cmp(&along.dot(*b.1)));
        chosen.extend(farthest.map(|(index, corner)| (index, *corner)));
    }
    Hull::with_flatness(&chosen.into_values().collect::<Vec<_>>(), FLATNESS)
}

/// Returns the triangles of the outer surfaces; the surfaces of cavities are recognised by their negative volume.
fn outer_surfaces(mesh: &Mesh) -> Boundary {
    let mut connected = DisjointSets::new(mesh.points.len());
    for &[a, b, c] in &mesh.triangles {
        connected.join(a, b);
        connected.join(b, c);
    }
    let mut surfaces: BTreeMap<usize, Vec<[Vec3; 3]>> = BTreeMap::new();
    for triangle in &mesh.triangles {
        let own = surfaces.entry(connected.root(triangle[0])).or_default();
        own.push(triangle.map(|point| mesh.points[point]));
    }
    let outer = |own: &Vec<[Vec3; 3]>| volume(own.iter().copied(), own[0][0]) > 0.0;
    let surface = surfaces.into_values().filter(outer).flatten().collect();
    Boundary { surface, lids: Vec::new() }
}

/// Finds the cut that leaves the smallest volume between hulls and pieces; none if no cut reduces it.
fn best_cut(piece: &Piece, size: f64, total: f64) -> Option<(Piece, Piece)> {
    best_cut_among(piece, candidate_planes(piece, size), size, total, Piece::excess)
}

/// Finds the cut through the middle that leaves the smallest excess volume after both of its parts have been cut again; none if
/// that does not reduce the excess.
fn best_first_of_two_cuts(piece: &Piece, size: f64, total: f64) -> Option<(Piece, Piece)> {
    let middle = planes_across_axes(&distinct_corners(&piece.boundary, size), &[0.5]);
    best_cut_among(piece, middle, size, total, |half| match best_cut(half, size, total) {
        Some((one, two)) => one.excess() + two.excess(),
        None => half.excess(),
    })
}

/// Finds the cut by one of the planes for which the sum of `left` over both parts is smallest. The sum must be below the excess
/// of the piece, and both parts must have a hull.
fn best_cut_among(
    piece: &Piece,
    planes: Vec<Plane>,
    size: f64,
    total: f64,
    left: impl Fn(&Piece) -> f64,
) -> Option<(Piece, Piece)> {
    let parts = planes.into_iter().filter_map(|plane| cut_by_plane(piece, plane, size, total));
    let mut cuts: Vec<_> = parts.map(|(one, two)| (left(&one) + left(&two), one, two)).collect();
    cuts.retain(|(left, ..)| *left < 0.99 * piece.excess());
    cuts.sort_by(|(one, ..), (two, ..)| one.total_cmp(two));
    let has_hull = |part: &Piece| hull_of(&part.boundary, size).is_ok();
    let best = cuts.into_iter().find(|(_, one, two)| has_hull(one) && has_hull(two));
    best.map(|(_, one, two)| (one, two))
}

/// Cuts a piece by a plane into two parts; none if one of them has hardly any volume.
fn cut_by_plane(piece: &Piece, plane: Plane, size: f64, total: f64) -> Option<(Piece, Piece)> {
    let sides = [plane, Plane { normal: -plane.normal, offset: -plane.offset }];
    let [one, two] = sides.map(|side| Piece::of(part_above(&piece.boundary, side, size), size));
    (one.volume >= 1e-6 * total && two.volume >= 1e-6 * total).then_some((one, two))
}

/// Returns planes that may cut a piece: those of its largest faces, and planes perpendicular to the axes.
fn candidate_planes(piece: &Piece, size: f64) -> Vec<Plane> {
    let points = distinct_corners(&piece.boundary, size);
    let mut faces: Vec<(f64, Plane)> = Vec::new();
    for [a, b, c] in &piece.boundary.surface {
        let area = (*b - *a).cross(*c - *a);
        let Some(normal) = area.unit() else { continue };
        let plane = Plane { normal, offset: normal.dot(*a) };
        let same = |(_, other): &&mut (f64, Plane)| {
            (other.normal.dot(normal).abs() > 1.0 - 1e-9)
                && (other.normal.dot(*a) - other.offset).abs() < FLATNESS * size
        };
        match faces.iter_mut().find(same) {
            Some((sum, _)) => *sum += area.length(),
            None => faces.push((area.length(), plane)),
        }
    }
    let cuts = |plane: &Plane| {
        let heights = || points.iter().map(|p| plane.normal.dot(*p) - plane.offset);
        heights().any(|h| h > 1e-3 * size) && heights().any(|h| h < -1e-3 * size)
    };
    faces.retain(|(_, plane)| cuts(plane));
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    faces.truncate(MAX_PLANES);
    let mut found: Vec<Plane> = faces.into_iter().map(|(_, plane)| plane).collect();
    found.extend(planes_across_axes(&points, &[0.25, 0.5, 0.75]));
    found
}

/// Returns planes perpendicular to the axes, at fractions of the extent of the points.
fn planes_across_axes(points: &[Vec3], shares: &[f64]) -> Vec<Plane> {
    let mut found = Vec::new();
    for normal in [Vec3::X, Vec3::Y, Vec3::Z] {
        let heights = || points.iter().map(|p| normal.dot(*p));
        let (low, high) =
            (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        found.extend(
            shares.iter().map(|share| Plane { normal, offset: low + share * (high - low) }),
        );
    }
    found
}

/// Returns the part of a piece above a plane, closed by a lid in the plane.
fn part_above(boundary: &Boundary, plane: Plane, size: f64) -> Boundary {
    let height = |p: Vec3| match plane.normal.dot(p) - plane.offset {
        h if h.abs() < FLATNESS * size => 0.0,
        h => h,
    };
    let mut found = Boundary::default();
    // Sides of the remaining triangles that lie in the plane.
    let mut rim: Vec<(Vec3, Vec3)> = Vec::new();
    let of_mesh = boundary.surface.iter().map(|triangle| (triangle, false));
    for (triangle, is_lid) in of_mesh.chain(boundary.lids.iter().map(|triangle| (triangle, true))) {
        let heights = triangle.map(height);
        if heights.iter().all(|h| *h <= 0.0) {
            continue;
        }
        // Corners above or in the plane, and the points where sides intersect it.
        let mut polygon: Vec<(Vec3, bool)> = Vec::with_capacity(4);
        for i in 0..3 {
            let (j, p, h) = ((i + 1) % 3, triangle[i], heights[i]);
            if h >= 0.0 {
                polygon.push((p, h == 0.0));
            }
            if h * heights[j] < 0.0 {
                // Interpolated from the upper corner, so that both triangles at a side obtain the same point to the last bit.
                let (top, down, a, b) = match h > 0.0 {
                    true => (p, triangle[j], h, heights[j]),
                    false => (triangle[j], p, heights[j], h),
                };
                polygon.push((top + (down - top) * (a / (a - b)), true));
            }
        }
        for i in 0..polygon.len() {
            let ((p, on), (q, also_on)) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            if on && also_on {
                rim.push((p, q));
            }
        }
        let own = if is_lid { &mut found.lids } else { &mut found.surface };
        for i in 1..polygon.len().saturating_sub(1) {
            own.push([polygon[0].0, polygon[i].0, polygon[i + 1].0]);
        }
    }
    if let Some(&(apex, _)) = rim.first() {
        found.lids.extend(rim.iter().map(|&(p, q)| [apex, q, p]));
    }
    found
}

/// Computes the signed volume enclosed by triangles, summed about a point.
fn volume(triangles: impl Iterator<Item = [Vec3; 3]>, middle: Vec3) -> f64 {
    let of = |[a, b, c]: [Vec3; 3]| (a - middle).dot((b - middle).cross(c - middle)) / 6.0;
    triangles.map(of).sum()
}

fn hull_volume(points: &[Vec3]) -> f64 {
    if points.len() < 4 {
        return 0.0;
    }
    let triangles = hull::triangles(points).into_iter();
    volume(triangles.map(|[a, b, c]| [points[a], points[b], points[c]]), points[0])
}

/// Returns the corners of a piece, each once.
fn distinct_corners(boundary: &Boundary, size: f64) -> Vec<Vec3> {
    let mut found: BTreeMap<[i64; 3], Vec3> = BTreeMap::new();
    for p in boundary.surface.iter().flatten() {
        let cell = <[f64; 3]>::from(*p).map(|x| (x / (4.0 * FLATNESS * size)).round() as i64);
        found.entry(cell).or_insert(*p);
    }
    found.into_values().collect()
}
