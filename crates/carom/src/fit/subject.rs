//! A described impact with its free parameters.

use super::slopes::{ChangedLaw, Variation};
use crate::error::{Error, Result};
use crate::impact::{Conditions, ContactMotion};
use crate::law::Law;
use crate::message::Action;
use crate::model::{Damping, Input, Parameter};
use crate::pair::Pair;
use crate::spec::Case;
use crate::units::Dimension;

/// Step of the central differences of a law's numbers, in ln p or in p. It is small, because a difference across a
/// kink of the law (a dent that moves with p) is wrong over the width of the step; it is not smaller, because some
/// dampings are found by iteration and contain its rounding errors.
pub(super) const DIFFERENCE_STEP: f64 = 3e-6;

/// Returns the external force (N) of a drop test, in which one body falls onto a fixed one: without contact the
/// relative acceleration is g.
pub(super) fn weight(mass: f64) -> f64 {
    9.80665 * mass
}

/// Meaning of a free parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    Stiffness,
    Exponent,
    Damping,
    Restitution,
    Speed,
    /// A parameter of the law or a property of the pair.
    Own(&'static str),
    /// The time of touch of a measured curve.
    Touch,
    /// A constant offset of the sensor.
    Offset,
    /// A drift of the sensor, proportional to the time since the first point.
    Drift,
}

/// A free parameter; if it is positive by definition, its logarithm is searched.
#[derive(Clone, Debug)]
pub(super) struct FreeParameter {
    pub role: Role,
    pub name: String,
    pub unit: String,
    pub logarithmic: bool,
    /// Smallest and largest value.
    pub range: (f64, f64),
    /// Limit above which values are rejected.
    pub limit: f64,
}

impl FreeParameter {
    /// Returns the value for a searched variable.
    pub fn value(&self, x: f64) -> f64 {
        let value = if self.logarithmic { x.exp() } else { x };
        // Rounding of e^(ln x) may lead out of the range.
        value.clamp(self.range.0, self.range.1)
    }

    /// Returns the searched variable for a value.
    pub fn to_search_variable(&self, value: f64) -> f64 {
        match self.logarithmic {
            true => value.max(1e-290).ln(),
            false => value,
        }
    }

    /// Returns the derivative of the value with respect to the searched variable.
    pub fn slope(&self, x: f64) -> f64 {
        if self.logarithmic { x.exp() } else { 1.0 }
    }

    /// Returns the range of the searched variable.
    pub fn bounds(&self) -> (f64, f64) {
        (self.to_search_variable(self.range.0), self.to_search_variable(self.range.1))
    }

    /// Returns whether the parameter describes the measurement instead of the law.
    pub fn is_nuisance(&self) -> bool {
        matches!(self.role, Role::Touch | Role::Offset | Role::Drift)
    }
}

/// Values of one row of a table, which replace those of the description.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowValues {
    pub mass: Option<f64>,
    pub stiffness: Option<f64>,
    pub speed: Option<f64>,
    pub restitution: Option<f64>,
}

/// A described impact with free parameters.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub case: Case,
    pub free: Vec<FreeParameter>,
    /// Whether the weight of the mass acts during contact.
    pub gravity: bool,
}

/// A law with values of the free parameters, and the conditions of the impact to be computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialImpact {
    pub law: Law,
    pub speed: f64,
    pub conditions: Conditions,
    pub sensor: Sensor,
}

/// Quantities that describe the measurement instead of the law.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sensor {
    /// Time of touch (s).
    pub touch: f64,
    /// Constant offset (N).
    pub offset: f64,
    /// Drift (N/s).
    pub drift: f64,
}

impl Sensor {
    /// Returns the sum of offset and drift (N) at a time since the first point (s).
    pub fn zero(&self, time: f64) -> f64 {
        self.offset + self.drift * time
    }
}

