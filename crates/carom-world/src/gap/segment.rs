//! Gap of two thickened segments, which represent edges and the sides of cylinders and capsules.
//!
//! A segment a(s) = a₀ + s·a, |s| ≤ 1, along which a ball or an ellipsoid is moved, is a rounded edge, a capsule or a cylinder.
//! The gap of two of them is the minimum, over the parameters of both segments, of the gap G of the two skins at b(t) − a(s),
//! which is convex (`ellipsoid.rs`), plus the crowns of both segments,
//!
//! g = min over |s|, |t| ≤ 1 of G(b(t) − a(s)) + ρ_a·w(s) + ρ_b·w(t),  w(u) = u²/20 + 19u²⁴/20,
//!
//! The minimum is found by Newton's iteration with the ends of the segments as bounds. With ∇G = n and the second derivative B
//! of G, both known,
//!
//! ∂/∂s = −n·a + ρ_a·w′,  ∂²/∂s² = a·B·a + ρ_a·w″,  ∂²/∂s∂t = −a·B·b,
//!
//! By the envelope theorem the rate of g is n times the relative velocity of the material points at the contact point, as for
//! any two solid bodies.
//!
//! # Why segments are crowned
//! Where two segments are nearest at an end of one of them, that end is a corner, which has a site of its own, and the other
//! edges that meet in the corner are equally near. One impact would be counted several times, with a wrong restitution.
//! Segments therefore recede towards their ends (by ρ at the end), so that the corner touches alone. The u² term gives parallel
//! edges a single nearest point, which moves smoothly when they tilt; without it the point would jump from one end to the
//! other. ρ is 3/400 of the smaller radius or half width, and the u² term is a twentieth of that. Rollers of bearings are
//! crowned for the same reason.

use super::closed_forms;
use super::ellipsoid::{Skin, SkinGap, evaluate, first_normal, skin_gap};
use super::kinematics::Gap;
use crate::math::{Mat3, Vec3};

/// Ratio of a gap to the bounding radii above which the lower bound of the gap is used instead of the gap itself.
pub const FAR_GAP: f64 = 0.1;

/// Length of a step of Newton's iteration (in parameters of the segments) after which, by quadratic convergence, the remaining
/// error is below rounding.
const CONVERGED_STEP: f64 = 1e-10;

/// A crowned segment; a point if `half` is zero.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Midpoint.
    pub middle: Vec3,
    /// Vector from the midpoint to the end at u = 1.
    pub half: Vec3,
    /// Distance ρ by which the segment recedes at its ends.
    pub crown: f64,
}

impl Segment {
    /// Creates a point.
    pub fn point(middle: Vec3) -> Self {
        Self { middle, half: Vec3::ZERO, crown: 0.0 }
    }

    /// Creates the segment between two points.
    pub fn between(one: Vec3, two: Vec3, crown: f64) -> Self {
        Self { middle: (one + two) * 0.5, half: (two - one) * 0.5, crown }
    }

    /// Returns the point at a parameter, which runs from −1 at one end to 1 at the other.
    pub fn at(&self, u: f64) -> Vec3 {
        self.middle + self.half * u
    }

    /// Computes the distance ρ·w(u) by which the segment recedes at a parameter, with its first and second derivative.
    pub fn crown_depth(&self, u: f64) -> (f64, f64, f64) {
        let (square, power) = (u * u, u.powi(22));
        (
            self.crown * (0.05 * square + 0.95 * power * square),
            self.crown * (0.1 * u + 22.8 * power * u),
            self.crown * (0.1 + 524.4 * power),
        )
    }
}

/// Returns the parameter of the point of the segment nearest to a given point, without the crown.
pub fn nearest_parameter(segment: &Segment, point: Vec3) -> f64 {
    let square = segment.half.dot(segment.half);
    if square > 0.0 {
        (segment.half.dot(point - segment.middle) / square).clamp(-1.0, 1.0)
    } else {
        0.0
    }
}

/// Returns the parameters at which two segments without crowns are nearest; the iteration starts there.
fn straight_parameters(a: &Segment, b: &Segment) -> (f64, f64) {
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
    let t = nearest_parameter(b, a.at(s));
    (nearest_parameter(a, b.at(t)), t)
}

/// Computes the gap of two thickened segments.
pub fn gap(skins: (&Skin, &Skin), a: &Segment, b: &Segment) -> Gap {
    gap_with_parameters(skins, a, b).0
}

/// Computes the gap of two capsules with these radii around two segments, without crowns.
pub fn capsule_gap((one, two): (f64, f64), a: &Segment, b: &Segment) -> Gap {
    let (s, t) = straight_parameters(a, b);
    closed_forms::two_balls(a.at(s), one, b.at(t), two)
}

