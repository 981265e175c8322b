//! Search for the contacts that are closed in the middle of a step.
//!
//! Gap, normal and rows of a contact depend only on the poses of the bodies. Between bodies that have not moved since the
//! last step they are reused; this does not change the result by a single bit, and avoids nearly all of the work for bodies
//! at rest.

use super::active::{self, ActiveContact, BeginningOfStep};
use super::limits;
use super::rows::ContactRows;
use crate::dynamics::{BodyResponse, Evaluation};
use crate::gap::{self, NormalMemory};
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap, smaller_body_size};
use crate::math::{Quat, Vec3};
use crate::note::Note;
use crate::state::{State, normal_memories};
use crate::step::{FeatureBoxes, GapBounds};
use crate::world::World;
use carom::Result;
use std::ops::Range;

/// A touch in progress counts as closed while its gap is below this fraction of the size of the smaller body. Otherwise, if
/// rounding opened one corner of a sliding box, the box would tip over the other corners for a step.
const STILL_CLOSED: f64 = 1e-9;

/// Contacts that act in a step, in the order of their sites, and the data needed to find them.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    pub active: Vec<ActiveContact>,
    /// Rows of these contacts in the same order, followed by those of the friction of joints.
    pub rows: Vec<ContactRows>,
    boxes: FeatureBoxes,
    memories: Vec<NormalMemory>,
    /// For each contact of the world: its sites, restitution and friction coefficient, and whether its gaps depend on the
    /// pose alone.
    pairs: Vec<(Range<usize>, (f64, f64), bool)>,
    /// Bodies at the beginning of the step, and the sites that touched then, in ascending order.
    bodies_before: Kinematics,
    touching: Vec<usize>,
    /// Poses of the bodies in the last step, and which bodies have not moved since.
    poses: Vec<(Vec3, Quat)>,
    still: Vec<bool>,
    // Buffers: contacts of the last step, closed sites, rows for reuse, normals, responses.
    last: (Vec<ActiveContact>, Vec<ContactRows>),
    closed: Vec<(usize, SiteGap, bool)>,
    spare: Vec<ContactRows>,
    normals: Vec<Vec3>,
    responses: Vec<BodyResponse>,
}

impl Contacts {
    pub fn new(world: &World) -> Self {
        let memories = normal_memories(world);
        let mut begin = 0;
        let pair = |(number, contact)| {
            let count = world.sites[begin..].iter().take_while(|site| site.contact == number);
            let sites = begin..begin + count.count();
            begin = sites.end;
            // Contacts without a restitution have been rejected before.
            let restitution = limits::restitution(contact).unwrap_or(0.0);
            let iterated = sites.clone().any(|s| memories.get(s) == Some(&NormalMemory::Always));
            (sites, (restitution, limits::friction(contact)), !iterated)
        };
        Self {
            pairs: world.contacts.iter().enumerate().map(pair).collect(),
            boxes: FeatureBoxes::new(world),
            memories,
            active: Vec::new(),
            rows: Vec::new(),
            bodies_before: Kinematics::new(world),
            touching: Vec::new(),
            poses: Vec::new(),
            still: Vec::new(),
            last: (Vec::new(), Vec::new()),
            closed: Vec::new(),
            spare: Vec::new(),
            normals: Vec::new(),
            responses: Vec::new(),
        }
    }

    /// Stores the bodies and the touches at the beginning of a step.
    pub fn begin(&mut self, state: &State, kinematics: &Kinematics) {
        self.bodies_before.bodies.clone_from(&kinematics.bodies);
        self.touching.clear();
        self.touching.extend(state.rigid_touches.iter().map(|touch| touch.site));
        self.touching.sort_unstable();
    }

    /// Finds the contacts that are closed at the state at which the equations of motion were last evaluated.
    ///
    /// # Errors
    /// When joints prevent any relative motion of two bodies along the normal of their contact.
    pub fn find(
        &mut self,
        world: &World,
        state: &mut State,
        evaluation: &mut Evaluation,
        (time, length): (f64, f64),
    ) -> Result<()> {
        self.find_still(world, evaluation);
        self.find_closed(world, state, evaluation, length);
        // The friction of joints is added anew in every step.
        self.rows.truncate(self.active.len());
        std::mem::swap(&mut self.last.0, &mut self.active);
        std::mem::swap(&mut self.last.1, &mut self.rows);
        self.active.clear();
        self.rows.clear();
        let mut old = self.last.0.iter().zip(self.last.1.iter_mut()).peekable();
        for &(site, at, known) in &self.closed {
            record_overlap(world, state, site, -at.gap.distance, time);
            // Rows of contacts that no longer act are reused.
            while let Some((_, rows)) = old.next_if(|(active, _)| active.site < site) {
                self.spare.push(std::mem::take(rows));
            }
            if let Some((active, rows)) = old.next_if(|(active, _)| known && active.site == site) {
                let mut active = active.clone();
                active.end_sides = active.sides;
                self.active.push(active);
                self.rows.push(std::mem::take(rows));
                continue;
            }
            let mut rows = self.spare.pop().unwrap_or_default();
            let (_, coefficients, _) = self.pairs[world.sites[site].contact];
            let found = &mut self.responses;
            let beginning =
                BeginningOfStep::of(&self.bodies_before, &StepInput::at(world, state), site);
            let at = (site, at, beginning);
            let active = active::act(world, evaluation, at, coefficients, &mut rows, found)?;
            self.active.push(active);
            self.rows.push(rows);
        }
        self.spare.extend(old.map(|(_, rows)| std::mem::take(rows)));
        for rows in &mut self.rows {
            (rows.impulse, rows.bias, rows.floor) = ([0.0; 3], 0.0, 0.0);
        }
        Ok(())
    }

