//! When to stop computing: nobody waits any more, or it has taken long enough.

use std::time::{Duration, Instant};

/// Asked between two steps of something long.
#[derive(Clone, Debug)]
pub struct Stop {
    gone: carom::Stop,
    begun: Instant,
}

/// Says that nobody waits when it is dropped: with the request that held it.
#[derive(Debug)]
pub struct Waiting(carom::Stop);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl Stop {
    /// For a request that has just come, and what the request holds for as long as someone waits.
    pub fn new() -> (Self, Waiting) {
        let gone = carom::Stop::default();
        (Self { gone: gone.clone(), begun: Instant::now() }, Waiting(gone))
    }

    /// The same for work that begins now: waiting for a free core before it was not computing.
    pub fn begin(self) -> Self {
        Self { begun: Instant::now(), ..self }
    }

    /// True when nobody waits for the answer any more.
    pub fn gone(&self) -> bool {
        self.gone.raised()
    }

    /// The flag that is raised when nobody waits any more, for the library.
    pub fn flag(&self) -> &carom::Stop {
        &self.gone
    }

    /// How long it has been computed.
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
        assert!(stop.gone() && stop.flag().raised());
        assert!(stop.since() < Duration::from_secs(60));
    }

    /// A request that had waited for a core was told that it had computed for so long.
    #[test]
    fn waiting_in_the_queue_is_not_computing() {
        let (stop, _waiting) = Stop::new();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(3600)).unwrap();
        let queued = Stop { begun: long_ago, ..stop };
        assert!(queued.since() >= Duration::from_secs(3600));
        assert!(queued.begin().since() < Duration::from_secs(60));
    }
}
