//! A bed as plain data, exact to the last bit, for checkpoints.

use super::bed::Bed;
use super::cell_order::CellOrder;
use super::contact_history::ContactRecord;
use super::contact_work::{ClosedWork, ContactWork};
use super::neighbour_list::Partner;
use crate::bits::{Number, SavedColumns, VECTOR, numbers};
use crate::checkpoint::another_scene;
use crate::math::Vec3;
use carom::Result;
use carom::law::Memory;
use serde::{Deserialize, Serialize};

/// A bed as plain data, in columns by grain and by contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBed {
    position: SavedColumns,
    velocity: SavedColumns,
    spin: SavedColumns,
    acceleration: SavedColumns,
    angular_acceleration: SavedColumns,
    /// Positions when the neighbour list was built.
    listed: SavedColumns,
    /// Pairs that touch or have done work: both members, with walls numbered after the grains, and whether they touch.
    contacts: Vec<(u32, u32, bool)>,
    contact_numbers: SavedColumns,
    closed_work: SavedColumns,
    lists: u64,
}

/// Numbers that are saved for each contact.
const CONTACT: &[Number<ContactRecord>] = numbers! {
    memory.speed, memory.damping, memory.peak, memory.time, memory.internal, spring.x, spring.y, spring.z,
    "load" => work.load, "delta" => work.delta, "fastest" => work.fastest,
    "pressing" => work.pressing, "friction" => work.friction, "rolling" => work.rolling,
    "couple.x" => work.couple.x, "couple.y" => work.couple.y, "couple.z" => work.couple.z,
    "tangential.x" => work.tangential.x, "tangential.y" => work.tangential.y, "tangential.z" => work.tangential.z,
    "normal.x" => work.normal.x, "normal.y" => work.normal.y, "normal.z" => work.normal.z
};

/// Numbers that are saved of [`ClosedWork`], the works of pairs that are no longer listed.
const CLOSED_WORK: &[Number<ClosedWork>] =
    numbers! { normal, friction, rolling, fastest, lifted, initial, step };

impl Bed {
    /// Returns the bed as plain data.
    pub fn save(&self) -> SavedBed {
        let order = &self.order;
        let columns = |vectors: &[Vec3]| SavedColumns::of(vectors, VECTOR);
        let records: Vec<_> = self.history.records(&self.neighbours, order).collect();
        let count = self.position.len() as u32;
        let contact = |record: &ContactRecord| match record.b {
            Partner::Grain(b) => (record.a, b, record.touching),
            Partner::Wall(wall) => (record.a, count + wall, record.touching),
        };
        SavedBed {
            position: columns(&self.position),
            velocity: columns(&self.velocity),
            spin: columns(&self.spin),
            acceleration: columns(&order.by_id(&order.accelerations, |a| a.linear)),
            angular_acceleration: columns(&order.by_id(&order.accelerations, |a| a.angular)),
            listed: columns(&order.by_id(&order.references, |reference| reference.listed)),
            contacts: records.iter().map(contact).collect(),
            contact_numbers: SavedColumns::of(&records, CONTACT),
            closed_work: SavedColumns::of(&[self.closed_work], CLOSED_WORK),
            lists: self.lists,
        }
    }

    /// Returns this bed in the saved state.
    ///
    /// # Errors
    /// When the data do not belong to this bed.
    pub fn restored(self, saved: &SavedBed) -> Result<Self> {
        self.try_restore(saved).ok_or_else(another_scene)
    }

    /// Returns this bed in the saved state; nothing if the data do not fit.
    fn try_restore(mut self, saved: &SavedBed) -> Option<Self> {
        let (count, walls) = (self.position.len() as u32, self.walls.len() as u32);
        let record = |&(a, b, touching): &(u32, u32, bool)| {
            let b = match b.checked_sub(count) {
                None => Partner::Grain(b),
                Some(wall) => Partner::Wall((wall < walls).then_some(wall)?),
            };
            let (memory, spring) = (Memory::default(), Vec3::ZERO);
            let work = ContactWork::default();
            (a < count).then_some(ContactRecord { a, b, touching, memory, spring, work })
        };
        let mut records = saved.contacts.iter().map(record).collect::<Option<Vec<_>>>()?;
        saved.contact_numbers.write(&mut records, CONTACT)?;
        // Sort the grains and build the neighbour list as before the checkpoint, then restore the data of the pairs.
        let count = self.position.len();
        let accelerations = saved.acceleration.vectors(count)?;
        let turnings = saved.angular_acceleration.vectors(count)?;
        self.order = CellOrder::new(&saved.listed.vectors(count)?, &self.radius, &self.mass);
        for (i, own) in self.order.accelerations.iter_mut().enumerate() {
            (own.linear, own.angular) = (accelerations[i], turnings[i]);
        }
        self.rebuild_neighbours(records);
        self.position = saved.position.vectors(count)?;
        self.velocity = saved.velocity.vectors(count)?;
        self.spin = saved.spin.vectors(count)?;
        saved.closed_work.write(std::slice::from_mut(&mut self.closed_work), CLOSED_WORK)?;
        self.lists = saved.lists;
        self.has_forces = true;
        Some(self)
    }
}
