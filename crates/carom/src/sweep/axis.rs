//! One axis of a study: a parameter and its values.

use crate::numeric::normal;

/// A parameter and its values.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the parameter.
    pub(super) name: String,
    /// SI unit of its numbers; empty for dimensionless numbers and for words.
    pub(super) unit: String,
    /// Values of the axis.
    pub(super) points: Points,
    /// Name of a group of axes that advance together.
    pub(super) zip: Option<String>,
}

/// Values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// Words, such as laws, materials or labels.
    Words(Vec<String>),
    /// Numbers in SI units.
    Numbers(Vec<f64>),
    /// Random numbers with this distribution.
    Random(Distribution),
}

/// Value of an axis in one case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number in SI units.
    Number(f64),
    /// An index into the list of words.
    Word(u32),
}

/// A distribution in SI units; it is evaluated by its quantile function, so that every sampling method can use it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// Uniform between two numbers.
    Uniform {
        /// Lower end.
        from: f64,
        /// Upper end.
        to: f64,
    },
    /// Uniform in the logarithm between two numbers.
    LogUniform {
        /// Lower end, above 0.
        from: f64,
        /// Upper end.
        to: f64,
    },
    /// Normal distribution, truncated to `from..to`.
    Normal {
        /// Mean before truncation.
        mean: f64,
        /// Standard deviation before truncation.
        deviation: f64,
        /// Lower end; may be −∞.
        from: f64,
        /// Upper end; may be ∞.
        to: f64,
    },
    /// Lognormal distribution, truncated to `from..to`.
    LogNormal {
        /// Median before truncation.
        median: f64,
        /// Standard deviation of the logarithm.
        deviation: f64,
        /// Lower end; 0 for none.
        from: f64,
        /// Upper end; may be ∞.
        to: f64,
    },
}

impl Axis {
    /// Returns the name of the parameter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the SI unit of the numbers; empty for dimensionless numbers and for words.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Returns the word for a value; `None` for numbers.
    pub fn word(&self, value: Value) -> Option<&str> {
        match (value, &self.points) {
            (Value::Word(k), Points::Words(words)) => words.get(k as usize).map(String::as_str),
            _ => None,
        }
    }

    /// Returns the number for a value, in SI units; `None` for words.
    pub fn number(&self, value: Value) -> Option<f64> {
        match value {
            Value::Number(number) => Some(number),
            Value::Word(_) => None,
        }
    }

    /// Returns the values.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Returns the number of values of a list or range; `None` for distributions.
    pub fn count(&self) -> Option<u64> {
        match &self.points {
            Points::Words(words) => Some(words.len() as u64),
            Points::Numbers(numbers) => Some(numbers.len() as u64),
            Points::Random(_) => None,
        }
    }

    /// Returns the distribution, if the axis has one.
    pub fn distribution(&self) -> Option<&Distribution> {
        match &self.points {
            Points::Random(distribution) => Some(distribution),
            _ => None,
        }
    }
}

impl Distribution {
    /// Returns the quantile for the probability `u` in (0, 1).
    ///
    /// ```
    /// use carom::sweep::Distribution;
    /// let mass = Distribution::Normal { mean: 2.0, deviation: 0.5, from: f64::NEG_INFINITY, to: f64::INFINITY };
    /// assert!((mass.quantile(0.975) - 2.97998).abs() < 1e-5);
    /// ```
    pub fn quantile(&self, u: f64) -> f64 {
        match *self {
            Self::Uniform { from, to } => from + u * (to - from),
            Self::LogUniform { from, to } => from * (u * (to / from).ln()).exp(),
            Self::Normal { mean, deviation, from, to } => {
                let z = truncated(u, (from - mean) / deviation, (to - mean) / deviation);
                (mean + deviation * z).clamp(from, to)
            }
            Self::LogNormal { median, deviation, from, to } => {
                let z =
                    truncated(u, (from / median).ln() / deviation, (to / median).ln() / deviation);
                (median * (deviation * z).exp()).clamp(from, to)
            }
        }
    }

    /// Returns the name of the distribution in a study.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform { .. } => "uniform",
            Self::LogUniform { .. } => "log-uniform",
            Self::Normal { .. } => "normal",
            Self::LogNormal { .. } => "lognormal",
        }
    }
}

/// Returns the quantile of a standard normal distribution truncated to `low..high`.
fn truncated(u: f64, low: f64, high: f64) -> f64 {
    match (low, high) {
        (f64::NEG_INFINITY, f64::INFINITY) => normal::quantile(u),
        // Φ has no significant digits left near 1, so the lower tail is used by symmetry.
        _ if low > 0.0 => -truncated(1.0 - u, -high, -low),
        _ => {
            let (below, above) = (normal::cumulative(low), normal::cumulative(high));
            normal::quantile(below + u * (above - below))
        }
    }
}

/// Returns `count` numbers from `from` to `to` with equal spacing, or with equal ratios; both ends are exact.
pub(super) fn range(from: f64, to: f64, count: u64, logarithmic: bool) -> Vec<f64> {
    let last = count.saturating_sub(1);
    let number = |k: u64| match k {
        0 => from,
        k if k == last => to,
        k => {
            let t = k as f64 / last as f64;
            match logarithmic {
                true => from * (t * (to / from).ln()).exp(),
                false => from + t * (to - from),
            }
        }
    };
    (0..count).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_distribution_stays_inside_and_keeps_its_shape() {
        let cut = Distribution::Normal { mean: 1.0, deviation: 1.0, from: 0.0, to: 1.5 };
        for k in 1..1000 {
            assert!((0.0..=1.5).contains(&cut.quantile(k as f64 / 1000.0)));
        }
        // scipy.stats.truncnorm(-1, 0.5, 1, 1).ppf([0.25, 0.9])
        assert!((cut.quantile(0.25) - 0.4520323437).abs() < 1e-9, "{}", cut.quantile(0.25));
        assert!((cut.quantile(0.9) - 1.3536028757).abs() < 1e-9, "{}", cut.quantile(0.9));
        let far = Distribution::Normal { mean: 0.0, deviation: 1.0, from: 9.0, to: f64::INFINITY };
        // scipy.stats.truncnorm(9, inf).ppf(0.5)
        assert!((far.quantile(0.5) - 9.0757870655).abs() < 1e-6, "{}", far.quantile(0.5));
    }

    #[test]
    fn ranges_have_exact_ends() {
        assert_eq!(range(0.1, 0.7, 4, false).last(), Some(&0.7));
        let log = range(1.0, 1000.0, 4, true);
        assert!((log[1] - 10.0).abs() < 1e-12 && log[3] == 1000.0);
        assert_eq!(range(2.0, 2.0, 1, true), [2.0]);
    }
}