    /// Returns the pose of a body in the middle of the step.
    pub fn middle(&self, body: usize) -> (Vec3, Quat) {
        self.poses[body]
    }

    /// Returns whether any site of a contact of the world acts in the step.
    pub fn acts(&self, world: &World, contact: usize) -> bool {
        self.active.iter().any(|active| world.sites[active.site].contact == contact)
    }

    /// Finds the bodies that have not moved since the last step. The responses of jointed bodies depend on each other, so if
    /// the scene has joints, bodies count as unmoved only if no body has moved.
    fn find_still(&mut self, world: &World, evaluation: &Evaluation) {
        let now = evaluation.kinematics.bodies.iter().map(|body| (body.x, body.q));
        self.still.clear();
        if self.poses.is_empty() {
            self.poses.extend(now);
            self.still.resize(self.poses.len(), false);
            return;
        }
        for (pose, now) in self.poses.iter_mut().zip(now) {
            self.still.push(*pose == now);
            *pose = now;
        }
        if !world.joints.is_empty() && self.still.contains(&false) {
            self.still.fill(false);
        }
    }

    /// Lists the sites whose gap is closed, and for each whether it is unchanged from the last step, with the same poses.
    fn find_closed(
        &mut self,
        world: &World,
        state: &mut State,
        evaluation: &Evaluation,
        length: f64,
    ) {
        let kinematics = &evaluation.kinematics;
        let mut bounds = GapBounds::new(world, &self.boxes, kinematics);
        let input = StepInput::at(world, state);
        self.closed.clear();
        self.normals.clone_from(&state.normals);
        let mut old = self.active.iter().peekable();
        let mut touching = self.touching.iter().peekable();
        for (sites, _, by_pose) in &self.pairs {
            let Some((a, b)) = (!sites.is_empty()).then(|| world.bodies_at(sites.start)) else {
                continue;
            };
            if *by_pose && self.still[a] && self.still[b] {
                while old.next_if(|active| active.site < sites.start).is_some() {}
                while let Some(active) = old.next_if(|active| active.site < sites.end) {
                    self.closed.push((active.site, active.at, true));
                }
                continue;
            }
            let reserve = STILL_CLOSED * smaller_body_size(world, a, b);
            for site in sites.clone() {
                let memory = self.memories.get(site).copied().unwrap_or(NormalMemory::Unused);
                while touching.next_if(|known| **known < site).is_some() {}
                let known = touching.next_if(|known| **known == site).is_some();
                if !known && memory != NormalMemory::Always && bounds.exceeds(site, reserve) {
                    if memory == NormalMemory::WhileTouching {
                        self.normals[site] = Vec3::ZERO;
                    }
                    continue;
                }
                let found = kinematics.gap(&input, site);
                // Bodies that were placed in contact may be apart by rounding, and touching bodies separate slightly as
                // rounding accumulates. Curved surfaces that slide or roll on each other separate in the middle of a step,
                // because the bodies move there along straight lines, and by the errors of earlier steps.
                let curved = |site| {
                    let beginning = BeginningOfStep::of(&self.bodies_before, &input, site)?;
                    Some(length * beginning.change_of_gap_rate(kinematics, &found).abs())
                };
                let distance = found.gap.distance;
                let acts = distance <= kinematics.gap_rounding(world, found.a, found.b)
                    || known
                        && (distance <= STILL_CLOSED * smaller_body_size(world, found.a, found.b)
                            || curved(site).is_some_and(|most| distance <= most));
                match memory {
                    NormalMemory::Unused => {}
                    NormalMemory::WhileTouching if !acts => self.normals[site] = Vec3::ZERO,
                    _ => self.normals[site] = found.gap.normal,
                }
                if acts {
                    self.closed.push((site, found, false));
                }
            }
        }
        state.normals.copy_from_slice(&self.normals);
    }
}

/// Updates the largest overlap, and adds a note if an overlap is no longer small relative to the bodies.
fn record_overlap(world: &World, state: &mut State, site: usize, overlap: f64, time: f64) {
    state.overlap_max = state.overlap_max.max(overlap);
    let [a, b] = world.shapes_at(site);
    let limit = gap::smooth_depth(a, b).min(gap::valid_depth(a, b));
    if overlap > limit {
        let (contact, name) = (world.sites[site].contact, world.contact_at(site).name.clone());
        state.note(Note::RigidOverlap { contact, name, overlap, limit, time });
    }
}
