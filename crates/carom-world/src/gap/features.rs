//! Contact sites of solids: the pairs of features that may touch, and the gap of each.
//!
//! Every solid is a core thickened by a skin:
//!
//! | shape | core | skin |
//! |---|---|---|
//! | sphere, ellipsoid | a point | ball, ellipsoid |
//! | capsule, cylinder | a segment | ball; flat ellipsoid and a small ball |
//! | box, hull | corners, edges, faces | none; among themselves a ball of the rounding r |
//!
//! Sites are pairs of features, numbered in this order (`site_numbers.rs`):
//!
//! | cores | sites |
//! |---|---|
//! | point – anything | 1 |
//! | segment – segment | 4 end–end, 4 end–side, 1 side–side, points of the rings of two cylinders |
//! | segment – polyhedron | 2 ends, every edge and every corner against the side, ring points of a cylinder |
//! | polyhedron – polyhedron | every corner of one against the other, every edge against every edge |
//!
//! # Cylinders
//! Flat ends stand on rings of points, each of which is a site, and roll on the lowest point of their rim (`cylinder.rs`).
//! Edges and corners of polyhedra touch a solid cylinder with a rounded rim. Other round bodies touch a crowned cylinder: a
//! flat ellipsoid of semi-axes R − ρ, R − ρ, c with a ball of radius ρ around it, moved along the axis, where c = R/100 and ρ =
//! R/50. Length and radius are those of the given cylinder. Rollers of bearings have this form, to avoid the pressure peaks at
//! sharp rims.
//!
//! # Boxes and hulls
//! A corner that is pressed into a face by δ at a distance s < δ from an edge of that face would be pushed out sideways. For
//! sharp bodies the normal jumps there, and a pile of equal boxes, where s = 0 for all corners, could not stand. With the
//! rounding r the normal turns gradually over a length of √(rδ). The faces stay where they are. Indentations should stay below
//! r_a + r_b, so that the cores do not overlap. At larger indentations a corner is pushed out through the nearest face and an
//! edge in the direction from which it came; the gap is then still correct, but no longer smooth near edges and corners.

use super::cylinder::{self, RING_POINTS, RoundedCylinder};
use super::ellipsoid::{self, Skin};
use super::kinematics::{Frame, Gap};
use super::polyhedron::Polyhedron;
use super::segment::{self, Segment};
use super::site_numbers::{
    Feature, SEGMENT_SITES, features_of_polyhedra, features_of_segment_and_polyhedron,
    features_of_segments,
};
use crate::math::Vec3;
use crate::shape::{ROUNDING, Shape};
use carom::{Error, Result};

/// Largest number of pairs of edges; each is a site that is evaluated in every step.
const MAX_EDGE_PAIRS: usize = 40_000;

enum Core<'a> {
    Point,
    /// A segment along the third axis, given by half its length.
    Segment(f64),
    Polyhedron(Polyhedron<'a>),
}

/// A solid as a core and a skin.
struct Solid<'a> {
    core: Core<'a>,
    shape: &'a Shape,
    frame: &'a Frame,
    /// Radius or smallest half width (m).
    size: f64,
}

/// Returns the crowned cylinder that represents a cylinder: half the distance between the ellipsoids at its ends, their
/// semi-axes, and the radius of the ball around them.
pub fn crowned_cylinder(radius: f64, half: f64) -> (f64, Vec3, f64) {
    let crown = (ROUNDING * radius).min(0.1 * half);
    let rim = (2.0 * ROUNDING * radius).min(0.4 * half);
    (half - crown - rim, Vec3::new(radius - rim, radius - rim, crown), rim)
}

fn solid_of_shape<'a>(shape: &'a Shape, frame: &'a Frame) -> Option<Solid<'a>> {
    let (core, size) = match shape {
        Shape::Sphere { .. } | Shape::Ellipsoid { .. } => (Core::Point, 0.0),
        Shape::Capsule { radius, half } => (Core::Segment(*half), *radius),
        Shape::Cylinder { radius, half } => {
            (Core::Segment(crowned_cylinder(*radius, *half).0), *radius)
        }
        Shape::Box { half } => (Core::Polyhedron(Polyhedron::Block(*half)), half.least()),
        Shape::Hull { points } => {
            (Core::Polyhedron(Polyhedron::Hull(points)), points.rounding() / ROUNDING)
        }
        _ => return None,
    };
    Some(Solid { core, shape, frame, size })
}

