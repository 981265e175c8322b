//! Lists of neighbours by a grid of cells.

use super::kept::Kept;
use super::ledger::Book;
use super::share::CHUNK;
use super::{Bed, Chunk, Near, Push, WALL};
use crate::math::Vec3;
use carom::law::Memory;

/// What a pair of grains, by their names, keeps from list to list.
pub(super) struct Carried {
    pub a: u32,
    pub b: u32,
    pub touching: bool,
    pub memory: Memory,
    pub spring: Vec3,
    pub book: Book,
}

impl Carried {
    /// Seen from the other of two grains.
    fn flipped(self) -> Self {
        let Book { normal, tangential, couple, .. } = self.book;
        let book = Book { normal: -normal, tangential: -tangential, couple: -couple, ..self.book };
        Self { a: self.b, b: self.a, spring: -self.spring, book, ..self }
    }

    /// Seen from the one with the smaller name, or from the grain at a wall.
    fn ordered(self) -> Self {
        if self.b < self.a { self.flipped() } else { self }
    }
}

impl Near {
    /// Whether the second is a grain of another chunk than the first.
    fn outside(self) -> bool {
        self.b & WALL == 0 && self.a as usize / CHUNK != self.b as usize / CHUNK
    }
}

/// Things by the number of their bucket: where each bucket begins, and the things in it in their order.
fn buckets(count: usize, keys: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; count + 1];
    for &key in keys {
        first[key as usize + 1] += 1;
    }
    for i in 0..count {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut things = vec![0u32; keys.len()];
    for (thing, &key) in keys.iter().enumerate() {
        let place = &mut next[key as usize];
        things[*place as usize] = thing as u32;
        *place += 1;
    }
    (first, things)
}

impl Bed {
    /// The name of a grain, or the wall as it is.
    pub(super) fn name(&self, member: u32) -> u32 {
        self.sorted.names.get(member as usize).copied().unwrap_or(member)
    }

    /// The law of a pair, by its place.
    pub(super) fn law_of(&self, pair: &Near) -> u16 {
        let size = |member: u32| u16::from(self.size[self.name(member) as usize]);
        let a = size(pair.a);
        if pair.b & WALL != 0 {
            return self.first_of_walls() + a;
        }
        let b = size(pair.b);
        let (low, high) = (a.min(b), a.max(b));
        high * (high + 1) / 2 + low
    }

    /// Lists neighbours where grains are now; what pairs remember is carried over.
    pub(super) fn list(&mut self) {
        self.wrap();
        self.lists += 1;
        let carried = self.carried().map(|(_, pair)| pair).collect();
        self.arrange(carried);
    }

    /// Pairs that keep something, with their places in the list.
    pub(super) fn carried(&self) -> impl Iterator<Item = (usize, Carried)> {
        self.near.iter().enumerate().filter_map(|(k, pair)| {
            let book = self.kept.book(k).copied().unwrap_or_default();
            let carried = Carried {
                a: self.name(pair.a),
                b: self.name(pair.b),
                touching: pair.touching,
                memory: self.kept.memory(k),
                spring: self.kept.spring(k),
                book,
            };
            (pair.touching || book != Book::default()).then_some((k, carried))
        })
    }

    /// Sorts grains by cells, lists all pairs nearer than the skin, chunk by chunk of their first grains,
    /// and gives them what they keep. All follows from where grains are and what they are called.
    pub(super) fn arrange(&mut self, carried: Vec<Carried>) {
        let count = self.position.len();
        let largest = self.radius.iter().copied().fold(0.0, f64::max);
        let grid = Grid::new(self, 2.0 * largest + self.skin);
        let mut near = Vec::with_capacity(self.near.len() + count / 8 + 16);
        if let Some(grid) = grid {
            let mut cells = vec![0u32; count];
            for (place, &name) in self.sorted.place.iter().zip(&self.sorted.names) {
                cells[name as usize] = grid.index(grid.cell(place.at)) as u32;
            }
            let (first, names) = buckets(grid.count(), &cells);
            self.sorted.arrange(names);
            self.pairs(&grid, &first, &mut near);
        }
        for (place, root) in self.sorted.place.iter().zip(&mut self.sorted.root) {
            root.listed = place.at;
        }
        self.near = near;
        self.index();
        self.carry(carried);
    }

