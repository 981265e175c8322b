//! Onset: what is fixed for a whole contact when it begins.
//!
//! # Effective mass
//! A law turns a restitution into damping through the effective mass of the impact. In a scene that is the
//! mass that the normal force acts on at the contact point, 1/mₑ = n·(M⁻¹-response of both bodies to a unit
//! force along n), with rotation and with the joints. A single contact without friction then delivers the
//! restitution that was asked for, wherever it hits; for a central impact it is m₁m₂/(m₁+m₂). Sites of two bodies
//! that close together share their mass (`together.rs`).
//!
//! # Speed
//! v₀ is the approach speed δ̇ at touch. Laws whose damping goes as v₀^(−p), p > 0, have no limit for v₀ → 0: a
//! ball that comes to rest would meet a damper of any strength. The law is given
//!
//! max(δ̇, v_slowest, √(a·δ_s)), F(δ_s, 0) = mₑ·a,
//!
//! where a is the acceleration that presses the bodies together at touch (weight, other contacts). Below
//! √(a·δ_s) the weight changes the speed by its own size during the contact and an impact speed has no
//! meaning; there the damping is that of a critically slow impact, neither stiff nor lost. v_slowest = 1 mm/s
//! serves bodies that touch at rest with nothing pressing. Where this changes what the law does, a note says so once
//! a contact; laws on the velocity-free line need nothing and get no note.
//!
//! Where `slowest_impact` is given, the law is given max(δ̇, slowest_impact), with no other floor and no
//! note; 0 is no floor at all, as far as the motion can then be followed.
//!
//! Bodies that overlap where the scene begins have no speed at touch either, but energy that says which one they
//! would have had: without damping they pass δ = 0 with
//!
//! v₀² = δ̇² + 2·E(δ)/mₑ,
//!
//! E(δ) being what the law stores. The law is given this speed, so that they part with about the speed e·v₀
//! (half of the damped motion is missing: a little faster); given v_slowest, it would creep out through a damper
//! made for an impact a thousand times slower. The note on the overlap says that energy is released.

use super::corner::begins_smoothly;
use super::expected::{body_size, expected_depth, law_at, least_speed, smallest_that};
use super::{Scratch, together};
use crate::contact::{ContactEvaluation, ForceAndInternalRate};
use crate::dynamics::{Evaluation, NormalForce};
use crate::friction::Spring;
use crate::gap::Gap;
use crate::impact_class::ImpactClass;
use crate::input::StepInput;
use crate::kinematics::{SiteGap, smallest_jump};
use crate::math::Vec3;
use crate::note::Note;
use crate::state::{Peak, State, Touch, TouchVariables};
use crate::world::World;
use carom::law::Memory;
use carom::{Error, Law, Result};

/// Below this fraction of the speed that the weight gives a contact while it sinks in, a damper that goes as 1/v₀ lets the
/// contact creep, with steps shorter than the motion by the same ratio.
const CREEP_RATIO: f64 = 1e-4;
/// Change of speed over the first step, as a share, where the force has no corner at δ = 0.
const SMOOTH_CHANGE: f64 = 0.2;

const SLOWEST_ADVICE: &str = "leave out slowest_impact, or make it larger; or use a law that does not divide by the impact speed";

