//! The ledger of energy.
//!
//! kinetic + potential + stored = initial + work done on the scene − lost, up to the error of the
//! integration. Kinetic, potential and stored energy follow from the state; works and losses are
//! integrated along with the motion. The difference is therefore a measure of the numerical error, not
//! an identity. Beyond a tolerance it is a note, and beyond a thousandth of the energy turned over ([`BROKEN`]) an error: the
//! results of such a run are meaningless.

use crate::actuator::{Coordinate, Effort};
use crate::element::Element;
use crate::joint::{BodyMotion, JointCoordinate};
use crate::motion::SidedTime;
use crate::state::{Account, Phase, Pose, State, Touch};
use crate::world::{ContactMethod, World};
use carom::{Error, Result};
use serde::Serialize;

/// Fraction of the energy turned over beyond which a ledger that does not close ends a run with an error.
pub const BROKEN: f64 = 1e-3;

/// Steps of a fixed length after which the ledger is looked at.
const FIRST_FIXED_STEPS: u64 = 100;

/// Energies at one instant (J).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energies {
    /// Of all free bodies (J).
    pub kinetic: f64,
    /// In the field of gravity and in springs (J).
    pub potential: f64,
    /// What contacts would give back (J): their normal laws, and the springs and bristles of their friction.
    pub stored: f64,
    /// Lost in contacts (J), in the normal direction.
    pub lost_in_contacts: f64,
    /// Lost to friction and rolling resistance (J).
    pub lost_to_friction: f64,
    /// Lost in dampers, drag and the friction of joints (J).
    pub lost_in_dampers: f64,
    /// Done by applied forces and motors (J).
    pub work_of_forces: f64,
    /// Done by bodies and joints that are driven (J), and by constraints.
    pub work_of_drives: f64,
    /// What is unaccounted for (J): the numerical error.
    pub error: f64,
}

impl Energies {
    /// The energy turned over in a scene (J), against which the error of the ledger is measured: the largest sum of kinetic and
    /// stored energy that was seen, and all works and losses.
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
    /// The ledger now.
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
                    body.x + body.q.turn(anchor.point)
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

    /// Kinetic energy of all free bodies (J).
    pub(crate) fn kinetic(&self, world: &World) -> f64 {
        let poses = (0..world.free.len()).map(|slot| self.layout.pose(&self.y, slot));
        world.free.iter().zip(poses).map(|(&body, pose)| pose.kinetic(&world.bodies[body])).sum()
    }

    /// The error of the ledger that is allowed (J), given as a fraction of the energy turned over; `largest` is the largest sum of
    /// kinetic and stored energy that an observer saw. Observers see samples, between which bodies may swing back and
    /// forth, so the largest kinetic energy at the end of a step counts as well.
    pub fn allowed(&self, world: &World, energies: &Energies, share: f64, largest: f64) -> f64 {
        share * energies.turned_over(largest.max(self.largest_kinetic)) + self.rounding(world)
    }

