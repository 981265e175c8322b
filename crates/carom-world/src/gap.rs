//! Contact kinematics: how far two shapes are apart, where, and in which direction.
//!
//! For shapes a and b, n is the unit normal that points out of a into b, the gap g is positive while
//! they are apart, and the indentation is δ = −g. With the material velocities of both bodies at the
//! common point P (halfway between the two surfaces), v = v_b − v_a,
//!
//! δ̇ = −n·v (positive while approaching), v_t = v − (n·v)·n.
//!
//! The force on b is +F·n, on a −F·n. Both act at P, so that friction makes no couple of its own and
//! angular momentum is kept.
//!
//! A pair of shapes touches at one or more *places*: a ball at one, a box against a plane at its eight
//! corners, a capsule at its two ends. Each place is a contact of its own with its own memory, so that a
//! block that stands is held at its corners and rocks from one to the other without any search for the
//! deepest point, which would jump.
//!
//! | pair | places | how |
//! |---|---|---|
//! | sphere – sphere, half-space, socket, bore, capsule, box, cylinder | 1 | closed form |
//! | half-space – box, hull | corners | closed form |
//! | half-space – capsule | 2 ends | closed form |
//! | half-space – cylinder | 2 ends, 2 rings of points | closed form (`gap/can.rs`) |
//! | half-space – ellipsoid | 1 | closed form (support point) |
//! | cylinder – bore | 2 ends | closed form |
//! | capsule – capsule | 1 | closed form |
//! | ellipsoid – ellipsoid, sphere | 1 | least distance by Newton's iteration (`gap/smooth.rs`) |
//! | ellipsoid – capsule, cylinder | 1 | the same along a segment (`gap/swept.rs`) |
//! | sphere, ellipsoid – box, hull | 1 | faces closed, edges along segments (`gap/poly.rs`) |
//! | cylinder – capsule | 9 | ends and sides (`gap/features.rs`) |
//! | cylinder – cylinder | 9, 4 rings of points | the same |
//! | capsule – box, hull | 2 ends, edges, corners | the same |
//! | cylinder – box, hull | 2 ends, edges, corners, 2 rings of points | the same and `gap/can.rs` |
//! | box, hull – box, hull | corners, pairs of edges | the same |
//!
//! What is left has no solid inside a cavity that carom could follow: only balls (and cylinders in bores) fit.

mod can;
mod curvature;
mod features;
mod poly;
mod round;
mod smooth;
mod swept;

pub use curvature::relative_curvatures;

use crate::joint::Moving;
use crate::math::{Quat, Vec3};
use crate::shape::{ROUNDING, Shape};
use carom::{Error, Result};

/// Where a shape is: its origin and its rotation to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Origin (m).
    pub origin: Vec3,
    /// From the frame to the world.
    pub rotation: Quat,
}

impl Frame {
    /// A point of the frame in the world.
    pub fn place(&self, point: Vec3) -> Vec3 {
        self.origin + self.rotation.turn(point)
    }

    /// A point of the world in the frame.
    pub fn local(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse().turn(point - self.origin)
    }
}

/// How two shapes are apart at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance, negative where they overlap (m).
    pub distance: f64,
    /// Unit normal out of the first shape, into the second.
    pub normal: Vec3,
    /// The common point (m).
    pub point: Vec3,
}

impl Gap {
    /// As seen from the other shape.
    fn flipped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }

    /// How fast it opens (m/s) between two bodies, which are the first shape's and the second's.
    #[inline(always)]
    pub(crate) fn opens(&self, one: &Moving, two: &Moving) -> f64 {
        self.normal.dot(two.velocity_at(self.point) - one.velocity_at(self.point))
    }
}

/// At how many places two shapes may touch.
///
/// # Errors
/// When carom has no kinematics for these two shapes.
pub fn places(a: &Shape, b: &Shape) -> Result<usize> {
    use Shape::{Bore, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Socket, Sphere};
    Ok(match (a, b) {
        (Sphere { radius }, Socket { radius: cavity } | Bore { radius: cavity, .. })
        | (Socket { radius: cavity } | Bore { radius: cavity, .. }, Sphere { radius })
        | (Cylinder { radius, .. }, Bore { radius: cavity, .. })
        | (Bore { radius: cavity, .. }, Cylinder { radius, .. }) => {
            if cavity <= radius {
                let allowed = format!("above the radius of what is inside, {radius} m");
                let advice = "widen the cavity by the clearance";
                return Err(Error::invalid("radius of the cavity", cavity, allowed, advice));
            }
            match (a, b) {
                (Cylinder { .. }, _) | (_, Cylinder { .. }) => 2,
                _ => 1,
            }
        }
        (Capsule { .. }, Capsule { .. }) => 1,
        (HalfSpace, Sphere { .. } | Ellipsoid { .. })
        | (Sphere { .. } | Ellipsoid { .. }, HalfSpace) => 1,
        (HalfSpace, Capsule { .. }) | (Capsule { .. }, HalfSpace) => 2,
        (HalfSpace, Cylinder { .. }) | (Cylinder { .. }, HalfSpace) => 2 + can::RING,
        (HalfSpace, Box { .. }) | (Box { .. }, HalfSpace) => 8,
        (HalfSpace, Hull { points }) | (Hull { points }, HalfSpace) => points.len(),
        _ => match features::places(a, b) {
            Some(places) => return places,
            None => {
                let advice = match (a, b) {
                    (Socket { .. }, _) | (_, Socket { .. }) => "a socket holds a sphere",
                    (Bore { .. }, _) | (_, Bore { .. }) => "a bore holds a sphere or a cylinder",
                    _ => "make one of them a box, a hull or a cylinder",
                };
                let what = format!("contact of a {} and a {}", a.name(), b.name());
                return Err(Error::unsupported(what, advice));
            }
        },
    })
}

