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
//! and `phase.rs` takes over; the two agree to 1e-11 wherever both answer, which is a test.

use super::Exponents;
use super::gauss::{POINTS, Row, Rule, rule};
use super::phase::{Outcome, turn_integral, weak_peak};
use super::wide;
use crate::law::Exit;

/// Most panels of a grid; more are needed only far outside common exponents.
const MOST: usize = 18;
/// Size of r = s/c and B at which the series at touch and separation take over; its cube is lost.
const TAIL: f64 = 1e-6;
/// c/s at which the turn is summed in closed form.
const TURN: f64 = 1e-11;
/// How often a panel is halved before the impact counts as hard.
const DEPTH: usize = 6;

/// One set of exponents and its damping.
struct Medium {
    exponents: Exponents,
    mu: f64,
    kappa: f64,
    /// 1/(n+1): x ∝ s^γ.
    gamma: f64,
    /// (n−1)/(2(n+1)): P ∝ e^(−αw).
    alpha: f64,
    /// ε·((n+1)/2)^(μ−1).
    strength: f64,
    ln_strength: f64,
    epsilon: f64,
    /// ϑ where the series at touch ends.
    start: f64,
}

/// What a panel tabulates: s, c, B and s^γ·c^½ at its nodes.
#[derive(Clone, Copy)]
struct Table {
    left: f64,
    width: f64,
    s: Row,
    c: Row,
    b: Row,
    pace: Row,
}

impl Table {
    const BLANK: Self = {
        let row = [0.0; POINTS];
        Self { left: 0.0, width: 0.0, s: row, c: row, b: row, pace: row }
    };
}

/// The solution over one panel, nodes in the order of motion.
struct Panel {
    slope: Row,
    zeta: Row,
    end: f64,
}

/// How far the impact has come.
#[derive(Clone, Copy)]
struct Point {
    zeta: f64,
    w: f64,
    /// Time, without the pace factor.
    time: f64,
    /// ∂ζ/∂ln ε.
    xi: f64,
}

/// Which phase is integrated; panels run forwards in compression and backwards in restitution.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Compression,
    Restitution,
}

/// What is computed along with ζ.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    Time,
    Sensitivity,
}

/// How a panel was left.
enum Crossed {
    Through(Point),
    /// At ϑ, where the watcher said so.
    Stopped(Point, f64),
}

/// Looks at a solved panel and may end it at a fraction of its length.
type Watch<'a> = dyn FnMut(&Table, &Panel, &Point) -> Option<f64> + 'a;

/// ln(1 + e^(2ϑ)), s and c at ϑ.
#[inline(always)]
fn angle(theta: f64) -> (f64, f64, f64) {
    let r = (2.0 * theta).exp();
    let c = 1.0 / (1.0 + r);
    ((1.0 + r).ln(), r * c, c)
}

impl Medium {
    fn new(exponents: Exponents, epsilon: f64) -> Self {
        let Exponents { n, m, q } = exponents;
        let mu = (m + 1.0) / (n + 1.0);
        let strength = epsilon * (0.5 * (n + 1.0)).powf(mu - 1.0);
        Self {
            exponents,
            mu,
            kappa: (q * (n + 1.0) - 2.0 * (n - m)) / (2.0 * (n + 1.0)),
            gamma: 1.0 / (n + 1.0),
            alpha: 0.5 - 1.0 / (n + 1.0),
            strength,
            ln_strength: strength.ln(),
            epsilon,
            start: 0.5 * TAIL.ln().min((TAIL / strength).ln() / mu),
        }
    }

    /// Ends of the panels from touch to turn: narrow where s and c are comparable, wide in the tails.
    ///
    /// Poles of the integrand stand at a distance of π/2 and, where B = −z, of π/2μ and π/q.
    fn ends(&self) -> Option<([f64; MOST + 1], usize)> {
        let unit = 1.6 / self.mu.max(1.0).max(0.5 * self.exponents.q);
        let widths = |k: usize| unit * [1.0, 1.0, 1.4, 2.0][k.min(3)];
        let turn = -0.5 * TURN.ln();
        let mut ends = [0.0; MOST + 1];
        let mut left = [0.0; MOST + 1];
        let (mut count, mut x) = (0, 0.0);
        while x > self.start {
            x = (x - widths(count)).max(self.start);
            count += 1;
            *left.get_mut(count)? = x;
        }
        for k in 0..=count {
            ends[k] = left[count - k];
        }
        let (mut k, mut x) = (0, 0.0);
        while x < turn {
            x = (x + widths(k)).min(turn);
            k += 1;
            count += 1;
            *ends.get_mut(count)? = x;
        }
        Some((ends, count))
    }

