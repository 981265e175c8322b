//! Neighbour list: all pairs that may come into contact before any grain has moved by half the skin.
//!
//! Pairs are listed by the chunk of their first grain (`chunks`). Within a chunk, pairs whose second grain is in the same
//! chunk come first; then they are sorted by law, and pairs in contact come before the others, so that the contact history
//! is read contiguously.

use super::boundary::{PeriodicImages, Wall};
use super::cell_grid::CellGrid;
use super::cell_order::CellOrder;
use super::chunks::CHUNK;
use super::pair_laws::PairLaws;

/// Second member of a pair, with its number; grains sort before walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// A grain, by id.
    Grain(u32),
    /// A wall.
    Wall(u32),
}

/// Two neighbours; 12 bytes, because every step reads the whole list.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeighbourPair {
    /// Slot of the first grain.
    pub a: u32,
    /// Slot of the second grain, or number of the wall.
    pub b: u32,
    /// Index of the periodic image of b that belongs to this pair.
    pub image: u8,
    pub touching: bool,
    /// Whether b is a wall; the same for all pairs of a [`LawRun`].
    at_wall: bool,
}

impl NeighbourPair {
    /// Returns the slot of the first grain.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.a as usize
    }

    /// Returns the slot of the second grain; none for a wall.
    #[inline(always)]
    pub fn second(&self) -> Option<usize> {
        (!self.at_wall).then_some(self.b as usize)
    }

    /// Returns the two members by id.
    pub fn ids(&self, order: &CellOrder) -> (u32, Partner) {
        let b = match self.at_wall {
            true => Partner::Wall(self.b),
            false => Partner::Grain(order.id(self.b)),
        };
        (order.id(self.a), b)
    }

    fn law(&self, order: &CellOrder, laws: &PairLaws) -> u16 {
        match self.ids(order) {
            (a, Partner::Grain(b)) => laws.index_between(a, b),
            (a, Partner::Wall(_)) => laws.index_at_wall(a),
        }
    }

    /// Returns the slot of the second grain if that is in another chunk than the first.
    fn second_in_other_chunk(&self) -> Option<u32> {
        let crosses = |b: &usize| self.first() / CHUNK != b / CHUNK;
        self.second().filter(crosses).map(|_| self.b)
    }
}

/// A run of consecutive pairs of a chunk that share a law.
#[derive(Clone, Copy, Debug)]
pub(super) struct LawRun {
    /// Index after the last pair of the run.
    pub end: u32,
    /// Index of the law.
    pub law: u16,
}

/// Indices at which the pairs, the runs and the cross-chunk pairs (second grain in another chunk) of a chunk begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkStart {
    pub pairs: u32,
    pub runs: u32,
    pub cross_chunk: u32,
}

/// Items grouped by a key: the index at which each group starts, and the items of all groups, in their original order within
/// a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Groups the items 0, 1, … by their keys, which must be below `count`.
    pub fn new(count: usize, keys: &[u32]) -> Self {
        let mut starts = vec![0u32; count + 1];
        for &key in keys {
            starts[key as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0u32; keys.len()];
        for (item, &key) in keys.iter().enumerate() {
            let slot = &mut next[key as usize];
            items[*slot as usize] = item as u32;
            *slot += 1;
        }
        Self { starts, items }
    }

    #[inline(always)]
    fn range(&self, key: usize) -> std::ops::Range<usize> {
        self.starts[key] as usize..self.starts[key + 1] as usize
    }

    /// Returns the items of a group.
    #[inline(always)]
    pub fn of(&self, key: usize) -> &[u32] {
        &self.items[self.range(key)]
    }
}

/// Neighbour list, with runs, chunks and the pairs that act across chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighbourList {
    pub pairs: Vec<NeighbourPair>,
    pub runs: Vec<LawRun>,
    /// Start of each chunk, and a last entry for the end of the last chunk.
    pub chunks: Vec<ChunkStart>,
    /// For each grain, the pairs of other chunks that act on it, as indices among all cross-chunk pairs.
    pub from_other_chunks: Groups,
}

impl NeighbourList {
    /// Returns the number of pairs whose second grain is in another chunk than the first.
    pub fn cross_chunk_pairs(&self) -> usize {
        self.from_other_chunks.items.len()
    }

