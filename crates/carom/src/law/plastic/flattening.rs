//! Loading curves of elastic-perfectly plastic spheres flattened by a rigid plane.
//!
//! [`Regimes`]: Hertz's law, powers fitted to finite-element results (Kogut & Etsion 2002), and the fully plastic
//! line F = 2π·R·H·δ of a contact area 2π·R·δ under the hardness H. In terms of x = δ/δ_c and F/F_c with
//!
//! δ_c = (π·q·Y/(2E*))²·R,  F_c = (4/3)·E*·√R·δ_c^(3/2),
//!
//! where q·Y is the largest pressure at first yield, F/F_c = min(x^1.5, 1.03·x^1.425, 1.4·x^1.263, (3H/(q·Y))·x). The
//! powers are those of the source, which changes from one to the next at x = 1, 6 and 110, where they differ by 3 %,
//! 2 % and about 8 %. The minimum used here changes where they intersect, near 1.5, 6.7 and 150, and is therefore
//! continuous. The contact area divided by π·R·δ_c is min(max(x, 0.94·x^1.146), 2x). Without the fitted powers this
//! is Johnson's theory of fully plastic impact. Unloading is Hertzian from the contact radius a that was reached, w =
//! 3F_max/(4E*·a).
//!
//! [`JacksonGreen`] (2005): one fit for all depths, with a hardness that decreases as the contact grows,
//!
//! F/F_c = exp(−x^(5/12)/4)·x^1.5 + (4H/(C·Y))·(1 − exp(−x^(5/9)/25))·x,  q = C = 1.295·exp(0.736ν),
//!
//! H/Y = 2.84·(1 − exp(−0.82·(a/R)^(−0.7))), a = √(R·δ)·(x/1.9)^(B/2), B = 0.14·exp(23·Y/E*). The fit is used where
//! it is less than Hertz's force, so that the force is continuous; the source uses Hertz's law up to x = 1.9. The
//! permanent indentation is 1.02·(1 − ((x + 5.9)/6.9)^(−0.54)) of the largest indentation (Jackson, Chusoipin & Green
//! 2005).

use std::f64::consts::PI;

use super::MIN_SHARE;
use super::yielding::{YieldCurve, YieldForce};
use crate::law::Exponent;
use crate::numeric::root;
use crate::scalar::Scalar;

/// Computes δ_c (m) for the pressure `pressure` (Pa), the largest one at first yield.
#[inline(always)]
fn critical_indentation<S: Scalar>(modulus: S, radius: S, pressure: S) -> S {
    let slope = pressure * (0.5 * PI) / modulus;
    slope * slope * radius
}

/// Computes Hertz's force (N).
#[inline(always)]
pub(super) fn hertz<S: Scalar>(modulus: S, radius: S, delta: S) -> S {
    modulus * (4.0 / 3.0) * radius.sqrt() * Exponent::ThreeHalves.of(delta)
}

/// Hertz's law, fitted powers and a fully plastic line.
#[derive(Clone, Copy, Debug)]
pub struct Regimes<S = f64> {
    /// Effective modulus E* (Pa).
    pub modulus: S,
    /// Effective radius R (m).
    pub radius: S,
    /// q, the largest pressure at first yield divided by the strength.
    pub first_yield: S,
    /// Hardness divided by the strength.
    pub hardness: S,
    /// Whether there are elastic-plastic regimes between Hertz's law and the plastic line.
    pub transition: bool,
}

/// Coefficient and exponent of the fitted forces.
const FORCE_FIT: [(f64, f64); 2] = [(1.03, 1.425), (1.4, 1.263)];
/// Coefficient and exponent of the fitted area.
const AREA_FIT: (f64, f64) = (0.94, 1.146);

impl<S: Scalar> Regimes<S> {
    #[inline(always)]
    fn critical_indentation(&self, strength: S) -> S {
        critical_indentation(self.modulus, self.radius, self.first_yield * strength)
    }

    /// Computes 3H/(q·Y), the slope of the plastic line.
    #[inline(always)]
    fn plastic_slope(&self) -> S {
        self.hardness * 3.0 / self.first_yield
    }
}

