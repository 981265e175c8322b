//! The text of an own law: its keys, and the model that is made from them.

use super::build::build;
use super::curve::{CurveSource, Measured};
use super::dimensions::{
    check_dimensions, coefficient_unit, exponents_known, has_free_exponent, unit_with,
};
use crate::error::{Error, Result};
use crate::formula::{Expression, parse};
use crate::law::Exit;
use crate::law::own::{Definition, MAX_PARAMETERS, variable};
use crate::model::{Coefficient, Group, Input, Model, Parameter};
use crate::units::{Dimension, Quantity};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The keys of a law file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LawFile {
    /// Name of the law.
    pub name: String,
    title: Option<String>,
    reference: Option<String>,
    spring: Option<String>,
    /// Measured points that replace the spring.
    pub curve: Option<CurveSource>,
    damper: Option<String>,
    damping: Option<String>,
    unloading: Option<String>,
    state: Option<StateEntry>,
    exit: Option<String>,
    limit: Option<Quantity>,
    #[serde(default)]
    parameters: BTreeMap<String, ParameterEntry>,
}

/// The internal state: its rate, and its unit if that is not m.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum StateEntry {
    Rate(String),
    Table { rate: String, unit: String },
}

/// A parameter: its default, its unit, or a table with both and further entries.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum ParameterEntry {
    Number(f64),
    /// A value with a unit, or only a unit.
    Text(String),
    Table(ParameterTable),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterTable {
    #[serde(default)]
    unit: String,
    default: Option<Quantity>,
    range: Option<(Quantity, Quantity)>,
    #[serde(default)]
    help: String,
}

