//! Wang et al. with the cube that is printed in the review's table.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = (3/4)(1−c³)·exp[2(1−c)], c = 1 − 0.26·K*·v₀^(1/3), K* as in
//! `wang-2019`.
//!
//! # Derivation
//! None: the review's equation 5.60 has c², its Table 1 has c³. At c = 1, dε/d(1−c) must be 3/2 for
//! every law of this kind; it is 9/4 with the cube and 3/2 with the square.
//!
//! # Validity
//! The variant exists so that results obtained with the table can be reproduced; otherwise use
//! `wang-2019`.
//!
//! # Remarks
//! Near c = 1 the damping is 50 % too large: for a specified restitution of 0.9 the formula
//! delivers 0.858, for 0.5 it delivers 0.441. At 0.3 it happens to be more accurate (0.310). Inputs
//! and limits are those of `wang-2019`.
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

/// Computes ε(c) with the cube.
fn ratio(c: f64) -> f64 {
    0.75 * (1.0 - c.powi(3)) * (2.0 * (1.0 - c)).exp()
}
