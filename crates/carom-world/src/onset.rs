//! First touch: what is frozen for a whole contact.
//!
//! # Effective mass
//! A law turns a restitution into damping through the effective mass of the impact. In a scene that is the
//! mass that the normal force feels at the place of contact, 1/mₑ = n·(M⁻¹-response of both bodies to a unit
//! force along n), with rotation and with the joints. A single contact without friction then delivers the
//! restitution that was asked for, wherever it hits; for a central impact it is m₁m₂/(m₁+m₂). Places of two bodies
//! that close together share their mass (`together.rs`).
//!
//! # Speed
//! v₀ is the approach speed δ̇ at touch. Laws whose damping goes as v₀^(−p), p > 0, have no limit for v₀ → 0: a
//! ball that comes to rest would meet a damper of any strength. The law is told
//!
//! max(δ̇, v_slowest, √(a·δ_s)), F(δ_s, 0) = mₑ·a,
//!
//! where a is the acceleration that presses the bodies together at touch (weight, other contacts). Below
//! √(a·δ_s) the weight changes the speed by its own size during the contact and an impact speed has no
//! meaning; there the damping is that of a critically slow impact, neither stiff nor lost. v_slowest = 1 mm/s
//! serves bodies that touch at rest with nothing pressing. Where this changes what the law does, a note says so once
//! a contact; laws on the velocity-free line need nothing and get no note.
//!
//! Who gives `slowest_impact` decides that instead: the law is told max(δ̇, slowest_impact), with no other floor and no
//! note; 0 is no floor at all, as far as the motion can then be followed.
//!
//! Bodies that overlap where the scene begins have no speed at touch either, but energy that says which one they
//! would have had: without damping they pass δ = 0 with
//!
//! v₀² = δ̇² + 2·E(δ)/mₑ,
//!
//! E(δ) being what the law stores. The law is told this speed, so that they part with about the speed e·v₀
//! (half of the damped motion is missing: a little faster); told v_slowest, it would creep out through a damper
//! made for an impact a thousand times slower. The note on the overlap says that energy is released.

use crate::contact::Pushed;
use crate::dynamics::Dynamics;
use crate::friction::Spring;
use crate::gap::{Gap, relative_curvatures};
use crate::math::Vec3;
use crate::note::Note;
use crate::run::jump;
use crate::state::{Phase, State, TOUCH, Touch};
use crate::together::{self, Place};
use crate::world::World;
use carom::law::{Force, Memory, Work};
use carom::{Error, Law, Result};

