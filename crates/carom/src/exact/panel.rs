//! The fast path: the impact by collocation on Gauss panels.
//!
//! In the phase variables of `phase.rs` the energy enters only through z = e^(−κw). With
//! z = 1 + κζ and the known function B(ϑ) = ε̂₀·s^μ·c^(q/2) the whole impact is one scalar equation,
//!
//! ```text
//! dζ/dϑ = 2cBz/(z + B)   in compression,        −dζ/dϑ = 2cBz/(z − B)   in restitution,
//! ```
//!
//! analytic on the whole line, with exponential tails that are summed in closed form at both ends and
//! at the turn. Powers of s and c are tabulated once a node and serve both phases; what is iterated is
//! rational. Panels of [`POINTS`] Gauss points give the last digits with a few evaluations a point; a
//! panel that does not contract or does not resolve the solution is halved.
//!
//! Where damping is so strong that halving does not help (z − B → 0, creeping), the answer is `None`
//! and `phase.rs` takes over; the two agree to 1e-10 wherever both answer, which is a test.

mod medium;
mod solve;

use super::Exponents;
use super::gauss::{POINTS, rule};
use super::phase::{Outcome, weak_peak};
use crate::law::Exit;
use crate::numeric::root::Bracket;
pub(super) use medium::Effort;
use medium::{Along, Medium, Phase, Point, Table, angle};
use solve::{Crossed, Panel, Stretch, Watch};

/// The panels of an impact with their tables and the solution, reused as a first guess for the next impact with the
/// same exponents and nearly the same ε: for Newton's iteration for ε.
pub(super) struct Grid {
    strength: f64,
    start: f64,
    edge: f64,
    compression: Vec<Stretch>,
    /// Empty before the first restitution.
    restitution: Vec<Stretch>,
}

impl Grid {
    fn new(medium: &Medium, along: Along) -> Option<Self> {
        if !medium.series_hold() {
            return None;
        }
        let (ends, count) = medium.ends()?;
        let panels = ends[..=count]
            .windows(2)
            .map(|pair| Stretch::new(medium.table(pair[0], pair[1] - pair[0], along), 0));
        Some(Self {
            strength: medium.strength,
            start: medium.start,
            edge: medium.edge,
            compression: panels.collect(),
            restitution: Vec::new(),
        })
    }

    /// The grid for a nearby damping, if it is near enough for the series at its ends.
    fn moved(mut self, medium: &mut Medium) -> Option<Self> {
        let ratio = medium.strength / self.strength;
        let own = (medium.start, medium.edge);
        (medium.start, medium.edge) = (self.start, self.edge);
        if !(ratio > 0.2 && ratio < 2.0 && medium.series_hold()) {
            (medium.start, medium.edge) = own;
            return None;
        }
        for stretch in self.compression.iter_mut().chain(&mut self.restitution) {
            stretch.scale(ratio);
        }
        self.strength = medium.strength;
        Some(self)
    }

    /// The panels from the turn back to separation: those that compression needed, at first.
    fn back(&mut self) -> &mut Vec<Stretch> {
        if self.restitution.is_empty() {
            let forth = self.compression.iter().rev();
            self.restitution.extend(forth.map(|stretch| {
                Stretch::new(Phase::Restitution.ordered(stretch.table), stretch.depth)
            }));
        }
        &mut self.restitution
    }
}

/// Compression up to the turn.
fn compress(medium: &Medium, grid: &mut Grid, along: Along, watch: &mut Watch) -> Option<Point> {
    let track = &mut grid.compression;
    match medium.cross(Phase::Compression, along, track, medium.touch(), watch)? {
        Crossed::Through(point) => Some(medium.turn(1.0, point)),
        Crossed::Stopped(..) => None,
    }
}

/// Restitution from the turn to the end of contact, and ϑ there (−∞ at separation).
fn restitute(
    medium: &Medium,
    grid: &mut Grid,
    along: Along,
    turn: Point,
    exit: Exit,
) -> Option<(Point, f64)> {
    let by_force = exit == Exit::ZeroForce && medium.exponents.m < medium.exponents.n;
    let mut watch = |table: &Table, panel: &Panel, _: &Point| {
        if by_force { medium.zero_force(table, panel) } else { None }
    };
    let from = medium.turn(-1.0, turn);
    match medium.cross(Phase::Restitution, along, grid.back(), from, &mut watch)? {
        Crossed::Stopped(point, theta) => Some((point, theta)),
        // The panels end where B is small, but next to creeping z is small too.
        Crossed::Through(point) if !medium.tail_holds(point) => None,
        Crossed::Through(point) if by_force => medium.vanish(point),
        Crossed::Through(point) => Some((medium.separate(point), f64::NEG_INFINITY)),
    }
}

