//! Solving a panel, crossing it, and what is summed along the way.

use super::super::gauss::{POINTS, Row, Rule, rule};
use super::super::wide;
use super::medium::{Along, Medium, Phase, Point, Table};
use crate::numeric::root::Bracket;

/// How often a panel is halved before the general flow is used instead.
const MAX_DEPTH: usize = 6;

/// The solution over one panel, nodes in the order of motion.
pub(super) struct Panel {
    pub(super) slope: Row,
    pub(super) zeta: Row,
    pub(super) end: f64,
}

/// A panel to be crossed: its table in the order of motion, guesses of ζ and ∂ζ/∂ln ε at its nodes where
/// it was crossed before, and how often it was halved.
#[derive(Clone)]
pub(super) struct Stretch {
    pub(super) table: Table,
    pub(super) zeta: Option<Row>,
    pub(super) xi: Option<Row>,
    pub(super) depth: usize,
}

impl Stretch {
    pub(super) fn new(table: Table, depth: usize) -> Self {
        Self { table, zeta: None, xi: None, depth }
    }

    /// Adapts the panel to a damping that is `ratio` times as strong.
    pub(super) fn scale(&mut self, ratio: f64) {
        let rise = ratio.ln();
        for b in &mut self.table.b {
            *b *= ratio;
        }
        if let (Some(zeta), Some(xi)) = (&mut self.zeta, &mut self.xi) {
            for (zeta, xi) in zeta.iter_mut().zip(xi) {
                // ξ itself grows like ε while damping is weak, so half of that is on the way.
                *zeta += 0.5 * rise * (1.0 + ratio) * *xi;
                *xi *= ratio;
            }
        }
    }
}

/// How a track was left.
pub(super) enum Crossed {
    Through(Point),
    /// At ϑ, where the watcher said so.
    Stopped(Point, f64),
}

/// Looks at a solved panel and may end it at a fraction of its length.
pub(super) type Watch<'a> = dyn FnMut(&Table, &Panel, &Point) -> Option<f64> + 'a;

/// The largest difference between two rows.
#[inline(always)]
fn largest_change(a: &Row, b: &Row) -> f64 {
    let mut change = [0.0; POINTS];
    for j in 0..POINTS {
        change[j] = (a[j] - b[j]).abs();
    }
    largest(change)
}

/// The largest of a row, in four independent lanes: a single chain of maxima would wait for each result.
#[inline(always)]
fn largest(mut row: Row) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    for j in 4..POINTS {
        row[j % 4] = larger(row[j % 4], row[j]);
    }
    larger(larger(row[0], row[1]), larger(row[2], row[3]))
}