/// True when the gap of two shapes may open again deep inside, where rounded edges have passed each other.
pub(crate) fn folds(a: &Shape, b: &Shape) -> bool {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. } | Cylinder { .. });
    let long = |shape: &Shape| edged(shape) || matches!(shape, Capsule { .. });
    (edged(a) && long(b)) || (long(a) && edged(b))
}

/// Radius of a ball that touches from within wherever the two shapes may touch, of both together: how sharp they are.
/// Against a plane, or within a cavity, nothing is sharp.
pub(crate) fn roundness(a: &Shape, b: &Shape) -> f64 {
    use Shape::{Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. });
    let blocks = edged(a) && edged(b);
    let own = |shape: &Shape, other: &Shape| match shape {
        Sphere { radius } | Capsule { radius, .. } => *radius,
        Ellipsoid { semi } => {
            let least = semi.x.min(semi.y).min(semi.z);
            least * least / semi.x.max(semi.y).max(semi.z)
        }
        // Balls see the sharp rim.
        Cylinder { .. } if matches!(other, Sphere { .. }) => 0.0,
        Cylinder { radius, half } => features::crowned(*radius, *half).2,
        Box { .. } | Hull { .. } if !blocks => 0.0,
        Box { half } => ROUNDING * half.x.min(half.y).min(half.z),
        Hull { points } => points.rounding(),
        Shape::HalfSpace | Shape::Socket { .. } | Shape::Bore { .. } => f64::INFINITY,
    };
    own(a, b) + own(b, a)
}

/// The indentation up to which the gap of two shapes is smooth: where both have edges, what these are rounded.
pub(crate) fn smooth_to(a: &Shape, b: &Shape) -> f64 {
    let rounded = |shape: &Shape| match shape {
        Shape::Box { half } => ROUNDING * half.x.min(half.y).min(half.z),
        Shape::Hull { points } => points.rounding(),
        Shape::Cylinder { radius, .. } => 3.0 * ROUNDING * radius,
        _ => f64::INFINITY,
    };
    rounded(a) + rounded(b)
}

/// The indentation up to which a contact of two shapes means something: half of the smaller one's radius or
/// half thickness. Laws are made for indentations that are small against that; beyond it the nearest way out
/// may be the wrong side. Cavities and half-spaces have no other side.
pub(crate) fn meant_to(a: &Shape, b: &Shape) -> f64 {
    let thin = |shape: &Shape| match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Cylinder { radius, half } => radius.min(*half),
        Shape::Box { half: size } | Shape::Ellipsoid { semi: size } => {
            size.x.min(size.y).min(size.z)
        }
        Shape::Hull { points } => points.rounding() / ROUNDING,
        Shape::HalfSpace | Shape::Socket { .. } | Shape::Bore { .. } => f64::INFINITY,
    };
    0.5 * thin(a).min(thin(b))
}

/// The gap of two shapes at one of their places.
///
/// ```
/// use carom_world::gap::{Frame, gap};
/// use carom_world::{Shape, math::Vec3};
/// let ball = Shape::Sphere { radius: 1.0 };
/// let at = |x: f64| Frame { origin: Vec3::new(x, 0.0, 0.0), ..Frame::default() };
/// let found = gap(&ball, &at(0.0), &ball, &at(2.5), 0);
/// assert_eq!(found.distance, 0.5);
/// assert_eq!(found.normal, Vec3::X);
/// ```
#[inline(always)]
pub fn gap(a: &Shape, frame_a: &Frame, b: &Shape, frame_b: &Frame, place: usize) -> Gap {
    match one_way(a, frame_a, b, frame_b, place) {
        Some(gap) => gap,
        None => match one_way(b, frame_b, a, frame_a, place) {
            Some(gap) => gap.flipped(),
            // No kinematics: `places` has refused the pair.
            None => Gap { distance: f64::INFINITY, normal: Vec3::X, point: frame_a.origin },
        },
    }
}

/// Whether the gap at a place is to be asked for with the normal that it had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    /// It follows from the pose.
    Never,
    /// The normal is sought by Newton's iteration, which begins where it was last.
    Always,
    /// Of two edges that touch: the normal says on which side they were when they have been pressed past each other.
    Touching,
}

