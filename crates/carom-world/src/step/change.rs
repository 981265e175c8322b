//! Carries out events: touches begin, turn, are released, push again, separate, stick and slip.

use super::near_sites::GapBounds;
use super::{Event, Scratch, joint_friction, onset, rest};
use crate::contact::ContactEvaluation;
use crate::input::StepInput;
use crate::kinematics::smallest_jump;
use crate::math::Vec3;
use crate::observe::EndedTouch;
use crate::state::{Phase, Release, State, Touch};
use crate::world::World;
use carom::{Error, Exit, Result};

/// A change of the contacts in a step.
// `Touch` is not boxed because steps must not allocate.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A touch began.
    Began(Touch),
    /// A touch ended.
    Ended(EndedTouch),
}

/// Evaluates a touch at the state.
fn contact_at(world: &World, state: &State, scratch: &Scratch, index: usize) -> ContactEvaluation {
    let input = StepInput::at(world, state);
    let (touch, variables) = (&state.touches[index], state.touch(index));
    let kinematics = &scratch.start.evaluation.kinematics;
    ContactEvaluation::of(&input, kinematics, touch, state.time, &variables)
}

/// Carries out an event at the state, and evaluates the equations of motion anew. `overlap_jump` is the jump of the overlap where
/// a force returns (m), see `Located`.
pub(crate) fn carry_out(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    event: Event,
    overlap_jump: f64,
) -> Result<()> {
    match event {
        // Either the site is closed by rounding only while the bodies separate, and a touch would only pull; or it is still open,
        // just before its gap jumps to an overlap.
        Event::Onset(site) if separates(world, state, scratch, site) => {}
        Event::Onset(site) | Event::OverlapOnset(site) => {
            if rest::wake(world, state, scratch, world.bodies_at(site)) {
                scratch.evaluate_state(world, state);
            }
            let first = onset::begin(world, state, scratch, site)?;
            // Touches that already exist may need shorter steps than the new one.
            let alone = state.awake_touches().count() == 1;
            state.step = if alone { first } else { first.min(state.step) };
            if let Some(touch) = state.touches.last() {
                scratch.changes.push(Change::Began(touch.clone()));
            }
        }
        Event::Turn(index) => {
            check_turn(world, state, scratch, index)?;
            let touch = &mut state.touches[index];
            touch.loading = !touch.loading;
        }
        Event::Kink(_) => {}
        Event::Release(index) => {
            let rate = contact_at(world, state, scratch, index).rate;
            let touch = &mut state.touches[index];
            touch.phase = Phase::Released;
            touch.slipping = false;
            touch.released = Release { speed: -rate, time: state.time };
            if state.touches.iter().all(|touch| touch.phase != Phase::Active) {
                state.step = 0.0;
            }
            // Friction vanishes together with the normal force.
            state.layout.set_friction(&mut state.y, index, Vec3::ZERO);
        }
        Event::Reload(index) => {
            let rate = contact_at(world, state, scratch, index).rate;
            let touch = &mut state.touches[index];
            // The indentation is counted from the overlap after the jump, as in a touch that begins at a depth (`onset.rs`).
            touch.offset += overlap_jump;
            touch.delta -= overlap_jump;
            touch.phase = Phase::Active;
            touch.loading = rate > 0.0;
            onset::begin_friction(world, state, scratch, index);
        }
        Event::Separation(index) => separate(world, state, scratch, index)?,
        Event::Slip(index) if state.touches[index].spring.is_damped() => {
            state.touches[index].slipping = true;
        }
        Event::Slip(index) => {
            let contact = contact_at(world, state, scratch, index);
            // Where the spring carries no force yet, its force is directed against the sliding velocity.
            let carried = state.touch(index).friction.perpendicular_to(contact.gap.normal);
            let against = (-contact.velocity).unit().unwrap_or(Vec3::ZERO);
            let along = carried.unit().unwrap_or(against);
            let size = contact.friction.length().max(1e-9 * contact.force.abs()).max(1e-100);
            state.layout.set_friction(&mut state.y, index, along * size);
            state.touches[index].slipping = true;
        }
        Event::Stick(index) => state.touches[index].slipping = false,
        Event::JointFriction(joint) => {
            joint_friction::hold_or_release(world, state, scratch, joint)
        }
    }
    scratch.evaluate_state(world, state);
    Ok(())
}

