//! Helpers for the tests of the forms: finite differences, quadrature and a simple integrator.

use super::{Exit, Force, Memory};
use crate::numeric::quadrature::integrate;
use crate::numeric::root::Bracket;

/// Asserts |a − b| ≤ tolerance·|b|.
pub fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs(), "{a:e} is not {b:e} within {tolerance:e}");
}

/// Asserts that the tangents agree with central differences.
pub fn tangents<F: Force>(form: F, delta: f64, rate: f64, memory: &Memory) {
    fn agrees(name: &str, tangent: f64, force: impl Fn(f64) -> f64, at: f64) {
        let h = 1e-6 * at.abs();
        let difference = (force(at + h) - force(at - h)) / (2.0 * h);
        let room = 1e-6 * (difference.abs() + force(at).abs() / at.abs());
        let near = (tangent - difference).abs() <= room;
        assert!(near, "{name} {tangent:e}, difference {difference:e}");
    }
    let tangent = form.tangent(delta, rate, memory);
    agrees("stiffness", tangent.stiffness, |delta| form.force(delta, rate, memory), delta);
    agrees("damping", tangent.damping, |rate| form.force(delta, rate, memory), rate);
}

/// Computes ∫ F dδ from `low` to `high` at rest, with panels refined towards `low`, where the force may begin like a
/// root.
pub fn work<F: Force>(form: F, low: f64, high: f64, memory: &Memory) -> f64 {
    let panels = 2000;
    let at = |i: usize| low + (high - low) * (i as f64 / panels as f64).powi(2);
    (0..panels).map(|i| integrate(at(i), at(i + 1), |delta| form.force(delta, 0.0, memory))).sum()
}

/// Asserts that the stored energy agrees with the work of the unloading force down to `low`.
pub fn stored<F: Force>(form: F, low: f64, delta: f64, memory: &Memory, tolerance: f64) {
    near(form.stored(delta, memory), work(form, low, delta, memory), tolerance);
}

/// Computes restitution, largest indentation and duration of an impact by the classical Runge–Kutta method with 20
/// 000 steps in a time `span`. It is deliberately simple and slow, and shares no code with the integrators that are
/// tested.
pub fn impact<F: Force>(form: F, mass: f64, speed: f64, exit: Exit, span: f64) -> [f64; 3] {
    let steps = 20_000;
    let h = span / f64::from(steps);
    let mut memory = form.touch(mass, speed);
    let (mut delta, mut rate, mut peak) = (0.0, speed, 0.0_f64);
    for _ in 0..20 * steps {
        let step = |h: f64| advance(form, mass, delta, rate, &memory, h);
        // The step must end exactly at the turn: a step across it would commit too small a largest indentation.
        let mut h = h;
        if rate > 0.0 && step(h).1 < 0.0 {
            h = end_of_positive(h, |h| step(h).1);
        }
        let (d, v, a) = step(h);
        let now = Memory { time: memory.time + h, internal: a, ..memory };
        let gone = match exit {
            Exit::ZeroForce => v < 0.0 && form.force(d, v, &now) <= 0.0,
            Exit::ZeroIndentation => d <= form.release(),
        };
        if gone {
            let until = |h: f64| {
                let (d, v, a) = step(h);
                let now = Memory { time: memory.time + h, internal: a, ..memory };
                match exit {
                    Exit::ZeroForce if v < 0.0 => form.force(d, v, &now),
                    Exit::ZeroForce => 1.0,
                    Exit::ZeroIndentation => d - form.release(),
                }
            };
            let h = end_of_positive(h, until);
            return [-step(h).1 / speed, peak, memory.time + h];
        }
        (delta, rate) = (d, v);
        peak = peak.max(delta);
        memory = now;
        form.commit(delta, rate, &mut memory);
    }
    panic!("no separation");
}

/// Finds where a function that is positive at 0 and not positive at h ceases to be positive.
fn end_of_positive(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    Bracket::new((0.0, f(0.0)), (h, f(h))).map_or(h, |bracket| bracket.narrow(0.0, f).b.0)
}

fn advance<F: Force>(
    form: F,
    mass: f64,
    delta: f64,
    rate: f64,
    memory: &Memory,
    h: f64,
) -> (f64, f64, f64) {
    let slope = |d: f64, v: f64, a: f64, t: f64| {
        let memory = Memory { time: memory.time + t, internal: a, ..*memory };
        (v, -form.force(d, v, &memory) / mass, form.internal_rate(d, v, &memory))
    };
    let a = memory.internal;
    let k1 = slope(delta, rate, a, 0.0);
    let half = 0.5 * h;
    let k2 = slope(delta + half * k1.0, rate + half * k1.1, a + half * k1.2, half);
    let k3 = slope(delta + half * k2.0, rate + half * k2.1, a + half * k2.2, half);
    let k4 = slope(delta + h * k3.0, rate + h * k3.1, a + h * k3.2, h);
    let sum = |a: f64, b: f64, c: f64, d: f64| h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    (
        delta + sum(k1.0, k2.0, k3.0, k4.0),
        rate + sum(k1.1, k2.1, k3.1, k4.1),
        a + sum(k1.2, k2.2, k3.2, k4.2),
    )
}
