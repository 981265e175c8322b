//! Functions of NumPy arrays: inputs are read without a copy, and rows are computed while the interpreter's lock is released.

use crate::error::{Error, raise};
use crate::interrupt::interruptible;
use crate::memory::room;
use crate::questions::read;
use carom::Stop;
use carom::batch::{Batch, Broadcast, FailedRow, OnFailure, Parameter, Scratch, each};
use carom::exact::{self as theory, Curve, Exponents, Outcome};
use carom::impact::Trajectory;
use carom::law::{Law, Memory};
use carom::spec::Spec;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

/// Number of rows that are checked, evenly spaced.
pub const ROWS_CHECKED: usize = 64;

/// Checks rows spread over a table. Fails if none of them is valid and the first error does not concern one of the varying arrays,
/// because the same error then applies to all rows.
pub fn check_some_rows(
    varying: &[String],
    rows: usize,
    mut row_is_right: impl FnMut(usize) -> carom::Result<()>,
) -> carom::Result<()> {
    let mut first = None;
    for i in 0..ROWS_CHECKED.min(rows) {
        match row_is_right(i * rows / ROWS_CHECKED.min(rows)) {
            Ok(()) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    match first {
        Some(error) if !concerns(&error, varying) => Err(error),
        _ => Ok(()),
    }
}

/// Returns whether an error concerns one of these quantities.
fn concerns(error: &carom::Error, names: &[String]) -> bool {
    let Some(parameter) = error.parameter() else { return false };
    names.iter().any(|name| match Parameter::find(name) {
        Ok(known) => parameter == known.name_in_errors(),
        Err(_) => parameter == name,
    })
}

/// Arrays of the caller, which Python has made contiguous in C order.
pub type Arrays<'py> = Vec<PyReadonlyArrayDyn<'py, f64>>;
/// Results.
pub type ResultArrays<'py> = Vec<Bound<'py, PyArrayDyn<f64>>>;

/// Columns by name.
type NamedArrays<'py> = Vec<(&'static str, Bound<'py, PyArray1<f64>>)>;

/// Returns the number of rows of a table of this shape; 0 if an axis is empty, however long the others are.
pub fn row_count(shape: &[usize]) -> PyResult<usize> {
    if shape.contains(&0) {
        return Ok(0);
    }
    shape.iter().try_fold(1usize, |rows, &length| rows.checked_mul(length)).ok_or_else(|| {
        PyMemoryError::new_err(format!(
            "a table of shape {shape:?} has more rows than can be counted"
        ))
    })
}

/// Returns the number of rows of a table of this shape, after checking that `count` columns of results fit into memory.
pub fn row_count_in_memory(shape: &[usize], count: usize) -> PyResult<usize> {
    let rows = row_count(shape)?;
    let bytes = rows as u128 * count as u128 * size_of::<f64>() as u128;
    room(&format!("{count} columns of {rows} rows"), bytes)?;
    Ok(rows)
}

/// Largest number of rows that are computed without checks for Ctrl-C, because they take less time than starting a thread.
const UNINTERRUPTED_ROWS: usize = 2048;

/// Computes rows without the interpreter's lock; the computation of many rows can be interrupted.
pub fn without_lock<T: Send>(
    py: Python<'_>,
    rows: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    match rows <= UNINTERRUPTED_ROWS {
        true => Ok(py.detach(|| work(&Stop::default()))),
        false => interruptible(py, work),
    }
}

/// Returns arrays that broadcast to a shape.
pub fn broadcast<'a>(
    names: &[String],
    arrays: &'a Arrays,
    shape: &[usize],
) -> PyResult<Vec<Broadcast<'a>>> {
    let mut columns = Vec::new();
    for (name, array) in names.iter().zip(arrays) {
        let data = array
            .as_slice()
            .map_err(|_| PyValueError::new_err(format!("{name} is not contiguous")))?;
        columns.push(Broadcast::to_shape(name, data, array.shape(), shape).map_err(raise)?);
    }
    Ok(columns)
}

/// Converts columns to arrays of this shape; their memory is handed over, not copied.
pub fn arrays<'py>(
    py: Python<'py>,
    columns: impl IntoIterator<Item = Vec<f64>>,
    shape: &[usize],
) -> PyResult<ResultArrays<'py>> {
    let array = |column| PyArray1::from_vec(py, column).reshape(shape.to_vec());
    columns.into_iter().map(array).collect()
}

