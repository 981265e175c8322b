//! Derivatives of the motion of an impact with respect to parameters, by the variational equations.
//!
//! The motion m·δ̈ = f − F(δ, δ̇, a, δₘ; p), ȧ = g(δ, δ̇, a; p), differentiated with respect to p, yields a linear
//! equation for s = (∂δ, ∂δ̇, ∂a)/∂p along the integrated motion:
//!
//! ṡ_δ = s_v,  m·ṡ_v = −(F_δ·s_δ + F_v·s_v + F_a·s_a + F_m·∂δₘ/∂p + F_p) + ∂f/∂p − δ̈·∂m/∂p,  ṡ_a = g_δ·s_δ + g_v·s_v + g_a·s_a + g_p.
//!
//! The derivatives of F and g are those of the law, evaluated with dual numbers along the motion (`fit/slopes.rs`);
//! no difference of two motions is taken. A parameter also changes quantities that the law fixes at touch (the
//! damping that follows from a restitution and a speed); this contributes to F_p.
//!
//! Integration with dual numbers throughout would be exact as well, but every derivative would be carried through all
//! stages of all steps, including rejected steps and the location of events, and where the force jumps or an event
//! ends a step the derivative of the step's length would have to be added by hand. Along the known motion the
//! equation is linear: one matrix per step serves all parameters.
//!
//! Within every step the motion is smooth; each step is divided into two parts, integrated by Gauss collocation of
//! order 6. This method is implicit, hence suitable for stiff dampers, and does not evaluate the ends of a step,
//! where tangents of δᵐ or |δ̇|^q with exponents below one are infinite; `soften_end` of `fit/slopes.rs` treats such
//! an infinite tangent at the end of contact. Between steps, the quantities that the law updates (the largest
//! indentation) are differentiated as well, and if the force jumps at the turn, s_v jumps in the ratio of the
//! accelerations.
//!
//! Reference: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
//! Springer 1993, sections I.14 (variational equation) and II.7 (Gauss methods).

use super::collocation::{B, C, Solver};
use super::probe;
use super::slopes::{
    Derivatives, LawSlopes, Quantity, StateDerivative, Variation, derivatives, finite_or_zero,
    soften_end,
};
use crate::impact::{ContactMotion, ContactState};
use crate::law::Law;

/// Number of parts into which every step of the motion is divided.
const PARTS_PER_STEP: usize = 2;

/// States of a motion at some times, with their derivatives with respect to the parameters.
pub(super) struct Samples {
    /// States of the contact; `None` at times without contact.
    pub points: Vec<Option<ContactState>>,
    pub force: Vec<f64>,
    /// Rate dF/dt along the motion.
    pub force_rate: Vec<f64>,
    /// ∂F/∂p at fixed time, one vector over time for each parameter.
    pub by_force: Vec<Vec<f64>>,
    /// Derivative of the state at fixed time, one vector over time for each parameter.
    pub by_motion: Vec<Vec<StateDerivative>>,
    /// Derivatives of the numbers of the law with respect to the parameters.
    pub law: LawSlopes,
}

/// Sensitivities (s_δ, s_v, s_a).
type State = [f64; 3];

/// Part of a step: its initial state, and the derivatives of the state at its nodes.
struct StepPart {
    t: f64,
    h: f64,
    /// Initial state for each parameter.
    start: Vec<State>,
    slopes: Vec<[State; 3]>,
    peak: Vec<f64>,
}

/// Integrates the variational equations along `motion` and evaluates them at `times` since touch.
pub(super) fn samples(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    times: &[f64],
) -> Samples {
    let damping = motion.within(0, 0.0).map_or(0.0, |start| start.memory.damping);
    let law_slopes = LawSlopes::new(law, variations, damping);
    let parts = match variations {
        [] => Vec::new(),
        _ => integrate(motion, law, variations, &law_slopes),
    };
    sample(motion, law, variations, law_slopes, &parts, times)
}

