//! Contact forces of a bed, computed in one pass over the neighbour list, chunk by chunk and law by law.
//!
//! Most neighbours are not in contact, which is decided without a square root. Those in contact are collected in blocks of
//! one law ([`ContactBlock`]). The forces of a block are added to the first grain, which is in this chunk, and to the second
//! grain if it is in this chunk too. Otherwise the force on the second grain is stored for the pass over grains
//! (`leapfrog`).

use super::bed::Bed;
use super::chunks::{CHUNK, ChunkPass, run_chunks, take_front};
use super::contact_block::{BLOCK, BlockParameters, ContactBlock, Wrench};
use super::contact_history::HistorySlice;
use super::contact_work::{ContactWork, RelativeMotion};
use super::neighbour_list::NeighbourPair;
use crate::math::Vec3;
use carom::law::{Exit, Force, Law, Work};
use std::ops::Range;

/// Computes all contact forces of a bed, for a step of length `h` (s).
pub(super) fn compute(bed: &mut Bed, h: f64, parallel: bool) {
    let mut pairs = std::mem::take(&mut bed.neighbours.pairs);
    let mut history = std::mem::take(&mut bed.history);
    let mut to_other_chunks = std::mem::take(&mut bed.to_other_chunks);
    let mut within_chunk = std::mem::take(&mut bed.within_chunk);
    let pass = PairPass {
        bed,
        chunk: 0,
        pairs: &mut pairs,
        history: history.as_slice(),
        to_other_chunks: &mut to_other_chunks,
        within_chunk: &mut within_chunk,
        h,
    };
    run_chunks(pass, parallel);
    (bed.neighbours.pairs, bed.history) = (pairs, history);
    (bed.to_other_chunks, bed.within_chunk) = (to_other_chunks, within_chunk);
}

/// Pass over the pairs of consecutive chunks, with the columns that its results are written to.
struct PairPass<'a> {
    bed: &'a Bed,
    /// Index of the first chunk.
    chunk: usize,
    pairs: &'a mut [NeighbourPair],
    history: HistorySlice<'a>,
    /// Wrenches on second grains in other chunks, in the order of their pairs.
    to_other_chunks: &'a mut [Wrench],
    /// For each grain of these chunks, the sum of the wrenches from pairs within its chunk.
    within_chunk: &'a mut [Wrench],
    h: f64,
}

impl ChunkPass for PairPass<'_> {
    fn chunks(&self) -> usize {
        self.within_chunk.len().div_ceil(CHUNK)
    }

    fn take_front(&mut self, count: usize) -> Self {
        let chunks = &self.bed.neighbours.chunks;
        let (start, end) = (&chunks[self.chunk], &chunks[self.chunk + count]);
        let pairs = (end.pairs - start.pairs) as usize;
        let cross_chunk = (end.cross_chunk - start.cross_chunk) as usize;
        let front = Self {
            pairs: take_front(&mut self.pairs, pairs),
            history: self.history.take_front(pairs),
            to_other_chunks: take_front(&mut self.to_other_chunks, cross_chunk),
            within_chunk: take_front(&mut self.within_chunk, count * CHUNK),
            ..*self
        };
        self.chunk += count;
        front
    }

    fn run(mut self) -> bool {
        self.within_chunk.fill(Wrench::default());
        let mut block = ContactBlock::new();
        let list = &self.bed.neighbours;
        let (first, next) = (&list.chunks[self.chunk], &list.chunks[self.chunk + 1]);
        let mut start = 0;
        for run in &list.runs[first.runs as usize..next.runs as usize] {
            let range = start..(run.end - first.pairs) as usize;
            start = range.end;
            let (law, walls) = self.bed.laws.law(run.law);
            let law = RunLaw::new(*law, walls);
            match walls {
                false => self.grain_pairs(&mut block, &law, range),
                true => self.wall_pairs(&mut block, &law, range),
            }
        }
        false
    }
}

/// The law of a run of consecutive pairs.
struct RunLaw {
    law: Law,
    /// Whether the memory of the law is fixed at onset.
    onset_only: bool,
    walls: bool,
}

impl RunLaw {
    fn new(law: Law, walls: bool) -> Self {
        struct OnsetOnly;
        impl Work for OnsetOnly {
            type Output = bool;
            fn run<F: Force>(self, _: F) -> bool {
                F::FROZEN
            }
        }
        Self { law, onset_only: law.with(OnsetOnly), walls }
    }
}

