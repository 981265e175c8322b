//! Parallel passes over chunks of grains.
//!
//! Where chunks begin and end depends on the bed alone, and each chunk writes only to its own part of every column. Results
//! therefore do not depend on which thread computes which chunk. The work is divided into halves recursively down to single
//! chunks, which needs no allocation.

/// Number of grains in a chunk. It is large enough to fill blocks of contacts, and small enough that the data of a chunk
/// stay in the first-level cache.
pub(super) const CHUNK: usize = 512;

/// A pass over the grains or the pairs of several chunks.
pub(super) trait ChunkPass: Sized + Send {
    /// Returns the number of chunks.
    fn chunks(&self) -> usize;
    /// Splits off the first `count` chunks and returns them.
    fn take_front(&mut self, count: usize) -> Self;
    /// Runs the pass on one chunk. Returns true if a grain has moved so far that the neighbour list is outdated.
    fn run(self) -> bool;
}

/// Runs a pass on all chunks. Returns true if any of them returned true.
pub(super) fn run_chunks<P: ChunkPass>(mut pass: P, parallel: bool) -> bool {
    let chunks = pass.chunks();
    if chunks <= 1 {
        return chunks == 1 && pass.run();
    }
    let front = pass.take_front(chunks / 2);
    let (front, rest) = match parallel {
        true => rayon::join(|| run_chunks(front, true), || run_chunks(pass, true)),
        false => (run_chunks(front, false), run_chunks(pass, false)),
    };
    front | rest
}

/// Splits off the first `count` entries of a column and returns them.
pub(super) fn take_front<'a, T>(column: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(column).split_at_mut(count);
    *column = rest;
    front
}
