//! Forces of the contacts of a bed, chunk by chunk of grains and law by law.
//!
//! Most neighbours do not touch, which is told without a root. Those that do are collected in rows of one law
//! ([`Block`]), and what comes of a row goes back to where contacts are kept: onto the first grain, which is of this
//! chunk, and onto the second where it is as well, at once; otherwise as a push that the second takes later.

use super::block::{Block, ROW, Rules};
use super::ledger::Book;
use super::share::{CHUNK, Share, share};
use super::{Bed, Kept, Near, Push, WALL};
use crate::math::Vec3;
use carom::law::{Exit, Force, Law, Work};
use carom::{Error, Result};
use std::ops::Range;

/// All contacts.
pub(super) fn forces(bed: &mut Bed, h: f64, together: bool) {
    let mut near = std::mem::take(&mut bed.near);
    let mut kept = std::mem::take(&mut bed.kept);
    let mut back = std::mem::take(&mut bed.back);
    let mut books = std::mem::take(&mut bed.books);
    let mut own = std::mem::take(&mut bed.own);
    let pairs = Pairs {
        bed,
        chunk: 0,
        near: &mut near,
        kept: &mut kept,
        back: &mut back,
        books: &mut books,
        own: &mut own,
        h,
    };
    share(pairs, together);
    (bed.near, bed.kept, bed.back, bed.books, bed.own) = (near, kept, back, books, own);
}

/// Pairs whose first grains are those of some chunks.
struct Pairs<'a> {
    bed: &'a Bed,
    /// The first chunk.
    chunk: usize,
    near: &'a mut [Near],
    kept: &'a mut [Kept],
    /// What pushes second grains: those of this chunk have it already.
    back: &'a mut [Push],
    /// As many as pairs, or none.
    books: &'a mut [Book],
    /// What pushes grains from within their chunk.
    own: &'a mut [Push],
    h: f64,
}

impl Share for Pairs<'_> {
    fn chunks(&self) -> usize {
        self.own.len().div_ceil(CHUNK)
    }

    fn split(self, at: usize) -> (Self, Self) {
        let Self { bed, chunk, near, kept, back, books, own, h } = self;
        let rest = chunk + at;
        let pairs = (bed.chunks[rest].0 - bed.chunks[chunk].0) as usize;
        let (near, nears) = near.split_at_mut(pairs);
        let (kept, kepts) = kept.split_at_mut(pairs);
        let (back, backs) = back.split_at_mut(pairs);
        let (book, books) = books.split_at_mut(pairs.min(books.len()));
        let (own, owns) = own.split_at_mut(at * CHUNK);
        (
            Self { bed, chunk, near, kept, back, books: book, own, h },
            Self { bed, chunk: rest, near: nears, kept: kepts, back: backs, books, own: owns, h },
        )
    }

    fn run(mut self) -> bool {
        self.own.fill(Push::default());
        let mut block = Block::new();
        let ((first, bins), (_, end)) =
            (self.bed.chunks[self.chunk], self.bed.chunks[self.chunk + 1]);
        let walls = self.bed.first_of_walls();
        let mut begun = 0;
        for &(end, law) in &self.bed.bins[bins as usize..end as usize] {
            let range = begun..(end - first) as usize;
            begun = range.end;
            let bin = &self.bed.laws[usize::from(law)];
            match law < walls {
                true => self.between(&mut block, bin, range),
                false => self.against(&mut block, bin, range),
            }
        }
        false
    }
}

