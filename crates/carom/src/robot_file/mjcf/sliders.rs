//! Bodies that can only slide; MuJoCo estimates their mobility from their mass alone.
//!
//! For most bodies the estimate is a mean over three directions that takes joints and drives into account. It is
//! 1/mass, without the `armature` of the joints, for a body that is attached to the world by slide joints along its
//! own axes and through its origin, whose frame is that of its inertia, and that has no child bodies.
//!
//! # Reference
//! MuJoCo 4.0, `engine_setconst.c` (set0, `body_simple`); the conditions were determined by simulations.

use super::super::bodies::Body;
use super::super::pose::{IDENTITY, Pose, Vector, rotate_tensor, subtract, transpose};

/// Tolerance with which MuJoCo compares frames.
const FRAME_TOLERANCE: f64 = 1e-6;

/// Properties of a body that are needed to test these conditions, collected while it is read.
#[derive(Clone, Copy, Default)]
pub struct Slider {
    /// Whether there is a joint other than a slide along an axis of the body.
    other_joint: bool,
    /// Number of solids that have a mass.
    solids: usize,
    /// Whether the frame of its inertia is rotated or displaced relative to that of the body.
    moved: bool,
    /// Whether that frame consists of the eigenvectors of a tensor, ordered by decreasing eigenvalue.
    eigenvectors: bool,
}

fn is_small(vector: Vector) -> bool {
    vector.iter().all(|x| x.abs() < FRAME_TOLERANCE)
}

fn is_own_frame(pose: &Pose) -> bool {
    is_small(pose.position)
        && pose.rotation.iter().zip(IDENTITY).all(|(a, b)| is_small(subtract(*a, b)))
}

impl Slider {
    pub fn joint(&mut self, kind: &str, axis: Vector, position: Vector) {
        let along = axis.iter().filter(|x| x.abs() > FRAME_TOLERANCE).count() == 1;
        self.other_joint |= kind != "slide" || !along || !is_small(position);
    }

    pub fn solid(&mut self, within: &Pose) {
        self.solids += 1;
        self.eigenvectors = self.solids > 1;
        self.moved = self.solids == 1 && !is_own_frame(within);
    }

    /// Sets the frame of an element `inertial`, which replaces that of solids.
    pub fn given_frame(&mut self, frame: &Pose, eigenvectors: bool) {
        (self.moved, self.eigenvectors) = (!is_own_frame(frame), eigenvectors);
    }

    fn has_own_frame(&self, body: &Body) -> bool {
        if self.moved || !is_small(subtract(body.centre, body.pose.position)) {
            return false;
        }
        let in_own_axes = rotate_tensor(&transpose(&body.pose.rotation), &body.inertia);
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = in_own_axes;
        let scale = FRAME_TOLERANCE * (xx + yy + zz);
        let diagonal = [xy, xz, yz].iter().all(|x| x.abs() < scale);
        !self.eigenvectors || (diagonal && xx > yy - scale && yy > zz - scale)
    }
}

/// Marks the bodies whose mobility is estimated from their mass.
pub fn find(bodies: &mut [Body], sliders: &[Slider]) {
    let moves: Vec<bool> = bodies.iter().map(|body| !body.freedoms.is_empty()).collect();
    let parents: Vec<Option<usize>> = bodies.iter().map(|body| body.parent).collect();
    let parent = |i: usize| parents.get(i).copied().flatten();
    let found: Vec<bool> = bodies
        .iter()
        .zip(sliders)
        .enumerate()
        .map(|(i, (body, slider))| {
            let mut around = std::iter::successors(body.parent, |&i| parent(i));
            !body.freedoms.is_empty()
                && !slider.other_joint
                && slider.has_own_frame(body)
                && !parents.contains(&Some(i))
                && !around.any(|i| moves.get(i).copied().unwrap_or(false))
        })
        .collect();
    bodies.iter_mut().zip(found).for_each(|(body, found)| body.mass_is_estimate = found);
}