    /// Refuses a ledger that is off by more than [`BROKEN`] of the energy turned over, or than the tolerance where that is
    /// larger. `largest` is the largest sum of kinetic and stored energy that an observer saw (J), if any.
    ///
    /// # Errors
    /// When the ledger does not close.
    pub fn audit(&self, world: &World, largest: Option<f64>, tolerance: f64) -> Result<()> {
        // What begins at rest is resolved by a fixed step after some tens of steps; before, there is nothing to measure its error against.
        if world.method != ContactMethod::Smooth && self.counts.steps < FIRST_FIXED_STEPS {
            return Ok(());
        }
        let energies = self.energies(world);
        let seen = largest.unwrap_or(0.0).max(energies.kinetic + energies.stored);
        let turned = energies.turned_over(seen.max(self.largest_kinetic));
        let allowed = self.allowed(world, &energies, tolerance.max(BROKEN), seen);
        for (index, touch) in self.touches.iter().enumerate() {
            self.check_loss(world, touch, self.loss(index).1)?;
        }
        if energies.error.abs() <= allowed {
            return Ok(());
        }
        let reason = format!(
            "the energy ledger does not close: at t = {} s {:.3e} J are unaccounted for, of {turned:.3e} J that were turned over \
             ({:.1e} of it; {:.0e} ends a run)",
            self.time,
            energies.error,
            energies.error.abs() / turned,
            tolerance.max(BROKEN),
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

    /// Refuses a touch that has given more energy than it took, where its law cannot: a spring and a damper. What it lost is the work
    /// of its force less what it stores, so that an indentation that does not follow from the motion shows here and nowhere else.
    ///
    /// # Errors
    /// When that is more than [`BROKEN`] of the largest kinetic energy so far, or of what the touch stored at its deepest:
    /// bodies that are pressed together slowly store much more than their kinetic energy.
    pub(crate) fn check_loss(&self, world: &World, touch: &Touch, lost: f64) -> Result<()> {
        let stored = touch.law.stored(touch.deepest.value, &touch.memory);
        let allowed = BROKEN * self.largest_kinetic.max(stored) + self.rounding(world);
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

    /// The rounding error of the ledger (J), below which its error has no meaning: potential energies are known to
    /// some 1e-16 of m·g·(distance from the origin + size), kinetic ones to as much of what a body has at the largest
    /// speed so far, and a run adds up thousands of such errors. Springs at rest are stretched by the rounding of places and angles.
    pub fn rounding(&self, world: &World) -> f64 {
        let pull = world.gravity.length();
        let fastest = 0.5 * self.largest_speed * self.largest_speed;
        let scales = world.free.iter().enumerate().map(|(slot, &body)| {
            let height = self.layout.pose(&self.y, slot).position.length();
            world.columns.mass[body] * (pull * (height + world.columns.reach[body]) + fastest)
        });
        let place = |body: usize| match world.columns.slot[body] {
            Some(slot) => {
                self.layout.pose(&self.y, slot).position.length() + world.columns.reach[body]
            }
            None => 0.0,
        };
        let springs = world.elements.iter().map(|element| match element {
            Element::Spring { a, b, stiffness, .. } => {
                stiffness * (place(a.body) + place(b.body)).powi(2)
            }
            _ => 0.0,
        });
        let of_joints =
            world.actuators.iter().map(|actuator| match (&actuator.effort, &actuator.on) {
                (Effort::Spring { stiffness, .. }, Coordinate::Joint(joint, coordinate)) => {
                    let joint = &world.joints[*joint];
                    let size = match coordinate {
                        JointCoordinate::Angle => 1.0,
                        JointCoordinate::Slide => place(joint.a.body) + place(joint.b.body),
                    };
                    stiffness * size * size
                }
                _ => 0.0,
            });
        1e-12 * (scales.sum::<f64>() + self.initial.abs())
            + 1e-28 * springs.chain(of_joints).sum::<f64>()
    }

    /// What the law of a touch would give back, and what it has lost (J).
    fn loss(&self, index: usize) -> (f64, f64) {
        let (touch, variables) = (&self.touches[index], self.touch(index));
        let stored = match touch.phase {
            Phase::Active | Phase::Asleep => {
                touch.law.stored(touch.delta, &touch.memory_at(self.time, variables.internal))
            }
            Phase::Released => 0.0,
        };
        (stored, variables.normal_work + touch.stored_before - stored)
    }

    /// Energies of every contact: of touches that have ended, and of those in progress.
    pub fn contact_energies(&self, world: &World) -> Vec<ContactEnergy> {
        let ended = |a: &Account| {
            let &Account { normal: lost, friction, ended: touches, .. } = a;
            ContactEnergy { touches, touching: 0, stored: 0.0, lost, friction }
        };
        let mut energies: Vec<_> = self.accounts.iter().map(ended).collect();
        for (index, touch) in self.touches.iter().enumerate() {
            let entry = &mut energies[world.sites[touch.site].contact];
            let (variables, (stored, lost)) = (self.touch(index), self.loss(index));
            // What friction took up is stored in its spring or bristles, or lost.
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

    /// Position and motion of any body, fixed and driven ones included.
    pub(crate) fn motion_of(&self, world: &World, body: usize) -> BodyMotion {
        if let Some(Pose { position: x, rotation: q, velocity: v, spin: w }) =
            self.body(world, body)
        {
            return BodyMotion { x, q, v, w };
        }
        let body = &world.bodies[body];
        let still = BodyMotion { x: body.position, q: body.rotation, ..BodyMotion::default() };
        body.drive().map_or(still, |path| {
            let at = path.at(body.position, body.rotation, SidedTime::at(self.time));
            BodyMotion { x: at.position, q: at.rotation, v: at.velocity, w: at.spin }
        })
    }
}

/// Energies of a contact so far (J).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEnergy {
    /// Touches so far, those in progress among them.
    pub touches: usize,
    /// Touches in progress.
    pub touching: usize,
    /// What they would give back.
    pub stored: f64,
    /// Lost by the contact law.
    pub lost: f64,
    /// Lost to friction and rolling resistance.
    pub friction: f64,
}

#[cfg(test)]
mod tests {
    use crate::{Body, Placed, Run, Shape, World};

    #[test]
    fn a_ledger_that_does_not_close_is_an_error() {
        // A run that had made 322 J from nothing ended as if all were well.
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
