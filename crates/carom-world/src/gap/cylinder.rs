//! Gap of cylinders: a solid with a rounded rim against points and segments, and the rings of points on which flat ends stand.
//!
//! # Flat ends
//! An end that stands on a plane has no unique lowest point. It stands on a *ring*: [`POINTS_PER_RING`] points of its rim, each
//! a site of its own, as a box stands on its corners. The radius of the ring is R·2/(1 + cos(π/24)), so that R is the mean of
//! the smallest and the largest half width of the polygon. The lever arm over which the cylinder tips is then correct to
//! ±0.43 % in every direction, and the friction of a cylinder that spins on its end has the lever arm R + 0.43 %.
//!
//! At larger tilt the cylinder rolls on its rim, and a polygon would make it bounce. There the lowest point of the rim, which
//! moves smoothly along the rim ([`rim_ellipsoid`]), takes over: that of a thin ellipsoid with a ball of radius ρ = R/50 around
//! it, at the end of the axis and R/250 behind the ring, so that it does not touch while the cylinder stands. The ring recedes
//! with the tilt by
//!
//! w(s) = 3·10⁵·R·s⁶, s being the sine of the tilt, and linearly from where its slope has reached R (s = 0.056),
//!
//! which is negligible below 1.5 degrees. The rim carries the load from about 3 degrees on; in between, the lever arm of the
//! ring is reduced by w′(s). Because w depends on the tilt, the force does not act at the point of the ring, but displaced from
//! it by −w′(s) along the slope. The rate of the gap is then that of the material point there, which is necessary for the work
//! of the force to agree with the change of the gap ([`recede_with_tilt`]).
//!
//! # The side
//! Edges and corners that are pressed into a cylinder touch a cylinder of radius R − ρ and half length H − ρ, thickened by a
//! ball of radius ρ. The gap of a segment b(t) that recedes towards its ends by ρ_b·w(t) is the stationary value of the
//! distance,
//!
//! g = n·(b(t) − p) + ρ_b·w(t),  b(t) − p ∥ n,  n·b′ + ρ_b·w′ = 0,
//!
//! where p is the point of the cylinder with the outward normal n: on its side (n perpendicular to the axis), on an end (n
//! parallel to it), or on the rim. Of several stationary values the one with the smallest overlap is used, which is the
//! shortest way out. Outside of the cylinder the stationary value at the rim is the smallest distance. Inside, where the edge
//! has been pressed past the rim, it is a saddle point, which is found by Newton's iteration.

use super::closed_forms;
use super::kinematics::{Frame, Gap};
use super::segment::Segment;
use crate::math::{Mat3, Vec3};
use crate::shape::ROUNDING;
use carom::numeric::root::Bracket;
use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

/// Number of points on a ring.
const POINTS_PER_RING: usize = 24;
/// Number of points on both rings of a cylinder.
pub const RING_POINTS: usize = 2 * POINTS_PER_RING;
/// Distance of the rim behind the ring along the axis, divided by R.
pub const RIM_SETBACK: f64 = 0.004;
/// Half the height of the thin ellipsoid of a rim, divided by R.
const RIM_THICKNESS: f64 = 0.002;

/// Returns the thin ellipsoids whose lowest point is that of a rim: half the distance of their centres, their semi-axes, and
/// the radius of the ball around them.
pub fn rim_ellipsoid(radius: f64, half: f64) -> (f64, Vec3, f64) {
    let thin = (RIM_THICKNESS * radius).min(0.02 * half);
    let rim = (2.0 * ROUNDING * radius).min(0.4 * half);
    let setback = (RIM_SETBACK * radius).min(0.05 * half);
    (half - thin - rim - setback, Vec3::new(radius - rim, radius - rim, thin), rim)
}

/// Returns a point of the two rings, in the frame of the cylinder; the lower ring comes first.
pub fn ring_point(radius: f64, half: f64, index: usize) -> Vec3 {
    let wide = *RING_RATIO * radius;
    let (cos, sin) = RING_DIRECTIONS[index % POINTS_PER_RING];
    let height = if index < POINTS_PER_RING { -half } else { half };
    Vec3::new(wide * cos, wide * sin, height)
}

