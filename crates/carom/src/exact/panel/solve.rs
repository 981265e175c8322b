//! Solution of the equation panel by panel, with time or sensitivity integrated along with it.

use super::super::gauss::{NodeValues, POINTS, Rule, rule};
use super::super::wide;
use super::equation::{Equation, Integral, PanelNodes, Phase, Point};
use crate::numeric::root::Bracket;

/// Largest number of halvings of a panel, beyond which `phase.rs` is used.
const MAX_DEPTH: usize = 6;

/// Solution over one panel, with the nodes in the direction of motion.
pub(super) struct Panel {
    pub(super) slope: NodeValues,
    pub(super) zeta: NodeValues,
    pub(super) end: f64,
}

/// A panel of the grid: its table in the direction of motion, ζ and ∂ζ/∂ln ε at its nodes from the previous impact as
/// guesses, and the number of halvings from which it results.
#[derive(Clone)]
pub(super) struct GridPanel {
    pub(super) table: PanelNodes,
    pub(super) zeta: Option<NodeValues>,
    pub(super) xi: Option<NodeValues>,
    pub(super) depth: usize,
}

impl GridPanel {
    pub(super) fn new(table: PanelNodes, depth: usize) -> Self {
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
                // Trapezoidal rule in ln ε: for weak damping ξ ∝ ε, so that it changes from ξ to ratio·ξ.
                *zeta += 0.5 * rise * (1.0 + ratio) * *xi;
                *xi *= ratio;
            }
        }
    }
}

/// End of the integration over the panels.
pub(super) enum CrossingEnd {
    /// The end of the last panel was reached.
    Through(Point),
    /// The watcher ended the integration at this ϑ.
    Stopped(Point, f64),
}

/// Function that is called with every solved panel and may end the integration at a fraction of its length.
pub(super) type Watch<'a> = dyn FnMut(&PanelNodes, &Panel, &Point) -> Option<f64> + 'a;

/// Computes the largest difference between two rows.
#[inline(always)]
fn largest_change(a: &NodeValues, b: &NodeValues) -> f64 {
    let mut change = [0.0; POINTS];
    for j in 0..POINTS {
        change[j] = (a[j] - b[j]).abs();
    }
    largest_element(change)
}

/// Computes the largest element of a row in four independent lanes, because in a single chain each comparison would
/// wait for the previous one.
#[inline(always)]
fn largest_element(mut row: NodeValues) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    for j in 4..POINTS {
        row[j % 4] = larger(row[j % 4], row[j]);
    }
    larger(larger(row[0], row[1]), larger(row[2], row[3]))
}

