//! Signorini's and Coulomb's conditions as equations, and Newton's method for all contacts of an island together.
//!
//! Let u = H·v be the velocities at the contacts, with the bias of Newton's impact law added along the normals. The impulses
//! p have to satisfy
//!
//! - uₙ ≥ 0, pₙ ≥ floor, uₙ·(pₙ − floor) = 0 (Signorini; the floor is the impulse that Poisson's impact law requires,
//!   otherwise 0),
//! - |p_t| ≤ μpₙ, and p_t = −μpₙ·u_t/|u_t| if the contact slides (Coulomb; with the exact cone instead of a pyramid, so that
//!   no direction is preferred).
//!
//! Both together are equivalent to p = P(p − K·u) for any positive stiffness K, where P raises the normal part to the floor
//! at least and shortens the tangential part to μpₙ (P. Alart & A. Curnier, Computer Methods in Applied Mechanics and
//! Engineering 92 (1991) 353–375).
//!
//! Friction of a joint has a known bound, |p| ≤ h·T, and a single direction; P limits p − K·u to that bound.
//!
//! For given impulses r, p = P(r − K·u) is the law of a soft contact: a spring with friction that only pushes. Its
//! dimensionless softness σ is defined by K = 1/(σ·W), with the response W of the contact itself. Soft contacts have a
//! unique solution even if rigid contacts share a load in a way that is not determined (a table with four legs). If p = r,
//! the contacts are rigid; `solver.rs` iterates to that limit.
//!
//! Newton's method for soft contacts: linearisation gives Δp = −c − K·Δu. With Δu = H·Δv and Δv = G·Hᵀ·Δp the unknowns are
//! the velocities of the bodies, (1 + G·Hᵀ·K·H)·Δv = −G·Hᵀ·c. There are six unknowns per body, whatever the number of
//! contacts.

use super::rows::{BodyVelocity, ContactRows, Local};
use carom::numeric::linear::DenseLu;

/// Largest number of times that a Newton step is halved until it reduces the residual.
const MAX_HALVINGS: usize = 8;
/// A Newton step shortened to some fraction must reduce the residual by at least `SUFFICIENT_DECREASE` times that fraction,
/// otherwise it is halved (Armijo's rule). The value is as small as is usual for line searches, so that the full step, which
/// converges fastest, is rejected only if it does not reduce the residual.
const SUFFICIENT_DECREASE: f64 = 0.01;

/// Working memory of Newton's method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    factor: DenseLu,
    velocities: Vec<f64>,
    /// The bodies that respond, and for every body of the world its index among them.
    bodies: Vec<usize>,
    places: Vec<Option<usize>>,
    laws: Vec<SoftContact>,
    changes: Vec<Local>,
}

/// A linearised soft contact: Δp = −c − K·Δu.
#[derive(Clone, Copy, Debug)]
struct SoftContact {
    /// Difference between the impulse and that of the law of the soft contact.
    c: Local,
    k: [Local; 3],
}

/// Returns the residual of the conditions of rigid contacts: the largest change of velocity at a contact that the correction
/// of its own impulse would cause (m/s).
pub(super) fn residual(
    contacts: &[ContactRows],
    members: &[usize],
    bodies: &[BodyVelocity],
) -> f64 {
    let mut most = 0.0;
    for &index in members {
        let contact = &contacts[index];
        let effect = contact.effect(SoftContact::of(contact, contact.impulse, bodies, 1.0).c);
        // Values that are not finite count as the largest.
        most = if effect <= most { most } else { effect };
    }
    most
}

/// Returns the residual of soft contacts: the root of the sum of squares of the residual velocities (m/s).
fn soft_residual<'a>(laws: impl Iterator<Item = (&'a ContactRows, SoftContact)>) -> f64 {
    laws.map(|(contact, law)| contact.effect(law.c).powi(2)).sum::<f64>().sqrt()
}

impl Newton {
    /// Takes one step towards the impulses of soft contacts around the impulses in `around`. `freedoms` are the indices of
    /// the velocity components that can change. Returns the residuals before and after the step (m/s); the latter is
    /// infinite if no step reduces the residual.
    pub fn step(
        &mut self,
        contacts: &mut [ContactRows],
        members: &[usize],
        bodies: &mut [BodyVelocity],
        freedoms: &[usize],
        (around, softness): (&[Local], f64),
    ) -> (f64, f64) {
        let soft =
            |index: usize, around: &Local, contacts: &[ContactRows], bodies: &[BodyVelocity]| {
                SoftContact::of(&contacts[index], *around, bodies, softness)
            };
        self.laws.clear();
        let laws = members.iter().zip(around).map(|(&i, around)| soft(i, around, contacts, bodies));
        self.laws.extend(laws);
        let pairs = members.iter().zip(&self.laws);
        let before = soft_residual(pairs.map(|(&index, law)| (&contacts[index], *law)));
        self.linear_changes(contacts, members, bodies.len(), freedoms);
        if !self.changes.iter().flatten().all(|change| change.is_finite()) {
            return (before, f64::INFINITY);
        }
        let mut share = 1.0;
        for (&index, change) in members.iter().zip(&self.changes) {
            contacts[index].push(*change, bodies);
        }
        for _ in 0..MAX_HALVINGS {
            let pairs = members.iter().zip(around);
            let now = soft_residual(
                pairs.map(|(&i, around)| (&contacts[i], soft(i, around, contacts, bodies))),
            );
            if now < before * (1.0 - SUFFICIENT_DECREASE * share) {
                return (before, now);
            }
            share *= 0.5;
            for (&index, change) in members.iter().zip(&self.changes) {
                contacts[index].push(change.map(|p| -share * p), bodies);
            }
        }
        (before, f64::INFINITY)
    }

