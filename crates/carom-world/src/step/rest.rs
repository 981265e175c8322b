//! Rest: bodies at rest sleep until something touches them.
//!
//! Without sleep, a stack that rests beside a mechanism would be evaluated at the pace of the mechanism for ever. Bodies that are
//! connected by touches, an *island*, therefore fall asleep together once their motion is down to rounding: their touches get the
//! phase [`Phase::Asleep`], their velocities become zero, and neither their forces nor the gaps between them are evaluated any
//! more. They wake up together, in the state in which they fell asleep, when a touch with one of them begins, which is an
//! ordinary event.
//!
//! The rounding error a_r of accelerations is known (`dynamics/rounding.rs`). With the time T = √(mδ/F) of its contacts, an
//! island is at rest if its last touch began at least 100·T ago, each body has
//!
//! |a| ≤ 100·a_r,   |v| ≤ 100·a_r·T,
//!
//! and the memory of its friction does not change. For a body of 10 cm on contacts of 10⁶ N/m the limit of the speed is about
//! 10⁻¹⁰ m/s, so a body that creeps, which has a velocity and no acceleration, stays awake. The remaining kinetic energy, which
//! is below all rounding of the energy ledger, is entered as lost in a contact.
//!
//! Bodies with joints, motors, springs or other elements, bodies that touch a driven body, and bodies in contacts whose law
//! depends on history do not sleep: their forces vary with time, or their reactions are needed as results.

use super::Scratch;
use crate::actuator::Coordinate;
use crate::disjoint_sets::DisjointSets;
use crate::input::StepInput;
use crate::math::Vec3;
use crate::state::{Phase, State};
use crate::world::World;

/// Largest acceleration of a body at rest, in units of the rounding error of accelerations: well above rounding, and far below
/// any visible motion.
const MAX_REST_MOTION: f64 = 100.0;
/// Time since the last touch of an island began, in units of T of its contacts, after which it may be at rest: oscillations of
/// contacts have died out by then.
const MIN_REST_DURATION: f64 = 100.0;
/// Largest change of the friction memory of a touch at rest within its time T, relative to the scale of that memory.
const MAX_REST_FRICTION_CHANGE: f64 = 1e-6;

/// Bodies that may sleep, which follow from the world, and buffers of the search for islands.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestDetector {
    /// For each body: whether it is free and has no joint, element or motor.
    may_sleep: Vec<bool>,
    /// Sets of bodies that are connected by touches.
    connected: DisjointSets,
    /// For each body: whether a touch acts on it. Also used as a buffer while islands wake up.
    in_contact: Vec<bool>,
    /// For the root of each island in `connected`: whether the island is not at rest.
    in_motion: Vec<bool>,
}

impl RestDetector {
    pub fn new(world: &World) -> Self {
        let mut may_sleep: Vec<bool> =
            world.columns.free_index.iter().map(Option::is_some).collect();
        let joined = world.joints.iter().flat_map(|joint| [joint.a.body, joint.b.body]);
        let pulled = world.elements.iter().flat_map(|element| <[usize; 2]>::from(element.bodies()));
        let moved = world.actuators.iter().filter_map(|actuator| match actuator.on {
            Coordinate::Distance(a, b) => Some([a.body, b.body]),
            Coordinate::Joint(..) => None,
        });
        for body in joined.chain(pulled).chain(moved.flatten()) {
            may_sleep[body] = false;
        }
        let none = vec![false; may_sleep.len()];
        let connected = DisjointSets::new(may_sleep.len());
        Self { may_sleep, connected, in_contact: none.clone(), in_motion: none }
    }

    /// Finds the islands, and those of them that are at rest.
    fn find_islands(&mut self, world: &World, state: &State, scratch: &Scratch) {
        self.connected.reset(self.may_sleep.len());
        let free = |body: &usize| world.columns.free_index[*body].is_some();
        let bodies_of =
            |touch: usize| <[usize; 2]>::from(world.bodies_at(state.touches[touch].site));
        for touch in 0..state.touches.len() {
            let [a, b] = bodies_of(touch);
            if free(&a) && free(&b) {
                self.connected.join(a, b);
            }
        }
        self.in_contact.fill(false);
        self.in_motion.fill(false);
        for (index, touch) in state.touches.iter().enumerate() {
            if touch.phase != Phase::Active {
                continue;
            }
            let still = is_still(world, state, scratch, index);
            for body in bodies_of(index).into_iter().filter(free) {
                self.in_contact[body] = true;
                self.in_motion[self.connected.root(body)] |= !still;
            }
        }
        for &body in &world.free {
            self.in_motion[self.connected.root(body)] |=
                !(self.in_contact[body] && self.may_sleep[body]);
        }
    }

