//! Rest: bodies that lie still sleep until something touches them.
//!
//! A stack that rests beside a mechanism would be evaluated at the pace of the mechanism for ever. So bodies that are connected by
//! touches, an *island*, fall asleep together once nothing is left of their motion but rounding: their touches get the phase
//! [`Phase::Asleep`], their velocities become zero, and neither their forces nor the gaps between them are evaluated any more. They
//! wake up together, in the state in which they fell asleep, when a touch with one of them begins, which is an event like any other.
//!
//! What rounding makes of accelerations, a_r, is known (`dynamics/rounding.rs`). An island is at rest where, a hundred times longer than the
//! time T = √(mδ/F) of its contacts after the last touch began, every body has
//!
//! |a| ≤ 100·a_r,   |v| ≤ 100·a_r·T,
//!
//! and what its friction remembers does not change. For a body of 10 cm on contacts of 10⁶ N/m that is some 10⁻¹⁰ m/s, so that a body that
//! creeps, which has a velocity and no acceleration, goes on creeping. The kinetic energy that is left, below all rounding of the ledger, is
//! booked as lost in a contact.
//!
//! Bodies with joints, motors, springs or other elements, those that touch a driven body, and laws with a history do not sleep: their forces change with time, or
//! their reactions are asked for.

use super::Scratch;
use crate::actuator::Coordinate;
use crate::disjoint_sets::DisjointSets;
use crate::input::StepInput;
use crate::math::Vec3;
use crate::state::{Phase, State};
use crate::world::World;

/// Largest acceleration of a body at rest, in units of what rounding makes of accelerations: beyond all rounding, and far below any motion
/// that can be seen.
const REST_ROUNDING: f64 = 100.0;
/// How long ago the last touch of an island must have begun, in times T of its contacts: oscillations of contacts have then died out.
const REST_TIMES: f64 = 100.0;
/// Largest change of what friction remembers within the time T of a touch at rest, as a share of its scale.
const REST_FRICTION_CHANGE: f64 = 1e-6;

/// Which bodies may sleep, and buffers of the search for islands; they follow from the world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// By body: free, without joints, elements and motors.
    may_sleep: Vec<bool>,
    /// Bodies that touches connect.
    connected: DisjointSets,
    /// By body: a touch acts on it.
    held: Vec<bool>,
    /// By the root of an island in `connected`: not at rest.
    moves: Vec<bool>,
}

impl Rest {
    pub fn new(world: &World) -> Self {
        let mut may_sleep: Vec<bool> = world.columns.slot.iter().map(Option::is_some).collect();
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
        Self { may_sleep, connected, held: none.clone(), moves: none }
    }

    /// Finds the islands, and which of them are at rest.
    fn find_islands(&mut self, world: &World, state: &State, scratch: &Scratch) {
        self.connected.reset(self.may_sleep.len());
        let free = |body: &usize| world.columns.slot[*body].is_some();
        let bodies_of =
            |touch: usize| <[usize; 2]>::from(world.bodies_at(state.touches[touch].site));
        for touch in 0..state.touches.len() {
            let [a, b] = bodies_of(touch);
            if free(&a) && free(&b) {
                self.connected.join(a, b);
            }
        }
        self.held.fill(false);
        self.moves.fill(false);
        for (index, touch) in state.touches.iter().enumerate() {
            if touch.phase != Phase::Active {
                continue;
            }
            let still = is_still(world, state, scratch, index);
            for body in bodies_of(index).into_iter().filter(free) {
                self.held[body] = true;
                self.moves[self.connected.root(body)] |= !still;
            }
        }
        for &body in &world.free {
            self.moves[self.connected.root(body)] |= !(self.held[body] && self.may_sleep[body]);
        }
    }

    /// Whether a body belongs to an island that was found at rest.
    fn lies(&self, world: &World, body: usize) -> bool {
        world.columns.slot[body].is_some() && !self.moves[self.connected.root(body)]
    }
}

/// Whether the bodies of an acting touch are at rest there.
fn is_still(world: &World, state: &State, scratch: &Scratch, index: usize) -> bool {
    let (touch, evaluation) = (&state.touches[index], &scratch.start.evaluation);
    let contact = evaluation.contact(&StepInput::at(world, state), index, state.time, &state.y);
    let time = (touch.law.mass * contact.delta / contact.force).sqrt();
    let slowest = REST_ROUNDING * scratch.start_quantities.acceleration_rounding;
    let rests = |body: usize| match world.columns.slot[body] {
        Some(_) => {
            let (speed, acceleration) = evaluation.motion_of(world, body);
            acceleration <= slowest && speed <= slowest * time
        }
        None => world.bodies[body].drive().is_none(),
    };
    let scale = world.contact_at(touch.site).friction.map_or(0.0, |f| f.scale(touch.load_scale()));
    touch.is_history_free()
        && rests(contact.a)
        && rests(contact.b)
        && state.time - touch.begun >= REST_TIMES * time
        && contact.friction_rate.length() * time <= REST_FRICTION_CHANGE * scale
}

/// Puts islands at rest to sleep, where the equations of motion and the start quantities are those of the state; whether there were
/// any.
pub(crate) fn fall_asleep(world: &World, state: &mut State, scratch: &mut Scratch) -> bool {
    let slowest = REST_ROUNDING * scratch.start_quantities.acceleration_rounding;
    let evaluation = &scratch.start.evaluation;
    let is_slow = |body: &usize| evaluation.motion_of(world, *body).1 <= slowest;
    let acting = state.touches.iter().any(|touch| touch.phase == Phase::Active);
    if !acting || !world.free.iter().any(is_slow) {
        return false;
    }
    let mut rest = std::mem::take(&mut scratch.rest);
    rest.find_islands(world, state, scratch);
    let (before, mut first) = (state.kinetic(world), None);
    for touch in &mut state.touches {
        let (a, b) = world.bodies_at(touch.site);
        if touch.phase == Phase::Active && (rest.lies(world, a) || rest.lies(world, b)) {
            touch.phase = Phase::Asleep;
            (touch.rate, touch.force_rate) = (0.0, 0.0);
            first = first.or(Some(world.sites[touch.site].contact));
        }
    }
    if let Some(contact) = first {
        for (slot, &body) in world.free.iter().enumerate() {
            if rest.lies(world, body) {
                state.layout.set_velocities(&mut state.y, slot, Vec3::ZERO, Vec3::ZERO);
            }
        }
        state.accounts[contact].normal += before - state.kinetic(world);
    }
    scratch.rest = rest;
    first.is_some()
}

/// Wakes the islands of two bodies that begin to touch; whether one of them slept.
pub(crate) fn wake(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    bodies: (usize, usize),
) -> bool {
    let awake = &mut scratch.rest.held;
    awake.fill(false);
    for body in <[usize; 2]>::from(bodies) {
        awake[body] = world.columns.slot[body].is_some();
    }
    let mut any = false;
    loop {
        let mut spread = false;
        for touch in state.touches.iter_mut().filter(|touch| touch.phase == Phase::Asleep) {
            let (a, b) = world.bodies_at(touch.site);
            if awake[a] || awake[b] {
                touch.phase = Phase::Active;
                for body in [a, b] {
                    awake[body] = world.columns.slot[body].is_some();
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
