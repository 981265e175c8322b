//! Onset: quantities that are fixed for a whole contact when it begins.
//!
//! # Effective mass
//! A law converts a restitution into damping by means of the effective mass of the impact. In a scene this is the mass that the
//! normal force accelerates at the contact point: 1/mₑ is the relative acceleration of the two bodies along n at that point under
//! opposite unit forces along n, including rotation and joints. A single contact without friction then delivers the requested
//! restitution wherever it hits; in a central impact mₑ = m₁m₂/(m₁+m₂). Sites of two bodies that close together share their mass
//! (`together.rs`).
//!
//! # Speed
//! v₀ is the approach speed δ̇ at onset. Laws whose damping is proportional to v₀^(−p), p > 0, have no limit for v₀ → 0: a ball
//! that comes to rest would meet a damper of unbounded strength. The law is therefore given
//!
//! max(δ̇, v_slowest, √(a·δ_s)), F(δ_s, 0) = mₑ·a,
//!
//! where a is the acceleration that presses the bodies together at onset (by weight and other contacts). Below √(a·δ_s), the
//! weight changes the speed by the amount of the speed itself during the contact, and an impact speed has no meaning; the damping
//! is then that of a critically slow impact, which neither makes the equations stiff nor vanishes. v_slowest = 1 mm/s is for
//! bodies that touch at rest without being pressed together. If a bound changes the behaviour of the law, a note says so once for
//! each contact; velocity-free laws need no bound and get no note.
//!
//! If `slowest_impact` is given, the law is given max(δ̇, slowest_impact), with no other lower bound and no note. 0 means no
//! bound at all, provided that the motion can then be computed.
//!
//! Bodies that overlap at the start of a scene have no approach speed either, but their stored energy determines which one they
//! would have had: without damping they pass δ = 0 with
//!
//! v₀² = δ̇² + 2·E(δ)/mₑ,
//!
//! where E(δ) is the stored energy of the law. The law is given this speed, so that they separate with about the speed e·v₀ (a
//! little faster, because half of the damped motion is missing). With v_slowest instead, they would creep apart through a damper
//! for an impact a thousand times slower. The note on the overlap says that energy is released.

use super::corner::begins_smoothly;
use super::expected::{body_size, bracket_smallest, expected_depth, law_at, min_speed_scale};
use super::{Scratch, joint_friction, together};
use crate::contact::{ContactEvaluation, ForceAndInternalRate};
use crate::dynamics::{Evaluation, NormalForce};
use crate::friction::Spring;
use crate::gap::Gap;
use crate::impact_class::ImpactClass;
use crate::input::StepInput;
use crate::kinematics::{SiteGap, smallest_jump};
use crate::math::Vec3;
use crate::note::Note;
use crate::state::{Peak, Release, State, Touch, TouchVariables};
use crate::world::World;
use carom::law::Memory;
use carom::{Error, Law, Result};

/// Fraction of the speed √(a·δ_s) below which an approach speed is rejected if damping depends on it: the damper would make the
/// contact creep, with steps shorter than the motion by the same ratio.
const MIN_SPEED_RATIO: f64 = 1e-4;
/// Relative change of speed over the first step, for forces without a corner at δ = 0.
const MAX_SMOOTH_CHANGE: f64 = 0.2;

const ADVICE_ON_SLOWEST_IMPACT: &str = "leave out slowest_impact, or make it larger; or use a law that does not divide by the impact speed";

