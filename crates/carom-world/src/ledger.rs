//! The ledger of energy.
//!
//! kinetic + potential + stored = initial + work done on the scene − lost, up to the error of the
//! integration. Kinetic, potential and stored energy follow from the state; works and losses are
//! integrated along with the motion. What is left over is therefore a measure of the numerical error, not
//! an identity.

use crate::element::Element;
use crate::joint::Moving;
use crate::state::{Account, Phase, Pose, State};
use crate::world::{Mobility, World};
use serde::Serialize;

/// Energies at one instant (J).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energies {
    /// Of all free bodies.
    pub kinetic: f64,
    /// In the field of gravity and in springs.
    pub potential: f64,
    /// What contacts would give back.
    pub stored: f64,
    /// Lost in contacts, in the normal direction.
    pub lost_in_contacts: f64,
    /// Lost to friction and rolling resistance (for a tangential spring with what it holds).
    pub lost_to_friction: f64,
    /// Lost in dampers and drag.
    pub lost_in_dampers: f64,
    /// Done by applied forces.
    pub work_of_forces: f64,
    /// Done by bodies and joints that are driven, and by constraints.
    pub work_of_drives: f64,
    /// What is unaccounted for: the numerical error.
    pub error: f64,
}

impl Energies {
    /// The energy that went through a scene, what its ledger may be off by a share of: the largest sum of
    /// kinetic and stored energy that was seen, and all works and losses (J).
    pub fn turned(&self, largest: f64) -> f64 {
        largest
            + self.lost_in_contacts
            + self.lost_to_friction
            + self.lost_in_dampers
            + self.work_of_forces.abs()
            + self.work_of_drives.abs()
    }
}

impl State {
    /// The ledger now.
    pub fn energies(&self, world: &World) -> Energies {
        let mut e = Energies { kinetic: self.kinetic(world), ..Energies::default() };
        for (slot, &body) in world.free.iter().enumerate() {
            let position = Pose::read(&self.y, self.layout, slot).position;
            e.potential -= world.columns.mass[body] * world.gravity.dot(position);
        }
        for element in &world.elements {
            if let Element::Spring { a, b, stiffness, length, .. } = element {
                let place = |anchor: &crate::element::Anchor| {
                    let body = self.place(world, anchor.body);
                    body.x + body.q.turn(anchor.point)
                };
                let stretch = (place(b) - place(a)).length() - length;
                e.potential += 0.5 * stiffness * stretch * stretch;
            }
        }
        for (account, held) in self.accounts.iter().zip(self.held(world)) {
            e.stored += held.stored;
            e.lost_in_contacts += account.normal + held.account.normal;
            e.lost_to_friction += account.friction + held.account.friction;
        }
        let works = &self.y[self.layout.works()..];
        e.work_of_drives = works[0] + works[1];
        e.work_of_forces = works[2];
        e.lost_in_dampers = works[3];
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
        let of = |(slot, &body): (usize, &usize)| {
            let pose = Pose::read(&self.y, self.layout, slot);
            let spin = pose.rotation.inverse().turn(pose.spin);
            0.5 * world.columns.mass[body] * pose.velocity.dot(pose.velocity)
                + 0.5 * spin.dot(world.columns.inertia[body].of(spin))
        };
        world.free.iter().enumerate().map(of).sum()
    }

    /// What rounding may make of the ledger, below which an error says nothing (J): potential energies are known to
    /// some 1e-16 of m·g·(distance from the origin + size), and a run adds up thousands of such errors.
    pub fn rounding(&self, world: &World) -> f64 {
        let pull = world.gravity.length();
        let scales = world.free.iter().enumerate().map(|(slot, &body)| {
            let height = Pose::read(&self.y, self.layout, slot).position.length();
            world.columns.mass[body] * pull * (height + world.columns.reach[body])
        });
        1e-12 * (scales.sum::<f64>() + self.initial.abs())
    }

    /// What each contact holds and has lost in touches that are still happening.
    pub fn held(&self, world: &World) -> Vec<Held> {
        let mut held = vec![Held::default(); world.contacts.len()];
        for (index, touch) in self.touches.iter().enumerate() {
            let entry = &mut held[world.sites[touch.site].contact];
            let slots = &self.y[self.layout.touch(index)..];
            let delta = touch.delta;
            let memory = touch.memory_at(self.time, slots);
            let stored = match touch.phase {
                Phase::Pushing => touch.law.stored(delta, &memory),
                Phase::Idle => 0.0,
            };
            entry.stored += stored;
            entry.account.normal += slots[4] + touch.stored_before - stored;
            entry.account.friction += slots[5];
        }
        held
    }

    /// Where any body is, held ones too.
    pub(crate) fn place(&self, world: &World, body: usize) -> Moving {
        if let Some(pose) = self.body(world, body) {
            return Moving { x: pose.position, q: pose.rotation, v: pose.velocity, w: pose.spin };
        }
        let held = &world.bodies[body];
        let mut moving = Moving { x: held.position, q: held.rotation, ..Moving::default() };
        if let Mobility::Driven { direction, motion } = &held.mobility {
            let at = motion.at(self.time);
            (moving.x, moving.v) = (moving.x + *direction * at.value, *direction * at.rate);
        }
        moving
    }
}

/// What a contact holds while it lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Energy it would give back (J).
    pub stored: f64,
    /// Energy lost so far in touches that are still happening.
    pub account: Account,
}
