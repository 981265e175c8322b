//! What several model files would otherwise repeat.

use crate::error::{self, Error, Result};
use crate::exact::{self, Exponents};
use crate::law::{Calibration, Law};
use crate::model::{Damping, Inputs, Parameter};
use crate::pair::Pair;

/// The parameter m, for laws that leave it free.
pub(super) const DAMPING_EXPONENT: Parameter = Parameter {
    name: "damping_exponent",
    unit: "",
    default: None,
    range: (0.0, 5.0),
    help: "m of c*delta^m*rate^q; m = n, the Hunt-Crossley form, when it is not set",
};

/// The parameter q, for laws that leave it free.
pub(super) const RATE_EXPONENT: Parameter = Parameter {
    name: "rate_exponent",
    unit: "",
    default: Some(1.0),
    range: (1e-3, 3.0),
    help: "q of c*delta^m*rate^q; 1 is viscous",
};

/// (n, m, q) with n of the pair, m = n unless it is set and q = 1 unless it is set.
pub(super) fn free_exponents(inputs: &Inputs) -> Result<(f64, f64, f64)> {
    let n = inputs.pair.exponent;
    let m = inputs.optional(DAMPING_EXPONENT.name)?.unwrap_or(n);
    let q = inputs.optional(RATE_EXPONENT.name)?.unwrap_or(1.0);
    Ok((n, m, q))
}

/// Refuses a pair that is not linear, where the law is: K would be taken in a wrong unit.
pub(super) fn linear(inputs: &Inputs) -> Result<()> {
    let n = inputs.pair.exponent;
    if n == 1.0 {
        return Ok(());
    }
    Err(Error::invalid(
        "exponent",
        n,
        "1",
        format!(
            "`{}` is a linear law, F = K*delta: give exponent 1 and a stiffness K in N/m",
            inputs.model.id
        ),
    ))
}

/// The pair with another elastic law, for models that bring their own K and n.
pub(super) fn with_stiffness(inputs: &Inputs, stiffness: f64, exponent: f64) -> Result<Pair> {
    let pair = Pair::new(inputs.pair.mass, stiffness, exponent)?;
    Ok(Pair { facts: inputs.pair.facts.clone(), ..pair })
}

/// The inputs with a damping coefficient that the source writes as a part of c, times `factor`.
///
/// Only a positive one is scaled, so that a refusal names the number that was given.
pub(super) fn scaled<'a>(inputs: &Inputs<'a>, factor: f64) -> Inputs<'a> {
    let damping = match inputs.damping {
        Damping::Coefficient(part) if part > 0.0 => Damping::Coefficient(part * factor),
        other => other,
    };
    Inputs { damping, ..*inputs }
}

/// A power law whose published relation between damping and restitution is the exact one, for the
/// end of contact that the model was derived for (whatever end is asked for now).
pub(super) fn exact_power(inputs: &Inputs, n: f64, m: f64, q: f64) -> Result<Law> {
    let ratio = match inputs.damping {
        Damping::Restitution(e) => {
            let exponents = Exponents::new(n, m, q)?;
            exact::epsilon(exponents, inputs.model.exit, error::restitution(e)?)?
        }
        // Not asked for: `power` takes the damping from elsewhere.
        Damping::None | Damping::Exact(_) | Damping::Coefficient(_) => 0.0,
    };
    inputs.power(n, m, q, Some(&|_| ratio))
}

/// Refuses pairs that are not point contacts, for laws whose numbers hold for K·δ^(3/2) only.
pub(super) fn point_contact(inputs: &Inputs) -> Result<()> {
    let n = inputs.pair.exponent;
    if n == 1.5 {
        return Ok(());
    }
    let advice = format!(
        "`{}` is a law of spheres: give K in N/m^1.5 with exponent 1.5, \
         or choose a law with a free exponent",
        inputs.model.id
    );
    Err(Error::invalid("exponent", n, "1.5", advice))
}

/// What [`Inputs::damping`] asks for, in forms that are calibrated at touch.
pub(super) fn calibration(inputs: &Inputs) -> Result<Calibration> {
    Ok(match inputs.damping {
        Damping::None => Calibration::Coefficient(0.0),
        Damping::Coefficient(c) => Calibration::Coefficient(error::within(
            "damping",
            c,
            0.0,
            f64::MAX,
            "a damping coefficient is never negative",
        )?),
        Damping::Exact(e) => {
            Calibration::Delivered { restitution: error::restitution(e)?, exit: inputs.exit }
        }
        Damping::Restitution(_) => return Err(inputs.no_published_formula()),
    })
}
