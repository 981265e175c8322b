//! Gaps in closed form: balls against balls, planes, cavities, boxes and cylinders.

use super::kinematics::{Frame, Gap};
use crate::math::Vec3;

/// Computes the gap of two balls. Concentric balls have no normal direction; x is used.
#[inline(always)]
pub fn two_balls(a: Vec3, radius_a: f64, b: Vec3, radius_b: f64) -> Gap {
    let apart = b - a;
    let length = apart.length();
    let normal = if length > 0.0 { apart * (1.0 / length) } else { Vec3::X };
    let distance = length - radius_a - radius_b;
    Gap { distance, normal, point: a + normal * (radius_a + 0.5 * distance) }
}

/// Computes the gap of a ball (or, with radius 0, a corner) and the plane of a half-space.
#[inline(always)]
pub fn ball_on_plane(centre: Vec3, radius: f64, plane: &Frame) -> Gap {
    let up = plane.rotation.third_axis();
    let distance = up.dot(centre - plane.origin) - radius;
    Gap { distance, normal: -up, point: centre - up * (radius + 0.5 * distance) }
}

/// Computes the gap of a ball inside a cavity; `off` is the vector from the cavity's centre or axis to the ball's centre.
#[inline]
pub fn ball_in_cavity(centre: Vec3, radius: f64, off: Vec3, cavity: f64, frame: &Frame) -> Gap {
    let length = off.length();
    // At the centre the direction is arbitrary, since there is no contact.
    let normal = match length > 0.0 {
        true => off * (1.0 / length),
        false => frame.rotation.rotate(Vec3::X),
    };
    let distance = cavity - radius - length;
    Gap { distance, normal, point: centre + normal * (radius + 0.5 * distance) }
}

/// Computes the gap of a ball and a box. If its centre is inside the box, the ball is pushed out through the nearest face.
pub fn ball_on_box(centre: Vec3, radius: f64, half: Vec3, frame: &Frame) -> Gap {
    let p = frame.to_local(centre);
    let clamped = p.max(-half).min(half);
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

/// Computes the gap of a ball and the side, an end or the rim of a solid cylinder.
pub fn ball_on_cylinder(centre: Vec3, ball: f64, radius: f64, half: f64, frame: &Frame) -> Gap {
    let p = frame.to_local(centre);
    let (distance, outward) = cylinder_distance(p, radius, half);
    gap_of_ball(p - outward * distance, distance, outward, ball, frame)
}

/// Computes the signed distance of a point from a solid cylinder and the outward normal, both in the frame of the cylinder.
/// Inside, they are those of the side or of an end, whichever is nearer.
pub fn cylinder_distance(p: Vec3, radius: f64, half: f64) -> (f64, Vec3) {
    let radial = Vec3::new(p.x, p.y, 0.0).unit().unwrap_or(Vec3::X);
    let up = Vec3::Z * p.z.signum();
    let (side, end) = (p.x.hypot(p.y) - radius, p.z.abs() - half);
    match (side > 0.0, end > 0.0) {
        (true, true) => {
            let out = radial * side + up * end;
            (out.length(), out.unit().unwrap_or(radial))
        }
        _ if side > end => (side, radial),
        _ => (end, up),
    }
}

/// Computes the gap of a ball from the nearest point of a body's surface (in its frame), the distance of the ball's centre from
/// that point, and the outward normal there.
fn gap_of_ball(surface: Vec3, depth: f64, outward: Vec3, radius: f64, frame: &Frame) -> Gap {
    let outward = frame.rotation.rotate(outward);
    let distance = depth - radius;
    Gap { distance, normal: -outward, point: frame.to_world(surface) + outward * (0.5 * distance) }
}
