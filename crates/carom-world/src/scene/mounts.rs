//! Conversion of points and axes in world coordinates at the start to body coordinates.

use super::bodies::find_body;
use super::reader::{Read, SceneTable};
use crate::World;
use crate::joint::Mount;
use crate::math::{Quat, Vec3};

/// Returns the two bodies named by the key `between`.
pub(super) fn body_pair(table: &SceneTable, world: &World) -> Read<(usize, usize)> {
    let (a, b) = table.pair("between")?;
    let find = |name: &str| table.check_at("between", find_body(world, name));
    Ok((find(&a)?, find(&b)?))
}

/// Converts a point from world to body coordinates, in the pose at the start.
pub(super) fn to_body_coordinates(world: &World, body: usize, point: Vec3) -> Vec3 {
    let start = &world.bodies()[body];
    start.rotation.inverse().rotate(point - start.position)
}

/// Creates the mount of a joint on a body from a point and a frame in world coordinates at the start.
pub(super) fn mount(world: &World, body: usize, point: Vec3, frame: Quat) -> Mount {
    let start = &world.bodies()[body];
    Mount {
        body,
        point: to_body_coordinates(world, body, point),
        rotation: start.rotation.inverse() * frame,
    }
}
