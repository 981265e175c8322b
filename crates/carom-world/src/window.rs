//! Windows: islands that take steps of their own.
//!
//! With steps common to all bodies a stack that trembles beside a mechanism is computed at the pace of both, and N balls that bounce one by one
//! cost N². So where bodies fall apart into several islands and stay apart for a while, each island takes steps of its own (`island.rs`) for the length
//! of a window, after which all are at the same time again. Only then is there a state of the whole: checkpoints, controllers and
//! other islands come between windows.
//!
//! Within a window a step of every island has been found and not been applied. The one that ends first is applied, at time t, and the next one of
//! that island is found. So all steps that were found begin before t and end after it:
//!
//! - a sample at any time up to the next end is the state of all islands within their steps;
//! - what begins and ends is seen in the order of time;
//! - whether bodies of two islands may touch is known before either of them has come so far (`window/approach.rs`). Where they may, the window ends at t, and
//!   in the next one they are one island. Nothing has to be taken back, and onsets are found by steps of the bodies that touch.
//!
//! Which bodies are islands follows from the state alone, and so do the lengths of windows and whether there are any: a run that is
//! resumed between windows has the same.

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

/// Steps that each body should take in a window, on average; the length of the next window aims at it. The end of the window cuts the last
/// step of every island short, so that much fewer would waste work.
const STEPS_AIMED_AT: f64 = 32.0;
/// A window in which each body has taken more steps than this, on average, ends at once: runs are stopped, watched and saved between windows.
const MAX_STEPS: f64 = 4.0 * STEPS_AIMED_AT;
/// After a window that ended early with fewer steps than this for each body, on average, common steps are taken: dividing the world and
/// putting it together again costs more than steps of their own save.
const MIN_STEPS: f64 = 8.0;
/// Bounds of the ratio of one window's length to that of the one before: the pace of the islands may have changed for a moment only.
const LENGTH_RATIO: (f64, f64) = (0.5, 4.0);
/// Islands that are kept for later windows, for each free body: a body that bounces belongs to a few islands in turn. More are dropped.
const KEPT_PER_BODY: usize = 4;

/// Takes the steps of the islands of a world.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    /// Free bodies that joints, springs or motors connect.
    linked: DisjointSets,
    /// By free body: contacts with other free bodies, and these.
    neighbours: Vec<Vec<(usize, usize)>>,
    approach: Approach,
    /// Islands that were made so far, and where one with these free bodies is.
    known: Vec<Island>,
    place: HashMap<Vec<usize>, usize>,
    /// Those of this window.
    current: Vec<usize>,
    /// By free body: the position of its island in `current`.
    owner: Vec<usize>,
    /// Free bodies of the same island: linked, touching, or about to touch.
    connected: DisjointSets,
    slots: Vec<usize>,
    /// When touches began, of which island they are, and which.
    order: Vec<(f64, usize, usize)>,
}

/// The length of the next window (s), where a common step would have this length.
pub(crate) fn length(state: &State, step: f64) -> f64 {
    if state.windows.length > 0.0 { state.windows.length } else { STEPS_AIMED_AT * step }
}

/// The free bodies that joints, springs or motors connect, by their place among the free bodies.
pub(crate) fn linked_bodies(world: &World) -> DisjointSets {
    let mut linked = DisjointSets::new(world.free.len());
    let joints = world.joints.iter().map(|joint| (joint.a.body, joint.b.body));
    let elements = world.elements.iter().map(|element| element.bodies());
    let actuators = world.actuators.iter().map(|actuator| bodies_of(world, actuator));
    for (a, b) in joints.chain(elements).chain(actuators) {
        if let (Some(a), Some(b)) = (world.columns.slot[a], world.columns.slot[b]) {
            linked.join(a, b);
        }
    }
    linked
}

