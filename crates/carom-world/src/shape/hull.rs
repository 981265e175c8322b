//! Convex hulls: corners, edges and faces from points, and their mass properties as solids.
//!
//! The surface is first found as triangles; triangles in one plane are then merged into one face, as on a block. Points whose
//! distance from a plane is below 10⁻⁹ of the size of the hull belong to that plane. A face lists all its corners,
//! anticlockwise seen from outside; points that are not corners are left out.
//!
//! With the origin at a point inside, every triangle (a, b, c) of a face forms a tetrahedron of volume V = a·(b×c)/6, over
//! which
//!
//! ∫x dV = V·(a+b+c)/4,  ∫x xᵀ dV = V/20·(aaᵀ + bbᵀ + ccᵀ + ssᵀ), s = a+b+c.
//!
//! The sums are exact. The inertia is ∫(x·x·1 − xxᵀ) dm, moved to the centre of mass by the Huygens–Steiner theorem. The whole
//! tensor is kept; principal axes are not computed.
//!
//! Contacts between edges require edges that are not sharp (`gap/features.rs` gives the reasons). A hull is therefore
//! represented by a core, with all faces moved inwards by r, thickened by a ball of radius r: the faces stay where they are,
//! edges and corners are rounded. r is a hundredth of the distance from the mean of the points to the nearest face. A corner p
//! moves to p − r·m, where n·m = 1 for the normals n of its faces (by least squares for more than three faces).

use super::MassProperties;
use crate::math::{Mat3, Vec3};
use carom::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Radius of rounded edges divided by a body's half width.
pub(crate) const ROUNDING: f64 = 0.01;
/// Largest number of points from which a hull is made; the time to find it grows with the square of this number.
const MAX_POINTS: usize = 1000;
/// Distance from a plane, divided by the size, below which points belong to the plane.
const FLATNESS: f64 = 1e-9;

/// A face of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance of the plane of the face from the origin along the normal (m).
    pub offset: f64,
    /// Numbers of its corners, anticlockwise seen from outside.
    pub corners: Vec<usize>,
}

/// The convex hull of points.
///
/// ```
/// use carom_world::math::Vec3;
/// use carom_world::shape::Hull;
/// let roof = Hull::of(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.1, 0.1, 0.1)])?;
/// // The last point is inside.
/// assert_eq!((roof.corners().len(), roof.edges().len(), roof.faces().len()), (4, 6, 4));
/// assert!((roof.solid(6.0).mass - 1.0).abs() < 1e-15);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    corners: Vec<Vec3>,
    edges: Vec<(usize, usize)>,
    faces: Vec<Face>,
    rounding: f64,
    core: Option<Box<Hull>>,
}

impl Hull {
    /// Computes the hull of points (m).
    ///
    /// # Errors
    /// When there are fewer than four or more than 1000 points, when a coordinate is not finite, two points coincide, or all
    /// lie in one plane.
    pub fn of(points: &[Vec3]) -> Result<Self> {
        Self::with_flatness(points, FLATNESS)
    }

    /// Computes the hull of points (m); points whose distance from a plane, divided by the size, is below `flatness` belong to
    /// that plane.
    pub(crate) fn with_flatness(points: &[Vec3], flatness: f64) -> Result<Self> {
        let mut hull = Self::without_core(points, flatness)?;
        hull.core = Some(Box::new(hull.shrunk_core(flatness)?));
        Ok(hull)
    }

    /// Returns the corners (m).
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Returns the edges as pairs of numbers of corners.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Returns the faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Returns the radius of the rounded edges (m).
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Returns the core: the hull with all faces moved inwards by the rounding.
    pub(crate) fn core(&self) -> &Hull {
        self.core.as_deref().unwrap_or(self)
    }

