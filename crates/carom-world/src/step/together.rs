//! Effective mass of sites that close together.
//!
//! A block that lands flat touches at four corners at once. Each force accelerates all corners, so the mass that one force
//! accelerates is not the mass at that corner alone: with W = J·M⁻¹·Jᵀ over the sites in contact (including rotation and joints)
//! the indentations follow
//!
//! δ̈ᵢ = −Σⱼ Wᵢⱼ·Fⱼ.
//!
//! Each of the four corners of a free block has the mass M/4, wherever they lie about its centre, whereas a single corner has
//! 1/Wᵢᵢ, which depends on its place. A law whose damping is computed for the wrong mass (Kelvin–Voigt damping is proportional to
//! √m) delivers the wrong restitution. The mass needed is that with which mᵢ·δ̈ᵢ = −Fᵢ holds while the sites act together.
//!
//! # The rule
//! Let vᵢ be the approach speeds, and pᵢ the elastic forces of the laws at the indentations vᵢ·τ, at the same short time τ after
//! onset: these are the ratios in which the forces begin. If the forces keep these ratios,
//!
//! W·p = μ·v,  mᵢ = pᵢ/(μ·vᵢ),  μ = pᵀ·W·p/(p·v).
//!
//! The first equation is a condition on the bodies; the second follows from it and mᵢ·δ̈ᵢ = −Fᵢ; the third is the first
//! multiplied by p, a Galerkin projection on p, whose error is of second order in the violation of the condition. μ is positive
//! and finite for all p and v: pᵀWp = 0 means that the forces accelerate nothing, Jᵀp = 0, and then p·v = 0. For one site
//! m = 1/W.
//!
//! The masses are *exact* if the condition holds and the laws have the same form: then the time scale is the same at all sites
//! (K·vᵢⁿ⁻¹/mᵢ is the same), δᵢ ∝ vᵢ at all times, and each site behaves as a single impact of mass mᵢ with the requested
//! restitution. The condition holds, as W·1 = (N/M)·1, for bodies that land flat without rotation on N sites whose centre is
//! under the centre of mass: blocks, prisms, lying cylinders and capsules, tables on equal feet, or two blocks face to face, with
//! any law. For linear laws it also holds if the approach speeds are an eigenvector of W, as for a bar that rotates about its
//! middle against two stops.
//!
//! *In all other cases* (a centre of mass that is not above the middle of the sites, or speeds that combine translation and
//! rotation) forces of equal laws rotate the body whatever its damping is. No choice of masses could make every site return its
//! share of its speed, and the masses above are those of the mean motion.
//!
//! # Which sites count
//! Sites of the same two bodies count (all fixed bodies together are one body), also those of different contacts. A site that
//! closes later by a time t has the weight 1 − 4t/T, where T is the duration of an elastic impact of the site alone. The result
//! thereby changes continuously from a flat impact to that of a tilted block, which hits with one corner after another: sites
//! that close later than T/4 do not share the mass. Neither do those that have been in contact for that long: they carry a load,
//! and act on the new touch by their forces. Impacts of one body with several others at once are not considered: a ball that hits
//! two bodies has two masses, one with each of them.

use super::expected::{body_size, expected_depth, law_at, min_speed_scale};
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
    /// Approach speed, not less than the least speed of `min_speed_scale` (m/s).
    speed: f64,
    /// Weight of the site: 1 if it closes at the same time, less if it closes before or after.
    share: f64,
    /// Force at the same short time after onset for all sites, times the weight; only ratios matter.
    force: f64,
}

/// Fraction of the duration of the contact within which sites that close share the mass.
const SHARING_FRACTION: f64 = 0.25;
/// Duration of an elastic impact, times its speed, over its largest indentation: π for linear springs, 2.94 for Hertzian
/// contacts.
const DURATION_FACTOR: f64 = 3.0;

impl Participant {
    /// Returns a site with a unit force, and its approach speed with its sign (m/s).
    fn of(input: &StepInput, kinematics: &Kinematics, site: usize) -> (Self, f64) {
        let at = kinematics.gap(input, site);
        let rate = -kinematics.opening_rate(&at);
        (Self { at, speed: rate.max(min_speed_scale(input.world)), share: 1.0, force: 1.0 }, rate)
    }
}

/// Returns the mass at a site that closes together with others of the same bodies (kg), or nothing if it closes alone. `law` is
/// its law with the mass that it has alone; `participants` is a buffer.
pub(crate) fn mass(
    input: &StepInput,
    evaluation: &mut Evaluation,
    participants: &mut Vec<Participant>,
    site: usize,
    law: &Law,
) -> Option<f64> {
    let world = input.world;
    let pair = body_pair(world, site);
    if !(0..world.sites.len()).any(|other| other != site && body_pair(world, other) == pair) {
        return None;
    }
    participants.clear();
    participants.push(Participant::of(input, &evaluation.kinematics, site).0);
    add_participants(input, &evaluation.kinematics, site, law, participants);
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

/// Adds the sites that close together with the first one, and computes the forces of all of them.
fn add_participants(
    input: &StepInput,
    kinematics: &Kinematics,
    site: usize,
    law: &Law,
    participants: &mut Vec<Participant>,
) {
    let (world, state) = (input.world, input.state);
    let (own, pair) = (participants[0], body_pair(world, site));
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
        if touch.site != site && share > 0.0 && body_pair(world, touch.site) == pair {
            let (participant, _) = Participant::of(input, kinematics, touch.site);
            let speed = touch.speed.max(min_speed_scale(world));
            let force = share * force(&touch.law, speed);
            participants.push(Participant { speed, share, force, ..participant });
        }
    }
    for other in (0..world.sites.len()).filter(|&other| state.is_open[other] && other != site) {
        if body_pair(world, other) != pair {
            continue;
        }
        let (participant, rate) = Participant::of(input, kinematics, other);
        let SiteGap { gap, a, b } = participant.at;
        let near = gap.distance <= kinematics.gap_rounding(world, a, b);
        // Sites that overlap at the start of a scene push whether or not they move.
        let closes = rate > 0.0 || (near && state.time == 0.0 && rate == 0.0);
        let share = share(if near { 0.0 } else { gap.distance / rate });
        if closes && share > 0.0 {
            // Errors are ignored here: `onset.rs` reports them.
            let contact = world.sites[other].contact;
            let Ok((law, _)) = law_at(world, kinematics, contact, &gap, law.mass) else {
                continue;
            };
            let force = share * force(&law, participant.speed);
            participants.push(Participant { share, force, ..participant });
        }
    }
    // Laws whose force depends on time, or pulls at first, have no elastic force at onset: the ratios of the speeds are used
    // instead.
    if !participants.iter().all(|one| one.force > 0.0 && one.force.is_finite()) {
        for one in participants.iter_mut() {
            one.force = one.share * one.speed;
        }
    }
}

/// Returns the two bodies of a site in ascending order, where all fixed bodies count as the ground. A body with a prescribed
/// motion counts as itself: two such bodies that close on a ball from both sides do not share its mass, but squeeze it.
fn body_pair(world: &World, site: usize) -> (usize, usize) {
    let body = |body: usize| match world.bodies[body].mobility {
        Mobility::Fixed => 0,
        _ => body,
    };
    let (a, b) = world.bodies_at(site);
    let (a, b) = (body(a), body(b));
    (a.min(b), a.max(b))
}
