//! Touches of rigid bodies: when they begin and end, their impulses and what they lose.
//!
//! A touch begins in a step in which a contact has an impulse, and ends with a step after which the surfaces part. A bounce
//! begins and ends in the same step: its times are the ends of that step, between which the impact lies.

use super::active::{ActiveContact, Velocity};
use super::cone::{Local, size};
use crate::observe::{EndedTouch, Observer};
use crate::state::{RigidTouch, State};
use crate::world::World;

/// Separation speeds below this share of the largest velocity at the contacts are rounding.
const PARTS: f64 = 1e-7;

/// Velocities at the contacts when the step began, of all bodies when it ended, and the largest at any contact.
pub(super) struct Velocities<'a> {
    pub before: &'a [Local],
    pub after: &'a [Velocity],
    pub scale: f64,
}

/// Updates the touches after a step between two times, with the impulses of all contacts.
pub(super) fn update(
    world: &World,
    state: &mut State,
    contacts: &[ActiveContact],
    impulses: &[Local],
    velocities: Velocities,
    (begun, ended): (f64, f64),
    observer: &mut impl Observer,
) {
    end_open_sites(world, state, contacts, begun, observer);
    let after: Vec<Local> = contacts.iter().map(|c| c.velocity(velocities.after)).collect();
    for (index, contact) in contacts.iter().enumerate() {
        let (p, before, after) = (impulses[index], velocities.before[index], after[index]);
        let known = state.rigid_touches.iter().position(|touch| touch.site == contact.site);
        let at = match known {
            Some(at) => at,
            None if p[0] > 0.0 => {
                begin(world, state, contact, before, begun, observer);
                state.rigid_touches.len() - 1
            }
            None => continue,
        };
        let touch = &mut state.rigid_touches[at];
        let mean = |i: usize| 0.5 * (before[i] + after[i]);
        touch.impulse += p[0];
        touch.friction_impulse += size(p);
        // An impulse that moves nothing is rounding: bodies that touch without a load.
        let acts = contact.effect(p) > PARTS * velocities.scale;
        let per_time = if acts { 1.0 / (ended - begun) } else { 0.0 };
        touch.load = p[0] * per_time;
        touch.force = contact.in_world(p) * per_time;
        touch.lost -= p[0] * mean(0);
        touch.lost_to_friction -= p[1] * mean(1) + p[2] * mean(2);
        if after[0] > PARTS * velocities.scale {
            let touch = state.rigid_touches.remove(at);
            end(world, state, &touch, ended, after[0], observer);
        }
    }
}

/// Ends touches whose gap is open.
fn end_open_sites(
    world: &World,
    state: &mut State,
    contacts: &[ActiveContact],
    time: f64,
    observer: &mut impl Observer,
) {
    let acts = |touch: &RigidTouch| contacts.iter().any(|contact| contact.site == touch.site);
    while let Some(at) = state.rigid_touches.iter().position(|touch| !acts(touch)) {
        let touch = state.rigid_touches.remove(at);
        // They did not part before and have now: slowly.
        end(world, state, &touch, time, 0.0, observer);
    }
}

fn begin(
    world: &World,
    state: &mut State,
    contact: &ActiveContact,
    before: Local,
    time: f64,
    observer: &mut impl Observer,
) {
    let class = contact.class(world, before);
    let number = world.sites[contact.site].contact;
    state.accounts[number].classes[class.number()] += 1;
    let touch = RigidTouch {
        site: contact.site,
        class,
        begun: time,
        speed: (-before[0]).max(0.0),
        ..RigidTouch::default()
    };
    observer.began_rigid(world, &touch);
    state.rigid_touches.push(touch);
}

/// Adds what a touch lost to the accounts.
fn end(
    world: &World,
    state: &mut State,
    touch: &RigidTouch,
    time: f64,
    rebound: f64,
    observer: &mut impl Observer,
) {
    let (contact, site) = touch.site(world);
    let account = &mut state.accounts[contact];
    account.normal += touch.lost;
    account.friction += touch.lost_to_friction;
    account.ended += 1;
    observer.ended(
        world,
        &EndedTouch {
            contact,
            site,
            class: touch.class,
            begun: touch.begun,
            ended: time,
            speed: touch.speed,
            rebound,
            released: time,
            lost: touch.lost,
            friction: touch.lost_to_friction,
            impulse: touch.impulse,
            friction_impulse: touch.friction_impulse,
            ..EndedTouch::UNKNOWN
        },
    );
}
