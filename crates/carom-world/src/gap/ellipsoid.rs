//! Ellipsoids and balls: the common normal of two of them by Newton's iteration.
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
//! balls that the bodies are, is damped until g rises, and ends at rounding.
//!
//! As a function of the vector x from one centre to the other, g is convex with ∇g = n and the second
//! derivative (−H)⁻¹ on the tangent plane; `segment.rs` uses this to move the centres along segments.
//!
//! # Where it starts
//! From the pose alone; within a search along segments from the previous point; and for two ellipsoids in a run from the normal
//! at the beginning of the step ([`gap_from`]). That normal is part of the state and of its checkpoint, and all evaluations
//! of a step start from it: the result is a function of state and pose, independent of rejected steps, and a
//! resumed run has the same bits. If the iteration from there does not converge, or turns the normal by more than a twelfth of a
//! turn, it starts again from the pose. Four ellipsoids that bounce on each other take 3.3 evaluations of d a search with this
//! start and 4.3 without (three is the minimum from a start that is off by a thousandth).

use super::kinematics::{Frame, Gap};
use crate::math::{Mat3, Quat, Vec3};

/// What a core is thickened by: a ball, or an ellipsoid and a ball around it.
#[derive(Clone, Copy, Debug)]
pub enum Skin {
    /// A ball, by its radius.
    Ball(f64),
    /// An ellipsoid, and the radius of the ball around it.
    Ellipsoid(Ellipsoid, f64),
}

/// An ellipsoid about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    semi: Vec3,
    rotation: Quat,
    /// M = R·diag(s²)·Rᵀ.
    metric: Mat3,
}

impl Ellipsoid {
    /// Normal and signed distance of the point of the surface nearest to a point.
    ///
    /// In the axes of the ellipsoid the nearest x has p − x = λ·x/s², so x = s²p/(s²+λ), and being on the surface it
    /// satisfies F(λ) = Σ(s·p/(s²+λ))² = 1. The root above −min s² is wanted. 1/√F is concave in λ and nearly straight: Newton's
    /// iteration on it rises to the root from the left, starting at the largest of s|p| − s² and |s·p| − max s², where F ≥ 1.
    /// The unknown is μ = λ + min s², because λ would cancel against min s² for a flat ellipsoid.
    fn nearest(&self, point: Vec3) -> (Vec3, f64) {
        let p = self.rotation.inverse().turn(point);
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
            // The iteration rises until rounding stops it.
            if !(next > mu && next.is_finite()) {
                break;
            }
            mu = next;
        }
        let mut along = [0, 1, 2].map(|i| part(i, mu));
        // Deep inside on the plane of symmetry there is no root: leave along the shortest axis.
        if mu == 0.0 && sum < 1.0 {
            let shortest = (0..3).find(|&i| s[i] == low).unwrap_or(2);
            along[shortest] = (1.0 - sum).sqrt() / low;
        }
        let along = Vec3::new(along[0], along[1], along[2]);
        let distance = (mu - low * low) * along.length();
        (self.rotation.turn(along.unit().unwrap_or(Vec3::Z)), distance)
    }
}

impl Skin {
    /// An ellipsoid of these semi-axes, in this frame, and a ball around it.
    pub fn ellipsoid(semi: Vec3, ball: f64, frame: &Frame) -> Self {
        let metric = Mat3::diagonal(semi.scaled(semi)).turned(frame.rotation);
        Self::Ellipsoid(Ellipsoid { semi, rotation: frame.rotation, metric }, ball)
    }

    /// The skin in the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        match self {
            Self::Ball(radius) => Self::Ball(*radius),
            Self::Ellipsoid(ellipsoid, ball) => {
                let rotation = frame.rotation.inverse() * ellipsoid.rotation;
                Self::ellipsoid(ellipsoid.semi, *ball, &Frame { rotation, ..Frame::default() })
            }
        }
    }

    /// The point farthest along a unit vector, from the centre.
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

    /// Radius of the smallest ball about the centre that contains the skin (m).
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

    /// p(n) − x and ∂p/∂n.
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

/// The gap of two skins.
#[derive(Clone, Copy, Debug)]
pub struct SkinGap {
    /// Signed distance.
    pub distance: f64,
    /// Out of the first, into the second.
    pub normal: Vec3,
    /// Second derivative of the gap by the vector between the centres.
    pub hessian: Mat3,
}

