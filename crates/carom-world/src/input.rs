//! Input of a step, which does not change while the step is tried.

use crate::state::{Layout, State};
use crate::world::World;

/// The world, and the state at the beginning of a step.
#[derive(Clone, Copy)]
pub(crate) struct StepInput<'a> {
    pub world: &'a World,
    pub state: &'a State,
    /// Prescribed motions are evaluated as they are before this time (s). A step that ends at a breakpoint of a motion must not
    /// use the motion after it.
    pub horizon: f64,
}

impl<'a> StepInput<'a> {
    /// Creates an input in which prescribed motions are not limited by a breakpoint.
    pub fn at(world: &'a World, state: &'a State) -> Self {
        Self { world, state, horizon: f64::INFINITY }
    }

    /// Returns the layout of state vectors.
    #[inline(always)]
    pub fn layout(&self) -> Layout {
        self.state.layout
    }
}
