//! Joints with their drives, springs, friction and stops.

use super::bodies::Part;
use super::mounts::{body_pair, mount};
use super::reader::{Read, SceneTable};
use super::{Files, laws, motions};
use crate::World;
use crate::actuator::{Actuator, Coordinate, Effort};
use crate::joint::{Drive, Joint, JointCoordinate, JointFriction, Kind, Mount};
use crate::math::{Quat, Vec3};
use crate::shape::{JointStop, Placed, Shape};
use crate::world::Contact;
use carom::Error;
use carom::units::Dimension;

/// Reads the joints.
pub(super) fn read(root: &SceneTable, world: &mut World, files: Files) -> Read<()> {
    for (index, table) in root.tables("joint")?.into_iter().enumerate() {
        if table.has("points") && world.assemble.is_none() {
            let advice = "say in [simulation] how far bodies may be moved to close the joints";
            return table.missing("assemble", advice);
        }
        let joint = read_joint(&table, world, files, index)?;
        let index = table.check(world.add_joint(joint))?;
        add_spring(&table, world, index)?;
        add_stops(&table, world, index, files)?;
        table.finish()?;
    }
    Ok(())
}

fn read_joint(table: &SceneTable, world: &World, files: Files, index: usize) -> Read<Joint> {
    let kind = table.required_one_of("kind", "kind of joint", &Kind::ALL)?;
    let (a, b) = body_pair(table, world)?;
    let (a, b) = match table.points("points")? {
        Some(points) => separate_mounts(table, world, kind, (a, b), &points)?,
        None => {
            let point = table.vector("point")?.unwrap_or(world.bodies()[a].position);
            let axis = table.direction("axis")?.unwrap_or(Vec3::Z);
            let frame = joint_frame(table, kind, axis)?;
            (mount(world, a, point, frame), mount(world, b, point, frame))
        }
    };
    let motion = |table: &SceneTable, dimension: Dimension| {
        let motion = motions::read(table, dimension, files)?;
        table.finish()?;
        Ok(motion)
    };
    let drive = match (table.table("angle")?, table.table("slide")?) {
        (None, None) => Drive::Free,
        (Some(angle), None) => Drive::Angle(motion(&angle, Dimension::NUMBER)?),
        (None, Some(slide)) => Drive::Slide(motion(&slide, Dimension::LENGTH)?),
        _ => {
            let what = "an angle and a slide together";
            return table.unsupported("slide", what, "drive one of them");
        }
    };
    let name = table.text("name")?.unwrap_or_else(|| format!("joint {}", index + 1));
    if world.joints().iter().any(|joint| joint.name == name) {
        return table.invalid("name", name, "new", "choose another");
    }
    refuse_idle_axes(table, world, kind, [a, b])?;
    let friction = read_friction(table, kind)?;
    Ok(Joint { name, kind, a, b, drive, friction })
}

/// Refuses axes that leave a joint of a planar scene without motion: bodies rotate about z only, and slide perpendicular to z
/// only.
fn refuse_idle_axes(table: &SceneTable, world: &World, kind: Kind, mounts: [Mount; 2]) -> Read<()> {
    let (fits, allowed): (fn(f64) -> bool, &str) = match kind {
        Kind::Revolute | Kind::Cylindrical | Kind::Planar => {
            (|along| along > 1.0 - 1e-9, "[0, 0, 1]: bodies of a planar scene turn about z")
        }
        Kind::Prismatic => {
            (|along| along < 1e-6, "in the plane: bodies of a planar scene do not move along z")
        }
        Kind::Fixed | Kind::Spherical | Kind::Universal => return Ok(()),
    };
    for Mount { body, rotation, .. } in mounts {
        let axis = (world.bodies()[body].rotation * rotation).rotate(Vec3::Z);
        if world.planar && !fits(axis.z.abs()) {
            let key = if table.has("points") { "axes" } else { "axis" };
            let found = format!("[{}, {}, {}]", axis.x, axis.y, axis.z);
            return table.invalid(key, found, allowed, "or leave out planar = true");
        }
    }
    Ok(())
}

/// Computes the frame of a joint in world coordinates: z along its axis, and for a universal joint x along its second axis.
fn joint_frame(table: &SceneTable, kind: Kind, axis: Vec3) -> Read<Quat> {
    if kind != Kind::Universal {
        return Ok(Quat::between(Vec3::Z, axis));
    }
    let advice = "give the axis that the second body turns about, at right angles to axis";
    let second = table.or_missing("second_axis", table.direction("second_axis")?, advice)?;
    if axis.dot(second).abs() > 1e-6 {
        let (allowed, advice) =
            ("at right angles to `axis`", "the arms of a universal joint cross at 90°");
        return table.invalid("second_axis", "oblique", allowed, advice);
    }
    Ok(Quat::from_two_axes([Vec3::Z, Vec3::X], [axis, second.perpendicular_to(axis)]))
}

