//! Contact history: the data of pairs that are kept from step to step, in columns parallel to the neighbour list.
//!
//! The speed of a large bed is limited by memory bandwidth, so a step reads only what it needs. Most laws have a memory that
//! is fixed at onset ([`Force::FROZEN`](carom::law::Force::FROZEN)): for these only the onset is read and the tangential
//! spring updated.

use super::cell_order::CellOrder;
use super::chunks::take_front;
use super::contact_work::{ClosedWork, ContactWork};
use super::neighbour_list::{Groups, NeighbourList, Partner};
use crate::math::Vec3;
use carom::law::Memory;

/// The part of a law's memory that is fixed at onset.
#[derive(Clone, Copy, Debug, Default)]
struct OnsetMemory {
    speed: f64,
    damping: f64,
}

/// The part of a law's memory that changes during contact.
#[derive(Clone, Copy, Debug, Default)]
struct RunningMemory {
    peak: f64,
    time: f64,
    internal: f64,
}

/// Columns with one entry for each pair.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactHistory {
    onset: Vec<OnsetMemory>,
    running: Vec<RunningMemory>,
    /// Force of the tangential spring on the first grain (N).
    spring: Vec<Vec3>,
    /// Works of each contact; empty if the bed has no energy ledger.
    works: Vec<ContactWork>,
}

impl ContactHistory {
    fn new(pairs: usize, has_ledger: bool) -> Self {
        Self {
            onset: vec![OnsetMemory::default(); pairs],
            running: vec![RunningMemory::default(); pairs],
            spring: vec![Vec3::ZERO; pairs],
            works: vec![ContactWork::default(); if has_ledger { pairs } else { 0 }],
        }
    }

    /// Returns the history of all pairs, to be split among chunks.
    pub fn as_slice(&mut self) -> HistorySlice<'_> {
        let Self { onset, running, spring, works } = self;
        HistorySlice { onset, running, spring, works }
    }

    pub fn memory(&self, k: usize) -> Memory {
        memory(&self.onset[k], &self.running[k])
    }

    pub fn spring(&self, k: usize) -> Vec3 {
        self.spring[k]
    }

    pub fn works(&self) -> &[ContactWork] {
        &self.works
    }

    /// Sets all works to zero and keeps the forces.
    pub fn reset_works(&mut self) {
        for work in &mut self.works {
            (work.pressing, work.friction, work.rolling) = (0.0, 0.0, 0.0);
        }
    }

    /// Returns records of the pairs that are in contact or have done work.
    pub fn records(
        &self,
        list: &NeighbourList,
        order: &CellOrder,
    ) -> impl Iterator<Item = ContactRecord> {
        list.pairs.iter().enumerate().filter_map(|(k, pair)| {
            let work = self.works.get(k).copied().unwrap_or_default();
            let (touching, (a, b)) = (pair.touching, pair.ids(order));
            let (memory, spring) = (self.memory(k), self.spring(k));
            let record = ContactRecord { a, b, touching, memory, spring, work };
            (touching || work != ContactWork::default()).then_some(record)
        })
    }

    /// Creates the history of a new list from the records of the old one. The works of pairs that are no longer listed are
    /// added to `closed`.
    pub fn carried_over(
        records: Vec<ContactRecord>,
        list: &mut NeighbourList,
        order: &CellOrder,
        has_ledger: bool,
        closed: &mut ClosedWork,
    ) -> Self {
        let records: Vec<_> = records.into_iter().map(ContactRecord::smaller_id_first).collect();
        let firsts: Vec<u32> = records.iter().map(|record| record.a).collect();
        let by_first = Groups::new(order.ids.len(), &firsts);
        let mut records: Vec<_> = records.into_iter().map(Some).collect();
        let mut history = Self::new(list.pairs.len(), has_ledger);
        let mut columns = history.as_slice();
        for (k, pair) in list.pairs.iter_mut().enumerate() {
            pair.touching = false;
            let (a, b) = pair.ids(order);
            let (low, high) = match b {
                Partner::Grain(b) if b < a => (b, Partner::Grain(a)),
                _ => (a, b),
            };
            let matches = |item: &&u32| {
                records[**item as usize].as_ref().is_some_and(|record| record.b == high)
            };
            let Some(found) = by_first.of(low as usize).iter().find(matches) else { continue };
            let Some(mut record) = records[*found as usize].take() else { continue };
            if low != a {
                record = record.flipped();
            }
            pair.touching = record.touching;
            columns.set_memory(k, &record.memory);
            columns.spring[k] = record.spring;
            if let Some(work) = columns.works.get_mut(k) {
                *work = record.work;
            }
        }
        records.iter().flatten().for_each(|record| closed.add(&record.work));
        history
    }
}

/// History of one pair with its grains given by id, in the form in which it is carried over between lists and saved.
#[derive(Clone)]
pub(super) struct ContactRecord {
    pub a: u32,
    pub b: Partner,
    pub touching: bool,
    pub memory: Memory,
    pub spring: Vec3,
    pub work: ContactWork,
}

impl ContactRecord {
    /// Returns the same contact with its two grains exchanged; the grain remains first in a contact with a wall.
    fn flipped(self) -> Self {
        let Partner::Grain(b) = self.b else { return self };
        let (spring, work) = (-self.spring, self.work.flipped());
        Self { a: b, b: Partner::Grain(self.a), spring, work, ..self }
    }

    fn smaller_id_first(self) -> Self {
        if self.b < Partner::Grain(self.a) { self.flipped() } else { self }
    }
}

fn memory(onset: &OnsetMemory, running: &RunningMemory) -> Memory {
    let &OnsetMemory { speed, damping } = onset;
    let &RunningMemory { peak, time, internal } = running;
    Memory { speed, damping, peak, time, internal }
}

/// The history of consecutive pairs.
pub(super) struct HistorySlice<'a> {
    onset: &'a mut [OnsetMemory],
    running: &'a mut [RunningMemory],
    pub spring: &'a mut [Vec3],
    pub works: &'a mut [ContactWork],
}

impl HistorySlice<'_> {
    /// Splits off the first `count` pairs and returns them.
    pub fn take_front(&mut self, count: usize) -> Self {
        let works = count.min(self.works.len());
        Self {
            onset: take_front(&mut self.onset, count),
            running: take_front(&mut self.running, count),
            spring: take_front(&mut self.spring, count),
            works: take_front(&mut self.works, works),
        }
    }

    /// Returns the memory of a pair; for a law whose memory is fixed at onset, only that part is read.
    #[inline(always)]
    pub fn memory(&self, k: usize, onset_only: bool) -> Memory {
        match onset_only {
            true => memory(&self.onset[k], &RunningMemory::default()),
            false => memory(&self.onset[k], &self.running[k]),
        }
    }

    #[inline(always)]
    pub fn set_memory(&mut self, k: usize, memory: &Memory) {
        let &Memory { speed, damping, peak, time, internal } = memory;
        self.onset[k] = OnsetMemory { speed, damping };
        self.running[k] = RunningMemory { peak, time, internal };
    }
}