    /// What follows from the list: places for forces, runs that share a law, what second grains take from other chunks.
    fn index(&mut self) {
        let count = self.position.len();
        self.own.resize(count, Push::default());
        self.bins.clear();
        self.chunks.clear();
        let mut seconds = Vec::new();
        for (place, pair) in self.near.iter().enumerate() {
            while self.chunks.len() <= pair.a as usize / CHUNK {
                let (bins, outside) = (self.bins.len() as u32, seconds.len() as u32);
                self.chunks.push(Chunk { pairs: place as u32, bins, outside });
            }
            let (end, law) = (place as u32 + 1, self.law_of(pair));
            let begun = self.chunks.last().map_or(0, |last| last.bins as usize);
            match self.bins.get_mut(begun..).and_then(<[_]>::last_mut) {
                Some(last) if last.1 == law => last.0 = end,
                _ => self.bins.push((end, law)),
            }
            if pair.outside() {
                seconds.push(pair.b);
            }
        }
        let (bins, outside) = (self.bins.len() as u32, seconds.len() as u32);
        let end = Chunk { pairs: self.near.len() as u32, bins, outside };
        self.chunks.resize(count.div_ceil(CHUNK) + 1, end);
        self.back.clear();
        self.back.resize(seconds.len(), Push::default());
        (self.first, self.of) = buckets(count, &seconds);
    }

    /// Gives pairs what they keep; the works of those that are listed no more are closed.
    fn carry(&mut self, carried: Vec<Carried>) {
        let count = self.position.len();
        let carried: Vec<_> = carried.into_iter().map(Carried::ordered).collect();
        let names: Vec<u32> = carried.iter().map(|pair| pair.a).collect();
        let (first, things) = buckets(count, &names);
        let mut carried: Vec<_> = carried.into_iter().map(Some).collect();
        self.kept = Kept::new(self.near.len(), self.keeps_books);
        for k in 0..self.near.len() {
            let (a, b) = (self.name(self.near[k].a), self.name(self.near[k].b));
            let (low, high) = (a.min(b), a.max(b));
            let of_low = &things[first[low as usize] as usize..first[low as usize + 1] as usize];
            let mine = |thing: &&u32| {
                carried[**thing as usize].as_ref().is_some_and(|pair| pair.b == high)
            };
            self.near[k].touching = false;
            let Some(found) = of_low.iter().find(mine) else { continue };
            let Some(mut pair) = carried[*found as usize].take() else { continue };
            if b < a {
                pair = pair.flipped();
            }
            self.near[k].touching = pair.touching;
            self.kept.all().put(k, &pair.memory, pair.spring, pair.book);
        }
        carried.iter().flatten().for_each(|pair| self.closed.add(&pair.book));
    }

    /// Back into the first cell of a repeated bed.
    fn wrap(&mut self) {
        let (x, y) = self.period;
        for (place, root) in self.sorted.place.iter_mut().zip(&self.sorted.root) {
            let mut back = Vec3::ZERO;
            if x.is_finite() {
                back.x = x * (place.at.x / x).floor();
            }
            if y.is_finite() {
                back.y = y * (place.at.y / y).floor();
            }
            place.at -= back;
            // On a slope a period is also a height.
            self.closed.lifted += root.mass * self.gravity.dot(back);
        }
    }

    /// All pairs; `touching` says what is so now, whatever was before.
    fn pairs(&mut self, grid: &Grid, first: &[u32], near: &mut Vec<Near>) {
        let images = Images::new(self.period);
        self.shifts = images.shifts;
        let count = self.sorted.place.len();
        for begun in (0..count).step_by(CHUNK) {
            let listed = near.len();
            for i in begun..count.min(begun + CHUNK) {
                let one = self.sorted.place[i];
                let pair = |b: u32, image, touching| Near { a: i as u32, b, image, touching };
                for (w, wall) in self.walls.iter().enumerate() {
                    let distance = wall.normal.dot(one.at - wall.point) - one.radius;
                    if distance < self.skin {
                        near.push(pair(WALL | w as u32, 0, distance < 0.0));
                    }
                }
                grid.around(grid.cell(one.at), |cell| {
                    let cell = first[cell] as usize..first[cell + 1] as usize;
                    let others = self.sorted.place[cell.clone()].iter().zip(cell);
                    for (other, j) in others.filter(|(_, j)| *j > i) {
                        let reach = one.radius + other.radius + self.skin;
                        let (image, way) = images.nearest(other.at - one.at);
                        let square = way.dot(way);
                        if square < reach * reach {
                            let reach = one.radius + other.radius;
                            near.push(pair(j as u32, image, square < reach * reach));
                        }
                    }
                });
            }
            // Those that touch first: what they keep is then read in a row, without gaps.
            let key =
                |pair: &Near| (pair.outside(), self.law_of(pair), !pair.touching, pair.a, pair.b);
            near[listed..].sort_unstable_by_key(key);
        }
    }
}

/// Images of a grain in the periods around: none, then one period to either side along x, y or both. Between two lists
/// no pair changes its image, because grains move less than the skin and a period is wider than several.
struct Images {
    period: (f64, f64),
    shifts: [Vec3; 9],
}

