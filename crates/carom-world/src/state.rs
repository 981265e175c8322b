//! The state: everything that changes while a scene runs.
//!
//! The variables of the equations of motion stand in one vector (`state/layout.rs`). Works of forces are among them:
//! they are integrated with the motion, so that the ledger of energy is a check and not an identity.

use crate::friction::Spring;
use crate::gap::NormalMemory;
use crate::impact_class::ImpactClass;
use crate::integrator::Method;
use crate::joint::JointMemory;
use crate::math::{Quat, Vec3};
use crate::note::Note;
use crate::world::{Body, World};
use carom::Law;
use carom::law::Memory;
use serde::{Deserialize, Serialize};

mod layout;
mod rigid_touch;
mod windows;
pub(crate) use layout::{Layout, TouchVariable, TouchVariables, Variable, Works};
pub(crate) use rigid_touch::RIGID_TOUCH;
pub use rigid_touch::RigidTouch;
pub(crate) use windows::{IslandPace, Windows};

/// Whether the law of a touch acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The law acts.
    Active,
    /// The law acts between bodies that lie still, and is not evaluated until they are touched (`step/rest.rs`).
    Asleep,
    /// The force has vanished while separating and the surfaces have not parted yet. The law acts again
    /// when its force returns.
    Released,
}

/// A largest value, and when it was reached (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The value.
    pub value: f64,
    /// When (s).
    pub time: f64,
}

/// A contact in progress, from onset to separation.
#[derive(Clone, Debug)]
pub struct Touch {
    pub(crate) site: usize,
    /// How it began.
    pub class: ImpactClass,
    /// Whether its law acts.
    pub phase: Phase,
    /// The indentation grows, as far as the law is concerned: it changes at the turn.
    pub(crate) loading: bool,
    /// The slider of the tangential spring slips.
    pub slipping: bool,
    /// The tangential spring of this touch, where its friction has one.
    pub spring: Spring,
    /// Normal at the time of the state. What friction remembers is perpendicular to it.
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
    /// Largest indentation so far (m).
    pub deepest: Peak,
    /// Largest normal force so far (N).
    pub strongest: Peak,
    /// Indentation at the time of the state (m).
    pub delta: f64,
    /// Rate of the indentation, positive while approaching (m/s).
    pub rate: f64,
    /// Scale of its indentation (m): the largest so far, or what is expected.
    pub(crate) indentation_scale: f64,
    /// Rate of the normal force at the time of the state (N/s).
    pub(crate) force_rate: f64,
    /// Separation speed when the force vanished last (m/s), and when that was.
    pub(crate) released: Peak,
    /// Scale of the law's internal state: the largest so far, or what is expected.
    pub(crate) internal_scale: f64,
    /// Energy that the law had stored at onset (J): a scene may begin in contact.
    pub(crate) stored_before: f64,
    /// Overlap from which the indentation is counted (m). 0, unless the gap jumped to where it is (`step/jump.rs`).
    pub(crate) offset: f64,
}

impl Touch {
    /// A touch at a site, pushing, of which nothing else is known yet.
    pub(crate) fn new(site: usize, law: Law, curvatures: Option<(f64, f64)>) -> Self {
        Self {
            site,
            class: ImpactClass::default(),
            phase: Phase::Active,
            loading: true,
            slipping: false,
            spring: Spring::default(),
            normal: Vec3::ZERO,
            law,
            memory: Memory::default(),
            curvatures,
            begun: 0.0,
            speed: 0.0,
            deepest: Peak::default(),
            strongest: Peak::default(),
            delta: 0.0,
            rate: 0.0,
            indentation_scale: 0.0,
            force_rate: 0.0,
            released: Peak::default(),
            internal_scale: 0.0,
            stored_before: 0.0,
            offset: 0.0,
        }
    }

    /// Contact of the world, and which of its sites touches.
    pub fn site(&self, world: &World) -> (usize, usize) {
        let site = world.sites[self.site];
        (site.contact, site.number)
    }
}

/// Energy lost in a contact of the world so far (J), in touches that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Lost in the normal direction.
    #[serde(with = "crate::bits")]
    pub normal: f64,
    /// Lost by friction and resistance to rolling.
    #[serde(with = "crate::bits")]
    pub friction: f64,
    /// How many touches have ended.
    pub ended: usize,
    /// How many touches have begun, by class of impact.
    pub classes: [usize; 4],
}

/// How much work the integrator had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Steps accepted.
    pub steps: u64,
    /// Steps refused.
    pub refused: u64,
    /// Evaluations of the forces on all bodies, or on those of an island that takes steps of its own.
    pub evaluations: u64,
    /// Evaluations times the number of free bodies that they were made for.
    pub body_evaluations: u64,
}

impl Counts {
    /// Adds the work of a step in a world.
    pub(crate) fn add(&mut self, step: Self, world: &World) {
        self.refused += step.refused;
        self.evaluations += step.evaluations;
        self.body_evaluations += step.evaluations * world.free.len() as u64;
    }
}

/// Which integrator takes the next step (`step/pace.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pace {
    pub method: Method,
    /// Length of the last explicit step (s).
    #[serde(with = "crate::bits")]
    pub explicit_length: f64,
    /// Steps in contact since the implicit pair was tried or a touch began; with that pair, its steps in a row that did not grow.
    pub since: u32,
    /// How many of them to wait for.
    pub patience: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            method: Method::Explicit,
            explicit_length: 0.0,
            since: 0,
            patience: MIN_STEPS_BEFORE_TRY,
        }
    }
}

