//! Reads an axis of a study: a list, a range or a distribution.

use super::super::axis::{Axis, Distribution, Points, range};
use crate::batch::Parameter;
use crate::error::{Error, Result};
use crate::spec::{Quantity, Spec};
use crate::units::Dimension;
use serde::Deserialize;

/// Largest number of values of an axis.
const VALUE_LIMIT: u64 = 10_000_000;

/// The keys of an axis.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct AxisText {
    /// A number or word of `[impact]`, `body_1.radius`, `body_2.material`, …, a parameter of the law, or `label`, a word
    /// that changes nothing; needed.
    parameter: String,
    /// A list of numbers, quantities or words.
    values: Option<Vec<Quantity>>,
    /// Lower end of a range; where a distribution is cut off.
    from: Option<Quantity>,
    /// Upper end.
    to: Option<Quantity>,
    /// Number of values of a range; needed there.
    count: Option<u64>,
    /// Spacing of a range: `linear` or `log`; `linear` unless given.
    spacing: Option<String>,
    /// `uniform`, `log-uniform`, `normal` or `lognormal`, instead of a list or range.
    distribution: Option<String>,
    /// Mean; needed by `normal`.
    mean: Option<Quantity>,
    /// Median; needed by `lognormal`.
    median: Option<Quantity>,
    /// Standard deviation, of the logarithm for `lognormal`; needed by both.
    deviation: Option<Quantity>,
    /// Axes with the same word here advance together.
    zip: Option<String>,
}

impl AxisText {
    /// The axis, checked against the base of the study.
    pub(super) fn axis(&self, base: &Spec) -> Result<Axis> {
        let parameter = Parameter::find(&self.parameter)?;
        let points = match (&self.values, &self.distribution) {
            (Some(_), Some(_)) => Err(self.too_much("values", "distribution")),
            (Some(values), None) => self.listed(&parameter, values, base),
            (None, Some(name)) => self.random(&parameter, name, base).map(Points::Random),
            (None, None) => self.range(&parameter, base).map(Points::Numbers),
        }?;
        if self.zip.is_some() && matches!(points, Points::Random(_)) {
            let advice = "samples advance together anyway; zip lists and ranges";
            return Err(Error::unsupported(
                format!("zip of the distribution of {}", self.parameter),
                advice,
            ));
        }
        Ok(Axis { parameter, points, zip: self.zip.clone() })
    }

    fn too_much(&self, one: &str, other: &str) -> Error {
        Error::unsupported(
            format!("{one} and {other} of {} together", self.parameter),
            "give one of them",
        )
    }

    /// Refuses keys that would be ignored.
    fn refuse(&self, kind: &str, allowed: &[&str]) -> Result<()> {
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

    fn si(&self, parameter: &Parameter, value: &Quantity, base: &Spec) -> Result<f64> {
        let dimension = match (parameter.dimension(base), value) {
            (Some(dimension), _) => dimension,
            // Depends on the law or on exponents that vary: take the unit that is written.
            (None, Quantity::Text(text)) => Dimension::in_text(text),
            (None, Quantity::Number(_)) => Dimension::NUMBER,
        };
        value.si(parameter.name(), dimension)
    }

    /// A key that is needed.
    fn needed(
        &self,
        key: &str,
        value: &Option<Quantity>,
        parameter: &Parameter,
        base: &Spec,
    ) -> Result<f64> {
        match value {
            Some(value) => self.si(parameter, value, base),
            None => Err(Error::missing(
                format!("{key} of {}", self.parameter),
                "an axis is a list (values), a range (from, to, count) or a distribution (uniform and \
                 log-uniform: from, to; normal: mean, deviation; lognormal: median, deviation)",
            )),
        }
    }

    fn words_only(&self, parameter: &Parameter) -> Result<()> {
        match parameter.is_word() {
            true => Err(Error::unsupported(
                format!("a range or distribution of {}", self.parameter),
                "its values are words; list them: values = [\"…\", \"…\"]",
            )),
            false => Ok(()),
        }
    }

    fn listed(&self, parameter: &Parameter, values: &[Quantity], base: &Spec) -> Result<Points> {
        self.refuse("a list", &[])?;
        if values.is_empty() {
            let advice = "give at least one, or leave the axis out";
            return Err(Error::invalid(
                format!("values of {}", self.parameter),
                "[]",
                "not empty",
                advice,
            ));
        }
        if !parameter.is_word() {
            let numbers: Result<_> = values.iter().map(|v| self.si(parameter, v, base)).collect();
            return Ok(Points::Numbers(numbers?));
        }
        let word = |value: &Quantity| match value {
            Quantity::Text(word) => Ok(word.clone()),
            Quantity::Number(number) if parameter.is_label() => Ok(number.to_string()),
            Quantity::Number(number) => Err(Error::invalid(
                self.parameter.as_str(),
                number,
                "a word in quotes",
                "list words: values = [\"…\", \"…\"]",
            )),
        };
        Ok(Points::Words(values.iter().map(word).collect::<Result<_>>()?))
    }

    fn range(&self, parameter: &Parameter, base: &Spec) -> Result<Vec<f64>> {
        self.words_only(parameter)?;
        self.refuse("a range", &["from", "to", "count", "spacing"])?;
        let from = self.needed("from", &self.from, parameter, base)?;
        let to = self.needed("to", &self.to, parameter, base)?;
        let count = match self.count {
            Some(count) if (1..=VALUE_LIMIT).contains(&count) => count,
            Some(count) => {
                let allowed = format!("1 to {VALUE_LIMIT}");
                let advice = "it is the number of values of the range";
                return Err(Error::invalid(
                    format!("count of {}", self.parameter),
                    count,
                    allowed,
                    advice,
                ));
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
                return Err(Error::unknown(
                    "spacing",
                    other,
                    ["linear", "log"],
                    "use linear or log",
                ));
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

    fn random(&self, parameter: &Parameter, name: &str, base: &Spec) -> Result<Distribution> {
        self.words_only(parameter)?;
        let needed = |key: &str, value| self.needed(key, value, parameter, base);
        let end = |value: &Option<Quantity>, otherwise: f64| match value {
            Some(value) => self.si(parameter, value, base),
            None => Ok(otherwise),
        };
        let made = match name {
            "uniform" | "log-uniform" => {
                self.refuse(name, &["from", "to"])?;
                let (from, to) = (needed("from", &self.from)?, needed("to", &self.to)?);
                if name == "uniform" {
                    Distribution::Uniform { from, to }
                } else {
                    self.above_zero(from, name)?;
                    Distribution::LogUniform { from, to }
                }
            }
            "normal" => {
                self.refuse(name, &["mean", "deviation", "from", "to"])?;
                let (mean, deviation) =
                    (needed("mean", &self.mean)?, needed("deviation", &self.deviation)?);
                let (from, to) =
                    (end(&self.from, f64::NEG_INFINITY)?, end(&self.to, f64::INFINITY)?);
                Distribution::Normal { mean, deviation, from, to }
            }
            "lognormal" => {
                self.refuse(name, &["median", "deviation", "from", "to"])?;
                let median = needed("median", &self.median)?;
                self.above_zero(median, name)?;
                let Some(deviation) = &self.deviation else {
                    return Err(Error::missing(
                        format!("deviation of {}", self.parameter),
                        "give the standard deviation of its logarithm, a pure number (0.1 is about 10 %)",
                    ));
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
        crate::error::positive(
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
