//! Sensors: quantities that a scene asks for by name.
//!
//! A vector is measured in the axes of the world, or in those of a body as they are at that instant. What a point does *relative to* a body
//! is what an observer on that body sees: with r from its centre of mass to the point, and v, a the velocity and acceleration of the point,
//!
//! v_r = v − v_B − ω_B×r,  a_r = a − a_B − α_B×r − ω_B×(ω_B×r) − 2·ω_B×v_r.

use crate::element::Anchor;
use crate::joint::JointCoordinate;

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Its name in the results.
    pub name: String,
    /// What it measures.
    pub measure: Measure,
    /// Vectors are given in the axes of this body; none for those of the world.
    pub axes: Option<usize>,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Motion of a point of a body relative to another body; the ground stands for the world.
    Point {
        /// The point.
        at: Anchor,
        /// The body on which the observer is.
        relative_to: usize,
        /// Which of its derivatives.
        order: Order,
    },
    /// Angular motion of a body relative to another.
    Rotation {
        /// The body.
        body: usize,
        /// The body on which the observer is.
        relative_to: usize,
        /// Angular velocity or acceleration.
        order: Order,
    },
    /// A coordinate of a joint, or its rate.
    Joint {
        /// The joint.
        joint: usize,
        /// Which coordinate.
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

/// A value, its rate or its acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The value itself.
    Value,
    /// Its first derivative.
    Rate,
    /// Its second derivative.
    Acceleration,
}
