//! Wang et al. with the cube that the review's table prints.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (3/4)(1−c³)·exp[2(1−c)], c = 1 − 0.26·K*·v₀^(1/3), K* as in
//! `wang-2019`.
//!
//! # Derivation
//! None: the review's equation 5.60 has c², its Table 1 has c³. The slope of ε at c = 1 is 9/4 with
//! the cube, where every law of this kind must have 3/2, and 3/2 with the square.
//!
//! # Validity
//! Kept so that results obtained with the table can be repeated; use `wang-2019` otherwise.
//!
//! # Remarks
//! Damps half too much near c = 1: taken as a restitution, 0.9 delivers 0.858 and 0.5 delivers
//! 0.441. By accident it is closer at 0.3 (0.310). Inputs and limits are those of `wang-2019`.
//!
//! # Reference
//! E. Corral, R. Gismeros Moreno, M. J. Gómez García, C. Castejón, Nonlinear phenomena of contact
//! in multibody systems dynamics: a review, Nonlinear Dyn. 104 (2021) 1269–1295, Table 1.

use super::wang_2019::{PARAMETERS, law, restitution};
use crate::model::{Input, Model};

pub const MODEL: Model = Model {
    id: "wang-2019-table",
    title: "Wang et al. 2019 (review's Table 1)",
    year: 2019,
    input: Input::Material,
    restitution: (0.3, 1.0),
    parameters: PARAMETERS,
    doi: Some("10.1007/s11071-021-06344-z"),
    build: |inputs| law(inputs, ratio, |speed, [k_star, _]| ratio(restitution(speed, k_star))),
    ..Model::BLANK
};

/// ε(c) with the cube.
fn ratio(c: f64) -> f64 {
    0.75 * (1.0 - c.powi(3)) * (2.0 * (1.0 - c)).exp()
}
