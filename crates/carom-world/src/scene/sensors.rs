//! Sensors: quantities of the results that a scene requests by name.

use super::bodies::find_body;
use super::motors;
use super::mounts::to_body_coordinates;
use super::reader::{Read, SceneTable};
use crate::World;
use crate::check::index_by_name;
use crate::element::Anchor;
use crate::joint::JointCoordinate;
use crate::sensor::{Measure, Order, Sensor};

/// Reads the sensors.
pub(super) fn read(root: &SceneTable, world: &mut World) -> Read<()> {
    for table in root.tables("sensor")? {
        let name = table.required_text("name")?;
        if world.sensors.iter().any(|sensor| sensor.name == name) {
            return table.invalid("name", name, "new", "choose another");
        }
        let kind = table.required_choice("measure", "measure")?;
        let (measure, own) = read_measure(&table, world, kind)?;
        // Scalars have no axes.
        let axes = match own {
            Some(_) if table.required_choice("axes", "axes")? == "body" => own,
            _ => None,
        };
        table.finish()?;
        world.sensors.push(Sensor { name, measure, axes });
    }
    Ok(())
}

/// Reads the measured quantity; for a vector also the body to whose axes `axes = "body"` refers.
fn read_measure(table: &SceneTable, world: &World, kind: &str) -> Read<(Measure, Option<usize>)> {
    let order = match kind {
        "velocity" | "angular_velocity" | "angle_rate" | "slide_rate" => Order::Rate,
        "acceleration" | "angular_acceleration" => Order::Acceleration,
        _ => Order::Value,
    };
    match kind {
        "position" | "velocity" | "acceleration" | "angular_velocity" | "angular_acceleration" => {
            let index = table.check_at("body", find_body(world, &read_name(table, "body")?))?;
            let reference = match table.text("relative_to")? {
                Some(name) => match table.check_at("relative_to", find_body(world, &name))? {
                    same if same == index => {
                        let advice = "name the body from which it is seen, or leave it out";
                        return table.invalid("relative_to", name, "another body", advice);
                    }
                    other => Some(other),
                },
                None => None,
            };
            let (relative_to, own) = (reference.unwrap_or(0), reference.unwrap_or(index));
            if kind.starts_with("angular") {
                return Ok((Measure::Rotation { body: index, relative_to, order }, Some(own)));
            }
            let point = table.vector("point")?.unwrap_or(world.bodies()[index].position);
            let at = Anchor { body: index, point: to_body_coordinates(world, index, point) };
            Ok((Measure::Point { at, relative_to, order }, Some(own)))
        }
        "contact_force" | "contact_moment" => {
            let name = read_name(table, "contact")?;
            let contacts = world.contacts();
            let first = index_by_name("contact", &name, world.contact_names());
            let first = table.check_at("contact", first)?;
            let found: Vec<usize> =
                (first..contacts.len()).filter(|&index| contacts[index].name == name).collect();
            let second = world.shapes()[contacts[first].b].body;
            let measure = match kind {
                "contact_force" => Measure::ContactForce(found),
                _ => Measure::ContactMoment(found),
            };
            Ok((measure, Some(second)))
        }
        "effort" => {
            let name = read_name(table, "motor")?;
            Ok((Measure::Effort(table.check_at("motor", motors::find_motor(world, &name))?), None))
        }
        _ => {
            let name = read_name(table, "joint")?;
            let joint = table.check_at("joint", motors::find_joint(world, &name))?;
            let coordinate = match kind {
                "slide" | "slide_rate" => JointCoordinate::Slide,
                _ => JointCoordinate::Angle,
            };
            let vector = match kind {
                "reaction_force" => Measure::ReactionForce(joint),
                "reaction_moment" => Measure::ReactionMoment(joint),
                _ => {
                    let has = world.joints()[joint].kind.coordinates();
                    if !has.contains(&coordinate) {
                        let what = format!(
                            "`{kind}` of joint `{name}`, which is {},",
                            world.joints()[joint].kind.name()
                        );
                        let advice = "revolute, cylindrical and planar joints have an angle, prismatic and cylindrical ones a slide; measure \
                                      position or angular_velocity of a body instead, with relative_to";
                        return table.unsupported("measure", what, advice);
                    }
                    return Ok((Measure::Joint { joint, coordinate, order }, None));
                }
            };
            Ok((vector, Some(world.joints()[joint].a.body)))
        }
    }
}

/// Reads the name of the measured object.
fn read_name(table: &SceneTable, key: &'static str) -> Read<String> {
    table.or_missing(key, table.text(key)?, format!("name the {key} that it measures"))
}
