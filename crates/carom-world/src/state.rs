//! The state: all quantities that change while a scene runs.
//!
//! The variables of the equations of motion are stored in one vector (`state/layout.rs`). The works of forces are among them and
//! are integrated with the motion, so the energy ledger is a check of the integration and does not close by definition.

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

/// Phase of a touch, which determines whether its law acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The law acts and is evaluated.
    Active,
    /// The law acts between bodies at rest, and is not evaluated until something touches the bodies (`step/rest.rs`).
    Asleep,
    /// The force has vanished while the bodies separate, but the surfaces still overlap. The law acts again if its force returns.
    Released,
}

/// The largest value of a quantity, and the time at which it was reached (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The value.
    pub value: f64,
    /// Time at which the value was reached (s).
    pub time: f64,
}

/// The instant at which the force of a touch vanishes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Release {
    /// Separation speed (m/s).
    pub speed: f64,
    /// Time (s).
    pub time: f64,
}

/// A contact in progress, from onset to separation.
#[derive(Clone, Debug)]
pub struct Touch {
    pub(crate) site: usize,
    /// Class of the impact with which the touch began.
    pub class: ImpactClass,
    /// Phase of the touch.
    pub phase: Phase,
    /// Whether the law is in its loading branch, in which the indentation grows; changed at the turn.
    pub(crate) loading: bool,
    /// Whether the slider of the tangential spring slips.
    pub slipping: bool,
    /// The tangential spring of this touch, if its friction has one.
    pub spring: Spring,
    /// Normal at the time of the state. The friction memory is perpendicular to it.
    pub(crate) normal: Vec3,
    /// The law, with the effective mass of this touch.
    pub law: Law,
    /// Memory of the law.
    pub memory: Memory,
    /// Curvatures at onset, for laws that follow from them.
    pub(crate) curvatures: Option<(f64, f64)>,
    /// Time of onset (s).
    pub begun: f64,
    /// Approach speed at onset (m/s), without any lower bound.
    pub speed: f64,
    /// Largest indentation so far (m), with its time.
    pub deepest: Peak,
    /// Largest normal force so far (N), with its time.
    pub strongest: Peak,
    /// Indentation at the time of the state (m).
    pub delta: f64,
    /// Rate of the indentation (m/s), positive while approaching.
    pub rate: f64,
    /// Scale of the indentation (m): the largest indentation so far or the expected one.
    pub(crate) indentation_scale: f64,
    /// Rate of the normal force at the time of the state (N/s).
    pub(crate) force_rate: f64,
    /// The last instant at which the force vanished.
    pub(crate) released: Release,
    /// Scale of the internal state of the law: the largest value so far or the expected one.
    pub(crate) internal_scale: f64,
    /// Stored energy of the law at onset (J), which is positive if the scene begins with an overlap.
    pub(crate) stored_before: f64,
    /// Overlap from which the indentation is counted (m); 0 unless the gap jumped to its value (`step/jump.rs`).
    pub(crate) offset: f64,
}

impl Touch {
    /// Creates an active touch at a site; all values other than the law and its curvatures are placeholders.
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
            released: Release::default(),
            internal_scale: 0.0,
            stored_before: 0.0,
            offset: 0.0,
        }
    }

    /// Returns the index of the contact in the world, and the number of the site within the contact.
    pub fn site(&self, world: &World) -> (usize, usize) {
        let site = world.sites[self.site];
        (site.contact, site.number)
    }
}

/// Energy lost in a contact of the world (J), in touches that have ended, and numbers of its touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Energy lost in the normal direction.
    #[serde(with = "crate::bits")]
    pub normal: f64,
    /// Energy lost by friction and rolling resistance.
    #[serde(with = "crate::bits")]
    pub friction: f64,
    /// Number of touches that have ended.
    pub ended: usize,
    /// Numbers of touches that have begun, by class of impact.
    pub classes: [usize; 4],
}

/// Numbers of steps and evaluations of the integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub refused: u64,
    /// Evaluations of the forces on all bodies, or on the bodies of an island that takes steps of its own.
    pub evaluations: u64,
    /// Sum over the evaluations of the number of free bodies evaluated.
    pub body_evaluations: u64,
}

impl Counts {
    /// Adds the evaluations and rejected steps of a step in a world.
    pub(crate) fn add(&mut self, step: Self, world: &World) {
        self.refused += step.refused;
        self.evaluations += step.evaluations;
        self.body_evaluations += step.evaluations * world.free.len() as u64;
    }
}

/// Choice of the integrator for the next step (`step/pace.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pace {
    pub method: Method,
    /// Length of the last explicit step (s).
    #[serde(with = "crate::bits")]
    pub explicit_length: f64,
    /// With the explicit pair: steps in contact since the implicit pair was tried or a touch began. With the implicit pair: its
    /// steps since the last one that grew or was tried with the explicit pair.
    pub steps_since_try: u32,
    /// Number of explicit steps to wait for before the implicit pair is tried.
    pub steps_before_try: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            method: Method::Explicit,
            explicit_length: 0.0,
            steps_since_try: 0,
            steps_before_try: MIN_STEPS_BEFORE_TRY,
        }
    }
}