/// Returns the outward direction of the end to which a ring point belongs, in the frame of the cylinder.
pub fn ring_direction(index: usize) -> Vec3 {
    if index < POINTS_PER_RING { -Vec3::Z } else { Vec3::Z }
}

/// Cosines and sines of the angles of the points of a ring.
static RING_DIRECTIONS: LazyLock<[(f64, f64); POINTS_PER_RING]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let angle = TAU * index as f64 / POINTS_PER_RING as f64;
        (angle.cos(), angle.sin())
    })
});

/// Radius of a ring divided by that of its cylinder.
static RING_RATIO: LazyLock<f64> =
    LazyLock::new(|| 2.0 / (1.0 + (PI / POINTS_PER_RING as f64).cos()));

/// Returns the gap at a ring point of the first shape, increased according to the tilt of its axis relative to the normal.
pub fn recede_with_tilt(gap: Gap, radius: f64, frame: &Frame) -> Gap {
    let axis = frame.rotation.rotate(Vec3::Z);
    let along = gap.normal.dot(axis);
    let slope = axis - gap.normal * along;
    let tilt = slope.length();
    let Some(slope) = slope.unit() else { return gap };
    // Sine of the tilt at which 3·10⁵·s⁶ has the slope 1.
    let steep = (1.0f64 / 1.8e6).powf(0.2);
    let (back, rate) = match tilt < steep {
        true => (3e5 * tilt.powi(6), 1.8e6 * tilt.powi(5)),
        false => (steep / 6.0 + tilt - steep, 1.0),
    };
    Gap {
        distance: gap.distance + radius * back,
        point: gap.point + slope * (radius * rate * along),
        ..gap
    }
}

/// Computes the gap of a ring point of one cylinder (the first shape) and the flat ends of another. `outward` is the direction
/// of the end to which the ring point belongs. The tolerance of the radius lets equal cylinders stand on each other although the
/// ring is a little wider than the end. Towards the side the site is open, and so it is where both ends face the same way: of two
/// cylinders that lie side by side with their ends in one plane, the wider ring of each would reach over the end of the other.
pub fn point_on_end(point: Vec3, outward: Vec3, (radius, half): (f64, f64), frame: &Frame) -> Gap {
    let p = frame.to_local(point);
    let depth = half - p.z.abs();
    let within = p.x.hypot(p.y) <= 1.01 * radius;
    let up = frame.rotation.rotate(Vec3::Z) * p.z.signum();
    if !within || depth > 0.05 * half.min(radius) || outward.dot(up) > 0.5 {
        let gap = closed_forms::ball_on_cylinder(point, 0.0, radius, half, frame);
        return Gap { distance: gap.distance.abs().max(1e-3 * radius), ..gap };
    }
    Gap { distance: -depth, normal: -up, point: point + up * (0.5 * depth) }
}

/// A solid cylinder thickened by a ball, in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct RoundedCylinder {
    radius: f64,
    half: f64,
    ball: f64,
}

/// Gap of a segment and a cylinder.
#[derive(Clone, Copy, Debug)]
pub struct SegmentGap {
    /// Signed distance.
    pub distance: f64,
    pub normal: Vec3,
    /// Parameter of the nearest point of the segment, from −1 to 1.
    pub parameter: f64,
}

impl RoundedCylinder {
    /// Creates a cylinder with a rounded rim from its radius and half length.
    pub fn new(radius: f64, half: f64) -> Self {
        let ball = (2.0 * ROUNDING * radius).min(0.4 * half);
        Self { radius: radius - ball, half: half - ball, ball }
    }

    /// Computes the signed distance of a point from the cylinder without its ball, and the outward normal.
    fn distance(&self, p: Vec3) -> (f64, Vec3) {
        closed_forms::cylinder_distance(p, self.radius, self.half)
    }

    /// Computes distance and outward normal for a point.
    pub fn gap_to_point(&self, p: Vec3) -> (f64, Vec3) {
        let (distance, normal) = self.distance(p);
        (distance - self.ball, normal)
    }

