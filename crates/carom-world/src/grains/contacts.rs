//! Forces of the contacts of a bed, chunk by chunk of grains and law by law.
//!
//! Most neighbours do not touch, which is told without a root. Those that do are collected in rows of one law
//! ([`Block`]), and what comes of a row goes back to where contacts are kept: onto the first grain, which is of this
//! chunk, and onto the second where it is as well, at once; otherwise as a push that the second takes later.

use super::block::{Block, ROW, Rules};
use super::kept::KeptBy;
use super::ledger::Book;
use super::share::{CHUNK, Share, share};
use super::{Bed, Near, Push, WALL};
use crate::math::Vec3;
use carom::law::{Exit, Force, Law, Work};
use carom::{Error, Result};
use std::ops::Range;

/// All contacts.
pub(super) fn forces(bed: &mut Bed, h: f64, together: bool) {
    let mut near = std::mem::take(&mut bed.near);
    let mut kept = std::mem::take(&mut bed.kept);
    let mut back = std::mem::take(&mut bed.back);
    let mut own = std::mem::take(&mut bed.own);
    let (near_pairs, kept_by_pairs) = (&mut near[..], kept.all());
    let (back_pushes, own_pushes) = (&mut back[..], &mut own[..]);
    let pairs = Pairs {
        bed,
        chunk: 0,
        near: near_pairs,
        kept: kept_by_pairs,
        back: back_pushes,
        own: own_pushes,
        h,
    };
    share(pairs, together);
    (bed.near, bed.kept, bed.back, bed.own) = (near, kept, back, own);
}

/// Pairs whose first grains are those of some chunks.
struct Pairs<'a> {
    bed: &'a Bed,
    /// The first chunk.
    chunk: usize,
    near: &'a mut [Near],
    kept: KeptBy<'a>,
    /// What pushes second grains of other chunks.
    back: &'a mut [Push],
    /// What pushes grains from within their chunk.
    own: &'a mut [Push],
    h: f64,
}

impl Share for Pairs<'_> {
    fn chunks(&self) -> usize {
        self.own.len().div_ceil(CHUNK)
    }

    fn split(self, at: usize) -> (Self, Self) {
        let Self { bed, chunk, near, kept, back, own, h } = self;
        let rest = chunk + at;
        let (begun, end) = (&bed.chunks[chunk], &bed.chunks[rest]);
        let pairs = (end.pairs - begun.pairs) as usize;
        let (near, nears) = near.split_at_mut(pairs);
        let (kept, kepts) = kept.split(pairs);
        let (back, backs) = back.split_at_mut((end.outside - begun.outside) as usize);
        let (own, owns) = own.split_at_mut(at * CHUNK);
        (
            Self { bed, chunk, near, kept, back, own, h },
            Self { bed, chunk: rest, near: nears, kept: kepts, back: backs, own: owns, h },
        )
    }

    fn run(mut self) -> bool {
        self.own.fill(Push::default());
        let mut block = Block::new();
        let (first, next) = (&self.bed.chunks[self.chunk], &self.bed.chunks[self.chunk + 1]);
        let walls = self.bed.first_of_walls();
        let mut begun = 0;
        for &(end, law) in &self.bed.bins[first.bins as usize..next.bins as usize] {
            let range = begun..(end - first.pairs) as usize;
            begun = range.end;
            let bin = Bin::new(self.bed.laws[usize::from(law)], law >= walls);
            match bin.walls {
                false => self.between(&mut block, &bin, range),
                true => self.against(&mut block, &bin, range),
            }
        }
        false
    }
}

/// What pairs of one law share.
struct Bin {
    law: Law,
    /// The law remembers the touch alone.
    frozen: bool,
    walls: bool,
}

impl Bin {
    fn new(law: Law, walls: bool) -> Self {
        struct Frozen;
        impl Work for Frozen {
            type Output = bool;
            fn run<F: Force>(self, _: F) -> bool {
                F::FROZEN
            }
        }
        Self { law, frozen: law.with(Frozen), walls }
    }
}

