//! Which features of two bodies may touch, by number.
//!
//! Every body is a core thickened by a skin:
//!
//! | shape | core | skin |
//! |---|---|---|
//! | sphere, ellipsoid | a point | ball, ellipsoid |
//! | capsule, cylinder | a segment | ball; flat ellipsoid and a small ball |
//! | box, hull | corners, edges, faces | none; among themselves a ball of the rounding r |
//!
//! and places are pairs of features:
//!
//! | cores | places |
//! |---|---|
//! | point – anything | 1 |
//! | segment – segment | 4 end–end, 4 end–side, 1 side–side |
//! | segment – polyhedron | 2 ends, every edge and every corner against the side |
//! | polyhedron – polyhedron | every corner of one against the other, every edge against every edge |
//!
//! # Cylinders
//! Flat ends stand on rings of points, which are places of their own, and roll on the lowest point of their rim (`can.rs`). Edges
//! and corners meet a solid can. Other round bodies meet a crowned one: a flat ellipsoid of semi-axes R − ρ, R − ρ, c with
//! a ball of ρ around it, moved along the axis; c = R/100, ρ = R/50, length and radius are those of the cylinder.
//! Rollers are made like this, against the pressure at sharp rims.
//!
//! # Blocks and hulls
//! A corner that is pressed into a face near an edge of it by δ, and to s from that edge, would be pushed
//! out sideways as soon as s < δ: for sharp bodies the normal jumps there, and a pile of equal blocks, all
//! with s = 0, could not stand. With the rounding r the normal turns over a length of √(rδ). Faces are where
//! they were. Indentations should stay below r_a + r_b, so that the cores do not overlap. Beyond, a corner is pushed out
//! through the nearest face and an edge the way it came, which is right but no longer smooth near edges and corners.

use super::can::{self, Can};
use super::poly::Poly;
use super::smooth::{self, Skin};
use super::swept::{self, Rod};
use super::{Frame, Gap};
use crate::math::Vec3;
use crate::shape::{ROUNDING, Shape};
use carom::{Error, Result};

/// The most pairs of edges that are looked at.
const MOST: usize = 40_000;

enum Core<'a> {
    Point,
    Segment(f64),
    Poly(Poly<'a>),
}

/// A body as a core and a skin.
struct Solid<'a> {
    core: Core<'a>,
    /// Of points and segments.
    skin: Skin,
    frame: &'a Frame,
    /// Its radius or half width.
    size: f64,
}

/// A cylinder's ends: half the length between them, the semi-axes of the flat ellipsoid, the ball around it.
pub fn crowned(radius: f64, half: f64) -> (f64, Vec3, f64) {
    let crown = (ROUNDING * radius).min(0.1 * half);
    let rim = (2.0 * ROUNDING * radius).min(0.4 * half);
    (half - crown - rim, Vec3::new(radius - rim, radius - rim, crown), rim)
}

fn solid<'a>(shape: &'a Shape, frame: &'a Frame) -> Option<Solid<'a>> {
    let (core, skin, size) = match shape {
        Shape::Sphere { radius } => (Core::Point, Skin::Ball(*radius), 0.0),
        Shape::Ellipsoid { semi } => (Core::Point, Skin::egg(*semi, 0.0, frame), 0.0),
        Shape::Capsule { radius, half } => (Core::Segment(*half), Skin::Ball(*radius), *radius),
        Shape::Cylinder { radius, half } => {
            let (half, semi, rim) = crowned(*radius, *half);
            (Core::Segment(half), Skin::egg(semi, rim, frame), *radius)
        }
        Shape::Box { half } => {
            let least = half.x.min(half.y).min(half.z);
            (Core::Poly(Poly::Block(*half)), Skin::Ball(0.0), least)
        }
        Shape::Hull { points } => {
            (Core::Poly(Poly::Hull(points)), Skin::Ball(0.0), points.rounding() / ROUNDING)
        }
        Shape::HalfSpace | Shape::Socket { .. } | Shape::Bore { .. } => return None,
    };
    Some(Solid { core, skin, frame, size })
}

/// How much edges and sides of two bodies recede at their ends: together less than what they are rounded.
fn recess(a: &Solid, b: &Solid) -> f64 {
    0.75 * ROUNDING * a.size.min(b.size)
}

