//! Conditions for stopping a computation: the client has disconnected, or the computation takes too long.

use std::time::{Duration, Instant};

/// Condition that is checked between the steps of a long computation.
#[derive(Clone, Debug)]
pub struct Stop {
    disconnected: carom::Stop,
    started: Instant,
}

/// Value that a request holds; when it is dropped with the request, the computation is told to stop.
#[derive(Debug)]
pub struct RequestGuard(carom::Stop);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl Stop {
    /// Creates the condition for a new request, and the value that the request holds until it ends.
    pub fn new() -> (Self, RequestGuard) {
        let disconnected = carom::Stop::default();
        (
            Self { disconnected: disconnected.clone(), started: Instant::now() },
            RequestGuard(disconnected),
        )
    }

    /// Restarts the time, because the wait for a free core is not computing time.
    pub fn start_clock(self) -> Self {
        Self { started: Instant::now(), ..self }
    }

    /// Returns whether the client has disconnected.
    pub fn is_cancelled(&self) -> bool {
        self.disconnected.raised()
    }

    /// Returns the stop flag for the library, which is raised when the client disconnects.
    pub fn flag(&self) -> &carom::Stop {
        &self.disconnected
    }

    /// Returns the computing time so far.
    pub fn computing_time(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_the_request_raises_the_flag() {
        let (stop, waiting) = Stop::new();
        assert!(!stop.clone().is_cancelled());
        drop(waiting);
        assert!(stop.is_cancelled() && stop.flag().raised());
        assert!(stop.computing_time() < Duration::from_secs(60));
    }

    /// Tests that the reported computing time does not include the wait for a free core.
    #[test]
    fn waiting_in_the_queue_is_not_computing() {
        let (stop, _waiting) = Stop::new();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(3600)).unwrap();
        let queued = Stop { started: long_ago, ..stop };
        assert!(queued.computing_time() >= Duration::from_secs(3600));
        assert!(queued.start_clock().computing_time() < Duration::from_secs(60));
    }
}
