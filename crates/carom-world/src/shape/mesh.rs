//! Triangle meshes: closed surfaces as bodies.
//!
//! Volume, centre of mass and inertia are exact sums over the triangles (`hull.rs` has the formulas). For contacts the mesh is
//! represented by convex pieces (`mesh/pieces.rs`): a convex mesh by its hull, a concave one by the hulls of the parts into
//! which it is cut.

use super::{Hull, MassProperties, hull};
use crate::math::Vec3;
use carom::{Error, Result};
use std::collections::BTreeMap;

mod pieces;
mod text;

pub use text::file_text;

/// Distance between points, divided by the size, below which they are merged, because files have single precision.
const WELD_DISTANCE: f64 = 1e-6;

/// A closed surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    points: Vec<Vec3>,
    /// Numbers of the corners, anticlockwise seen from outside.
    triangles: Vec<[usize; 3]>,
}

/// Convex pieces of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPieces {
    /// The pieces.
    pub hulls: Vec<Hull>,
    /// Relative error of the volume: volume of all pieces divided by that of the mesh, minus 1.
    pub volume_error: f64,
}

impl Mesh {
    /// Reads STL or OBJ text; `unit` is the length of the unit of its numbers (m).
    ///
    /// # Errors
    /// When the text is neither, or the surface is not closed.
    pub fn parse(text: &str, unit: f64) -> Result<Self> {
        Self::of(&text::parse_triangles(text)?, unit)
    }

    /// Creates a mesh from the corners of its triangles; `unit` is the length of the unit of their coordinates (m).
    ///
    /// # Errors
    /// When the surface is not closed, or encloses no volume.
    pub fn of(corners: &[[Vec3; 3]], unit: f64) -> Result<Self> {
        let all = || corners.iter().flatten();
        let size = all().map(|p| p.length()).fold(0.0, f64::max);
        if corners.len() < 4 || !(size > 0.0 && size.is_finite()) {
            let found = format!("{} triangles within {size} units", corners.len());
            let advice = "export the surface of a solid as triangles";
            return Err(Error::invalid("mesh", found, "a closed surface", advice));
        }
        let mut numbers: BTreeMap<[i64; 3], usize> = BTreeMap::new();
        let mut points = Vec::new();
        let mut number = |p: &Vec3| {
            let cell = <[f64; 3]>::from(*p).map(|x| (x / (WELD_DISTANCE * size)).round() as i64);
            *numbers.entry(cell).or_insert_with(|| {
                points.push(*p * unit);
                points.len() - 1
            })
        };
        let welded: Vec<[usize; 3]> =
            corners.iter().map(|triangle| [0, 1, 2].map(|i| number(&triangle[i]))).collect();
        let is_whole = |[a, b, c]: &[usize; 3]| a != b && b != c && c != a;
        let mut mesh = Self { points, triangles: welded.into_iter().filter(is_whole).collect() };
        mesh.check_closed()?;
        if mesh.solid(1.0).mass < 0.0 {
            mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        if !(mesh.solid(1.0).mass > 0.0) {
            let advice = "export the surface of a solid, not of a sheet";
            return Err(Error::invalid("mesh", "without volume", "a closed surface", advice));
        }
        Ok(mesh)
    }

    /// Refuses a surface unless every side belongs to two triangles, which run through it in opposite directions.
    fn check_closed(&self) -> Result<()> {
        let mut sides: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        for &[a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *sides.entry((from.min(to), from.max(to))).or_default() +=
                    if from < to { 1 } else { -1 };
            }
        }
        let open = sides.values().filter(|sum| **sum != 0).count();
        if open == 0 {
            return Ok(());
        }
        let found = format!("open, or turned inside out, at {open} of {} edges", sides.len());
        let advice = "repair it: close its holes and let all triangles face outwards";
        Err(Error::invalid("mesh", found, "a closed surface", advice))
    }

    /// Computes mass, centre of mass and inertia of the enclosed solid at a density (kg/m³).
    pub fn solid(&self, density: f64) -> MassProperties {
        let corner = |i: usize| self.points[i];
        let corners = self.triangles.iter().map(|&[a, b, c]| [corner(a), corner(b), corner(c)]);
        hull::solid_from_triangles(corners, hull::mean(&self.points), density)
    }

