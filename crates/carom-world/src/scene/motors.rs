//! Motors on a joint, or between two points.

use super::joints::{coordinate_dimensions, read_joint_coordinate};
use super::mounts::{body_pair, to_body_coordinates};
use super::reader::{Read, SceneTable};
use super::{Files, motions};
use crate::World;
use crate::actuator::{Actuator, Command, Coordinate, Effort};
use crate::check::index_by_name;
use crate::element::Anchor;
use crate::joint::JointCoordinate;
use crate::motion::Motion;
use carom::Error;
use carom::units::Dimension;

/// Reads the motors.
pub(super) fn read(root: &SceneTable, world: &mut World, files: Files) -> Read<()> {
    for (index, table) in root.tables("motor")?.into_iter().enumerate() {
        let name = table.text("name")?.unwrap_or_else(|| format!("motor {}", index + 1));
        if world.actuators().iter().any(|other| is_motor(other) && other.name == name) {
            return table.invalid("name", name, "new", "choose another");
        }
        let (on, coordinate) = read_coordinate(&table, world)?;
        let control = read_command(&table, world, coordinate, files)?;
        let limit = table.quantity_in("limit", coordinate_dimensions(coordinate)[3])?;
        table.finish()?;
        let effort = Effort::Motor { command: control, limit: limit.unwrap_or(f64::INFINITY) };
        table.check(world.add_actuator(Actuator { name, on, effort }))?;
    }
    Ok(())
}

fn is_motor(actuator: &Actuator) -> bool {
    matches!(actuator.effort, Effort::Motor { .. })
}

/// Finds a motor by name.
pub(super) fn find_motor(world: &World, name: &str) -> carom::Result<usize> {
    let motors = world.actuators().iter().enumerate().filter(|(_, one)| is_motor(one));
    let (numbers, known): (Vec<usize>, Vec<&str>) =
        motors.map(|(number, one)| (number, one.name.as_str())).unzip();
    index_by_name("motor", name, known.into_iter()).map(|index_by_name| numbers[index_by_name])
}

/// Finds a joint by name.
pub(super) fn find_joint(world: &World, name: &str) -> carom::Result<usize> {
    index_by_name("joint", name, world.joints().iter().map(|joint| joint.name.as_str()))
}

/// Reads the coordinate along which a motor acts; a distance is treated as a slide.
fn read_coordinate(table: &SceneTable, world: &World) -> Read<(Coordinate, JointCoordinate)> {
    match (table.text("joint")?, table.has("between")) {
        (Some(name), false) => {
            let joint = table.check_at("joint", find_joint(world, &name))?;
            let coordinate = read_joint_coordinate(table, "motor", world.joints()[joint].kind)?;
            Ok((Coordinate::Joint(joint, coordinate), coordinate))
        }
        (None, true) => {
            let (a, b) = body_pair(table, world)?;
            let anchor = |body: usize, key: &'static str| {
                let point = table.vector(key)?.unwrap_or(world.bodies()[body].position);
                Ok(Anchor { body, point: to_body_coordinates(world, body, point) })
            };
            Ok((Coordinate::Distance(anchor(a, "from")?, anchor(b, "to")?), JointCoordinate::Slide))
        }
        (Some(_), true) => {
            let advice = "a motor is on a joint or between two points: leave one of them out";
            table.unsupported("between", "joint and between together", advice)
        }
        (None, false) => table
            .missing("joint or between", "name a joint, or two bodies for a force between points"),
    }
}

/// Reads the command of a motor.
fn read_command(
    table: &SceneTable,
    world: &World,
    coordinate: JointCoordinate,
    files: Files,
) -> Read<Command> {
    let [value, stiffness, damping, effort] = coordinate_dimensions(coordinate);
    let motion = |key: &'static str, dimension: Dimension| -> Read<Option<Motion>> {
        let Some(inner) = table.table(key)? else { return Ok(None) };
        let motion = motions::read(&inner, dimension, files)?;
        inner.finish()?;
        Ok(Some(motion))
    };
    let given = motion("effort", effort)?;
    let speed = motion("speed", value * Dimension::FREQUENCY)?;
    let position = motion("position", value)?;
    match (given, speed, position, table.flag("controller")?) {
        (Some(motion), None, None, false) => Ok(Command::Effort(motion)),
        (None, Some(speed), None, false) => {
            Ok(Command::Speed { speed, gain: table.required_quantity_in("gain", damping)? })
        }
        (None, None, Some(position), false) => Ok(Command::Position {
            position,
            stiffness: table.required_quantity_in("stiffness", stiffness)?,
            damping: table.quantity_in("damping", damping)?.unwrap_or(0.0),
        }),
        (None, None, None, true) => Ok(Command::Held(world.held_motors().count())),
        (None, None, None, false) => {
            let advice = "give its command: effort, speed, position, or controller = true";
            table.missing("effort", advice)
        }
        _ => {
            let advice = "give one of effort, speed, position and controller";
            Err(table.error_here(Error::unsupported("a motor with several commands", advice)))
        }
    }
}
