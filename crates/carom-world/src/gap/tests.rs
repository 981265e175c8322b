//! Tests with pairs of shapes in poses without symmetry, with known gaps, and with pairs that must be refused.

mod pairs;

use super::*;
use crate::math::Quat;

const HALF: Vec3 = Vec3::new(0.3, 0.4, 0.5);

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Sphere { radius: 0.4 },
        Shape::HalfSpace,
        Shape::Box { half: HALF },
        Shape::Capsule { radius: 0.2, half: 0.5 },
        Shape::Cylinder { radius: 0.3, half: 0.5 },
        Shape::Ellipsoid { semi: Vec3::new(0.3, 0.5, 0.7) },
        Shape::hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap(),
        Shape::Socket { radius: 1.2 },
        Shape::Bore { radius: 1.1, half: 3.0 },
    ]
}

fn frame(x: f64, y: f64, z: f64, angle: f64) -> Frame {
    let axis = Vec3::new(0.48, 0.6, 0.64);
    Frame { origin: Vec3::new(x, y, z), rotation: Quat::about(axis, angle) }
}

/// Calls `check` for every supported pair in a few poses, and returns the number of pairs.
fn each(mut check: impl FnMut(&Shape, &Frame, &Shape, &Frame, usize)) -> usize {
    let mut pairs = 0;
    for a in &shapes() {
        for b in &shapes() {
            let Ok(sites) = site_count(a, b) else { continue };
            // Pairs of solids are tested in `pairs.rs`; in these poses they would overlap deeply.
            let with = |name: &str| a.name() == name || b.name() == name;
            let cavity = with("socket") || with("bore");
            if a.name() != b.name() && !with("sphere") && !with("half-space") && !cavity {
                continue;
            }
            if a.name() == b.name() && sites > 1 {
                continue;
            }
            pairs += 1;
            for (fa, fb) in [
                (frame(0.1, -0.2, 0.9, 0.4), frame(0.3, 0.2, 0.1, -1.1)),
                (frame(-0.5, 0.6, 0.8, 2.2), frame(0.3, 0.1, -0.2, 0.7)),
            ] {
                (0..sites).for_each(|site| check(a, &fa, b, &fb, site));
            }
        }
    }
    pairs
}

/// Computes the rate of the gap at a site in two ways: from the velocities of the material points of both bodies, and by
/// differences.
fn rates(
    (a, fa): (&Shape, &Frame),
    (b, fb): (&Shape, &Frame),
    site: usize,
    v: [Vec3; 2],
    w: [Vec3; 2],
) -> (f64, f64) {
    let moved = |f: &Frame, body: usize, h: f64| Frame {
        origin: f.origin + v[body] * h,
        rotation: f.rotation.rotated_by(w[body] * h),
    };
    let at = |h: f64| gap(a, &moved(fa, 0, h), b, &moved(fb, 1, h), site);
    let (now, h) = (at(0.0), 1e-6);
    let material = |body: usize, f: &Frame| v[body] + w[body].cross(now.point - f.origin);
    let rate = now.normal.dot(material(1, fb) - material(0, fa));
    (rate, (at(h).distance - at(-h).distance) / (2.0 * h))
}

#[test]
fn the_material_rate_is_that_of_the_gap() {
    let pairs = each(|a, fa, b, fb, site| {
        let velocities = [Vec3::new(0.3, -0.7, 0.2), Vec3::new(-0.2, 0.4, 0.6)];
        let spins = [Vec3::new(0.5, 0.1, -0.9), Vec3::new(-0.3, 0.8, 0.2)];
        let (rate, difference) = rates((a, fa), (b, fb), site, velocities, spins);
        let names = (a.name(), b.name());
        assert!((rate - difference).abs() < 1e-7, "{names:?} {site}: {rate} {difference}");
    });
    assert_eq!(pairs, 31, "every pair of the table, both ways round");
}

#[test]
fn nothing_changes_when_both_move_together_or_change_places() {
    each(|a, fa, b, fb, site| {
        let now = gap(a, fa, b, fb, site);
        assert!((now.normal.length() - 1.0).abs() < 1e-12);
        let other = gap(b, fb, a, fa, site);
        assert!((now.distance - other.distance).abs() < 1e-13);
        assert!((now.normal + other.normal).length() < 1e-9);
        assert!((now.point - other.point).length() < 1e-9);
        let together = frame(3.0, -2.0, 1.0, 0.9);
        let carry = |f: &Frame| Frame {
            origin: together.to_world(f.origin),
            rotation: together.rotation * f.rotation,
        };
        let moved = gap(a, &carry(fa), b, &carry(fb), site);
        assert!((now.distance - moved.distance).abs() < 1e-12);
        assert!((together.rotation.rotate(now.normal) - moved.normal).length() < 1e-7);
    });
}

