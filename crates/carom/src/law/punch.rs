//! Punches with a power-law profile on an elastic half-space (Steuermann).
//!
//! For the gap A·r^(2n) between the undeformed surfaces, n = 1, 2, 3, …, and with
//!
//! c_n = (2·4·…·2n)/(1·3·…·(2n−1))
//!
//! the contact radius a follows from δ = c_n·A·a^(2n), the force is F = (4n/(2n+1))·E*·a·δ and the pressure is
//!
//! p(r) = (A·E*·a^(2n−2)/π)·c_n²·[(r/a)^(2n−2) + ½·(r/a)^(2n−4) + … + (1·3·…·(2n−3))/(2·4·…·(2n−2))]·√(a² − r²),
//!
//! which is (2n·c_n·A·E*/π)·∫ x^(2n−1)/√(x² − r²) dx from r to a. Elimination of a gives F = K·δ^((2n+1)/(2n)).
//! Hertz's law is the case n = 1 with A = 1/(2R); for large n the law approaches that of the flat punch, whose
//! pressure is concentrated at the rim.

use std::f64::consts::PI;

/// A profile A·r^(2n) pressed into an elastic half-space.
///
/// ```
/// use carom::law::punch::Punch;
/// // A sphere of 10 mm: Hertz's law and the largest pressure (2/π)·E*·√(δ/R).
/// let sphere = Punch { modulus: 1e11, profile: 1.0 / 0.02, index: 1 };
/// assert_eq!(sphere.exponent(), 1.5);
/// assert!((sphere.stiffness() / (4.0 / 3.0 * 1e11 * 0.1) - 1.0).abs() < 1e-14);
/// let pressure = 2.0 / std::f64::consts::PI * 1e11 * (1e-5f64 / 0.01).sqrt();
/// assert!((sphere.pressure(0.0, 1e-5) / pressure - 1.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Punch {
    /// Effective modulus E* (Pa).
    pub modulus: f64,
    /// A, the factor of the profile (m^(1−2n)).
    pub profile: f64,
    /// n, at least 1.
    pub index: u32,
}

impl Punch {
    /// Computes c_n.
    fn constant(&self) -> f64 {
        (1..=self.index).map(|k| f64::from(2 * k) / f64::from(2 * k - 1)).product()
    }

    /// Returns (2n + 1)/(2n), the exponent of δ.
    pub fn exponent(&self) -> f64 {
        1.0 + 0.5 / f64::from(self.index)
    }

    /// Computes the stiffness K (N/m^((2n+1)/(2n))).
    pub fn stiffness(&self) -> f64 {
        let n = f64::from(self.index);
        4.0 * n / (2.0 * n + 1.0) * self.modulus * self.radius(1.0)
    }

    /// Computes the contact radius (m) at this indentation (m).
    pub fn radius(&self, delta: f64) -> f64 {
        let root = 0.5 / f64::from(self.index);
        (delta.max(0.0) / (self.constant() * self.profile)).powf(root)
    }

    /// Computes the pressure (Pa) at this distance from the axis (m); 0 outside the contact.
    pub fn pressure(&self, distance: f64, delta: f64) -> f64 {
        let a = self.radius(delta);
        if !(distance.abs() < a) {
            return 0.0;
        }
        let share = (distance / a).powi(2);
        // The bracket is evaluated by Horner's rule: each lower power of r/a has one more factor (2k−1)/(2k).
        let (mut bracket, mut factor) = (1.0, 1.0);
        for k in 1..self.index {
            factor *= f64::from(2 * k - 1) / f64::from(2 * k);
            bracket = bracket * share + factor;
        }
        let flat = f64::from(2 * self.index - 2);
        let scale = self.profile * self.modulus / PI * a.powf(flat);
        scale * self.constant().powi(2) * bracket * (a * a - distance * distance).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::near;
    use super::*;
    use crate::numeric::quadrature::integrate;

    /// A pressure on a half-space displaces its centre by (2/E*)·∫p dr, which must be equal to δ.
    #[test]
    fn the_pressure_carries_the_force_and_sinks_the_centre_by_the_indentation() {
        for index in [1, 2, 3, 7] {
            let punch = Punch { modulus: 1.1e11, profile: 40f64.powi(index as i32), index };
            let delta = 2e-5;
            let a = punch.radius(delta);
            // The substitution r = a·sin θ makes the root at the rim smooth.
            let over = |weight: fn(f64) -> f64| {
                integrate(0.0, 0.5 * PI, |angle| {
                    let r = a * angle.sin();
                    weight(r) * punch.pressure(r, delta) * a * angle.cos()
                })
            };
            let force = punch.stiffness() * delta.powf(punch.exponent());
            near(over(|r| 2.0 * PI * r), force, 1e-12);
            near(2.0 / punch.modulus * over(|_| 1.0), delta, 1e-12);
            let n = f64::from(index);
            near(force, 4.0 * n / (2.0 * n + 1.0) * punch.modulus * a * delta, 1e-12);
            assert_eq!(punch.pressure(1.0001 * a, delta), 0.0);
        }
    }

    #[test]
    fn blunt_profiles_press_hardest_near_the_rim() {
        let punch = Punch { modulus: 1e11, profile: 1e6, index: 6 };
        let a = punch.radius(1e-5);
        assert!(punch.pressure(0.8 * a, 1e-5) > 1.3 * punch.pressure(0.0, 1e-5));
    }
}
