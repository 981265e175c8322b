//! The scalar equation of `panel.rs` for one set of exponents and one ε: tables of its known functions, the series at
//! onset and separation, and the closed form of the turn.

use super::super::Exponents;
use super::super::gauss::{NodeValues, POINTS, Rule, rule};
use super::super::phase::turn_integral;
use super::super::wide;

/// Largest number of panels in a grid; more are needed only far outside common exponents.
pub(super) const MAX_PANELS: usize = 28;
/// Largest r = s/c and largest B at which the series at onset and separation are used; the series neglect third
/// powers of these.
pub(super) const MAX_TAIL: f64 = 1e-6;
/// Largest Q = B/z at which the series to separation are used.
const MAX_TAIL_Q: f64 = 2e-5;
/// Largest c at which the turn is summed in closed form. The sums neglect terms of order c³ and c²B³ and, for the
/// time, c^(3/2)·B².
const MAX_TURN_C: f64 = 1e-6;
/// Smallest c at which panels may end; if a turn requires a smaller one, `phase.rs` is used.
const MIN_TURN_C: f64 = 1e-11;
/// Largest B at which the turn is summed in closed form.
const MAX_TURN_B: f64 = 0.05;

/// Accuracy to which the iterations converge.
#[derive(Clone, Copy)]
pub(in crate::exact) struct Accuracy {
    /// Largest change of ζ that is regarded as converged.
    pub change: f64,
    /// Largest change of the sensitivity that is regarded as converged; the sensitivity only steers Newton's
    /// iteration.
    pub slope: f64,
}

impl Accuracy {
    /// Convergence to rounding.
    pub const FULL: Self = Self { change: 1e-13, slope: 1e-6 };

    /// Accuracy for the first trial of an exact damping, which only provides a starting point.
    pub const COARSE: Self = Self { change: 1e-6, slope: 1e-3 };

    /// Returns whether the accuracy is so low that values between the nodes of a panel are as accurate as those at
    /// its end.
    pub(super) fn is_coarse(self) -> bool {
        self.change >= Self::COARSE.change
    }
}

/// The scalar equation for one set of exponents and one ε.
pub(super) struct Equation {
    pub(super) accuracy: Accuracy,
    pub(super) exponents: Exponents,
    pub(super) mu: f64,
    pub(super) kappa: f64,
    /// Exponent 1/(n+1) of x ∝ s^γ.
    pub(super) gamma: f64,
    /// Exponent (n−1)/(2(n+1)) of P ∝ e^(−αw).
    pub(super) alpha: f64,
    /// Initial value of ε̂, ε·((n+1)/2)^(μ−1).
    pub(super) strength: f64,
    pub(super) ln_strength: f64,
    pub(super) epsilon: f64,
    /// Value of ϑ at which the series at onset ends.
    pub(super) start: f64,
    /// Value of c at which the closed form of the turn begins.
    pub(super) edge: f64,
}

/// Values of s, c, B and `pace` = s^γ·c^½ at the nodes of a panel.
#[derive(Clone, Copy)]
pub(super) struct PanelNodes {
    pub(super) left: f64,
    pub(super) width: f64,
    pub(super) s: NodeValues,
    pub(super) c: NodeValues,
    pub(super) b: NodeValues,
    pub(super) pace: NodeValues,
}

impl PanelNodes {
    const BLANK: Self = {
        let row = [0.0; POINTS];
        Self { left: 0.0, width: 0.0, s: row, c: row, b: row, pace: row }
    };
}

/// Solution at a point of the impact.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) zeta: f64,
    pub(super) w: f64,
    /// Time without the pace factor.
    pub(super) time: f64,
    /// Sensitivity ∂ζ/∂ln ε.
    pub(super) xi: f64,
}

/// Phase that is integrated; panels are traversed forwards in compression and backwards in restitution.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Phase {
    Compression,
    Restitution,
}

/// Quantity that is computed in addition to ζ.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Integral {
    Time,
    Sensitivity,
}

/// Computes ln(1 + e^(2ϑ)), s and c at ϑ.
#[inline(always)]
pub(super) fn angle(theta: f64) -> (f64, f64, f64) {
    let r = (2.0 * theta).exp();
    let c = 1.0 / (1.0 + r);
    ((1.0 + r).ln(), r * c, c)
}

