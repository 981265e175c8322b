//! Crossings: the events within a step, and the fractions of the step at which they lie.
//!
//! An event function that is not positive at the end of the step has crossed zero within the step; the instant is found on the
//! dense output. Some events may be reversed before the step ends, so that its end does not reveal them: an open site may close
//! and open again (`passage.rs`), and for a part of the step a slider may slip or stick, or a force vanish or return. These last
//! are called transient events and are searched for.

use super::dense::{DenseStep, Interval};
use super::event::{
    add_events_of, friction_limit, has_just_begun, has_slider, may_end, touch_event_function,
};
use super::near_sites::GapBounds;
use super::passage::{Passage, driven_bounds};
use super::{Event, Scratch, joint_friction, jump, trial};
use crate::input::StepInput;
use crate::kinematics::smallest_jump;
use crate::state::Phase;
use carom::Exit;
use carom::ode::events;

/// Relative distance from the friction limit within which the force of a slider may have crossed the limit and returned in a
/// step.
const NEAR_LIMIT_FRACTION: f64 = 0.1;

/// A touch that has just begun cannot end within this fraction of a step.
const MIN_ENDING_FRACTION: f64 = 1e-6;

/// Number of parts of a step at whose ends transient events are searched for. Forces get more of them, because a missed event of
/// a force may be a complete separation.
const PARTS_FOR_FORCES: u32 = 8;
const PARTS_FOR_SLIDERS: u32 = 4;

/// An event and the fraction of the step at which it lies.
pub(crate) type Crossing = events::Crossing<Event>;

/// Lists that are reused from step to step, so that steps do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    /// Events whose event function is not positive at the end of the step.
    pub events: Vec<Event>,
    /// Transient events: sliders that may have slipped or stuck, and forces that may have vanished or returned, for a part of the
    /// step.
    transient: Vec<Event>,
    /// Sites that may have closed and opened again within the step.
    pub passages: Vec<Passage>,
    /// Parts of the step that remain to be searched.
    pub intervals: Vec<Interval>,
}

impl Buffers {
    pub fn new(touches: usize, sites: usize) -> Self {
        // A touch has at most five events, an open site one.
        Self {
            events: Vec::with_capacity(5 * touches + sites),
            transient: Vec::with_capacity(2 * touches),
            passages: Vec::with_capacity(sites),
            intervals: Vec::with_capacity(64),
        }
    }
}

/// Returns the first crossing of a step whose end has been evaluated. If the step was made to end on the corner `landed`, the
/// turn, separation and release of that touch are ignored.
pub(crate) fn earliest(
    input: &StepInput,
    scratch: &mut Scratch,
    landed: Option<Event>,
) -> Option<Crossing> {
    add_touch_events(input, scratch);
    add_transient_slips(input, scratch);
    add_transient_releases(input, scratch);
    add_transient_reloads(input, scratch);
    if let Some(index) = landed.and_then(Event::touch) {
        scratch.crossings.events.retain(|event| match event {
            Event::Turn(i) | Event::Separation(i) | Event::Release(i) => *i != index,
            _ => true,
        });
    }
    add_site_events(input, scratch);
    let Scratch { trial, crossings, .. } = &mut *scratch;
    let joints = joint_friction::changed_joints(input, &trial.at_end.evaluation);
    crossings.events.extend(joints.map(Event::JointFriction));
    let Buffers { events, passages, transient, .. } = &scratch.crossings;
    if events.is_empty() && passages.is_empty() && transient.is_empty() {
        return None;
    }
    trial::interpolate(input, scratch);
    first_crossing(input, scratch)
}

/// Lists the events of touches whose event function is not positive at the end of the step.
fn add_touch_events(input: &StepInput, scratch: &mut Scratch) {
    let (world, state) = (input.world, input.state);
    let end = scratch.trial.end_time();
    let (y, evaluation) = (&scratch.trial.end, &scratch.trial.at_end.evaluation);
    let events = &mut scratch.crossings.events;
    events.clear();
    for index in 0..state.touches.len() {
        add_events_of(input, evaluation, index, events);
    }
    events.retain(|&event| {
        let Some(index) = event.touch() else { return false };
        let (touch, variables) = (&state.touches[index], input.layout().touch(y, index));
        let contact = evaluation.contact(input, index, end, y);
        let value =
            touch_event_function(input, evaluation, event, touch, &contact, end, &variables);
        match event {
            Event::Reload(_) => value < 0.0,
            Event::Separation(_)
                if touch.phase == Phase::Active && !may_end(touch, contact.rate) =>
            {
                value < -smallest_jump(world, contact.a, contact.b)
            }
            _ => value <= 0.0,
        }
    });
}

