//! What a step starts from, and what does not change while it is tried.

use crate::state::{Layout, State};
use crate::world::World;

/// The world, and the state in which a step begins.
#[derive(Clone, Copy)]
pub(crate) struct StepInput<'a> {
    pub world: &'a World,
    pub state: &'a State,
    /// Prescribed motions are taken as they are before this time (s). A step that ends at a breakpoint of a motion must not see
    /// what follows it.
    pub horizon: f64,
}

impl<'a> StepInput<'a> {
    /// A state on its own, with all that follows it in sight.
    pub fn at(world: &'a World, state: &'a State) -> Self {
        Self { world, state, horizon: f64::INFINITY }
    }

    /// Where the variables lie in state vectors.
    #[inline(always)]
    pub fn layout(&self) -> Layout {
        self.state.layout
    }
}
