//! Tests of every pair of solid shapes in many poses: distances with a proof, and rates compared with differences.

use crate::gap::*;
use crate::math::Quat;
use crate::shape::ROUNDING;
use carom::numeric::random::Sequence;

fn solids() -> Vec<Shape> {
    let roof = [
        -0.4, -0.3, -0.2, 0.5, -0.35, -0.2, 0.4, 0.3, -0.25, -0.3, 0.4, -0.2, 0.0, -0.2, 0.4, 0.1,
        0.2, 0.35,
    ];
    let roof: Vec<_> = roof.as_chunks().0.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect();
    vec![
        Shape::Sphere { radius: 0.4 },
        Shape::Ellipsoid { semi: Vec3::new(0.3, 0.5, 0.7) },
        Shape::Capsule { radius: 0.2, half: 0.5 },
        Shape::Cylinder { radius: 0.3, half: 0.5 },
        Shape::Box { half: Vec3::new(0.3, 0.4, 0.5) },
        Shape::hull(&roof).unwrap(),
    ]
}

/// Generator of pseudo-random numbers in (−1, 1) that are the same in every run.
struct Dice(Sequence);

impl Dice {
    fn roll(&mut self) -> f64 {
        2.0 * self.0.unit() - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
    fn frame(&mut self) -> Frame {
        let rotation = Quat { w: self.roll(), v: self.vector() }.normalised();
        Frame { origin: self.vector(), rotation }
    }
}

/// Computes the support point of a solid in a direction, independently of the code under test.
fn farthest(shape: &Shape, frame: &Frame, rounded: bool, n: Vec3) -> Vec3 {
    let d = frame.rotation.inverse().rotate(n);
    let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
    let best = |points: &[Vec3]| {
        points.iter().fold(points[0], |a, b| if b.dot(d) > a.dot(d) { *b } else { a })
    };
    let local = match shape {
        Shape::Sphere { radius } => d * *radius,
        Shape::Ellipsoid { semi } => ellipsoid::support(*semi, d),
        Shape::Capsule { radius, half } => Vec3::Z * (sign(d.z) * half) + d * *radius,
        Shape::Cylinder { radius, half } if !rounded => {
            let across = Vec3::new(d.x, d.y, 0.0).unit().unwrap_or(Vec3::X);
            Vec3::Z * (sign(d.z) * half) + across * *radius
        }
        Shape::Cylinder { radius, half } => {
            let (crown, rim) = (0.01 * radius, 0.02 * radius);
            let cap = ellipsoid::support(Vec3::new(radius - rim, radius - rim, crown), d);
            Vec3::Z * (sign(d.z) * (half - crown - rim)) + cap + d * rim
        }
        Shape::Box { half } => {
            let r = if rounded { ROUNDING * half.least() } else { 0.0 };
            let inner = *half - Vec3::new(r, r, r);
            Vec3::new(sign(d.x), sign(d.y), sign(d.z)).scaled(inner) + d * r
        }
        Shape::Hull { points } if rounded => best(points.core().corners()) + d * points.rounding(),
        Shape::Hull { points } => best(points.corners()),
        _ => Vec3::ZERO,
    };
    frame.to_world(local)
}

/// Returns whether a point lies in a solid, checked by slabs in many directions.
fn inside(shape: &Shape, frame: &Frame, rounded: bool, point: Vec3, normal: Vec3) -> bool {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = (0..2000).map(|i| {
        let z = 1.0 - (f64::from(i) + 0.5) / 1000.0;
        let (r, turn) = ((1.0 - z * z).sqrt(), golden * f64::from(i));
        Vec3::new(r * turn.cos(), r * turn.sin(), z)
    });
    // Directions near the normal are the most decisive ones.
    let close = spiral.clone().filter_map(|n| (normal + n * 0.03).unit());
    spiral.chain(close).all(|n| n.dot(point - farthest(shape, frame, rounded, n)) < 1e-12)
}

/// Searches for the widest slab between two solids, starting from a direction, and returns its width.
fn widest(slab: impl Fn(Vec3) -> f64, mut best: Vec3) -> f64 {
    let (mut top, mut size, mut dice) = (slab(best), 0.3, Dice(Sequence::new(3)));
    while size > 1e-9 {
        let (t, s) = best.frame();
        let mut found = false;
        for _ in 0..40 {
            let turn = std::f64::consts::PI * dice.roll();
            let trial = (best + (t * turn.cos() + s * turn.sin()) * size).unit().unwrap();
            if slab(trial) > top {
                (best, top, found) = (trial, slab(trial), true);
            }
        }
        size *= if found { 1.2 } else { 0.7 };
    }
    top
}

fn is_poly(shape: &Shape) -> bool {
    matches!(shape, Shape::Box { .. } | Shape::Hull { .. })
}

/// Returns whether a pair is a cylinder and a body with flat faces, so that rings of points may touch.
fn has_rings(a: &Shape, b: &Shape) -> bool {
    let round = |shape: &Shape| matches!(shape, Shape::Cylinder { .. });
    (round(a) && (is_poly(b) || round(b))) || (is_poly(a) && round(b))
}

/// Returns whether a shape is rounded where it touches the other.
fn rounded(shape: &Shape, other: &Shape) -> bool {
    match shape {
        Shape::Cylinder { .. } => !matches!(other, Shape::Sphere { .. }),
        _ => is_poly(other),
    }
}

fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Capsule { radius, .. } | Shape::Cylinder { radius, .. } => *radius,
        Shape::Box { half } => half.least(),
        Shape::Hull { points } => points.rounding() / ROUNDING,
        _ => 0.0,
    }
}

