//! Spheres that yield along a loading curve whose work has no closed form.
//!
//! A [`YieldCurve`] gives the force of loading and the recovered depth w for a strength Y of the material. Unloading
//! follows F = F_max·ρ(s), s = 1 − (δ_max − δ)/w, with Hertz's ρ(s) = s^(3/2) unless the curve defines another. The
//! restitution follows from the energy balance
//!
//! e² = F_max·w·∫₀¹ρ ds / ∫₀^δ_max F dδ,  ∫₀^δ_max F dδ = ½·m·v₀²,
//!
//! and decreases with Y, so that a restitution determines Y for the energy of an impact. If the curves of all
//! strengths are one curve in δ/δ_c and F/F_c, with δ_c ∝ Y² and F_c ∝ Y³, energies scale as Y⁵: a single search is
//! then enough, and Y ∝ (m·v₀²)^(1/5) at every onset.

use super::{is_loading, remaining_share};
use crate::error::{Error, Result};
use crate::law::{Exponent, Force, Memory, Response};
use crate::numeric::quadrature::integrate;
use crate::numeric::root;
use crate::scalar::Scalar;

/// Loading and recovery of spheres of a given strength (Pa), generic over the scalar.
pub trait YieldForce<S: Scalar>: Copy {
    /// Computes the force of loading (N); 0 for δ ≤ 0.
    fn force(&self, delta: S, strength: S) -> S;

    /// Computes the depth (m) that is recovered after this largest indentation.
    fn recovered_depth(&self, peak: S, strength: S) -> S;

    /// Computes ρ(s), the force divided by that at the peak, where s is the remaining fraction of the recovered
    /// depth.
    #[inline(always)]
    fn relative_rebound_force(&self, share: S, _peak: S, _strength: S) -> S {
        Exponent::ThreeHalves.of(share)
    }
}

/// A loading curve with the quantities required for its energy balance.
pub trait YieldCurve: YieldForce<f64> {
    /// Type of the curve with numbers of another kind of scalar.
    type Over<S: Scalar>: YieldForce<S>;

    /// Whether δ_c ∝ Y² and F_c ∝ Y³ reduce the curves of all strengths to one.
    const STRENGTH_SCALES_CURVE: bool;

    /// Converts the curve to another kind of scalar, as [`Force::over`].
    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S>;

    /// Returns a strength (Pa) at which no impact yields.
    fn elastic_strength(&self) -> f64;

    /// Returns the indentations (m) at which loading has a kink, in ascending order; the first is that of yield.
    fn kinks(&self, strength: f64) -> [f64; 3];

    /// Computes ∫ρ ds from 0 to this fraction of the recovered depth.
    fn rebound_energy(&self, share: f64, _peak: f64, _strength: f64) -> f64 {
        0.4 * share * share * share.sqrt()
    }

    /// Computes ∫F dδ of loading up to this indentation (J).
    fn work(&self, delta: f64, strength: f64) -> f64 {
        let kinks = self.kinks(strength);
        let mut low = delta.min(kinks[0]);
        // As a function of u = √δ, half-integer powers of δ are smooth.
        let mut sum =
            integrate(0.0, low.sqrt(), |u| 2.0 * u * YieldForce::force(self, u * u, strength));
        // Beyond yield the force contains powers with arbitrary exponents. No panel therefore spans more than a
        // factor of 1.5 in δ, except a first one from δ = 0, which is too short to contribute.
        while low < delta {
            let next = kinks.iter().copied().find(|&kink| kink > low).unwrap_or(f64::INFINITY);
            let high = delta.min(next).min((1.5 * low).max(1e-9 * delta));
            sum += integrate(low, high, |x| YieldForce::force(self, x, strength));
            low = high;
        }
        sum
    }

    /// Computes the largest indentation (m) and the restitution of an impact of this energy (J).
    fn outcome(&self, energy: f64, strength: f64) -> (f64, f64) {
        // The unknown is ln(δ/δ_e), where δ_e is the indentation of the elastic law K·δ^(3/2), which is nearly the
        // smallest possible.
        let stiffness = 1e18 * YieldForce::force(self, 1e-12, self.elastic_strength());
        let elastic = (2.5 * energy / stiffness).powf(0.4);
        let excess = |log: f64| self.work(elastic * log.exp(), strength) - energy;
        let mut high = 1.0;
        while excess(high) < 0.0 && high < 700.0 {
            high *= 2.0;
        }
        let peak = elastic * root::find(-1.0, high, 0.0, excess).unwrap_or(0.0).exp();
        let top = YieldForce::force(self, peak, strength);
        let back = self.recovered_depth(peak, strength) * self.rebound_energy(1.0, peak, strength);
        (peak, (top * back / energy).sqrt())
    }

