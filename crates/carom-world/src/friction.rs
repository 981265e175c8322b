//! Friction: the force across the normal, and the couples that resist rolling and spinning.
//!
//! All laws take the normal force F ≥ 0 and the tangential velocity v of body b against body a at the
//! common point, and answer with the force on b. What slides is opposed; what differs is how rest is
//! approached:
//!
//! - *regularised* Coulomb laws replace the jump at v = 0 by a steep slope, μF·s(|v|/v_r)·(−v/|v|): they
//!   creep below the speed v_r instead of sticking ([`Rise`] lists the published forms);
//! - Brown & McPhee join static and dynamic friction in one smooth curve;
//! - LuGre and the tangential spring remember (a bristle deflection, a force), and do stick.
//!
//! What they remember is three numbers a contact, integrated with the motion.

use crate::math::Vec3;
use carom::{Error, Result};

/// How s(x) rises from 0 to 1 in a regularised law, x = |v|/v_r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rise {
    /// min(x, 1). J. Rooney & P. Deravi, Mechanism and Machine Theory 17 (1982) 207–211.
    Linear,
    /// (1 − e^(−3x))/(1 − e^(−3)) up to x = 1, then 1. D. C. Threlfall, Mechanism and Machine Theory 13
    /// (1978) 475–483.
    Threlfall,
    /// tanh(x), smooth everywhere.
    Tanh,
    /// x·(2 − x) up to x = 1, then 1: a parabola with a continuous slope.
    Parabola,
    /// 0 up to x = 1/10, then linear to 1 at x = 1: no force at very low speed. J. Ambrósio, in Virtual
    /// Nonlinear Multibody Systems, Kluwer 2003, 57–81.
    Ambrosio,
}

impl Rise {
    /// The names that scenes use, with the forms.
    pub const ALL: [(&'static str, Self); 5] = [
        ("linear", Self::Linear),
        ("threlfall", Self::Threlfall),
        ("tanh", Self::Tanh),
        ("parabola", Self::Parabola),
        ("ambrosio", Self::Ambrosio),
    ];

    /// s(x) for x ≥ 0.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Self::Linear => x.min(1.0),
            Self::Threlfall => (-(-3.0 * x.min(1.0)).exp_m1()) / -(-3.0f64).exp_m1(),
            Self::Tanh => x.tanh(),
            Self::Parabola if x < 1.0 => x * (2.0 - x),
            Self::Parabola => 1.0,
            Self::Ambrosio => ((x - 0.1) / 0.9).clamp(0.0, 1.0),
        }
    }
}

/// A friction law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// μF·s(|v|/v_r) against the motion.
    Regularised {
        /// μ.
        coefficient: f64,
        /// v_r (m/s).
        speed: f64,
        /// s.
        rise: Rise,
    },
    /// F·[μ_d·tanh(4x) + (μ_s − μ_d)·x/(x²/4 + 3/4)²] + F·c·|v|, x = |v|/v_t. P. Brown & J. McPhee, Journal of
    /// Computational and Nonlinear Dynamics 11 (2016) 054502.
    BrownMcPhee {
        /// μ_s, reached at v_t.
        static_coefficient: f64,
        /// μ_d.
        dynamic_coefficient: f64,
        /// v_t (m/s).
        speed: f64,
        /// c, viscous friction (s/m).
        viscous: f64,
    },
    /// F·(σ₀z + σ₁ż + σ₂v) with ż = v − σ₀|v|z/g, g = μ_d + (μ_s − μ_d)·e^(−(v/v_s)²). C. Canudas de Wit et al.,
    /// IEEE Transactions on Automatic Control 40 (1995) 419–425, with the load as a factor.
    LuGre {
        /// μ_s.
        static_coefficient: f64,
        /// μ_d.
        dynamic_coefficient: f64,
        /// v_s, Stribeck's speed (m/s).
        speed: f64,
        /// σ₀, stiffness of the bristles (1/m).
        stiffness: f64,
        /// σ₁, their damping (s/m).
        damping: f64,
        /// σ₂, viscous friction (s/m).
        viscous: f64,
    },
    /// A spring across the contact that carries a force T up to μF: Ṫ = −k_t·v while it sticks.
    Spring {
        /// μ.
        coefficient: f64,
        /// k_t.
        stiffness: Tangential,
    },
}

