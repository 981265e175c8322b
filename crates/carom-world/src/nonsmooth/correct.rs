//! Correction of velocity-dependent forces for the change of velocity by the contacts.
//!
//! The velocity in the middle of a step, (v + v⁺)/2, is only known when the contacts have been solved. Until then, forces
//! are evaluated with the velocities that the bodies would have without contacts. Afterwards the forces are evaluated again;
//! the resulting difference is added to the velocities, and the contacts are solved once more, starting from the impulses
//! found before. Bodies that no contact acts on, not even through joints, springs or motors, are left unchanged, so that
//! they do not depend on other bodies.

use super::Stepper;
use super::active::{joined, parts};
use super::rows::BodyVelocity;
use crate::input::StepInput;
use crate::state::State;
use crate::world::World;

/// Changes of a velocity below this fraction of the largest velocity at the contacts are rounding.
const ROUNDING: f64 = 1e-15;

impl Stepper {
    /// Evaluates the forces again and solves the islands whose contacts are affected.
    pub(super) fn correct_forces(&mut self, world: &World, state: &mut State, ended: f64) {
        if !self.depends_on_velocity || self.islands.count() == 0 {
            return;
        }
        let reached = self.reached_by_contacts(world);
        let length = ended - state.time;
        let input = StepInput::at(world, state);
        let layout = input.layout();
        for (slot, &body) in world.free.iter().enumerate() {
            if reached[slot] {
                let (before, after) = (self.before[body], self.after[body]);
                let (v, w) = parts(std::array::from_fn(|i| 0.5 * (before[i] + after[i])));
                layout.set_velocities(&mut self.middle, slot, v, w);
            }
        }
        let time = state.time + 0.5 * length;
        self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
        let mut changes: Vec<BodyVelocity> = vec![[0.0; 6]; world.bodies.len()];
        for (slot, &body) in world.free.iter().enumerate() {
            if reached[slot] {
                let (a, alpha) = self.evaluation.acceleration[body];
                let gained = joined(a * length, alpha * length);
                for i in 0..6 {
                    changes[body][i] = gained[i] - self.force_changes[body][i];
                    self.after[body][i] += changes[body][i];
                }
            }
        }
        state.counts.evaluations += 1;
        state.counts.body_evaluations += world.free.len() as u64;
        for island in 0..self.islands.count() {
            let rows = &self.contacts.rows;
            let moved = self.islands.contacts(island).iter().any(|&index| {
                let changed = rows[index].velocity(&changes);
                changed.iter().any(|u| u.abs() > ROUNDING * self.scales[island])
            });
            if moved {
                self.solve_again(state, island);
            }
        }
    }

    /// Returns which free bodies respond to a contact, or are connected with one that does.
    fn reached_by_contacts(&self, world: &World) -> Vec<bool> {
        let free = world.free.len();
        let mut roots = vec![false; free];
        for (body, _) in self.contacts.rows.iter().flat_map(|rows| &rows.responses) {
            if let Some(slot) = world.columns.free_index[*body] {
                roots[self.linked.root(slot)] = true;
            }
        }
        (0..free).map(|slot| roots[self.linked.root(slot)]).collect()
    }
}