impl Solid<'_> {
    /// Creates the skin around a point or segment (a ball of radius 0 for other cores). It is not stored in `Solid`, because
    /// for ellipsoids creating it takes longer than computing many gaps that do not need it.
    fn skin(&self) -> Skin {
        match self.shape {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => Skin::Ball(*radius),
            Shape::Ellipsoid { semi } => Skin::ellipsoid(*semi, 0.0, self.frame),
            Shape::Cylinder { radius, half } => {
                let (_, semi, rim) = crowned_cylinder(*radius, *half);
                Skin::ellipsoid(semi, rim, self.frame)
            }
            _ => Skin::Ball(0.0),
        }
    }

    /// Returns the segment of a capsule or cylinder, given half its length.
    fn axis(&self, half: f64, crown: f64) -> Segment {
        let direction = self.frame.rotation.rotate(Vec3::Z * half);
        Segment { middle: self.frame.origin, half: direction, crown }
    }

    /// Returns the lower end (0) or upper end (1) of that segment.
    fn end(&self, half: f64, index: usize) -> Vec3 {
        self.frame.to_world(Vec3::Z * if index == 1 { half } else { -half })
    }
}

/// Returns the distance by which edges and sides of two bodies recede towards their ends; that of both together is less than
/// the sum of their roundings.
fn crown_height(a: &Solid, b: &Solid) -> f64 {
    0.75 * ROUNDING * a.size.min(b.size)
}

/// Returns the number of sites of two solids; none if one of the shapes is not a solid.
///
/// # Errors
/// When they have too many edges.
pub fn site_count(a: &Shape, b: &Shape) -> Option<Result<usize>> {
    let frame = Frame::default();
    let (one, two) = (solid_of_shape(a, &frame)?, solid_of_shape(b, &frame)?);
    let is_cylinder = |shape: &Shape| matches!(shape, Shape::Cylinder { .. });
    Some(Ok(match (&one.core, &two.core) {
        (Core::Point, _) | (_, Core::Point) => 1,
        (Core::Segment(_), Core::Segment(_)) => {
            let rings = if is_cylinder(a) && is_cylinder(b) { 2 * RING_POINTS } else { 0 };
            SEGMENT_SITES + rings
        }
        (Core::Segment(_), Core::Polyhedron(polyhedron))
        | (Core::Polyhedron(polyhedron), Core::Segment(_)) => {
            let rings = if is_cylinder(a) || is_cylinder(b) { RING_POINTS } else { 0 };
            2 + polyhedron.edges() + polyhedron.corners() + rings
        }
        (Core::Polyhedron(_), Core::Polyhedron(_)) => {
            let ((p, _), (q, _)) = (core_polyhedron(a), core_polyhedron(b));
            if p.edges() * q.edges() > MAX_EDGE_PAIRS {
                return Some(Err(Error::unsupported(
                    format!("contact of two hulls of {} and {} edges", p.edges(), q.edges()),
                    "describe them by fewer corners, or by several spheres, capsules or ellipsoids",
                )));
            }
            p.corners() + q.corners() + p.edges() * q.edges()
        }
    }))
}

/// Returns the core of a box or hull inside its rounding, and the radius of the rounding (m).
pub fn core_polyhedron(shape: &Shape) -> (Polyhedron<'_>, f64) {
    match shape {
        Shape::Hull { points } => (Polyhedron::Hull(points.core()), points.rounding()),
        Shape::Box { half } => {
            let round = ROUNDING * half.least();
            (Polyhedron::Block(*half - Vec3::splat(round)), round)
        }
        // Not reached: the function is only called for boxes and hulls.
        _ => (Polyhedron::Block(Vec3::ZERO), 0.0),
    }
}

