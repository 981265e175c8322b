//! Memory of joints: angles beyond full turns, and whether friction holds them.
//!
//! The rotations of two bodies determine their relative angle only up to full turns. A torsion spring exerts twice the torque
//! after two turns, so the angle at the time of the state is stored. At another instant the angle is the one nearest to the
//! stored angle extrapolated with its rate.
//!
//! Coulomb friction of a joint either slides, with the force −s·T against the direction s of the motion, or holds the joint. In
//! the latter case a constraint row with the rate 0 is added, whose multiplier is the friction force. Both transitions are
//! events at the end of a step (`step/joint_friction.rs`). Friction is not regularised, so there is no creep.

use super::{BodyMotion, ConstraintRow, Joint, JointCoordinate, RowRole, nearest_equal_angle};
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct JointMemory {
    /// Angle at the time of the state, counted beyond full turns (rad).
    #[serde(with = "crate::bits")]
    pub angle: f64,
    pub friction: JointFrictionState,
}

/// Whether the Coulomb friction of a joint holds it or slides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum JointFrictionState {
    /// This has not been decided yet: friction does neither, and has no Coulomb force.
    #[default]
    Undecided,
    /// Friction holds the joint at this value of its coordinate (rad or m).
    Held(#[serde(with = "crate::bits")] f64),
    /// The Coulomb force is this fraction of its bound, against the motion: the direction of sliding, ±1, or any fraction
    /// between these in the nonsmooth method, where it is a mean over the last step.
    Sliding(#[serde(with = "crate::bits")] f64),
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
                nearest_equal_angle(row.error, memory.angle + row.rate_of(bodies) * since)
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
        let JointFrictionState::Held(held) = memory.friction else { return None };
        let memory = JointMemory { angle: held, ..*memory };
        let (value, row) = self.coordinate_value(coordinate, bodies, &memory, 0.0);
        Some(ConstraintRow { error: value - held, role: RowRole::Friction, ..row })
    }

    /// Computes the friction force along the coordinate at a rate, while friction does not hold the joint.
    pub(crate) fn sliding_friction(&self, memory: &JointMemory, rate: f64) -> f64 {
        let (coulomb, viscous) = self.friction.map_or((0.0, 0.0), |one| (one.coulomb, one.viscous));
        let sliding = match memory.friction {
            JointFrictionState::Sliding(fraction) => fraction,
            JointFrictionState::Undecided | JointFrictionState::Held(_) => 0.0,
        };
        -sliding * coulomb - viscous * rate
    }
}
