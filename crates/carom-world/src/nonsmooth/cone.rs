//! Coulomb's law at one contact, solved exactly.
//!
//! With the impulses of all other contacts fixed, the velocity of the second body against the first at the contact point is
//! u = q + W·p, where p is the impulse of this contact and W, symmetric, its response (normal first, then two
//! tangents). Wanted is p with
//!
//! - uₙ ≥ 0, pₙ ≥ floor, uₙ·(pₙ − floor) = 0 (Signorini; the floor is what Poisson's law asks for, otherwise 0),
//! - |p_t| ≤ μpₙ, and where they slide p_t = −μpₙ·u_t/|u_t| (Coulomb).
//!
//! It lets go, sticks or slides. Letting go and sticking are linear. Sliding in the direction d = (cos θ, sin θ) has u_t parallel to
//! d, which is one equation for θ. (With the pyramids that many programs use instead of the cone, friction would depend on the choice of axes.)

use carom::numeric::linear;
use carom::numeric::root;
use std::f64::consts::TAU;

/// An impulse or a velocity at a contact: along the normal, and along two tangents.
pub(super) type Local = [f64; 3];

/// Tangential mobility below this share of the normal one is none: the bodies are held in that direction.
const HELD: f64 = 1e-9;
/// Sectors in which the sliding direction is searched for: it has at most four candidates.
const DIRECTIONS: usize = 64;

/// One contact, with everything else fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalProblem {
    /// W (1/kg), with tangents along the axes of its tangential part: W₁₂ = 0, W₁₁ ≥ W₂₂.
    pub response: [Local; 3],
    /// q (m/s), with what restitution asks for added along the normal.
    pub velocity: Local,
    /// μ.
    pub friction: f64,
    /// Least normal impulse (N·s).
    pub floor: f64,
}

impl LocalProblem {
    /// The impulse.
    pub fn solve(&self) -> Local {
        let lets_go = self.under_load(self.floor);
        if self.moved_by(lets_go)[0] >= 0.0 || !(self.response[0][0] > 0.0) {
            return lets_go;
        }
        let mobile = self.mobile_tangents();
        if self.friction == 0.0 || mobile == 0 {
            return [-self.velocity[0] / self.response[0][0], 0.0, 0.0];
        }
        let sticks = self.sticking(mobile);
        if size(sticks) <= self.friction * sticks[0] {
            return sticks;
        }
        let normal = |d: [f64; 2]| {
            let [n, t1, t2] = self.response[0];
            -self.velocity[0] / (n - self.friction * (t1 * d[0] + t2 * d[1]))
        };
        self.sliding(sticks, mobile, normal)
    }

    /// q + W·p.
    pub fn moved_by(&self, p: Local) -> Local {
        std::array::from_fn(|i| {
            let [a, b, c] = self.response[i];
            self.velocity[i] + a * p[0] + b * p[1] + c * p[2]
        })
    }

    /// In how many tangential directions the bodies can move.
    fn mobile_tangents(&self) -> usize {
        let least = HELD * self.response[0][0];
        (1..3).filter(|&i| self.response[i][i] > least).count()
    }

    /// The impulse with a given normal part.
    fn under_load(&self, load: f64) -> Local {
        let mobile = self.mobile_tangents();
        let mut p = [load, 0.0, 0.0];
        if !(self.friction * load > 0.0) || mobile == 0 {
            return p;
        }
        let moved = self.moved_by(p);
        for i in 1..=mobile {
            p[i] = -moved[i] / self.response[i][i];
        }
        match size(p) <= self.friction * load {
            true => p,
            false => self.sliding(p, mobile, |_| load),
        }
    }

    /// The impulse that leaves no velocity.
    fn sticking(&self, mobile: usize) -> Local {
        let ([n, t1, t2], [q, q1, q2]) = (self.response, self.velocity);
        match mobile {
            1 => {
                let [p, p1] = linear::solve([[n[0], n[1]], [t1[0], t1[1]]], [-q, -q1]);
                [p, p1, 0.0]
            }
            _ => linear::solve([n, t1, t2], [-q, -q1, -q2]),
        }
    }

