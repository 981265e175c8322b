//! The tangential spring of a contact.
//!
//! A spring of stiffness k and a damper c in parallel are in series with a slider that carries no more than μF (Cundall &
//! Strack, Géotechnique 29 (1979) 47–65, with a damper in parallel to the spring). T is the force of the spring on b, and u̇ is
//! the rate at which the spring is stretched, so that Ṫ = −k·u̇. While the slider sticks, u̇ = v and the force on b is q = T −
//! c·v. Where |q| > μF, it slips: the force is f = μF·q/|q|, the rate u̇ follows from T − c·u̇ = f, and the slip speed is (|q|
//! − μF)/c, in the direction opposite to q. The force f is thus q, limited to the magnitude μF, and
//!
//! Ṫ = −(k/c)·(T − f)
//!
//! in both states. Force and Ṫ are continuous, so only the kink at |q| = μF must be located as an event. The energy put in,
//! −f·v, goes into the spring (T²/2k), the damper (c·u̇²) and the slider (μF times the slip speed); the two losses are never
//! negative.
//!
//! Without a damper (c = 0), T has the magnitude μF while it slips, and only its direction is integrated. Once such a spring
//! sticks it oscillates for ever, because nothing dissipates its energy.

use super::{FrictionForce, SlidingState};
use crate::math::Vec3;

/// Ratio of tangential to normal stiffness if nothing is known about the materials. The tangential half-oscillation of a ball
/// on a linear spring then takes as long as its bounce, because the tangential effective mass of a ball is 2/7 of its mass.
pub const DEFAULT_STIFFNESS_RATIO: f64 = 2.0 / 7.0;

/// Lower bound of [`default_damping_ratio`], at which a free tangential oscillation loses a quarter of its amplitude in a
/// period.
pub const MIN_DAMPING_RATIO: f64 = 0.05;

/// Returns the default of the tangential damping ratio for a contact with or without a given restitution e: that of a linear
/// spring and damper with this restitution, −ln e/√(π² + ln² e), but at least [`MIN_DAMPING_RATIO`].
pub fn default_damping_ratio(restitution: Option<f64>) -> f64 {
    let ratio = match restitution {
        Some(e) if e > 0.0 && e < 1.0 => -e.ln() / std::f64::consts::PI.hypot(e.ln()),
        Some(e) if e <= 0.0 => 1.0,
        _ => 0.0,
    };
    ratio.max(MIN_DAMPING_RATIO)
}

/// The tangential spring of a contact, as determined at onset; all zero if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// Constant stiffness (N/m).
    pub constant: f64,
    /// Stiffness that grows with √δ (N/m^1.5).
    pub root: f64,
    /// Constant damping (N·s/m).
    pub damping: f64,
    /// Damping divided by √k, 2ζ·√m (√kg).
    pub relative: f64,
}

impl Spring {
    /// Computes k at an indentation (N/m).
    pub(crate) fn stiffness(&self, delta: f64) -> f64 {
        let root =
            if self.root > 0.0 { self.root * delta.max(f64::MIN_POSITIVE).sqrt() } else { 0.0 };
        self.constant + root
    }

    /// Computes c at an indentation (N·s/m).
    pub(crate) fn damping(&self, delta: f64) -> f64 {
        let relative =
            if self.relative > 0.0 { self.relative * self.stiffness(delta).sqrt() } else { 0.0 };
        self.damping + relative
    }

    /// Computes the angular frequency of a mass on this spring, without its damper (rad/s).
    pub(crate) fn angular_frequency(&self, delta: f64, mass: f64) -> f64 {
        self.stiffness(delta).sqrt() / mass.sqrt()
    }

    /// Computes the rate k/c at which the force of the spring relaxes to the friction limit while slipping (1/s).
    pub(crate) fn relaxation_rate(&self, delta: f64) -> f64 {
        self.stiffness(delta) / self.damping(delta)
    }

    /// Returns whether there is a damper in parallel to the spring.
    pub(crate) fn is_damped(&self) -> bool {
        self.damping > 0.0 || self.relative > 0.0
    }

    /// Computes the relative rate of the spring force during unloading, Ṫ/T (1/s), at most 0.
    ///
    /// With T ∝ √δ it is δ̇/2δ, which is unbounded at separation. The value at a millionth of `depth`, the largest indentation
    /// of the contact, is therefore used as a bound: there T is below a thousandth of its largest value, and slips anyway.
    pub(crate) fn unloading_rate(&self, delta: f64, rate: f64, depth: f64) -> f64 {
        match self.root > 0.0 {
            true => 0.5 * rate.min(0.0) / delta.max(1e-6 * depth).max(f64::MIN_POSITIVE),
            false => 0.0,
        }
    }
}

impl SlidingState {
    /// Computes the force of the tangential spring, with its damper and its slider (see the module).
    pub(super) fn spring_force(&self, coefficient: f64) -> FrictionForce {
        let (v, spring) = (self.velocity, &self.spring);
        let carried = self.memory.perpendicular_to(self.normal);
        let k = spring.stiffness(self.delta);
        let fading = carried * spring.unloading_rate(self.delta, self.rate, self.depth);
        let limit = coefficient * self.load;
        if spring.is_damped() {
            let c = spring.damping(self.delta);
            let stuck = carried - v * c;
            let trial = stuck.length();
            if !self.slipping || trial == 0.0 {
                return FrictionForce { force: stuck, rate: v * -k + fading, trial };
            }
            let force = stuck * (limit / trial);
            return FrictionForce { force, rate: (force - carried) * (k / c) + fading, trial };
        }
        let size = carried.length();
        if !self.slipping || size == 0.0 {
            return FrictionForce { force: carried, rate: v * -k + fading, trial: size };
        }
        // While slipping, only the direction of the force is integrated. It turns with the motion within the slip distance
        // limit/k. This distance vanishes with the load, so it is bounded below by a hundredth of its largest value.
        let along = carried * (1.0 / size);
        let aside = v.perpendicular_to(along);
        let stretch = limit.max(0.01 * coefficient * self.largest);
        let turns = aside.length() > 1e-9 * v.length() && stretch > 0.0;
        let rate = if turns { aside * (-k * size / stretch) } else { Vec3::ZERO };
        FrictionForce { force: along * limit, rate, trial: limit }
    }
}