impl Pairs<'_> {
    /// Grains against grains of one law.
    fn between(&mut self, block: &mut Block, law: &Law, range: Range<usize>) {
        let (bed, mut count) = (self.bed, 0);
        for k in range {
            let pair = self.near[k];
            let (a, b) = (&bed.sorted.place[pair.a as usize], &bed.sorted.place[pair.b as usize]);
            let way = b.at - a.at + bed.shifts[usize::from(pair.image)];
            let (square, reach) = (way.dot(way), a.radius + b.radius);
            let touches = square < reach * reach;
            // Written in any case, and kept where they touch: no branch that cannot be foreseen.
            let at: usize = count;
            block.pair[at] = k as u32;
            block.normal.set(at, way);
            block.square[at] = square;
            block.reach[at] = reach;
            block.radius[at] = a.radius * b.radius;
            block.elapsed[at] = if pair.touching { self.h } else { 0.0 };
            if touches != pair.touching {
                self.change(k, law, way.unit().unwrap_or(Vec3::X));
            }
            count += usize::from(touches);
            if count == ROW {
                self.act(block, count, law, false);
                count = 0;
            }
        }
        self.act(block, count, law, false);
    }

    /// Grains against walls.
    fn against(&mut self, block: &mut Block, law: &Law, range: Range<usize>) {
        let (bed, mut count) = (self.bed, 0);
        for k in range {
            let pair = self.near[k];
            let (a, wall) = (&bed.sorted.place[pair.a as usize], &bed.walls[pair.wall()]);
            let delta = a.radius - wall.normal.dot(a.at - wall.point);
            let touches = delta > 0.0;
            if touches != pair.touching {
                self.change(k, law, -wall.normal);
            }
            if !touches {
                continue;
            }
            let at: usize = count;
            block.pair[at] = k as u32;
            block.normal.set(at, -wall.normal);
            block.delta[at] = delta;
            block.radius[at] = a.radius;
            block.elapsed[at] = if pair.touching { self.h } else { 0.0 };
            count += 1;
            if count == ROW {
                self.act(block, count, law, true);
                count = 0;
            }
        }
        self.act(block, count, law, true);
    }

    /// A touch begins or ends.
    #[cold]
    fn change(&mut self, k: usize, law: &Law, normal: Vec3) {
        let pair = &mut self.near[k];
        pair.touching = !pair.touching;
        let seen = self.bed.seen(pair, normal);
        if pair.touching {
            let law = Law { mass: self.bed.effective_mass(pair), ..*law };
            let memory = law.touch(seen.rate.max(self.bed.slowest));
            self.kept[k] = Kept { memory, spring: Vec3::ZERO };
            return;
        }
        if let Some(book) = self.books.get_mut(k) {
            // Its last force acted half a step with what the grains do now.
            book.act(0.0, self.kept[k].spring, Vec3::ZERO, &seen, self.h);
        }
        self.kept[k].spring = Vec3::ZERO;
        self.back[k] = Push::default();
    }

    /// The forces of a block, and back to where they belong.
    fn act(&mut self, block: &mut Block, count: usize, law: &Law, walls: bool) {
        let bed = self.bed;
        for at in 0..count {
            let k = block.pair[at] as usize;
            let pair = &self.near[k];
            let (velocity, arms) = bed.approach(pair, walls);
            block.velocity.set(at, velocity);
            block.arms.set(at, arms);
            block.kept.set(at, &self.kept[k]);
        }
        let rules = Rules {
            pulls: law.exit == Exit::ZeroIndentation,
            friction: bed.material.friction,
            stiffness: bed.material.tangential * self.h,
            mindlin: bed.mindlin,
        };
        block.act(count, law, rules, walls);
        let begun = self.chunk * CHUNK;
        for at in 0..count {
            let k = block.pair[at] as usize;
            self.kept[k] = block.kept.get(at);
            // The arms of both point to the contact, so that the couples have one sign.
            let (force, turn) = (block.force.get(at), block.turn.get(at));
            let (pair, back) = (&self.near[k], Push { force: -force, turn });
            self.own[pair.a as usize - begun] += Push { force, turn };
            if let Some(own) = self.own.get_mut(pair.b as usize - begun) {
                *own += back;
            }
            self.back[k] = back;
        }
        if !self.books.is_empty() {
            self.write(block, count);
        }
    }

    /// Into the books, with resistance to rolling.
    fn write(&mut self, block: &Block, count: usize) {
        let (bed, begun) = (self.bed, self.chunk * CHUNK);
        for at in 0..count {
            let k = block.pair[at] as usize;
            let pair = &self.near[k];
            let (load, normal) = (block.load[at], block.normal.get(at));
            let (mut spin, mut couple) = (Vec3::ZERO, Vec3::ZERO);
            if let Some(resistance) = bed.resistance {
                let (a, b) = (pair.a as usize, pair.b as usize);
                spin = bed.turn(pair);
                couple = resistance.couple(load.max(0.0), normal, spin);
                // At most half of the spin in a step; the lighter of the two grains decides.
                let against = spin.length() * (0.5 * bed.least_inertia(pair) / self.h);
                let size = couple.length();
                // The couple is that on b; a feels the opposite.
                couple = -couple * if size > against { against / size } else { 1.0 };
                // As if they came by arms as well.
                let place = &bed.sorted.place;
                self.own[a - begun].turn += couple * (1.0 / place[a].radius);
                if let Some(b) = place.get(b) {
                    self.back[k].turn -= couple * (1.0 / b.radius);
                }
                if let Some(own) = self.own.get_mut(b - begun) {
                    own.turn -= couple * (1.0 / place[b].radius);
                }
            }
            let seen = Seen { rate: block.rate[at], slip: block.slip.get(at), spin };
            let springs = block.kept.before.get(at) + block.kept.after.get(at);
            self.books[k].act(load, springs, couple, &seen, self.h);
        }
    }
}

