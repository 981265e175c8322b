//! Apply: the end of a step becomes the new state.
//!
//! The order is:
//!
//! - the state vector is set to the end of the step;
//! - touches update their largest values, and laws their memory;
//! - the state is projected onto the joints;
//! - the event at the end of the step is carried out (`change.rs`), and then further events that are due at the same instant,
//!   such as the onsets at the other corners of a block that lands flat;
//! - islands at rest fall asleep (`rest.rs`);
//! - the integrator of the next step is chosen (`pace.rs`).

use super::change::{Change, carry_out, due_event};
use super::joint_friction;
use super::jump::JumpTo;
use super::pace::choose_method;
use super::peak::peak_within;
use super::rest::fall_asleep;
use super::{Located, Scratch};
use crate::contact::{ContactEvaluation, turned_with_normal};
use crate::gap;
use crate::input::StepInput;
use crate::math::Vec3;
use crate::motion::Motion;
use crate::note::Note;
use crate::path::Path;
use crate::state::{Peak, Phase, State};
use crate::world::World;
use carom::Result;
use carom::law::{Force, Memory, Work};

/// A touch at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TouchAtEnd {
    contact: ContactEvaluation,
    memory: Memory,
    force_rate: f64,
}

/// Updates the memory of a law after an accepted step.
struct Commit(f64, f64, Memory);

impl Work for Commit {
    type Output = Memory;
    fn run<F: Force>(self, form: F) -> Memory {
        let Self(delta, rate, mut memory) = self;
        form.commit(delta, rate, &mut memory);
        memory
    }
}

/// Makes the end of a located step the new state, and returns the changes of contacts.
///
/// # Errors
/// When a contact cannot begin, or a contact that ended has released more energy than it received.
pub(crate) fn apply<'s>(
    world: &World,
    state: &mut State,
    scratch: &'s mut Scratch,
    located: &Located,
) -> Result<&'s [Change]> {
    let (begun, end, horizon) = (state.time, located.time, located.horizon);
    scratch.changes.clear();
    let velocity_jumps = note_velocity_jumps(world, state, begun, end);
    let whole_step = move_to_end(state, scratch, located);
    if whole_step && end < horizon {
        std::mem::swap(&mut scratch.start, &mut scratch.trial.at_end);
        scratch.record_speed(world, state);
    } else {
        scratch.evaluate_state(world, state);
    }
    if update_touches(world, state, scratch, horizon) {
        scratch.evaluate_state(world, state);
    }
    if !world.joints.is_empty() {
        let before = velocity_jumps.then(|| state.kinetic(world));
        if velocity_jumps {
            joint_friction::release_all(state);
        }
        let mut y = std::mem::take(&mut state.y);
        scratch.probe.evaluation.project(&StepInput::at(world, state), end, &mut y);
        state.y = y;
        // The projection has evaluated the kinematics of the bodies.
        let bodies = &scratch.probe.evaluation.kinematics.bodies;
        joint_friction::record_angles(world, state, bodies, end - begun);
        if let Some(before) = before {
            // A drive whose velocity jumps does work equal to the change of kinetic energy at that instant.
            let mut works = state.layout.works(&state.y);
            works.constraints += state.kinetic(world) - before;
            state.layout.set_works(&mut state.y, &works);
            scratch.evaluate_state(world, state);
            joint_friction::begin(world, state, scratch);
        }
        scratch.evaluate_state(world, state);
    }
    if let Some(event) = located.event {
        carry_out(world, state, scratch, event, located.overlap_jump)?;
        for _ in 0..world.sites.len() + 1 {
            let Some(event) = due_event(world, state, scratch) else { break };
            carry_out(world, state, scratch, event, 0.0)?;
        }
    }
    scratch.update_start_quantities(&StepInput::at(world, state));
    if fall_asleep(world, state, scratch) {
        // Normals between sleeping bodies remain unchanged, also in a run that is resumed from this state.
        state.normals.copy_from_slice(&scratch.start_quantities.normals);
        scratch.evaluate_state(world, state);
        scratch.update_start_quantities(&StepInput::at(world, state));
    }
    choose_method(state, located);
    state.counts.steps += 1;
    state.counts.add(std::mem::take(&mut scratch.counts), world);
    Ok(&scratch.changes)
}