impl PairPass<'_> {
    /// Returns the index in `to_other_chunks` of a pair whose second grain is in another chunk. Such pairs are the last ones
    /// of a chunk.
    #[inline(always)]
    fn cross_chunk_index(&self, k: usize) -> Option<usize> {
        k.checked_sub(self.pairs.len() - self.to_other_chunks.len())
    }

    /// Processes pairs of grains that share a law.
    fn grain_pairs(&mut self, block: &mut ContactBlock, law: &RunLaw, range: Range<usize>) {
        let (bed, mut count) = (self.bed, 0);
        for k in range {
            let pair = self.pairs[k];
            let (a, b) = (&bed.order.spheres[pair.a as usize], &bed.order.spheres[pair.b as usize]);
            let separation = b.centre - a.centre + bed.images.shift(pair.image);
            let (square, radius_sum) = (separation.dot(separation), a.radius + b.radius);
            let touches = square < radius_sum * radius_sum;
            // The entry is written in any case, and kept only if the grains touch; this avoids a branch that the processor
            // cannot predict.
            let at: usize = count;
            block.pair[at] = k as u32;
            block.normal.set(at, separation);
            block.square[at] = square;
            block.radius_sum[at] = radius_sum;
            block.radius[at] = a.radius * b.radius;
            block.elapsed[at] = if pair.touching { self.h } else { 0.0 };
            if touches != pair.touching {
                self.change_contact(k, &law.law, separation.unit().unwrap_or(Vec3::X));
            }
            count += usize::from(touches);
            if count == BLOCK {
                self.compute_block(block, count, law);
                count = 0;
            }
        }
        self.compute_block(block, count, law);
    }

    /// Processes pairs of a grain and a wall that share a law.
    fn wall_pairs(&mut self, block: &mut ContactBlock, law: &RunLaw, range: Range<usize>) {
        let (bed, mut count) = (self.bed, 0);
        for k in range {
            let pair = self.pairs[k];
            let (a, wall) = (&bed.order.spheres[pair.a as usize], &bed.walls[pair.b as usize]);
            let delta = a.radius - wall.distance(a.centre);
            let touches = delta > 0.0;
            if touches != pair.touching {
                self.change_contact(k, &law.law, -wall.normal);
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
            if count == BLOCK {
                self.compute_block(block, count, law);
                count = 0;
            }
        }
        self.compute_block(block, count, law);
    }

    /// Begins or ends a contact.
    #[cold]
    fn change_contact(&mut self, k: usize, law: &Law, normal: Vec3) {
        let pair = &mut self.pairs[k];
        pair.touching = !pair.touching;
        let relative_spin = self.bed.relative_spin(pair);
        let walls = pair.second().is_none();
        let motion = RelativeMotion { relative_spin, ..self.bed.relative_motion(pair, walls) };
        if pair.touching {
            let rate = -normal.dot(motion.velocity);
            if let Some(work) = self.history.works.get_mut(k) {
                work.fastest = work.fastest.max(rate);
            }
            let law = Law { mass: self.bed.effective_mass(pair), ..*law };
            let memory = law.touch(rate.max(self.bed.min_onset_speed));
            self.history.set_memory(k, &memory);
            return;
        }
        if let Some(work) = self.history.works.get_mut(k) {
            // The last force acts for half a step with these velocities, as in the leapfrog.
            work.add_step(ContactWork::default(), &motion, self.h);
        }
        self.history.spring[k] = Vec3::ZERO;
        if let Some(index) = self.cross_chunk_index(k) {
            self.to_other_chunks[index] = Wrench::default();
        }
    }

    /// Computes the forces of a block, adds them to the grains and updates the contact history.
    fn compute_block(&mut self, block: &mut ContactBlock, count: usize, law: &RunLaw) {
        let bed = self.bed;
        for at in 0..count {
            let k = block.pair[at] as usize;
            let pair = &self.pairs[k];
            let motion = bed.relative_motion(pair, law.walls);
            block.velocity.set(at, motion.velocity);
            block.surface_spin.set(at, motion.surface_spin);
            block.spin_sum.set(at, motion.spin_sum);
            block.spring_before.set(at, self.history.spring[k]);
            if bed.tangential_ratio > 0.0 {
                block.mass[at] = bed.effective_mass(pair);
            }
            block.memory[at] = self.history.memory(k, law.onset_only);
        }
        let parameters = BlockParameters {
            may_pull: law.law.exit == Exit::ZeroIndentation,
            friction: bed.parameters.friction,
            stiffness: bed.parameters.tangential * self.h,
            damping: 2.0 * bed.tangential_ratio * (2.0 / 7.0 / self.h).sqrt(),
            mindlin: bed.mindlin,
        };
        block.compute(count, &law.law, parameters, law.walls);
        let first = self.chunk * CHUNK;
        for at in 0..count {
            let k = block.pair[at] as usize;
            self.history.spring[k] = block.spring_after.get(at);
            if !law.onset_only {
                self.history.set_memory(k, &block.memory[at]);
            }
            // Both arms point from the centre of a grain to the contact point, and both arms and forces are opposite, so the
            // torques on the two grains have the same sign.
            let (force, unit_torque) = (block.force.get(at), block.unit_torque.get(at));
            let (pair, spheres) = (&self.pairs[k], &bed.order.spheres);
            let torque = |slot: usize| unit_torque * (spheres[slot].radius - 0.5 * block.delta[at]);
            let a = pair.first();
            self.within_chunk[a - first] += Wrench { force, torque: torque(a) };
            if law.walls {
                continue;
            }
            let b = pair.b as usize;
            let on_b = Wrench { force: -force, torque: torque(b) };
            match self.cross_chunk_index(k) {
                Some(index) => self.to_other_chunks[index] = on_b,
                None => self.within_chunk[b - first] += on_b,
            }
        }
        if !self.history.works.is_empty() {
            self.add_rolling_and_work(block, count);
        }
    }

    /// Adds rolling resistance, and the work of all forces of a block.
    fn add_rolling_and_work(&mut self, block: &ContactBlock, count: usize) {
        let (bed, first) = (self.bed, self.chunk * CHUNK);
        for at in 0..count {
            let k = block.pair[at] as usize;
            let pair = &self.pairs[k];
            let (load, normal) = (block.load[at], block.normal.get(at));
            let (mut relative_spin, mut couple) = (Vec3::ZERO, Vec3::ZERO);
            if let Some(resistance) = bed.resistance {
                relative_spin = bed.relative_spin(pair);
                let on_b = resistance.couple(load.max(0.0), normal, relative_spin);
                // The couple is limited to what removes half of the relative angular velocity from the grain with the
                // smaller inertia in one step.
                let limit = relative_spin.length() * (0.5 * bed.smaller_inertia(pair) / self.h);
                let size = on_b.length();
                couple = -on_b * if size > limit { limit / size } else { 1.0 };
                self.within_chunk[pair.first() - first].torque += couple;
                if let Some(b) = pair.second() {
                    match self.cross_chunk_index(k) {
                        Some(index) => self.to_other_chunks[index].torque -= couple,
                        None => self.within_chunk[b - first].torque -= couple,
                    }
                }
            }
            let motion = RelativeMotion {
                velocity: block.velocity.get(at),
                surface_spin: block.surface_spin.get(at),
                spin_sum: block.spin_sum.get(at),
                relative_spin,
            };
            let (tangential, delta) = (block.friction.get(at), block.delta[at]);
            let now =
                ContactWork { load, normal, delta, tangential, couple, ..ContactWork::default() };
            self.history.works[k].add_step(now, &motion, self.h);
        }
    }
}

