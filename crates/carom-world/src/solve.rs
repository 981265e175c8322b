//! Symmetric linear solve for accelerations and multipliers.
//!
//! With M·a = f + Jᵀλ and J·a = −b, and because M is block diagonal, S·λ = −(b + J·M⁻¹f) with S = J·M⁻¹·Jᵀ, which is
//! symmetric and positive semidefinite, and a = M⁻¹(f + Jᵀλ). The same S is used for the projection of velocities (J·v =
//! rate) and of positions (C = 0).
//!
//! S is factorised by Cholesky's method with diagonal pivoting, which reveals the rank: rows that depend on others
//! (redundant joints) have a pivot of the size of rounding and get no multiplier. The accelerations do not depend on which
//! of them are left out; the reaction of a redundant joint is not unique in any case. Joints that are not connected through
//! moving bodies are independent, so S is solved group by group.

use crate::joint::ConstraintRow;
use crate::math::Vec3;
use carom::numeric::linear::PivotedCholesky;

/// Response of bodies to forces, which is all that is needed of them: M⁻¹ applied to a force and a couple.
pub(crate) trait Inertia {
    fn respond(&self, body: usize, force: Vec3, couple: Vec3) -> (Vec3, Vec3);
}

/// Factorised matrix S of some constraint rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factor(PivotedCholesky);

/// Pivots below this fraction of the largest pivot are rounding. S is formed from products, so its errors are about 1e-16 of
/// its diagonal; a constraint whose independent part is smaller than this counts as redundant.
const PIVOT_ROUNDING: f64 = 1e-11;

impl Factor {
    /// Computes and factorises S of these rows.
    pub fn prepare(&mut self, rows: &[ConstraintRow], inertia: &impl Inertia) {
        let n = rows.len();
        let s = self.0.matrix(n);
        for (j, row) in rows.iter().enumerate() {
            let a = inertia.respond(row.a, row.linear, row.turn_a);
            let b = inertia.respond(row.b, -row.linear, row.turn_b);
            for (i, other) in rows.iter().enumerate().skip(j) {
                let mut sum = 0.0;
                for (body, (v, w)) in [(row.a, a), (row.b, b)] {
                    if other.a == body {
                        sum += other.linear.dot(v) + other.turn_a.dot(w);
                    }
                    if other.b == body {
                        sum += other.turn_b.dot(w) - other.linear.dot(v);
                    }
                }
                s[i * n + j] = sum;
            }
        }
        self.0.decompose(PIVOT_ROUNDING);
    }

    /// Returns the number of rows that depend on others. Rows to which no body responds (those out of the plane in planar
    /// scenes) are not counted.
    pub fn redundant_rows(&self) -> usize {
        self.0.nonzero_rows() - self.0.rank()
    }

    /// Solves S·x = rhs in place; rows without a pivot get 0.
    pub fn solve(&mut self, rhs: &mut [f64]) {
        self.0.solve(rhs);
    }
}

/// Groups joints that share moving bodies; each group is solved separately.
pub(crate) fn joint_groups(joints: &[(usize, usize)], free: &[bool]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (i, &(a, b)) in joints.iter().enumerate() {
        let shares = |&other: &usize| {
            let (c, d) = joints[other];
            [c, d].into_iter().any(|body| free[body] && [a, b].contains(&body))
        };
        let (connected, mut others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|group| group.iter().any(shares));
        let mut joined = connected.concat();
        joined.push(i);
        joined.sort_unstable();
        others.push(joined);
        others.sort_unstable();
        found = others;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Unit;
    impl Inertia for Unit {
        fn respond(&self, body: usize, force: Vec3, couple: Vec3) -> (Vec3, Vec3) {
            if body == 0 { (Vec3::ZERO, Vec3::ZERO) } else { (force, couple) }
        }
    }

    fn row(a: usize, b: usize, linear: Vec3, turn: Vec3) -> ConstraintRow {
        ConstraintRow {
            joint: 0,
            role: crate::joint::RowRole::Joint,
            a,
            b,
            linear,
            turn_a: turn,
            turn_b: -turn,
            error: 0.0,
            rate: 0.0,
            bias: 0.0,
        }
    }

    #[test]
    fn a_redundant_row_changes_nothing_but_its_multiplier() {
        let rows = vec![
            row(1, 0, Vec3::X, Vec3::Z),
            row(2, 1, Vec3::new(0.3, 0.9, 0.1), Vec3::X),
            row(1, 0, Vec3::X * 2.0, Vec3::Z * 2.0),
        ];
        let (mut full, mut plain) = (Factor::default(), Factor::default());
        full.prepare(&rows, &Unit);
        plain.prepare(&rows[..2], &Unit);
        assert_eq!((full.redundant_rows(), plain.redundant_rows()), (1, 0));
        // Consistent right-hand sides: the third is twice the first.
        let (mut x, mut y) = ([0.7, -0.2, 1.4], [0.7, -0.2]);
        full.solve(&mut x);
        plain.solve(&mut y);
        assert!((x[0] + 2.0 * x[2] - y[0]).abs() < 1e-14 && (x[1] - y[1]).abs() < 1e-14);
    }

    #[test]
    fn joints_are_grouped_by_the_bodies_that_move() {
        let free = [false, true, true, true, true];
        let found = joint_groups(&[(1, 0), (3, 0), (1, 2), (4, 3), (2, 0)], &free);
        assert_eq!(found, vec![vec![0, 2, 4], vec![1, 3]]);
    }
}