    /// Finds the strength at which an impact of this energy (J) has this restitution; `None` if there is no such
    /// strength.
    fn strength_for(&self, energy: f64, restitution: f64) -> Option<f64> {
        let strong = self.elastic_strength();
        if restitution >= 1.0 {
            return Some(strong);
        }
        let missed = |log: f64| self.outcome(energy, strong * log.exp()).1 - restitution;
        let log = root::find(-60.0, 0.0, 0.0, missed)?;
        // If the restitution jumps across the requested value, the change of sign is caused by the jump and is not a
        // root.
        (missed(log).abs() < 1e-9).then(|| strong * log.exp())
    }
}

/// Source of the strength of a [`Yielding`] contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// The strength is given (Pa).
    Given(f64),
    /// The strength has the first value (Pa) at the impact energy of the second (J), and is proportional to the fifth
    /// root of the energy.
    Scaled(f64, f64),
    /// The strength delivers this restitution and is searched at onset.
    Delivering(f64),
}

/// Spheres that yield along a loading curve.
#[derive(Clone, Copy, Debug)]
pub struct Yielding<C> {
    /// Loading and recovery of the spheres.
    pub curve: C,
    /// Source of the strength Y.
    pub strength: Strength,
}

impl<C: YieldCurve> Yielding<C> {
    /// Creates the contact that delivers this restitution.
    pub fn delivering(curve: C, restitution: f64) -> Result<Self> {
        if !C::STRENGTH_SCALES_CURVE {
            return Ok(Self { curve, strength: Strength::Delivering(restitution) });
        }
        // The energy is arbitrary; this one gives an indentation of one micrometre.
        let energy = 0.4e-6 * YieldForce::force(&curve, 1e-6, curve.elastic_strength());
        match curve.strength_for(energy, restitution) {
            Some(strength) => Ok(Self { curve, strength: Strength::Scaled(strength, energy) }),
            None => Err(Error::unreachable(
                restitution,
                "the recovery of this law jumps at yield, and no strength returns it",
                "ask for a smaller restitution or for 1, or use a law whose recovery is continuous",
            )),
        }
    }
}

impl<S: Scalar, C: YieldForce<S>> Response<S> for Yielding<C> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let unloading = || {
            let width = self.curve.recovered_depth(memory.peak, memory.damping);
            let share = remaining_share(delta, memory.peak, width);
            let rebound = self.curve.relative_rebound_force(share, memory.peak, memory.damping);
            YieldForce::force(&self.curve, memory.peak, memory.damping) * rebound
        };
        S::choose(
            is_loading(delta, rate, memory),
            || YieldForce::force(&self.curve, delta, memory.damping),
            unloading,
        )
    }

    /// Computes the strength (Pa), if it needs no search.
    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        match self.strength {
            Strength::Given(strength) => Some(S::of(strength)),
            Strength::Scaled(strength, energy) => {
                let share = mass * 0.5 * speed * speed / energy;
                Some(share.powf(S::of(0.2)) * strength)
            }
            Strength::Delivering(_) => None,
        }
    }
}

impl<C: YieldCurve> Force for Yielding<C> {
    type Over<S: Scalar> = Yielding<C::Over<S>>;
    const FIXED_AT_TOUCH: &'static str = "strength (Pa)";

    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S> {
        Yielding { curve: self.curve.over(convert), strength: self.strength }
    }

    fn touch(&self, mass: f64, speed: f64) -> Memory {
        let searched = || match self.strength {
            Strength::Delivering(e) => self.curve.strength_for(0.5 * mass * speed * speed, e),
            Strength::Given(_) | Strength::Scaled(..) => None,
        };
        let strength = self.damping_at_touch(mass, speed).or_else(searched);
        Memory { speed, damping: strength.unwrap_or(f64::NAN), ..Memory::default() }
    }

    fn requested(&self) -> Option<f64> {
        match self.strength {
            Strength::Delivering(restitution) => Some(restitution),
            Strength::Given(_) | Strength::Scaled(..) => None,
        }
    }

    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        match loading {
            true => {
                let kinks = self.curve.kinks(memory.damping);
                kinks.into_iter().find(|&kink| kink > memory.peak).unwrap_or(f64::NAN)
            }
            // The dent, where the force vanishes.
            false => memory.peak - self.curve.recovered_depth(memory.peak, memory.damping),
        }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let peak = memory.peak.max(delta);
        if !(peak > 0.0) {
            return 0.0;
        }
        let width = self.curve.recovered_depth(peak, memory.damping);
        let top = YieldForce::force(&self.curve, peak, memory.damping);
        let share = remaining_share(delta, peak, width);
        top * width * self.curve.rebound_energy(share, peak, memory.damping)
    }
}
