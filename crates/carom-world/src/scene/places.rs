//! Points and axes of the world at the start, in the coordinates of bodies.

use super::bodies::body;
use super::reader::{Read, SceneTable};
use crate::World;
use crate::joint::Mount;
use crate::math::{Quat, Vec3};

/// The two bodies that a table joins.
pub(super) fn bodies(table: &SceneTable, world: &World) -> Read<(usize, usize)> {
    let (a, b) = table.pair("between")?;
    let find = |name: &str| table.check_at("between", body(world, name));
    Ok((find(&a)?, find(&b)?))
}

/// Transforms a point of the world to body coordinates, at the start.
pub(super) fn local(world: &World, body: usize, point: Vec3) -> Vec3 {
    let start = &world.bodies()[body];
    start.rotation.inverse().turn(point - start.position)
}

/// Where a joint is attached to a body: a point and a frame of the world, in body coordinates at the start.
pub(super) fn mount(world: &World, body: usize, point: Vec3, frame: Quat) -> Mount {
    let start = &world.bodies()[body];
    Mount { body, point: local(world, body, point), rotation: start.rotation.inverse() * frame }
}
