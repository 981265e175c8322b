//! One step of the smooth method, in six stages. Each stage takes references and returns what it found.
//!
//! The stages are propose, try, cross, locate, sample and apply, each in the file of its name (`ARCHITECTURE.md` describes their
//! inputs and outputs). [`find`] proposes a step and then tries, crosses and locates it, with shorter steps until the error is
//! within the tolerance. Only the last stage, apply, changes the state. All buffers are in [`Scratch`], which follows from world
//! and state: if it is dropped and built anew between two steps, no bit of the results changes.

use crate::dynamics::Evaluation;
use crate::gap::NormalMemory;
use crate::input::StepInput;
use crate::integrator::Method;
use crate::kinematics::Kinematics;
use crate::math::Vec3;
use crate::state::{Counts, Phase, State, normal_memories};
use crate::world::World;
use carom::Result;

mod apply;
mod change;
mod corner;
mod crossings;
mod dense;
mod error;
mod event;
mod expected;
mod failure;
mod force_tangent;
pub(crate) mod joint_friction;
mod jump;
mod locate;
mod near_sites;
pub(crate) mod onset;
mod pace;
mod passage;
mod peak;
mod propose;
mod rest;
mod sample;
mod scales;
mod stage_equations;
mod together;
mod trial;

pub(crate) use apply::{apply, record_depth};
pub(crate) use change::Change;
pub(crate) use crossings::Crossing;
pub(crate) use event::Event;
pub(crate) use locate::Located;
pub(crate) use near_sites::{FeatureBoxes, GapBounds};
pub(crate) use propose::first_length;
pub(crate) use sample::{sample, state_at};
pub(crate) use scales::Scales;
pub(crate) use trial::{Trial, interpolate};

/// Number of touches for which buffers are allocated in advance, so that steps do not allocate. A scene may have more touches.
pub(crate) const TOUCHES_RESERVED: usize = 256;
/// Number of times that a step may be shortened before the run ends with an error.
const MAX_ATTEMPTS: usize = 60;
/// Number of successive steps that may hardly advance time; several events at the same instant need some such steps.
const MAX_STALLED: usize = 2000;
/// Displacement relative to the size of the smallest free body, at the largest speed so far, below which a step hardly advances
/// time.
const STALLED_TRAVEL: f64 = 1e-10;

/// The equations of motion evaluated at one state vector: forces, accelerations and the time derivative (`slope`) of the vector.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateDerivative {
    pub evaluation: Evaluation,
    pub slope: Vec<f64>,
}

impl StateDerivative {
    fn new(world: &World, capacity: usize) -> Self {
        Self { evaluation: Evaluation::new(world), slope: Vec::with_capacity(capacity) }
    }

    /// Evaluates the equations of motion at the time `t` and the state vector `y`.
    pub fn evaluate(&mut self, input: &StepInput, t: f64, y: &[f64]) {
        self.slope.resize(y.len(), 0.0);
        self.evaluation.evaluate(input, t, y, &mut self.slope);
    }
}

/// Buffers of the steps, and quantities of the state in which the next step begins; kept between steps so that these do not
/// allocate.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub scales: Scales,
    /// The equations of motion at the state in which the step begins.
    pub start: StateDerivative,
    pub start_quantities: StartQuantities,
    /// Bounding boxes of the features of all sites.
    pub boxes: FeatureBoxes,
    pub trial: Trial,
    /// Buffers for evaluations at instants within the step.
    pub probe: Probe,
    pub crossings: crossings::Buffers,
    pub jumps: Vec<jump::GapJump>,
    pub together: Vec<together::Participant>,
    pub after: Vec<apply::TouchAtEnd>,
    pub rest: rest::RestDetector,
    pub changes: Vec<Change>,
    /// Evaluations and rejected attempts of the step so far.
    pub counts: Counts,
}

/// Quantities that a step needs at the state in which it begins, besides the equations of motion there.
#[derive(Clone, Debug, Default)]
pub(crate) struct StartQuantities {
    /// Gap of each open site whose gap depends on the previous normal (m); those of all others are computed where they are
    /// needed.
    gaps: Vec<Option<f64>>,
    /// Normals of the sites whose gap depends on the previous normal.
    pub normals: Vec<Vec3>,
    memories: Vec<NormalMemory>,
    /// Largest acceleration of a point of a free body (m/s²).
    pub largest_acceleration: f64,
    /// Bound of the rounding error of accelerations (m/s²).
    pub acceleration_rounding: f64,
    sums: Vec<f64>,
}

/// A state vector at an instant within a step, and the equations of motion there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    pub y: Vec<f64>,
    pub slope: Vec<f64>,
    pub evaluation: Evaluation,
}

