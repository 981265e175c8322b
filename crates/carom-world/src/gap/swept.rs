//! Segments thickened by a skin: edges, the sides of cylinders and capsules.
//!
//! A segment a(s) = a₀ + s·a, |s| ≤ 1, with a ball or an ellipsoid moved along it, is an edge with a radius, a
//! capsule or a cylinder. The gap of two of them is the least over both segments of the gap G of the two
//! skins at b(t) − a(s), which is convex (`smooth.rs`), and of what the segments recede,
//!
//! g = min over |s|, |t| ≤ 1 of G(b(t) − a(s)) + ρ_a·w(s) + ρ_b·w(t),  w(u) = u²/20 + 19u²⁴/20,
//!
//! by Newton's iteration with the ends as bounds. ∇G = n and the second derivative of G are known, so
//!
//! ∂/∂s = −n·a + ρ_a·w′,  ∂²/∂s² = a·B·a + ρ_a·w″,  ∂²/∂s∂t = −a·B·b,
//!
//! and by the envelope theorem the rate of g is n times the relative velocity at the common point, as for
//! any two solid bodies.
//!
//! # Why segments recede towards their ends
//! Where two segments are nearest at the end of one, that end is a corner that has a place of its own, and
//! with it the other edges of the corner: one impact would be counted several times, and its restitution be
//! wrong. So the edge is lower there, by ρ at its end, and the corner touches alone. In the middle the
//! square gives edges that are parallel one nearest point, which moves smoothly when they tilt; for
//! straight ones it would jump from end to end. ρ is 3/400 of the smaller radius or half width, the crown
//! of the middle a twentieth of that. Rollers are made like this for the same reason.

use super::smooth::{Near, Skin, near};
use super::{Gap, round};
use crate::math::Vec3;

/// Gaps above this share of the skins need not be known better than from below.
pub const WIDE: f64 = 0.1;

/// A segment, or with `half` zero a point.
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    /// Its middle.
    pub middle: Vec3,
    /// From its middle to one end.
    pub half: Vec3,
    /// How much it recedes at its ends.
    pub recess: f64,
}

impl Rod {
    /// A point.
    pub fn point(middle: Vec3) -> Self {
        Self { middle, half: Vec3::ZERO, recess: 0.0 }
    }

    /// A straight segment between two points.
    pub fn between(one: Vec3, two: Vec3, recess: f64) -> Self {
        Self { middle: (one + two) * 0.5, half: (two - one) * 0.5, recess }
    }

    /// The point at a share of half its length from its middle.
    pub fn at(&self, u: f64) -> Vec3 {
        self.middle + self.half * u
    }

    /// How much it recedes, with slope and curvature.
    pub fn lower(&self, u: f64) -> (f64, f64, f64) {
        let (square, power) = (u * u, u.powi(22));
        (
            self.recess * (0.05 * square + 0.95 * power * square),
            self.recess * (0.1 * u + 22.8 * power * u),
            self.recess * (0.1 + 524.4 * power),
        )
    }
}

/// The share of b along a segment nearest to a point, of the straight segment.
pub fn foot(rod: &Rod, point: Vec3) -> f64 {
    let square = rod.half.dot(rod.half);
    if square > 0.0 { (rod.half.dot(point - rod.middle) / square).clamp(-1.0, 1.0) } else { 0.0 }
}

/// Where straight segments are nearest: the start of the iteration.
fn start(a: &Rod, b: &Rod) -> (f64, f64) {
    let apart = b.middle - a.middle;
    let (aa, ab, bb) = (a.half.dot(a.half), a.half.dot(b.half), b.half.dot(b.half));
    let determinant = aa * bb - ab * ab;
    let s = match determinant > 1e-12 * aa * bb {
        true => ((a.half.dot(apart) * bb - b.half.dot(apart) * ab) / determinant).clamp(-1.0, 1.0),
        // Parallel: the middle of the overlap.
        false if aa > 0.0 => {
            let (at, reach) = (a.half.dot(apart) / aa, (bb / aa).sqrt());
            (0.5 * ((at - reach).max(-1.0) + (at + reach).min(1.0))).clamp(-1.0, 1.0)
        }
        false => 0.0,
    };
    let t = foot(b, a.at(s));
    (foot(a, b.at(t)), t)
}

/// The gap of two thickened segments.
///
/// Balls around the skins, along segments that do not recede, make a gap that is not larger; where that is
/// wide it serves, and no iteration is needed.
pub fn gap(skins: (&Skin, &Skin), a: &Rod, b: &Rod) -> Gap {
    found(skins, a, b).0
}

/// Balls around the skins, at the nearest points of straight segments.
pub fn balls_around((one, two): (f64, f64), a: &Rod, b: &Rod) -> Gap {
    let (s, t) = start(a, b);
    round::balls(a.at(s), one, b.at(t), two)
}