/// Returns the rate of the internal state with its derivatives; empty for laws without an internal state.
fn internal_rates(law: &Law, slopes: &LawSlopes, points: &[ContactState]) -> Derivatives {
    match law.has_internal() {
        true => derivatives(law, Quantity::InternalRate, slopes, points),
        false => Derivatives::default(),
    }
}

/// Integrates the variational equations over all parts of all steps.
fn integrate(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    law_slopes: &LawSlopes,
) -> Vec<StepPart> {
    let mut nodes = Vec::with_capacity(motion.len() * PARTS_PER_STEP * 3);
    for piece in 0..motion.len() {
        let Some((start, end)) = motion.span(piece) else { break };
        let h = (end - start) / PARTS_PER_STEP as f64;
        for part in 0..PARTS_PER_STEP {
            let at = |c: f64| motion.within(piece, start + (part as f64 + c) * h);
            nodes.extend(C.iter().filter_map(|&c| at(c)));
        }
    }
    let mut force = derivatives(law, Quantity::Force, law_slopes, &nodes);
    let mut internal = internal_rates(law, law_slopes, &nodes);
    soften_end(motion, law, PARTS_PER_STEP, &mut force, &mut internal);
    let mut state: Vec<State> = variations.iter().map(|v| [0.0, v.speed, 0.0]).collect();
    let mut peak = vec![0.0; variations.len()];
    let mut parts = Vec::with_capacity(motion.len() * PARTS_PER_STEP);
    for piece in 0..motion.len() {
        let Some((start, end)) = motion.span(piece) else { break };
        let h = (end - start) / PARTS_PER_STEP as f64;
        for part in 0..PARTS_PER_STEP {
            let first = 3 * (piece * PARTS_PER_STEP + part);
            let matrices = matrices(&force, &internal, first, motion.mass);
            let solver = Solver::new(matrices, !internal.state.is_empty(), h);
            let (from, memory) = (state.clone(), peak.clone());
            let mut node_slopes = Vec::with_capacity(state.len());
            for (i, s) in state.iter_mut().enumerate() {
                let Variation { mass, external, .. } = variations[i];
                let k = solver.slopes(s, |node| {
                    let at = first + node;
                    let by_peak = force.state.get(at).map_or(0.0, |state| state[3]);
                    let by_force =
                        parameter_derivative(&force.parameters, i, at) + by_peak * memory[i];
                    let here = force.values.get(at).copied().unwrap_or(0.0);
                    let acceleration = (motion.external - here) / motion.mass;
                    let by_parameter = external - by_force - acceleration * mass;
                    (by_parameter / motion.mass, parameter_derivative(&internal.parameters, i, at))
                });
                for j in 0..3 {
                    s[j] += h * (0..3).map(|node| B[node] * k[node][j]).sum::<f64>();
                }
                node_slopes.push(k);
            }
            let t = start + part as f64 * h;
            parts.push(StepPart { t, h, start: from, slopes: node_slopes, peak: memory });
        }
        between_steps(motion, law, law_slopes, (piece, end), &mut state, &mut peak);
    }
    parts
}

/// Updates the sensitivities between two steps: those of the quantities that the law updates, and s_v if the force
/// jumps at the turn.
fn between_steps(
    motion: &ContactMotion,
    law: &Law,
    law_slopes: &LawSlopes,
    (piece, end): (usize, f64),
    state: &mut [State],
    peak: &mut [f64],
) {
    let (Some(before), Some(after)) = (motion.within(piece, end), motion.within(piece + 1, end))
    else {
        return;
    };
    let committed = derivatives(law, Quantity::Peak, law_slopes, &[before]);
    let [by_delta, by_rate, by_internal, by_peak, _] = committed.state[0];
    for (i, (peak, [delta, rate, internal])) in peak.iter_mut().zip(state.iter()).enumerate() {
        let own = parameter_derivative(&committed.parameters, i, 0);
        *peak = by_delta * delta + by_rate * rate + by_internal * internal + by_peak * *peak + own;
    }
    if (end - motion.turn).abs() > 1e-12 * end {
        return;
    }
    let tiny = 1e-12 * before.memory.speed;
    let sides = [ContactState { rate: tiny, ..before }, ContactState { rate: -tiny, ..after }];
    let forces = probe::forces(law, &sides);
    let (a, b) = (motion.external - forces[0], motion.external - forces[1]);
    if (a - b).abs() > 1e-6 * a.abs() {
        for s in state {
            s[1] *= b / a;
        }
    }
}

