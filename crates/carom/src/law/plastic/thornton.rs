//! Elastic-perfectly plastic spheres (Thornton 1997).
//!
//! Hertz's pressure is limited to the limiting pressure p_y. Its maximum reaches p_y at the contact radius a_y =
//! π·p_y·R/(2E*), the indentation δ_y = a_y²/R and the force P_y = (2/3)·π·p_y·a_y². From there on the additional
//! contact area carries p_y, and the force is linear. Unloading is Hertzian with the radius of the flattened surface,
//! R_p = 4E*·a³/(3P*), where a² = (2P* + P_y)/(2π·p_y). It therefore recovers the depth w = 3P*/(4E*·a), and F =
//! P*·[1 − (δ_max − δ)/w]^(3/2).
//!
//! The restitution depends on r = v_y/v₀ alone, where v_y is the speed at which yield just begins, v_y² =
//! (4/5)·P_y·δ_y/m = π⁵·R³·p_y⁵/(30·m·E*⁴):
//!
//! e² = (6√3/5)·(1 − r²/6)·√(r/(r + 2√(6/5 − r²/5))) for r < 1, else e = 1.
//!
//! It increases with r. A restitution therefore determines r once, and r determines the limiting pressure at every
//! onset.

use std::f64::consts::PI;

use super::flattening::hertz;
use super::{ElasticRecovery, is_loading};
use crate::law::{Exponent, Force, Memory, Response};
use crate::numeric::root;
use crate::scalar::Scalar;

/// Elastic-perfectly plastic spheres.
#[derive(Clone, Copy, Debug)]
pub struct Thornton<S = f64> {
    /// Effective modulus E* (Pa).
    pub modulus: S,
    /// Effective radius R (m).
    pub radius: S,
    /// Source of the limiting pressure.
    pub pressure: Pressure,
}

/// Source of the limiting pressure p_y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pressure {
    /// The pressure is given (Pa).
    Given(f64),
    /// The pressure follows from the ratio r of the yield speed to the impact speed.
    YieldSpeed(f64),
}

impl Pressure {
    /// Creates the pressure that delivers this restitution at every speed.
    pub fn delivering(restitution: f64) -> Self {
        // The unknown is ln r, because r is proportional to e⁴ for small e and covers many orders of magnitude.
        let excess = |log: f64| Thornton::restitution(log.exp()) - restitution;
        // If there is no change of sign, the restitution is 1 and nothing yields.
        Self::YieldSpeed(root::find(-300.0, 0.0, 0.0, excess).unwrap_or(0.0).exp())
    }
}

impl Thornton {
    /// Computes the restitution for a yield speed of `ratio` times the impact speed.
    ///
    /// ```
    /// use carom::law::Thornton;
    /// assert_eq!(Thornton::restitution(1.5), 1.0);
    /// assert!((Thornton::restitution(0.1) - 0.6586).abs() < 1e-4);
    /// ```
    pub fn restitution(ratio: f64) -> f64 {
        if ratio >= 1.0 {
            return 1.0;
        }
        let square = ratio * ratio;
        let root = (ratio / (ratio + 2.0 * (1.2 - square / 5.0).sqrt())).sqrt();
        (1.2 * 3f64.sqrt() * (1.0 - square / 6.0) * root).sqrt()
    }
}

impl<S: Scalar> Thornton<S> {
    /// Computes the indentation at which a contact with this limiting pressure yields.
    #[inline(always)]
    fn yield_indentation(&self, pressure: S) -> S {
        let slope = pressure * PI / (self.modulus * 2.0);
        slope * slope * self.radius
    }

    /// Computes Hertz's force.
    #[inline(always)]
    fn hertz_force(&self, delta: S) -> S {
        hertz(self.modulus, self.radius, delta)
    }

    /// Computes the force while loading.
    #[inline(always)]
    fn loading_force(&self, delta: S, pressure: S) -> S {
        let limit = self.yield_indentation(pressure);
        let beyond = || self.hertz_force(limit) + pressure * PI * self.radius * (delta - limit);
        S::choose(delta.le(limit), || self.hertz_force(delta), beyond)
    }

    /// Computes the elastic recovery from `peak`.
    #[inline(always)]
    fn elastic_recovery(&self, peak: S, pressure: S) -> ElasticRecovery<S> {
        let top = self.loading_force(peak, pressure);
        let limit = self.yield_indentation(pressure);
        let flattened = || {
            let area = (top * 2.0 + self.hertz_force(limit)) / (pressure * (2.0 * PI));
            top * 0.75 / (self.modulus * area.sqrt())
        };
        let width = S::choose(peak.le(limit), || peak, flattened);
        ElasticRecovery { peak, top, width, exponent: Exponent::ThreeHalves }
    }
}

impl<S: Scalar> Response<S> for Thornton<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        S::choose(
            is_loading(delta, rate, memory),
            || self.loading_force(delta, memory.damping),
            || self.elastic_recovery(memory.peak, memory.damping).force(delta),
        )
    }

    /// Computes the limiting pressure (Pa).
    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        Some(match self.pressure {
            Pressure::Given(pressure) => S::of(pressure),
            Pressure::YieldSpeed(ratio) => {
                let speed = speed * ratio;
                let scale = mass * 30.0 * speed * speed / (self.radius * PI).powi(3);
                (scale * self.modulus.powi(4) / (PI * PI)).powf(S::of(0.2))
            }
        })
    }
}