/// Begins a touch at a site and returns the length of a first step (s). The equations of motion must have been evaluated at the
/// state.
///
/// # Errors
/// When joints prevent motion of both bodies along the normal, or the law cannot be built or its motion not be computed.
pub(crate) fn begin(
    world: &World,
    state: &mut State,
    scratch: &mut Scratch,
    site: usize,
) -> Result<f64> {
    let input = StepInput::at(world, state);
    let evaluation = &mut scratch.start.evaluation;
    let found = evaluation.kinematics.gap(&input, site);
    let rate = -evaluation.kinematics.opening_rate(&found);
    let SiteGap { gap, a, b } = found;
    let index = world.sites[site].contact;
    let contact = &world.contacts[index];
    // A site that begins to overlap at a depth, because its features changed there, counts its indentation from that overlap: an
    // initial indentation would create energy. At the start of a scene an overlap is intended.
    let overlap = -gap.distance;
    let jumped = state.time > 0.0 && overlap > smallest_jump(world, a, b);
    let (offset, delta) = if jumped { (overlap, 0.0) } else { (0.0, overlap) };
    let acceleration = evaluation.approach_acceleration(&found);
    let now = state.time;
    let refused = |error: Error| error.at(format!("contact `{}` at t = {now:.6} s", contact.name));
    let (size, speed) = (body_size(world, a, b), rate.max(0.0));
    // Joints that friction holds against the coming impact take part in its mass, others do not.
    let unit = NormalForce { at: found, force: 1.0 };
    let mut mass = 1.0 / evaluation.mobility(world, std::iter::once(unit));
    let mut released = false;
    while joint_friction::holds_any(world, state) {
        let evaluation = &scratch.start.evaluation;
        let force = match mass > 0.0 && mass.is_finite() {
            true => {
                let (law, _) =
                    law_at(world, &evaluation.kinematics, index, &gap, mass).map_err(refused)?;
                let memory = law.touch(speed.max(min_speed_scale(world)));
                law.force(expected_depth(&law, &memory, memory.speed, size), 0.0, &memory)
            }
            false => f64::MAX,
        };
        if !joint_friction::release_overcome(world, state, scratch, NormalForce { force, ..unit }) {
            break;
        }
        released = true;
        mass = 1.0 / scratch.start.evaluation.mobility(world, std::iter::once(unit));
    }
    if !(mass > 0.0 && mass.is_finite()) {
        return Err(Error::unsupported(
            format!("contact `{}` between bodies that joints hold along its normal", contact.name),
            "let one of them move along the normal, or leave the contact out",
        ));
    }
    let input = StepInput::at(world, state);
    let evaluation = &mut scratch.start.evaluation;
    let (mut law, curvatures) =
        law_at(world, &evaluation.kinematics, index, &gap, mass).map_err(refused)?;
    let participants = &mut scratch.together;
    if let Some(mass) = together::mass(&input, evaluation, participants, site, &law) {
        law = contact.law_source.law(mass, curvatures).map_err(refused)?;
    }
    let tangential = contact.friction.map(|_| tangential_mass(world, evaluation, &found));
    if released {
        joint_friction::hold_again(world, state, scratch);
    }
    let evaluation = &scratch.start.evaluation;
    let min_speed = min_speed_scale(world);
    let mut memory = law.touch(speed.max(min_speed));
    let weight_speed = rest_speed(&law, &memory, acceleration, size);
    let overlap_speed = release_speed(&law, &memory, delta, rate);
    // Speed scale of the coming motion, independent of the speed that the law is given.
    let expected = speed.max(min_speed).max(weight_speed).max(overlap_speed);
    let law_speed = match world.min_onset_speed {
        None => expected,
        Some(floor) => speed.max(floor).max(overlap_speed),
    };
    if law_speed != memory.speed {
        memory = law.touch(law_speed);
    }
    let depends_on_speed = || {
        let twice = law.touch(2.0 * law_speed).damping;
        (twice - memory.damping).abs() > 1e-9 * memory.damping.abs() || !twice.is_finite()
    };
    if law_speed < MIN_SPEED_RATIO * weight_speed && depends_on_speed() {
        return Err(Error::numerical(
            "the onset of a contact",
            format!(
                "contact `{}` begins at {law_speed:.3e} m/s at t = {:.6} s, where its weight makes {weight_speed:.3e} m/s while it sinks in: \
                 with slowest_impact = {:e} m/s its damper is too strong to be followed",
                contact.name,
                state.time,
                world.min_onset_speed.unwrap_or(0.0)
            ),
            ADVICE_ON_SLOWEST_IMPACT,
        ));
    }
    let raised = world.min_onset_speed.is_none() && law_speed > speed.max(overlap_speed);
    if raised && depends_on_speed() {
        let name = contact.name.clone();
        let time = state.time;
        state.note(Note::SpeedFloor { contact: index, name, speed, floor: law_speed, time });
    }
    if !(memory.damping.is_finite() && memory.internal.is_finite()) {
        return Err(Error::numerical(
            "the onset of a contact",
            format!("contact `{}` has no damping at {law_speed:e} m/s", contact.name),
            match world.min_onset_speed.is_some_and(|floor| floor < expected) {
                true => ADVICE_ON_SLOWEST_IMPACT,
                false => "ask for a larger restitution, another exit or another law",
            },
        ));
    }
    // A law that was loaded before the start of the scene remembers its largest indentation.
    if delta > 0.0 {
        memory.peak = memory.peak.max(delta);
    }
    let stored_before = law.stored(delta, &memory);
    let force = law.force(delta, rate, &memory);
    let h = first_step_length(&law, &memory, delta, rate, expected, world.tolerance);
    let depth = expected_depth(&law, &memory, expected, size);
    let scale = delta.abs().max(expected * h).max(0.1 * depth);
    let spring = match contact.friction.zip(tangential) {
        Some((friction, mass)) => {
            friction.spring(&law, &memory, depth.max(scale), mass).map_err(refused)?
        }
        None => Spring::default(),
    };
    // Change of the internal state in the first step: the scale of its error.
    let soon = ForceAndInternalRate(delta + expected * h, expected, &memory);
    let (_, internal_rate) = law.with(soon);
    let [one, two] = [a, b].map(|body| &evaluation.kinematics.bodies[body]);
    let relative = two.velocity_at(gap.point) - one.velocity_at(gap.point);
    let class = ImpactClass::of(world, &gap, [(a, one.x), (b, two.x)], relative);
    let time = state.time;
    state.is_open[site] = false;
    state.accounts[world.sites[site].contact].classes[class.number()] += 1;
    let index = state.touches.len();
    state.y.resize(state.layout.len(index + 1), 0.0);
    let variables = TouchVariables { internal: memory.internal, ..TouchVariables::default() };
    state.layout.set_touch(&mut state.y, index, &variables);
    state.touches.push(Touch {
        class,
        loading: rate >= 0.0,
        memory,
        begun: time,
        speed,
        delta,
        rate,
        deepest: Peak { value: delta.max(0.0), time },
        strongest: Peak { value: force, time },
        indentation_scale: scale,
        force_rate: 1.0,
        released: Release { speed: 0.0, time },
        internal_scale: memory.internal.abs().max((internal_rate * h).abs()),
        stored_before,
        spring,
        normal: gap.normal,
        offset,
        ..Touch::new(site, law, curvatures)
    });
    begin_friction(world, state, scratch, index);
    Ok(h)
}

