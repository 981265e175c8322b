//! A bed as plain data, exact to the last bit, and back.

use super::bed::Bed;
use super::cell_order::CellOrder;
use super::contact_history::ContactRecord;
use super::contact_work::{ClosedWork, ContactWork};
use super::neighbour_list::Partner;
use crate::math::Vec3;
use carom::law::Memory;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};

/// A bed as plain data: every number by its bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBed {
    /// Positions, velocities, spins, accelerations, angular accelerations, positions when neighbours were listed.
    columns: [Vec<u64>; 6],
    /// Ids of every pair of neighbours; walls are counted on after the grains.
    near: Vec<(u32, u32)>,
    /// For those that touch or have done work: their place, whether they touch, and their numbers.
    contacts: Vec<(u32, bool, Vec<u64>)>,
    closed: [u64; 7],
    lists: u64,
}

/// Numbers of a contact: memory, spring, and the book.
const NUMBERS: usize = 5 + 3 + 15;

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
        let order = &self.order;
        let columns = [
            bits(&self.position),
            bits(&self.velocity),
            bits(&self.spin),
            bits(&order.by_id(&order.accelerations, |a| a.linear)),
            bits(&order.by_id(&order.accelerations, |a| a.angular)),
            bits(&order.by_id(&order.references, |reference| reference.listed)),
        ];
        let contact = |(place, pair): (usize, ContactRecord)| {
            (place as u32, pair.touching, numbers(&pair).map(f64::to_bits).to_vec())
        };
        let contacts = self.history.records(&self.neighbours, order).map(contact).collect();
        let count = self.position.len() as u32;
        let number = |partner: Partner| match partner {
            Partner::Grain(b) => b,
            Partner::Wall(wall) => count + wall,
        };
        let pairs = self.neighbours.pairs.iter().map(|pair| pair.ids(order));
        let c = &self.closed_work;
        let initial = c.initial.unwrap_or(f64::NAN);
        SavedBed {
            columns,
            near: pairs.map(|(a, b)| (a, number(b))).collect(),
            contacts,
            closed: [c.normal, c.friction, c.rolling, c.fastest, c.lifted, initial, c.step]
                .map(f64::to_bits),
            lists: self.lists,
        }
    }

    /// The same bed, as it was saved.
    ///
    /// # Errors
    /// When the data are not of this bed.
    pub fn restored(mut self, saved: &SavedBed) -> Result<Self> {
        let count = self.position.len();
        let members = count + self.walls.len();
        let fits = saved.columns.iter().all(|column| column.len() == 3 * count)
            && saved.near.iter().all(|&(a, b)| (a as usize) < count && (b as usize) < members)
            && saved
                .contacts
                .iter()
                .all(|(place, _, n)| (*place as usize) < saved.near.len() && n.len() == NUMBERS);
        if !fits {
            let advice = "resume with the scene that was stopped, unchanged";
            return Err(Error::unsupported("a checkpoint of another bed", advice));
        }
        let [position, velocity, spin, acceleration, turning, listed] =
            saved.columns.each_ref().map(|column| vectors(column));
        // Sorted and listed again as they were then, and what pairs keep is given back to them.
        let mut carried = Vec::with_capacity(saved.contacts.len());
        for (place, touching, numbers) in &saved.contacts {
            let n: Vec<f64> = numbers.iter().map(|&bits| f64::from_bits(bits)).collect();
            let vector = |at: usize| Vec3::read(&n, at);
            let (a, b) = saved.near[*place as usize];
            let b = match b.checked_sub(count as u32) {
                None => Partner::Grain(b),
                Some(wall) => Partner::Wall(wall),
            };
            let (speed, damping, peak) = (n[0], n[1], n[2]);
            let memory = Memory { speed, damping, peak, time: n[3], internal: n[4] };
            let (load, couple) = (n[8], vector(9));
            let (pressing, friction, rolling, fastest) = (n[12], n[13], n[14], n[15]);
            let (tangential, normal, delta) = (vector(16), vector(19), n[22]);
            let work = ContactWork {
                load,
                normal,
                delta,
                tangential,
                couple,
                pressing,
                friction,
                rolling,
                fastest,
            };
            let spring = vector(5);
            carried.push(ContactRecord { a, b, touching: *touching, memory, spring, work });
        }
        self.order = CellOrder::new(&listed, &self.radius, &self.mass);
        for (i, own) in self.order.accelerations.iter_mut().enumerate() {
            (own.linear, own.angular) = (acceleration[i], turning[i]);
        }
        self.rebuild_neighbours(carried);
        (self.position, self.velocity, self.spin) = (position, velocity, spin);
        let [normal, friction, rolling, fastest, lifted, initial, step] =
            saved.closed.map(f64::from_bits);
        let initial = Some(initial).filter(|value| !value.is_nan());
        self.closed_work = ClosedWork { normal, friction, rolling, fastest, lifted, initial, step };
        self.lists = saved.lists;
        self.has_forces = true;
        Ok(self)
    }
}

fn numbers(pair: &ContactRecord) -> [f64; NUMBERS] {
    let (m, s, book) = (&pair.memory, pair.spring, &pair.work);
    let (c, t, normal) = (book.couple, book.tangential, book.normal);
    [
        m.speed,
        m.damping,
        m.peak,
        m.time,
        m.internal,
        s.x,
        s.y,
        s.z,
        book.load,
        c.x,
        c.y,
        c.z,
        book.pressing,
        book.friction,
        book.rolling,
        book.fastest,
        t.x,
        t.y,
        t.z,
        normal.x,
        normal.y,
        normal.z,
        book.delta,
    ]
}
