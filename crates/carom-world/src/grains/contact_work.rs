//! Work of one contact, summed over the steps of the leapfrog.

use crate::math::Vec3;

/// Relative motion of the two members of a pair; walls are at rest.
#[derive(Clone, Copy)]
pub(super) struct RelativeMotion {
    /// Velocity of the centre of b relative to that of a (m/s).
    pub velocity: Vec3,
    /// Sum of R·ω of both members (m/s).
    pub surface_spin: Vec3,
    /// Sum of ω of both members (rad/s).
    pub spin_sum: Vec3,
    /// Angular velocity of b relative to a (rad/s).
    pub relative_spin: Vec3,
}

/// Forces of a contact at the last step, and its works so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ContactWork {
    /// Normal force (N), positive in compression.
    pub load: f64,
    /// Unit normal from the first member to the second.
    pub normal: Vec3,
    pub delta: f64,
    /// Friction force on the first grain (N).
    pub tangential: Vec3,
    /// Couple of rolling resistance acting on the first grain (N·m).
    pub couple: Vec3,
    /// Work absorbed in the normal direction (J), both stored and dissipated.
    pub pressing: f64,
    /// Work absorbed by friction and the tangential spring (J).
    pub friction: f64,
    /// Work absorbed by rolling resistance (J).
    pub rolling: f64,
    /// Largest approach speed of this pair at an onset (m/s).
    pub fastest: f64,
}

impl ContactWork {
    /// Returns the power absorbed in the normal direction, by friction and by rolling resistance (W).
    ///
    /// Friction acts on both grains at one point, with the arms R − δ/2 along the normal.
    #[inline]
    fn powers(&self, motion: &RelativeMotion) -> [f64; 3] {
        let arms = motion.surface_spin - motion.spin_sum * (0.5 * self.delta);
        [
            -self.load * self.normal.dot(motion.velocity),
            self.tangential.dot(motion.velocity) - self.normal.cross(self.tangential).dot(arms),
            self.couple.dot(motion.relative_spin),
        ]
    }

    /// Adds the work of a step and stores the new forces. The velocities are those between two positions: the old forces act
    /// with them for half a step and the new forces for the other half, as in the kicks of the leapfrog.
    #[inline]
    pub fn add_step(&mut self, now: Self, motion: &RelativeMotion, h: f64) {
        let (before, after) = (self.powers(motion), now.powers(motion));
        self.pressing += 0.5 * h * (before[0] + after[0]);
        self.friction += 0.5 * h * (before[1] + after[1]);
        self.rolling += 0.5 * h * (before[2] + after[2]);
        let Self { load, normal, delta, tangential, couple, .. } = now;
        *self = Self { load, normal, delta, tangential, couple, ..*self };
    }

    /// Returns the same contact with its two grains exchanged.
    pub fn flipped(self) -> Self {
        let Self { normal, tangential, couple, .. } = self;
        Self { normal: -normal, tangential: -tangential, couple: -couple, ..self }
    }
}

/// Summed works of pairs that have left the neighbour list, and further data of the energy ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ClosedWork {
    pub normal: f64,
    pub friction: f64,
    pub rolling: f64,
    /// Largest approach speed at an onset (m/s).
    pub fastest: f64,
    /// Potential energy that grains gained by being moved back by whole periods (J); the ledger subtracts it.
    pub lifted: f64,
    /// Total energy at the start (J); NaN before the ledger is started.
    pub initial: f64,
    /// Length of the last step (s).
    pub step: f64,
}

impl ClosedWork {
    pub fn add(&mut self, work: &ContactWork) {
        self.normal += work.pressing;
        self.friction += work.friction;
        self.rolling += work.rolling;
        self.fastest = self.fastest.max(work.fastest);
    }
}
