//! Plastic contact: energy is dissipated by a permanent indentation, the dent.
//!
//! These laws do not depend on the rate. They remember the largest indentation so far,
//! [`Memory::peak`](super::Memory::peak), and have two curves: the loading curve beyond it, and below it the
//! unloading curve from it, along which the contact also reloads. Only `commit` raises the peak. A trial indentation
//! beyond the peak is simply on the loading curve, so that the stages of a Runge–Kutta step are correct without a
//! change of the memory. An integrator must commit at the turn (δ̇ = 0).
//!
//! Most of these laws unload like a Hertzian contact whose undeformed state is the dent:
//!
//! F = F_max·sⁿ,  s = 1 − (δ_max − δ)/w,
//!
//! with the recovered depth w = δ_max − δ_p. The formula uses w rather than the permanent indentation δ_p, because
//! nothing cancels then if δ_p is nearly δ_max. With a loading curve K·δⁿ the energies are F_max·δ_max/(n+1) and
//! F_max·w/(n+1), hence exactly
//!
//! e² = w/δ_max.

mod bilinear;
mod cohesive;
pub mod flattening;
mod mdr;
mod thornton;
mod yielding;
mod yigit;

use super::{Exponent, Force, Memory, Response};
use crate::scalar::Scalar;
pub use bilinear::Bilinear;
pub use cohesive::{Cohesive, LinearCohesive};
pub use flattening::{JacksonGreen, Regimes};
pub use mdr::Mdr;
pub use thornton::{Pressure, Thornton};
pub use yielding::{Strength, YieldCurve, YieldForce, Yielding};
pub use yigit::{Yield, Yigit};

/// Computes s, the fraction of the recovered depth `width` that is left at δ ≤ `peak`; 0 below the dent.
#[inline(always)]
fn remaining_share<S: Scalar>(delta: S, peak: S, width: S) -> S {
    (S::of(1.0) - (peak - delta) / width).positive_part()
}

/// Elastic recovery F = top·sⁿ, from the force `top` at the largest indentation `peak`, over the depth `width`.
#[derive(Clone, Copy)]
struct ElasticRecovery<S> {
    peak: S,
    top: S,
    width: S,
    exponent: Exponent<S>,
}

impl<S: Scalar> ElasticRecovery<S> {
    #[inline(always)]
    fn force(&self, delta: S) -> S {
        self.top * self.exponent.of(remaining_share(delta, self.peak, self.width))
    }
}

impl ElasticRecovery<f64> {
    /// Computes the work that the recovery from δ still delivers (J).
    fn energy(&self, delta: f64) -> f64 {
        let n = self.exponent.value();
        let share = remaining_share(delta, self.peak, self.width);
        self.top * self.width * share.powf(n + 1.0) / (n + 1.0)
    }
}

/// Returns true where a form with this memory is on its loading curve; at the peak itself, the sign of the rate
/// decides.
#[inline(always)]
fn is_loading<S: Scalar>(delta: S, rate: S, memory: &Memory<S>) -> S::Mask {
    delta.gt_or(memory.peak, || rate.ge(S::of(0.0)))
}

/// Loading along K·δⁿ and recovery to a permanent indentation by a [`Recovery`] rule.
///
/// This is Goldsmith's law with n = 3/2, and with n = 1 that of Walton & Braun and the linearised law of Yigit.
#[derive(Clone, Copy, Debug)]
pub struct Permanent<S = f64> {
    /// K (N/mⁿ).
    pub stiffness: S,
    /// n, for both loading and recovery.
    pub exponent: Exponent<S>,
    /// Rule for the recovered part of the largest indentation.
    pub recovery: Recovery<S>,
}

/// Rule for the recovered depth w after the largest indentation δ_max; the fraction w/δ_max is e².
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recovery<S = f64> {
    /// A constant fraction of the largest indentation: w = e²·δ_max.
    Share(S),
    /// All but a dent of this depth (m): w = δ_max − δ_p. After an impact shallower than the dent a fraction of 1e-4
    /// is recovered (e = 0.01), so that the unloading curve is defined.
    Dent(S),
    /// w = δ_max/(1 + S·δ_max): an unloading stiffness that increases with the load; S in 1/m.
    Stiffening(S),
    /// Recovery according to [`Yigit`]'s law with this yield indentation and exponent.
    Yielded {
        /// Yield indentation δ_y (m).
        indentation: S,
        /// Exponent of the elastic law.
        exponent: S,
    },
}