impl Equation {
    pub(super) fn new(exponents: Exponents, epsilon: f64, accuracy: Accuracy) -> Self {
        let Exponents { n, m, q } = exponents;
        let mu = (m + 1.0) / (n + 1.0);
        let strength = epsilon * (0.5 * (n + 1.0)).powf(mu - 1.0);
        Self {
            accuracy,
            exponents,
            mu,
            kappa: (q * (n + 1.0) - 2.0 * (n - m)) / (2.0 * (n + 1.0)),
            gamma: 1.0 / (n + 1.0),
            alpha: 0.5 - 1.0 / (n + 1.0),
            strength,
            ln_strength: strength.ln(),
            epsilon,
            start: 0.5 * MAX_TAIL.ln().min((MAX_TAIL / strength).ln() / mu),
            edge: match strength * MAX_TURN_C.powf(0.5 * q) <= 0.8 * MAX_TURN_B {
                true => MAX_TURN_C,
                false => (0.8 * MAX_TURN_B / strength).powf(2.0 / q),
            },
        }
    }

    /// Returns this equation with panels as close to the turn as allowed, for events close to the turn.
    pub(super) fn with_narrow_turn(self) -> Self {
        Self { edge: self.edge.min(MIN_TURN_C), ..self }
    }

    /// Returns whether the series at onset and at the turn are valid where they are to be used.
    pub(super) fn series_hold(&self) -> bool {
        let strength = self.strength * self.edge.powf(0.5 * self.exponents.q);
        self.start.is_finite() && self.edge >= MIN_TURN_C && strength <= MAX_TURN_B
    }

    /// Computes the ends of the panels from onset to the turn: narrow panels where s and c are comparable, wide ones
    /// in the tails.
    ///
    /// The poles of the integrand have a distance of π/2 from the real axis and, where B = −z, of π/2μ and π/q.
    pub(super) fn panel_ends(&self) -> Option<([f64; MAX_PANELS + 1], usize)> {
        // Width of the narrowest panels.
        let unit = 1.2 / self.mu.max(1.0).max(0.5 * self.exponents.q);
        let widths = |k: usize| unit * [1.0, 1.0, 1.4, 2.0][k.min(3)];
        let turn = 0.5 * (1.0 / self.edge - 1.0).ln();
        let mut ends = [0.0; MAX_PANELS + 1];
        let mut left = [0.0; MAX_PANELS + 1];
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

    /// Computes the table of a panel, compiled for the vector registers of this processor.
    pub(super) fn table(&self, left: f64, width: f64, integral: Integral) -> PanelNodes {
        // A closure would not be inlined here, and would run without vector instructions.
        struct Tabulate<'a>(&'a Equation, &'a Rule, f64, f64, Integral);
        impl pulp::WithSimd for Tabulate<'_> {
            type Output = PanelNodes;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> PanelNodes {
                let Tabulate(equation, rule, left, width, integral) = self;
                equation.tabulate(rule, left, width, integral)
            }
        }
        pulp::Arch::new().dispatch(Tabulate(self, rule(), left, width, integral))
    }

    #[inline(always)]
    pub(super) fn tabulate(
        &self,
        rule: &Rule,
        left: f64,
        width: f64,
        integral: Integral,
    ) -> PanelNodes {
        let mut table = PanelNodes { left, width, ..PanelNodes::BLANK };
        let fade = self.mu + 0.5 * self.exponents.q;
        let theta = rule.nodes.map(|x| left + width * x);
        let r = wide::exp_of(|j| 2.0 * theta[j]);
        for j in 0..POINTS {
            let c = 1.0 / (1.0 + r[j]);
            (table.s[j], table.c[j]) = (r[j] * c, c);
        }
        let log = wide::ln(&r.map(|r| 1.0 + r));
        table.b = wide::exp_of(|j| self.ln_strength + 2.0 * self.mu * theta[j] - fade * log[j]);
        if integral == Integral::Time {
            let (gamma, fade) = (self.gamma, self.gamma + 0.5);
            table.pace = wide::exp_of(|j| 2.0 * gamma * theta[j] - fade * log[j]);
        }
        table
    }

