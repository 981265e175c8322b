//! All contacts of an island together.
//!
//! Contacts are taken as soft around the impulses that they have, which Newton's method solves (`newton.rs`); then around the
//! impulses that this gave, and so on, with less and less softness, until nothing gives way any more and the contacts are rigid (a
//! proximal point method, R. T. Rockafellar, SIAM Journal on Control and Optimization 14 (1976) 877–898; in mechanics augmented
//! Lagrangians). Where Newton's method does not converge it begins again with softer contacts. Convergence is judged by the conditions
//! of rigid contacts alone.
//!
//! It begins with the impulses of the last step and with contacts that are nearly rigid. Bodies at rest then need no step of Newton's
//! method, and bodies whose contacts stick and slide as before need one or two. Only where other contacts stick, slide or part is the way
//! through softer contacts needed. Joints do not take part: responses of bodies hold them exactly (`active.rs`).
//!
//! Where many contacts share a load (a box on more corners than it needs) impulses are not unique, and some near those at the
//! beginning are taken; velocities are unique without friction.

use super::newton::{Newton, residual};
use super::rows::{BodyVelocity, ContactRows, Local};

/// Rigid contacts miss their conditions by no more than this share of the largest velocity.
const TOLERANCE: f64 = 1e-13;
/// The same for impulses to begin with: what they miss is rounding. Else a body that slides for long would lift off by what adds up.
const ROUNDING: f64 = 1e-14;
/// The same where it comes no nearer: restitutions that redundant contacts ask for may contradict each other in their last digits.
const ENOUGH: f64 = 1e-8;
/// Attempts in which the residual has to be halved.
const ATTEMPTS: usize = 4;
/// Steps of Newton's method after which a solution that still misses more is taken as it is.
const MAX_STEPS: usize = 500;
/// Contacts that are nearly rigid, and steps of Newton's method that these get at the beginning.
const RIGID: f64 = 1e-5;
const FIRST_STEPS: usize = 4;
/// The softness with which it begins again where that is not enough, the largest one, and what it is multiplied by where Newton's
/// method converged and where it did not. (The fewest steps in all for stacks of up to 20 boxes that land, slide and rest.)
const SOFT: f64 = 1e-2;
const SOFTEST: f64 = 100.0;
const HARDER: f64 = 0.1;
const SOFTER: f64 = 10.0;
/// Steps of Newton's method around the same impulses.
const INNER_STEPS: usize = 30;
/// Soft contacts are solved where they miss their law by this share of what they missed at first: their impulses are not the last ones.
const SOLVED: f64 = 1e-2;

/// Finds the impulses of contacts, with the memory that it needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    newton: Newton,
    around: Vec<Local>,
    /// Steps of Newton's method so far.
    pub steps: usize,
}

impl Solver {
    /// Finds the impulses of those contacts that are `members`: (velocities without them) → velocities with them. Impulses that the
    /// contacts have already are part of the velocities. Gives by how much the conditions are missed over `scale`, the largest velocity
    /// (m/s); 0 where it converged.
    pub fn solve(
        &mut self,
        contacts: &mut [ContactRows],
        members: &[usize],
        bodies: &mut [BodyVelocity],
        freedoms: &[usize],
        scale: f64,
    ) -> f64 {
        let begun = self.steps;
        let (mut softness, mut patience) = (RIGID, FIRST_STEPS);
        let (mut best, mut attempts) = (f64::INFINITY, 0);
        loop {
            let left = residual(contacts, members, bodies) / scale;
            if left <= if self.steps == begun { ROUNDING } else { TOLERANCE } {
                return 0.0;
            }
            attempts += 1;
            if left < 0.5 * best {
                (best, attempts) = (left, 0);
            } else if attempts >= ATTEMPTS && left <= ENOUGH {
                return 0.0;
            }
            if self.steps >= begun + MAX_STEPS {
                return left;
            }
            self.around.clear();
            self.around.extend(members.iter().map(|&index| contacts[index].impulse));
            let around = (&*self.around, softness);
            let (mut first, mut solved) = (None, false);
            for _ in 0..patience {
                self.steps += 1;
                let (before, after) = self.newton.step(contacts, members, bodies, freedoms, around);
                let goal = SOLVED * *first.get_or_insert(before);
                solved = after <= goal.max(0.1 * TOLERANCE * scale);
                if solved || !after.is_finite() {
                    break;
                }
            }
            if solved {
                softness = (softness * HARDER).max(RIGID);
                continue;
            }
            for (&index, around) in members.iter().zip(&self.around) {
                let contact = &mut contacts[index];
                let change = std::array::from_fn(|i| around[i] - contact.impulse[i]);
                contact.push(change, bodies);
            }
            softness = (softness * SOFTER).clamp(SOFT, SOFTEST);
            patience = INNER_STEPS;
        }
    }
}
