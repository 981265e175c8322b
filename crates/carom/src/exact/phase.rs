//! The dimensionless impact x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0 as a polynomial flow.
//!
//! With the energy E = x′²/2 + xⁿ⁺¹/(n+1), the phase angle θ of xⁿ⁺¹/(n+1) = E sin²θ, x′ = √(2E) cos θ, and μ =
//! (m+1)/(n+1), κ = μ + q/2 − 1, define
//!
//! - s = sin²θ, c = cos²θ, w = ln 2E (0 at onset, 2 ln e at the end),
//! - Q = ε̂·s^μ·c^(q/2), ε̂ = ε·((n+1)/2)^(μ−1)·e^(κw): the ratio of damping to inertia,
//! - P = 2x|x′|/((n+1)·2E), the time per unit of phase.
//!
//! In compression, with ϑ = ln tan θ as the independent variable,
//!
//! ```text
//! s′ = 2sc    c′ = −2sc    w′ = −2Qc/(1+Q)    Q′ = Q(2μc − qs + κw′)
//! P′ = P(c − s − α(w′+2c)),  α = (n−1)/(2(n+1))    τ′ = P/(1+Q)
//! ```
//!
//! and in restitution, with σ as the independent variable, dσ = −dϑ/(1−Q),
//!
//! ```text
//! s′ = −2scD    c′ = 2scD    w′ = −2Qc    Q′ = Q((qs − 2μc)D + κw′),  D = 1 − Q
//! P′ = P((s−c)D − α(w′−2cD))    τ′ = P
//! ```
//!
//! These right-hand sides are polynomials for all exponents, so that an evaluation takes a dozen multiplications. The
//! singular points of the equation (onset, turn, separation) become exponential tails that are summed in closed form.
//! The creeping motion of strong damping, where θ̇ ∝ D → 0, becomes an ordinary slow manifold. Contact ends at s → 0
//! (zero indentation) or Q = s (zero force). The sensitivity η = ∂w/∂ln ε is a further component, η′ = w′/(1±Q)·(1 +
//! κη). At either exit ∂ln e/∂ln ε = η/2, because x′ is stationary where F = 0.

mod creep;
mod flow;
mod steps;

use super::Exponents;
use crate::law::Exit;
use crate::ode::Step;
use flow::{C, ETA, Flow, P, Q, S, TAU, W};
use steps::{advance, locate};

/// Results of a dimensionless impact, in units of L, L/v₀ and mₑv₀²/L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Restitution e, rebound speed divided by impact speed.
    pub restitution: f64,
    /// Time from onset to the end of contact.
    pub duration: f64,
    /// Largest indentation.
    pub indentation_max: f64,
    /// Time of the largest indentation.
    pub time_of_indentation_max: f64,
    /// Largest force.
    pub force_max: f64,
    /// Time of the largest force (0 if the damping force at onset is the largest).
    pub time_of_force_max: f64,
    /// Indentation at which contact ends (0, except for an end at zero force with m < n).
    pub residual_indentation: f64,
}

/// Value of s and Q up to which the closed forms at onset and separation are used; their errors are of the order of
/// its square.
const MAX_TAIL: f64 = 4e-7;
/// Value of cos²θ below which the turn is treated in closed form.
const MAX_TURN_COS_SQUARED: f64 = 1e-11;
/// Limit of 1 − Q below which rounding hides the slow manifold, and the motion is assumed to be on it. This changes
/// the time of creeping by about this relative amount, and nothing else.
const MIN_DISTANCE_FROM_MANIFOLD: f64 = 1e-10;

/// Computes ∫₀¹ dy/(1 + r·y^q) for small |r|.
pub(super) fn turn_integral(r: f64, q: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..14 {
        term *= -r;
        sum += term / (1.0 + k as f64 * q);
    }
    sum
}

/// Computes the force at the turn and its time. If damping is so weak that the force still increases close to the
/// turn (`late`), it computes the maximum shortly before it, from F = xⁿ + εxᵐv^q with x ≈ x_max − v²/(2xⁿ).
pub(super) fn weak_peak(
    exponents: Exponents,
    epsilon: f64,
    x: f64,
    time: f64,
    late: bool,
) -> (f64, f64) {
    let Exponents { n, m, q } = exponents;
    let elastic = x.powf(n);
    if !(late && q < 2.0 && epsilon > 0.0) {
        return (elastic, time);
    }
    let v = (q * epsilon * x.powf(m + 1.0) / n).powf(1.0 / (2.0 - q));
    let viscous = epsilon * x.powf(m) * v.powf(q);
    (elastic + viscous - 0.5 * n * v * v / x, time - v / elastic)
}

/// Reason for which the integration of restitution ended.
#[derive(Clone, Copy, PartialEq)]
enum RestitutionEnd {
    /// The end of contact is close or reached.
    Separating,
    /// The motion is on the slow manifold and will separate.
    OnManifold,
    /// The bodies creep and never separate.
    Creeping,
}

/// State at the turn, and largest force of compression.
struct Turn<const N: usize> {
    state: [f64; N],
    peak: Peak,
}

