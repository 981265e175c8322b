//! Marhefka & Orin: Hunt–Crossley damping as a constant of the material.
//!
//! # Equation
//! F = K·δⁿ·(1 + (3/2)·α·δ̇), α from e = 1 − α·v₀.
//!
//! # Derivation
//! At low speeds the measured restitutions of many metals and soft solids decrease linearly with
//! the approach speed, e = 1 − α·v₀. In Hunt and Crossley's ε = (3/2)(1−e) the speed then cancels:
//! c = ε·K/v₀ = (3/2)·α·K is a constant of the material, and the law does not depend on v₀.
//!
//! # Validity
//! α·v₀ ≪ 1, that is restitutions near 1; robots and other systems with lasting and repeated
//! contact, for which laws with a fixed v₀ are not valid.
//!
//! # Remarks
//! Give α by the parameter `alpha`, or a restitution, for which the law is Hunt and Crossley's with
//! 1−e = α·v₀ (0.909 is delivered for a specified 0.9, 0.663 for 0.5). At larger α·v₀ the delivered
//! restitution decreases more slowly than 1 − α·v₀ and is always greater than 1/(1 + (3/2)·α·v₀).
//! The review uses the same letter for α and for c/K, which differ by the factor 3/2.
//!
//! # Reference
//! D. W. Marhefka, D. E. Orin, A compliant contact model with nonlinear damping for simulation of
//! robotic systems, IEEE Trans. Syst. Man Cybern. A 29 (1999) 566–572.

use super::hunt_crossley_1975::ratio;
use crate::error::Result;
use crate::law::{Damper, Law, Power};
use crate::model::{Damping, Input, Inputs, Model};
use crate::models::shared::{POSITIVE, parameter, refuse_parameter};

pub const MODEL: Model = Model {
    id: "marhefka-orin-1999",
    title: "Marhefka & Orin 1999",
    aliases: &["marhefka-orin"],
    year: 1999,
    input: Input::Restitution,
    stands_in: &["alpha"],
    restitution: (0.9, 1.0),
    parameters: &[parameter("alpha", "s/m", POSITIVE)
        .help("slope of e = 1 - alpha*v0; used when no damping is asked for")],
    doi: Some("10.1109/3468.798060"),
    build: |inputs| law(inputs, "alpha"),
    ..Model::BLANK
};

/// Builds the law K·δⁿ·(1 + (3/2)·α·δ̇), where the parameter `slope` is the slope α of e = 1 −
/// α·v₀. If a damping is specified, the law has the formula of Hunt and Crossley instead.
pub(crate) fn law(inputs: &Inputs, slope: &'static str) -> Result<Law> {
    let (k, n) = (inputs.pair.stiffness, inputs.pair.exponent);
    match (inputs.damping, inputs.optional(slope)?) {
        (Damping::None, Some(slope)) => {
            Ok(inputs.law(Power::new(k, n, n, 1.0, Damper::Coefficient(1.5 * slope * k))))
        }
        _ => {
            refuse_parameter(inputs, slope)?;
            inputs.hunt_crossley(&ratio)
        }
    }
}
