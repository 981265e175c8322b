//! Windows: spans of time in which islands take steps of their own.
//!
//! If all bodies take common steps, a stack that vibrates beside a mechanism is computed at the pace of both, and the cost of N
//! balls that bounce one by one grows as N². If the bodies form several islands and stay apart for a while, each island therefore
//! takes steps of its own (`island.rs`) during a window, at the end of which all islands are at the same time. A state of the
//! whole scene exists only between windows; checkpoints, controllers and regrouping of the islands are therefore possible only
//! there.
//!
//! Within a window the next step of every island has been found but not applied. The step that ends first is applied, at its end
//! time t, and the next step of that island is found. All steps found begin at t or earlier and end at t or later. It follows
//! that
//!
//! - a sample at any time up to the next end is the state of all islands within their steps;
//! - beginnings and ends of contacts are reported in the order of time;
//! - contacts between bodies of two islands are predicted before either island has come so far (`window/approach.rs`). If bodies
//!   may touch, the window ends at t, and in the next window the two islands are one. No step has to be undone, and onsets are
//!   found by steps of the bodies that touch.
//!
//! The islands, the lengths of windows and the decision to use windows follow from the state alone, so a run that is resumed
//! between windows has the same steps.

use crate::disjoint_sets::DisjointSets;
use crate::island::{Island, bodies_of};
use crate::math::Vec3;
use crate::observe::{Observer, Sample, sample_until};
use crate::state::{IslandPace, State};
use crate::step::TOUCHES_RESERVED;
use crate::world::{ContactMethod, World};
use approach::Approach;
use carom::Result;
use std::collections::HashMap;

mod approach;
#[cfg(test)]
mod tests;

/// Average number of steps of a body at which the length of the next window aims. The end of a window cuts the last step of every
/// island short, so with much shorter windows work would be wasted.
const TARGET_STEPS: f64 = 32.0;
/// Average number of steps of a body after which a window ends at once, because runs are stopped, observed and saved only between
/// windows.
const MAX_STEPS: f64 = 4.0 * TARGET_STEPS;
/// Average number of steps of a body below which common steps follow a window that ended early: dividing the world and assembling
/// it again then costs more than separate steps save.
const MIN_STEPS: f64 = 8.0;
/// Bounds of the ratio of the lengths of successive windows, since a change of the pace of the islands may be temporary.
const LENGTH_RATIO_BOUNDS: (f64, f64) = (0.5, 4.0);
/// Number of islands that are kept for later windows, per free body: a bouncing body belongs to a few islands in turn. If there
/// are more, all are discarded.
const MAX_ISLANDS_PER_BODY: usize = 4;

/// The islands of a world and the buffers with which they take their steps.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    /// Sets of free bodies that are connected by joints, springs or motors.
    linked: DisjointSets,
    /// For each free body: its contacts with other free bodies, as pairs of contact and other body.
    neighbours: Vec<Vec<(usize, usize)>>,
    approach: Approach,
    /// Islands that were created so far, and the index of the island for each list of free bodies.
    islands: Vec<Island>,
    index_by_slots: HashMap<Vec<usize>, usize>,
    /// Indices in `islands` of the islands of this window.
    current: Vec<usize>,
    /// For each free body: the position of its island in `current`.
    island_of_slot: Vec<usize>,
    /// Sets of free bodies of the same island: linked, touching, or about to touch.
    connected: DisjointSets,
    slots: Vec<usize>,
    /// For each touch: time of onset, position of its island in `current`, and index in the island.
    order: Vec<(f64, usize, usize)>,
}

/// Returns the length of the next window (s), given the length that a common step would have.
pub(crate) fn length(state: &State, step: f64) -> f64 {
    if state.windows.length > 0.0 { state.windows.length } else { TARGET_STEPS * step }
}

/// Returns the sets of free bodies that are connected by joints, springs or motors, by their indices among the free bodies.
pub(crate) fn linked_bodies(world: &World) -> DisjointSets {
    let mut linked = DisjointSets::new(world.free.len());
    let joints = world.joints.iter().map(|joint| (joint.a.body, joint.b.body));
    let elements = world.elements.iter().map(|element| element.bodies());
    let actuators = world.actuators.iter().map(|actuator| bodies_of(world, actuator));
    for (a, b) in joints.chain(elements).chain(actuators) {
        if let (Some(a), Some(b)) = (world.columns.free_index[a], world.columns.free_index[b]) {
            linked.join(a, b);
        }
    }
    linked
}