/// Largest force so far and its time.
#[derive(Clone, Copy)]
struct Peak {
    force: f64,
    time: f64,
}

/// Integrates from onset to the turn. The components w, η and τ of the result are those at x′ = 0, the others those
/// where the closed form of the turn begins.
fn compress<const N: usize>(flow: &Flow) -> Option<Turn<N>> {
    let Exponents { n, m, q } = flow.exponents;
    let start = flow.touch::<N>();
    let mut peak = Peak { force: 0.0, time: 0.0 };
    let metrics = N == 6;
    if metrics {
        if m == 0.0 {
            peak.force = flow.epsilon;
        } else if flow.force_rises(&start) < 0.0 {
            // The damping force had its maximum within the series, at x* = (m/(qε))^(1/(m+1)).
            let x = (m / (q * flow.epsilon)).powf(1.0 / (m + 1.0));
            peak = Peak { force: flow.epsilon * x.powf(m) * (1.0 - m / (m + 1.0)), time: x };
        }
    }
    let mut f = |_: f64, y: &[f64; N]| flow.compression(y);
    let first = 0.5 / (1.0 + flow.mu);
    let mut end = advance(&mut f, start, first, |step, again| {
        if metrics && flow.force_rises(&step.start) > 0.0 && flow.force_rises(&step.end) <= 0.0 {
            let y = locate(step, again, |y| flow.force_rises(y));
            let force = flow.force(&y);
            if force > peak.force {
                peak = Peak { force, time: y[TAU] };
            }
        }
        let y = &step.end;
        (y[C] < MAX_TURN_COS_SQUARED && (y[Q] < 0.05 || y[C] < 1e-29)).then_some(*y)
    })?;
    // From here to the turn c ∝ C², Q ∝ C^q and P ∝ C, where C = cos θ.
    let ratio = end[Q].min(0.05);
    let integral = turn_integral(ratio, q);
    let tail = -2.0 * end[Q] * end[C] / (q + 2.0);
    end[W] += tail;
    if N == 5 {
        end[ETA] += tail * (1.0 + flow.kappa * end[ETA]);
    } else {
        end[TAU] += end[P] * integral;
        let x = (0.5 * (n + 1.0) * end[W].exp()).powf(1.0 / (n + 1.0));
        let (force, time) =
            weak_peak(flow.exponents, flow.epsilon, x, end[TAU], flow.force_rises(&end) > 0.0);
        if force > peak.force {
            peak = Peak { force, time };
        }
    }
    Some(Turn { state: end, peak })
}

/// Integrates from the turn to the end of contact; `None` if the bodies creep for ever.
fn restitute<const N: usize>(flow: &Flow, turn: &[f64; N], exit: Exit) -> Option<[f64; N]> {
    let Exponents { n, m, q } = flow.exponents;
    // The start is so close to the turn that damping is still weak, Q ∝ c^(q/2).
    let strength = flow.strength * (flow.kappa * turn[W]).exp();
    let c = MAX_TURN_COS_SQUARED.min((0.02 / strength.max(1e-300)).powf(2.0 / q)).max(1e-250);
    let by_force = exit == Exit::ZeroForce && m < n;
    let mut y = *turn;
    // If the impact is nearly plastic, the force vanishes immediately after the turn, at Q = 1.
    let last = strength.powf(-2.0 / q);
    if by_force && last < 1e-10 {
        y[C] = last;
        y[S] = 1.0;
        if N == 5 {
            y[ETA] -= 2.0 / q * (1.0 + flow.kappa * y[ETA]);
        }
        return Some(y);
    }
    y[C] = c;
    y[S] = 1.0 - c;
    y[Q] = strength * y[S].powf(flow.mu) * c.powf(0.5 * q);
    if y[Q] > 0.999 {
        // Damping that resembles dry friction (q → 0): the speed with which the body leaves the turn is below the
        // range of f64. If damping becomes weak compared with inertia later (κ > 0), the body still separates.
        if flow.kappa <= 0.0 || by_force {
            return None;
        }
        y[Q] = 1.0;
        if N == 6 {
            y[P] = flow.pace(y[S], c, y[W]);
        }
        let end = creep_to_separation(flow, y)?;
        y = end;
        flow.separate(&mut y);
        return Some(y);
    }
    let tail = -2.0 * y[Q] * c / (q + 2.0);
    y[W] += tail;
    if N == 5 {
        y[ETA] += tail * (1.0 + flow.kappa * y[ETA]);
    } else {
        let x = (0.5 * (n + 1.0) * turn[W].exp() * y[S]).powf(1.0 / (n + 1.0));
        y[P] = 2.0 / (n + 1.0) * x * c.sqrt() * (-0.5 * turn[W]).exp();
        y[TAU] += y[P] * turn_integral(-y[Q], q);
    }
    let negligible = 1e-13f64.powf(n + 1.0).max(1e-250);
    let mut near_manifold = None;
    let mut sigma = 0.0;
    let mut halt = RestitutionEnd::Separating;
    let mut f = |_: f64, y: &[f64; N]| flow.restitution(y);
    let first = 0.5 / (1.0 + flow.mu);
    let mut watch = |step: &Step<N>, again: &mut dyn FnMut(f64) -> [f64; N]| {
        let y = &step.end;
        if by_force {
            if y[Q] >= y[S] {
                return Some(locate(step, again, |y| y[Q] - y[S]));
            }
            return (y[S] < negligible).then_some(*y);
        }
        let free = 1.0 - y[Q];
        // If damping becomes stronger compared with inertia as the energy decreases (κ ≤ 0), Q reaches 1 and the
        // bodies creep.
        if flow.kappa <= 0.0 && free < 1e-9 + 0.01 * -flow.kappa * y[C] {
            halt = RestitutionEnd::Creeping;
            return Some(*y);
        }
        sigma += step.h;
        if flow.kappa > 0.0 && flow.contraction(y[C]) > 60.0 {
            let manifold = y[C] * flow.manifold_ratio(y[C]);
            let near = (free / manifold - 1.0).abs() < 0.05;
            let since = near.then(|| *near_manifold.get_or_insert(sigma));
            let unresolved =
                free < MIN_DISTANCE_FROM_MANIFOLD && manifold < MIN_DISTANCE_FROM_MANIFOLD;
            if unresolved || since.is_some_and(|since| q * (sigma - since) > 32.0) {
                halt = RestitutionEnd::OnManifold;
                return Some(*y);
            }
        }
        (y[S] < MAX_TAIL && y[Q] < MAX_TAIL).then_some(*y)
    };
    let mut y = advance(&mut f, y, first, &mut watch)?;
    if halt == RestitutionEnd::OnManifold {
        let end = creep_to_separation(flow, y)?;
        y = end;
    }
    if halt == RestitutionEnd::Creeping {
        return None;
    }
    if !by_force {
        flow.separate(&mut y);
    }
    Some(y)
}

