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
//! A pair of shapes has one or more *contact sites*, pairs of features that may touch: a ball has one, a box against a plane its
//! eight corners, a capsule its two ends. Each site is a contact of its own with its own memory, so that a box that stands
//! is held at its corners and rocks from one to the other without a search for the deepest point, which would jump.
//!
//! | pair | sites | how |
//! |---|---|---|
//! | sphere – sphere, half-space, socket, bore, capsule, box, cylinder | 1 | closed form (`gap/closed_forms.rs`) |
//! | half-space – box, hull | corners | closed form |
//! | half-space – capsule | 2 ends | closed form |
//! | half-space – cylinder | 2 ends, 2 rings of points | closed form (`gap/cylinder.rs`) |
//! | half-space – ellipsoid | 1 | closed form (support point) |
//! | cylinder – bore | 2 ends | closed form |
//! | capsule – capsule | 1 | closed form |
//! | ellipsoid – ellipsoid, sphere | 1 | common normal by Newton's iteration (`gap/ellipsoid.rs`) |
//! | ellipsoid – capsule, cylinder | 1 | smallest distance along a segment (`gap/segment.rs`) |
//! | sphere, ellipsoid – box, hull | 1 | faces in closed form, edges along segments (`gap/polyhedron.rs`) |
//! | cylinder – capsule | 9 | ends and sides (`gap/features.rs`) |
//! | cylinder – cylinder | 9, 4 rings of points | ends, sides and rings |
//! | capsule – box, hull | 2 ends, edges, corners | along segments |
//! | cylinder – box, hull | 2 ends, edges, corners, 2 rings of points | along segments (`gap/cylinder.rs`) |
//! | box, hull – box, hull | corners, pairs of edges | along segments |
//! | finger – stop of a joint | 1 | closed form (`gap/stop.rs`) |
//!
//! Cavities hold only balls, and bores also cylinders; for other solids inside a cavity there are no kinematics.

mod bounds;
mod closed_forms;
mod curvature;
mod cylinder;
mod ellipsoid;
mod features;
mod kinematics;
mod polyhedron;
mod segment;
mod site_numbers;
mod stop;

pub(crate) use bounds::{RelativeFrame, SiteBoxes, site_boxes};
pub use curvature::relative_curvatures;
pub use kinematics::{Frame, Gap};

use crate::math::Vec3;
use crate::shape::{ROUNDING, Shape};
use carom::{Error, Result};
use segment::Segment;

/// The number of contact sites of two shapes.
///
/// # Errors
/// When carom has no kinematics for these two shapes.
pub fn site_count(a: &Shape, b: &Shape) -> Result<usize> {
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
        (Shape::Finger { .. }, Shape::Stop(_)) | (Shape::Stop(_), Shape::Finger { .. }) => 1,
        (Capsule { .. }, Capsule { .. }) => 1,
        (HalfSpace, Sphere { .. } | Ellipsoid { .. })
        | (Sphere { .. } | Ellipsoid { .. }, HalfSpace) => 1,
        (HalfSpace, Capsule { .. }) | (Capsule { .. }, HalfSpace) => 2,
        (HalfSpace, Cylinder { .. }) | (Cylinder { .. }, HalfSpace) => 2 + cylinder::RING_POINTS,
        (HalfSpace, Box { .. }) | (Box { .. }, HalfSpace) => 8,
        (HalfSpace, Hull { points }) | (Hull { points }, HalfSpace) => points.corners().len(),
        _ => match features::site_count(a, b) {
            Some(sites) => return sites,
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

/// True when the gap of two shapes may open again at depth, where rounded edges have passed each other.
pub(crate) fn may_reopen(a: &Shape, b: &Shape) -> bool {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. } | Cylinder { .. });
    let long = |shape: &Shape| edged(shape) || matches!(shape, Capsule { .. });
    (edged(a) && long(b)) || (long(a) && edged(b))
}