impl<S: Scalar> YieldForce<S> for Regimes<S> {
    #[inline(always)]
    fn force(&self, delta: S, strength: S) -> S {
        let unit = self.critical_indentation(strength);
        let x = delta.positive_part() / unit;
        let mut force = Exponent::ThreeHalves.of(x).min(self.plastic_slope() * x);
        if self.transition {
            for (coefficient, exponent) in FORCE_FIT {
                force = force.min(x.powf(S::of(exponent)) * coefficient);
            }
        }
        hertz(self.modulus, self.radius, unit) * force
    }

    /// Computes w = 3F/(4E*·a), which is δ_c·(F/F_c)/√(a²/(R·δ_c)).
    #[inline(always)]
    fn recovered_depth(&self, peak: S, strength: S) -> S {
        let unit = self.critical_indentation(strength);
        let (x, plastic) = (peak / unit, self.plastic_slope());
        let area = match self.transition {
            true => x.max(x.powf(S::of(AREA_FIT.1)) * AREA_FIT.0).min(x * 2.0),
            false => S::choose(x.gt(plastic * plastic), || x * 2.0, || x),
        };
        let force = self.force(peak, strength) / hertz(self.modulus, self.radius, unit);
        // If the contact is Hertzian, exactly the whole indentation is recovered, without rounding errors.
        let yielded = area.gt(x) | force.lt(Exponent::ThreeHalves.of(x) * (1.0 - 1e-14));
        S::choose(yielded, || unit * force / area.sqrt(), || peak)
    }
}

impl YieldCurve for Regimes {
    over!(Regimes { modulus, radius, first_yield, hardness; transition });
    const STRENGTH_SCALES_CURVE: bool = true;

    fn elastic_strength(&self) -> f64 {
        1e3 * self.modulus
    }

    fn kinks(&self, strength: f64) -> [f64; 3] {
        let (unit, plastic) = (self.critical_indentation(strength), self.plastic_slope());
        let [(c1, n1), (c2, n2)] = FORCE_FIT;
        match self.transition {
            true => [
                c1.powf(1.0 / (1.5 - n1)),
                (c2 / c1).powf(1.0 / (n1 - n2)),
                (plastic / c2).powf(1.0 / (n2 - 1.0)),
            ],
            false => [plastic * plastic, f64::INFINITY, f64::INFINITY],
        }
        .map(|x| x * unit)
    }
}

/// A single fit for all depths, with a hardness that decreases with the contact radius.
#[derive(Clone, Copy, Debug)]
pub struct JacksonGreen<S = f64> {
    /// Effective modulus E* (Pa).
    pub modulus: S,
    /// Effective radius R (m).
    pub radius: S,
    /// C = 1.295·exp(0.736ν).
    pub first_yield: S,
}

impl JacksonGreen {
    /// Creates the law for spheres of effective modulus E* (Pa) and effective radius R (m); `poisson` is Poisson's
    /// ratio of the softer body.
    pub fn new(modulus: f64, radius: f64, poisson: f64) -> Self {
        Self { modulus, radius, first_yield: 1.295 * (0.736 * poisson).exp() }
    }
}

impl<S: Scalar> JacksonGreen<S> {
    #[inline(always)]
    fn critical_indentation(&self, strength: S) -> S {
        critical_indentation(self.modulus, self.radius, self.first_yield * strength)
    }

    /// Computes F/F_c of the fit, for x > 0.
    #[inline(always)]
    fn fitted_force(&self, x: S, strength: S) -> S {
        let unit = self.critical_indentation(strength);
        let growth = (strength * 23.0 / self.modulus).exp() * 0.07;
        let contact = (x * unit / self.radius).sqrt() * (x / 1.9).powf(growth);
        let hardness = -(contact.powf(S::of(-0.7)) * -0.82).exp_m1() * 2.84;
        let elastic = (x.powf(S::of(5.0 / 12.0)) * -0.25).exp() * Exponent::ThreeHalves.of(x);
        let plastic = -(x.powf(S::of(5.0 / 9.0)) * -0.04).exp_m1() * x;
        elastic + hardness * 4.0 / self.first_yield * plastic
    }
}

