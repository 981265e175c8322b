//! Error-controlled steps along the flow, and the location of events within a step.

use super::flow::{ETA, TAU, W};
use crate::numeric::root::Bracket;
use crate::ode::{self, Step};

/// Relative error allowed in a step.
const TOLERANCE: f64 = 1e-13;
/// Largest number of steps; a contact that needs more is regarded as creeping.
const MAX_STEPS: usize = 20_000;

/// Advances by steps of controlled error. `watch` is called with every accepted step and a function that takes the
/// step again with another length; the state that it returns ends the integration. Returns `None` if no end is found.
pub(super) fn advance<const N: usize>(
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
    mut y: [f64; N],
    mut h: f64,
    mut watch: impl FnMut(&Step<N>, &mut dyn FnMut(f64) -> [f64; N]) -> Option<[f64; N]>,
) -> Option<[f64; N]> {
    let scale = |i: usize, size: f64| match i {
        W | TAU => TOLERANCE * size.max(1.0),
        // η only steers Newton's iteration, and has large rounding errors where D = 1 − Q is small.
        ETA if N == 5 => 1e-7 * size.max(1.0),
        _ => TOLERANCE * size.max(1e-280),
    };
    let mut slope = f(0.0, &y);
    for _ in 0..MAX_STEPS {
        let step = ode::step(f, 0.0, &y, &slope, h);
        let error = step.error(scale);
        let stretch = ode::stretch(error);
        if error.is_nan() || error > 1.0 {
            h *= stretch.min(0.9);
            if h < 1e-13 {
                return None;
            }
            continue;
        }
        let mut again = |length: f64| ode::step(f, 0.0, &y, &slope, length).end;
        if let Some(end) = watch(&step, &mut again) {
            return Some(end);
        }
        y = step.end;
        slope = f(0.0, &y);
        h *= stretch;
    }
    None
}

/// Computes the state within a step at which `event` vanishes; `event` has different signs at the two ends of the
/// step.
pub(super) fn locate<const N: usize>(
    step: &Step<N>,
    again: &mut dyn FnMut(f64) -> [f64; N],
    event: impl Fn(&[f64; N]) -> f64,
) -> [f64; N] {
    let ends = Bracket { a: (0.0, event(&step.start)), b: (step.h, event(&step.end)) };
    let length = ends.narrow(1e-14 * step.h, |length| event(&again(length))).best();
    again(length)
}