impl Scratch {
    /// Allocates the buffers for a world and evaluates the equations of motion at its state.
    pub fn new(world: &World, state: &State) -> Self {
        let sites = world.sites.len();
        let touches = sites.min(TOUCHES_RESERVED);
        let length = state.layout.len(touches);
        let probe = Probe {
            y: Vec::with_capacity(length),
            slope: Vec::with_capacity(length),
            evaluation: Evaluation::new(world),
        };
        let start_quantities = StartQuantities {
            gaps: vec![None; sites],
            normals: state.normals.clone(),
            memories: normal_memories(world),
            sums: Vec::with_capacity(world.bodies.len()),
            ..StartQuantities::default()
        };
        let mut scratch = Self {
            scales: Scales::new(world),
            start: StateDerivative::new(world, length),
            start_quantities,
            boxes: FeatureBoxes::new(world),
            trial: Trial::new(world, length),
            probe,
            crossings: crossings::Buffers::new(touches, sites),
            jumps: Vec::with_capacity(touches),
            together: Vec::with_capacity(sites.min(64)),
            after: Vec::with_capacity(touches),
            rest: rest::RestDetector::new(world),
            changes: Vec::with_capacity(touches),
            counts: Counts::default(),
        };
        scratch.restart(world, state);
        scratch
    }

    /// Updates everything to a state that was reached by the steps of other buffers (those of the islands); the result is the
    /// same as that of `Scratch::new`.
    pub fn restart(&mut self, world: &World, state: &State) {
        let input = StepInput::at(world, state);
        self.start_quantities.gaps.fill(None);
        self.start_quantities.normals.copy_from_slice(&state.normals);
        self.start.evaluate(&input, state.time, &state.y);
        self.update_start_quantities(&input);
    }

    /// Reserves memory in a state for touches that may begin later, so that steps do not allocate.
    pub fn reserve(world: &World, state: &mut State) {
        let touches = world.sites.len().min(TOUCHES_RESERVED);
        let length = state.layout.len(touches);
        state.y.reserve(length.saturating_sub(state.y.len()));
        state.touches.reserve(touches.saturating_sub(state.touches.len()));
    }

    /// Evaluates the equations of motion at the state.
    pub fn evaluate_state(&mut self, world: &World, state: &mut State) {
        self.start.evaluate(&StepInput::at(world, state), state.time, &state.y);
        self.counts.evaluations += 1;
        self.record_speed(world, state);
    }

    /// Updates the largest speed so far. The equations of motion must have been evaluated at the state.
    fn record_speed(&self, world: &World, state: &mut State) {
        let (speed, _) = self.start.evaluation.largest_motion(world);
        state.largest_speed = state.largest_speed.max(speed);
    }

    /// Computes gaps, normals and scales at the state, where the equations of motion have been evaluated.
    pub fn update_start_quantities(&mut self, input: &StepInput) {
        let (world, state) = (input.world, input.state);
        let (known, evaluation) = (&mut self.start_quantities, &self.start.evaluation);
        known.largest_acceleration = evaluation.largest_motion(world).1;
        for site in (0..known.memories.len()).filter(|&site| state.is_open[site]) {
            if evaluation.is_at_rest(world, site) {
                continue;
            }
            known.gaps[site] = None;
            let memory = known.memories.get(site);
            let has_normal = state.normals.get(site).is_some_and(|n| *n != Vec3::ZERO);
            match memory {
                Some(NormalMemory::Always) => {}
                Some(NormalMemory::WhileTouching) if has_normal => {}
                _ => continue,
            }
            let gap = evaluation.kinematics.gap(input, site).gap;
            known.gaps[site] = Some(gap.distance);
            match memory {
                Some(NormalMemory::Always) => known.normals[site] = gap.normal,
                Some(NormalMemory::WhileTouching) => known.normals[site] = Vec3::ZERO,
                _ => {}
            }
        }
        for (index, touch) in state.touches.iter().enumerate() {
            if known.memories.get(touch.site).is_some_and(|memory| *memory != NormalMemory::Unused)
            {
                known.normals[touch.site] = match touch.phase {
                    Phase::Active => {
                        evaluation.contact(input, index, state.time, &state.y).gap.normal
                    }
                    Phase::Released => evaluation.kinematics.gap(input, touch.site).gap.normal,
                    Phase::Asleep => continue,
                };
            }
        }
        known.acceleration_rounding = evaluation.acceleration_rounding(input, &mut known.sums);
    }
}

impl StartQuantities {
    /// Returns the gap of an open site at the beginning of the step (m).
    fn gap(&self, input: &StepInput, at_start: &Kinematics, site: usize) -> f64 {
        self.gaps[site].unwrap_or_else(|| at_start.gap(input, site).gap.distance)
    }
}

/// Outcome of an attempt at a step.
enum Attempt {
    Found(Located),
    /// The step has to be tried again with this length (s).
    Shorten(f64),
    /// The implicit pair cannot take the step: it has to be tried again with the explicit pair.
    Explicitly,
}

