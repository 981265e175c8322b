//! Ideal joints, as scalar constraints between two bodies.
//!
//! A joint has a frame on each body: a point, and axes of which the third (z) is the axis of the joint. Every joint consists of
//! constraint rows of three kinds, each a scalar C(q, t) = 0:
//!
//! - *along*: n·(p_a − p_b) = s(t), with n fixed in b. With ρ = p_a − x_b, r_a = p_a − x_a, Ċ = n·(v_a + ω_a×r_a − v_b − ω_b×ρ)
//!   − ṡ, and the part of C̈ without accelerations is n·(ω_a×(ω_a×r_a) − ω_b×(ω_b×ρ) − 2·ω_b×v_rel) − s̈.
//! - *perpendicular*: u·w = 0, with u fixed in a and w in b. Ċ = (ω_a − ω_b)·(u×w), and the part of C̈ without accelerations is
//!   (ω_a − ω_b)·((ω_a×u)×w + u×(ω_b×w)).
//! - *angle*: the angle of a about the axis of b is φ(t). Ċ = (ω_a − ω_b)·z_b − φ̇, and the part of C̈ without accelerations is
//!   (ω_a − ω_b)·(ω_b×z_b) − φ̈.
//!
//! | joint | along | perpendicular | free motion |
//! |---|---|---|---|
//! | spherical | x y z | | rotation |
//! | revolute | x y z | z⊥x, z⊥y | the angle about z |
//! | cylindrical | x y | z⊥x, z⊥y | angle about and sliding along z |
//! | prismatic | x y | z⊥x, z⊥y, x⊥y | sliding along z |
//! | fixed | x y z | z⊥x, z⊥y, x⊥y | none |
//! | universal | x y z | z⊥x | rotation about z of a and about x of b |
//! | planar | z | z⊥x, z⊥y | sliding along x and y, the angle about z |
//!
//! A drive adds one row: the angle of a revolute or cylindrical joint, or the slide of a prismatic or cylindrical one, follows
//! a [`Motion`]. Friction that holds a joint also adds a row (`joint/memory.rs`).

use crate::math::{Quat, Vec3};
use crate::motion::{Motion, SidedTime};

mod memory;
pub use memory::JointFriction;
pub(crate) use memory::{JointFrictionState, JointMemory};

/// The frame of a joint on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mount {
    /// The body.
    pub body: usize,
    /// Point of the joint, in body coordinates (m).
    pub point: Vec3,
    /// Rotation from the joint's axes to body coordinates.
    pub rotation: Quat,
}

/// Kind of a joint, by its free motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// No free motion.
    Fixed,
    /// Rotation about z.
    Revolute,
    /// Sliding along z.
    Prismatic,
    /// Any rotation.
    Spherical,
    /// Rotation about z and sliding along z.
    Cylindrical,
    /// Rotation about z of the first body and about x of the second, which stay at right angles.
    Universal,
    /// Sliding along x and y, rotation about z.
    Planar,
}

impl Kind {
    /// Names of the kinds in scenes, with the kinds.
    pub const ALL: [(&'static str, Self); 7] = [
        ("fixed", Self::Fixed),
        ("revolute", Self::Revolute),
        ("prismatic", Self::Prismatic),
        ("spherical", Self::Spherical),
        ("cylindrical", Self::Cylindrical),
        ("universal", Self::Universal),
        ("planar", Self::Planar),
    ];

    /// Returns the name of the kind in scenes.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| *name)
    }

    /// Returns the coordinates on which springs, friction, stops and motors of the joint can act. The free rotations of a
    /// universal and of a spherical joint have axes that move, and the sliding of a planar joint has no fixed direction; these
    /// motions are therefore no coordinates.
    pub fn coordinates(self) -> &'static [JointCoordinate] {
        match self {
            Self::Revolute | Self::Planar => &[JointCoordinate::Angle],
            Self::Prismatic => &[JointCoordinate::Slide],
            Self::Cylindrical => &[JointCoordinate::Angle, JointCoordinate::Slide],
            Self::Fixed | Self::Spherical | Self::Universal => &[],
        }
    }
}

/// A free coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointCoordinate {
    /// The angle of the first body about the axis of the second (rad).
    Angle,
    /// Displacement of the first body along the axis of the second (m).
    Slide,
}

/// Drive of a joint.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Drive {
    /// No drive: the joint moves freely.
    Free,
    /// The angle follows a motion (rad).
    Angle(Motion),
    /// The slide follows a motion (m).
    Slide(Motion),
}

impl Drive {
    /// Returns the coordinate that is driven.
    pub(crate) fn coordinate(&self) -> Option<JointCoordinate> {
        match self {
            Self::Free => None,
            Self::Angle(_) => Some(JointCoordinate::Angle),
            Self::Slide(_) => Some(JointCoordinate::Slide),
        }
    }

