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
use super::gauss::{POINTS, Row, rule};
use super::phase::{Outcome, weak_peak};
use crate::law::Exit;
pub(super) use medium::Effort;
use medium::{Along, Medium, Phase, Point, Table, angle};
use solve::{Crossed, Panel, Watch, root};

/// What one impact leaves for the next with the same exponents and nearly the same ε: its tables, and
/// the solution as a first guess. Newton's iteration for ε is why.
pub(super) struct Grid {
    tables: Vec<Table>,
    strength: f64,
    start: f64,
    /// ζ at the nodes of the panels in compression and in restitution.
    trails: [Vec<Option<Row>>; 2],
}

impl Grid {
    fn new(medium: &Medium, along: Along) -> Option<Self> {
        if !(medium.start.is_finite() && medium.edge() <= 0.05) {
            return None;
        }
        let (ends, count) = medium.ends()?;
        let pairs = ends[..=count].windows(2);
        Some(Self {
            tables: pairs.map(|pair| medium.table(pair[0], pair[1] - pair[0], along)).collect(),
            strength: medium.strength,
            start: medium.start,
            trails: [vec![None; count], vec![None; count]],
        })
    }

    /// The grid for a nearby damping, if it is near enough for the series at touch.
    fn moved(mut self, medium: &mut Medium) -> Option<Self> {
        let ratio = medium.strength / self.strength;
        if !(ratio > 0.2 && ratio < 2.0 && medium.edge() <= 0.05) {
            return None;
        }
        for table in &mut self.tables {
            table.b = table.b.map(|b| b * ratio);
        }
        for row in self.trails.iter_mut().flatten().flatten() {
            *row = row.map(|zeta| zeta * ratio);
        }
        self.strength = medium.strength;
        medium.start = self.start;
        Some(self)
    }
}

/// Compression up to the turn.
fn compress(medium: &Medium, grid: &mut Grid, along: Along, watch: &mut Watch) -> Option<Point> {
    let mut point = medium.touch();
    for (table, trail) in grid.tables.iter().zip(&mut grid.trails[0]) {
        match medium.cross(Phase::Compression, along, table, point, 0, trail, watch)? {
            Crossed::Through(next) => point = next,
            Crossed::Stopped(..) => return None,
        }
    }
    Some(medium.turn(1.0, point))
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
    let mut point = medium.turn(-1.0, turn);
    for (table, trail) in grid.tables.iter().zip(&mut grid.trails[1]).rev() {
        let table = Phase::Restitution.ordered(*table);
        match medium.cross(Phase::Restitution, along, &table, point, 0, trail, &mut watch)? {
            Crossed::Through(next) => point = next,
            Crossed::Stopped(point, theta) => return Some((point, theta)),
        }
    }
    match by_force {
        true => medium.vanish(point),
        false => Some((medium.separate(point), f64::NEG_INFINITY)),
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
    let Exponents { n, m, .. } = exponents;
    let along = Along::Time;
    let mut grid = Grid::new(&medium, along)?;
    let factor = medium.pace_factor();
    let mut peak = (if m == 0.0 { epsilon } else { 0.0 }, 0.0);
    let mut rising = medium.force_rises(medium.state(medium.start, medium.touch().zeta));
    if m > 0.0 && rising < 0.0 {
        return None;
    }
    let turn = compress(&medium, &mut grid, along, &mut |table, panel, from| {
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
                let fraction = root(value, at, x);
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
    let (mut end, theta) = restitute(&medium, &mut grid, along, turn, exit)?;
    let (mut s, mut c) = (0.0, 1.0);
    if theta.is_finite() {
        // Next to the interpolated event: one Newton correction of its place.
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
    Some(Outcome {
        restitution: (0.5 * end.w).exp() * c.sqrt(),
        duration: end.time * factor,
        indentation_max,
        time_of_indentation_max,
        force_max: peak.0,
        time_of_force_max: peak.1,
        residual_indentation: medium.indentation(end.w, s),
    })
}
