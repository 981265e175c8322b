//! Location of events within a step: finding the crossing, ending a step on the event, and finding the largest value
//! in a step.
//!
//! An *event function* is positive until its event happens and not positive afterwards. Examples are δ̇ for the turn,
//! the force for the end of contact, and the gap for a touch. A step at whose end an event function is not positive
//! has crossed the event. Then
//!
//! 1. [`crossing`] finds the change of sign on the dense output of the step, for every event that was crossed, as a
//!    fraction of the step;
//! 2. [`earliest`] selects the first of them, because the others may no longer happen after it;
//! 3. [`locate`] takes the step again with the length that makes it end on the event, so that no step crosses a
//!    change of the equations. The dense output is one order less accurate than the step, and much less accurate
//!    across a kink. The length is therefore corrected by Newton's method, with a repeated step for each correction.
//!
//! [`peak`] finds the largest value of a function within a step, also on the dense output.
//!
//! This module is independent of the state of the system. Callers pass closures that evaluate an event function at a
//! fraction of the step, so that single contacts (arrays on the stack) and scenes ([`Stepper`](super::Stepper)) share
//! the code.
//!
//! ```
//! use carom::ode::events::{Corrections, Crossing, Retake, crossing, earliest, locate};
//! use carom::ode::Stepper;
//!
//! // A ball that falls from 1 m at 9.81 m/s²; the event is its touch with the ground, y = 0.
//! let fall = |_t: f64, y: &[f64], slope: &mut [f64]| (slope[0], slope[1]) = (y[1], -9.81);
//! struct Falling(Stepper);
//! impl Retake for Falling {
//!     fn retake(&mut self, length: f64) {
//!         self.0.again(&mut |_, y: &[f64], slope: &mut [f64]| (slope[0], slope[1]) = (y[1], -9.81), length);
//!     }
//!     fn value_and_rate(&mut self) -> (f64, f64) {
//!         (self.0.end()[0], self.0.end()[1])
//!     }
//! }
//! let mut ball = Falling(Stepper::default());
//! ball.0.step(&mut { fall }, 0.0, &[1.0, 0.0], &[0.0, -9.81], 0.6);
//! ball.0.interpolate(&mut { fall });
//! let mut y = [0.0; 2];
//! let fraction = crossing(0.0, 1.0, |x| {
//!     ball.0.at(0.6 * x, &mut y);
//!     y[0]
//! });
//! let first = earliest([Crossing { event: "touch", fraction }]).unwrap();
//! let length = locate(&mut ball, 0.6, first.fraction, Corrections::EXACT_RATE).length;
//! assert!((length - (2.0f64 / 9.81).sqrt()).abs() < 1e-13);
//! ```

use crate::numeric::extremum::maximum;
use crate::numeric::root::Bracket;

/// Accuracy of the position of a crossing, as a fraction of the step.
const CROSSING_WIDTH: f64 = 1e-13;

/// Corrections of the length of a step below this fraction of it are due to rounding.
const ROUNDING_LENGTH: f64 = 1e-13;

/// Accuracy of the position of a peak, as a fraction of the step; the error of the value is of the order of its
/// square.
const PEAK_WIDTH: f64 = 1e-7;

/// An event that a step crossed, and the fraction of the step at which it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<E> {
    /// The event.
    pub event: E,
    /// Position of the event, from 0 at the start of the step to 1 at its end.
    pub fraction: f64,
}

/// Returns the earliest of several crossings; of several at the same position, the first in the list.
pub fn earliest<E>(crossings: impl IntoIterator<Item = Crossing<E>>) -> Option<Crossing<E>> {
    crossings
        .into_iter()
        .reduce(|first, next| if next.fraction < first.fraction { next } else { first })
}

/// Finds the fraction of the step in (`from`, `until`] at which an event function ceases to be positive, given that
/// it is not positive at `until`. `value` evaluates it at a fraction of the step.
///
/// The returned fraction is on the side where the event has happened. At `from` the function is regarded as positive
/// even if rounding makes it zero or negative, because the previous event may have been located there.
pub fn crossing(from: f64, until: f64, mut value: impl FnMut(f64) -> f64) -> f64 {
    let ends = [(from, value(from)), (until, value(until))];
    crossing_between(ends, value)
}

/// Does the same as [`crossing`] if the values at both ends are known; `ends` are pairs of fraction and value.
#[inline]
pub fn crossing_between(ends: [(f64, f64); 2], mut value: impl FnMut(f64) -> f64) -> f64 {
    let ([mut a, mut b], from) = (ends, ends[0].0);
    if b.1 > 0.0 {
        return b.0;
    }
    while !(a.1 > 0.0) {
        if b.0 - from < CROSSING_WIDTH {
            return b.0;
        }
        let x = 0.5 * (from + b.0);
        let middle = (x, value(x));
        if middle.1 > 0.0 { a = middle } else { b = middle }
    }
    Bracket { a, b }.narrow(CROSSING_WIDTH, value).b.0
}

/// A step that can be taken again from its start with another length.
pub trait Retake {
    /// Takes the step again with this length.
    fn retake(&mut self, length: f64);

    /// Evaluates the event function at the end of the step and its time derivative there.
    fn value_and_rate(&mut self) -> (f64, f64);
}

/// Criteria by which [`locate`] ends the corrections of the length of a step. Fractions are relative to the whole
/// step.
#[derive(Clone, Copy, Debug)]
pub struct Corrections {
    /// Largest number of corrections.
    pub count: usize,
    /// A correction larger than this fraction is not made. The rate then does not lead to the event (a force may
    /// vanish on a plateau), and the crossing on the dense output is the better estimate.
    pub largest: f64,
    /// A correction below this fraction is the last one.
    pub converged: f64,
    /// A correction smaller than this fraction is not made but left to the caller, who extrapolates with the slope at
    /// the end.
    pub bridged: f64,
}

