//! The state: everything that changes while a scene runs.
//!
//! What is integrated lies in one row of numbers, in columns: positions (3 a free body), rotations (4),
//! velocities (3), angular velocities (3), then four works of the whole scene, then six numbers for each
//! touch: the law's internal state, what friction remembers (3), and the works of normal force and friction.
//! Works are integrated with the motion, so that the ledger of energy is a check and not an identity.

use crate::friction::Spring;
use crate::gap::NormalMemory;
use crate::math::{Quat, Vec3};
use crate::note::Note;
use crate::world::{Site, World};
use carom::Law;
use carom::law::Memory;

/// Numbers of a free body.
pub(crate) const BODY: usize = 13;
/// Works of the whole scene: by constraints, by driven bodies, by applied forces; lost in dampers and drag.
pub(crate) const WORKS: usize = 4;
/// Numbers of a touch.
pub(crate) const TOUCH: usize = 6;

/// Where things lie in the row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub free: usize,
}

impl Layout {
    pub fn position(self, slot: usize) -> usize {
        3 * slot
    }
    pub fn rotation(self, slot: usize) -> usize {
        3 * self.free + 4 * slot
    }
    pub fn velocity(self, slot: usize) -> usize {
        7 * self.free + 3 * slot
    }
    pub fn spin(self, slot: usize) -> usize {
        10 * self.free + 3 * slot
    }
    /// Where the numbers of a body stand, and how many.
    pub fn body(self, slot: usize) -> [(usize, usize); 4] {
        [
            (self.position(slot), 3),
            (self.rotation(slot), 4),
            (self.velocity(slot), 3),
            (self.spin(slot), 3),
        ]
    }
    /// Positions, rotations, velocities and angular velocities, one after the other.
    #[inline(always)]
    pub fn columns(self, y: &[f64]) -> Columns<'_> {
        let (x, y) = y.split_at(3 * self.free);
        let (q, y) = y.split_at(4 * self.free);
        let (v, y) = y.split_at(3 * self.free);
        let (w, _) = y.split_at(3 * self.free);
        (x.as_chunks().0, q.as_chunks().0, v.as_chunks().0, w.as_chunks().0)
    }
    #[inline(always)]
    pub fn columns_mut(self, y: &mut [f64]) -> ColumnsMut<'_> {
        let (x, y) = y.split_at_mut(3 * self.free);
        let (q, y) = y.split_at_mut(4 * self.free);
        let (v, y) = y.split_at_mut(3 * self.free);
        let (w, _) = y.split_at_mut(3 * self.free);
        (x.as_chunks_mut().0, q.as_chunks_mut().0, v.as_chunks_mut().0, w.as_chunks_mut().0)
    }
    pub fn works(self) -> usize {
        BODY * self.free
    }
    pub fn touch(self, index: usize) -> usize {
        BODY * self.free + WORKS + TOUCH * index
    }
}

/// What the bodies' numbers are, column by column.
type Columns<'a> = (&'a [[f64; 3]], &'a [[f64; 4]], &'a [[f64; 3]], &'a [[f64; 3]]);

type ColumnsMut<'a> =
    (&'a mut [[f64; 3]], &'a mut [[f64; 4]], &'a mut [[f64; 3]], &'a mut [[f64; 3]]);

/// Whether a touch pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The law acts.
    Pushing,
    /// The force has vanished while separating and the surfaces have not parted yet; the law acts again
    /// when its force returns.
    Idle,
}

/// A contact that is happening.
#[derive(Clone, Debug)]
pub struct Touch {
    pub(crate) site: usize,
    /// Whether it pushes.
    pub phase: Phase,
    pub(crate) loading: bool,
    /// The slider of the tangential spring slips.
    pub slipping: bool,
    /// The tangential spring of this touch, where its friction has one.
    pub spring: Spring,
    /// Normal at the time of the state, across which lies what friction remembers.
    pub(crate) normal: Vec3,
    /// The law, with the effective mass of this touch.
    pub law: Law,
    /// What the law remembers.
    pub memory: Memory,
    /// Curvatures at first touch, for laws that follow from them.
    pub(crate) curvatures: Option<(f64, f64)>,
    /// When it began (s).
    pub begun: f64,
    /// Approach speed when it began (m/s), before any floor.
    pub speed: f64,
    /// Largest indentation so far and its time (m, s).
    pub deepest: (f64, f64),
    /// Largest force so far and its time (N, s).
    pub strongest: (f64, f64),
    /// Indentation at the time of the state (m).
    pub delta: f64,
    /// Rate of the indentation, positive while approaching (m/s).
    pub rate: f64,
    /// Scale of its indentation.
    pub(crate) scale: f64,
    /// Rate of the force where the last step ended.
    pub(crate) trend: f64,
    /// When and how fast the bodies were parting when the force vanished last (s, m/s).
    pub(crate) released: (f64, f64),
    /// Scale of its internal state.
    pub(crate) internal: f64,
    /// Work of the normal force when it began: a scene may start in contact.
    pub(crate) stored_before: f64,
    /// Overlap from which its indentation is counted (m). 0, unless the gap jumped to where it is (`run/jump.rs`).
    pub(crate) offset: f64,
}

