//! Events of sites, touches and joints within a step, and their event functions.
//!
//! Every touch and every open site has *event functions*: functions of the state that are positive until the event. If one is not
//! positive at the end of a step, it has crossed zero within the step.

use super::joint_friction;
use crate::contact::ContactEvaluation;
use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::math::Vec3;
use crate::state::{Phase, State, Touch, TouchVariables};
use crate::world::World;
use carom::Exit;
use carom::law::Memory;

/// An event, with the index of its site, touch or joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The gap at an open site closes.
    Onset(usize),
    /// An open site that overlaps (because its gap jumped, or a touch ended there) begins to close further.
    OverlapOnset(usize),
    /// The indentation rate changes sign.
    Turn(usize),
    /// The indentation reaches a kink of the law.
    Kink(usize),
    /// The force vanishes while the surfaces still overlap.
    Release(usize),
    /// The force of a released touch returns.
    Reload(usize),
    /// The bodies separate.
    Separation(usize),
    /// The force of the tangential spring reaches the limit of friction.
    Slip(usize),
    /// The slip of the tangential spring comes to an end.
    Stick(usize),
    /// The friction of a joint begins to hold it, or begins to slip.
    JointFriction(usize),
}

/// The site, touch or joint of an event, by its index.
pub(crate) enum Subject {
    Site(usize),
    Touch(usize),
    Joint(usize),
}

impl Event {
    /// Returns the site, touch or joint of the event.
    pub fn subject(self) -> Subject {
        match self {
            Self::Onset(site) | Self::OverlapOnset(site) => Subject::Site(site),
            Self::Turn(index)
            | Self::Kink(index)
            | Self::Release(index)
            | Self::Reload(index)
            | Self::Separation(index)
            | Self::Slip(index)
            | Self::Stick(index) => Subject::Touch(index),
            Self::JointFriction(index) => Subject::Joint(index),
        }
    }

    /// Returns whether the event function depends on the accelerations of the bodies, and thereby on all forces. This is so for a
    /// slider whose spring has no damper and which is about to stick, and for friction in a joint.
    pub fn needs_accelerations(self, state: &State) -> bool {
        match self {
            Self::Stick(index) => !state.touches[index].spring.is_damped(),
            Self::JointFriction(_) => true,
            _ => false,
        }
    }

    /// Returns whether the event is the separation of a touch whose force had vanished before.
    pub fn is_parting_without_force(self, state: &State) -> bool {
        matches!(self, Self::Separation(index) if state.touches[index].phase == Phase::Released)
    }

    /// Returns the touch of the event, if it has one.
    pub fn touch(self) -> Option<usize> {
        match self.subject() {
            Subject::Touch(index) => Some(index),
            Subject::Site(_) | Subject::Joint(_) => None,
        }
    }
}

/// Returns the value of an event function at an instant. The kinematics must have been evaluated there, and also the
/// accelerations if the event function depends on them ([`Event::needs_accelerations`]).
pub(crate) fn event_function(
    input: &StepInput,
    evaluation: &Evaluation,
    event: Event,
    t: f64,
    y: &[f64],
) -> f64 {
    let kinematics = &evaluation.kinematics;
    let index = match event.subject() {
        Subject::Touch(index) => index,
        Subject::Joint(joint) => return joint_friction::event_function(input, evaluation, joint),
        Subject::Site(site) => {
            let found = kinematics.gap(input, site);
            return match event {
                Event::OverlapOnset(_) => kinematics.opening_rate(&found),
                _ => found.gap.distance,
            };
        }
    };
    let (touch, variables) = (&input.state.touches[index], input.layout().touch(y, index));
    let contact = ContactEvaluation::of(input, kinematics, touch, t, &variables);
    touch_event_function(input, evaluation, event, touch, &contact, t, &variables)
}

/// Returns the value of an event function of a touch whose contact has been evaluated.
pub(crate) fn touch_event_function(
    input: &StepInput,
    evaluation: &Evaluation,
    event: Event,
    touch: &Touch,
    contact: &ContactEvaluation,
    t: f64,
    variables: &TouchVariables,
) -> f64 {
    let world = input.world;
    let sign = if touch.loading { 1.0 } else { -1.0 };
    let memory = || touch.memory_at(t, variables.internal);
    match event {
        Event::Turn(_) => sign * contact.rate,
        Event::Kink(_) => sign * (touch.kink_indentation() - contact.delta),
        Event::Separation(_) => contact.delta - touch.separation_indentation(),
        Event::Release(_) => touch.signed_force_of(contact, &memory()),
        // A force that vanished and remains zero has not returned, and neither has a force within rounding.
        Event::Reload(_) => {
            let memory = memory();
            let stiffness = touch.law.tangent(contact.delta, contact.rate, &memory).stiffness.abs();
            let rounding =
                stiffness * evaluation.kinematics.gap_rounding(world, contact.a, contact.b);
            match touch.signed_force_of(contact, &memory) {
                force if force > rounding.max(1e-12 * touch.strongest.value) => -force,
                force => (-force).max(f64::MIN_POSITIVE),
            }
        }
        Event::Slip(_) => {
            let limit = friction_limit(world, touch.site, contact);
            limit + smallest_friction(world, touch) - contact.sticking_force
        }
        // With a damper, the slip speed is the excess of the spring force over the limit, divided by the damping.
        Event::Stick(_) if touch.spring.is_damped() => {
            match friction_limit(world, touch.site, contact) {
                limit if limit < smallest_friction(world, touch) => 1.0,
                limit => contact.sticking_force - limit,
            }
        }
        Event::Stick(_) => slip_rate(world, evaluation, touch, contact, &memory()),
        Event::Onset(_) | Event::OverlapOnset(_) | Event::JointFriction(_) => 0.0,
    }
}