/// The number of places of two shapes.
///
/// # Errors
/// When they have too many edges.
pub fn places(a: &Shape, b: &Shape) -> Option<Result<usize>> {
    let frame = Frame::default();
    let (one, two) = (solid(a, &frame)?, solid(b, &frame)?);
    Some(Ok(match (&one.core, &two.core) {
        (Core::Point, _) | (_, Core::Point) => 1,
        (Core::Segment(_), Core::Segment(_)) => match (a, b) {
            (Shape::Cylinder { .. }, Shape::Cylinder { .. }) => 9 + 2 * can::RING,
            _ => 9,
        },
        (Core::Segment(_), Core::Poly(poly)) | (Core::Poly(poly), Core::Segment(_)) => {
            let rings = match (a, b) {
                (Shape::Cylinder { .. }, _) | (_, Shape::Cylinder { .. }) => can::RING,
                _ => 0,
            };
            2 + poly.edges() + poly.corners() + rings
        }
        (Core::Poly(_), Core::Poly(_)) => {
            let ((p, _), (q, _)) = (inner(a), inner(b));
            if p.edges() * q.edges() > MOST {
                return Some(Err(Error::unsupported(
                    format!("contact of two hulls of {} and {} edges", p.edges(), q.edges()),
                    "describe them by fewer corners, or by several spheres, capsules or ellipsoids",
                )));
            }
            p.corners() + q.corners() + p.edges() * q.edges()
        }
    }))
}

/// A block or hull without its rounding, and the rounding.
fn inner(shape: &Shape) -> (Poly<'_>, f64) {
    match shape {
        Shape::Hull { points } => (Poly::Hull(points.core()), points.rounding()),
        Shape::Box { half } => {
            let round = ROUNDING * half.x.min(half.y).min(half.z);
            (Poly::Block(*half - Vec3::new(round, round, round)), round)
        }
        // `solid` has sorted out the others.
        _ => (Poly::Block(Vec3::ZERO), 0.0),
    }
}

/// The gap at a place, for a simpler core first.
pub fn gap(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, place: usize) -> Option<Gap> {
    let (one, two) = (solid(a, fa)?, solid(b, fb)?);
    Some(match (&one.core, &two.core) {
        (Core::Point, Core::Point) => smooth::gap(&one.skin, fa.origin, &two.skin, fb.origin),
        (Core::Point, Core::Segment(half)) => {
            let (point, rod) = (Rod::point(fa.origin), rod(fb, *half, 0.0));
            let gap = swept::gap((&one.skin, &two.skin), &point, &rod);
            // Deep in the side of a cylinder its cross-section counts (`segments`).
            if let (Shape::Cylinder { radius, .. }, Skin::Egg(_, ball)) = (b, two.skin)
                && gap.distance < -0.5 * ball
            {
                let (deep, _, t) = swept::found((&one.skin, &Skin::Ball(*radius)), &point, &rod);
                return Some(if t.abs() < 1.0 { deep } else { gap });
            }
            gap
        }
        (Core::Point, Core::Poly(poly)) => on_poly(&one.skin, fa.origin, poly, 0.0, fb),
        (Core::Segment(_), Core::Segment(_)) if place >= 9 => rings(a, fa, b, fb, place - 9),
        (Core::Segment(l), Core::Segment(m)) => segments(&one, *l, &two, *m, place),
        (Core::Segment(half), Core::Poly(poly)) => match a {
            Shape::Cylinder { radius, half } => on_can((*radius, *half), &one, &two, poly, place),
            _ => on_side(&one, *half, &two, poly, place),
        },
        (Core::Poly(_), Core::Poly(_)) => blocks((a, &one), (b, &two), place),
        _ => return None,
    })
}

fn rod(frame: &Frame, half: f64, recess: f64) -> Rod {
    Rod { middle: frame.origin, half: frame.rotation.turn(Vec3::Z * half), recess }
}

fn end(frame: &Frame, half: f64, second: bool) -> Vec3 {
    frame.place(Vec3::Z * if second { half } else { -half })
}

/// A skin at a point of the world against a polyhedron.
fn on_poly(skin: &Skin, at: Vec3, poly: &Poly, round: f64, frame: &Frame) -> Gap {
    let x = frame.local(at);
    // A ball around the skin is not farther; where it is far, it serves.
    let reach = skin.reach();
    let mut found = poly.against(round, &Skin::Ball(reach), x);
    if matches!(skin, Skin::Egg(..)) && found.0 <= swept::WIDE * reach {
        found = poly.against(round, &skin.seen_from(frame), x);
    }
    let (distance, normal, surface) = found;
    let outward = frame.rotation.turn(normal);
    Gap { distance, normal: -outward, point: frame.place(surface) + outward * (0.5 * distance) }
}

