//! Parameters and functions that several model files share.

use crate::error::{self, Error, Result};
use crate::exact::{self, Exponents};
use crate::law::plastic::{Strength, YieldCurve, Yielding};
use crate::law::{Calibration, Exit, Law};
use crate::model::{Damping, Inputs, Parameter};
use crate::pair::Pair;

/// The damping exponent m, for laws that leave it free.
pub(super) const DAMPING_EXPONENT: Parameter = parameter("damping_exponent", "", (0.0, 5.0))
    .help("m of c*delta^m*rate^q; m = n, the Hunt-Crossley form, when it is not set");

/// The rate exponent q, for laws that leave it free.
pub(super) const RATE_EXPONENT: Parameter = parameter("rate_exponent", "", (0.0, 3.0))
    .help("q of c*delta^m*rate^q; 1 is viscous")
    .with_default(1.0);

/// Returns (n, m, q), with n from the pair; unless they are set, m = n and q = 1.
pub(super) fn free_exponents(inputs: &Inputs) -> Result<(f64, f64, f64)> {
    let n = inputs.pair.exponent;
    let m = inputs.optional(DAMPING_EXPONENT.name)?.unwrap_or(n);
    let q = inputs.optional(RATE_EXPONENT.name)?.unwrap_or(1.0);
    Ok((n, m, q))
}

/// Returns the pair with another elastic law, for models that have their own K and n.
pub(super) fn pair_with_stiffness(inputs: &Inputs, stiffness: f64, exponent: f64) -> Result<Pair> {
    let pair = Pair::new(inputs.pair.mass, stiffness, exponent)?;
    Ok(Pair { facts: inputs.pair.facts.clone(), ..pair })
}

/// Builds a power law whose published relation between damping and restitution is the exact one. The relation is that
/// for the exit of contact for which the model was derived, even if another exit is chosen.
pub(super) fn exact_power(inputs: &Inputs, n: f64, m: f64, q: f64) -> Result<Law> {
    let ratio = match inputs.damping {
        Damping::Restitution(e) => {
            let exponents = Exponents::new(n, m, q)?;
            exact::epsilon(exponents, inputs.model.exit, error::check_restitution(e)?)?
        }
        // This value is not used: without a published restitution, `power` does not call the formula.
        Damping::None | Damping::Exact(_) | Damping::Coefficient(_) => 0.0,
    };
    inputs.power(n, m, q, Some(&|_| ratio))
}

/// Builds an [`exact_power`] law in the form of Hunt and Crossley, m = n and q = 1.
pub(super) fn exact_hunt_crossley(inputs: &Inputs) -> Result<Law> {
    let n = inputs.pair.exponent;
    exact_power(inputs, n, n, 1.0)
}

