//! A contact as rows of numbers for the solver: the velocity at the contact point as a function of the velocities of the
//! bodies, and the response of the bodies to an impulse.
//!
//! u = H·v is the velocity at the contact point and v = v_f + G·Hᵀp are the velocities of the bodies with the impulses p,
//! where v_f are those without impulses and G is the inverse of the mass matrix with the joints as constraints. The rows of
//! H belong to the two bodies of a contact, the columns of G·Hᵀ to all bodies that respond, which are more than two if there
//! are joints. In lasting contacts the rows of H are those at the end of the step, the columns of G·Hᵀ always those in its
//! middle (`active.rs`). Friction of a joint has such a row as well, along its coordinate (`joint_friction.rs`).

/// An impulse or a velocity at a contact: along the normal, and along two tangents.
pub(super) type Local = [f64; 3];

/// Below this ratio of the tangential to the normal mobility the bodies count as held in that tangential direction.
const MIN_TANGENTIAL_RATIO: f64 = 1e-9;

/// Velocity (m/s) and angular velocity (rad/s) of a body.
pub(super) type BodyVelocity = [f64; 6];

/// Two bodies with the rows of H along the normal and two tangents.
pub(super) type Sides = [(usize, [BodyVelocity; 3]); 2];

/// Returns the velocity of the second body relative to the first at a contact point, along the axes of the rows.
pub(super) fn velocity([(a, one), (b, two)]: &Sides, bodies: &[BodyVelocity]) -> Local {
    std::array::from_fn(|i| dot(&one[i], &bodies[*a]) + dot(&two[i], &bodies[*b]))
}

/// A contact with its rows of H, its columns of G·Hᵀ and its impulse.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactRows {
    /// The two bodies, with the rows of H along the normal and two tangents.
    pub sides: Sides,
    /// The bodies that respond, with the change of their velocities for a unit impulse along each axis.
    pub responses: Vec<(usize, [BodyVelocity; 3])>,
    /// W = H·G·Hᵀ of this contact alone (1/kg). The tangents are the principal axes of its tangential part: W₁₂ = 0, W₁₁ ≥
    /// W₂₂.
    pub response: [Local; 3],
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Velocity that is added along the normal: e·uₙ⁻ of Newton's impact law (m/s).
    pub bias: f64,
    /// Smallest normal impulse: e times the impulse of compression in Poisson's impact law (N·s).
    pub floor: f64,
    /// Set for the friction of a joint instead of a contact: the largest impulse in either direction along the first axis
    /// (N·s). The other axes are not used.
    pub bound: Option<f64>,
    /// Impulse (N·s); the velocities of the bodies include its effect.
    pub impulse: Local,
}

pub(super) fn dot(a: &BodyVelocity, b: &BodyVelocity) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl ContactRows {
    /// Returns the velocity of the second body relative to the first at the contact point, along the axes.
    pub fn velocity(&self, bodies: &[BodyVelocity]) -> Local {
        velocity(&self.sides, bodies)
    }

    /// Returns the largest velocity component of either body at the contact point along the axes (m/s).
    pub fn largest_term(&self, bodies: &[BodyVelocity]) -> f64 {
        let terms =
            self.sides.iter().flat_map(|(body, rows)| rows.map(|row| dot(&row, &bodies[*body])));
        terms.fold(0.0, |most, u| most.max(u.abs()))
    }

    /// Computes the response at the contact point from the responses of the bodies.
    pub fn find_response(&mut self) {
        self.response = [[0.0; 3]; 3];
        for (body, rows) in &self.sides {
            let Some((_, columns)) = self.responses.iter().find(|(other, _)| other == body) else {
                continue;
            };
            for (response, row) in self.response.iter_mut().zip(rows) {
                for (response, column) in response.iter_mut().zip(columns) {
                    *response += dot(row, column);
                }
            }
        }
        // The response is symmetric up to rounding, which is removed here.
        let both = 0.5 * (self.response[1][2] + self.response[2][1]);
        (self.response[1][2], self.response[2][1]) = (both, both);
    }

    /// Changes the impulse and, accordingly, the velocities of the bodies.
    pub fn push(&mut self, change: Local, bodies: &mut [BodyVelocity]) {
        for (body, columns) in &self.responses {
            let velocity = &mut bodies[*body];
            for (column, change) in columns.iter().zip(change) {
                for (velocity, column) in velocity.iter_mut().zip(column) {
                    *velocity += column * change;
                }
            }
        }
        for (p, change) in self.impulse.iter_mut().zip(change) {
            *p += change;
        }
    }

    /// Returns the number of tangential directions in which the bodies can move.
    pub fn mobile_tangents(&self) -> usize {
        let least = MIN_TANGENTIAL_RATIO * self.response[0][0];
        (1..3).filter(|&i| self.response[i][i] > least).count()
    }

    /// Returns an estimate of the largest change of velocity at the contact point due to a change of impulse (m/s).
    pub fn effect(&self, change: Local) -> f64 {
        (0..3).map(|i| (self.response[i][i] * change[i]).abs()).fold(0.0, f64::max)
    }
}

/// Returns the length of the tangential part.
pub(super) fn size(local: Local) -> f64 {
    local[1].hypot(local[2])
}
