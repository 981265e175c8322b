//! Frames of shapes, and the gap at a contact site.

use crate::joint::BodyMotion;
use crate::math::{Quat, Vec3};

/// Pose of a shape: its origin and its rotation to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Origin (m).
    pub origin: Vec3,
    /// From the frame to the world.
    pub rotation: Quat,
}

impl Frame {
    /// A point of the frame in world coordinates.
    pub fn to_world(&self, point: Vec3) -> Vec3 {
        self.origin + self.rotation.turn(point)
    }

    /// A point of the world in coordinates of the frame.
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse().turn(point - self.origin)
    }
}

/// The gap of two shapes at one contact site, with its witness: normal and contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Distance, negative where they overlap (m).
    pub distance: f64,
    /// Unit normal out of the first shape, into the second.
    pub normal: Vec3,
    /// The contact point, halfway between the two surfaces (m).
    pub point: Vec3,
}

impl Gap {
    /// The gap of a site that does not exist: never closed.
    pub(super) fn infinite(point: Vec3) -> Self {
        Self { distance: f64::INFINITY, normal: Vec3::X, point }
    }

    /// The same gap with the two shapes exchanged.
    pub(super) fn flipped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }

    /// Rate of the distance (m/s), for the bodies of the first shape and the second.
    #[inline(always)]
    pub(crate) fn opening_rate(&self, one: &BodyMotion, two: &BodyMotion) -> f64 {
        self.normal.dot(two.velocity_at(self.point) - one.velocity_at(self.point))
    }
}
