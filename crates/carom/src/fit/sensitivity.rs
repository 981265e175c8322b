//! How the motion of an impact changes with a parameter: the equations of variation.
//!
//! The motion m·δ̈ = f − F(δ, δ̇, a, δₘ; p), ȧ = g(δ, δ̇, a; p), differentiated by p, is a linear equation
//! for s = (∂δ, ∂δ̇, ∂a)/∂p along the integrated motion:
//!
//! ṡ_δ = s_v,  m·ṡ_v = −(F_δ·s_δ + F_v·s_v + F_a·s_a + F_m·∂δₘ/∂p + F_p),  ṡ_a = g_δ·s_δ + g_v·s_v + g_a·s_a + g_p.
//!
//! F_δ and F_v are the tangents of the law. F_p (and, for laws with a state, F_a, F_m and the slopes of g)
//! are central differences of the *law*, a closed expression, at a fixed point; no trajectory is ever
//! differenced. A change of the law also changes what it freezes at touch (the damping that follows
//! from a restitution and a speed), which is part of F_p.
//!
//! Every step of the motion is smooth, so each is halved and crossed by Gauss's collocation of order 6.
//! It is implicit, hence at ease with stiff dampers, and never asks at the ends of a step, where
//! tangents of δᵐ or |δ̇|^q with exponents below one are infinite; what such an infinity does at the end of
//! contact is in `fit/slopes.rs`. Between steps, what the law commits
//! (the largest indentation) is differentiated too, and where the force jumps at the turn, so does s_v, in
//! the ratio of the accelerations.
//!
//! Reference: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
//! Springer 1993, sections I.14 (variational equation) and II.7 (Gauss methods).

use super::collocation::{B, C, Solver};
use super::probe;
pub(super) use super::slopes::{Along, Changed, Variation};
use super::slopes::{
    ByParameter, Slopes, central_differences, difference, differences, finite_or_zero, freeze,
    slopes, soften_end, value,
};
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Law, Memory};

/// Parts of every step of the motion.
const PARTS: usize = 2;
/// States of a motion at some times, and how they change with the parameters.
pub(super) struct Samples {
    /// None where there is no contact.
    pub points: Vec<Option<ContactState>>,
    pub force: Vec<f64>,
    /// dF/dt along the motion.
    pub force_rate: Vec<f64>,
    /// By parameter and time: ∂F/∂p at fixed time.
    pub by_force: Vec<Vec<f64>>,
    /// By parameter and time: how the point itself moves.
    pub by_motion: Vec<Vec<Along>>,
}

/// s_δ, s_v, s_a.
type State = [f64; 3];

/// A crossed part: where it began, and the slopes at its nodes.
struct Part {
    t: f64,
    h: f64,
    /// By parameter.
    start: Vec<State>,
    slopes: Vec<[State; 3]>,
    peak: Vec<f64>,
}

/// Follows the equations of variation along `motion` and evaluates them at `times` since touch.
pub(super) fn samples(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    times: &[f64],
) -> Samples {
    let frozen = freeze(variations);
    let mut nodes = Vec::with_capacity(motion.len() * PARTS * 3);
    for piece in 0..motion.len() {
        let Some((start, end)) = motion.span(piece) else { break };
        let h = (end - start) / PARTS as f64;
        for part in 0..PARTS {
            let at = |c: f64| motion.within(piece, start + (part as f64 + c) * h);
            nodes.extend(C.iter().filter_map(|&c| at(c)));
        }
    }
    let internal = nodes.iter().map(|p| p.memory.internal.abs()).fold(0.0, f64::max);
    let mut slopes = slopes(law, &nodes, internal);
    soften_end(motion, law, PARTS, &mut slopes);
    let by = differences(law, variations, &frozen, &nodes, internal > 0.0);
    let parts = cross(motion, law, variations, &frozen, &slopes, &by);
    sample(motion, law, variations, &frozen, &parts, times, internal)
}

