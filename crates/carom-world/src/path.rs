//! Prescribed motions of bodies: displacements of the centre of mass and a rotation, both functions of time.
//!
//! A driven body starts at the position x₀ with the rotation q₀. Its displacements dᵢ·sᵢ(t) are added up. A rotation by φ(t)
//! about an axis u, through a point that is displaced with the body and lies at p relative to x₀, adds the arm r =
//! R(φ)·(−p):
//!
//! x = x₀ + Σ dᵢ·sᵢ + p + r,  v = Σ dᵢ·ṡᵢ + φ̇·u×r,  a = Σ dᵢ·s̈ᵢ + φ̈·u×r + φ̇²·u×(u×r),  ω = φ̇·u.
//!
//! A table of points is thus represented by three displacements, and a circular motion by a rotation about an axis that does
//! not pass through the centre of mass.

use crate::joint::BodyMotion;
use crate::math::{Quat, Vec3};
use crate::motion::{Motion, MotionBounds, SidedTime};
use std::ops::AddAssign;

/// Prescribed motion of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Displacements of the body, which are added up: direction (a unit vector) and distance (m).
    pub displacements: Vec<(Vec3, Motion)>,
    /// Rotation of the body, if any.
    pub rotation: Option<PrescribedRotation>,
}

/// Prescribed rotation about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedRotation {
    /// Axis in world coordinates (a unit vector).
    pub axis: Vec3,
    /// A point of the axis, relative to the centre of mass of the body at the start (m).
    pub point: Vec3,
    /// Angle (rad).
    pub angle: Motion,
}

/// Motion of a driven body at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPoint {
    pub motion: BodyMotion,
    pub acceleration: Vec3,
    pub angular_acceleration: Vec3,
}

/// Bounds of the velocities and accelerations of all points of a driven body within a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PathBounds {
    /// Bound of the change of velocity within the span (m/s).
    pub velocity_change: f64,
    /// Bound of the acceleration (m/s²).
    pub acceleration: f64,
}

impl AddAssign for PathBounds {
    fn add_assign(&mut self, other: Self) {
        self.velocity_change += other.velocity_change;
        self.acceleration += other.acceleration;
    }
}

impl PathBounds {
    /// Returns whether any velocity changes.
    pub fn accelerates(self) -> bool {
        self.acceleration > 0.0
    }
}

impl Path {
    /// Creates a displacement along a direction.
    pub fn along(direction: Vec3, motion: Motion) -> Self {
        Self { displacements: vec![(direction, motion)], rotation: None }
    }

    /// Returns all functions of time of which the path consists.
    pub fn motions(&self) -> impl Iterator<Item = &Motion> {
        let angle = self.rotation.as_ref().map(|turning| &turning.angle);
        self.displacements.iter().map(|(_, motion)| motion).chain(angle)
    }

    /// Returns the motion at a time of a body that started with this position and rotation.
    #[inline(always)]
    pub(crate) fn at(&self, position: Vec3, rotation: Quat, time: SidedTime) -> PathPoint {
        let motion = BodyMotion { x: position, q: rotation, ..BodyMotion::default() };
        let (acceleration, angular_acceleration) = (Vec3::ZERO, Vec3::ZERO);
        let mut at = PathPoint { motion, acceleration, angular_acceleration };
        for (along, motion) in &self.displacements {
            let s = motion.evaluate(time);
            at.motion.x += *along * s.value;
            at.motion.v += *along * s.rate;
            at.acceleration += *along * s.acceleration;
        }
        if let Some(PrescribedRotation { axis, point, angle }) = &self.rotation {
            let s = angle.evaluate(time);
            let turn = Quat::about(*axis, s.value);
            let arm = turn.rotate(-*point);
            let across = axis.cross(arm);
            at.motion.q = turn * rotation;
            at.motion.w = *axis * s.rate;
            at.angular_acceleration = *axis * s.acceleration;
            at.motion.x += *point + arm;
            at.motion.v += across * s.rate;
            at.acceleration += across * s.acceleration + axis.cross(across) * (s.rate * s.rate);
        }
        at
    }

    /// Returns bounds between two times without a breakpoint in between, for points at most `reach` from the centre of mass
    /// (m).
    pub(crate) fn bounds(&self, from: f64, to: f64, reach: f64) -> PathBounds {
        let mut sum = PathBounds::default();
        for (_, motion) in &self.displacements {
            let MotionBounds { rate_change, acceleration } = motion.bounds(from, to);
            sum += PathBounds { velocity_change: rate_change, acceleration };
        }
        if let Some(PrescribedRotation { point, angle, .. }) = &self.rotation {
            let bounds = angle.bounds(from, to);
            let rate = angle.at(from).rate.abs() + bounds.rate_change;
            let acceleration = (point.length() + reach) * (bounds.acceleration + rate * rate);
            sum += PathBounds { velocity_change: acceleration * (to - from), acceleration };
        }
        sum
    }

    /// Returns a time in which the body moves little (s), from a time on; infinite if its motion is a polynomial between
    /// breakpoints.
    pub(crate) fn time_scale(&self, time: f64) -> f64 {
        let turn = self.rotation.as_ref().map_or(f64::INFINITY, |turning| {
            let rate = turning.angle.at(time).rate.abs();
            if rate > 0.0 { 0.5 / rate } else { f64::INFINITY }
        });
        self.motions().map(Motion::time_scale).fold(turn, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_and_accelerations_are_derivatives_of_the_path() {
        let sine = |amplitude: f64, frequency: f64| Motion::Sine {
            offset: 0.1,
            amplitude,
            frequency,
            phase: 0.3,
        };
        let path = Path {
            displacements: vec![(Vec3::X, sine(0.2, 3.0)), (Vec3::Z, sine(0.1, 5.0))],
            rotation: Some(PrescribedRotation {
                axis: Vec3::new(0.6, 0.0, 0.8),
                point: Vec3::new(0.3, -0.2, 0.5),
                angle: sine(1.5, 2.0),
            }),
        };
        let start = (Vec3::new(1.0, 2.0, 3.0), Quat::about(Vec3::Y, 0.4));
        let at = |t: f64| path.at(start.0, start.1, SidedTime::at(t));
        let (h, t) = (1e-5, 0.37);
        let (before, now, after) = (at(t - h), at(t), at(t + h));
        let rate = (after.motion.x - before.motion.x) * (0.5 / h);
        assert!((rate - now.motion.v).length() < 1e-8);
        let rate = (after.motion.v - before.motion.v) * (0.5 / h);
        assert!((rate - now.acceleration).length() < 1e-8);
        let marked = |point: &PathPoint| point.motion.q.rotate(Vec3::new(0.2, 0.7, -0.4));
        let rate = (marked(&after) - marked(&before)) * (0.5 / h);
        assert!((rate - now.motion.w.cross(marked(&now))).length() < 1e-8);
        let rate = (after.motion.w - before.motion.w) * (0.5 / h);
        assert!((rate - now.angular_acceleration).length() < 1e-8);
        let bounds = path.bounds(0.2, 0.6, 0.1);
        for i in 0..40 {
            let (one, two) = (at(0.2 + 0.01 * f64::from(i)), at(0.6));
            assert!(one.acceleration.length() <= bounds.acceleration);
            assert!((one.motion.v - two.motion.v).length() <= bounds.velocity_change);
        }
    }
}