    fn table(&self, left: f64, width: f64, along: Along) -> Table {
        struct Tabulate<'a>(&'a Medium, &'a Rule, f64, f64, Along);
        impl pulp::WithSimd for Tabulate<'_> {
            type Output = Table;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Table {
                let Tabulate(medium, rule, left, width, along) = self;
                medium.tabulate(rule, left, width, along)
            }
        }
        pulp::Arch::new().dispatch(Tabulate(self, rule(), left, width, along))
    }

    #[inline(always)]
    fn tabulate(&self, rule: &Rule, left: f64, width: f64, along: Along) -> Table {
        let mut table = Table { left, width, ..Table::BLANK };
        let fade = self.mu + 0.5 * self.exponents.q;
        let theta = rule.nodes.map(|x| left + width * x);
        let r = wide::exp_of(|j| 2.0 * theta[j]);
        let mut log = [0.0; POINTS];
        for j in 0..POINTS {
            let c = 1.0 / (1.0 + r[j]);
            (table.s[j], table.c[j]) = (r[j] * c, c);
        }
        for j in 0..POINTS {
            log[j] = (1.0 + r[j]).ln();
        }
        table.b = wide::exp_of(|j| self.ln_strength + 2.0 * self.mu * theta[j] - fade * log[j]);
        if along == Along::Time {
            let (gamma, fade) = (self.gamma, self.gamma + 0.5);
            table.pace = wide::exp_of(|j| 2.0 * gamma * theta[j] - fade * log[j]);
        }
        table
    }

    /// Solves one panel from ζ₀ by iterating the integral equation.
    fn solve(&self, sign: f64, zeta: f64, table: &Table) -> Option<Panel> {
        struct Solve<'a>(&'a Medium, &'a Rule, f64, f64, &'a Table);
        impl pulp::WithSimd for Solve<'_> {
            type Output = Option<Panel>;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Option<Panel> {
                let Solve(medium, rule, sign, zeta, table) = self;
                medium.iterate(rule, sign, zeta, table)
            }
        }
        pulp::Arch::new().dispatch(Solve(self, rule(), sign, zeta, table))
    }

    #[inline(always)]
    fn iterate(&self, rule: &Rule, sign: f64, zeta: f64, table: &Table) -> Option<Panel> {
        let (kappa, h) = (self.kappa, table.width);
        let mut nodes = [zeta; POINTS];
        let mut slope = [0.0; POINTS];
        let mut before = f64::INFINITY;
        for _ in 0..40 {
            let mut least = f64::INFINITY;
            for j in 0..POINTS {
                let z = 1.0 + kappa * nodes[j];
                let inertia = z + sign * table.b[j];
                least = least.min(inertia);
                slope[j] = 2.0 * table.c[j] * table.b[j] * z / inertia;
            }
            if !(least > 0.0) {
                return None;
            }
            let next = rule.integrate(zeta, h, &slope);
            let mut change = 0.0f64;
            for j in 0..POINTS {
                change = change.max((next[j] - nodes[j]).abs());
            }
            nodes = next;
            if change <= 2e-14 * (1.0 + zeta) {
                // Gauss points square the resolution: 4e-7 in the highest terms is 1e-13 at the end.
                let resolved = h * rule.roughness(&slope) <= 4e-7 * (1.0 + zeta);
                let end = zeta + h * rule.total(&slope);
                return resolved.then_some(Panel { slope, zeta: nodes, end });
            }
            if !(change < 0.6 * before) {
                return None;
            }
            before = change;
        }
        None
    }

    /// Crosses a panel (tabulated in the order of motion), halving it where it is hard.
    fn cross(
        &self,
        phase: Phase,
        along: Along,
        table: &Table,
        from: Point,
        depth: usize,
        watch: &mut Watch,
    ) -> Option<Crossed> {
        let sign = phase.sign();
        let Some(panel) = self.solve(sign, from.zeta, table) else {
            let half = 0.5 * table.width;
            let (first, second) = match phase {
                Phase::Compression => (table.left, table.left + half),
                Phase::Restitution => (table.left + half, table.left),
            };
            let mut point = from;
            for left in [first, second] {
                if depth == DEPTH {
                    return None;
                }
                let table = phase.ordered(self.table(left, half, along));
                match self.cross(phase, along, &table, point, depth + 1, watch)? {
                    Crossed::Through(next) => point = next,
                    stopped => return Some(stopped),
                }
            }
            return Some(Crossed::Through(point));
        };
        if let Some(fraction) = watch(table, &panel, &from) {
            let (point, theta) = self.part(phase, along, table, &from, fraction)?;
            return Some(Crossed::Stopped(point, theta));
        }
        Some(Crossed::Through(self.carry(sign, along, table, &panel, &from)))
    }

    /// The state at a fraction of a panel, solved anew to that point.
    fn part(
        &self,
        phase: Phase,
        along: Along,
        table: &Table,
        from: &Point,
        fraction: f64,
    ) -> Option<(Point, f64)> {
        let length = fraction * table.width;
        let (left, theta) = match phase {
            Phase::Compression => (table.left, table.left + length),
            Phase::Restitution => {
                let right = table.left + table.width;
                (right - length, right - length)
            }
        };
        let table = phase.ordered(self.table(left, length, along));
        let panel = self.solve(phase.sign(), from.zeta, &table)?;
        Some((self.carry(phase.sign(), along, &table, &panel, from), theta))
    }

    /// Time or sensitivity over a solved panel.
    fn carry(&self, sign: f64, along: Along, table: &Table, panel: &Panel, from: &Point) -> Point {
        struct Sum<'a>(&'a Medium, &'a Rule, f64, Along, &'a Table, &'a Panel, &'a Point);
        impl pulp::WithSimd for Sum<'_> {
            type Output = Point;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Point {
                let Sum(medium, rule, sign, along, table, panel, from) = self;
                medium.sum(rule, sign, along, table, panel, from)
            }
        }
        pulp::Arch::new().dispatch(Sum(self, rule(), sign, along, table, panel, from))
    }

    #[inline(always)]
    fn sum(
        &self,
        rule: &Rule,
        sign: f64,
        along: Along,
        table: &Table,
        panel: &Panel,
        from: &Point,
    ) -> Point {
        let h = table.width;
        let mut to = Point { zeta: panel.end, ..*from };
        match along {
            Along::Time => {
                let (mut loss, mut slow) = ([0.0; POINTS], [0.0; POINTS]);
                for j in 0..POINTS {
                    let inverse = 1.0 / (1.0 + self.kappa * panel.zeta[j]);
                    loss[j] = -panel.slope[j] * inverse;
                    slow[j] = table.pace[j] / (1.0 + sign * table.b[j] * inverse);
                }
                let w = rule.integrate(from.w, h, &loss);
                let gain = wide::exp_of(|j| -self.alpha * w[j]);
                for j in 0..POINTS {
                    slow[j] *= gain[j];
                }
                to.w += h * rule.total(&loss);
                to.time += h * rule.total(&slow);
            }
            Along::Sensitivity => {
                let (mut source, mut tangent) = ([0.0; POINTS], [0.0; POINTS]);
                for j in 0..POINTS {
                    let z = 1.0 + self.kappa * panel.zeta[j];
                    let inverse = 1.0 / (z + sign * table.b[j]);
                    let common = 2.0 * table.c[j] * table.b[j] * inverse * inverse;
                    source[j] = common * z * z;
                    tangent[j] = sign * self.kappa * common * table.b[j];
                }
                let mut nodes = [from.xi; POINTS];
                let mut slope = source;
                for _ in 0..30 {
                    for j in 0..POINTS {
                        slope[j] = source[j] + tangent[j] * nodes[j];
                    }
                    let next = rule.integrate(from.xi, h, &slope);
                    let mut change = 0.0f64;
                    for j in 0..POINTS {
                        change = change.max((next[j] - nodes[j]).abs());
                    }
                    nodes = next;
                    if change < 1e-6 * (1.0 + from.xi) {
                        break;
                    }
                }
                to.xi += h * rule.total(&slope);
            }
        }
        to
    }

    /// The state after the series at touch: ζ = ∫E·r^(μ−1)·[1 − (1+μ+q/2)r − E·r^μ] dr.
    fn touch(&self) -> Point {
        let (mu, gamma, alpha) = (self.mu, self.gamma, self.alpha);
        let r = (2.0 * self.start).exp();
        let b = self.strength * r.powf(mu);
        let zeta = b * (1.0 / mu - self.spread(r) - 0.5 * b / mu);
        let time = 0.5
            * r.powf(gamma)
            * (1.0 / gamma - (gamma + 0.5) * r / (gamma + 1.0)
                + (alpha / mu - 1.0) * b / (gamma + mu));
        Point { zeta, w: self.energy(zeta), time, xi: zeta }
    }

    /// (1+μ+q/2)·r/(μ+1).
    fn spread(&self, r: f64) -> f64 {
        (1.0 + self.mu + 0.5 * self.exponents.q) * r / (self.mu + 1.0)
    }

    /// The state at separation, from the end of the last panel.
    fn separate(&self, from: Point) -> Point {
        let (mu, gamma, alpha) = (self.mu, self.gamma, self.alpha);
        let r = (2.0 * self.start).exp();
        let (b, z) = (self.strength * r.powf(mu), self.z(from.zeta));
        let gain = b * (1.0 / mu - self.spread(r) + 0.5 * b / (mu * z));
        let weak = b / z;
        let time = 0.5
            * r.powf(gamma)
            * (-alpha * from.w).exp()
            * ((1.0 + alpha * weak / mu) / gamma - (gamma + 0.5) * r / (gamma + 1.0)
                + (1.0 - alpha / mu) * weak / (gamma + mu));
        let zeta = from.zeta + gain;
        Point { zeta, w: self.energy(zeta), time: from.time + time, xi: from.xi + gain }
    }

    /// From the edge of the turn to the turn (sign +) or back (sign −): B ∝ c^(q/2), P ∝ c^½.
    fn turn(&self, sign: f64, from: Point) -> Point {
        let (q, z) = (self.exponents.q, self.z(from.zeta));
        let b = self.edge();
        let gain = TURN * b * (1.0 / (0.5 * q + 1.0) - sign * b / (z * (q + 1.0)));
        let pace = TURN.sqrt() * (-self.alpha * from.w).exp();
        let zeta = from.zeta + gain;
        let time = from.time + pace * turn_integral(sign * b / z, q);
        Point { zeta, w: self.energy(zeta), time, xi: from.xi + gain }
    }

    /// B at the edge of the turn.
    fn edge(&self) -> f64 {
        self.strength * TURN.powf(0.5 * self.exponents.q)
    }

    fn z(&self, zeta: f64) -> f64 {
        1.0 + self.kappa * zeta
    }

    /// w = −ln z/κ.
    fn energy(&self, zeta: f64) -> f64 {
        match self.kappa.abs() < 1e-9 {
            true => -zeta + 0.5 * self.kappa * zeta * zeta,
            false => -(self.kappa * zeta).ln_1p() / self.kappa,
        }
    }

    /// The factor of P = factor·s^γ·c^½·e^(−αw).
    fn pace_factor(&self) -> f64 {
        2.0 * self.gamma * (0.5 / self.gamma).powf(self.gamma)
    }

    /// s, c and Q at ϑ for a value of ζ.
    fn state(&self, theta: f64, zeta: f64) -> (f64, f64, f64) {
        let (log, s, c) = angle(theta);
        let fade = self.mu + 0.5 * self.exponents.q;
        let b = self.strength * (2.0 * self.mu * theta - fade * log).exp();
        (s, c, b / self.z(zeta))
    }

    /// Positive while the force rises, in compression; see `phase.rs`.
    fn force_rises(&self, (s, c, strength): (f64, f64, f64)) -> f64 {
        let Exponents { n, m, q } = self.exponents;
        n * s * c + m * strength * c - 0.5 * q * (n + 1.0) * strength * (s + strength)
    }

    fn indentation(&self, w: f64, s: f64) -> f64 {
        (0.5 / self.gamma * w.exp() * s).powf(self.gamma)
    }

    /// The fraction of a restitution panel at which the force vanishes (Q = s), if it does.
    fn zero_force(&self, table: &Table, panel: &Panel) -> Option<f64> {
        let right = table.left + table.width;
        let value = |x: f64, zeta: f64| {
            let (s, _, strength) = self.state(right - x * table.width, zeta);
            strength - s
        };
        let nodes = &rule().nodes;
        let passed = |j: usize| table.b[j] >= table.s[j] * (1.0 + self.kappa * panel.zeta[j]);
        let (a, b) = match (0..POINTS).find(|&j| passed(j)) {
            Some(0) => (0.0, nodes[0]),
            Some(j) => (nodes[j - 1], nodes[j]),
            None if value(1.0, panel.end) >= 0.0 => (nodes[POINTS - 1], 1.0),
            None => return None,
        };
        Some(root(|x| value(x, rule().interpolate(&panel.zeta, x)), a, b))
    }
}

