//! Forces with an internal state, and forces that depend on the time since onset.
//!
//! - [`Xiong`]: a state a that relaxes towards s(δ) = δ^λ at the rate g, integrated with the motion as
//!   [`Memory::internal`](super::Memory::internal);
//! - [`Jian`]: viscoelastic spheres whose damping increases from zero at onset with the relaxation time T;
//! - [`HalfSine`]: the force of `Jian` along a prescribed half sine, as a function of time.

use std::f64::consts::PI;

use super::{Calibration, Exponent, Force, Memory, Response};
use crate::scalar::Scalar;

/// Law of Xiong, Kikuuwe and Yamamoto: F = K·max(0, s + g·(b₁ + b₂·a)·(s − a)), s = δ·|δ|^(λ−1).
///
/// The state follows ȧ = max(−g·a/[1 + g·(b₁ + b₂·a)], g·(s − a)); the two branches are equal where F = 0. In slow
/// loading a is close to s and the force is K·δ^λ.
#[derive(Clone, Copy, Debug)]
pub struct Xiong<S = f64> {
    /// K (N/m^λ).
    pub stiffness: S,
    /// λ ≥ 1.
    pub exponent: Exponent<S>,
    /// g > 0 (1/s).
    pub relaxation: S,
    /// b₁ ≥ 0 (s), stored in [`Memory::damping`] at onset.
    pub first: Calibration,
    /// b₂ ≥ 0 (s/m^λ).
    pub second: S,
}

impl<S: Scalar> Xiong<S> {
    /// Computes s = δ·|δ|^(λ−1).
    #[inline(always)]
    fn depth_power(&self, delta: S) -> S {
        self.exponent.raise(delta.abs()).copysign(delta)
    }

    /// Computes g·(b₁ + b₂·a).
    #[inline(always)]
    fn hysteresis(&self, memory: &Memory<S>) -> S {
        self.relaxation * (memory.damping + self.second * memory.internal)
    }
}

impl<S: Scalar> Response<S> for Xiong<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        self.signed(delta, rate, memory).positive_part()
    }

    #[inline(always)]
    fn signed(&self, delta: S, _rate: S, memory: &Memory<S>) -> S {
        let s = self.depth_power(delta);
        self.stiffness * (s + self.hysteresis(memory) * (s - memory.internal))
    }

    #[inline(always)]
    fn internal_rate(&self, delta: S, _rate: S, memory: &Memory<S>) -> S {
        let a = memory.internal;
        let free = -self.relaxation * a / (self.hysteresis(memory) + 1.0);
        free.max(self.relaxation * (self.depth_power(delta) - a))
    }

    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        self.first.known()
    }
}

impl Force for Xiong {
    over!(Xiong { stiffness, exponent, relaxation, second; first });
    const FIXED_AT_TOUCH: &'static str = "damping time b1 (s)";

    fn with_plain_exponents(&self) -> Self {
        Self { exponent: self.exponent.as_plain_number(), ..*self }
    }

    const INTERNAL: bool = true;

    fn calibration(&self) -> Option<Calibration> {
        Some(self.first)
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        let delta = delta.max(0.0);
        self.stiffness * delta * self.exponent.of(delta) / (self.exponent.value() + 1.0)
    }
}

/// Law of Jian et al.: viscoelastic spheres of one material with a relaxation time.
///
/// F = 4G√R/(3(1−ν))·δ^(3/2) + 2η/(1−ν)·(1 − e^(−t/T))·√(R·δ)·δ̇, where t is the time since onset.
#[derive(Clone, Copy, Debug)]
pub struct Jian<S = f64> {
    /// Equilibrium shear modulus G (Pa).
    pub modulus: S,
    /// Poisson's ratio ν.
    pub poisson: S,
    /// Effective radius R (m).
    pub radius: S,
    /// Relaxation time T (s).
    pub time: S,
    /// Viscosity η (Pa·s), stored in [`Memory::damping`] at onset.
    pub viscosity: Calibration,
}

impl<S: Scalar> Jian<S> {
    /// Computes K = 4G√R/(3(1−ν)) (N/m^(3/2)).
    pub fn stiffness(&self) -> S {
        self.modulus * 4.0 * self.radius.sqrt() / ((S::of(1.0) - self.poisson) * 3.0)
    }

    /// Computes 2√R/(1−ν)·(1 − e^(−t/T)) (m^(1/2)); multiplied by η·√δ·δ̇ it gives the damping force.
    #[inline(always)]
    fn damper(&self, time: S) -> S {
        let share = (-time / self.time).exp_m1();
        self.radius.sqrt() * -2.0 / (S::of(1.0) - self.poisson) * share
    }
}