impl Subject {
    /// Returns the case with these parameters, and the quantities of the sensor.
    pub fn case(&self, x: &[f64], row: RowValues) -> (Case, Sensor) {
        let mut case = self.case.clone();
        let pair = &mut case.pair;
        pair.mass = row.mass.unwrap_or(pair.mass);
        pair.stiffness = row.stiffness.unwrap_or(pair.stiffness);
        if self.gravity {
            case.conditions.external_force = weight(pair.mass);
        }
        case.speed = row.speed.unwrap_or(case.speed);
        // A restitution is not set for elastic laws, which do not take one.
        if let (Some(e), Some(_)) = (row.restitution, case.damping.restitution()) {
            case.damping = with_restitution(case.damping, e);
        }
        let mut sensor = Sensor::default();
        for (free, &x) in self.free.iter().zip(x) {
            let value = free.value(x);
            match free.role {
                Role::Stiffness => case.pair.stiffness = value,
                Role::Exponent => case.pair.exponent = value,
                Role::Damping => case.damping = Damping::Coefficient(value),
                Role::Restitution => case.damping = with_restitution(case.damping, value),
                Role::Speed => case.speed = value,
                Role::Own(name) => set_parameter(&mut case, name, value),
                Role::Touch => sensor.touch = value,
                Role::Offset => sensor.offset = value,
                Role::Drift => sensor.drift = value,
            }
        }
        (case, sensor)
    }

    /// Returns the law with these parameters.
    pub fn trial(&self, x: &[f64], row: RowValues) -> Result<TrialImpact> {
        for (free, value) in self.free.iter().zip(x).map(|(free, x)| (free, free.value(*x))) {
            if value > free.limit {
                let allowed = format!("at most {:.3e}", free.limit);
                let advice = sentence!(
                    "larger values give the same curve; fix its value with {}",
                    Action::give_entry(&free.name)
                );
                return Err(Error::invalid(&free.name, value, allowed, advice));
            }
        }
        let (case, sensor) = self.case(x, row);
        let Pair { stiffness, exponent, .. } = case.pair;
        Pair::new(case.pair.mass, stiffness, exponent)?;
        let (speed, conditions) = (case.speed, case.conditions);
        Ok(TrialImpact { law: case.law()?, speed, conditions, sensor })
    }

    /// Returns the impact with these parameters and its motion; `None` if the law cannot be computed with them.
    pub fn motion(&self, x: &[f64]) -> Option<(TrialImpact, ContactMotion)> {
        let trial = self.trial(x, RowValues::default()).ok()?;
        let motion = ContactMotion::new(&trial.law, trial.speed, &trial.conditions).ok()?;
        Some((trial, motion))
    }

    /// Returns the smallest and largest value of the searched variable of each free parameter.
    pub fn bounds(&self) -> Vec<(f64, f64)> {
        self.free.iter().map(FreeParameter::bounds).collect()
    }

    /// Returns for every free parameter of the law its index, and the law with the parameter changed in both
    /// directions.
    pub fn variations(&self, x: &[f64], row: RowValues) -> Vec<(usize, Variation)> {
        let mut all = Vec::new();
        for (i, free) in self.free.iter().enumerate().filter(|(_, free)| !free.is_nuisance()) {
            let changed = |step: f64| {
                let mut x = x.to_vec();
                x[i] += step;
                let (low, high) = free.bounds();
                if !(low..=high).contains(&x[i]) {
                    return None;
                }
                let TrialImpact { law, speed, .. } = self.trial(&x, row).ok()?;
                Some(ChangedLaw { law, touch: law.touch(speed) })
            };
            let speed = if free.role == Role::Speed { free.slope(x[i]) } else { 0.0 };
            let (plus, minus) = (changed(DIFFERENCE_STEP), changed(-DIFFERENCE_STEP));
            // Mass and weight are never free.
            let (mass, external) = (0.0, 0.0);
            all.push((i, Variation { plus, minus, step: DIFFERENCE_STEP, speed, mass, external }));
        }
        all
    }

    /// Returns the index of a role among the free parameters.
    pub fn position(&self, role: &Role) -> Option<usize> {
        self.free.iter().position(|free| free.role == *role)
    }

    /// Frees a parameter, unless it is free already.
    pub fn add(&mut self, role: Role) {
        if self.position(&role).is_none() {
            let free = free_parameter(role, &self.case);
            self.free.push(free);
        }
    }
}

/// Returns the damping for a restitution with the same calibration as before, or exact if none was chosen.
fn with_restitution(damping: Damping, e: f64) -> Damping {
    match damping {
        Damping::Restitution(_) => Damping::Restitution(e),
        _ => Damping::Exact(e),
    }
}