/// Moves the state to the end of the step. Returns whether this is exactly the end of the trial, with unchanged touches.
fn move_to_end(state: &mut State, scratch: &Scratch, located: &Located) -> bool {
    for jump in &scratch.jumps {
        let touch = &mut state.touches[jump.touch];
        match jump.to {
            JumpTo::Overlap(change) => touch.offset += change,
            JumpTo::Open => touch.loading = false,
        }
    }
    let trial = &scratch.trial;
    state.y.copy_from_slice(trial.stepper.end());
    if located.shift != 0.0 {
        for (y, slope) in state.y.iter_mut().zip(&trial.at_end.slope) {
            *y += located.shift * slope;
        }
    }
    state.layout.normalise_rotations(&mut state.y);
    state.time = located.time;
    state.step = located.next_length;
    scratch.jumps.is_empty() && located.shift == 0.0 && located.time == trial.end_time()
}

/// Adds notes on prescribed velocities that jump where the step ended. Returns whether there are any.
fn note_velocity_jumps(world: &World, state: &mut State, begun: f64, end: f64) -> bool {
    let mut any = false;
    let jump = |motion: &Motion| match motion.next_breakpoint(begun) == end {
        true => motion.rate_jump_at(end),
        false => 0.0,
    };
    let mut note = |joint: bool, index: usize, name: &str, change: f64| {
        if change != 0.0 {
            any = true;
            state.note(Note::Jump { joint, index, name: name.to_string(), change, time: end });
        }
    };
    for (index, joint) in world.joints.iter().enumerate() {
        if let Some(motion) = joint.drive.motion() {
            note(true, index, &joint.name, jump(motion));
        }
    }
    for &index in &world.columns.driven {
        let body = &world.bodies[index];
        let Some(Path { displacements, rotation }) = body.drive() else { continue };
        // Displacements along several directions form one velocity, whose jump is given as a length; along a single line it has a
        // sign.
        let change = match displacements.as_slice() {
            [(_, motion)] => jump(motion),
            all => {
                let sum = |sum: Vec3, (along, motion): &(Vec3, Motion)| sum + *along * jump(motion);
                all.iter().fold(Vec3::ZERO, sum).length()
            }
        };
        note(false, index, &body.name, change);
        if let Some(turning) = rotation {
            note(false, index, &body.name, jump(&turning.angle));
        }
    }
    any
}

/// Updates indentations, largest values and memories after the step. Returns whether forces may have changed as a result.
fn update_touches(world: &World, state: &mut State, scratch: &mut Scratch, horizon: f64) -> bool {
    let mut after = std::mem::take(&mut scratch.after);
    after.clear();
    let input = StepInput::at(world, state);
    after.extend((0..state.touches.len()).map(|index| touch_at_end(&input, scratch, index)));
    // The peaks are computed first, while the touches still have the data with which the step was computed.
    for (index, now) in after.iter().enumerate() {
        let touch = &state.touches[index];
        if touch.phase == Phase::Asleep {
            continue;
        }
        let (force_rate, rate) = (touch.force_rate, touch.rate);
        if touch.phase == Phase::Active && force_rate > 0.0 && now.force_rate <= 0.0 {
            let input = StepInput { world, state, horizon };
            let rates = (force_rate, now.force_rate);
            let found = peak_within(&input, scratch, index, rates, |contact| contact.force);
            let touch = &mut state.touches[index];
            if found.value > touch.strongest.value {
                touch.strongest = found;
            }
        }
        let touch = &state.touches[index];
        if touch.turns_smoothly() && touch.loading != (now.contact.rate > 0.0) {
            let turned = touch.loading;
            if turned {
                let input = StepInput { world, state, horizon };
                let rates = (rate, now.contact.rate);
                let found = peak_within(&input, scratch, index, rates, |contact| contact.delta);
                record_depth(world, state, index, found);
            }
            state.touches[index].loading = !turned;
        }
    }
    let mut changed = false;
    for (index, now) in after.iter().enumerate() {
        if state.touches[index].phase == Phase::Asleep {
            continue;
        }
        changed |= update_touch(world, state, index, now);
    }
    scratch.after = after;
    state.largest_kinetic = state.largest_kinetic.max(state.kinetic(world));
    changed
}