#[test]
fn gaps_of_simple_poses_have_their_known_values() {
    let at = |x: f64| Frame { origin: Vec3::new(x, 0.0, 0.0), ..Frame::default() };
    let ball = Shape::Sphere { radius: 1.0 };
    assert_eq!(gap(&ball, &at(0.0), &ball, &at(2.5), 0).distance, 0.5);
    let socket = Shape::Socket { radius: 1.25 };
    let inside = gap(&ball, &at(0.125), &socket, &at(0.0), 0);
    assert_eq!((inside.distance, inside.normal), (0.125, Vec3::X));
    // Two ellipsoids tip to tip along x.
    let egg = Shape::Ellipsoid { semi: Vec3::new(1.0, 0.5, 0.25) };
    let tips = gap(&egg, &at(0.0), &egg, &at(2.1), 0);
    assert!((tips.distance - 0.1).abs() < 1e-15 && (tips.normal - Vec3::X).length() < 1e-12);
    let overlap = gap(&egg, &at(0.0), &egg, &at(1.999), 0);
    assert!((overlap.distance + 0.001).abs() < 1e-15);
    // Parallel capsules touch along a line; the contact point is in the middle of their overlap.
    let rod = Shape::Capsule { radius: 0.1, half: 1.0 };
    let beside = Frame { origin: Vec3::new(0.3, 0.0, 1.0), ..Frame::default() };
    let line = gap(&rod, &at(0.0), &rod, &beside, 0);
    assert!((line.distance - 0.1).abs() < 1e-15 && (line.point.z - 0.5).abs() < 1e-15);
}

#[test]
fn a_normal_is_found_from_any_starting_direction() {
    let (one, two) = (
        Shape::Ellipsoid { semi: Vec3::new(0.3, 0.5, 0.7) },
        Shape::Ellipsoid { semi: Vec3::new(0.6, 0.2, 0.4) },
    );
    let ball = Shape::Sphere { radius: 0.4 };
    // Separate, nearly touching, and overlapping by a tenth of the smallest axis.
    for (b, distance) in [(&two, 1.0), (&two, 0.62), (&two, 0.58), (&ball, 0.8), (&ball, 0.63)] {
        let (fa, fb) = (frame(0.0, 0.0, 0.0, 0.8), frame(distance, 0.5, -0.3, -1.3));
        assert_eq!(
            [normal_memory(&one, b, 0), normal_memory(b, &one, 0)],
            [NormalMemory::Always; 2]
        );
        assert_eq!(normal_memory(b, &Shape::HalfSpace, 0), NormalMemory::Unused);
        let cold = gap(&one, &fa, b, &fb, 0);
        let (t, s) = cold.normal.frame();
        for (x, y) in [(1e-7, 0.0), (0.01, -0.02), (0.2, 0.1), (-0.4, 0.3)] {
            let start = (cold.normal + t * x + s * y).unit().unwrap();
            let warm = gap_from(start, &one, &fa, b, &fb, 0);
            assert!((warm.distance - cold.distance).abs() < 1e-15, "{distance} {x}");
            assert!((warm.normal - cold.normal).length() < 1e-14, "{distance} {x}");
            assert!((warm.point - cold.point).length() < 1e-14, "{distance} {x}");
        }
        // Starting directions that are far from the normal, or invalid, are not used.
        for start in [-cold.normal, t, Vec3::new(f64::NAN, 0.0, 0.0)] {
            assert_eq!(gap_from(start, &one, &fa, b, &fb, 0), cold, "{distance}");
        }
    }
}

#[test]
fn curvatures_of_an_ellipsoid_are_those_of_its_tips() {
    let egg = Shape::Ellipsoid { semi: Vec3::new(1.0, 0.5, 0.25) };
    let f = frame(0.0, 0.0, 0.0, 0.6);
    let tip = f.rotation.rotate(Vec3::X);
    let ground = Frame { origin: f.to_world(Vec3::X), rotation: Quat::between(Vec3::Z, -tip) };
    let point = f.to_world(Vec3::X);
    let (low, high) =
        relative_curvatures(&egg, &f, &Shape::HalfSpace, &ground, tip, point).unwrap();
    assert!((low - 4.0).abs() < 1e-12 && (high - 16.0).abs() < 1e-11, "{low} {high}");
    let box_ = Shape::Box { half: HALF };
    assert!(relative_curvatures(&box_, &f, &egg, &f, Vec3::new(0.6, 0.0, 0.8), point).is_none());
    // Crossed cylinders of equal radius are equivalent to a ball on a plane.
    let rod = Shape::Cylinder { radius: 0.5, half: 2.0 };
    let across =
        Frame { origin: Vec3::Z, rotation: Quat::about(Vec3::X, std::f64::consts::FRAC_PI_2) };
    let along =
        Frame { rotation: Quat::about(Vec3::Y, std::f64::consts::FRAC_PI_2), ..Frame::default() };
    let crossed = relative_curvatures(&rod, &along, &rod, &across, Vec3::Z, Vec3::Z * 0.5).unwrap();
    assert!((crossed.0 - 2.0).abs() < 1e-9 && (crossed.1 - 2.0).abs() < 1e-9, "{crossed:?}");
}

#[test]
fn unsupported_pairs_of_shapes_are_refused_with_advice() {
    // Any two solids can touch. Cavities accept only certain shapes, and two half-spaces cannot touch.
    let all = shapes();
    let solid = |shape: &Shape| !matches!(shape.name(), "half-space" | "socket" | "bore");
    for a in &all {
        for b in &all {
            let one_way = |a: &Shape, b: &Shape| match (a.name(), b.name()) {
                ("sphere", "socket" | "bore") | ("cylinder", "bore") => true,
                (_, "half-space") => solid(a),
                _ => solid(a) && solid(b),
            };
            let touch = one_way(a, b) || one_way(b, a);
            match site_count(a, b).err() {
                None => assert!(touch, "{} {}", a.name(), b.name()),
                Some(error) => {
                    assert!(error.is_unsupported() && !touch);
                    let text = error.to_string();
                    assert!(text.contains(a.name()) && text.contains(b.name()), "{text}");
                }
            }
        }
    }
    let tight = Shape::Socket { radius: 0.4 };
    assert!(site_count(&Shape::Sphere { radius: 0.4 }, &tight).unwrap_err().is_invalid());
}
