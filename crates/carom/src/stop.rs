//! Cancels a long computation from another thread: on Ctrl-C, or when the client of the lab disconnects.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that another thread raises to cancel a computation; the computation checks it regularly. Clones share the
/// flag.
///
/// ```
/// use carom::Stop;
/// let stop = Stop::default();
/// assert!(stop.check().is_ok());
/// stop.clone().raise();
/// assert!(stop.raised());
/// assert_eq!(stop.check().unwrap_err().kind(), "numerical");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Cancels the computation.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the computation is cancelled.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if the computation is cancelled.
    pub fn check(&self) -> Result<()> {
        match self.raised() {
            true => Err(Error::numerical("the computation", "it was interrupted", "run it again")),
            false => Ok(()),
        }
    }
}
