//! One step of a world, in two parts: it is found, and then applied.
//!
//! In between the state is still that in which the step begins, and the step can be sampled, or dropped.

use crate::input::StepInput;
use crate::state::State;
use crate::step::{self, Located, Scratch};
use crate::world::World;
use carom::Result;

/// Steps in a row that may hardly advance time: events at the same instant need some.
const MAX_STALLED: usize = 2000;

/// A step hardly advances time in which no body moves by more than this share of its size, at the largest speed so far.
const STALLED_TRAVEL: f64 = 1e-10;

/// A step that has been found and not applied yet. The trial in the buffers is that step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundStep {
    pub located: Located,
    /// Prescribed motions are seen as they are before this time (s).
    pub horizon: f64,
}

/// Finds the next step, at most until a time. `stalled` counts the steps in a row that hardly advanced time.
///
/// # Errors
/// When no step is short enough, or events at one instant follow each other without end.
pub(crate) fn find(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    stalled: &mut usize,
    until: f64,
) -> Result<FoundStep> {
    // Gaps that depend on the last normal use that at the beginning of the step; it is part of the state, so that a resumed run has
    // the same.
    state.normals.copy_from_slice(&scratch.start_quantities.normals);
    let horizon = scratch.scales.next_breakpoint(state.time);
    let input = StepInput { world, state, horizon };
    let located = step::find(&input, scratch, until.min(horizon))?;
    let length = scratch.trial.stepper.length();
    let travel = length * state.largest_speed;
    let moves = travel > STALLED_TRAVEL * scratch.scales.length || state.largest_speed == 0.0;
    *stalled = match moves && length > 1e-13 * state.time.abs() {
        true => 0,
        false => *stalled + 1,
    };
    if *stalled > MAX_STALLED {
        return Err(step::events_without_end(world, state, located.event));
    }
    Ok(FoundStep { located, horizon })
}

/// Makes the end of the step that was found the state; what it changed about the contacts is in `scratch.changes`.
///
/// # Errors
/// As [`step::apply`].
pub(crate) fn apply(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    found: &FoundStep,
) -> Result<()> {
    step::apply(world, state, scratch, &found.located, found.horizon)
}