impl Medium {
    /// Solves one panel from ζ₀ by iterating the integral equation from a guess at the nodes.
    pub(super) fn solve(&self, sign: f64, zeta: f64, table: &Table, guess: Row) -> Option<Panel> {
        struct Solve<'a>(&'a Medium, &'a Rule, f64, f64, &'a Table, Row);
        impl pulp::WithSimd for Solve<'_> {
            type Output = Option<Panel>;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Option<Panel> {
                let Solve(medium, rule, sign, zeta, table, guess) = self;
                medium.iterate(rule, sign, zeta, table, guess)
            }
        }
        pulp::Arch::new().dispatch(Solve(self, rule(), sign, zeta, table, guess))
    }

    /// Remaining error of an iteration after a step that changed it by `change`: smaller by the ratio of the last
    /// two changes. Where z falls towards creeping, errors grow later on, so that the change itself counts.
    #[inline(always)]
    fn left(&self, change: f64, before: f64) -> f64 {
        match self.kappa < 0.0 {
            true => change,
            false => change * (change / before).clamp(0.03, 1.0),
        }
    }

    #[inline(always)]
    pub(super) fn iterate(
        &self,
        rule: &Rule,
        sign: f64,
        zeta: f64,
        table: &Table,
        guess: Row,
    ) -> Option<Panel> {
        let (kappa, h) = (self.kappa, table.width);
        let mut nodes = guess;
        let mut slope = [0.0; POINTS];
        let mut before = f64::INFINITY;
        for _ in 0..40 {
            let mut creeping = [0.0; POINTS];
            for j in 0..POINTS {
                let z = 1.0 + kappa * nodes[j];
                let inertia = z + sign * table.b[j];
                creeping[j] = -inertia;
                slope[j] = 2.0 * table.c[j] * table.b[j] * z / inertia;
            }
            if !(largest(creeping) < 0.0) {
                return None;
            }
            let next = rule.integrate(zeta, h, &slope);
            let change = largest_change(&next, &nodes);
            nodes = next;
            let left = self.left(change, before.min(1.0 + zeta));
            if left <= self.effort.change * (1.0 + zeta) {
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

    /// Crosses the panels of a track, in the order of motion, halving those that are hard. The track
    /// keeps the halves and the solution for the next impact like this one.
    pub(super) fn cross(
        &self,
        phase: Phase,
        along: Along,
        track: &mut Vec<Stretch>,
        mut point: Point,
        watch: &mut Watch,
    ) -> Option<Crossed> {
        let sign = phase.sign();
        let mut k = 0;
        while let Some(stretch) = track.get_mut(k) {
            let table = &stretch.table;
            let guess = stretch.zeta.unwrap_or([point.zeta; POINTS]);
            let Some(panel) = self.solve(sign, point.zeta, table, guess) else {
                let (left, half, depth) = (table.left, 0.5 * table.width, stretch.depth + 1);
                if depth > MAX_DEPTH {
                    return None;
                }
                let halves = phase
                    .in_order([left, left + half])
                    .map(|left| Stretch::new(phase.ordered(self.table(left, half, along)), depth));
                track.splice(k..=k, halves);
                continue;
            };
            if let Some(fraction) = watch(table, &panel, &point) {
                let xi = &mut stretch.xi;
                let (point, theta) = match along {
                    // The whole panel is known well enough to look the place up in it.
                    Along::Sensitivity if self.effort.is_rough() => {
                        self.carry(sign, along, table, &panel, &point, xi);
                        let at = |row: &Row| rule().interpolate(row, fraction);
                        let xi = xi.as_ref().map_or(point.xi, at);
                        (Point { zeta: at(&panel.zeta), xi, ..point }, phase.place(table, fraction))
                    }
                    _ => self.part(phase, along, table, &point, fraction)?,
                };
                return Some(Crossed::Stopped(point, theta));
            }
            point = self.carry(sign, along, table, &panel, &point, &mut stretch.xi);
            stretch.zeta = Some(panel.zeta);
            k += 1;
        }
        Some(Crossed::Through(point))
    }

    /// The state at a fraction of a panel, solved anew to that point.
    pub(super) fn part(
        &self,
        phase: Phase,
        along: Along,
        table: &Table,
        from: &Point,
        fraction: f64,
    ) -> Option<(Point, f64)> {
        let theta = phase.place(table, fraction);
        let left = if phase == Phase::Compression { table.left } else { theta };
        let table = phase.ordered(self.table(left, fraction * table.width, along));
        let panel = self.solve(phase.sign(), from.zeta, &table, [from.zeta; POINTS])?;
        Some((self.carry(phase.sign(), along, &table, &panel, from, &mut None), theta))
    }

    /// Time or sensitivity over a solved panel; the latter also at its nodes.
    pub(super) fn carry(
        &self,
        sign: f64,
        along: Along,
        table: &Table,
        panel: &Panel,
        from: &Point,
        xi: &mut Option<Row>,
    ) -> Point {
        struct Sum<'a>(
            &'a Medium,
            f64,
            Along,
            &'a Table,
            &'a Panel,
            &'a Point,
            &'a mut Option<Row>,
        );
        impl pulp::WithSimd for Sum<'_> {
            type Output = Point;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Point {
                let Sum(medium, sign, along, table, panel, from, xi) = self;
                medium.sum(sign, along, table, panel, from, xi)
            }
        }
        pulp::Arch::new().dispatch(Sum(self, sign, along, table, panel, from, xi))
    }

    #[inline(always)]
    fn sum(
        &self,
        sign: f64,
        along: Along,
        table: &Table,
        panel: &Panel,
        from: &Point,
        xi: &mut Option<Row>,
    ) -> Point {
        let rule = rule();
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
                // For weak damping ξ gains what ζ gains.
                let weak = || panel.zeta.map(|zeta| from.xi + (zeta - from.zeta));
                let mut nodes = xi.unwrap_or_else(weak);
                let mut slope = source;
                // The rate of convergence is known after two steps, unless the start is zero.
                let mut before = if xi.is_some() { 0.0 } else { 1.0 + from.xi };
                for _ in 0..30 {
                    for j in 0..POINTS {
                        slope[j] = source[j] + tangent[j] * nodes[j];
                    }
                    let next = rule.integrate(from.xi, h, &slope);
                    let change = largest_change(&next, &nodes);
                    nodes = next;
                    if self.left(change, before) < self.effort.slope * (1.0 + from.xi) {
                        break;
                    }
                    before = change;
                }
                to.xi += h * rule.total(&slope);
                *xi = Some(nodes);
            }
        }
        to
    }

    /// The fraction of a restitution panel at which the force vanishes (Q = s), if it does.
    pub(super) fn zero_force(&self, table: &Table, panel: &Panel) -> Option<f64> {
        let value = |x: f64, zeta: f64| {
            let (s, _, strength) = self.state(Phase::Restitution.place(table, x), zeta);
            strength - s
        };
        let between = |x: f64| value(x, rule().interpolate(&panel.zeta, x));
        let node = |j: usize| (rule().nodes[j], table.b[j] / self.z(panel.zeta[j]) - table.s[j]);
        let (a, b) = match (0..POINTS).find(|&j| node(j).1 >= 0.0) {
            Some(0) => ((0.0, between(0.0)), node(0)),
            Some(j) => (node(j - 1), node(j)),
            None => {
                // Far from vanishing at the last nodes, it does not vanish in the bit behind them.
                let [(x0, f0), (x1, f1)] = [POINTS - 2, POINTS - 1].map(node);
                if f1 + 4.0 * (f1 - f0).abs() * (1.0 - x1) / (x1 - x0) < 0.0 {
                    return None;
                }
                let end = (1.0, value(1.0, panel.end));
                if end.1 < 0.0 {
                    return None;
                }
                ((x1, f1), end)
            }
        };
        // The energy does not change where the force vanishes, so half the digits are enough.
        let small = 1e-10 * a.1.abs().max(b.1.abs());
        Some(Bracket { a, b }.narrow_until(1e-9, small, between).best())
    }
}
