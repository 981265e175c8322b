//! Accepted steps along the flow, and the place of an event within one.

use super::flow::{ETA, TAU, W};
use crate::ode::{self, Step};

/// Relative accuracy of one step.
const TOLERANCE: f64 = 1e-13;
/// Give up after so many steps: the contact creeps.
const MAX_STEPS: usize = 20_000;

/// Advances by accepted steps until `done` says so; `watch` sees every accepted step and may end it.
pub(super) fn advance<const N: usize>(
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
    mut y: [f64; N],
    mut h: f64,
    mut watch: impl FnMut(&Step<N>, &mut dyn FnMut(f64) -> [f64; N]) -> Option<[f64; N]>,
) -> Option<[f64; N]> {
    let scale = |i: usize, size: f64| match i {
        W | TAU => TOLERANCE * size.max(1.0),
        // Only steers Newton's iteration, and is noise where D is.
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

/// The state within a step at which `event` vanishes; its ends have different signs.
pub(super) fn locate<const N: usize>(
    step: &Step<N>,
    again: &mut dyn FnMut(f64) -> [f64; N],
    event: impl Fn(&[f64; N]) -> f64,
) -> [f64; N] {
    let (mut a, mut fa) = (0.0, event(&step.start));
    let (mut b, mut fb) = (step.h, event(&step.end));
    let mut y = step.end;
    for _ in 0..60 {
        // Regula falsi with Illinois weights: bracketed, and of order 1.44.
        let x = (a * fb - b * fa) / (fb - fa);
        y = again(x);
        let fx = event(&y);
        if fx == 0.0 || (b - a).abs() < 1e-14 * step.h || fx.is_nan() {
            break;
        }
        if (fx > 0.0) == (fb > 0.0) {
            (b, fb) = (x, fx);
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
            (b, fb) = (x, fx);
        }
    }
    y
}
