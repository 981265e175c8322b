//! Principal curvatures of the gap, from which Hertz's stiffness follows.
//!
//! Near a contact point each surface is z = ½·xᵀC x over the tangent plane, with its curvature matrix C (positive for a convex
//! body, negative for a cavity). The curvature matrix of the gap is the sum C_a + C_b. Its eigenvalues are the two principal
//! relative curvatures ρ_a ≤ ρ_b of `carom::pair::stiffness::elliptical`. The principal axes of the two bodies need not be
//! aligned.

use super::kinematics::Frame;
use super::polyhedron::Polyhedron;
use crate::math::Vec3;
use crate::shape::Shape;

/// Computes the principal relative curvatures (1/m) of two shapes that touch with this normal, the smaller one first; none
/// where one of them touches with an edge, a corner, a rim or the end of a cylinder.
///
/// ```
/// use carom_world::gap::{Frame, relative_curvatures};
/// use carom_world::{Shape, math::Vec3};
/// let (ball, ground) = (Shape::Sphere { radius: 0.5 }, Shape::HalfSpace);
/// let frame = Frame::default();
/// let found = relative_curvatures(&ball, &frame, &ground, &frame, -Vec3::Z, Vec3::ZERO);
/// assert_eq!(found, Some((2.0, 2.0)));
/// ```
pub fn relative_curvatures(
    a: &Shape,
    frame_a: &Frame,
    b: &Shape,
    frame_b: &Frame,
    normal: Vec3,
    point: Vec3,
) -> Option<(f64, f64)> {
    let (t, s) = normal.frame();
    let mut sum = [0.0; 3];
    for (shape, frame, outward) in [(a, frame_a, normal), (b, frame_b, -normal)] {
        let part = curvature(shape, frame, outward, point, t, s)?;
        for (total, part) in sum.iter_mut().zip(part) {
            *total += part;
        }
    }
    let [p, q, r] = sum;
    let (mean, spread) = (0.5 * (p + r), (0.5 * (p - r)).hypot(q));
    Some((mean - spread, mean + spread))
}

/// Returns tᵀCt, tᵀCs, sᵀCs of one surface.
fn curvature(
    shape: &Shape,
    frame: &Frame,
    outward: Vec3,
    point: Vec3,
    t: Vec3,
    s: Vec3,
) -> Option<[f64; 3]> {
    let even = |k: f64| [k, 0.0, k];
    // Surface curved about an axis only: curvature k across the axis, 0 along it.
    let about_axis = |k: f64| {
        let axis = frame.rotation.rotate(Vec3::Z);
        let around = axis.cross(outward).unit().unwrap_or(t);
        let (x, y) = (around.dot(t), around.dot(s));
        [k * x * x, k * x * y, k * y * y]
    };
    Some(match shape {
        Shape::Sphere { radius } => even(1.0 / radius),
        Shape::HalfSpace => even(0.0),
        Shape::Socket { radius } => even(-1.0 / radius),
        Shape::Bore { radius, .. } => about_axis(-1.0 / radius),
        Shape::Capsule { radius, half } => match frame.to_local(point).z.abs() < *half {
            true => about_axis(1.0 / radius),
            false => even(1.0 / radius),
        },
        Shape::Cylinder { radius, .. } => {
            let along = outward.dot(frame.rotation.rotate(Vec3::Z)).abs();
            // Sides are slightly crowned (`segment.rs`), so their normals are not exactly perpendicular to the axis.
            return (along < 0.05).then(|| about_axis(1.0 / radius));
        }
        Shape::Box { half } => {
            let n = frame.rotation.inverse().rotate(outward);
            return Polyhedron::Block(*half).has_face(n).then(|| even(0.0));
        }
        Shape::Ellipsoid { semi } => {
            // The shape operator is the inverse of ∂p/∂n on the tangent plane.
            let inverse = frame.rotation.inverse();
            let n = inverse.rotate(outward);
            let squares = semi.scaled(*semi);
            let height = n.dot(n.scaled(squares)).sqrt();
            let image = n.scaled(squares);
            let slope = |u: Vec3, v: Vec3| {
                (u.dot(v.scaled(squares)) - u.dot(image) * v.dot(image) / (height * height))
                    / height
            };
            let (u, v) = (inverse.rotate(t), inverse.rotate(s));
            let (p, q, r) = (slope(u, u), slope(u, v), slope(v, v));
            let determinant = p * r - q * q;
            [r / determinant, -q / determinant, p / determinant]
        }
        Shape::Finger { .. } | Shape::Stop(_) => return None,
        Shape::Hull { points } => {
            let n = frame.rotation.inverse().rotate(outward);
            return Polyhedron::Hull(points).has_face(n).then(|| even(0.0));
        }
    })
}
