//! Energy ledger.
//!
//! kinetic + potential + stored = initial + work done on the scene − losses, up to the error of the integration. Kinetic,
//! potential and stored energy follow from the state; works and losses are integrated along with the motion. The difference
//! is therefore a measure of the numerical error and not zero by construction. If it exceeds a tolerance, there is a note;
//! if it exceeds a thousandth of the energy turned over ([`MAX_ERROR_FRACTION`]), there is an error, because the results of such a run
//! are meaningless.

use crate::actuator::{Coordinate, Effort};
use crate::element::Element;
use crate::joint::{BodyMotion, JointCoordinate};
use crate::motion::SidedTime;
use crate::state::{Account, Phase, Pose, State, Touch};
use crate::world::{ContactMethod, World};
use carom::{Error, Result};
use serde::Serialize;

/// Fraction of the energy turned over above which the error of the ledger ends a run.
pub const MAX_ERROR_FRACTION: f64 = 1e-3;

/// Number of fixed steps after which the ledger is first checked.
const MIN_FIXED_STEPS: u64 = 100;

/// Energies at one instant (J).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energies {
    /// Kinetic energy of all free bodies (J).
    pub kinetic: f64,
    /// Potential energy in the field of gravity and in springs (J).
    pub potential: f64,
    /// Energy that contacts can still return (J): in their normal laws, and in the springs and bristles of their friction.
    pub stored: f64,
    /// Energy lost in contacts in the normal direction (J).
    pub lost_in_contacts: f64,
    /// Energy lost to friction and rolling resistance (J).
    pub lost_to_friction: f64,
    /// Energy lost in dampers, drag and the friction of joints (J).
    pub lost_in_dampers: f64,
    /// Work of applied forces and motors (J).
    pub work_of_forces: f64,
    /// Work of driven bodies and joints, and of constraints (J).
    pub work_of_drives: f64,
    /// Energy missing from the balance (J): the numerical error.
    pub error: f64,
}

impl Energies {
    /// Returns the energy turned over in a scene (J), relative to which the error of the ledger is measured: the largest
    /// observed sum of kinetic and stored energy, plus all works and losses.
    pub fn turned_over(&self, largest: f64) -> f64 {
        largest
            + self.lost_in_contacts.abs()
            + self.lost_to_friction.abs()
            + self.lost_in_dampers.abs()
            + self.work_of_forces.abs()
            + self.work_of_drives.abs()
    }
}

impl State {
    /// Returns the energies at present.
    pub fn energies(&self, world: &World) -> Energies {
        let mut e = Energies { kinetic: self.kinetic(world), ..Energies::default() };
        for (slot, &body) in world.free.iter().enumerate() {
            let position = self.layout.pose(&self.y, slot).position;
            e.potential -= world.columns.mass[body] * world.gravity.dot(position);
        }
        for element in &world.elements {
            if let Element::Spring { a, b, stiffness, length, .. } = element {
                let point = |anchor: &crate::element::Anchor| {
                    let body = self.motion_of(world, anchor.body);
                    body.x + body.q.rotate(anchor.point)
                };
                let stretch = (point(b) - point(a)).length() - length;
                e.potential += 0.5 * stiffness * stretch * stretch;
            }
        }
        if !world.actuators.is_empty() {
            let bodies: Vec<_> =
                (0..world.bodies.len()).map(|b| self.motion_of(world, b)).collect();
            for actuator in &world.actuators {
                let at = actuator.on.motion(&world.joints, &bodies, &self.joints, 0.0);
                e.potential += at.map_or(0.0, |at| actuator.effort.stored(at.value));
            }
        }
        for contact in self.contact_energies(world) {
            e.stored += contact.stored;
            e.lost_in_contacts += contact.lost;
            e.lost_to_friction += contact.friction;
        }
        let works = self.layout.works(&self.y);
        e.work_of_drives = works.constraints + works.driven_bodies;
        e.work_of_forces = works.forces;
        e.lost_in_dampers = works.dampers;
        e.error = e.kinetic + e.potential + e.stored - self.initial
            + e.lost_in_contacts
            + e.lost_to_friction
            + e.lost_in_dampers
            - e.work_of_forces
            - e.work_of_drives;
        e
    }

    /// Returns the kinetic energy of all free bodies (J).
    pub(crate) fn kinetic(&self, world: &World) -> f64 {
        let poses = (0..world.free.len()).map(|slot| self.layout.pose(&self.y, slot));
        world.free.iter().zip(poses).map(|(&body, pose)| pose.kinetic(&world.bodies[body])).sum()
    }

    /// Returns the allowed error of the ledger (J) for a fraction `share` of the energy turned over; `largest` is the
    /// largest sum of kinetic and stored energy that an observer has seen. Observers see samples, between which bodies may
    /// swing back and forth, so the largest kinetic energy at the end of a step is considered as well.
    pub fn allowed_error(
        &self,
        world: &World,
        energies: &Energies,
        share: f64,
        largest: f64,
    ) -> f64 {
        share * energies.turned_over(largest.max(self.largest_kinetic)) + self.rounding(world)
    }

