//! Several records as one least-squares problem, with shared parameters and parameters of single records.
//!
//! Residuals of a record are divided by the standard deviation of its noise, so that records with less noise have
//! more weight. The parameters of single records come first, record by record, and the shared ones last.

use super::least_squares::Problem;
use std::ops::Range;

/// One record of the joint problem.
pub(super) struct Member<'a> {
    pub problem: Box<dyn Problem + 'a>,
    /// Index of each of its parameters among all parameters.
    pub indices: Vec<usize>,
    /// Rows of this record among all residuals.
    pub rows: Range<usize>,
    /// Standard deviation of its residuals, in the unit of the residuals.
    pub noise: f64,
}

impl Member<'_> {
    /// Returns the parameters of this record, selected from all parameters.
    pub fn own_parameters(&self, all: &[f64]) -> Vec<f64> {
        self.indices.iter().map(|&index| all[index]).collect()
    }
}

/// Least-squares problem of several records.
pub(super) struct JointProblem<'a> {
    pub members: Vec<Member<'a>>,
    /// Number of parameters of all records together.
    pub count: usize,
}

impl Problem for JointProblem<'_> {
    fn residuals(&self, x: &[f64]) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        for member in &self.members {
            let own = member.problem.residuals(&member.own_parameters(x))?;
            all.extend(own.iter().map(|r| r / member.noise));
        }
        Some(all)
    }

    fn jacobian(&self, x: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let rows = self.members.last().map_or(0, |member| member.rows.end);
        let mut residuals = Vec::with_capacity(rows);
        let mut columns = vec![vec![0.0; rows]; self.count];
        for member in &self.members {
            let (own, by) = member.problem.jacobian(&member.own_parameters(x))?;
            residuals.extend(own.iter().map(|r| r / member.noise));
            for (&index, by) in member.indices.iter().zip(&by) {
                let part = columns.get_mut(index)?.get_mut(member.rows.clone())?;
                part.iter_mut().zip(by).for_each(|(to, by)| *to = by / member.noise);
            }
        }
        Some((residuals, columns))
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        let mut all = vec![(f64::MIN, f64::MAX); self.count];
        for member in &self.members {
            for (&index, bounds) in member.indices.iter().zip(member.problem.bounds()) {
                all[index] = bounds;
            }
        }
        all
    }
}