/// Returns the effective mass for a tangential force at a site (kg), as a mean over the tangential directions.
fn tangential_mass(world: &World, evaluation: &mut Evaluation, site: &SiteGap) -> f64 {
    let (first, second) = site.gap.normal.frame();
    let mobilities = [first, second].map(|normal| {
        let at = SiteGap { gap: Gap { normal, ..site.gap }, ..*site };
        evaluation.mobility(world, std::iter::once(NormalForce { at, force: 1.0 }))
    });
    // In planar scenes and with joints, bodies may be able to move in one direction only.
    let mobile = mobilities.iter().filter(|mobility| **mobility > 0.0).count();
    mobile as f64 / mobilities.iter().sum::<f64>()
}

/// Decides whether the slider of a tangential spring slips immediately when a touch begins to push.
///
/// The normal force begins at zero, for example as δ^(3/2), while the force of a spring stretched by sliding grows linearly with
/// time. If it grows faster than the friction limit, there is slip from the beginning, however short. A damper has a force from
/// the first instant.
pub(crate) fn begin_friction(world: &World, state: &mut State, scratch: &Scratch, index: usize) {
    let touch = &state.touches[index];
    let contact = world.contact_at(touch.site);
    let Some(friction) = contact.friction.filter(|friction| friction.limit(1.0).is_some()) else {
        return;
    };
    let (input, variables) = (StepInput::at(world, state), state.touch(index));
    let kinematics = &scratch.start.evaluation.kinematics;
    let contact = ContactEvaluation::of(&input, kinematics, touch, state.time, &variables);
    let soon = 1e-8 * touch.indentation_scale / contact.rate.abs().max(min_speed_scale(world));
    let memory = Memory { time: soon, ..touch.memory_at(state.time, variables.internal) };
    let load = touch.law.force(contact.delta + contact.rate * soon, contact.rate, &memory);
    let limit = friction.limit(load.max(0.0)).unwrap_or(0.0);
    let (carried, later) = (variables.friction, contact.delta + 0.5 * contact.rate * soon);
    let resistance = touch.spring.stiffness(later) * soon + touch.spring.damping(later);
    let slips = (carried - contact.velocity * resistance).length() > limit;
    let against = (-contact.velocity).unit();
    if let (true, false, Some(against)) = (slips, touch.spring.is_damped(), against)
        && carried == Vec3::ZERO
    {
        // A slipping spring without a damper keeps the direction of its force, so the force must not be zero.
        state.layout.set_friction(&mut state.y, index, against * limit.max(1e-100));
    }
    state.touches[index].slipping = slips;
}

