//! The dimensionless impact by collocation on Gauss panels: the fast method for all but very strong damping.
//!
//! In the phase variables of `phase.rs` the energy enters only through z = e^(−κw). With z = 1 + κζ and the known
//! function B(ϑ) = ε̂₀·s^μ·c^(q/2) the whole impact is one scalar equation,
//!
//! ```text
//! dζ/dϑ = 2cBz/(z + B)   in compression,        −dζ/dϑ = 2cBz/(z − B)   in restitution,
//! ```
//!
//! which is analytic on the whole real line, with exponential tails at both ends and at the turn that are summed in
//! closed form. Powers of s and c are tabulated once for each node and used in both phases, so that the iteration
//! consists of rational operations only. Panels of [`POINTS`] Gauss points converge to rounding in a few evaluations
//! per point. A panel whose iteration does not converge, or that does not resolve the solution, is halved.
//!
//! If the damping is so strong that halving does not help (z − B → 0, creeping), the result is `None` and `phase.rs`
//! is used. A test shows that both methods agree to 1e-10 wherever both have a result.

mod equation;
mod solve;

use super::Exponents;
use super::gauss::{POINTS, rule};
use super::phase::{Outcome, weak_peak};
use crate::law::Exit;
use crate::numeric::root::Bracket;
pub(super) use equation::Accuracy;
use equation::{Equation, Integral, PanelNodes, Phase, Point, angle};
use solve::{CrossingEnd, GridPanel, Panel, Watch};

/// Panels of an impact with their tables and the solution. They provide the first guess for the next impact with the
/// same exponents and nearly the same ε, in Newton's iteration for ε.
pub(super) struct Grid {
    strength: f64,
    start: f64,
    edge: f64,
    compression: Vec<GridPanel>,
    /// Panels of restitution; empty before restitution is first computed.
    restitution: Vec<GridPanel>,
}

impl Grid {
    fn new(equation: &Equation, integral: Integral) -> Option<Self> {
        if !equation.series_hold() {
            return None;
        }
        let (ends, count) = equation.panel_ends()?;
        let panels = ends[..=count]
            .windows(2)
            .map(|pair| GridPanel::new(equation.table(pair[0], pair[1] - pair[0], integral), 0));
        Some(Self {
            strength: equation.strength,
            start: equation.start,
            edge: equation.edge,
            compression: panels.collect(),
            restitution: Vec::new(),
        })
    }

    /// Adapts the grid to a slightly different damping and sets its ends in `equation`; `None` if the damping differs
    /// too much for the series at these ends.
    fn adapted_to(mut self, equation: &mut Equation) -> Option<Self> {
        let ratio = equation.strength / self.strength;
        let own = (equation.start, equation.edge);
        (equation.start, equation.edge) = (self.start, self.edge);
        if !(ratio > 0.2 && ratio < 2.0 && equation.series_hold()) {
            (equation.start, equation.edge) = own;
            return None;
        }
        for panel in self.compression.iter_mut().chain(&mut self.restitution) {
            panel.scale(ratio);
        }
        self.strength = equation.strength;
        Some(self)
    }

    /// Returns the panels from the turn to separation; initially those of compression in reverse order.
    fn restitution_panels(&mut self) -> &mut Vec<GridPanel> {
        if self.restitution.is_empty() {
            let reversed = self.compression.iter().rev();
            self.restitution.extend(reversed.map(|panel| {
                GridPanel::new(Phase::Restitution.oriented(panel.table), panel.depth)
            }));
        }
        &mut self.restitution
    }
}

/// Integrates compression up to the turn.
fn compress(
    equation: &Equation,
    grid: &mut Grid,
    integral: Integral,
    watch: &mut Watch,
) -> Option<Point> {
    let panels = &mut grid.compression;
    match equation.cross(Phase::Compression, integral, panels, equation.after_onset(), watch)? {
        CrossingEnd::Through(point) => Some(equation.cross_turn(1.0, point)),
        CrossingEnd::Stopped(..) => None,
    }
}

/// Integrates restitution from the turn to the end of contact; also returns ϑ there (−∞ at separation).
fn restitute(
    equation: &Equation,
    grid: &mut Grid,
    integral: Integral,
    turn: Point,
    exit: Exit,
) -> Option<(Point, f64)> {
    let by_force = exit == Exit::ZeroForce && equation.exponents.m < equation.exponents.n;
    let mut watch = |table: &PanelNodes, panel: &Panel, _: &Point| {
        if by_force { equation.zero_force(table, panel) } else { None }
    };
    let from = equation.cross_turn(-1.0, turn);
    match equation.cross(
        Phase::Restitution,
        integral,
        grid.restitution_panels(),
        from,
        &mut watch,
    )? {
        CrossingEnd::Stopped(point, theta) => Some((point, theta)),
        // The panels end where B is small, but close to creeping z is small too.
        CrossingEnd::Through(point) if !equation.tail_holds(point) => None,
        CrossingEnd::Through(point) if by_force => equation.zero_force_in_tail(point),
        CrossingEnd::Through(point) => Some((equation.at_separation(point), f64::NEG_INFINITY)),
    }
}