impl<S: Scalar> Response<S> for Jian<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let root = delta.positive_part().sqrt();
        root * (self.stiffness() * delta + memory.damping * self.damper(memory.time) * rate)
    }

    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        self.viscosity.known()
    }
}

impl Jian {
    /// Creates the force along the prescribed half sine for the same spheres; `viscosity` in Pa·s.
    pub fn half_sine(self, viscosity: f64) -> HalfSine {
        HalfSine {
            spheres: Self { viscosity: Calibration::Coefficient(viscosity), ..self },
            viscosity,
        }
    }
}

impl Force for Jian {
    over!(Jian {
        modulus as "shear_modulus", poisson, radius, time as "relaxation_time"; viscosity
    });
    const FIXED_AT_TOUCH: &'static str = "viscosity (Pa s)";

    fn calibration(&self) -> Option<Calibration> {
        Some(self.viscosity)
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        let delta = delta.max(0.0);
        0.4 * self.stiffness() * delta * delta * delta.sqrt()
    }
}

/// The force of [`Jian`] along δ(t) = δ_m·sin(πt/(2t_m)), a function of time that does not depend on the motion.
///
/// δ_m and t_m are those of Hertz's impact and fixed at onset: δ_m = [(5/4)·m·v₀²/K]^(2/5), stored in
/// [`Memory::damping`], and t_m = 1.47164·δ_m/v₀. The actual motion of bodies under this force is not the half sine.
#[derive(Clone, Copy, Debug)]
pub struct HalfSine<S = f64> {
    /// Spheres whose force is evaluated.
    pub spheres: Jian<S>,
    /// Viscosity η (Pa·s).
    pub viscosity: S,
}

/// Ratio t_m·v₀/δ_m of Hertz's impact, √π·Γ(7/5)/Γ(9/10).
const HERTZ_TURN: f64 = 1.471_637_592_162_5;

impl<S: Scalar> Response<S> for HalfSine<S> {
    fn force(&self, _delta: S, _rate: S, memory: &Memory<S>) -> S {
        let turn = memory.damping * HERTZ_TURN / memory.speed;
        let phase = memory.time * (0.5 * PI) / turn;
        let pushes = phase.ge(S::of(0.0)) & phase.le(S::of(PI));
        let along = || {
            let delta = memory.damping * phase.sin();
            let rate = memory.damping * (0.5 * PI) / turn * phase.cos();
            let memory = Memory { damping: self.viscosity, ..*memory };
            self.spheres.force(delta, rate, &memory)
        };
        S::choose(pushes, along, || S::of(0.0))
    }

    /// Computes δ_m (m).
    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        let length = mass * 1.25 * speed * speed / self.spheres.stiffness();
        Some(length.powf(S::of(0.4)))
    }
}

