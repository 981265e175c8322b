//! Sensors: quantities that a scene requests by name.
//!
//! A vector is measured in the axes of the world, or in the instantaneous axes of a body. The motion of a point *relative
//! to* a body B is that seen by an observer on the body. With r from the centre of mass of B to the point, and v, a the
//! velocity and acceleration of the point:
//!
//! v_r = v − v_B − ω_B×r,  a_r = a − a_B − α_B×r − ω_B×(ω_B×r) − 2·ω_B×v_r.

use crate::element::Anchor;
use crate::joint::JointCoordinate;

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Name of the sensor in the results.
    pub name: String,
    /// Quantity that is measured.
    pub measure: Measure,
    /// Body in whose axes vectors are given; none for those of the world.
    pub axes: Option<usize>,
}

/// Quantity that a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Motion of a point of a body relative to another body; the ground stands for the world.
    Point {
        /// The point.
        at: Anchor,
        /// Body relative to which the motion is measured.
        relative_to: usize,
        /// Order of the derivative.
        order: Order,
    },
    /// Rotational motion of a body relative to another body.
    Rotation {
        /// The body.
        body: usize,
        /// Body relative to which the motion is measured.
        relative_to: usize,
        /// Angular velocity or acceleration.
        order: Order,
    },
    /// A coordinate of a joint, or its rate.
    Joint {
        /// The joint.
        joint: usize,
        /// Coordinate of the joint.
        coordinate: JointCoordinate,
        /// Value or rate.
        order: Order,
    },
    /// Force of a joint on its first body.
    ReactionForce(usize),
    /// Moment of a joint on its first body, about the point of the joint.
    ReactionMoment(usize),
    /// Force of the touches of these contacts on the second body.
    ContactForce(Vec<usize>),
    /// Moment of the touches of these contacts on the second body, about its centre of mass.
    ContactMoment(Vec<usize>),
    /// Force or torque of an actuator.
    Effort(usize),
}

/// Order of a derivative: value, rate or acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The value itself.
    Value,
    /// Its first derivative.
    Rate,
    /// Its second derivative.
    Acceleration,
}
