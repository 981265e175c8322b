//! The numbers of an impact that batches and sweeps return, named like the columns of an impact.

use crate::error::{Error, Result};
use crate::impact::Impact;
use crate::law::Law;
use crate::model::Model;

/// A computed case: its model, law and impact.
pub(crate) type EvaluatedCase = (&'static Model, Law, Impact);

/// One of the numbers of an impact.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Name of the column.
    pub name: &'static str,
    /// SI unit; empty for pure numbers and for units that depend on the exponents.
    pub unit: &'static str,
    value: Value,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    /// A number that depends on the impact only.
    OfImpact(fn(&Impact) -> f64),
    /// A number that also depends on the model and the law.
    OfCase(fn(&Model, &Law, &Impact) -> f64),
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Outputs of a study that does not specify any.
pub const DEFAULT_OUTPUTS: [&str; 4] =
    ["restitution_newton", "duration", "force_max", "indentation_max"];

/// Declares the outputs: first those that are a field of the impact, then all others. The fields are also available
/// as an array, because calls through pointers would take a significant part of the time of an impact on a curve.
macro_rules! outputs {
    ($($name:literal, $unit:literal, $($field:ident).+;)* others: [$($other:expr,)*]) => {
        /// Number of outputs that depend on the impact only; they are the first ones of [`OUTPUTS`].
        pub const IMPACT_OUTPUTS: usize = [$($name),*].len();

        /// All outputs.
        pub const OUTPUTS: [Output; IMPACT_OUTPUTS + [$(stringify!($other)),*].len()] =
            [$(of_impact($name, $unit, |impact| impact.$($field).+),)* $($other,)*];

        /// Returns the numbers of an impact in the order of [`OUTPUTS`].
        pub fn numbers(impact: &Impact) -> [f64; IMPACT_OUTPUTS] {
            [$(impact.$($field).+),*]
        }
    };
}

outputs! {
    "restitution_newton", "", restitution.newton;
    "restitution_poisson", "", restitution.poisson;
    "restitution_stronge", "", restitution.stronge;
    "duration", "s", duration;
    "indentation_max", "m", indentation_max;
    "time_of_indentation_max", "s", time_of_indentation_max;
    "force_max", "N", force_max;
    "time_of_force_max", "s", time_of_force_max;
    "residual_indentation", "m", residual_indentation;
    "impulse_compression", "N s", impulse.compression;
    "impulse_restitution", "N s", impulse.restitution;
    "energy_initial", "J", energy.initial;
    "energy_lost_in_compression", "J", energy.lost_in_compression;
    "energy_lost_in_restitution", "J", energy.lost_in_restitution;
    others: [
        of_case("pair_mass", "kg", |_, law, _| law.mass),
        of_case("pair_stiffness", "", |_, law, _| law.power().map_or(f64::NAN, |p| p.stiffness)),
        of_case("pair_exponent", "", |_, law, _| law.power().map_or(f64::NAN, |p| p.elastic.value())),
        of_case("damping_coefficient", "", |model, law, i| {
            model.written_coefficient(law, i.speed).unwrap_or(f64::NAN)
        }),
        of_case("damping_epsilon", "", |_, law, i| {
            law.power().map_or(f64::NAN, |p| p.epsilon(law.mass, i.speed))
        }),
    ]
}

const fn of_impact(name: &'static str, unit: &'static str, value: fn(&Impact) -> f64) -> Output {
    Output { name, unit, value: Value::OfImpact(value) }
}

const fn of_case(
    name: &'static str,
    unit: &'static str,
    value: fn(&Model, &Law, &Impact) -> f64,
) -> Output {
    Output { name, unit, value: Value::OfCase(value) }
}

impl Output {
    /// Finds an output by its name; `restitution` is that of Newton.
    ///
    /// # Errors
    /// When there is no such output; the error contains the most similar name.
    pub fn find(name: &str) -> Result<Self> {
        let wanted = match name.trim() {
            "restitution" => "restitution_newton",
            other => other,
        };
        OUTPUTS.iter().find(|output| output.name == wanted).copied().ok_or_else(|| {
            Error::not_among("output", name, OUTPUTS.iter().map(|output| output.name))
        })
    }

    /// Returns the number for a computed case.
    pub(crate) fn of(&self, (model, law, impact): &EvaluatedCase) -> f64 {
        match self.value {
            Value::OfImpact(value) => value(impact),
            Value::OfCase(value) => value(model, law, impact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_outputs_follow_from_the_impact_alone() {
        let alone = OUTPUTS.map(|output| matches!(output.value, Value::OfImpact(_)));
        assert_eq!(alone.iter().position(|alone| !alone), Some(IMPACT_OUTPUTS));
    }
}
