//! Lengths and times that follow from the world alone and are constant during a run.

use crate::Motion;
use crate::world::World;

/// Scales of length and time of a world.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    /// Size of the smallest free body (m): the length scale of bodies that do not touch.
    pub length: f64,
    /// Time in which no driven joint moves by much (s); infinite if nothing can touch.
    pub joint_time: f64,
    /// Prescribed motions with breakpoints, at which steps end.
    motions_with_breakpoints: Vec<Motion>,
}

impl Scales {
    pub fn new(world: &World) -> Self {
        let reach =
            world.free.iter().map(|&b| world.columns.bounding_radius[b]).filter(|r| *r > 0.0);
        let length = reach.fold(f64::INFINITY, f64::min);
        Self {
            length: if length.is_finite() { length } else { 1.0 },
            joint_time: if world.sites.is_empty() { f64::INFINITY } else { joint_time(world) },
            motions_with_breakpoints: world
                .motions()
                .filter(|motion| motion.next_breakpoint(-1.0) < f64::INFINITY)
                .cloned()
                .collect(),
        }
    }

    /// Limits steps by the driven joints even if the world has no sites, as an island of a world that has sites may.
    pub fn limit_by_joints(&mut self, world: &World) {
        self.joint_time = joint_time(world);
    }

    /// Returns the next breakpoint of a prescribed motion after a time (s).
    pub fn next_breakpoint(&self, time: f64) -> f64 {
        let motions = self.motions_with_breakpoints.iter();
        motions.map(|motion| motion.next_breakpoint(time)).fold(f64::INFINITY, f64::min)
    }
}

/// Returns a time in which no driven joint moves by much (s).
///
/// Whether a site closes and opens again within a step is decided from the velocities at its ends, so the step must be short
/// compared with the motion. With a coarse tolerance the error alone would allow half a swing of the drive.
fn joint_time(world: &World) -> f64 {
    let motions = world.joints.iter().filter_map(|joint| joint.drive.motion());
    motions.map(Motion::time_scale).fold(f64::INFINITY, f64::min)
}
