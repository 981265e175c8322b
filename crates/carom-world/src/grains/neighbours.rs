//! Lists of neighbours by a grid of cells.

use super::ledger::Book;
use super::{Bed, Near, Push, WALL};
use crate::math::Vec3;
use carom::law::Memory;

impl Bed {
    /// The law of a pair, by its place.
    pub(super) fn law_of(&self, pair: &Near) -> u16 {
        let a = usize::from(self.size[pair.a as usize]);
        let between = self.sizes * (self.sizes + 1) / 2;
        let place = match pair.b & WALL == 0 {
            false => between + a,
            true => {
                let b = usize::from(self.size[pair.b as usize]);
                let (low, high) = (a.min(b), a.max(b));
                high * (high + 1) / 2 + low
            }
        };
        place as u16
    }

    /// Lists all pairs nearer than the skin, sorted, with the memories of those that were listed before.
    pub(super) fn list(&mut self) {
        let count = self.position.len();
        self.wrap();
        self.listed.copy_from_slice(&self.position);
        self.lists += 1;
        let old = std::mem::take(&mut self.near);
        let mut near = Vec::with_capacity(old.len() + count / 8 + 16);
        self.pairs(&mut near);
        // Laws against walls are the last, so grains come first.
        let key = |p: &Near| (self.law_of(p), p.a, p.b);
        near.sort_unstable_by_key(key);
        // Both lists are sorted: one pass carries the memories over.
        let mut before = old.iter().filter(|pair| pair.touching).peekable();
        for pair in &mut near {
            while before.peek().is_some_and(|other| key(other) < key(pair)) {
                before.next();
            }
            if let Some(other) = before.peek()
                && key(other) == key(pair)
            {
                *pair = **other;
            }
        }
        if self.keeps_books {
            let mut books = vec![Book::default(); near.len()];
            let mut place = 0;
            let mut closed = self.closed;
            for (pair, book) in old.iter().zip(&self.books) {
                while near.get(place).is_some_and(|other| key(other) < key(pair)) {
                    place += 1;
                }
                match near.get(place).is_some_and(|other| key(other) == key(pair)) {
                    true => books[place] = *book,
                    false => closed.add(book),
                }
            }
            self.closed = closed;
            self.books = books;
        }
        self.near = near;
        self.index();
    }

    /// What follows from the list: places for forces, runs that share a law, contacts of each grain.
    pub(super) fn index(&mut self) {
        let count = self.position.len();
        let near = std::mem::take(&mut self.near);
        self.push.clear();
        self.push.resize(near.len(), Push::default());
        let mut bins: Vec<(u32, u16)> = std::mem::take(&mut self.bins);
        bins.clear();
        for (place, pair) in near.iter().enumerate() {
            let (end, law) = (place as u32 + 1, self.law_of(pair));
            match bins.last_mut() {
                Some(last) if last.1 == law => last.0 = end,
                _ => bins.push((end, law)),
            }
        }
        self.bins = bins;
        // Contacts of each grain, by counting.
        self.first.fill(0);
        for pair in &near {
            self.first[pair.a as usize + 1] += 1;
            if pair.b & WALL == 0 {
                self.first[pair.b as usize + 1] += 1;
            }
        }
        for i in 0..count {
            self.first[i + 1] += self.first[i];
        }
        let mut next = self.first.clone();
        self.of.clear();
        self.of.resize(self.first[count] as usize, (0, false));
        for (contact, pair) in near.iter().enumerate() {
            let members = [(pair.a, false), (pair.b, true)];
            for (grain, second) in members.into_iter().filter(|(grain, _)| grain & WALL == 0) {
                let place = &mut next[grain as usize];
                self.of[*place as usize] = (contact as u32, second);
                *place += 1;
            }
        }
        self.near = near;
    }

    /// Back into the first cell of a repeated bed.
    fn wrap(&mut self) {
        let (x, y) = self.period;
        for (position, mass) in self.position.iter_mut().zip(&self.mass) {
            let mut back = Vec3::ZERO;
            if x.is_finite() {
                back.x = x * (position.x / x).floor();
            }
            if y.is_finite() {
                back.y = y * (position.y / y).floor();
            }
            *position -= back;
            // On a slope a period is also a height.
            self.closed.lifted += mass * self.gravity.dot(back);
        }
    }

    fn pairs(&self, near: &mut Vec<Near>) {
        let pair = |a: usize, b: u32| Near {
            a: a as u32,
            b,
            touching: false,
            memory: Memory::default(),
            spring: Vec3::ZERO,
        };
        for (i, position) in self.position.iter().enumerate() {
            for (w, wall) in self.walls.iter().enumerate() {
                let distance = wall.normal.dot(*position - wall.point) - self.radius[i];
                if distance < self.skin {
                    near.push(pair(i, WALL | w as u32));
                }
            }
        }
        let largest = self.radius.iter().copied().fold(0.0, f64::max);
        let Some(grid) = Grid::new(self, 2.0 * largest + self.skin) else { return };
        let cell_of: Vec<usize> = self.position.iter().map(|p| grid.index(grid.cell(*p))).collect();
        // Grains sorted by cell, by counting.
        let mut first = vec![0u32; grid.count() + 1];
        for &cell in &cell_of {
            first[cell + 1] += 1;
        }
        for i in 0..grid.count() {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut sorted = vec![0u32; cell_of.len()];
        for (i, &cell) in cell_of.iter().enumerate() {
            sorted[next[cell] as usize] = i as u32;
            next[cell] += 1;
        }
        for (i, position) in self.position.iter().enumerate() {
            grid.around(grid.cell(*position), |cell| {
                for &j in &sorted[first[cell] as usize..first[cell + 1] as usize] {
                    let j = j as usize;
                    if j <= i {
                        continue;
                    }
                    let reach = self.radius[i] + self.radius[j] + self.skin;
                    let way = Self::apart(&self.position, self.period, i, j);
                    if way.dot(way) < reach * reach {
                        near.push(pair(i, j as u32));
                    }
                }
            });
        }
    }
}

/// Cells at least as wide as the reach of a pair.
struct Grid {
    low: Vec3,
    width: Vec3,
    cells: [usize; 3],
    wraps: [bool; 2],
}

/// Cells along one direction; more would be memory for nothing.
const MOST: f64 = 512.0;

impl Grid {
    fn new(bed: &Bed, reach: f64) -> Option<Self> {
        let first = *bed.position.first()?;
        let (mut low, mut high) = (first, first);
        for p in &bed.position {
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
        let most = 1024.0 + 8.0 * bed.position.len() as f64;
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
        })
    }

    fn count(&self) -> usize {
        self.cells.iter().product()
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

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
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
