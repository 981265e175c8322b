//! MuJoCo: soft constraints, `solref` and `solimp`.
//!
//! # Equation
//! With the distance r below the margin and its rate ṙ, the constraint prescribes the reference acceleration
//!
//! a_ref = −b·ṙ − k·d(r)·r,   where d(r) is the impedance of `solimp`,
//!
//! and its force follows from (A + R)·f = a_ref − a₀ with f ≥ 0, where A is the inverse effective mass, a₀ the
//! acceleration without contact and R = (1 − d)/d·Â. Â is an estimate of A (the mean of the bodies' inverse masses
//! over three directions). If Â = A, the acceleration is (1 − d)·a₀ + d·a_ref.
//!
//! `solref` = (T, ζ) specifies k = 1/(d_max·T·ζ)², b = 2/(d_max·T), with T increased to at least two steps unless
//! `refsafe` is disabled; `solref` = (−K, −B) specifies k = K/d_max², b = B/d_max.
//!
//! With a pyramidal friction cone of 2·(n − 1) edges, n = `condim`, the same R applies to each edge: the effective R
//! in the normal direction is R·μ²·(1 + μ²)/((n − 1)·`impratio`). Friction therefore changes the rebound, unless
//! μ = 1 and n = 3, or the cone is elliptic.
//!
//! # Reference
//! MuJoCo a7255075, `engine_core_constraint.c` (mj_diagApprox, mj_makeImpedance), `doc/modeling.rst` (Solver parameters).

use super::{Mechanics, State, semi_implicit_euler};

/// Smallest and largest impedance that MuJoCo permits.
const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);
const TINY: f64 = 1e-15;

/// Integrator of the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integrator {
    /// Euler, implicit and implicitfast, which are identical for a contact between bodies without joint damping.
    SemiImplicit,
    /// Runge–Kutta method of order 4.
    RungeKutta,
}

/// Contact of MuJoCo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Coefficient k of the reference acceleration (1/s²).
    pub stiffness: f64,
    /// Coefficient b of the reference acceleration (1/s).
    pub damping: f64,
    /// Parameters of `solimp`: d₀, d_max, width, midpoint, power.
    pub impedance: [f64; 5],
    /// Distance at which the contact begins to act (m).
    pub margin: f64,
    /// Factor of R that follows from the friction cone.
    pub cone: f64,
    pub integrator: Integrator,
}

/// Returns k and b for `solref`; `step` is given unless `refsafe` is disabled.
pub fn spring_damper(
    [first, second]: [f64; 2],
    largest_impedance: f64,
    step: Option<f64>,
) -> (f64, f64) {
    // MuJoCo replaces numbers of different sign by its default.
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

/// Returns the factor of R for a pyramidal cone.
pub fn pyramid_factor(friction: f64, dimensions: usize, impratio: f64) -> f64 {
    if dimensions <= 1 {
        return 1.0;
    }
    let square = friction * friction;
    square * (1.0 + square) / ((dimensions - 1) as f64 * impratio.max(TINY))
}

impl Contact {
    /// Returns the impedance d at a depth below the margin.
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

    /// Returns the acceleration by the contact alone (m/s²).
    fn contact_acceleration(&self, mechanics: &Mechanics, depth: f64, rate: f64) -> f64 {
        if !(depth > 0.0) {
            return 0.0;
        }
        let d = self.impedance(depth);
        let wanted = self.damping * rate + self.stiffness * d * depth;
        let soft = (1.0 - d) / d * self.cone * mechanics.mobility_estimate
            / mechanics.mobility
            / mechanics.points;
        ((wanted + mechanics.acceleration) / (1.0 + soft)).max(0.0)
    }

    /// Advances the contact by one step.
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        let push = |state: State| {
            self.contact_acceleration(mechanics, state.indentation + self.margin, state.rate)
        };
        let first = push(state);
        if self.integrator == Integrator::SemiImplicit {
            let rate = state.rate + step * (mechanics.acceleration - first);
            return (semi_implicit_euler(state, rate, step), first / mechanics.mobility);
        }
        let slope = |state: State| (state.rate, mechanics.acceleration - push(state));
        let moved = |(rate, acceleration): (f64, f64), h: f64| State {
            indentation: state.indentation + h * rate,
            rate: state.rate + h * acceleration,
        };
        let k1 = (state.rate, mechanics.acceleration - first);
        let k2 = slope(moved(k1, 0.5 * step));
        let k3 = slope(moved(k2, 0.5 * step));
        let k4 = slope(moved(k3, step));
        let sum = (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0, k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
        // The mean force over the step is returned, so that a touch that only later stages detect counts as a touch.
        let mean = if [k1, k2, k3, k4].iter().all(|k| k.1 == mechanics.acceleration) {
            0.0
        } else {
            mechanics.acceleration - sum.1 / 6.0
        };
        (moved(sum, step / 6.0), mean / mechanics.mobility)
    }
}
