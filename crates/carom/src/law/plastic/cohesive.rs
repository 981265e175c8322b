//! Loading along a power, stiffer unloading, and a cohesive branch (Luding 2008; Thakur and others 2014).
//!
//! Loading follows k₁·δⁿ. Unloading and reloading follow k₂·(δⁿ − δ₀ⁿ) from the peak p, with δ₀ⁿ = (1 − k₁/k₂)·pⁿ.
//! The tensile force is limited to k_c·δⁿ; along this limit the contact opens to δ = 0. A constant attraction f₀ may
//! be added. A contact that stops on the limit and closes again follows k₂, as it would with the smaller peak pⁿ =
//! (k₂+k_c)/(k₂−k₁)·δⁿ. This is the only case in which `commit` lowers the peak.
//!
//! With r = k₂/k₁, κ = k_c/k₁ and the corner c = ((r−1)/(r+κ))^(1/n), the fraction of the peak at which unloading
//! meets the limit, the energies give, for contact that ends at δ = 0,
//!
//! e² = r − (r−1)·(n + 1 − n·c),
//!
//! which decreases with r; for n = 1 its solution is r = (1 + 2κ − κe²)/(e² + κ). Where it reaches 0 the bodies
//! stick. If contact ends at zero force, the cohesion has no effect: κ = 0, and for n = 1 e² = 1/r. The constant
//! attraction f₀ dissipates nothing but changes the energy at the peak, a fraction of which is lost, so that these
//! relations hold for f₀ = 0 only.

use super::is_loading;
use crate::law::{Exit, Exponent, Force, Memory, Response};
use crate::numeric::root;
use crate::scalar::Scalar;

/// Power-law loading and unloading with a cohesive branch.
///
/// With `LINEAR` the compiler knows that n = 1: without a branch on the exponent in every evaluation, an impact takes
/// a quarter less time.
#[derive(Clone, Copy, Debug)]
pub struct Cohesive<S = f64, const LINEAR: bool = false> {
    /// Loading stiffness k₁ (N/mⁿ).
    pub loading: S,
    /// Unloading stiffness k₂ ≥ k₁ (N/mⁿ).
    pub unloading: S,
    /// Factor k_c ≥ 0 of the cohesive limit (N/mⁿ).
    pub cohesion: S,
    /// n.
    pub exponent: Exponent<S>,
    /// Attraction f₀ ≥ 0 that acts as long as the bodies touch (N).
    pub pull: S,
}

/// Linear springs with a cohesive branch.
pub type LinearCohesive<S = f64> = Cohesive<S, true>;

impl LinearCohesive {
    /// Creates linear springs without a constant attraction.
    pub fn linear(loading: f64, unloading: f64, cohesion: f64) -> Self {
        Self { loading, unloading, cohesion, exponent: Exponent::One, pull: 0.0 }
    }

    /// Creates the law whose unloading stiffness delivers this restitution with this exit of contact.
    pub fn linear_delivering(loading: f64, cohesion: f64, exit: Exit, restitution: f64) -> Self {
        let form = Cohesive::delivering(loading, cohesion, 1.0, exit, restitution);
        Self::linear(form.loading, form.unloading, form.cohesion)
    }
}

impl Cohesive {
    /// Creates the law whose unloading stiffness delivers this restitution with this exit of contact, without a
    /// constant attraction.
    pub fn delivering(
        loading: f64,
        cohesion: f64,
        exponent: f64,
        exit: Exit,
        restitution: f64,
    ) -> Self {
        let square = restitution * restitution;
        let kappa = match exit {
            Exit::ZeroForce => 0.0,
            Exit::ZeroIndentation => cohesion / loading,
        };
        let excess = |log: f64| restitution_squared(exponent, kappa, log.exp_m1()) - square;
        let ratio = match exponent {
            1.0 => (1.0 + 2.0 * kappa - kappa * square) / (square + kappa),
            // If there is no change of sign, the restitution is 1.
            _ => root::find(0.0, 700.0, 0.0, excess).map_or(1.0, f64::exp),
        };
        let exponent = Exponent::new(exponent);
        Self { loading, unloading: loading * ratio, cohesion, exponent, pull: 0.0 }
    }
}