    /// Solves the linearised equations for the changes of the impulses.
    fn linear_changes(
        &mut self,
        contacts: &[ContactRows],
        members: &[usize],
        count: usize,
        freedoms: &[usize],
    ) {
        self.number_bodies(contacts, members, count);
        let width = freedoms.len();
        let n = self.bodies.len() * width;
        let matrix = self.factor.matrix(n);
        self.velocities.clear();
        self.velocities.resize(n, 0.0);
        for i in 0..n {
            matrix[i * n + i] = 1.0;
        }
        for (&index, law) in members.iter().zip(&self.laws) {
            let contact = &contacts[index];
            for (answers, columns) in &contact.responses {
                let Some(row) = self.places[*answers] else { continue };
                for (i, &f) in freedoms.iter().enumerate() {
                    let response = [columns[0][f], columns[1][f], columns[2][f]];
                    let at = row * width + i;
                    self.velocities[at] -= dot(response, law.c);
                    // One row of G·Hᵀ·K.
                    let product: Local = std::array::from_fn(|j| {
                        (0..3).map(|k| response[k] * law.k[k][j]).sum::<f64>()
                    });
                    for (moves, rows) in &contact.sides {
                        let Some(column) = self.places[*moves] else { continue };
                        let block = &mut matrix[at * n + column * width..][..width];
                        for (entry, &f) in block.iter_mut().zip(freedoms) {
                            *entry += dot(product, [rows[0][f], rows[1][f], rows[2][f]]);
                        }
                    }
                }
            }
        }
        self.factor.decompose();
        self.factor.solve(&mut self.velocities);
        self.changes.clear();
        for (&index, law) in members.iter().zip(&self.laws) {
            let mut moved = [0.0; 3];
            for (body, rows) in &contacts[index].sides {
                let Some(place) = self.places[*body] else { continue };
                for (moved, row) in moved.iter_mut().zip(rows) {
                    let change = &self.velocities[place * width..];
                    *moved += freedoms.iter().zip(change).map(|(&f, v)| row[f] * v).sum::<f64>();
                }
            }
            self.changes.push(std::array::from_fn(|i| -law.c[i] - dot(law.k[i], moved)));
        }
    }

    /// Numbers the bodies that respond to the contacts.
    fn number_bodies(&mut self, contacts: &[ContactRows], members: &[usize], count: usize) {
        self.places.clear();
        self.places.resize(count, None);
        self.bodies.clear();
        for (body, _) in members.iter().flat_map(|&index| &contacts[index].responses) {
            if self.places[*body].is_none() {
                self.places[*body] = Some(self.bodies.len());
                self.bodies.push(*body);
            }
        }
    }
}

impl SoftContact {
    /// Linearises a soft contact around an impulse, at these velocities of the bodies.
    fn of(contact: &ContactRows, around: Local, bodies: &[BodyVelocity], softness: f64) -> Self {
        let (u, mu) = (contact.velocity(bodies), contact.friction);
        let [normal, tangential] = [0, 1].map(|i| 1.0 / (softness * contact.response[i][i]));
        if let Some(bound) = contact.bound {
            let held = around[0] - normal * u[0];
            let stiffness = if held.abs() <= bound { normal } else { 0.0 };
            let c = contact.impulse[0] - held.clamp(-bound, bound);
            return Self { c: [c, 0.0, 0.0], k: [[stiffness, 0.0, 0.0], [0.0; 3], [0.0; 3]] };
        }
        let (mut p, mut k) = ([contact.floor, 0.0, 0.0], [[0.0; 3]; 3]);
        let pushed = around[0] - normal * (u[0] + contact.bias);
        // If the bodies cannot move along the normal, the stiffness is infinite and the contact does not act.
        if pushed > contact.floor && normal.is_finite() {
            (p[0], k[0][0]) = (pushed, normal);
        }
        let (limit, mobile) = (mu * p[0], contact.mobile_tangents());
        if limit > 0.0 && mobile > 0 {
            let held = [around[1] - tangential * u[1], around[2] - tangential * u[2]];
            let held = if mobile == 2 { held } else { [held[0], 0.0] };
            let size = held[0].hypot(held[1]);
            let d = [held[0] / size, held[1] / size];
            let (sticks, share) = (size <= limit, limit / size);
            for i in 0..2 {
                p[i + 1] = if sticks { held[i] } else { limit * d[i] };
                if i < mobile && sticks {
                    k[i + 1][i + 1] = tangential;
                } else if !sticks {
                    // The friction along d is proportional to the normal impulse; across d it rotates with the sliding
                    // velocity.
                    k[i + 1][0] = mu * d[i] * k[0][0];
                    for j in 0..mobile {
                        let unit = if i == j { 1.0 } else { 0.0 };
                        k[i + 1][j + 1] = share * tangential * (unit - d[i] * d[j]);
                    }
                }
            }
        }
        Self { c: std::array::from_fn(|i| contact.impulse[i] - p[i]), k }
    }
}

fn dot(a: Local, b: Local) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
