//! Many impacts at once: one description with columns of numbers.
//!
//! A [`Batch`] is a [`Spec`] some of whose quantities ([`Parameter`]) differ from row to row. What is the same in all
//! rows is read and checked once. Numbers that do not change the exponents (mass, stiffness, speed, restitution,
//! damping, external force) are inserted into a finished case; for all other quantities the case is built again from
//! the description for every row. If there are enough rows, impacts are evaluated on a prepared curve
//! (`batch/curves.rs`). [`sweep`](crate::sweep) uses the same parameters, outputs and curves, with its own
//! description of the values in its rows.
//!
//! How a row is computed depends on the description and on the number of rows, but never on the preceding rows. The
//! results are therefore the same for any number of threads.
//!
//! ```
//! use carom::batch::{Batch, Broadcast, OnFailure, OUTPUTS};
//! use carom::spec::Spec;
//! let spec = Spec {
//!     law: "flores-2011".into(),
//!     mass: Some("0.54 kg".into()),
//!     stiffness: Some(2.4144e10.into()),
//!     calibration: Some("exact".into()),
//!     ..Spec::default()
//! };
//! let batch = Batch::new(&spec, &["speed", "restitution"], 3)?;
//! let columns = [Broadcast::new(&[0.5], 3)?, Broadcast::new(&[0.6, 0.7, 0.8], 3)?];
//! let found = batch.collide(&columns, 3, 2, OnFailure::Stop).map_err(|failed| failed.error)?;
//! assert_eq!(OUTPUTS[0].name, "restitution_newton");
//! assert!((found[0][2] - 0.8).abs() < 1e-10);
//! # Ok::<(), carom::Error>(())
//! ```

mod broadcast;
mod curves;
mod output;
mod parameter;

pub use broadcast::{Broadcast, FailedRow, OnFailure, each, needed};
pub(crate) use curves::{CurveKey, Curves, calibrates_by_theory, elastic};
pub(crate) use output::EvaluatedCase;
pub use output::{DEFAULT_OUTPUTS, IMPACT_OUTPUTS, OUTPUTS, Output, numbers};
pub use parameter::Parameter;

use crate::error::{Error, Result};
use crate::impact::Impact;
use crate::law::Law;
use crate::model::Damping;
use crate::spec::{Case, Spec};
use crate::stop::Stop;
use crate::units::Dimension;

/// Smallest number of rows for which a curve saves more time than its preparation takes.
const CURVE_ROWS: usize = 256;

/// A description some of whose quantities differ from row to row; see the module comment.
pub struct Batch {
    spec: Spec,
    parameters: Vec<Parameter>,
    /// The finished case, if the rows change only its numbers.
    template: Option<Case>,
    curves: Curves,
    /// Terminates [`Batch::collide`] when it is raised.
    pub stop: Stop,
    /// The results that [`Batch::collide`] returns; all of them by default. The columns of the others are empty.
    pub wanted: [bool; IMPACT_OUTPUTS],
}

/// Data that a thread reuses from row to row.
#[derive(Default)]
pub struct Scratch(Option<Case>);

impl Batch {
    /// Creates a batch of about `rows` rows in which the quantities with these names ([`Parameter::find`]) differ
    /// from row to row.
    ///
    /// # Errors
    /// When the name of the law or of a quantity is unknown, or a quantity is not a number. All other errors are
    /// reported for the row in which they occur.
    pub fn new(spec: &Spec, varying: &[&str], rows: usize) -> Result<Self> {
        let model = spec.model()?;
        let parameters: Vec<Parameter> =
            varying.iter().map(|name| Parameter::find(name)).collect::<Result<_>>()?;
        if let Some(word) = parameters.iter().find(|parameter| parameter.is_word()) {
            let advice = "make one batch for each of its values, or a sweep";
            return Err(Error::invalid("varying quantity", word.name(), "a number", advice));
        }
        let mut batch = Self {
            spec: spec.clone(),
            parameters,
            template: None,
            curves: Curves::default(),
            stop: Stop::default(),
            wanted: [true; IMPACT_OUTPUTS],
        };
        if batch.parameters.iter().all(Parameter::is_number_of_case) {
            let placeholders: Vec<f64> =
                batch.parameters.iter().map(Parameter::placeholder).collect();
            batch.template = batch.case(&placeholders).ok();
        }
        if let Some(case) = batch.template.as_ref().filter(|_| rows >= CURVE_ROWS) {
            let law = match case.damping {
                Damping::Exact(_) => elastic(case),
                _ => case.law(),
            };
            let key = law.ok().as_ref().and_then(CurveKey::of);
            batch.curves = Curves::for_all(key, calibrates_by_theory(case).then_some(model));
        }
        Ok(batch)
    }