    /// Computes the state at the end of the series at onset: ζ = ∫E·r^(μ−1)·[1 − (1+μ+q/2)r − E·r^μ] dr.
    pub(super) fn after_onset(&self) -> Point {
        let (mu, gamma, alpha) = (self.mu, self.gamma, self.alpha);
        let r = (2.0 * self.start).exp();
        let b = self.strength * r.powf(mu);
        let zeta = b * (1.0 / mu - self.onset_correction(r) - 0.5 * b / mu);
        let time = 0.5
            * r.powf(gamma)
            * (1.0 / gamma - (gamma + 0.5) * r / (gamma + 1.0)
                + (alpha / mu - 1.0) * b / (gamma + mu));
        Point { zeta, w: self.energy(zeta), time, xi: zeta }
    }

    /// Computes (1+μ+q/2)·r/(μ+1).
    pub(super) fn onset_correction(&self, r: f64) -> f64 {
        (1.0 + self.mu + 0.5 * self.exponents.q) * r / (self.mu + 1.0)
    }

    /// Returns whether the series from the end of the last panel to separation are valid there; they neglect third
    /// powers of Q = B/z.
    pub(super) fn tail_holds(&self, from: Point) -> bool {
        let b = self.strength * (2.0 * self.start).exp().powf(self.mu);
        b <= MAX_TAIL_Q * self.z(from.zeta)
    }

    /// Computes the changes of ζ and time from s/c = r to separation, both to second order.
    fn tail(&self, r: f64, z: f64, w: f64) -> (f64, f64) {
        let (mu, gamma, alpha) = (self.mu, self.gamma, self.alpha);
        let b = self.strength * r.powf(mu);
        let weak = b / z;
        let time = 0.5
            * r.powf(gamma)
            * (-alpha * w).exp()
            * ((1.0 + alpha * weak / mu) / gamma - (gamma + 0.5) * r / (gamma + 1.0)
                + (1.0 - alpha / mu) * weak / (gamma + mu));
        (b * (1.0 / mu - self.onset_correction(r) + 0.5 * weak / mu), time)
    }

    /// Computes the state at separation from that at the end of the last panel.
    pub(super) fn at_separation(&self, from: Point) -> Point {
        let r = (2.0 * self.start).exp();
        let (gain, time) = self.tail(r, self.z(from.zeta), from.w);
        let zeta = from.zeta + gain;
        Point { zeta, w: self.energy(zeta), time: from.time + time, xi: from.xi + gain }
    }

    /// Computes the state where the force vanishes beyond the last panel, and ϑ there (μ < 1).
    pub(super) fn zero_force_in_tail(&self, from: Point) -> Option<(Point, f64)> {
        let edge = (2.0 * self.start).exp();
        let (gain, time) = self.tail(edge, self.z(from.zeta), from.w);
        // The condition Q = s is r^(1−μ) = (ε̂₀/z)·(1 + r)·(1 − (μ+q/2)r), a fixed point whose error decreases by a
        // factor of order r in each iteration.
        let mut r = 0.0;
        let mut at = from;
        for _ in 0..6 {
            let z = self.z(at.zeta);
            let fade = (1.0 + r) * (1.0 - (self.mu + 0.5 * self.exponents.q) * r);
            r = (self.strength * fade / z).powf(1.0 / (1.0 - self.mu));
            if !(r <= edge) {
                return None;
            }
            let (rest, left) = self.tail(r, z, at.w);
            let zeta = from.zeta + gain - rest;
            at = Point {
                zeta,
                w: self.energy(zeta),
                time: from.time + time - left,
                xi: from.xi + gain - rest,
            };
        }
        Some((at, 0.5 * r.max(1e-300).ln()))
    }

