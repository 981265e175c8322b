//! MuJoCo: soft constraints, `solref` and `solimp`.
//!
//! # Equation
//! With the distance r below the margin and its rate ṙ, the constraint wants the acceleration
//!
//! a_ref = −b·ṙ − k·d(r)·r,   d(r) the impedance of `solimp`,
//!
//! and gets (A + R)·f = a_ref − a₀ with f ≥ 0, where A is the inverse effective mass, a₀ the acceleration without contact
//! and R = (1 − d)/d·Â. Â is an estimate of A (the mean of the bodies' inverse masses over three directions). Where Â = A
//! the acceleration is (1 − d)·a₀ + d·a_ref.
//!
//! `solref` = (T, ζ) means k = 1/(d_max·T·ζ)², b = 2/(d_max·T), with T raised to two steps unless `refsafe` is disabled;
//! `solref` = (−K, −B) means k = K/d_max², b = B/d_max.
//!
//! With a pyramidal friction cone of 2·(n − 1) edges, n = `condim`, the same R is that of an edge: the normal sees
//! R·μ²·(1 + μ²)/((n − 1)·`impratio`). So friction changes the rebound, unless μ = 1 and n = 3, or the cone is elliptic.
//!
//! # Reference
//! MuJoCo a7255075, `engine_core_constraint.c` (mj_diagApprox, mj_makeImpedance), `doc/modeling.rst` (Solver parameters).

use super::{Meeting, State, drift};

/// MuJoCo's smallest and largest impedance.
const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);
const TINY: f64 = 1e-15;

/// How motion is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integrator {
    /// Euler, implicit and implicitfast: the same for a contact between bodies without joint damping.
    SemiImplicit,
    /// Runge–Kutta of fourth order.
    RungeKutta,
}

/// The contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// k (1/s²).
    pub stiffness: f64,
    /// b (1/s).
    pub damping: f64,
    /// `solimp`: d₀, d_max, width, midpoint, power.
    pub impedance: [f64; 5],
    /// Distance at which it begins (m).
    pub margin: f64,
    /// What the friction cone makes of R.
    pub cone: f64,
    pub integrator: Integrator,
}

/// k and b from `solref`; `step` is given unless `refsafe` is disabled.
pub fn reference(
    [first, second]: [f64; 2],
    largest_impedance: f64,
    step: Option<f64>,
) -> (f64, f64) {
    // Numbers of different sign are replaced by the default.
    let (first, second) = match (first > 0.0) == (second > 0.0) {
        true => (first, second),
        false => (0.02, 1.0),
    };
    let d = largest_impedance.clamp(IMPEDANCE.0, IMPEDANCE.1);
    if first > 0.0 {
        let time = step.map_or(first, |step| first.max(2.0 * step));
        (1.0 / (d * time * second).powi(2).max(TINY), 2.0 / (d * time).max(TINY))
    } else {
        (-first / (d * d).max(TINY), -second / d.max(TINY))
    }
}

/// The factor of R with a pyramidal cone.
pub fn pyramid(friction: f64, dimensions: usize, impratio: f64) -> f64 {
    if dimensions <= 1 {
        return 1.0;
    }
    let square = friction * friction;
    square * (1.0 + square) / ((dimensions - 1) as f64 * impratio.max(TINY))
}

impl Contact {
    /// d at a depth below the margin.
    fn impedance(&self, depth: f64) -> f64 {
        let [start, end, width, middle, power] = self.impedance;
        let bounded = |d: f64| d.clamp(IMPEDANCE.0, IMPEDANCE.1);
        let (start, end, middle) = (bounded(start), bounded(end), bounded(middle));
        let power = power.max(1.0);
        if start == end || !(width > TINY) {
            return 0.5 * (start + end);
        }
        let x = depth.abs() / width;
        let y = match x {
            x if x >= 1.0 => 1.0,
            x if power == 1.0 => x,
            x if x <= middle => x.powf(power) / middle.powf(power - 1.0),
            x => 1.0 - (1.0 - x).powf(power) / (1.0 - middle).powf(power - 1.0),
        };
        start + y * (end - start)
    }

    /// Acceleration by the contact alone (m/s²).
    fn push(&self, meeting: &Meeting, depth: f64, rate: f64) -> f64 {
        if !(depth > 0.0) {
            return 0.0;
        }
        let d = self.impedance(depth);
        let wanted = self.damping * rate + self.stiffness * d * depth;
        let soft = (1.0 - d) / d * self.cone * meeting.mobility_estimate
            / meeting.mobility
            / meeting.points;
        ((wanted + meeting.press) / (1.0 + soft)).max(0.0)
    }

    /// One step.
    pub fn advance(&self, meeting: &Meeting, step: f64, state: State) -> (State, f64) {
        let push = |state: State| self.push(meeting, state.indentation + self.margin, state.rate);
        let first = push(state);
        if self.integrator == Integrator::SemiImplicit {
            let rate = state.rate + step * (meeting.press - first);
            return (drift(state, rate, step), first / meeting.mobility);
        }
        let slope = |state: State| (state.rate, meeting.press - push(state));
        let moved = |(rate, acceleration): (f64, f64), h: f64| State {
            indentation: state.indentation + h * rate,
            rate: state.rate + h * acceleration,
        };
        let k1 = (state.rate, meeting.press - first);
        let k2 = slope(moved(k1, 0.5 * step));
        let k3 = slope(moved(k2, 0.5 * step));
        let k4 = slope(moved(k3, step));
        let sum = (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0, k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
        // The mean over the step, so that a touch which only later stages see is one.
        let mean = if [k1, k2, k3, k4].iter().all(|k| k.1 == meeting.press) {
            0.0
        } else {
            meeting.press - sum.1 / 6.0
        };
        (moved(sum, step / 6.0), mean / meeting.mobility)
    }
}