impl Force for HalfSine {
    type Over<S: Scalar> = HalfSine<S>;
    const FIXED_AT_TOUCH: &'static str = "largest indentation (m)";

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> HalfSine<S> {
        HalfSine {
            viscosity: convert("viscosity", self.viscosity),
            spheres: self.spheres.over(convert),
        }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        self.spheres.stored(delta, memory)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{impact, near, stored, tangents};
    use super::*;
    use crate::law::Exit;
    use crate::numeric::{quadrature::integrate, root};

    fn xiong(b1: f64, b2: f64) -> Xiong {
        Xiong {
            stiffness: 1e6,
            exponent: Exponent::new(1.5),
            relaxation: 1e3,
            first: Calibration::Coefficient(b1),
            second: b2,
        }
    }

    fn jian(viscosity: f64) -> Jian {
        Jian {
            modulus: 1e7,
            poisson: 0.45,
            radius: 0.01,
            time: 2e-5,
            viscosity: Calibration::Coefficient(viscosity),
        }
    }

    #[test]
    fn tangents_and_stored_energy() {
        let form = xiong(2e-3, 10.0);
        let at = Memory { internal: 2e-5, ..form.touch(1.0, 1.0) };
        tangents(form, 1e-3, 0.1, &at);
        tangents(form, 1e-3, -0.1, &Memory { internal: 3.5e-5, ..at });
        // In slow loading a is equal to s.
        let slow = |delta: f64| {
            let memory = Memory { internal: delta.powf(1.5), ..at };
            form.force(delta, 0.0, &memory)
        };
        near(form.stored(1e-3, &at), integrate(0.0, 1e-3, slow), 1e-5);
        let form = jian(50.0);
        let at = Memory { time: 3e-5, ..form.touch(1e-2, 1.0) };
        tangents(form, 1e-4, 0.5, &at);
        tangents(form, 1e-4, -0.5, &at);
        stored(form, 0.0, 1e-4, &at, 1e-9);
        let curve = jian(50.0).half_sine(50.0);
        tangents(curve, 1e-4, 0.5, &Memory { time: 3e-5, ..curve.touch(1e-2, 1.0) });
    }

    #[test]
    fn xiong_is_elastic_without_dampers_and_loses_more_with_more() {
        near(impact(xiong(0.0, 0.0), 1.0, 1.0, Exit::ZeroForce, 5e-3)[0], 1.0, 1e-6);
        let mut last = 1.0;
        for (b1, b2) in [(1e-4, 0.0), (1e-3, 0.0), (1e-3, 20.0), (1e-2, 20.0)] {
            let [e, ..] = impact(xiong(b1, b2), 1.0, 1.0, Exit::ZeroForce, 5e-3);
            assert!(e < last, "{e}");
            last = e;
        }
    }

    #[test]
    fn too_much_damping_makes_xiong_stiff_and_elastic_again() {
        // The product of g and the elastic duration of an impact of 1 kg at 1 m/s is 10.
        let span = 3.218_065_459_719 * (1.0 / 1e6_f64).powf(0.4);
        let g = 10.0 / span;
        let e = |gain: f64| {
            let form = Xiong { relaxation: g, ..xiong(gain / g, 0.0) };
            impact(form, 1.0, 1.0, Exit::ZeroForce, span)[0]
        };
        near(e(10.0), 0.2753, 1e-3);
        assert!(e(5.0) > e(10.0) && e(20.0) > e(10.0));
    }

    #[test]
    fn the_branches_of_xiong_meet_where_the_force_is_zero() {
        let form = xiong(2e-3, 10.0);
        let delta: f64 = 1e-3;
        let s = delta.powf(1.5);
        // Value of a at which s + g·(b₁ + b₂·a)·(s − a) = 0.
        let balance = |a: f64| s + 1e3 * (2e-3 + 10.0 * a) * (s - a);
        let a = root::find(s, 10.0 * s, 0.0, balance).unwrap();
        let at = Memory { internal: a, ..form.touch(1.0, 1.0) };
        assert!(form.force(delta, 0.0, &at) < 1e-9 * 1e6 * s);
        near(-1e3 * a / (1.0 + form.hysteresis(&at)), 1e3 * (s - a), 1e-9);
        assert_eq!(form.force(delta, 0.0, &Memory { internal: 1.01 * a, ..at }), 0.0);
    }

    #[test]
    fn jian_becomes_the_law_with_the_retardation_time_when_the_relaxation_is_short() {
        // With A = η/G the damping force is (3/2)·K·A·√δ·δ̇.
        let form = jian(50.0);
        let at = Memory { time: 1.0, ..form.touch(1e-2, 1.0) };
        let viscous = form.force(1e-4, 1.0, &at) - form.force(1e-4, 0.0, &at);
        near(viscous, 1.5 * form.stiffness() * 50.0 / 1e7 * 1e-2, 1e-10);
        // For equal spheres E* = G/(1−ν) and K = (4/3)·E*·√R.
        near(form.stiffness(), 4.0 / 3.0 * 1e7 / 0.55 * 0.1, 1e-12);
    }

    #[test]
    fn the_half_sine_is_the_printed_curve() {
        let (form, eta) = (jian(50.0).half_sine(50.0), 50.0);
        let touch = form.touch(1e-2, 1.0);
        let turn = HERTZ_TURN * touch.damping;
        for t in [0.2 * turn, 0.9 * turn, 1.6 * turn] {
            let phase = 0.5 * PI * t / turn;
            let elastic = form.spheres.stiffness() * (touch.damping * phase.sin()).powf(1.5);
            let damped = PI * eta / (turn * 0.55)
                * (1.0 - (-t / 2e-5f64).exp())
                * 0.1
                * touch.damping.powf(1.5)
                * phase.sin().sqrt()
                * phase.cos();
            let force = form.force(0.0, 0.0, &Memory { time: t, ..touch });
            near(force, elastic + damped, 1e-10);
        }
        assert_eq!(form.force(0.0, 0.0, &Memory { time: 2.01 * turn, ..touch }), 0.0);
    }
}