/// Returns the error of a row, with its place in the table.
pub fn row_error(failed: FailedRow, shape: &[usize]) -> PyErr {
    let (mut rest, mut place) = (failed.row, Vec::new());
    for &length in shape.iter().rev() {
        place.push((rest % length.max(1)).to_string());
        rest /= length.max(1);
    }
    place.reverse();
    match place.is_empty() {
        true => raise(failed.error),
        false => Error::new_err(format!("{} (at index [{}])", failed.error, place.join(", "))),
    }
}

pub fn failure_mode(lenient: bool) -> OnFailure {
    if lenient { OnFailure::Nan } else { OnFailure::Stop }
}

/// Computes impacts of a description in which these quantities vary, broadcast to `shape`. `wanted` are increasing indices into
/// `outputs()` of the results to return.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "one call from one place in Python, which names them"
)]
pub fn collide<'py>(
    py: Python<'py>,
    spec: &str,
    names: Vec<String>,
    values: Arrays<'py>,
    shape: Vec<usize>,
    threads: usize,
    lenient: bool,
    wanted: Vec<usize>,
) -> PyResult<ResultArrays<'py>> {
    let spec: Spec = read("the impact", spec)?;
    let rows = row_count_in_memory(&shape, wanted.len())?;
    let columns = broadcast(&names, &values, &shape)?;
    let varying: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = without_lock(py, rows, |stop| {
        let mut batch = Batch::new(&spec, &varying, rows).map_err(raise)?;
        batch.stop = stop.clone();
        batch.wanted = std::array::from_fn(|output| wanted.contains(&output));
        batch
            .collide(&columns, rows, threads, failure_mode(lenient))
            .map_err(|found| row_error(found, &shape))
    })??;
    let kept = found.into_iter().enumerate().filter(|(output, _)| wanted.contains(output));
    arrays(py, kept.map(|(_, column)| column), &shape)
}

/// Data that a thread reuses while it computes forces.
#[derive(Default)]
struct ForceScratch {
    batch: Scratch,
    /// Law and memory, if they are the same in all rows.
    same: Option<(Law, Memory)>,
}

/// Computes forces, tangents and stored energy of a law; the last two arrays are indentation and rate.
#[pyfunction]
pub fn forces<'py>(
    py: Python<'py>,
    spec: &str,
    mut names: Vec<String>,
    values: Arrays<'py>,
    shape: Vec<usize>,
    threads: usize,
) -> PyResult<ResultArrays<'py>> {
    let spec: Spec = read("the law", spec)?;
    let rows = row_count_in_memory(&shape, 4)?;
    let count = names.len();
    names.extend(["delta".to_string(), "rate".to_string()]);
    let columns = broadcast(&names, &values, &shape)?;
    let varying: Vec<&str> = names.iter().take(count).map(String::as_str).collect();
    let found = without_lock(py, rows, |stop| {
        let batch = Batch::new(&spec, &varying, 0).map_err(raise)?;
        let work = |scratch: &mut ForceScratch, values: &[f64], found: &mut [f64; 4]| {
            let (parameters, [delta, rate]) = match values.split_last_chunk::<2>() {
                Some(parts) => parts,
                None => return Ok(()),
            };
            let (law, memory) = match scratch.same {
                Some(same) => same,
                None => {
                    let (law, speed) = batch.law(&mut scratch.batch, parameters)?;
                    (law, law.touch(speed))
                }
            };
            if count == 0 {
                scratch.same = Some((law, memory));
            }
            *found = force_and_tangents(&law, &memory, *delta, *rate);
            Ok(())
        };
        let way = (threads, OnFailure::Stop, stop);
        each(&columns, rows, way, work).map_err(|found| row_error(found, &shape))
    })??;
    arrays(py, found, &shape)
}

/// Computes force, ∂F/∂δ, ∂F/∂δ̇ and stored energy. They are NaN for NaN, and 0 where the bodies do not touch (a law itself is
/// defined there, too, for the stages of a Runge–Kutta step).
pub fn force_and_tangents(law: &Law, memory: &Memory, delta: f64, rate: f64) -> [f64; 4] {
    if delta.is_nan() || rate.is_nan() {
        return [f64::NAN; 4];
    }
    if delta < law.release() {
        return [0.0; 4];
    }
    let tangent = law.tangent(delta, rate, memory);
    [law.force(delta, rate, memory), tangent.stiffness, tangent.damping, law.stored(delta, memory)]
}

/// Computes only the force, as in [`force_and_tangents`].
pub fn force(law: &Law, memory: &Memory, delta: f64, rate: f64) -> f64 {
    match delta.is_nan() || rate.is_nan() {
        true => f64::NAN,
        false if delta < law.release() => 0.0,
        false => law.force(delta, rate, memory),
    }
}

