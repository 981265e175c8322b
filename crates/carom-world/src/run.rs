//! A run: advances the state of a world step by step (`step.rs` has the stages of a step).

use crate::equilibrium;
use crate::input::StepInput;
use crate::nonsmooth;
use crate::note::Note;
use crate::observe::{Observer, Sample};
use crate::start;
use crate::state::State;
use crate::step::{self, Change, Scratch};
use crate::window::{self, Islands};
use crate::world::{ContactMethod, World};
use carom::Result;

/// A world and its state, which advances in time.
#[derive(Clone, Debug)]
pub struct Run<'w> {
    world: &'w World,
    pub(crate) state: State,
    scratch: Scratch,
    /// Takes the steps of islands, if the world may have several.
    islands: Option<Islands>,
    /// Takes the steps instead, if the world uses the nonsmooth method.
    nonsmooth: Option<nonsmooth::Stepper>,
    /// Number of successive steps that hardly advanced time.
    stalled: usize,
}

impl<'w> Run<'w> {
    /// Begins at t = 0 with the bodies as they were added, moved to satisfy the joints if necessary.
    ///
    /// # Errors
    /// When a contact that exists from the start is not possible, or the joints cannot be satisfied.
    pub fn new(world: &'w World) -> Result<Self> {
        let left_out = nonsmooth::check(world)?;
        let mut run = Self::resume(world, State::as_added(world));
        let (state, scratch) = (&mut run.state, &mut run.scratch);
        start::assemble(world, state, scratch)?;
        let settled = match world.in_equilibrium {
            true => Some(equilibrium::find(world, state, scratch)?),
            false => None,
        };
        let bodies = &scratch.probe.evaluation.kinematics.bodies;
        step::joint_friction::record_angles(world, state, bodies, 0.0);
        scratch.evaluate_state(world, state);
        step::joint_friction::begin(world, state, scratch);
        let rows = scratch.start.evaluation.redundant_constraints();
        if rows > 0 {
            state.note(Note::Redundant { rows });
        }
        start::note_changed_velocities(world, state);
        for note in left_out {
            state.note(note);
        }
        match world.method {
            ContactMethod::Smooth => start::begin_touches(world, state, scratch)?,
            ContactMethod::Nonsmooth { step, .. } => state.step = step,
        }
        if let Some(equilibrium) = settled {
            // Bodies that rest on each other overlap intentionally.
            state.notes.retain(|note| !matches!(note, Note::Overlap { .. }));
            equilibrium.set_friction_memory(world, state);
            state.note(equilibrium.note);
        }
        scratch.evaluate_state(world, state);
        scratch.update_start_quantities(&StepInput::at(world, state));
        let energies = state.energies(world);
        state.initial = energies.kinetic + energies.potential + energies.stored;
        state.counts.add(std::mem::take(&mut scratch.counts), world);
        Ok(run)
    }

    /// Continues from a state, with exactly the same results as an uninterrupted run.
    pub fn resume(world: &'w World, mut state: State) -> Self {
        Scratch::reserve(world, &mut state);
        let scratch = Scratch::new(world, &state);
        let nonsmooth = nonsmooth::Stepper::new(world);
        let islands = Islands::of(world);
        Self { world, state, scratch, islands, nonsmooth, stalled: 0 }
    }

    /// Makes all bodies take common steps, for comparison.
    #[cfg(test)]
    pub(crate) fn with_common_steps(self) -> Self {
        Self { islands: None, ..self }
    }

    /// Returns the present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Reports the existing touches to an observer as if they began now.
    pub(crate) fn show_touches(&self, observer: &mut impl Observer) {
        for touch in &self.state.touches {
            observer.began(self.world, self.state.time, touch);
        }
    }

    /// Runs until a time (s).
    ///
    /// # Errors
    /// When a step cannot be made small enough, a contact cannot begin, or the energy ledger does not close.
    pub fn advance(&mut self, until: f64) -> Result<()> {
        self.advance_with(until, &mut ())
    }

    /// Runs until a time (s), with an observer.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn advance_with(&mut self, until: f64, observer: &mut impl Observer) -> Result<()> {
        while self.state.time < until {
            self.step(until, observer)?;
        }
        self.state.audit(self.world, None, 0.0)
    }

    /// Sets the forces and torques of the motors that are set from outside, in the order of [`World::held_motors`]. They are held
    /// until they are set again.
    pub fn set_efforts(&mut self, efforts: &[f64]) {
        let Self { world, state, scratch, .. } = self;
        for (held, effort) in state.held_efforts.iter_mut().zip(efforts) {
            *held = *effort;
        }
        scratch.evaluate_state(world, state);
        scratch.update_start_quantities(&StepInput::at(world, state));
    }

    /// Takes one step, at most until a time (s). Islands that have stayed apart for a while take a window of steps each, after
    /// which all are at the same time again (`window.rs`).
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn step(&mut self, until: f64, observer: &mut impl Observer) -> Result<()> {
        let Self { world, state, scratch, islands, nonsmooth, stalled } = self;
        if let Some(stepper) = nonsmooth {
            stepper.step(world, state, until, observer)?;
            if observer.wants_steps() {
                observer.stepped(&Sample::of(world, state));
            }
            return Ok(());
        }
        if let Some(islands) = islands
            && state.windows.are_due()
            && islands.take_window(world, state, next_length(state, scratch), until, observer)?
        {
            scratch.restart(world, state);
            return Ok(());
        }
        let located = step::find(world, state, scratch, stalled, until)?;
        let input = StepInput { world, state, horizon: located.horizon };
        step::sample(&input, scratch, &located, observer);
        for change in step::apply(world, state, scratch, &located)? {
            match change {
                Change::Began(touch) => observer.began(world, state.time, touch),
                Change::Ended(ended) => observer.ended(world, ended),
            }
        }
        if observer.wants_steps() {
            observer.stepped(&Sample::of(world, state));
        }
        if let Some(islands) = islands {
            islands.count_common_step(world, state);
        }
        Ok(())
    }

    /// Returns whether the next step may depend on the time at which the run ends, because it would reach that time if nothing
    /// cut it short. Up to this state, a run with a longer duration is identical.
    pub fn end_matters(&self, until: f64) -> bool {
        let next = next_length(&self.state, &self.scratch);
        let next = match self.islands.is_some() && self.state.windows.are_due() {
            true => next.max(window::length(&self.state, next)),
            false => next,
        };
        !(self.state.time + next < until)
    }
}

/// Returns the length of the next step (s), unless something cuts it short.
fn next_length(state: &State, scratch: &Scratch) -> f64 {
    if state.step > 0.0 { state.step } else { step::first_length(state, scratch) }
}