/// Makes a touch of a site, where the equations of motion have been evaluated at the state. Gives a first step (s).
///
/// # Errors
/// When joints hold the bodies along the normal, or the law cannot be made or followed.
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
    // A site that comes into being at a depth, because the features that make it changed there, begins where it is: had it
    // an indentation from the first instant, its energy would come from nowhere. Where a scene begins, it is meant.
    let overlap = -gap.distance;
    let jumped = state.time > 0.0 && overlap > smallest_jump(world, a, b);
    let (offset, delta) = if jumped { (overlap, 0.0) } else { (0.0, overlap) };
    let acceleration = evaluation.approach_acceleration(&found);
    let mass =
        1.0 / evaluation.mobility(world, std::iter::once(NormalForce { at: found, force: 1.0 }));
    if !(mass > 0.0 && mass.is_finite()) {
        return Err(Error::unsupported(
            format!("contact `{}` between bodies that joints hold along its normal", contact.name),
            "let one of them move along the normal, or leave the contact out",
        ));
    }
    let now = state.time;
    let refused = |error: Error| error.at(format!("contact `{}` at t = {now:.6} s", contact.name));
    let (mut law, curvatures) =
        law_at(world, &evaluation.kinematics, index, &gap, mass).map_err(refused)?;
    let participants = &mut scratch.together;
    if let Some(mass) = together::mass(&input, evaluation, participants, site, &law) {
        law = contact.law_source.law(mass, curvatures).map_err(refused)?;
    }
    let size = body_size(world, a, b);
    let speed = rate.max(0.0);
    let least = least_speed(world);
    let mut memory = law.touch(speed.max(least));
    let rest = rest_speed(&law, &memory, acceleration, size);
    let released = release_speed(&law, &memory, delta, rate);
    // A scale for what is to come, whatever speed the law is given.
    let expected = speed.max(least).max(rest).max(released);
    let given = match world.min_onset_speed {
        None => expected,
        Some(floor) => speed.max(floor).max(released),
    };
    if given != memory.speed {
        memory = law.touch(given);
    }
    let depends_on_speed = || {
        let twice = law.touch(2.0 * given).damping;
        (twice - memory.damping).abs() > 1e-9 * memory.damping.abs() || !twice.is_finite()
    };
    if given < CREEP_RATIO * rest && depends_on_speed() {
        return Err(Error::numerical(
            "the onset of a contact",
            format!(
                "contact `{}` begins at {given:.3e} m/s at t = {:.6} s, where its weight makes {rest:.3e} m/s while it sinks in: \
                 with slowest_impact = {:e} m/s its damper is too strong to be followed",
                contact.name,
                state.time,
                world.min_onset_speed.unwrap_or(0.0)
            ),
            SLOWEST_ADVICE,
        ));
    }
    let raised = world.min_onset_speed.is_none() && given > speed.max(released);
    if raised && depends_on_speed() {
        let name = contact.name.clone();
        let time = state.time;
        state.note(Note::SpeedFloor { contact: index, name, speed, floor: given, time });
    }
    if !(memory.damping.is_finite() && memory.internal.is_finite()) {
        return Err(Error::numerical(
            "the onset of a contact",
            format!("contact `{}` has no damping at {given:e} m/s", contact.name),
            match world.min_onset_speed.is_some_and(|floor| floor < expected) {
                true => SLOWEST_ADVICE,
                false => "ask for a larger restitution, another exit or another law",
            },
        ));
    }
    // A law that was loaded before the scene began remembers how far.
    if delta > 0.0 {
        memory.peak = memory.peak.max(delta);
    }
    let stored_before = law.stored(delta, &memory);
    let force = law.force(delta, rate, &memory);
    let h = first_step(&law, &memory, delta, rate, expected, world.tolerance);
    let depth = expected_depth(&law, &memory, expected, size);
    let scale = delta.abs().max(expected * h).max(0.1 * depth);
    let spring = match &contact.friction {
        Some(friction) => {
            let mass = tangential_mass(world, evaluation, &found);
            friction.spring(&law, &memory, depth.max(scale), mass).map_err(refused)?
        }
        None => Spring::default(),
    };
    // What an internal state does in the first step, as a scale for its error.
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
        released: Peak { value: 0.0, time },
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

