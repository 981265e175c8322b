//! Simulates an impact with fixed steps: the result is the mean over the position of the onset within a step.
//!
//! Engines with a fixed step do not locate the onset of contact. The indentation after the first step, and with it
//! the rebound, depends on where within the step the onset falls. This phase is arbitrary, so the result is the mean
//! over equally spaced phases, together with the range of values over the phases.
//!
//! Before and after the contact, positions lie on a parabola. Speeds are those of this parabola at zero indentation,
//! so that the restitution is the square root of the ratio of the heights. A semi-implicit step moves positions along
//! a parabola whose speed is ahead of the velocity that the engine reports by half a step of gravity.

use super::engine::{Contact, Mechanics, State};
use crate::numeric::random;

/// Results of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Rebound speed divided by impact speed, mean over the phases.
    pub restitution: f64,
    /// Smallest and largest restitution over the phases.
    pub restitution_range: [f64; 2],
    /// Time during which a force acts (s); `None` if the bodies do not separate for some phase.
    pub duration: Option<f64>,
    /// Largest indentation (m).
    pub penetration: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Number of steps with a force.
    pub steps: f64,
}

/// Result of an impact with a given phase.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PhaseImpact {
    restitution: f64,
    stays: bool,
    penetration: f64,
    force_max: f64,
    steps: usize,
    /// Hash of the sequence of steps with and without force: for phases with the same sequence the impact is the same
    /// smooth function of the phase.
    decisions: u64,
}

/// Number of phases of the onset within a step over which results are averaged.
const PHASES: usize = 16;
/// Number of phases for contacts that last many steps, which depend little on the phase; and the number of steps
/// above which it is used.
const PHASES_OF_LONG_CONTACTS: usize = 4;
const STEPS_OF_LONG_CONTACTS: usize = 2000;
/// Number of steps after which the simulation of a contact is ended.
const STEPS_MAX: usize = 300_000;

/// Computes the impact at a speed (m/s) with a step (s).
pub fn impact(contact: &Contact, mechanics: &Mechanics, step: f64, speed: f64) -> Outcome {
    let one = |phase: f64| impact_at_phase(contact, mechanics, step, speed, phase);
    let middle = one(0.5);
    let count =
        if middle.steps > STEPS_OF_LONG_CONTACTS { PHASES_OF_LONG_CONTACTS } else { PHASES };
    let all: Vec<PhaseImpact> = match middle.steps > STEPS_MAX / 4 {
        true => vec![middle],
        false => (0..count).map(|i| one((i as f64 + 0.5) / count as f64)).collect(),
    };
    let mean =
        |of: &dyn Fn(&PhaseImpact) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    let (low, high) = all.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), one| {
        (low.min(one.restitution), high.max(one.restitution))
    });
    let steps = mean(&|one| one.steps as f64);
    Outcome {
        restitution: mean(&|one| one.restitution),
        restitution_range: [low, high],
        duration: (!all.iter().any(|one| one.stays)).then_some(steps * step),
        penetration: mean(&|one| one.penetration),
        force_max: mean(&|one| one.force_max),
        steps,
    }
}

/// Returns the restitution for an onset at this fraction of a step, and the hash of the sequence of steps with force;
/// `None` if the bodies do not separate.
pub fn restitution_at(
    contact: &Contact,
    mechanics: &Mechanics,
    step: f64,
    speed: f64,
    phase: f64,
) -> Option<(f64, u64)> {
    let one = impact_at_phase(contact, mechanics, step, speed, phase);
    (!one.stays).then_some((one.restitution, one.decisions))
}

