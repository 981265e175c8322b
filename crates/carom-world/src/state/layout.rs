//! The state vector: the places of the variables of the equations of motion, and typed views of them.
//!
//! All integrated variables are in one vector y, as the integrator requires. Bodies come first, column by column (positions,
//! rotations, velocities, angular velocities of all free bodies), then the works of the whole scene, then the variables of each
//! touch in the order of the touches. No other file computes an offset into y.

use super::Pose;
use crate::math::{Quat, Vec3};
use std::ops::Range;

/// Number of variables of a free body: position (3), rotation (4), velocity (3), angular velocity (3).
const BODY_LENGTH: usize = 13;
/// Number of variables of a touch, see [`TouchVariables`].
const TOUCH_LENGTH: usize = 6;
/// Number of works of the whole scene, see [`Works`].
const WORKS_LENGTH: usize = 4;

/// Layout of the state vector for a number of free bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    free: usize,
}

/// Meaning of an entry of the state vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Position,
    Rotation,
    Velocity,
    AngularVelocity,
    /// One of the works of the whole scene.
    Work,
    /// A variable of the touch with this index.
    Touch(usize, TouchVariable),
}

/// Meaning of an entry of the state vector that belongs to a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TouchVariable {
    Internal,
    Friction,
    NormalWork,
    FrictionWork,
}

/// Works of the whole scene (J), or their rates (W).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Works {
    /// Work done by the joints on free bodies.
    pub constraints: f64,
    /// Work done by bodies with a prescribed motion.
    pub driven_bodies: f64,
    /// Work done by applied forces and couples, and by motors.
    pub forces: f64,
    /// Energy lost in dampers, drag and the friction of joints.
    pub dampers: f64,
}

/// The integrated variables of a touch, or their rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TouchVariables {
    /// Internal state of the contact law.
    pub internal: f64,
    /// Friction memory: force of the tangential spring, or deflection of the bristles.
    pub friction: Vec3,
    /// Work done against the normal force (J).
    pub normal_work: f64,
    /// Work done against friction and rolling resistance (J).
    pub friction_work: f64,
}

/// Positions, rotations, velocities and angular velocities of the free bodies.
type Columns<'a> = (&'a [[f64; 3]], &'a [[f64; 4]], &'a [[f64; 3]], &'a [[f64; 3]]);
type ColumnsMut<'a> =
    (&'a mut [[f64; 3]], &'a mut [[f64; 4]], &'a mut [[f64; 3]], &'a mut [[f64; 3]]);

impl Layout {
    /// Creates the layout for a number of free bodies.
    pub fn new(free: usize) -> Self {
        Self { free }
    }

    /// Returns the length of the state vector for a number of touches.
    pub fn len(self, touches: usize) -> usize {
        BODY_LENGTH * self.free + WORKS_LENGTH + TOUCH_LENGTH * touches
    }

    fn position_offset(self, slot: usize) -> usize {
        3 * slot
    }
    fn rotation_offset(self, slot: usize) -> usize {
        3 * self.free + 4 * slot
    }
    fn velocity_offset(self, slot: usize) -> usize {
        7 * self.free + 3 * slot
    }
    fn angular_velocity_offset(self, slot: usize) -> usize {
        10 * self.free + 3 * slot
    }
    fn works_offset(self) -> usize {
        BODY_LENGTH * self.free
    }
    fn touch_offset(self, index: usize) -> usize {
        BODY_LENGTH * self.free + WORKS_LENGTH + TOUCH_LENGTH * index
    }

    /// Returns the meaning of the i-th entry of the state vector.
    #[inline(always)]
    pub fn variable(self, i: usize) -> Variable {
        let free = self.free;
        if i < 3 * free {
            Variable::Position
        } else if i < 7 * free {
            Variable::Rotation
        } else if i < 10 * free {
            Variable::Velocity
        } else if i < BODY_LENGTH * free {
            Variable::AngularVelocity
        } else if i < BODY_LENGTH * free + WORKS_LENGTH {
            Variable::Work
        } else {
            let past = i - BODY_LENGTH * free - WORKS_LENGTH;
            let variable = match past % TOUCH_LENGTH {
                0 => TouchVariable::Internal,
                1..=3 => TouchVariable::Friction,
                4 => TouchVariable::NormalWork,
                _ => TouchVariable::FrictionWork,
            };
            Variable::Touch(past / TOUCH_LENGTH, variable)
        }
    }