/// Makes a touch of a site; the slope must have been evaluated at this state. Gives a first step (s).
pub(crate) fn touch(
    world: &World,
    dynamics: &mut Dynamics,
    state: &mut State,
    site: usize,
) -> Result<f64> {
    let (own, rate) = Place::of(world, dynamics, site);
    let Place { gap, a, b, .. } = own;
    let index = world.sites[site].contact;
    let contact = &world.contacts[index];
    // A place that comes into being at a depth, because the features that make it changed there, begins where it is: had it
    // an indentation from the first instant, its energy would come from nowhere. Where a scene begins, it is meant.
    let overlap = -gap.distance;
    let jumped = state.time > 0.0 && overlap > jump::least(world, a, b);
    let (offset, delta) = if jumped { (overlap, 0.0) } else { (0.0, overlap) };
    let pressing = dynamics.pressing(&gap, a, b);
    let mass = 1.0 / dynamics.mobility(world, &[own]);
    if !(mass > 0.0 && mass.is_finite()) {
        return Err(Error::unsupported(
            format!("contact `{}` between bodies that joints hold along its normal", contact.name),
            "let one of them move along the normal, or leave the contact out",
        ));
    }
    let now = state.time;
    let refused = |error: Error| error.at(format!("contact `{}` at t = {now:.6} s", contact.name));
    let (mut law, curvatures) = law_at(world, dynamics, index, &gap, mass).map_err(refused)?;
    if let Some(mass) = together::mass(world, dynamics, state, site, own, &law) {
        law = contact.law_source.law(mass, curvatures).map_err(refused)?;
    }
    let speed = rate.max(0.0);
    let slowest = slowest(world);
    let mut memory = law.touch(speed.max(slowest));
    let rest = rest_speed(&law, &memory, pressing, reach(world, a, b));
    let released = release_speed(&law, &memory, delta, rate);
    // A scale for what is to come, whatever the law is told.
    let expected = speed.max(slowest).max(rest).max(released);
    let told = match world.slowest {
        None => expected,
        Some(floor) => speed.max(floor).max(released),
    };
    if told != memory.speed {
        memory = law.touch(told);
    }
    let divides = || {
        let twice = law.touch(2.0 * told).damping;
        (twice - memory.damping).abs() > 1e-9 * memory.damping.abs() || !twice.is_finite()
    };
    if told < CREEPS * rest && divides() {
        return Err(Error::numerical(
            "the onset of a contact",
            format!(
                "contact `{}` begins at {told:.3e} m/s at t = {:.6} s, where its weight makes {rest:.3e} m/s while it sinks in: \
                 with slowest_impact = {:e} m/s its damper is too strong to be followed",
                contact.name,
                state.time,
                world.slowest.unwrap_or(0.0)
            ),
            "leave out slowest_impact, or make it larger; or use a law that does not divide by the impact speed",
        ));
    }
    let raised = world.slowest.is_none() && told > speed.max(released);
    if raised && divides() {
        let name = contact.name.clone();
        let time = state.time;
        state.note(Note::SpeedFloor { contact: index, name, speed, floor: told, time });
    }
    if !(memory.damping.is_finite() && memory.internal.is_finite()) {
        return Err(Error::numerical(
            "the onset of a contact",
            format!("contact `{}` has no damping at {told:e} m/s", contact.name),
            match world.slowest.is_some_and(|floor| floor < expected) {
                true => {
                    "leave out slowest_impact, or make it larger; or use a law that does not divide by the impact speed"
                }
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
    let depth = expected_depth(&law, &memory, expected, reach(world, a, b));
    let scale = delta.abs().max(expected * h).max(0.1 * depth);
    let spring = match &contact.friction {
        Some(friction) => {
            let mass = tangential_mass(world, dynamics, &own);
            friction.spring(&law, &memory, depth.max(scale), mass).map_err(refused)?
        }
        None => Spring::default(),
    };
    // What an internal state does in the first step, as a scale for its error.
    let creep = law.with(Creep(delta + expected * h, expected, memory));
    state.open[site] = false;
    state.y.extend_from_slice(&[0.0; TOUCH]);
    let slots = state.layout.touch(state.touches.len());
    state.y[slots] = memory.internal;
    state.touches.push(Touch {
        site,
        phase: Phase::Pushing,
        loading: rate >= 0.0,
        slipping: false,
        law,
        memory,
        curvatures,
        begun: state.time,
        speed,
        delta,
        rate,
        deepest: (delta.max(0.0), state.time),
        strongest: (force, state.time),
        scale,
        trend: 1.0,
        released: (state.time, 0.0),
        internal: memory.internal.abs().max((creep * h).abs()),
        stored_before,
        spring,
        normal: gap.normal,
        offset,
    });
    let index = state.touches.len() - 1;
    begin_friction(world, dynamics, state, index);
    Ok(h)
}

/// Below this share of the speed that the weight makes while a contact sinks in, a damper that goes as 1/v₀ turns the
/// contact into one that creeps, with steps shorter than the motion by the same share.
const CREEPS: f64 = 1e-4;
/// The speed that serves where bodies touch at rest, unless another is given (m/s).
const SLOWEST: f64 = 1e-3;

/// A speed above 0 below which none is expected (m/s).
pub(crate) fn slowest(world: &World) -> f64 {
    world.slowest.filter(|speed| *speed > 0.0).unwrap_or(SLOWEST)
}

/// The mass that a tangential force feels at a place (kg), the mean over its directions.
fn tangential_mass(world: &World, dynamics: &mut Dynamics, place: &Place) -> f64 {
    let (first, second) = place.gap.normal.frame();
    let answers = [first, second].map(|normal| {
        let gap = Gap { normal, ..place.gap };
        dynamics.mobility(world, &[Place { gap, ..*place }])
    });
    // Bodies in a plane, or held by joints, may answer in one direction only.
    let answering = answers.iter().filter(|answer| **answer > 0.0).count();
    answering as f64 / answers.iter().sum::<f64>()
}

/// Whether the slider of a tangential spring slips at once, where a touch begins to push.
///
/// The load begins with nothing, as δ^(3/2) for example, and a spring that is stretched by sliding with time: then there
/// is slip at first, however short. A damper carries a force from the first instant.
pub(crate) fn begin_friction(world: &World, dynamics: &Dynamics, state: &mut State, index: usize) {
    let touch = &state.touches[index];
    let contact = &world.contacts[world.sites[touch.site].contact];
    let Some(friction) = contact.friction.filter(|friction| friction.limit(1.0).is_some()) else {
        return;
    };
    let at = state.layout.touch(index);
    let slots = &state.y[at..at + TOUCH];
    let pushed = Pushed::of(world, dynamics, touch, state.time, slots);
    let soon = 1e-8 * touch.scale / pushed.rate.abs().max(slowest(world));
    let memory = Memory { time: soon, ..touch.memory_at(state.time, slots) };
    let load = touch.law.force(pushed.delta + pushed.rate * soon, pushed.rate, &memory);
    let limit = friction.limit(load.max(0.0)).unwrap_or(0.0);
    let (carried, later) = (Vec3::read(slots, 1), pushed.delta + 0.5 * pushed.rate * soon);
    let resists = touch.spring.stiffness(later) * soon + touch.spring.damping(later);
    let slips = (carried - pushed.velocity * resists).length() > limit;
    let against = (-pushed.velocity).unit();
    if let (true, false, Some(against)) = (slips, touch.spring.is_damped(), against)
        && carried == Vec3::ZERO
    {
        // Without a damper it is the direction of this that is remembered while it slips.
        (against * limit.max(1e-100)).write(&mut state.y, at + 1);
    }
    state.touches[index].slipping = slips;
}

/// The law of a contact where its shapes lie like this, for a mass, and the curvatures that it follows from.
pub(crate) fn law_at(
    world: &World,
    dynamics: &Dynamics,
    contact: usize,
    gap: &Gap,
    mass: f64,
) -> Result<(Law, Option<(f64, f64)>)> {
    let contact = &world.contacts[contact];
    let curvatures = match contact.law_source.needs_curvatures() {
        true => {
            let (shape_a, shape_b) = (&world.shapes[contact.a], &world.shapes[contact.b]);
            let (fa, fb) = (dynamics.frame(world, contact.a), dynamics.frame(world, contact.b));
            relative_curvatures(&shape_a.shape, &fa, &shape_b.shape, &fb, gap.normal, gap.point)
        }
        false => None,
    };
    Ok((contact.law_source.law(mass, curvatures)?, curvatures))
}

/// Rate of the internal state.
struct Creep(f64, f64, Memory);

impl Work for Creep {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.internal_rate(self.0, self.1, &self.2)
    }
}

/// A length that no indentation reaches.
pub(crate) fn reach(world: &World, a: usize, b: usize) -> f64 {
    let longest = world.columns.reach[a].max(world.columns.reach[b]);
    if longest > 0.0 { longest } else { 1.0 }
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

/// √(a·δ_s), where the law holds mₑ·a at rest; 0 where nothing presses or the law never holds it.
fn rest_speed(law: &Law, memory: &Memory, pressing: f64, reach: f64) -> f64 {
    let weight = law.mass * pressing;
    if !(weight > 0.0) {
        return 0.0;
    }
    let holds = |delta: f64| law.force(delta, 0.0, memory) >= weight;
    if !holds(reach) {
        return 0.0;
    }
    // Halving the logarithm of δ to a percent: this is a scale.
    let (mut low, mut high) = (1e-18 * reach, reach);
    while high > 1.01 * low {
        let middle = (low * high).sqrt();
        if holds(middle) { high = middle } else { low = middle }
    }
    (pressing * high).sqrt()
}

/// The indentation at which the law would have stored the energy of the impact, to a tenth; 0 where it
/// never would.
pub(crate) fn expected_depth(law: &Law, memory: &Memory, speed: f64, reach: f64) -> f64 {
    let energy = 0.5 * law.mass * speed * speed;
    let holds = |delta: f64| law.stored(delta, &Memory { peak: delta, ..*memory }) >= energy;
    if !holds(reach) {
        return 0.0;
    }
    let (mut low, mut high) = (1e-18 * reach, reach);
    while high > 1.1 * low {
        let middle = (low * high).sqrt();
        if holds(middle) { high = middle } else { low = middle }
    }
    low
}

/// A step over which the corner of the force at δ = 0 does no harm.
///
/// A force that grows as sᵖ changes the speed by a share of `change` = F·h/(m·v) over the step, and the pair's quadrature of
/// sᵖ is off by 1e-4 of that for p between 1 and 2, by up to 2e-2 below. Later steps may grow with the
/// time since the touch, because they see less and less of the corner.
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
    let most = (3e3 * tolerance).clamp(1e-8, 1e-3);
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
    let most = if power < 1.95 { (1e2 * tolerance).max(1e-8) } else { most };
    h * (most / near).powf(1.0 / power).clamp(0.1, 4.0)
}
