//! Places that close together share the mass.
//!
//! A block that lands flat touches at four corners at once. Each force moves all corners, so what one of them pushes
//! is not the mass that it would feel alone: with W = J·M⁻¹·Jᵀ over the places that touch (rotation and joints
//! included) the indentations follow
//!
//! δ̈ᵢ = −Σⱼ Wᵢⱼ·Fⱼ,
//!
//! four corners of a free block have M/4 each, wherever they sit about its centre, and one alone 1/Wᵢᵢ, which depends
//! on where it sits. A law that makes its damping for the wrong mass (Kelvin–Voigt's goes as √m) delivers the
//! wrong restitution. So what is needed is the mass that makes mᵢ·δ̈ᵢ = −Fᵢ true while the places act together.
//!
//! # The rule
//! Let vᵢ be the approach speeds and pᵢ the elastic forces that the laws have at indentations vᵢ·τ, at the same short
//! time after touch: the pattern in which the forces begin. If they keep it,
//!
//! W·p = μ·v,  mᵢ = pᵢ/(μ·vᵢ),  μ = pᵀ·W·p/(p·v).
//!
//! The first is a condition on the bodies, the second then follows from mᵢ·δ̈ᵢ = −Fᵢ, and the third is the first
//! times p: Galerkin's projection on the pattern, which errs by the square of what the condition is violated by. It
//! is positive and finite for whatever p and v: pᵀWp = 0 means that the forces move nothing, Jᵀp = 0, and then p·v = 0.
//! For one place m = 1/W.
//!
//! *Exact* where the condition holds and laws have the same form: then all places have the same time (K·vᵢⁿ⁻¹/mᵢ is the same),
//! δᵢ ∝ vᵢ for ever, and each is the single impact of mass mᵢ, which delivers what it is asked for. Whatever lands
//! flat without turning on places with their centre under the centre of mass does (W·1 = N/M·1): blocks, prisms, lying
//! cylinders and capsules, tables on equal feet, two blocks face to face, of any law. For linear laws also each
//! way of closing that is an eigenvector of W, such as a bar that turns about its middle against two stops.
//!
//! *Elsewhere* (a centre of mass off the middle of the places; speeds that mix translation and rotation) forces of equal
//! laws turn the body whatever its dampers are, no mass could make every place return its share of its
//! speed, and the mass above is that of the mean motion.
//!
//! # Together
//! Places of the same two bodies (whatever is fixed counts as one body), which may belong to several contacts. One that
//! closes later by t counts for 1 − 4t/T, T being the duration of an elastic impact of the place alone, so that a
//! tilted block goes over into one that hits with one corner after another, without a jump: places that close
//! later than T/4 do not share, and neither do those that have been touching for as long: they carry a load,
//! and the new touch feels them as such. Bodies that hit several others at once are not asked
//! for: a ball that hits two has two masses, each with one of them.

use crate::detect::hair;
use crate::dynamics::Dynamics;
use crate::gap::Gap;
use crate::onset::{expected_depth, law_at, reach, slowest};
use crate::state::{Phase, State};
use crate::world::{Mobility, World};
use carom::Law;
use carom::law::Memory;

/// A place, how fast it closes and how much it pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub gap: Gap,
    pub a: usize,
    pub b: usize,
    /// Approach speed, not below the slowest.
    pub speed: f64,
    /// How much of it counts: 1 where it closes at the same time.
    pub share: f64,
    /// Force, in a unit common to all.
    pub weight: f64,
}

impl Place {
    /// A place with a unit force, and how fast it closes.
    pub fn of(world: &World, dynamics: &Dynamics, site: usize) -> (Self, f64) {
        let (gap, a, b) = dynamics.gap(world, site);
        let (one, two) = (&dynamics.moving[a], &dynamics.moving[b]);
        let rate = -gap.opening_rate(one, two);
        (Self { gap, a, b, speed: rate.max(slowest(world)), share: 1.0, weight: 1.0 }, rate)
    }
}

