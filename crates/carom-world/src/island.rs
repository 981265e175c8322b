//! An island: a part of a world with its own state.
//!
//! Bodies that are connected to others neither by joints, springs and motors nor by touches in progress move independently of
//! them, as if they were alone with the ground and the driven bodies. They are copied into a world of their own, in which the
//! same kind of steps is taken with the error control, the step length and the integrator that this island requires. Members
//! keep their order in the whole world. The index of a member in the whole is therefore found in a sorted list, and its index
//! in the part by a binary search in that list.

use crate::actuator::{Actuator, Command, Coordinate, Effort};
use crate::element::{Anchor, Element};
use crate::input::StepInput;
use crate::joint::{Joint, Mount};
use crate::note::Note;
use crate::observe::{EndedTouch, Observer};
use crate::shape::Placed;
use crate::state::{Counts, IslandPace, State, Touch, Works};
use crate::step::{self, Change, Located, Scratch};
use crate::world::{Contact, Site, World};
use carom::Result;

/// Members of a part of a world: their indices in the whole, listed by their index in the part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    bodies: Vec<usize>,
    /// The free bodies, given by their index among the free bodies.
    pub slots: Vec<usize>,
    shapes: Vec<usize>,
    contacts: Vec<usize>,
    sites: Vec<usize>,
    joints: Vec<usize>,
    elements: Vec<usize>,
    actuators: Vec<usize>,
    /// The motors that are set by a controller, given by their number among such motors.
    held_motors: Vec<usize>,
}

/// A part of a world, its state, and its next step.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    pub members: Members,
    pub world: World,
    pub state: State,
    pub scratch: Scratch,
    /// The next step, once it has been found.
    pub found: Option<Located>,
    stalled: usize,
}

/// Returns the index in the part of a member with the given index in the whole.
fn local_index(members: &[usize], index: usize) -> usize {
    members.partition_point(|&member| member < index)
}

/// Returns the bodies on which an actuator acts.
pub(crate) fn bodies_of(world: &World, actuator: &Actuator) -> (usize, usize) {
    match &actuator.on {
        Coordinate::Joint(joint, _) => (world.joints[*joint].a.body, world.joints[*joint].b.body),
        Coordinate::Distance(a, b) => (a.body, b.body),
    }
}

impl Members {
    /// Collects the members that belong to some free bodies, given in ascending order. Elements between bodies none of which is
    /// free belong to the island of the first free body.
    fn of(world: &World, slots: &[usize]) -> Self {
        let is_member = |body: usize| {
            world.columns.free_index[body].is_some_and(|slot| slots.binary_search(&slot).is_ok())
        };
        let is_free = |body: usize| world.columns.free_index[body].is_some();
        let belongs = |(a, b): (usize, usize)| match is_free(a) || is_free(b) {
            true => is_member(a) || is_member(b),
            false => slots.first() == Some(&0),
        };
        // A contact between bodies of two islands belongs to neither.
        let contact_belongs = |contact: &Contact| {
            let bodies = [contact.a, contact.b].map(|shape| world.shapes[shape].body);
            bodies.iter().all(|&body| is_member(body) || !is_free(body))
        };
        fn indices_where<T>(all: &[T], belongs: impl Fn(&T) -> bool) -> Vec<usize> {
            (0..all.len()).filter(|&index| belongs(&all[index])).collect()
        }
        let contacts = indices_where(&world.contacts, contact_belongs);
        let joints = indices_where(&world.joints, |joint| belongs((joint.a.body, joint.b.body)));
        let elements = indices_where(&world.elements, |element| belongs(element.bodies()));
        let actuators = indices_where(&world.actuators, |one| belongs(bodies_of(world, one)));
        let mut shapes: Vec<usize> = contacts
            .iter()
            .flat_map(|&index| [world.contacts[index].a, world.contacts[index].b])
            .collect();
        shapes.sort_unstable();
        shapes.dedup();
        let mut bodies = vec![0];
        bodies.extend(slots.iter().map(|&slot| world.free[slot]));
        bodies.extend(shapes.iter().map(|&shape| world.shapes[shape].body));
        for &joint in &joints {
            bodies.extend([world.joints[joint].a.body, world.joints[joint].b.body]);
        }
        for &element in &elements {
            bodies.extend(<[usize; 2]>::from(world.elements[element].bodies()));
        }
        for &actuator in &actuators {
            bodies.extend(<[usize; 2]>::from(bodies_of(world, &world.actuators[actuator])));
        }
        bodies.sort_unstable();
        bodies.dedup();
        let held = |&index: &usize| match world.actuators[index].effort {
            Effort::Motor { command: Command::Held(number), .. } => Some(number),
            _ => None,
        };
        let mut held_motors: Vec<usize> = actuators.iter().filter_map(held).collect();
        held_motors.sort_unstable();
        let sites =
            indices_where(&world.sites, |site| contacts.binary_search(&site.contact).is_ok());
        let slots = slots.to_vec();
        Self { bodies, slots, shapes, contacts, sites, joints, elements, actuators, held_motors }
    }

