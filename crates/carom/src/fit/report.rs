//! Results of a fit, with the names that users see.

use super::series::Kind;
use super::statistics::Statistics;
use crate::law::Law;
use crate::report::Report;
use serde::Serialize;

/// Result of a fit: the impact with the fitted parameters in the form of [`Report`](crate::report::Report), the
/// parameters with their uncertainties, and the quality of the fit.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FitReport {
    /// Impact with the fitted parameters; for a table of impacts, that of its first row. Its notes include those of
    /// the fit.
    #[serde(flatten)]
    pub impact: Report,
    /// Free parameters.
    pub parameters: Vec<FittedParameter>,
    /// Correlations of the parameters, in the order of `parameters`.
    pub correlation: Vec<Vec<f64>>,
    /// Quality of the fit.
    pub statistics: Statistics,
    /// Root mean square error of values that are predicted from a fit to the others; given for fewer than 20 values,
    /// if these are more than the free parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave_one_out: Option<f64>,
    /// Data to which the law was fitted.
    pub data: DataReport,
    /// Comparison with given values of the parameters, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Measured and fitted results of whole impacts; empty for curves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<Outcome>,
    /// Measured points and fitted curve; empty for results of whole impacts.
    #[serde(skip)]
    pub curve: FittedCurve,
    /// Law with the fitted parameters; for a table of impacts, that of its first row.
    #[serde(skip)]
    pub law: Law,
}

/// A free parameter after the fit.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FittedParameter {
    /// Name of the parameter in the description.
    pub name: String,
    /// SI unit; empty for dimensionless parameters.
    pub unit: String,
    /// Fitted value (SI).
    pub value: f64,
    /// Standard error (SI); infinite, `null` in JSON, if the data do not determine the parameter.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error (not an integer if the noise is correlated). Student's distribution
    /// with these degrees of freedom determines the half width of an interval in standard errors.
    pub degrees_of_freedom: f64,
    /// Lower end of the 95 % confidence interval (SI).
    pub low_95: f64,
    /// Upper end of the 95 % confidence interval (SI).
    pub high_95: f64,
    /// Start value of the search (SI).
    pub start: f64,
    /// Results of the bootstrap, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Bootstrap>,
}

/// Bootstrap estimates of the uncertainty of a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Bootstrap {
    /// Standard deviation over the repetitions.
    pub standard_error: f64,
    /// 2.5 % quantile of the repetitions.
    pub low: f64,
    /// 97.5 % quantile of the repetitions.
    pub high: f64,
    /// Number of repetitions that converged.
    pub repeats: usize,
}

/// Data to which a law was fitted.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DataReport {
    /// Kind of the data.
    pub kind: Kind,
    /// Number of rows that were given.
    pub rows: usize,
    /// Number of points within the impact, after averaging.
    pub points: usize,
    /// Number of rows averaged into one point.
    pub averaged: usize,
    /// Baseline that was subtracted from the force (N).
    pub baseline: f64,
    /// Standard deviation of the noise of one point (N), estimated from second differences.
    pub noise: f64,
    /// Beginning of the impact in the record, or 0 (s or m).
    pub from: f64,
    /// End of the impact in the record, or the largest indentation (s or m).
    pub to: f64,
}

/// Comparison of the fit with given values of the parameters.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// Names and values of the parameters.
    pub values: Vec<(String, f64)>,
    /// Root mean square of the residuals with these values.
    pub residual_rms: f64,
    /// Improvement by the fit: 1 − rms of the fit/rms with these values.
    pub improvement: f64,
}

/// A result of an impact, measured and fitted.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Number of the row, beginning with 1.
    pub row: usize,
    /// Name of the result.
    pub name: &'static str,
    /// Measured value (SI).
    pub measured: f64,
    /// Value with the fitted parameters (SI).
    pub fitted: f64,
    /// Relative error of the fitted value.
    pub error: f64,
    /// Relative error with the reference values, if they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_error: Option<f64>,
}

/// Points that were fitted, and the curve of the fitted law.
#[derive(Clone, Debug, Default)]
pub struct FittedCurve {
    /// Time (s) or indentation (m) of the points.
    pub x: Vec<f64>,
    /// Force of the points (N).
    pub measured: Vec<f64>,
    /// Fitted minus measured (N).
    pub residuals: Vec<f64>,
    /// Points of the law, from touch to the end of contact: time (s) or indentation (m), and force (N).
    pub law: Vec<(f64, f64)>,
    /// Lower edge of the 95 % confidence band at the points of `law`; empty if nothing is free.
    pub lower: Vec<(f64, f64)>,
    /// Upper edge of the 95 % confidence band.
    pub upper: Vec<(f64, f64)>,
}
