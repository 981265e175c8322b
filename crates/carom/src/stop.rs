//! Ending a long computation from outside: the person at the keyboard presses Ctrl-C, the client of the lab goes away.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that another thread raises to cancel a computation, which checks it between pieces of work. Clones share it.
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
    /// Asks whoever computes to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the computation is to end.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error where the computation is to end.
    pub fn check(&self) -> Result<()> {
        match self.raised() {
            true => Err(Error::numerical("the computation", "it was interrupted", "run it again")),
            false => Ok(()),
        }
    }
}
