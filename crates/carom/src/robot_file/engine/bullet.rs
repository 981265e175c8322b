//! Bullet's multibody solver with the settings of PyBullet.
//!
//! # Equation
//! A contact acts from a distance on (0.02 of half the diagonal of the smaller body's bounding box). With the approach v
//! after gravity and the gap x, the impulse is that which makes the separation speed e·v − x/h before touch and
//! e·v + ERP·δ/h after it; e counts above 0.2 m/s. So what is delivered depends on where within a step the touch falls.
//! With a contact stiffness k and damping c: ERP = h·k/(h·k + c), CFM = 1/(h·k + c), else ERP = 0.08 and CFM = 0.
//!
//! # Reference
//! Bullet 6c888f4a, `btMultiBodyConstraintSolver.cpp` (setupMultiBodyContactConstraint), `btManifoldResult.cpp`; PyBullet
//! 3.2.7 sets ERP, `m_linearSlop` = 1e-5 m and a threshold of 0.2 m/s.

use super::{Meeting, State, drift};

/// Bodies rest so deep in each other (m), unless PyBullet's `contactSlop` says otherwise.
pub const SLOP: f64 = 1e-5;
/// Approach speed above which the restitution counts (m/s), PyBullet's `restitutionVelocityThreshold`.
pub const THRESHOLD: f64 = 0.2;
/// The part of an overlap that a step removes, PyBullet's `contactERP`.
pub const REDUCTION: f64 = 0.08;

/// The contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub restitution: f64,
    /// Stiffness (N/m) and damping (N s/m) of the pair, where one side gives them.
    pub spring: Option<(f64, f64)>,
    /// Distance at which it begins (m).
    pub reach: f64,
    /// Depth at which bodies rest (m).
    pub slop: f64,
    /// Approach speed above which the restitution counts (m/s).
    pub threshold: f64,
    /// The part of an overlap that a step removes, where no side gives a spring.
    pub reduction: f64,
}

/// Distance at which contacts with a sphere of this radius begin (m): `breaking`, PyBullet's `contactBreakingThreshold`,
/// times half the diagonal of its bounding box.
pub fn sphere_reach(radius: f64, breaking: f64) -> f64 {
    breaking * 3f64.sqrt() * radius
}

impl Contact {
    /// One step.
    pub fn advance(&self, meeting: &Meeting, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * meeting.press;
        let gap = self.slop - state.indentation;
        if -state.indentation >= self.reach {
            return (drift(state, free, step), 0.0);
        }
        let (reduction, soft) = match self.spring {
            Some((stiffness, damping)) => {
                let stiff = step * stiffness + damping;
                (step * stiffness / stiff, 1.0 / (stiff * step * meeting.points))
            }
            None => (self.reduction, 0.0),
        };
        let bounce = if free >= self.threshold { self.restitution * free } else { 0.0 };
        let correction = if gap > 0.0 { -gap / step } else { -gap * reduction / step };
        let impulse = ((free + bounce + correction) / (meeting.mobility + soft)).max(0.0);
        (drift(state, free - meeting.mobility * impulse, step), impulse / step)
    }
}
