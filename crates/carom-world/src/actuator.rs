//! Forces along a coordinate: springs and dampers on joints, and motors.
//!
//! A coordinate q (the angle or slide of a joint, the distance of two points) has a row J with q̇ = J·(v, ω). A generalised
//! force Q along it acts on the two bodies with Jᵀ·Q, so that its power is Q·q̇. A positive torque turns the first body about
//! the axis of the second; a positive force pushes two points apart.

use crate::element::Anchor;
use crate::joint::{BodyMotion, ConstraintRow, Joint, JointCoordinate, JointMemory, RowRole};
use crate::motion::{Motion, SidedTime};

/// Coordinate along which a force acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// A coordinate of a joint, given by the number of the joint; angles are counted beyond full turns.
    Joint(usize, JointCoordinate),
    /// The distance of two points (m).
    Distance(Anchor, Anchor),
}

/// A spring or a motor along a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name in messages, and for controllers and sensors.
    pub name: String,
    /// Coordinate along which it acts.
    pub on: Coordinate,
    /// Generalised force that it exerts.
    pub effort: Effort,
}

/// Generalised force of an actuator (N or N·m).
#[derive(Clone, Debug, PartialEq)]
pub enum Effort {
    /// Q = −k·(q − q₀) − c·q̇.
    Spring {
        /// k (N/m or N·m/rad).
        stiffness: f64,
        /// c (N·s/m or N·m·s/rad).
        damping: f64,
        /// q₀ (m or rad).
        rest: f64,
    },
    /// A motor.
    Motor {
        /// Command.
        command: Command,
        /// Largest force or torque in both directions; infinite if it is unlimited.
        limit: f64,
    },
}

/// Command of a motor.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Q is a function of time.
    Effort(Motion),
    /// Q = gain·(u(t) − q̇), a velocity servo with the set point u.
    Speed {
        /// u as a function of time (m/s or rad/s).
        speed: Motion,
        /// Gain (N·s/m or N·m·s/rad).
        gain: f64,
    },
    /// Q = k·(u(t) − q) + c·(u̇(t) − q̇), a proportional–derivative controller for the position u.
    Position {
        /// u as a function of time (m or rad).
        position: Motion,
        /// k (N/m or N·m/rad).
        stiffness: f64,
        /// c (N·s/m or N·m·s/rad).
        damping: f64,
    },
    /// Q is set by a controller at control instants and held in between; the value is the number among such motors.
    Held(usize),
}

/// Value and rate of a coordinate at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateMotion {
    pub value: f64,
    pub rate: f64,
    /// Row J.
    pub row: ConstraintRow,
}

impl Coordinate {
    /// Computes the coordinate at an instant; `since` is the time that has passed since the time of the memories of the joints
    /// (s). Returns none where the coordinate has no direction, because two points coincide.
    pub(crate) fn motion(
        &self,
        joints: &[Joint],
        bodies: &[BodyMotion],
        memories: &[JointMemory],
        since: f64,
    ) -> Option<CoordinateMotion> {
        match self {
            Self::Joint(index, coordinate) => {
                let (value, row) =
                    joints[*index].coordinate_value(*coordinate, bodies, &memories[*index], since);
                Some(CoordinateMotion { value, rate: row.rate_of(bodies), row })
            }
            Self::Distance(a, b) => {
                let [p, q] = [a, b].map(|end| {
                    let body = &bodies[end.body];
                    body.x + body.q.rotate(end.point)
                });
                let along = (q - p).unit()?;
                let row = ConstraintRow {
                    joint: 0,
                    role: RowRole::Joint,
                    a: a.body,
                    b: b.body,
                    linear: -along,
                    turn_a: -(p - bodies[a.body].x).cross(along),
                    turn_b: (q - bodies[b.body].x).cross(along),
                    error: 0.0,
                    rate: 0.0,
                    bias: 0.0,
                };
                Some(CoordinateMotion { value: (q - p).length(), rate: row.rate_of(bodies), row })
            }
        }
    }
}

impl Effort {
    /// Computes the generalised force at a value and rate of the coordinate; `held` are the values of the motors that are set
    /// by a controller.
    pub(crate) fn value(&self, at: &CoordinateMotion, clock: SidedTime, held: &[f64]) -> f64 {
        let CoordinateMotion { value: q, rate, .. } = *at;
        match self {
            Self::Spring { stiffness, damping, rest } => -stiffness * (q - rest) - damping * rate,
            Self::Motor { command: control, limit } => {
                let asked = match control {
                    Command::Effort(motion) => motion.evaluate(clock).value,
                    Command::Speed { speed, gain } => gain * (speed.evaluate(clock).value - rate),
                    Command::Position { position, stiffness, damping } => {
                        let u = position.evaluate(clock);
                        stiffness * (u.value - q) + damping * (u.rate - rate)
                    }
                    Command::Held(index) => held.get(*index).copied().unwrap_or(0.0),
                };
                asked.clamp(-limit, *limit)
            }
        }
    }

    /// Returns the function of time in the command, if there is one.
    pub(crate) fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Motor { command: control, .. } => match control {
                Command::Effort(motion)
                | Command::Speed { speed: motion, .. }
                | Command::Position { position: motion, .. } => Some(motion),
                Command::Held(_) => None,
            },
            Self::Spring { .. } => None,
        }
    }

    /// Returns the stiffness (N/m or N·m/rad); 0 if there is none.
    pub(crate) fn stiffness(&self) -> f64 {
        match self {
            Self::Spring { stiffness, .. }
            | Self::Motor { command: Command::Position { stiffness, .. }, .. } => *stiffness,
            Self::Motor { .. } => 0.0,
        }
    }

    /// Returns the energy stored at a value of the coordinate (J).
    pub(crate) fn stored(&self, q: f64) -> f64 {
        match self {
            Self::Spring { stiffness, rest, .. } => 0.5 * stiffness * (q - rest) * (q - rest),
            Self::Motor { .. } => 0.0,
        }
    }

    /// Returns the parameters that must be at least 0, with their names.
    pub(crate) fn numbers(&self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Spring { stiffness, damping, .. } => {
                vec![("stiffness", *stiffness), ("damping", *damping)]
            }
            Self::Motor { command: control, .. } => match control {
                Command::Speed { gain, .. } => vec![("gain", *gain)],
                Command::Position { stiffness, damping, .. } => {
                    vec![("stiffness", *stiffness), ("damping", *damping)]
                }
                _ => Vec::new(),
            },
        }
    }
}
