//! The command `carom`, and the reproduction of papers, which is part of it.

use crate::error::raise;
use crate::questions::write;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command `carom` with these arguments and returns its exit status. It writes to the standard output of the process.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| carom_cli::run(arguments))
}

/// Recomputes the numbers printed in papers. Returns the report as JSON, and figures as paper, name, caption and SVG. `progress` is
/// called with the number of parts done and of all parts.
#[pyfunction]
#[pyo3(signature = (paper=None, progress=None))]
pub fn reproduce(
    py: Python<'_>,
    paper: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<[String; 4]>)> {
    let mut stopped = None;
    let found = py.detach(|| {
        carom_cli::reproduce(paper, |_, done, all| {
            watch(progress.as_ref(), (done as f64, all as f64), &mut stopped)
        })
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    let (report, figures) = found.map_err(raise)?;
    Ok((write(&report)?, figures))
}

/// Checks for signals and calls `progress` with these numbers, during a computation without the interpreter's lock. An exception is
/// stored in `stopped`, and the returned error ends the computation.
pub fn watch(
    progress: Option<&Py<PyAny>>,
    reached: (f64, f64),
    stopped: &mut Option<PyErr>,
) -> carom::Result<()> {
    let answer = Python::attach(|py| {
        py.check_signals()?;
        progress.map_or(Ok(()), |progress| progress.call1(py, reached).map(|_| ()))
    });
    answer.map_err(|why| {
        *stopped = Some(why);
        carom::Error::numerical("the run", "it was interrupted", "run it again")
    })
}
