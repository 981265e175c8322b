//! A contact as the solver sees it: how velocities at the contact point follow from those of the bodies, and how bodies answer an impulse.
//!
//! u = H·v is the velocity at the contact point, v = v_f + G·Hᵀp the velocities of the bodies with impulses p, where G is the inverse of
//! the mass matrix, with joints that hold meanwhile. Rows of H belong to the two bodies of a contact; its columns of G·Hᵀ to
//! all bodies that answer, which with joints are more. Friction of a joint is such a row as well, along its coordinate (`joint_friction.rs`).

/// An impulse or a velocity at a contact: along the normal, and along two tangents.
pub(super) type Local = [f64; 3];

/// Tangential mobility below this share of the normal one is none: the bodies are held in that direction.
const HELD: f64 = 1e-9;

/// Velocity (m/s) and angular velocity (rad/s) of a body.
pub(super) type BodyVelocity = [f64; 6];

/// A contact with its rows of H, its columns of G·Hᵀ and its impulse.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactRows {
    /// The two bodies, with the rows of H along the normal and two tangents.
    pub sides: [(usize, [BodyVelocity; 3]); 2],
    /// The bodies that answer, with the change of their velocity for a unit impulse along each axis.
    pub responses: Vec<(usize, [BodyVelocity; 3])>,
    /// H·G·Hᵀ of this contact alone (1/kg).
    /// Tangents lie along the axes of its tangential part: W₁₂ = 0, W₁₁ ≥ W₂₂.
    pub response: [Local; 3],
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Velocity that is added along the normal: Newton's e·uₙ⁻ (m/s).
    pub bias: f64,
    /// Least normal impulse: Poisson's e times the impulse of compression (N·s).
    pub floor: f64,
    /// Friction of a joint instead of a contact: the largest impulse in both directions along the first axis (N·s). The other axes are not used.
    pub bound: Option<f64>,
    /// The impulse (N·s). The velocities of the bodies contain it.
    pub impulse: Local,
}

pub(super) fn dot(a: &BodyVelocity, b: &BodyVelocity) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl ContactRows {
    /// Velocity of the second body against the first at the contact point, along the axes.
    pub fn velocity(&self, bodies: &[BodyVelocity]) -> Local {
        let [(a, one), (b, two)] = &self.sides;
        std::array::from_fn(|i| dot(&one[i], &bodies[*a]) + dot(&two[i], &bodies[*b]))
    }

    /// The largest velocity of one of the bodies at the contact point, along an axis (m/s).
    pub fn largest_term(&self, bodies: &[BodyVelocity]) -> f64 {
        let terms =
            self.sides.iter().flat_map(|(body, rows)| rows.map(|row| dot(&row, &bodies[*body])));
        terms.fold(0.0, |most, u| most.max(u.abs()))
    }

    /// Finds the response at the contact point from the responses of the bodies.
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
        // Symmetric up to rounding.
        let both = 0.5 * (self.response[1][2] + self.response[2][1]);
        (self.response[1][2], self.response[2][1]) = (both, both);
    }

    /// Changes the impulse, and with it the velocities of the bodies.
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

    /// In how many tangential directions the bodies can move.
    pub fn mobile_tangents(&self) -> usize {
        let least = HELD * self.response[0][0];
        (1..3).filter(|&i| self.response[i][i] > least).count()
    }

    /// How much a change of impulse changes the velocity at the contact point (m/s), at most.
    pub fn effect(&self, change: Local) -> f64 {
        (0..3).map(|i| (self.response[i][i] * change[i]).abs()).fold(0.0, f64::max)
    }
}

/// Size of the tangential part.
pub(super) fn size(local: Local) -> f64 {
    local[1].hypot(local[2])
}