/// Lists the sliders whose force is close to the limit, so that they may slip or stick for a part of the step.
fn add_transient_slips(input: &StepInput, scratch: &mut Scratch) {
    let (world, state) = (input.world, input.state);
    let end = scratch.trial.end_time();
    let (y, evaluation) = (&scratch.trial.end, &scratch.trial.at_end.evaluation);
    let Buffers { events, transient, .. } = &mut scratch.crossings;
    transient.clear();
    for (index, touch) in state.touches.iter().enumerate() {
        let event = if touch.slipping { Event::Stick(index) } else { Event::Slip(index) };
        let watched = touch.phase == Phase::Active && has_slider(world, touch);
        if !watched || events.contains(&event) {
            continue;
        }
        let contact = evaluation.contact(input, index, end, y);
        let limit = friction_limit(world, touch.site, &contact);
        let just_begun = state.time == touch.begun;
        // After the normal force has ended, the friction limit is zero, and the sticking force may have vanished too.
        let past_end = contact.force <= 0.0;
        let near = (contact.sticking_force - limit).abs() < NEAR_LIMIT_FRACTION * limit;
        if just_begun || past_end || near {
            transient.push(event);
        }
    }
}

/// Lists the touches whose force decreases so fast at the beginning of the step that it may have vanished and returned within the
/// step. The error of the step does not reveal this, because law and friction are continued smoothly beyond zero force.
fn add_transient_releases(input: &StepInput, scratch: &mut Scratch) {
    let state = input.state;
    let length = scratch.trial.stepper.length();
    let Scratch { start, crossings, .. } = scratch;
    let Buffers { events, transient, .. } = crossings;
    for (index, touch) in state.touches.iter().enumerate() {
        let event = Event::Release(index);
        let falls = touch.phase == Phase::Active && touch.force_rate < 0.0;
        let may_end = touch.law.exit == Exit::ZeroForce && may_end(touch, touch.rate);
        if !falls || !may_end || events.contains(&event) {
            continue;
        }
        let contact = start.evaluation.contact(input, index, state.time, &state.y);
        if contact.force + touch.force_rate * length < 0.0 {
            transient.push(event);
        }
    }
}

/// Lists the released touches whose surfaces move apart so slowly at the beginning of the step that their force may have returned
/// and vanished within the step.
fn add_transient_reloads(input: &StepInput, scratch: &mut Scratch) {
    let state = input.state;
    let length = scratch.trial.stepper.length();
    let Scratch { start, crossings, .. } = scratch;
    let Buffers { events, transient, .. } = crossings;
    for (index, touch) in state.touches.iter().enumerate() {
        let event = Event::Reload(index);
        if touch.phase != Phase::Released || events.contains(&event) {
            continue;
        }
        let contact = start.evaluation.contact(input, index, state.time, &state.y);
        let acceleration = start.evaluation.approach_acceleration(&contact.site_gap());
        if contact.rate + acceleration * length > 0.0 {
            transient.push(event);
        }
    }
}

/// Lists the open sites that are closed at the end of the step or may have been closed within it.
fn add_site_events(input: &StepInput, scratch: &mut Scratch) {
    let (world, state) = (input.world, input.state);
    let Scratch { trial, crossings, start_quantities, start, boxes, .. } = &mut *scratch;
    let (begun, length) = (trial.stepper.begun(), trial.stepper.length());
    let kinematics = &trial.at_end.evaluation.kinematics;
    let Buffers { events, passages, .. } = crossings;
    passages.clear();
    let mut overlap_onsets = false;
    let mut bounds = GapBounds::new(world, boxes, kinematics);
    // Bound of the relative displacement of the bodies of a contact in the step (m), with a margin; kept with the index of the
    // contact.
    let mut reach: Option<(usize, f64)> = None;
    for site in (0..world.sites.len()).filter(|&site| state.is_open[site]) {
        if trial.at_end.evaluation.is_at_rest(world, site) {
            continue;
        }
        let contact = world.sites[site].contact;
        let reach = match reach {
            Some((of, reach)) if of == contact => reach,
            _ => {
                let driven = driven_bounds(world, site, begun, length);
                let bound = kinematics.speed_bound(world, site) + driven.velocity_change;
                reach.insert((contact, 1.5 * bound * length)).1
            }
        };
        // The site is open at the end of the step and cannot have been closed within it.
        if bounds.exceeds(site, reach) {
            continue;
        }
        let found = kinematics.gap(input, site);
        let after = found.gap.distance;
        if after > reach {
            continue;
        }
        let before = start_quantities.gap(input, &start.evaluation.kinematics, site);
        if before < -smallest_jump(world, found.a, found.b) {
            if after <= 0.0 && kinematics.opening_rate(&found) < 0.0 {
                events.push(Event::OverlapOnset(site));
                overlap_onsets = true;
            }
        } else if after <= 0.0 {
            // A site whose touch has just ended may still overlap by rounding.
            if before > 0.0 || after < before {
                events.push(Event::Onset(site));
            }
        } else {
            let accelerates = || driven_bounds(world, site, begun, length).accelerates();
            if before.max(0.0) + after <= reach && (before > 0.0 || accelerates()) {
                passages.push(Passage::new(input, kinematics, site, before, &found));
            }
        }
    }
    if overlap_onsets {
        jump::keep_lasting_onsets(input, scratch);
    }
    let Scratch { crossings, start, .. } = scratch;
    let kinematics = &start.evaluation.kinematics;
    crossings.passages.retain_mut(|passage| passage.narrow(input, kinematics, begun, length));
}

