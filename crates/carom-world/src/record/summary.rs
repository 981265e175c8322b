//! Summary of the results of a simulation.

use crate::ledger::ContactEnergy;
use crate::note::{Note, NoteSummary};
use crate::{ContactMethod, Energies, ImpactClass, ImpactLaw, Scene, State};
use serde::Serialize;

/// Results of the simulation of a scene.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Title of the scene.
    pub title: String,
    /// Time reached (s).
    pub time: f64,
    /// Whether the end of the run is reached.
    pub finished: bool,
    /// Number of accepted steps.
    pub steps: u64,
    /// Number of rejected steps.
    pub refused: u64,
    /// Number of evaluations of all forces.
    pub evaluations: u64,
    /// Fixed step of the nonsmooth method, and its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonsmooth: Option<NonsmoothSummary>,
    /// Energy ledger.
    pub energy: Energies,
    /// Energy turned over in the scene (J): the largest kinetic and stored energy, and all works and losses.
    pub turned: f64,
    /// Results of every contact.
    pub contacts: Vec<ContactSummary>,
    /// Warnings.
    pub notes: Vec<NoteSummary>,
}

/// Results of a contact.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ContactSummary {
    /// Name of the contact.
    pub contact: String,
    /// Number of touches so far.
    pub touches: usize,
    /// Number of touches in progress.
    pub touching: usize,
    /// Number of touches by the class of impact with which they began.
    pub classes: ClassCounts,
    /// Energy lost by the contact law (J).
    pub lost: f64,
    /// Energy lost to friction (J).
    pub friction: f64,
}

/// Results that are specific to the nonsmooth method.
#[derive(Clone, Debug, Serialize)]
pub struct NonsmoothSummary {
    /// Impact law: `newton` or `poisson`.
    pub impact_law: &'static str,
    /// Length of the fixed step (s); times of impacts are known to within one step.
    pub step: f64,
    /// Largest overlap of rigid bodies (m), which is an error of the fixed step.
    pub overlap_max: f64,
}

/// Number of touches by class of impact.
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
    /// Creates the counts from an array in the order of the class numbers.
    fn of(counts: [usize; 4]) -> Self {
        let [central_collinear, central_oblique, eccentric_collinear, eccentric_oblique] = counts;
        Self { central_collinear, central_oblique, eccentric_collinear, eccentric_oblique }
    }

    /// Returns the names of the classes with their counts.
    pub fn named(self) -> [(&'static str, usize); 4] {
        let Self { central_collinear, central_oblique, eccentric_collinear, eccentric_oblique } =
            self;
        let counts = [central_collinear, central_oblique, eccentric_collinear, eccentric_oblique];
        std::array::from_fn(|i| (ImpactClass::NAMES[i], counts[i]))
    }
}

impl Summary {
    /// Creates the summary of a state; `energy_max` is the largest observed sum of kinetic and stored energy (J).
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
        let allowed = state.allowed_error(world, &energy, scene.energy_tolerance, energy_max);
        if energy.error.abs() > allowed {
            notes.push(NoteSummary::of(&Note::Energy { error: energy.error, allowed }));
        }
        for (contact, of) in contacts.iter().enumerate() {
            // In the nonsmooth method, losses along the normal and to friction count together, because a gain of one may be
            // balanced by the other.
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
