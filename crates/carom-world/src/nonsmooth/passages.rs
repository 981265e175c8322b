//! Detection of bodies that pass through each other within a step. Gaps are evaluated only in the middle of a step, so a
//! body that moves far in a step may pass through a thin one between two evaluations. This is not prevented, but noted.

use super::Stepper;
use super::rows::BodyVelocity;
use crate::gap::half_thickness;
use crate::math::Vec3;
use crate::note::Note;
use crate::shape::{Placed, Shape};
use crate::state::State;
use crate::world::World;

/// Returns for each contact the sum of half the thicknesses of its two shapes (m). Bodies that move by less than this in a
/// step meet on the correct side. A half-space counts as a plane; cavities and stops are not considered.
pub(super) fn thicknesses(world: &World) -> Vec<f64> {
    let of = |shape: usize| match &world.shapes[shape].shape {
        Shape::HalfSpace => 0.0,
        other => half_thickness(other),
    };
    world.contacts.iter().map(|contact| of(contact.a) + of(contact.b)).collect()
}

impl Stepper {
    /// Adds notes for contacts without an impulse in the step whose bodies come close to each other and move by more than
    /// their thickness.
    pub(super) fn note_passages(&self, world: &World, state: &mut State, length: f64) {
        let moved = |body: usize| {
            let mean = |i: usize| 0.5 * (self.before[body][i] + self.after[body][i]);
            Vec3::new(mean(0), mean(1), mean(2)) * length
        };
        let speed = |v: &BodyVelocity| v[0].hypot(v[1]).hypot(v[2]);
        let fastest = self.before.iter().chain(&self.after).map(speed).fold(0.0, f64::max);
        let thinnest = self.thicknesses.iter().fold(f64::INFINITY, |least, one| least.min(*one));
        if 2.0 * fastest * length <= thinnest {
            return;
        }
        for (index, (contact, &thickness)) in
            world.contacts.iter().zip(&self.thicknesses).enumerate()
        {
            let [one, two] = [contact.a, contact.b].map(|shape| &world.shapes[shape]);
            let way = moved(two.body) - moved(one.body);
            if way.length() <= thickness || self.contacts.acts(world, index) {
                continue;
            }
            let apart = self.contacts.middle(two.body).0 - self.contacts.middle(one.body).0;
            let passes = match (&one.shape, &two.shape) {
                (Shape::HalfSpace, _) => self.ends_below(one, apart + way * 0.5),
                (_, Shape::HalfSpace) => self.ends_below(two, way * -0.5 - apart),
                _ => {
                    // Nearest point of the relative path, compared with the sum of the bounding radii.
                    let share = (-apart.dot(way) / way.dot(way)).clamp(-0.5, 0.5);
                    let reach = world.columns.bounding_radius[one.body]
                        + world.columns.bounding_radius[two.body];
                    (apart + way * share).length() < reach
                }
            };
            if passes {
                let (name, way, time) = (contact.name.clone(), way.length(), state.time);
                state.note(Note::SteppedOver { contact: index, name, way, thickness, time });
            }
        }
    }

    /// Returns whether a point, relative to the body of a half-space in the middle of the step, is below its plane.
    fn ends_below(&self, plane: &Placed, point: Vec3) -> bool {
        let turned = self.contacts.middle(plane.body).1;
        let normal = (turned * plane.rotation).rotate(Vec3::Z);
        normal.dot(point - turned.rotate(plane.position)) < 0.0
    }
}
