//! When to stop computing: nobody waits any more, or it has taken long enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asked between two steps of something long.
#[derive(Clone, Debug)]
pub struct Stop {
    gone: Arc<AtomicBool>,
    begun: Instant,
}

/// Says that nobody waits when it is dropped: with the request that held it.
#[derive(Debug)]
pub struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Stop {
    /// For a request that has just come, and what the request holds for as long as someone waits.
    pub fn new() -> (Self, Waiting) {
        let gone = Arc::new(AtomicBool::new(false));
        (Self { gone: Arc::clone(&gone), begun: Instant::now() }, Waiting(gone))
    }

    /// True when nobody waits for the answer any more.
    pub fn gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// How long ago the request came.
    pub fn since(&self) -> Duration {
        self.begun.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_when_nobody_waits() {
        let (stop, waiting) = Stop::new();
        assert!(!stop.clone().gone());
        drop(waiting);
        assert!(stop.gone());
        assert!(stop.since() < Duration::from_secs(60));
    }
}