/// Smallest number of explicit steps in contact before the implicit pair is tried: more than an impact takes.
const MIN_STEPS_BEFORE_TRY: u32 = 60;

/// All quantities of a run that change.
#[derive(Clone, Debug)]
pub struct State {
    /// Time (s).
    pub time: f64,
    pub(crate) layout: Layout,
    pub(crate) y: Vec<f64>,
    pub(crate) touches: Vec<Touch>,
    /// Memory of the joints.
    pub(crate) joints: Vec<JointMemory>,
    /// Forces and torques of the motors whose effort is set from outside.
    pub(crate) held_efforts: Vec<f64>,
    /// Touches of the nonsmooth method.
    pub(crate) rigid_touches: Vec<RigidTouch>,
    /// Largest overlap of rigid bodies so far (m), which is an error of the nonsmooth method.
    pub(crate) overlap_max: f64,
    /// For each site: whether it has no touch.
    pub(crate) is_open: Vec<bool>,
    /// Normals of the sites at the beginning of the last step, for gaps that depend on them; empty if no gap does.
    pub(crate) normals: Vec<Vec3>,
    /// Length of the next step (s); 0 if it does not follow from the last one.
    pub(crate) step: f64,
    pub(crate) pace: Pace,
    pub(crate) windows: Windows,
    /// Sum of kinetic, potential and stored energy at the start (J).
    pub(crate) initial: f64,
    pub(crate) accounts: Vec<Account>,
    /// Largest speed so far (m/s): the scale of errors in velocity.
    pub(crate) largest_speed: f64,
    /// Largest kinetic energy at the end of a step so far (J): the scale of errors in the energy ledger.
    pub(crate) largest_kinetic: f64,
    pub(crate) notes: Vec<Note>,
    /// Numbers of steps and evaluations so far.
    pub counts: Counts,
}

impl State {
    /// Creates the state at t = 0 with the bodies as they were added to the world, before joints and touches are taken into
    /// account.
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
            let reach = world.columns.bounding_radius[index];
            largest_speed = largest_speed.max(v.length() + w.length() * reach);
        }
        Self {
            time: 0.0,
            layout,
            y,
            touches: Vec::new(),
            joints: vec![JointMemory::default(); world.joints.len()],
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

    /// Returns placement and velocities of a body; nothing if the body is not free or does not exist.
    pub fn body(&self, world: &World, body: usize) -> Option<Pose> {
        let slot = (*world.columns.free_index.get(body)?)?;
        Some(self.layout.pose(&self.y, slot))
    }

    /// Returns the touches, which are the contacts in progress.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Returns the touches of the nonsmooth method.
    pub fn rigid_touches(&self) -> &[RigidTouch] {
        &self.rigid_touches
    }

    /// Returns the largest overlap of rigid bodies so far (m), which is an error of the nonsmooth method: its contacts have no
    /// indentation.
    pub fn overlap_max(&self) -> f64 {
        self.overlap_max
    }

    /// Returns the notes of the run so far.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the energy account of each contact of the world.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Returns the integrated variables of a touch.
    pub(crate) fn touch(&self, index: usize) -> TouchVariables {
        self.layout.touch(&self.y, index)
    }

    /// Returns the touches whose bodies do not sleep.
    pub(crate) fn awake_touches(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.phase != Phase::Asleep)
    }

    /// Adds a note, unless there is already one of its kind about the same subject.
    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.iter().any(|known| known.repeats(&note)) {
            self.notes.push(note);
        }
    }
}

/// Returns for each site whether its gap depends on the previous normal; empty if no gap does.
pub(crate) fn normal_memories(world: &World) -> Vec<NormalMemory> {
    let of = |site: usize| {
        let [a, b] = world.shapes_at(site);
        crate::gap::normal_memory(a, b, world.sites[site].number)
    };
    let sites: Vec<NormalMemory> = (0..world.sites.len()).map(of).collect();
    if sites.iter().any(|memory| *memory != NormalMemory::Unused) { sites } else { Vec::new() }
}

/// Placement and velocities of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the centre of mass (m).
    pub position: Vec3,
    /// Rotation from body axes to world axes.
    pub rotation: Quat,
    /// Velocity of the centre of mass (m/s).
    pub velocity: Vec3,
    /// Angular velocity in world axes (rad/s).
    pub spin: Vec3,
}

impl Pose {
    /// Returns the kinetic energy of a body with this placement and these velocities (J).
    pub(crate) fn kinetic(&self, body: &Body) -> f64 {
        let spin = self.rotation.inverse().rotate(self.spin);
        0.5 * body.mass * self.velocity.dot(self.velocity) + 0.5 * spin.dot(body.inertia.of(spin))
    }
}