impl Equation {
    /// Solves one panel from ζ₀ by fixed-point iteration of the integral equation, from a guess at the nodes.
    pub(super) fn solve(
        &self,
        sign: f64,
        zeta: f64,
        table: &PanelNodes,
        guess: NodeValues,
    ) -> Option<Panel> {
        struct Solve<'a>(&'a Equation, &'a Rule, f64, f64, &'a PanelNodes, NodeValues);
        impl pulp::WithSimd for Solve<'_> {
            type Output = Option<Panel>;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Option<Panel> {
                let Solve(equation, rule, sign, zeta, table, guess) = self;
                equation.iterate(rule, sign, zeta, table, guess)
            }
        }
        pulp::Arch::new().dispatch(Solve(self, rule(), sign, zeta, table, guess))
    }

    /// Estimates the remaining error of an iteration whose last step changed it by `change`: the change reduced by
    /// the ratio of the last two changes. If z decreases towards creeping, errors grow later on, and the change
    /// itself is the estimate.
    #[inline(always)]
    fn remaining_error(&self, change: f64, before: f64) -> f64 {
        match self.kappa < 0.0 {
            true => change,
            false => change * (change / before).clamp(0.03, 1.0),
        }
    }

    /// Performs the iteration of [`Equation::solve`]; `None` if it does not converge, reaches z ± B ≤ 0, or does not
    /// resolve the solution.
    #[inline(always)]
    fn iterate(
        &self,
        rule: &Rule,
        sign: f64,
        zeta: f64,
        table: &PanelNodes,
        guess: NodeValues,
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
            if !(largest_element(creeping) < 0.0) {
                return None;
            }
            let next = rule.integrate(zeta, h, &slope);
            let change = largest_change(&next, &nodes);
            nodes = next;
            let remaining = self.remaining_error(change, before.min(1.0 + zeta));
            if remaining <= self.accuracy.change * (1.0 + zeta) {
                // At the end of a Gauss panel the order of convergence is twice that at its nodes: 4e-7 in the
                // highest coefficients corresponds to 1e-13 at the end.
                let resolved = h * rule.highest_coefficients(&slope) <= 4e-7 * (1.0 + zeta);
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

    /// Solves all panels in the direction of motion and halves those that cannot be solved. `panels` keeps the halves
    /// and the solution for the next, similar impact.
    pub(super) fn cross(
        &self,
        phase: Phase,
        integral: Integral,
        panels: &mut Vec<GridPanel>,
        mut point: Point,
        watch: &mut Watch,
    ) -> Option<CrossingEnd> {
        let sign = phase.sign();
        let mut k = 0;
        while let Some(grid_panel) = panels.get_mut(k) {
            let table = &grid_panel.table;
            let guess = grid_panel.zeta.unwrap_or([point.zeta; POINTS]);
            let Some(panel) = self.solve(sign, point.zeta, table, guess) else {
                let (left, half, depth) = (table.left, 0.5 * table.width, grid_panel.depth + 1);
                if depth > MAX_DEPTH {
                    return None;
                }
                let halves = phase.in_order([left, left + half]).map(|left| {
                    GridPanel::new(phase.oriented(self.table(left, half, integral)), depth)
                });
                panels.splice(k..=k, halves);
                continue;
            };
            if let Some(fraction) = watch(table, &panel, &point) {
                let xi = &mut grid_panel.xi;
                let (point, theta) = match integral {
                    // With low accuracy the state is interpolated within the panel.
                    Integral::Sensitivity if self.accuracy.is_coarse() => {
                        self.accumulate(sign, integral, table, &panel, &point, xi);
                        let at = |row: &NodeValues| rule().interpolate(row, fraction);
                        let xi = xi.as_ref().map_or(point.xi, at);
                        (Point { zeta: at(&panel.zeta), xi, ..point }, phase.theta(table, fraction))
                    }
                    _ => self.state_within(phase, integral, table, &point, fraction)?,
                };
                return Some(CrossingEnd::Stopped(point, theta));
            }
            point = self.accumulate(sign, integral, table, &panel, &point, &mut grid_panel.xi);
            grid_panel.zeta = Some(panel.zeta);
            k += 1;
        }
        Some(CrossingEnd::Through(point))
    }

    /// Computes the state at a fraction of a panel, by solving the panel again up to that point.
    pub(super) fn state_within(
        &self,
        phase: Phase,
        integral: Integral,
        table: &PanelNodes,
        from: &Point,
        fraction: f64,
    ) -> Option<(Point, f64)> {
        let theta = phase.theta(table, fraction);
        let left = if phase == Phase::Compression { table.left } else { theta };
        let table = phase.oriented(self.table(left, fraction * table.width, integral));
        let panel = self.solve(phase.sign(), from.zeta, &table, [from.zeta; POINTS])?;
        Some((self.accumulate(phase.sign(), integral, &table, &panel, from, &mut None), theta))
    }

    /// Computes the solution at the end of a solved panel, with time or sensitivity; stores the sensitivity at its
    /// nodes in `xi`.
    fn accumulate(
        &self,
        sign: f64,
        integral: Integral,
        table: &PanelNodes,
        panel: &Panel,
        from: &Point,
        xi: &mut Option<NodeValues>,
    ) -> Point {
        struct Accumulate<'a>(
            &'a Equation,
            f64,
            Integral,
            &'a PanelNodes,
            &'a Panel,
            &'a Point,
            &'a mut Option<NodeValues>,
        );
        impl pulp::WithSimd for Accumulate<'_> {
            type Output = Point;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> Point {
                let Accumulate(equation, sign, integral, table, panel, from, xi) = self;
                equation.accumulate_nodes(sign, integral, table, panel, from, xi)
            }
        }
        pulp::Arch::new().dispatch(Accumulate(self, sign, integral, table, panel, from, xi))
    }

    #[inline(always)]
    fn accumulate_nodes(
        &self,
        sign: f64,
        integral: Integral,
        table: &PanelNodes,
        panel: &Panel,
        from: &Point,
        xi: &mut Option<NodeValues>,
    ) -> Point {
        let rule = rule();
        let h = table.width;
        let mut to = Point { zeta: panel.end, ..*from };
        match integral {
            Integral::Time => {
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
            Integral::Sensitivity => {
                let (mut source, mut tangent) = ([0.0; POINTS], [0.0; POINTS]);
                for j in 0..POINTS {
                    let z = 1.0 + self.kappa * panel.zeta[j];
                    let inverse = 1.0 / (z + sign * table.b[j]);
                    let common = 2.0 * table.c[j] * table.b[j] * inverse * inverse;
                    source[j] = common * z * z;
                    tangent[j] = sign * self.kappa * common * table.b[j];
                }
                // For weak damping ξ changes as ζ does.
                let weak = || panel.zeta.map(|zeta| from.xi + (zeta - from.zeta));
                let mut nodes = xi.unwrap_or_else(weak);
                let mut slope = source;
                // The change before the first one is unknown if the guess is that of the previous impact; with 0 the
                // first change is not reduced.
                let mut before = if xi.is_some() { 0.0 } else { 1.0 + from.xi };
                for _ in 0..30 {
                    for j in 0..POINTS {
                        slope[j] = source[j] + tangent[j] * nodes[j];
                    }
                    let next = rule.integrate(from.xi, h, &slope);
                    let change = largest_change(&next, &nodes);
                    nodes = next;
                    if self.remaining_error(change, before) < self.accuracy.slope * (1.0 + from.xi)
                    {
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

    /// Finds the fraction of a restitution panel at which the force vanishes (Q = s), if it does.
    pub(super) fn zero_force(&self, table: &PanelNodes, panel: &Panel) -> Option<f64> {
        let value = |x: f64, zeta: f64| {
            let (s, _, strength) = self.state(Phase::Restitution.theta(table, x), zeta);
            strength - s
        };
        let between = |x: f64| value(x, rule().interpolate(&panel.zeta, x));
        let node = |j: usize| (rule().nodes[j], table.b[j] / self.z(panel.zeta[j]) - table.s[j]);
        let (a, b) = match (0..POINTS).find(|&j| node(j).1 >= 0.0) {
            Some(0) => ((0.0, between(0.0)), node(0)),
            Some(j) => (node(j - 1), node(j)),
            None => {
                // If an extrapolation from the last two nodes with four times their slope remains negative, the force
                // does not vanish after them.
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
        // The energy is stationary where the force vanishes, so that half of the digits are sufficient.
        let small = 1e-10 * a.1.abs().max(b.1.abs());
        Some(Bracket { a, b }.narrow_until(1e-9, small, between).best())
    }
}
