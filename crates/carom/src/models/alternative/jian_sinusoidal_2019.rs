//! Jian, Hu, Fang, Zhou & Xia: the same force along a prescribed half sine of the indentation.
//!
//! # Equation
//! F(t) = K·[δ_m·sin φ]^(3/2) + π·η/(t_m·(1−ν))·(1 − e^(−t/T))·√R·δ_m^(3/2)·√(sin φ)·cos φ,
//! φ = π·t/(2t_m), K = 4G√R/(3(1−ν)), 0 ≤ t ≤ 2t_m.
//!
//! # Derivation
//! δ(t) = δ_m·sin φ and its derivative are inserted into the law of the same paper. δ_m and t_m are
//! those of Hertz's impact, determined at onset: δ_m = [(5/4)·mₑ·v₀²/K]^(2/5), t_m =
//! 1.47164·δ_m/v₀.
//!
//! # Validity
//! A curve for comparison with a measured force over time. Weak damping, and an impact that is long
//! compared with T.
//!
//! # Remarks
//! This is a curve and not a law for an integrator, since the force depends on the time and not on
//! the motion. If it is integrated nevertheless, the restitution from the momentum differs from
//! that of the energy of the force–indentation loop. A half sine with Hertz's δ_m and t_m starts
//! with a speed that is 6.7 % too high, and its elastic part alone has an impulse of 2.047·mₑ·v₀
//! (restitution 1.047), where an elastic impact has 2·mₑ·v₀. A restitution cannot be specified; use
//! jian-2019.
//!
//! # Reference
//! B. Jian, G. Hu, Z. Fang, H. Zhou, R. Xia, A normal contact force approach for viscoelastic
//! spheres of the same material, Powder Technol. 350 (2019) 51–61.

use super::jian_2019::{SPHERES, spheres};
use crate::error::Error;
use crate::law::Calibration;
use crate::model::{Coefficient, Damping, Input, Model};
use crate::error::check_coefficient;

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
            Damping::Coefficient(eta) => check_coefficient(eta)?,
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