impl Touch {
    /// Contact of the world, and the place of it that touches.
    pub fn site(&self, world: &World) -> (usize, usize) {
        let site = world.sites[self.site];
        (site.contact, site.place)
    }
}

/// What a contact of the world has done with energy so far (J), without touches still happening.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Lost in the normal direction.
    pub normal: f64,
    /// Lost by friction and resistance to rolling.
    pub friction: f64,
    /// How many touches have ended.
    pub ended: usize,
}

/// How much work the integrator had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps accepted.
    pub steps: u64,
    /// Steps refused.
    pub refused: u64,
    /// Evaluations of all forces.
    pub evaluations: u64,
}

/// Everything that changes.
#[derive(Clone, Debug)]
pub struct State {
    /// Time (s).
    pub time: f64,
    pub(crate) layout: Layout,
    pub(crate) y: Vec<f64>,
    pub(crate) touches: Vec<Touch>,
    /// Which sites are touching.
    pub(crate) open: Vec<bool>,
    /// Normals of the sites where the last step began, for those that are sought; empty where none is.
    pub(crate) normals: Vec<Vec3>,
    /// Length of the next step.
    pub(crate) step: f64,
    /// Kinetic and potential energy, and what contacts had stored, at the start.
    pub(crate) initial: f64,
    pub(crate) accounts: Vec<Account>,
    /// Largest speed so far, a scale for errors.
    pub(crate) fastest: f64,
    /// Largest kinetic energy at the end of a step so far (J), a scale for the error of the ledger.
    pub(crate) liveliest: f64,
    pub(crate) notes: Vec<Note>,
    /// How much work it was.
    pub counts: Counts,
}

impl State {
    /// The state at t = 0, as the bodies were added.
    pub(crate) fn bare(world: &World) -> Self {
        let layout = Layout { free: world.free.len() };
        let mut y = vec![0.0; layout.touch(0)];
        let mut fastest = 0.0f64;
        for (slot, &index) in world.free.iter().enumerate() {
            let body = &world.bodies[index];
            let (mut v, mut w) = (body.velocity, body.spin);
            if world.planar {
                v.z = 0.0;
                w = Vec3::Z * w.z;
            }
            body.position.write(&mut y, layout.position(slot));
            body.rotation.write(&mut y, layout.rotation(slot));
            v.write(&mut y, layout.velocity(slot));
            w.write(&mut y, layout.spin(slot));
            fastest = fastest.max(v.length() + w.length() * world.columns.reach[index]);
        }
        Self {
            time: 0.0,
            layout,
            y,
            touches: Vec::new(),
            open: vec![true; world.sites.len()],
            normals: vec![Vec3::ZERO; sought(world).len()],
            step: 0.0,
            initial: 0.0,
            accounts: vec![Account::default(); world.contacts.len()],
            fastest,
            liveliest: 0.0,
            notes: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Where a body is and how it moves: position, rotation, velocity, angular velocity.
    ///
    /// Nothing for a body that is not free, or that does not exist.
    pub fn body(&self, world: &World, body: usize) -> Option<Pose> {
        let slot = (*world.columns.slot.get(body)?)?;
        Some(Pose::read(&self.y, self.layout, slot))
    }

    /// The touches that are happening.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// What is worth knowing about the run so far.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What the contacts have done with energy, by contact of the world.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Adds a note unless the same kind of note about the same subject is there.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.iter().any(|known| known.repeats(&note)) {
            self.notes.push(note);
        }
    }
}

/// Sites whose normal is sought from where it was last; empty where there is none.
pub(crate) fn sought(world: &World) -> Vec<NormalMemory> {
    let of = |site: &Site| {
        let contact = &world.contacts[site.contact];
        let [a, b] = [contact.a, contact.b].map(|shape| &world.shapes[shape].shape);
        crate::gap::normal_memory(a, b, site.place)
    };
    let sites: Vec<NormalMemory> = world.sites.iter().map(of).collect();
    if sites.iter().any(|sought| *sought != NormalMemory::Unused) { sites } else { Vec::new() }
}

/// A body's place and motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre of mass (m).
    pub position: Vec3,
    /// From body axes to the world.
    pub rotation: Quat,
    /// Of the centre of mass (m/s).
    pub velocity: Vec3,
    /// In world axes (rad/s).
    pub spin: Vec3,
}

impl Pose {
    #[inline(always)]
    pub(crate) fn read(y: &[f64], layout: Layout, slot: usize) -> Self {
        Self {
            position: Vec3::read(y, layout.position(slot)),
            rotation: Quat::read(y, layout.rotation(slot)),
            velocity: Vec3::read(y, layout.velocity(slot)),
            spin: Vec3::read(y, layout.spin(slot)),
        }
    }
}