/// Follows the slow manifold from `y` to its end, then the flow until separation is close.
fn creep_to_separation<const N: usize>(flow: &Flow, mut y: [f64; N]) -> Option<[f64; N]> {
    let pace = if N == 6 { y[P] } else { 0.0 };
    let ratio = match 1.0 - y[Q] < MIN_DISTANCE_FROM_MANIFOLD {
        true => flow.manifold_ratio(y[C]),
        false => (1.0 - y[Q]) / y[C],
    };
    let end = flow.creep(y[C], ratio, pace)?;
    y[S] = end.s;
    y[C] = end.c;
    y[Q] = 1.0 - end.c * end.ratio;
    y[W] = end.w;
    if N == 5 {
        y[ETA] = -1.0 / flow.kappa;
    } else {
        y[P] = end.pace;
        y[TAU] += end.time;
    }
    let mut f = |_: f64, y: &[f64; N]| flow.restitution(y);
    let done = |step: &Step<N>, _: &mut dyn FnMut(f64) -> [f64; N]| {
        (step.end[S] < MAX_TAIL && step.end[Q] < MAX_TAIL).then_some(step.end)
    };
    advance(&mut f, y, 0.5 / (1.0 + flow.mu), done)
}

/// Computes ln e and ∂ln e/∂ln ε of an impact; `None` if the bodies creep for ever.
pub(super) fn ln_restitution(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<(f64, f64)> {
    let flow = Flow::new(exponents, epsilon);
    let turn = compress::<5>(&flow)?;
    let y = restitute(&flow, &turn.state, exit)?;
    Some((0.5 * (y[W] + y[C].ln()), 0.5 * y[ETA]))
}

/// Computes ln e and ∂ln e/∂ln ε if the damper acts in compression only; then e² = 2E at the turn.
pub(super) fn ln_compression_restitution(exponents: Exponents, epsilon: f64) -> Option<(f64, f64)> {
    let turn = compress::<5>(&Flow::new(exponents, epsilon))?;
    Some((0.5 * turn.state[W], 0.5 * turn.state[ETA]))
}

/// Computes all results of the impact; `None` if the bodies creep for ever.
pub(super) fn outcome(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<Outcome> {
    let flow = Flow::new(exponents, epsilon);
    let Turn { state, peak } = compress::<6>(&flow)?;
    rebound(&flow, &state, peak, exit)
}

/// Computes all results of the impact if the damper acts in compression only.
pub(super) fn compression_outcome(exponents: Exponents, epsilon: f64) -> Option<Outcome> {
    let Turn { state, peak } = compress::<6>(&Flow::new(exponents, epsilon))?;
    rebound(&Flow::new(exponents, 0.0), &state, peak, Exit::ZeroIndentation)
}

/// Computes the results of the impact from its state at the turn.
fn rebound(flow: &Flow, turn: &[f64; 6], peak: Peak, exit: Exit) -> Option<Outcome> {
    let mut deepest = *turn;
    deepest[S] = 1.0;
    let y = restitute(flow, turn, exit)?;
    Some(Outcome {
        restitution: (0.5 * y[W]).exp() * y[C].sqrt(),
        duration: y[TAU],
        indentation_max: flow.indentation(&deepest),
        time_of_indentation_max: turn[TAU],
        force_max: peak.force,
        time_of_force_max: peak.time,
        residual_indentation: flow.indentation(&y),
    })
}