/// Returns the slip speed of a spring without a damper at its limit (m/s).
///
/// The sliding velocity v is the sum of the velocity of the spring, −Ṫ/k, and of the slip. At the limit |T| = μF, so with the
/// unit vector T̂ the slip speed against T is −v·T̂ − μḞ/k; if it would be along T, the contact sticks. If −v·T̂ alone were used,
/// or a load rate that ignores the rotation of the bodies, a contact could stick and slip for ever at one instant. The margin of
/// one millionth covers the rounding errors of this condition.
fn slip_rate(
    world: &World,
    evaluation: &Evaluation,
    touch: &Touch,
    contact: &ContactEvaluation,
    memory: &Memory,
) -> f64 {
    let Some(friction) = world.contact_at(touch.site).friction else { return 0.0 };
    // A contact that pulls or hardly pushes carries no friction and cannot stick.
    let limit = friction_limit(world, touch.site, contact);
    if contact.force <= 0.0 || limit < smallest_friction(world, touch) {
        return 1.0;
    }
    let tangent = touch.law.tangent(contact.delta, contact.rate, memory);
    let speed = evaluation.kinematics.speed_bound(world, touch.site);
    let acceleration = evaluation.indentation_acceleration(world, touch.site, speed);
    let load_rate = tangent.stiffness * contact.rate + tangent.damping * acceleration;
    let along = contact.friction.unit().unwrap_or(Vec3::ZERO);
    let k = touch.spring.stiffness(contact.delta);
    let spring = friction.limit(load_rate).unwrap_or(0.0) / k;
    // If the stiffness of the spring depends on the load, its force decreases with the load.
    let fading = touch.spring.unloading_rate(contact.delta, contact.rate, touch.indentation_scale);
    let fading = fading * contact.friction.length() / k;
    let sliding = -along.dot(contact.velocity);
    sliding - spring + fading + 1e-6 * (sliding.abs() + spring.abs() + fading.abs())
}

/// Returns the tangential force below which it is considered zero (N).
fn smallest_friction(world: &World, touch: &Touch) -> f64 {
    let friction = world.contact_at(touch.site).friction;
    world.tolerance * friction.and_then(|f| f.limit(touch.load_scale())).unwrap_or(0.0)
}

/// Returns whether the friction of a touch has a slider, whose slip and stick are events.
pub(crate) fn has_slider(world: &World, touch: &Touch) -> bool {
    world.contact_at(touch.site).friction.is_some_and(|friction| friction.limit(1.0).is_some())
}

/// Returns the largest force that friction can carry at a site (N).
pub(crate) fn friction_limit(world: &World, site: usize, contact: &ContactEvaluation) -> f64 {
    let friction = world.contact_at(site).friction;
    friction.and_then(|f| f.limit(contact.force.max(0.0))).unwrap_or(f64::INFINITY)
}

/// Adds the events that may have occurred to a touch within a step, at whose end everything has been evaluated.
pub(crate) fn add_events_of(
    input: &StepInput,
    evaluation: &Evaluation,
    index: usize,
    events: &mut Vec<Event>,
) {
    let (world, touch) = (input.world, &input.state.touches[index]);
    if touch.phase == Phase::Asleep {
        return;
    }
    if touch.phase == Phase::Released {
        events.extend([Event::Separation(index), Event::Reload(index)]);
        return;
    }
    if !touch.turns_smoothly() {
        events.push(Event::Turn(index));
    }
    // A kink is an event if it lies ahead by more than rounding errors.
    let kink = touch.kink_indentation();
    let ahead = if touch.loading { kink - touch.delta } else { touch.delta - kink };
    let (a, b) = world.bodies_at(touch.site);
    let rounding = evaluation.kinematics.gap_rounding(world, a, b);
    if ahead > (1e-12 * touch.indentation_scale).max(rounding) {
        events.push(Event::Kink(index));
    }
    events.push(Event::Separation(index));
    if may_end(touch, evaluation.active_contact(index).rate) && touch.law.exit == Exit::ZeroForce {
        events.push(Event::Release(index));
    }
    if has_slider(world, touch) {
        events.push(if touch.slipping { Event::Stick(index) } else { Event::Slip(index) });
    }
}

/// Returns whether a touch may end within a step, given the indentation rate at its end: during unloading, and also during
/// loading if the step may contain the turn.
pub(crate) fn may_end(touch: &Touch, rate_at_end: f64) -> bool {
    !touch.loading || (touch.turns_smoothly() && (!has_just_begun(touch) || rate_at_end < 0.0))
}

/// Returns whether a touch is loading and has hardly any indentation, so that rounding errors may make it appear to end.
pub(crate) fn has_just_begun(touch: &Touch) -> bool {
    touch.loading && !(touch.delta > 0.01 * touch.indentation_scale)
}