    /// Creates the world of these members alone.
    fn world(&self, whole: &World) -> World {
        let body = |index: usize| local_index(&self.bodies, index);
        let mut world = World {
            gravity: whole.gravity,
            planar: whole.planar,
            min_onset_speed: whole.min_onset_speed,
            tolerance: whole.tolerance,
            method: whole.method,
            ..World::default()
        };
        for &index in &self.bodies[1..] {
            world.push(whole.bodies[index].clone());
        }
        for (index, &of_whole) in self.bodies.iter().enumerate() {
            world.columns.bounding_radius[index] = whole.columns.bounding_radius[of_whole];
        }
        let placed = |&index: &usize| {
            let placed = &whole.shapes[index];
            Placed { body: body(placed.body), ..placed.clone() }
        };
        world.shapes = self.shapes.iter().map(placed).collect();
        let contact = |&index: &usize| {
            let contact = whole.contacts[index].clone();
            let [a, b] = [contact.a, contact.b].map(|shape| local_index(&self.shapes, shape));
            Contact { a, b, ..contact }
        };
        world.contacts = self.contacts.iter().map(contact).collect();
        let site = |&index: &usize| {
            let Site { contact, number } = whole.sites[index];
            Site { contact: local_index(&self.contacts, contact), number }
        };
        world.sites = self.sites.iter().map(site).collect();
        let joint = |&index: &usize| {
            let joint = whole.joints[index].clone();
            let mount = |mount: Mount| Mount { body: body(mount.body), ..mount };
            Joint { a: mount(joint.a), b: mount(joint.b), ..joint }
        };
        world.joints = self.joints.iter().map(joint).collect();
        world.elements = self.elements.iter().map(|&i| self.element(&whole.elements[i])).collect();
        world.actuators =
            self.actuators.iter().map(|&i| self.actuator(&whole.actuators[i])).collect();
        world
    }

    fn anchor(&self, anchor: &Anchor) -> Anchor {
        Anchor { body: local_index(&self.bodies, anchor.body), ..*anchor }
    }

    fn element(&self, element: &Element) -> Element {
        let mut element = element.clone();
        match &mut element {
            Element::Spring { a, b, .. } => (*a, *b) = (self.anchor(a), self.anchor(b)),
            Element::Force { at, .. } => *at = self.anchor(at),
            Element::Couple { body, .. } | Element::Drag { body, .. } => {
                *body = local_index(&self.bodies, *body);
            }
        }
        element
    }

    fn actuator(&self, actuator: &Actuator) -> Actuator {
        let mut actuator = actuator.clone();
        match &mut actuator.on {
            Coordinate::Joint(joint, _) => *joint = local_index(&self.joints, *joint),
            Coordinate::Distance(a, b) => (*a, *b) = (self.anchor(a), self.anchor(b)),
        }
        if let Effort::Motor { command: Command::Held(number), .. } = &mut actuator.effort {
            *number = local_index(&self.held_motors, *number);
        }
        actuator
    }

