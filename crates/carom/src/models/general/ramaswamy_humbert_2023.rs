//! Ramaswamy & Humbert: a velocity profile whose shape depends on the damping.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (3+2p)(1−e²)/(2e) / [(3+2p)/(3−2p) + e], p = α·(exp(−βe) − exp(−β)),
//! α = 1.381, β = 0.451 (Eq. 17).
//!
//! # Derivation
//! The assumed rate is |δ̇| = v₀·(1−z)^(½+p) in compression and e·v₀·(1−z)^(½−p) in restitution,
//! with z = (δ/δ_max)^(n+1). In the two phases the damper then dissipates a = 2/(3+2p) and e·b =
//! 2e/(3−2p), in units of ε·K·δ_max^(n+1)/(n+1). The energy balances of the phases show that the
//! fraction e(b+ae)/(a+be) of mₑ·v₀²/2 is stored at δ_max, and give ε = (1−e²)/[e(b+ae)], which is
//! the formula above. For p = 0 it is that of Hu & Guo; p(e) is fitted to the motion.
//!
//! # Validity
//! Fitted over 0.01 ≤ e ≤ 1, for every n; intended for high damping.
//!
//! # Remarks
//! ε is up to 3.3 % too small, at e = 0.32 (0.5 % at 0.1, 2.4 % at 0.5, 0.1 % at 0.9). The error of
//! 0.062 % stated in the source seems to be a norm over equally spaced ε, which is dominated by ε >
//! 50, where every formula close to 1/e is accurate. With α = 0.74956, β = 1.0998 in the same form
//! the largest error would be 1.2 %. The equation that the source regards as unsolvable has an
//! exact solution; see Zhang & Sharf.
//!
//! # Reference
//! D. A. Ramaswamy, J. S. Humbert, A continuous contact force model for highly damped impacts of
//! arbitrary material and geometry, University of Colorado Boulder. The manuscript is undated; the
//! year 2023 is an assumption.

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "ramaswamy-humbert-2023",
    title: "Ramaswamy & Humbert 2023",
    aliases: &["ramaswamy-humbert"],
    year: 2023,
    input: Input::Restitution,
    restitution: (0.01, 1.0),
    build: |inputs| inputs.hunt_crossley(&ratio),
    ..Model::BLANK
};

/// Computes ε(e) of Eq. 17.
fn ratio(e: f64) -> f64 {
    const ALPHA: f64 = 1.381;
    const BETA: f64 = 0.451;
    let p = ALPHA * ((-BETA * e).exp() - (-BETA).exp());
    let (shallow, sharp) = (3.0 + 2.0 * p, 3.0 - 2.0 * p);
    shallow * (1.0 - e * e) / (2.0 * e) / (shallow / sharp + e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_is_as_far_from_the_exact_ratio_as_remarked() {
        // e, exact ε, relative deviation of the fit.
        let rows = [
            (0.1, 9.998_159_397_495_668, -0.0051),
            (0.2, 4.919_166_715_790_787, -0.0251),
            (0.3, 3.087_081_981_129_624, -0.0333),
            (0.5, 1.432_750_533_271_375, -0.0243),
            (0.7, 0.634_828_281_266_417, -0.0095),
            (0.9, 0.166_481_950_685_308, -0.0010),
        ];
        for (e, exact, deviation) in rows {
            assert!((ratio(e) / exact - 1.0 - deviation).abs() < 1e-4, "{e}");
        }
        assert_eq!(ratio(1.0), 0.0);
    }
}