/// Share of the contact's duration within which places close together.
const PART: f64 = 0.25;
/// Duration of an elastic impact over its depth and speed: π for springs, 2.94 for Hertz.
const LASTS: f64 = 3.0;

/// The mass at a site that closes while others of the same bodies do, or nothing where it closes alone.
/// `law` is its law with the mass that it has alone.
pub(crate) fn mass(
    world: &World,
    dynamics: &mut Dynamics,
    state: &State,
    site: usize,
    own: Place,
    law: &Law,
) -> Option<f64> {
    let pair = bodies(world, site);
    if !(0..world.sites.len()).any(|other| other != site && bodies(world, other) == pair) {
        return None;
    }
    let mut places = std::mem::take(&mut dynamics.together);
    places.clear();
    places.push(own);
    find(world, dynamics, state, site, law, &mut places);
    let mass = (places.len() > 1).then(|| {
        let moved = dynamics.mobility(world, &places);
        let along: f64 = places.iter().map(|place| place.weight * place.speed).sum();
        places[0].weight * along / (moved * own.speed)
    });
    dynamics.together = places;
    mass.filter(|mass| *mass > 0.0 && mass.is_finite())
}

/// Adds the places that close together with the first one, and gives all of them their weights.
fn find(
    world: &World,
    dynamics: &Dynamics,
    state: &State,
    site: usize,
    law: &Law,
    places: &mut Vec<Place>,
) {
    let (own, pair) = (places[0], bodies(world, site));
    let remembers = |speed: f64| Memory { speed, ..Memory::default() };
    let depth = expected_depth(law, &remembers(own.speed), own.speed, reach(world, own.a, own.b));
    let lasts = LASTS * depth / own.speed;
    let share = |late: f64| if late <= 0.0 { 1.0 } else { 1.0 - late / (PART * lasts) };
    let push = |law: &Law, speed: f64| law.force(0.1 * speed * lasts, 0.0, &remembers(speed));
    places[0].weight = push(law, own.speed);
    for touch in state.touches.iter().filter(|touch| touch.phase == Phase::Pushing) {
        let share = share(state.time - touch.begun);
        if touch.site != site && share > 0.0 && bodies(world, touch.site) == pair {
            let (place, _) = Place::of(world, dynamics, touch.site);
            let speed = touch.speed.max(slowest(world));
            places.push(Place { speed, share, weight: share * push(&touch.law, speed), ..place });
        }
    }
    for other in (0..world.sites.len()).filter(|&other| state.open[other] && other != site) {
        if bodies(world, other) != pair {
            continue;
        }
        let (place, rate) = Place::of(world, dynamics, other);
        let near = place.gap.distance <= hair(world, dynamics, place.a, place.b);
        // What overlaps where the scene begins pushes whether or not it moves.
        let closes = rate > 0.0 || (near && state.time == 0.0 && rate == 0.0);
        let share = share(if near { 0.0 } else { place.gap.distance / rate });
        if closes && share > 0.0 {
            // One that cannot begin says so when it does.
            let contact = world.sites[other].contact;
            let Ok((law, _)) = law_at(world, dynamics, contact, &place.gap, law.mass) else {
                continue;
            };
            places.push(Place { share, weight: share * push(&law, place.speed), ..place });
        }
    }
    // Laws that push by time or pull at first have no elastic pattern: speeds serve.
    if !places.iter().all(|place| place.weight > 0.0 && place.weight.is_finite()) {
        for place in places.iter_mut() {
            place.weight = place.share * place.speed;
        }
    }
}

/// The two bodies of a site in one order; what is fixed is the ground. A body that is driven is itself: two that close
/// on a ball from both sides do not share its mass, but squash it.
fn bodies(world: &World, site: usize) -> (usize, usize) {
    let contact = &world.contacts[world.sites[site].contact];
    let body = |shape: usize| {
        let body = world.shapes[shape].body;
        if world.bodies[body].mobility == Mobility::Fixed { 0 } else { body }
    };
    let (a, b) = (body(contact.a), body(contact.b));
    (a.min(b), a.max(b))
}