impl<S: Scalar> YieldForce<S> for JacksonGreen<S> {
    #[inline(always)]
    fn force(&self, delta: S, strength: S) -> S {
        let unit = self.critical_indentation(strength);
        let x = delta / unit;
        let least = || Exponent::ThreeHalves.of(x).min(self.fitted_force(x, strength));
        // The fit lies above Hertz's law up to x = 1, and its powers have no finite slope at 0.
        let share = S::choose(x.gt(S::of(1.0)), least, || Exponent::ThreeHalves.of(x));
        hertz(self.modulus, self.radius, unit) * share
    }

    #[inline(always)]
    fn recovered_depth(&self, peak: S, strength: S) -> S {
        let x = peak / self.critical_indentation(strength);
        let left = || S::of(1.0) - ((x + 5.9) / 6.9).powf(S::of(-0.54));
        let share = || (S::of(1.0) - left() * 1.02).max(S::of(MIN_SHARE));
        peak * S::choose(x.gt(S::of(1.0)), share, || S::of(1.0))
    }
}

impl YieldCurve for JacksonGreen {
    over!(JacksonGreen { modulus, radius, first_yield });
    const STRENGTH_SCALES_CURVE: bool = false;

    /// Returns ten times the modulus, for which the exponential in B is still finite.
    fn elastic_strength(&self) -> f64 {
        10.0 * self.modulus
    }

