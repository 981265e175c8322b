//! Boundaries of a bed: plane walls, and periods along x and y.

use crate::math::Vec3;

/// A plane wall, with grains on one side of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// A point of the plane (m).
    pub point: Vec3,
    /// Unit normal towards the grains.
    pub normal: Vec3,
}

impl Wall {
    /// Returns the signed distance of a point from the plane (m), positive on the side of the grains.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec3) -> f64 {
        self.normal.dot(point - self.point)
    }
}

/// Periodic images of grains: the grain itself, and its copies displaced by one period in either direction along x, y or
/// both.
///
/// The image that a pair refers to cannot change between two neighbour lists, because in that time grains move by less than
/// the skin and a period is longer than four diameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeriodicImages {
    /// Periods along x and y (m); infinite along a direction that is not periodic.
    pub period: (f64, f64),
    /// Displacement of each image (m).
    shifts: [Vec3; 9],
}

impl PeriodicImages {
    pub fn new(period: (f64, f64)) -> Self {
        let along = |period: f64, k: usize| match (period.is_finite(), k) {
            (false, _) | (_, 0) => 0.0,
            (_, 1) => -period,
            _ => period,
        };
        let shift = |k: usize| Vec3::new(along(period.0, k % 3), along(period.1, k / 3), 0.0);
        Self { period, shifts: std::array::from_fn(shift) }
    }

    /// Returns the displacement of an image from the grain itself (m).
    #[inline(always)]
    pub fn shift(&self, image: u8) -> Vec3 {
        self.shifts[usize::from(image)]
    }

    /// Returns the image of a grain that is nearest for this separation, and the separation from that image.
    pub fn nearest(&self, separation: Vec3) -> (u8, Vec3) {
        let along = |x: f64, period: f64| {
            if x > 0.5 * period {
                1
            } else if x < -0.5 * period {
                2
            } else {
                0
            }
        };
        let image = along(separation.x, self.period.0) + 3 * along(separation.y, self.period.1);
        (image, separation + self.shift(image))
    }

    /// Returns the shortest separation of two grains over all images, for grains any number of periods apart.
    pub fn shortest(&self, mut separation: Vec3) -> Vec3 {
        let (x, y) = self.period;
        if x.is_finite() {
            separation.x -= x * (separation.x / x).round();
        }
        if y.is_finite() {
            separation.y -= y * (separation.y / y).round();
        }
        separation
    }

    /// Returns the distance in whole periods by which a point lies outside of the first cell, 0 ≤ x < period (m).
    pub fn periods_beyond(&self, point: Vec3) -> Vec3 {
        let along = |x: f64, period: f64| match period.is_finite() {
            true => period * (x / period).floor(),
            false => 0.0,
        };
        Vec3::new(along(point.x, self.period.0), along(point.y, self.period.1), 0.0)
    }
}
