//! The floored form: a power law whose force has a lower limit while separating.
//!
//! F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, but F ≥ R·K·δⁿ if δ̇ < 0, with 0 ≤ R ≤ 1.
//!
//! R = 0 only excludes tension, and R = 1 makes the damper inactive in restitution. In between, R limits the fraction
//! of the elastic force that the damper may cancel. In general the limit breaks the scaling of [`Power`], so that a
//! restitution is calibrated at onset.

use super::{Calibration, Damper, Force, Memory, Power, Response};
use crate::scalar::Scalar;

/// A power law whose force is at least R·K·δⁿ while separating.
#[derive(Clone, Copy, Debug)]
pub struct Floored<S = f64> {
    /// The power law without the limit; its coefficient is that of `calibration`.
    power: Power<S>,
    /// Ratio R of the least force to the elastic force, in [0, 1].
    pub floor: S,
    /// Source of c, in N/(mᵐ·(m/s)^q).
    pub calibration: Calibration,
}

impl Floored {
    /// Returns the power law without the limit.
    pub fn power(&self) -> &Power {
        &self.power
    }

    /// Returns the damping exponent m and the rate exponent q.
    pub fn damper_exponents(&self) -> (f64, f64) {
        (self.power.damping.value(), self.power.rate.value())
    }

    /// Creates the law K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ with the least force `floor`·K·δⁿ in restitution.
    pub fn new(
        stiffness: f64,
        (n, m, q): (f64, f64, f64),
        floor: f64,
        calibration: Calibration,
    ) -> Self {
        let power = Power::new(stiffness, n, m, q, Damper::Coefficient(0.0));
        Self { power, floor, calibration }
    }
}

impl<S: Scalar> Response<S> for Floored<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let force = self.power.force(delta, rate, memory);
        S::choose(
            rate.lt(S::of(0.0)),
            || force.max(self.floor * self.power.stiffness * self.power.elastic.of(delta)),
            || force,
        )
    }

    /// Computes, for R = 0, the force without the limit, whose sign shows when contact ends; a limit R > 0 is part of
    /// the law.
    fn signed(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        S::choose(
            self.floor.gt(S::of(0.0)),
            || self.force(delta, rate, memory),
            || self.power.force(delta, rate, memory),
        )
    }

    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        self.calibration.known()
    }
}

impl Force for Floored {
    type Over<S: Scalar> = Floored<S>;

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Floored<S> {
        Floored {
            floor: convert("floor", self.floor),
            power: self.power.over(convert),
            calibration: self.calibration,
        }
    }

    fn with_plain_exponents(&self) -> Self {
        Self { power: self.power.with_plain_exponents(), ..*self }
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(self.calibration)
    }

    // In an infinitely slow unloading the damper vanishes, and as R ≤ 1 the force never falls to its lower limit.
    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        self.power.stored(delta, memory)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::tangents;
    use super::*;

    fn form(floor: f64) -> Floored {
        Floored::new(3.0, (1.5, 0.5, 0.8), floor, Calibration::Coefficient(2.0))
    }

    #[test]
    fn tangents_are_the_slopes_of_the_force() {
        for floor in [0.0, 0.25, 1.0] {
            let form = form(floor);
            let memory = form.touch(1.0, 1.0);
            // Compression, separation above the lower limit (for R < 1) and on it.
            for (delta, rate) in [(0.3, 0.7), (1.2, 0.1), (1.5, -0.1), (0.2, -0.9), (0.9, -2.0)] {
                tangents(form, delta, rate, &memory);
            }
        }
    }

    #[test]
    fn the_floor_acts_in_restitution_only() {
        let (none, full) = (form(0.0), form(1.0));
        let memory = none.touch(1.0, 1.0);
        assert_eq!(none.force(0.2, -5.0, &memory), 0.0, "no tension");
        let elastic = 3.0 * 0.2_f64.powf(1.5);
        assert!((full.force(0.2, -5.0, &memory) - elastic).abs() < 1e-15, "no damper");
        assert!(full.force(0.2, 5.0, &memory) > elastic, "damped in compression");
        assert_eq!(full.force(0.2, 0.0, &memory), none.force(0.2, 0.0, &memory));
    }
}
