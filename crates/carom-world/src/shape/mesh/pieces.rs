//! Approximate convex decomposition: a concave mesh is cut by planes until the hulls of its pieces hardly enclose more than it does.
//!
//! A piece is a chain of triangles with a sign, so that volumes are exact sums whatever the shape of a cut: what a plane cuts open is closed
//! by triangles from one of its points to all cut edges, which overlap where the cut is concave, and cancel. Such lids count for volumes
//! alone: where they cancel there is no body, and their corners are no corners of it. The piece whose hull has the
//! most volume that is not its own is cut next, by the plane that leaves the least such volume in total: planes of its own faces, where
//! parts made of prisms fall apart exactly, and planes across the axes. No single plane makes a ring better, whose halves have the hull of the
//! whole; as long as the pieces would be refused, two cuts are looked ahead.
//!
//! Surfaces that enclose a cavity are left out: from outside nothing can touch them.

use super::{ConvexPieces, Mesh};
use crate::disjoint_sets::DisjointSets;
use crate::math::Vec3;
use crate::shape::{Hull, hull};
use carom::{Error, Result};
use std::collections::BTreeMap;

/// Share of the volume of the mesh that hulls may enclose in excess before no more cuts are made.
const ACCEPTED_EXCESS: f64 = 0.005;
/// Relative error of the volume of all hulls beyond which the pieces are refused.
const MAX_VOLUME_ERROR: f64 = 0.1;
/// The most triangles of a mesh that is cut.
const MAX_TRIANGLES: usize = 5000;
/// The most planes of faces that are tried for a cut.
const MAX_PLANES: usize = 48;
/// The most corners of a piece: the sites of two pieces grow with the product of their edges.
const MAX_CORNERS: usize = 64;
/// Points nearer to a plane than this share of the size lie in it: files have single precision.
const FLATNESS: f64 = 1e-6;

/// The surface of a piece: of the mesh itself, and lids on its cuts.
#[derive(Clone, Default)]
struct Chain {
    surface: Vec<[Vec3; 3]>,
    lids: Vec<[Vec3; 3]>,
}

/// A piece with its own volume and that of its hull.
#[derive(Clone)]
struct Piece {
    chain: Chain,
    volume: f64,
    hull: f64,
    /// No plane makes it better.
    is_final: bool,
}

/// The points where n·p = offset.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Piece {
    fn of(chain: Chain, size: f64) -> Self {
        let middle = chain.surface.first().map_or(Vec3::ZERO, |triangle| triangle[0]);
        let volume = volume(chain.surface.iter().chain(&chain.lids).copied(), middle);
        let points = distinct(&chain, size);
        let hull = hull_volume(&points);
        Self { chain, volume, hull, is_final: false }
    }

    fn excess(&self) -> f64 {
        self.hull - self.volume
    }
}