/// Computes the gap of two thickened segments, and the parameters of both at the nearest points.
///
/// The gap of the bounding capsules is a lower bound. If it is wide, it is returned and no iteration is made.
pub fn gap_with_parameters(skins: (&Skin, &Skin), a: &Segment, b: &Segment) -> (Gap, f64, f64) {
    let (s, t) = straight_parameters(a, b);
    let (one, two) = (skins.0.bounding_radius(), skins.1.bounding_radius());
    let straight = closed_forms::two_balls(a.at(s), one, b.at(t), two);
    let plain = matches!(skins, (Skin::Ball(_), Skin::Ball(_)));
    let wide = if plain { 0.0 } else { FAR_GAP * (one + two) };
    if straight.distance > wide + 2.0 * (a.crown + b.crown) {
        return (straight, s, t);
    }
    let (near, s, t) = nearest(skins, a, b);
    let SkinGap { distance, normal, .. } = near;
    let on_a = a.at(s) + skins.0.support(normal) - normal * a.crown_depth(s).0;
    (Gap { distance, normal, point: on_a + normal * (0.5 * distance) }, s, t)
}

/// Computes the gap of two segments that have been pressed past each other; `before` is the normal of the preceding state.
///
/// For straight lines, the signed distance along their common normal passes smoothly through zero. Here the normal is tilted by
/// the crowns so that n·a = ρ_a·w′ and n·b = −ρ_b·w′, which are the conditions that also hold before the segments cross.
/// Returns none if the segments have not crossed, are nearly parallel, or if one has slid off the end of the other.
pub fn gap_of_crossed(a: &Segment, b: &Segment, before: Vec3) -> Option<Gap> {
    let (s, t) = straight_parameters(a, b);
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
    // The vector in the plane of both segments whose scalar products with them are `along_a` and `along_b`.
    let (aa, ab, bb) = (a.half.dot(a.half), a.half.dot(b.half), b.half.dot(b.half));
    let (along_a, along_b) = (a.crown_depth(s).1, -b.crown_depth(t).1);
    let by = 1.0 / (aa * bb - ab * ab);
    let lean = a.half * ((bb * along_a - ab * along_b) * by)
        + b.half * ((aa * along_b - ab * along_a) * by);
    let normal = (normal + lean).unit()?;
    let distance = a.crown_depth(s).0 + b.crown_depth(t).0 - apart.length();
    Some(Gap { distance, normal, point: (on_a + on_b) * 0.5 })
}

/// Returns whether a parameter can move in the direction of decreasing gap without leaving its bounds.
fn may_move(u: f64, slope: f64, segment: &Segment) -> bool {
    segment.half != Vec3::ZERO && !(u >= 1.0 && slope < 0.0) && !(u <= -1.0 && slope > 0.0)
}

/// Returns the gap of two skins below which the search for the smallest gap ends (m). Where the thin ellipsoids of two
/// cylinders overlap, their common normal has no physical meaning and Newton's iteration for it fails; callers treat such sites
/// as open.
fn smallest_meaningful_gap(skins: (&Skin, &Skin)) -> f64 {
    match skins {
        (Skin::Ellipsoid(_, a), Skin::Ellipsoid(_, b)) if *a > 0.0 && *b > 0.0 => -(a + b),
        _ => f64::NEG_INFINITY,
    }
}

/// Largest number of iterations on normal and parameters together; after these, [`nearest`] solves for the normal within the
/// iteration on the parameters.
const MAX_COUPLED_ITERATIONS: usize = 20;

