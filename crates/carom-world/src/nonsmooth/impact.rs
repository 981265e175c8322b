//! Contacts of one island in a step: impact law, impulses, and detection of rest.

use super::Stepper;
use super::rows::{BodyVelocity, ContactRows, velocity};
use crate::note::Note;
use crate::state::State;
use crate::world::{ImpactLaw, World};

/// Approach speeds below this fraction of the largest velocity at the contacts of an island are rounding, not impacts.
const ROUNDING: f64 = 1e-7;
/// Velocities at contacts are differences of velocities of bodies. Below this fraction of the latter they have too few
/// digits.
const DIGITS: f64 = 1e-4;
/// If the conditions are violated by more than this fraction of the largest velocity, they have no solution.
const NO_SOLUTION: f64 = 1e-4;
/// Bodies slower than this fraction of the largest velocity are at rest, and friction of a joint that changes velocities by
/// less does not act.
const REST: f64 = 1e-10;

impl Stepper {
    /// Solves for the impulses of an island and changes the velocities without contacts into those with contacts.
    pub(super) fn solve_island(&mut self, state: &mut State, island: usize, length: f64) {
        let members = self.islands.contacts(island);
        let (active, rows) = (&mut self.contacts.active, &mut self.contacts.rows);
        // The rows after those of the contacts belong to the friction of joints.
        let contacts = active.len();
        let touching = || members.iter().copied().filter(move |&index| index < contacts);
        let mut scale = f64::MIN_POSITIVE;
        for &index in members {
            if let Some(contact) = active.get(index) {
                rows[index].sides = contact.sides;
            }
            let (before, free) =
                (rows[index].velocity(&self.before), rows[index].velocity(&self.after));
            if let Some(contact) = active.get_mut(index) {
                (contact.before, contact.total) = (before, [0.0; 3]);
            }
            scale = before.iter().chain(&free).fold(scale, |most, u| most.max(u.abs()));
            scale = scale.max(DIGITS * rows[index].largest_term(&self.after));
        }
        let mut any_struck = false;
        for index in touching() {
            let (contact, rows) = (&mut active[index], &mut rows[index]);
            let approach = -contact.before[0];
            // An approach speed that forces and the curvature of the surfaces alone produce within one step in a contact at
            // rest is not an impact either; otherwise a ball would never stop bouncing.
            let forced = contact.before[0] - rows.velocity(&self.after)[0];
            let turned = velocity(&contact.end_sides, &self.before)[0] - contact.before[0];
            let gained = forced + 2.0 * turned.abs();
            if approach > gained.max(ROUNDING * scale) {
                any_struck = true;
                if self.law == ImpactLaw::Newton {
                    rows.bias = -contact.restitution * approach;
                }
            }
        }
        if !any_struck {
            // In impacts the velocities before and after belong to the same normals, so that the balance of energy is exact.
            touching().for_each(|index| rows[index].sides = active[index].end_sides);
        }
        let freedoms = self.freedoms;
        if !any_struck {
            // The initial impulses also change velocities of the bodies. If the load has just vanished, these changes are
            // the only scale by which rounding can be judged.
            let mut begin_with = |rows: &mut ContactRows, impulse| {
                scale = scale.max(rows.effect(impulse));
                rows.push(impulse, &mut self.after);
            };
            for joint in &self.joint_frictions {
                if let Some(row) = joint.row.filter(|row| members.contains(row)) {
                    begin_with(&mut rows[row], [joint.bound * joint.last, 0.0, 0.0]);
                }
            }
            for index in touching() {
                let (contact, rows) = (&active[index], &mut rows[index]);
                let known = state.rigid_touches.iter().find(|touch| touch.site == contact.site);
                if let Some(touch) = known {
                    begin_with(rows, contact.along_axes(touch.force * length));
                }
            }
        } else if self.law == ImpactLaw::Poisson {
            // Compression and expansion phases, without forces and without friction of joints.
            let set_joints = |rows: &mut [ContactRows], share: f64| {
                for joint in &self.joint_frictions {
                    if let Some(row) = joint.row {
                        rows[row].bound = Some(share * joint.bound);
                    }
                }
            };
            set_joints(rows, 0.0);
            self.after_impact.clone_from(&self.before);
            let bodies = &mut self.after_impact;
            for expansion in [false, true] {
                if expansion {
                    for index in touching() {
                        rows[index].floor = active[index].restitution * active[index].total[0];
                    }
                }
                self.solver.solve(rows, members, bodies, freedoms, scale);
                for index in touching() {
                    let impulse = std::mem::take(&mut rows[index].impulse);
                    rows[index].floor = 0.0;
                    for (sum, p) in active[index].total.iter_mut().zip(impulse) {
                        *sum += p;
                    }
                }
            }
            set_joints(rows, 1.0);
            let moved = self.after_impact.iter().zip(&self.before);
            for (after, (parted, before)) in self.after.iter_mut().zip(moved) {
                for i in 0..6 {
                    after[i] += parted[i] - before[i];
                }
            }
        }
        self.scales.push(scale);
        self.residuals.push(0.0);
        self.solve_again(state, island);
    }

    /// Solves for the impulses of an island, starting from the present impulses; if there is no solution with the rebound,
    /// solves without it.
    pub(super) fn solve_again(&mut self, state: &mut State, island: usize) {
        let (members, rows) = (self.islands.contacts(island), &mut self.contacts.rows);
        let (freedoms, scale) = (self.freedoms, self.scales[island]);
        self.after_impact.clone_from(&self.after);
        let begin_with: Vec<_> = members.iter().map(|&index| rows[index].impulse).collect();
        let mut residual = self.solver.solve(rows, members, &mut self.after, freedoms, scale);
        if residual > NO_SOLUTION && members.iter().any(|&index| rows[index].bias != 0.0) {
            // If friction wedges bodies between contacts, the restitutions of these contacts may contradict each other.
            self.after.clone_from(&self.after_impact);
            for (&index, impulse) in members.iter().zip(begin_with) {
                (rows[index].bias, rows[index].impulse) = (0.0, impulse);
            }
            residual = self.solver.solve(rows, members, &mut self.after, freedoms, scale);
            state.note(Note::NoRebound { time: state.time });
        }
        self.residuals[island] = residual;
    }

    /// Sums the impulses of an island, and sets the velocities of bodies that have come to rest to zero.
    pub(super) fn conclude_island(&mut self, world: &World, island: usize) {
        let (members, scale) = (self.islands.contacts(island), self.scales[island]);
        let (active, rows) = (&mut self.contacts.active, &self.contacts.rows);
        for &index in members {
            if let Some(contact) = active.get_mut(index) {
                contact.scale = scale;
                for (sum, p) in contact.total.iter_mut().zip(rows[index].impulse) {
                    *sum += p;
                }
            }
        }
        for joint in &mut self.joint_frictions {
            if let Some(row) = joint.row.filter(|row| members.contains(row)) {
                joint.acts = rows[row].effect(rows[row].impulse) > REST * scale;
            }
        }
        let answering = || members.iter().flat_map(|&i| &rows[i].responses).map(|(body, _)| *body);
        let speed = |body: usize| {
            let [x, y, z, a, b, c]: BodyVelocity = self.after[body].map(f64::abs);
            x.max(y).max(z) + a.max(b).max(c) * world.columns.bounding_radius[body]
        };
        if answering().all(|body| speed(body) <= REST * scale) {
            answering().for_each(|body| self.after[body] = [0.0; 6]);
        }
    }
}
