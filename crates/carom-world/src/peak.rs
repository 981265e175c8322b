//! The largest force or indentation within a step.

use crate::contact::Pushed;
use crate::run::Run;
use crate::state::TOUCH;

/// The largest value of something about a touch within the step, and its time, given its rates of change
/// (per second) at both ends, of which the first is positive and the second is not.
pub(crate) fn peak(
    run: &mut Run,
    index: usize,
    (rise, fall): (f64, f64),
    what: impl Fn(&Pushed) -> f64,
) -> (f64, f64) {
    // The stepper still holds the step, the touches those that were during it.
    run.interpolate();
    let (begun, h) = (run.stepper.begun(), run.stepper.length());
    let at = run.state.layout.touch(index);
    run.buffer.resize(run.stepper.start().len(), 0.0);
    let mut value = |x: f64| {
        let t = begun + x * h;
        let place = (run.state.touches[index].site, Some(index));
        let (layout, buffer) = (run.state.layout, &mut run.buffer);
        run.dynamics.glimpse(run.world, layout, &run.stepper, t, place, buffer);
        let slots = &run.buffer[at..at + TOUCH];
        what(&Pushed::of(run.world, &run.dynamics, &run.state.touches[index], t, slots))
    };
    // First the top of the cubic with the values and rates of both ends, then those of parabolas through three points.
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
            // The top lies beyond: go there in longer strides.
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
        // Where one of the ends is higher the parabola's top lies beyond it, and outside the step a dense
        // output means nothing.
        let next = next.clamp(left, right);
        let found = value(next);
        if found >= best {
            (top, best) = (next, found);
        }
        // Off by about its reach squared, and the value by the square of that.
        if reach <= 3e-3 {
            break;
        }
        reach *= 0.05;
    }
    (best, begun + top * h)
}
