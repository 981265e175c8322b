//! Frames of shapes, and the data of the gap at a contact site.

use crate::joint::BodyMotion;
use crate::math::{Quat, Vec3};

/// Pose of a shape: its origin and its rotation relative to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Origin in world coordinates (m).
    pub origin: Vec3,
    /// Rotation from the axes of the frame to those of the world.
    pub rotation: Quat,
}

impl Frame {
    /// Converts a point from coordinates of the frame to world coordinates.
    pub fn to_world(&self, point: Vec3) -> Vec3 {
        self.origin + self.rotation.rotate(point)
    }

    /// Converts a point from world coordinates to coordinates of the frame.
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse().rotate(point - self.origin)
    }
}

/// The gap of two shapes at one contact site, with its witness: normal and contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Distance of the surfaces along the normal (m); negative where the shapes overlap.
    pub distance: f64,
    /// Unit normal that points out of the first shape and into the second.
    pub normal: Vec3,
    /// The contact point, halfway between the two surfaces (m).
    pub point: Vec3,
}

impl Gap {
    /// Creates the gap of a site that does not exist; it never closes.
    pub(super) fn infinite(point: Vec3) -> Self {
        Self { distance: f64::INFINITY, normal: Vec3::X, point }
    }

    /// Returns the same gap with the two shapes exchanged.
    pub(super) fn flipped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }

    /// Computes the rate of the distance (m/s) from the motions of the bodies of the first and the second shape.
    #[inline(always)]
    pub(crate) fn opening_rate(&self, one: &BodyMotion, two: &BodyMotion) -> f64 {
        self.normal.dot(two.velocity_at(self.point) - one.velocity_at(self.point))
    }
}
