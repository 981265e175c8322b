//! Fits the parameters of a law to measured curves or to the results of several impacts.
//!
//! ```
//! use carom::fit::{Data, Options, fit};
//! use carom::spec::Spec;
//! # use carom::impact::{Conditions, Trajectory};
//! # use carom::{Damping, Pair, model};
//! # let pair = Pair::new(0.54, 2.4144e10, 1.5)?;
//! # let law = model("hunt-crossley-1975")?.law(&pair, Damping::Coefficient(2e10), None, &[])?;
//! # let measured = Trajectory::new(&law, 0.5, &Conditions::default(), 400)?;
//! # let (time, force) = (measured.time, measured.force);
//! // A force transducer: times in s, forces in N. Mass and speed are known, K and c are not.
//! let data = Data::ForceTime { time: &time, force: &force };
//! let spec = Spec {
//!     law: "hunt-crossley-1975".into(),
//!     mass: Some(0.54.into()),
//!     speed: Some(0.5.into()),
//!     ..Spec::default()
//! };
//! let found = fit(&data, &spec, &Options::default())?;
//! assert!((found.impact.pair.stiffness / 2.4144e10 - 1.0).abs() < 1e-4);
//! assert_eq!(found.parameters[0].name, "damping");
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # How a fit is computed
//!
//! - `fit/series.rs` sorts a curve and finds its zero, its sign and the impact in it;
//! - `fit/start.rs` decides which parameters are free and computes their start values by
//!   [`identify`](crate::identify);
//! - `fit/sensitivity.rs` integrates the variational equations along the motion, so that derivatives are exact
//!   derivatives of the solution instead of finite differences;
//! - `fit/curve.rs` and `fit/outcomes.rs` compute the residuals, `fit/least_squares.rs` minimises them
//!   (Levenberg–Marquardt), optionally with a robust [`Loss`];
//! - `fit/statistics.rs` computes the uncertainty of the parameters and finds those that the data do not determine;
//!   `fit/touch.rs` computes the uncertainty of the time of touch if the force jumps or rises steeply;
//! - `fit/band.rs` computes the confidence band of the fitted curve;
//! - [`fit_together`] fits several records at once, with shared parameters (`fit/joint_problem.rs`);
//! - [`gradient`] computes the same derivatives for one impact: d(e, T, F)/d(parameters);
//! - [`rank`] fits many laws and orders them by how well they explain the data: by AICc, or by leave-one-out errors
//!   if there are only a few measured values;
//! - [`table::TableReader`] reads CSV text into columns with units.

mod band;
mod collocation;
mod correlated;
mod curve;
mod ending;
mod gradient;
mod impact_numbers;
mod joint_problem;
mod least_squares;
mod loss;
mod notes;
mod outcomes;
mod prepare;
mod probe;
mod ranking;
mod ranking_together;
mod report;
mod results;
mod run;
mod scales;
mod search;
mod sensitivity;
mod series;
mod slopes;
mod start;
mod statistics;
mod subject;
mod together;
mod touch;

pub use gradient::{Gradient, gradient};
pub use impact_numbers::GRADIENT_OUTPUTS;
pub use least_squares::EndReason;
pub use loss::Loss;
pub use outcomes::Observation;
pub use ranking::{Criterion, FailedFit, RankedLaw, Ranking, rank};
pub use ranking_together::{JointRanking, rank_together};
pub use report::{
    Bootstrap, DataReport, FitReport, FittedCurve, FittedParameter, Outcome, Reference,
};
pub use run::fit;
pub use series::{Kind, MAX_POINTS, Series, Window};
pub use statistics::Statistics;
pub use together::{JointRecord, JointReport, JointStatistics, Record, fit_together};

pub use crate::measured_table as table;
use crate::stop::Stop;

/// Measured data as columns in SI units; NaN where a value is missing.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// Force (N) over time (s).
    ForceTime {
        /// Times (s), in any order.
        time: &'a [f64],
        /// Forces (N), of either sign.
        force: &'a [f64],
    },
    /// Acceleration (m/s²) over time (s), for example of a drop test. It is multiplied by the mass of the description
    /// to obtain the force; the reading before the impact (0 or −9.81 m/s²) is subtracted as its zero.
    AccelerationTime {
        /// Times (s), in any order.
        time: &'a [f64],
        /// Accelerations (m/s²), of either sign.
        acceleration: &'a [f64],
    },
    /// Force (N) over indentation (m).
    ForceIndentation {
        /// Indentations (m), positive in contact.
        indentation: &'a [f64],
        /// Forces (N), positive when they push.
        force: &'a [f64],
    },
    /// Results of whole impacts, such as speeds before and after.
    Outcomes(&'a [Observation]),
}

impl Data<'_> {
    /// Returns the kind of the data.
    pub fn kind(&self) -> Kind {
        match self {
            Self::ForceTime { .. } => Kind::ForceTime,
            Self::AccelerationTime { .. } => Kind::AccelerationTime,
            Self::ForceIndentation { .. } => Kind::ForceIndentation,
            Self::Outcomes(_) => Kind::Outcomes,
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::ForceTime { time, .. } | Self::AccelerationTime { time, .. } => time.len(),
            Self::ForceIndentation { indentation, .. } => indentation.len(),
            Self::Outcomes(rows) => rows.len(),
        }
    }
}

/// Options of a fit.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of parameters to be free: `stiffness`, `exponent`, `damping`, `restitution`, `speed`, `offset`, or
    /// parameters of the law. Parameters that are needed and not given are free as well.
    pub free: Vec<String>,
    /// Loss function, which determines how much a large residual counts.
    pub loss: Loss,
    /// Number of bootstrap repetitions for confidence intervals; 0 for none.
    pub bootstrap: usize,
    /// Seed of the random numbers of the bootstrap.
    pub seed: u64,
    /// Part of a record to be fitted.
    pub window: Window,
    /// Time of touch (s), if it is known; otherwise it is free.
    pub touch: Option<f64>,
    /// Values of free parameters with which the fit is compared.
    pub reference: Vec<(String, f64)>,
    /// Whether the data are those of a drop test: the weight, effective mass times 9.80665 m/s², presses the bodies
    /// together during contact.
    pub gravity: bool,
    /// Flag that ends the fit with an error when it is raised.
    pub stop: Stop,
}

#[cfg(test)]
mod tests;