    /// The impulse of sliding, with the normal part as a function of the direction. `sticks` is what sticking would take: it is
    /// outside of the cone, and says where to search.
    fn sliding(&self, sticks: Local, mobile: usize, normal: impl Fn([f64; 2]) -> f64) -> Local {
        let impulse = |d: [f64; 2]| {
            let p = normal(d);
            [p, -self.friction * p * d[0], -self.friction * p * d[1]]
        };
        // Sliding against friction, with a push and not a pull.
        let holds = |d: [f64; 2]| {
            let p = impulse(d);
            let u = self.moved_by(p);
            p[0] >= 0.0 && p[0].is_finite() && u[1] * d[0] + u[2] * d[1] >= 0.0
        };
        let guess = {
            let size = size(sticks).max(f64::MIN_POSITIVE);
            // A negative normal part turns sticking around.
            let sign = if sticks[0] < 0.0 { 1.0 } else { -1.0 };
            [sign * sticks[1] / size, sign * sticks[2] / size]
        };
        if mobile == 1 {
            let along = [guess[0].signum(), 0.0];
            let way = if holds(along) { along } else { [-along[0], 0.0] };
            return impulse(way);
        }
        let direction = |angle: f64| [angle.cos(), angle.sin()];
        let motion = |angle: f64| self.moved_by(impulse(direction(angle)));
        // How fast the surfaces move across the direction; 0 where they slide along it.
        let across = |angle: f64| {
            let ([c, s], u) = (direction(angle), motion(angle));
            u[2] * c - u[1] * s
        };
        let slides_along = |angle: f64| {
            across(angle).abs() <= 1e-9 * size(motion(angle)) && holds(direction(angle))
        };
        let start = guess[1].atan2(guess[0]);
        // Round bodies slide where they would without friction: the velocity points along the direction at once.
        let turned = motion(start);
        let round = turned[2].atan2(turned[1]);
        if across(round).abs() <= 1e-14 * size(motion(round)) && holds(direction(round)) {
            return impulse(direction(round));
        }
        let step = TAU / DIRECTIONS as f64;
        // Sectors to both sides of the guess in turn. Where the normal part has a pole the sign changes as well.
        let away =
            |i: usize| if i.is_multiple_of(2) { (i / 2) as f64 } else { -((i / 2 + 1) as f64) };
        for i in 0..DIRECTIONS {
            let low = start + (away(i) - 0.5) * step;
            let found = root::find(low, low + step, 1e-15, across);
            if let Some(angle) = found.filter(|angle| slides_along(*angle)) {
                return impulse(direction(angle));
            }
        }
        // Steep friction at an off-centre contact may have no sliding solution (Painlevé's paradox): no friction then.
        [normal([0.0, 0.0]).max(0.0), 0.0, 0.0]
    }
}

/// Size of the tangential part.
pub(super) fn size(p: Local) -> f64 {
    p[1].hypot(p[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::numeric::random;

    /// W = A·Aᵀ with random A, its tangents turned to their axes.
    fn random_response(key: u64) -> [Local; 3] {
        let a: [Local; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| 2.0 * random::unit(key, (3 * i + j) as u64) - 1.0)
        });
        let mut w: [Local; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| a[i][k] * a[j][k]).sum::<f64>())
        });
        for (i, row) in w.iter_mut().enumerate() {
            row[i] += 0.1;
        }
        let angle = 0.5 * (2.0 * w[1][2]).atan2(w[1][1] - w[2][2]);
        let (c, s) = (angle.cos(), angle.sin());
        let turn = |v: Local| [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]];
        let half: [Local; 3] = w.map(turn);
        let columns: [Local; 3] =
            std::array::from_fn(|j| turn([half[0][j], half[1][j], half[2][j]]));
        columns
    }

    #[test]
    fn the_impulse_satisfies_signorini_and_coulomb() {
        let (mut stuck, mut slid, mut apart) = (0, 0, 0);
        for case in 0..4000u64 {
            let key = random::key(case, "cone");
            let response = random_response(key);
            let velocity = std::array::from_fn(|i| 2.0 * random::unit(key, 20 + i as u64) - 1.2);
            let friction = 0.8 * random::unit(key, 30);
            let floor = if case % 3 == 0 { random::unit(key, 31) } else { 0.0 };
            let problem = LocalProblem { response, velocity, friction, floor };
            let p = problem.solve();
            let u = problem.moved_by(p);
            assert!(u[0] > -1e-12 && p[0] >= floor - 1e-12, "{case}: {p:?} {u:?}");
            assert!((u[0] * (p[0] - floor)).abs() < 1e-12, "{case}: complementary, {p:?} {u:?}");
            let (load, sliding) = (friction * p[0], size(u));
            if p[0] == 0.0 {
                apart += 1;
                continue;
            }
            assert!(size(p) <= load * (1.0 + 1e-12), "{case}: in the cone");
            // The largest dissipation: p_t·u_t = −μpₙ|u_t|.
            let work = p[1] * u[1] + p[2] * u[2];
            assert!(
                (work + load * sliding).abs() < 1e-8 * (1.0 + load * sliding),
                "{case}: {p:?} {u:?}"
            );
            if sliding > 1e-9 { slid += 1 } else { stuck += 1 }
        }
        assert!(stuck > 100 && slid > 1000 && apart > 100, "{stuck} {slid} {apart}");
    }

    /// In a plane, or where joints hold the bodies, one tangent or none is left.
    #[test]
    fn directions_in_which_nothing_moves_carry_no_friction() {
        let response = [[2.0, 0.5, 0.0], [0.5, 3.0, 0.0], [0.0, 0.0, 0.0]];
        let sliding =
            LocalProblem { response, velocity: [-1.0, 4.0, 0.0], friction: 0.3, floor: 0.0 };
        let p = sliding.solve();
        // pₙ = 1/(2 − 0.3·0.5), against the motion.
        assert!(
            (p[0] - 1.0 / 1.85).abs() < 1e-15 && (p[1] + 0.3 * p[0]).abs() < 1e-15 && p[2] == 0.0
        );
        let held = LocalProblem { response: [[2.0, 0.0, 0.0], [0.0; 3], [0.0; 3]], ..sliding };
        assert_eq!(held.solve(), [0.5, 0.0, 0.0]);
    }
}
