//! Gap of a finger and a stop of a joint: the remaining travel to the limit of the joint's motion.
//!
//! Both shapes lie in the frames of the joint on its two bodies. On a slide q, the gap is q_upper − q or q − q_lower, at the
//! point of the first body and along the axis. On an angle φ, it is r·(φ_upper − φ) or r·(φ − φ_lower), at the tip of a finger
//! of length r and along the path of that tip. Its rate is that of the material points there, so the same contact laws apply as
//! for any other contact.

use super::kinematics::{Frame, Gap};
use crate::joint::nearest_equal_angle;
use crate::math::Vec3;
use crate::shape::JointStop;

/// Computes the gap of a finger on the first body and a stop on the second.
pub fn finger_on_stop(finger: &Frame, stop: &Frame, at: &JointStop) -> Gap {
    let axis = stop.rotation.third_axis();
    let Some(arm) = at.arm else {
        let slide = axis.dot(finger.origin - stop.origin);
        let distance = at.side * (at.at - slide);
        return Gap { distance, normal: axis * at.side, point: finger.origin };
    };
    let pointing = finger.rotation.rotate(Vec3::X);
    let zero = stop.rotation.rotate(Vec3::X);
    let angle = axis.dot(zero.cross(pointing)).atan2(pointing.dot(zero));
    let angle = nearest_equal_angle(angle, at.middle);
    let along = axis.cross(pointing).unit().unwrap_or(axis);
    Gap {
        distance: at.side * arm * (at.at - angle),
        normal: along * at.side,
        point: finger.origin + pointing * arm,
    }
}
