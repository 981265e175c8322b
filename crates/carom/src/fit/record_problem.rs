//! The least-squares problem of one record, whatever was measured.

use super::curve::CurveProblem;
use super::least_squares::Problem;
use super::outcomes::OutcomeProblem;
use super::prepare::Prepared;
use super::series::Kind;
use super::subject::Subject;
use crate::stop::Stop;

/// A curve or numbers of whole impacts.
pub(super) enum RecordProblem<'a> {
    Curve(CurveProblem<'a>),
    Outcomes(OutcomeProblem<'a>),
}

impl<'a> RecordProblem<'a> {
    pub fn new(prepared: &'a Prepared<'a>, subject: &'a Subject, stop: &'a Stop) -> Self {
        match prepared.kind {
            Kind::Outcomes => {
                Self::Outcomes(OutcomeProblem { subject, rows: prepared.outcomes, stop })
            }
            kind => {
                let over_indentation = kind == Kind::ForceIndentation;
                let series = &prepared.series;
                Self::Curve(CurveProblem { subject, series, over_indentation, stop })
            }
        }
    }
}

impl Problem for RecordProblem<'_> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        match self {
            Self::Curve(problem) => problem.residuals(x),
            Self::Outcomes(problem) => problem.residuals(x),
        }
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        match self {
            Self::Curve(problem) => problem.jacobian(x),
            Self::Outcomes(problem) => problem.jacobian(x),
        }
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Curve(problem) => problem.bounds(),
            Self::Outcomes(problem) => problem.bounds(),
        }
    }
}
