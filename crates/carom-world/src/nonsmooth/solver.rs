//! Solver for all contacts of an island together.
//!
//! The contacts are first treated as soft around their present impulses, which Newton's method solves (`newton.rs`); then as
//! soft around the resulting impulses, and so on with decreasing softness, until the impulses no longer change and the
//! contacts are rigid (a proximal point method, R. T. Rockafellar, SIAM Journal on Control and Optimization 14 (1976)
//! 877–898; called augmented Lagrangian method in mechanics). If Newton's method does not converge, it starts again with
//! softer contacts. Convergence is judged only by the conditions of rigid contacts.
//!
//! The iteration starts with the impulses of the last step and with contacts that are nearly rigid. Bodies at rest then need
//! no Newton step, and bodies whose contacts continue to stick or slide need one or two. The iteration through softer
//! contacts is only needed if contacts change between sticking, sliding and separation. Joints need no iteration: the
//! responses of the bodies satisfy them exactly (`active.rs`).
//!
//! If many contacts share a load (a box on more corners than necessary), the impulses are not unique, and impulses close to
//! the initial ones are found; the velocities are unique without friction.

use super::newton::{Newton, residual};
use super::rows::{BodyVelocity, ContactRows, Local};

/// Largest accepted residual of rigid contacts, relative to the largest velocity.
const TOLERANCE: f64 = 1e-13;
/// The initial impulses are accepted without iteration if their relative residual is not larger than this, which is
/// rounding. With a larger value, errors would accumulate until a body that slides for a long time lifts off.
const ROUNDING: f64 = 1e-14;
/// Impulses that the iteration no longer improves are accepted if their relative residual is not larger than this:
/// restitutions of redundant contacts may contradict each other in their last digits.
const STALLED_TOLERANCE: f64 = 1e-8;
/// Number of attempts within which the residual has to be halved.
const ATTEMPTS: usize = 4;
/// Number of Newton steps after which a solution is returned although its residual is larger.
const MAX_STEPS: usize = 500;
/// Softness of nearly rigid contacts, and the number of Newton steps with it at the beginning.
const RIGID: f64 = 1e-5;
const FIRST_STEPS: usize = 4;
/// Softness with which the solution is started again if that is not enough, the largest softness, and the factors by which
/// it is multiplied after Newton's method has converged or failed to converge. (These values need the fewest steps in total
/// for stacks of up to 20 boxes that land, slide and rest.)
const SOFT: f64 = 1e-2;
const SOFTEST: f64 = 100.0;
const HARDER: f64 = 0.1;
const SOFTER: f64 = 10.0;
/// Largest number of Newton steps around the same impulses.
const INNER_STEPS: usize = 30;
/// Soft contacts count as solved when their residual is reduced to this fraction of its initial value; their impulses are
/// only intermediate results.
const SOLVED: f64 = 1e-2;

/// Solver for the impulses of contacts, with its working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    newton: Newton,
    around: Vec<Local>,
    /// Number of Newton steps so far.
    pub steps: usize,
}

impl Solver {
    /// Computes the impulses of the contacts with the indices in `members`, and updates the velocities of the bodies. On
    /// input the velocities include the effect of the impulses that the contacts already have. Returns the residual of the
    /// conditions divided by `scale`, the largest velocity (m/s); 0 if the iteration converged.
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
            } else if attempts >= ATTEMPTS && left <= STALLED_TOLERANCE {
                return left;
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

#[cfg(test)]
mod tests {
    use super::*;
    use carom::numeric::random;

    /// A random contact of one body, with W = A·Aᵀ + 0.1 rotated so that W₁₂ = 0 and W₁₁ ≥ W₂₂. The velocity of the body is
    /// that of the contact point, and its response is W.
    fn random_contact(key: u64) -> ContactRows {
        let a: [Local; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| 2.0 * random::unit(key, (3 * i + j) as u64) - 1.0)
        });
        let mut w: [Local; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| a[i][k] * a[j][k]).sum::<f64>())
        });
        for (i, row) in w.iter_mut().enumerate() {
            row[i] += 0.1;
        }
        let (s, c) = (0.5 * (2.0 * w[1][2]).atan2(w[1][1] - w[2][2])).sin_cos();
        let turn = |v: Local| [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]];
        let half: [Local; 3] = w.map(turn);
        let w: [Local; 3] = std::array::from_fn(|j| turn([half[0][j], half[1][j], half[2][j]]));
        let wide = |row: Local| [row[0], row[1], row[2], 0.0, 0.0, 0.0];
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(wide);
        let mut contact = ContactRows {
            sides: [(0, [[0.0; 6]; 3]), (1, unit)],
            responses: vec![(1, w.map(wide))],
            ..ContactRows::default()
        };
        contact.find_response();
        contact
    }

    #[test]
    fn impulses_satisfy_signorini_and_coulomb() {
        let mut solver = Solver::default();
        let (mut stuck, mut slid, mut apart) = (0, 0, 0);
        for case in 0..4000u64 {
            let key = random::key(case, "cone");
            let mut contact = random_contact(key);
            contact.friction = 0.8 * random::unit(key, 30);
            contact.floor = if case % 3 == 0 { random::unit(key, 31) } else { 0.0 };
            let free = [20, 21, 22].map(|i| 2.0 * random::unit(key, i) - 1.2);
            let mut bodies = [[0.0; 6], [free[0], free[1], free[2], 0.0, 0.0, 0.0]];
            let mut contacts = [contact];
            let residual = solver.solve(&mut contacts, &[0], &mut bodies, &[0, 1, 2], 1.0);
            assert_eq!(residual, 0.0, "{case}");
            let [ContactRows { impulse: p, friction, floor, .. }] = contacts;
            let u = [bodies[1][0], bodies[1][1], bodies[1][2]];
            assert!(u[0] > -1e-11 && p[0] >= floor - 1e-11, "{case}: {p:?} {u:?}");
            assert!((u[0] * (p[0] - floor)).abs() < 1e-11, "{case}: complementary, {p:?} {u:?}");
            let (load, sliding) = (friction * p[0], u[1].hypot(u[2]));
            if p[0] == 0.0 {
                apart += 1;
                continue;
            }
            assert!(p[1].hypot(p[2]) <= load + 1e-11, "{case}: in the cone");
            // Largest dissipation: p_t·u_t = −μpₙ|u_t|.
            let work = p[1] * u[1] + p[2] * u[2];
            assert!((work + load * sliding).abs() < 1e-10, "{case}: {p:?} {u:?}");
            if sliding > 1e-9 { slid += 1 } else { stuck += 1 }
        }
        assert!(stuck > 100 && slid > 1000 && apart > 100, "{stuck} {slid} {apart}");
    }
}