/// Returns the matrices of the linear equation at the three nodes beginning with `first`.
fn matrices(
    force: &Derivatives,
    internal: &Derivatives,
    first: usize,
    mass: f64,
) -> [[[f64; 3]; 3]; 3] {
    let mut matrices = [[[0.0; 3]; 3]; 3];
    let by_state =
        |of: &Derivatives, at: usize| of.state.get(at).map_or([0.0; 3], |s| [s[0], s[1], s[2]]);
    for (node, m) in matrices.iter_mut().enumerate() {
        m[0][1] = 1.0;
        m[1] = by_state(force, first + node).map(|slope| -slope / mass);
        m[2] = by_state(internal, first + node);
    }
    matrices
}

/// Returns the derivative with respect to a parameter at a point; 0 if there is none.
fn parameter_derivative(parameters: &[Vec<f64>], parameter: usize, at: usize) -> f64 {
    parameters.get(parameter).and_then(|column| column.get(at)).copied().unwrap_or(0.0)
}

impl StepPart {
    /// Returns the state for one parameter at a time within this part.
    fn at(&self, parameter: usize, t: f64) -> State {
        let x = ((t - self.t) / self.h).clamp(0.0, 1.0);
        // Integrals of the Lagrange polynomials of the nodes from 0 to x.
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

/// Evaluates the integrated parts at `times`.
fn sample(
    motion: &ContactMotion,
    law: &Law,
    variations: &[Variation],
    law_slopes: LawSlopes,
    parts: &[StepPart],
    times: &[f64],
) -> Samples {
    let points: Vec<Option<ContactState>> = times.iter().map(|&t| motion.at(t)).collect();
    let inside: Vec<ContactState> = points.iter().filter_map(|p| *p).collect();
    let force = derivatives(law, Quantity::Force, &law_slopes, &inside);
    let internal = match law.has_internal() {
        true => probe::internal_rates(law, &inside),
        false => vec![0.0; inside.len()],
    };
    let zero = || vec![0.0; times.len()];
    let mut samples = Samples {
        force: zero(),
        force_rate: zero(),
        by_force: variations.iter().map(|_| zero()).collect(),
        by_motion: variations
            .iter()
            .map(|_| vec![StateDerivative::default(); times.len()])
            .collect(),
        law: law_slopes,
        points,
    };
    let mut k = 0;
    for (i, &t) in times.iter().enumerate() {
        let Some(point) = &samples.points[i] else { continue };
        let along = StateDerivative::time(motion, point, force.values[k], internal[k]);
        samples.force[i] = force.values[k];
        samples.force_rate[i] = finite_or_zero(along.directional_derivative(&force.state[k]));
        let found = parts.partition_point(|part| part.t + part.h < t);
        if let Some(part) = parts.get(found.min(parts.len().saturating_sub(1))) {
            for p in 0..variations.len() {
                let [delta, rate, internal] = part.at(p, t);
                let along =
                    StateDerivative { delta, rate, internal, peak: part.peak[p], time: 0.0 };
                let by_force =
                    along.directional_derivative(&force.state[k]) + force.parameters[p][k];
                samples.by_force[p][i] = finite_or_zero(by_force);
                samples.by_motion[p][i] = along;
            }
        }
        k += 1;
    }
    samples
}
