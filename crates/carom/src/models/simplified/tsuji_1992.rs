//! Tsuji, Tanaka & Ishida: the damper of granular flow, with the same restitution at every speed.
//!
//! # Equation
//! F = K·δⁿ + α·√(mₑ·K)·δ^((n−1)/2)·δ̇, α = −√(2(n+1))·ln e/√(π² + ln² e);
//! n = 3/2: δ^(1/4) and α = −√5·ln e/√(π² + ln² e).
//!
//! # Derivation
//! With y = δ^((n+1)/2) and dτ = δ^((n−1)/2)·dt the impact becomes a linear oscillator, y″ +
//! α·√(K/mₑ)·y′ + ((n+1)/2)(K/mₑ)·y = 0, with the damping ratio ζ = α/√(2(n+1)). Half a period,
//! from δ = 0 to δ = 0, multiplies the speed by exp(−πζ/√(1−ζ²)) = e.
//!
//! # Validity
//! All restitutions and speeds, for contact that ends at zero indentation. Granular flow.
//!
//! # Remarks
//! The restitution is delivered exactly if contact ends at zero indentation. The law does not
//! depend on v₀, so it can be used in lasting and multiple contact. The force is tensile before the
//! end. If contact ends at zero force instead, the restitution is higher: 0.550 for a specified 0.5
//! and 0.253 for 0.1 (`thornton-cummins-cleary-2013` is calibrated for that exit). Tsuji gave α as
//! a curve; the closed form is that of Antypov and Elliott. For n ≠ 3/2 the damping exponent is
//! chosen so that the restitution does not depend on the speed; for n = 1 the damper is linear.
//! According to the abstract of his paper, Feng proves the same α for every n ≥ 1 and gives the
//! motion by one quadrature.
//!
//! # Reference
//! Y. Tsuji, T. Tanaka, T. Ishida, Lagrangian numerical simulation of plug flow of cohesionless
//! particles in a horizontal pipe, Powder Technol. 71 (1992) 239–250. Closed form: D. Antypov,
//! J. A. Elliott, On an analytical solution for the damped Hertzian spring, EPL 94 (2011) 50004. Any
//! n: Y. T. Feng, Exact phase-space analytical solution for the power-law damped contact oscillator,
//! arXiv:2603.27764 (2026).

use super::anagnostopoulos_1988::damping_ratio;
use crate::law::Exit;
use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "tsuji-1992",
    title: "Tsuji, Tanaka & Ishida 1992",
    aliases: &["tsuji", "antypov-elliott-2011", "feng-2026"],
    year: 1992,
    input: Input::Restitution,
    exit: Exit::ZeroIndentation,
    doi: Some("10.1016/0032-5910(92)88030-L"),
    build: |inputs| {
        let n = inputs.pair.exponent;
        let ratio = |e: f64| (2.0 * (n + 1.0)).sqrt() * damping_ratio(e);
        inputs.power(n, 0.5 * (n - 1.0), 1.0, Some(&ratio))
    },
    ..Model::BLANK
};
