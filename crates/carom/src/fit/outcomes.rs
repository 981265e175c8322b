//! Numbers of whole impacts as a least-squares problem: restitutions, durations, peaks.
//!
//! A residual is the relative error of one number, predicted over measured minus one, so that newtons and
//! millimetres count alike. Derivatives come from the equations of variation at three instants:
//!
//! - the largest force moves as the force at its time (the time itself does not count: dF/dt = 0 there),
//! - the largest indentation as the indentation at the turn, for the same reason,
//! - the end of contact moves by dT (`fit/ending.rs`), and with it the rebound speed, by its own
//!   sensitivity and by dT times the acceleration.

use super::ending;
use super::least_squares::Problem;
use super::sensitivity;
use super::slopes::Variation;
use super::subject::{RowValues, Subject};
use crate::error::{Error, Result, positive};
use crate::impact::ContactMotion;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};

/// One measured impact: its conditions and its results, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observation {
    /// Approach speed (m/s); that of the description unless given.
    pub speed: Option<f64>,
    /// Effective mass (kg), where it differs from row to row.
    pub mass: Option<f64>,
    /// K (N/mⁿ), where it differs from row to row.
    pub stiffness: Option<f64>,
    /// The restitution that the law is asked for in this row, where it takes one.
    pub requested: Option<f64>,
    /// Rebound speed over approach speed.
    pub restitution: Option<f64>,
    /// Time of contact (s).
    pub duration: Option<f64>,
    /// Largest force (N).
    pub force_max: Option<f64>,
    /// Largest indentation (m).
    pub indentation_max: Option<f64>,
}

impl Observation {
    /// The measured numbers: which, and how large.
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

    pub(super) fn checked(&self) -> Result<()> {
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
                positive(name, value, "leave the cell empty where nothing was measured")?;
            }
        }
        if let Some(e) = self.restitution.filter(|e| *e > 1.0) {
            let advice = "a rebound is never faster than the approach: check which speed is which";
            return Err(Error::invalid("restitution", e, "at most 1", advice));
        }
        Ok(())
    }
}

/// A number that is measured of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Restitution,
    Duration,
    Force,
    Indentation,
}

impl Number {
    pub fn name(self) -> &'static str {
        match self {
            Self::Restitution => "restitution",
            Self::Duration => "duration",
            Self::Force => "force_max",
            Self::Indentation => "indentation_max",
        }
    }
}

/// A table of impacts to be fitted.
pub(super) struct OutcomeProblem<'a> {
    pub subject: &'a Subject,
    pub rows: &'a [Observation],
    /// Once raised, all parameters are rejected, which ends every search soon.
    pub stop: &'a Stop,
}

/// A number and its derivatives.
struct Predicted {
    number: Number,
    value: f64,
    by: Vec<f64>,
}

impl OutcomeProblem<'_> {
    fn one(&self, x: &[f64], row: &Observation, derivatives: bool) -> Option<Vec<Predicted>> {
        self.stop.check().ok()?;
        let trial = self.subject.trial(x, row.row()).ok()?;
        let motion = ContactMotion::new(&trial.law, trial.speed, &trial.conditions).ok()?;
        let (places, variations): (Vec<usize>, Vec<Variation>) = match derivatives {
            true => self.subject.variations(x, row.row()).into_iter().unzip(),
            false => Default::default(),
        };
        let times = [motion.force_max.1, motion.turn, motion.end];
        let s = sensitivity::samples(&motion, &trial.law, &variations, &times);
        let (turn, end) = (s.points[1]?, s.points[2]?);
        // A peak of the force next to the largest indentation, and no higher than there, is at the largest indentation: the
        // force may be discontinuous beyond it.
        let beside = (motion.force_max.1 - motion.turn).abs() < 1e-6 * motion.turn;
        let level = (s.force[0] - s.force[1]).abs() < 1e-8 * s.force[0].abs();
        let peak = usize::from(beside && level);
        let acceleration = |i: usize| (motion.external - s.force[i]) / motion.mass;
        let margin = ending::margin(&trial.law, &end, turn.delta, s.force[0]);
        let restitution = if motion.separated { -end.rate / trial.speed } else { 0.0 };
        let values = [
            (Number::Restitution, restitution),
            (Number::Duration, motion.end),
            (Number::Force, s.force[0]),
            (Number::Indentation, turn.delta),
        ];
        let slopes = |number: Number| -> Vec<f64> {
            let mut all = vec![0.0; x.len()];
            for (p, (place, variation)) in places.iter().zip(&variations).enumerate() {
                let along = s.by_motion[p][2];
                // A contact that never ends is followed for five times the time to the largest indentation.
                let later = match motion.separated {
                    true => {
                        let by = (variation, &s.law.one(p));
                        ending::later(&motion, &trial.law, margin, &end, by, along)
                    }
                    false => -5.0 * s.by_motion[p][1].rate / acceleration(1),
                };
                all[*place] = match number {
                    Number::Restitution if !motion.separated => 0.0,
                    Number::Restitution => {
                        let speed = along.rate + acceleration(2) * later;
                        -(speed + restitution * variation.speed) / trial.speed
                    }
                    Number::Duration => later,
                    Number::Force => s.by_force[p][peak],
                    Number::Indentation => s.by_motion[p][1].delta,
                };
            }
            all
        };
        let wanted = row.measured().map(|(number, _)| number);
        let predict = |number: Number| {
            let value = values.iter().find(|(n, _)| *n == number).map_or(f64::NAN, |v| v.1);
            Predicted { number, value, by: slopes(number) }
        };
        Some(wanted.map(predict).collect())
    }

    /// RowValues, name, measured and predicted value of every number.
    pub fn predicted(&self, x: &[f64]) -> Option<Vec<(usize, &'static str, f64, f64)>> {
        let mut all = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let predicted = self.one(x, row, false)?;
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
            let predicted = self.one(x, row, true)?;
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
        self.subject.free.iter().map(|free| free.bounds()).collect()
    }
}
