//! Touches of rigid bodies: their beginning and end, their impulses and their losses.
//!
//! A touch begins in a step in which a contact has an impulse, and ends with a step after which the surfaces separate. A
//! bounce begins and ends in the same step; its times are the beginning and the end of that step, between which the impact
//! lies.

use super::active::ActiveContact;
use super::find::Contacts;
use super::rows::BodyVelocity;
use super::rows::size;
use crate::observe::{EndedTouch, Observer};
use crate::state::{RigidTouch, State};
use crate::world::World;

/// Separation speeds below this fraction of the largest velocity at the contacts of an island are rounding.
const PARTS: f64 = 1e-7;

/// Updates the touches after a step between two times; `after` are the velocities of all bodies after it.
pub(super) fn update(
    world: &World,
    state: &mut State,
    contacts: &Contacts,
    after: &[BodyVelocity],
    (begun, ended): (f64, f64),
    observer: &mut impl Observer,
) {
    end_open_sites(world, state, &contacts.active, begun, observer);
    for (contact, rows) in contacts.active.iter().zip(&contacts.rows) {
        let (p, before) = (contact.total, contact.before);
        let (middle, opening) = (contact.velocity(after), rows.velocity(after)[0]);
        let known = state.rigid_touches.iter().position(|touch| touch.site == contact.site);
        let at = match known {
            Some(at) => at,
            None if p[0] > 0.0 => {
                begin(world, state, contact, begun, observer);
                state.rigid_touches.len() - 1
            }
            None => continue,
        };
        let touch = &mut state.rigid_touches[at];
        let mean = |i: usize| 0.5 * (before[i] + middle[i]);
        touch.impulse += p[0];
        touch.friction_impulse += size(p);
        // An impulse with a negligible effect on the velocity is rounding: the bodies touch without a load.
        let acts = rows.effect(p) > PARTS * contact.scale;
        let per_time = if acts { 1.0 / (ended - begun) } else { 0.0 };
        touch.load = p[0] * per_time;
        touch.force = contact.in_world(p) * per_time;
        touch.lost -= p[0] * mean(0);
        touch.lost_to_friction -= p[1] * mean(1) + p[2] * mean(2);
        if opening > PARTS * contact.scale {
            let touch = state.rigid_touches.remove(at);
            end(world, state, &touch, ended, opening, observer);
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
        // The surfaces had not separated before, so the separation speed is negligible.
        end(world, state, &touch, time, 0.0, observer);
    }
}

fn begin(
    world: &World,
    state: &mut State,
    contact: &ActiveContact,
    time: f64,
    observer: &mut impl Observer,
) {
    let class = contact.class(world);
    let number = world.sites[contact.site].contact;
    state.accounts[number].classes[class.number()] += 1;
    let touch = RigidTouch {
        site: contact.site,
        class,
        begun: time,
        speed: (-contact.before[0]).max(0.0),
        ..RigidTouch::default()
    };
    observer.began_rigid(world, &touch);
    state.rigid_touches.push(touch);
}

/// Ends a touch and adds its losses to the account of its contact.
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
