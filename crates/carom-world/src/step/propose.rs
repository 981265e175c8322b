//! Proposal of the length and integrator of the next step. The error of the step and its events decide whether the proposal is
//! accepted.

use super::{Event, Scratch, corner};
use crate::input::StepInput;
use crate::integrator::Method;
use crate::state::{Phase, State, Touch};
use crate::world::World;
use carom::ode::{implicit_stretch, stretch};

/// Largest ratio of successive step lengths while a contact acts, whose force rises steeply, and without contact.
const GROWTH_IN_CONTACT: f64 = 4.0;
const GROWTH_IN_FLIGHT: f64 = 8.0;

/// A step that is to be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    /// Length of the step (s).
    pub length: f64,
    /// Integrator that takes the step.
    pub method: Method,
    /// Corner of a contact law on which the step should end.
    pub corner: Option<Event>,
    /// The last corner of a contact law that the motion has passed.
    pub past_corner: corner::PastCorner,
}

/// Proposes a step from the state. `left` is the time until the end of the run (s).
pub(crate) fn propose(input: &StepInput, scratch: &Scratch, left: f64) -> Proposal {
    let mut length = match input.state.step > 0.0 {
        true => input.state.step,
        false => first_length(input.state, scratch).min(left),
    };
    length = length.min(max_length(input, scratch));
    // If a corner of a law lies ahead, the steps approach it, and one of them ends on it.
    let mut target = None;
    let method = input.state.pace.tried_first();
    if method == Method::Explicit
        && let Some(ahead) = corner::nearest_corner_ahead(input, scratch, length)
        && length > ahead.step.min(0.75 * ahead.time)
    {
        length = ahead.step;
        target = (length == ahead.time).then_some(ahead.event);
    }
    Proposal {
        length,
        method,
        corner: target,
        past_corner: corner::nearest_past_corner(input, scratch),
    }
}

/// Returns the factor by which a step with this error is shortened.
pub(crate) fn shortening_factor(method: Method, error: f64) -> f64 {
    if method == Method::Implicit {
        return implicit_stretch(error).min(0.9);
    }
    if error.is_finite() { stretch(error).clamp(0.02, 0.9) } else { 0.02 }
}

/// Returns the length of the step that follows an accurate step (s).
///
/// The effect of a past corner fades with time (`corner.rs`), so steps may grow with the time since the corner. The proposed
/// length is slightly smaller than that, as a margin.
pub(crate) fn next_length(input: &StepInput, proposal: &Proposal, error: f64) -> f64 {
    if proposal.method == Method::Implicit {
        return proposal.length * implicit_stretch(error);
    }
    let most = match input.state.awake_touches().next().is_none() {
        true => GROWTH_IN_FLIGHT,
        false => GROWTH_IN_CONTACT,
    };
    let (h, past_corner) = (proposal.length, proposal.past_corner);
    let faded = 1.0 + h / past_corner.time;
    if !faded.is_finite() {
        return h * most;
    }
    let grown = faded * stretch(error * faded.powf(past_corner.power + 1.0));
    h * (grown * 0.8f64.max(0.85 / faded)).min(most)
}

/// Returns the length of a first step for bodies that do not touch (s): a tenth of the time in which a body moves by the size of
/// the smallest one.
pub(crate) fn first_length(state: &State, scratch: &Scratch) -> f64 {
    let (speed, acceleration) =
        (state.largest_speed, scratch.start_quantities.largest_acceleration);
    let size = scratch.scales.length;
    let by_speed = if speed > 0.0 { size / speed } else { f64::INFINITY };
    let by_force = if acceleration > 0.0 { (size / acceleration).sqrt() } else { f64::INFINITY };
    0.1 * by_speed.min(by_force)
}

/// Returns the longest step in which no touch moves by much more than its indentation scale, and no driven body in contact by
/// much (s). In a longer step all stages might lie out of contact and contain no force, and the error estimate would be zero.
fn max_length(input: &StepInput, scratch: &Scratch) -> f64 {
    let (world, touches) = (input.world, &input.state.touches);
    let active = touches.iter().filter(|touch| touch.phase == Phase::Active);
    let times = active.map(|touch| 5.0 * touch.indentation_scale / touch.rate.abs());
    let most = times.fold(scratch.scales.joint_time, f64::min);
    if world.columns.driven.is_empty() {
        return most;
    }
    let now = input.state.time;
    touches.iter().map(|touch| drive_time_scale(world, touch, now)).fold(most, f64::min)
}

/// Returns a time in which the driven bodies of a touch do not move by much (s).
fn drive_time_scale(world: &World, touch: &Touch, now: f64) -> f64 {
    let (a, b) = world.bodies_at(touch.site);
    let time = |body: usize| world.bodies[body].drive().map(|path| path.time_scale(now));
    [a, b].into_iter().filter_map(time).fold(f64::INFINITY, f64::min)
}
