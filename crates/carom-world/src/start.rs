//! Start of a scene: initial positions and velocities that are not compatible with the joints, and touches that exist at the
//! start.
//!
//! Before anything else, velocities are projected onto the joints, to the nearest compatible ones in the metric of the
//! masses. If a drive sets bodies at rest in motion, this is intended. If a given velocity is changed, there is a note,
//! because energy is lost.

use crate::input::StepInput;
use crate::math::Quat;
use crate::motion::SidedTime;
use crate::note::Note;
use crate::state::{Pose, State};
use crate::step::{Scratch, onset, record_depth};
use crate::world::{Body, World};
use carom::{Error, Result};

/// Relative change of energy that rounding of the given initial velocities may cause (a thousandth of the speed).
const MAX_ROUNDING_CHANGE: f64 = 1e-6;

/// Largest accepted error of a joint after the bodies have been moved (m or rad).
const MAX_JOINT_ERROR: f64 = 1e-9;
/// Largest number of repetitions of the projection, each with up to eight Newton steps.
const MAX_PROJECTIONS: usize = 10;

/// Moves the bodies so that the joints are closed, to the nearest poses in the metric of the masses.
///
/// # Errors
/// When the joints cannot be closed, or a body would have to be moved farther than the world allows.
pub(crate) fn assemble(world: &World, state: &mut State, scratch: &mut Scratch) -> Result<()> {
    let mut y = std::mem::take(&mut state.y);
    let placed = y.clone();
    let mut left = f64::INFINITY;
    for _ in 0..MAX_PROJECTIONS {
        let before = left;
        left = scratch.probe.evaluation.project(&StepInput::at(world, state), 0.0, &mut y);
        if left <= MAX_JOINT_ERROR || !(left < before) {
            break;
        }
    }
    state.y = y;
    if !(left <= MAX_JOINT_ERROR) {
        let rows = scratch.probe.evaluation.constraint_rows();
        let widest = rows.max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
        let joint = widest.map_or("", |row| world.joints[row.joint].name.as_str());
        return Err(Error::invalid(
            "the start",
            format!("{left:.3e} m (or rad) off its joints, most of all at `{joint}`"),
            "a configuration that satisfies all joints",
            "place the bodies so that the two halves of every joint coincide, or nearly so; check lengths, and drives against each other",
        ));
    }
    note_moved_along(world, state, &placed);
    let Some(bound) = world.assemble else { return Ok(()) };
    for (slot, &body) in world.free.iter().enumerate() {
        let moved = displacement_bound(world, state, &placed, slot);
        if moved > bound {
            return Err(Error::invalid(
                "the start",
                format!(
                    "such that `{}` has to be moved by {moved:.3e} m to close the joints",
                    world.bodies[body].name
                ),
                format!("at most assemble = {bound} m"),
                "place it nearer to where the joints hold it, or allow more",
            ));
        }
    }
    Ok(())
}

/// Returns an upper bound of the displacement of any point of a free body from where it was placed (m).
fn displacement_bound(world: &World, state: &State, placed: &[f64], slot: usize) -> f64 {
    let [given, now] = [placed, &state.y].map(|y| state.layout.pose(y, slot));
    let way = (now.position - given.position).length();
    way + angle_between(given.rotation, now.rotation)
        * world.columns.bounding_radius[world.free[slot]]
}

/// Returns the angle by which one rotation differs from another (rad).
fn angle_between(one: Quat, other: Quat) -> f64 {
    let turn = other * one.inverse();
    2.0 * turn.v.length().atan2(turn.w.abs())
}

/// Notes driven bodies whose motion does not begin at zero, if bodies that joints connect to them were moved with them.
fn note_moved_along(world: &World, state: &mut State, placed: &[f64]) {
    for &body in &world.columns.driven {
        let Body { name, position, rotation, .. } = &world.bodies[body];
        let Some(path) = world.bodies[body].drive() else { continue };
        let start = path.at(*position, *rotation, SidedTime::at(0.0)).motion;
        let distance = (start.x - *position).length();
        let angle = angle_between(*rotation, start.q);
        let joined = |slot: &usize| {
            let other = world.free[*slot];
            world.joints.iter().any(|joint| {
                let pair = [joint.a.body, joint.b.body];
                pair.contains(&body) && pair.contains(&other)
            })
        };
        let ways = (0..world.free.len()).filter(joined);
        let ways =
            ways.map(|slot| (displacement_bound(world, state, placed, slot), world.free[slot]));
        let farthest = ways.max_by(|a, b| a.0.total_cmp(&b.0));
        let begins_elsewhere = distance > MAX_JOINT_ERROR || angle > MAX_JOINT_ERROR;
        if let Some((moved, other)) =
            farthest.filter(|(moved, _)| begins_elsewhere && *moved > MAX_JOINT_ERROR)
        {
            let (name, other) = (name.clone(), world.bodies[other].name.clone());
            state.note(Note::MovedAlong { body, name, distance, angle, other, moved });
        }
    }
}

/// Notes given velocities that joints or the plane do not allow.
pub(crate) fn note_changed_velocities(world: &World, state: &mut State) {
    let (mut before, mut after, mut off) = (0.0, 0.0, 0.0);
    let mut most: Option<(f64, usize)> = None;
    for (slot, &index) in world.free.iter().enumerate() {
        let body = &world.bodies[index];
        let now = state.layout.pose(&state.y, slot);
        let given = Pose { velocity: body.velocity, spin: body.spin, ..now }.kinetic(body);
        after += now.kinetic(body);
        if given == 0.0 {
            continue;
        }
        let (velocity, spin) = (now.velocity - body.velocity, now.spin - body.spin);
        let change = Pose { velocity, spin, ..now }.kinetic(body);
        (before, off) = (before + given, off + change);
        if most.is_none_or(|(largest, _)| change > largest) {
            most = Some((change, index));
        }
    }
    if let Some((_, body)) = most.filter(|_| off > MAX_ROUNDING_CHANGE * before) {
        let name = world.bodies[body].name.clone();
        state.note(Note::Start { body, name, before, after });
    }
}

/// Creates the touches that exist at the start of the scene.
///
/// # Errors
/// When one of them cannot begin.
pub(crate) fn begin_touches(world: &World, state: &mut State, scratch: &mut Scratch) -> Result<()> {
    for site in 0..world.sites.len() {
        let kinematics = &scratch.start.evaluation.kinematics;
        let found = kinematics.gap(&StepInput::at(world, state), site);
        let distance = found.gap.distance;
        let closes = kinematics.opening_rate(&found) < 0.0;
        // Bodies that were placed in contact overlap by rounding, which does not count as an overlap.
        let rounding = kinematics.gap_rounding(world, found.a, found.b);
        let overlaps = distance < -rounding;
        let touches = overlaps || (distance <= rounding && closes);
        if !touches {
            continue;
        }
        let first = onset::begin(world, state, scratch, site)?;
        state.step = if state.step > 0.0 { state.step.min(first) } else { first };
        if overlaps {
            let index = state.touches.len() - 1;
            let deepest = std::mem::take(&mut state.touches[index].deepest);
            record_depth(world, state, index, deepest);
            let contact = world.sites[site].contact;
            let name = world.contacts[contact].name.clone();
            state.note(Note::Overlap { contact, name, indentation: -distance });
        }
    }
    Ok(())
}