/// Crosses all parts in turn.
fn cross(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    frozen: &[[Option<Memory>; 2]],
    slopes: &Slopes,
    by: &ByParameter,
) -> Vec<Part> {
    let mut state: Vec<State> = variations.iter().map(|v| [0.0, v.speed, 0.0]).collect();
    let mut peak = vec![0.0; variations.len()];
    let mut parts = Vec::with_capacity(motion.len() * PARTS);
    for piece in 0..motion.len() {
        let Some((start, end)) = motion.span(piece) else { break };
        let h = (end - start) / PARTS as f64;
        for part in 0..PARTS {
            let first = 3 * (piece * PARTS + part);
            let solver =
                Solver::new(matrices(slopes, first, motion.mass), !slopes.state.is_empty(), h);
            let (from, memory) = (state.clone(), peak.clone());
            let mut all = Vec::with_capacity(state.len());
            for (i, s) in state.iter_mut().enumerate() {
                let k = solver.slopes(s, |node| {
                    let at = first + node;
                    let force = value(&by.force[i], at) + value(&slopes.peak, at) * memory[i];
                    (-force / motion.mass, value(&by.internal[i], at))
                });
                for j in 0..3 {
                    s[j] += h * (0..3).map(|node| B[node] * k[node][j]).sum::<f64>();
                }
                all.push(k);
            }
            let t = start + part as f64 * h;
            parts.push(Part { t, h, start: from, slopes: all, peak: memory });
        }
        between(motion, law, variations, frozen, piece, end, &mut state, &mut peak);
    }
    parts
}

/// From one step to the next: what the law commits, and a force that jumps at the turn.
#[allow(clippy::too_many_arguments)]
fn between(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    frozen: &[[Option<Memory>; 2]],
    piece: usize,
    end: f64,
    state: &mut [State],
    peak: &mut [f64],
) {
    let (Some(before), Some(after)) = (motion.within(piece, end), motion.within(piece + 1, end))
    else {
        return;
    };
    let one = [before];
    let commits = |p: &[ContactState]| probe::commits(law, p, None);
    // Much less than a step before the turn, which may be tiny: the larger of two has a kink.
    let width = 1e-10 * before.delta.abs();
    let by_delta = central_differences(
        &one,
        |p, sign| {
            p.delta += sign * width;
            width
        },
        commits,
    );
    let by_peak = central_differences(
        &one,
        |p, sign| {
            p.memory.peak += sign * width;
            width
        },
        commits,
    );
    for (i, variation) in variations.iter().enumerate() {
        let own = difference(variation, &frozen[i], law, |l, f| probe::commits(l, &one, f));
        peak[i] = by_delta[0] * state[i][0] + by_peak[0] * peak[i] + own[0];
    }
    if (end - motion.turn).abs() > 1e-12 * end {
        return;
    }
    let tiny = 1e-12 * before.memory.speed;
    let sides = [ContactState { rate: tiny, ..before }, ContactState { rate: -tiny, ..after }];
    let forces = probe::forces(law, &sides, None);
    let (a, b) = (motion.external - forces[0], motion.external - forces[1]);
    if (a - b).abs() > 1e-6 * a.abs() {
        for s in state {
            s[1] *= b / a;
        }
    }
}

/// Slopes of the state's rate at the three nodes from `first` on.
fn matrices(slopes: &Slopes, first: usize, mass: f64) -> [[[f64; 3]; 3]; 3] {
    let mut matrices = [[[0.0; 3]; 3]; 3];
    for (node, m) in matrices.iter_mut().enumerate() {
        let at = first + node;
        m[0][1] = 1.0;
        m[1][0] = -value(&slopes.delta, at) / mass;
        m[1][1] = -value(&slopes.rate, at) / mass;
        m[1][2] = -value(&slopes.internal, at) / mass;
        m[2] = slopes.state.get(at).copied().unwrap_or_default();
    }
    matrices
}

