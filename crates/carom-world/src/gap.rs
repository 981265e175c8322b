//! Contact kinematics: distance, contact point and contact normal of two shapes.
//!
//! For two shapes a and b, n is the unit normal that points out of a and into b. The gap g is positive while the shapes are
//! apart, and the indentation is δ = −g. With the velocities of the material points of both bodies at the contact point P
//! (halfway between the two surfaces) and v = v_b − v_a,
//!
//! δ̇ = −n·v (positive while approaching), v_t = v − (n·v)·n.
//!
//! The contact force on b is +F·n, that on a is −F·n. Both act at P, so that the friction forces form no couple and angular
//! momentum is conserved.
//!
//! A pair of shapes has one or more *contact sites*, pairs of features that may touch: a sphere on a plane has one site, a box
//! on a plane has its eight corners, a capsule its two ends. Each site is a contact of its own with its own memory. A box that
//! stands on a plane is therefore supported at its corners and rocks from one to the other. A single contact at the deepest
//! point would need a search, and that point would jump.
//!
//! | pair | sites | method |
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
//! A socket can contain only a sphere, a bore a sphere or a cylinder. Other solids inside a cavity are not implemented.

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

/// Returns the number of contact sites of two shapes.
///
/// # Errors
/// When the contact of these two shapes is not implemented.
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

/// Returns whether the gap of two shapes may open again at a large indentation, where rounded edges have been pressed past each
/// other.
pub(crate) fn may_reopen(a: &Shape, b: &Shape) -> bool {
    use Shape::{Box, Capsule, Cylinder, Hull};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. } | Cylinder { .. });
    let long = |shape: &Shape| edged(shape) || matches!(shape, Capsule { .. });
    (edged(a) && long(b)) || (long(a) && edged(b))
}

/// Returns the sum of the smallest radii of curvature of both shapes where they may touch (m); infinite against a plane or
/// within a cavity.
pub(crate) fn min_curvature_radius(a: &Shape, b: &Shape) -> f64 {
    use Shape::{Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere};
    let edged = |shape: &Shape| matches!(shape, Box { .. } | Hull { .. });
    let blocks = edged(a) && edged(b);
    let own = |shape: &Shape, other: &Shape| match shape {
        Sphere { radius } | Capsule { radius, .. } => *radius,
        Ellipsoid { semi } => semi.least() * semi.least() / semi.greatest(),
        // A sphere meets the sharp rim of the cylinder, not the rounded one.
        Cylinder { .. } if matches!(other, Sphere { .. }) => 0.0,
        Cylinder { radius, half } => features::crowned_cylinder(*radius, *half).2,
        Box { .. } | Hull { .. } if !blocks => 0.0,
        Box { half } => ROUNDING * half.least(),
        Hull { points } => points.rounding(),
        _ => f64::INFINITY,
    };
    own(a, b) + own(b, a)
}

/// Returns the indentation up to which the gap of two shapes is smooth (m): the sum of the radii of their rounded edges if both
/// have edges, infinite otherwise.
pub(crate) fn smooth_depth(a: &Shape, b: &Shape) -> f64 {
    let rounded = |shape: &Shape| match shape {
        Shape::Box { half } => ROUNDING * half.least(),
        Shape::Hull { points } => points.rounding(),
        Shape::Cylinder { radius, .. } => 3.0 * ROUNDING * radius,
        _ => f64::INFINITY,
    };
    rounded(a) + rounded(b)
}

/// Returns the indentation up to which a contact of two shapes is valid (m): half of the smaller radius or half thickness.
/// Contact laws assume indentations that are small compared with it. At larger ones the shortest way to separate the shapes may
/// lead through the opposite side. Cavities and half-spaces have no opposite side, so they set no limit.
pub(crate) fn valid_depth(a: &Shape, b: &Shape) -> f64 {
    0.5 * half_thickness(a).min(half_thickness(b))
}

/// Returns the radius or half thickness of a shape (m); infinite for shapes without an opposite side (half-spaces, cavities).
pub(crate) fn half_thickness(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Cylinder { radius, half } => radius.min(*half),
        Shape::Box { half: size } | Shape::Ellipsoid { semi: size } => size.least(),
        Shape::Hull { points } => points.rounding() / ROUNDING,
        _ => f64::INFINITY,
    }
}

/// Computes the gap of two shapes at a contact site.
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
    match pair_gap(a, frame_a, b, frame_b, site) {
        Some(gap) => gap,
        None => match pair_gap(b, frame_b, a, frame_a, site) {
            Some(gap) => gap.flipped(),
            // Not reached in a scene, because `site_count` refuses pairs that are not implemented.
            None => Gap::infinite(frame_a.origin),
        },
    }
}

/// How the gap at a site depends on the normal of the preceding state ([`gap_from`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormalMemory {
    /// The gap follows from the pose alone.
    Unused,
    /// The normal is found by Newton's iteration, which starts from the preceding normal.
    Always,
    /// Two edges in contact. When they have been pressed past each other, the preceding normal tells on which sides of each
    /// other they were.
    WhileTouching,
}