impl Islands {
    /// Creates the islands of a world. Returns nothing if joints, springs and motors connect all free bodies, or if the method is
    /// nonsmooth.
    pub fn of(world: &World) -> Option<Self> {
        let free = world.free.len();
        let slot = |body: usize| world.columns.free_index[body];
        let linked = linked_bodies(world);
        if world.method != ContactMethod::Smooth || !linked.has_several() {
            return None;
        }
        let mut neighbours = vec![Vec::new(); free];
        for (index, contact) in world.contacts.iter().enumerate() {
            let [a, b] = [contact.a, contact.b].map(|shape| slot(world.shapes[shape].body));
            if let (Some(a), Some(b)) = (a, b) {
                neighbours[a].push((index, b));
                neighbours[b].push((index, a));
            }
        }
        Some(Self {
            linked,
            neighbours,
            approach: Approach::new(world),
            islands: Vec::new(),
            index_by_slots: HashMap::new(),
            current: Vec::with_capacity(free),
            island_of_slot: vec![0; free],
            connected: DisjointSets::new(free),
            slots: Vec::with_capacity(free),
            order: Vec::with_capacity(world.sites.len().min(TOUCHES_RESERVED)),
        })
    }

    /// Finds the bodies that joints, springs, motors or touches connect. Returns whether there are several islands.
    fn connect_bodies(&mut self, world: &World, state: &State) -> bool {
        self.connected.copy_from(&self.linked);
        for touch in &state.touches {
            let (a, b) = world.bodies_at(touch.site);
            if let (Some(a), Some(b)) = (world.columns.free_index[a], world.columns.free_index[b]) {
                self.connected.join(a, b);
            }
        }
        self.connected.has_several()
    }

    /// Counts a step that was common to all bodies and updates the largest speed of each body. After some such steps, islands
    /// that stay apart take steps of their own.
    pub fn count_common_step(&mut self, world: &World, state: &mut State) {
        let several = self.connect_bodies(world, state);
        let State { windows, layout, y, .. } = state;
        for (slot, (pace, &body)) in windows.paces.iter_mut().zip(&world.free).enumerate() {
            let pose = layout.pose(y, slot);
            let speed =
                pose.velocity.length() + pose.spin.length() * world.columns.bounding_radius[body];
            pace.largest_speed = pace.largest_speed.max(speed);
        }
        windows.open = false;
        windows.common_steps = if several { windows.common_steps.saturating_add(1) } else { 0 };
    }

    /// Takes the steps of a window, at most until a time. `step` is the length that a common step would have. Returns false,
    /// without any step, if all bodies belong to one island.
    ///
    /// # Errors
    /// As [`crate::Run::step`].
    pub fn take_window(
        &mut self,
        world: &World,
        state: &mut State,
        step: f64,
        until: f64,
        observer: &mut impl Observer,
    ) -> Result<bool> {
        let begun = state.time;
        if !self.connect_bodies(world, state) {
            state.windows.give_up();
            return Ok(false);
        }
        if !state.windows.open {
            self.begin_paces(world, state);
        }
        let length = length(state, step);
        let end = until.min(begun + length);
        if !(end > begun) || !self.find_first_steps(world, state, end)? {
            state.windows.give_up();
            return Ok(false);
        }
        let (reached, outcome) = self.take_steps(world, state, end, observer);
        // If an island cannot continue, the others are brought to the same time, so that everything up to there is kept.
        self.stop_at(world, reached, observer)?;
        let steps = self.assemble_end(world, state);
        outcome?;
        let windows = &mut state.windows;
        let whole = reached >= begun + length;
        windows.length = match whole || steps > TARGET_STEPS {
            true => {
                (reached - begun)
                    * (TARGET_STEPS / steps).clamp(LENGTH_RATIO_BOUNDS.0, LENGTH_RATIO_BOUNDS.1)
            }
            // The window was cut short and says nothing about the best length.
            false => length,
        };
        match whole || steps >= MIN_STEPS {
            true => windows.continue_windows(),
            false => windows.give_up(),
        }
        Ok(true)
    }