/// The stiffness of a contact against sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangential {
    /// k_t (N/m).
    Constant(f64),
    /// k_t = k·√δ, with k = 8·G*·√R for balls (N/m^1.5). R. D. Mindlin, Journal of Applied Mechanics 16 (1949)
    /// 259–268; while the normal load falls, T falls with k_t (C. Thornton, S. J. Cummins & P. W. Cleary, Powder
    /// Technology 210 (2011) 189–197).
    Root(f64),
}

/// How a contact stands while its friction is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliding {
    /// Normal force, not below 0 (N).
    pub load: f64,
    /// Indentation (m) and its rate (m/s).
    pub delta: f64,
    pub rate: f64,
    /// Unit normal.
    pub normal: Vec3,
    /// Tangential velocity of b against a (m/s).
    pub velocity: Vec3,
    /// What is remembered.
    pub memory: Vec3,
    /// For the spring: at its limit.
    pub slipping: bool,
    /// How deep the contact gets (m), and the load that it has there or had (N).
    pub depth: f64,
    pub largest: f64,
}

/// Numbers with their names.
type Named = Vec<(&'static str, f64)>;

impl Friction {
    /// Itself, when its numbers make sense.
    ///
    /// # Errors
    /// Names the number that does not.
    pub fn checked(self) -> Result<Self> {
        let (factors, positive): (Named, Named) = match self {
            Self::Regularised { coefficient, speed, .. } => {
                (vec![("coefficient", coefficient)], vec![("speed", speed)])
            }
            Self::BrownMcPhee { static_coefficient: s, dynamic_coefficient: d, speed, viscous } => {
                (vec![("static", s), ("dynamic", d), ("viscous", viscous)], vec![("speed", speed)])
            }
            Self::LuGre {
                static_coefficient: s,
                dynamic_coefficient: d,
                speed,
                stiffness,
                damping,
                viscous,
            } => (
                vec![("static", s), ("dynamic", d), ("damping", damping), ("viscous", viscous)],
                vec![("speed", speed), ("stiffness", stiffness), ("dynamic", d)],
            ),
            Self::Spring { coefficient, stiffness } => {
                let (Tangential::Constant(k) | Tangential::Root(k)) = stiffness;
                (vec![("coefficient", coefficient)], vec![("stiffness", k)])
            }
        };
        for (name, value) in factors {
            if !(value >= 0.0 && value.is_finite()) {
                let advice = "friction never pushes along the motion";
                let name = format!("{name} of the friction");
                return Err(Error::invalid(name, value, "a finite number of at least 0", advice));
            }
        }
        for (name, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                let advice = "it sets how friction approaches rest";
                let name = format!("{name} of the friction");
                return Err(Error::invalid(name, value, "a finite number above 0", advice));
            }
        }
        Ok(self)
    }

    /// μ of the spring law, which has a limit to be watched.
    pub(crate) fn limit(&self, load: f64) -> Option<f64> {
        match self {
            Self::Spring { coefficient, .. } => Some(coefficient * load),
            _ => None,
        }
    }

    /// k_t of the spring law at an indentation.
    pub(crate) fn stiffness(&self, delta: f64) -> f64 {
        match self {
            Self::Spring { stiffness: Tangential::Constant(k), .. } => *k,
            Self::Spring { stiffness: Tangential::Root(k), .. } => {
                k * delta.max(f64::MIN_POSITIVE).sqrt()
            }
            _ => f64::INFINITY,
        }
    }

    /// Rate at which the spring law lets go by itself while the load falls (1/s), not above 0.
    ///
    /// T ∝ √δ, which is T·δ̇/2δ a second and has no bound where the bodies part. `depth` is how deep the contact
    /// gets, and the rate that of a millionth of it: there T is below a thousandth and slips.
    pub(crate) fn fading(&self, delta: f64, rate: f64, depth: f64) -> f64 {
        match self {
            Self::Spring { stiffness: Tangential::Root(_), .. } => {
                0.5 * rate.min(0.0) / delta.max(1e-6 * depth).max(f64::MIN_POSITIVE)
            }
            _ => 0.0,
        }
    }

    /// How large what is remembered gets, a scale for errors; `load` is the largest so far.
    pub(crate) fn scale(&self, load: f64) -> f64 {
        match self {
            Self::LuGre { static_coefficient, stiffness, .. } => static_coefficient / stiffness,
            Self::Spring { coefficient, .. } => coefficient * load,
            _ => 0.0,
        }
    }

    /// True for laws that remember.
    pub fn remembers(&self) -> bool {
        matches!(self, Self::LuGre { .. } | Self::Spring { .. })
    }

    /// The force on b and the rate of what is remembered.
    pub(crate) fn force(&self, at: &Sliding) -> (Vec3, Vec3) {
        let v = at.velocity;
        let speed = v.length();
        let against = |force: f64| {
            if speed > 0.0 { v * (-force / speed) } else { Vec3::ZERO }
        };
        match *self {
            Self::Regularised { coefficient, speed: v_r, rise } => {
                (against(coefficient * at.load * rise.of(speed / v_r)), Vec3::ZERO)
            }
            Self::BrownMcPhee { static_coefficient, dynamic_coefficient, speed: v_t, viscous } => {
                let x = speed / v_t;
                let hump = x / (0.25 * x * x + 0.75).powi(2);
                let factor = dynamic_coefficient * (4.0 * x).tanh()
                    + (static_coefficient - dynamic_coefficient) * hump
                    + viscous * speed;
                (against(factor * at.load), Vec3::ZERO)
            }
            Self::LuGre {
                static_coefficient,
                dynamic_coefficient,
                speed: v_s,
                stiffness,
                damping,
                viscous,
            } => {
                let z = at.memory.across(at.normal);
                let drop =
                    (static_coefficient - dynamic_coefficient) * (-(speed / v_s).powi(2)).exp();
                let steady = dynamic_coefficient + drop;
                let rate = v - z * (stiffness * speed / steady);
                let sum = z * stiffness + rate * damping + v * viscous;
                (sum * -at.load, rate)
            }
            Self::Spring { coefficient, .. } => {
                let carried = at.memory.across(at.normal);
                let (k, fade) =
                    (self.stiffness(at.delta), self.fading(at.delta, at.rate, at.depth));
                let size = carried.length();
                if at.slipping && size > 0.0 {
                    // At the limit only the direction is remembered, and turns with the motion.
                    // The direction follows within the stretch limit/k, which vanishes with the load
                    // and is held at a hundredth of its largest.
                    let limit = coefficient * at.load;
                    let along = carried * (1.0 / size);
                    let aside = v.across(along);
                    let stretch = limit.max(0.01 * coefficient * at.largest);
                    let turns = aside.length() > 1e-9 * speed && stretch > 0.0;
                    let turning = if turns { aside * (-k * size / stretch) } else { Vec3::ZERO };
                    return (along * limit, turning);
                }
                (carried, v * -k + carried * fade)
            }
        }
    }
}

