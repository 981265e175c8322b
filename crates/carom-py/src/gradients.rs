//! Derivatives of the results of impacts, for arrays.

use crate::columns::{
    Arrays, ResultArrays, arrays, broadcast, failure_mode, row_count_in_memory, row_error,
    without_lock,
};
use crate::error::raise;
use crate::questions::read;
use carom::batch::{Batch, Parameter, each};
use carom::fit::{GRADIENT_OUTPUTS, gradient};
use carom::spec::Spec;
use pyo3::prelude::*;

/// Largest number of quantities by which one pass differentiates.
const QUANTITIES_PER_PASS: usize = 3;
/// Number of differentiated results of an impact.
const OUTPUT_COUNT: usize = GRADIENT_OUTPUTS.len();

/// Computes the results of impacts and their derivatives by the quantities at the positions `by`. The columns are in the order of
/// `gradient_outputs()`, first the results, then the derivatives by each quantity.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "one call from one place in Python, which names them"
)]
pub fn gradients<'py>(
    py: Python<'py>,
    spec: &str,
    names: Vec<String>,
    values: Arrays<'py>,
    shape: Vec<usize>,
    by: Vec<usize>,
    threads: usize,
    lenient: bool,
) -> PyResult<ResultArrays<'py>> {
    let spec: Spec = read("the impact", spec)?;
    let rows = row_count_in_memory(&shape, OUTPUT_COUNT * (by.len() + 1 + QUANTITIES_PER_PASS))?;
    let columns = broadcast(&names, &values, &shape)?;
    let varying: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = without_lock(py, rows, |stop| {
        let batch = Batch::new(&spec, &varying, 0).map_err(raise)?;
        let mut all: Vec<Vec<f64>> = Vec::new();
        let groups: Vec<&[usize]> = match by.is_empty() {
            true => vec![&[]],
            false => by.chunks(QUANTITIES_PER_PASS).collect(),
        };
        for (group, by) in groups.into_iter().enumerate() {
            let work =
                |_: &mut (),
                 values: &[f64],
                 found: &mut [f64; OUTPUT_COUNT * (1 + QUANTITIES_PER_PASS)]| {
                    let gradient = gradient(&batch, values, by)?;
                    let numbers = gradient.values.iter().chain(gradient.by.iter().flatten());
                    found.iter_mut().zip(numbers).for_each(|(place, number)| *place = *number);
                    Ok(())
                };
            let way = (threads, failure_mode(lenient), stop);
            let found =
                each(&columns, rows, way, work).map_err(|found| row_error(found, &shape))?;
            // The results themselves are taken from the first group.
            let skipped = if group == 0 { 0 } else { OUTPUT_COUNT };
            all.extend(found.into_iter().take(OUTPUT_COUNT * (1 + by.len())).skip(skipped));
        }
        Ok::<_, PyErr>(all)
    })??;
    arrays(py, found, &shape)
}

/// Returns the names of the results that are differentiated.
#[pyfunction]
pub fn gradient_outputs() -> [&'static str; OUTPUT_COUNT] {
    GRADIENT_OUTPUTS
}

/// Returns the value (SI) of a quantity in a described impact.
#[pyfunction]
pub fn value_in(spec: &str, name: &str) -> PyResult<f64> {
    let spec: Spec = read("the impact", spec)?;
    Parameter::find(name).and_then(|parameter| parameter.value_in(&spec)).map_err(raise)
}