/// Returns an error where the weight lies between the forces of a law in loading and in unloading at the same indentation: the
/// contact would rest between the two branches of the law, and turn again at every instant.
fn check_turn(world: &World, state: &State, scratch: &Scratch, index: usize) -> Result<()> {
    let touch = &state.touches[index];
    let memory = touch.memory_at(state.time, state.touch(index).internal);
    let contact = contact_at(world, state, scratch, index);
    let acceleration = scratch.start.evaluation.approach_acceleration(&contact.site_gap());
    let weight = contact.force + touch.law.mass * acceleration;
    let at = |rate: f64| touch.signed_force(contact.delta, rate, &memory);
    let (loading, unloading) = (at(f64::MIN_POSITIVE), at(-f64::MIN_POSITIVE));
    let jump = 1e-9 * loading.abs();
    if loading > weight + jump && weight > unloading + jump {
        let contact = world.contact_at(touch.site);
        return Err(Error::numerical(
            "the run",
            format!(
                "at t = {} s contact `{}` would rest between the two branches of its law, which pushes with {loading:.3e} N \
                 during loading and {unloading:.3e} N during unloading",
                state.time, contact.name
            ),
            "use a law whose force does not jump at rest for lasting contact, such as tsuji-1992",
        ));
    }
    Ok(())
}

/// Returns whether the bodies at a site move apart with an overlap within rounding, or are apart already.
fn separates(world: &World, state: &State, scratch: &Scratch, site: usize) -> bool {
    let kinematics = &scratch.start.evaluation.kinematics;
    let found = kinematics.gap(&StepInput::at(world, state), site);
    let (distance, a, b) = (found.gap.distance, found.a, found.b);
    let opens =
        kinematics.opening_rate(&found) > 0.0 && distance > -kinematics.gap_rounding(world, a, b);
    opens || distance > smallest_jump(world, a, b)
}

/// Ends a touch and enters its losses in the energy ledger.
fn separate(world: &World, state: &mut State, scratch: &mut Scratch, index: usize) -> Result<()> {
    let rate = contact_at(world, state, scratch, index).rate;
    let variables = state.touch(index);
    let touch = state.touches.remove(index);
    state.y.drain(state.layout.touch_range(index));
    let site = world.sites[touch.site];
    state.is_open[touch.site] = true;
    if state.awake_touches().next().is_none() {
        // The length of steps in contact is no guide for steps in flight.
        state.step = 0.0;
    }
    let lost = variables.normal_work + touch.stored_before;
    state.check_loss(world, &touch, lost)?;
    let account = &mut state.accounts[site.contact];
    account.normal += lost;
    account.friction += variables.friction_work;
    account.ended += 1;
    let released = match touch.phase {
        Phase::Active | Phase::Asleep => Release { speed: -rate, time: state.time },
        Phase::Released => touch.released,
    };
    scratch.changes.push(Change::Ended(EndedTouch {
        contact: site.contact,
        site: site.number,
        class: touch.class,
        begun: touch.begun,
        ended: state.time,
        speed: touch.speed,
        rebound: released.speed,
        released: released.time,
        indentation_max: touch.deepest.value,
        force_max: touch.strongest.value,
        lost,
        friction: variables.friction_work,
        ..EndedTouch::UNKNOWN
    }));
    Ok(())
}

/// Returns an event that is due at the time of the state, if there is one.
pub(crate) fn due_event(world: &World, state: &State, scratch: &Scratch) -> Option<Event> {
    let kinematics = &scratch.start.evaluation.kinematics;
    let input = StepInput::at(world, state);
    for (index, touch) in state.touches.iter().enumerate() {
        if touch.phase == Phase::Asleep {
            continue;
        }
        let release = touch.separation_indentation();
        let (a, b) = world.bodies_at(touch.site);
        let rounding = kinematics.gap_rounding(world, a, b).max(1e-12 * touch.indentation_scale);
        let separating = !touch.loading && contact_at(world, state, scratch, index).rate < 0.0;
        if separating && touch.delta <= release + rounding {
            let ends = touch.phase == Phase::Released || touch.law.exit == Exit::ZeroIndentation;
            if ends || touch.delta <= release {
                return Some(Event::Separation(index));
            }
        }
    }
    let mut bounds = GapBounds::new(world, &scratch.boxes, kinematics);
    for site in (0..world.sites.len()).filter(|&site| state.is_open[site]) {
        // A gap larger than its rounding error is open.
        if scratch.start.evaluation.is_at_rest(world, site) || bounds.exceeds(site, 0.0) {
            continue;
        }
        let found = kinematics.gap(&input, site);
        let (distance, a, b) = (found.gap.distance, found.a, found.b);
        // A site with a larger overlap and no touch begins by another event (`jump.rs`).
        let closed = distance <= kinematics.gap_rounding(world, a, b)
            && distance >= -smallest_jump(world, a, b);
        if closed && kinematics.opening_rate(&found) < 0.0 {
            return Some(Event::Onset(site));
        }
    }
    None
}
