//! The neighbour list: all pairs that may come into contact before any grain has moved half the skin.
//!
//! Pairs are listed chunk by chunk of their first grain (`chunks`), within a chunk first those whose second grain is
//! of the same chunk, then by law, and pairs in contact before others: their history is then read without gaps.

use super::boundary::{PeriodicImages, Wall};
use super::cell_grid::CellGrid;
use super::cell_order::CellOrder;
use super::chunks::CHUNK;
use super::pair_laws::PairLaws;

/// The second member of a pair, with its number; grains are ordered before walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// A grain, by id.
    Grain(u32),
    /// A wall.
    Wall(u32),
}

/// Two neighbours; 12 bytes, as every step reads the whole list.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeighbourPair {
    /// The slot of the first grain.
    pub a: u32,
    /// The slot of the second grain, or the number of the wall.
    pub b: u32,
    /// The periodic image of b that is meant.
    pub image: u8,
    pub touching: bool,
    /// Whether b is a wall. All pairs of a [`LawRun`] are alike in this.
    at_wall: bool,
}

impl NeighbourPair {
    /// The slot of the first grain.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.a as usize
    }

    /// The slot of the second grain; none for a wall.
    #[inline(always)]
    pub fn second(&self) -> Option<usize> {
        (!self.at_wall).then_some(self.b as usize)
    }

    /// The two members by id.
    pub fn ids(&self, order: &CellOrder) -> (u32, Partner) {
        let b = match self.at_wall {
            true => Partner::Wall(self.b),
            false => Partner::Grain(order.id(self.b)),
        };
        (order.id(self.a), b)
    }

    fn law(&self, order: &CellOrder, laws: &PairLaws) -> u16 {
        match self.ids(order) {
            (a, Partner::Grain(b)) => laws.between(a, b),
            (a, Partner::Wall(_)) => laws.at_wall(a),
        }
    }

    /// The slot of the second grain where that is of another chunk than the first.
    fn second_in_other_chunk(&self) -> Option<u32> {
        let crosses = |b: &usize| self.first() / CHUNK != b / CHUNK;
        self.second().filter(crosses).map(|_| self.b)
    }
}

/// Consecutive pairs of a chunk that share a law.
#[derive(Clone, Copy, Debug)]
pub(super) struct LawRun {
    /// One after its last pair.
    pub end: u32,
    /// Index of the law.
    pub law: u16,
}

/// Where the pairs of a chunk begin, its runs, and its pairs with second grains of other chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkStart {
    pub pairs: u32,
    pub runs: u32,
    pub cross_chunk: u32,
}

/// Items grouped by a key: where each group starts, and the items in it in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Groups items 0, 1, … by their keys, which are below `count`.
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

    /// The items of a group.
    #[inline(always)]
    pub fn of(&self, key: usize) -> &[u32] {
        &self.items[self.range(key)]
    }
}

/// The list, and what follows from it.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighbourList {
    pub pairs: Vec<NeighbourPair>,
    pub runs: Vec<LawRun>,
    /// One more than there are chunks: where the last ends.
    pub chunks: Vec<ChunkStart>,
    /// For each grain the pairs of other chunks that act on it, as numbers among all such pairs.
    pub from_other_chunks: Groups,
}

impl NeighbourList {
    /// How many pairs have a second grain of another chunk than the first.
    pub fn cross_chunk_pairs(&self) -> usize {
        self.from_other_chunks.items.len()
    }

    /// Sorts grains into cell order and lists all pairs nearer than the skin. The result follows from positions and ids
    /// alone.
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

    /// Finds runs and chunks in the pairs, and what acts on each grain from other chunks.
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

/// Appends all pairs, with whether they overlap now. In cell order the slots of a cell are consecutive, so `by_cell` is
/// asked for their range only.
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