impl Pairs<'_> {
    /// The place in `back` of what a pair does to its second grain, where that is of another chunk: such pairs are the
    /// last of a chunk.
    #[inline(always)]
    fn outside(&self, k: usize) -> Option<usize> {
        k.checked_sub(self.near.len() - self.back.len())
    }

    /// Grains against grains of one law.
    fn between(&mut self, block: &mut Block, bin: &Bin, range: Range<usize>) {
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
                self.change(k, &bin.law, way.unit().unwrap_or(Vec3::X));
            }
            count += usize::from(touches);
            if count == ROW {
                self.act(block, count, bin);
                count = 0;
            }
        }
        self.act(block, count, bin);
    }

    /// Grains against walls.
    fn against(&mut self, block: &mut Block, bin: &Bin, range: Range<usize>) {
        let (bed, mut count) = (self.bed, 0);
        for k in range {
            let pair = self.near[k];
            let (a, wall) = (&bed.sorted.place[pair.a as usize], &bed.walls[pair.wall()]);
            let delta = a.radius - wall.normal.dot(a.at - wall.point);
            let touches = delta > 0.0;
            if touches != pair.touching {
                self.change(k, &bin.law, -wall.normal);
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
                self.act(block, count, bin);
                count = 0;
            }
        }
        self.act(block, count, bin);
    }

    /// A touch begins or ends.
    #[cold]
    fn change(&mut self, k: usize, law: &Law, normal: Vec3) {
        let pair = &mut self.near[k];
        pair.touching = !pair.touching;
        let wall = pair.b & WALL != 0;
        let seen = Seen { spin: self.bed.turn(pair), ..self.bed.approach(pair, wall) };
        if pair.touching {
            let rate = -normal.dot(seen.velocity);
            if let Some(book) = self.kept.books.get_mut(k) {
                book.fastest = book.fastest.max(rate);
            }
            let law = Law { mass: self.bed.effective_mass(pair), ..*law };
            let memory = law.touch(rate.max(self.bed.slowest));
            self.kept.remember(k, &memory);
            return;
        }
        if let Some(book) = self.kept.books.get_mut(k) {
            // Its last force acted half a step with what the grains do now.
            book.act(Book::default(), &seen, self.h);
        }
        self.kept.spring[k] = Vec3::ZERO;
        if let Some(place) = self.outside(k) {
            self.back[place] = Push::default();
        }
    }

    /// The forces of a block, and back to where they belong.
    fn act(&mut self, block: &mut Block, count: usize, bin: &Bin) {
        let bed = self.bed;
        for at in 0..count {
            let k = block.pair[at] as usize;
            let pair = &self.near[k];
            let Seen { velocity, arms, spins, .. } = bed.approach(pair, bin.walls);
            block.velocity.set(at, velocity);
            block.arms.set(at, arms);
            block.spins.set(at, spins);
            block.before.set(at, self.kept.spring[k]);
            if bed.tangential_ratio > 0.0 {
                block.mass[at] = bed.effective_mass(pair);
            }
            block.memory[at] = self.kept.memory(k, bin.frozen);
        }
        let rules = Rules {
            pulls: bin.law.exit == Exit::ZeroIndentation,
            friction: bed.material.friction,
            stiffness: bed.material.tangential * self.h,
            damping: 2.0 * bed.tangential_ratio * (2.0 / 7.0 / self.h).sqrt(),
            mindlin: bed.mindlin,
        };
        block.act(count, &bin.law, rules, bin.walls);
        let begun = self.chunk * CHUNK;
        for at in 0..count {
            let k = block.pair[at] as usize;
            self.kept.spring[k] = block.after.get(at);
            if !bin.frozen {
                self.kept.remember(k, &block.memory[at]);
            }
            // The arms of both point to the contact, so that the couples have one sign.
            let (force, turn) = (block.force.get(at), block.turn.get(at));
            let (pair, place) = (&self.near[k], &bed.sorted.place);
            let arm = |radius: f64| turn * (radius - 0.5 * block.delta[at]);
            let other = place.get(pair.b as usize).map_or(0.0, |other| other.radius);
            let back = Push { force: -force, turn: arm(other) };
            let turn = arm(place[pair.a as usize].radius);
            self.own[pair.a as usize - begun] += Push { force, turn };
            if let Some(place) = self.outside(k) {
                self.back[place] = back;
            } else if let Some(own) = self.own.get_mut(pair.b as usize - begun) {
                *own += back;
            }
        }
        if !self.kept.books.is_empty() {
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
                self.own[a - begun].turn += couple;
                if pair.b & WALL == 0 {
                    match self.outside(k) {
                        Some(place) => self.back[place].turn -= couple,
                        None => self.own[b - begun].turn -= couple,
                    }
                }
            }
            let seen = Seen {
                velocity: block.velocity.get(at),
                arms: block.arms.get(at),
                spins: block.spins.get(at),
                spin,
            };
            let (tangential, delta) = (block.friction.get(at), block.delta[at]);
            let now = Book { load, normal, delta, tangential, couple, ..Book::default() };
            self.kept.books[k].act(now, &seen, self.h);
        }
    }
}

/// How the two of a pair move against each other, whatever the normal is.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Velocity of b against a.
    pub velocity: Vec3,
    /// Spins times radii, summed.
    pub arms: Vec3,
    /// Spins, summed.
    pub spins: Vec3,
    /// Angular velocity of b against a.
    pub spin: Vec3,
}

impl Bed {
    /// The law of the first size against walls: those between grains come before.
    pub(super) fn first_of_walls(&self) -> u16 {
        (self.sizes * (self.sizes + 1) / 2) as u16
    }

    #[inline(always)]
    fn approach(&self, pair: &Near, wall: bool) -> Seen {
        let (place, motion) = (&self.sorted.place, &self.sorted.motion);
        let a = pair.a as usize;
        let (m, arm) = (&motion[a], motion[a].spin * place[a].radius);
        match wall {
            true => Seen { velocity: -m.velocity, arms: arm, spins: m.spin, spin: Vec3::ZERO },
            false => {
                let b = pair.b as usize;
                let other = &motion[b];
                Seen {
                    velocity: other.velocity - m.velocity,
                    arms: arm + other.spin * place[b].radius,
                    spins: m.spin + other.spin,
                    spin: Vec3::ZERO,
                }
            }
        }
    }

    /// Angular velocity of b against a.
    fn turn(&self, pair: &Near) -> Vec3 {
        let motion = &self.sorted.motion;
        let spin = -motion[pair.a as usize].spin;
        motion.get(pair.b as usize).map_or(spin, |other| other.spin + spin)
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