/// Computes e² for n, κ and r − 1; a negative result means that the bodies stick.
fn restitution_squared(n: f64, kappa: f64, above: f64) -> f64 {
    // Equals 1 − c, without cancellation if c is close to 1.
    let gap = -((-(1.0 + kappa) / (above + 1.0 + kappa)).ln_1p() / n).exp_m1();
    1.0 - above * n * gap
}

impl<S: Scalar, const LINEAR: bool> Cohesive<S, LINEAR> {
    #[inline(always)]
    fn exponent(&self) -> Exponent<S> {
        if LINEAR { Exponent::One } else { self.exponent }
    }

    /// Computes the indentation at which the unloading curve from `peak` meets the cohesive limit.
    fn corner_indentation(&self, peak: S) -> S {
        let share = (self.unloading - self.loading) / (self.unloading + self.cohesion);
        match self.exponent() {
            Exponent::One => peak * share,
            _ => peak * share.powf(S::of(1.0) / self.exponent().value()),
        }
    }

    /// Computes the force at δ on the unloading curve from the peak p, without the constant attraction, given δⁿ and
    /// pⁿ.
    #[inline(always)]
    fn unloading_force(&self, delta_power: S, peak_power: S) -> S {
        self.loading * peak_power - self.unloading * (peak_power - delta_power)
    }
}

impl<S: Scalar, const LINEAR: bool> Response<S> for Cohesive<S, LINEAR> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let delta = delta.positive_part();
        let power = self.exponent().raise(delta);
        let unloading = || {
            let curve = self.unloading_force(power, self.exponent().raise(memory.peak));
            curve.max(-self.cohesion * power)
        };
        let spring = S::choose(is_loading(delta, rate, memory), || self.loading * power, unloading);
        spring - self.pull
    }

    /// Computes the peak; on the cohesive limit it is lowered to that of the unloading curve through this point.
    fn peak_after(&self, delta: S, _rate: S, memory: &Memory<S>) -> S {
        let peak = memory.peak.max(delta);
        let lowered = || {
            // Ratio of the peak to δ on the limit. For δ ≤ 0 no dent is left; the quotient, which may be infinite, is
            // not used then.
            let ratio = (self.unloading + self.cohesion) / (self.unloading - self.loading);
            let ratio = match self.exponent() {
                Exponent::One => ratio,
                _ => ratio.powf(S::of(1.0) / self.exponent().value()),
            };
            S::choose(delta.gt(S::of(0.0)), || ratio * delta, || S::of(0.0))
        };
        // A contact that is at the corner within rounding errors keeps its peak.
        S::choose(delta.lt(self.corner_indentation(peak) * (1.0 - 1e-12)), lowered, || peak)
    }
}

impl<const LINEAR: bool> Force for Cohesive<f64, LINEAR> {
    type Over<S: Scalar> = Cohesive<S, LINEAR>;

    fn with_plain_exponents(&self) -> Self {
        if LINEAR { *self } else { Self { exponent: self.exponent.as_plain_number(), ..*self } }
    }