impl Islands {
    /// For a world; none where joints connect all free bodies, or impacts are impulses.
    pub fn of(world: &World) -> Option<Self> {
        let free = world.free.len();
        let slot = |body: usize| world.columns.slot[body];
        let linked = linked_bodies(world);
        if world.method != ContactMethod::Smooth || !linked.are_several() {
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
            known: Vec::new(),
            place: HashMap::new(),
            current: Vec::with_capacity(free),
            owner: vec![0; free],
            connected: DisjointSets::new(free),
            slots: Vec::with_capacity(free),
            order: Vec::with_capacity(world.sites.len().min(TOUCHES_RESERVED)),
        })
    }

    /// Finds the bodies that joints, springs, motors or touches connect; whether there are several islands.
    fn connect(&mut self, world: &World, state: &State) -> bool {
        self.connected.copy_from(&self.linked);
        for touch in &state.touches {
            let (a, b) = world.bodies_at(touch.site);
            if let (Some(a), Some(b)) = (world.columns.slot[a], world.columns.slot[b]) {
                self.connected.join(a, b);
            }
        }
        self.connected.are_several()
    }

    /// Counts a step that was common to all bodies, and keeps the largest speed of each: after some such steps islands that stay apart get
    /// steps of their own.
    pub fn count_common_step(&mut self, world: &World, state: &mut State) {
        let several = self.connect(world, state);
        let State { windows, layout, y, .. } = state;
        for (slot, (pace, &body)) in windows.paces.iter_mut().zip(&world.free).enumerate() {
            let pose = layout.pose(y, slot);
            let speed = pose.velocity.length() + pose.spin.length() * world.columns.reach[body];
            pace.largest_speed = pace.largest_speed.max(speed);
        }
        windows.open = false;
        windows.since = if several { windows.since.saturating_add(1) } else { 0 };
    }

    /// Takes the steps of a window, at most until a time, where a common step would have the length `step`; false where all bodies are one
    /// island, and nothing was done.
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
        if !self.connect(world, state) {
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
        // Where an island cannot go on, the others come as far as it: what happened up to there is kept.
        self.stop_at(world, reached, observer)?;
        let steps = self.assemble_end(world, state);
        outcome?;
        let windows = &mut state.windows;
        let whole = reached >= begun + length;
        windows.length = match whole || steps > STEPS_AIMED_AT {
            true => {
                (reached - begun) * (STEPS_AIMED_AT / steps).clamp(LENGTH_RATIO.0, LENGTH_RATIO.1)
            }
            // Cut short: nothing is known about the length that it should have.
            false => length,
        };
        match whole || steps >= MIN_STEPS {
            true => windows.go_on(),
            false => windows.give_up(),
        }
        Ok(true)
    }

    /// The paces of the islands after common steps: the length and pair of these, and scales of their own motion.
    fn begin_paces(&mut self, world: &World, state: &mut State) {
        let &mut State { step, pace, .. } = state;
        for (known, &body) in state.windows.paces.iter_mut().zip(&world.free) {
            let speed = known.largest_speed;
            let kinetic = 0.5 * world.columns.mass[body] * speed * speed;
            let largest_kinetic = known.largest_kinetic.max(kinetic);
            *known = IslandPace { step, pace, largest_speed: speed, largest_kinetic };
        }
    }

    /// Makes the islands and finds their first steps; those that may touch become one. False where all are one.
    fn find_first_steps(&mut self, world: &World, state: &mut State, end: f64) -> Result<bool> {
        if self.known.len() > KEPT_PER_BODY * world.free.len() {
            self.known.clear();
            self.place.clear();
        }
        for island in &mut self.known {
            island.found = None;
        }
        loop {
            self.select(world);
            if self.current.len() < 2 {
                return Ok(false);
            }
            for &index in &self.current {
                let island = &mut self.known[index];
                if island.found.is_none() {
                    let paces = island.slots().iter().map(|&slot| state.windows.paces[slot]);
                    let Some(pace) = paces.reduce(IslandPace::with) else { continue };
                    island.read(state, &pace);
                    island.find(end)?;
                }
            }
            let mut apart = true;
            for island in 0..self.current.len() {
                for i in 0..self.known[self.current[island]].slots().len() {
                    let slot = self.known[self.current[island]].slots()[i];
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
            // Count the evaluations also of steps that are dropped because islands become one.
            for &index in &self.current {
                let island = &mut self.known[index];
                state.counts.add(std::mem::take(&mut island.scratch.counts), &island.world);
            }
            if apart {
                return Ok(true);
            }
        }
    }

    /// Finds or makes the islands of this window.
    fn select(&mut self, world: &World) {
        self.current.clear();
        for root in self.connected.roots() {
            self.slots.clear();
            self.slots.extend(self.connected.members(root));
            let index = match self.place.get(&self.slots) {
                Some(&index) => index,
                None => {
                    self.place.insert(self.slots.clone(), self.known.len());
                    self.known.push(Island::new(world, &self.slots));
                    self.known.len() - 1
                }
            };
            for &slot in &self.slots {
                self.owner[slot] = self.current.len();
            }
            self.current.push(index);
        }
    }

    /// Whether two free bodies of different islands may touch at a contact from a time on, while both islands take the steps that
    /// were found.
    fn may_touch(
        &mut self,
        world: &World,
        contact: usize,
        (slot, other): (usize, usize),
        from: f64,
    ) -> bool {
        let first = world.columns.slot[world.shapes[world.contacts[contact].a].body];
        let slots = if first == Some(slot) { [slot, other] } else { [other, slot] };
        let pair = slots.map(|slot| self.current[self.owner[slot]]);
        match self.known.get_disjoint_mut(pair) {
            Ok(islands) => self.approach.may_touch(world, contact, islands, from),
            // One island.
            Err(_) => false,
        }
    }

    /// Whether a body of an island may touch one of another from a time on.
    fn may_touch_any(&mut self, world: &World, island: usize, from: f64) -> bool {
        for i in 0..self.known[self.current[island]].slots().len() {
            let slot = self.known[self.current[island]].slots()[i];
            for n in 0..self.neighbours[slot].len() {
                let (contact, other) = self.neighbours[slot][n];
                if self.may_touch(world, contact, (slot, other), from) {
                    return true;
                }
            }
        }
        false
    }

    /// Takes the steps of all islands in the order of their ends; gives the time at which the window has to end, at `end` at the
    /// latest, and whether all islands can go on from there. `state` is that in which the window began.
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
            let ends = ends.filter(|(_, index)| self.known[**index].found.is_some());
            let ends = ends.map(|(island, &index)| (island, self.known[index].end()));
            let Some((next, time)) = ends.min_by(|a, b| a.1.total_cmp(&b.1)) else {
                return (end, Ok(()));
            };
            sample_until(world, time, observer, |time| self.state_at(state, time));
            let island = &mut self.known[self.current[next]];
            if let Err(error) = island.apply(world, observer) {
                return (time, Err(error));
            }
            if observer.wants_steps() {
                observer.stepped(&Sample::of(world, &self.state_at(state, time)));
            }
            let island = &mut self.known[self.current[next]];
            if island.state.time >= end {
                continue;
            }
            left -= island.slots().len() as f64;
            if let Err(error) = island.find(end) {
                return (time, Err(error));
            }
            if left < 0.0 || self.may_touch_any(world, next, time) {
                return (time, Ok(()));
            }
        }
    }

    /// The state of the whole at a time within the steps that were found, where it was `begin` when the window began.
    fn state_at(&mut self, begin: &State, time: f64) -> State {
        let states = self.current.iter().map(|&index| self.known[index].state_at(time));
        let states: Vec<State> = states.collect();
        let mut state = begin.clone();
        assemble(&self.known, &self.current, |i| &states[i], &mut self.order, &mut state);
        state.time = time;
        state
    }

    /// Brings all islands to a time, which lies within the steps that were found.
    fn stop_at(&mut self, world: &World, time: f64, observer: &mut impl Observer) -> Result<()> {
        for &index in &self.current {
            let island = &mut self.known[index];
            island.drop_step();
            while island.state.time < time {
                island.find(time)?;
                island.apply(world, observer)?;
            }
        }
        Ok(())
    }

    /// Puts the state of the whole together, with all islands at the same time; gives how many steps each body took, on average.
    fn assemble_end(&mut self, world: &World, state: &mut State) -> f64 {
        let Self { known, current, order, .. } = self;
        assemble(known, current, |i| &known[current[i]].state, order, state);
        let mut steps = 0.0;
        for island in current.iter().map(|&index| &known[index]) {
            for &slot in island.slots() {
                state.windows.paces[slot] = island.pace();
                steps += island.state.counts.steps as f64;
            }
        }
        if let Some(common) = state.windows.paces.iter().copied().reduce(IslandPace::with) {
            (state.step, state.pace) = (common.step, common.pace);
        }
        state.largest_kinetic = state.largest_kinetic.max(state.kinetic(world));
        steps / state.windows.paces.len() as f64
    }
}

/// Puts a state of the whole together. `state` is that in which the window began, `state_of` gives those of the islands.
fn assemble<'s>(
    known: &[Island],
    current: &[usize],
    state_of: impl Fn(usize) -> &'s State,
    order: &mut Vec<(f64, usize, usize)>,
    state: &mut State,
) {
    // Normals between bodies of different islands are not known: they are searched for anew.
    state.normals.fill(Vec3::ZERO);
    order.clear();
    for (i, &index) in current.iter().enumerate() {
        let part = state_of(i);
        state.time = part.time;
        known[index].write(part, state);
        order.extend(part.touches.iter().enumerate().map(|(n, touch)| (touch.begun, i, n)));
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    state.touches.clear();
    state.y.resize(state.layout.len(order.len()), 0.0);
    for (index, &(_, i, n)) in order.iter().enumerate() {
        let part = state_of(i);
        state.touches.push(known[current[i]].touch(&part.touches[n]));
        let to = state.layout.touch_range(index);
        state.y[to].copy_from_slice(&part.y[part.layout.touch_range(n)]);
    }
}
