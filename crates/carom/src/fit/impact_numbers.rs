//! The results of an impact (restitution, duration, largest force, largest indentation) with their derivatives.
//!
//! The derivatives follow from the variational equations (`fit/sensitivity.rs`) at three instants:
//!
//! - the largest force changes like the force at its instant (the shift of the instant has no effect, because
//!   dF/dt = 0 there),
//! - the largest indentation changes like the indentation at the turn, for the same reason,
//! - the end of contact shifts by dT (`fit/ending.rs`); the rebound speed changes by its own sensitivity and by dT
//!   times the acceleration.

use super::ending;
use super::sensitivity;
use super::slopes::Variation;
use crate::error::{Error, Result};
use crate::impact::{Conditions, ContactMotion};
use crate::law::Law;

/// A result of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Restitution,
    Duration,
    Force,
    Indentation,
}

/// Names of the results of an impact that are fitted and differentiated: restitution, duration (s), largest force (N)
/// and largest indentation (m).
pub const GRADIENT_OUTPUTS: [&str; 4] = ["restitution", "duration", "force_max", "indentation_max"];

impl Number {
    pub fn name(self) -> &'static str {
        GRADIENT_OUTPUTS[self as usize]
    }
}

/// Results of an impact in the order of [`GRADIENT_OUTPUTS`], and their derivatives.
pub(super) struct ImpactNumbers {
    pub values: [f64; 4],
    /// Derivatives, one entry per parameter.
    pub by: Vec<[f64; 4]>,
    /// Whether contact ends. If it does not, the restitution is 0, and the motion is followed for five times the time
    /// to the largest indentation, which is taken as its duration.
    pub separated: bool,
}

impl ImpactNumbers {
    /// Integrates the contact and the variational equations along it.
    pub fn new(
        law: &Law,
        speed: f64,
        conditions: &Conditions,
        variations: &[Variation],
    ) -> Result<Self> {
        let motion = ContactMotion::new(law, speed, conditions)?;
        let times = [motion.force_max.1, motion.turn, motion.end];
        let s = sensitivity::samples(&motion, law, variations, &times);
        let [_, Some(turn), Some(end)] = s.points[..] else {
            let reason = "the largest indentation lies outside the contact";
            return Err(Error::numerical("the motion of the contact", reason, "report it"));
        };
        // If the peak of the force is next to the largest indentation and no higher than the force there, it is taken
        // at the largest indentation: the force may be discontinuous beyond it.
        let beside = (motion.force_max.1 - motion.turn).abs() < 1e-6 * motion.turn;
        let level = (s.force[0] - s.force[1]).abs() < 1e-8 * s.force[0].abs();
        let peak = usize::from(beside && level);
        let acceleration = |i: usize| (motion.external - s.force[i]) / motion.mass;
        let criterion = ending::end_criterion(law, &end, turn.delta, s.force[0]);
        let restitution = if motion.separated { -end.rate / speed } else { 0.0 };
        let mut by = Vec::with_capacity(variations.len());
        for (p, variation) in variations.iter().enumerate() {
            let along = s.by_motion[p][2];
            let (later, rebound) = match motion.separated {
                true => {
                    let by = (variation, &s.law.one(p));
                    let later =
                        ending::end_time_derivative(&motion, law, criterion, &end, by, along);
                    let rate = along.rate + acceleration(2) * later;
                    (later, -(rate + restitution * variation.speed) / speed)
                }
                false => (-5.0 * s.by_motion[p][1].rate / acceleration(1), 0.0),
            };
            by.push([rebound, later, s.by_force[p][peak], s.by_motion[p][1].delta]);
        }
        let values = [restitution, motion.end, s.force[0], turn.delta];
        Ok(Self { values, by, separated: motion.separated })
    }
}
