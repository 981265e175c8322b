//! What several model files would otherwise repeat.

use crate::error::{self, Error, Result};
use crate::exact::{self, Exponents};
use crate::law::plastic::{Strength, YieldCurve, Yielding};
use crate::law::{Calibration, Exit, Law};
use crate::model::{Damping, Inputs, Parameter};
use crate::pair::Pair;

/// The parameter m, for laws that leave it free.
pub(super) const DAMPING_EXPONENT: Parameter = parameter("damping_exponent", "", (0.0, 5.0))
    .help("m of c*delta^m*rate^q; m = n, the Hunt-Crossley form, when it is not set");

/// The parameter q, for laws that leave it free.
pub(super) const RATE_EXPONENT: Parameter =
    parameter("rate_exponent", "", (0.0, 3.0)).help("q of c*delta^m*rate^q; 1 is viscous").or(1.0);

/// (n, m, q) with n of the pair, m = n unless it is set and q = 1 unless it is set.
pub(super) fn free_exponents(inputs: &Inputs) -> Result<(f64, f64, f64)> {
    let n = inputs.pair.exponent;
    let m = inputs.optional(DAMPING_EXPONENT.name)?.unwrap_or(n);
    let q = inputs.optional(RATE_EXPONENT.name)?.unwrap_or(1.0);
    Ok((n, m, q))
}

/// The pair with another elastic law, for models that bring their own K and n.
pub(super) fn with_stiffness(inputs: &Inputs, stiffness: f64, exponent: f64) -> Result<Pair> {
    let pair = Pair::new(inputs.pair.mass, stiffness, exponent)?;
    Ok(Pair { facts: inputs.pair.facts.clone(), ..pair })
}

/// A power law whose published relation between damping and restitution is the exact one, for the
/// end of contact that the model was derived for (whatever end is asked for now).
pub(super) fn exact_power(inputs: &Inputs, n: f64, m: f64, q: f64) -> Result<Law> {
    let ratio = match inputs.damping {
        Damping::Restitution(e) => {
            let exponents = Exponents::new(n, m, q)?;
            exact::epsilon(exponents, inputs.model.exit, error::restitution(e)?)?
        }
        // Not called: without a restitution `power` takes the damping from elsewhere.
        Damping::None | Damping::Exact(_) | Damping::Coefficient(_) => 0.0,
    };
    inputs.power(n, m, q, Some(&|_| ratio))
}

/// [`exact_power`] in the form of Hunt and Crossley, m = n and q = 1.
pub(super) fn exact_hunt_crossley(inputs: &Inputs) -> Result<Law> {
    let n = inputs.pair.exponent;
    exact_power(inputs, n, n, 1.0)
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
        Damping::Coefficient(c) => Calibration::Coefficient(error::coefficient(c)?),
        Damping::Exact(e) => {
            Calibration::Delivered { restitution: error::restitution(e)?, exit: inputs.exit }
        }
        Damping::Restitution(_) => return Err(inputs.no_published_formula()),
    })
}

/// A parameter without a default; what it is follows with [`Parameter::help`].
pub(super) const fn parameter(
    name: &'static str,
    unit: &'static str,
    range: (f64, f64),
) -> Parameter {
    Parameter { name, unit, default: None, range, help: "" }
}

impl Parameter {
    /// This parameter with what it is, in one line.
    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// This parameter with the value that it has where it is not set.
    pub(super) const fn or(self, default: f64) -> Self {
        Self { default: Some(default), ..self }
    }
}

/// From 0 on; zero itself is refused where the value is read with [`Inputs::positive`].
pub(super) const POSITIVE: (f64, f64) = (0.0, f64::INFINITY);

/// Effective radius.
pub(super) const RADIUS: Parameter =
    parameter("radius", "m", POSITIVE).help("effective radius R, 1/R = 1/R1 + 1/R2");

/// Effective modulus.
pub(super) const MODULUS: Parameter = parameter("modulus", "Pa", POSITIVE)
    .help("effective modulus E*, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2");

/// Yield strength of the weaker body.
pub(super) const YIELD: Parameter = parameter("yield_strength", "Pa", POSITIVE)
    .help("yield strength Y of the weaker body; the smaller one of the materials unless it is set");

/// Poisson's ratio of the body that yields.
pub(super) const POISSON: Parameter =
    parameter("poisson_1", "", (0.0, 0.5)).help("Poisson's ratio of the body that yields");

/// A law of spheres that yield: at a restitution that was asked for exactly, or of the strength that is set by `name`
/// or, for [`YIELD`], known of the bodies.
pub(super) fn yielding<C: YieldCurve>(
    inputs: &Inputs,
    name: &'static str,
    curve: C,
) -> Result<Yielding<C>> {
    if let Some(e) = exactly(inputs)? {
        instead(inputs, name)?;
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

/// Radius of the inner body of a conformal contact.
pub(super) const INNER: Parameter =
    parameter("radius_1", "m", POSITIVE).help("radius of the ball or pin");

/// Radius of the outer body of a conformal contact.
pub(super) const OUTER: Parameter =
    parameter("radius_2", "m", POSITIVE).help("radius of the cavity, larger than radius_1");

/// The restitution asked of a law that delivers it exactly by its energy balance, so that published
/// and exact calibration are one.
pub(super) fn by_energy(inputs: &Inputs) -> Result<Option<f64>> {
    match inputs.damping {
        Damping::None => Ok(None),
        Damping::Restitution(e) | Damping::Exact(e) => error::restitution(e).map(Some),
        Damping::Coefficient(_) => Err(no_coefficient(inputs)),
    }
}

/// The restitution asked by exact calibration of a law whose source has no formula for it.
pub(super) fn exactly(inputs: &Inputs) -> Result<Option<f64>> {
    match inputs.damping {
        Damping::None => Ok(None),
        Damping::Exact(e) => error::restitution(e).map(Some),
        Damping::Restitution(_) => Err(inputs.no_published_formula()),
        Damping::Coefficient(_) => Err(no_coefficient(inputs)),
    }
}

/// The calibration by shooting that delivers this restitution.
pub(super) fn delivered(exit: Exit, restitution: f64) -> Calibration {
    match restitution {
        1.0 => Calibration::Coefficient(0.0),
        _ => Calibration::Delivered { restitution, exit },
    }
}

/// Refuses a parameter that says the same as the restitution or coefficient that was asked for.
pub(super) fn instead(inputs: &Inputs, name: &'static str) -> Result<()> {
    // What was set, not what is merely known of the bodies.
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

/// Refuses damping in an elastic law.
pub(super) fn elastic(inputs: &Inputs, advice: &str) -> Result<()> {
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

/// K of a linear law, in N/m.
pub(super) fn linear(inputs: &Inputs) -> Result<f64> {
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

/// Radii of a body inside a cavity.
pub(super) fn nested(inputs: &Inputs) -> Result<(f64, f64)> {
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

fn no_coefficient(inputs: &Inputs) -> Error {
    let names: Vec<_> = inputs.model.parameters.iter().map(|p| p.name).collect();
    let advice = match names.is_empty() {
        true => "the law has no dashpot; ask for a restitution (Damping::Exact)".to_string(),
        false => {
            format!("the law has no dashpot; ask for a restitution or set {}", names.join(", "))
        }
    };
    Error::unsupported(format!("a damping coefficient in `{}`", inputs.model.id), advice)
}