/// The same with the shares of both segments where they are nearest.
pub fn found(skins: (&Skin, &Skin), a: &Rod, b: &Rod) -> (Gap, f64, f64) {
    let (s, t) = start(a, b);
    let (one, two) = (skins.0.reach(), skins.1.reach());
    let straight = round::balls(a.at(s), one, b.at(t), two);
    let plain = matches!(skins, (Skin::Ball(_), Skin::Ball(_)));
    let wide = if plain { 0.0 } else { WIDE * (one + two) };
    if straight.distance > wide + 2.0 * (a.recess + b.recess) {
        return (straight, s, t);
    }
    let (near, s, t) = nearest(skins, a, b);
    let Near { distance, normal, .. } = near;
    let on_a = a.at(s) + skins.0.support(normal) - normal * a.lower(s).0;
    (Gap { distance, normal, point: on_a + normal * (0.5 * distance) }, s, t)
}

/// Two bare segments that have been pressed past each other, where the normal `before` says that they have.
///
/// For straight lines the signed distance along their common normal is smooth through zero. The normal leans
/// by what the segments recede, n·a = ρ_a·w′ and n·b = −ρ_b·w′, as it does before they cross. Nothing where they have not
/// crossed, are nearly parallel, or one has slid off the end of the other.
pub fn crossed(a: &Rod, b: &Rod, before: Vec3) -> Option<Gap> {
    let (s, t) = start(a, b);
    let (on_a, on_b) = (a.at(s), b.at(t));
    let across = a.half.cross(b.half);
    let inner = s.abs() < 1.0 && t.abs() < 1.0;
    if !inner || across.length() < 1e-3 * a.half.length() * b.half.length() {
        return None;
    }
    let normal = across.unit()?;
    let normal = if normal.dot(before) < 0.0 { -normal } else { normal };
    let apart = on_b - on_a;
    if normal.dot(apart) >= 0.0 {
        return None;
    }
    // A vector in the plane of both with these products.
    let (aa, ab, bb) = (a.half.dot(a.half), a.half.dot(b.half), b.half.dot(b.half));
    let (along_a, along_b) = (a.lower(s).1, -b.lower(t).1);
    let by = 1.0 / (aa * bb - ab * ab);
    let lean = a.half * ((bb * along_a - ab * along_b) * by)
        + b.half * ((aa * along_b - ab * along_a) * by);
    let normal = (normal + lean).unit()?;
    let distance = a.lower(s).0 + b.lower(t).0 - apart.length();
    Some(Gap { distance, normal, point: (on_a + on_b) * 0.5 })
}

/// Of a variable between its bounds: whether it may move down the slope.
fn may_move(u: f64, slope: f64, rod: &Rod) -> bool {
    rod.half != Vec3::ZERO && !(u >= 1.0 && slope < 0.0) && !(u <= -1.0 && slope > 0.0)
}

/// The nearest points, and how the bodies lie there (the distance with what they recede).
pub fn nearest(skins: (&Skin, &Skin), a: &Rod, b: &Rod) -> (Near, f64, f64) {
    let (mut s, mut t) = start(a, b);
    let value = |s: f64, t: f64, from: Option<Vec3>| {
        let found = near(skins.0, skins.1, b.at(t) - a.at(s), from);
        Near { distance: found.distance + a.lower(s).0 + b.lower(t).0, ..found }
    };
    let mut here = value(s, t, None);
    let size = a.half.length() + b.half.length();
    let noise =
        4.0 * f64::EPSILON * (size + here.distance.abs() + skins.0.reach() + skins.1.reach());
    for _ in 0..60 {
        let (lower_a, lower_b) = (a.lower(s), b.lower(t));
        let (gs, gt) = (lower_a.1 - here.normal.dot(a.half), lower_b.1 + here.normal.dot(b.half));
        let free = (may_move(s, gs, a), may_move(t, gt, b));
        let (along_a, along_b) = (here.bend.of(a.half), here.bend.of(b.half));
        let ss = a.half.dot(along_a) + lower_a.2;
        let tt = b.half.dot(along_b) + lower_b.2;
        let st = -a.half.dot(along_b);
        let one = |slope: f64, curve: f64| if curve > 0.0 { -slope / curve } else { -slope / size };
        let (ds, dt) = match free {
            (false, false) => break,
            (true, false) => (one(gs, ss), 0.0),
            (false, true) => (0.0, one(gt, tt)),
            (true, true) => {
                let determinant = ss * tt - st * st;
                match determinant > 1e-13 * ss * tt {
                    true => ((st * gt - tt * gs) / determinant, (st * gs - ss * gt) / determinant),
                    false => (one(gs, ss), one(gt, tt)),
                }
            }
        };
        let mut shorter = 1.0;
        let mut moved = 0.0f64;
        for _ in 0..40 {
            let (x, y) = ((s + ds * shorter).clamp(-1.0, 1.0), (t + dt * shorter).clamp(-1.0, 1.0));
            let found = value(x, y, Some(here.normal));
            if found.distance <= here.distance + noise {
                moved = (x - s).abs().max((y - t).abs());
                (s, t, here) = (x, y, found);
                break;
            }
            shorter *= 0.5;
        }
        if moved <= 2.0 * f64::EPSILON {
            break;
        }
    }
    (here, s, t)
}