    /// Sets the paces of the islands after common steps: length and integrator of the common steps, and scales of the motion of
    /// each body.
    fn begin_paces(&mut self, world: &World, state: &mut State) {
        let &mut State { step, pace, .. } = state;
        for (of_body, &body) in state.windows.paces.iter_mut().zip(&world.free) {
            let speed = of_body.largest_speed;
            let kinetic = 0.5 * world.columns.mass[body] * speed * speed;
            let largest_kinetic = of_body.largest_kinetic.max(kinetic);
            *of_body = IslandPace { step, pace, largest_speed: speed, largest_kinetic };
        }
    }

    /// Creates the islands and finds their first steps. Islands whose bodies may touch become one. Returns false if only one
    /// remains.
    fn find_first_steps(&mut self, world: &World, state: &mut State, end: f64) -> Result<bool> {
        if self.islands.len() > MAX_ISLANDS_PER_BODY * world.free.len() {
            self.islands.clear();
            self.index_by_slots.clear();
        }
        for island in &mut self.islands {
            island.found = None;
        }
        loop {
            self.select_islands(world);
            if self.current.len() < 2 {
                return Ok(false);
            }
            for &index in &self.current {
                let island = &mut self.islands[index];
                if island.found.is_none() {
                    let paces = island.members.slots.iter().map(|&slot| state.windows.paces[slot]);
                    let Some(pace) = paces.reduce(IslandPace::merged_with) else { continue };
                    island.read(state, &pace);
                    island.find(end)?;
                }
            }
            let mut apart = true;
            for island in 0..self.current.len() {
                for i in 0..self.islands[self.current[island]].members.slots.len() {
                    let slot = self.islands[self.current[island]].members.slots[i];
                    for n in 0..self.neighbours[slot].len() {
                        let (contact, other) = self.neighbours[slot][n];
                        let joined = self.connected.are_joined(slot, other);
                        if !joined && self.may_touch(world, contact, (slot, other), state.time) {
                            self.connected.join(slot, other);
                            apart = false;
                        }
                    }
                }
            }
            // Evaluations of steps that are dropped because islands become one are also counted.
            for &index in &self.current {
                let island = &mut self.islands[index];
                state.counts.add(std::mem::take(&mut island.scratch.counts), &island.world);
            }
            if apart {
                return Ok(true);
            }
        }
    }

    /// Finds or creates the islands of this window.
    fn select_islands(&mut self, world: &World) {
        self.current.clear();
        for root in self.connected.roots() {
            self.slots.clear();
            self.slots.extend(self.connected.members(root));
            let index = match self.index_by_slots.get(&self.slots) {
                Some(&index) => index,
                None => {
                    self.index_by_slots.insert(self.slots.clone(), self.islands.len());
                    self.islands.push(Island::new(world, &self.slots));
                    self.islands.len() - 1
                }
            };
            for &slot in &self.slots {
                self.island_of_slot[slot] = self.current.len();
            }
            self.current.push(index);
        }
    }

    /// Returns whether two free bodies of different islands may touch at a contact, from a time `from` on, during the steps that
    /// were found for the two islands.
    fn may_touch(
        &mut self,
        world: &World,
        contact: usize,
        (slot, other): (usize, usize),
        from: f64,
    ) -> bool {
        let first = world.columns.free_index[world.shapes[world.contacts[contact].a].body];
        let slots = if first == Some(slot) { [slot, other] } else { [other, slot] };
        let pair = slots.map(|slot| self.current[self.island_of_slot[slot]]);
        match self.islands.get_disjoint_mut(pair) {
            Ok(islands) => self.approach.may_touch(world, contact, islands, from),
            // Both bodies belong to the same island.
            Err(_) => false,
        }
    }

    /// Returns whether a body of an island may touch a body of another island from a time on.
    fn may_touch_any(&mut self, world: &World, island: usize, from: f64) -> bool {
        for i in 0..self.islands[self.current[island]].members.slots.len() {
            let slot = self.islands[self.current[island]].members.slots[i];
            for n in 0..self.neighbours[slot].len() {
                let (contact, other) = self.neighbours[slot][n];
                if self.may_touch(world, contact, (slot, other), from) {
                    return true;
                }
            }
        }
        false
    }