/// Computes the same as [`nearest`] by a single Newton iteration for the normal of the skins and the parameters of both
/// segments, instead of nested iterations; this takes a fifth of the time. Returns none if it does not converge, or if the gap
/// is below `floor`.
///
/// With the tangential part m of d(n) (`ellipsoid.rs`), B = (−H)⁻¹ and δn = B·(m − a·δs + b·δt), the increments of the
/// parameters follow from
///
/// (a·B·a + ρ_a·w″)·δs − a·B·b·δt = n·a − ρ_a·w′ + a·B·m,   (b·B·b + ρ_b·w″)·δt − a·B·b·δs = −n·b − ρ_b·w′ − b·B·m.
///
/// Above `floor` the ellipsoids are apart and the problem is convex, so a converged solution is the smallest gap.
fn nearest_by_coupled_newton(
    skins: (&Skin, &Skin),
    a: &Segment,
    b: &Segment,
    floor: f64,
) -> Option<(SkinGap, f64, f64)> {
    let (mut s, mut t) = straight_parameters(a, b);
    let mut normal = first_normal(skins.0, skins.1, b.at(t) - a.at(s));
    let mut last = f64::INFINITY;
    for _ in 0..MAX_COUPLED_ITERATIONS {
        let (between, slopes) = evaluate(skins.0, skins.1, b.at(t) - a.at(s), normal);
        let (gap, (x, y)) = (between.dot(normal), normal.frame());
        let curve = |u: Vec3, v: Vec3| u.dot(slopes.of(v)) + gap * u.dot(v);
        let (p, q, r) = (curve(x, x), curve(x, y), curve(y, y));
        let determinant = p * r - q * q;
        if !(determinant > 1e-12 * p * r && p > 0.0) {
            return None;
        }
        let turn = |v: Vec3| {
            let (u, v) = (v.dot(x), v.dot(y));
            (x * (r * u - q * v) + y * (p * v - q * u)) * (1.0 / determinant)
        };
        let (low_a, low_b) = (a.crown_depth(s), b.crown_depth(t));
        let (by_miss, by_a, by_b) = (turn(between), turn(a.half), turn(b.half));
        let gs = low_a.1 - normal.dot(a.half) - a.half.dot(by_miss);
        let gt = low_b.1 + normal.dot(b.half) + b.half.dot(by_miss);
        let (ss, tt) = (a.half.dot(by_a) + low_a.2, b.half.dot(by_b) + low_b.2);
        let st = a.half.dot(by_b);
        let (ds, dt) = match (may_move(s, gs, a), may_move(t, gt, b)) {
            (false, false) => (0.0, 0.0),
            (true, false) => (-gs / ss, 0.0),
            (false, true) => (0.0, -gt / tt),
            (true, true) => {
                let both = ss * tt - st * st;
                (-(tt * gs + st * gt) / both, -(ss * gt + st * gs) / both)
            }
        };
        let (next_s, next_t) = ((s + ds).clamp(-1.0, 1.0), (t + dt).clamp(-1.0, 1.0));
        let turned = by_miss - by_a * (next_s - s) + by_b * (next_t - t);
        let change = turned.length() + (next_s - s).abs() + (next_t - t).abs();
        if !(change < 2.0 * last && change < 4.0) {
            return None;
        }
        (s, t, normal, last) = (next_s, next_t, (normal + turned).unit()?, change);
        // Convergence is quadratic, so the error after this step is below rounding.
        if change <= CONVERGED_STEP {
            let (between, _) = evaluate(skins.0, skins.1, b.at(t) - a.at(s), normal);
            let distance = between.dot(normal) + a.crown_depth(s).0 + b.crown_depth(t).0;
            let hessian = Mat3::diagonal(Vec3::ZERO);
            return (distance > floor).then_some((SkinGap { distance, normal, hessian }, s, t));
        }
    }
    None
}

/// Computes the smallest gap of the skins, crowns included, and the parameters of both segments there.
pub fn nearest(skins: (&Skin, &Skin), a: &Segment, b: &Segment) -> (SkinGap, f64, f64) {
    let (mut s, mut t) = straight_parameters(a, b);
    let floor = smallest_meaningful_gap(skins);
    if floor.is_finite()
        && let Some(found) = nearest_by_coupled_newton(skins, a, b, floor)
    {
        return found;
    }
    let value = |s: f64, t: f64, from: Option<Vec3>| {
        let found = skin_gap(skins.0, skins.1, b.at(t) - a.at(s), from);
        SkinGap { distance: found.distance + a.crown_depth(s).0 + b.crown_depth(t).0, ..found }
    };
    let mut here = value(s, t, None);
    let size = a.half.length() + b.half.length();
    let noise = 4.0
        * f64::EPSILON
        * (size + here.distance.abs() + skins.0.bounding_radius() + skins.1.bounding_radius());
    for _ in 0..60 {
        if here.distance < floor {
            break;
        }
        let (lower_a, lower_b) = (a.crown_depth(s), b.crown_depth(t));
        let (gs, gt) = (lower_a.1 - here.normal.dot(a.half), lower_b.1 + here.normal.dot(b.half));
        let free = (may_move(s, gs, a), may_move(t, gt, b));
        let (along_a, along_b) = (here.hessian.of(a.half), here.hessian.of(b.half));
        let ss = a.half.dot(along_a) + lower_a.2;
        let tt = b.half.dot(along_b) + lower_b.2;
        let st = -a.half.dot(along_b);
        let newton =
            |slope: f64, curve: f64| if curve > 0.0 { -slope / curve } else { -slope / size };
        let (ds, dt) = match free {
            (false, false) => break,
            (true, false) => (newton(gs, ss), 0.0),
            (false, true) => (0.0, newton(gt, tt)),
            (true, true) => {
                let determinant = ss * tt - st * st;
                match determinant > 1e-13 * ss * tt {
                    true => ((st * gt - tt * gs) / determinant, (st * gs - ss * gt) / determinant),
                    false => (newton(gs, ss), newton(gt, tt)),
                }
            }
        };
        let mut shorter = 1.0;
        let mut moved = 0.0f64;
        let inside = |u: f64, du: f64| (u + du).abs() <= 1.0;
        let whole = inside(s, ds) && inside(t, dt);
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
        // Convergence is quadratic, so after a full step as short as this the error is below rounding.
        let converged = if whole && shorter == 1.0 { CONVERGED_STEP } else { 2.0 * f64::EPSILON };
        if moved <= converged {
            break;
        }
    }
    (here, s, t)
}
