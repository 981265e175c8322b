//! Grains as steps see them: in the order of the cells they were listed in.
//!
//! Neighbours in space are then neighbours in memory, whatever names grains have and however the bed mixes: a
//! grain's data are still in the nearest cache when the next contact asks for them. What contacts ask for first
//! (centre and radius) lies together, and what only those ask for that touch (velocity and spin) lies together. The
//! order follows from where grains were listed and from their names alone, so that a resumed bed has it too.

use super::Bed;
use crate::math::Vec3;

/// Where a grain is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub at: Vec3,
    pub radius: f64,
}

/// How it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub velocity: Vec3,
    pub spin: Vec3,
}

/// What changes that: written only where a run ends, because passes go from step to step with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive {
    pub acceleration: Vec3,
    pub turning: Vec3,
}

/// Mass, and where a grain was when neighbours were listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub listed: Vec3,
    pub mass: f64,
}

/// Columns in the order of cells.
#[derive(Clone, Debug)]
pub(super) struct Sorted {
    /// Name of the grain at each place: its number in the bed's public columns.
    pub names: Vec<u32>,
    pub place: Vec<Place>,
    pub motion: Vec<Motion>,
    pub drive: Vec<Drive>,
    pub root: Vec<Root>,
}

impl Sorted {
    /// At rest, by name.
    pub fn new(position: &[Vec3], radius: &[f64], mass: &[f64]) -> Self {
        let (zero, count) = (Vec3::ZERO, position.len());
        let place = position.iter().zip(radius).map(|(&at, &radius)| Place { at, radius });
        let root = position.iter().zip(mass).map(|(&listed, &mass)| Root { listed, mass });
        Self {
            names: (0..count as u32).collect(),
            place: place.collect(),
            motion: vec![Motion { velocity: zero, spin: zero }; count],
            drive: vec![Drive { acceleration: zero, turning: zero }; count],
            root: root.collect(),
        }
    }

    /// The place of each name.
    pub fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.names.len()];
        for (place, &name) in self.names.iter().enumerate() {
            places[name as usize] = place as u32;
        }
        places
    }

    /// The same in another order of names.
    pub fn arrange(&mut self, names: Vec<u32>) {
        fn taken<T: Copy>(column: &[T], from: &[u32]) -> Vec<T> {
            from.iter().map(|&place| column[place as usize]).collect()
        }
        let places = self.places();
        let from: Vec<u32> = names.iter().map(|&name| places[name as usize]).collect();
        self.place = taken(&self.place, &from);
        self.motion = taken(&self.motion, &from);
        self.drive = taken(&self.drive, &from);
        self.root = taken(&self.root, &from);
        self.names = names;
    }

    /// A vector of each grain, by name.
    pub fn by_name<T>(&self, column: &[T], of: impl Fn(&T) -> Vec3) -> Vec<Vec3> {
        let mut named = vec![Vec3::ZERO; self.names.len()];
        for (item, &name) in column.iter().zip(&self.names) {
            named[name as usize] = of(item);
        }
        named
    }
}

impl Bed {
    /// Takes over the public columns, which may have been changed between runs.
    pub(super) fn load(&mut self) {
        let Sorted { names, place, motion, .. } = &mut self.sorted;
        for ((place, motion), &name) in place.iter_mut().zip(motion).zip(&*names) {
            let name = name as usize;
            place.at = self.position[name];
            *motion = Motion { velocity: self.velocity[name], spin: self.spin[name] };
        }
    }

    /// Gives the public columns back.
    pub(super) fn store(&mut self) {
        let Sorted { names, place, motion, .. } = &self.sorted;
        for ((place, motion), &name) in place.iter().zip(motion).zip(names) {
            let name = name as usize;
            self.position[name] = place.at;
            self.velocity[name] = motion.velocity;
            self.spin[name] = motion.spin;
        }
    }
}
