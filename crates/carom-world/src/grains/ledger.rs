//! Energy of a bed: what each contact did, and the sum.

use super::{Bed, Near, WALL};
use crate::math::Vec3;
use carom::law::{Force, Law, Memory, Work};
use serde::Serialize;

/// Works of one contact, and the forces that acted over the last half step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Book {
    /// Normal force (N), positive when it pushes.
    pub load: f64,
    /// Tangential force on the first grain (N).
    pub spring: Vec3,
    /// Couple of rolling resistance on the first grain (N·m).
    pub couple: Vec3,
    /// Taken up in the normal direction (J): stored and lost.
    pub normal: f64,
    /// Taken up by friction (J).
    pub friction: f64,
    /// Taken up by rolling resistance (J).
    pub rolling: f64,
}

/// Works of contacts that are no longer listed (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Closed {
    pub normal: f64,
    pub friction: f64,
    pub rolling: f64,
    /// Potential energy that grains lost by going back into the first period.
    pub lifted: f64,
    /// All energy at the start, when it is known.
    pub initial: Option<f64>,
}

impl Closed {
    pub fn add(&mut self, book: &Book) {
        self.normal += book.normal;
        self.friction += book.friction;
        self.rolling += book.rolling;
    }
}

impl Book {
    /// Forces acted half a step with the velocities before, and new ones half a step with the same.
    pub fn act(&mut self, now: (f64, Vec3, Vec3), rate: f64, slip: Vec3, spin: Vec3, h: f64) {
        let (load, spring, couple) = now;
        self.normal += 0.5 * h * (self.load + load) * rate;
        // The spring pulls a along with the slip of b: it takes up what the slip puts in.
        self.friction += 0.5 * h * (self.spring + spring).dot(slip);
        self.rolling += 0.5 * h * (self.couple + couple).dot(spin);
        (self.load, self.spring, self.couple) = now;
    }
}

/// Energies of a bed (J), and how dense it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BedEnergies {
    /// Of all grains, spinning included.
    pub kinetic: f64,
    /// In the field of gravity.
    pub potential: f64,
    /// What contacts would give back in the normal direction.
    pub stored: f64,
    /// Lost by the contact law.
    pub lost_in_contacts: f64,
    /// Lost to friction, with what the tangential springs hold.
    pub lost_to_friction: f64,
    /// Lost to rolling resistance.
    pub lost_to_rolling: f64,
    /// What is unaccounted for: the error of the fixed step. NaN where no books are kept.
    pub error: f64,
    /// Pairs of grains that touch.
    pub pairs: u64,
    /// Grains that touch a wall, once for each wall.
    pub wall_contacts: u64,
    /// Grains that a grain touches, on average.
    pub coordination: f64,
    /// Largest indentation as a share of the smaller radius.
    pub overlap_max: f64,
    /// Mean height of the centres against gravity (m).
    pub height: f64,
}

/// What a contact would give back.
struct Stored(f64, Memory);

impl Work for Stored {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.stored(self.0, &self.1)
    }
}

impl Bed {
    /// Indentation of a pair (m) and the normal from the first to the second.
    pub(super) fn indentation(&self, pair: &Near) -> (f64, Vec3) {
        let a = pair.a as usize;
        match pair.b & WALL == 0 {
            false => {
                let wall = &self.walls[(pair.b & !WALL) as usize];
                let distance = wall.normal.dot(self.position[a] - wall.point);
                (self.radius[a] - distance, -wall.normal)
            }
            true => {
                let b = pair.b as usize;
                let way = Self::apart(&self.position, self.period, a, b);
                let length = way.length();
                let normal = if length > 0.0 { way * (1.0 / length) } else { Vec3::X };
                (self.radius[a] + self.radius[b] - length, normal)
            }
        }
    }

    /// The ledger now.
    pub fn energies(&self) -> BedEnergies {
        let count = self.position.len();
        let mut e = BedEnergies { kinetic: self.kinetic(), ..BedEnergies::default() };
        let up = self.gravity.unit().map_or(Vec3::Z, |down| -down);
        for (position, mass) in self.position.iter().zip(&self.mass) {
            e.potential -= mass * self.gravity.dot(*position);
            e.height += up.dot(*position) / count as f64;
        }
        e.potential -= self.closed.lifted;
        for pair in self.near.iter().filter(|pair| pair.touching) {
            let (delta, _) = self.indentation(pair);
            let law: &Law = &self.laws[usize::from(self.law_of(pair))];
            e.stored += law.with(Stored(delta, pair.memory));
            let a = self.radius[pair.a as usize];
            let radius = match pair.b & WALL == 0 {
                true => {
                    e.pairs += 1;
                    a.min(self.radius[pair.b as usize])
                }
                false => {
                    e.wall_contacts += 1;
                    a
                }
            };
            e.overlap_max = e.overlap_max.max(delta / radius);
        }
        e.coordination = if count > 0 { 2.0 * e.pairs as f64 / count as f64 } else { 0.0 };
        let mut works = self.closed;
        self.books.iter().for_each(|book| works.add(book));
        e.lost_in_contacts = works.normal - e.stored;
        e.lost_to_friction = works.friction;
        e.lost_to_rolling = works.rolling;
        let all = e.kinetic + e.potential + works.normal + works.friction + works.rolling;
        e.error = self.closed.initial.map_or(f64::NAN, |initial| all - initial);
        e
    }

    /// Begins the books: what is stored now was there before.
    pub(super) fn open_books(&mut self) {
        if !self.keeps_books || self.closed.initial.is_some() {
            return;
        }
        let e = self.energies();
        self.closed.normal += e.stored;
        self.closed.initial = Some(e.kinetic + e.potential + e.stored);
    }

    /// Forces of the pairs that touch: first, second (or wall, and then true), indentation, normal force,
    /// force on the first.
    pub(super) fn touches(&self) -> impl Iterator<Item = (u32, u32, bool, f64, f64, Vec3)> {
        let pairs = self.near.iter().zip(&self.push).filter(|(pair, _)| pair.touching);
        pairs.map(|(pair, push)| {
            let (delta, normal) = self.indentation(pair);
            let wall = pair.b & WALL != 0;
            (pair.a, pair.b & !WALL, wall, delta, -push.force.dot(normal), push.force)
        })
    }
}
