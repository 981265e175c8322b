//! The results of a simulation in short.

use crate::ledger::ContactEnergy;
use crate::note::{Note, NoteSummary};
use crate::{ContactMethod, Energies, ImpactClass, ImpactLaw, Scene, State};
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
    /// The fixed step and its error, of the nonsmooth method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonsmooth: Option<NonsmoothSummary>,
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
    /// How many of its touches began as each class of impact.
    pub classes: ClassCounts,
    /// Lost by its law (J).
    pub lost: f64,
    /// Lost to friction (J).
    pub friction: f64,
}

/// The nonsmooth method in short.
#[derive(Clone, Debug, Serialize)]
pub struct NonsmoothSummary {
    /// `newton` or `poisson`.
    pub impact_law: &'static str,
    /// The fixed step (s): impacts are known to within one.
    pub step: f64,
    /// Largest overlap of rigid bodies (m), an error of the step.
    pub overlap_max: f64,
}

/// Touches by class of impact.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ClassCounts {
    /// Centres of mass on the line of impact, no sliding.
    pub central_collinear: usize,
    /// Centres of mass on the line of impact, sliding.
    pub central_oblique: usize,
    /// A centre of mass off the line of impact, no sliding.
    pub eccentric_collinear: usize,
    /// A centre of mass off the line of impact, sliding.
    pub eccentric_oblique: usize,
}

impl ClassCounts {
    /// Counts by the number of the class.
    fn of(counts: [usize; 4]) -> Self {
        let [central_collinear, central_oblique, eccentric_collinear, eccentric_oblique] = counts;
        Self { central_collinear, central_oblique, eccentric_collinear, eccentric_oblique }
    }

    /// Names of the classes with their counts.
    pub fn named(self) -> [(&'static str, usize); 4] {
        let Self { central_collinear, central_oblique, eccentric_collinear, eccentric_oblique } =
            self;
        let counts = [central_collinear, central_oblique, eccentric_collinear, eccentric_oblique];
        std::array::from_fn(|i| (ImpactClass::NAMES[i], counts[i]))
    }
}

impl Summary {
    /// Of a state; `energy_max` is the largest sum of kinetic and stored energy that was seen (J).
    pub(super) fn new(scene: &Scene, state: &State, energy_max: f64) -> Self {
        let world = &scene.world;
        let energy = state.energies(world);
        let named = world.contacts().iter().zip(state.contact_energies(world));
        let contacts: Vec<_> = named
            .zip(state.accounts())
            .map(|((contact, energy), account)| {
                let ContactEnergy { touches, touching, lost, friction, .. } = energy;
                let (contact, classes) = (contact.name.clone(), ClassCounts::of(account.classes));
                ContactSummary { contact, touches, touching, classes, lost, friction }
            })
            .collect();
        let mut notes: Vec<_> = state.notes().iter().map(NoteSummary::of).collect();
        let turned = energy.turned_over(energy_max);
        let allowed = state.allowed(world, &energy, scene.energy_tolerance, energy_max);
        if energy.error.abs() > allowed {
            notes.push(NoteSummary::of(&Note::Energy { error: energy.error, allowed }));
        }
        for (contact, of) in contacts.iter().enumerate() {
            // Of impulses, what is lost along the normal and to friction counts together: one may pay for the other.
            let gained = match world.method {
                ContactMethod::Smooth => -of.lost,
                ContactMethod::Nonsmooth { .. } => -of.lost - of.friction,
            };
            if gained > allowed {
                let name = of.contact.clone();
                notes.push(NoteSummary::of(&Note::Gain { contact, name, gained }));
            }
        }
        Self {
            title: scene.title.clone(),
            time: state.time,
            finished: state.time >= scene.duration,
            steps: state.counts.steps,
            refused: state.counts.refused,
            evaluations: state.counts.evaluations,
            nonsmooth: match world.method {
                ContactMethod::Smooth => None,
                ContactMethod::Nonsmooth { step, law } => {
                    let impact_law = ImpactLaw::ALL.iter().find(|(_, known)| *known == law);
                    let impact_law = impact_law.map_or("", |(name, _)| name);
                    let overlap_max = state.overlap_max();
                    Some(NonsmoothSummary { impact_law, step, overlap_max })
                }
            },
            energy,
            turned,
            contacts,
            notes,
        }
    }
}