    /// Checks that the error of the ledger does not exceed [`MAX_ERROR_FRACTION`] times the energy turned over, or the tolerance where
    /// that is larger. `largest` is the largest sum of kinetic and stored energy that an observer has seen (J), if any.
    ///
    /// # Errors
    /// When the ledger does not close.
    pub fn audit(&self, world: &World, largest: Option<f64>, tolerance: f64) -> Result<()> {
        // A motion that begins at rest is resolved by a fixed step only after some tens of steps; before, there is no energy
        // to compare the error with.
        if world.method != ContactMethod::Smooth && self.counts.steps < MIN_FIXED_STEPS {
            return Ok(());
        }
        let energies = self.energies(world);
        let seen = largest.unwrap_or(0.0).max(energies.kinetic + energies.stored);
        let turned = energies.turned_over(seen.max(self.largest_kinetic));
        let allowed = self.allowed_error(world, &energies, tolerance.max(MAX_ERROR_FRACTION), seen);
        for (index, touch) in self.touches.iter().enumerate() {
            self.check_loss(world, touch, self.stored_and_lost(index).1)?;
        }
        if energies.error.abs() <= allowed {
            return Ok(());
        }
        let reason = format!(
            "the energy ledger does not close: at t = {} s {:.3e} J are missing, of {turned:.3e} J that were turned over \
             ({:.1e} of it; {:.0e} ends a run)",
            self.time,
            energies.error,
            energies.error.abs() / turned,
            tolerance.max(MAX_ERROR_FRACTION),
        );
        let advice = match world.method {
            ContactMethod::Smooth => {
                "numbers after that mean nothing: use a smaller tolerance, a stiffer contact where bodies are pressed deep \
                 into each other, or another law"
            }
            ContactMethod::Nonsmooth { .. } => {
                "numbers after that mean nothing: use a shorter step"
            }
        };
        Err(Error::numerical("the run", reason, advice))
    }

    /// Checks that a touch has not returned more energy than it absorbed, if its law is a spring and a damper and cannot do
    /// so. The loss is the work of its force minus the stored energy. An indentation that is inconsistent with the motion is
    /// detected by this check only.
    ///
    /// # Errors
    /// When the excess is larger than [`MAX_ERROR_FRACTION`] times the largest kinetic energy so far, or times the energy that
    /// the touch stored at its largest indentation if that is larger: bodies that are slowly pressed together store much
    /// more than their kinetic energy.
    pub(crate) fn check_loss(&self, world: &World, touch: &Touch, lost: f64) -> Result<()> {
        let stored = touch.law.stored(touch.deepest.value, &touch.memory);
        let allowed = MAX_ERROR_FRACTION * self.largest_kinetic.max(stored) + self.rounding(world);
        let damps = touch.is_history_free() && touch.memory.damping >= 0.0;
        if !damps || lost >= -allowed {
            return Ok(());
        }
        let name = &world.contact_at(touch.site).name;
        let reason = format!(
            "the energy ledger does not close: at t = {} s contact `{name}` has given {:.3e} J more than it took, where {allowed:.3e} J \
             are allowed",
            self.time, -lost
        );
        let advice = "numbers after that mean nothing: use a stiffer contact or larger bodies, whose edges are rounder";
        Err(Error::numerical("the run", reason, advice))
    }

    /// Returns the rounding error of the ledger (J); smaller errors have no meaning. Potential energies have relative errors
    /// of about 1e-16 of m·g·(distance from the origin + size), kinetic energies the same error of the kinetic energy at the
    /// largest speed so far, and a run accumulates thousands of such errors. Springs at rest are stretched by the rounding
    /// of positions and angles.
    pub fn rounding(&self, world: &World) -> f64 {
        let pull = world.gravity.length();
        let fastest = 0.5 * self.largest_speed * self.largest_speed;
        let scales = world.free.iter().enumerate().map(|(slot, &body)| {
            let height = self.layout.pose(&self.y, slot).position.length();
            world.columns.mass[body]
                * (pull * (height + world.columns.bounding_radius[body]) + fastest)
        });
        let extent = |body: usize| match world.columns.free_index[body] {
            Some(slot) => {
                self.layout.pose(&self.y, slot).position.length()
                    + world.columns.bounding_radius[body]
            }
            None => 0.0,
        };
        let springs = world.elements.iter().map(|element| match element {
            Element::Spring { a, b, stiffness, .. } => {
                stiffness * (extent(a.body) + extent(b.body)).powi(2)
            }
            _ => 0.0,
        });
        let of_joints =
            world.actuators.iter().map(|actuator| match (&actuator.effort, &actuator.on) {
                (Effort::Spring { stiffness, .. }, Coordinate::Joint(joint, coordinate)) => {
                    let joint = &world.joints[*joint];
                    let size = match coordinate {
                        JointCoordinate::Angle => 1.0,
                        JointCoordinate::Slide => extent(joint.a.body) + extent(joint.b.body),
                    };
                    stiffness * size * size
                }
                _ => 0.0,
            });
        1e-12 * (scales.sum::<f64>() + self.initial.abs())
            + 1e-28 * springs.chain(of_joints).sum::<f64>()
    }

