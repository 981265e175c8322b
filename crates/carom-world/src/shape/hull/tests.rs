//! Tests of corners, faces and masses of hulls.

use super::*;
use crate::math::Quat;
use crate::shape::Shape;

fn cube(half: f64) -> Vec<Vec3> {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -half } else { half };
    (0..8).map(|i| Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

#[test]
fn a_cube_has_six_faces_and_the_inertia_of_a_box_wherever_it_is() {
    let turn = Quat::about(Vec3::new(0.48, 0.6, 0.64), 0.7);
    let shift = Vec3::new(3.0, -2.0, 5.0);
    let points: Vec<_> = cube(0.5).iter().map(|p| turn.rotate(*p) + shift).collect();
    let hull = Hull::of(&points).unwrap();
    assert_eq!((hull.corners().len(), hull.edges().len(), hull.faces().len()), (8, 12, 6));
    let solid = hull.solid(1200.0);
    let same = Shape::Box { half: Vec3::new(0.5, 0.5, 0.5) }.solid(1200.0).unwrap();
    assert!((solid.mass / same.mass - 1.0).abs() < 1e-13);
    assert!((solid.centre - shift).length() < 1e-13);
    let expected = same.inertia.in_world_axes(turn);
    for (row, other) in solid.inertia.0.iter().zip(expected.0) {
        assert!((*row - other).length() < 1e-12 * same.inertia[0].x);
    }
    // The core of a cube is a cube.
    assert!((hull.rounding() - 0.005).abs() < 1e-12);
    let mid = mean(hull.core().corners());
    let corner = (hull.core().corners()[0] - mid).length();
    assert!((corner - 0.495 * 3f64.sqrt()).abs() < 1e-12);
}

#[test]
fn a_tetrahedron_has_its_closed_form() {
    // Corners at the origin and on the axes at distance 1: V = 1/6, each coordinate of the centre is 1/4; about the origin ∫x²
    // = 1/60 and ∫xy = 1/120.
    let hull = Hull::of(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
    let solid = hull.solid(6.0);
    assert!((solid.mass - 1.0).abs() < 1e-15);
    assert!((solid.centre - Vec3::new(0.25, 0.25, 0.25)).length() < 1e-15);
    // About the centre and divided by the mass: ∫x² = 1/10 − 1/16, ∫xy = 1/20 − 1/16.
    let (square, mixed) = (0.1 - 0.0625, 0.05 - 0.0625);
    for (row, axis) in solid.inertia.0.iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        let expected = axis * (2.0 * square + mixed) - Vec3::new(mixed, mixed, mixed);
        assert!((*row - expected).length() < 1e-15, "{row:?} {expected:?}");
    }
}

#[test]
fn points_inside_or_on_faces_and_edges_are_no_corners() {
    let mut points = cube(1.0);
    points.extend([Vec3::X, Vec3::new(1.0, 1.0, 0.2), Vec3::new(0.1, 0.2, 0.3)]);
    points.reverse();
    let hull = Hull::of(&points).unwrap();
    assert_eq!((hull.corners().len(), hull.edges().len(), hull.faces().len()), (8, 12, 6));
    // Every normal points outwards, and the corners of a face lie in its plane, anticlockwise.
    for face in hull.faces() {
        let at = |i: usize| hull.corners()[face.corners[i % face.corners.len()]];
        for i in 0..face.corners.len() {
            assert!((face.normal.dot(at(i)) - face.offset).abs() < 1e-15);
            let turn = (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1));
            assert!(turn.dot(face.normal) > 0.0);
        }
    }
}

#[test]
fn points_that_form_no_hull_are_refused_with_the_reason() {
    let text = |points: &[Vec3]| Hull::of(points).unwrap_err().to_string();
    assert!(text(&cube(1.0)[..3]).contains("at least four"));
    assert!(text(&cube(1.0)[..4]).contains("plane"));
    let mut twice = cube(1.0);
    twice.push(twice[2]);
    assert!(text(&twice).contains("points 3 and 9"));
    let mut broken = cube(1.0);
    broken[5].y = f64::NAN;
    assert!(text(&broken).contains("point 6"));
    assert!(text(&[Vec3::X; 1001]).contains("1000"));
    let line: Vec<_> = (0..6).map(|i| Vec3::X * f64::from(i)).collect();
    assert!(text(&line).contains("plane"));
}

/// Returns points on an ellipsoid of which no four lie in one plane.
fn ellipsoid(count: u32) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let point = |i: u32| {
        let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
        let (r, turn) = ((1.0 - z * z).sqrt(), golden * f64::from(i));
        Vec3::new(r * turn.cos(), 0.5 * r * turn.sin(), 0.7 * z)
    };
    (0..count).map(point).collect()
}

#[test]
fn a_rounded_body_of_many_corners_closes() {
    let full = Shape::Ellipsoid { semi: Vec3::new(1.0, 0.5, 0.7) }.solid(1.0).unwrap().mass;
    for (count, least) in [(60, 0.85), (1000, 0.99)] {
        let hull = Hull::of(&ellipsoid(count)).unwrap();
        assert_eq!(hull.corners().len(), count as usize);
        assert_eq!(hull.faces().len(), 2 * count as usize - 4);
        let share = hull.solid(1.0).mass / full;
        assert!(share > least && share < 1.0, "{share}");
    }
}

#[test]
fn a_grid_of_points_is_a_block_however_it_is_turned() {
    // Six by six by six points: many lie in one plane and on one line, either exactly or up to rounding.
    let at = |i: u32| Vec3::new(f64::from(i % 6), f64::from(i / 6 % 6), f64::from(i / 36));
    for turn in [0.0, 0.7, 1.9] {
        let turn = Quat::about(Vec3::new(0.48, 0.6, 0.64), turn);
        // Increments of 89 visit all points in an order in which points inside come before many of the corners.
        let points: Vec<_> = (0..216).map(|i| turn.rotate(at(i * 89 % 216))).collect();
        let hull = Hull::of(&points).unwrap();
        assert_eq!((hull.corners().len(), hull.edges().len(), hull.faces().len()), (8, 12, 6));
        assert!((hull.solid(1.0).mass - 125.0).abs() < 1e-11);
    }
}
