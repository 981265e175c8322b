//! Solving a panel, crossing it, and what is summed along the way.

use super::super::gauss::{POINTS, Row, Rule, rule};
use super::super::wide;
use super::medium::{Along, Medium, Phase, Point, Table};

/// How often a panel is halved before the impact counts as hard.
const DEPTH: usize = 6;

/// The solution over one panel, nodes in the order of motion.
pub(super) struct Panel {
    pub(super) slope: Row,
    pub(super) zeta: Row,
    pub(super) end: f64,
}

/// How a panel was left.
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
    let mut change = 0.0f64;
    for j in 0..POINTS {
        change = change.max((a[j] - b[j]).abs());
    }
    change
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
            let change = largest_change(&next, &nodes);
            nodes = next;
            if change <= self.effort.change * (1.0 + zeta) {
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

    /// Crosses a panel (tabulated in the order of motion), halving it where it is hard. The `trail`
    /// holds ζ at the nodes: a guess on entry, the solution on return.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn cross(
        &self,
        phase: Phase,
        along: Along,
        table: &Table,
        from: Point,
        depth: usize,
        trail: &mut Option<Row>,
        watch: &mut Watch,
    ) -> Option<Crossed> {
        let sign = phase.sign();
        let guess = trail.take().unwrap_or([from.zeta; POINTS]);
        let Some(panel) = self.solve(sign, from.zeta, table, guess) else {
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
                match self.cross(phase, along, &table, point, depth + 1, &mut None, watch)? {
                    Crossed::Through(next) => point = next,
                    stopped => return Some(stopped),
                }
            }
            return Some(Crossed::Through(point));
        };
        *trail = Some(panel.zeta);
        if let Some(fraction) = watch(table, &panel, &from) {
            let (point, theta) = self.part(phase, along, table, &from, fraction)?;
            return Some(Crossed::Stopped(point, theta));
        }
        Some(Crossed::Through(self.carry(sign, along, table, &panel, &from)))
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
        let length = fraction * table.width;
        let (left, theta) = match phase {
            Phase::Compression => (table.left, table.left + length),
            Phase::Restitution => {
                let right = table.left + table.width;
                (right - length, right - length)
            }
        };
        let table = phase.ordered(self.table(left, length, along));
        let panel = self.solve(phase.sign(), from.zeta, &table, [from.zeta; POINTS])?;
        Some((self.carry(phase.sign(), along, &table, &panel, from), theta))
    }

    /// Time or sensitivity over a solved panel.
    pub(super) fn carry(
        &self,
        sign: f64,
        along: Along,
        table: &Table,
        panel: &Panel,
        from: &Point,
    ) -> Point {
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
    pub(super) fn sum(
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
                    let change = largest_change(&next, &nodes);
                    nodes = next;
                    if change < self.effort.slope * (1.0 + from.xi) {
                        break;
                    }
                }
                to.xi += h * rule.total(&slope);
            }
        }
        to
    }

    /// The fraction of a restitution panel at which the force vanishes (Q = s), if it does.
    pub(super) fn zero_force(&self, table: &Table, panel: &Panel) -> Option<f64> {
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

/// A root of `f` between a and b, where it has different signs, to 1e-9; regula falsi (Illinois).
pub(super) fn root(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
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