/// Sum of the smallest radii of curvature of both shapes where they may touch (m); infinite against a plane or within a
/// cavity.
pub(crate) fn min_curvature_radius(a: &Shape, b: &Shape) -> f64 {
    use Shape::{Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. });
    let blocks = edged(a) && edged(b);
    let own = |shape: &Shape, other: &Shape| match shape {
        Sphere { radius } | Capsule { radius, .. } => *radius,
        Ellipsoid { semi } => semi.least() * semi.least() / semi.greatest(),
        // Balls touch the sharp rim.
        Cylinder { .. } if matches!(other, Sphere { .. }) => 0.0,
        Cylinder { radius, half } => features::crowned(*radius, *half).2,
        Box { .. } | Hull { .. } if !blocks => 0.0,
        Box { half } => ROUNDING * half.least(),
        Hull { points } => points.rounding(),
        _ => f64::INFINITY,
    };
    own(a, b) + own(b, a)
}

/// The indentation up to which the gap of two shapes is smooth (m): if both have edges, the sum of their roundings.
pub(crate) fn smooth_depth(a: &Shape, b: &Shape) -> f64 {
    let rounded = |shape: &Shape| match shape {
        Shape::Box { half } => ROUNDING * half.least(),
        Shape::Hull { points } => points.rounding(),
        Shape::Cylinder { radius, .. } => 3.0 * ROUNDING * radius,
        _ => f64::INFINITY,
    };
    rounded(a) + rounded(b)
}

/// The indentation up to which a contact of two shapes is valid (m): half of the smaller one's radius or half thickness. Laws
/// are meant for indentations that are small against that; beyond it the shortest way out may be through the wrong side.
/// Cavities and half-spaces have no other side.
pub(crate) fn valid_depth(a: &Shape, b: &Shape) -> f64 {
    0.5 * half_thickness(a).min(half_thickness(b))
}

/// The radius or half thickness of a shape (m); infinite where it has no other side.
pub(crate) fn half_thickness(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Cylinder { radius, half } => radius.min(*half),
        Shape::Box { half: size } | Shape::Ellipsoid { semi: size } => size.least(),
        Shape::Hull { points } => points.rounding() / ROUNDING,
        _ => f64::INFINITY,
    }
}

/// The gap of two shapes at a contact site.
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
pub fn gap(a: &Shape, frame_a: &Frame, b: &Shape, frame_b: &Frame, site: usize) -> Gap {
    match one_way(a, frame_a, b, frame_b, site) {
        Some(gap) => gap,
        None => match one_way(b, frame_b, a, frame_a, site) {
            Some(gap) => gap.flipped(),
            // No kinematics: `site_count` has refused the pair.
            None => Gap::infinite(frame_a.origin),
        },
    }
}

/// Whether the gap at a site depends on the normal that it had before ([`gap_from`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormalMemory {
    /// It follows from the pose alone.
    Unused,
    /// The normal is found by Newton's iteration, which starts from the one before.
    Always,
    /// Two edges in contact: the normal says on which side they were when they have been pressed past each other.
    WhileTouching,
}

/// Whether the gap at a site depends on the normal that it had before.
pub(crate) fn normal_memory(a: &Shape, b: &Shape, site: usize) -> NormalMemory {
    use Shape::{Ellipsoid, Sphere};
    match (a, b) {
        (Ellipsoid { .. }, Ellipsoid { .. } | Sphere { .. })
        | (Sphere { .. }, Ellipsoid { .. }) => NormalMemory::Always,
        _ if features::is_pair_of_edges(a, b, site) => NormalMemory::WhileTouching,
        _ => NormalMemory::Unused,
    }
}

/// The gap at a site that depends on the normal before ([`normal_memory`]).
pub(crate) fn gap_from(
    start: Vec3,
    a: &Shape,
    fa: &Frame,
    b: &Shape,
    fb: &Frame,
    site: usize,
) -> Gap {
    if features::is_pair_of_edges(a, b, site) {
        return features::edges(a, fa, b, fb, site, Some(start));
    }
    let skin = |shape: &Shape, frame: &Frame| match shape {
        Shape::Sphere { radius } => Some(ellipsoid::Skin::Ball(*radius)),
        Shape::Ellipsoid { semi } => Some(ellipsoid::Skin::ellipsoid(*semi, 0.0, frame)),
        _ => None,
    };
    match (skin(a, fa), skin(b, fb)) {
        (Some(one), Some(two)) => ellipsoid::gap_from(start, &one, fa.origin, &two, fb.origin),
        _ => gap(a, fa, b, fb, 0),
    }
}

