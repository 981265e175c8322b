//! One step of a world, in two parts: it is found, and then applied.
//!
//! Between the two parts the state is still that at the beginning of the step, and the step can be sampled or dropped.

use crate::input::StepInput;
use crate::state::State;
use crate::step::{self, Change, Located, Scratch};
use crate::world::World;
use carom::Result;

/// Number of successive steps that may hardly advance time; several events at the same instant need some such steps.
const MAX_STALLED: usize = 2000;

/// Displacement relative to the size of the smallest free body, at the largest speed so far, below which a step hardly advances
/// time.
const STALLED_TRAVEL: f64 = 1e-10;

/// A step that has been found but not applied. The trial in the buffers is that step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundStep {
    pub located: Located,
    /// Time before which the prescribed motions are evaluated (s), so that a step that ends at a breakpoint is unaffected by what
    /// follows.
    pub horizon: f64,
}

/// Finds the next step, which ends at the time `until` at the latest (s). `stalled` counts the successive steps that hardly
/// advanced time.
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
    // Gaps that depend on the previous normal use the normal at the beginning of the step, which is part of the state so that a
    // resumed run uses the same one.
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

/// Makes the end of a step that was found the new state, and returns the changes of contacts.
///
/// # Errors
/// As [`step::apply`].
pub(crate) fn apply<'s>(
    world: &World,
    state: &mut State,
    scratch: &'s mut Scratch,
    found: &FoundStep,
) -> Result<&'s [Change]> {
    step::apply(world, state, scratch, &found.located, found.horizon)
}