/// Least recovered fraction of the indentation under [`Recovery::Dent`].
const MIN_SHARE: f64 = 1e-4;

impl Recovery {
    fn over<S>(self, mut convert: impl FnMut(&'static str, f64) -> S) -> Recovery<S> {
        match self {
            Self::Share(share) => Recovery::Share(convert("recovered_share", share)),
            Self::Dent(depth) => Recovery::Dent(convert("dent", depth)),
            Self::Stiffening(slope) => Recovery::Stiffening(convert("stiffening", slope)),
            Self::Yielded { indentation, exponent } => Recovery::Yielded {
                indentation: convert("yield_indentation", indentation),
                exponent: convert("elastic_exponent", exponent),
            },
        }
    }
}

impl<S: Scalar> Recovery<S> {
    /// Computes w/δ_max for this δ_max.
    #[inline]
    pub fn share(self, peak: S) -> S {
        match self {
            Self::Share(share) => share,
            Self::Dent(depth) => (S::of(1.0) - depth / peak).max(S::of(MIN_SHARE)),
            Self::Stiffening(slope) => S::of(1.0) / (slope * peak + 1.0),
            Self::Yielded { indentation, exponent } => {
                S::of(1.0) - yigit::residual_ratio(exponent, indentation / peak)
            }
        }
    }
}

impl Permanent {
    /// Creates a law that loads along K·δⁿ and has this recovery.
    pub fn new(stiffness: f64, exponent: f64, recovery: Recovery) -> Self {
        Self { stiffness, exponent: Exponent::new(exponent), recovery }
    }
}

impl<S: Scalar> Permanent<S> {
    #[inline(always)]
    fn elastic_recovery(&self, peak: S) -> ElasticRecovery<S> {
        ElasticRecovery {
            peak,
            top: self.stiffness * self.exponent.of(peak),
            width: self.recovery.share(peak) * peak,
            exponent: self.exponent,
        }
    }
}

impl<S: Scalar> Response<S> for Permanent<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        S::choose(
            is_loading(delta, rate, memory),
            || self.stiffness * self.exponent.of(delta),
            || self.elastic_recovery(memory.peak).force(delta),
        )
    }
}

impl Force for Permanent {
    type Over<S: Scalar> = Permanent<S>;

    fn with_plain_exponents(&self) -> Self {
        Self { exponent: self.exponent.as_plain_number(), ..*self }
    }

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Permanent<S> {
        Permanent {
            stiffness: convert("stiffness", self.stiffness),
            exponent: self.exponent.over(|value| convert("exponent", value)),
            recovery: self.recovery.over(convert),
        }
    }

    /// Returns the dent, where the force vanishes.
    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        if loading { f64::NAN } else { memory.peak * (1.0 - self.recovery.share(memory.peak)) }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let peak = memory.peak.max(delta);
        if peak > 0.0 { self.elastic_recovery(peak).energy(delta) } else { 0.0 }
    }
}

/// Estimates the restitution of a fully plastic impact after Johnson: e² ≈
/// (3·π^(5/4)·4^(3/4)/10)·(p_d/E*)·(m·v²/(2·p_d·R³))^(−1/4).
///
/// The energy ½m·v² = π·p_d·a⁴/(4R) makes a crater of radius a under the dynamic yield pressure `p_d` (about 3 times
/// the yield strength Y, Pa); the elastic rebound returns 3P²/(10·a·E*) with P = π·a²·p_d. `modulus` is E* (Pa),
/// `mass` the effective mass (kg), `radius` the effective radius (m), `speed` the impact speed (m/s). The square root
/// of the constant is 1.88; the well-known 3.8 belongs to the same formula written with Y and p_d = 3Y. The formula
/// is an estimate, not a law: it assumes that the whole contact has yielded, and exceeds 1 at low speeds, where
/// [`Thornton`]'s law is elastic. Source: K. L. Johnson, Contact Mechanics, Cambridge University Press 1985, section
/// 11.5.
///
/// ```
/// use carom::law::plastic::johnson_plastic_restitution;
/// let steel = |speed| johnson_plastic_restitution(3e9, 1.154e11, 0.0335, 0.01, speed);
/// assert!((steel(50.0) - 0.518).abs() < 1e-3);
/// assert!((steel(800.0) / steel(50.0) - 0.5).abs() < 1e-12);
/// ```
pub fn johnson_plastic_restitution(
    p_d: f64,
    modulus: f64,
    mass: f64,
    radius: f64,
    speed: f64,
) -> f64 {
    let damage = mass * speed * speed / (2.0 * p_d * radius.powi(3));
    let constant = 0.3 * std::f64::consts::PI.powf(1.25) * 4f64.powf(0.75);
    (constant * p_d / modulus).sqrt() * damage.powf(-0.125)
}

