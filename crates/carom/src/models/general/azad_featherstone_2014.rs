//! Azad & Featherstone: damping with the square root of the indentation, for robots.
//!
//! # Equation
//! F = K·δⁿ + c·√δ·δ̇, n = 3/2, c in N·s/m^1.5.
//!
//! # Derivation
//! If every element of the material is a Kelvin–Voigt body, the damping is proportional to the rate
//! of the elastic force, d(δ^(3/2))/dt ~ √δ·δ̇, whereas Hunt & Crossley have δ^(3/2)·δ̇. For a
//! small loss 1−e = 1.1534·ε with ε = c·L^(3/2)/(mₑ·v₀), which varies as v₀^(1/5) for n = 3/2.
//!
//! # Validity
//! Spheres against spheres and plates; feet and wheels of robots on compliant ground.
//!
//! # Remarks
//! The form is that of Kuwabara & Kono, with c fitted to the measured restitution and no tensile
//! force: contact ends at F = 0, before δ = 0. The source has no formula for a restitution. If the
//! law is calibrated exactly for a restitution of 0.5 and one exit of contact but run with the
//! other, it delivers 0.532 (calibrated for δ = 0, run to F = 0) or 0.463 (the reverse).
//!
//! # Reference
//! M. Azad, R. Featherstone, A new nonlinear model of contact normal force, IEEE Trans. Robot. 30
//! (2014) 736–739; first in Proc. Australas. Conf. Robot. Autom. (2010).

use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "azad-featherstone-2014",
    title: "Azad & Featherstone 2014",
    aliases: &["azad-featherstone"],
    year: 2014,
    input: Input::Coefficient,
    doi: Some("10.1109/TRO.2013.2293833"),
    build: |inputs| inputs.power(inputs.pair.exponent, 0.5, 1.0, None),
    ..Model::BLANK
};
