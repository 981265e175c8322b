//! Convex hulls: corners, edges and faces from points, and what a solid one weighs.
//!
//! # Faces
//! A plane through three points is a face when all points lie on one side of it. All triples are tried: for a
//! few hundred points that takes milliseconds once, and nothing has to be repaired where many points lie in
//! one plane, as on a block. Points within 10⁻⁹ of the size of a plane belong to it; a face has all its
//! corners, anticlockwise seen from outside, and points that are no corners are left out.
//!
//! # Mass
//! With the origin at a point inside, every triangle (a, b, c) of a face makes a tetrahedron of the volume
//! V = a·(b×c)/6, over which
//!
//! ∫x dV = V·(a+b+c)/4,  ∫x xᵀ dV = V/20·(aaᵀ + bbᵀ + ccᵀ + ssᵀ), s = a+b+c.
//!
//! The sums are exact. The inertia is ∫(x·x·1 − xxᵀ) dm, moved to the centre of mass by Huygens and Steiner;
//! the whole tensor is kept, no axes are sought.
//!
//! # Rounding
//! Contact among edges needs edges that are not sharp (`gap.rs` says why). A hull is a core, all faces moved
//! inwards by r, thickened by a ball of radius r: the faces stay where they are, edges and corners are
//! rounded. r is a hundredth of the distance from the middle to the nearest face. A corner p moves to p − r·m with
//! n·m = 1 for the normals n of its faces (by least squares where there are more than three).

use super::MassProperties;
use crate::math::{Mat3, Vec3};
use carom::{Error, Result};
use std::collections::BTreeMap;

/// What roundings are in shares of a body's half width.
pub(crate) const ROUNDING: f64 = 0.01;
/// The most points that a hull is made from.
const MOST: usize = 256;
/// Points nearer to a plane than this share of the size lie in it.
const FLAT: f64 = 1e-9;

/// A face of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Unit normal, outwards.
    pub normal: Vec3,
    /// Distance of its plane from the origin along the normal (m).
    pub offset: f64,
    /// Its corners by number, anticlockwise seen from outside.
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

impl std::ops::Deref for Hull {
    type Target = [Vec3];
    /// The corners.
    fn deref(&self) -> &[Vec3] {
        &self.corners
    }
}

impl Hull {
    /// The hull of points (m).
    ///
    /// # Errors
    /// When there are fewer than four points or very many, one is not finite, two are the same, or all lie in one plane.
    pub fn of(points: &[Vec3]) -> Result<Self> {
        let mut hull = Self::bare(points)?;
        hull.core = Some(Box::new(hull.shrunk()?));
        Ok(hull)
    }

    /// Its corners (m).
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Its edges by the numbers of their corners.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Its faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The radius of its edges where they touch other edges (m).
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// All faces moved inwards by the rounding.
    pub(crate) fn core(&self) -> &Hull {
        self.core.as_deref().unwrap_or(self)
    }

