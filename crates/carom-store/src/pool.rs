//! Threads that make fragments, one that writes them, and a bound on what waits in between.

use crate::sink::{Existing, Sink};
use crate::{Failure, Format, Fragment, Source, encode};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Partitions written.
    pub done: u64,
    /// Of these, by earlier runs.
    pub resumed: u64,
    /// Partitions of the table.
    pub partitions: u64,
    /// Bytes written.
    pub bytes: u64,
}

struct State {
    /// The next partition to be computed.
    next: u64,
    /// Partitions written.
    written: u64,
    /// Computed, not yet written.
    ready: BTreeMap<u64, Fragment>,
    /// Nothing more is to be done.
    stop: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }
}

/// Stops everyone when its thread ends early.
struct Alarm<'a>(&'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Writes a table to a file, going on where an earlier run was stopped; tells `progress` after every
/// partition. Returns the size of the file, 0 if it was complete before.
///
/// The bytes do not depend on the number of threads.
pub fn write(
    source: &impl Source,
    path: &Path,
    format: Format,
    threads: usize,
    progress: impl FnMut(Progress),
) -> Result<u64, Failure> {
    write_with(source, path, format, threads, Existing::default(), progress)
}

/// Like [`write()`], and says what becomes of files that are already there.
pub fn write_with(
    source: &impl Source,
    path: &Path,
    format: Format,
    threads: usize,
    existing: Existing,
    mut progress: impl FnMut(Progress),
) -> Result<u64, Failure> {
    let Some(mut sink) = Sink::open(source, path, format, existing)? else { return Ok(0) };
    let (partitions, resumed) = (source.partitions(), sink.next());
    let threads = threads.max(1);
    let window = 2 * threads as u64 + 2;
    let state = State { next: resumed, written: resumed, ready: BTreeMap::new(), stop: false };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    let mut tell = |sink: &Sink| {
        progress(Progress { done: sink.next(), resumed, partitions, bytes: sink.bytes() });
    };
    tell(&sink);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| make(source, format, partitions, window, &shared));
        }
        while sink.next() < partitions {
            let fragment = {
                let mut state = shared.lock();
                loop {
                    if let Some(fragment) = state.ready.remove(&sink.next()) {
                        break fragment;
                    }
                    if state.stop {
                        return Err(Failure::Thread);
                    }
                    state = shared.wait(state);
                }
            };
            if let Err(failure) = sink.append(fragment) {
                shared.stop();
                return Err(failure);
            }
            shared.lock().written = sink.next();
            shared.changed.notify_all();
            tell(&sink);
        }
        Ok(())
    })?;
    sink.finish()
}

/// Makes fragments until none is left.
fn make(source: &impl Source, format: Format, partitions: u64, window: u64, shared: &Shared) {
    let _alarm = Alarm(shared);
    loop {
        let number = {
            let mut state = shared.lock();
            while !state.stop && state.next < partitions && state.next >= state.written + window {
                state = shared.wait(state);
            }
            if state.stop || state.next >= partitions {
                return;
            }
            state.next += 1;
            state.next - 1
        };
        let fragment = encode(&source.partition(number), format);
        shared.lock().ready.insert(number, fragment);
        shared.changed.notify_all();
    }
}
