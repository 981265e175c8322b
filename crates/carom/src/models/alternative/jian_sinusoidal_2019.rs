//! Jian, Hu, Fang, Zhou & Xia: the same force along a prescribed half sine.
//!
//! # Equation
//! F(t) = K·[δ_m·sin φ]^(3/2) + π·η/(t_m·(1−ν))·(1 − e^(−t/T))·√R·δ_m^(3/2)·√(sin φ)·cos φ,
//! φ = π·t/(2t_m), K = 4G√R/(3(1−ν)), 0 ≤ t ≤ 2t_m.
//!
//! # Derivation
//! The law of the same paper with δ(t) = δ_m·sin φ and its derivative inserted. δ_m and t_m are
//! those of Hertz's impact, frozen at touch: δ_m = [(5/4)·mₑ·v₀²/K]^(2/5), t_m = 1.47164·δ_m/v₀.
//!
//! # Validity
//! A curve for comparison with a measured force over time. Weak damping, an impact long against T.
//!
//! # Remarks
//! This is a curve, not a law for an integrator: the force knows the time and not the motion. If it
//! is integrated all the same, the restitution by momentum is not that of the energy of the loop: a
//! half sine with Hertz's δ_m and t_m starts 6.7 % too fast, and its elastic part alone returns an
//! impulse of 2.047·mₑ·v₀ (restitution 1.047) where 2 would be elastic. No restitution can be asked
//! for; use jian-2019.
//!
//! # Reference
//! B. Jian, G. Hu, Z. Fang, H. Zhou, R. Xia, A normal contact force approach for viscoelastic
//! spheres of the same material, Powder Technol. 350 (2019) 51–61.

use super::jian_2019::{SPHERES, spheres};
use crate::error::Error;
use crate::law::Calibration;
use crate::model::{Coefficient, Damping, Input, Model};
use crate::error::coefficient;

pub const MODEL: Model = Model {
    id: "jian-sinusoidal-2019",
    title: "Jian, Hu, Fang, Zhou & Xia 2019 (sinusoidal)",
    aliases: &["jian-sinusoidal"],
    year: 2019,
    input: Input::Material,
    parameters: SPHERES,
    coefficient: Coefficient::in_unit("Pa s"),
    build: |inputs| {
        let viscosity = match inputs.damping {
            Damping::Coefficient(eta) => coefficient(eta)?,
            Damping::None => inputs.parameter("viscosity")?,
            Damping::Restitution(_) | Damping::Exact(_) => {
                return Err(Error::unsupported(
                    "a restitution in `jian-sinusoidal-2019`",
                    "it is a force over time, blind to the motion; use jian-2019",
                ));
            }
        };
        let spheres = spheres(inputs, Calibration::Coefficient(viscosity))?;
        Ok(inputs.law(spheres.half_sine(viscosity)))
    },
    ..Model::BLANK
};
