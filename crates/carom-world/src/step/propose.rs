//! The length of the next step: a proposal, which the step's own error and its events confirm or refuse.

use super::{Event, Scratch, corner};
use crate::input::StepInput;
use crate::integrator::Method;
use crate::state::{Phase, State, Touch};
use crate::world::World;
use carom::ode::{implicit_stretch, stretch};

/// Growth of a step from one to the next while a contact acts, whose force rises steeply, and without one.
const GROWTH_IN_CONTACT: f64 = 4.0;
const GROWTH_IN_FLIGHT: f64 = 8.0;

/// A step to be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    /// Its length (s).
    pub length: f64,
    /// The pair that takes it.
    pub method: Method,
    /// The corner of a contact law that it should end on.
    pub corner: Option<Event>,
    /// The last corner of a contact law that the motion has passed.
    pub behind: corner::Behind,
}

/// Proposes a step from the state, with so much time left to the end of the run.
pub(crate) fn propose(input: &StepInput, scratch: &Scratch, left: f64) -> Proposal {
    let mut length = match input.state.step > 0.0 {
        true => input.state.step,
        false => first_length(input.state, scratch).min(left),
    };
    length = length.min(longest(input, scratch));
    // Where a law has a corner ahead, steps approach it and then end on it.
    let mut target = None;
    let method = input.state.pace.tried_first();
    if method == Method::Explicit
        && let Some(ahead) = corner::nearest_ahead(input, scratch, length)
        && length > ahead.step.min(0.75 * ahead.time)
    {
        length = ahead.step;
        target = (length == ahead.time).then_some(ahead.event);
    }
    Proposal { length, method, corner: target, behind: corner::nearest_behind(input, scratch) }
}

/// The factor by which to shorten a step with this error.
pub(crate) fn shortening(method: Method, error: f64) -> f64 {
    if method == Method::Implicit {
        return implicit_stretch(error).min(0.9);
    }
    if error.is_finite() { stretch(error).clamp(0.02, 0.9) } else { 0.02 }
}

/// A length for the step that follows an accurate one.
///
/// A corner behind is felt the less the longer ago it was (`corner.rs`), so that steps may grow with the time since then. A
/// little less than that is proposed.
pub(crate) fn next_length(input: &StepInput, proposal: &Proposal, error: f64) -> f64 {
    if proposal.method == Method::Implicit {
        return proposal.length * implicit_stretch(error);
    }
    let most = match input.state.awake_touches().next().is_none() {
        true => GROWTH_IN_FLIGHT,
        false => GROWTH_IN_CONTACT,
    };
    let (h, behind) = (proposal.length, proposal.behind);
    let faded = 1.0 + h / behind.time;
    if !faded.is_finite() {
        return h * most;
    }
    let grown = faded * stretch(error * faded.powf(behind.power + 1.0));
    h * (grown * 0.8f64.max(0.85 / faded)).min(most)
}

/// Length of a first step for bodies that do not touch (s): a tenth of the time in which one moves by the size of the smallest.
pub(crate) fn first_length(state: &State, scratch: &Scratch) -> f64 {
    let (speed, acceleration) =
        (state.largest_speed, scratch.start_quantities.largest_acceleration);
    let size = scratch.scales.length;
    let by_speed = if speed > 0.0 { size / speed } else { f64::INFINITY };
    let by_force = if acceleration > 0.0 { (size / acceleration).sqrt() } else { f64::INFINITY };
    0.1 * by_speed.min(by_force)
}

/// The longest step in which no touch moves by much more than its indentation scale, and no driven body swings by much. All
/// stages of a longer one might lie out of contact and see no force, which looks like no error.
fn longest(input: &StepInput, scratch: &Scratch) -> f64 {
    let (world, touches) = (input.world, &input.state.touches);
    let active = touches.iter().filter(|touch| touch.phase == Phase::Active);
    let times = active.map(|touch| 5.0 * touch.indentation_scale / touch.rate.abs());
    let most = times.fold(scratch.scales.joint_time, f64::min);
    if world.columns.driven.is_empty() {
        return most;
    }
    let now = input.state.time;
    touches.iter().map(|touch| drive_time(world, touch, now)).fold(most, f64::min)
}

/// A time in which the driven bodies of a touch do not move by much (s).
fn drive_time(world: &World, touch: &Touch, now: f64) -> f64 {
    let (a, b) = world.bodies_at(touch.site);
    let time = |body: usize| world.bodies[body].drive().map(|path| path.time_scale(now));
    [a, b].into_iter().filter_map(time).fold(f64::INFINITY, f64::min)
}
