//! Friction: the tangential force of a contact, and the couples that resist rolling and spinning.
//!
//! All laws take the normal force F ≥ 0 and the tangential velocity v of body b relative to body a at the contact point, and
//! return the force on b. The force opposes sliding. The laws differ at rest:
//!
//! - *Regularised* Coulomb laws replace the jump at v = 0 by a steep slope, μF·s(|v|/v_r)·(−v/|v|). Below the speed v_r they
//!   creep instead of sticking ([`Regularisation`] lists the published forms).
//! - The law of Brown & McPhee joins static and dynamic friction in one smooth curve; it creeps as well.
//! - LuGre and the tangential spring have a memory (the deflection of bristles, the force of a spring), and do stick.
//!
//! The memory is one vector for each contact, integrated with the motion.
//!
//! Under a steady tangential load p·μF with p < 1, the bodies slide at the speed at which s = p: v_r·p for the linear form,
//! v_r·artanh(p) for tanh. A block on a slope of 15° with μ = 0.3 and v_r = 1 mm/s creeps down at 1.4 mm/s. With the tangential
//! spring it does not creep; scenes use that law where none is named.

mod rolling;
mod spring;

use crate::check::{not_negative, positive};
use crate::math::Vec3;
use carom::law::Memory;
use carom::{Error, Law, Result};

pub use carom::pair::stiffness::mindlin_ratio;
pub use rolling::RollingResistance;
pub use spring::{DEFAULT_STIFFNESS_RATIO, MIN_DAMPING_RATIO, Spring, default_damping_ratio};

/// Form of the function s(x) that rises from 0 to 1 in a regularised law, x = |v|/v_r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Regularisation {
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

impl Regularisation {
    /// Names of the forms in scenes, with the forms.
    pub const ALL: [(&'static str, Self); 5] = [
        ("linear", Self::Linear),
        ("threlfall", Self::Threlfall),
        ("tanh", Self::Tanh),
        ("parabola", Self::Parabola),
        ("ambrosio", Self::Ambrosio),
    ];

    /// Computes s(x) for x ≥ 0.
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
#[non_exhaustive]
pub enum Friction {
    /// Coulomb friction μF·s(|v|/v_r), regularised.
    Regularised {
        /// μ.
        coefficient: f64,
        /// v_r (m/s).
        speed: f64,
        /// s.
        rise: Regularisation,
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
    /// A tangential spring and damper, which carry a force up to μF (see `friction/spring.rs`).
    Spring {
        /// μ.
        coefficient: f64,
        /// k.
        stiffness: TangentialStiffness,
        /// c.
        damping: Dashpot,
    },
}

/// Tangential stiffness of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TangentialStiffness {
    /// k_t (N/m).
    Constant(f64),
    /// k_t = k·√δ, with k = 8·G*·√R for balls (N/m^1.5). R. D. Mindlin, Journal of Applied Mechanics 16 (1949) 259–268. While
    /// the normal load decreases, T decreases in proportion to k_t (C. Thornton, S. J. Cummins & P. W. Cleary, Powder
    /// Technology 210 (2011) 189–197).
    Root(f64),
    /// Ratio to the stiffness of the normal law. For laws with exponent 1.5 the tangential stiffness grows with the indentation
    /// (with Mindlin's ratio it is Mindlin's stiffness), for linear laws it is constant, and for all others it is constant with
    /// the ratio applied to the normal stiffness at the largest indentation expected at onset. [`mindlin_ratio`] returns
    /// Mindlin's ratio.
    Share(f64),
}

/// Damper in parallel to the tangential spring.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Dashpot {
    /// c (N·s/m).
    Constant(f64),
    /// Damping ratio ζ: c = 2ζ·√(k·m), with the stiffness k at every instant and the tangential effective mass m at the contact
    /// point at onset (including rotation and joints).
    Ratio(f64),
}

/// Quantities of a contact from which friction is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlidingState {
    /// Normal force, at least 0 (N).
    pub load: f64,
    /// Indentation (m) and its rate (m/s).
    pub delta: f64,
    pub rate: f64,
    /// Unit normal.
    pub normal: Vec3,
    /// Tangential velocity of b relative to a (m/s).
    pub velocity: Vec3,
    /// Memory of the friction law.
    pub memory: Vec3,
    /// The tangential spring, and whether its slider slips.
    pub spring: Spring,
    pub slipping: bool,
    /// Largest indentation of the contact, expected or reached so far (m), and the normal force there (N).
    pub depth: f64,
    pub largest: f64,
}