/// Returns the speed at which overlapping bodies would pass δ = 0 without losses (m/s); 0 if they do not overlap.
fn release_speed(law: &Law, memory: &Memory, delta: f64, rate: f64) -> f64 {
    if !(delta > 0.0) {
        return 0.0;
    }
    let stored = law.stored(delta, &Memory { peak: memory.peak.max(delta), ..*memory });
    let speed = (rate * rate + 2.0 * stored.max(0.0) / law.mass).sqrt();
    if speed.is_finite() { speed } else { 0.0 }
}

/// Returns √(a·δ_s), where the law carries the force mₑ·a at the indentation δ_s at rest (m/s); 0 if nothing presses the bodies
/// together or the law never carries that force.
fn rest_speed(law: &Law, memory: &Memory, acceleration: f64, largest: f64) -> f64 {
    let weight = law.mass * acceleration;
    if !(weight > 0.0) {
        return 0.0;
    }
    // An accuracy of one per cent suffices for a scale.
    let carries = |delta: f64| law.force(delta, 0.0, memory) >= weight;
    bracket_smallest(carries, largest, 1.01).map_or(0.0, |(_, above)| (acceleration * above).sqrt())
}

/// Returns the length of a first step over which the corner of the force at δ = 0 causes no harm (s).
///
/// A force that grows as sᵖ with time changes the speed over the step by a fraction `change` = F·h/(m·v). The quadrature of sᵖ by
/// the Runge–Kutta pair has a relative error of 1e-4 for p between 1 and 2, and of up to 2e-2 for smaller p. Later steps may grow
/// with the time since onset, because the effect of the corner fades. A linear spring and damper have no such corner: their force
/// jumps to its value at onset and is smooth afterwards.
fn first_step_length(
    law: &Law,
    memory: &Memory,
    delta: f64,
    rate: f64,
    speed: f64,
    tolerance: f64,
) -> f64 {
    let change = |h: f64| {
        let force = law.force(delta + speed * h, rate, &Memory { time: h, ..*memory });
        (force * h / (law.mass * speed)).abs()
    };
    let smooth = law.power().is_some_and(begins_smoothly);
    let most = if smooth { MAX_SMOOTH_CHANGE } else { (3e3 * tolerance).clamp(1e-8, 1e-3) };
    let mut h = 1e-9 / speed;
    while !(change(h) < most) && h > 1e-280 {
        h *= 0.1;
    }
    while change(4.0 * h) < most && h < 1e3 {
        h *= 4.0;
    }
    // Since `change` ∝ h^(p+1), the final length is found by extrapolation.
    let (near, far) = (change(h), change(4.0 * h));
    let power = (far / near).log2() * 0.5;
    if !(power > 0.5 && power < 8.0 && near > 0.0) {
        return h;
    }
    let most = if power < 1.95 && !smooth { (1e2 * tolerance).max(1e-8) } else { most };
    h * (most / near).powf(1.0 / power).clamp(0.1, 4.0)
}
