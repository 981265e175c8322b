//! Gap of ellipsoids and balls, from their common normal by Newton's iteration.
//!
//! At the nearest points of two smooth convex bodies (or the deepest, if they overlap) the line between the points is parallel
//! to both normals. An ellipsoid with centre x and axes given by the matrix A = R·diag(s) has, for a unit direction n, the
//! support point p(n) = x + A·Aᵀn/|Aᵀn| with the outward normal n. The four equations of the common normal (d ∥ n_a, n_b =
//! −n_a) therefore reduce to two: find the unit vector n for which
//!
//! d(n) = p_b(−n) − p_a(n)
//!
//! is parallel to n. Then d·n is the signed gap g, negative when the bodies overlap. The solution is also the maximum over all
//! directions of g(n) = n·d(n), which for separate bodies is the width of the slab with normal n between them, since by the
//! envelope theorem ∇g is the part of d perpendicular to n. The Hessian of g on the sphere is
//!
//! H = −(n·d)·P + P·(∂d/∂n)·P,   ∂p_a/∂n = (M − M n nᵀM/h²)/h,  M = A·Aᵀ, h = |Aᵀn|,
//!
//! with ∂d/∂n = −∂p_a/∂n − ∂p_b/∂n, negative semidefinite, so that Newton's step increases g as long as the overlap is small
//! compared with the radii of curvature. The iteration starts from the line of centres after an affine transformation that
//! makes the bodies roughly spherical, is damped so that g increases, and ends when rounding prevents further progress.
//!
//! As a function of the vector x from one centre to the other, g is convex with ∇g = n and second derivative (−H)⁻¹ on the
//! tangent plane; `segment.rs` uses this to move the centres along segments.
//!
//! # Starting direction
//! The iteration starts from a direction that follows from the pose alone; in a search along segments, from the normal at the
//! preceding point; and for two ellipsoids in a run, from the normal at the beginning of the step ([`gap_from`]). That normal
//! is part of the state and of its checkpoint, and all evaluations of a step start from it. The result is thus a function of
//! state and pose, independent of rejected steps, and a resumed run has the same bits. If the iteration from there does not
//! converge, or turns the normal by more than a twelfth of a turn, it starts again from the pose. For four ellipsoids that
//! bounce on each other, a search takes 3.3 evaluations of d with this start and 4.3 without it (three is the minimum from a
//! start with an error of a thousandth).

use super::kinematics::{Frame, Gap};
use crate::math::{Mat3, Quat, Vec3};

/// Body by which a core is thickened: a ball, or an ellipsoid with a ball around it.
#[derive(Clone, Copy, Debug)]
pub enum Skin {
    /// A ball, given by its radius.
    Ball(f64),
    /// An ellipsoid, and the radius of the ball by which it is thickened.
    Ellipsoid(Ellipsoid, f64),
}

/// An ellipsoid centred at the origin.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    semi: Vec3,
    rotation: Quat,
    /// M = R·diag(s²)·Rᵀ.
    metric: Mat3,
}