impl Images {
    fn new(period: (f64, f64)) -> Self {
        let along = |period: f64, k: usize| match (period.is_finite(), k) {
            (false, _) | (_, 0) => 0.0,
            (_, 1) => -period,
            _ => period,
        };
        let shift = |k: usize| Vec3::new(along(period.0, k % 3), along(period.1, k / 3), 0.0);
        Self { period, shifts: std::array::from_fn(shift) }
    }

    /// The image nearest to a way, and the way to it.
    fn nearest(&self, way: Vec3) -> (u8, Vec3) {
        let along = |x: f64, period: f64| {
            if x > 0.5 * period {
                1
            } else if x < -0.5 * period {
                2
            } else {
                0
            }
        };
        let image = along(way.x, self.period.0) + 3 * along(way.y, self.period.1);
        (image, way + self.shifts[usize::from(image)])
    }
}

/// Cells at least as wide as the reach of a pair.
struct Grid {
    low: Vec3,
    width: Vec3,
    cells: [usize; 3],
    wraps: [bool; 2],
    /// Cells along the edges of a brick.
    brick: [usize; 3],
}

/// Cells along one direction; more would be memory for nothing.
const MOST: f64 = 512.0;
/// Cells along the edge of a brick: a chunk of grains fills a few of them.
const BRICK: usize = 4;

impl Grid {
    fn new(bed: &Bed, reach: f64) -> Option<Self> {
        let place = &bed.sorted.place;
        let first = place.first()?.at;
        let (mut low, mut high) = (first, first);
        for p in place.iter().map(|place| place.at) {
            low = Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z));
            high = Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z));
        }
        let wraps = [bed.period.0.is_finite(), bed.period.1.is_finite()];
        if wraps[0] {
            (low.x, high.x) = (0.0, bed.period.0);
        }
        if wraps[1] {
            (low.y, high.y) = (0.0, bed.period.1);
        }
        let size = high - low;
        let count = |length: f64| (length / reach).floor().clamp(1.0, MOST);
        let mut cells = [count(size.x), count(size.y), count(size.z)];
        // A grain that flies away must not make the rest pay for empty space.
        let most = 1024.0 + 8.0 * place.len() as f64;
        while cells.iter().product::<f64>() > most {
            let largest = cells.iter_mut().max_by(|a, b| a.total_cmp(b));
            let Some(largest) = largest else { break };
            *largest = (0.5 * *largest).ceil();
        }
        let width = |length: f64, count: f64| (length / count).max(f64::MIN_POSITIVE);
        Some(Self {
            low,
            width: Vec3::new(
                width(size.x, cells[0]),
                width(size.y, cells[1]),
                width(size.z, cells[2]),
            ),
            cells: cells.map(|c| c as usize),
            wraps,
            brick: cells.map(|c| BRICK.min(c as usize)),
        })
    }

    /// Bricks along each direction, the last ones perhaps not full.
    fn bricks(&self) -> [usize; 3] {
        std::array::from_fn(|axis| self.cells[axis].div_ceil(self.brick[axis]))
    }

    fn count(&self) -> usize {
        self.bricks().iter().chain(&self.brick).product()
    }

    fn cell(&self, p: Vec3) -> [usize; 3] {
        let along = |x: f64, low: f64, width: f64, count: usize| {
            (((x - low) / width).max(0.0) as usize).min(count - 1)
        };
        [
            along(p.x, self.low.x, self.width.x, self.cells[0]),
            along(p.y, self.low.y, self.width.y, self.cells[1]),
            along(p.z, self.low.z, self.width.z, self.cells[2]),
        ]
    }

    /// Brick by brick, so that cells which are near in space are near in memory along all directions.
    fn index(&self, cell: [usize; 3]) -> usize {
        let row = |[x, y, z]: [usize; 3], [nx, ny, _]: [usize; 3]| (z * ny + y) * nx + x;
        let brick = std::array::from_fn(|axis| cell[axis] / self.brick[axis]);
        let within = std::array::from_fn(|axis| cell[axis] % self.brick[axis]);
        let size: usize = self.brick.iter().product();
        row(brick, self.bricks()) * size + row(within, self.brick)
    }

    /// The cells around one, each once.
    fn around(&self, cell: [usize; 3], mut visit: impl FnMut(usize)) {
        let wraps = [self.wraps[0], self.wraps[1], false];
        let near = |axis: usize| {
            let (count, at) = (self.cells[axis], cell[axis]);
            // With three cells or fewer around the period, all of them are near.
            let (low, high) = match wraps[axis] {
                true if count <= 3 => (0, count as isize - 1),
                true => (at as isize - 1, at as isize + 1),
                false => ((at as isize - 1).max(0), (at as isize + 1).min(count as isize - 1)),
            };
            (low..=high).map(move |i| i.rem_euclid(count as isize) as usize)
        };
        for z in near(2) {
            for y in near(1) {
                for x in near(0) {
                    visit(self.index([x, y, z]));
                }
            }
        }
    }
}