/// The gap for one order of the two shapes; none where only the other order is implemented. Balls are inlined, because
/// passing their few numbers through memory would take longer than computing the gap. All others are a call.
#[inline(always)]
fn one_way(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Option<Gap> {
    use Shape::{HalfSpace, Socket, Sphere};
    match (a, b) {
        (Sphere { radius: r }, Sphere { radius }) => {
            Some(closed_forms::balls(fa.origin, *r, fb.origin, *radius))
        }
        (Sphere { radius }, HalfSpace) => Some(closed_forms::on_plane(fa.origin, *radius, fb)),
        (Sphere { radius: r }, Socket { radius }) => {
            let off = fa.origin - fb.origin;
            Some(closed_forms::in_cavity(fa.origin, *r, off, *radius, fb))
        }
        _ => other_shapes(a, fa, b, fb, site),
    }
}

#[inline(never)]
fn other_shapes(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Option<Gap> {
    use Shape::{Bore, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere};
    // Of two ends the first is at −z.
    let side = if site == 0 { -1.0 } else { 1.0 };
    Some(match (a, b) {
        (Sphere { radius: r }, Bore { radius, .. }) => {
            let off = (fa.origin - fb.origin).across(fb.rotation.turn(Vec3::Z));
            closed_forms::in_cavity(fa.origin, *r, off, *radius, fb)
        }
        (Sphere { radius: r }, Capsule { radius, half }) => {
            let at = fb.to_local(fa.origin).z.clamp(-half, *half);
            closed_forms::balls(fa.origin, *r, fb.to_world(Vec3::Z * at), *radius)
        }
        (Sphere { radius }, Box { half }) => closed_forms::on_box(fa.origin, *radius, *half, fb),
        (Sphere { radius: r }, Cylinder { radius, half }) => {
            closed_forms::on_cylinder(fa.origin, *r, *radius, *half, fb)
        }
        (Shape::Finger { .. }, Shape::Stop(at)) => stop::finger_on_stop(fa, fb, at),
        (Capsule { radius, half }, HalfSpace) => {
            closed_forms::on_plane(fa.to_world(Vec3::Z * (side * half)), *radius, fb)
        }
        (Capsule { radius: r, half: l }, Capsule { radius, half }) => {
            let axis = |frame: &Frame, half: f64| {
                let direction = frame.rotation.turn(Vec3::Z * half);
                Segment { middle: frame.origin, half: direction, crown: 0.0 }
            };
            segment::capsule_gap((*r, *radius), &axis(fa, *l), &axis(fb, *half))
        }
        (Cylinder { radius, half }, HalfSpace) => match site.checked_sub(2) {
            // The lowest point of the rim of an end.
            None => {
                let (half, semi, rim) = cylinder::rim_ellipsoid(*radius, *half);
                let down = fa.rotation.inverse().turn(-fb.rotation.turn(Vec3::Z));
                let low = Vec3::Z * (side * half) + ellipsoid::support(semi, down);
                closed_forms::on_plane(fa.to_world(low), rim, fb)
            }
            Some(index) => {
                let point = fa.to_world(cylinder::ring_point(*radius, *half, index));
                cylinder::recede_with_tilt(closed_forms::on_plane(point, 0.0, fb), *radius, fa)
            }
        },
        (Cylinder { radius: r, half }, Bore { radius, .. }) => {
            let end = fa.to_world(Vec3::Z * (side * half));
            let axis = fb.rotation.turn(Vec3::Z);
            closed_forms::in_cavity(end, *r, (end - fb.origin).across(axis), *radius, fb)
        }
        (Box { .. } | Hull { .. }, HalfSpace) => {
            let corner = bounds::sharp(a)?.corner(site);
            closed_forms::on_plane(fa.to_world(corner), 0.0, fb)
        }
        (Ellipsoid { semi }, HalfSpace) => {
            let down = fa.rotation.inverse().turn(-fb.rotation.turn(Vec3::Z));
            closed_forms::on_plane(fa.to_world(ellipsoid::support(*semi, down)), 0.0, fb)
        }
        _ => return features::gap(a, fa, b, fb, site),
    })
}

#[cfg(test)]
mod tests;