    fn bare(points: &[Vec3]) -> Result<Self> {
        let (size, middle) = checked(points)?;
        let faces = faces(points, FLAT * size, middle);
        let flat = || {
            let advice =
                "give corners that do not all lie in one plane; for a plate, give its thickness";
            Error::invalid("points", "a flat hull", "the corners of a body with a volume", advice)
        };
        if faces.len() < 4 {
            return Err(flat());
        }
        // Only what is a corner of a face is kept.
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

    fn shrunk(&self) -> Result<Self> {
        let moved = self.corners.iter().enumerate().map(|(index, corner)| {
            let mut squares = Mat3::default();
            let mut sum = Vec3::ZERO;
            for face in self.faces.iter().filter(|face| face.corners.contains(&index)) {
                let n = face.normal;
                squares = squares + Mat3([n * n.x, n * n.y, n * n.z]);
                sum += n;
            }
            let inwards = squares.inverse().map_or(Vec3::ZERO, |inverse| inverse.of(sum));
            *corner - inwards * self.rounding
        });
        Self::bare(&moved.collect::<Vec<_>>())
    }

    /// Mass, centre and inertia of the solid hull at a density (kg/m³).
    pub fn solid(&self, density: f64) -> MassProperties {
        // About a corner's worth of rounding is saved by summing around the middle.
        let middle = mean(&self.corners);
        let (mut volume, mut first, mut second) = (0.0, Vec3::ZERO, Mat3::default());
        for face in &self.faces {
            let corner = |i: usize| self.corners[face.corners[i]] - middle;
            for i in 1..face.corners.len().saturating_sub(1) {
                let (a, b, c) = (corner(0), corner(i), corner(i + 1));
                let part = a.dot(b.cross(c)) / 6.0;
                let sum = a + b + c;
                volume += part;
                first += sum * (0.25 * part);
                for v in [a, b, c, sum] {
                    let w = v * (part / 20.0);
                    second = second + Mat3([v * w.x, v * w.y, v * w.z]);
                }
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
}

fn mean(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p);
    sum * (1.0 / points.len().max(1) as f64)
}

/// Size and middle of points that may have a hull.
fn checked(points: &[Vec3]) -> Result<(f64, Vec3)> {
    let advice = "give the corners of a body, for example points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    let refuse =
        |value: String, allowed: &str| Err(Error::invalid("points", value, allowed, advice));
    if points.len() < 4 {
        return refuse(format!("{} points", points.len()), "at least four points");
    }
    if points.len() > MOST {
        let advice = "leave out points that matter little, or use several hulls";
        let allowed = format!("at most {MOST} points");
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
            if (*one - *two).length() <= FLAT * size {
                let value = format!("the same point twice (points {} and {})", i + 1, j + 1);
                return refuse(value, "different points");
            }
        }
    }
    Ok((size, middle))
}

/// All faces: planes through three points with nothing outside.
fn faces(points: &[Vec3], hair: f64, middle: Vec3) -> Vec<Face> {
    let mut found: Vec<(Face, Vec<bool>)> = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                if found.iter().any(|(_, on)| on[i] && on[j] && on[k]) {
                    continue;
                }
                let (u, v) = (points[j] - points[i], points[k] - points[i]);
                let across = u.cross(v);
                // Three points of one line span no plane.
                if across.length() <= 1e-6 * u.length().max(v.length()).powi(2) {
                    continue;
                }
                let Some(unit) = across.unit() else { continue };
                let side = if unit.dot(middle - points[i]) > 0.0 { -1.0 } else { 1.0 };
                let normal = unit * side;
                let height = |p: &Vec3| normal.dot(*p - points[i]);
                if points.iter().any(|p| height(p) > hair) {
                    continue;
                }
                let on: Vec<bool> = points.iter().map(|p| height(p) >= -hair).collect();
                if let Some(face) = around(points, &on, normal, hair) {
                    found.push((face, on));
                }
            }
        }
    }
    found.into_iter().map(|(face, _)| face).collect()
}

/// The corners of a face in their order.
fn around(points: &[Vec3], on: &[bool], normal: Vec3, hair: f64) -> Option<Face> {
    let (t, s) = normal.frame();
    let flat = |i: usize| (points[i].dot(t), points[i].dot(s));
    let mut members: Vec<usize> = (0..points.len()).filter(|&i| on[i]).collect();
    members.sort_by(|&i, &j| {
        let (a, b) = (flat(i), flat(j));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    // Lower and upper half of the convex polygon; a point on the line of its neighbours is no corner.
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for point in order {
            while let [.., before, last] = chain[..] {
                let (o, p, q) = (flat(before), flat(last), flat(point));
                let (u, v) = ((p.0 - o.0, p.1 - o.1), (q.0 - o.0, q.1 - o.1));
                if u.0 * v.1 - u.1 * v.0 > hair * v.0.hypot(v.1) {
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
    // The normal from all corners (Newell), more exact than from three.
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