    /// Integrates from the edge of the turn to the turn (sign +) or back (sign −).
    ///
    /// With β = B/z ∝ s^μ·c^(q/2), s = 1 − c and dϑ = −dc/(2cs), ζ increases by z·∫β/(s(1 ± β)) dc and time by
    /// ½e^(−αw)·∫s^(γ−1)·c^(−½)/(1 ± β) dc, where w changes with ζ.
    pub(super) fn cross_turn(&self, sign: f64, from: Point) -> Point {
        let (q, mu, c, z) = (self.exponents.q, self.mu, self.edge, self.z(from.zeta));
        // ±β at c, with s = 1.
        let b = sign * self.strength * c.powf(0.5 * q) / z;
        let mut series = 0.0;
        let mut power = sign * b;
        for k in 1..10 {
            series += power / (1.0 + 0.5 * k as f64 * q);
            power *= -b;
            if power.abs() < 1e-12 {
                break;
            }
        }
        let curved = b * ((2.0 * mu - 1.0) * b / (q + 2.0) - (mu - 1.0) / (0.5 * q + 2.0));
        let gain = z * c * (series + sign * c * curved);
        let zeta = from.zeta + gain;
        // Mean of c^(q/2) and similar terms, weighted by c^(−½) as in the time integral.
        let late = 1.0 / (3.0 + q);
        let mut pace = turn_integral(b, q)
            + c * ((1.0 - self.gamma) / 3.0 + (mu + self.gamma - 1.0) * b * late);
        let fading = self.alpha * c * b.abs() / (1.0 + 0.5 * q);
        pace += fading * if sign > 0.0 { 1.0 - late } else { late };
        let time = from.time + c.sqrt() * (-self.alpha * from.w).exp() * pace;
        Point { zeta, w: self.energy(zeta), time, xi: from.xi + gain }
    }

    pub(super) fn z(&self, zeta: f64) -> f64 {
        1.0 + self.kappa * zeta
    }

    /// Computes w = −ln z/κ.
    pub(super) fn energy(&self, zeta: f64) -> f64 {
        match self.kappa.abs() < 1e-9 {
            true => -zeta + 0.5 * self.kappa * zeta * zeta,
            false => -(self.kappa * zeta).ln_1p() / self.kappa,
        }
    }

    /// Computes the factor of P = factor·s^γ·c^½·e^(−αw).
    pub(super) fn pace_factor(&self) -> f64 {
        2.0 * self.gamma * (0.5 / self.gamma).powf(self.gamma)
    }

    /// Computes s, c and Q at ϑ for a value of ζ.
    pub(super) fn state(&self, theta: f64, zeta: f64) -> (f64, f64, f64) {
        let (log, s, c) = angle(theta);
        let fade = self.mu + 0.5 * self.exponents.q;
        let b = self.strength * (2.0 * self.mu * theta - fade * log).exp();
        (s, c, b / self.z(zeta))
    }

    /// Computes a number that is positive while the force increases in compression; see `phase.rs`.
    pub(super) fn force_rises(&self, (s, c, strength): (f64, f64, f64)) -> f64 {
        let Exponents { n, m, q } = self.exponents;
        n * s * c + m * strength * c - 0.5 * q * (n + 1.0) * strength * (s + strength)
    }

    /// Computes the indentation x for an energy w and s = sin²θ.
    pub(super) fn indentation(&self, w: f64, s: f64) -> f64 {
        (0.5 / self.gamma * w.exp() * s).powf(self.gamma)
    }
}

impl Phase {
    pub(super) fn sign(self) -> f64 {
        if self == Self::Compression { 1.0 } else { -1.0 }
    }

    /// Orders items in the direction of motion: from left to right in compression, from right to left in restitution.
    pub(super) fn in_order<T, const COUNT: usize>(self, mut items: [T; COUNT]) -> [T; COUNT] {
        if self == Self::Restitution {
            items.reverse();
        }
        items
    }

    /// Computes ϑ at a fraction of a panel, counted in the direction of motion.
    pub(super) fn theta(self, table: &PanelNodes, fraction: f64) -> f64 {
        let length = fraction * table.width;
        match self {
            Self::Compression => table.left + length,
            Self::Restitution => table.left + table.width - length,
        }
    }

    /// Returns the table with its nodes in the direction of motion.
    pub(super) fn oriented(self, mut table: PanelNodes) -> PanelNodes {
        if self == Self::Restitution {
            for row in [&mut table.s, &mut table.c, &mut table.b, &mut table.pace] {
                row.reverse();
            }
        }
        table
    }
}
