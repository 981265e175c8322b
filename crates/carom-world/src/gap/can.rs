//! Cylinders: a solid can against points and segments, and the rings of points on which a flat end stands.
//!
//! # Flat ends
//! An end that stands on a plane has no lowest point. It stands on a *ring*: [`ON_RING`] points of its rim, each a place of its
//! own, as a block stands on its corners. Their radius is R·2/(1 + cos(π/24)), so that the polygon is R wide on average:
//! an arm over which the cylinder tips is right to ±0.43 % in every direction, and a cylinder that spins on its end is slowed
//! as by a ring of R + 0.43 %.
//!
//! Where it tilts further it rolls on its rim, and a polygon would be bumpy. There the lowest point of the rim takes over, which
//! moves along the rim smoothly ([`end`]): a thin ellipsoid with a ball of ρ = R/50 around it, at the end of the axis and R/250
//! behind the ring, so that it does not touch while the cylinder stands. The ring is drawn back with the tilt, by
//!
//! w(s) = 3·10⁵·R·s⁶, s being the sine of the tilt, growing on with the slope R where it has reached it (s = 0.056),
//!
//! which is nothing below 1.5 degrees. The rim carries from about 3 degrees on; in between the arm of the ring is shorter
//! by w′(s). Since w depends on the tilt, the force acts not at the point of the ring but off by −w′(s) along the
//! slope: then the rate of the gap is that of the material point there, as it must be for the force to do the work that
//! the gap says ([`drawn_back`]).
//!
//! # The side
//! Edges and corners that are pressed into a cylinder meet a can of radius R − ρ and half length H − ρ with a ball of ρ
//! around it. The gap of a segment b(t) that recedes towards its ends by ρ_b·w(t) is where the distance is stationary,
//!
//! g = n·(b(t) − p) + ρ_b·w(t),  b(t) − p ∥ n,  n·b′ + ρ_b·w′ = 0,
//!
//! p being the point of the can with the outward normal n: on its side (n across the axis), on an end (n along it), or on the
//! rim. Of several the one that overlaps least counts, the nearest way out. On the rim outside the can it is the least distance;
//! inside, where the edge has been pressed past the rim, it is a saddle, found by Newton's iteration from there.

use super::round;
use super::swept::Rod;
use super::{Frame, Gap};
use crate::math::{Mat3, Vec3};
use crate::shape::ROUNDING;
use std::f64::consts::{PI, TAU};

/// Points on a ring.
const ON_RING: usize = 24;
/// Points on both rings of a cylinder.
pub const RING: usize = 2 * ON_RING;
/// How far the lowest point of the rim is behind the ring, over R.
pub const BEHIND: f64 = 0.004;
/// Height of the thin ellipsoid of an end, over R.
const THIN: f64 = 0.002;

/// The lowest point of an end: half the length between the middles of the ellipsoids, their semi-axes, the ball around them.
pub fn end(radius: f64, half: f64) -> (f64, Vec3, f64) {
    let thin = (THIN * radius).min(0.02 * half);
    let rim = (2.0 * ROUNDING * radius).min(0.4 * half);
    let behind = (BEHIND * radius).min(0.05 * half);
    (half - thin - rim - behind, Vec3::new(radius - rim, radius - rim, thin), rim)
}

/// A point of the two rings, in the frame of the cylinder.
pub fn ring(radius: f64, half: f64, index: usize) -> Vec3 {
    let wide = 2.0 * radius / (1.0 + (PI / ON_RING as f64).cos());
    let angle = TAU * (index % ON_RING) as f64 / ON_RING as f64;
    let height = if index < ON_RING { -half } else { half };
    Vec3::new(wide * angle.cos(), wide * angle.sin(), height)
}

/// The gap at a point of a ring of the first shape, drawn back with the tilt of its axis against the normal.
pub fn drawn_back(gap: Gap, radius: f64, frame: &Frame) -> Gap {
    let axis = frame.rotation.turn(Vec3::Z);
    let along = gap.normal.dot(axis);
    let slope = axis - gap.normal * along;
    let tilt = slope.length();
    let Some(slope) = slope.unit() else { return gap };
    // Where 3·10⁵·s⁶ has the slope 1.
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

/// A point of a ring of one cylinder against the flat ends of another; seen from the first. Equal cylinders on each other
/// stand on their rings, which are a little wider than they. Sides hold no rings.
pub fn on_end(point: Vec3, radius: f64, half: f64, frame: &Frame) -> Gap {
    let p = frame.local(point);
    let depth = half - p.z.abs();
    let within = p.x.hypot(p.y) <= 1.01 * radius;
    if !within || depth > 0.05 * half.min(radius) {
        let gap = round::on_cylinder(point, 0.0, radius, half, frame);
        return Gap { distance: gap.distance.abs().max(1e-3 * radius), ..gap };
    }
    let up = frame.rotation.turn(Vec3::Z) * p.z.signum();
    Gap { distance: -depth, normal: -up, point: point + up * (0.5 * depth) }
}

/// A solid cylinder with a ball around it, in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct Can {
    radius: f64,
    half: f64,
    ball: f64,
}

/// Distance, outward normal, and the share along the segment.
type Found = (f64, Vec3, f64);

