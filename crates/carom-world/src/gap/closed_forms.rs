//! Gaps in closed form: balls against balls, planes, cavities, boxes and cylinders; nearest points of two segments.

use super::kinematics::{Frame, Gap};
use crate::math::Vec3;

/// Two balls; concentric ones have no direction, and x is taken.
#[inline(always)]
pub fn balls(a: Vec3, radius_a: f64, b: Vec3, radius_b: f64) -> Gap {
    let apart = b - a;
    let length = apart.length();
    let normal = if length > 0.0 { apart * (1.0 / length) } else { Vec3::X };
    let distance = length - radius_a - radius_b;
    Gap { distance, normal, point: a + normal * (radius_a + 0.5 * distance) }
}

/// A ball (or, with radius 0, a corner) above the plane of a half-space.
#[inline(always)]
pub fn on_plane(centre: Vec3, radius: f64, plane: &Frame) -> Gap {
    let up = plane.rotation.third();
    let distance = up.dot(centre - plane.origin) - radius;
    Gap { distance, normal: -up, point: centre - up * (radius + 0.5 * distance) }
}

/// A ball inside a cavity, at `off` from its centre or axis.
#[inline]
pub fn in_cavity(centre: Vec3, radius: f64, off: Vec3, cavity: f64, frame: &Frame) -> Gap {
    let length = off.length();
    // At the centre any direction will do: there is no contact.
    let normal = match length > 0.0 {
        true => off * (1.0 / length),
        false => frame.rotation.turn(Vec3::X),
    };
    let distance = cavity - radius - length;
    Gap { distance, normal, point: centre + normal * (radius + 0.5 * distance) }
}

/// A ball and a box. With its centre inside, the ball is pushed out through the nearest face.
pub fn on_box(centre: Vec3, radius: f64, half: Vec3, frame: &Frame) -> Gap {
    let p = frame.to_local(centre);
    let clamped = Vec3::new(
        p.x.clamp(-half.x, half.x),
        p.y.clamp(-half.y, half.y),
        p.z.clamp(-half.z, half.z),
    );
    let out = p - clamped;
    let (surface, depth, outward) = match out.unit() {
        Some(outward) => (clamped, out.length(), outward),
        None => {
            let faces = [
                (half.x - p.x.abs(), Vec3::X * p.x.signum()),
                (half.y - p.y.abs(), Vec3::Y * p.y.signum()),
                (half.z - p.z.abs(), Vec3::Z * p.z.signum()),
            ];
            let nearest = faces.into_iter().fold(faces[0], |a, b| if b.0 < a.0 { b } else { a });
            (p + nearest.1 * nearest.0, -nearest.0, nearest.1)
        }
    };
    gap_of_ball(surface, depth, outward, radius, frame)
}

/// A ball and a solid cylinder: side, end or rim.
pub fn on_cylinder(centre: Vec3, ball: f64, radius: f64, half: f64, frame: &Frame) -> Gap {
    let p = frame.to_local(centre);
    let across = Vec3::new(p.x, p.y, 0.0);
    let rho = across.length();
    let radial = if rho > 0.0 { across * (1.0 / rho) } else { Vec3::X };
    let clamped = radial * rho.min(radius) + Vec3::Z * p.z.clamp(-half, half);
    let out = p - clamped;
    let (surface, depth, outward) = match out.unit() {
        Some(outward) => (clamped, out.length(), outward),
        None => {
            let (side, end) = (radius - rho, half - p.z.abs());
            let outward = if side < end { radial } else { Vec3::Z * p.z.signum() };
            let depth = side.min(end);
            (p + outward * depth, -depth, outward)
        }
    };
    gap_of_ball(surface, depth, outward, ball, frame)
}

/// The gap of a ball, from the nearest point of the surface of a body, in its frame, and the distance of the centre from it.
fn gap_of_ball(surface: Vec3, depth: f64, outward: Vec3, radius: f64, frame: &Frame) -> Gap {
    let outward = frame.rotation.turn(outward);
    let distance = depth - radius;
    Gap { distance, normal: -outward, point: frame.to_world(surface) + outward * (0.5 * distance) }
}

/// The nearest points of two segments along the third axes of their frames; of parallel ones those in the middle of the
/// overlap.
pub fn nearest_on_segments(a: &Frame, half_a: f64, b: &Frame, half_b: f64) -> (Vec3, Vec3) {
    let (u, w) = (a.rotation.turn(Vec3::Z), b.rotation.turn(Vec3::Z));
    let between = b.origin - a.origin;
    let (cos, along_u, along_w) = (u.dot(w), between.dot(u), between.dot(w));
    let sine = 1.0 - cos * cos;
    let s = match sine > 1e-12 {
        true => ((along_u - cos * along_w) / sine).clamp(-half_a, half_a),
        false => {
            // Overlap of the projections onto u.
            let low = (along_u - half_b).max(-half_a);
            let high = (along_u + half_b).min(half_a);
            (0.5 * (low + high)).clamp(-half_a, half_a)
        }
    };
    let t = (s * cos - along_w).clamp(-half_b, half_b);
    let s = (along_u + t * cos).clamp(-half_a, half_a);
    (a.origin + u * s, b.origin + w * t)
}
