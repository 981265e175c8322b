//! Reads an axis of a study: a list, a range or a distribution.
//!
//! The permitted values of an axis depend on its parameter ([`AllowedValues`]): for a parameter of an impact the unit is
//! known. A key of a scene takes either quantities with the unit that is written or words; the scene checks both.

use super::super::axis::{Axis, Distribution, Points, range};
use crate::batch::Parameter;
use crate::error::{Error, Result};
use crate::spec::{Quantity, Spec};
use crate::units::Dimension;
use serde::Deserialize;

/// Largest number of values of an axis.
const VALUE_LIMIT: u64 = 10_000_000;

/// Keys of an axis.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct AxisText {
    /// Name of the parameter: a number or word of `[impact]`, `body_1.radius`, `body_2.material`, …, a parameter of
    /// the law; in a study of a scene one of its keys, such as `wrist pin.clearance`; or `label`, a word that changes
    /// nothing. Needed.
    pub(super) parameter: String,
    /// List of numbers, quantities or words.
    pub(super) values: Option<Vec<Quantity>>,
    /// Lower end of a range, or lower limit at which a distribution is truncated.
    pub(super) from: Option<Quantity>,
    /// Upper end of a range, or upper limit at which a distribution is truncated.
    pub(super) to: Option<Quantity>,
    /// Number of values of a range; needed for a range.
    pub(super) count: Option<u64>,
    /// Spacing of a range: `linear` or `log`; `linear` unless given.
    pub(super) spacing: Option<String>,
    /// Distribution instead of a list or range: `uniform`, `log-uniform`, `normal` or `lognormal`.
    pub(super) distribution: Option<String>,
    /// Mean of the distribution; needed for `normal`.
    pub(super) mean: Option<Quantity>,
    /// Median of the distribution; needed for `lognormal`.
    pub(super) median: Option<Quantity>,
    /// Standard deviation, for `lognormal` that of the logarithm; needed for `normal` and `lognormal`.
    pub(super) deviation: Option<Quantity>,
    /// Name of a group; axes with the same name here advance together.
    pub(super) zip: Option<String>,
}

/// Permitted values of an axis.
pub(super) struct AllowedValues {
    words: Words,
    /// Dimension of its numbers; `None` if it depends on the law or on exponents that vary.
    dimension: Option<Dimension>,
    unit: String,
}

/// Whether the values are words.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    Never,
    Always,
    /// Always, and numbers are taken as words as well.
    Label,
}

impl AllowedValues {
    /// Returns the permitted values of a parameter of an impact.
    pub(super) fn of_impact(parameter: &Parameter, base: &Spec) -> Self {
        let words = match (parameter.is_label(), parameter.is_word()) {
            (true, _) => Words::Label,
            (false, true) => Words::Always,
            (false, false) => Words::Never,
        };
        Self { words, dimension: parameter.dimension(base), unit: parameter.unit(base) }
    }
}

/// Returns whether a text is a number, with or without a unit.
pub(super) fn is_quantity(text: &str) -> bool {
    crate::units::parse("value", text, Dimension::in_text(text)).is_ok()
}

impl AxisText {
    /// Reads the axis of a key of a scene.
    pub(super) fn of_scene(&self) -> Result<Axis> {
        let single = [&self.from, &self.to, &self.mean, &self.median];
        let given = || self.values.iter().flatten().chain(single.iter().copied().flatten());
        let texts = || {
            given().filter_map(|value| match value {
                Quantity::Text(text) => Some(text.as_str()),
                Quantity::Number(_) => None,
            })
        };
        let words = match self.parameter.as_str() {
            "label" => Words::Label,
            _ if self.values.is_some() && !texts().all(is_quantity) => Words::Label,
            _ => Words::Never,
        };
        // All values have one unit: that of the first value that has a unit.
        let mut dimensions = texts().map(Dimension::in_text);
        let dimension = dimensions.find(|it| *it != Dimension::NUMBER && words == Words::Never);
        let unit = dimension.map_or(String::new(), |dimension| dimension.to_string());
        let dimension = Some(dimension.unwrap_or(Dimension::NUMBER));
        self.axis(&self.parameter, &AllowedValues { words, dimension, unit })
    }