/// Finds the first of the listed events and the fraction of the step at which it lies.
///
/// The step continues beyond its first event with the forces from before the event, so later events need not be real: after a
/// force has vanished, for example, the step follows the law into forces that pull. Each event is therefore searched for only
/// before the earliest event found so far; one evaluation at that instant shows whether it has occurred by then.
fn first_crossing(input: &StepInput, scratch: &mut Scratch) -> Option<Crossing> {
    let Scratch { trial, probe, crossings, .. } = scratch;
    let Buffers { events, transient, passages, intervals } = crossings;
    let mut dense = DenseStep { input, stepper: &trial.stepper, probe, intervals };
    let mut first: Option<Crossing> = None;
    for &event in events.iter() {
        let until = match (event, first) {
            // Most laws push until the bodies separate: their force vanishes at the separation and not before.
            (Event::Release(i), Some(first)) if first.event == Event::Separation(i) => {
                first.fraction * (1.0 - 1e-7)
            }
            (_, Some(first)) => first.fraction,
            (_, None) => 1.0,
        };
        let found = match event {
            // A site whose overlap grows during the whole step has its onset at the end: at the beginning its gap may just have
            // jumped.
            Event::OverlapOnset(_) if dense.value(event, 0.0) <= 0.0 => {
                (until == 1.0).then_some(1.0)
            }
            Event::Onset(site) if dense.may_close_several_times(site) => {
                dense.first_closed_before(site, until)
            }
            _ if until < 1.0 && dense.value(event, until) > 0.0 => None,
            _ => Some(dense.root_between(event, 0.0, until)),
        };
        let is_first = |fraction: &f64| first.is_none_or(|first| *fraction < first.fraction);
        let Some(fraction) = found.filter(is_first) else { continue };
        // A touch that seems to end immediately after its onset has not begun to push.
        if let Event::Release(i) | Event::Separation(i) = event
            && has_just_begun(&input.state.touches[i])
            && fraction < MIN_ENDING_FRACTION
        {
            continue;
        }
        // A site found with a large overlap has not closed at that instant: its gap has jumped, and it overlaps without a touch
        // from then on.
        if let Event::Onset(site) = event {
            let (a, b) = input.world.bodies_at(site);
            if dense.value(event, fraction) < -smallest_jump(input.world, a, b) {
                continue;
            }
        }
        first = Some(Crossing { event, fraction });
    }
    for &event in transient.iter() {
        let parts = match event {
            Event::Release(_) | Event::Reload(_) => PARTS_FOR_FORCES,
            _ => PARTS_FOR_SLIDERS,
        };
        let until = first.map_or(1.0, |first| first.fraction);
        let within = (1..parts).map(|i| f64::from(i) / f64::from(parts)).filter(|x| *x < until);
        let mut within = within.chain((until < 1.0).then_some(until));
        if let Some(until) = within.find(|&x| dense.value(event, x) <= 0.0) {
            first = Some(Crossing { event, fraction: dense.root_between(event, 0.0, until) });
        }
    }
    for passage in passages.iter() {
        let until = first.map_or(1.0, |first| first.fraction);
        if let Some(fraction) = dense.first_closed(passage, until) {
            first = Some(Crossing { event: Event::Onset(passage.site), fraction });
        }
    }
    first
}
