//! How far long requests are, under the names that clients gave them.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Most jobs at a time, and the longest name of one: names come from clients.
const MAX_JOBS: usize = 64;
const MAX_NAME: usize = 64;

static JOBS: Mutex<BTreeMap<String, Progress>> = Mutex::new(BTreeMap::new());

/// Parts that are done, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Progress {
    done: usize,
    of: usize,
}

/// A request on its way; it is forgotten when this is dropped.
#[derive(Debug)]
pub struct Job(Option<String>);

impl Job {
    /// Begins a job of so many parts. Without a name nobody asks for its progress.
    pub fn begin(name: Option<&str>, of: usize) -> Self {
        let Some(name) = name.filter(|name| name.len() <= MAX_NAME) else { return Self(None) };
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.len() >= MAX_JOBS {
            return Self(None);
        }
        jobs.insert(name.to_string(), Progress { done: 0, of });
        Self(Some(name.to_string()))
    }

    /// Notes that so many parts are done.
    pub fn done(&self, done: usize) {
        let Some(name) = &self.0 else { return };
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = jobs.get_mut(name) {
            progress.done = progress.done.max(done);
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(name) = &self.0 {
            JOBS.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        }
    }
}

/// The progress of a job; none before it began and after it ended.
pub fn progress(name: &str) -> Option<Progress> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_known_while_it_lasts() {
        let job = Job::begin(Some("test"), 3);
        job.done(2);
        job.done(1);
        assert_eq!(progress("test"), Some(Progress { done: 2, of: 3 }));
        drop(job);
        assert_eq!(progress("test"), None);
        Job::begin(None, 3).done(1);
    }
}
