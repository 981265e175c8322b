//! Bullet's multibody solver with the settings of PyBullet.
//!
//! # Equation
//! A contact acts as soon as the gap is smaller than a distance (0.02 times half the diagonal of the smaller body's
//! bounding box). With the approach speed v after gravity and the gap x, the impulse is that which makes the
//! separation speed e·v − x/h before touch and e·v + ERP·δ/h after it; e is applied above 0.2 m/s. The delivered
//! restitution therefore depends on the position of the onset within a step. With a contact stiffness k and damping
//! c: ERP = h·k/(h·k + c), CFM = 1/(h·k + c), otherwise ERP = 0.08 and CFM = 0.
//!
//! # Reference
//! Bullet 6c888f4a, `btMultiBodyConstraintSolver.cpp` (setupMultiBodyContactConstraint), `btManifoldResult.cpp`; PyBullet
//! 3.2.7 sets ERP, `m_linearSlop` = 1e-5 m and a threshold of 0.2 m/s.

use super::{Mechanics, State, semi_implicit_euler};

/// Depth at which bodies rest on each other (m), unless PyBullet's `contactSlop` specifies another.
pub const SLOP: f64 = 1e-5;
/// Approach speed above which the restitution is applied (m/s), PyBullet's `restitutionVelocityThreshold`.
pub const THRESHOLD: f64 = 0.2;
/// Fraction of an overlap that a step removes, PyBullet's `contactERP`.
pub const REDUCTION: f64 = 0.08;

/// Contact of Bullet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub restitution: f64,
    /// Stiffness (N/m) and damping (N s/m) of the pair, if one of its geometries defines them.
    pub spring: Option<(f64, f64)>,
    /// Distance at which the contact begins to act (m).
    pub reach: f64,
    /// Depth at which bodies rest (m).
    pub slop: f64,
    /// Approach speed above which the restitution is applied (m/s).
    pub threshold: f64,
    /// Fraction of an overlap that a step removes, if neither geometry defines a spring.
    pub reduction: f64,
}

/// Returns the distance at which contacts of a sphere of this radius begin to act (m): `breaking`, PyBullet's
/// `contactBreakingThreshold`, times half the diagonal of its bounding box.
pub fn sphere_reach(radius: f64, breaking: f64) -> f64 {
    breaking * 3f64.sqrt() * radius
}

impl Contact {
    /// Advances the contact by one step.
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        let free = state.rate + step * mechanics.acceleration;
        let gap = self.slop - state.indentation;
        if -state.indentation >= self.reach {
            return (semi_implicit_euler(state, free, step), 0.0);
        }
        let (reduction, soft) = match self.spring {
            Some((stiffness, damping)) => {
                let stiff = step * stiffness + damping;
                (step * stiffness / stiff, 1.0 / (stiff * step * mechanics.points))
            }
            None => (self.reduction, 0.0),
        };
        let bounce = if free >= self.threshold { self.restitution * free } else { 0.0 };
        let correction = if gap > 0.0 { -gap / step } else { -gap * reduction / step };
        let impulse = ((free + bounce + correction) / (mechanics.mobility + soft)).max(0.0);
        (semi_implicit_euler(state, free - mechanics.mobility * impulse, step), impulse / step)
    }
}
