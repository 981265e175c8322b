//! Drake's discrete plant: the law of Hunt and Crossley with a linear spring, integrated implicitly.
//!
//! # Equation
//! A step ends with the separation speed u that solves u = u₀ + h·A·k·(δ − h·u)₊·(1 − d·u)₊, with u₀ the speed
//! without contact. For point contacts without tangential motion the approximations `lagged` (the default) and
//! `similar` are both this equation. In the limit of small steps it is the law F = k·δ·(1 + d·δ̇)₊ that
//! [`export`](crate::export) writes for Drake; the force is that of the law.
//!
//! # Reference
//! Drake be259df7, `multibody/contact_solvers/sap/sap_hunt_crossley_constraint.cc`.

use super::{Mechanics, State, semi_implicit_euler};
use crate::law::{Damper, Exit, Law, Power};
use crate::numeric::root;

/// Contact of Drake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Stiffness k of the pair (N/m).
    pub stiffness: f64,
    /// Dissipation d of the pair (s/m).
    pub dissipation: f64,
    /// Coefficients of d as a function of the dissipation x that the file specifies for its geometries:
    /// d = share·x + rest.
    pub share: f64,
    pub rest: f64,
}

impl Contact {
    /// Returns the contact for another dissipation in the file.
    pub fn with_dissipation(&self, dissipation: f64) -> Self {
        Self { dissipation: self.share * dissipation + self.rest, ..*self }
    }

    /// Advances the contact by one step.
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * mechanics.acceleration;
        if !(state.indentation > 0.0) {
            return (semi_implicit_euler(state, free, step), 0.0);
        }
        let power = Power::new(
            self.stiffness,
            1.0,
            1.0,
            1.0,
            Damper::Coefficient(self.dissipation * self.stiffness),
        );
        let law = Law::new(1.0 / mechanics.mobility, Exit::ZeroForce, power);
        let memory = law.touch(free.abs());
        // The force is that of the law at the end of the step, if the bodies overlap there and do not attract each
        // other.
        let force = |rate: f64| {
            let indentation = state.indentation + step * rate;
            if indentation > 0.0 { law.force(indentation, rate, &memory).max(0.0) } else { 0.0 }
        };
        let residual = |rate: f64| rate - free + step * mechanics.mobility * force(rate);
        // The force is zero if the step ends without overlap or if the damping factor vanishes, and increases with
        // the rate.
        let separated = -state.indentation / step;
        let still =
            if self.dissipation > 0.0 { separated.max(-1.0 / self.dissipation) } else { separated };
        let low = still.min(free);
        let width = 1e-13 * (free.abs() + low.abs());
        let rate = root::find(low, free, width, residual).unwrap_or(free);
        (semi_implicit_euler(state, rate, step), force(rate))
    }
}