/// Result of taking a step again so that it ends on an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Length of the last step taken.
    pub length: f64,
    /// Time from the end of that step to the event if it is left to the caller, otherwise 0.
    pub left: f64,
}

impl Corrections {
    /// Criteria for rates that are exact or a difference over 10⁻⁵ of the step: after a correction of 10⁻⁸ an error
    /// of 10⁻¹³ remains.
    pub const EXACT_RATE: Self = Self { count: 8, largest: 1.0, converged: 1e-8, bridged: 0.0 };

    /// Returns criteria for a rate that was estimated once, on the dense output; corrections below `bridged` are left
    /// to the caller.
    pub const fn estimated_rate(bridged: f64) -> Self {
        Self { count: 3, largest: 1e-3, converged: ROUNDING_LENGTH, bridged }
    }
}

/// Takes a step of length `whole` again so that it ends on an event that it crossed at `fraction`.
pub fn locate(
    step: &mut impl Retake,
    whole: f64,
    fraction: f64,
    corrections: Corrections,
) -> Ending {
    let mut length = fraction * whole;
    step.retake(length);
    for _ in 0..corrections.count {
        let (value, rate) = step.value_and_rate();
        let next = length - value / rate;
        let change = (next - length).abs();
        let leads_there = next > 0.0 && next <= whole && change <= corrections.largest * whole;
        if !leads_there || change < ROUNDING_LENGTH * whole {
            break;
        }
        if change < corrections.bridged * whole {
            return Ending { length, left: next - length };
        }
        step.retake(next);
        length = next;
        if change < corrections.converged * whole {
            break;
        }
    }
    Ending { length, left: 0.0 }
}

/// Finds the largest value of a function within a step; returns its position as a fraction of the step, and the
/// value.
///
/// If the derivatives at both ends are given, with respect to the fraction of the step, the search begins at the
/// maximum of the cubic through both ends.
///
/// ```
/// use carom::ode::events::peak;
/// let (fraction, value) = peak(None, |x| x * (1.0 - x));
/// assert!((fraction - 0.5).abs() < 1e-7 && (value - 0.25).abs() < 1e-14);
/// let rates = Some((1.0, -1.0));
/// assert_eq!(peak(rates, |x| x * (1.0 - x)).0, 0.5);
/// ```
pub fn peak(rates: Option<(f64, f64)>, mut value: impl FnMut(f64) -> f64) -> (f64, f64) {
    let start = rates.map(|(rise, fall)| {
        let change = value(1.0) - value(0.0);
        let (bend, twist) = (3.0 * change - 2.0 * rise - fall, rise + fall - 2.0 * change);
        let root = (bend * bend - 3.0 * twist * rise).max(0.0).sqrt();
        rise / (root - bend)
    });
    maximum(0.0, 1.0, start, PEAK_WIDTH, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_the_end_of_what_is_positive() {
        let found = crossing(0.0, 1.0, |x| (0.3 - x) * (x + 1.0));
        assert!((0.3..0.3 + 2e-13).contains(&found));
        // A start that rounding left on the wrong side, and an end that it left on the right side.
        let found = crossing(0.0, 1.0, |x| x * (0.3 - x) - 1e-17);
        assert!((found - 0.3).abs() < 2e-13);
        assert_eq!(crossing(0.0, 1.0, |_| 1e-18), 1.0);
        // A function without positive values returns at once.
        assert!(crossing(0.0, 1.0, |_| -1.0) < CROSSING_WIDTH);
        assert!(crossing(0.2, 1.0, |_| f64::NAN) < 0.2 + CROSSING_WIDTH);
    }

    #[test]
    fn the_earliest_crossing_counts() {
        let crossings = [("a", 0.7), ("b", 0.2), ("c", 0.2)];
        let crossings = crossings.map(|(event, fraction)| Crossing { event, fraction });
        assert_eq!(earliest(crossings).map(|it| it.event), Some("b"));
        assert_eq!(earliest::<()>([]), None);
    }

    /// A step that counts how often it is taken; the event function is g(length).
    struct Counted<G>(G, f64, usize);
    impl<G: Fn(f64) -> (f64, f64)> Retake for Counted<G> {
        fn retake(&mut self, length: f64) {
            (self.1, self.2) = (length, self.2 + 1);
        }
        fn value_and_rate(&mut self) -> (f64, f64) {
            (self.0)(self.1)
        }
    }

    #[test]
    fn a_step_is_taken_again_until_it_ends_on_the_event() {
        let mut step = Counted(|h: f64| (2.0 - h * h, -2.0 * h), 0.0, 0);
        let length = locate(&mut step, 2.0, 0.705, Corrections::EXACT_RATE).length;
        assert!((length - 2f64.sqrt()).abs() < 1e-15 && length == step.1 && step.2 == 4);
        // On a plateau the rate does not lead to the event, and the crossing on the dense output is kept.
        let mut step = Counted(|_| (0.0, 0.0), 0.0, 0);
        assert_eq!(locate(&mut step, 2.0, 0.25, Corrections::EXACT_RATE).length, 0.5);
        assert_eq!(step.2, 1);
    }

    /// A correction that the slope can bridge is left to the caller, which saves a step.
    #[test]
    fn a_small_correction_is_left_to_the_caller() {
        let mut step = Counted(|h: f64| (3.0 - h * h, -2.0 * h), 0.0, 0);
        let ending = locate(&mut step, 2.0, 0.866, Corrections::estimated_rate(1e-4));
        assert_eq!((ending.length, step.2), (1.732, 1));
        assert!((ending.length + ending.left - 3f64.sqrt()).abs() < 1e-9 && ending.left != 0.0);
    }
}