impl Phase {
    fn sign(self) -> f64 {
        if self == Self::Compression { 1.0 } else { -1.0 }
    }

    /// The table with its nodes in the order of motion.
    fn ordered(self, mut table: Table) -> Table {
        if self == Self::Restitution {
            table.s.reverse();
            table.c.reverse();
            table.b.reverse();
            table.pace.reverse();
        }
        table
    }
}

/// A root of `f` between a and b, where it has different signs, to 1e-9; regula falsi (Illinois).
fn root(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let (mut fa, mut fb) = (f(a), f(b));
    if fa * fb > 0.0 {
        return if fa.abs() < fb.abs() { a } else { b };
    }
    for _ in 0..40 {
        let x = (a * fb - b * fa) / (fb - fa);
        let fx = f(x);
        let moved = (x - b).abs();
        if (fx > 0.0) == (fb > 0.0) {
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
        }
        (b, fb) = (x, fx);
        if fx == 0.0 || moved < 1e-9 {
            break;
        }
    }
    b
}

/// The tables of an impact, from touch to turn.
fn tables(medium: &Medium, along: Along) -> Option<Vec<Table>> {
    if !(medium.start.is_finite() && medium.edge() <= 0.05) {
        return None;
    }
    let (ends, count) = medium.ends()?;
    let pairs = ends[..=count].windows(2);
    Some(pairs.map(|pair| medium.table(pair[0], pair[1] - pair[0], along)).collect())
}

