//! The power form: K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇.
//!
//! Two thirds of the laws of the catalogue have this form. With L = (mₑ v₀²/K)^(1/(n+1)) the impact depends on (n, m,
//! q) and one number only, ε = c·L^(m+1)·v₀^(q−2)/mₑ. The damping can therefore be given by the coefficient c, or by
//! ε, from which c follows once the speed v₀ is known:
//!
//! c = ε·mₑ·v₀^(2−q)/L^(m+1),
//!
//! which is independent of v₀ exactly if q = 2(n−m)/(n+1).

use super::{Exponent, Force, Memory, Response, force_of_each};
use crate::scalar::Scalar;

/// K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇.
#[derive(Clone, Copy, Debug)]
pub struct Power<S = f64> {
    /// K (N/mⁿ).
    pub stiffness: S,
    /// n.
    pub elastic: Exponent<S>,
    /// m.
    pub damping: Exponent<S>,
    /// q.
    pub rate: Exponent<S>,
    /// Source of c.
    pub damper: Damper,
    /// In which phases the damper acts.
    pub phases: Phases,
}

/// Phases of an impact in which the damper acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phases {
    /// Compression and restitution.
    Both,
    /// Compression only (Jankowski; Mahmoud & Jankowski; Pant & Wijeyewickrema).
    Compression,
}

/// Source of the damping coefficient c.
#[derive(Clone, Copy, Debug)]
pub enum Damper {
    /// c is given, in N/(mᵐ·(m/s)^q).
    Coefficient(f64),
    /// ε is given; c follows from v₀ at onset.
    Ratio(f64),
    /// ε is a function of v₀ and two numbers of the material.
    OfSpeed(fn(f64, [f64; 2]) -> f64, [f64; 2]),
}

impl Power {
    /// Creates the undamped law K·δⁿ.
    pub fn elastic(stiffness: f64, exponent: f64) -> Self {
        Self::new(stiffness, exponent, exponent, 1.0, Damper::Coefficient(0.0))
    }

    /// Creates the law K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, damped in both phases.
    pub fn new(stiffness: f64, n: f64, m: f64, q: f64, damper: Damper) -> Self {
        Self {
            stiffness,
            elastic: Exponent::new(n),
            damping: Exponent::new(m),
            rate: Exponent::new(q),
            damper,
            phases: Phases::Both,
        }
    }

    /// Computes the K with which an impact of exponent n has the length L = (mₑ v₀²/K)^(1/(n+1)).
    pub fn stiffness_for_length(n: f64, mass: f64, speed: f64, length: f64) -> f64 {
        mass * speed * speed * length.powf(-(n + 1.0))
    }

    /// Computes the coefficient c for an impact at `speed`.
    pub fn coefficient(&self, mass: f64, speed: f64) -> f64 {
        match self.damper {
            Damper::OfSpeed(ratio, numbers) => self.scaled(ratio(speed, numbers), mass, speed),
            _ => self.damping_at_touch(mass, speed).unwrap_or(f64::NAN),
        }
    }

    /// Computes ε of an impact at `speed`.
    pub fn epsilon(&self, mass: f64, speed: f64) -> f64 {
        match self.damper {
            Damper::Ratio(epsilon) => epsilon,
            Damper::OfSpeed(ratio, numbers) => ratio(speed, numbers),
            Damper::Coefficient(c) => {
                let (m, q) = (self.damping.value(), self.rate.value());
                c * self.length(mass, speed).powf(m + 1.0) * speed.powf(q - 2.0) / mass
            }
        }
    }
}

impl<S: Scalar> Power<S> {
    /// Computes the length L = (mₑ v₀²/K)^(1/(n+1)) of an impact (m).
    pub fn length(&self, mass: S, speed: S) -> S {
        (mass * speed * speed / self.stiffness).powf(S::of(1.0) / (self.elastic.value() + 1.0))
    }

    /// Computes c = ε·mₑ·v₀^(2−q)/L^(m+1).
    fn scaled(&self, epsilon: S, mass: S, speed: S) -> S {
        let (m, q) = (self.damping.value(), self.rate.value());
        let speed_factor = speed.powf(S::of(2.0) - q);
        epsilon * mass * speed_factor * self.length(mass, speed).powf(-(m + 1.0))
    }
}

impl<S: Scalar> Response<S> for Power<S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let elastic = self.stiffness * self.elastic.of(delta);
        let damped = || {
            // `copysign` is used because rate·|rate|^(q−1) is 0·∞ at rest for q < 1.
            let viscous = memory.damping * self.damping.of(delta) * self.rate.raise(rate.abs());
            elastic + viscous.copysign(rate * memory.damping)
        };
        match self.phases {
            Phases::Both => damped(),
            Phases::Compression => S::choose(rate.gt(S::of(0.0)), damped, || elastic),
        }
    }

    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        match self.damper {
            Damper::Coefficient(c) => Some(S::of(c)),
            Damper::Ratio(epsilon) => Some(self.scaled(S::of(epsilon), mass, speed)),
            Damper::OfSpeed(..) => None,
        }
    }
}

impl Force for Power {
    over!(Power {
        stiffness, elastic as "exponent", damping as "damping_exponent", rate as "rate_exponent";
        damper, phases
    });
    const FROZEN: bool = true;

    fn touch(&self, mass: f64, speed: f64) -> Memory {
        Memory { speed, damping: self.coefficient(mass, speed), ..Memory::default() }
    }

    fn with_plain_exponents(&self) -> Self {
        Self {
            elastic: self.elastic.as_plain_number(),
            damping: self.damping.as_plain_number(),
            rate: self.rate.as_plain_number(),
            ..*self
        }
    }

    #[inline(always)]
    fn forces(&self, delta: &[f64], rate: &[f64], memory: &[Memory], force: &mut [f64]) {
        use Exponent::{Half, One, Quarter, ThreeHalves, Zero};
        // With the exponents known at compile time, the loop has no branches.
        let known = |elastic: Exponent, damping: Exponent| Self {
            elastic,
            damping,
            rate: One,
            phases: Phases::Both,
            ..*self
        };
        let linear = self.rate == One && self.phases == Phases::Both;
        match (self.elastic, self.damping) {
            (ThreeHalves, Quarter) if linear => {
                force_of_each(known(ThreeHalves, Quarter), delta, rate, memory, force)
            }
            (ThreeHalves, Half) if linear => {
                force_of_each(known(ThreeHalves, Half), delta, rate, memory, force)
            }
            (ThreeHalves, ThreeHalves) if linear => {
                force_of_each(known(ThreeHalves, ThreeHalves), delta, rate, memory, force)
            }
            (One, Zero) if linear => force_of_each(known(One, Zero), delta, rate, memory, force),
            _ => force_of_each(*self, delta, rate, memory, force),
        }
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        let delta = delta.max(0.0);
        self.stiffness * delta * self.elastic.of(delta) / (self.elastic.value() + 1.0)
    }
}