    /// Returns the range of the velocities of all free bodies.
    pub fn velocities(self) -> Range<usize> {
        self.velocity_offset(0)..self.velocity_offset(self.free)
    }

    /// Returns the range of the angular velocities of all free bodies.
    pub fn angular_velocities(self) -> Range<usize> {
        self.angular_velocity_offset(0)..self.angular_velocity_offset(self.free)
    }

    /// Returns the ranges of the variables of one body.
    pub fn body_ranges(self, slot: usize) -> [Range<usize>; 4] {
        let range = |at: usize, count: usize| at..at + count;
        [
            range(self.position_offset(slot), 3),
            range(self.rotation_offset(slot), 4),
            range(self.velocity_offset(slot), 3),
            range(self.angular_velocity_offset(slot), 3),
        ]
    }

    /// Returns the range of the variables of one touch.
    pub fn touch_range(self, index: usize) -> Range<usize> {
        let at = self.touch_offset(index);
        at..at + TOUCH_LENGTH
    }

    /// Returns the variables of all bodies, column by column.
    #[inline(always)]
    pub fn columns(self, y: &[f64]) -> Columns<'_> {
        let (x, y) = y.split_at(3 * self.free);
        let (q, y) = y.split_at(4 * self.free);
        let (v, y) = y.split_at(3 * self.free);
        let (w, _) = y.split_at(3 * self.free);
        (x.as_chunks().0, q.as_chunks().0, v.as_chunks().0, w.as_chunks().0)
    }

    /// Returns the variables of all bodies for writing, column by column.
    #[inline(always)]
    pub fn columns_mut(self, y: &mut [f64]) -> ColumnsMut<'_> {
        let (x, y) = y.split_at_mut(3 * self.free);
        let (q, y) = y.split_at_mut(4 * self.free);
        let (v, y) = y.split_at_mut(3 * self.free);
        let (w, _) = y.split_at_mut(3 * self.free);
        (x.as_chunks_mut().0, q.as_chunks_mut().0, v.as_chunks_mut().0, w.as_chunks_mut().0)
    }

    /// Returns placement and velocities of a body.
    #[inline(always)]
    pub fn pose(self, y: &[f64], slot: usize) -> Pose {
        Pose {
            position: Vec3::read(y, self.position_offset(slot)),
            rotation: Quat::read(y, self.rotation_offset(slot)),
            velocity: Vec3::read(y, self.velocity_offset(slot)),
            spin: Vec3::read(y, self.angular_velocity_offset(slot)),
        }
    }

    /// Returns the entries of a body without normalising the quaternion: for vectors that are differences of states.
    pub fn raw_pose(self, y: &[f64], slot: usize) -> Pose {
        let at = self.rotation_offset(slot);
        let rotation = Quat { w: y[at], v: Vec3::read(y, at + 1) };
        Pose { rotation, ..self.pose(y, slot) }
    }

    /// Returns the scalar product of the quaternion of a body in a state and that in a difference of states.
    pub fn rotation_product(self, y: &[f64], difference: &[f64], slot: usize) -> f64 {
        let range = self.rotation_offset(slot)..self.rotation_offset(slot) + 4;
        y[range.clone()].iter().zip(&difference[range]).map(|(a, b)| a * b).sum()
    }

    /// Returns the variables that a touch remembers: its internal state and three components of its friction memory.
    pub fn remembered(self, y: &[f64], index: usize) -> [f64; 4] {
        let at = self.touch_offset(index);
        [y[at], y[at + 1], y[at + 2], y[at + 3]]
    }

    /// Writes the variables that a touch remembers.
    pub fn set_remembered(self, y: &mut [f64], index: usize, remembered: [f64; 4]) {
        let at = self.touch_offset(index);
        y[at..at + 4].copy_from_slice(&remembered);
    }

    /// Adds to the works done against the normal force and against the friction of a touch (J).
    pub fn add_touch_works(self, y: &mut [f64], index: usize, normal: f64, friction: f64) {
        let at = self.touch_offset(index);
        y[at + 4] += normal;
        y[at + 5] += friction;
    }

    /// Writes position and rotation of a body.
    pub fn set_placement(self, y: &mut [f64], slot: usize, position: Vec3, rotation: Quat) {
        position.write(y, self.position_offset(slot));
        rotation.write(y, self.rotation_offset(slot));
    }

    /// Writes velocity and angular velocity of a body.
    pub fn set_velocities(self, y: &mut [f64], slot: usize, velocity: Vec3, spin: Vec3) {
        velocity.write(y, self.velocity_offset(slot));
        spin.write(y, self.angular_velocity_offset(slot));
    }

    /// Normalises the quaternions of all rotations.
    pub fn normalise_rotations(self, y: &mut [f64]) {
        for q in self.columns_mut(y).1 {
            *q = Quat::of(*q).into();
        }
    }

    /// Returns the works of the whole scene.
    pub fn works(self, y: &[f64]) -> Works {
        let at = self.works_offset();
        let [constraints, driven_bodies, forces, dampers] =
            [y[at], y[at + 1], y[at + 2], y[at + 3]];
        Works { constraints, driven_bodies, forces, dampers }
    }

    /// Writes the works of the whole scene.
    #[inline(always)]
    pub fn set_works(self, y: &mut [f64], works: &Works) {
        let Works { constraints, driven_bodies, forces, dampers } = *works;
        let at = self.works_offset();
        y[at..at + WORKS_LENGTH].copy_from_slice(&[constraints, driven_bodies, forces, dampers]);
    }

    /// Returns the variables of a touch.
    #[inline(always)]
    pub fn touch(self, y: &[f64], index: usize) -> TouchVariables {
        let y = &y[self.touch_range(index)];
        TouchVariables {
            internal: y[0],
            friction: Vec3::new(y[1], y[2], y[3]),
            normal_work: y[4],
            friction_work: y[5],
        }
    }

    /// Writes the variables of a touch.
    #[inline(always)]
    pub fn set_touch(self, y: &mut [f64], index: usize, variables: &TouchVariables) {
        let TouchVariables { internal, friction, normal_work, friction_work } = *variables;
        y[self.touch_range(index)].copy_from_slice(&[
            internal,
            friction.x,
            friction.y,
            friction.z,
            normal_work,
            friction_work,
        ]);
    }

    /// Writes the friction memory of a touch.
    pub fn set_friction(self, y: &mut [f64], index: usize, friction: Vec3) {
        friction.write(y, self.touch_offset(index) + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entry of the vector has one meaning, and the views read what was written through them.
    #[test]
    fn views_of_the_state_vector_agree_with_the_meanings_of_its_entries() {
        let layout = Layout::new(2);
        let mut y = vec![0.0; layout.len(2)];
        let x = Vec3::new(1.0, 2.0, 3.0);
        layout.set_placement(&mut y, 1, x, Quat::IDENTITY);
        layout.set_velocities(&mut y, 1, x * 2.0, x * 3.0);
        let works = Works { constraints: 1.0, driven_bodies: 2.0, forces: 3.0, dampers: 4.0 };
        layout.set_works(&mut y, &works);
        let touch =
            TouchVariables { internal: 5.0, friction: x, normal_work: 6.0, friction_work: 7.0 };
        layout.set_touch(&mut y, 1, &touch);
        let pose = layout.pose(&y, 1);
        assert_eq!((pose.position, pose.rotation), (x, Quat::IDENTITY));
        assert_eq!((pose.velocity, pose.spin), (x * 2.0, x * 3.0));
        assert_eq!((layout.works(&y), layout.touch(&y, 1)), (works, touch));
        let count = |variable: Variable| {
            (0..y.len()).filter(|&i| layout.variable(i) == variable).collect::<Vec<_>>()
        };
        let ranges = layout.body_ranges(1).map(|range| range.last());
        let last =
            [Variable::Position, Variable::Rotation, Variable::Velocity, Variable::AngularVelocity]
                .map(|variable| count(variable).last().copied());
        assert_eq!(ranges, last);
        assert_eq!(count(Variable::Velocity), layout.velocities().collect::<Vec<_>>());
        assert_eq!(count(Variable::Work).len(), WORKS_LENGTH);
        assert_eq!(count(Variable::Touch(1, TouchVariable::Friction)).len(), 3);
        let last = Variable::Touch(1, TouchVariable::FrictionWork);
        assert_eq!(count(last), [layout.touch_range(1).end - 1]);
    }
}
