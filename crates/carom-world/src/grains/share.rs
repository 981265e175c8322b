//! Work on chunks of grains, shared by the threads there are.
//!
//! Where chunks begin and end depends on the bed alone, and each writes to its own places, so that it does not matter
//! who takes which. Halves are halved again until one chunk is left, which allocates nothing.

/// Grains of one chunk: enough to fill rows of contacts, few enough that a chunk's own data stay in the nearest cache.
pub(super) const CHUNK: usize = 256;

/// Work on several chunks.
pub(super) trait Share: Sized + Send {
    /// How many chunks it is.
    fn chunks(&self) -> usize;
    /// The first so many, and the rest.
    fn split(self, at: usize) -> (Self, Self);
    /// Works on one chunk, and says whether a grain has gone far.
    fn run(self) -> bool;
}

/// Works on all chunks, together or one after the other; whether a grain of any has gone far.
pub(super) fn share<S: Share>(work: S, together: bool) -> bool {
    let chunks = work.chunks();
    if chunks <= 1 {
        return chunks == 1 && work.run();
    }
    let (one, other) = work.split(chunks / 2);
    let (one, other) = match together {
        true => rayon::join(|| share(one, true), || share(other, true)),
        false => (share(one, false), share(other, false)),
    };
    one | other
}