fn least(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame) -> f64 {
    let each = (0..site_count(a, b).unwrap()).map(|site| gap(a, fa, b, fb, site).distance);
    each.fold(f64::INFINITY, f64::min)
}

/// Finds random poses in which the smallest gap of two shapes is nearly `target`.
fn posed(dice: &mut Dice, a: &Shape, b: &Shape, target: f64) -> (Frame, Frame) {
    let (fa, mut fb) = (dice.frame(), dice.frame());
    let away = dice.vector().unit().unwrap_or(Vec3::X);
    let (mut near, mut far) = (0.0, 4.0);
    // The search approaches from a large distance, because gaps at deep overlap are arbitrary.
    for step in 1..=400 {
        near = 4.0 - 0.01 * f64::from(step);
        fb.origin = fa.origin + away * near;
        if least(a, &fa, b, &fb) <= target {
            break;
        }
        far = near;
    }
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        fb.origin = fa.origin + away * middle;
        if least(a, &fa, b, &fb) > target { far = middle } else { near = middle }
    }
    fb.origin = fa.origin + away * far;
    (fa, fb)
}

#[test]
fn the_nearest_site_is_proved_by_a_slab_and_two_points() {
    let mut dice = Dice(Sequence::new(7));
    let shapes = solids();
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            // Edges recede slightly towards their ends; pairs that touch only with points do not.
            let both = !matches!(
                (a, b),
                (Shape::Sphere { .. } | Shape::Ellipsoid { .. }, _)
                    | (Shape::Capsule { .. }, Shape::Capsule { .. })
            );
            let allowed = if both { 1.5 * ROUNDING * size(a).min(size(b)) } else { 0.0 };
            let (round_a, round_b) = (rounded(a, b), rounded(b, a));
            let mut exact = 0;
            for _ in 0..12 {
                let (fa, fb) = posed(&mut dice, a, b, 0.02);
                let all = (0..site_count(a, b).unwrap()).map(|site| gap(a, &fa, b, &fb, site));
                let found = all.reduce(|x, y| if y.distance < x.distance { y } else { x }).unwrap();
                let n = found.normal;
                // Cylinders stand on rings that are slightly wider than their ends and recede with the tilt, and their rims are
                // rounded.
                if has_rings(a, b) {
                    let sharp = |n: Vec3| {
                        let top = farthest(a, &fa, false, n);
                        n.dot(farthest(b, &fb, false, -n) - top)
                    };
                    let over = found.distance - widest(sharp, n);
                    assert!(over > -0.002 && over < 0.03, "{} {} {over:e}", a.name(), b.name());
                    exact += 1;
                    continue;
                }
                // The width of a slab between the bodies is a lower bound of their distance.
                let slab = |n: Vec3| {
                    let top = farthest(a, &fa, round_a, n);
                    n.dot(farthest(b, &fb, round_b, -n) - top)
                };
                let off = found.distance - slab(n);
                let names = (a.name(), b.name());
                assert!(off > -1e-12 && (allowed > 0.0 || off < 1e-12), "{names:?} {off:e}");
                // Where an edge recedes, the distance must agree with the widest slab found by a search, up to the recess.
                if off >= 1e-12 {
                    let over = found.distance - widest(slab, n);
                    assert!(over > -1e-12 && over < allowed + 1e-5, "{names:?} {over:e}");
                }
                // The two surface points lie in the bodies, so their distance is an upper bound.
                let on_a = found.point - n * (0.5 * found.distance);
                let on_b = found.point + n * (0.5 * found.distance);
                assert!(inside(a, &fa, round_a, on_a, n), "{names:?}");
                assert!(inside(b, &fb, round_b, on_b, -n), "{names:?}");
                exact += usize::from(off < 1e-12);
            }
            assert!(exact >= if both { 1 } else { 12 }, "{} {} {exact}", a.name(), b.name());
        }
    }
}