/// Compression up to the turn.
fn compress(medium: &Medium, grid: &[Table], along: Along, watch: &mut Watch) -> Option<Point> {
    let mut point = medium.touch();
    for table in grid {
        match medium.cross(Phase::Compression, along, table, point, 0, watch)? {
            Crossed::Through(next) => point = next,
            Crossed::Stopped(..) => return None,
        }
    }
    Some(medium.turn(1.0, point))
}

/// Restitution from the turn to the end of contact, and ϑ there (−∞ at separation).
fn restitute(
    medium: &Medium,
    grid: &[Table],
    along: Along,
    turn: Point,
    exit: Exit,
) -> Option<(Point, f64)> {
    let by_force = exit == Exit::ZeroForce && medium.exponents.m < medium.exponents.n;
    let mut watch = |table: &Table, panel: &Panel, _: &Point| {
        if by_force { medium.zero_force(table, panel) } else { None }
    };
    let mut point = medium.turn(-1.0, turn);
    for table in grid.iter().rev() {
        let table = Phase::Restitution.ordered(*table);
        match medium.cross(Phase::Restitution, along, &table, point, 0, &mut watch)? {
            Crossed::Through(next) => point = next,
            Crossed::Stopped(point, theta) => return Some((point, theta)),
        }
    }
    // A force that vanishes only in the last digits of the indentation needs the general path.
    (!by_force).then(|| (medium.separate(point), f64::NEG_INFINITY))
}