/// Computes the trajectory of one impact: seven columns of `points` numbers.
#[pyfunction]
pub fn trajectory<'py>(py: Python<'py>, spec: &str, points: usize) -> PyResult<NamedArrays<'py>> {
    let spec: Spec = read("the impact", spec)?;
    // A larger number is refused with an error of its own.
    let most = points.min(10_000_000) as u128;
    room(&format!("a trajectory of {points} points"), most * 7 * size_of::<f64>() as u128)?;
    let trajectory = py
        .detach(|| {
            let case = spec.case()?;
            Trajectory::new(&case.law()?, case.speed, &case.conditions, points)
        })
        .map_err(raise)?;
    let Trajectory { time, indentation, rate, force, kinetic, stored, dissipated } = trajectory;
    let columns = [
        ("time", time),
        ("indentation", indentation),
        ("rate", rate),
        ("force", force),
        ("kinetic", kinetic),
        ("stored", stored),
        ("dissipated", dissipated),
    ];
    Ok(columns.map(|(name, column)| (name, PyArray1::from_vec(py, column))).to_vec())
}

/// Smallest number of rows for which the computation of a curve takes less time than it saves.
const CURVE_ROWS: usize = 256;

/// Computes dimensionless impacts of power laws: `epsilon` from a restitution, or `outcome` from an ε.
///
/// The arrays are n, m, q and the restitution or ε. If the bodies never separate, the restitution is 0 and the duration infinite.
#[pyfunction]
pub fn exact<'py>(
    py: Python<'py>,
    what: &str,
    values: Arrays<'py>,
    shape: Vec<usize>,
    exit: &str,
    threads: usize,
    lenient: bool,
) -> PyResult<ResultArrays<'py>> {
    let exit = exit.parse().map_err(raise)?;
    let rows = row_count_in_memory(&shape, if what == "epsilon" { 1 } else { 7 })?;
    let given = if what == "epsilon" { "restitution" } else { "epsilon" };
    let names = ["exponent", "damping_exponent", "rate_exponent", given].map(String::from);
    let columns = broadcast(&names, &values, &shape)?;
    // All rows share one curve if the exponents are fixed.
    let fixed = values.iter().take(3).all(|array| array.len() == 1) && rows >= CURVE_ROWS;
    let curve = match (fixed, columns.first_chunk::<3>()) {
        (true, Some([n, m, q])) => {
            Some(Curve::new(Exponents::new(n.at(0), m.at(0), q.at(0)).map_err(raise)?, exit))
        }
        _ => None,
    };
    let damping = |_: &mut (), values: &[f64], found: &mut [f64; 1]| {
        if let [n, m, q, e] = *values {
            *found = [match &curve {
                Some(curve) => curve.epsilon(e)?,
                None => theory::epsilon(Exponents::new(n, m, q)?, exit, e)?,
            }];
        }
        Ok(())
    };
    let outcome = |_: &mut (), values: &[f64], found: &mut [f64; 7]| {
        if let [n, m, q, epsilon] = *values {
            let outcome = match &curve {
                Some(curve) => curve.outcome(epsilon)?,
                None => theory::outcome(Exponents::new(n, m, q)?, exit, epsilon)?,
            };
            *found = match outcome {
                Some(outcome) => row(&outcome),
                None => [0.0, f64::INFINITY, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN],
            };
        }
        Ok(())
    };
    // An error that occurs in all rows is one of the description, and is raised even if errors of rows become NaN.
    if lenient {
        let varying = names.iter().zip(&values).filter(|(_, array)| array.len() != 1);
        let varying: Vec<String> = varying.map(|(name, _)| name.clone()).collect();
        check_some_rows(&varying, rows, |row| {
            let values: Vec<f64> = columns.iter().map(|column| column.at(row)).collect();
            match what {
                "epsilon" => damping(&mut (), &values, &mut [0.0; 1]),
                _ => outcome(&mut (), &values, &mut [0.0; 7]),
            }
        })
        .map_err(raise)?;
    }
    let found = without_lock(py, rows, |stop| {
        let way = (threads, failure_mode(lenient), stop);
        match what {
            "epsilon" => each(&columns, rows, way, damping).map(Vec::from),
            _ => each(&columns, rows, way, outcome).map(Vec::from),
        }
    })?;
    arrays(py, found.map_err(|found| row_error(found, &shape))?, &shape)
}

fn row(o: &Outcome) -> [f64; 7] {
    [
        o.restitution,
        o.duration,
        o.indentation_max,
        o.time_of_indentation_max,
        o.force_max,
        o.time_of_force_max,
        o.residual_indentation,
    ]
}