/// Ends and sides of two cylinders, or of a cylinder and a capsule.
///
/// The thin ellipsoids of a cylinder have no inside. What is pressed into its side deeper than half of what is rounded
/// around them meets its cross-section instead, a ball moved along the axis. Once a rim has been pressed through the rounding
/// of another the place no longer holds, and others do.
fn segments(a: &Solid, l: f64, b: &Solid, m: f64, place: usize) -> Gap {
    let recess = recess(a, b);
    let point = |frame: &Frame, half: f64, second: usize| Rod::point(end(frame, half, second == 1));
    // Ends of two cylinders on each other stand on their rings; a capsule has none.
    let rings = matches!((&a.skin, &b.skin), (Skin::Egg(..), Skin::Egg(..)));
    let behind = |solid: &Solid, half: f64| match rings {
        true => half - can::BEHIND * solid.size.min(half),
        false => half,
    };
    let (one, two) = match place {
        0..4 => (point(a.frame, behind(a, l), place & 1), point(b.frame, behind(b, m), place >> 1)),
        4 | 5 => (point(a.frame, l, place - 4), rod(b.frame, m, recess)),
        6 | 7 => (rod(a.frame, l, recess), point(b.frame, m, place - 6)),
        _ => (rod(a.frame, l, recess), rod(b.frame, m, recess)),
    };
    let gap = swept::gap((&a.skin, &b.skin), &one, &two);
    let (Skin::Egg(_, ball_a), Skin::Egg(_, ball_b)) = (a.skin, b.skin) else { return gap };
    if place < 4 || gap.distance > -0.5 * (ball_a + ball_b) {
        return open_where_deep(gap, ball_a + ball_b);
    }
    let round = |solid: &Solid, side: bool| if side { Skin::Ball(solid.size) } else { solid.skin };
    let (side_a, side_b) = (place >= 6, place < 6 || place == 8);
    let (deep, s, t) = swept::found((&round(a, side_a), &round(b, side_b)), &one, &two);
    match s.abs() < 1.0 && t.abs() < 1.0 {
        true => deep,
        false => open_where_deep(gap, ball_a + ball_b),
    }
}

/// The same, or apart where it is nearly as deep as the rounding goes.
fn open_where_deep(gap: Gap, rounding: f64) -> Gap {
    if gap.distance < -0.95 * rounding { Gap { distance: rounding, ..gap } } else { gap }
}

/// A point of a ring of one cylinder on an end of the other.
fn rings(a: &Shape, fa: &Frame, b: &Shape, fb: &Frame, index: usize) -> Gap {
    match (a, b) {
        (Shape::Cylinder { radius: r, half: l }, Shape::Cylinder { radius, half }) => {
            match index.checked_sub(can::RING) {
                None => {
                    let gap = can::on_end(fa.place(can::ring(*r, *l, index)), *radius, *half, fb);
                    can::drawn_back(gap, *r, fa)
                }
                Some(index) => {
                    let gap = can::on_end(fb.place(can::ring(*radius, *half, index)), *r, *l, fa);
                    can::drawn_back(gap, *radius, fb).flipped()
                }
            }
        }
        // `places` gives rings to no others.
        _ => Gap { distance: f64::INFINITY, normal: Vec3::X, point: fa.origin },
    }
}

/// A cylinder and a polyhedron.
fn on_can((radius, half): (f64, f64), a: &Solid, b: &Solid, poly: &Poly, place: usize) -> Gap {
    if place < 2 {
        let (half, semi, rim) = can::end(radius, half);
        let skin = Skin::egg(semi, rim, a.frame);
        let gap = on_poly(&skin, end(a.frame, half, place == 1), poly, 0.0, b.frame);
        // Over a face the end is held however deep; at an edge it is the edge that holds it (`segments`).
        let face = poly.has_face(b.frame.rotation.inverse().turn(-gap.normal));
        return if face { gap } else { open_where_deep(gap, rim) };
    }
    let feature = place - 2;
    let (edges, corners) = (poly.edges(), poly.corners());
    if feature >= edges + corners {
        let point = a.frame.place(can::ring(radius, half, feature - edges - corners));
        let gap = on_poly(&Skin::Ball(0.0), point, poly, 0.0, b.frame);
        return can::drawn_back(gap, radius, a.frame);
    }
    let solid = Can::of(radius, half);
    let local = |point: Vec3| a.frame.local(b.frame.place(point));
    let (distance, normal, point) = if feature < edges {
        let (one, two) = poly.edge(feature);
        let edge = Rod::between(local(one), local(two), recess(a, b));
        // Far away a capsule around the cylinder serves.
        let axis = Rod::between(Vec3::Z * -half, Vec3::Z * half, 0.0);
        let around = swept::balls_around((radius, 0.0), &axis, &edge);
        if around.distance > swept::WIDE * radius + 2.0 * edge.recess {
            let normal = a.frame.rotation.turn(around.normal);
            return Gap { normal, point: a.frame.place(around.point), ..around };
        }
        let (distance, normal, t) = solid.segment(&edge);
        (distance, normal, edge.at(t))
    } else {
        let corner = local(poly.corner(feature - edges));
        let (distance, normal) = solid.point(corner);
        (distance, normal, corner)
    };
    let outward = a.frame.rotation.turn(normal);
    Gap { distance, normal: outward, point: a.frame.place(point) - outward * (0.5 * distance) }
}

