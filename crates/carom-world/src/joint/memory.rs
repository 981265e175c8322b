//! Memory of joints: angles beyond full turns, and whether friction holds them.
//!
//! The rotations of two bodies determine their relative angle only up to full turns. A torsion spring exerts twice the torque
//! after two turns, so the angle at the time of the state is stored. At another instant the angle is the one nearest to the
//! stored angle extrapolated with its rate.
//!
//! Coulomb friction of a joint either slides, with the force −s·T against the direction s of the motion, or holds the joint. In
//! the latter case a constraint row with the rate 0 is added, whose multiplier is the friction force. Both transitions are
//! events at the end of a step (`step/joint_friction.rs`). Friction is not regularised, so there is no creep.

use super::{BodyMotion, ConstraintRow, Joint, JointCoordinate, RowRole, nearest_turn};

/// Friction of a joint along a free coordinate: a Coulomb force or torque of constant magnitude, which opposes the motion and
/// holds the joint at rest up to that magnitude, and a viscous part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Coordinate along which friction acts.
    pub coordinate: JointCoordinate,
    /// Magnitude of the Coulomb force (N) or torque (N·m).
    pub coulomb: f64,
    /// Viscous coefficient (N·s/m or N·m·s).
    pub viscous: f64,
}

/// Memory of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointMemory {
    /// Angle at the time of the state, counted beyond full turns (rad).
    pub angle: f64,
    /// Direction of sliding, ±1; 0 if friction holds the joint.
    pub sliding: f64,
    /// Value of the coordinate at which friction holds the joint (rad or m).
    pub held: f64,
}

impl JointMemory {
    /// Memory of a joint for which it has not yet been decided whether friction holds or slides: it does neither.
    pub const UNDECIDED: Self = Self { angle: 0.0, sliding: f64::MIN_POSITIVE, held: 0.0 };
}

impl Joint {
    /// Computes the value of a coordinate, and its row; `since` is the time that has passed since the time of the memory (s).
    pub(crate) fn coordinate_value(
        &self,
        coordinate: JointCoordinate,
        bodies: &[BodyMotion],
        memory: &JointMemory,
        since: f64,
    ) -> (f64, ConstraintRow) {
        let row = self.coordinate_row(coordinate, bodies);
        let value = match coordinate {
            JointCoordinate::Slide => row.error,
            JointCoordinate::Angle => {
                nearest_turn(row.error, memory.angle + row.rate_of(bodies) * since)
            }
        };
        (value, row)
    }

    /// Returns the row with which friction holds the joint, if it does.
    pub(crate) fn holding_row(
        &self,
        memory: &JointMemory,
        bodies: &[BodyMotion],
    ) -> Option<ConstraintRow> {
        let coordinate = self.friction?.coordinate;
        if memory.sliding != 0.0 {
            return None;
        }
        let held = JointMemory { angle: memory.held, ..*memory };
        let (value, row) = self.coordinate_value(coordinate, bodies, &held, 0.0);
        Some(ConstraintRow { error: value - memory.held, role: RowRole::Friction, ..row })
    }

    /// Computes the friction force along the coordinate at a rate, while the joint slides.
    pub(crate) fn sliding_friction(&self, memory: &JointMemory, rate: f64) -> f64 {
        let (coulomb, viscous) = self.friction.map_or((0.0, 0.0), |one| (one.coulomb, one.viscous));
        // While undecided, the Coulomb force is exactly zero: even the smallest number times a torque would set a body at rest
        // in motion.
        let sliding =
            if memory.sliding == JointMemory::UNDECIDED.sliding { 0.0 } else { memory.sliding };
        -sliding * coulomb - viscous * rate
    }
}