    /// Sorts grains into cell order and lists all pairs that are closer than the skin. The result is a function of positions
    /// and ids alone.
    pub fn build(
        &mut self,
        order: &mut CellOrder,
        walls: &[Wall],
        images: &PeriodicImages,
        skin: f64,
        laws: &PairLaws,
    ) {
        let count = order.ids.len();
        let largest = order.spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
        let mut pairs = Vec::with_capacity(self.pairs.len() + count / 8 + 16);
        if let Some(grid) = CellGrid::new(&order.spheres, images, 2.0 * largest + skin) {
            let mut cells = vec![0u32; count];
            for (sphere, &id) in order.spheres.iter().zip(&order.ids) {
                cells[id as usize] = grid.index(grid.cell(sphere.centre)) as u32;
            }
            let mut by_cell = Groups::new(grid.count(), &cells);
            order.rearrange(std::mem::take(&mut by_cell.items));
            find_pairs(order, walls, images, skin, laws, (&grid, &by_cell), &mut pairs);
        }
        for (sphere, reference) in order.spheres.iter().zip(&mut order.references) {
            reference.listed = sphere.centre;
        }
        self.pairs = pairs;
        self.index(order, laws);
    }

    /// Finds the runs and chunks of the pairs, and for each grain the pairs of other chunks that act on it.
    fn index(&mut self, order: &CellOrder, laws: &PairLaws) {
        self.runs.clear();
        self.chunks.clear();
        let mut seconds = Vec::new();
        for (k, pair) in self.pairs.iter().enumerate() {
            while self.chunks.len() <= pair.first() / CHUNK {
                let (runs, cross_chunk) = (self.runs.len() as u32, seconds.len() as u32);
                self.chunks.push(ChunkStart { pairs: k as u32, runs, cross_chunk });
            }
            let (end, law) = (k as u32 + 1, pair.law(order, laws));
            let first_run = self.chunks.last().map_or(0, |last| last.runs as usize);
            match self.runs.get_mut(first_run..).and_then(<[_]>::last_mut) {
                Some(last) if last.law == law => last.end = end,
                _ => self.runs.push(LawRun { end, law }),
            }
            seconds.extend(pair.second_in_other_chunk());
        }
        let (runs, cross_chunk) = (self.runs.len() as u32, seconds.len() as u32);
        let end = ChunkStart { pairs: self.pairs.len() as u32, runs, cross_chunk };
        let count = order.ids.len();
        self.chunks.resize(count.div_ceil(CHUNK) + 1, end);
        self.from_other_chunks = Groups::new(count, &seconds);
    }
}

/// Appends all pairs, with whether they overlap at present. In cell order the slots of a cell are consecutive, so only their
/// range is read from `by_cell`.
fn find_pairs(
    order: &CellOrder,
    walls: &[Wall],
    images: &PeriodicImages,
    skin: f64,
    laws: &PairLaws,
    (grid, by_cell): (&CellGrid, &Groups),
    pairs: &mut Vec<NeighbourPair>,
) {
    let spheres = &order.spheres;
    let count = spheres.len();
    for start in (0..count).step_by(CHUNK) {
        let listed = pairs.len();
        for i in start..count.min(start + CHUNK) {
            let (one, a) = (spheres[i], i as u32);
            for (wall, plane) in (0..).zip(walls) {
                let distance = plane.distance(one.centre) - one.radius;
                if distance < skin {
                    let touching = distance < 0.0;
                    pairs.push(NeighbourPair { a, b: wall, image: 0, touching, at_wall: true });
                }
            }
            grid.visit_around(grid.cell(one.centre), |cell| {
                let slots = by_cell.range(cell);
                let others = spheres[slots.clone()].iter().zip(slots);
                for (other, j) in others.filter(|(_, j)| *j > i) {
                    let contact = one.radius + other.radius;
                    let reach = contact + skin;
                    let (image, separation) = images.nearest(other.centre - one.centre);
                    let square = separation.dot(separation);
                    if square < reach * reach {
                        let (b, touching) = (j as u32, square < contact * contact);
                        pairs.push(NeighbourPair { a, b, image, touching, at_wall: false });
                    }
                }
            });
        }
        pairs[listed..].sort_unstable_by_key(|pair| {
            let in_other = pair.second_in_other_chunk().is_some();
            (in_other, pair.law(order, laws), !pair.touching, pair.a, pair.b)
        });
    }
}