impl Bed {
    /// Returns the relative motion of a pair without `relative_spin`, which few contacts need. `walls` is a parameter
    /// because it is the same for a whole run of pairs.
    #[inline(always)]
    fn relative_motion(&self, pair: &NeighbourPair, walls: bool) -> RelativeMotion {
        let (spheres, velocities) = (&self.order.spheres, &self.order.velocities);
        let a = pair.first();
        let own = &velocities[a];
        let surface_spin = own.angular * spheres[a].radius;
        match walls {
            true => RelativeMotion {
                velocity: -own.linear,
                surface_spin,
                spin_sum: own.angular,
                relative_spin: Vec3::ZERO,
            },
            false => {
                let b = pair.b as usize;
                let other = &velocities[b];
                RelativeMotion {
                    velocity: other.linear - own.linear,
                    surface_spin: surface_spin + other.angular * spheres[b].radius,
                    spin_sum: own.angular + other.angular,
                    relative_spin: Vec3::ZERO,
                }
            }
        }
    }

    /// Returns the angular velocity of b relative to a (rad/s).
    fn relative_spin(&self, pair: &NeighbourPair) -> Vec3 {
        let spin = |slot: usize| self.order.velocities[slot].angular;
        let own = -spin(pair.first());
        pair.second().map_or(own, |b| spin(b) + own)
    }

    /// Returns the effective mass of a pair (kg).
    fn effective_mass(&self, pair: &NeighbourPair) -> f64 {
        let mass = |slot: usize| self.order.references[slot].mass;
        let a = mass(pair.first());
        pair.second().map_or(a, |b| a * mass(b) / (a + mass(b)))
    }

    /// Returns the smaller moment of inertia of the two grains of a pair (kg·m²).
    fn smaller_inertia(&self, pair: &NeighbourPair) -> f64 {
        let inertia = |slot: usize| {
            let radius = self.order.spheres[slot].radius;
            0.4 * self.order.references[slot].mass * radius * radius
        };
        let a = inertia(pair.first());
        pair.second().map_or(a, |b| a.min(inertia(b)))
    }
}