    /// Returns the finished case with the numbers of a row, or `None` if the case must be built from the description.
    fn template_case<'k>(&self, scratch: &'k mut Scratch, values: &[f64]) -> Option<&'k Case> {
        let template = self.template.as_ref()?;
        let case = scratch.0.get_or_insert_with(|| template.clone());
        for (parameter, &value) in self.parameters.iter().zip(values) {
            parameter.put_into_case(case, value)?;
        }
        Some(case)
    }

    /// Computes the impact of a row; `values` are in the order of the names.
    fn impact(&self, scratch: &mut Scratch, values: &[f64]) -> Result<Impact> {
        // A row that fails with the template is computed again from the description, and the error of that
        // computation is returned.
        let run = |case: &Case| self.curves.run(case, |_, impact| impact);
        match self.template_case(scratch, values).map(run) {
            Some(Ok(impact)) => Ok(impact),
            _ => run(&self.case(values)?),
        }
    }

    /// Returns the name of a varying quantity.
    pub(crate) fn name(&self, index: usize) -> &str {
        self.parameters.get(index).map_or("quantity", Parameter::name)
    }

    /// Returns whether a finite difference at 0 has no natural step for this quantity, because it has a unit and
    /// nothing determines its scale. The law does not depend on the external force, so any step is possible for that
    /// quantity.
    pub(crate) fn needs_scale(&self, index: usize) -> bool {
        self.parameters.get(index).is_some_and(|parameter| {
            let pure = parameter.dimension(&self.spec) == Some(Dimension::NUMBER);
            !pure && parameter.name() != "external_force"
        })
    }

    /// Builds the case of a row from the description.
    ///
    /// # Errors
    /// When the row does not describe an impact.
    pub fn case(&self, values: &[f64]) -> Result<Case> {
        let mut spec = self.spec.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            parameter.put(&mut spec, value.into());
        }
        spec.case()
    }

    /// Returns the law and the approach speed (m/s) of a row.
    ///
    /// # Errors
    /// When the row does not describe an impact.
    pub fn law(&self, scratch: &mut Scratch, values: &[f64]) -> Result<(Law, f64)> {
        let case = self.template_case(scratch, values).map(|case| (case.law(), case.speed));
        if let Some((Ok(law), speed)) = case {
            return Ok((law, speed));
        }
        let case = self.case(values)?;
        Ok((case.law()?, case.speed))
    }

    /// Computes the impacts of all rows. Returns one column for each of the first [`IMPACT_OUTPUTS`] of [`OUTPUTS`];
    /// the column is empty if the output is not [`wanted`](Batch::wanted).
    ///
    /// # Errors
    /// As for [`each`]; a row fails if it does not describe an impact.
    pub fn collide(
        &self,
        columns: &[Broadcast],
        rows: usize,
        threads: usize,
        failing: OnFailure,
    ) -> std::result::Result<[Vec<f64>; IMPACT_OUTPUTS], FailedRow> {
        let way = (threads, failing, &self.stop);
        broadcast::evaluate_wanted(
            columns,
            rows,
            way,
            self.wanted,
            |scratch: &mut Scratch, values, found| {
                *found = numbers(&self.impact(scratch, values)?);
                Ok(())
            },
        )
    }
}