/// Returns an error for pairs that are not point contacts, for laws whose numbers hold only for K·δ^(3/2).
pub(super) fn require_point_contact(inputs: &Inputs) -> Result<()> {
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

/// Returns the calibration that [`Inputs::damping`] specifies, for forms that are calibrated at onset.
pub(super) fn calibration(inputs: &Inputs) -> Result<Calibration> {
    Ok(match inputs.damping {
        Damping::None => Calibration::Coefficient(0.0),
        Damping::Coefficient(c) => Calibration::Coefficient(error::check_coefficient(c)?),
        Damping::Exact(e) => {
            Calibration::Delivered { restitution: error::check_restitution(e)?, exit: inputs.exit }
        }
        Damping::Restitution(_) => return Err(inputs.no_published_formula()),
    })
}

/// Returns a parameter without a default. Its meaning is added with [`Parameter::help`].
pub(super) const fn parameter(
    name: &'static str,
    unit: &'static str,
    range: (f64, f64),
) -> Parameter {
    Parameter { name, unit, default: None, range, help: "" }
}

impl Parameter {
    /// Returns this parameter with its meaning, in one line.
    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// Returns this parameter with the value that it has if it is not set.
    pub(super) const fn with_default(self, default: f64) -> Self {
        Self { default: Some(default), ..self }
    }
}

/// Range of values from 0 upwards. Zero itself is rejected when the value is read with [`Inputs::positive`].
pub(super) const POSITIVE: (f64, f64) = (0.0, f64::INFINITY);

/// The effective radius.
pub(super) const RADIUS: Parameter =
    parameter("radius", "m", POSITIVE).help("effective radius R, 1/R = 1/R1 + 1/R2");

/// The effective modulus.
pub(super) const MODULUS: Parameter = parameter("modulus", "Pa", POSITIVE)
    .help("effective modulus E*, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2");

/// The yield strength of the weaker body.
pub(super) const YIELD: Parameter = parameter("yield_strength", "Pa", POSITIVE)
    .help("yield strength Y of the weaker body; the smaller one of the materials unless it is set");

/// Poisson's ratio of the body that yields.
pub(super) const POISSON: Parameter =
    parameter("poisson_1", "", (0.0, 0.5)).help("Poisson's ratio of the body that yields");

/// Builds a law of spheres that yield. Its strength either delivers the restitution that was specified exactly, or is
/// the value of the parameter `name`, or, for [`YIELD`], the smaller yield strength of the two bodies.
pub(super) fn yielding<C: YieldCurve>(
    inputs: &Inputs,
    name: &'static str,
    curve: C,
) -> Result<Yielding<C>> {
    if let Some(e) = exact_restitution(inputs)? {
        refuse_parameter(inputs, name)?;
        return Yielding::delivering(curve, e);
    }
    let known = [inputs.pair.fact("yield_1"), inputs.pair.fact("yield_2")];
    let weaker = known.into_iter().flatten().reduce(f64::min);
    let strength = match (inputs.optional(name)?, weaker) {
        (None, Some(strength)) if name == YIELD.name => strength,
        _ => inputs.positive(name)?,
    };
    Ok(Yielding { curve, strength: Strength::Given(strength) })
}

/// The radius of the inner body of a conformal contact.
pub(super) const INNER: Parameter =
    parameter("radius_1", "m", POSITIVE).help("radius of the ball or pin");

/// The radius of the outer body of a conformal contact.
pub(super) const OUTER: Parameter =
    parameter("radius_2", "m", POSITIVE).help("radius of the cavity, larger than radius_1");

/// Returns the specified restitution, for a law that delivers it exactly by its energy balance. Published and exact
/// calibration are the same for such a law.
pub(super) fn restitution_by_energy(inputs: &Inputs) -> Result<Option<f64>> {
    match inputs.damping {
        Damping::None => Ok(None),
        Damping::Restitution(e) | Damping::Exact(e) => error::check_restitution(e).map(Some),
        Damping::Coefficient(_) => Err(no_coefficient_error(inputs)),
    }
}

/// Returns the restitution specified with exact calibration, for a law whose source has no formula for it.
pub(super) fn exact_restitution(inputs: &Inputs) -> Result<Option<f64>> {
    match inputs.damping {
        Damping::None => Ok(None),
        Damping::Exact(e) => error::check_restitution(e).map(Some),
        Damping::Restitution(_) => Err(inputs.no_published_formula()),
        Damping::Coefficient(_) => Err(no_coefficient_error(inputs)),
    }
}

/// Returns the calibration that delivers this restitution by shooting.
pub(super) fn calibration_by_shooting(exit: Exit, restitution: f64) -> Calibration {
    match restitution {
        1.0 => Calibration::Coefficient(0.0),
        _ => Calibration::Delivered { restitution, exit },
    }
}

/// Returns an error if the parameter `name` is set although it determines the same loss as the specified restitution
/// or coefficient.
pub(super) fn refuse_parameter(inputs: &Inputs, name: &'static str) -> Result<()> {
    // Only a value that was set is a conflict, not one that is merely known from the bodies.
    match inputs.set.iter().any(|(known, _)| known == name) {
        false => Ok(()),
        true => {
            let asked = match inputs.damping {
                Damping::Coefficient(_) => "damping coefficient",
                _ => "restitution",
            };
            Err(Error::unsupported(
                format!("a {asked} together with {name} in `{}`", inputs.model.id),
                format!("each sets the loss; leave out the {asked} or {name}"),
            ))
        }
    }
}

/// Returns an error if damping is specified for an elastic law.
pub(super) fn refuse_damping(inputs: &Inputs, advice: &str) -> Result<()> {
    match inputs.damping {
        Damping::None => Ok(()),
        Damping::Restitution(e) | Damping::Exact(e) if e == 1.0 => Ok(()),
        Damping::Coefficient(0.0) => Ok(()),
        _ => Err(Error::unsupported(
            format!("{} damping in `{}`", inputs.damping.name(), inputs.model.id),
            advice,
        )),
    }
}

/// Returns K of a linear law, in N/m.
pub(super) fn linear_stiffness(inputs: &Inputs) -> Result<f64> {
    if inputs.pair.exponent == 1.0 {
        return Ok(inputs.pair.stiffness);
    }
    Err(Error::invalid(
        "exponent",
        inputs.pair.exponent,
        format!("1 in `{}`", inputs.model.id),
        "the law is linear; give the stiffness in N/m with the exponent 1, or use goldsmith-1960",
    ))
}

/// Returns the radii of a body inside a cavity, inner radius first.
pub(super) fn nested_radii(inputs: &Inputs) -> Result<(f64, f64)> {
    let (inner, outer) = (inputs.positive("radius_1")?, inputs.positive("radius_2")?);
    if outer > inner {
        return Ok((inner, outer));
    }
    Err(Error::invalid(
        "radius_2",
        outer,
        format!("larger than radius_1 = {inner}"),
        "radius_1 is the ball or pin, radius_2 the cavity around it",
    ))
}

fn no_coefficient_error(inputs: &Inputs) -> Error {
    let names: Vec<_> = inputs.model.parameters.iter().map(|p| p.name).collect();
    let advice = match names.is_empty() {
        true => "the law has no dashpot; ask for a restitution (Damping::Exact)".to_string(),
        false => {
            format!("the law has no dashpot; ask for a restitution or set {}", names.join(", "))
        }
    };
    Error::unsupported(format!("a damping coefficient in `{}`", inputs.model.id), advice)
}
