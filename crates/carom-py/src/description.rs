//! Detects errors of a description, as opposed to errors of single rows.
//!
//! With `errors="nan"` invalid rows become NaN. A misspelt word, a unit of the wrong dimension or a number that is invalid in all
//! rows is still raised as an error.

use crate::columns::{Arrays, ROWS_CHECKED, broadcast, check_some_rows, row_count};
use crate::error::raise;
use crate::questions::read;
use carom::Result;
use carom::batch::{Batch, Broadcast, Parameter};
use carom::spec::{Quantity, Spec};
use carom::units::{self, Dimension};
use pyo3::prelude::*;

/// Refuses a description that is invalid for all rows. `units` are those of the arrays, whose values have been converted to SI
/// units but whose dimensions have not been checked; empty for arrays of plain numbers.
#[pyfunction]
pub fn check_rows(
    spec: &str,
    names: Vec<String>,
    values: Arrays<'_>,
    shape: Vec<usize>,
    units: Vec<String>,
) -> PyResult<()> {
    let mut spec: Spec = read("the law", spec)?;
    spec.words().map_err(raise)?;
    if spec.speed.is_none() && !names.iter().any(|name| name == "speed") {
        spec.speed = Some(1.0.into());
    }
    let columns = broadcast(&names, &values, &shape)?;
    let varying: Vec<&str> = names.iter().map(String::as_str).collect();
    let batch = Batch::new(&spec, &varying, 0).map_err(raise)?;
    let at = |row: usize| -> Vec<f64> {
        columns.iter().map(|column: &Broadcast| column.at(row)).collect()
    };
    let right = |row: usize| -> Result<()> {
        batch.case(&at(row))?.law()?;
        Ok(())
    };
    let rows = row_count(&shape)?;
    check_some_rows(&names, rows, right).map_err(raise)?;
    if units.iter().all(String::is_empty) {
        return Ok(());
    }
    // A valid row is checked again with its units; an error then concerns a unit.
    let tried = ROWS_CHECKED.min(rows);
    let Some(row) = (0..tried).map(|i| i * rows / tried).find(|&row| right(row).is_ok()) else {
        return Ok(());
    };
    for ((name, unit), value) in names.iter().zip(&units).zip(at(row)) {
        if !unit.is_empty() {
            let others: Vec<&str> = varying.iter().copied().filter(|other| other != name).collect();
            let said = Quantity::Text(format!("{value:e} {unit}"));
            let mut spec = spec.clone();
            Parameter::find(name).map_err(raise)?.put(&mut spec, said);
            let values: Vec<f64> =
                names.iter().zip(at(row)).filter(|(n, _)| *n != name).map(|(_, v)| v).collect();
            let case = Batch::new(&spec, &others, 0).and_then(|batch| batch.case(&values));
            case.map_err(raise)?;
        }
    }
    Ok(())
}

/// Returns the SI value of a text, whose dimension must be that of `unit`.
#[pyfunction]
pub fn si(name: &str, text: &str, unit: &str) -> PyResult<f64> {
    let dimension = Dimension::of(unit).map_err(raise)?;
    units::parse(name, text, dimension).map_err(raise)
}

/// Returns the size of a unit in SI units: 0.01 for `cm`.
#[pyfunction]
pub fn factor(name: &str, unit: &str) -> PyResult<f64> {
    let text = format!("1 {unit}");
    units::parse(name, &text, Dimension::in_text(&text)).map_err(raise)
}

/// Returns the SI base units of the dimension of a unit: `m s^-1` for `km/h`.
#[pyfunction]
pub fn base(name: &str, unit: &str) -> PyResult<String> {
    factor(name, unit)?;
    Ok(Dimension::in_text(&format!("1 {unit}")).to_string())
}