    /// Returns the energy that the law of a touch can still return, and the energy that it has lost (J).
    fn stored_and_lost(&self, index: usize) -> (f64, f64) {
        let (touch, variables) = (&self.touches[index], self.touch(index));
        let stored = match touch.phase {
            Phase::Active | Phase::Asleep => {
                touch.law.stored(touch.delta, &touch.memory_at(self.time, variables.internal))
            }
            Phase::Released => 0.0,
        };
        (stored, variables.normal_work + touch.stored_before - stored)
    }

    /// Returns the energies of every contact, from touches that have ended and those in progress.
    pub fn contact_energies(&self, world: &World) -> Vec<ContactEnergy> {
        let ended = |a: &Account| {
            let &Account { normal: lost, friction, ended: touches, .. } = a;
            ContactEnergy { touches, touching: 0, stored: 0.0, lost, friction }
        };
        let mut energies: Vec<_> = self.accounts.iter().map(ended).collect();
        for (index, touch) in self.touches.iter().enumerate() {
            let entry = &mut energies[world.sites[touch.site].contact];
            let (variables, (stored, lost)) = (self.touch(index), self.stored_and_lost(index));
            // Work absorbed by friction is either stored in its spring or bristles, or lost.
            let sprung = match world.contact_at(touch.site).friction {
                Some(friction) if touch.phase != Phase::Released => {
                    let memory = touch.memory_at(self.time, variables.internal);
                    let load = match friction.has_memory() {
                        true => touch.law.force(touch.delta, touch.rate, &memory).max(0.0),
                        false => 0.0,
                    };
                    friction.stored(variables.friction, &touch.spring, touch.delta, load)
                }
                _ => 0.0,
            };
            entry.touches += 1;
            entry.touching += 1;
            entry.stored += stored + sprung;
            entry.lost += lost;
            entry.friction += variables.friction_work - sprung;
        }
        for touch in &self.rigid_touches {
            let entry = &mut energies[world.sites[touch.site].contact];
            entry.touches += 1;
            entry.touching += 1;
            entry.lost += touch.lost;
            entry.friction += touch.lost_to_friction;
        }
        energies
    }

    /// Returns position and motion of any body, including fixed and driven ones.
    pub(crate) fn motion_of(&self, world: &World, body: usize) -> BodyMotion {
        if let Some(Pose { position: x, rotation: q, velocity: v, spin: w }) =
            self.body(world, body)
        {
            return BodyMotion { x, q, v, w };
        }
        let body = &world.bodies[body];
        let still = BodyMotion { x: body.position, q: body.rotation, ..BodyMotion::default() };
        body.drive().map_or(still, |path| {
            path.at(body.position, body.rotation, SidedTime::at(self.time)).motion
        })
    }
}

/// Energies of a contact so far (J).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEnergy {
    /// Number of touches so far, including those in progress.
    pub touches: usize,
    /// Number of touches in progress.
    pub touching: usize,
    /// Energy that the touches can still return.
    pub stored: f64,
    /// Energy lost by the contact law.
    pub lost: f64,
    /// Energy lost to friction and rolling resistance.
    pub friction: f64,
}

#[cfg(test)]
mod tests {
    use crate::{Body, Placed, Run, Shape, World};

    #[test]
    fn a_ledger_that_does_not_close_is_an_error() {
        // Regression test: a run that had created 322 J of energy ended without an error.
        let ball = Shape::Sphere { radius: 0.1 };
        let mut world = World::default();
        let body = Body::of("ball", &ball, 1000.0).unwrap().moving(crate::math::Vec3::X);
        let body = world.add_body(body).unwrap();
        world.add_shape(Placed::on(body, ball)).unwrap();
        let mut run = Run::new(&world).unwrap();
        run.advance(0.1).unwrap();
        let state = &mut run.state;
        let all = state.initial;
        state.initial -= 0.5e-3 * all;
        state.audit(&world, None, 1e-6).unwrap();
        state.initial -= 1e-3 * all;
        let error = state.audit(&world, Some(all), 1e-6).unwrap_err().to_string();
        assert!(error.contains("the energy ledger does not close: at t = 0.1 s"), "{error}");
        state.audit(&world, Some(all), 0.01).unwrap();
    }
}