/// Effective mass for a tangential force at a site (kg), the mean over its directions.
fn tangential_mass(world: &World, evaluation: &mut Evaluation, site: &SiteGap) -> f64 {
    let (first, second) = site.gap.normal.frame();
    let mobilities = [first, second].map(|normal| {
        let at = SiteGap { gap: Gap { normal, ..site.gap }, ..*site };
        evaluation.mobility(world, std::iter::once(NormalForce { at, force: 1.0 }))
    });
    // Bodies in a plane, or held by joints, may move in one direction only.
    let mobile = mobilities.iter().filter(|mobility| **mobility > 0.0).count();
    mobile as f64 / mobilities.iter().sum::<f64>()
}

/// Decides whether the slider of a tangential spring slips at once, where a touch begins to push.
///
/// The load begins with nothing, as δ^(3/2) for example, and a spring that is stretched by sliding with time: then there
/// is slip at first, however short. A damper carries a force from the first instant.
pub(crate) fn begin_friction(world: &World, state: &mut State, scratch: &Scratch, index: usize) {
    let touch = &state.touches[index];
    let contact = world.contact_at(touch.site);
    let Some(friction) = contact.friction.filter(|friction| friction.limit(1.0).is_some()) else {
        return;
    };
    let (input, variables) = (StepInput::at(world, state), state.touch(index));
    let kinematics = &scratch.start.evaluation.kinematics;
    let contact = ContactEvaluation::of(&input, kinematics, touch, state.time, &variables);
    let soon = 1e-8 * touch.indentation_scale / contact.rate.abs().max(least_speed(world));
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
        // A slipping spring without a damper remembers the direction of its force.
        state.layout.set_friction(&mut state.y, index, against * limit.max(1e-100));
    }
    state.touches[index].slipping = slips;
}

/// The speed at which bodies that overlap would pass δ = 0 if nothing were lost; 0 where they do not overlap.
fn release_speed(law: &Law, memory: &Memory, delta: f64, rate: f64) -> f64 {
    if !(delta > 0.0) {
        return 0.0;
    }
    let stored = law.stored(delta, &Memory { peak: memory.peak.max(delta), ..*memory });
    let speed = (rate * rate + 2.0 * stored.max(0.0) / law.mass).sqrt();
    if speed.is_finite() { speed } else { 0.0 }
}

/// √(a·δ_s), where the law carries mₑ·a at rest; 0 where nothing presses or the law never carries it.
fn rest_speed(law: &Law, memory: &Memory, acceleration: f64, largest: f64) -> f64 {
    let weight = law.mass * acceleration;
    if !(weight > 0.0) {
        return 0.0;
    }
    // To a percent: this is a scale.
    let carries = |delta: f64| law.force(delta, 0.0, memory) >= weight;
    smallest_that(carries, largest, 1.01).map_or(0.0, |(_, above)| (acceleration * above).sqrt())
}

/// A step over which the corner of the force at δ = 0 does no harm.
///
/// A force that grows as sᵖ changes the speed by a share of `change` = F·h/(m·v) over the step, and the pair's quadrature of
/// sᵖ is off by 1e-4 of that for p between 1 and 2, by up to 2e-2 below. Later steps may grow with the
/// time since the touch, because they see less and less of the corner. A linear spring and damper have no corner there: their
/// force jumps to what it is at touch and goes on smoothly.
fn first_step(
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
    let most = if smooth { SMOOTH_CHANGE } else { (3e3 * tolerance).clamp(1e-8, 1e-3) };
    let mut h = 1e-9 / speed;
    while !(change(h) < most) && h > 1e-280 {
        h *= 0.1;
    }
    while change(4.0 * h) < most && h < 1e3 {
        h *= 4.0;
    }
    // change ∝ h^(p+1): the rest of the way at once.
    let (near, far) = (change(h), change(4.0 * h));
    let power = (far / near).log2() * 0.5;
    if !(power > 0.5 && power < 8.0 && near > 0.0) {
        return h;
    }
    let most = if power < 1.95 && !smooth { (1e2 * tolerance).max(1e-8) } else { most };
    h * (most / near).powf(1.0 / power).clamp(0.1, 4.0)
}