/// Finds the next step, which ends at the time `until` at the latest (s), and returns where it ends and what happens there. The
/// state is still that at the beginning of the step, which can be sampled, applied or dropped. `stalled` counts the successive
/// steps that hardly advanced time.
///
/// # Errors
/// When no step is short enough, or events at one instant follow each other without end.
pub(crate) fn find(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    stalled: &mut usize,
    until: f64,
) -> Result<Located> {
    // Gaps that depend on the previous normal use the normal at the beginning of the step, which is part of the state so that a
    // resumed run uses the same one.
    state.normals.copy_from_slice(&scratch.start_quantities.normals);
    let horizon = scratch.scales.next_breakpoint(state.time);
    let input = StepInput { world, state, horizon };
    let located = find_accurate(&input, scratch, until.min(horizon))?;
    let travel = located.length * state.largest_speed;
    let moves = travel > STALLED_TRAVEL * scratch.scales.length || state.largest_speed == 0.0;
    *stalled = match moves && located.length > 1e-13 * state.time.abs() {
        true => 0,
        false => *stalled + 1,
    };
    if *stalled > MAX_STALLED {
        return Err(failure::events_without_end(world, state, located.event));
    }
    Ok(located)
}

/// Makes attempts at a step until one is accurate.
///
/// # Errors
/// When the step would have to be shortened more often than `MAX_ATTEMPTS`, or to a length below rounding.
fn find_accurate(input: &StepInput, scratch: &mut Scratch, until: f64) -> Result<Located> {
    let mut proposal = propose::propose(input, scratch, until - input.state.time);
    let pace = &input.state.pace;
    for attempt in 0..=MAX_ATTEMPTS {
        match attempt_step(input, scratch, &proposal, attempt, until) {
            Attempt::Found(located) => return Ok(located),
            // An explicit step of the length of the implicit ones was tried and is too long: the implicit pair takes the step
            // instead.
            Attempt::Shorten(_) if attempt == 0 && proposal.method != pace.method => {
                proposal.method = pace.method;
                proposal.corner = None;
            }
            Attempt::Shorten(length) => {
                proposal.length = length;
                proposal.corner = None;
                // Implicit steps shorter than this cost more than the explicit ones.
                if proposal.method == Method::Implicit && !pace.is_cheaper(length) {
                    proposal.method = Method::Explicit;
                    proposal.length = length.max(pace.explicit_length);
                }
            }
            Attempt::Explicitly => {
                proposal.method = Method::Explicit;
                proposal.length = proposal.length.min(pace.explicit_length);
            }
        }
        let length = proposal.length;
        if !(length > 1e-16 * input.state.time.abs() && length > 1e-290) {
            break;
        }
    }
    Err(failure::step_too_short(input, proposal.length))
}

/// Makes one attempt at a step: try, cross, locate.
fn attempt_step(
    input: &StepInput,
    scratch: &mut Scratch,
    proposal: &propose::Proposal,
    attempt: usize,
    until: f64,
) -> Attempt {
    let left = until - input.state.time;
    let (length, cut_short) = (proposal.length, proposal.length >= left);
    if !trial::take(input, scratch, length.min(left), proposal.method) {
        return Attempt::Explicitly;
    }
    let error = error::relative_error(input, scratch);
    if !(error <= 1.0) {
        scratch.counts.refused += 1;
        if attempt > 0 && jump::find_in_rejected_step(input, scratch) {
            trial::evaluate_end(input, scratch);
            return Attempt::Found(Located::at_jump(input, scratch, until, input.state.step));
        }
        return Attempt::Shorten(
            length.min(left) * propose::shortening_factor(proposal.method, error),
        );
    }
    let next_length = propose::next_length(input, proposal, error);
    trial::evaluate_end(input, scratch);
    // Beyond the event the forces may be different, so a step that is repeated to end on the event can be less accurate than the
    // whole step was. A shorter step is then taken first, which comes close to the event.
    let approach = |scratch: &Scratch| Attempt::Shorten(0.7 * scratch.trial.stepper.length());
    let mut landing = None;
    if let Some(event) = proposal.corner.filter(|_| !cut_short) {
        match locate::land_on_corner(input, scratch, event, until) {
            locate::Landing::Reached(shift) => landing = Some((event, shift)),
            locate::Landing::Missed => {}
            locate::Landing::Inaccurate => return approach(scratch),
        }
    }
    if jump::find_in_accepted_step(input, scratch) {
        return Attempt::Found(Located::at_jump(input, scratch, until, length));
    }
    if let Some(crossing) = crossings::earliest(input, scratch, landing.map(|(event, _)| event)) {
        return match locate::locate(input, scratch, crossing, (length, error), until) {
            Some(located) => Attempt::Found(located),
            None => approach(scratch),
        };
    }
    let (event, shift, next) = match landing {
        // The force of this touch had vanished before, so the motion does not change at the separation and no shorter step is
        // needed.
        Some((event, shift)) if event.is_parting_without_force(input.state) => {
            (Some(event), shift, length.max(input.state.step))
        }
        Some((event, shift)) => (Some(event), shift, length),
        // The length of a step that was cut short by the end of the run is no guide for the next one.
        None if cut_short => (None, 0.0, input.state.step.max(next_length)),
        None => (None, 0.0, next_length),
    };
    Attempt::Found(Located::new(input, scratch, until, event, shift, next))
}