    /// Converts a touch of the part to one of the whole.
    pub fn touch(&self, touch: &Touch) -> Touch {
        Touch { site: self.sites[touch.site], ..touch.clone() }
    }

    /// Converts a note of the part to one of the whole.
    fn note(&self, note: &Note) -> Note {
        let mut note = note.clone();
        match &mut note {
            Note::SpeedFloor { contact, .. }
            | Note::Gain { contact, .. }
            | Note::Overlap { contact, .. }
            | Note::Deep { contact, .. }
            | Note::Through { contact, .. } => *contact = self.contacts[*contact],
            Note::Jump { joint: true, index, .. } => *index = self.joints[*index],
            Note::Jump { index, .. } => *index = self.bodies[*index],
            _ => {}
        }
        note
    }
}

impl Island {
    /// Creates the part of a world with some free bodies, given by their indices among the free bodies, in ascending order.
    pub fn new(whole: &World, slots: &[usize]) -> Self {
        let members = Members::of(whole, slots);
        let world = members.world(whole);
        let mut state = State::as_added(&world);
        Scratch::reserve(&world, &mut state);
        let mut scratch = Scratch::new(&world, &state);
        if !whole.sites.is_empty() {
            scratch.scales.limit_by_joints(&world);
        }
        Self { members, world, state, scratch, found: None, stalled: 0 }
    }

    /// Returns the index in the part of a body of the whole.
    pub fn body(&self, body: usize) -> usize {
        local_index(&self.members.bodies, body)
    }

    /// Copies its part of a state of the whole, with the pace of the island. Works, notes and counts start from zero.
    pub fn read(&mut self, whole: &State, pace: &IslandPace) {
        let Self { members, world, state, scratch, stalled, .. } = self;
        let layout = state.layout;
        state.time = whole.time;
        let of_part = |touch: &&Touch| members.sites.binary_search(&touch.site).is_ok();
        let count = whole.touches.iter().filter(of_part).count();
        state.y.resize(layout.len(count), 0.0);
        layout.set_works(&mut state.y, &Works::default());
        for (slot, &of_whole) in members.slots.iter().enumerate() {
            let ranges = layout.body_ranges(slot).into_iter();
            for (to, from) in ranges.zip(whole.layout.body_ranges(of_whole)) {
                state.y[to].copy_from_slice(&whole.y[from]);
            }
        }
        state.touches.clear();
        for (index, touch) in whole.touches.iter().enumerate().filter(|(_, one)| of_part(one)) {
            let to = layout.touch_range(state.touches.len());
            state.y[to].copy_from_slice(&whole.y[whole.layout.touch_range(index)]);
            let site = local_index(&members.sites, touch.site);
            state.touches.push(Touch { site, ..touch.clone() });
        }
        copy_members(&mut state.joints, &whole.joints, &members.joints);
        copy_members(&mut state.held_efforts, &whole.held_efforts, &members.held_motors);
        copy_members(&mut state.is_open, &whole.is_open, &members.sites);
        copy_members(&mut state.normals, &whole.normals, &members.sites);
        copy_members(&mut state.accounts, &whole.accounts, &members.contacts);
        let &IslandPace { step, pace, largest_speed, largest_kinetic } = pace;
        (state.step, state.pace) = (step, pace);
        (state.largest_speed, state.largest_kinetic) = (largest_speed, largest_kinetic);
        state.notes.clear();
        state.counts = Counts::default();
        *stalled = 0;
        scratch.restart(world, state);
    }

    /// Returns the data with which the island continues.
    pub fn pace(&self) -> IslandPace {
        let &State { step, pace, largest_speed, largest_kinetic, .. } = &self.state;
        IslandPace { step, pace, largest_speed, largest_kinetic }
    }