/// Simulates the impact with an initial gap for which free flight would touch after this fraction of a step.
fn impact_at_phase(
    contact: &Contact,
    mechanics: &Mechanics,
    step: f64,
    speed: f64,
    phase: f64,
) -> PhaseImpact {
    let gap = contact.reach() + phase * step * speed;
    let square = speed * speed - 2.0 * mechanics.acceleration * gap;
    let ahead = if contact.is_semi_implicit() { 0.5 * step * mechanics.acceleration } else { 0.0 };
    let mut state = State { indentation: -gap, rate: square.max(0.0).sqrt() - ahead };
    let mut found = PhaseImpact {
        restitution: 0.0,
        stays: true,
        penetration: 0.0,
        force_max: 0.0,
        steps: 0,
        decisions: 0,
    };
    let (mut touched, mut calm) = (false, 0);
    for _ in 0..STEPS_MAX {
        let (next, force) = contact.advance(mechanics, step, state);
        state = next;
        found.penetration = found.penetration.max(state.indentation);
        found.force_max = found.force_max.max(force);
        touched |= force > 0.0;
        found.decisions = random::bits(found.decisions, u64::from(force > 0.0));
        found.steps += usize::from(force > 0.0);
        let apart = -state.indentation >= contact.reach() || force == 0.0;
        if touched && apart && state.rate < 0.0 && state.indentation <= 0.0 {
            // Speed of the parabola at zero indentation.
            let square =
                (state.rate + ahead).powi(2) - 2.0 * mechanics.acceleration * state.indentation;
            found.restitution = square.max(0.0).sqrt() / speed;
            found.stays = false;
            return found;
        }
        if !(state.rate.abs() < 1e6 * speed) {
            // The step produces energy without limit.
            return PhaseImpact { restitution: f64::INFINITY, stays: false, ..found };
        }
        calm = if touched && state.rate.abs() < 1e-4 * speed { calm + 1 } else { 0 };
        if calm > 200 {
            return found;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::engine::mujoco::{Contact as Mujoco, Integrator, spring_damper};
    use super::super::engine::{bullet, dart, drake};
    use super::*;
    use crate::law::{Damper, Exit, Law, Power};

    const FREE: Mechanics =
        Mechanics { mobility: 0.5, mobility_estimate: 0.5, acceleration: 0.0, points: 1.0 };

    fn spring(k: f64, b: f64, integrator: Integrator) -> Contact {
        let (stiffness, damping) = spring_damper([-k, -b], 0.9999, None);
        let impedance = [0.9999, 0.9999, 0.001, 0.5, 2.0];
        Contact::Mujoco(Mujoco {
            stiffness,
            damping,
            impedance,
            margin: 0.0,
            cone: 1.0,
            integrator,
        })
    }

    /// In the limit of small steps the contact is the law that `export` writes for MuJoCo.
    #[test]
    fn mujoco_with_small_steps_is_the_law_of_the_export() {
        let (mass, k, b) = (2.0, 1e4, 40.0);
        let law = Law::new(
            mass,
            Exit::ZeroForce,
            Power::new(k * mass, 1.0, 0.0, 1.0, Damper::Coefficient(b * mass)),
        );
        let exact = crate::collide(&law, 0.7).unwrap();
        let found = impact(&spring(k, b, Integrator::SemiImplicit), &FREE, 2e-6, 0.7);
        assert!((found.restitution / exact.restitution.newton - 1.0).abs() < 1e-3);
        assert!((found.duration.unwrap() / exact.duration - 1.0).abs() < 1e-3);
        assert!((found.force_max / exact.force_max - 1.0).abs() < 1e-3);
        assert!((found.penetration / exact.indentation_max - 1.0).abs() < 1e-3);
    }

    /// In the limit of small steps the contact is the law that `export` writes for Drake, the one of Hunt and
    /// Crossley.
    #[test]
    fn drake_with_small_steps_is_the_law_of_the_export() {
        let (mass, k, d) = (2.0, 2e4, 0.6);
        let law = Law::new(
            mass,
            Exit::ZeroForce,
            Power::new(k, 1.0, 1.0, 1.0, Damper::Coefficient(d * k)),
        );
        let exact = crate::collide(&law, 0.7).unwrap();
        let contact =
            Contact::Drake(drake::Contact { stiffness: k, dissipation: d, share: 1.0, rest: 0.0 });
        let found = impact(&contact, &FREE, 5e-6, 0.7);
        assert!((found.restitution / exact.restitution.newton - 1.0).abs() < 1e-3);
        assert!((found.force_max / exact.force_max - 1.0).abs() < 1e-3);
    }

    #[test]
    fn runge_kutta_is_nearer_to_the_limit_than_euler() {
        let limit =
            impact(&spring(1e4, 40.0, Integrator::RungeKutta), &FREE, 1e-6, 0.7).restitution;
        let error = |integrator| {
            (impact(&spring(1e4, 40.0, integrator), &FREE, 1e-3, 0.7).restitution - limit).abs()
        };
        assert!(error(Integrator::RungeKutta) < error(Integrator::SemiImplicit));
    }

    /// Compares with positions and velocities computed by PyBullet 3.2.7 and DART 6.20 for a ball of 1 kg, after
    /// single steps.
    #[test]
    fn impulses_are_those_of_the_engines() {
        let mechanics =
            Mechanics { mobility: 1.0, mobility_estimate: 1.0, acceleration: 9.81, points: 1.0 };
        let after = |contact: Contact, step: f64, gap: f64, speed: f64, steps: usize| {
            let start = State { indentation: -gap, rate: speed };
            (0..steps).fold(start, |state, _| contact.advance(&mechanics, step, state).0)
        };
        let bullet = |restitution, spring| {
            Contact::Bullet(bullet::Contact {
                restitution,
                spring,
                reach: bullet::sphere_reach(0.05, 0.02),
                slop: bullet::SLOP,
                threshold: bullet::THRESHOLD,
                reduction: bullet::REDUCTION,
            })
        };
        let found = after(bullet(0.5, None), 1.0 / 240.0, 0.003, 1.0, 2);
        assert!((found.rate + 0.5663529999999999).abs() < 1e-12);
        let found = after(bullet(0.0, Some((20000.0, 30.1))), 1.0 / 240.0, 0.003, 1.0, 3);
        assert!(
            (found.rate - 0.244991473).abs() < 1e-9
                && (found.indentation - 5.10558911e-3).abs() < 1e-11
        );
        let dart = Contact::Dart(dart::Contact { restitution: 0.8 });
        let found = after(dart, 0.001, 0.0003, 1.0, 2);
        assert!((found.rate + 0.8156776470235299).abs() < 1e-12);
    }
}