impl Ellipsoid {
    /// Computes normal and signed distance of the surface point nearest to a given point.
    ///
    /// In the axes of the ellipsoid the nearest point x satisfies p − x = λ·x/s², so x = s²p/(s²+λ), and because x lies on the
    /// surface, F(λ) = Σ(s·p/(s²+λ))² = 1. The root above −min s² is sought. 1/√F is concave in λ and nearly straight. Newton's
    /// iteration for it increases monotonically towards the root, starting from the largest of s|p| − s² and |s·p| − max s²,
    /// where F ≥ 1. The unknown is μ = λ + min s², because for a flat ellipsoid λ + min s² would lose its digits by
    /// cancellation.
    fn nearest(&self, point: Vec3) -> (Vec3, f64) {
        let p = self.rotation.inverse().rotate(point);
        let (p, s) = ([p.x, p.y, p.z], [self.semi.x, self.semi.y, self.semi.z]);
        let low = s[0].min(s[1]).min(s[2]);
        let high = s[0].max(s[1]).max(s[2]);
        let above = s.map(|s| (s - low) * (s + low));
        let all = (s[0] * p[0]).hypot(s[1] * p[1]).hypot(s[2] * p[2]);
        let mut mu = (all - (high - low) * (high + low)).max(0.0);
        for i in 0..3 {
            mu = mu.max(s[i] * p[i].abs() - above[i]);
        }
        let part = |i: usize, mu: f64| if p[i] == 0.0 { 0.0 } else { p[i] / (above[i] + mu) };
        let mut sum = 0.0;
        for _ in 0..60 {
            let mut slope = 0.0;
            sum = 0.0;
            for i in 0..3 {
                let square = (s[i] * part(i, mu)).powi(2);
                sum += square;
                slope -= if square == 0.0 { 0.0 } else { 2.0 * square / (above[i] + mu) };
            }
            let next = mu + 2.0 * sum * (1.0 - sum.sqrt()) / slope;
            // The iteration increases μ until rounding prevents a further increase.
            if !(next > mu && next.is_finite()) {
                break;
            }
            mu = next;
        }
        let mut along = [0, 1, 2].map(|i| part(i, mu));
        // Deep inside, on the plane of symmetry, there is no root. The normal then gets the component along the shortest axis
        // that puts the point on the surface.
        if mu == 0.0 && sum < 1.0 {
            let shortest = (0..3).find(|&i| s[i] == low).unwrap_or(2);
            along[shortest] = (1.0 - sum).sqrt() / low;
        }
        let along = Vec3::new(along[0], along[1], along[2]);
        let distance = (mu - low * low) * along.length();
        (self.rotation.rotate(along.unit().unwrap_or(Vec3::Z)), distance)
    }
}

impl Skin {
    /// Creates an ellipsoid with these semi-axes, in this frame, thickened by a ball.
    pub fn ellipsoid(semi: Vec3, ball: f64, frame: &Frame) -> Self {
        let metric = Mat3::diagonal(semi.scaled(semi)).in_world_axes(frame.rotation);
        Self::Ellipsoid(Ellipsoid { semi, rotation: frame.rotation, metric }, ball)
    }

    /// Returns the skin in the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        match self {
            Self::Ball(radius) => Self::Ball(*radius),
            Self::Ellipsoid(ellipsoid, ball) => {
                let rotation = frame.rotation.inverse() * ellipsoid.rotation;
                Self::ellipsoid(ellipsoid.semi, *ball, &Frame { rotation, ..Frame::default() })
            }
        }
    }

    /// Returns the support point along a unit vector, relative to the centre.
    pub fn support(&self, normal: Vec3) -> Vec3 {
        match self {
            Self::Ball(radius) => normal * *radius,
            Self::Ellipsoid(ellipsoid, ball) => {
                let image = ellipsoid.metric.of(normal);
                let by = 1.0 / normal.dot(image).max(f64::MIN_POSITIVE).sqrt();
                image * by + normal * *ball
            }
        }
    }

    /// Returns the radius of the smallest ball about the centre that contains the skin (m).
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Ball(radius) => *radius,
            Self::Ellipsoid(ellipsoid, ball) => ellipsoid.semi.greatest() + ball,
        }
    }

    fn metric(&self) -> Mat3 {
        match self {
            Self::Ball(radius) => Mat3::diagonal(Vec3::splat(radius * radius)),
            Self::Ellipsoid(ellipsoid, _) => ellipsoid.metric,
        }
    }

    /// Computes p(n) − x and ∂p/∂n.
    fn surface(&self, normal: Vec3) -> (Vec3, Mat3) {
        let outer =
            |v: Vec3, scale: f64| Mat3([v * (v.x * scale), v * (v.y * scale), v * (v.z * scale)]);
        let ball = |r: f64| Mat3::diagonal(Vec3::splat(r)) + outer(normal, -r);
        match self {
            Self::Ball(r) => (normal * *r, ball(*r)),
            Self::Ellipsoid(ellipsoid, r) => {
                let image = ellipsoid.metric.of(normal);
                let by = 1.0 / normal.dot(image).max(f64::MIN_POSITIVE).sqrt();
                let plain =
                    Mat3(ellipsoid.metric.0.map(|row| row * by)) + outer(image, -by * by * by);
                (image * by + normal * *r, plain + ball(*r))
            }
        }
    }
}

/// Gap of two skins.
#[derive(Clone, Copy, Debug)]
pub struct SkinGap {
    /// Signed distance.
    pub distance: f64,
    /// Unit normal out of the first skin and into the second.
    pub normal: Vec3,
    /// Second derivative of the gap with respect to the vector between the centres.
    pub hessian: Mat3,
}