impl Force for Thornton {
    over!(Thornton { modulus, radius; pressure });
    const FIXED_AT_TOUCH: &'static str = "limiting pressure (Pa)";

    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        match loading {
            true => self.yield_indentation(memory.damping),
            // The dent, where the force vanishes.
            false => memory.peak - self.elastic_recovery(memory.peak, memory.damping).width,
        }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let peak = memory.peak.max(delta);
        if peak > 0.0 { self.elastic_recovery(peak, memory.damping).energy(delta) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{impact, near, stored, work};
    use super::*;
    use crate::law::Exit;

    const STEEL: Thornton =
        Thornton { modulus: 1.154e11, radius: 0.01, pressure: Pressure::Given(1.6e9) };

    fn at_peak(peak: f64) -> Memory {
        Memory { peak, ..STEEL.touch(0.03, 1.0) }
    }

    #[test]
    fn stored_energy_is_the_work_of_unloading() {
        let limit = STEEL.yield_indentation(1.6e9);
        for peak in [0.5 * limit, 3.0 * limit, 50.0 * limit] {
            let memory = at_peak(peak);
            let dent = peak - STEEL.elastic_recovery(peak, 1.6e9).width;
            stored(STEEL, dent, 0.1 * dent + 0.9 * peak, &memory, 1e-9);
        }
    }

    #[test]
    fn force_and_slope_are_continuous_at_yield_and_the_force_at_the_peak() {
        let limit = STEEL.yield_indentation(1.6e9);
        let force = STEEL.loading_force(limit, 1.6e9);
        near(force, 2.0 / 3.0 * PI * 1.6e9 * limit * STEEL.radius, 1e-13);
        // At the yield limit, where the slope is that of Hertz's law, and beyond it.
        for delta in [limit, 1.1 * limit] {
            let slope = STEEL.tangent(delta, 1.0, &at_peak(0.0)).stiffness;
            near(slope, PI * 1.6e9 * STEEL.radius, 1e-13);
        }
        let memory = at_peak(4.0 * limit);
        let below = STEEL.force(4.0 * limit * (1.0 - 1e-13), -1.0, &memory);
        near(below, STEEL.force(4.0 * limit, 1.0, &memory), 1e-11);
        // The published radius of the flattened surface gives the same recovery.
        let recoil = STEEL.elastic_recovery(4.0 * limit, 1.6e9);
        let flat = (2.0 * recoil.top + force) / (2.0 * PI * 1.6e9);
        let radius = 4.0 * STEEL.modulus / (3.0 * recoil.top) * flat.powf(1.5);
        let hertz = 4.0 / 3.0 * STEEL.modulus * radius.sqrt();
        near((recoil.top / hertz).powf(2.0 / 3.0), recoil.width, 1e-12);
    }

    #[test]
    fn the_closed_form_of_the_restitution_is_the_energy_balance() {
        let limit = STEEL.yield_indentation(1.6e9);
        let force = STEEL.loading_force(limit, 1.6e9);
        for depth in [0.9, 1.0, 1.5, 4.0, 30.0, 1000.0] {
            let memory = at_peak(depth * limit);
            let spent = work(STEEL, 0.0, depth * limit, &at_peak(0.0));
            let e = (STEEL.stored(depth * limit, &memory) / spent).sqrt();
            // m·v_y² = (4/5)·P_y·δ_y, m·v₀² = 2·spent.
            let ratio = (0.8 * force * limit / (2.0 * spent)).sqrt();
            near(e, Thornton::restitution(ratio), 1e-9);
        }
    }

    #[test]
    fn johnson_returns_more_at_high_speed_because_his_crater_is_wider() {
        // For the same energy a⁴ is twice as large if δ = a²/(2R) instead of a²/R, so that e² is larger by the factor
        // 2^(3/4).
        let (p_y, mass, speed): (f64, f64, f64) = (1.6e9, 0.03, 1e9);
        let square = PI.powi(5) * 1e-6 * p_y.powi(5) / (30.0 * mass * STEEL.modulus.powi(4));
        let thornton = Thornton::restitution(square.sqrt() / speed);
        let johnson =
            super::super::johnson_plastic_restitution(p_y, STEEL.modulus, mass, 0.01, speed);
        near((johnson / thornton).powi(2), 2f64.powf(0.75), 1e-6);
    }

    #[test]
    fn a_restitution_asked_for_is_delivered_at_any_speed() {
        for e in [1.0, 0.9, 0.5, 0.1] {
            let form = Thornton { pressure: Pressure::delivering(e), ..STEEL };
            for speed in [0.01, 3.0] {
                let hertz = 4.0 / 3.0 * form.modulus * form.radius.sqrt();
                let depth = (1.25f64 * 0.03 * speed * speed / hertz).powf(0.4);
                let [delivered, ..] = impact(form, 0.03, speed, Exit::ZeroForce, depth / speed);
                near(delivered, e, 1e-6);
            }
        }
    }
}