    /// Takes the steps of all islands in the order of their ends. Returns the time at which the window has to end, which is `end`
    /// at the latest, and an error if an island cannot continue. `state` is the state at the beginning of the window.
    fn take_steps(
        &mut self,
        world: &World,
        state: &State,
        end: f64,
        observer: &mut impl Observer,
    ) -> (f64, Result<()>) {
        let mut left = MAX_STEPS * world.free.len() as f64;
        loop {
            let ends = self.current.iter().enumerate();
            let ends = ends.filter(|(_, index)| self.islands[**index].found.is_some());
            let ends = ends.map(|(island, &index)| (island, self.islands[index].end()));
            let Some((next, time)) = ends.min_by(|a, b| a.1.total_cmp(&b.1)) else {
                return (end, Ok(()));
            };
            sample_until(world, time, observer, |time| self.state_at(state, time));
            let island = &mut self.islands[self.current[next]];
            if let Err(error) = island.apply(world, observer) {
                return (time, Err(error));
            }
            if observer.wants_steps() {
                observer.stepped(&Sample::of(world, &self.state_at(state, time)));
            }
            let island = &mut self.islands[self.current[next]];
            if island.state.time >= end {
                continue;
            }
            left -= island.members.slots.len() as f64;
            if let Err(error) = island.find(end) {
                return (time, Err(error));
            }
            if left < 0.0 || self.may_touch_any(world, next, time) {
                return (time, Ok(()));
            }
        }
    }

    /// Returns the state of the whole scene at a time within the steps that were found. `begin` is the state at the beginning of
    /// the window.
    fn state_at(&mut self, begin: &State, time: f64) -> State {
        let states = self.current.iter().map(|&index| self.islands[index].state_at(time));
        let states: Vec<State> = states.collect();
        let mut state = begin.clone();
        assemble(&self.islands, &self.current, |i| &states[i], &mut self.order, &mut state);
        state.time = time;
        state
    }

    /// Brings all islands to a time that lies within the steps that were found.
    fn stop_at(&mut self, world: &World, time: f64, observer: &mut impl Observer) -> Result<()> {
        for &index in &self.current {
            let island = &mut self.islands[index];
            island.drop_step();
            while island.state.time < time {
                island.find(time)?;
                island.apply(world, observer)?;
            }
        }
        Ok(())
    }

    /// Assembles the state of the whole scene when all islands are at the same time. Returns the number of steps of a body, on
    /// average.
    fn assemble_end(&mut self, world: &World, state: &mut State) -> f64 {
        let Self { islands, current, order, .. } = self;
        assemble(islands, current, |i| &islands[current[i]].state, order, state);
        let mut steps = 0.0;
        for island in current.iter().map(|&index| &islands[index]) {
            for &slot in &island.members.slots {
                state.windows.paces[slot] = island.pace();
                steps += island.state.counts.steps as f64;
            }
        }
        if let Some(common) = state.windows.paces.iter().copied().reduce(IslandPace::merged_with) {
            (state.step, state.pace) = (common.step, common.pace);
        }
        state.largest_kinetic = state.largest_kinetic.max(state.kinetic(world));
        steps / state.windows.paces.len() as f64
    }
}

/// Assembles a state of the whole scene. `state` is the state at the beginning of the window, `state_of` returns the states of
/// the islands.
fn assemble<'s>(
    islands: &[Island],
    current: &[usize],
    state_of: impl Fn(usize) -> &'s State,
    order: &mut Vec<(f64, usize, usize)>,
    state: &mut State,
) {
    // Normals between bodies of different islands are unknown and will be computed anew.
    state.normals.fill(Vec3::ZERO);
    order.clear();
    for (i, &index) in current.iter().enumerate() {
        let part = state_of(i);
        state.time = part.time;
        islands[index].write(part, state);
        order.extend(part.touches.iter().enumerate().map(|(n, touch)| (touch.begun, i, n)));
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    state.touches.clear();
    state.y.resize(state.layout.len(order.len()), 0.0);
    for (index, &(_, i, n)) in order.iter().enumerate() {
        let part = state_of(i);
        state.touches.push(islands[current[i]].members.touch(&part.touches[n]));
        let to = state.layout.touch_range(index);
        state.y[to].copy_from_slice(&part.y[part.layout.touch_range(n)]);
    }
}