/// Explicit steps in contact before the implicit pair is tried: more than an impact takes.
const MIN_STEPS_BEFORE_TRY: u32 = 60;

/// Everything that changes.
#[derive(Clone, Debug)]
pub struct State {
    /// Time (s).
    pub time: f64,
    pub(crate) layout: Layout,
    pub(crate) y: Vec<f64>,
    pub(crate) touches: Vec<Touch>,
    /// What the joints remember.
    pub(crate) joints: Vec<JointMemory>,
    /// Forces and torques of motors that are set from outside.
    pub(crate) held_efforts: Vec<f64>,
    /// Touches of the nonsmooth method.
    pub(crate) rigid_touches: Vec<RigidTouch>,
    /// Largest overlap of rigid bodies so far (m): an error of the nonsmooth method.
    pub(crate) overlap_max: f64,
    /// Sites without a touch.
    pub(crate) is_open: Vec<bool>,
    /// Normals of the sites where the last step began, for gaps that depend on them; empty where none does.
    pub(crate) normals: Vec<Vec3>,
    /// Length of the next step.
    pub(crate) step: f64,
    pub(crate) pace: Pace,
    pub(crate) windows: Windows,
    /// Kinetic and potential energy, and what contacts had stored, at the start.
    pub(crate) initial: f64,
    pub(crate) accounts: Vec<Account>,
    /// Largest speed so far (m/s), a scale for errors.
    pub(crate) largest_speed: f64,
    /// Largest kinetic energy at the end of a step so far (J), a scale for the error of the ledger.
    pub(crate) largest_kinetic: f64,
    pub(crate) notes: Vec<Note>,
    /// How much work it was.
    pub counts: Counts,
}

impl State {
    /// The state at t = 0 with the bodies as they were added, before joints and touches are considered.
    pub(crate) fn as_added(world: &World) -> Self {
        let layout = Layout::new(world.free.len());
        let mut y = vec![0.0; layout.len(0)];
        let mut largest_speed = 0.0f64;
        for (slot, &index) in world.free.iter().enumerate() {
            let body = &world.bodies[index];
            let (mut v, mut w) = (body.velocity, body.spin);
            if world.planar {
                v.z = 0.0;
                w = Vec3::Z * w.z;
            }
            layout.set_placement(&mut y, slot, body.position, body.rotation);
            layout.set_velocities(&mut y, slot, v, w);
            let reach = world.columns.reach[index];
            largest_speed = largest_speed.max(v.length() + w.length() * reach);
        }
        Self {
            time: 0.0,
            layout,
            y,
            touches: Vec::new(),
            joints: vec![JointMemory::UNDECIDED; world.joints.len()],
            held_efforts: vec![0.0; world.held_motors().count()],
            rigid_touches: Vec::new(),
            overlap_max: 0.0,
            is_open: vec![true; world.sites.len()],
            normals: vec![Vec3::ZERO; normal_memories(world).len()],
            step: 0.0,
            pace: Pace::default(),
            windows: Windows::new(world.free.len()),
            initial: 0.0,
            accounts: vec![Account::default(); world.contacts.len()],
            largest_speed,
            largest_kinetic: 0.0,
            notes: world.notes.clone(),
            counts: Counts::default(),
        }
    }

    /// Where a body is and how it moves: position, rotation, velocity, angular velocity.
    ///
    /// Nothing for a body that is not free, or that does not exist.
    pub fn body(&self, world: &World, body: usize) -> Option<Pose> {
        let slot = (*world.columns.slot.get(body)?)?;
        Some(self.layout.pose(&self.y, slot))
    }

    /// The contacts in progress.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// The contacts in progress, of the nonsmooth method.
    pub fn rigid_touches(&self) -> &[RigidTouch] {
        &self.rigid_touches
    }

    /// Largest overlap of rigid bodies so far (m): an error of the nonsmooth method, which has no indentation.
    pub fn overlap_max(&self) -> f64 {
        self.overlap_max
    }

    /// Notes of the run so far.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What the contacts have done with energy, by contact of the world.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// The variables of a touch.
    pub(crate) fn touch(&self, index: usize) -> TouchVariables {
        self.layout.touch(&self.y, index)
    }

    /// Touches whose bodies do not sleep.
    pub(crate) fn awake_touches(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.phase != Phase::Asleep)
    }

    /// Adds a note unless there is one of its kind about the same subject.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.iter().any(|known| known.repeats(&note)) {
            self.notes.push(note);
        }
    }
}

/// For each site, whether its gap depends on the last normal; empty where none does.
pub(crate) fn normal_memories(world: &World) -> Vec<NormalMemory> {
    let of = |site: usize| {
        let [a, b] = world.shapes_at(site);
        crate::gap::normal_memory(a, b, world.sites[site].number)
    };
    let sites: Vec<NormalMemory> = (0..world.sites.len()).map(of).collect();
    if sites.iter().any(|memory| *memory != NormalMemory::Unused) { sites } else { Vec::new() }
}

/// Position and motion of a body.
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
    /// Kinetic energy of a body that moves like this (J).
    pub(crate) fn kinetic(&self, body: &Body) -> f64 {
        let spin = self.rotation.inverse().turn(self.spin);
        0.5 * body.mass * self.velocity.dot(self.velocity) + 0.5 * spin.dot(body.inertia.of(spin))
    }
}