/// ln e and ∂ln e/∂ln ε.
pub(super) fn logarithm(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<(f64, f64)> {
    let medium = Medium::new(exponents, epsilon);
    let along = Along::Sensitivity;
    let grid = tables(&medium, along)?;
    let turn = compress(&medium, &grid, along, &mut |_, _, _| None)?;
    let (end, theta) = restitute(&medium, &grid, along, turn, exit)?;
    let c = if theta.is_finite() { angle(theta).2 } else { 1.0 };
    let ln_e = 0.5 * (medium.energy(end.zeta) + c.ln());
    Some((ln_e, -0.5 * end.xi / medium.z(end.zeta)))
}

/// ln e and ∂ln e/∂ln ε when the damper acts in compression only: e² = 2E at the turn.
pub(super) fn compression_logarithm(exponents: Exponents, epsilon: f64) -> Option<(f64, f64)> {
    let medium = Medium::new(exponents, epsilon);
    let grid = tables(&medium, Along::Sensitivity)?;
    let turn = compress(&medium, &grid, Along::Sensitivity, &mut |_, _, _| None)?;
    Some((0.5 * medium.energy(turn.zeta), -0.5 * turn.xi / medium.z(turn.zeta)))
}

/// Everything about the impact.
pub(super) fn outcome(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<Outcome> {
    let medium = Medium::new(exponents, epsilon);
    let Exponents { n, m, .. } = exponents;
    let along = Along::Time;
    let grid = tables(&medium, along)?;
    let factor = medium.pace_factor();
    let mut peak = (if m == 0.0 { epsilon } else { 0.0 }, 0.0);
    let mut rising = medium.force_rises(medium.state(medium.start, medium.touch().zeta));
    if m > 0.0 && rising < 0.0 {
        return None;
    }
    let turn = compress(&medium, &grid, along, &mut |table, panel, from| {
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
    let (mut end, theta) = restitute(&medium, &grid, along, turn, exit)?;
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