    fn kinks(&self, strength: f64) -> [f64; 3] {
        let above = |x: f64| x * x.sqrt() - self.fitted_force(x, strength);
        let meets = root::find(1.0, 100.0, 1e-12, above).unwrap_or(1.0);
        let unit = self.critical_indentation(strength);
        [meets * unit, f64::INFINITY, f64::INFINITY]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{impact, near, stored, work};
    use super::super::Mdr;
    use super::super::yielding::{Strength, Yielding};
    use super::*;
    use crate::law::{Exit, Force, Memory, Response};

    const MODULUS: f64 = 1.154e11;
    const YIELD: f64 = 6e8;

    const KOGUT_ETSION: Regimes = Regimes {
        modulus: MODULUS,
        radius: 0.01,
        first_yield: 2.8 * 0.577,
        hardness: 2.8,
        transition: true,
    };
    const JOHNSON: Regimes =
        Regimes { first_yield: 1.0, hardness: 1.0, transition: false, ..KOGUT_ETSION };

    const MDR: Mdr = Mdr { modulus: MODULUS, radius: 0.01, poisson: 0.3 };

    fn jackson_green() -> JacksonGreen {
        JacksonGreen::new(MODULUS, 0.01, 0.3)
    }

    fn given<C: YieldCurve>(curve: C) -> Yielding<C> {
        Yielding { curve, strength: Strength::Given(YIELD) }
    }

    fn sound<C: YieldCurve>(curve: C) {
        let (form, kinks) = (given(curve), curve.kinks(YIELD));
        let at_peak = |peak: f64| Memory { peak, ..form.touch(0.03, 1.0) };
        // The force is Hertz's below yield and does not jump at the kinks.
        near(curve.force(0.3 * kinks[0], YIELD), hertz(MODULUS, 0.01, 0.3 * kinks[0]), 1e-13);
        for kink in kinks.into_iter().filter(|kink| kink.is_finite()) {
            near(curve.force(kink * (1.0 + 1e-12), YIELD), curve.force(kink, YIELD), 1e-10);
        }
        for depth in [0.4, 1.3, 3.0, 20.0, 300.0] {
            let peak = depth * kinks[0];
            let memory = at_peak(peak);
            let dent = peak - curve.recovered_depth(peak, YIELD);
            assert!(dent >= -1e-15 * peak && dent < peak, "{depth}");
            stored(form, dent, 0.1 * dent + 0.9 * peak, &memory, 1e-9);
            near(form.force(peak * (1.0 - 1e-13), -1.0, &memory), curve.force(peak, YIELD), 1e-10);
            near(curve.work(peak, YIELD), work(form, 0.0, peak, &at_peak(0.0)), 1e-7);
        }
    }

    #[test]
    fn curves_are_hertzian_at_first_continuous_and_balance_their_energies() {
        sound(KOGUT_ETSION);
        sound(JOHNSON);
        sound(jackson_green());
        sound(MDR);
    }

    #[test]
    fn kogut_and_etsions_powers_are_kept_within_their_regimes() {
        let unit = KOGUT_ETSION.critical_indentation(YIELD);
        let load = |x: f64| KOGUT_ETSION.force(x * unit, YIELD) / hertz(MODULUS, 0.01, unit);
        near(load(3.0), 1.03 * 3f64.powf(1.425), 1e-13);
        near(load(50.0), 1.4 * 50f64.powf(1.263), 1e-13);
        near(
            KOGUT_ETSION.force(500.0 * unit, YIELD),
            2.0 * PI * 0.01 * 2.8 * YIELD * 500.0 * unit,
            1e-13,
        );
        let kinks = KOGUT_ETSION.kinks(YIELD).map(|kink| kink / unit);
        near(kinks[0], 1.4832, 1e-4);
        near(kinks[1], 6.6494, 1e-4);
        near(kinks[2], 146.7, 2e-3);
    }

    #[test]
    fn jackson_and_green_meet_hertz_near_the_depth_where_they_leave_him() {
        let curve = jackson_green();
        near(curve.kinks(YIELD)[0] / curve.critical_indentation(YIELD), 2.006, 1e-3);
        near(curve.fitted_force(1.9, YIELD), 1.9f64.powf(1.5), 5e-3);
        // The mean pressure of a deep contact is about 2.8 Y, not 1.1 Y as at yield.
        let delta = 100.0 * curve.critical_indentation(YIELD);
        let area = PI * 0.01 * delta * (100f64 / 1.9).powf(0.14 * (23.0 * YIELD / MODULUS).exp());
        let mean = curve.force(delta, YIELD) / area / YIELD;
        assert!((2.3..2.84).contains(&mean), "{mean}");
    }

    #[test]
    fn fast_impacts_return_as_johnson_predicts() {
        let e = |speed: f64| JOHNSON.outcome(0.5 * 0.03 * speed * speed, 3.0 * YIELD).1;
        near(e(1600.0) / e(100.0), 0.5, 2e-4);
        let predicted = super::super::johnson_plastic_restitution;
        near(e(1600.0), predicted(3.0 * YIELD, MODULUS, 0.03, 0.01, 1600.0), 1e-3);
        let fitted = |speed: f64| KOGUT_ETSION.outcome(0.5 * 0.03 * speed * speed, YIELD).1;
        near(fitted(1600.0) / fitted(100.0), 0.5, 2e-2);
        let hardness = predicted(2.8 * YIELD, MODULUS, 0.03, 0.01, 3e4);
        near(fitted(3e4), hardness, 2e-2);
    }

    #[test]
    fn a_restitution_asked_for_is_delivered_at_any_speed() {
        fn deliver<C: YieldCurve>(curve: C, restitutions: &[f64]) {
            for &e in restitutions {
                let form = Yielding::delivering(curve, e).unwrap();
                for speed in [0.01, 3.0] {
                    let depth = (1.25 * 0.03 * speed * speed / hertz(MODULUS, 0.01, 1.0)).powf(0.4);
                    let span = if e < 0.5 { 10.0 } else { 1.0 } * depth / speed;
                    let [found, ..] = impact(form, 0.03, speed, Exit::ZeroForce, span);
                    near(found, e, 1e-6);
                }
            }
        }
        deliver(KOGUT_ETSION, &[1.0, 0.95, 0.7, 0.3, 0.1]);
        deliver(JOHNSON, &[1.0, 0.8, 0.5, 0.1]);
        deliver(jackson_green(), &[1.0, 0.95, 0.7, 0.3]);
        deliver(MDR, &[1.0, 0.9, 0.7, 0.3]);
        // The recovered depth of these curves jumps at yield.
        assert!(Yielding::delivering(JOHNSON, 0.9).unwrap_err().is_unreachable());
        assert!(Yielding::delivering(MDR, 0.97).unwrap().touch(0.03, 1.0).damping.is_nan());
    }
}
