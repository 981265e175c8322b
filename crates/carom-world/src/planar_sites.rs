//! Contact sites that coincide in a planar scene.
//!
//! A box has eight corners, but in a planar scene the four front corners move exactly as the four rear corners. They form
//! two contacts with the same point, normal and velocity. The distribution of the load between them is undetermined (the
//! motion is the same for any distribution), and with friction they could alternate between sticking and slipping without
//! end. Therefore, of all sites that are the same for every planar motion, one is kept.
//!
//! These sites are found from the gaps themselves, in several planar poses of both bodies: sites count as the same if they
//! have the same distance and, in the plane, the same point and normal in all poses. Bodies that are only partly behind each
//! other, or are rotated out of the plane, keep all sites that differ.

use crate::gap::{Frame, Gap, gap};
use crate::math::{Quat, Vec3};
use crate::shape::Placed;

/// Number of poses that are compared.
const COMPARED_POSES: usize = 8;
/// Tolerance for equal gaps, relative to the size of the bodies.
const MAX_DIFFERENCE: f64 = 1e-9;

/// Returns the numbers of the sites of two shapes that differ in the plane. Each shape is given with the initial pose of its
/// body, of which the height and the rotation matter.
pub(crate) fn distinct_sites(
    (a, body_a): (&Placed, Frame),
    (b, body_b): (&Placed, Frame),
    sites: usize,
) -> Vec<usize> {
    let bounding_radius = |placed: &Placed| {
        let radius = placed.position.length() + placed.shape.reach();
        if radius.is_finite() { radius } else { 0.0 }
    };
    let size = (bounding_radius(a) + bounding_radius(b)).max(f64::MIN_POSITIVE);
    let frame = |placed: &Placed, body: &Frame, x: Vec3, angle: f64| {
        let rotation = Quat::about(Vec3::Z, angle) * body.rotation;
        let origin = Vec3::new(x.x, x.y, body.origin.z) + rotation.rotate(placed.position);
        Frame { origin, rotation: rotation * placed.rotation }
    };
    // The angles are not symmetries of usual bodies, and the distances range from overlapping to separate.
    let poses: Vec<(Frame, Frame)> = (0..COMPARED_POSES)
        .map(|i| {
            let i = i as f64;
            let away = Vec3::new((2.4 * i + 0.3).cos(), (2.4 * i + 0.3).sin(), 0.0);
            let at = away * (size * (0.35 + 0.1 * i));
            (frame(a, &body_a, Vec3::ZERO, 1.7 * i + 0.2), frame(b, &body_b, at, -1.3 * i + 0.5))
        })
        .collect();
    let gaps = |site: usize| -> Vec<Gap> {
        poses.iter().map(|(fa, fb)| gap(&a.shape, fa, &b.shape, fb, site)).collect()
    };
    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
    let same = |one: &Gap, two: &Gap| {
        (one.distance - two.distance).abs() <= MAX_DIFFERENCE * size
            && flat(one.point - two.point).length() <= MAX_DIFFERENCE * size
            && flat(one.normal - two.normal).length() <= MAX_DIFFERENCE
    };
    let mut kept: Vec<(usize, Vec<Gap>)> = Vec::new();
    for site in 0..sites {
        let now = gaps(site);
        let known = |(_, other): &(usize, Vec<Gap>)| now.iter().zip(other).all(|(x, y)| same(x, y));
        if !kept.iter().any(known) {
            kept.push((site, now));
        }
    }
    kept.into_iter().map(|(site, _)| site).collect()
}