/// Sets a parameter of the law, or a property of the pair.
fn set_parameter(case: &mut Case, name: &'static str, value: f64) {
    match case.model.parameters.iter().any(|p| p.name == name) {
        true => match case.set.iter_mut().find(|(known, _)| known == name) {
            Some(entry) => entry.1 = value,
            None => case.set.push((name.to_string(), value)),
        },
        false => {
            case.pair.facts.retain(|(known, _)| *known != name);
            case.pair.facts.push((name, value));
        }
    }
}

/// Returns the declaration of a parameter of the law.
pub(super) fn find_parameter(case: &Case, name: &str) -> Option<&'static Parameter> {
    case.model.parameters.iter().find(|p| p.name == name)
}

/// Names of free parameters that do not depend on the law.
const GENERAL_PARAMETERS: [(&str, Role); 8] = [
    ("stiffness", Role::Stiffness),
    ("exponent", Role::Exponent),
    ("damping", Role::Damping),
    ("restitution", Role::Restitution),
    ("speed", Role::Speed),
    ("touch", Role::Touch),
    ("offset", Role::Offset),
    ("drift", Role::Drift),
];

/// Returns the role of the free parameter with this name.
pub(super) fn role_of_name(case: &Case, name: &str) -> Result<Role> {
    let plain = name.trim().replace('-', "_");
    let general =
        GENERAL_PARAMETERS.iter().find(|(known, _)| *known == plain).map(|(_, role)| role.clone());
    let own = || find_parameter(case, &plain).map(|parameter| Role::Own(parameter.name));
    general.or_else(own).ok_or_else(|| {
        let own = case.model.parameters.iter().map(|p| p.name);
        let known: Vec<_> = GENERAL_PARAMETERS.iter().map(|(name, _)| *name).chain(own).collect();
        let otherwise = format!("`{}` has {}", case.model.id, known.join(", "));
        Error::unknown("free parameter", name, known, &otherwise)
    })
}

/// Returns unit, range and scale of a free parameter.
fn free_parameter(role: Role, case: &Case) -> FreeParameter {
    const POSITIVE: (f64, f64) = (0.0, f64::MAX);
    let free = |name: &str, unit: String, logarithmic, range| FreeParameter {
        role: role.clone(),
        name: name.to_string(),
        unit,
        logarithmic,
        range,
        limit: f64::INFINITY,
    };
    let number = String::new;
    match role {
        Role::Stiffness => {
            let unit = Dimension::stiffness_unit(case.pair.exponent);
            free("stiffness", unit, true, POSITIVE)
        }
        Role::Exponent => free("exponent", number(), false, (1.0, 5.0)),
        Role::Damping => free("damping", number(), true, POSITIVE),
        Role::Restitution => free("restitution", number(), false, (1e-3, 1.0)),
        Role::Speed => free("speed", "m/s".into(), true, POSITIVE),
        Role::Touch => free("touch", "s".into(), false, (f64::MIN, f64::MAX)),
        Role::Offset => free("offset", "N".into(), false, (f64::MIN, f64::MAX)),
        Role::Drift => free("drift", "N/s".into(), false, (f64::MIN, f64::MAX)),
        Role::Own(name) => {
            let declared = find_parameter(case, name);
            let (low, high) = declared.map_or((0.0, f64::MAX), |p| p.range);
            let unit = declared.map_or(String::new(), |p| p.unit_at(case.pair.exponent));
            // Dimensionless parameters are searched directly, quantities with a unit by their logarithm.
            let logarithmic = low >= 0.0 && !unit.is_empty();
            // Zero is excluded, because most laws divide by such a parameter.
            let low = if name == "rate_exponent" || name == "rate_power" { 1e-3 } else { low };
            let range = (low.max(-f64::MAX), high.min(f64::MAX));
            free(name, unit, logarithmic, range)
        }
    }
}

/// Returns whether the dissipation of a case was not given.
pub(super) fn lacks_dissipation(case: &Case) -> bool {
    let set = |names: &[&str]| case.set.iter().any(|(name, _)| names.contains(&name.as_str()));
    match case.model.input {
        Input::Elastic => false,
        Input::Restitution => case.damping == Damping::None && !set(case.model.stands_in),
        Input::Coefficient | Input::Material => case.damping == Damping::None,
    }
}
