//! Resistance to rolling and spinning.

use crate::check::{not_negative, positive};
use crate::math::Vec3;
use carom::Result;

/// Couples that resist rolling (about tangential axes) and spinning (about the normal).
///
/// The couple μ_r·F·R·ω/(|ω| + ω_r) opposes the relative angular velocity ω. Its magnitude is constant except for speeds near
/// ω_r and below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingResistance {
    /// μ_r·R for rolling (m).
    pub rolling: f64,
    /// The corresponding length for spinning about the normal (m).
    pub spinning: f64,
    /// ω_r (rad/s).
    pub speed: f64,
}

impl RollingResistance {
    /// Checks the parameters.
    ///
    /// # Errors
    /// When a parameter is not finite or out of its range; the error names it.
    pub fn checked(self) -> Result<Self> {
        let advice = "it is the coefficient of rolling resistance times the radius, in m";
        not_negative("rolling arm", self.rolling, advice)?;
        not_negative("spinning arm", self.spinning, advice)?;
        let advice = "give a slow rate of rolling in rad/s, below which the couple fades";
        positive("speed of the resistance", self.speed, advice)?;
        Ok(self)
    }

    /// Computes the couple on b from the angular velocity `spin` of b relative to a.
    pub(crate) fn couple(&self, load: f64, normal: Vec3, spin: Vec3) -> Vec3 {
        let about = normal * spin.dot(normal);
        let across = spin - about;
        let against = |w: Vec3, arm: f64| w * (-arm * load / (w.length() + self.speed));
        against(across, self.rolling) + against(about, self.spinning)
    }
}