/// Computes ln e and ∂ln e/∂ln ε; `memo` carries the grid from one ε to the next.
pub(super) fn ln_restitution(
    exponents: Exponents,
    exit: Exit,
    epsilon: f64,
    accuracy: Accuracy,
    memo: &mut Option<Grid>,
) -> Option<(f64, f64)> {
    let mut equation = Equation::new(exponents, epsilon, accuracy);
    let integral = Integral::Sensitivity;
    let mut grid = match memo.take().and_then(|grid| grid.adapted_to(&mut equation)) {
        Some(grid) => grid,
        None => Grid::new(&equation, integral)?,
    };
    let turn = compress(&equation, &mut grid, integral, &mut |_, _, _| None)?;
    let (end, theta) = restitute(&equation, &mut grid, integral, turn, exit)?;
    *memo = Some(grid);
    let c = if theta.is_finite() { angle(theta).2 } else { 1.0 };
    let ln_e = 0.5 * (equation.energy(end.zeta) + c.ln());
    Some((ln_e, -0.5 * end.xi / equation.z(end.zeta)))
}

/// Computes ln e and ∂ln e/∂ln ε if the damper acts in compression only; then e² = 2E at the turn.
pub(super) fn ln_compression_restitution(exponents: Exponents, epsilon: f64) -> Option<(f64, f64)> {
    let equation = Equation::new(exponents, epsilon, Accuracy::FULL);
    let mut grid = Grid::new(&equation, Integral::Sensitivity)?;
    let turn = compress(&equation, &mut grid, Integral::Sensitivity, &mut |_, _, _| None)?;
    Some((0.5 * equation.energy(turn.zeta), -0.5 * turn.xi / equation.z(turn.zeta)))
}

/// Computes all results of the impact.
pub(super) fn outcome(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<Outcome> {
    let equation = Equation::new(exponents, epsilon, Accuracy::FULL);
    match outcome_in(&equation, exit)? {
        // The largest force lies within the closed form of the turn, which does not resolve it: the panels are
        // extended closer to the turn.
        (_, true) if exponents.q < 2.0 && epsilon > 0.0 => {
            Some(outcome_in(&equation.with_narrow_turn(), exit)?.0)
        }
        (outcome, _) => Some(outcome),
    }
}

/// Computes all results of the impact, and whether the force still increases where the closed form of the turn
/// begins.
fn outcome_in(equation: &Equation, exit: Exit) -> Option<(Outcome, bool)> {
    let (exponents, epsilon) = (equation.exponents, equation.epsilon);
    let Exponents { n, m, .. } = exponents;
    let integral = Integral::Time;
    let mut grid = Grid::new(equation, integral)?;
    let factor = equation.pace_factor();
    let mut peak = (if m == 0.0 { epsilon } else { 0.0 }, 0.0);
    let mut rising =
        equation.force_rises(equation.state(equation.start, equation.after_onset().zeta));
    if m > 0.0 && rising < 0.0 {
        return None;
    }
    let turn = compress(equation, &mut grid, integral, &mut |table, panel, from| {
        let mut at = 0.0;
        for j in 0..=POINTS {
            let (x, state) = match j {
                POINTS => (1.0, equation.state(table.left + table.width, panel.end)),
                _ => {
                    let strength = table.b[j] / equation.z(panel.zeta[j]);
                    (rule().nodes[j], (table.s[j], table.c[j], strength))
                }
            };
            let rises = equation.force_rises(state);
            if rising > 0.0 && rises <= 0.0 {
                let value = |x: f64| {
                    let zeta = rule().interpolate(&panel.zeta, x);
                    equation.force_rises(equation.state(table.left + x * table.width, zeta))
                };
                let bracket = Bracket { a: (at, rising), b: (x, rises) };
                let small = 1e-13 * rising.max(-rises);
                let fraction = bracket.narrow_until(1e-12, small, value).best();
                if let Some((point, theta)) =
                    equation.state_within(Phase::Compression, integral, table, from, fraction)
                {
                    let (s, _, strength) = equation.state(theta, point.zeta);
                    let force = equation.indentation(point.w, s).powf(n) * (1.0 + strength / s);
                    if force > peak.0 {
                        peak = (force, point.time * factor);
                    }
                }
            }
            rising = rises;
            at = x;
        }
        None
    })?;
    let indentation_max = equation.indentation(turn.w, 1.0);
    let time_of_indentation_max = turn.time * factor;
    let late = rising > 0.0;
    let last =
        weak_peak(exponents, equation.epsilon, indentation_max, time_of_indentation_max, late);
    if last.0 > peak.0 {
        peak = last;
    }
    let (mut end, theta) = restitute(equation, &mut grid, integral, turn, exit)?;
    let (mut s, mut c) = (0.0, 1.0);
    if theta.is_finite() {
        // One Newton correction of the interpolated end of contact.
        let strength;
        (s, c, strength) = equation.state(theta, end.zeta);
        let free = 1.0 - strength;
        let loss = -2.0 * strength * c / free;
        let drift = exponents.q * s - 2.0 * equation.mu * c + equation.kappa * loss;
        let step = (s - strength) / (strength * drift + 2.0 * s * c);
        let pace = s.powf(equation.gamma) * c.sqrt() * (-equation.alpha * end.w).exp();
        end.time += pace / free * step;
        end.w += loss * step;
        (s, c) = (s * (1.0 - 2.0 * c * step), c * (1.0 + 2.0 * s * step));
    }
    let outcome = Outcome {
        restitution: (0.5 * end.w).exp() * c.sqrt(),
        duration: end.time * factor,
        indentation_max,
        time_of_indentation_max,
        force_max: peak.0,
        time_of_force_max: peak.1,
        residual_indentation: equation.indentation(end.w, s),
    };
    Some((outcome, late))
}