/// The point of an ellipsoid (in its own frame) farthest in a direction.
#[inline]
pub fn support(semi: Vec3, direction: Vec3) -> Vec3 {
    let stretched = direction.scaled(semi);
    match stretched.unit() {
        Some(unit) => unit.scaled(semi),
        None => Vec3::ZERO,
    }
}

/// The gap of two ellipsoids or balls at two centres.
pub fn gap(a: &Skin, at_a: Vec3, b: &Skin, at_b: Vec3) -> Gap {
    let SkinGap { distance, normal, .. } = skin_gap(a, b, at_b - at_a, None);
    let on_a = at_a + a.support(normal);
    Gap { distance, normal, point: on_a + normal * (0.5 * distance) }
}

/// The gap of two ellipsoids or balls at two centres, started from a direction that should be near the normal. Starts again
/// from the pose if the iteration does not converge to a normal within a twelfth of a turn.
pub fn gap_from(start: Vec3, a: &Skin, at_a: Vec3, b: &Skin, at_b: Vec3) -> Gap {
    let apart = at_b - at_a;
    let SkinGap { distance, normal, .. } = skin_gap(a, b, apart, Some(start));
    let (on_a, on_b) = (a.support(normal), b.support(normal));
    let reach = a.bounding_radius() + b.bounding_radius() + apart.length();
    let miss = (apart - on_b - on_a).across(normal).length();
    // The maximum of g is not below its value along the line of centres; another stationary point may be.
    let maximal = apart.unit().is_some_and(|along| {
        distance >= along.dot(apart - a.support(along) - b.support(along)) - 1e-12 * reach
    });
    match miss < 1e-9 * reach && normal.dot(start) > 0.87 && maximal {
        true => Gap { distance, normal, point: at_a + on_a + normal * (0.5 * distance) },
        false => gap(a, at_a, b, at_b),
    }
}

/// The gap of two skins, the second `apart` from the first; the iteration starts from a direction if one is known.
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

/// A first guess of the common normal: the line of centres, transformed by the inverse of the summed metrics, which turns it towards
/// the normal.
pub fn first_normal(a: &Skin, b: &Skin, apart: Vec3) -> Vec3 {
    let turned = (a.metric() + b.metric()).inverse().and_then(|m| m.of(apart).unit());
    turned.or_else(|| apart.unit()).unwrap_or(Vec3::X)
}

/// The common normal of two ellipsoids, with d and −∂d/∂n there.
fn common_normal(a: &Skin, b: &Skin, apart: Vec3, start: Option<Vec3>) -> (Vec3, (Vec3, Mat3)) {
    let first = start.unwrap_or_else(|| first_normal(a, b, apart));
    let reach = a.bounding_radius() + b.bounding_radius() + apart.length();
    let (normal, found) = newton(a, b, apart, first, reach);
    if found.0.across(normal).length() < 1e-9 * reach {
        return (normal, found);
    }
    // Newton's iteration may fail for very flat bodies: approach the solution by alternating nearest points, unless they
    // overlap.
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
    match better.0.across(other).length() < found.0.across(normal).length() {
        true => (other, better),
        false => (normal, found),
    }
}

fn newton(a: &Skin, b: &Skin, apart: Vec3, start: Vec3, reach: f64) -> (Vec3, (Vec3, Mat3)) {
    let mut normal = start;
    let mut best = evaluate(a, b, apart, normal);
    for _ in 0..60 {
        let miss = best.0.across(normal);
        if miss.length() <= 1e-16 * reach {
            break;
        }
        let (t, s) = normal.frame();
        let gap = best.0.dot(normal);
        let (x, y) = (miss.dot(t), miss.dot(s));
        // −H is positive near the solution; where it is not, the contribution of the overlap is left out.
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
        // The gain in g is below rounding: judge the last steps by the tangential part of d instead.
        if !(gain > 1e-14 * reach) {
            let trial = turned(1.0);
            let found = evaluate(a, b, apart, trial);
            if !(found.0.across(trial).length() < miss.length()) {
                break;
            }
            (normal, best) = (trial, found);
            // Quadratic convergence: this step has reached rounding.
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

/// d(n) and −∂d/∂n.
pub fn evaluate(a: &Skin, b: &Skin, apart: Vec3, normal: Vec3) -> (Vec3, Mat3) {
    let (point_a, slope_a) = a.surface(normal);
    let (point_b, slope_b) = b.surface(normal);
    // p_b(−n) = −p_b(n) about its own centre.
    (apart - point_b - point_a, slope_a + slope_b)
}