    /// Returns the motion that the coordinate follows.
    pub(crate) fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Free => None,
            Self::Angle(motion) | Self::Slide(motion) => Some(motion),
        }
    }
}

/// An ideal joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name, for messages and results.
    pub name: String,
    /// Kind of the joint.
    pub kind: Kind,
    /// Frame on the first body.
    pub a: Mount,
    /// Frame on the second body.
    pub b: Mount,
    /// Drive.
    pub drive: Drive,
    /// Friction, if there is any.
    pub friction: Option<JointFriction>,
}

/// Position x, rotation q, velocity v and angular velocity w of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BodyMotion {
    pub x: Vec3,
    pub q: Quat,
    pub v: Vec3,
    pub w: Vec3,
}

impl BodyMotion {
    /// Returns the velocity of the material point at `point`.
    #[inline]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.v + self.w.cross(point - self.x)
    }
}

/// Origin of a constraint row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowRole {
    /// The joint itself, or its drive.
    Joint,
    /// Friction that holds the joint.
    Friction,
}

/// One scalar constraint: J·(v, ω) equals the rate of the drive, and J·(a, α) + bias = 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstraintRow {
    /// Number of the joint to which the row belongs.
    pub joint: usize,
    pub role: RowRole,
    pub a: usize,
    pub b: usize,
    /// Coefficients of v_a; those of v_b have the opposite sign.
    pub linear: Vec3,
    /// Coefficients of ω_a and ω_b.
    pub turn_a: Vec3,
    pub turn_b: Vec3,
    /// C itself (m or rad).
    pub error: f64,
    /// Rate prescribed by the drive.
    pub rate: f64,
    /// The part of C̈ without accelerations.
    pub bias: f64,
}

impl ConstraintRow {
    /// Returns J times the linear and angular velocities (or accelerations) of the two bodies.
    #[inline(always)]
    pub fn times(&self, (va, wa): (Vec3, Vec3), (vb, wb): (Vec3, Vec3)) -> f64 {
        self.linear.dot(va - vb) + self.turn_a.dot(wa) + self.turn_b.dot(wb)
    }

    /// Returns J times the velocities of the two bodies.
    pub fn rate_of(&self, bodies: &[BodyMotion]) -> f64 {
        let [a, b] = [self.a, self.b].map(|body| (bodies[body].v, bodies[body].w));
        self.times(a, b)
    }

    /// Returns whether the row constrains motion in the plane z = const. Half of the rows of most joints do not.
    #[inline(always)]
    pub fn acts_in_plane(&self) -> bool {
        let along = self.linear.x.abs().max(self.linear.y.abs());
        let about = self.turn_a.z.abs().max(self.turn_b.z.abs());
        along.max(about) > 1e-9 || self.error.abs() > 1e-12
    }

    /// Returns Jᵀλ: forces and couples on the two bodies.
    #[inline(always)]
    pub fn reactions(&self, multiplier: f64) -> [(usize, Vec3, Vec3); 2] {
        let force = self.linear * multiplier;
        [(self.a, force, self.turn_a * multiplier), (self.b, -force, self.turn_b * multiplier)]
    }
}

/// Relative motion of the points of a joint on its two bodies, which all rows along a direction share.
struct JointPointMotion {
    /// Vectors from the centres of the first and second body to the joint's point on the first.
    arm_a: Vec3,
    arm_b: Vec3,
    /// Vector from the joint's point on the second body to that on the first.
    apart: Vec3,
    /// The part of the relative acceleration that does not depend on accelerations of the bodies.
    centripetal: Vec3,
}

