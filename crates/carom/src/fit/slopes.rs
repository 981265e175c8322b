//! Derivatives of a law along a motion: by indentation and rate, by what it remembers and by its parameters.
//!
//! Tangents are the law's own. The others are central differences of the law, a closed expression, at a
//! fixed point. A plastic law changes its branch where the indentation meets its largest value so far,
//! so differences by that value are taken on the side where the point is.

use super::probe;
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Law, Memory};

/// Relative change of the state in difference quotients by the state.
const NUDGE: f64 = 1e-6;

/// A law with one parameter changed, and the speed it is met at.
#[derive(Clone, Copy)]
pub(super) struct Changed {
    pub law: Law,
    pub speed: f64,
}

/// One parameter moved both ways by `step`; at the edge of what is allowed, one way only.
pub(super) struct Variation {
    pub plus: Option<Changed>,
    pub minus: Option<Changed>,
    pub step: f64,
    /// ∂v₀/∂p.
    pub speed: f64,
}

/// A direction in which a point moves, per unit of a parameter or of time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Along {
    pub delta: f64,
    pub rate: f64,
    pub internal: f64,
    pub peak: f64,
    pub time: f64,
}

impl Along {
    /// The motion itself, per second.
    pub fn time(motion: &ContactMotion, law: &Law, point: &ContactState) -> Self {
        let one = std::slice::from_ref(point);
        let force = law.force(point.delta, point.rate, &point.memory);
        Self {
            delta: point.rate,
            rate: (motion.external - force) / motion.mass,
            internal: probe::internal_rates(law, one, None).first().copied().unwrap_or(0.0),
            peak: 0.0,
            time: 1.0,
        }
    }

    /// The point moved by some amount of it.
    pub fn moved(&self, point: &ContactState, amount: f64) -> ContactState {
        let mut memory = point.memory;
        memory.internal += amount * self.internal;
        memory.peak += amount * self.peak;
        memory.time += amount * self.time;
        let (delta, rate) = (point.delta + amount * self.delta, point.rate + amount * self.rate);
        ContactState { delta, rate, memory }
    }
}

/// ∂F/∂p, ∂g/∂p of every parameter at every point.
pub(super) struct ByParameter {
    pub force: Vec<Vec<f64>>,
    pub internal: Vec<Vec<f64>>,
}

/// Force and its slopes at some points, without parameters.
pub(super) struct Slopes {
    pub delta: Vec<f64>,
    pub rate: Vec<f64>,
    pub internal: Vec<f64>,
    pub peak: Vec<f64>,
    /// Slopes of g by δ, δ̇ and a; empty without an internal state.
    pub state: Vec<[f64; 3]>,
}

/// What the changed laws freeze at touch.
pub(super) fn freeze(variations: &[Variation]) -> Vec<[Option<Memory>; 2]> {
    let touch = |changed: &Option<Changed>| changed.as_ref().map(|c| c.law.touch(c.speed));
    variations.iter().map(|v| [touch(&v.plus), touch(&v.minus)]).collect()
}

/// (value₊ − value₋)/step of some question, by what is there of the two.
pub(super) fn difference(
    variation: &Variation,
    frozen: &[Option<Memory>; 2],
    law: &Law,
    ask: impl Fn(&Law, Option<&Memory>) -> Vec<f64>,
) -> Vec<f64> {
    let side = |changed: &Option<Changed>, frozen: &Option<Memory>| match (changed, frozen) {
        (Some(changed), Some(frozen)) => (ask(&changed.law, Some(frozen)), 1.0),
        _ => (ask(law, None), 0.0),
    };
    let (mut plus, a) = side(&variation.plus, &frozen[0]);
    let (minus, b) = side(&variation.minus, &frozen[1]);
    let scale = 1.0 / (variation.step * f64::max(a + b, 1.0));
    for (plus, minus) in plus.iter_mut().zip(minus) {
        *plus = finite_or_zero((*plus - minus) * scale);
    }
    plus
}

pub(super) fn differences(
    law: &Law,
    variations: &[Variation],
    frozen: &[[Option<Memory>; 2]],
    points: &[ContactState],
    internal: bool,
) -> ByParameter {
    let mut by = ByParameter { force: Vec::new(), internal: Vec::new() };
    for (variation, frozen) in variations.iter().zip(frozen) {
        by.force.push(difference(variation, frozen, law, |l, f| probe::forces(l, points, f)));
        by.internal.push(match internal {
            true => difference(variation, frozen, law, |l, f| probe::internal_rates(l, points, f)),
            false => Vec::new(),
        });
    }
    by
}