    fn without_core(points: &[Vec3], flatness: f64) -> Result<Self> {
        let (size, middle) = check_points(points)?;
        let faces = faces(points, flatness * size);
        let flat = || {
            let advice =
                "give corners that do not all lie in one plane; for a plate, give its thickness";
            Error::invalid("points", "a flat hull", "the corners of a body with a volume", advice)
        };
        if faces.len() < 4 {
            return Err(flat());
        }
        // Only points that are corners of a face are kept.
        let mut number = BTreeMap::new();
        for face in &faces {
            for &corner in &face.corners {
                number.insert(corner, 0);
            }
        }
        let mut corners = Vec::with_capacity(number.len());
        for (&point, kept) in &mut number {
            *kept = corners.len();
            corners.push(points[point]);
        }
        let renumbered = |face: Face| Face {
            corners: face.corners.iter().filter_map(|corner| number.get(corner).copied()).collect(),
            ..face
        };
        let faces: Vec<Face> = faces.into_iter().map(renumbered).collect();
        let mut sides: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for face in &faces {
            for (i, &one) in face.corners.iter().enumerate() {
                let two = face.corners[(i + 1) % face.corners.len()];
                *sides.entry((one.min(two), one.max(two))).or_default() += 1;
            }
        }
        let closed = corners.len() + faces.len() == sides.len() + 2;
        let inside = faces.iter().map(|face| face.offset - face.normal.dot(middle));
        let width = inside.fold(f64::INFINITY, f64::min);
        if !closed || sides.values().any(|count| *count != 2) || !(width > 1e-6 * size) {
            return Err(flat());
        }
        let edges = sides.into_keys().collect();
        Ok(Self { corners, edges, faces, rounding: ROUNDING * width, core: None })
    }

    fn shrunk_core(&self, flatness: f64) -> Result<Self> {
        let mut normals = vec![(Mat3::default(), Vec3::ZERO); self.corners.len()];
        for face in &self.faces {
            let n = face.normal;
            for &corner in &face.corners {
                let (squares, sum) = &mut normals[corner];
                *squares = *squares + Mat3([n * n.x, n * n.y, n * n.z]);
                *sum += n;
            }
        }
        let moved = self.corners.iter().zip(normals).map(|(corner, (squares, sum))| {
            let inwards = squares.inverse().map_or(Vec3::ZERO, |inverse| inverse.of(sum));
            *corner - inwards * self.rounding
        });
        Self::without_core(&moved.collect::<Vec<_>>(), flatness)
    }

    /// Computes mass, centre of mass and inertia of the solid hull at a density (kg/m³).
    pub fn solid(&self, density: f64) -> MassProperties {
        // The sums are taken about the mean of the corners, so that a hull far from the origin loses no digits.
        let triangles = self.faces.iter().flat_map(|face| {
            let corner = |i: usize| self.corners[face.corners[i]];
            let fan = 1..face.corners.len().saturating_sub(1);
            fan.map(move |i| [corner(0), corner(i), corner(i + 1)])
        });
        solid_from_triangles(triangles, mean(&self.corners), density)
    }
}

/// Computes mass, centre of mass and inertia of the volume enclosed by triangles, at a density (kg/m³). The sums are taken
/// about the point `middle`.
pub(super) fn solid_from_triangles(
    triangles: impl Iterator<Item = [Vec3; 3]>,
    middle: Vec3,
    density: f64,
) -> MassProperties {
    let (mut volume, mut first, mut second) = (0.0, Vec3::ZERO, Mat3::default());
    for [a, b, c] in triangles.map(|triangle| triangle.map(|corner| corner - middle)) {
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (0.25 * part);
        for v in [a, b, c, sum] {
            let w = v * (part / 20.0);
            second = second + Mat3([v * w.x, v * w.y, v * w.z]);
        }
    }
    let centre = first * (1.0 / volume);
    let c = centre * volume;
    let [x, y, z] = second.0;
    let about = Mat3([x - centre * c.x, y - centre * c.y, z - centre * c.z]);
    let [x, y, z] = about.0;
    let trace = x.x + y.y + z.z;
    let inertia = [Vec3::X * trace - x, Vec3::Y * trace - y, Vec3::Z * trace - z];
    MassProperties {
        mass: density * volume,
        centre: middle + centre,
        inertia: Mat3(inertia.map(|row| row * density)),
    }
}

pub(super) fn mean(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p);
    sum * (1.0 / points.len().max(1) as f64)
}