/// Returns how the gap at a site depends on the normal of the preceding state.
pub(crate) fn normal_memory(a: &Shape, b: &Shape, site: usize) -> NormalMemory {
    use Shape::{Ellipsoid, Sphere};
    match (a, b) {
        (Ellipsoid { .. }, Ellipsoid { .. } | Sphere { .. })
        | (Sphere { .. }, Ellipsoid { .. }) => NormalMemory::Always,
        _ if features::is_pair_of_edges(a, b, site) => NormalMemory::WhileTouching,
        _ => NormalMemory::Unused,
    }
}

/// Computes the gap at a site that depends on the normal of the preceding state, `start` ([`normal_memory`]).
pub(crate) fn gap_from(
    start: Vec3,
    a: &Shape,
    fa: &Frame,
    b: &Shape,
    fb: &Frame,
    site: usize,
) -> Gap {
    if features::is_pair_of_edges(a, b, site) {
        return features::edge_gap(a, fa, b, fb, site, Some(start));
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

/// Computes the gap for this order of the two shapes; none where only the other order is implemented. Pairs with spheres are
/// inlined, because passing their few numbers through memory would take longer than computing the gap. All other pairs are a
/// function call.
#[inline(always)]
fn pair_gap(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Option<Gap> {
    use Shape::{HalfSpace, Socket, Sphere};
    match (a, b) {
        (Sphere { radius: r }, Sphere { radius }) => {
            Some(closed_forms::two_balls(fa.origin, *r, fb.origin, *radius))
        }
        (Sphere { radius }, HalfSpace) => Some(closed_forms::ball_on_plane(fa.origin, *radius, fb)),
        (Sphere { radius: r }, Socket { radius }) => {
            let off = fa.origin - fb.origin;
            Some(closed_forms::ball_in_cavity(fa.origin, *r, off, *radius, fb))
        }
        _ => other_pair_gap(a, fa, b, fb, site),
    }
}

#[inline(never)]
fn other_pair_gap(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Option<Gap> {
    use Shape::{Bore, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere};
    // Site 0 is the end at −z, site 1 the end at +z.
    let side = if site == 0 { -1.0 } else { 1.0 };
    Some(match (a, b) {
        (Sphere { radius: r }, Bore { radius, .. }) => {
            let off = (fa.origin - fb.origin).perpendicular_to(fb.rotation.rotate(Vec3::Z));
            closed_forms::ball_in_cavity(fa.origin, *r, off, *radius, fb)
        }
        (Sphere { radius: r }, Capsule { radius, half }) => {
            let at = fb.to_local(fa.origin).z.clamp(-half, *half);
            closed_forms::two_balls(fa.origin, *r, fb.to_world(Vec3::Z * at), *radius)
        }
        (Sphere { radius }, Box { half }) => {
            closed_forms::ball_on_box(fa.origin, *radius, *half, fb)
        }
        (Sphere { radius: r }, Cylinder { radius, half }) => {
            closed_forms::ball_on_cylinder(fa.origin, *r, *radius, *half, fb)
        }
        (Shape::Finger { .. }, Shape::Stop(at)) => stop::finger_on_stop(fa, fb, at),
        (Capsule { radius, half }, HalfSpace) => {
            closed_forms::ball_on_plane(fa.to_world(Vec3::Z * (side * half)), *radius, fb)
        }
        (Capsule { radius: r, half: l }, Capsule { radius, half }) => {
            let axis = |frame: &Frame, half: f64| {
                let direction = frame.rotation.rotate(Vec3::Z * half);
                Segment { middle: frame.origin, half: direction, crown: 0.0 }
            };
            segment::capsule_gap((*r, *radius), &axis(fa, *l), &axis(fb, *half))
        }
        (Cylinder { radius, half }, HalfSpace) => match site.checked_sub(2) {
            // Sites 0 and 1: the lowest point of the rim of an end.
            None => {
                let (half, semi, rim) = cylinder::rim_ellipsoid(*radius, *half);
                let down = fa.rotation.inverse().rotate(-fb.rotation.rotate(Vec3::Z));
                let low = Vec3::Z * (side * half) + ellipsoid::support(semi, down);
                closed_forms::ball_on_plane(fa.to_world(low), rim, fb)
            }
            Some(index) => {
                let point = fa.to_world(cylinder::ring_point(*radius, *half, index));
                cylinder::recede_with_tilt(closed_forms::ball_on_plane(point, 0.0, fb), *radius, fa)
            }
        },
        (Cylinder { radius: r, half }, Bore { radius, .. }) => {
            let end = fa.to_world(Vec3::Z * (side * half));
            let axis = fb.rotation.rotate(Vec3::Z);
            closed_forms::ball_in_cavity(
                end,
                *r,
                (end - fb.origin).perpendicular_to(axis),
                *radius,
                fb,
            )
        }
        (Box { .. } | Hull { .. }, HalfSpace) => {
            let corner = bounds::sharp_polyhedron(a)?.corner(site);
            closed_forms::ball_on_plane(fa.to_world(corner), 0.0, fb)
        }
        (Ellipsoid { semi }, HalfSpace) => {
            let down = fa.rotation.inverse().rotate(-fb.rotation.rotate(Vec3::Z));
            closed_forms::ball_on_plane(fa.to_world(ellipsoid::support(*semi, down)), 0.0, fb)
        }
        _ => return features::gap(a, fa, b, fb, site),
    })
}

#[cfg(test)]
mod tests;
