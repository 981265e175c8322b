//! Hertz's elastic contact.
//!
//! # Equation
//! F = K·δⁿ, n = 3/2 for point contact of elastic solids.
//!
//! # Derivation
//! Two half-spaces are pressed together over an elliptical contact area; for spheres K =
//! (4/3)·E*·√R. In an impact the largest indentation is δ_max = [(n+1)·mₑ·v₀²/(2K)]^(1/(n+1)); for
//! n = 3/2 the duration is 2.943275·δ_max/v₀.
//!
//! # Validity
//! Elastic, frictionless, non-conformal contact; a contact area that is small compared with the
//! bodies; low speed.
//!
//! # Remarks
//! There is no dissipation: the restitution is 1.
//!
//! # Reference
//! H. Hertz, Über die Berührung fester elastischer Körper, J. reine angew. Math. 92 (1881) 156–171.

use crate::law::Power;
use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "hertz-1881",
    title: "Hertz 1881",
    aliases: &["hertz"],
    year: 1881,
    input: Input::Elastic,
    doi: Some("10.1515/crll.1882.92.156"),
    build: |inputs| {
        Ok(inputs.law(Power::elastic(inputs.pair.stiffness, inputs.pair.exponent)))
    },
    ..Model::BLANK
};