#[test]
fn the_rate_of_every_site_is_that_of_its_material_points() {
    let mut dice = Dice(Sequence::new(11));
    let shapes = solids();
    let (mut pairs, mut checked, mut rough) = (0, 0, 0);
    for a in &shapes {
        for b in &shapes {
            pairs += 1;
            for target in [0.02, 0.0005, -0.0005, -0.002] {
                let (fa, fb) = posed(&mut dice, a, b, target);
                let [va, wa, vb, wb] = [dice.vector(), dice.vector(), dice.vector(), dice.vector()];
                for site in 0..site_count(a, b).unwrap() {
                    let now = gap(a, &fa, b, &fb, site);
                    assert!((now.normal.length() - 1.0).abs() < 1e-12);
                    if now.distance > 0.02 {
                        continue;
                    }
                    let (rate, difference) =
                        super::rates((a, &fa), (b, &fb), site, [va, vb], [wa, wb]);
                    let bound = [va, wa, vb, wb].iter().map(|v| v.length()).sum::<f64>();
                    assert!(rate.abs() < bound, "no faster than the bodies");
                    checked += 1;
                    let off = (rate - difference).abs();
                    // A difference quotient across the border between two features has an error proportional to its increment.
                    rough += usize::from(off > 1e-7);
                    let what = (a.name(), b.name(), site, now.distance);
                    assert!(off < 3e-4, "{what:?}: {rate} {difference}");
                }
            }
        }
    }
    assert_eq!(pairs, 36);
    assert!(checked > 150 && rough * 50 < checked, "{checked} {rough}");
}

#[test]
fn edges_that_cross_deeply_are_still_inside() {
    // Two blocks, each rolled by 45 degrees about its long axis, whose edges cross; the indentation far exceeds the rounding.
    let (a, b) = (
        Shape::Box { half: Vec3::new(0.5, 0.2, 0.2) },
        Shape::Box { half: Vec3::new(0.5, 0.2, 0.2) },
    );
    let roll = Quat::about(Vec3::X, std::f64::consts::FRAC_PI_4);
    let cross = Quat::about(Vec3::Z, 1.1) * roll;
    let top = 0.2 * 2f64.sqrt();
    // Along the diagonal the rounding removes (√2 − 1)·r from each edge.
    let rounded = 2.0 * (2f64.sqrt() - 1.0) * 0.002;
    let mut last = f64::INFINITY;
    for step in 0..60 {
        let height = 2.0 * top + 0.01 - 0.001 * f64::from(step);
        let fa = Frame { rotation: roll, ..Frame::default() };
        let fb = Frame { origin: Vec3::Z * height, rotation: cross };
        // The normal from the beginning of the touch tells on which sides of each other the edges were.
        let found =
            (0..site_count(&a, &b).unwrap()).map(|site| match normal_memory(&a, &b, site) {
                NormalMemory::WhileTouching => gap_from(Vec3::Z, &a, &fa, &b, &fb, site).distance,
                _ => gap(&a, &fa, &b, &fb, site).distance,
            });
        let found = found.fold(f64::INFINITY, f64::min);
        assert!(found < last, "{height}: {found} {last}");
        assert!((found - (height - 2.0 * top + rounded)).abs() < 1e-9, "{height} {found}");
        last = found;
    }
}

/// Features whose boxes are separate do not touch, and for bodies with edges the gap is at least the bound.
#[test]
fn no_gap_is_smaller_than_its_bound() {
    let (mut dice, solids) = (Dice(Sequence::new(11)), solids());
    let (mut bounded, mut open) = (0, 0);
    for a in &solids {
        for b in &solids {
            let Ok(sites) = site_count(a, b) else { continue };
            for _ in 0..12 {
                let (fa, fb) = (dice.frame(), dice.frame());
                let relative = RelativeFrame::new(&fa, &fb);
                for site in 0..sites {
                    let boxes = site_boxes(a, b, site).expect("solids have bounds");
                    let (bound, found) =
                        (relative.gap_bound(&boxes), gap(a, &fa, b, &fb, site).distance);
                    bounded += 1;
                    if bound > 1e-12 {
                        open += 1;
                        assert!(found > 0.0, "{} {} {site}: {bound} {found}", a.name(), b.name());
                    }
                    if is_poly(a) && is_poly(b) && bound > 0.0 {
                        assert!(found >= bound - 1e-12, "{site}: {bound} {found}");
                    }
                }
            }
        }
    }
    assert!(open * 2 > bounded, "{open} of {bounded}");
}
