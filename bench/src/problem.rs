//! The impacts that are timed, with reference results that are not computed by carom.

use carom::law::{Damper, Exit, Law, Power};

/// The four results that every method has to compute, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Metrics {
    pub restitution: f64,
    pub duration: f64,
    pub force: f64,
    pub indentation: f64,
}

/// An impact with F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub name: &'static str,
    pub what: &'static str,
    pub mass: f64,
    pub stiffness: f64,
    pub n: f64,
    pub m: f64,
    pub q: f64,
    pub damping: f64,
    pub speed: f64,
    pub answer: Metrics,
}

const STEEL: Problem = Problem {
    name: "A1",
    what: "steel, 0.5 m/s, restitution 0.7568",
    mass: 0.54,
    stiffness: 2.4144e10,
    n: 1.5,
    m: 1.5,
    q: 1.0,
    damping: 2.4144e10 * 0.956_657_172_440_305_7,
    speed: 0.5,
    answer: Metrics {
        restitution: 0.7568,
        duration: 2.102_932_042_604_313e-4,
        force: 4_447.984_433_537_805,
        indentation: 3.097_719_284_557_439e-5,
    },
};

/// The problems. A1 to A3 are from the exact first integral (`reference.py`), G from two independent integrations that agree to
/// 2e-13.
pub const PROBLEMS: [Problem; 4] = [
    STEEL,
    Problem {
        name: "A2",
        what: "steel, 0.15 m/s, restitution 0.8892",
        damping: 2.4144e10 * 1.244_348_926_687_350_6,
        speed: 0.15,
        answer: Metrics {
            restitution: 0.8892,
            duration: 2.617_335_616_708_47e-4,
            force: 1_089.869_800_406_476,
            indentation: 1.257_099_749_321_530_2e-5,
        },
        ..STEEL
    },
    Problem {
        name: "A3",
        what: "sliotar, 15 m/s, restitution 0.527",
        mass: 0.0896,
        stiffness: 3.5e6,
        damping: 3.5e6 * 0.086_282_214_947_080_32,
        speed: 15.0,
        answer: Metrics {
            restitution: 0.527,
            duration: 1.904_397_378_466_835_3e-3,
            force: 2_649.703_381_135_279,
            indentation: 6.922_774_686_606_945e-3,
        },
        ..STEEL
    },
    Problem {
        name: "G",
        what: "steel, 0.5 m/s, exponents n = 1.5, m = 1.2, q = 1.1",
        m: 1.2,
        q: 1.1,
        damping: 1_021_398_211.045_436_5,
        answer: Metrics {
            restitution: 0.747_966_100_644_285_7,
            duration: 2.084_478_494_709_745_2e-4,
            force: 4_322.278_162_093_768,
            indentation: 3.083_154_744_459_295e-5,
        },
        ..STEEL
    },
];

impl Problem {
    /// Returns the law for carom.
    pub fn law(&self) -> Law {
        let damper = Damper::Coefficient(self.damping);
        let power = Power::new(self.stiffness, self.n, self.m, self.q, damper);
        Law::new(self.mass, Exit::ZeroForce, power)
    }

    /// Returns true for m = n = 3/2 and q = 1, where a square root replaces the powers.
    pub fn is_hertzian(&self) -> bool {
        self.n == 1.5 && self.m == 1.5 && self.q == 1.0
    }

    /// Returns the same impact in dimensionless form; all other methods solve this simpler problem.
    pub fn scaled(&self) -> Scaled {
        let Self { n, m, q, mass, speed, .. } = *self;
        let length = (mass * speed * speed / self.stiffness).powf(1.0 / (n + 1.0));
        let epsilon = self.damping * length.powf(m + 1.0) * speed.powf(q - 2.0) / mass;
        Scaled {
            n,
            m,
            q,
            epsilon,
            time: length / speed,
            length,
            force: mass * speed * speed / length,
        }
    }
}

/// The problem x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0, x(0) = 0, x′(0) = 1, with its units.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    pub n: f64,
    pub m: f64,
    pub q: f64,
    pub epsilon: f64,
    pub time: f64,
    pub length: f64,
    pub force: f64,
}

impl Scaled {
    /// Converts results to SI units.
    pub fn metrics(
        &self,
        restitution: f64,
        duration: f64,
        force: f64,
        indentation: f64,
    ) -> Metrics {
        Metrics {
            restitution,
            duration: duration * self.time,
            force: force * self.force,
            indentation: indentation * self.length,
        }
    }
}

/// The dimensionless force F(x, x′), continued smoothly to x < 0 so that a step does not lose accuracy at a kink: there the
/// elastic part pulls and the viscous part remains dissipative.
pub trait ScaledForce: Copy {
    fn scaled(&self) -> &Scaled;
    fn force(&self, x: f64, u: f64) -> f64;
    /// Returns a quantity that vanishes at the end of contact: F, or x if both vanish together and x is closer to linear.
    #[inline(always)]
    fn end(&self, x: f64, u: f64) -> f64 {
        if self.scaled().m < self.scaled().n { self.force(x, u) } else { x }
    }
    /// Returns any quantity with the sign of dF/dt.
    fn force_rate_sign(&self, x: f64, u: f64) -> f64;
}

/// The force for any exponents, with `powf`.
#[derive(Clone, Copy)]
pub struct PowerForce(pub Scaled);

impl ScaledForce for PowerForce {
    fn scaled(&self) -> &Scaled {
        &self.0
    }

    #[inline(always)]
    fn force(&self, x: f64, u: f64) -> f64 {
        let Scaled { n, m, q, epsilon, .. } = self.0;
        let depth = x.abs();
        let viscous = epsilon * depth.powf(m) * u.abs().powf(q).copysign(u);
        depth.powf(n).copysign(x) + viscous
    }

    fn force_rate_sign(&self, x: f64, u: f64) -> f64 {
        let Scaled { n, m, q, epsilon, .. } = self.0;
        let (x, speed) = (x.abs().max(1e-300), u.abs().max(1e-300));
        let viscous = epsilon * x.powf(m) * speed.powf(q).copysign(u);
        (n * x.powf(n) + m * viscous) * u / x - viscous.abs() * q / speed * self.force(x, u)
    }
}

/// The force for n = m = 3/2, q = 1, with a square root.
#[derive(Clone, Copy)]
pub struct RootForce(pub Scaled);

impl ScaledForce for RootForce {
    fn scaled(&self) -> &Scaled {
        &self.0
    }

    #[inline(always)]
    fn force(&self, x: f64, u: f64) -> f64 {
        let depth = x.abs();
        (x + self.0.epsilon * depth * u) * depth.sqrt()
    }

    fn force_rate_sign(&self, x: f64, u: f64) -> f64 {
        1.5 * u - self.0.epsilon * x * x * x.abs().sqrt()
    }
}