/// Reads mounts that are given separately for each body, in the axes of the body.
fn separate_mounts(
    table: &SceneTable,
    world: &World,
    kind: Kind,
    (a, b): (usize, usize),
    points: &[Vec3],
) -> Read<(Mount, Mount)> {
    let advice =
        "give one for the first body and one for the second, as in [[0.1, 0, 0], [0, 0, 0]]";
    let &[first, second] = points else {
        return table.invalid("points", format!("{} points", points.len()), "two", advice);
    };
    // The second body of a universal joint turns about the x axis of its frame.
    let second_axis = if kind == Kind::Universal { Vec3::X } else { Vec3::Z };
    let axes = match table.points("axes")?.as_deref() {
        None if kind == Kind::Universal => {
            let advice = "give the axes that the two bodies of a universal joint turn about, each in the axes of its body";
            return table.missing("axes", advice);
        }
        None => [Vec3::Z, Vec3::Z],
        Some(&[one, two]) => match (one.unit(), two.unit()) {
            (Some(one), Some(two)) => [one, two],
            _ => return table.invalid("axes", "no length", "two directions", advice),
        },
        Some(others) => {
            return table.invalid("axes", format!("{} axes", others.len()), "two", advice);
        }
    };
    let [one, two] = [Quat::between(Vec3::Z, axes[0]), Quat::between(second_axis, axes[1])];
    // The angle is 0 in the pose at the start, as for a joint that is given by its `point`.
    let two = match kind.coordinates().contains(&JointCoordinate::Angle) {
        true => {
            let [first, second] =
                [(a, one), (b, two)].map(|(body, frame)| world.bodies()[body].rotation * frame);
            let x = second.inverse().rotate(first.rotate(Vec3::X));
            two * Quat::about(Vec3::Z, x.y.atan2(x.x))
        }
        false => two,
    };
    let mount = |body, point, rotation| Mount { body, point, rotation };
    Ok((mount(a, first, one), mount(b, second, two)))
}

/// Returns the dimensions of a coordinate, and of stiffness, damping and effort along it.
pub(super) fn coordinate_dimensions(coordinate: JointCoordinate) -> [Dimension; 4] {
    let (value, effort) = match coordinate {
        JointCoordinate::Angle => (Dimension::NUMBER, Dimension::ENERGY),
        JointCoordinate::Slide => (Dimension::LENGTH, Dimension::FORCE),
    };
    [value, effort / value, effort / (value * Dimension::FREQUENCY), effort]
}

/// Returns the coordinate of a joint that a table refers to: the only one, or the one given by its key `coordinate`.
pub(super) fn read_joint_coordinate(
    table: &SceneTable,
    what: &str,
    kind: Kind,
) -> Read<JointCoordinate> {
    let named = match table.choice("coordinate", "coordinate")? {
        Some("slide") => Some(JointCoordinate::Slide),
        Some(_) => Some(JointCoordinate::Angle),
        None => None,
    };
    let name = kind.name();
    match (kind.coordinates(), named) {
        ([], _) => {
            let advice = "act on the angle of a revolute, cylindrical or planar joint, on the slide of a prismatic or cylindrical one, or \
                          between two points with [[spring]] or [[motor]]; a universal joint may be made of two revolute ones with a light \
                          body between";
            Err(table.error_here(Error::unsupported(format!("a {what} on a {name} joint"), advice)))
        }
        ([only], None) => Ok(*only),
        (_, None) => {
            let advice =
                "say which coordinate of the cylindrical joint is meant: \"angle\" or \"slide\"";
            table.missing("coordinate", advice)
        }
        (known, Some(named)) if known.contains(&named) => Ok(named),
        (known, Some(_)) => {
            let (wrong, right) = match known {
                [JointCoordinate::Slide] => ("angle", "slide"),
                _ => ("slide", "angle"),
            };
            let advice = format!("leave it out: a {name} joint has its {right} alone");
            table.invalid("coordinate", wrong, format!("`{right}` of a {name} joint"), &advice)
        }
    }
}

fn read_friction(table: &SceneTable, kind: Kind) -> Read<Option<JointFriction>> {
    let Some(inner) = table.table("friction")? else { return Ok(None) };
    let coordinate = read_joint_coordinate(&inner, "friction", kind)?;
    let [_, _, damping, effort] = coordinate_dimensions(coordinate);
    let found = JointFriction {
        coordinate,
        coulomb: inner.quantity_in("coulomb", effort)?.unwrap_or(0.0),
        viscous: inner.quantity_in("viscous", damping)?.unwrap_or(0.0),
    };
    inner.finish()?;
    Ok(Some(found))
}