    fn over<S: Scalar>(
        &self,
        mut convert: impl FnMut(&'static str, f64) -> S,
    ) -> Cohesive<S, LINEAR> {
        Cohesive {
            loading: convert("loading_stiffness", self.loading),
            unloading: convert("unloading_stiffness", self.unloading),
            cohesion: convert("cohesion", self.cohesion),
            exponent: self.exponent.over(|value| convert("exponent", value)),
            pull: convert("pull", self.pull),
        }
    }

    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        if loading { f64::NAN } else { self.corner_indentation(memory.peak) }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let (delta, peak) = (delta.max(0.0), memory.peak.max(delta));
        let corner = self.corner_indentation(peak);
        let n = self.exponent().value();
        let power = |x: f64| x * self.exponent().of(x) / (n + 1.0);
        let held = -self.cohesion * power(delta.min(corner)) - self.pull * delta;
        if delta <= corner {
            return held;
        }
        // The unloading curve is k₂·δⁿ minus a constant.
        let [delta_power, peak_power] = self.exponent().raise_all([delta, peak]);
        let constant = self.unloading * delta_power - self.unloading_force(delta_power, peak_power);
        held + self.unloading * (power(delta) - power(corner)) - constant * (delta - corner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{impact, near, stored, work};
    use super::*;

    fn sand(n: f64) -> Cohesive {
        let unit = 1e-4f64.powf(1.0 - n);
        let exponent = Exponent::new(n);
        Cohesive {
            loading: 1e5 * unit,
            unloading: 3e5 * unit,
            cohesion: 0.5e5 * unit,
            exponent,
            pull: 0.3,
        }
    }

    const EXPONENTS: [f64; 3] = [1.0, 1.5, 2.2];

    #[test]
    fn stored_energy_is_the_work_of_unloading() {
        let memory = Memory { peak: 1e-4, ..Memory::default() };
        for form in EXPONENTS.map(sand) {
            let corner = form.corner_indentation(1e-4);
            for delta in [0.4 * corner, 0.5 * (corner + 1e-4), 0.99e-4] {
                stored(form, 0.0, delta, &memory, 1e-6);
            }
            let limit = -form.cohesion * form.exponent.of(corner) - form.pull;
            near(form.force(corner, -0.1, &memory), limit, 1e-12);
            near(form.force(1e-4, -0.1, &memory), form.force(1e-4, 0.1, &memory), 1e-12);
        }
    }

    #[test]
    fn a_contact_that_closes_again_from_the_limit_climbs_the_unloading_curve() {
        for form in EXPONENTS.map(sand) {
            let mut memory = Memory { peak: 1e-4, ..Memory::default() };
            let delta = 0.6 * form.corner_indentation(1e-4);
            let before = form.force(delta, -0.1, &memory);
            form.commit(delta, -0.1, &mut memory);
            near(form.force(delta, 0.1, &memory), before, 1e-12);
            let (step, slope) = (1e-9, form.exponent.slope(delta));
            let up = (form.force(delta + step, 0.1, &memory) - before) / step;
            near(up, form.unloading * slope, 1e-4);
            let down = (before - form.force(delta - step, -0.1, &memory)) / step;
            near(down, -form.cohesion * slope, 1e-4);
        }
    }

    #[test]
    fn the_energy_balance_with_cohesion_is_closed() {
        let memory = Memory { peak: 1e-4, ..Memory::default() };
        for n in EXPONENTS {
            let form = Cohesive { pull: 0.0, ..sand(n) };
            let spent = work(form, 0.0, 1e-4, &Memory::default());
            near(form.stored(1e-4, &memory) / spent, restitution_squared(n, 0.5, 2.0), 1e-9);
        }
        let (r, kappa) = (3.0_f64, 0.5);
        let square = 1.0 / r - kappa * (r - 1.0).powi(2) / (r * (r + kappa));
        near(restitution_squared(1.0, kappa, r - 1.0), square, 1e-14);
    }

    #[test]
    fn both_exits_deliver_what_is_asked() {
        let (mass, speed) = (0.01_f64, 0.3);
        for n in EXPONENTS {
            let stiffness = sand(n).loading;
            let depth = (0.5 * (n + 1.0) * mass * speed * speed / stiffness).powf(1.0 / (n + 1.0));
            for cohesion in [0.0, 0.2, 2.0] {
                for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
                    for e in [0.9, 0.5, 0.1] {
                        let held = cohesion * stiffness;
                        let form = Cohesive::delivering(stiffness, held, n, exit, e);
                        assert!(form.unloading >= form.loading);
                        near(impact(form, mass, speed, exit, depth / speed)[0], e, 1e-4);
                    }
                }
            }
            let elastic = Cohesive::delivering(stiffness, 0.0, n, Exit::ZeroForce, 1.0);
            near(elastic.unloading, elastic.loading, 1e-12);
        }
    }
}