/// Checks points for a hull, and returns their size and their mean.
fn check_points(points: &[Vec3]) -> Result<(f64, Vec3)> {
    let advice = "give the corners of a body, for example points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    let refuse =
        |value: String, allowed: &str| Err(Error::invalid("points", value, allowed, advice));
    if points.len() < 4 {
        return refuse(format!("{} points", points.len()), "at least four points");
    }
    if points.len() > MAX_POINTS {
        let advice = "leave out points that matter little, or use several hulls";
        let allowed = format!("at most {MAX_POINTS} points");
        return Err(Error::invalid("points", format!("{} points", points.len()), allowed, advice));
    }
    if let Some(index) = points.iter().position(|p| !p.is_finite()) {
        let value = format!("{:?} (point {})", points[index], index + 1);
        return refuse(value, "finite coordinates");
    }
    let middle = mean(points);
    let size = points.iter().map(|p| (*p - middle).length()).fold(0.0, f64::max);
    for (i, one) in points.iter().enumerate() {
        for (j, two) in points.iter().enumerate().skip(i + 1) {
            if (*one - *two).length() <= FLATNESS * size {
                let value = format!("the same point twice (points {} and {})", i + 1, j + 1);
                return refuse(value, "different points");
            }
        }
    }
    Ok((size, middle))
}