impl Joint {
    /// Appends the constraint rows at a time; the caller sets their joint number. In planar motion, rows that do not constrain
    /// motion in the plane are left out.
    pub(crate) fn append_rows(
        &self,
        time: SidedTime,
        bodies: &[BodyMotion],
        planar: bool,
        rows: &mut Vec<ConstraintRow>,
    ) {
        let (a, b) = (&bodies[self.a.body], &bodies[self.b.body]);
        let (of_a, of_b) = self.axes(a, b);
        let no_drive = (0.0, 0.0, 0.0);
        let [x, y, z] = [0, 1, 2];
        let along: &[usize] = match self.kind {
            Kind::Spherical | Kind::Revolute | Kind::Fixed | Kind::Universal => &[x, y, z],
            Kind::Cylindrical | Kind::Prismatic => &[x, y],
            Kind::Planar => &[z],
        };
        let perpendicular: &[(usize, usize)] = match self.kind {
            Kind::Spherical => &[],
            Kind::Universal => &[(z, x)],
            Kind::Revolute | Kind::Cylindrical | Kind::Planar => &[(z, x), (z, y)],
            Kind::Prismatic | Kind::Fixed => &[(z, x), (z, y), (x, y)],
        };
        let acts = |row: &ConstraintRow| !planar || row.acts_in_plane();
        let motion = self.point_motion(a, b);
        for &n in along {
            let row = self.along_row(&motion, of_b[n], no_drive);
            if acts(&row) {
                rows.push(row);
            }
        }
        for &(u, w) in perpendicular {
            let (u, w) = (of_a[u], of_b[w]);
            let mut row = self.rotation_row(u.cross(w), u.dot(w), 0.0);
            if acts(&row) {
                let turning = a.w.cross(u).cross(w) + u.cross(b.w.cross(w));
                row.bias = (a.w - b.w).dot(turning);
                rows.push(row);
            }
        }
        let driven = match &self.drive {
            Drive::Free => None,
            Drive::Slide(drive) => {
                let s = drive.evaluate(time);
                Some(self.along_row(&motion, of_b[z], (s.value, s.rate, s.acceleration)))
            }
            Drive::Angle(drive) => {
                let s = drive.evaluate(time);
                let row = self.angle_row(a, b, &of_a, &of_b);
                let error = nearest_equal_angle(row.error, s.value) - s.value;
                let bias = row.bias - s.acceleration;
                Some(ConstraintRow { error, rate: s.rate, bias, ..row })
            }
        };
        rows.extend(driven.filter(acts));
    }

    /// Returns the row of a free coordinate. Its error is the value of the coordinate, an angle between −π and π.
    pub(crate) fn coordinate_row(
        &self,
        coordinate: JointCoordinate,
        bodies: &[BodyMotion],
    ) -> ConstraintRow {
        let (a, b) = (&bodies[self.a.body], &bodies[self.b.body]);
        let (of_a, of_b) = self.axes(a, b);
        match coordinate {
            JointCoordinate::Slide => {
                self.along_row(&self.point_motion(a, b), of_b[2], (0.0, 0.0, 0.0))
            }
            JointCoordinate::Angle => self.angle_row(a, b, &of_a, &of_b),
        }
    }

    /// Returns the axes on the first and on the second body, in world coordinates.
    #[inline(always)]
    fn axes(&self, a: &BodyMotion, b: &BodyMotion) -> ([Vec3; 3], [Vec3; 3]) {
        ((a.q * self.a.rotation).axes(), (b.q * self.b.rotation).axes())
    }

    /// Computes the relative motion of the joint's points on the two bodies.
    #[inline(always)]
    fn point_motion(&self, a: &BodyMotion, b: &BodyMotion) -> JointPointMotion {
        let arm_a = a.q.rotate(self.a.point);
        let point_a = a.x + arm_a;
        let point_b = b.x + b.q.rotate(self.b.point);
        let arm_b = point_a - b.x;
        let relative = a.velocity_at(point_a) - b.velocity_at(point_a);
        let centripetal =
            a.w.cross(a.w.cross(arm_a)) - b.w.cross(b.w.cross(arm_b)) - b.w.cross(relative) * 2.0;
        JointPointMotion { arm_a, arm_b, apart: point_a - point_b, centripetal }
    }

    #[inline(always)]
    fn along_row(
        &self,
        motion: &JointPointMotion,
        n: Vec3,
        (s, rate, acceleration): (f64, f64, f64),
    ) -> ConstraintRow {
        ConstraintRow {
            joint: 0,
            role: RowRole::Joint,
            a: self.a.body,
            b: self.b.body,
            linear: n,
            turn_a: motion.arm_a.cross(n),
            turn_b: -motion.arm_b.cross(n),
            error: n.dot(motion.apart) - s,
            rate,
            bias: n.dot(motion.centripetal) - acceleration,
        }
    }

    /// Returns the row of the angle between the x axes, about the z axis of the second body.
    fn angle_row(
        &self,
        a: &BodyMotion,
        b: &BodyMotion,
        &[u, ..]: &[Vec3; 3],
        &[w, _, axis]: &[Vec3; 3],
    ) -> ConstraintRow {
        let angle = axis.dot(w.cross(u)).atan2(u.dot(w));
        self.rotation_row(axis, angle, (a.w - b.w).dot(b.w.cross(axis)))
    }

    /// Returns a row whose rate is the relative angular velocity about an axis.
    #[inline(always)]
    fn rotation_row(&self, axis: Vec3, error: f64, bias: f64) -> ConstraintRow {
        let (a, b, linear) = (self.a.body, self.b.body, Vec3::ZERO);
        let (joint, role, rate) = (0, RowRole::Joint, 0.0);
        ConstraintRow { joint, role, a, b, linear, turn_a: axis, turn_b: -axis, error, rate, bias }
    }
}