impl Can {
    /// A cylinder whose rim is rounded.
    pub fn of(radius: f64, half: f64) -> Self {
        let ball = (2.0 * ROUNDING * radius).min(0.4 * half);
        Self { radius: radius - ball, half: half - ball, ball }
    }

    /// Signed distance of a point from the can within, and the outward normal; deep inside, out by side or end,
    /// whichever is nearer.
    fn distance(&self, p: Vec3) -> (f64, Vec3) {
        let radial = Vec3::new(p.x, p.y, 0.0).unit().unwrap_or(Vec3::X);
        let up = Vec3::Z * p.z.signum();
        let (side, end) = (p.x.hypot(p.y) - self.radius, p.z.abs() - self.half);
        match (side > 0.0, end > 0.0) {
            (true, true) => {
                let out = radial * side + up * end;
                (out.length(), out.unit().unwrap_or(radial))
            }
            _ if side > end => (side, radial),
            _ => (end, up),
        }
    }

    /// The gap of a point: distance and outward normal.
    pub fn point(&self, p: Vec3) -> (f64, Vec3) {
        let (distance, normal) = self.distance(p);
        (distance - self.ball, normal)
    }

    /// The gap of a segment.
    pub fn segment(&self, rod: &Rod) -> Found {
        // Outside: the least distance.
        let t = lowest(|t| self.distance(rod.at(t)).1.dot(rod.half) + rod.lower(t).1);
        let (distance, normal) = self.distance(rod.at(t));
        if distance > 1e-9 * self.radius {
            return (distance + rod.lower(t).0 - self.ball, normal, t);
        }
        // Inside: the nearest way out, by the rim, the side or an end.
        let mut best = self.saddle(rod, t);
        let mut may_be = |found: Found| {
            if best.is_none_or(|best| found.0 > best.0) {
                best = Some(found);
            }
        };
        let across = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let side = lowest(|t| {
            let radial = across(rod.at(t)).unit().unwrap_or(Vec3::ZERO);
            radial.dot(rod.half) + rod.lower(t).1
        });
        let x = rod.at(side);
        if x.z.abs() <= self.half {
            let radial = across(x).unit().unwrap_or(Vec3::X);
            may_be((across(x).length() - self.radius + rod.lower(side).0, radial, side));
        }
        for up in [Vec3::Z, -Vec3::Z] {
            let end = lowest(|t| up.dot(rod.half) + rod.lower(t).1);
            let x = rod.at(end);
            if across(x).length() <= self.radius {
                may_be((up.dot(x) - self.half + rod.lower(end).0, up, end));
            }
        }
        // One that has none of them is somewhere else.
        let (distance, normal, t) = best.unwrap_or((self.radius + self.half, normal, t));
        (distance - self.ball, normal, t)
    }

    /// The common normal n = cos β·r̂(α) ± sin β·ẑ of a segment and a rim.
    fn saddle(&self, rod: &Rod, start: f64) -> Option<Found> {
        let x = rod.at(start);
        let up = x.z.signum();
        let (mut t, mut alpha) = (start, x.y.atan2(x.x));
        // From n·b′ = 0 at this place of the rim.
        let radial = Vec3::new(alpha.cos(), alpha.sin(), 0.0);
        let mut beta = (-rod.half.dot(radial)).atan2(up * rod.half.z);
        if beta.cos() < 0.0 {
            beta += if beta > 0.0 { -PI } else { PI };
        }
        for _ in 0..20 {
            let radial = Vec3::new(alpha.cos(), alpha.sin(), 0.0);
            let around = Vec3::new(-radial.y, radial.x, 0.0);
            let axis = Vec3::Z * up;
            let normal = radial * beta.cos() + axis * beta.sin();
            let turned = axis * beta.cos() - radial * beta.sin();
            let (x, low) = (rod.at(t), rod.lower(t));
            let apart = x - radial * self.radius - axis * self.half;
            let miss =
                Vec3::new(apart.dot(around), apart.dot(turned), normal.dot(rod.half) + low.1);
            let slopes = Mat3([
                Vec3::new(rod.half.dot(around), -x.dot(radial), 0.0),
                Vec3::new(
                    rod.half.dot(turned),
                    -beta.sin() * apart.dot(around),
                    -apart.dot(normal),
                ),
                Vec3::new(low.2, beta.cos() * rod.half.dot(around), rod.half.dot(turned)),
            ]);
            let step = slopes.inverse()?.of(miss);
            (t, alpha, beta) = (t - step.x, alpha - step.y, beta - step.z);
            if step.length() < 1e-14 {
                let valid = t.abs() <= 1.0 && (0.0..=0.5 * PI).contains(&beta);
                return valid.then_some((apart.dot(normal) + low.0, normal, t));
            }
        }
        None
    }
}

/// Where a slope that never falls passes zero, between −1 and 1.
fn lowest(slope: impl Fn(f64) -> f64) -> f64 {
    if slope(-1.0) >= 0.0 {
        return -1.0;
    }
    if slope(1.0) <= 0.0 {
        return 1.0;
    }
    let (mut a, mut b) = (-1.0f64, 1.0f64);
    for _ in 0..54 {
        let middle = 0.5 * (a + b);
        if slope(middle) < 0.0 { a = middle } else { b = middle }
    }
    0.5 * (a + b)
}
