//! Motion of a contact with dense output, which gives the state at any time, as required for fits.

use super::{Conditions, check_impact};
use crate::error::Result;
use crate::law::contact_phase::{ContactIntegrator, DenseStep, internal};
use crate::law::{Force, Law, Memory, Work};

/// Indentation, rate and memory of a contact at one instant: the arguments of a law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactState {
    pub delta: f64,
    pub rate: f64,
    /// Memory with the time since onset and the internal state at this instant.
    pub memory: Memory,
}

/// Accepted steps of a law, without and with an internal state.
enum Steps {
    Plain(Vec<DenseStep<2>>),
    Internal(Vec<DenseStep<3>>),
}

/// Motion of a contact: all accepted steps with their dense output.
pub(crate) struct ContactMotion {
    steps: Steps,
    /// Time at the end of each step (s).
    ends: Vec<f64>,
    /// End of contact (s); if contact never ends, the end of the time that is evaluated.
    pub end: f64,
    /// Time of the largest indentation (s).
    pub turn: f64,
    pub separated: bool,
    pub mass: f64,
    pub external: f64,
    pub force_max: (f64, f64),
}

impl ContactMotion {
    /// Integrates the contact of an impact at `speed`.
    pub fn new(law: &Law, speed: f64, conditions: &Conditions) -> Result<Self> {
        check_impact(law, speed, conditions)?;
        struct Run<'a>(&'a Law, f64, f64);
        impl Work for Run<'_> {
            type Output = Result<ContactMotion>;
            fn run<F: Force>(self, form: F) -> Result<ContactMotion> {
                match F::INTERNAL {
                    true => self.integrate::<F, 3>(form, Steps::Internal),
                    false => self.integrate::<F, 2>(form, Steps::Plain),
                }
            }
        }
        impl Run<'_> {
            fn integrate<F: Force, const N: usize>(
                self,
                form: F,
                keep: fn(Vec<DenseStep<N>>) -> Steps,
            ) -> Result<ContactMotion> {
                let Run(law, speed, external) = self;
                let memory = form.touch(law.mass, speed);
                let integrator = ContactIntegrator::new(form, law.mass, law.exit, external);
                let mut steps = Vec::with_capacity(64);
                let result = integrator.integrate(memory, Some(&mut steps), true)?;
                let (turn, end) = match (result.time_of_turn(), result.duration) {
                    (turn, end) if end.is_finite() => (turn, end),
                    (turn, _) if turn.is_finite() => (turn, 5.0 * turn),
                    // The contact comes to rest under an external force without a turn: the motion extends to the
                    // last step.
                    _ => {
                        let integrated = steps.last().map_or(0.0, |step: &DenseStep<N>| step.end);
                        (integrated, integrated)
                    }
                };
                Ok(ContactMotion {
                    ends: steps.iter().map(|step| step.end).collect(),
                    steps: keep(steps),
                    end,
                    turn,
                    separated: result.separated,
                    mass: law.mass,
                    external,
                    force_max: result.force_max,
                })
            }
        }
        law.with(Run(law, speed, conditions.external_force))
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns start and end of a step (s); `None` beyond the last step.
    pub fn span(&self, step: usize) -> Option<(f64, f64)> {
        let end = *self.ends.get(step)?;
        let start = step.checked_sub(1).map_or(0.0, |before| self.ends[before]);
        Some((start, end))
    }

    /// Computes the state at a time within a step.
    pub fn within(&self, step: usize, t: f64) -> Option<ContactState> {
        match &self.steps {
            Steps::Plain(steps) => steps.get(step).map(|step| state_in_step(step, t)),
            Steps::Internal(steps) => steps.get(step).map(|step| state_in_step(step, t)),
        }
    }

    /// Returns the index of the step that contains a time since onset.
    pub fn step_at(&self, t: f64) -> usize {
        let found = self.ends.partition_point(|end| *end < t);
        found.min(self.len().saturating_sub(1))
    }

    /// Computes the state at a time since onset; `None` outside the contact.
    pub fn at(&self, t: f64) -> Option<ContactState> {
        match (0.0..=self.end).contains(&t) {
            true => self.within(self.step_at(t), t),
            false => None,
        }
    }
}

/// Computes the state at a time within a step.
fn state_in_step<const N: usize>(
    DenseStep { dense, memory, end }: &DenseStep<N>,
    t: f64,
) -> ContactState {
    // A contact that creeps beyond the last step keeps the state at its end.
    let t = t.min(*end);
    let y = dense.at(t);
    let memory = Memory { time: t, internal: internal(&y, memory), ..*memory };
    ContactState { delta: y[0], rate: y[1], memory }
}