/// Computes triangles whose union is the surface of the hull, anticlockwise seen from outside; none if all points lie in one
/// plane.
///
/// Uses Quickhull (Barber, Dobkin & Huhdanpaa 1996): every point outside is assigned to a triangle that is visible from it. A
/// point is added by replacing all triangles that are visible from it, or lie in one plane with it, by triangles from the point
/// to their common rim. The signs of volumes that decide visibility are exact (`robust`, after Shewchuk 1997), so the surface
/// stays closed even if many points lie in one plane or on one line.
pub(super) fn triangles(points: &[Vec3]) -> Vec<[usize; 3]> {
    let coord = |i: usize| robust::Coord3D { x: points[i].x, y: points[i].y, z: points[i].z };
    let volume =
        |[a, b, c]: [usize; 3], p: usize| robust::orient3d(coord(a), coord(b), coord(c), coord(p));
    let sees = |p: usize, triangle: [usize; 3]| volume(triangle, p) <= 0.0;
    let farthest = |distance: &dyn Fn(Vec3) -> f64| {
        let further = |i: &usize, j: &usize| distance(points[*i]).total_cmp(&distance(points[*j]));
        (0..points.len()).max_by(further).unwrap_or_default()
    };
    // The first approximation is a large tetrahedron.
    let a = farthest(&|p| p.x);
    let b = farthest(&|p| (p - points[a]).length());
    let along = points[b] - points[a];
    let c = farthest(&|p| along.cross(p - points[a]).length());
    let across = along.cross(points[c] - points[a]);
    let d = farthest(&|p| across.dot(p - points[a]).abs());
    let (b, c) = match volume([a, b, c], d) {
        positive if positive > 0.0 => (b, c),
        negative if negative < 0.0 => (c, b),
        _ => return Vec::new(),
    };
    // Every triangle with the points assigned to it, and the triangle to the left of every side.
    let mut found: Vec<Option<([usize; 3], Vec<usize>)>> = Vec::new();
    let mut left: HashMap<(usize, usize), usize> = HashMap::new();
    let mut fresh = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    let mut outside = Vec::from_iter((0..points.len()).filter(|p| ![a, b, c, d].contains(p)));
    let mut at = 0;
    loop {
        for triangle in fresh {
            left.extend(sides(triangle).map(|side| (side, found.len())));
            let waits = outside.extract_if(.., |p| sees(*p, triangle)).collect();
            found.push(Some((triangle, waits)));
        }
        // The next triangle to which a point is assigned; all triangles before it are finished.
        let next = loop {
            match found.get_mut(at) {
                Some(Some((_, waiting))) if !waiting.is_empty() => break waiting.pop(),
                Some(_) => at += 1,
                None => break None,
            }
        };
        let Some(point) = next else { break };
        outside = Vec::new();
        fresh = Vec::new();
        let mut seen = vec![at];
        let mut open = vec![at];
        while let Some((triangle, waiting)) = open.pop().and_then(|at| found[at].take()) {
            outside.extend(waiting);
            for (from, to) in sides(triangle) {
                let beside = left[&(to, from)];
                match &found[beside] {
                    Some((other, _)) if !seen.contains(&beside) => {
                        if sees(point, *other) {
                            seen.push(beside);
                            open.push(beside);
                        } else {
                            fresh.push([from, to, point]);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    found.into_iter().flatten().map(|(triangle, _)| triangle).collect()
}

/// Returns the three sides of a triangle, directed so that the triangle is to their left.
fn sides([a, b, c]: [usize; 3]) -> [(usize, usize); 3] {
    [(a, b), (b, c), (c, a)]
}

/// Computes all faces: triangles of the hull, of which those in one plane (within a tolerance, m) are merged.
fn faces(points: &[Vec3], tolerance: f64) -> Vec<Face> {
    let mut open = triangles(points);
    // Returns twice the area times the normal.
    let area = |[i, j, k]: [usize; 3]| (points[j] - points[i]).cross(points[k] - points[i]);
    // Large triangles come first, because they define their plane most accurately.
    open.sort_by(|one, two| area(*two).length().total_cmp(&area(*one).length()));
    // The triangle to the left of every side.
    let left: HashMap<_, _> =
        open.iter().enumerate().flat_map(|(at, t)| sides(*t).map(|side| (side, at))).collect();
    let mut found: Vec<(Vec<usize>, Face)> = Vec::new();
    let mut taken = vec![false; open.len()];
    for start in 0..open.len() {
        let (first, across) = (open[start], area(open[start]));
        let longest = sides(first).map(|(i, j)| (points[j] - points[i]).length());
        // Three points nearly on a line do not define a plane; for other triangles the normal is accurate to 10⁻¹⁰.
        let narrow = across.length() <= 1e-6 * longest.into_iter().fold(0.0, f64::max).powi(2);
        let Some(normal) = across.unit().filter(|_| !taken[start] && !narrow) else { continue };
        let height = |p: usize| normal.dot(points[p] - points[first[0]]);
        // Collects neighbouring triangles as long as they lie in the plane.
        let mut members = BTreeSet::from(first);
        let mut next = vec![start];
        while let Some(at) = next.pop() {
            taken[at] = true;
            members.extend(open[at]);
            let beside = sides(open[at]).into_iter().filter_map(|(i, j)| left.get(&(j, i)));
            next.extend(beside.filter(|&&other| {
                !taken[other] && open[other].iter().all(|&p| height(p) >= -tolerance)
            }));
        }
        if let Some(face) = face_of_points(points, members, normal, tolerance) {
            let mut order = face.corners.clone();
            order.sort_unstable();
            found.push((order, face));
        }
    }
    found.sort_by(|one, two| one.0.cmp(&two.0));
    found.into_iter().map(|(_, face)| face).collect()
}

/// Computes the face of points in one plane: its corners in order, and its plane.
fn face_of_points(
    points: &[Vec3],
    members: BTreeSet<usize>,
    normal: Vec3,
    tolerance: f64,
) -> Option<Face> {
    let (t, s) = normal.frame();
    let flat = |i: usize| (points[i].dot(t), points[i].dot(s));
    let mut members = Vec::from_iter(members);
    members.sort_by(|&i, &j| {
        let (a, b) = (flat(i), flat(j));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    // Lower and upper half of the convex polygon. A point on the line through its neighbours is not a corner.
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for point in order {
            while let [.., before, last] = chain[..] {
                let (o, p, q) = (flat(before), flat(last), flat(point));
                let (u, v) = ((p.0 - o.0, p.1 - o.1), (q.0 - o.0, q.1 - o.1));
                if u.0 * v.1 - u.1 * v.0 > tolerance * v.0.hypot(v.1) {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut members.iter().copied());
    corners.extend(half(&mut members.iter().rev().copied()));
    if corners.len() < 3 {
        return None;
    }
    let middle = mean(&corners.iter().map(|&i| points[i]).collect::<Vec<_>>());
    // The normal from all corners (Newell's method) is more accurate than that from three corners.
    let mut area = Vec3::ZERO;
    for (place, &point) in corners.iter().enumerate() {
        let next = corners[(place + 1) % corners.len()];
        area += (points[point] - middle).cross(points[next] - middle);
    }
    let normal = area.unit()?;
    Some(Face { normal, offset: normal.dot(middle), corners })
}

#[cfg(test)]
mod tests;