    /// Computes the gap of a segment.
    pub fn gap_to_segment(&self, segment: &Segment) -> SegmentGap {
        // Outside, the gap is the smallest distance.
        let t = convex_minimum(|t| {
            self.distance(segment.at(t)).1.dot(segment.half) + segment.crown_depth(t).1
        });
        let (distance, normal) = self.distance(segment.at(t));
        if distance > 1e-9 * self.radius {
            let distance = distance + segment.crown_depth(t).0 - self.ball;
            return SegmentGap { distance, normal, parameter: t };
        }
        // Inside, the gap is the shortest way out, over the rim, the side or an end.
        let mut best = self.rim_saddle(segment, t);
        let mut consider = |distance: f64, normal: Vec3, parameter: f64| {
            if best.is_none_or(|best: SegmentGap| distance > best.distance) {
                best = Some(SegmentGap { distance, normal, parameter });
            }
        };
        let across = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let side = convex_minimum(|t| {
            let radial = across(segment.at(t)).unit().unwrap_or(Vec3::ZERO);
            radial.dot(segment.half) + segment.crown_depth(t).1
        });
        let x = segment.at(side);
        if x.z.abs() <= self.half {
            let radial = across(x).unit().unwrap_or(Vec3::X);
            consider(across(x).length() - self.radius + segment.crown_depth(side).0, radial, side);
        }
        for up in [Vec3::Z, -Vec3::Z] {
            let end = convex_minimum(|t| up.dot(segment.half) + segment.crown_depth(t).1);
            let x = segment.at(end);
            if across(x).length() <= self.radius {
                consider(up.dot(x) - self.half + segment.crown_depth(end).0, up, end);
            }
        }
        // If none of these exists, the segment is not near this cylinder, and the gap is large.
        let distance = self.radius + self.half;
        let found = best.unwrap_or(SegmentGap { distance, normal, parameter: t });
        SegmentGap { distance: found.distance - self.ball, ..found }
    }

    /// Computes the common normal n = cos β·r̂(α) ± sin β·ẑ of a segment and a rim, by Newton's iteration from a parameter of
    /// the segment; none if it does not converge or lies beyond the segment or the rim.
    fn rim_saddle(&self, segment: &Segment, start: f64) -> Option<SegmentGap> {
        let x = segment.at(start);
        let up = x.z.signum();
        let (mut t, mut alpha) = (start, x.y.atan2(x.x));
        // Starting value from n·b′ = 0 at this point of the rim.
        let radial = Vec3::new(alpha.cos(), alpha.sin(), 0.0);
        let mut beta = (-segment.half.dot(radial)).atan2(up * segment.half.z);
        if beta.cos() < 0.0 {
            beta += if beta > 0.0 { -PI } else { PI };
        }
        for _ in 0..20 {
            let radial = Vec3::new(alpha.cos(), alpha.sin(), 0.0);
            let around = Vec3::new(-radial.y, radial.x, 0.0);
            let axis = Vec3::Z * up;
            let normal = radial * beta.cos() + axis * beta.sin();
            let turned = axis * beta.cos() - radial * beta.sin();
            let (x, low) = (segment.at(t), segment.crown_depth(t));
            let apart = x - radial * self.radius - axis * self.half;
            let miss =
                Vec3::new(apart.dot(around), apart.dot(turned), normal.dot(segment.half) + low.1);
            let slopes = Mat3([
                Vec3::new(segment.half.dot(around), -x.dot(radial), 0.0),
                Vec3::new(
                    segment.half.dot(turned),
                    -beta.sin() * apart.dot(around),
                    -apart.dot(normal),
                ),
                Vec3::new(low.2, beta.cos() * segment.half.dot(around), segment.half.dot(turned)),
            ]);
            let step = slopes.inverse()?.of(miss);
            (t, alpha, beta) = (t - step.x, alpha - step.y, beta - step.z);
            if step.length() < 1e-14 {
                let valid = t.abs() <= 1.0 && (0.0..=0.5 * PI).contains(&beta);
                let distance = apart.dot(normal) + low.0;
                return valid.then_some(SegmentGap { distance, normal, parameter: t });
            }
        }
        None
    }
}

/// Returns the position of the minimum of a convex function between −1 and 1, given its derivative.
fn convex_minimum(slope: impl Fn(f64) -> f64) -> f64 {
    let (low, high) = ((-1.0, slope(-1.0)), (1.0, slope(1.0)));
    if low.1 >= 0.0 {
        return -1.0;
    }
    match Bracket::new(low, high) {
        Some(bracket) => bracket.narrow(f64::EPSILON, slope).best(),
        None => 1.0,
    }
}
