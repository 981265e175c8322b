//! Handles Ctrl-C in long computations.

use carom::Stop;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Interval between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on another thread without the interpreter's lock, while this thread checks for signals, since Python handles signals
/// only on its main thread. If a handler raises an exception (Ctrl-C), the stop flag, which `work` must check, is raised, and the
/// exception is returned.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let stop = Stop::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, waits) = channel::<()>();
            let flag = stop.clone();
            let work = move || {
                // Dropped when the work ends, also by a panic.
                let _done = done;
                work(&flag)
            };
            let worker = std::thread::Builder::new().spawn_scoped(scope, work).map_err(|why| {
                PyOSError::new_err(format!("no thread can be started for the work: {why}"))
            })?;
            let mut interrupted = None;
            while waits.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| py.check_signals()).err();
                }
                if interrupted.is_some() {
                    stop.raise();
                }
            }
            let found = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map_or(Ok(found), Err)
        })
    })
}