/// Central differences of a function of the states by a perturbation, which returns its size.
pub(super) fn central_differences(
    points: &[ContactState],
    perturb: impl Fn(&mut ContactState, f64) -> f64,
    function: impl Fn(&[ContactState]) -> Vec<f64>,
) -> Vec<f64> {
    let mut widths = Vec::with_capacity(points.len());
    let mut moved = |sign: f64| {
        widths.clear();
        let mut moved = points.to_vec();
        widths.extend(moved.iter_mut().map(|p| perturb(p, sign)));
        function(&moved)
    };
    let (plus, minus) = (moved(1.0), moved(-1.0));
    let slope = |((p, m), w): ((f64, f64), &f64)| finite_or_zero((p - m) / (2.0 * w));
    plus.into_iter().zip(minus).zip(&widths).map(slope).collect()
}

pub(super) fn slopes(law: &Law, points: &[ContactState], internal: f64) -> Slopes {
    let tangents = probe::tangents(law, points);
    let forces = |p: &[ContactState]| probe::forces(law, p, None);
    // While loading the largest indentation is the indentation itself: only later is it memory.
    let peak = central_differences(points, perturb_peak, forces);
    let mut slopes = Slopes {
        delta: tangents.iter().map(|t| finite_or_zero(t.stiffness)).collect(),
        rate: tangents.iter().map(|t| finite_or_zero(t.damping)).collect(),
        internal: Vec::new(),
        peak,
        state: Vec::new(),
    };
    if internal > 0.0 {
        let by_state = |p: &mut ContactState, sign: f64| {
            p.memory.internal += sign * NUDGE * internal;
            NUDGE * internal
        };
        let by_delta = |p: &mut ContactState, sign: f64| {
            let width = NUDGE * p.delta.abs();
            p.delta += sign * width;
            width
        };
        let by_rate = |p: &mut ContactState, sign: f64| {
            let width = NUDGE * p.rate.abs();
            p.rate += sign * width;
            width
        };
        slopes.internal = central_differences(points, by_state, forces);
        let rates = |p: &[ContactState]| probe::internal_rates(law, p, None);
        let (d, v) = (
            central_differences(points, by_delta, rates),
            central_differences(points, by_rate, rates),
        );
        let a = central_differences(points, by_state, rates);
        slopes.state = d.iter().zip(&v).zip(&a).map(|((&d, &v), &a)| [d, v, a]).collect();
    }
    slopes
}

/// Over the last `parts`-th of a last step that is short, ∂F/∂δ by its mean, ΔF/Δδ.
///
/// Where contact ends with an infinite tangent (δᵐ at δ = 0 with m < 1, the fold of an adhesive neck) the
/// steps of the motion shrink, but ∫ δᵐ⁻¹ dt does not vanish with them nearly as fast. Hardly anything
/// moves during such a step except the indentation, so that the mean is all that counts.
pub(super) fn soften_end(motion: &ContactMotion, law: &Law, parts: usize, slopes: &mut Slopes) {
    let last = motion.len().saturating_sub(1);
    let Some((start, end)) = motion.span(last) else { return };
    if end - start > 1e-4 * motion.end {
        return;
    }
    let from = end - (end - start) / parts as f64;
    let (Some(a), Some(b)) = (motion.within(last, from), motion.within(last, end)) else { return };
    let two = [ContactState { delta: a.delta, ..b }, b];
    let mean = |values: Vec<f64>| finite_or_zero((values[0] - values[1]) / (a.delta - b.delta));
    let stiffness = mean(probe::forces(law, &two, None));
    for delta in slopes.delta.iter_mut().rev().take(3) {
        *delta = stiffness;
    }
    if !slopes.state.is_empty() {
        let by_delta = mean(probe::internal_rates(law, &two, None));
        for state in slopes.state.iter_mut().rev().take(3) {
            state[0] = by_delta;
        }
    }
}

fn perturb_peak(p: &mut ContactState, sign: f64) -> f64 {
    let peak = p.memory.peak.abs();
    let aside = 0.5 * (p.delta - p.memory.peak).abs();
    let width = (NUDGE * peak).min(aside).max(1e-12 * peak).max(f64::MIN_POSITIVE);
    p.memory.peak += sign * width;
    width
}

pub(super) fn value(values: &[f64], at: usize) -> f64 {
    values.get(at).copied().unwrap_or(0.0)
}

/// An infinite derivative (δᵐ at δ = 0, m < 1) replaced by 0: it occurs at single points only.
pub(super) fn finite_or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