    /// Computes at most `most` convex pieces that cover the mesh.
    ///
    /// # Errors
    /// When that many pieces do not approximate the mesh, or when it has too many triangles to be cut.
    pub fn convex_pieces(&self, most: usize) -> Result<ConvexPieces> {
        pieces::convex_pieces(self, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the triangles of boxes, each given by two opposite corners.
    fn boxes(all: &[(Vec3, Vec3)]) -> Vec<[Vec3; 3]> {
        let mut found = Vec::new();
        for (low, high) in all {
            let at = |i: usize| {
                let pick = |bit: usize, a: f64, b: f64| if i >> bit & 1 == 1 { b } else { a };
                Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
            };
            for [a, b, c, d] in
                [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            {
                found.push([at(a), at(b), at(c)]);
                found.push([at(a), at(c), at(d)]);
            }
        }
        found
    }

    /// Returns the triangles of an L-shaped profile, extruded along z. The outline is divided so that the surface is closed.
    fn angle_bracket() -> Vec<[Vec3; 3]> {
        let outline = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        let at = |i: usize, z: f64| Vec3::new(outline[i % 6].0, outline[i % 6].1, z);
        let mut found = Vec::new();
        for i in 0..6 {
            found.push([at(i, 0.0), at(i + 1, 0.0), at(i + 1, 1.0)]);
            found.push([at(i, 0.0), at(i + 1, 1.0), at(i, 1.0)]);
        }
        // The whole outline is visible from (1, 1), point 3.
        for i in [4, 5, 0, 1] {
            found.push([at(3, 1.0), at(i, 1.0), at(i + 1, 1.0)]);
            found.push([at(3, 0.0), at(i + 1, 0.0), at(i, 0.0)]);
        }
        found
    }

    #[test]
    fn a_block_has_its_mass_and_inertia_and_is_one_piece() {
        let block = boxes(&[(Vec3::new(1.0, 2.0, 3.0), Vec3::new(3.0, 5.0, 4.0))]);
        let mesh = Mesh::of(&block, 0.1).unwrap();
        let solid = mesh.solid(1000.0);
        assert!((solid.mass - 6.0).abs() < 1e-12);
        assert!((solid.centre - Vec3::new(0.2, 0.35, 0.35)).length() < 1e-15);
        let expected = 6.0 / 12.0 * (0.3 * 0.3 + 0.1 * 0.1);
        assert!((solid.inertia[0].x - expected).abs() < 1e-14 && solid.inertia[0].y.abs() < 1e-14);
        let pieces = mesh.convex_pieces(8).unwrap();
        assert_eq!((pieces.hulls.len(), pieces.hulls[0].corners().len()), (1, 8));
        assert!(pieces.volume_error.abs() < 1e-12);
        // With all triangles reversed it is the same body.
        let inside_out: Vec<_> = block.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let turned = Mesh::of(&inside_out, 0.1).unwrap().solid(1000.0);
        assert!((turned.mass - solid.mass).abs() < 1e-12);
    }

    #[test]
    fn an_angle_bracket_is_cut_into_its_two_legs() {
        let mesh = Mesh::of(&angle_bracket(), 1.0).unwrap();
        let solid = mesh.solid(1.0);
        // The legs are 3 × 1 and 1 × 1, each 1 thick.
        assert!((solid.mass - 4.0).abs() < 1e-12);
        let centre = Vec3::new((3.0 * 1.5 + 0.5) / 4.0, (3.0 * 0.5 + 1.5) / 4.0, 0.5);
        assert!((solid.centre - centre).length() < 1e-12, "{:?}", solid.centre);
        let pieces = mesh.convex_pieces(8).unwrap();
        assert_eq!(pieces.hulls.len(), 2);
        assert!(pieces.volume_error.abs() < 1e-9, "{}", pieces.volume_error);
        let error = mesh.convex_pieces(1).unwrap_err().to_string();
        assert!(error.contains("pieces"), "{error}");
    }

    /// Returns the triangles of a ring of rectangular section about z.
    fn ring(sections: usize, inner: f64, outer: f64, height: f64) -> Vec<[Vec3; 3]> {
        let at = |i: usize, radius: f64, z: f64| {
            let turn = std::f64::consts::TAU * i as f64 / sections as f64;
            Vec3::new(radius * turn.cos(), radius * turn.sin(), z)
        };
        let section = |i: usize| {
            [at(i, inner, 0.0), at(i, outer, 0.0), at(i, outer, height), at(i, inner, height)]
        };
        let mut found = Vec::new();
        for i in 0..sections {
            let (one, two) = (section(i), section((i + 1) % sections));
            for j in 0..4 {
                let k = (j + 1) % 4;
                found.push([one[j], two[j], two[k]]);
                found.push([one[j], two[k], one[k]]);
            }
        }
        found
    }

    #[test]
    fn a_ring_which_no_single_plane_makes_better_is_cut() {
        let mesh = Mesh::of(&ring(16, 8.0, 15.0, 30.0), 1.0).unwrap();
        let area = |radius: f64| 8.0 * radius * radius * (std::f64::consts::TAU / 16.0).sin();
        assert!((mesh.solid(1.0).mass - 30.0 * (area(15.0) - area(8.0))).abs() < 1e-9);
        let pieces = mesh.convex_pieces(16).unwrap();
        assert!(
            pieces.hulls.len() >= 4 && pieces.volume_error.abs() < 0.1,
            "{}",
            pieces.volume_error
        );
        // No piece covers the bore.
        let inside = |hull: &Hull| {
            let corners = hull.corners();
            let (low, high) = corners.iter().fold((f64::INFINITY, 0.0f64), |(low, high), p| {
                let r = p.x.hypot(p.y);
                (low.min(r), high.max(r))
            });
            low > 7.0 && high < 15.0 + 1e-9
        };
        assert!(pieces.hulls.iter().all(inside));
    }

    #[test]
    fn a_hollow_block_touches_as_its_outside() {
        let (low, high) = (Vec3::ZERO, Vec3::new(3.0, 3.0, 3.0));
        let mut hollow = boxes(&[(low, high)]);
        let inner = boxes(&[(Vec3::new(0.5, 0.5, 0.5), Vec3::new(2.5, 2.5, 2.5))]);
        hollow.extend(inner.iter().map(|[a, b, c]| [*a, *c, *b]));
        let mesh = Mesh::of(&hollow, 1.0).unwrap();
        assert!((mesh.solid(1.0).mass - 19.0).abs() < 1e-12);
        let pieces = mesh.convex_pieces(16).unwrap();
        assert_eq!((pieces.hulls.len(), pieces.hulls[0].corners().len()), (1, 8));
        assert!(pieces.volume_error.abs() < 1e-12);
    }

    #[test]
    fn an_open_surface_is_refused() {
        let mut block = boxes(&[(Vec3::ZERO, Vec3::new(1.0, 1.0, 1.0))]);
        block.pop();
        let error = Mesh::of(&block, 1.0).unwrap_err().to_string();
        assert!(error.contains("open") && error.contains("3 of"), "{error}");
    }

    #[test]
    fn a_mesh_is_the_same_from_files_of_all_formats() {
        let block = boxes(&[(Vec3::ZERO, Vec3::new(1.0, 2.0, 0.5))]);
        let mut binary = vec![0u8; 80];
        binary.extend((block.len() as u32).to_le_bytes());
        let mut ascii = String::from("solid block\n");
        let mut obj = String::from("# a block\n");
        for (index, triangle) in block.iter().enumerate() {
            binary.extend([0u8; 12]);
            ascii += "facet normal 0 0 0\nouter loop\n";
            for p in triangle {
                for x in <[f64; 3]>::from(*p) {
                    binary.extend((x as f32).to_le_bytes());
                }
                ascii += &format!("vertex {} {} {}\n", p.x, p.y, p.z);
                obj += &format!("v {} {} {}\n", p.x, p.y, p.z);
            }
            binary.extend([0u8; 2]);
            ascii += "endloop\nendfacet\n";
            let first = 3 * index + 1;
            obj += &format!("f {first}/1/1 {}//2 -1\n", first + 1);
        }
        ascii += "endsolid block\n";
        let converted = file_text(binary).unwrap();
        let meshes = [&ascii, &converted, &obj].map(|text| Mesh::parse(text, 1.0).unwrap());
        assert!(meshes[0] == meshes[1] && meshes[1] == meshes[2]);
        assert!((meshes[0].solid(1.0).mass - 1.0).abs() < 1e-14);
        assert_eq!(file_text(ascii.clone().into_bytes()).unwrap(), ascii);
        assert!(Mesh::parse("solid x\nvertex 1 2 z\n", 1.0).unwrap_err().to_string().contains("z"));
        assert!(Mesh::parse("hello", 1.0).is_err() && file_text(vec![255, 254, 0]).is_err());
    }
}