    /// Reads the axis with this name and checks its values.
    pub(super) fn axis(&self, name: &str, allowed: &AllowedValues) -> Result<Axis> {
        let points = match (&self.values, &self.distribution) {
            (Some(_), Some(_)) => Err(self.both_given_error("values", "distribution")),
            (Some(values), None) => self.listed_points(allowed, values),
            (None, Some(name)) => self.random_points(allowed, name).map(Points::Random),
            (None, None) => self.range(allowed).map(Points::Numbers),
        }?;
        if self.zip.is_some() && matches!(points, Points::Random(_)) {
            let advice = "samples advance together anyway; zip lists and ranges";
            let what = format!("zip of the distribution of {}", self.parameter);
            return Err(Error::unsupported(what, advice));
        }
        let (name, unit) = (name.to_string(), allowed.unit.clone());
        Ok(Axis { name, unit, points, zip: self.zip.clone() })
    }

    fn both_given_error(&self, one: &str, other: &str) -> Error {
        Error::unsupported(
            format!("{one} and {other} of {} together", self.parameter),
            "give one of them",
        )
    }

    /// Refuses keys that would be ignored.
    fn refuse_others(&self, kind: &str, allowed: &[&str]) -> Result<()> {
        let given = [
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("count", self.count.is_some()),
            ("spacing", self.spacing.is_some()),
            ("mean", self.mean.is_some()),
            ("median", self.median.is_some()),
            ("deviation", self.deviation.is_some()),
        ];
        match given.iter().find(|(name, given)| *given && !allowed.contains(name)) {
            Some((name, _)) => Err(Error::unsupported(
                format!("{name} in {kind} of {}", self.parameter),
                match allowed {
                    [] => "leave it out".to_string(),
                    allowed => format!("it takes {}", allowed.join(", ")),
                },
            )),
            None => Ok(()),
        }
    }

    fn si_value(&self, allowed: &AllowedValues, value: &Quantity) -> Result<f64> {
        let dimension = match (allowed.dimension, value) {
            (Some(dimension), _) => dimension,
            // If the dimension depends on the law or on exponents that vary, the written unit determines it.
            (None, Quantity::Text(text)) => Dimension::in_text(text),
            (None, Quantity::Number(_)) => Dimension::NUMBER,
        };
        value.si(&self.parameter, dimension)
    }

    /// Returns the value of a required key.
    fn required_value(
        &self,
        key: &str,
        value: &Option<Quantity>,
        allowed: &AllowedValues,
    ) -> Result<f64> {
        match value {
            Some(value) => self.si_value(allowed, value),
            None => Err(Error::missing(
                format!("{key} of {}", self.parameter),
                "an axis is a list (values), a range (from, to, count) or a distribution (uniform and \
                 log-uniform: from, to; normal: mean, deviation; lognormal: median, deviation)",
            )),
        }
    }

    /// Refuses a parameter whose values are words.
    fn refuse_words(&self, allowed: &AllowedValues) -> Result<()> {
        match allowed.words != Words::Never {
            true => Err(Error::unsupported(
                format!("a range or distribution of {}", self.parameter),
                "its values are words; list them: values = [\"…\", \"…\"]",
            )),
            false => Ok(()),
        }
    }

    fn listed_points(&self, allowed: &AllowedValues, values: &[Quantity]) -> Result<Points> {
        self.refuse_others("a list", &[])?;
        if values.is_empty() {
            let advice = "give at least one, or leave the axis out";
            let parameter = format!("values of {}", self.parameter);
            return Err(Error::invalid(parameter, "[]", "not empty", advice));
        }
        if allowed.words == Words::Never {
            let numbers: Result<_> = values.iter().map(|v| self.si_value(allowed, v)).collect();
            return Ok(Points::Numbers(numbers?));
        }
        let word = |value: &Quantity| match value {
            Quantity::Text(word) => Ok(word.clone()),
            Quantity::Number(number) if allowed.words == Words::Label => Ok(number.to_string()),
            Quantity::Number(number) => Err(Error::invalid(
                self.parameter.as_str(),
                number,
                "a word in quotes",
                "list words: values = [\"…\", \"…\"]",
            )),
        };
        Ok(Points::Words(values.iter().map(word).collect::<Result<_>>()?))
    }

