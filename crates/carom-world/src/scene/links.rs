//! Connections of bodies: joints, clearances, springs, forces and drag.

use super::bodies::{Part, Parts, find_body};
use super::mounts::{body_pair, mount, to_body_coordinates};
use super::reader::{Read, SceneTable};
use super::{Files, joints, laws, motions};
use crate::World;
use crate::element::{Anchor, Element};
use crate::joint::{Drive, Joint, Kind};
use crate::math::{Quat, Vec3};
use crate::shape::{Placed, Shape};
use crate::world::Contact;
use carom::units::Dimension;

/// Reads all connections of bodies.
pub(super) fn read(root: &SceneTable, world: &mut World, parts: &Parts, files: Files) -> Read<()> {
    joints::read(root, world, files)?;
    for table in root.tables("clearance")? {
        read_clearance(&table, world, parts, files)?;
        table.finish()?;
    }
    for table in root.tables("spring")? {
        // The name is used only by changes.
        table.text("name")?;
        let (a, b) = body_pair(&table, world)?;
        let ends = [table.vector("from")?, table.vector("to")?];
        let [p, q] = ends.map(|end| end.unwrap_or_default());
        let anchor = |body: usize, point: Vec3| Anchor {
            body,
            point: to_body_coordinates(world, body, point),
        };
        let spring = Element::Spring {
            a: anchor(a, p),
            b: anchor(b, q),
            stiffness: table.required_quantity("stiffness")?,
            damping: table.required_quantity("damping")?,
            length: table.quantity("length")?.unwrap_or((q - p).length()),
        };
        table.finish()?;
        table.check(world.add_element(spring))?;
    }
    for table in root.tables("force")? {
        let at = table.check_at("body", find_body(world, &table.required_text("body")?))?;
        let direction = table.direction("direction")?;
        let axis = table.direction("axis")?;
        let follows = table.flag("follows")?;
        let turned = |vector: Vec3| match follows {
            true => world.bodies()[at].rotation.inverse().rotate(vector),
            false => vector,
        };
        let element = match (direction.map(turned), axis.map(turned)) {
            (Some(direction), None) => {
                let start = world.bodies()[at].position;
                let point = table.vector("point")?.unwrap_or(start);
                let magnitude = motions::read(&table, Dimension::FORCE, files)?;
                let at = Anchor { body: at, point: to_body_coordinates(world, at, point) };
                Element::Force { at, direction, magnitude, follows }
            }
            (None, Some(axis)) => {
                let magnitude = motions::read(&table, Dimension::ENERGY, files)?;
                Element::Couple { body: at, axis, magnitude, follows }
            }
            (Some(_), Some(_)) => {
                let advice =
                    "direction is that of a force, axis that of a couple: make two of them";
                return table.unsupported("axis", "direction and axis together", advice);
            }
            (None, None) => {
                let advice = "give direction for a force, or axis for a couple";
                return table.missing("direction or axis", advice);
            }
        };
        table.finish()?;
        table.check(world.add_element(element))?;
    }
    for table in root.tables("drag")? {
        let body = table.check_at("body", find_body(world, &table.required_text("body")?))?;
        let linear = table.required_quantity("linear")?;
        let quadratic = table.required_quantity("quadratic")?;
        table.finish()?;
        table.check(world.add_element(Element::Drag { body, linear, quadratic }))?;
    }
    Ok(())
}

/// Reads a joint with clearance, which is a contact: a pin in a bore, a ball in a socket, a block between two walls.
fn read_clearance(table: &SceneTable, world: &mut World, parts: &Parts, files: Files) -> Read<()> {
    let kind = table.required_choice("kind", "kind of clearance")?;
    let (a, b) = body_pair(table, world)?;
    let point = table.vector("point")?.unwrap_or(world.bodies()[a].position);
    let axis = table.direction("axis")?.unwrap_or(Vec3::Z);
    let frame = Quat::between(Vec3::Z, axis);
    let clearance = table.required_quantity("clearance")?;
    let radius = || table.required_quantity("radius");
    // Tuples of inner shape and its rotation; outer shape, its position and its rotation.
    let pairs: Vec<(Shape, Quat, Shape, Vec3, Quat)> = match kind {
        "spherical" => {
            let radius = radius()?;
            let socket = Shape::Socket { radius: radius + clearance };
            vec![(Shape::Sphere { radius }, frame, socket, point, frame)]
        }
        "revolute" => {
            let radius = radius()?;
            let length = table.quantity("length")?;
            let half = 0.5 * length.unwrap_or(radius);
            let bore = Shape::Bore { radius: radius + clearance, half };
            // Without a length the pin touches in its middle plane only, as in a planar mechanism, and is represented by a
            // sphere.
            let pin = match length {
                Some(_) => Shape::Cylinder { radius, half },
                None => Shape::Sphere { radius },
            };
            vec![(pin, frame, bore, point, frame)]
        }
        // A translational clearance, the only other kind that is declared.
        _ => {
            let advice = "give length along the axis, height between the walls and width";
            let size = table.or_missing("size", table.vector("size")?, advice)?;
            let normal = table.direction("normal")?.unwrap_or(super::up(world.planar));
            let Some(across) = normal.perpendicular_to(axis).unit() else {
                let advice = "the walls stand beside the axis, not across it";
                return table.invalid("normal", "along the axis", "across the axis", advice);
            };
            let half = size * 0.5;
            let wall = |sign: f64| {
                let at = point + across * (sign * (half.y + clearance));
                let facing = Quat::between(Vec3::Z, across * -sign);
                (
                    Shape::Box { half },
                    Quat::from_two_axes([Vec3::X, Vec3::Y], [axis, across]),
                    Shape::HalfSpace,
                    at,
                    facing,
                )
            };
            vec![wall(1.0), wall(-1.0)]
        }
    };
    let material =
        |body: usize| parts.0.iter().find(|part| part.body == body).and_then(|part| part.material);
    let name = table.text("name")?.unwrap_or_default();
    // With `ideal`, an ideal joint is created instead, for comparison; the law is checked nevertheless.
    let ideal = table.flag("ideal")?;
    for (inner, turned, outer, at, facing) in pairs {
        let mut put = |body: usize, shape: Shape, at: Vec3, turned: Quat| {
            let start = &world.bodies()[body];
            let rotation = start.rotation.inverse() * turned;
            let placed =
                Placed::on(body, shape).at(to_body_coordinates(world, body, at)).turned(rotation);
            table.check(world.add_shape(placed))
        };
        let first = put(a, inner, point, turned)?;
        let second = put(b, outer, at, facing)?;
        let part = |body: usize, shape: usize| Part::of(world, body, shape, material(body));
        let contact = laws::contact(table, world, &part(a, first), &part(b, second), files)?;
        if !ideal {
            table.check(world.add_contact(Contact { name: name.clone(), ..contact }))?;
        }
    }
    if ideal {
        let kind = match kind {
            "spherical" => Kind::Spherical,
            "revolute" => Kind::Revolute,
            _ => Kind::Prismatic,
        };
        let (a, b) = (mount(world, a, point, frame), mount(world, b, point, frame));
        let joint = Joint { name, kind, a, b, drive: Drive::Free, friction: None };
        table.check(world.add_joint(joint))?;
    }
    Ok(())
}
