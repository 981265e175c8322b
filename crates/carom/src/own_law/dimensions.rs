//! Dimensions of an own law: those of its parameters, and whether its formulas are consistent with them.

use crate::error::Result;
use crate::formula::dimension::{self, Variables};
use crate::law::own::{Definition, variable};
use crate::model::Parameter;
use crate::units::Dimension;

/// Returns a unit whose exponents may be names of parameters, such as `N/m^n`, with the values of these parameters.
/// Names without a value are kept.
pub(crate) fn unit_with(unit: &str, value_of: &dyn Fn(&str) -> Option<f64>) -> String {
    let mut parts = unit.split('^');
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        plain += "^";
        match named.then(|| value_of(name)).flatten() {
            Some(value) => plain += &value.to_string(),
            None => plain += name,
        }
        plain += rest;
    }
    plain
}

/// Returns whether an exponent of the unit is a name.
pub(crate) fn has_free_exponent(unit: &str) -> bool {
    unit.split('^').skip(1).any(|part| part.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Returns the dimensions of all variables of a law whose parameters have these units, in the order of
/// [`variable_names`].
fn dimensions(
    definition: &Definition,
    units: &[String],
    coefficient: Dimension,
    state: Dimension,
) -> Result<Vec<Dimension>> {
    let mut all = vec![
        Dimension::LENGTH,
        Dimension::SPEED,
        Dimension::SPEED,
        coefficient,
        Dimension::LENGTH,
        Dimension::TIME,
        state,
        Dimension::MASS,
        Dimension::NUMBER,
        Dimension::FORCE,
    ];
    for (name, unit) in definition.parameters.iter().zip(units) {
        all.push(Dimension::of(unit).map_err(|error| error.at(format!("parameter `{name}`")))?);
    }
    Ok(all)
}

/// Returns the names of all variables of a law: the fixed ones, then its parameters.
pub(super) fn variable_names(definition: &Definition) -> Vec<&'static str> {
    variable::NAMES.iter().copied().chain(definition.parameters.iter().copied()).collect()
}

/// Returns the units of the parameters for these values of the exponents in them.
fn units_at(
    definition: &Definition,
    parameters: &[Parameter],
    values: &[Option<f64>],
) -> Vec<String> {
    let value_of = |name: &str| {
        let index = definition.parameters.iter().position(|known| *known == name)?;
        values.get(index).copied().flatten()
    };
    parameters.iter().map(|p| unit_with(p.unit, &value_of)).collect()
}

/// Returns the values of all variables, of which only the parameters are known.
fn known_values(values: &[Option<f64>]) -> Vec<Option<f64>> {
    [None; variable::FIRST_PARAMETER].into_iter().chain(values.iter().copied()).collect()
}

/// Returns whether every parameter that occurs in an exponent, of a formula or of a unit, has a value.
pub(super) fn exponents_known(definition: &Definition, values: &[Option<f64>]) -> bool {
    (0..definition.parameters.len()).all(|parameter| {
        values.get(parameter).is_some_and(Option::is_some) || !definition.is_exponent(parameter)
    })
}

/// Returns the dimension of c with which the damper is a force, or `None` if an exponent is not known yet.
fn coefficient_dimension(
    definition: &Definition,
    parameters: &[Parameter],
    values: &[Option<f64>],
    state: Dimension,
) -> Result<Option<Dimension>> {
    let (Some(damper), true) = (&definition.damper, exponents_known(definition, values)) else {
        return Ok(None);
    };
    let names = variable_names(definition);
    let units = units_at(definition, parameters, values);
    let dimensions = dimensions(definition, &units, Dimension::NUMBER, state)?;
    let values = known_values(values);
    let variables = Variables { names: &names, dimensions: &dimensions, values: &values };
    let rest = dimension::dimension("damper", damper, &variables)?.unwrap_or(Dimension::NUMBER);
    Ok(Some(Dimension::FORCE / rest))
}

/// Returns the unit of c that follows from the damper; empty if c is a pure number or its unit is not known yet.
pub(super) fn coefficient_unit(
    definition: &Definition,
    parameters: &[Parameter],
    values: &[Option<f64>],
    state: Dimension,
) -> Result<String> {
    let found = coefficient_dimension(definition, parameters, values, state)?;
    let found = found.filter(|unit| !unit.same(Dimension::NUMBER));
    Ok(found.map_or(String::new(), Dimension::over_force))
}

/// Checks the dimensions of all formulas for these values of the parameters. `coefficient` is the unit of c if the
/// file declares one; otherwise it follows from the damper.
pub(super) fn check_dimensions(
    definition: &Definition,
    parameters: &[Parameter],
    values: &[Option<f64>],
    coefficient: Option<&str>,
    state: Dimension,
) -> Result<()> {
    let names = variable_names(definition);
    let units = units_at(definition, parameters, values);
    let coefficient = match coefficient {
        Some(unit) => Dimension::of(unit)?,
        None => coefficient_dimension(definition, parameters, values, state)?
            .unwrap_or(Dimension::NUMBER),
    };
    let dimensions = dimensions(definition, &units, coefficient, state)?;
    let values = known_values(values);
    let variables = Variables { names: &names, dimensions: &dimensions, values: &values };
    for (key, formula) in definition.formulas() {
        let wanted = match key {
            "state" => state / Dimension::TIME,
            "damping" => coefficient,
            _ => Dimension::FORCE,
        };
        dimension::check(key, formula, &variables, wanted)?;
    }
    Ok(())
}
