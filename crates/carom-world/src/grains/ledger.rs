//! Energy of a bed: what each contact did, and the sum.

use super::contacts::Seen;
use super::{Bed, Near, Push, WALL};
use crate::math::Vec3;
use carom::law::{Force, Law, Memory, Work};
use serde::Serialize;

/// Works of one contact, and the forces that acted over the last half step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Book {
    /// Normal force (N), positive when it pushes.
    pub load: f64,
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
    /// Forces acted half a step with the velocities before, and new ones half a step with the same; `springs` are the
    /// tangential forces on the first grain, before and after, summed.
    #[inline]
    pub fn act(&mut self, load: f64, springs: Vec3, couple: Vec3, seen: &Seen, h: f64) {
        self.normal += 0.5 * h * (self.load + load) * seen.rate;
        // The spring pulls a along with the slip of b: it takes up what the slip puts in.
        self.friction += 0.5 * h * springs.dot(seen.slip);
        self.rolling += 0.5 * h * (self.couple + couple).dot(seen.spin);
        (self.load, self.couple) = (load, couple);
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
    fn indentation(&self, pair: &Near) -> (f64, Vec3) {
        let a = self.name(pair.a) as usize;
        match pair.b & WALL == 0 {
            false => {
                let wall = &self.walls[pair.wall()];
                let distance = wall.normal.dot(self.position[a] - wall.point);
                (self.radius[a] - distance, -wall.normal)
            }
            true => {
                let b = self.name(pair.b) as usize;
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
        for (pair, kept) in self.near.iter().zip(&self.kept).filter(|(pair, _)| pair.touching) {
            let (delta, _) = self.indentation(pair);
            let law: &Law = &self.laws[usize::from(self.law_of(pair))];
            e.stored += law.with(Stored(delta, kept.memory));
            let a = self.radius(self.name(pair.a) as usize);
            let radius = match pair.b & WALL == 0 {
                true => {
                    e.pairs += 1;
                    a.min(self.radius(self.name(pair.b) as usize))
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

    /// The pairs that touch, sorted by names, grains before walls.
    pub(super) fn touches(&self) -> Vec<Touch> {
        let pairs = self.near.iter().zip(&self.back).filter(|(pair, _)| pair.touching);
        let touch = |(pair, back): (&Near, &Push)| {
            let (delta, normal) = self.indentation(pair);
            let load = back.force.dot(normal);
            let (a, b, wall) = (self.name(pair.a), self.name(pair.b), pair.b & WALL != 0);
            match a < b {
                true => Touch { a, b: b & !WALL, wall, delta, load, force: -back.force },
                false => Touch { a: b, b: a, wall, delta, load, force: back.force },
            }
        };
        let mut touches: Vec<_> = pairs.map(touch).collect();
        touches.sort_unstable_by_key(|touch| (touch.wall, touch.a, touch.b));
        touches
    }
}

/// A pair that touches.
pub(super) struct Touch {
    pub a: u32,
    /// A grain or, if so, a wall.
    pub b: u32,
    pub wall: bool,
    /// Indentation (m).
    pub delta: f64,
    /// Normal force (N).
    pub load: f64,
    /// Force on the first (N).
    pub force: Vec3,
}
