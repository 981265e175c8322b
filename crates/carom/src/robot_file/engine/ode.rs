//! ODE as Gazebo classic uses it: spring and damper, expressed by error reduction and constraint force mixing.
//!
//! # Equation
//! With kp, kd and the step h: ERP = h·kp/(h·kp + kd), CFM = 1/(h·kp + kd). The constraint prescribes the separation
//! speed c = ERP/h·(δ − min_depth), or e·v if that is larger and the approach speed v is above `bounce/threshold`.
//! The impulse λ·h follows from (A + CFM/h)·λ = (c − u)/h, λ ≥ 0, with u the separation speed without contact. Gazebo
//! solves this step twice: positions move with the full c, velocities with c limited to `max_vel`. The limit also
//! applies to the rebound, and its default is 0.01 m/s.
//!
//! # Reference
//! Gazebo classic fa2e5e26, `gazebo/physics/ode/ODEPhysics.cc` (Collide), `deps/opende/src/joints/contact.cpp`,
//! `quickstep.cpp`, `quickstep_update_bodies.cpp`.

use super::{Mechanics, State, semi_implicit_euler};

/// Contact of ODE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Stiffness kp of the pair (N/m).
    pub stiffness: f64,
    /// Damping kd of the pair (N s/m).
    pub damping: f64,
    pub restitution: f64,
    /// Approach speed above which the restitution is applied (m/s).
    pub threshold: f64,
    /// Largest separation speed (m/s).
    pub speed_max: f64,
    /// Depth up to which an overlap is not corrected (m).
    pub depth_min: f64,
}

impl Contact {
    /// Advances the contact by one step.
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * mechanics.acceleration;
        if !(state.indentation >= 0.0) {
            return (semi_implicit_euler(state, free, step), 0.0);
        }
        let stiff = step * self.stiffness + self.damping;
        let (reduction, mixing) = (step * self.stiffness / stiff, 1.0 / stiff);
        let mut wanted = reduction / step * (state.indentation - self.depth_min).max(0.0);
        if state.rate > self.threshold {
            wanted = wanted.max(self.restitution * state.rate);
        }
        let soft = mixing / step / mechanics.points;
        // Force for a prescribed separation speed; −free is the separation speed without contact.
        let force = |wanted: f64| ((wanted + free) / step / (mechanics.mobility + soft)).max(0.0);
        let rate = |force: f64| free - step * mechanics.mobility * force;
        let pushed = force(wanted.min(self.speed_max));
        let indentation = state.indentation + step * rate(force(wanted));
        (State { indentation, rate: rate(pushed) }, pushed)
    }
}