/// Cuts a mesh into convex pieces.
pub fn convex_pieces(mesh: &Mesh, most: usize) -> Result<ConvexPieces> {
    let chain = outer_surfaces(mesh);
    let middle = hull::mean(&mesh.points);
    let size = mesh.points.iter().map(|p| (*p - middle).length()).fold(0.0, f64::max);
    let whole = Piece::of(chain, size);
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
    let hulls: Result<Vec<Hull>> = pieces.iter().map(|piece| hull_of(&piece.chain, size)).collect();
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

/// The hull of a piece, of its outermost points only where there are many.
fn hull_of(chain: &Chain, size: f64) -> Result<Hull> {
    let points = distinct(chain, size);
    let hull = Hull::within(&points, FLATNESS)?;
    if hull.corners().len() <= MAX_CORNERS {
        return Ok(hull);
    }
    // The farthest corners in directions that are spread evenly over the sphere (a spiral with the golden angle).
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
    Hull::within(&chosen.into_values().collect::<Vec<_>>(), FLATNESS)
}

/// The triangles of the surfaces that face outwards: those of cavities enclose a negative volume.
fn outer_surfaces(mesh: &Mesh) -> Chain {
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
    Chain { surface, lids: Vec::new() }
}

/// The cut that leaves the least volume between hulls and pieces; none where no cut makes it better.
fn best_cut(piece: &Piece, size: f64, total: f64) -> Option<(Piece, Piece)> {
    best_of(piece, planes(piece, size), size, total, Piece::excess)
}

/// The cut through the middle that leaves the least volume once both of its parts are cut again; none where that is not better.
fn best_first_of_two_cuts(piece: &Piece, size: f64, total: f64) -> Option<(Piece, Piece)> {
    let middle = across_axes(&distinct(&piece.chain, size), &[0.5]);
    best_of(piece, middle, size, total, |half| match best_cut(half, size, total) {
        Some((one, two)) => one.excess() + two.excess(),
        None => half.excess(),
    })
}

/// The cut by one of the planes whose two parts have the least of a volume in sum, less than the excess of the piece; their hulls can be made.
fn best_of(
    piece: &Piece,
    planes: Vec<Plane>,
    size: f64,
    total: f64,
    left: impl Fn(&Piece) -> f64,
) -> Option<(Piece, Piece)> {
    let parts = planes.into_iter().filter_map(|plane| cut(piece, plane, size, total));
    let mut cuts: Vec<_> = parts.map(|(one, two)| (left(&one) + left(&two), one, two)).collect();
    cuts.retain(|(left, ..)| *left < 0.99 * piece.excess());
    cuts.sort_by(|(one, ..), (two, ..)| one.total_cmp(two));
    let has_hull = |part: &Piece| hull_of(&part.chain, size).is_ok();
    let best = cuts.into_iter().find(|(_, one, two)| has_hull(one) && has_hull(two));
    best.map(|(_, one, two)| (one, two))
}

/// The two parts of a piece on both sides of a plane, unless one has hardly any volume.
fn cut(piece: &Piece, plane: Plane, size: f64, total: f64) -> Option<(Piece, Piece)> {
    let sides = [plane, Plane { normal: -plane.normal, offset: -plane.offset }];
    let [one, two] = sides.map(|side| Piece::of(kept(&piece.chain, side, size), size));
    (one.volume >= 1e-6 * total && two.volume >= 1e-6 * total).then_some((one, two))
}

/// Planes that may cut a piece: of its largest faces, and across the axes.
fn planes(piece: &Piece, size: f64) -> Vec<Plane> {
    let points = distinct(&piece.chain, size);
    let mut faces: Vec<(f64, Plane)> = Vec::new();
    for [a, b, c] in &piece.chain.surface {
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
    found.extend(across_axes(&points, &[0.25, 0.5, 0.75]));
    found
}

/// Planes across the axes, at shares of the way through the points.
fn across_axes(points: &[Vec3], shares: &[f64]) -> Vec<Plane> {
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

/// The part of a chain above a plane, closed by what lies in the plane.
fn kept(chain: &Chain, plane: Plane, size: f64) -> Chain {
    let height = |p: Vec3| match plane.normal.dot(p) - plane.offset {
        h if h.abs() < FLATNESS * size => 0.0,
        h => h,
    };
    let mut found = Chain::default();
    // Sides of what is kept that lie in the plane.
    let mut rim: Vec<(Vec3, Vec3)> = Vec::new();
    let of_mesh = chain.surface.iter().map(|triangle| (triangle, false));
    for (triangle, is_lid) in of_mesh.chain(chain.lids.iter().map(|triangle| (triangle, true))) {
        let heights = triangle.map(height);
        if heights.iter().all(|h| *h <= 0.0) {
            continue;
        }
        // Corners above or in the plane, and where sides pass through it.
        let mut polygon: Vec<(Vec3, bool)> = Vec::with_capacity(4);
        for i in 0..3 {
            let (j, p, h) = ((i + 1) % 3, triangle[i], heights[i]);
            if h >= 0.0 {
                polygon.push((p, h == 0.0));
            }
            if h * heights[j] < 0.0 {
                // From the upper corner, so that both neighbours of a side find the same point.
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

/// Volume of triangles with a sign, summed about a point.
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

/// The corners of a piece, each once.
fn distinct(chain: &Chain, size: f64) -> Vec<Vec3> {
    let mut found: BTreeMap<[i64; 3], Vec3> = BTreeMap::new();
    for p in chain.surface.iter().flatten() {
        let cell = <[f64; 3]>::from(*p).map(|x| (x / (4.0 * FLATNESS * size)).round() as i64);
        found.entry(cell).or_insert(*p);
    }
    found.into_values().collect()
}
