//! Progress of long requests, by names that the clients chose, and films of runs in progress.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Largest number of jobs, and longest name of one. Both are limited because clients choose the names.
const MAX_JOBS: usize = 64;
const MAX_NAME_LENGTH: usize = 64;
/// Interval between two updates of the progress.
const UPDATE_INTERVAL: Duration = Duration::from_millis(40);

static JOBS: Mutex<BTreeMap<String, JobEntry>> = Mutex::new(BTreeMap::new());

struct JobEntry {
    done: f64,
    of: f64,
    begun: Instant,
    /// Whether a client has asked for the film so far.
    film_requested: bool,
    /// Film so far, as JSON, until it is fetched.
    film: Option<Vec<u8>>,
}

/// Progress of a job: number of laws fitted, or time simulated (s), and the total.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Progress {
    done: f64,
    of: f64,
    /// Computing time so far (s).
    seconds: f64,
    /// Remaining computing time at the mean rate so far (s); null before anything is done.
    left: Option<f64>,
}

impl Progress {
    /// Example for the description of the API.
    pub const EXAMPLE: Self = Self { done: 1.0, of: 2.0, seconds: 0.5, left: Some(0.5) };
}

/// A request in progress; its entry is removed when this value is dropped.
#[derive(Debug)]
pub struct Job {
    name: Option<String>,
    /// Time of the last update of the progress.
    updated: Instant,
}

impl Job {
    /// Begins a job. Progress is recorded only for jobs with a name that is not in use.
    pub fn begin(name: Option<&str>, of: f64) -> Self {
        let now = Instant::now();
        let name = name.filter(|name| name.len() <= MAX_NAME_LENGTH).map(str::to_string);
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        let name = name.filter(|name| jobs.len() < MAX_JOBS && !jobs.contains_key(name));
        if let Some(name) = &name {
            let entry = JobEntry { done: 0.0, of, begun: now, film_requested: false, film: None };
            jobs.insert(name.clone(), entry);
        }
        Self { name, updated: now }
    }

    /// Returns whether the progress should be updated now.
    pub fn update_is_due(&mut self) -> bool {
        let due = self.name.is_some() && self.updated.elapsed() >= UPDATE_INTERVAL;
        if due {
            self.updated = Instant::now();
        }
        due
    }

    /// Records the amount of work done.
    pub fn done(&self, done: f64) {
        self.with_entry(|entry| entry.done = entry.done.max(done));
    }

    /// Returns whether a client is waiting for the film so far.
    pub fn film_requested(&self) -> bool {
        self.with_entry(|entry| entry.film_requested && entry.film.is_none()).unwrap_or(false)
    }

    /// Stores the film so far for the client that is waiting for it.
    pub fn store_film(&self, film: &impl Serialize) {
        if let Ok(film) = serde_json::to_vec(film) {
            self.with_entry(|entry| entry.film = Some(film));
        }
    }

    fn with_entry<T>(&self, act: impl FnOnce(&mut JobEntry) -> T) -> Option<T> {
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.get_mut(self.name.as_ref()?).map(act)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            JOBS.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        }
    }
}

/// Returns the progress of a job; `None` before it began and after it ended.
pub fn progress(name: &str) -> Option<Progress> {
    let jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let JobEntry { done, of, begun, .. } = jobs.get(name)?;
    let seconds = begun.elapsed().as_secs_f64();
    let left = (*done > 0.0).then(|| seconds * (of - done).max(0.0) / done);
    Some(Progress { done: *done, of: *of, seconds, left })
}

/// Returns the film so far of a job, as JSON. The first call returns `None` and requests the film; a later one returns it.
pub fn film(name: &str) -> Option<Vec<u8>> {
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = jobs.get_mut(name)?;
    let film = entry.film.take();
    entry.film_requested = film.is_none();
    film
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_known_while_it_lasts() {
        let mut job = Job::begin(Some("test"), 3.0);
        assert!(progress("test").is_some_and(|progress| progress.left.is_none()));
        job.done(2.0);
        job.done(1.0);
        let now = progress("test").unwrap();
        assert_eq!((now.done, now.of), (2.0, 3.0));
        // After two thirds of the work, the remaining third takes half of the elapsed time.
        assert!((now.left.unwrap() - 0.5 * now.seconds).abs() < 1e-9);
        // A second job with that name does not affect the first one.
        Job::begin(Some("test"), 9.0).done(9.0);
        assert_eq!(progress("test").unwrap().of, 3.0);
        assert!(!job.film_requested());
        assert_eq!(film("test"), None);
        assert!(job.film_requested());
        job.store_film(&[1, 2]);
        assert!(!job.film_requested());
        assert_eq!((film("test"), film("test")), (Some(b"[1,2]".to_vec()), None));
        job.updated = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        assert!(job.update_is_due() && !job.update_is_due());
        drop(job);
        assert_eq!(progress("test"), None);
        assert!(!Job::begin(None, 3.0).update_is_due());
    }
}