fn on_side(a: &Solid, half: f64, b: &Solid, poly: &Poly, place: usize) -> Gap {
    if place < 2 {
        return on_poly(&a.skin, end(a.frame, half, place == 1), poly, 0.0, b.frame);
    }
    let recess = recess(a, b);
    let side = rod(a.frame, half, recess);
    let feature = match place - 2 {
        edge if edge < poly.edges() => {
            let (one, two) = poly.edge(edge);
            Rod::between(b.frame.place(one), b.frame.place(two), recess)
        }
        corner => Rod::point(b.frame.place(poly.corner(corner - poly.edges()))),
    };
    swept::gap((&a.skin, &b.skin), &side, &feature)
}

/// A corner of one block or hull on another, or two edges.
fn blocks(a: (&Shape, &Solid), b: (&Shape, &Solid), place: usize) -> Gap {
    let ((p, round_p), (q, round_q)) = (inner(a.0), inner(b.0));
    let (fa, fb) = (a.1.frame, b.1.frame);
    if place < p.corners() {
        return on_poly(&Skin::Ball(round_p), fa.place(p.corner(place)), &q, round_q, fb);
    }
    let corner = place - p.corners();
    if corner < q.corners() {
        return on_poly(&Skin::Ball(round_q), fb.place(q.corner(corner)), &p, round_p, fa)
            .flipped();
    }
    edges(a.0, fa, b.0, fb, place, None)
}

/// True for places of two blocks or hulls at which edges meet.
pub fn is_pair_of_edges(a: &Shape, b: &Shape, place: usize) -> bool {
    let corners = |shape: &Shape| match shape {
        Shape::Box { .. } => Some(8),
        Shape::Hull { points } => Some(points.core().corners().len()),
        _ => None,
    };
    match (corners(a), corners(b)) {
        (Some(one), Some(two)) => place >= one + two,
        _ => false,
    }
}

/// Two edges of blocks or hulls.
///
/// Edges that touch may be pressed past each other. From the pose alone it cannot be told on which side they were; the
/// normal that they had `before` says it, and the gap goes on smoothly. Edges that do not touch, of bodies that overlap
/// elsewhere, may come upon each other from inside; there they do not hold each other.
pub fn edges(
    a: &Shape,
    fa: &Frame,
    b: &Shape,
    fb: &Frame,
    place: usize,
    before: Option<Vec3>,
) -> Gap {
    let ((p, round_p), (q, round_q)) = (inner(a), inner(b));
    let place = place - (p.corners() + q.corners()).min(place);
    let recess = 0.75 * round_p.min(round_q);
    let edge = |poly: &Poly, index: usize, frame: &Frame| {
        let (one, two) = poly.edge(index);
        Rod::between(frame.place(one), frame.place(two), recess)
    };
    let one = edge(&p, place / q.edges().max(1), fa);
    let two = edge(&q, place % q.edges().max(1), fb);
    if let Some(gap) = before.and_then(|before| swept::crossed(&one, &two, before)) {
        return Gap { distance: gap.distance - round_p - round_q, ..gap };
    }
    let gap = swept::gap((&Skin::Ball(round_p), &Skin::Ball(round_q)), &one, &two);
    if before.is_none() && gap.distance < 0.0 {
        let on =
            |sign: f64, round: f64| gap.point + gap.normal * (sign * (0.5 * gap.distance + round));
        let inside = p.holds(fa.local(on(1.0, round_q))) || q.holds(fb.local(on(-1.0, round_p)));
        if inside {
            let open = (-gap.distance).max(1e-3 * (round_p + round_q));
            return Gap { distance: open, ..gap };
        }
    }
    gap
}