/// Couples that resist rolling (across the normal) and spinning (about it).
///
/// The couple is μ_r·F·R·ω/(|ω| + ω_r) against the relative angular velocity, constant but for speeds
/// near ω_r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// μ_r·R against rolling (m).
    pub rolling: f64,
    /// The same against spinning about the normal (m).
    pub spinning: f64,
    /// ω_r (rad/s).
    pub speed: f64,
}

impl Resistance {
    /// Itself, when its numbers make sense.
    ///
    /// # Errors
    /// Names the number that does not.
    pub fn checked(self) -> Result<Self> {
        for (name, value) in [("rolling arm", self.rolling), ("spinning arm", self.spinning)] {
            if !(value >= 0.0 && value.is_finite()) {
                let advice = "it is the coefficient of rolling resistance times the radius, in m";
                return Err(Error::invalid(name, value, "a finite number of at least 0", advice));
            }
        }
        if !(self.speed > 0.0 && self.speed.is_finite()) {
            let advice = "give a slow rate of rolling in rad/s, below which the couple fades";
            let allowed = "a finite number above 0";
            return Err(Error::invalid("speed of the resistance", self.speed, allowed, advice));
        }
        Ok(self)
    }

    /// The couple on b, for the angular velocity of b against a.
    pub(crate) fn couple(&self, load: f64, normal: Vec3, spin: Vec3) -> Vec3 {
        let about = normal * spin.dot(normal);
        let across = spin - about;
        let against = |w: Vec3, arm: f64| w * (-arm * load / (w.length() + self.speed));
        against(across, self.rolling) + against(about, self.spinning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(v: f64) -> Sliding {
        Sliding {
            load: 10.0,
            delta: 1e-4,
            rate: 0.0,
            normal: Vec3::Z,
            velocity: Vec3::X * v,
            memory: Vec3::ZERO,
            slipping: false,
            depth: 1e-4,
            largest: 10.0,
        }
    }

    #[test]
    fn fast_sliding_is_coulomb_in_every_form() {
        for (name, rise) in Rise::ALL {
            let law = Friction::Regularised { coefficient: 0.3, speed: 1e-3, rise };
            let (force, _) = law.force(&at(1.0));
            assert!((force - Vec3::X * -3.0).length() < 1e-12, "{name}");
            assert_eq!(law.force(&at(0.0)).0, Vec3::ZERO);
            let steps = (0..200).map(|i| rise.of(f64::from(i) * 0.01));
            assert!(steps.collect::<Vec<_>>().windows(2).all(|w| w[1] >= w[0]), "{name}");
        }
    }

    #[test]
    fn brown_and_mcphee_peak_at_the_transition_speed() {
        let law = Friction::BrownMcPhee {
            static_coefficient: 0.4,
            dynamic_coefficient: 0.3,
            speed: 0.01,
            viscous: 0.0,
        };
        let size = |v: f64| law.force(&at(v)).0.length() / 10.0;
        assert!((size(0.01) - 0.4).abs() < 1e-3 && (size(10.0) - 0.3).abs() < 1e-6);
        assert!(size(0.01) > size(0.008) && size(0.01) > size(0.0125));
    }

    #[test]
    fn lugre_slides_at_its_steady_state() {
        let law = Friction::LuGre {
            static_coefficient: 0.4,
            dynamic_coefficient: 0.25,
            speed: 0.01,
            stiffness: 1e5,
            damping: 10.0,
            viscous: 0.0,
        };
        // z = g/σ₀ is stationary and carries μ_d·F when fast.
        let slide = Sliding { memory: Vec3::X * (0.25 / 1e5), ..at(1.0) };
        let (force, rate) = law.force(&slide);
        assert!(rate.length() < 1e-12 && (force.x + 2.5).abs() < 1e-9);
    }

    #[test]
    fn a_spring_sticks_and_at_its_limit_slips() {
        let law = Friction::Spring { coefficient: 0.5, stiffness: Tangential::Constant(1e3) };
        let stuck = Sliding { memory: Vec3::X * -2.0, ..at(0.1) };
        assert_eq!(law.force(&stuck), (Vec3::X * -2.0, Vec3::X * -100.0));
        let slips = Sliding { memory: Vec3::X * -7.0, slipping: true, ..at(0.1) };
        let (force, rate) = law.force(&slips);
        assert!((force - Vec3::X * -5.0).length() < 1e-15 && rate.length() < 1e-15);
        assert!(law.checked().is_ok());
        assert!(
            Friction::Spring { coefficient: -0.5, stiffness: Tangential::Constant(1e3) }
                .checked()
                .unwrap_err()
                .is_invalid()
        );
    }
}