/// Returns the support point of an ellipsoid in a direction, in the frame of the ellipsoid.
#[inline]
pub fn support(semi: Vec3, direction: Vec3) -> Vec3 {
    let stretched = direction.scaled(semi);
    match stretched.unit() {
        Some(unit) => unit.scaled(semi),
        None => Vec3::ZERO,
    }
}

/// Computes the gap of two ellipsoids or balls at two centres.
pub fn gap(a: &Skin, at_a: Vec3, b: &Skin, at_b: Vec3) -> Gap {
    let SkinGap { distance, normal, .. } = skin_gap(a, b, at_b - at_a, None);
    let on_a = at_a + a.support(normal);
    Gap { distance, normal, point: on_a + normal * (0.5 * distance) }
}

/// Computes the gap of two ellipsoids or balls at two centres, starting the iteration from a direction that should be near the
/// normal. The iteration starts again from the pose if it does not converge to a normal within a twelfth of a turn.
pub fn gap_from(start: Vec3, a: &Skin, at_a: Vec3, b: &Skin, at_b: Vec3) -> Gap {
    let apart = at_b - at_a;
    let SkinGap { distance, normal, .. } = skin_gap(a, b, apart, Some(start));
    let (on_a, on_b) = (a.support(normal), b.support(normal));
    let reach = a.bounding_radius() + b.bounding_radius() + apart.length();
    let miss = (apart - on_b - on_a).perpendicular_to(normal).length();
    // The maximum of g is at least its value along the line of centres; another stationary point may be below it.
    let maximal = apart.unit().is_some_and(|along| {
        distance >= along.dot(apart - a.support(along) - b.support(along)) - 1e-12 * reach
    });
    match miss < 1e-9 * reach && normal.dot(start) > 0.87 && maximal {
        true => Gap { distance, normal, point: at_a + on_a + normal * (0.5 * distance) },
        false => gap(a, at_a, b, at_b),
    }
}

/// Computes the gap of two skins; `apart` is the vector from the centre of the first to that of the second. The iteration
/// starts from the direction `start` if it is given.
pub fn skin_gap(a: &Skin, b: &Skin, apart: Vec3, start: Option<Vec3>) -> SkinGap {
    if let (Skin::Ball(one), Skin::Ball(two)) = (a, b) {
        let length = apart.length();
        let normal = apart.unit().or(start).unwrap_or(Vec3::X);
        let by = 1.0 / length.max(f64::MIN_POSITIVE.sqrt());
        let row = |v: Vec3| (v - normal * normal.dot(v)) * by;
        let hessian = Mat3([row(Vec3::X), row(Vec3::Y), row(Vec3::Z)]);
        return SkinGap { distance: length - one - two, normal, hessian };
    }
    let (normal, slopes, distance) = match (a, b) {
        (Skin::Ball(ball), Skin::Ellipsoid(ellipsoid, around)) => {
            let (outward, distance) = ellipsoid.nearest(-apart);
            (-outward, evaluate(a, b, apart, -outward).1, distance - ball - around)
        }
        (Skin::Ellipsoid(ellipsoid, around), Skin::Ball(ball)) => {
            let (outward, distance) = ellipsoid.nearest(apart);
            (outward, evaluate(a, b, apart, outward).1, distance - ball - around)
        }
        _ => {
            let (normal, (between, slopes)) = common_normal(a, b, apart, start);
            (normal, slopes, between.dot(normal))
        }
    };
    let (t, s) = normal.frame();
    let curve = |u: Vec3, v: Vec3| u.dot(slopes.of(v)) + distance * u.dot(v);
    let (p, q, r) = (curve(t, t), curve(t, s), curve(s, s));
    let by = 1.0 / (p * r - q * q).max(f64::MIN_POSITIVE.sqrt());
    let row = |v: Vec3| {
        let (x, y) = (v.dot(t), v.dot(s));
        (t * (r * x - q * y) + s * (p * y - q * x)) * by
    };
    SkinGap { distance, normal, hessian: Mat3([row(Vec3::X), row(Vec3::Y), row(Vec3::Z)]) }
}

/// Returns the first approximation of the common normal: the line of centres, transformed by the inverse of the sum of the
/// matrices M, which turns it towards the normal.
pub fn first_normal(a: &Skin, b: &Skin, apart: Vec3) -> Vec3 {
    let turned = (a.metric() + b.metric()).inverse().and_then(|m| m.of(apart).unit());
    turned.or_else(|| apart.unit()).unwrap_or(Vec3::X)
}