    /// Returns whether a body belongs to an island that was found to be at rest.
    fn is_at_rest(&self, world: &World, body: usize) -> bool {
        world.columns.free_index[body].is_some() && !self.in_motion[self.connected.root(body)]
    }
}

/// Returns whether the bodies of an active touch are at rest there.
fn is_still(world: &World, state: &State, scratch: &Scratch, index: usize) -> bool {
    let (touch, evaluation) = (&state.touches[index], &scratch.start.evaluation);
    let contact = evaluation.contact(&StepInput::at(world, state), index, state.time, &state.y);
    let time = (touch.law.mass * contact.delta / contact.force).sqrt();
    let slowest = MAX_REST_MOTION * scratch.start_quantities.acceleration_rounding;
    let rests = |body: usize| match world.columns.free_index[body] {
        Some(_) => {
            let (speed, acceleration) = evaluation.motion_bounds(world, body);
            acceleration <= slowest && speed <= slowest * time
        }
        None => world.bodies[body].drive().is_none(),
    };
    let scale = world.contact_at(touch.site).friction.map_or(0.0, |f| f.scale(touch.load_scale()));
    touch.is_history_free()
        && rests(contact.a)
        && rests(contact.b)
        && state.time - touch.begun >= MIN_REST_DURATION * time
        && contact.friction_rate.length() * time <= MAX_REST_FRICTION_CHANGE * scale
}

/// Puts islands at rest to sleep, and returns whether there were any. The equations of motion and the start quantities must be
/// those of the state.
pub(crate) fn fall_asleep(world: &World, state: &mut State, scratch: &mut Scratch) -> bool {
    let slowest = MAX_REST_MOTION * scratch.start_quantities.acceleration_rounding;
    let evaluation = &scratch.start.evaluation;
    let is_slow = |body: &usize| evaluation.motion_bounds(world, *body).1 <= slowest;
    let acting = state.touches.iter().any(|touch| touch.phase == Phase::Active);
    if !acting || !world.free.iter().any(is_slow) {
        return false;
    }
    let mut rest = std::mem::take(&mut scratch.rest);
    rest.find_islands(world, state, scratch);
    let (before, mut first) = (state.kinetic(world), None);
    for touch in &mut state.touches {
        let (a, b) = world.bodies_at(touch.site);
        if touch.phase == Phase::Active && (rest.is_at_rest(world, a) || rest.is_at_rest(world, b))
        {
            touch.phase = Phase::Asleep;
            (touch.rate, touch.force_rate) = (0.0, 0.0);
            first = first.or(Some(world.sites[touch.site].contact));
        }
    }
    if let Some(contact) = first {
        for (slot, &body) in world.free.iter().enumerate() {
            if rest.is_at_rest(world, body) {
                state.layout.set_velocities(&mut state.y, slot, Vec3::ZERO, Vec3::ZERO);
            }
        }
        state.accounts[contact].normal += before - state.kinetic(world);
    }
    scratch.rest = rest;
    first.is_some()
}

/// Wakes the islands of two bodies that begin to touch. Returns whether one of them slept.
pub(crate) fn wake(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    bodies: (usize, usize),
) -> bool {
    let awake = &mut scratch.rest.in_contact;
    awake.fill(false);
    for body in <[usize; 2]>::from(bodies) {
        awake[body] = world.columns.free_index[body].is_some();
    }
    let mut any = false;
    loop {
        let mut spread = false;
        for touch in state.touches.iter_mut().filter(|touch| touch.phase == Phase::Asleep) {
            let (a, b) = world.bodies_at(touch.site);
            if awake[a] || awake[b] {
                touch.phase = Phase::Active;
                for body in [a, b] {
                    awake[body] = world.columns.free_index[body].is_some();
                }
                spread = true;
            }
        }
        if !spread {
            return any;
        }
        any = true;
    }
}
