//! Builds the law of an own model for a pair, with the values of its parameters and the specified damping.

use super::dimensions::{check_dimensions, variable_names};
use crate::error::{self, Error, Result};
use crate::exact::{self, Exponents};
use crate::formula::integral::monomial;
use crate::law::own::{Definition, MAX_PARAMETERS, OwnDamping, form, variable};
use crate::law::{Calibration, Damper, Form, Law, Power};
use crate::linear_equivalent;
use crate::message::Action;
use crate::model::{Damping, Inputs};

/// Builds the law.
pub(super) fn build(inputs: &Inputs) -> Result<Law> {
    let Some(own) = inputs.model.own else {
        return Err(Error::unsupported("an own law without formulas", "read it from a file"));
    };
    let definition = own.definition;
    let mut values = [f64::NAN; MAX_PARAMETERS];
    for (value, parameter) in values.iter_mut().zip(inputs.model.parameters) {
        let given = inputs.optional(parameter.name)?;
        *value = match (given, parameter.name) {
            (Some(given), _) => given,
            (None, "stiffness") => inputs.pair.stiffness,
            (None, "exponent") => inputs.pair.exponent,
            (None, name) => inputs.parameter(name)?,
        };
    }
    let given: Vec<Option<f64>> =
        values.iter().take(definition.parameters.len()).map(|value| Some(*value)).collect();
    // For the default values the dimensions were checked when the file was read.
    let is_default =
        |(parameter, value): (&crate::model::Parameter, &f64)| parameter.default == Some(*value);
    if !inputs.model.parameters.iter().zip(&values).all(is_default) {
        let declared = own.coefficient_unit;
        check_dimensions(definition, inputs.model.parameters, &given, declared, own.state)?;
    }
    check_spring(definition, &values)?;
    let damping = damping(inputs, definition, own.coefficient)?;
    match power_form(inputs, definition, &values, damping) {
        Some(power) => Ok(inputs.law(power)),
        None => Ok(inputs.law(form(definition, values, damping)?)),
    }
}

/// Returns the values of all variables of a spring at the indentation `delta` (m).
fn spring_arguments(values: &[f64; MAX_PARAMETERS], delta: f64) -> Vec<f64> {
    let mut all = vec![0.0; variable::FIRST_PARAMETER];
    if let Some(first) = all.first_mut() {
        *first = delta;
    }
    all.extend(values);
    all
}

/// Returns an error if the force of the spring is not 0 at δ = 0 or not positive beyond.
fn check_spring(definition: &Definition, values: &[f64; MAX_PARAMETERS]) -> Result<()> {
    let force = |delta: f64| definition.spring.evaluate(&spring_arguments(values, delta));
    let names = variable_names(definition);
    let refused = |delta: f64, found: f64, advice: &str| {
        let spring = definition.spring.written(&names).to_string();
        let shown: String = spring.chars().take(80).collect();
        let value = format!("`{shown}`, {found} N at delta = {delta} m");
        Error::invalid("spring", value, "0 at delta = 0 and above 0 from there on", advice)
    };
    let begin = force(0.0);
    // A force at δ = 0 that is small compared with that at one micrometre is a rounding error.
    if !(begin.abs() <= 1e-9 * force(1e-6).abs()) {
        let advice = match begin.is_finite() {
            true => "subtract the force at delta = 0",
            false => {
                "a force must be a number at first touch; avoid dividing by delta and its logarithm"
            }
        };
        return Err(refused(0.0, begin, advice));
    }
    // The force may vanish at some larger indentation, but not at the small indentations with which every contact
    // begins.
    for exponent in [-9, -8, -7, -6] {
        let delta = 10f64.powi(exponent).min(definition.limit.unwrap_or(f64::INFINITY));
        let found = force(delta);
        if !(found >= 0.0 && found.is_finite()) {
            return Err(refused(
                delta,
                found,
                "a spring pushes back; check its signs and parameters",
            ));
        }
    }
    match force(1e-6_f64.min(definition.limit.unwrap_or(f64::INFINITY))) > 0.0 {
        true => Ok(()),
        false => Err(refused(1e-6, 0.0, "a spring pushes back; check its parameters")),
    }
}