/// Which of these a place is.
pub(crate) fn sought(a: &Shape, b: &Shape, place: usize) -> Sought {
    use Shape::{Ellipsoid, Sphere};
    match (a, b) {
        (Ellipsoid { .. }, Ellipsoid { .. } | Sphere { .. })
        | (Sphere { .. }, Ellipsoid { .. }) => Sought::Always,
        _ if features::is_pair_of_edges(a, b, place) => Sought::Touching,
        _ => Sought::Never,
    }
}

/// The gap of such a pair, begun at a normal that was found before.
pub(crate) fn gap_from(
    start: Vec3,
    a: &Shape,
    fa: &Frame,
    b: &Shape,
    fb: &Frame,
    place: usize,
) -> Gap {
    if features::is_pair_of_edges(a, b, place) {
        return features::edges(a, fa, b, fb, place, Some(start));
    }
    let skin = |shape: &Shape, frame: &Frame| match shape {
        Shape::Sphere { radius } => Some(smooth::Skin::Ball(*radius)),
        Shape::Ellipsoid { semi } => Some(smooth::Skin::egg(*semi, 0.0, frame)),
        _ => None,
    };
    match (skin(a, fa), skin(b, fb)) {
        (Some(one), Some(two)) => smooth::gap_from(start, &one, fa.origin, &two, fb.origin),
        _ => gap(a, fa, b, fb, 0),
    }
}

/// Balls are computed where they are asked for: handed through memory, their few numbers would take longer to be
/// fetched than to be found. All others are a call.
#[inline(always)]
fn one_way(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, place: usize) -> Option<Gap> {
    use Shape::{HalfSpace, Sphere};
    match (a, b) {
        (Sphere { radius: r }, Sphere { radius }) => {
            Some(round::balls(fa.origin, *r, fb.origin, *radius))
        }
        (Sphere { radius }, HalfSpace) => Some(round::on_plane(fa.origin, *radius, fb)),
        _ => other(a, fa, b, fb, place),
    }
}

#[inline(never)]
fn other(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, place: usize) -> Option<Gap> {
    use Shape::{Bore, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Socket, Sphere};
    let side = if place == 0 { -1.0 } else { 1.0 };
    Some(match (a, b) {
        (Sphere { radius: r }, Socket { radius }) => {
            round::in_cavity(fa.origin, *r, fa.origin - fb.origin, *radius, fb)
        }
        (Sphere { radius: r }, Bore { radius, .. }) => {
            let axis = fb.rotation.turn(Vec3::Z);
            round::in_cavity(fa.origin, *r, (fa.origin - fb.origin).across(axis), *radius, fb)
        }
        (Sphere { radius: r }, Capsule { radius, half }) => {
            let at = fb.local(fa.origin).z.clamp(-half, *half);
            round::balls(fa.origin, *r, fb.place(Vec3::Z * at), *radius)
        }
        (Sphere { radius }, Box { half }) => round::on_box(fa.origin, *radius, *half, fb),
        (Sphere { radius: r }, Cylinder { radius, half }) => {
            round::on_cylinder(fa.origin, *r, *radius, *half, fb)
        }
        (Capsule { radius, half }, HalfSpace) => {
            round::on_plane(fa.place(Vec3::Z * (side * half)), *radius, fb)
        }
        (Capsule { radius: r, half: l }, Capsule { radius, half }) => {
            let (p, q) = round::segments(fa, *l, fb, *half);
            round::balls(p, *r, q, *radius)
        }
        (Cylinder { radius, half }, HalfSpace) if place >= 2 => {
            let point = can::ring(*radius, *half, place - 2);
            can::drawn_back(round::on_plane(fa.place(point), 0.0, fb), *radius, fa)
        }
        (Cylinder { radius, half }, HalfSpace) => {
            // The lowest point of an end (`gap/can.rs`).
            let (half, semi, rim) = can::end(*radius, *half);
            let down = fa.rotation.inverse().turn(-fb.rotation.turn(Vec3::Z));
            let low = Vec3::Z * (side * half) + smooth::support(semi, down);
            round::on_plane(fa.place(low), rim, fb)
        }
        (Cylinder { radius: r, half }, Bore { radius, .. }) => {
            let end = fa.place(Vec3::Z * (side * half));
            let axis = fb.rotation.turn(Vec3::Z);
            round::in_cavity(end, *r, (end - fb.origin).across(axis), *radius, fb)
        }
        (Box { half }, HalfSpace) => {
            let sign = |bit: usize| if place >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let corner = Vec3::new(sign(0), sign(1), sign(2)).scaled(*half);
            round::on_plane(fa.place(corner), 0.0, fb)
        }
        (Hull { points }, HalfSpace) => {
            let corner = points.get(place).copied().unwrap_or_default();
            round::on_plane(fa.place(corner), 0.0, fb)
        }
        (Ellipsoid { semi }, HalfSpace) => {
            let down = fa.rotation.inverse().turn(-fb.rotation.turn(Vec3::Z));
            round::on_plane(fa.place(smooth::support(*semi, down)), 0.0, fb)
        }
        _ => return features::gap(a, fa, b, fb, place),
    })
}

#[cfg(test)]
mod tests;
