//! Forces along a coordinate: springs and dampers on joints, and motors.
//!
//! A coordinate q (the angle or slide of a joint, the distance of two points) has a row J with q̇ = J·(v, ω); a generalised force Q
//! along it acts on the two bodies with Jᵀ·Q, so that its power is Q·q̇. A positive torque turns the first body about the axis of the
//! second, a positive force pushes two points apart.

use crate::element::Anchor;
use crate::joint::{BodyMotion, ConstraintRow, Joint, JointCoordinate, JointMemory, RowRole};
use crate::motion::{Motion, SidedTime};

/// A coordinate along which a force acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// Of a joint, by its number; angles are counted beyond full turns.
    Joint(usize, JointCoordinate),
    /// The distance of two points (m).
    Distance(Anchor, Anchor),
}

/// A spring or a motor along a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name in messages, and for controllers and sensors.
    pub name: String,
    /// What it acts along.
    pub on: Coordinate,
    /// The force or torque that it exerts.
    pub effort: Effort,
}

/// The generalised force of an actuator (N or N·m).
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
        /// Its command.
        control: Control,
        /// The largest force or torque that it exerts, in both directions; infinite for none.
        limit: f64,
    },
}

/// The command of a motor.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// Q over time.
    Effort(Motion),
    /// Q = gain·(u(t) − q̇), a servo for the speed u.
    Speed {
        /// u over time (m/s or rad/s).
        speed: Motion,
        /// Gain (N·s/m or N·m·s/rad).
        gain: f64,
    },
    /// Q = k·(u(t) − q) + c·(u̇(t) − q̇), a proportional–derivative controller for the position u.
    Position {
        /// u over time (m or rad).
        position: Motion,
        /// k (N/m or N·m/rad).
        stiffness: f64,
        /// c (N·s/m or N·m·s/rad).
        damping: f64,
    },
    /// Q is set from outside at control instants and held in between; by its number among such motors.
    Held(usize),
}

/// A coordinate at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateMotion {
    pub value: f64,
    pub rate: f64,
    /// Its row J.
    pub row: ConstraintRow,
}

impl Coordinate {
    /// The coordinate at an instant, `since` the time of the state to which the memories of the joints belong (s). None where it
    /// has no direction: two points that coincide.
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
                    body.x + body.q.turn(end.point)
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
    /// The generalised force at a value and rate of the coordinate; `held` are the values of motors that are set from outside.
    pub(crate) fn value(&self, at: &CoordinateMotion, clock: SidedTime, held: &[f64]) -> f64 {
        let CoordinateMotion { value: q, rate, .. } = *at;
        match self {
            Self::Spring { stiffness, damping, rest } => -stiffness * (q - rest) - damping * rate,
            Self::Motor { control, limit } => {
                let asked = match control {
                    Control::Effort(motion) => motion.evaluate(clock).value,
                    Control::Speed { speed, gain } => gain * (speed.evaluate(clock).value - rate),
                    Control::Position { position, stiffness, damping } => {
                        let u = position.evaluate(clock);
                        stiffness * (u.value - q) + damping * (u.rate - rate)
                    }
                    Control::Held(index) => held.get(*index).copied().unwrap_or(0.0),
                };
                asked.clamp(-limit, *limit)
            }
        }
    }

    /// The function of time in it.
    pub(crate) fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Motor { control, .. } => match control {
                Control::Effort(motion)
                | Control::Speed { speed: motion, .. }
                | Control::Position { position: motion, .. } => Some(motion),
                Control::Held(_) => None,
            },
            Self::Spring { .. } => None,
        }
    }

    /// Its stiffness (N/m or N·m/rad).
    pub(crate) fn stiffness(&self) -> f64 {
        match self {
            Self::Spring { stiffness, .. }
            | Self::Motor { control: Control::Position { stiffness, .. }, .. } => *stiffness,
            Self::Motor { .. } => 0.0,
        }
    }

    /// Energy that it stores at a value of the coordinate (J).
    pub(crate) fn stored(&self, q: f64) -> f64 {
        match self {
            Self::Spring { stiffness, rest, .. } => 0.5 * stiffness * (q - rest) * (q - rest),
            Self::Motor { .. } => 0.0,
        }
    }

    /// Its parameters, all of which must be at least 0; `limit` may be infinite.
    pub(crate) fn numbers(&self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Spring { stiffness, damping, .. } => {
                vec![("stiffness", *stiffness), ("damping", *damping)]
            }
            Self::Motor { control, .. } => match control {
                Control::Speed { gain, .. } => vec![("gain", *gain)],
                Control::Position { stiffness, damping, .. } => {
                    vec![("stiffness", *stiffness), ("damping", *damping)]
                }
                _ => Vec::new(),
            },
        }
    }
}
