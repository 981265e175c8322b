//! Observers of a run: they receive samples at chosen times, and touches when they begin and end.

use crate::contact::ContactEvaluation;
use crate::impact_class::ImpactClass;
use crate::input::StepInput;
use crate::kinematics::Kinematics;
use crate::math::Vec3;
use crate::state::{Phase, Pose, RigidTouch, State, Touch};
use crate::world::World;

/// Observer of a run.
pub trait Observer {
    /// Returns the next time at which the observer requests the state; infinite for never.
    fn next(&self) -> f64 {
        f64::INFINITY
    }
    /// Receives the state at a requested time.
    fn sample(&mut self, _sample: &Sample) {}
    /// Called when a touch has begun.
    fn began(&mut self, _world: &World, _time: f64, _touch: &Touch) {}
    /// Called when a touch of rigid bodies has begun (nonsmooth method).
    fn began_rigid(&mut self, _world: &World, _touch: &RigidTouch) {}
    /// Called when a touch has ended.
    fn ended(&mut self, _world: &World, _ended: &EndedTouch) {}
    /// Returns whether the observer requests the state at the end of every step, including every step of an island.
    fn wants_steps(&self) -> bool {
        false
    }
    /// Receives the state at the end of a step, if requested, after the beginnings and ends of touches at that time.
    fn stepped(&mut self, _sample: &Sample) {}
}

/// An observer that ignores everything.
impl Observer for () {}

/// Passes to an observer the states that it requests up to the time `end`. If it requests the same time again, it does not
/// receive it twice.
pub(crate) fn sample_until(
    world: &World,
    end: f64,
    observer: &mut impl Observer,
    mut state_at: impl FnMut(f64) -> State,
) {
    let mut last = f64::NEG_INFINITY;
    while observer.next() <= end && observer.next() > last {
        last = observer.next();
        observer.sample(&Sample { world, time: last, state: &state_at(last) });
    }
}

/// Two observers of the same run, each of which receives the times that it requests.
impl<A: Observer, B: Observer> Observer for (&mut A, &mut B) {
    fn next(&self) -> f64 {
        self.0.next().min(self.1.next())
    }
    fn sample(&mut self, sample: &Sample) {
        if self.0.next() <= sample.time {
            self.0.sample(sample);
        }
        if self.1.next() <= sample.time {
            self.1.sample(sample);
        }
    }
    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        self.0.began(world, time, touch);
        self.1.began(world, time, touch);
    }
    fn began_rigid(&mut self, world: &World, touch: &RigidTouch) {
        self.0.began_rigid(world, touch);
        self.1.began_rigid(world, touch);
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.0.ended(world, ended);
        self.1.ended(world, ended);
    }
    fn wants_steps(&self) -> bool {
        self.0.wants_steps() || self.1.wants_steps()
    }
    fn stepped(&mut self, sample: &Sample) {
        if self.0.wants_steps() {
            self.0.stepped(sample);
        }
        if self.1.wants_steps() {
            self.1.stepped(sample);
        }
    }
}

/// A touch that has ended.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct EndedTouch {
    /// Index of the contact in the world.
    pub contact: usize,
    /// Site of the contact.
    pub site: usize,
    /// Class of the impact with which the touch began.
    #[serde(serialize_with = "class_name")]
    pub class: ImpactClass,
    /// Time at which the touch began (s).
    pub begun: f64,
    /// Time at which the touch ended (s).
    pub ended: f64,
    /// Approach speed at the beginning (m/s).
    pub speed: f64,
    /// Separation speed at the time when the force vanished for the last time (m/s).
    pub rebound: f64,
    /// Time at which the force vanished for the last time (s).
    pub released: f64,
    /// Largest indentation (m).
    pub indentation_max: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Energy lost in the normal direction (J).
    pub lost: f64,
    /// Energy lost to friction (J).
    pub friction: f64,
    /// Normal impulse (N·s); NaN in the smooth method, which computes forces instead of impulses.
    pub impulse: f64,
    /// Sum of the magnitudes of the tangential impulses (N·s); NaN in the smooth method.
    pub friction_impulse: f64,
}

