//! Poursina & Nikravesh: Hertz's spring and a constant damper, with separation at zero force.
//!
//! # Equation
//! F = K·δⁿ + c·δ̇, n = 3/2, c = ε(e)·mₑ^(3/5)·K^(2/5)·v₀^(1/5), with ε(e) the damping that
//! delivers e when contact ends at F = 0.
//!
//! # Derivation
//! With L = (mₑ·v₀²/K)^(1/(n+1)) the equation of motion is x″ + xⁿ + ε·x′ = 0, and the impact ends
//! at xⁿ = −ε·x′. This has no closed form; ε(e) is monotone and is found numerically. For n = 3/2
//! it is 0.0616 at e = 0.9, 0.4517 at 0.5 and 1.939 at 0.1; for a small loss 1−e = 1.7878·ε. For
//! other n the powers in c are those of ε = c·L/(mₑ·v₀).
//!
//! # Validity
//! All restitutions in (0, 1].
//!
//! # Remarks
//! The restitution is delivered exactly if contact ends at F = 0. If contact ends at δ = 0, the law
//! delivers 0.401 for a specified 0.5 and does not separate for 0.2. The force jumps by c·v₀ at
//! onset. c depends on the speed as v₀^(1/5). The structure of the formula is that of the source,
//! whose fitted expression for c was not available; the relation to which it is fitted is used
//! instead.
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
