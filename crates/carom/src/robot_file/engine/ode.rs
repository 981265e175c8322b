//! ODE as Gazebo classic uses it: a spring and damper written as error reduction and constraint force mixing.
//!
//! # Equation
//! With kp, kd and the step h: ERP = h·kp/(h·kp + kd), CFM = 1/(h·kp + kd). A contact asks for the separation speed
//! c = ERP/h·(δ − min_depth), or for e·v where the approach v is above `bounce/threshold` and that is more. The impulse λ·h
//! follows from (A + CFM/h)·λ = (c − u)/h, λ ≥ 0, with u the separation speed without contact. Gazebo takes this step twice:
//! positions move with the full c, velocities with c cut at `max_vel`. The cut holds for the rebound as well, and its
//! default is 0.01 m/s.
//!
//! # Reference
//! Gazebo classic fa2e5e26, `gazebo/physics/ode/ODEPhysics.cc` (Collide), `deps/opende/src/joints/contact.cpp`,
//! `quickstep.cpp`, `quickstep_update_bodies.cpp`.

use super::{Meeting, State, drift};

/// The contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// kp of the pair (N/m).
    pub stiffness: f64,
    /// kd of the pair (N s/m).
    pub damping: f64,
    pub restitution: f64,
    /// Approach speed above which the restitution counts (m/s).
    pub threshold: f64,
    /// Largest speed of separation (m/s).
    pub speed_max: f64,
    /// Depth up to which nothing is corrected (m).
    pub depth_min: f64,
}

impl Contact {
    /// One step.
    pub fn advance(&self, meeting: &Meeting, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * meeting.press;
        if !(state.indentation >= 0.0) {
            return (drift(state, free, step), 0.0);
        }
        let stiff = step * self.stiffness + self.damping;
        let (reduction, mixing) = (step * self.stiffness / stiff, 1.0 / stiff);
        let mut wanted = reduction / step * (state.indentation - self.depth_min).max(0.0);
        if state.rate > self.threshold {
            wanted = wanted.max(self.restitution * state.rate);
        }
        let soft = mixing / step / meeting.points;
        // Force for a wanted speed of separation; −free is that without contact.
        let force = |wanted: f64| ((wanted + free) / step / (meeting.mobility + soft)).max(0.0);
        let rate = |force: f64| free - step * meeting.mobility * force;
        let pushed = force(wanted.min(self.speed_max));
        let indentation = state.indentation + step * rate(force(wanted));
        (State { indentation, rate: rate(pushed) }, pushed)
    }
}
