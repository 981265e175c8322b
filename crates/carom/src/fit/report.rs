//! What a fit came to, under the names that users see.

use super::series::Kind;
use super::statistics::Statistics;
use crate::law::Law;
use crate::report::Report;
use serde::Serialize;

/// A fit: the impact with the fitted numbers, in the form of [`Report`](crate::report::Report), the numbers with
/// their uncertainties, and how good it is.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FitReport {
    /// The impact with the fitted numbers; for a table of impacts, that of its first row. Its notes
    /// include those of the fit.
    #[serde(flatten)]
    pub impact: Report,
    /// What was free.
    pub parameters: Vec<FittedParameter>,
    /// Correlations of the parameters, in their order.
    pub correlation: Vec<Vec<f64>>,
    /// How good the fit is.
    pub statistics: Statistics,
    /// Root mean square error of numbers that are predicted from a fit to the others; for fewer than 20 of them,
    /// and more than are free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave_one_out: Option<f64>,
    /// What was fitted to.
    pub data: DataReport,
    /// How much worse other values of the parameters are, where they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Measured and fitted numbers of whole impacts; empty for curves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<Outcome>,
    /// The curve; empty for numbers of whole impacts.
    #[serde(skip)]
    pub curve: FittedCurve,
    /// The law with the fitted numbers; for a table of impacts, that of its first row.
    #[serde(skip)]
    pub law: Law,
}

/// A free number after the fit.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FittedParameter {
    /// Its name in the description.
    pub name: String,
    /// SI unit; empty for pure numbers.
    pub unit: String,
    /// Its value (SI).
    pub value: f64,
    /// Standard error (SI); infinite, `null` in JSON, where the data do not determine it.
    pub standard_error: f64,
    /// How many independent points the standard error is worth (not a whole number where the noise is correlated): an
    /// interval is as many standard errors as Student's distribution says.
    pub degrees_of_freedom: f64,
    /// Lower end of the interval of 95 % (SI).
    pub low_95: f64,
    /// Upper end of the interval of 95 % (SI).
    pub high_95: f64,
    /// Where the search began.
    pub start: f64,
    /// By repeated fits, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Bootstrap>,
}

/// What repeated fits say about a number.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Bootstrap {
    /// Standard deviation over the repeats.
    pub standard_error: f64,
    /// 2.5 % of the repeats lie below.
    pub low: f64,
    /// 2.5 % of the repeats lie above.
    pub high: f64,
    /// Repeats that converged.
    pub repeats: usize,
}

/// What was fitted to.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DataReport {
    /// What kind of data.
    pub kind: Kind,
    /// Rows that were given.
    pub rows: usize,
    /// Points within the impact, after averaging.
    pub points: usize,
    /// Rows averaged into one point.
    pub averaged: usize,
    /// What was subtracted from the force (N).
    pub baseline: f64,
    /// Scatter of one point (N), by its second differences.
    pub noise: f64,
    /// Beginning of the impact in the record, or 0 (s or m).
    pub from: f64,
    /// End of the impact in the record, or the largest indentation (s or m).
    pub to: f64,
}

/// Other values of the parameters, beside the fitted ones.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// The values.
    pub values: Vec<(String, f64)>,
    /// Root mean square of the residuals with them.
    pub residual_rms: f64,
    /// By how much the fit is better: 1 − rms of the fit over rms with these values.
    pub improvement: f64,
}

/// A number of an impact, measured and fitted.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Which row, from 1 on.
    pub row: usize,
    /// Which number.
    pub name: &'static str,
    /// Measured (SI).
    pub measured: f64,
    /// With the fitted parameters (SI).
    pub fitted: f64,
    /// Relative error.
    pub error: f64,
    /// Relative error with the reference values, where they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_error: Option<f64>,
}

/// Points that were fitted, and the law through them.
#[derive(Clone, Debug, Default)]
pub struct FittedCurve {
    /// Time (s) or indentation (m) of the points.
    pub x: Vec<f64>,
    /// Force of the points (N).
    pub measured: Vec<f64>,
    /// Fitted minus measured (N).
    pub residuals: Vec<f64>,
    /// The law: time or indentation, and force, from touch to the end of contact.
    pub law: Vec<(f64, f64)>,
    /// Lower edge of its 95 % confidence band, point by point; empty where nothing is free.
    pub lower: Vec<(f64, f64)>,
    /// Upper edge of the band.
    pub upper: Vec<(f64, f64)>,
}