    fn range(&self, allowed: &AllowedValues) -> Result<Vec<f64>> {
        self.refuse_words(allowed)?;
        self.refuse_others("a range", &["from", "to", "count", "spacing"])?;
        let from = self.required_value("from", &self.from, allowed)?;
        let to = self.required_value("to", &self.to, allowed)?;
        let count = match self.count {
            Some(count) if (1..=VALUE_LIMIT).contains(&count) => count,
            Some(count) => {
                let allowed = format!("1 to {VALUE_LIMIT}");
                let advice = "it is the number of values of the range";
                let parameter = format!("count of {}", self.parameter);
                return Err(Error::invalid(parameter, count, allowed, advice));
            }
            None => {
                let advice = "say how many values the range has, or distribution = \"uniform\"";
                return Err(Error::missing(format!("count of {}", self.parameter), advice));
            }
        };
        let logarithmic = match self.spacing.as_deref() {
            None | Some("linear") => false,
            Some("log" | "logarithmic") => true,
            Some(other) => {
                let otherwise = "use linear or log";
                return Err(Error::unknown("spacing", other, ["linear", "log"], otherwise));
            }
        };
        if logarithmic {
            self.above_zero(from.min(to), "a logarithmic range")?;
        }
        Ok(range(from, to, count, logarithmic))
    }

    fn above_zero(&self, value: f64, kind: &str) -> Result<()> {
        match value > 0.0 {
            true => Ok(()),
            false => Err(Error::invalid(
                self.parameter.as_str(),
                value,
                format!("above 0 in {kind}"),
                "zero and negative numbers have no logarithm",
            )),
        }
    }

    fn random_points(&self, allowed: &AllowedValues, name: &str) -> Result<Distribution> {
        self.refuse_words(allowed)?;
        let needed = |key: &str, value| self.required_value(key, value, allowed);
        let end = |value: &Option<Quantity>, otherwise: f64| match value {
            Some(value) => self.si_value(allowed, value),
            None => Ok(otherwise),
        };
        let made = match name {
            "uniform" | "log-uniform" => {
                self.refuse_others(name, &["from", "to"])?;
                let (from, to) = (needed("from", &self.from)?, needed("to", &self.to)?);
                if name == "uniform" {
                    Distribution::Uniform { from, to }
                } else {
                    self.above_zero(from, name)?;
                    Distribution::LogUniform { from, to }
                }
            }
            "normal" => {
                self.refuse_others(name, &["mean", "deviation", "from", "to"])?;
                let (mean, deviation) =
                    (needed("mean", &self.mean)?, needed("deviation", &self.deviation)?);
                let (from, to) =
                    (end(&self.from, f64::NEG_INFINITY)?, end(&self.to, f64::INFINITY)?);
                Distribution::Normal { mean, deviation, from, to }
            }
            "lognormal" => {
                self.refuse_others(name, &["median", "deviation", "from", "to"])?;
                let median = needed("median", &self.median)?;
                self.above_zero(median, name)?;
                let Some(deviation) = &self.deviation else {
                    let advice = "give the standard deviation of its logarithm, a pure number (0.1 is about 10 %)";
                    return Err(Error::missing(format!("deviation of {}", self.parameter), advice));
                };
                let deviation = deviation.si("deviation", Dimension::NUMBER)?;
                let (from, to) = (end(&self.from, 0.0)?, end(&self.to, f64::INFINITY)?);
                Distribution::LogNormal { median, deviation, from, to }
            }
            other => {
                let known = ["uniform", "log-uniform", "normal", "lognormal"];
                let otherwise = "use uniform, log-uniform, normal or lognormal";
                return Err(Error::unknown("distribution", other, known, otherwise));
            }
        };
        let (deviation, from, to) = match made {
            Distribution::Uniform { from, to } | Distribution::LogUniform { from, to } => {
                (1.0, from, to)
            }
            Distribution::Normal { deviation, from, to, .. }
            | Distribution::LogNormal { deviation, from, to, .. } => (deviation, from, to),
        };
        crate::error::check_positive(
            &format!("deviation of {}", self.parameter),
            deviation,
            "for no spread, say the value in [impact]",
        )?;
        if !(from < to) {
            let what = format!("from of {}", self.parameter);
            return Err(Error::invalid(what, from, format!("below to = {to}"), "swap them"));
        }
        Ok(made)
    }
}
