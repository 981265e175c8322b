//! Johnson, Kendall & Roberts: elastic spheres with adhesion.
//!
//! # Equation
//! F = 4E*·a³/(3R) − √(8π·w·E*·a³), δ = a²/R − √(2π·w·a/E*), a the radius of contact.
//!
//! # Derivation
//! The solution is that of Hertz's contact at a larger load, unloaded like a flat punch at constant
//! a. The balance of elastic and surface energy determines a: a³ = (3R/(4E*))·[F + 3π·w·R +
//! √(6π·w·R·F + (3π·w·R)²)]. The smallest force is the pull-off force −(3/2)·π·w·R. If the
//! indentation is prescribed, the neck remains in contact down to δ = −δ_c with δ_c =
//! (3/4)·4^(−1/3)·a₀²/R, a₀³ = 2π·w·R²/E*.
//!
//! # Validity
//! Large, soft, strongly adhesive spheres (Tabor parameter above about 5); no dissipation except
//! when the neck breaks.
//!
//! # Remarks
//! Contact begins at δ = 0, where the force immediately is F = −(4/3)·π·w·R, and ends when the neck
//! breaks at −δ_c. The energy 7.09·(w⁵R⁴/E*²)^(1/3) needed to reach −δ_c is lost. This is the only
//! loss; slow bodies stick. The stored energy is the potential, which is 0 at δ = 0. Contact cannot
//! end at zero force. A restitution cannot be specified. The stiffness and exponent of the pair are
//! not used.
//!
//! # Reference
//! K. L. Johnson, K. Kendall, A. D. Roberts, Surface energy and the contact of elastic solids,
//! Proc. R. Soc. Lond. A 324 (1971) 301–313.

use crate::error::{Error, Result};
use crate::law::{Exit, Jkr};
use crate::model::{Input, Inputs, Model, Parameter};
use crate::models::shared::{MODULUS, RADIUS, parameter, refuse_damping};

/// Parameters of adhesive spheres.
pub(super) const SPHERES: &[Parameter] = &[
    MODULUS,
    RADIUS,
    parameter("work_of_adhesion", "J/m^2", (1e-9, 1e4))
        .help("work w to part a unit of contact area"),
];

/// Returns modulus, radius and work of adhesion; returns an error for damping and for the exit at
/// zero force.
pub(super) fn spheres(inputs: &Inputs) -> Result<(f64, f64, f64)> {
    refuse_damping(inputs, "the loss follows from the work of adhesion; give no damping")?;
    if inputs.exit == Exit::ZeroForce {
        return Err(Error::unsupported(
            format!("the end of contact at zero force in `{}`", inputs.model.id),
            "an adhesive contact still holds there; use exit `indentation`",
        ));
    }
    let (modulus, radius) = (inputs.positive("modulus")?, inputs.positive("radius")?);
    Ok((modulus, radius, inputs.positive("work_of_adhesion")?))
}

pub const MODEL: Model = Model {
    id: "jkr-1971",
    title: "Johnson, Kendall & Roberts 1971",
    aliases: &["jkr", "johnson-kendall-roberts-1971"],
    year: 1971,
    input: Input::Material,
    exit: Exit::ZeroIndentation,
    parameters: SPHERES,
    doi: Some("10.1098/rspa.1971.0141"),
    build: |inputs| {
        let (modulus, radius, adhesion) = spheres(inputs)?;
        // Even e = 1 is rejected, because breaking the neck at the end of the contact costs energy.
        if inputs.damping.restitution().is_some() {
            return Err(inputs.no_published_formula());
        }
        Ok(inputs.law(Jkr::new(modulus, radius, adhesion)))
    },
    ..Model::BLANK
};
