//! Sites that close together share the mass.
//!
//! A block that lands flat touches at four corners at once. Each force moves all corners, so what one of them pushes
//! is not the mass that it would feel alone: with W = J·M⁻¹·Jᵀ over the sites that touch (rotation and joints
//! included) the indentations follow
//!
//! δ̈ᵢ = −Σⱼ Wᵢⱼ·Fⱼ,
//!
//! four corners of a free block have M/4 each, wherever they sit about its centre, and one alone 1/Wᵢᵢ, which depends
//! on where it sits. A law that makes its damping for the wrong mass (Kelvin–Voigt's goes as √m) delivers the
//! wrong restitution. So what is needed is the mass that makes mᵢ·δ̈ᵢ = −Fᵢ true while the sites act together.
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
//! For one site m = 1/W.
//!
//! *Exact* where the condition holds and laws have the same form: then all sites have the same time (K·vᵢⁿ⁻¹/mᵢ is the same),
//! δᵢ ∝ vᵢ for ever, and each is the single impact of mass mᵢ, which delivers what it is asked for. Whatever lands
//! flat without turning on sites with their centre under the centre of mass does (W·1 = N/M·1): blocks, prisms, lying
//! cylinders and capsules, tables on equal feet, two blocks face to face, of any law. For linear laws also each
//! way of closing that is an eigenvector of W, such as a bar that turns about its middle against two stops.
//!
//! *Elsewhere* (a centre of mass off the middle of the sites; speeds that mix translation and rotation) forces of equal
//! laws turn the body whatever its dampers are, no mass could make every site return its share of its
//! speed, and the mass above is that of the mean motion.
//!
//! # Together
//! Sites of the same two bodies (whatever is fixed counts as one body), which may belong to several contacts. One that
//! closes later by t counts for 1 − 4t/T, T being the duration of an elastic impact of the site alone, so that a
//! tilted block goes over into one that hits with one corner after another, without a jump: sites that close
//! later than T/4 do not share, and neither do those that have been touching for as long: they carry a load,
//! and act on the new touch as such. Bodies that hit several others at once are not
//! considered: a ball that hits two has two masses, each with one of them.

use super::expected::{body_size, expected_depth, law_at, least_speed};
use crate::dynamics::{Evaluation, NormalForce};
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap};
use crate::state::Phase;
use crate::world::{Mobility, World};
use carom::Law;
use carom::law::Memory;

/// A site that closes together with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Participant {
    at: SiteGap,
    /// Approach speed, not below the least speed (m/s).
    speed: f64,
    /// Weight of the site: 1 where it closes at the same time, less where it closes before or after.
    share: f64,
    /// Force at the same short time after touch, in a unit common to all.
    force: f64,
}

/// Sites that close within this fraction of the contact's duration share the mass.
const SHARING_FRACTION: f64 = 0.25;
/// Duration of an elastic impact times its speed over its depth: π for springs, 2.94 for Hertz.
const DURATION_FACTOR: f64 = 3.0;

impl Participant {
    /// A site with a unit force, and its approach speed with its sign.
    fn of(input: &StepInput, kinematics: &Kinematics, site: usize) -> (Self, f64) {
        let at = kinematics.gap(input, site);
        let rate = -kinematics.opening_rate(&at);
        (Self { at, speed: rate.max(least_speed(input.world)), share: 1.0, force: 1.0 }, rate)
    }
}

/// The mass at a site that closes while others of the same bodies do (kg), or nothing where it closes alone.
/// `law` is its law with the mass that it has alone, `participants` a buffer.
pub(crate) fn mass(
    input: &StepInput,
    evaluation: &mut Evaluation,
    participants: &mut Vec<Participant>,
    site: usize,
    law: &Law,
) -> Option<f64> {
    let world = input.world;
    let pair = bodies(world, site);
    if !(0..world.sites.len()).any(|other| other != site && bodies(world, other) == pair) {
        return None;
    }
    participants.clear();
    participants.push(Participant::of(input, &evaluation.kinematics, site).0);
    find(input, &evaluation.kinematics, site, law, participants);
    if participants.len() < 2 {
        return None;
    }
    let forces = participants.iter().map(|one| NormalForce { at: one.at, force: one.force });
    let mobility = evaluation.mobility(world, forces);
    let power: f64 = participants.iter().map(|one| one.force * one.speed).sum();
    let own = &participants[0];
    let mass = own.force * power / (mobility * own.speed);
    (mass > 0.0 && mass.is_finite()).then_some(mass)
}

/// Adds the sites that close together with the first one, and finds the forces of all of them.
fn find(
    input: &StepInput,
    kinematics: &Kinematics,
    site: usize,
    law: &Law,
    participants: &mut Vec<Participant>,
) {
    let (world, state) = (input.world, input.state);
    let (own, pair) = (participants[0], bodies(world, site));
    let memory = |speed: f64| Memory { speed, ..Memory::default() };
    let size = body_size(world, own.at.a, own.at.b);
    let depth = expected_depth(law, &memory(own.speed), own.speed, size);
    let duration = DURATION_FACTOR * depth / own.speed;
    let share =
        |late: f64| if late <= 0.0 { 1.0 } else { 1.0 - late / (SHARING_FRACTION * duration) };
    let force = |law: &Law, speed: f64| law.force(0.1 * speed * duration, 0.0, &memory(speed));
    participants[0].force = force(law, own.speed);
    for touch in state.touches.iter().filter(|touch| touch.phase == Phase::Active) {
        let share = share(state.time - touch.begun);
        if touch.site != site && share > 0.0 && bodies(world, touch.site) == pair {
            let (participant, _) = Participant::of(input, kinematics, touch.site);
            let speed = touch.speed.max(least_speed(world));
            let force = share * force(&touch.law, speed);
            participants.push(Participant { speed, share, force, ..participant });
        }
    }
    for other in (0..world.sites.len()).filter(|&other| state.is_open[other] && other != site) {
        if bodies(world, other) != pair {
            continue;
        }
        let (participant, rate) = Participant::of(input, kinematics, other);
        let SiteGap { gap, a, b } = participant.at;
        let near = gap.distance <= kinematics.gap_rounding(world, a, b);
        // What overlaps where the scene begins pushes whether or not it moves.
        let closes = rate > 0.0 || (near && state.time == 0.0 && rate == 0.0);
        let share = share(if near { 0.0 } else { gap.distance / rate });
        if closes && share > 0.0 {
            // Ignore errors here; `onset` reports them.
            let contact = world.sites[other].contact;
            let Ok((law, _)) = law_at(world, kinematics, contact, &gap, law.mass) else {
                continue;
            };
            let force = share * force(&law, participant.speed);
            participants.push(Participant { share, force, ..participant });
        }
    }
    // Laws that push by time or pull at first have no elastic pattern: speeds are used instead.
    if !participants.iter().all(|one| one.force > 0.0 && one.force.is_finite()) {
        for one in participants.iter_mut() {
            one.force = one.share * one.speed;
        }
    }
}

/// The two bodies of a site in one order, where all fixed bodies count as the ground. A body with a prescribed motion counts
/// as itself: two that close on a ball from both sides do not share its mass, but squeeze it.
fn bodies(world: &World, site: usize) -> (usize, usize) {
    let body = |body: usize| match world.bodies[body].mobility {
        Mobility::Fixed => 0,
        _ => body,
    };
    let (a, b) = world.bodies_at(site);
    let (a, b) = (body(a), body(b));
    (a.min(b), a.max(b))
}
