//! The largest force or indentation of a touch within a step.

use super::{Scratch, trial};
use crate::contact::ContactEvaluation;
use crate::input::StepInput;
use crate::state::Peak;

/// The largest value of a quantity of a touch within the step, given its rates (per second) at both ends, of which the
/// first is positive and the second is not.
pub(crate) fn peak_within(
    input: &StepInput,
    scratch: &mut Scratch,
    index: usize,
    (rise, fall): (f64, f64),
    quantity: impl Fn(&ContactEvaluation) -> f64,
) -> Peak {
    trial::interpolate(input, scratch);
    let Scratch { trial, probe, .. } = scratch;
    let (begun, h) = (trial.stepper.begun(), trial.stepper.length());
    let touch = &input.state.touches[index];
    let mut value = |x: f64| {
        let t = begun + x * h;
        let kinematics = &mut probe.evaluation.kinematics;
        kinematics.read_site(input, &trial.stepper, t, (touch.site, Some(index)), &mut probe.y);
        let variables = input.layout().touch(&probe.y, index);
        quantity(&ContactEvaluation::of(input, kinematics, touch, t, &variables))
    };
    // First the maximum of the cubic with the values and rates of both ends, then those of parabolas through three points.
    let (climb, drop, change) = (rise * h, fall * h, value(1.0) - value(0.0));
    let (bend, twist) = (3.0 * change - 2.0 * climb - drop, climb + drop - 2.0 * change);
    let root = (bend * bend - 3.0 * twist * climb).max(0.0).sqrt();
    let mut top = (climb / (root - bend)).clamp(0.05, 0.95);
    let (mut best, mut reach) = (value(top), 0.05f64);
    for _ in 0..20 {
        let (left, right) = ((top - reach).max(0.0), (top + reach).min(1.0));
        let (fl, fr) = (value(left), value(right));
        if fl > best && left == 0.0 || fr > best && right == 1.0 {
            // Between here and the end of the step.
            (top, reach) = (0.5 * (top + if fl > fr { left } else { right }), 0.5 * reach);
            best = value(top);
            continue;
        }
        if fl > best || fr > best {
            // The maximum lies beyond: go there in longer strides.
            (top, best) = if fl > fr { (left, fl) } else { (right, fr) };
            reach = (2.0 * reach).min(0.25);
            continue;
        }
        let (p, q) = ((best - fr) * (top - left), (best - fl) * (right - top));
        let bend = p + q;
        if !(bend > 0.0) || left == top || right == top {
            break;
        }
        let next = top - 0.5 * ((top - left) * p - (right - top) * q) / bend;
        // Where one of the ends is higher the maximum of the parabola lies beyond it; outside the step the dense output has no
        // meaning.
        let next = next.clamp(left, right);
        let found = value(next);
        if found >= best {
            (top, best) = (next, found);
        }
        // The position is off by about its reach squared, and the value by the square of that.
        if reach <= 3e-3 {
            break;
        }
        reach *= 0.05;
    }
    Peak { value: best, time: begun + top * h }
}
