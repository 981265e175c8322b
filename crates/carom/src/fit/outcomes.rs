//! The least-squares problem of the results of whole impacts: restitutions, durations, peak values.
//!
//! A residual is the relative error of one result, predicted over measured minus one, so that results with different
//! units have equal weight. Derivatives are computed in `fit/impact_numbers.rs`.

use super::impact_numbers::{ImpactNumbers, Number};
use super::least_squares::Problem;
use super::slopes::Variation;
use super::subject::{RowValues, Subject};
use crate::error::{Error, Result, check_positive};
use crate::stop::Stop;
use serde::{Deserialize, Serialize};

/// One measured impact: its conditions and its results, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observation {
    /// Approach speed (m/s); if missing, that of the description.
    pub speed: Option<f64>,
    /// Effective mass (kg), if it differs from row to row.
    pub mass: Option<f64>,
    /// Stiffness K (N/mⁿ), if it differs from row to row.
    pub stiffness: Option<f64>,
    /// Restitution specified for the law in this row, if the law takes one.
    pub requested: Option<f64>,
    /// Rebound speed over approach speed.
    pub restitution: Option<f64>,
    /// Duration of contact (s).
    pub duration: Option<f64>,
    /// Largest force (N).
    pub force_max: Option<f64>,
    /// Largest indentation (m).
    pub indentation_max: Option<f64>,
}

impl Observation {
    /// Returns the measured results with their values.
    pub(super) fn measured(&self) -> impl Iterator<Item = (Number, f64)> {
        let all = [
            (Number::Restitution, self.restitution),
            (Number::Duration, self.duration),
            (Number::Force, self.force_max),
            (Number::Indentation, self.indentation_max),
        ];
        all.into_iter().filter_map(|(number, value)| Some((number, value?)))
    }

    pub(super) fn row(&self) -> RowValues {
        let Self { mass, stiffness, speed, requested, .. } = *self;
        RowValues { mass, stiffness, speed, restitution: requested }
    }

    pub(super) fn check(&self) -> Result<()> {
        for (name, value) in [
            ("speed", self.speed),
            ("mass", self.mass),
            ("stiffness", self.stiffness),
            ("restitution", self.restitution),
            ("duration", self.duration),
            ("force_max", self.force_max),
            ("indentation_max", self.indentation_max),
        ] {
            if let Some(value) = value {
                check_positive(name, value, "leave the cell empty where nothing was measured")?;
            }
        }
        if let Some(e) = self.restitution.filter(|e| *e > 1.0) {
            let advice = "a rebound is never faster than the approach: check which speed is which";
            return Err(Error::invalid("restitution", e, "at most 1", advice));
        }
        Ok(())
    }
}

/// A table of impacts with the law to be fitted.
pub(super) struct OutcomeProblem<'a> {
    pub subject: &'a Subject,
    pub rows: &'a [Observation],
    /// Flag that, once raised, makes all parameters invalid, which ends every search soon.
    pub stop: &'a Stop,
}

/// A predicted result and its derivatives.
struct Prediction {
    number: Number,
    value: f64,
    by: Vec<f64>,
}

impl OutcomeProblem<'_> {
    /// Returns the predictions for the measured results of one row.
    fn row(&self, x: &[f64], row: &Observation, derivatives: bool) -> Option<Vec<Prediction>> {
        self.stop.check().ok()?;
        let trial = self.subject.trial(x, row.row()).ok()?;
        let (indices, variations): (Vec<usize>, Vec<Variation>) = match derivatives {
            true => self.subject.variations(x, row.row()).into_iter().unzip(),
            false => Default::default(),
        };
        let found =
            ImpactNumbers::new(&trial.law, trial.speed, &trial.conditions, &variations).ok()?;
        let predict = |number: Number| {
            let mut by = vec![0.0; x.len()];
            for (index, slopes) in indices.iter().zip(&found.by) {
                by[*index] = slopes[number as usize];
            }
            Prediction { number, value: found.values[number as usize], by }
        };
        Some(row.measured().map(|(number, _)| predict(number)).collect())
    }

    /// Returns the index of the row, the name, and the measured and predicted value of every result.
    pub fn predicted(&self, x: &[f64]) -> Option<Vec<(usize, &'static str, f64, f64)>> {
        let mut all = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let predicted = self.row(x, row, false)?;
            for (p, (_, measured)) in predicted.iter().zip(row.measured()) {
                all.push((i, p.number.name(), measured, p.value));
            }
        }
        Some(all)
    }
}

impl Problem for OutcomeProblem<'_> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let all = self.predicted(x)?;
        Some(all.iter().map(|(_, _, measured, value)| value / measured - 1.0).collect())
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let mut residuals = Vec::new();
        let mut columns = vec![Vec::new(); x.len()];
        for row in self.rows {
            let predicted = self.row(x, row, true)?;
            for (p, (_, measured)) in predicted.iter().zip(row.measured()) {
                residuals.push(p.value / measured - 1.0);
                for (column, by) in columns.iter_mut().zip(&p.by) {
                    let slope = by / measured;
                    column.push(if slope.is_finite() { slope } else { 0.0 });
                }
            }
        }
        Some((residuals, columns))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        self.subject.bounds()
    }
}