/// ln e and ∂ln e/∂ln ε; `memo` carries the grid from one ε to the next.
pub(super) fn logarithm(
    exponents: Exponents,
    exit: Exit,
    epsilon: f64,
    effort: Effort,
    memo: &mut Option<Grid>,
) -> Option<(f64, f64)> {
    let mut medium = Medium::new(exponents, epsilon, effort);
    let along = Along::Sensitivity;
    let mut grid = match memo.take().and_then(|grid| grid.moved(&mut medium)) {
        Some(grid) => grid,
        None => Grid::new(&medium, along)?,
    };
    let turn = compress(&medium, &mut grid, along, &mut |_, _, _| None)?;
    let (end, theta) = restitute(&medium, &mut grid, along, turn, exit)?;
    *memo = Some(grid);
    let c = if theta.is_finite() { angle(theta).2 } else { 1.0 };
    let ln_e = 0.5 * (medium.energy(end.zeta) + c.ln());
    Some((ln_e, -0.5 * end.xi / medium.z(end.zeta)))
}

/// ln e and ∂ln e/∂ln ε when the damper acts in compression only: e² = 2E at the turn.
pub(super) fn compression_logarithm(exponents: Exponents, epsilon: f64) -> Option<(f64, f64)> {
    let medium = Medium::new(exponents, epsilon, Effort::FULL);
    let mut grid = Grid::new(&medium, Along::Sensitivity)?;
    let turn = compress(&medium, &mut grid, Along::Sensitivity, &mut |_, _, _| None)?;
    Some((0.5 * medium.energy(turn.zeta), -0.5 * turn.xi / medium.z(turn.zeta)))
}

/// Everything about the impact.
pub(super) fn outcome(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<Outcome> {
    let medium = Medium::new(exponents, epsilon, Effort::FULL);
    match outcome_in(&medium, exit)? {
        // The force peaked within the series at the turn, which do not resolve it: bring the panels closer to the turn.
        (_, true) if exponents.q < 2.0 && epsilon > 0.0 => {
            Some(outcome_in(&medium.with_narrow_turn(), exit)?.0)
        }
        (outcome, _) => Some(outcome),
    }
}

/// Everything about the impact, and whether the force still rose at the edge of the turn.
fn outcome_in(medium: &Medium, exit: Exit) -> Option<(Outcome, bool)> {
    let (exponents, epsilon) = (medium.exponents, medium.epsilon);
    let Exponents { n, m, .. } = exponents;
    let along = Along::Time;
    let mut grid = Grid::new(medium, along)?;
    let factor = medium.pace_factor();
    let mut peak = (if m == 0.0 { epsilon } else { 0.0 }, 0.0);
    let mut rising = medium.force_rises(medium.state(medium.start, medium.touch().zeta));
    if m > 0.0 && rising < 0.0 {
        return None;
    }
    let turn = compress(medium, &mut grid, along, &mut |table, panel, from| {
        let mut at = 0.0;
        for j in 0..=POINTS {
            let (x, state) = match j {
                POINTS => (1.0, medium.state(table.left + table.width, panel.end)),
                _ => {
                    let strength = table.b[j] / medium.z(panel.zeta[j]);
                    (rule().nodes[j], (table.s[j], table.c[j], strength))
                }
            };
            let rises = medium.force_rises(state);
            if rising > 0.0 && rises <= 0.0 {
                let value = |x: f64| {
                    let zeta = rule().interpolate(&panel.zeta, x);
                    medium.force_rises(medium.state(table.left + x * table.width, zeta))
                };
                let bracket = Bracket { a: (at, rising), b: (x, rises) };
                let small = 1e-13 * rising.max(-rises);
                let fraction = bracket.narrow_until(1e-12, small, value).best();
                if let Some((point, theta)) =
                    medium.part(Phase::Compression, along, table, from, fraction)
                {
                    let (s, _, strength) = medium.state(theta, point.zeta);
                    let force = medium.indentation(point.w, s).powf(n) * (1.0 + strength / s);
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
    let indentation_max = medium.indentation(turn.w, 1.0);
    let time_of_indentation_max = turn.time * factor;
    let late = rising > 0.0;
    let last = weak_peak(exponents, medium.epsilon, indentation_max, time_of_indentation_max, late);
    if last.0 > peak.0 {
        peak = last;
    }
    let (mut end, theta) = restitute(medium, &mut grid, along, turn, exit)?;
    let (mut s, mut c) = (0.0, 1.0);
    if theta.is_finite() {
        // One Newton correction of the interpolated event.
        let strength;
        (s, c, strength) = medium.state(theta, end.zeta);
        let free = 1.0 - strength;
        let loss = -2.0 * strength * c / free;
        let drift = exponents.q * s - 2.0 * medium.mu * c + medium.kappa * loss;
        let step = (s - strength) / (strength * drift + 2.0 * s * c);
        let pace = s.powf(medium.gamma) * c.sqrt() * (-medium.alpha * end.w).exp();
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
        residual_indentation: medium.indentation(end.w, s),
    };
    Some((outcome, late))
}
