//! Columns of grains in cell order: the copy of the bed that the steps work on.
//!
//! Whenever the neighbour list is built, grains are sorted by the cell that contains them. Neighbours in space are then
//! close in memory, whatever their ids are and however much the bed has mixed. The columns are split by use: centre and
//! radius are needed for every listed pair, velocities only for pairs in contact.
//!
//! The *id* of a grain is its index in the public columns of the bed; its *slot* is its index here. The order is a function
//! of the ids and of the positions at which the list was built, so a resumed bed has the same order.

use crate::math::Vec3;

/// Position and size of a grain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub centre: Vec3,
    pub radius: f64,
}

/// Twist: velocity and angular velocity of a grain (m/s, rad/s), or its accelerations (m/s², rad/s²).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Twist {
    pub linear: Vec3,
    pub angular: Vec3,
}

/// Mass of a grain (kg), and its position when the neighbour list was built (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub listed: Vec3,
    pub mass: f64,
}

/// Columns by slot.
#[derive(Clone, Debug)]
pub(super) struct CellOrder {
    /// Id of the grain in each slot.
    pub ids: Vec<u32>,
    pub spheres: Vec<Sphere>,
    pub velocities: Vec<Twist>,
    /// Stored only at the end of a run: within a run each pass computes the accelerations and uses them at once.
    pub accelerations: Vec<Twist>,
    pub references: Vec<Reference>,
}

impl CellOrder {
    /// Creates the columns of grains at rest, in the order of their ids.
    pub fn new(position: &[Vec3], radius: &[f64], mass: &[f64]) -> Self {
        let count = position.len();
        let sphere = |(&centre, &radius)| Sphere { centre, radius };
        let reference = |(&listed, &mass)| Reference { listed, mass };
        Self {
            ids: (0..count as u32).collect(),
            spheres: position.iter().zip(radius).map(sphere).collect(),
            velocities: vec![Twist::default(); count],
            accelerations: vec![Twist::default(); count],
            references: position.iter().zip(mass).map(reference).collect(),
        }
    }

    /// Returns the id of the grain in a slot.
    pub fn id(&self, slot: u32) -> u32 {
        self.ids[slot as usize]
    }

    /// Reorders the columns so that the slots contain the grains with these ids.
    pub fn rearrange(&mut self, ids: Vec<u32>) {
        fn permuted<T: Copy>(column: &[T], from: &[u32]) -> Vec<T> {
            from.iter().map(|&slot| column[slot as usize]).collect()
        }
        let mut slots = vec![0; self.ids.len()];
        for (slot, &id) in self.ids.iter().enumerate() {
            slots[id as usize] = slot as u32;
        }
        let from: Vec<u32> = ids.iter().map(|&id| slots[id as usize]).collect();
        self.spheres = permuted(&self.spheres, &from);
        self.velocities = permuted(&self.velocities, &from);
        self.accelerations = permuted(&self.accelerations, &from);
        self.references = permuted(&self.references, &from);
        self.ids = ids;
    }

    /// Returns a vector of each grain, sorted by id.
    pub fn by_id<T>(&self, column: &[T], of: impl Fn(&T) -> Vec3) -> Vec<Vec3> {
        let mut sorted = vec![Vec3::ZERO; self.ids.len()];
        for (item, &id) in column.iter().zip(&self.ids) {
            sorted[id as usize] = of(item);
        }
        sorted
    }

    /// Reads positions and velocities from columns that are sorted by id.
    pub fn load(&mut self, position: &[Vec3], velocity: &[Vec3], spin: &[Vec3]) {
        for ((sphere, own), &id) in self.spheres.iter_mut().zip(&mut self.velocities).zip(&self.ids)
        {
            let id = id as usize;
            sphere.centre = position[id];
            *own = Twist { linear: velocity[id], angular: spin[id] };
        }
    }

    /// Writes positions and velocities to columns that are sorted by id.
    pub fn store(&self, position: &mut [Vec3], velocity: &mut [Vec3], spin: &mut [Vec3]) {
        for ((sphere, own), &id) in self.spheres.iter().zip(&self.velocities).zip(&self.ids) {
            let id = id as usize;
            position[id] = sphere.centre;
            velocity[id] = own.linear;
            spin[id] = own.angular;
        }
    }
}