/// Parses the keys of a law file.
pub(super) fn read(text: &str) -> Result<LawFile> {
    let law: LawFile = toml::from_str(text).map_err(|why| {
        let line = why.span().map(|span| 1 + text.get(..span.start).unwrap_or("").matches('\n').count());
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        let keys = "name, title, reference, spring, curve, damper, damping, unloading, state, exit, limit, parameters";
        let reason = why.message().lines().next().unwrap_or_default().to_string();
        Error::unreadable("law", format!("{place}{reason}; its keys are {keys}"))
    })?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if law.name.is_empty() || law.name.len() > 80 || !law.name.chars().all(plain) {
        let allowed = "1 to 80 letters, digits, -, _ and .";
        return Err(Error::invalid(
            "name",
            format!("`{}`", shorten(&law.name)),
            allowed,
            "for example `my-law`",
        ));
    }
    match (&law.spring, &law.curve) {
        (None, None) => Err(Error::missing(
            "spring",
            "give the elastic force as a formula, such as `spring = \"K*delta^1.5\"`, or measured points with `curve`",
        )),
        (Some(_), Some(_)) => Err(Error::unsupported(
            "a spring and a curve together",
            "each is the elastic force; leave out one of them",
        )),
        _ => Ok(law),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Returns a text that is kept until the program ends, like the texts of the catalogue.
fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// Creates the model of a law file; `source` contains everything from which it is made.
pub(super) fn model(law: &LawFile, curve: Option<&Measured>, source: String) -> Result<Model> {
    let mut parameters = Vec::new();
    let mut coefficient = None;
    for (name, entry) in &law.parameters {
        check_name(name)?;
        let parameter = parameter(name, entry, law)?;
        // Without a damper, `c` is an ordinary name of a parameter.
        match name == variable::NAMES[variable::DAMPING] && law.damper.is_some() {
            true => coefficient = Some(parameter),
            false => parameters.push(parameter),
        }
    }
    if parameters.len() > MAX_PARAMETERS {
        return Err(Error::invalid(
            "parameters",
            parameters.len(),
            format!("at most {MAX_PARAMETERS}"),
            "write numbers that never change into the formulas",
        ));
    }
    let names: Vec<&'static str> = parameters.iter().map(|p| p.name).collect();
    let definition = definition(law, curve, names)?;
    let definition: &'static Definition = Box::leak(Box::new(definition));
    let damped = definition.damper.as_ref().is_some_and(|it| it.contains(variable::DAMPING));
    if coefficient.is_some() && !damped {
        return Err(Error::invalid(
            "c",
            "a parameter",
            "used in `damper`",
            "write it into the damper, or leave it out",
        ));
    }
    let defaults: Vec<Option<f64>> = parameters.iter().map(|p| p.default).collect();
    let state = match &law.state {
        Some(StateEntry::Table { unit, .. }) => {
            Dimension::of(unit).map_err(|error| error.at("state"))?
        }
        Some(StateEntry::Rate(_)) | None => Dimension::LENGTH,
    };
    let declared = coefficient.as_ref().map(|c| c.unit);
    let unit = match declared {
        Some(unit) => Some(unit),
        None if damped => Some(leak(coefficient_unit(definition, &parameters, &defaults, state)?)),
        None => None,
    };
    // If an exponent has no default, the dimensions can only be checked when the law is built.
    if exponents_known(definition, &defaults) {
        check_dimensions(definition, &parameters, &defaults, declared, state)?;
    }
    if definition.spring.contains(variable::DAMPING) {
        let advice =
            "c is the coefficient of the damper; give the parameter of the spring another name";
        return Err(Error::invalid("spring", "a formula with `c`", "free of `c`", advice));
    }
    let exit = law.exit.as_deref().map_or(Ok(Exit::ZeroForce), str::parse)?;
    let input = match (damped, definition.is_elastic()) {
        (true, _) if definition.damping.is_some() => Input::Restitution,
        (true, _) => Input::Coefficient,
        (false, true) => Input::Restitution,
        (false, false) => Input::Material,
    };
    Ok(Model {
        id: leak(law.name.clone()),
        title: leak(law.title.clone().unwrap_or_else(|| law.name.clone())),
        group: Group::General,
        input,
        exit,
        coefficient: match definition.is_elastic() {
            true => crate::linear_equivalent::RATIO,
            false => Coefficient { unit, ..Coefficient::DAMPER },
        },
        parameters: Box::leak(parameters.into_boxed_slice()),
        build,
        text: leak(documentation(law, curve)),
        own: Some(crate::model::OwnLaw {
            definition,
            coefficient: coefficient.and_then(|c| c.default),
            coefficient_unit: declared,
            state,
            source: leak(source),
        }),
        ..Model::BLANK
    })
}

fn check_name(name: &str) -> Result<()> {
    let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !(starts && plain) || name.len() > 40 {
        let allowed = "a name of at most 40 letters, digits and _, beginning with a letter";
        return Err(Error::invalid(
            "parameter",
            format!("`{}`", shorten(name)),
            allowed,
            "for example `K3`",
        ));
    }
    let reserved = variable::NAMES
        .iter()
        .enumerate()
        .any(|(index, known)| *known == name && index != variable::DAMPING);
    let function = crate::formula::parse::FUNCTIONS.split(", ").any(|known| known == name);
    // Words with a meaning in formulas and in descriptions of an impact.
    const RESERVED_NAMES: [&str; 14] = [
        "pi",
        "and",
        "or",
        "not",
        "law",
        "damper",
        "damping",
        "damping_exponent",
        "rate_exponent",
        "calibration",
        "exit",
        "external_force",
        "label",
        "touch",
    ];
    if reserved || function || RESERVED_NAMES.contains(&name) {
        let allowed = "a name that has no meaning of its own in formulas";
        return Err(Error::invalid(
            "parameter",
            format!("`{name}`"),
            allowed,
            "choose another name",
        ));
    }
    Ok(())
}

/// Creates a parameter in SI units from its entry in the file.
fn parameter(name: &str, entry: &ParameterEntry, law: &LawFile) -> Result<Parameter> {
    let table = match entry {
        ParameterEntry::Number(value) => {
            ParameterTable { default: Some((*value).into()), ..ParameterTable::default() }
        }
        ParameterEntry::Text(text) => {
            let number = text
                .trim()
                .split(|c: char| c.is_whitespace() || c.is_alphabetic() && c != 'e')
                .next();
            let has_value = number.is_some_and(|number| number.parse::<f64>().is_ok());
            match has_value {
                true => {
                    let unit = text
                        .trim()
                        .trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE".contains(c));
                    ParameterTable {
                        unit: unit.trim().to_string(),
                        default: Some(text.as_str().into()),
                        ..ParameterTable::default()
                    }
                }
                false => ParameterTable { unit: text.clone(), ..ParameterTable::default() },
            }
        }
        ParameterEntry::Table(table) => table.clone(),
    };
    // Exponents of units may be parameters, which are replaced by their default values.
    let unit = unit_with(&table.unit, &|other| match law.parameters.get(other)? {
        ParameterEntry::Number(value) => Some(*value),
        ParameterEntry::Text(text) => text.parse().ok(),
        ParameterEntry::Table(table) => table.default.as_ref()?.si(other, Dimension::NUMBER).ok(),
    });
    let has_fixed_unit = !has_free_exponent(&unit);
    let dimension = match has_fixed_unit {
        true => Dimension::of(&unit).map_err(|error| error.at(format!("parameter `{name}`")))?,
        false => Dimension::NUMBER,
    };
    let si = |value: &Quantity| value.si(name, dimension);
    let range = match &table.range {
        Some((low, high)) => (si(low)?, si(high)?),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let default = table.default.as_ref().map(si).transpose()?;
    if let Some(value) = default
        && !(value >= range.0 && value <= range.1)
    {
        let allowed = format!("between {} and {}", range.0, range.1);
        return Err(Error::invalid(name, value, allowed, "its default must lie in its range"));
    }
    // Values with a prefix (kN) are converted to SI units, so the unit that is displayed is the SI unit too.
    let si_unit = match has_fixed_unit && table.unit == unit {
        true if dimension.same(Dimension::NUMBER) => String::new(),
        true => dimension.to_string(),
        false => table.unit.clone(),
    };
    Ok(Parameter {
        name: leak(name),
        unit: leak(si_unit),
        default,
        range,
        help: leak(table.help.clone()),
    })
}

/// Parses the formulas of the law.
fn definition(
    law: &LawFile,
    curve: Option<&Measured>,
    parameters: Vec<&'static str>,
) -> Result<Definition> {
    use variable::{
        DAMPING, DELTA, MASS, NAMES, PEAK, PEAK_FORCE, RATE, RESTITUTION, SPEED, STATE, TIME,
    };
    // The names that a formula may use, by index. A name that it may not use is replaced by an empty one.
    let names = |allowed: &[usize]| -> Vec<&str> {
        let fixed = NAMES.iter().enumerate().map(|(index, name)| {
            let absent = (index == STATE && law.state.is_none())
                || (index == DAMPING && law.damper.is_none());
            if allowed.contains(&index) && !absent { *name } else { "" }
        });
        fixed.chain(parameters.iter().copied()).collect()
    };
    let read = |key: &str, text: &Option<String>, allowed: &[usize]| {
        text.as_ref().map(|text| parse(key, text, &names(allowed))).transpose()
    };
    let spring = match (&law.spring, curve) {
        (Some(_), _) => read("spring", &law.spring, &[DELTA, STATE, DAMPING])?,
        (None, Some(curve)) => Some(curve.spring()),
        (None, None) => None,
    };
    let spring = spring.ok_or_else(|| Error::missing("spring", "give it as a formula"))?;
    let state = law.state.as_ref().map(|state| match state {
        StateEntry::Rate(rate) | StateEntry::Table { rate, .. } => rate.clone(),
    });
    let mut definition = Definition::new(spring, parameters.clone());
    definition.damper =
        read("damper", &law.damper, &[DELTA, RATE, SPEED, DAMPING, PEAK, TIME, STATE])?;
    definition.unloading = match (&law.unloading, curve.and_then(Measured::unloading)) {
        (Some(_), Some(_)) => {
            return Err(Error::unsupported(
                "an unloading formula with a curve that has an unloading branch",
                "leave out `unloading`, or the rows in which the indentation falls",
            ));
        }
        (Some(_), None) => read("unloading", &law.unloading, &[DELTA, PEAK, PEAK_FORCE, STATE])?,
        (None, branch) => branch,
    };
    definition.damping = read("damping", &law.damping, &[SPEED, MASS, RESTITUTION])?;
    definition.state_rate = read("state", &state, &[DELTA, RATE, SPEED, PEAK, TIME, STATE])?;
    definition.limit = match (&law.limit, curve) {
        (Some(limit), _) => Some(limit.si("limit", Dimension::LENGTH)?),
        (None, curve) => curve.map(Measured::end),
    };
    let damps = |it: &Expression| it.contains(DAMPING);
    if definition.damping.is_some() && !definition.damper.as_ref().is_some_and(damps) {
        return Err(Error::invalid(
            "damping",
            "a formula",
            "that of the c in `damper`",
            "write `c` into the damper",
        ));
    }
    if let Some(damper) = &definition.damper
        && !damper.contains(RATE)
    {
        return Err(Error::invalid(
            "damper",
            format!("`{}`", damper.written(&names(&[DELTA, SPEED, DAMPING, PEAK, TIME, STATE]))),
            "a formula with `rate`",
            "a force of the indentation alone belongs into `spring`",
        ));
    }
    Ok(definition)
}

/// Returns the documentation of the law, with the headings of model files.
fn documentation(law: &LawFile, curve: Option<&Measured>) -> String {
    let mut equation = String::from("F = ");
    match (&law.spring, curve) {
        (Some(spring), _) => equation += spring,
        (None, Some(curve)) => equation += &format!("curve(delta), {}", curve.description()),
        (None, None) => {}
    }
    if let Some(damper) = &law.damper {
        equation += &format!(" + {damper}");
    }
    if let Some(unloading) = &law.unloading {
        equation += &format!("\nBelow the largest indentation: F = {unloading}");
    }
    if let Some(StateEntry::Rate(rate) | StateEntry::Table { rate, .. }) = &law.state {
        equation += &format!("\nRate of the state: {rate}");
    }
    if let Some(damping) = &law.damping {
        equation += &format!("\nDamping coefficient at touch: c = {damping}");
    }
    let remarks = match (
        &law.damper,
        &law.unloading,
        curve.is_some_and(|it| it.unloading().is_some()),
    ) {
        (None, None, false) => {
            "A spring alone: a restitution is delivered by the linear-equivalent damper F·(1 + 2ζ·√m·δ̇/√(2U))."
        }
        (None, _, _) => "The loss is that between loading and unloading.",
        _ => "A restitution is delivered by the damping coefficient c.",
    };
    let validity = match (&law.limit, curve) {
        (Some(Quantity::Text(limit)), _) => format!("Indentations up to {limit}."),
        (Some(Quantity::Number(limit)), _) => format!("Indentations up to {limit} m."),
        (None, Some(curve)) => {
            format!("Indentations up to {} m, the end of the curve.", curve.end())
        }
        (None, None) => String::new(),
    };
    let reference = law.reference.as_deref().unwrap_or("A law of the user.");
    let sections = format!(
        "{}\n\n# Equation\n{equation}\n\n# Validity\n{validity}\n\n# Remarks\n{remarks}\n\n# Reference\n{reference}",
        law.title.as_deref().unwrap_or(&law.name)
    );
    sections.lines().map(|line| format!("//! {line}\n")).collect()
}
