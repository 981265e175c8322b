//! What joints remember: angles beyond full turns, and whether friction holds them.
//!
//! # Angles
//! The rotation of two bodies tells their angle up to full turns. A torsion spring pulls back after two turns twice as hard as after
//! one, so the angle at the time of the state is kept, and an angle at another instant is the one nearest to where the rate leads.
//!
//! # Friction
//! Coulomb's friction of a joint is either sliding, with the force −s·T against the direction s of the motion, or it holds the joint: then
//! a constraint row with the rate 0 is added, whose multiplier is the force of friction. Both changes are events at the end of a step
//! (`step/joint_friction.rs`). There is no regularisation, and no creep.

use super::{BodyMotion, ConstraintRow, Joint, JointCoordinate, RowRole, nearest_turn};

/// Friction of a joint along a free coordinate: a force or torque of constant size against the motion, which holds the joint
/// at rest while it can, and a viscous one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// The coordinate.
    pub coordinate: JointCoordinate,
    /// Size of Coulomb's force (N) or torque (N·m).
    pub coulomb: f64,
    /// Viscous coefficient (N·s/m or N·m·s).
    pub viscous: f64,
}

/// What a joint remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointMemory {
    /// Its angle at the time of the state, beyond full turns (rad).
    pub angle: f64,
    /// Direction in which friction slides, 0 where it holds the joint.
    pub sliding: f64,
    /// The value of the coordinate at which friction holds (rad or m).
    pub held: f64,
}

impl JointMemory {
    /// Friction neither holds the joint nor acts against a motion: where it is not known yet which of them it does.
    pub const UNDECIDED: Self = Self { angle: 0.0, sliding: f64::MIN_POSITIVE, held: 0.0 };
}

impl Joint {
    /// Value of a coordinate at an instant, `since` the time to which the memory belongs (s), with its row.
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

    /// The row with which friction holds the joint, where it does.
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

    /// Force of friction along the coordinate at a rate, while the joint slides.
    pub(crate) fn sliding_friction(&self, memory: &JointMemory, rate: f64) -> f64 {
        let (coulomb, viscous) = self.friction.map_or((0.0, 0.0), |one| (one.coulomb, one.viscous));
        // Undecided is no force at all: the smallest number times a torque would set a body that is at rest in motion.
        let sliding =
            if memory.sliding == JointMemory::UNDECIDED.sliding { 0.0 } else { memory.sliding };
        -sliding * coulomb - viscous * rate
    }
}
