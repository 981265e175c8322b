//! Parallel passes over chunks of grains.
//!
//! Where chunks begin and end depends on the bed alone, and each chunk writes only to its own part of every column, so
//! results do not depend on which thread takes which chunk. Work is halved until one chunk is left, which needs no
//! allocation.

/// Grains in a chunk: enough to fill blocks of contacts, few enough that a chunk's own data stay in the first-level cache.
pub(super) const CHUNK: usize = 512;

/// A pass over the grains, or the pairs, of several chunks.
pub(super) trait ChunkPass: Sized + Send {
    /// How many chunks.
    fn chunks(&self) -> usize;
    /// The first `count` chunks, and the rest.
    fn split(self, count: usize) -> (Self, Self);
    /// Runs on one chunk; true if a grain has moved so far that the neighbour list is outdated.
    fn run(self) -> bool;
}

/// Runs a pass on all chunks; true if any of them returned true.
pub(super) fn run_chunks<P: ChunkPass>(pass: P, parallel: bool) -> bool {
    let chunks = pass.chunks();
    if chunks <= 1 {
        return chunks == 1 && pass.run();
    }
    let (one, other) = pass.split(chunks / 2);
    let (one, other) = match parallel {
        true => rayon::join(|| run_chunks(one, true), || run_chunks(other, true)),
        false => (run_chunks(one, false), run_chunks(other, false)),
    };
    one | other
}