fn add_spring(table: &SceneTable, world: &mut World, joint: usize) -> Read<()> {
    let Some(inner) = table.table("spring")? else { return Ok(()) };
    let (name, kind) = (world.joints()[joint].name.clone(), world.joints()[joint].kind);
    let coordinate = read_joint_coordinate(&inner, "spring", kind)?;
    let [value, stiffness, damping, _] = coordinate_dimensions(coordinate);
    inner.set_motion_dimension(value);
    let effort = Effort::Spring {
        stiffness: inner.quantity_in("stiffness", stiffness)?.unwrap_or(0.0),
        damping: inner.quantity_in("damping", damping)?.unwrap_or(0.0),
        rest: inner.required_quantity("rest")?,
    };
    inner.finish()?;
    let on = Coordinate::Joint(joint, coordinate);
    inner.check(world.add_actuator(Actuator { name, on, effort })).map(|_| ())
}

/// Angle between a single stop and the middle of the full turn in which the angle of its joint is taken, in rad: the
/// joint is free for π + 2.5 rad (323°) and the stop acts down to an indentation of π − 2.5 = 0.64 rad (37°).
const SINGLE_STOP_OFFSET: f64 = 2.5;

/// Reads the stops of a joint, each of which is a contact between a finger on the first body and a stop on the second.
fn add_stops(table: &SceneTable, world: &mut World, joint: usize, files: Files) -> Read<()> {
    let Some(inner) = table.table("stops")? else { return Ok(()) };
    let Joint { name, kind, a, b, .. } = world.joints()[joint].clone();
    if kind == Kind::Planar {
        let advice = "its bodies slide past a stop; use two joints, or shapes that touch";
        return table.unsupported("stops", "a stop on a planar joint", advice);
    }
    let coordinate = read_joint_coordinate(&inner, "stop", kind)?;
    inner.set_motion_dimension(coordinate_dimensions(coordinate)[0]);
    let arm = match coordinate {
        JointCoordinate::Angle => Some(inner.required_quantity("arm")?),
        JointCoordinate::Slide => None,
    };
    let (lower, upper) = (inner.quantity("lower")?, inner.quantity("upper")?);
    if lower.is_none() && upper.is_none() {
        return inner.missing("lower or upper", "give the least or the largest value, or both");
    }
    if let (Some(lower), Some(upper)) = (lower, upper) {
        let most = if arm.is_some() { std::f64::consts::TAU } else { f64::INFINITY };
        if !(lower < upper && upper - lower < most) {
            let advice =
                "stops stand on both sides of the motion, of an angle less than a turn apart";
            return inner.invalid("upper", upper, format!("above lower, {lower}"), advice);
        }
    }
    // The pose determines an angle only up to full turns, so an angle beyond a stop could not be distinguished from one before
    // it.
    if arm.is_some() && !table.has("angle") {
        let advice = "the angle is 0 where the bodies are placed: place them between the stops";
        if let Some(lower) = lower.filter(|lower| *lower > 0.0) {
            return inner.invalid("lower", lower, "at most 0", advice);
        }
        if let Some(upper) = upper.filter(|upper| *upper < 0.0) {
            return inner.invalid("upper", upper, "at least 0", advice);
        }
    }
    let finger = attach_shape(&inner, world, &a, Shape::Finger { arm: arm.unwrap_or(0.0) })?;
    // A rotation is known only up to full turns: the angle is taken within half a turn of `middle`.
    let middle = match (lower, upper) {
        (Some(lower), Some(upper)) => 0.5 * (lower + upper),
        (Some(one), None) => one + SINGLE_STOP_OFFSET,
        (None, Some(one)) => one - SINGLE_STOP_OFFSET,
        (None, None) => 0.0,
    };
    for (side, at, label) in [(-1.0, lower, "lower"), (1.0, upper, "upper")] {
        let Some(at) = at else { continue };
        let stop =
            attach_shape(&inner, world, &b, Shape::Stop(JointStop { at, side, arm, middle }))?;
        let part = |body: usize, shape: usize| Part::of(world, body, shape, None);
        let (first, second) = (part(a.body, finger), part(b.body, stop));
        let contact = laws::contact_without_friction(&inner, world, &first, &second, files)?;
        let contact = Contact { name: format!("{name} {label}"), ..contact };
        inner.check(world.add_contact(contact))?;
    }
    inner.finish()
}

/// Attaches a shape to a body in the frame of a joint.
fn attach_shape(table: &SceneTable, world: &mut World, mount: &Mount, shape: Shape) -> Read<usize> {
    let placed = Placed::on(mount.body, shape).at(mount.point).turned(mount.rotation);
    table.check(world.add_shape(placed))
}
