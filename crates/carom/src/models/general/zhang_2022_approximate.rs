//! Zhang et al.: the approximate equation, a stiff spring in compression and a soft one in
//! restitution.
//!
//! # Equation
//! F = k·δᵐ for δ̇ > 0, F = e²·k·δᵐ for δ̇ ≤ 0, k = (m+1)·mₑ·v₀²/(2·d^(m+1)),
//! d^(n+1) = (n+1)·mₑ·v₀²/(2K)·(e² + e^q)/(1 + e^q).
//!
//! # Derivation
//! In each phase, the law K·δⁿ + c·δᵐ·|δ̇|^q is replaced by a spring of the same energy. If damping
//! dissipates the fraction (1−e²)/(1+e^q) of the energy in compression, the largest indentation is
//! d (Eq. 31 of the paper). In x = δ/d and τ = t·v₀/d the two equations of motion are x″ +
//! (m+1)/2·x^m = 0 and x″ + (m+1)·e²/2·x^m = 0, for any n, q and v₀: the turn is at x = 1, and the
//! separation speed is e.
//!
//! # Validity
//! A single free impact with e > 0. It approximates zhang-2022 in duration and largest force, and
//! is not intended for lasting or repeated contact.
//!
//! # Remarks
//! The restitution e is delivered exactly, with published and with exact calibration, and the
//! duration is √π·Γ(1+1/(m+1))/Γ(1/2+1/(m+1))·(1+1/e)·d/v₀. The paper prints the stiffness of
//! restitution with e where e^q is correct (Eq. 47), and the damping with (2/(2+q))^(1/q)·v₀^(1−q)
//! where 2/(2+q) is correct (Eq. 49). With the printed formulas neither the turn nor the
//! restitution is obtained, except for q = 1. The force jumps at the turn by the factor e².
//!
//! # Reference
//! J. Zhang, X. Liang, Z. Zhang, G. Feng, Q. Zhao, L. Zhao, G. He, A continuous contact force model
//! for impact analysis, Mech. Syst. Signal Process. 168 (2022) 108739.

use crate::exact::Exponents;
use crate::law::TwoStiffness;
use crate::model::{Input, Model};
use crate::models::shared::{parameter, restitution_by_energy};

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
            .with_default(1.0),
    ],
    build: |inputs| {
        let n = inputs.pair.exponent;
        let m = inputs.optional("damping_exponent")?.unwrap_or(n);
        let Exponents { n, m, q } = Exponents::new(n, m, inputs.parameter("rate_exponent")?)?;
        let e = restitution_by_energy(inputs)?.unwrap_or(1.0);
        Ok(inputs.law(TwoStiffness::new(inputs.pair.stiffness, n, m, q, e)))
    },
    ..Model::BLANK
};
