//! Poursina & Nikravesh: Hertz's spring and a constant damper that part at zero force.
//!
//! # Equation
//! F = K·δⁿ + c·δ̇, n = 3/2, c = ε(e)·mₑ^(3/5)·K^(2/5)·v₀^(1/5), with ε(e) the damping that
//! delivers e when contact ends at F = 0.
//!
//! # Derivation
//! With L = (mₑ·v₀²/K)^(1/(n+1)) the motion is x″ + xⁿ + ε·x′ = 0, ended where xⁿ = −ε·x′. That has
//! no closed form; ε(e) is monotone and is found numerically. For n = 3/2: 0.0616 at e = 0.9,
//! 0.4517 at 0.5, 1.939 at 0.1; for small loss 1−e = 1.7878·ε. For other n the powers of c are
//! those of ε = c·L/(mₑ·v₀).
//!
//! # Validity
//! Every restitution in (0, 1].
//!
//! # Remarks
//! Delivers the restitution exactly when contact ends at F = 0; run on to δ = 0 it gives 0.401 for
//! 0.5 and does not separate for 0.2. The force jumps by c·v₀ at first touch. c depends on the
//! speed as v₀^(1/5). The structure is that of the source; its fitted formula for c was not at
//! hand, the relation it fits is used.
//!
//! # Reference
//! A. M. Poursina, P. E. Nikravesh, Characterization of the optimal damping coefficient in the
//! continuous contact model, J. Comput. Nonlinear Dyn. 15 (9) (2020).

use crate::model::{Input, Model};
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "poursina-nikravesh-2020",
    title: "Poursina & Nikravesh 2020",
    aliases: &["poursina-nikravesh"],
    year: 2020,
    input: Input::Restitution,
    doi: Some("10.1115/1.4047136"),
    build: |inputs| shared::exact_power(inputs, inputs.pair.exponent, 0.0, 1.0),
    ..Model::BLANK
};
