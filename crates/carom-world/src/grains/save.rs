//! A bed as plain data, exact to the last bit, and back: part of a checkpoint.

use super::bed::Bed;
use super::cell_order::CellOrder;
use super::contact_history::ContactRecord;
use super::contact_work::{ClosedWork, ContactWork};
use super::neighbour_list::Partner;
use crate::math::Vec3;
use carom::law::Memory;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};

/// A bed as plain data: every number by its bits, vectors as three numbers each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBed {
    position: Vec<u64>,
    velocity: Vec<u64>,
    spin: Vec<u64>,
    acceleration: Vec<u64>,
    angular_acceleration: Vec<u64>,
    /// Positions when neighbours were listed.
    listed: Vec<u64>,
    /// Both members of every pair in the neighbour list; walls are numbered after the grains.
    near: Vec<(u32, u32)>,
    contacts: Vec<SavedContact>,
    closed_work: [u64; 6],
    initial_energy: Option<u64>,
    lists: u64,
}

/// A pair that touches or has done work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedContact {
    /// Index into the neighbour list.
    pair: u32,
    touching: bool,
    /// In the order of [`ContactRecord::numbers_mut`].
    numbers: Vec<u64>,
}

impl ContactRecord {
    /// All numbers, in the order of a saved contact.
    fn numbers_mut(&mut self) -> [&mut f64; 23] {
        let Self { memory, spring, work, .. } = self;
        let (couple, tangential, normal) =
            (&mut work.couple, &mut work.tangential, &mut work.normal);
        [
            &mut memory.speed,
            &mut memory.damping,
            &mut memory.peak,
            &mut memory.time,
            &mut memory.internal,
            &mut spring.x,
            &mut spring.y,
            &mut spring.z,
            &mut work.load,
            &mut couple.x,
            &mut couple.y,
            &mut couple.z,
            &mut work.pressing,
            &mut work.friction,
            &mut work.rolling,
            &mut work.fastest,
            &mut tangential.x,
            &mut tangential.y,
            &mut tangential.z,
            &mut normal.x,
            &mut normal.y,
            &mut normal.z,
            &mut work.delta,
        ]
    }
}

impl ClosedWork {
    /// All numbers but the energy at the start, in the order of a saved bed.
    fn numbers_mut(&mut self) -> [&mut f64; 6] {
        let Self { normal, friction, rolling, fastest, lifted, step, .. } = self;
        [normal, friction, rolling, fastest, lifted, step]
    }
}

/// Sets numbers from their bits; false where there are not as many.
fn restore<const N: usize>(numbers: [&mut f64; N], saved: &[u64]) -> bool {
    for (number, bits) in numbers.into_iter().zip(saved) {
        *number = f64::from_bits(*bits);
    }
    saved.len() == N
}

fn bits(column: &[Vec3]) -> Vec<u64> {
    column.iter().flat_map(|v| [v.x, v.y, v.z]).map(f64::to_bits).collect()
}

fn vectors(bits: &[u64]) -> Vec<Vec3> {
    let number = |k: &u64| f64::from_bits(*k);
    bits.chunks_exact(3).map(|c| Vec3::new(number(&c[0]), number(&c[1]), number(&c[2]))).collect()
}

impl Bed {
    /// The bed as plain data.
    pub fn save(&self) -> SavedBed {
        let (order, mut closed_work) = (&self.order, self.closed_work);
        let contact = |(pair, mut record): (usize, ContactRecord)| SavedContact {
            pair: pair as u32,
            touching: record.touching,
            numbers: record.numbers_mut().map(|number| number.to_bits()).to_vec(),
        };
        let count = self.position.len() as u32;
        let number = |partner: Partner| match partner {
            Partner::Grain(b) => b,
            Partner::Wall(wall) => count + wall,
        };
        let pairs = self.neighbours.pairs.iter().map(|pair| pair.ids(order));
        SavedBed {
            position: bits(&self.position),
            velocity: bits(&self.velocity),
            spin: bits(&self.spin),
            acceleration: bits(&order.by_id(&order.accelerations, |a| a.linear)),
            angular_acceleration: bits(&order.by_id(&order.accelerations, |a| a.angular)),
            listed: bits(&order.by_id(&order.references, |reference| reference.listed)),
            near: pairs.map(|(a, b)| (a, number(b))).collect(),
            contacts: self.history.records(&self.neighbours, order).map(contact).collect(),
            closed_work: closed_work.numbers_mut().map(|number| number.to_bits()),
            initial_energy: self.closed_work.initial.map(f64::to_bits),
            lists: self.lists,
        }
    }

    /// This bed in the saved state.
    ///
    /// # Errors
    /// When the data are not of this bed.
    pub fn restored(mut self, saved: &SavedBed) -> Result<Self> {
        let other = || {
            let advice = "resume with the scene that was stopped, unchanged";
            Error::unsupported("a checkpoint of another bed", advice)
        };
        let count = self.position.len();
        let members = count + self.walls.len();
        let SavedBed {
            position, velocity, spin, acceleration, angular_acceleration, listed, ..
        } = saved;
        let columns = [position, velocity, spin, acceleration, angular_acceleration, listed];
        if columns.iter().any(|column| column.len() != 3 * count)
            || saved.near.iter().any(|&(a, b)| a as usize >= count || b as usize >= members)
        {
            return Err(other());
        }
        // Sort the grains and list the neighbours as at the checkpoint, and restore the data of the pairs.
        let mut carried = Vec::with_capacity(saved.contacts.len());
        for SavedContact { pair, touching, numbers } in &saved.contacts {
            let &(a, b) = saved.near.get(*pair as usize).ok_or_else(other)?;
            let b = match b.checked_sub(count as u32) {
                None => Partner::Grain(b),
                Some(wall) => Partner::Wall(wall),
            };
            let (memory, work) = (Memory::default(), ContactWork::default());
            let mut record =
                ContactRecord { a, b, touching: *touching, memory, spring: Vec3::ZERO, work };
            if !restore(record.numbers_mut(), numbers) {
                return Err(other());
            }
            carried.push(record);
        }
        self.order = CellOrder::new(&vectors(listed), &self.radius, &self.mass);
        let accelerations = vectors(acceleration).into_iter().zip(vectors(angular_acceleration));
        for (own, (linear, angular)) in self.order.accelerations.iter_mut().zip(accelerations) {
            (own.linear, own.angular) = (linear, angular);
        }
        self.rebuild_neighbours(carried);
        (self.position, self.velocity, self.spin) =
            (vectors(position), vectors(velocity), vectors(spin));
        restore(self.closed_work.numbers_mut(), &saved.closed_work);
        self.closed_work.initial = saved.initial_energy.map(f64::from_bits);
        self.lists = saved.lists;
        self.has_forces = true;
        Ok(self)
    }
}
