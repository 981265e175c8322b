//! Places that are one in the plane.
//!
//! A block has eight corners, but in a planar scene the four in front move exactly as the four behind: two touches that
//! share one place, one normal and one velocity. They would share the load by chance (whatever the ratio, the motion is
//! the same), and with friction one of them could stick while the other slips, and the other way round, without end. So of
//! places that are the same for every planar motion one is kept.
//!
//! Which these are is asked of the gaps themselves, in some poses of both bodies in the plane: places that have the same
//! distance, and in the plane the same point and normal, in all of them are the same. Bodies that lie behind each other in
//! part, or are turned out of the plane, keep what they need.

use super::Body;
use crate::gap::{Frame, Gap, gap};
use crate::math::{Quat, Vec3};
use crate::shape::Placed;

/// Poses that are looked at.
const POSES: usize = 8;
/// Same, as a share of the bodies' size.
const SAME: f64 = 1e-9;

/// The places of two shapes that differ in the plane, by number.
pub(crate) fn distinct(bodies: &[Body], a: &Placed, b: &Placed, places: usize) -> Vec<usize> {
    let reach = |placed: &Placed| {
        let reach = placed.position.length() + placed.shape.reach();
        if reach.is_finite() { reach } else { 0.0 }
    };
    let size = (reach(a) + reach(b)).max(f64::MIN_POSITIVE);
    let frame = |placed: &Placed, x: Vec3, angle: f64| {
        let body = &bodies[placed.body];
        let rotation = Quat::about(Vec3::Z, angle) * body.rotation;
        let origin = Vec3::new(x.x, x.y, body.position.z) + rotation.turn(placed.position);
        Frame { origin, rotation: rotation * placed.rotation }
    };
    // Angles that no symmetric body is symmetric under, and distances from overlapping to apart.
    let poses: Vec<(Frame, Frame)> = (0..POSES)
        .map(|i| {
            let i = i as f64;
            let away = Vec3::new((2.4 * i + 0.3).cos(), (2.4 * i + 0.3).sin(), 0.0);
            let at = away * (size * (0.35 + 0.1 * i));
            (frame(a, Vec3::ZERO, 1.7 * i + 0.2), frame(b, at, -1.3 * i + 0.5))
        })
        .collect();
    let seen = |place: usize| -> Vec<Gap> {
        poses.iter().map(|(fa, fb)| gap(&a.shape, fa, &b.shape, fb, place)).collect()
    };
    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
    let same = |one: &Gap, two: &Gap| {
        (one.distance - two.distance).abs() <= SAME * size
            && flat(one.point - two.point).length() <= SAME * size
            && flat(one.normal - two.normal).length() <= SAME
    };
    let mut kept: Vec<(usize, Vec<Gap>)> = Vec::new();
    for place in 0..places {
        let now = seen(place);
        let known = |(_, other): &(usize, Vec<Gap>)| now.iter().zip(other).all(|(x, y)| same(x, y));
        if !kept.iter().any(known) {
            kept.push((place, now));
        }
    }
    kept.into_iter().map(|(place, _)| place).collect()
}