/// How the two of a pair move against each other.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Of approach, along the normal.
    pub rate: f64,
    /// Velocity of b against a along the surfaces.
    pub slip: Vec3,
    /// Angular velocity of b against a.
    pub spin: Vec3,
}

impl Bed {
    /// The law of the first size against walls: those between grains come before.
    pub(super) fn first_of_walls(&self) -> u16 {
        (self.sizes * (self.sizes + 1) / 2) as u16
    }

    /// Velocity of b against a, and the spins times radii.
    #[inline(always)]
    fn approach(&self, pair: &Near, wall: bool) -> (Vec3, Vec3) {
        let (place, motion) = (&self.sorted.place, &self.sorted.motion);
        let a = pair.a as usize;
        let (m, arm) = (&motion[a], motion[a].spin * place[a].radius);
        match wall {
            true => (-m.velocity, arm),
            false => {
                let b = pair.b as usize;
                let other = &motion[b];
                (other.velocity - m.velocity, arm + other.spin * place[b].radius)
            }
        }
    }

    /// Angular velocity of b against a.
    fn turn(&self, pair: &Near) -> Vec3 {
        let motion = &self.sorted.motion;
        let spin = -motion[pair.a as usize].spin;
        motion.get(pair.b as usize).map_or(spin, |other| other.spin + spin)
    }

    fn seen(&self, pair: &Near, normal: Vec3) -> Seen {
        let (velocity, arms) = self.approach(pair, pair.b & WALL != 0);
        let rate = -normal.dot(velocity);
        let slip = (velocity + normal * rate) - arms.cross(normal);
        Seen { rate, slip, spin: self.turn(pair) }
    }

    fn effective_mass(&self, pair: &Near) -> f64 {
        let root = &self.sorted.root;
        let a = root[pair.a as usize].mass;
        root.get(pair.b as usize).map_or(a, |b| a * b.mass / (a + b.mass))
    }

    /// The smaller moment of inertia.
    fn least_inertia(&self, pair: &Near) -> f64 {
        let inertia = |i: usize| {
            let radius = self.sorted.place.get(i)?.radius;
            Some(0.4 * self.sorted.root.get(i)?.mass * radius * radius)
        };
        [pair.a, pair.b].iter().filter_map(|&i| inertia(i as usize)).fold(f64::INFINITY, f64::min)
    }
}

/// Whether a law can act in a bed: contact exists there while surfaces overlap, so a law must neither pull
/// across a gap nor pull where surfaces just touch.
///
/// # Errors
/// The sentence that says what to use instead.
///
/// ```
/// use carom::{Damping, Pair, model};
/// let pair = Pair::new(1e-5, 1e7, 1.5)?;
/// let law = model("tsuji-1992")?.law(&pair, Damping::Exact(0.8), None, &[])?;
/// carom_world::grains::suits(&law)?;
/// # Ok::<(), carom::Error>(())
/// ```
pub fn suits(law: &Law) -> Result<()> {
    struct Pulls(f64);
    impl Work for Pulls {
        type Output = bool;
        fn run<F: Force>(self, form: F) -> bool {
            let memory = form.touch(self.0, 1.0);
            form.release() < 0.0 || form.signed(1e-15, 0.0, &memory) < 0.0
        }
    }
    if law.with(Pulls(law.mass)) {
        return Err(Error::unsupported(
            "a bed of grains with a law that pulls where surfaces do not overlap",
            "use a law without adhesion, or a scene of bodies, which follows necks",
        ));
    }
    Ok(())
}