/// Updates a touch with its values at the end of a step. Returns whether its forces may have changed as a result.
fn update_touch(world: &World, state: &mut State, index: usize, now: &TouchAtEnd) -> bool {
    let TouchAtEnd { contact, memory, force_rate } = *now;
    let (time, variables) = (state.time, state.touch(index));
    record_depth(world, state, index, Peak { value: contact.delta, time });
    let touch = &mut state.touches[index];
    touch.force_rate = force_rate;
    touch.delta = contact.delta;
    touch.rate = contact.rate;
    touch.indentation_scale = touch.indentation_scale.max(contact.delta.abs());
    touch.internal_scale = touch.internal_scale.max(memory.internal.abs());
    let mut changed = false;
    if touch.phase == Phase::Active {
        if contact.force > touch.strongest.value {
            touch.strongest = Peak { value: contact.force, time };
        }
        touch.memory = touch.law.with(Commit(contact.delta, contact.rate, memory));
        changed = !touch.is_history_free();
    }
    let Some(friction) = world.contact_at(touch.site).friction else { return changed };
    let normal = contact.gap.normal;
    let mut carried = turned_with_normal(variables.friction, touch.normal, normal);
    touch.normal = normal;
    let limit = friction.limit(contact.force.max(0.0)).unwrap_or(0.0);
    if touch.slipping
        && !touch.spring.is_damped()
        && limit > 0.0
        && let Some(along) = carried.unit()
    {
        carried = along * limit;
    }
    state.layout.set_friction(&mut state.y, index, carried);
    // The friction force was changed; it may also depend on the largest force of the touch.
    true
}

/// Updates the largest indentation of a touch, and adds a note when it exceeds the depth for which the shapes are smooth or
/// valid.
pub(crate) fn record_depth(world: &World, state: &mut State, index: usize, found: Peak) {
    let touch = &mut state.touches[index];
    let before = touch.deepest.value;
    let Peak { value: indentation, time } = found;
    if indentation <= before {
        return;
    }
    touch.deepest = found;
    let (contact, site) = (world.sites[touch.site].contact, touch.site);
    let (name, [a, b]) = (|| world.contact_at(site).name.clone(), world.shapes_at(site));
    let passes = |mark: f64| indentation > mark && before <= mark;
    let (smooth, limit) = (gap::smooth_depth(a, b), gap::valid_depth(a, b));
    if passes(limit) {
        state.note(Note::Through { contact, name: name(), indentation, limit, time });
    } else if passes(smooth) {
        state.note(Note::Deep { contact, name: name(), indentation, smooth, time });
    }
}

/// Computes the values of a touch after a step, at the state, where the equations of motion have been evaluated.
fn touch_at_end(input: &StepInput, scratch: &Scratch, index: usize) -> TouchAtEnd {
    let (state, evaluation) = (input.state, &scratch.start.evaluation);
    let touch = &state.touches[index];
    if touch.phase == Phase::Asleep {
        return TouchAtEnd::default();
    }
    let contact = evaluation.contact(input, index, state.time, &state.y);
    let acceleration = evaluation.approach_acceleration(&contact.site_gap());
    let memory = touch.memory_at(state.time, state.touch(index).internal);
    let tangent = touch.law.tangent(contact.delta, contact.rate, &memory);
    let drift = match touch.is_history_free() {
        true => 0.0,
        // Forces of laws that depend on time or have an internal state also change at constant indentation and rate.
        false => {
            let soon = 1e-6 * (state.time - touch.begun);
            let later = Memory {
                time: memory.time + soon,
                internal: memory.internal + contact.internal_rate * soon,
                ..memory
            };
            let change = touch.law.force(contact.delta, contact.rate, &later) - contact.force;
            if change == 0.0 { 0.0 } else { change / soon }
        }
    };
    let force_rate = tangent.stiffness * contact.rate + tangent.damping * acceleration + drift;
    TouchAtEnd { contact, memory, force_rate }
}