impl Part {
    /// The state of one parameter at a time within.
    fn at(&self, parameter: usize, t: f64) -> State {
        let x = ((t - self.t) / self.h).clamp(0.0, 1.0);
        // ∫ of the Lagrange polynomials of the nodes from 0 to x.
        let lagrange = |a: f64, b: f64, own: f64| {
            (x * x * x / 3.0 - (a + b) * x * x / 2.0 + a * b * x) / ((own - a) * (own - b))
        };
        let weights =
            [lagrange(C[1], C[2], C[0]), lagrange(C[0], C[2], C[1]), lagrange(C[0], C[1], C[2])];
        let mut s = self.start[parameter];
        for (k, weight) in self.slopes[parameter].iter().zip(weights) {
            for j in 0..3 {
                s[j] += self.h * weight * k[j];
            }
        }
        s
    }
}

fn sample(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    frozen: &[[Option<Memory>; 2]],
    parts: &[Part],
    times: &[f64],
    internal: f64,
) -> Samples {
    let points: Vec<Option<ContactState>> = times.iter().map(|&t| motion.at(t)).collect();
    let inside: Vec<ContactState> = points.iter().filter_map(|p| *p).collect();
    let slopes = slopes(law, &inside, internal);
    let by = differences(law, variations, frozen, &inside, false);
    let values = probe::forces(law, &inside, None);
    let rates = force_rates(motion, law, &inside, &values, internal > 0.0);
    let zero = || vec![0.0; times.len()];
    let mut samples = Samples {
        force: zero(),
        force_rate: zero(),
        by_force: variations.iter().map(|_| zero()).collect(),
        by_motion: variations.iter().map(|_| vec![Along::default(); times.len()]).collect(),
        points,
    };
    let mut k = 0;
    for (i, &t) in times.iter().enumerate() {
        if samples.points[i].is_none() {
            continue;
        }
        samples.force[i] = values[k];
        samples.force_rate[i] = rates[k];
        let found = parts.partition_point(|part| part.t + part.h < t);
        if let Some(part) = parts.get(found.min(parts.len().saturating_sub(1))) {
            for p in 0..variations.len() {
                let s = part.at(p, t);
                let force = slopes.delta[k] * s[0]
                    + slopes.rate[k] * s[1]
                    + value(&slopes.internal, k) * s[2]
                    + slopes.peak[k] * part.peak[p]
                    + by.force[p][k];
                samples.by_force[p][i] = finite_or_zero(force);
                let [delta, rate, internal] = s;
                let peak = part.peak[p];
                samples.by_motion[p][i] = Along { delta, rate, internal, peak, time: 0.0 };
            }
        }
        k += 1;
    }
    samples
}

/// dF/dt: the law differenced along the motion, which also moves time and state.
fn force_rates(
    motion: &ContactMotion,
    law: &Law,
    points: &[ContactState],
    forces: &[f64],
    internal: bool,
) -> Vec<f64> {
    let state = match internal {
        true => probe::internal_rates(law, points, None),
        false => vec![0.0; points.len()],
    };
    let width = 1e-6 * motion.end;
    let moved = |sign: f64| -> Vec<ContactState> {
        let along = points.iter().zip(forces).zip(&state);
        along
            .map(|((p, force), state)| {
                let dt = sign * width;
                let mut memory = p.memory;
                memory.time += dt;
                memory.internal += dt * state;
                let acceleration = (motion.external - force) / motion.mass;
                // Half the change of the rate counts for the indentation.
                let delta = p.delta + dt * (p.rate + 0.5 * dt * acceleration);
                ContactState { delta, rate: p.rate + dt * acceleration, memory }
            })
            .collect()
    };
    let (plus, minus) =
        (probe::forces(law, &moved(1.0), None), probe::forces(law, &moved(-1.0), None));
    plus.iter().zip(&minus).map(|(p, m)| finite_or_zero((p - m) / (2.0 * width))).collect()
}
