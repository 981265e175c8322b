//! Ellipsoids: the common normal by Newton's iteration.
//!
//! Two smooth convex bodies are nearest, or deepest in each other, where the line between the points is
//! along both normals. An ellipsoid with axes given by the matrix A = R·diag(s) has, for a unit direction
//! n, the support point p(n) = x + A·Aᵀn/|Aᵀn| with the outward normal n, so the four equations of the
//! common normal (d ∥ n_a, n_b = −n_a) become two: find the unit n for which
//!
//! d(n) = p_b(−n) − p_a(n)
//!
//! is along n. d·n is then the signed gap g, negative when they overlap. This is also where g(n) = n·d(n) is
//! largest over directions (for separate bodies; n of the widest slab between them), since the
//! envelope theorem gives ∇g = d across n. The Hessian of g on the sphere is
//!
//! H = −(n·d)·P + P·(∂d/∂n)·P,   ∂p_a/∂n = (M − M n nᵀM/h²)/h,  M = A·Aᵀ, h = |Aᵀn|,
//!
//! and ∂d/∂n = −∂p_a/∂n − ∂p_b/∂n, negative semidefinite, so that Newton's step is an ascent as long as
//! the overlap is small against the radii of curvature. It starts along the line of centres of the unit
//! balls that the bodies are, is damped until g rises or |d across n| falls, and ends at rounding.

use super::{Frame, Gap};
use crate::math::{Mat3, Vec3};

/// The point of an ellipsoid (in its own frame) farthest in a direction.
#[inline]
pub fn support(semi: Vec3, direction: Vec3) -> Vec3 {
    let stretched = direction.scaled(semi);
    match stretched.unit() {
        Some(unit) => unit.scaled(semi),
        None => Vec3::ZERO,
    }
}

/// M = R·diag(s²)·Rᵀ.
fn metric(semi: Vec3, frame: &Frame) -> Mat3 {
    Mat3::diagonal(semi.scaled(semi)).turned(frame.rotation)
}

/// p(n) − x and ∂p/∂n.
fn surface(metric: &Mat3, normal: Vec3) -> (Vec3, Mat3) {
    let image = metric.of(normal);
    let height = normal.dot(image).max(f64::MIN_POSITIVE).sqrt();
    let by = 1.0 / height;
    let outer = |scale: f64| {
        Mat3([image * (image.x * scale), image * (image.y * scale), image * (image.z * scale)])
    };
    let plain = Mat3(metric.0.map(|row| row * by));
    (image * by, plain + outer(-by * by * by))
}

/// The gap of two ellipsoids; a ball is one of equal axes.
pub fn gap(semi_a: Vec3, a: &Frame, semi_b: Vec3, b: &Frame) -> Gap {
    let (metric_a, metric_b) = (metric(semi_a, a), metric(semi_b, b));
    let apart = b.origin - a.origin;
    // The metric of the sum stretches the line of centres towards the normal.
    let sum = metric_a + metric_b;
    let guess = sum.inverse().and_then(|m| m.of(apart).unit());
    let mut normal = guess.or_else(|| apart.unit()).unwrap_or(Vec3::X);
    let reach = semi_a.length() + semi_b.length() + apart.length();
    let mut best = evaluate(&metric_a, &metric_b, apart, normal);
    for _ in 0..60 {
        let miss = best.0.across(normal);
        if miss.length() <= 1e-16 * reach {
            break;
        }
        let (t, s) = normal.frame();
        let gap = best.0.dot(normal);
        let curve = |u: Vec3, v: Vec3| u.dot(best.1.of(v)) + gap * u.dot(v);
        // −H, positive near the solution; where it is not, go along the gradient.
        let (p, q, r) = (curve(t, t), curve(t, s), curve(s, s));
        let determinant = p * r - q * q;
        let (x, y) = (miss.dot(t), miss.dot(s));
        let (dx, dy) = match determinant > 1e-12 * (p * r).abs() && p > 0.0 {
            true => ((r * x - q * y) / determinant, (p * y - q * x) / determinant),
            false => (x / reach, y / reach),
        };
        let mut shorter = 1.0;
        let mut improved = false;
        for _ in 0..40 {
            let trial = (normal + (t * dx + s * dy) * shorter).unit().unwrap_or(normal);
            let found = evaluate(&metric_a, &metric_b, apart, trial);
            if found.0.across(trial).length() < miss.length()
                || found.0.dot(trial) > gap + 1e-12 * reach
            {
                (normal, best) = (trial, found);
                improved = true;
                break;
            }
            shorter *= 0.5;
        }
        if !improved {
            break;
        }
    }
    let distance = best.0.dot(normal);
    let on_a = a.origin + surface(&metric_a, normal).0;
    Gap { distance, normal, point: on_a + normal * (0.5 * distance) }
}

/// d(n) and −∂d/∂n.
fn evaluate(metric_a: &Mat3, metric_b: &Mat3, apart: Vec3, normal: Vec3) -> (Vec3, Mat3) {
    let (point_a, slope_a) = surface(metric_a, normal);
    let (point_b, slope_b) = surface(metric_b, normal);
    // p_b(−n) = −p_b(n) about its own centre.
    (apart - point_b - point_a, slope_a + slope_b)
}