/// Friction at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrictionForce {
    /// Force on b (N).
    pub force: Vec3,
    /// Time derivative of the memory.
    pub rate: Vec3,
    /// Magnitude of the force that the spring and its damper would carry if the slider stuck (N).
    pub trial: f64,
}

/// Parameters with their names.
type Named = Vec<(&'static str, f64)>;

impl Friction {
    /// Checks the parameters.
    ///
    /// # Errors
    /// When a parameter is not finite or out of its range; the error names it.
    pub fn checked(self) -> Result<Self> {
        let (factors, scales): (Named, Named) = match self {
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
            Self::Spring { coefficient, stiffness, damping } => {
                let (TangentialStiffness::Constant(k)
                | TangentialStiffness::Root(k)
                | TangentialStiffness::Share(k)) = stiffness;
                let (Dashpot::Constant(c) | Dashpot::Ratio(c)) = damping;
                (vec![("coefficient", coefficient), ("damping", c)], vec![("stiffness", k)])
            }
        };
        for (name, value) in factors {
            let advice = "friction never pushes along the motion";
            not_negative(&format!("{name} of the friction"), value, advice)?;
        }
        for (name, value) in scales {
            let advice = "it sets how friction approaches rest";
            positive(&format!("{name} of the friction"), value, advice)?;
        }
        Ok(self)
    }

    /// Returns the friction limit μF of the spring law (N), at which sticking changes to slipping; none for other laws.
    pub(crate) fn limit(&self, load: f64) -> Option<f64> {
        match self {
            Self::Spring { coefficient, .. } => Some(coefficient * load),
            _ => None,
        }
    }

    /// Computes the stored energy that would be recovered at constant load (J): T²/2k for a tangential spring, ½·F·σ₀·z² for
    /// the bristles of the LuGre law.
    pub(crate) fn stored(&self, memory: Vec3, spring: &Spring, delta: f64, load: f64) -> f64 {
        match *self {
            Self::LuGre { stiffness, .. } => 0.5 * load * stiffness * memory.dot(memory),
            Self::Spring { .. } => {
                let k = spring.stiffness(delta);
                if k > 0.0 { 0.5 * memory.dot(memory) / k } else { 0.0 }
            }
            _ => 0.0,
        }
    }

    /// Computes the tangential spring of a contact from its normal law, the largest indentation expected (m) and the tangential
    /// effective mass (kg); all zero for laws without a spring.
    ///
    /// # Errors
    /// When the stiffness is a ratio to that of the normal law, and the latter is not positive.
    pub(crate) fn spring(
        &self,
        law: &Law,
        memory: &Memory,
        depth: f64,
        mass: f64,
    ) -> Result<Spring> {
        let Self::Spring { stiffness, damping, .. } = *self else { return Ok(Spring::default()) };
        let mut spring = Spring::default();
        match stiffness {
            TangentialStiffness::Constant(k) => spring.constant = k,
            TangentialStiffness::Root(k) => spring.root = k,
            TangentialStiffness::Share(share) => match law.power() {
                Some(power) if power.elastic.value() == 1.5 => {
                    spring.root = share * 1.5 * power.stiffness;
                }
                Some(power) if power.elastic.value() == 1.0 => {
                    spring.constant = share * power.stiffness;
                }
                _ => {
                    let there = Memory { peak: memory.peak.max(depth), ..*memory };
                    let tangent = law.tangent(depth, 0.0, &there).stiffness;
                    let secant = law.force(depth, 0.0, &there) / depth;
                    let sound = |k: f64| k > 0.0 && k.is_finite();
                    spring.constant = share * if sound(tangent) { tangent } else { secant };
                }
            },
        }
        if !(spring.constant + spring.root > 0.0 && (spring.constant + spring.root).is_finite()) {
            return Err(Error::missing(
                "stiffness of the friction",
                "it cannot be told from this normal law: give it in N/m",
            ));
        }
        match damping {
            Dashpot::Constant(c) => spring.damping = c,
            // If joints prevent the bodies from moving along the surface, there is no tangential effective mass, and the normal
            // one is used.
            Dashpot::Ratio(ratio) => {
                let mass = if mass > 0.0 && mass.is_finite() { mass } else { law.mass };
                spring.relative = 2.0 * ratio * mass.sqrt();
            }
        }
        Ok(spring)
    }

    /// Returns the typical magnitude of the memory, for error control; `load` is the largest normal force so far (N).
    pub(crate) fn scale(&self, load: f64) -> f64 {
        match self {
            Self::LuGre { static_coefficient, stiffness, .. } => static_coefficient / stiffness,
            Self::Spring { coefficient, .. } => coefficient * load,
            _ => 0.0,
        }
    }

    /// Returns a sliding speed over which the force changes noticeably (m/s), for difference quotients.
    pub(crate) fn speed_scale(
        &self,
        load: f64,
        spring: &Spring,
        delta: f64,
        velocity: Vec3,
    ) -> f64 {
        let own = match *self {
            Self::Regularised { speed, .. }
            | Self::BrownMcPhee { speed, .. }
            | Self::LuGre { speed, .. } => speed,
            // Speed at which the force of the damper alone would reach the friction limit.
            Self::Spring { coefficient, .. } => match coefficient * load / spring.damping(delta) {
                speed if speed > 0.0 && speed.is_finite() => speed,
                _ => 1e-3,
            },
        };
        own.max(velocity.length())
    }

    /// Returns whether the law has a memory.
    pub fn has_memory(&self) -> bool {
        matches!(self, Self::LuGre { .. } | Self::Spring { .. })
    }

    /// Computes the memory after b has slid slowly along a by the displacement `way` (m): the spring or the bristles are
    /// stretched, and slip at their limit under the load (N). Laws without a memory carry no force at rest.
    pub(crate) fn stretched(
        &self,
        memory: Vec3,
        way: Vec3,
        spring: &Spring,
        delta: f64,
        load: f64,
    ) -> Vec3 {
        let (stretched, most) = match *self {
            Self::Spring { coefficient, .. } => {
                (memory - way * spring.stiffness(delta), coefficient * load)
            }
            Self::LuGre { static_coefficient, stiffness, .. } => {
                (memory + way, static_coefficient / stiffness)
            }
            Self::Regularised { .. } | Self::BrownMcPhee { .. } => return Vec3::ZERO,
        };
        match stretched.length() {
            size if size > most => stretched * (most / size),
            _ => stretched,
        }
    }

    /// Computes the friction force at an instant.
    pub(crate) fn force(&self, at: &SlidingState) -> FrictionForce {
        let v = at.velocity;
        let speed = v.length();
        let against = |force: f64| {
            if speed > 0.0 { v * (-force / speed) } else { Vec3::ZERO }
        };
        let (force, rate) = match *self {
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
                let z = at.memory.perpendicular_to(at.normal);
                let drop =
                    (static_coefficient - dynamic_coefficient) * (-(speed / v_s).powi(2)).exp();
                let steady = dynamic_coefficient + drop;
                let rate = v - z * (stiffness * speed / steady);
                let sum = z * stiffness + rate * damping + v * viscous;
                (sum * -at.load, rate)
            }
            Self::Spring { coefficient, .. } => return at.spring_force(coefficient),
        };
        FrictionForce { force, rate, trial: force.length() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(v: f64) -> SlidingState {
        SlidingState {
            load: 10.0,
            delta: 1e-4,
            rate: 0.0,
            normal: Vec3::Z,
            velocity: Vec3::X * v,
            memory: Vec3::ZERO,
            spring: Spring { constant: 1e3, ..Spring::default() },
            slipping: false,
            depth: 1e-4,
            largest: 10.0,
        }
    }

    #[test]
    fn fast_sliding_is_coulomb_in_every_form() {
        for (name, rise) in Regularisation::ALL {
            let law = Friction::Regularised { coefficient: 0.3, speed: 1e-3, rise };
            let force = law.force(&at(1.0)).force;
            assert!((force - Vec3::X * -3.0).length() < 1e-12, "{name}");
            assert_eq!(law.force(&at(0.0)).force, Vec3::ZERO);
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
        let size = |v: f64| law.force(&at(v)).force.length() / 10.0;
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
        // z = g/σ₀ is stationary, and its force is μ_d·F in fast sliding.
        let slide = SlidingState { memory: Vec3::X * (0.25 / 1e5), ..at(1.0) };
        let FrictionForce { force, rate, .. } = law.force(&slide);
        assert!(rate.length() < 1e-12 && (force.x + 2.5).abs() < 1e-9);
    }

    #[test]
    fn slow_sliding_stretches_the_friction_memory_up_to_its_limit() {
        let lugre = Friction::LuGre {
            static_coefficient: 0.4,
            dynamic_coefficient: 0.25,
            speed: 0.01,
            stiffness: 1e5,
            damping: 10.0,
            viscous: 0.0,
        };
        let spring = Friction::Spring {
            coefficient: 0.4,
            stiffness: TangentialStiffness::Constant(1e3),
            damping: Dashpot::Constant(5.0),
        };
        let creeps =
            Friction::Regularised { coefficient: 0.4, speed: 1e-3, rise: Regularisation::Tanh };
        for (law, within, most) in [(lugre, 1e-6, 4.0), (spring, 1e-3, 4.0), (creeps, 1e-3, 0.0)] {
            let carried = |way: f64| {
                let now = at(0.0);
                let memory =
                    law.stretched(Vec3::ZERO, Vec3::X * way, &now.spring, now.delta, now.load);
                law.force(&SlidingState { memory, ..now }).force.x
            };
            // The force opposes the displacement: a quarter of the limit, then the whole limit.
            assert!((carried(within) + 0.25 * most).abs() < 1e-12, "{law:?}: {}", carried(within));
            assert!((carried(-1.0) - most).abs() < 1e-12, "{law:?}");
        }
    }

    #[test]
    fn a_spring_sticks_and_at_its_limit_slips() {
        let spring = |coefficient, damping| Friction::Spring {
            coefficient,
            stiffness: TangentialStiffness::Constant(1e3),
            damping: Dashpot::Constant(damping),
        };
        let law = spring(0.5, 0.0);
        let stuck = law.force(&SlidingState { memory: Vec3::X * -2.0, ..at(0.1) });
        assert_eq!((stuck.force, stuck.rate), (Vec3::X * -2.0, Vec3::X * -100.0));
        let slips = SlidingState { memory: Vec3::X * -7.0, slipping: true, ..at(0.1) };
        let FrictionForce { force, rate, .. } = law.force(&slips);
        assert!((force - Vec3::X * -5.0).length() < 1e-15 && rate.length() < 1e-15);
        assert!(law.checked().is_ok());
        assert!(spring(-0.5, 0.0).checked().unwrap_err().is_invalid());
        assert!(spring(0.5, -1.0).checked().unwrap_err().is_invalid());
    }

    #[test]
    fn a_damped_spring_is_continuous_where_it_begins_to_slip_and_loses_energy() {
        let law = Friction::Spring {
            coefficient: 0.5,
            stiffness: TangentialStiffness::Constant(1e3),
            damping: Dashpot::Constant(20.0),
        };
        let spring = Spring { constant: 1e3, damping: 20.0, ..Spring::default() };
        // |T − c·v| = |−3 − 20·0.1| is the limit.
        let (memory, velocity) = (Vec3::X * -3.0, Vec3::X * 0.1);
        let edge = SlidingState { memory, velocity, spring, ..at(0.0) };
        let (sticks, slips) =
            (law.force(&edge), law.force(&SlidingState { slipping: true, ..edge }));
        assert!((sticks.force - slips.force).length() < 1e-12, "{sticks:?} {slips:?}");
        assert!((sticks.rate - slips.rate).length() < 1e-9);
        // For all directions: the work put in is stored, or lost in the damper and the slider.
        for i in 0..200 {
            let turn = f64::from(i);
            let velocity = Vec3::new(turn.cos(), turn.sin(), 0.0) * 0.4;
            let memory = Vec3::new((1.7 * turn).sin(), (2.3 * turn).cos(), 0.0) * 5.0;
            let now = SlidingState { memory, velocity, spring, slipping: true, ..at(0.0) };
            let held = law.force(&now);
            if held.trial < 5.0 {
                continue;
            }
            let stretch = held.rate * -1e-3;
            let stored = memory.dot(held.rate) / 1e3;
            let lost = -held.force.dot(velocity) - stored;
            let slip = velocity - stretch;
            let parts = 20.0 * stretch.dot(stretch) + 5.0 * slip.length();
            assert!((lost - parts).abs() < 1e-10, "{lost} {parts}");
            assert!((slip.length() - (held.trial - 5.0) / 20.0).abs() < 1e-12);
        }
    }
}