/// Computes the gap at a site of two solids; none if the second has the simpler core (only the other order is implemented), or
/// if one of them is not a solid.
pub fn gap(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Option<Gap> {
    let (one, two) = (solid_of_shape(a, fa)?, solid_of_shape(b, fb)?);
    Some(match (&one.core, &two.core) {
        (Core::Point, Core::Point) => {
            ellipsoid::gap(&one.skin(), fa.origin, &two.skin(), fb.origin)
        }
        (Core::Point, Core::Segment(half)) => {
            let (point, axis) = (Segment::point(fa.origin), two.axis(*half, 0.0));
            let (skin, around) = (one.skin(), two.skin());
            let gap = segment::gap((&skin, &around), &point, &axis);
            // At large indentations of the side of a cylinder the gap is that of its cross-section (see `segment_gap`).
            if let (Shape::Cylinder { radius, .. }, Skin::Ellipsoid(_, ball)) = (b, around)
                && gap.distance < -0.5 * ball
            {
                let skins = (&skin, &Skin::Ball(*radius));
                let (deep, _, t) = segment::gap_with_parameters(skins, &point, &axis);
                return Some(if t.abs() < 1.0 { deep } else { gap });
            }
            gap
        }
        (Core::Point, Core::Polyhedron(polyhedron)) => {
            gap_to_polyhedron(&one.skin(), fa.origin, polyhedron, 0.0, fb)
        }
        (Core::Segment(l), Core::Segment(m)) => match features_of_segments(site) {
            [Feature::RingPoint(index), _] => ring_on_end(a, fa, b, fb, index),
            [_, Feature::RingPoint(index)] => ring_on_end(b, fb, a, fa, index).flipped(),
            features => segment_gap(&one, *l, &two, *m, features),
        },
        (Core::Segment(length), Core::Polyhedron(polyhedron)) => {
            let features = features_of_segment_and_polyhedron(site, polyhedron);
            match a {
                Shape::Cylinder { radius, half } => {
                    cylinder_on_polyhedron((*radius, *half), &one, &two, polyhedron, features)
                }
                _ => capsule_on_polyhedron(&one, *length, &two, polyhedron, features),
            }
        }
        (Core::Polyhedron(_), Core::Polyhedron(_)) => polyhedron_gap(a, fa, b, fb, site),
        _ => return None,
    })
}

/// Computes the gap of a skin at a point in world coordinates and a polyhedron.
fn gap_to_polyhedron(
    skin: &Skin,
    at: Vec3,
    polyhedron: &Polyhedron,
    round: f64,
    frame: &Frame,
) -> Gap {
    let x = frame.to_local(at);
    // The gap of the bounding ball is a lower bound. If it is wide, it is accurate enough.
    let bound = skin.bounding_radius();
    let mut found = polyhedron.gap_to_skin(round, &Skin::Ball(bound), x);
    if matches!(skin, Skin::Ellipsoid(..)) && found.0 <= segment::FAR_GAP * bound {
        found = polyhedron.gap_to_skin(round, &skin.seen_from(frame), x);
    }
    let (distance, normal, surface) = found;
    let outward = frame.rotation.rotate(normal);
    Gap { distance, normal: -outward, point: frame.to_world(surface) + outward * (0.5 * distance) }
}

/// Computes the gap between ends and sides of two cylinders, or of a cylinder and a capsule.
///
/// The thin ellipsoids of a cylinder have almost no interior. For indentations of the side of a cylinder that exceed half of
/// the rounding, the gap is therefore that of the cross-section, a ball moved along the axis. Once a rim has been pressed
/// through the rounding of another, this site is treated as open, and other sites carry the contact.
fn segment_gap(a: &Solid, l: f64, b: &Solid, m: f64, features: [Feature; 2]) -> Gap {
    let crown = crown_height(a, b);
    let (skin_a, skin_b) = (a.skin(), b.skin());
    let point = |solid: &Solid, half: f64, index: usize| Segment::point(solid.end(half, index));
    // The ends of two cylinders are supported on each other by their rings, so their rims are set back. A capsule has no rings.
    let rings = matches!((&skin_a, &skin_b), (Skin::Ellipsoid(..), Skin::Ellipsoid(..)));
    let set_back = |solid: &Solid, half: f64| match rings {
        true => half - cylinder::RIM_SETBACK * solid.size.min(half),
        false => half,
    };
    let (one, two) = match features {
        [Feature::End(i), Feature::End(j)] => {
            (point(a, set_back(a, l), i), point(b, set_back(b, m), j))
        }
        [Feature::End(i), _] => (point(a, l, i), b.axis(m, crown)),
        [_, Feature::End(j)] => (a.axis(l, crown), point(b, m, j)),
        _ => (a.axis(l, crown), b.axis(m, crown)),
    };
    let gap = segment::gap((&skin_a, &skin_b), &one, &two);
    let (Skin::Ellipsoid(_, ball_a), Skin::Ellipsoid(_, ball_b)) = (skin_a, skin_b) else {
        return gap;
    };
    let ends = matches!(features, [Feature::End(_), Feature::End(_)]);
    if ends || gap.distance > -0.5 * (ball_a + ball_b) {
        return open_where_deep(gap, ball_a + ball_b);
    }
    let section = |skin: Skin, solid: &Solid, feature: Feature| match feature {
        Feature::End(_) => skin,
        _ => Skin::Ball(solid.size),
    };
    let skins = (&section(skin_a, a, features[0]), &section(skin_b, b, features[1]));
    let (deep, s, t) = segment::gap_with_parameters(skins, &one, &two);
    match s.abs() < 1.0 && t.abs() < 1.0 {
        true => deep,
        false => open_where_deep(gap, ball_a + ball_b),
    }
}

/// Returns the gap, or an open gap if the indentation is nearly as large as the rounding.
fn open_where_deep(gap: Gap, rounding: f64) -> Gap {
    if gap.distance < -0.95 * rounding { Gap { distance: rounding, ..gap } } else { gap }
}

/// Computes the gap of a ring point of the first cylinder and an end of the second.
fn ring_on_end(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, index: usize) -> Gap {
    match (a, b) {
        (Shape::Cylinder { radius: r, half: l }, Shape::Cylinder { radius, half }) => {
            let point = fa.to_world(cylinder::ring_point(*r, *l, index));
            let outward = fa.rotation.rotate(cylinder::ring_direction(index));
            let gap = cylinder::point_on_end(point, outward, (*radius, *half), fb);
            cylinder::recede_with_tilt(gap, *r, fa)
        }
        // Not reached, because `site_count` counts these ring points for two cylinders only.
        _ => Gap::infinite(fa.origin),
    }
}

/// Computes the gap of a cylinder and a polyhedron.
fn cylinder_on_polyhedron(
    (radius, half): (f64, f64),
    a: &Solid,
    b: &Solid,
    polyhedron: &Polyhedron,
    features: [Feature; 2],
) -> Gap {
    let rounded = RoundedCylinder::new(radius, half);
    let local = |point: Vec3| a.frame.to_local(b.frame.to_world(point));
    let (distance, normal, point) = match features {
        [Feature::End(index), _] => {
            let (half, semi, rim) = cylinder::rim_ellipsoid(radius, half);
            let skin = Skin::ellipsoid(semi, rim, a.frame);
            let gap = gap_to_polyhedron(&skin, a.end(half, index), polyhedron, 0.0, b.frame);
            // Over a face this site supports the end at any indentation; at an edge the site of the edge takes over.
            let face = polyhedron.has_face(b.frame.rotation.inverse().rotate(-gap.normal));
            return if face { gap } else { open_where_deep(gap, rim) };
        }
        [Feature::RingPoint(index), _] => {
            let point = a.frame.to_world(cylinder::ring_point(radius, half, index));
            let gap = gap_to_polyhedron(&Skin::Ball(0.0), point, polyhedron, 0.0, b.frame);
            return cylinder::recede_with_tilt(gap, radius, a.frame);
        }
        [_, Feature::Edge(index)] => {
            let (one, two) = polyhedron.edge(index);
            let edge = Segment::between(local(one), local(two), crown_height(a, b));
            // The gap of the bounding capsule of the cylinder is a lower bound. If it is wide, it is accurate enough.
            let axis = Segment::between(Vec3::Z * -half, Vec3::Z * half, 0.0);
            let around = segment::capsule_gap((radius, 0.0), &axis, &edge);
            if around.distance > segment::FAR_GAP * radius + 2.0 * edge.crown {
                let normal = a.frame.rotation.rotate(around.normal);
                return Gap { normal, point: a.frame.to_world(around.point), ..around };
            }
            let found = rounded.gap_to_segment(&edge);
            (found.distance, found.normal, edge.at(found.parameter))
        }
        [_, Feature::Corner(index)] => {
            let corner = local(polyhedron.corner(index));
            let (distance, normal) = rounded.gap_to_point(corner);
            (distance, normal, corner)
        }
        // Not reached: a site has an end or ring point of the cylinder, or an edge or corner of the polyhedron.
        _ => return Gap::infinite(a.frame.origin),
    };
    let outward = a.frame.rotation.rotate(normal);
    Gap { distance, normal: outward, point: a.frame.to_world(point) - outward * (0.5 * distance) }
}

/// Computes the gap of a capsule and a polyhedron.
fn capsule_on_polyhedron(
    a: &Solid,
    half: f64,
    b: &Solid,
    polyhedron: &Polyhedron,
    features: [Feature; 2],
) -> Gap {
    let crown = crown_height(a, b);
    let on_b = match features {
        [Feature::End(index), _] => {
            return gap_to_polyhedron(&a.skin(), a.end(half, index), polyhedron, 0.0, b.frame);
        }
        [_, Feature::Edge(index)] => {
            let (one, two) = polyhedron.edge(index);
            Segment::between(b.frame.to_world(one), b.frame.to_world(two), crown)
        }
        [_, Feature::Corner(index)] => Segment::point(b.frame.to_world(polyhedron.corner(index))),
        // Not reached, because `site_count` counts ring points for cylinders only.
        _ => return Gap::infinite(a.frame.origin),
    };
    segment::gap((&a.skin(), &Skin::Ball(0.0)), &a.axis(half, crown), &on_b)
}

/// Computes the gap of a corner of one box or hull and the other body, or of two edges.
fn polyhedron_gap(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, site: usize) -> Gap {
    let ((p, round_p), (q, round_q)) = (core_polyhedron(a), core_polyhedron(b));
    match features_of_polyhedra(site, &p, &q) {
        [Feature::Corner(index), _] => {
            gap_to_polyhedron(&Skin::Ball(round_p), fa.to_world(p.corner(index)), &q, round_q, fb)
        }
        [_, Feature::Corner(index)] => {
            gap_to_polyhedron(&Skin::Ball(round_q), fb.to_world(q.corner(index)), &p, round_p, fa)
                .flipped()
        }
        _ => edge_gap(a, fa, b, fb, site, None),
    }
}

/// Returns whether a site of two boxes or hulls is a pair of edges.
pub fn is_pair_of_edges(a: &Shape, b: &Shape, site: usize) -> bool {
    let polyhedron = |shape: &Shape| matches!(shape, Shape::Box { .. } | Shape::Hull { .. });
    let features = || features_of_polyhedra(site, &core_polyhedron(a).0, &core_polyhedron(b).0);
    polyhedron(a) && polyhedron(b) && matches!(features(), [Feature::Edge(_), _])
}

/// Computes the gap of two edges of boxes or hulls.
///
/// Edges in contact may be pressed past each other. On which sides of each other they were cannot be determined from the pose;
/// the preceding normal `before` tells it, so that the gap remains smooth. Edges that are not in contact, of bodies that
/// overlap elsewhere, may approach each other from inside the bodies; such a site is open.
pub fn edge_gap(
    a: &Shape,
    fa: &Frame,
    b: &Shape,
    fb: &Frame,
    site: usize,
    before: Option<Vec3>,
) -> Gap {
    let ((p, round_p), (q, round_q)) = (core_polyhedron(a), core_polyhedron(b));
    let [Feature::Edge(i), Feature::Edge(j)] = features_of_polyhedra(site, &p, &q) else {
        return Gap::infinite(fa.origin);
    };
    let crown = 0.75 * round_p.min(round_q);
    let edge = |polyhedron: &Polyhedron, index: usize, frame: &Frame| {
        let (one, two) = polyhedron.edge(index);
        Segment::between(frame.to_world(one), frame.to_world(two), crown)
    };
    let (one, two) = (edge(&p, i, fa), edge(&q, j, fb));
    if let Some(gap) = before.and_then(|before| segment::gap_of_crossed(&one, &two, before)) {
        return Gap { distance: gap.distance - round_p - round_q, ..gap };
    }
    let gap = segment::gap((&Skin::Ball(round_p), &Skin::Ball(round_q)), &one, &two);
    if before.is_none() && gap.distance < 0.0 {
        let on =
            |sign: f64, round: f64| gap.point + gap.normal * (sign * (0.5 * gap.distance + round));
        let inside =
            p.contains(fa.to_local(on(1.0, round_q))) || q.contains(fb.to_local(on(-1.0, round_p)));
        if inside {
            let open = (-gap.distance).max(1e-3 * (round_p + round_q));
            return Gap { distance: open, ..gap };
        }
    }
    gap
}