/// Changes an angle by full turns so that it is nearest to `near` (rad).
pub(crate) fn nearest_equal_angle(angle: f64, near: f64) -> f64 {
    use std::f64::consts::TAU;
    angle + ((near - angle) / TAU).round() * TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(body: &BodyMotion, acceleration: Vec3, angular: Vec3, h: f64) -> BodyMotion {
        BodyMotion {
            x: body.x + body.v * h + acceleration * (0.5 * h * h),
            // Second order in h: the rotation uses the mean angular velocity.
            q: body.q.rotated_by(body.w * h + angular * (0.5 * h * h)),
            v: body.v + acceleration * h,
            w: body.w + angular * h,
        }
    }

    #[test]
    fn rates_and_biases_are_derivatives_of_the_constraint() {
        let a = BodyMotion {
            x: Vec3::new(0.3, -0.2, 0.5),
            q: Quat::about(Vec3::new(0.6, 0.0, 0.8), 0.9),
            v: Vec3::new(0.2, 0.5, -0.7),
            w: Vec3::new(-0.4, 0.9, 0.3),
        };
        let b = BodyMotion {
            x: Vec3::new(-0.6, 0.1, 0.2),
            q: Quat::about(Vec3::new(0.0, 0.6, 0.8), -0.5),
            v: Vec3::new(-0.1, 0.3, 0.4),
            w: Vec3::new(0.7, -0.2, 0.5),
        };
        let (acc, alpha) = ([Vec3::new(0.3, 0.1, -0.2), Vec3::new(-0.5, 0.2, 0.6)], {
            [Vec3::new(0.2, -0.3, 0.4), Vec3::new(0.1, 0.8, -0.6)]
        });
        let drive = Motion::Sine { offset: 0.1, amplitude: 0.3, frequency: 2.0, phase: 0.4 };
        for (kind, drive) in [
            (Kind::Fixed, Drive::Free),
            (Kind::Revolute, Drive::Free),
            (Kind::Prismatic, Drive::Slide(drive.clone())),
            (Kind::Cylindrical, Drive::Slide(drive.clone())),
            (Kind::Spherical, Drive::Free),
            (Kind::Universal, Drive::Free),
            (Kind::Planar, Drive::Free),
        ] {
            let joint = Joint {
                name: String::new(),
                kind,
                a: Mount { body: 0, point: Vec3::new(0.2, 0.1, 0.4), rotation: Quat::IDENTITY },
                b: Mount {
                    body: 1,
                    point: Vec3::new(-0.3, 0.5, 0.1),
                    rotation: Quat::about(Vec3::X, 0.3),
                },
                drive,
                friction: None,
            };
            let at = |h: f64| {
                let bodies = [moved(&a, acc[0], alpha[0], h), moved(&b, acc[1], alpha[1], h)];
                let mut rows = Vec::new();
                joint.append_rows(SidedTime::at(0.3 + h), &bodies, false, &mut rows);
                (rows, bodies)
            };
            let (now, _) = at(0.0);
            assert!(now.len() >= 3);
            let rate = |row: &ConstraintRow, [a, b]: &[BodyMotion; 2]| {
                row.times((a.v, a.w), (b.v, b.w)) - row.rate
            };
            let h = 1e-5;
            let (after, before) = (at(h), at(-h));
            for (i, row) in now.iter().enumerate() {
                let found = rate(row, &[a, b]);
                let difference = (after.0[i].error - before.0[i].error) / (2.0 * h);
                assert!((found - difference).abs() < 1e-8, "{kind:?} {i}: {found} {difference}");
                let second = row.times((acc[0], alpha[0]), (acc[1], alpha[1])) + row.bias;
                let difference =
                    (rate(&after.0[i], &after.1) - rate(&before.0[i], &before.1)) / (2.0 * h);
                assert!((second - difference).abs() < 1e-8, "{kind:?} {i}: {second} {difference}");
            }
        }
    }

    #[test]
    fn an_angle_is_counted_beyond_full_turns() {
        let joint = Joint {
            name: String::new(),
            kind: Kind::Revolute,
            a: Mount { body: 0, ..Mount::default() },
            b: Mount { body: 1, ..Mount::default() },
            drive: Drive::Angle(Motion::Steady { value: 0.0, rate: 2.0 }),
            friction: None,
        };
        let turned =
            BodyMotion { q: Quat::about(Vec3::Z, 20.1), w: Vec3::Z * 2.0, ..BodyMotion::default() };
        let mut rows = Vec::new();
        joint.append_rows(SidedTime::at(10.0), &[turned, BodyMotion::default()], false, &mut rows);
        assert!((rows[5].error - 0.1).abs() < 1e-12, "{}", rows[5].error);
    }
}
