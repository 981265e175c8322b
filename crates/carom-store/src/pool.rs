//! A pool of threads that encode partitions, one thread that writes the fragments, and a bound on the number of fragments in
//! memory.

use crate::sink::{Existing, Sink};
use crate::{Column, Failure, Format, Fragment, Source, encode};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// Progress of the writing of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of partitions written.
    pub done: u64,
    /// Number of these that earlier runs wrote.
    pub resumed: u64,
    /// Number of partitions of the table.
    pub partitions: u64,
    /// Number of bytes written.
    pub bytes: u64,
}

/// State that the threads share.
struct State {
    /// Number of the next partition to be computed.
    next: u64,
    /// Number of partitions written.
    written: u64,
    /// Fragments that are computed but not yet written.
    ready: BTreeMap<u64, Fragment>,
    /// Whether all threads are to end.
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

/// Stops all threads when the thread that holds it panics.
struct StopOnPanic<'a>(&'a Shared);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Writes a table to a file, or resumes it after an interruption, and calls `progress` after every partition. Returns the size of
/// the file in bytes, or 0 if it was complete before.
///
/// The bytes do not depend on the number of threads.
///
/// # Errors
/// As [`Sink::open`] and [`Sink::append`].
pub fn write(
    source: &impl Source,
    path: &Path,
    format: Format,
    threads: usize,
    progress: impl FnMut(Progress),
) -> Result<u64, Failure> {
    write_with(source, path, format, threads, Existing::default(), progress)
}

/// Writes a table like [`write()`], with a choice of what to do with existing files.
///
/// # Errors
/// As [`write()`].
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
    // Number of partitions that may be computed ahead of the one that is written next.
    let window = 2 * threads as u64 + 2;
    let state = State { next: resumed, written: resumed, ready: BTreeMap::new(), stop: false };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    let mut report = |sink: &Sink| {
        progress(Progress { done: sink.next(), resumed, partitions, bytes: sink.bytes() });
    };
    report(&sink);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| encode_all(source, format, partitions, window, &shared));
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
            report(&sink);
        }
        Ok(())
    })?;
    sink.finish()
}

/// Computes a whole table in memory, with its partitions on several threads. `progress` receives the number of finished partitions,
/// and cancels the computation by returning false. Returns `None` if the computation was cancelled or a thread failed.
pub fn gather(
    source: &impl Source,
    threads: usize,
    mut progress: impl FnMut(u64) -> bool,
) -> Option<Vec<Column>> {
    let partitions = source.partitions();
    let next = AtomicU64::new(0);
    let (send, receive) = mpsc::channel();
    let mut pieces = BTreeMap::new();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Sending fails if the computation was cancelled.
                    if number >= partitions
                        || send.send((number, source.partition(number))).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (number, columns) in receive {
            pieces.insert(number, columns);
            if !progress(pieces.len() as u64) {
                return;
            }
        }
    });
    if (pieces.len() as u64) < partitions {
        return None;
    }
    let mut all = pieces.into_values();
    let mut table = all.next()?;
    for piece in all {
        let pairs = table.iter_mut().zip(piece);
        pairs.for_each(|(column, more)| column.values.append(more.values));
    }
    Some(table)
}

/// Encodes partitions until none is left.
fn encode_all(source: &impl Source, format: Format, partitions: u64, window: u64, shared: &Shared) {
    let _stop = StopOnPanic(shared);
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
