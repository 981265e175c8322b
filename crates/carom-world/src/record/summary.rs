//! The results of a simulation in short.

use crate::ledger::ContactEnergy;
use crate::note::{Note, NoteSummary};
use crate::{Energies, Scene, State};
use serde::Serialize;

/// The results of the simulation of a scene.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Title of the scene.
    pub title: String,
    /// Time reached (s).
    pub time: f64,
    /// Whether the end is reached.
    pub finished: bool,
    /// Steps accepted.
    pub steps: u64,
    /// Steps refused.
    pub refused: u64,
    /// Evaluations of all forces.
    pub evaluations: u64,
    /// The energy ledger.
    pub energy: Energies,
    /// Energy turned over in the scene (J): the largest kinetic and stored energy, and all works and losses.
    pub turned: f64,
    /// Results of every contact.
    pub contacts: Vec<ContactSummary>,
    /// Warnings.
    pub notes: Vec<NoteSummary>,
}

/// The results of a contact.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ContactSummary {
    /// Its name.
    pub contact: String,
    /// Touches so far.
    pub touches: usize,
    /// Touches that last.
    pub touching: usize,
    /// Lost by its law (J).
    pub lost: f64,
    /// Lost to friction (J).
    pub friction: f64,
}

impl Summary {
    /// Of a state; `energy_max` is the largest sum of kinetic and stored energy that was seen (J).
    pub(super) fn new(scene: &Scene, state: &State, energy_max: f64) -> Self {
        let world = &scene.world;
        let energy = state.energies(world);
        let named = world.contacts().iter().zip(state.contact_energies(world));
        let contacts: Vec<_> = named
            .map(|(contact, ContactEnergy { touches, touching, lost, friction, .. })| {
                let contact = contact.name.clone();
                ContactSummary { contact, touches, touching, lost, friction }
            })
            .collect();
        let mut notes: Vec<_> = state.notes().iter().map(NoteSummary::of).collect();
        let turned = energy.turned_over(energy_max);
        let allowed = state.allowed(world, &energy, scene.energy_tolerance, energy_max);
        if energy.error.abs() > allowed {
            notes.push(NoteSummary::of(&Note::Energy { error: energy.error, allowed }));
        }
        for (contact, of) in contacts.iter().enumerate().filter(|(_, of)| -of.lost > allowed) {
            let name = of.contact.clone();
            notes.push(NoteSummary::of(&Note::Gain { contact, name, gained: -of.lost }));
        }
        Self {
            title: scene.title.clone(),
            time: state.time,
            finished: state.time >= scene.duration,
            steps: state.counts.steps,
            refused: state.counts.refused,
            evaluations: state.counts.evaluations,
            energy,
            turned,
            contacts,
            notes,
        }
    }
}