#[cfg(test)]
mod tests {
    use super::super::check::{impact, near, stored, work};
    use super::*;
    use crate::law::Exit;

    const RULES: [Recovery; 4] = [
        Recovery::Share(0.3),
        Recovery::Dent(2e-5),
        Recovery::Stiffening(3e4),
        Recovery::Yielded { indentation: 1e-5, exponent: 1.5 },
    ];

    #[test]
    fn stored_is_the_work_of_unloading_and_the_share_is_the_restitution_squared() {
        for recovery in RULES {
            for n in [1.0, 1.5, 2.2] {
                let form = Permanent::new(2e10, n, recovery);
                let memory = Memory { peak: 5e-5, ..Memory::default() };
                let dent = 5e-5 * (1.0 - recovery.share(5e-5));
                stored(form, dent, 4.9e-5, &memory, 1e-9);
                let spent = work(form, 0.0, 5e-5, &Memory::default());
                near(form.stored(5e-5, &memory) / spent, recovery.share(5e-5), 1e-9);
            }
        }
    }

    #[test]
    fn the_force_is_continuous_at_the_peak_and_a_trial_beyond_it_loads() {
        let form = Permanent::new(2e10, 1.5, Recovery::Share(0.25));
        let memory = Memory { peak: 4e-5, ..Memory::default() };
        near(
            form.force(4e-5 * (1.0 - 1e-12), -0.1, &memory),
            form.force(4e-5, -0.1, &memory),
            1e-9,
        );
        near(form.force(5e-5, 0.1, &memory), 2e10 * 5e-5f64.powf(1.5), 1e-15);
        assert_eq!(form.force(2.9e-5, -0.1, &memory), 0.0);
        assert_eq!(form.force(-1e-6, -0.1, &Memory::default()), 0.0);
    }

    #[test]
    fn walton_and_braun_return_the_root_of_the_ratio_of_slopes() {
        let (k1, k2, mass, speed) = (1e6_f64, 4e6, 0.3, 0.7);
        let form = Permanent::new(k1, 1.0, Recovery::Share(k1 / k2));
        let span = (mass / k1).sqrt();
        let [e, peak, _] = impact(form, mass, speed, Exit::ZeroForce, span);
        near(e, 0.5, 1e-8);
        near(peak, speed * span, 1e-9);
        // With k2 = k1 + S·F_max the restitution is e = 1/√(1 + S·v₀·√(m/k1)).
        let slope = 2e3;
        let form = Permanent::new(k1, 1.0, Recovery::Stiffening(slope));
        let [e, ..] = impact(form, mass, speed, Exit::ZeroForce, span);
        near(e, 1.0 / (1.0 + slope * speed * span).sqrt(), 1e-8);
    }

    #[test]
    fn goldsmith_delivers_what_is_asked_down_to_nearly_plastic() {
        let (mass, speed, stiffness) = (0.54, 0.5, 2.4144e10);
        let depth: f64 = (1.25f64 * mass * speed * speed / stiffness).powf(0.4);
        for e in [1.0, 0.7568, 0.3, 0.01] {
            let form = Permanent::new(stiffness, 1.5, Recovery::Share(e * e));
            for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
                // After a deep dent at e = 0.01 the rebound to zero indentation is long and free of force, and is not
                // computed.
                if e == 0.01 && exit == Exit::ZeroIndentation {
                    continue;
                }
                let [delivered, peak, _] = impact(form, mass, speed, exit, depth / speed);
                near(delivered, e, 1e-6);
                near(peak, depth, 1e-9);
            }
        }
    }

    #[test]
    fn a_dent_deeper_than_the_impact_leaves_a_hundredth_of_the_speed() {
        let form = Permanent::new(1e6, 1.0, Recovery::Dent(1.0));
        near(form.recovery.share(1e-4).sqrt(), 0.01, 1e-12);
    }
}
