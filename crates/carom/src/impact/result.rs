//! Conversion of an integrated contact to the results of an impact.

use super::{Energy, Impact, Impulse, Note, Restitution};
use crate::error::Result;
use crate::law::Law;
use crate::law::contact_phase::{ContactResult, Motion, overflow};

impl ContactResult {
    /// Computes the work of the contact force from onset to a state (J).
    fn work(&self, y: &Motion, speed: f64) -> f64 {
        0.5 * self.mass * (speed * speed - y[1] * y[1]) + self.external * y[0]
    }

    /// Computes restitutions, impulses, energies and notes of this contact.
    pub fn impact(&self, law: &Law, speed: f64) -> Result<Impact> {
        let (turn, time_of_turn) = &self.turn;
        let initial = 0.5 * self.mass * speed * speed;
        let momentum = |y: &Motion, t: f64| self.mass * (speed - y[1]) + self.external * t;
        let compression = momentum(turn, *time_of_turn);
        let restitution = match self.separated {
            true => momentum(&self.end, self.duration) - compression,
            false => f64::NAN,
        };
        let impulse = Impulse { compression, restitution };
        let (work_in, work) = (self.work(turn, speed), self.work(&self.end, speed));
        // A loss of the size of rounding errors, of either sign, is set to zero.
        let lost = |energy: f64| if energy.abs() < 1e-10 * initial { 0.0 } else { energy };
        let mut notes = Vec::new();
        if self.tensile {
            notes.push(Note::TensileForce);
        }
        if !self.separated {
            notes.push(match self.release < 0.0 {
                true => Note::Sticks,
                false if self.external > 0.0 => Note::Rests { indentation: self.end[0] },
                false => Note::NeverSeparates { epsilon: None, exit: law.exit },
            });
        }
        let numbers = [self.force_max.0, turn[0], work_in];
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(overflow(format!("the largest force is {} N", self.force_max.0)));
        }
        let ratio = |a: f64, b: f64| if self.separated { (a / b).max(0.0) } else { 0.0 };
        let end_energy = if self.separated { work } else { work - self.stored.1 };
        if end_energy < -1e-6 * initial {
            notes.push(Note::Gain { gained: -end_energy });
        }
        Ok(Impact {
            speed,
            restitution: Restitution {
                newton: self.newton(speed),
                poisson: ratio(impulse.restitution, impulse.compression),
                stronge: ratio(work_in - work, work_in).sqrt(),
            },
            duration: self.duration,
            indentation_max: turn[0],
            time_of_indentation_max: *time_of_turn,
            force_max: self.force_max.0,
            time_of_force_max: self.force_max.1,
            residual_indentation: self.end[0],
            impulse,
            energy: Energy {
                initial,
                lost_in_compression: lost(work_in - self.stored.0),
                lost_in_restitution: lost(end_energy - (work_in - self.stored.0)),
            },
            notes,
        })
    }

    /// Returns the time of the first turn (s).
    pub fn time_of_turn(&self) -> f64 {
        self.turn.1
    }

    /// Returns the indentation at the first turn (m).
    pub fn indentation_at_turn(&self) -> f64 {
        self.turn.0[0]
    }
}