/// Serialises a class as its name.
fn class_name<S: serde::Serializer>(class: &ImpactClass, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(class.name())
}

impl EndedTouch {
    /// A touch of which nothing is known.
    pub(crate) const UNKNOWN: Self = Self {
        contact: 0,
        site: 0,
        class: ImpactClass { eccentric: false, oblique: false },
        begun: f64::NAN,
        ended: f64::NAN,
        speed: f64::NAN,
        rebound: f64::NAN,
        released: f64::NAN,
        indentation_max: f64::NAN,
        force_max: f64::NAN,
        lost: f64::NAN,
        friction: f64::NAN,
        impulse: f64::NAN,
        friction_impulse: f64::NAN,
    };
}

/// State at an instant of a run.
pub struct Sample<'a> {
    /// World of the run.
    pub world: &'a World,
    /// Time (s).
    pub time: f64,
    pub(crate) state: &'a State,
}

impl<'a> Sample<'a> {
    /// Creates a sample of a run between two steps.
    pub fn of(world: &'a World, state: &'a State) -> Self {
        Self { world, time: state.time, state }
    }

    /// Returns the state at this instant.
    pub fn state(&self) -> &State {
        self.state
    }

    /// Returns pose and velocity of a free body.
    pub fn body(&self, body: usize) -> Option<Pose> {
        self.state.body(self.world, body)
    }

    /// Returns pose and velocity of any body, including fixed and driven ones.
    pub fn pose(&self, body: usize) -> Option<Pose> {
        self.world.bodies.get(body)?;
        let at = self.state.motion_of(self.world, body);
        Some(Pose { position: at.x, rotation: at.q, velocity: at.v, spin: at.w })
    }

    /// Returns indentations and forces of all touches.
    pub fn forces(&self) -> Vec<ContactForce> {
        let (world, state) = (self.world, self.state);
        let input = StepInput::at(world, state);
        let mut kinematics = Kinematics::new(world);
        kinematics.read(&input, state.time, &state.y);
        let mut forces = Vec::with_capacity(state.touches.len());
        for (index, touch) in state.touches.iter().enumerate() {
            let variables = state.touch(index);
            let contact = ContactEvaluation::of(&input, &kinematics, touch, state.time, &variables);
            let site = world.sites[touch.site];
            let acts = touch.phase != Phase::Released;
            forces.push(ContactForce {
                contact: site.contact,
                site: site.number,
                point: contact.gap.point,
                normal: contact.gap.normal,
                indentation: contact.delta,
                rate: contact.rate,
                force: if acts { contact.force } else { 0.0 },
                friction: if acts { contact.friction } else { Vec3::ZERO },
                couple: if acts { contact.couple } else { Vec3::ZERO },
            });
        }
        for touch in &state.rigid_touches {
            let found = kinematics.gap(&input, touch.site);
            let (contact, site) = touch.site(world);
            forces.push(ContactForce {
                contact,
                site,
                point: found.gap.point,
                normal: found.gap.normal,
                indentation: -found.gap.distance,
                rate: -kinematics.opening_rate(&found),
                force: touch.load,
                friction: touch.force.perpendicular_to(found.gap.normal),
                couple: Vec3::ZERO,
            });
        }
        forces
    }
}

/// Indentation and forces of a touch at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Index of the contact in the world.
    pub contact: usize,
    /// Site of the contact.
    pub site: usize,
    /// Point at which the force acts (m).
    pub point: Vec3,
    /// Unit normal, from the first shape to the second.
    pub normal: Vec3,
    /// Indentation (m).
    pub indentation: f64,
    /// Indentation rate, positive while approaching (m/s).
    pub rate: f64,
    /// Normal force, positive in compression (N).
    pub force: f64,
    /// Friction force on the second body (N).
    pub friction: Vec3,
    /// Couple on the second body that resists rolling and spinning (N·m).
    pub couple: Vec3,
}

impl ContactForce {
    /// Returns the force on the second body, including friction (N).
    pub fn total(&self) -> Vec3 {
        self.normal * self.force + self.friction
    }
}
