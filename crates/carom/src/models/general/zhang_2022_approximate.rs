//! Zhang et al.: the approximate equation, a stiff spring in and a soft one out.
//!
//! # Equation
//! F = k·δᵐ for δ̇ > 0, F = e²·k·δᵐ for δ̇ ≤ 0, k = (m+1)·mₑ·v₀²/(2·d^(m+1)),
//! d^(n+1) = (n+1)·mₑ·v₀²/(2K)·(e² + e^q)/(1 + e^q).
//!
//! # Derivation
//! The law K·δⁿ + c·δᵐ·|δ̇|^q is replaced in each phase by a spring of the same energy. If damping
//! takes (1−e²)/(1+e^q) of the energy in compression, the impact turns at d (Eq. 31 of the paper).
//! In x = δ/d and τ = t·v₀/d the two springs are x″ + (m+1)/2·x^m = 0 and x″ + (m+1)·e²/2·x^m = 0,
//! whatever n, q and v₀: x turns at 1 and returns at −e.
//!
//! # Validity
//! A single free impact, e > 0. An approximation to zhang-2022 in duration and peak, not for
//! sustained or repeated contact.
//!
//! # Remarks
//! Delivers e exactly, by published and exact calibration alike, and lasts
//! √π·Γ(1+1/(m+1))/Γ(1/2+1/(m+1))·(1+1/e)·d/v₀. The paper prints the restitution stiffness with e
//! where e^q belongs (Eq. 47) and the damping with (2/(2+q))^(1/q)·v₀^(1−q) where 2/(2+q) does (Eq.
//! 49); as printed, and unless q = 1, neither the turn nor the restitution comes out. The force
//! jumps at the turn by the factor e².
//!
//! # Reference
//! J. Zhang, X. Liang, Z. Zhang, G. Feng, Q. Zhao, L. Zhao, G. He, A continuous contact force model
//! for impact analysis, Mech. Syst. Signal Process. 168 (2022) 108739.

use crate::exact::Exponents;
use crate::law::TwoStiffness;
use crate::model::{Input, Model};
use crate::models::shared::{by_energy, parameter};

pub const MODEL: Model = Model {
    id: "zhang-2022-approximate",
    title: "Zhang, Liang, Zhang, Feng, Zhao, Zhao & He 2022 (approximate equation)",
    year: 2022,
    input: Input::Restitution,
    parameters: &[
        parameter("damping_exponent", "", (0.0, 5.0))
            .help("m of the springs; the exponent of the pair unless set"),
        parameter("rate_exponent", "", (0.0, 3.0))
            .help("q of the damping that is approximated")
            .or(1.0),
    ],
    build: |inputs| {
        let n = inputs.pair.exponent;
        let m = inputs.optional("damping_exponent")?.unwrap_or(n);
        let Exponents { n, m, q } = Exponents::new(n, m, inputs.parameter("rate_exponent")?)?;
        let e = by_energy(inputs)?.unwrap_or(1.0);
        Ok(inputs.law(TwoStiffness::new(inputs.pair.stiffness, n, m, q, e)))
    },
    ..Model::BLANK
};
