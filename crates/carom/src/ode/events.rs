//! Events within a step: where they are crossed, the step that ends on one, the largest value in a step.
//!
//! An *event function* is positive until its event happens and not positive afterwards: δ̇ for the turn, the force for the
//! end of contact, the gap for a touch. A step at whose end it is not positive has crossed the event. Then
//!
//! 1. [`crossing`] finds where the sign changes on the dense output of the step, for every event that was
//!    crossed, as a fraction of the step;
//! 2. [`earliest`] chooses the first of them, because later ones may not happen any more once it has;
//! 3. [`locate`] takes the step again, with the length that puts the event at its end, so that no step crosses a change of
//!    regime. The dense output is one order less accurate than the step, and much less across a kink: the
//!    length is therefore corrected by Newton's method on steps that are really taken.
//!
//! [`peak`] finds the largest value of a function within a step, on the dense output as well.
//!
//! Nothing here knows the state of the system: callers pass closures that evaluate an event function at a fraction of the
//! step, so that one contact (arrays on the stack) and a scene ([`Stepper`](super::Stepper)) share this.
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

/// Crossings are found to within this fraction of the step.
const CROSSING_WIDTH: f64 = 1e-13;

/// Corrections of the length of a step below this fraction of it are rounding.
const NEGLIGIBLE: f64 = 1e-13;

/// Peaks are found to within this fraction of the step; the value is then off by the square of it.
const PEAK_WIDTH: f64 = 1e-7;

/// An event that a step crossed, and at which fraction of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<E> {
    /// What happens there.
    pub event: E,
    /// Where, from 0 at the start of the step to 1 at its end.
    pub fraction: f64,
}

/// The earliest of some crossings; of several at the same place the first in the list.
pub fn earliest<E>(crossings: impl IntoIterator<Item = Crossing<E>>) -> Option<Crossing<E>> {
    crossings
        .into_iter()
        .reduce(|first, next| if next.fraction < first.fraction { next } else { first })
}

/// The fraction of the step in (`from`, `until`] at which an event function stops being positive, given that it
/// is not positive at `until`. `value` evaluates it at a fraction of the step.
///
/// The fraction returned is on the far side, where the event has happened. At `from` the function counts as positive
/// whatever rounding makes of it, because the event before may have been located there.
pub fn crossing(from: f64, until: f64, mut value: impl FnMut(f64) -> f64) -> f64 {
    let ends = [(from, value(from)), (until, value(until))];
    crossing_between(ends, value)
}

/// [`crossing`] where the values at both ends are known: pairs of fraction and value.
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

    /// The event function at the end of the step, and its rate of change with time there.
    fn value_and_rate(&mut self) -> (f64, f64);
}

/// When [`locate`] stops correcting the length of a step. Fractions are of the whole step.
#[derive(Clone, Copy, Debug)]
pub struct Corrections {
    /// No more corrections than this.
    pub count: usize,
    /// A correction beyond this fraction is not made: the rate does not lead to the event (a force may vanish
    /// on a plateau), and the crossing on the dense output is the better estimate.
    pub largest: f64,
    /// A correction below this fraction is the last one.
    pub converged: f64,
    /// A correction below this fraction is not made but left to the caller, who bridges it with the slope at the end.
    pub bridged: f64,
}

/// A step that was taken again to end on an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Length of the step that was taken last.
    pub length: f64,
    /// From its end to the event, where that is left to the caller; else 0.
    pub left: f64,
}

impl Corrections {
    /// For rates that are exact, or a difference over 10⁻⁵ of the step: a correction of 10⁻⁸ leaves 10⁻¹³.
    pub const EXACT_RATE: Self = Self { count: 8, largest: 1.0, converged: 1e-8, bridged: 0.0 };

    /// For a rate that was estimated once, on the dense output; corrections below `bridged` are left to the caller.
    pub const fn estimated_rate(bridged: f64) -> Self {
        Self { count: 3, largest: 1e-3, converged: NEGLIGIBLE, bridged }
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
        if !leads_there || change < NEGLIGIBLE * whole {
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

/// Where in a step a function is largest: the fraction of the step, and the value there.
///
/// With its rates of change at both ends, per step, the search begins at the top of the cubic through both ends.
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
        // A start that rounding left on the wrong side, and an end that it left on the right one.
        let found = crossing(0.0, 1.0, |x| x * (0.3 - x) - 1e-17);
        assert!((found - 0.3).abs() < 2e-13);
        assert_eq!(crossing(0.0, 1.0, |_| 1e-18), 1.0);
        // Nothing positive anywhere: at once.
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

    /// Counts how often a step is taken; the event function is g(length).
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
        // On a plateau no rate leads anywhere: the crossing stands.
        let mut step = Counted(|_| (0.0, 0.0), 0.0, 0);
        assert_eq!(locate(&mut step, 2.0, 0.25, Corrections::EXACT_RATE).length, 0.5);
        assert_eq!(step.2, 1);
    }

    /// What the slope bridges is left to the caller: one step less.
    #[test]
    fn a_small_correction_is_left_to_the_caller() {
        let mut step = Counted(|h: f64| (3.0 - h * h, -2.0 * h), 0.0, 0);
        let ending = locate(&mut step, 2.0, 0.866, Corrections::estimated_rate(1e-4));
        assert_eq!((ending.length, step.2), (1.732, 1));
        assert!((ending.length + ending.left - 3f64.sqrt()).abs() < 1e-9 && ending.left != 0.0);
    }
}