/// Returns the damping that [`Inputs::damping`] specifies.
fn damping(inputs: &Inputs, definition: &Definition, default: Option<f64>) -> Result<OwnDamping> {
    let damped = definition.damper.as_ref().is_some_and(|it| it.contains(variable::DAMPING));
    let ratio = |e: f64| -> Result<OwnDamping> {
        let e = error::check_restitution(e)?;
        Ok(OwnDamping::DampingRatio(linear_equivalent::damping_ratio(inputs.exit, e)))
    };
    let undamped = OwnDamping::Calibrated(Calibration::Coefficient(0.0));
    let no_coefficient = || {
        Error::unsupported(
            format!("{} damping in `{}`", inputs.damping.name(), inputs.model.id),
            "its loss is set by its own formulas; for one that can be asked for, give it a damper with the coefficient `c`",
        )
    };
    match (inputs.damping, damped, definition.is_elastic()) {
        (Damping::None, true, _) => match default {
            Some(c) => Ok(OwnDamping::Calibrated(Calibration::Coefficient(c))),
            None => Err(Error::missing(
                "damping",
                message![
                    format!("`{}` needs its coefficient c; give ", inputs.model.id),
                    Action::give_as("damping", "C"),
                    ", or ",
                    Action::give_as("restitution", "E"),
                    " with ",
                    Action::set("calibration", "exact"),
                ],
            )),
        },
        (Damping::None, false, _) => Ok(undamped),
        (Damping::Coefficient(c), true, _) => {
            Ok(OwnDamping::Calibrated(Calibration::Coefficient(error::check_coefficient(c)?)))
        }
        (Damping::Coefficient(c), false, true) => {
            Ok(OwnDamping::DampingRatio(error::check_coefficient(c)?))
        }
        (Damping::Exact(e), true, _) => {
            let restitution = error::check_restitution(e)?;
            Ok(OwnDamping::Calibrated(Calibration::Delivered { restitution, exit: inputs.exit }))
        }
        (Damping::Restitution(e), true, _) => match definition.damping {
            Some(_) => Ok(OwnDamping::Published(error::check_restitution(e)?)),
            None => Err(inputs.no_published_formula()),
        },
        (Damping::Exact(e) | Damping::Restitution(e), false, true) => ratio(e),
        (Damping::Exact(1.0) | Damping::Restitution(1.0), false, false) => Ok(undamped),
        (_, false, false) => Err(no_coefficient()),
    }
}

/// Returns the power form K·δⁿ + c·δᵐ·δ̇ of the law if its formulas are equivalent to it, because this form has exact
/// results and is the fastest.
fn power_form(
    inputs: &Inputs,
    definition: &Definition,
    values: &[f64; MAX_PARAMETERS],
    damping: OwnDamping,
) -> Option<Form> {
    if definition.unloading.is_some() || definition.state_rate.is_some() {
        return None;
    }
    let number = |it: &crate::formula::Expression| {
        Some(it.evaluate(&spring_arguments(values, f64::NAN))).filter(|x| x.is_finite())
    };
    let spring = monomial(&definition.spring, variable::DELTA)?;
    let (k, n) = (number(&spring.factor)?, number(&spring.exponent)?);
    let Some(damper) = &definition.damper else {
        let law = Law::new(inputs.pair.mass, inputs.exit, Power::elastic(k, n));
        Exponents::new(n, 0.5 * (n - 1.0), 1.0).ok()?;
        return match damping {
            OwnDamping::DampingRatio(ratio) => {
                linear_equivalent::with_damper(&law, ratio).map(|law| law.form)
            }
            _ => Some(law.form),
        };
    };
    let damper = monomial(damper, variable::DELTA)?;
    let rate = monomial(&damper.factor, variable::RATE)?;
    let coefficient = monomial(&rate.factor, variable::DAMPING)?;
    let unit = [rate.exponent, coefficient.exponent, coefficient.factor];
    // The damper must be linear in δ̇ and in c, and have no other factor.
    if !unit.iter().all(|it| number(it) == Some(1.0)) {
        return None;
    }
    let m = number(&damper.exponent)?;
    let exponents = Exponents::new(n, m, 1.0).ok()?;
    let damper = match damping {
        OwnDamping::Calibrated(Calibration::Coefficient(c)) => Damper::Coefficient(c),
        OwnDamping::Calibrated(Calibration::Delivered { restitution, exit }) => {
            Damper::Ratio(exact::epsilon(exponents, exit, restitution).ok()?)
        }
        OwnDamping::Published(_) | OwnDamping::DampingRatio(_) => return None,
    };
    Some(Power::new(k, n, m, 1.0, damper).into())
}
