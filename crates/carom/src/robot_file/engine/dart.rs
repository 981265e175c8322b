//! DART: impulses with a restitution.
//!
//! # Equation
//! Overlapping bodies receive the impulse that makes the separation speed e·v if that is above 0.1 m/s, and otherwise
//! min(0.01·δ/h, 1 mm/s), which separates them slowly. Constraint force mixing reduces impulses by the factor
//! 1 − 10⁻⁵.
//!
//! # Reference
//! DART aa2f31e8, `dart/constraint/contact_constraint.cpp`.

use super::{Mechanics, State, semi_implicit_euler};

const MIXING: f64 = 1e-5;
const RESTITUTION_MIN: f64 = 1e-3;
/// Rebound speed below which there is no rebound (m/s).
pub const BOUNCE_MIN: f64 = 0.1;
const BOUNCE_MAX: f64 = 100.0;
const REDUCTION: f64 = 0.01;
const REDUCTION_MAX: f64 = 1e-3;

/// Contact of DART.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub restitution: f64,
}

impl Contact {
    /// Advances the contact by one step.
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * mechanics.acceleration;
        if state.indentation < 0.0 {
            return (semi_implicit_euler(state, free, step), 0.0);
        }
        let mut wanted = (REDUCTION * state.indentation / step).min(REDUCTION_MAX);
        let bounce = self.restitution * free;
        if self.restitution > RESTITUTION_MIN && bounce > BOUNCE_MIN.max(wanted) {
            wanted = bounce.min(BOUNCE_MAX);
        }
        let change = (free + wanted).max(0.0) / (1.0 + MIXING);
        (semi_implicit_euler(state, free - change, step), change / step / mechanics.mobility)
    }
}