    /// Writes a state of the part into one of the whole, except for its touches. Works and counts are added.
    pub fn write(&self, state: &State, whole: &mut State) {
        let members = &self.members;
        for (slot, &of_whole) in members.slots.iter().enumerate() {
            let ranges = whole.layout.body_ranges(of_whole).into_iter();
            for (to, from) in ranges.zip(state.layout.body_ranges(slot)) {
                whole.y[to].copy_from_slice(&state.y[from]);
            }
        }
        let (old, new) = (whole.layout.works(&whole.y), state.layout.works(&state.y));
        let works = Works {
            constraints: old.constraints + new.constraints,
            driven_bodies: old.driven_bodies + new.driven_bodies,
            forces: old.forces + new.forces,
            dampers: old.dampers + new.dampers,
        };
        whole.layout.set_works(&mut whole.y, &works);
        write_members(&mut whole.joints, &state.joints, &members.joints);
        write_members(&mut whole.is_open, &state.is_open, &members.sites);
        write_members(&mut whole.normals, &state.normals, &members.sites);
        write_members(&mut whole.accounts, &state.accounts, &members.contacts);
        whole.largest_speed = whole.largest_speed.max(state.largest_speed);
        whole.largest_kinetic = whole.largest_kinetic.max(state.largest_kinetic);
        for note in &state.notes {
            whole.note(members.note(note));
        }
        whole.counts.steps += state.counts.steps;
        whole.counts.refused += state.counts.refused;
        whole.counts.evaluations += state.counts.evaluations;
        whole.counts.body_evaluations += state.counts.body_evaluations;
    }

    /// Finds the next step, which ends at the latest at the time `until`.
    ///
    /// # Errors
    /// As [`step::find`].
    pub fn find(&mut self, until: f64) -> Result<()> {
        let Self { world, state, scratch, stalled, .. } = self;
        self.found = Some(step::find(world, state, scratch, stalled, until)?);
        Ok(())
    }

    /// Applies the step that was found, and reports the changes to the observer of the whole.
    ///
    /// # Errors
    /// As [`step::apply`].
    pub fn apply(&mut self, whole: &World, observer: &mut impl Observer) -> Result<()> {
        let Self { members, world, state, scratch, found, .. } = self;
        let Some(found) = found.take() else { return Ok(()) };
        for change in step::apply(world, state, scratch, &found)? {
            match change {
                Change::Began(touch) => observer.began(whole, state.time, &members.touch(touch)),
                Change::Ended(ended) => {
                    let contact = members.contacts[ended.contact];
                    observer.ended(whole, &EndedTouch { contact, ..*ended });
                }
            }
        }
        Ok(())
    }

    /// Discards the step that was found. Its evaluations are counted nevertheless.
    pub fn drop_step(&mut self) {
        self.found = None;
        self.state.counts.add(std::mem::take(&mut self.scratch.counts), &self.world);
    }

    /// Returns the time at which the step that was found ends (s); the time of the state if there is none.
    pub fn end(&self) -> f64 {
        self.found.map_or(self.state.time, |found| found.time)
    }

    /// Returns the input of the step that was found.
    fn input(&mut self) -> (StepInput<'_>, &mut Scratch) {
        let horizon = self.found.map_or(f64::INFINITY, |found| found.horizon);
        let Self { world, state, scratch, .. } = self;
        (StepInput { world, state, horizon }, scratch)
    }

    /// Computes the state at a time within the step that was found.
    pub fn state_at(&mut self, time: f64) -> State {
        let (input, scratch) = self.input();
        step::state_at(&input, scratch, time)
    }

    /// Computes the dense output of the step that was found.
    pub fn interpolate(&mut self) {
        let (input, scratch) = self.input();
        step::interpolate(&input, scratch);
    }
}

/// Copies the members' values. Nothing is copied if the part has no such values, as for normals on which no gap depends.
fn copy_members<T: Copy>(part: &mut [T], whole: &[T], members: &[usize]) {
    for (to, from) in part.iter_mut().zip(members.iter().map(|&index| whole.get(index))) {
        *to = from.copied().unwrap_or(*to);
    }
}

/// Writes the members' values into those of the whole.
fn write_members<T: Copy>(whole: &mut [T], part: &[T], members: &[usize]) {
    for (from, &index) in part.iter().zip(members) {
        whole[index] = *from;
    }
}