/// Computes the common normal of two ellipsoids, with d and −∂d/∂n there.
fn common_normal(a: &Skin, b: &Skin, apart: Vec3, start: Option<Vec3>) -> (Vec3, (Vec3, Mat3)) {
    let first = start.unwrap_or_else(|| first_normal(a, b, apart));
    let reach = a.bounding_radius() + b.bounding_radius() + apart.length();
    let (normal, found) = newton(a, b, apart, first, reach);
    if found.0.perpendicular_to(normal).length() < 1e-9 * reach {
        return (normal, found);
    }
    // Newton's iteration may fail for very flat bodies. If they do not overlap, the solution is then approached by alternating
    // projections onto the two bodies.
    let (Skin::Ellipsoid(one, ball_a), Skin::Ellipsoid(two, ball_b)) = (a, b) else {
        return (normal, found);
    };
    if found.0.dot(normal) + ball_a + ball_b < 0.0 {
        return (normal, found);
    }
    let mut second = normal;
    for _ in 0..20 {
        let on_b = apart - b.support(second);
        let (outward, distance) = one.nearest(on_b);
        let on_a = on_b - outward * distance;
        second = -two.nearest(on_a - apart).0;
    }
    let (other, better) = newton(a, b, apart, second, reach);
    match better.0.perpendicular_to(other).length() < found.0.perpendicular_to(normal).length() {
        true => (other, better),
        false => (normal, found),
    }
}

fn newton(a: &Skin, b: &Skin, apart: Vec3, start: Vec3, reach: f64) -> (Vec3, (Vec3, Mat3)) {
    let mut normal = start;
    let mut best = evaluate(a, b, apart, normal);
    for _ in 0..60 {
        let miss = best.0.perpendicular_to(normal);
        if miss.length() <= 1e-16 * reach {
            break;
        }
        let (t, s) = normal.frame();
        let gap = best.0.dot(normal);
        let (x, y) = (miss.dot(t), miss.dot(s));
        // −H is positive definite near the solution. Where it is not, the contribution of the overlap is left out.
        let solve = |gap: f64| {
            let curve = |u: Vec3, v: Vec3| u.dot(best.1.of(v)) + gap * u.dot(v);
            let (p, q, r) = (curve(t, t), curve(t, s), curve(s, s));
            let determinant = p * r - q * q;
            let sound = determinant > 1e-12 * (p * r).abs() && p > 0.0;
            sound.then(|| ((r * x - q * y) / determinant, (p * y - q * x) / determinant))
        };
        let step = solve(gap).or_else(|| solve(gap.max(0.0)));
        let (dx, dy) = step.unwrap_or((x / reach, y / reach));
        let turned = |by: f64| (normal + (t * dx + s * dy) * by).unit().unwrap_or(normal);
        let gain = x * dx + y * dy;
        // The increase of g is below rounding, so the last steps are judged by the tangential part of d instead.
        if !(gain > 1e-14 * reach) {
            let trial = turned(1.0);
            let found = evaluate(a, b, apart, trial);
            if !(found.0.perpendicular_to(trial).length() < miss.length()) {
                break;
            }
            (normal, best) = (trial, found);
            // Convergence is quadratic, so the error after this step is below rounding.
            if miss.length() < 1e-9 * reach {
                break;
            }
            continue;
        }
        let mut shorter = 1.0;
        let trial = loop {
            let trial = turned(shorter);
            let found = evaluate(a, b, apart, trial);
            if found.0.dot(trial) > gap + 1e-4 * shorter * gain {
                break Some((trial, found));
            }
            shorter *= 0.5;
            if shorter < 1e-12 {
                break None;
            }
        };
        let Some(found) = trial else { break };
        (normal, best) = found;
    }
    (normal, best)
}

/// Computes d(n) and −∂d/∂n.
pub fn evaluate(a: &Skin, b: &Skin, apart: Vec3, normal: Vec3) -> (Vec3, Mat3) {
    let (point_a, slope_a) = a.surface(normal);
    let (point_b, slope_b) = b.surface(normal);
    // Relative to the centre of b, p_b(−n) = −p_b(n).
    (apart - point_b - point_a, slope_a + slope_b)
}
