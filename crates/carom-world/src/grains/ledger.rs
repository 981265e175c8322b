//! Energy of a bed: what each contact did, and the sum.

use super::contacts::Seen;
use super::{Bed, Near, WALL};
use crate::math::Vec3;
use carom::law::{Force, Law, Memory, Work};
use serde::Serialize;

/// Works of one contact, and what acted over the last half step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Book {
    /// Normal force (N), positive when it pushes.
    pub load: f64,
    /// Normal from the first grain to the second, and indentation (m).
    pub normal: Vec3,
    pub delta: f64,
    /// Friction on the first grain (N).
    pub tangential: Vec3,
    /// Couple of rolling resistance on the first grain (N·m).
    pub couple: Vec3,
    /// Taken up in the normal direction (J): stored and lost.
    pub pressing: f64,
    /// Taken up by friction (J).
    pub friction: f64,
    /// Taken up by rolling resistance (J).
    pub rolling: f64,
    /// Fastest approach with which it began (m/s).
    pub fastest: f64,
}

/// Works of contacts that are no longer listed (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Closed {
    pub normal: f64,
    pub friction: f64,
    pub rolling: f64,
    /// Fastest approach with which one of them began (m/s).
    pub fastest: f64,
    /// Potential energy that grains lost by going back into the first period.
    pub lifted: f64,
    /// All energy at the start, when it is known.
    pub initial: Option<f64>,
    /// Length of the last step (s).
    pub step: f64,
}

impl Closed {
    pub fn add(&mut self, book: &Book) {
        self.normal += book.pressing;
        self.friction += book.friction;
        self.rolling += book.rolling;
        self.fastest = self.fastest.max(book.fastest);
    }
}

impl Book {
    /// Power of each force of a contact while its grains move like this: pressed in, slid and rolled (W).
    ///
    /// Friction acts on both at one point, with the arms R − δ/2 along the normal.
    #[inline]
    fn powers(&self, seen: &Seen) -> [f64; 3] {
        let arms = seen.arms - seen.spins * (0.5 * self.delta);
        [
            -self.load * self.normal.dot(seen.velocity),
            // Friction pulls a along with the slip of b: it takes up what the slip puts in.
            self.tangential.dot(seen.velocity) - self.normal.cross(self.tangential).dot(arms),
            self.couple.dot(seen.spin),
        ]
    }

    /// What acted before has done so for half a step with these velocities, and what acts now will for another half with
    /// the same: that is how the kicks of the leapfrog add up. Each force goes with its own normal.
    #[inline]
    pub fn act(&mut self, now: Self, seen: &Seen, h: f64) {
        let (before, after) = (self.powers(seen), now.powers(seen));
        self.pressing += 0.5 * h * (before[0] + after[0]);
        self.friction += 0.5 * h * (before[1] + after[1]);
        self.rolling += 0.5 * h * (before[2] + after[2]);
        let Self { load, normal, delta, tangential, couple, .. } = now;
        *self = Self { load, normal, delta, tangential, couple, ..*self };
    }
}

/// Energies of a bed (J), and how dense it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BedEnergies {
    /// Of all grains, spinning included.
    pub kinetic: f64,
    /// In the field of gravity.
    pub potential: f64,
    /// What contacts would give back, in the normal direction and from their tangential springs.
    pub stored: f64,
    /// Lost by the contact law, and to the error of the fixed step.
    pub lost_in_contacts: f64,
    /// Lost to friction.
    pub lost_to_friction: f64,
    /// Lost to rolling resistance.
    pub lost_to_rolling: f64,
    /// What is unaccounted for. Works are summed as the steps make them, so it is rounding unless something went wrong,
    /// and says nothing about the error of the step. NaN where no books are kept.
    pub error: f64,
    /// Fastest approach with which a contact began so far (m/s); 0 where no books are kept.
    pub fastest: f64,
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

    /// The smaller radius of a pair of grains, or that of a grain at a wall (m).
    pub(super) fn smaller(&self, a: u32, b: u32) -> f64 {
        let radius = self.radius(a as usize);
        if b & WALL == 0 { radius.min(self.radius(b as usize)) } else { radius }
    }

    /// Pairs that overlap where the bed begins, by the numbers of the grains (or a wall), and by how much (m).
    pub(super) fn overlaps(&mut self) -> Vec<(u32, u32, f64)> {
        self.load();
        self.list();
        let pairs = self.near.iter().map(|pair| {
            let (a, b) = (self.name(pair.a), self.name(pair.b));
            (a.min(b), a.max(b), self.indentation(pair).0)
        });
        pairs.filter(|(_, _, depth)| *depth > 0.0).collect()
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
        let (mut stored, mut sprung) = (0.0, 0.0);
        for (k, pair) in self.near.iter().enumerate().filter(|(_, pair)| pair.touching) {
            let (delta, _) = self.indentation(pair);
            let law: &Law = &self.laws[usize::from(self.law_of(pair))];
            stored += law.with(Stored(delta, self.kept.memory(k)));
            let a = self.radius(self.name(pair.a) as usize);
            let (radius, effective) = match pair.b & WALL == 0 {
                true => {
                    e.pairs += 1;
                    let b = self.radius(self.name(pair.b) as usize);
                    (a.min(b), a * b / (a + b))
                }
                false => {
                    e.wall_contacts += 1;
                    (a, a)
                }
            };
            let grows = if self.mindlin { (effective * delta.max(0.0)).sqrt() } else { 1.0 };
            let (spring, stiffness) = (self.kept.spring(k), self.material.tangential * grows);
            if stiffness > 0.0 {
                sprung += 0.5 * spring.dot(spring) / stiffness;
            }
            e.overlap_max = e.overlap_max.max(delta / radius);
        }
        e.coordination = if count > 0 { 2.0 * e.pairs as f64 / count as f64 } else { 0.0 };
        let mut works = self.closed;
        self.kept.books().iter().for_each(|book| works.add(book));
        let kinetic = e.kinetic - self.half_kicks();
        e.stored = stored + sprung;
        e.lost_in_contacts = works.normal - stored;
        e.lost_to_friction = works.friction - sprung;
        e.fastest = works.fastest;
        e.lost_to_rolling = works.rolling;
        let all = kinetic + e.potential + works.normal + works.friction + works.rolling;
        e.error = self.closed.initial.map_or(f64::NAN, |initial| all - initial);
        e
    }

    /// Begins the books: what is stored now was there before.
    pub(super) fn open_books(&mut self) {
        if !self.keeps_books || self.closed.initial.is_some() {
            return;
        }
        // Forces at the start have not acted yet.
        self.kept.forget_works();
        let e = self.energies();
        self.closed.normal -= e.lost_in_contacts;
        self.closed.friction -= e.lost_to_friction;
        let kinetic = e.kinetic - self.half_kicks();
        self.closed.initial = Some(kinetic + e.potential + e.stored);
    }

    /// What the half kicks at the ends of steps add to the kinetic energy beyond works with the velocities of the half
    /// steps (J): h²/8·(m·a² + I·α²) for every grain. Full kicks, of which half comes before and half after a
    /// position, have nothing of the kind.
    fn half_kicks(&self) -> f64 {
        let sorted = &self.sorted;
        let grains = sorted.drive.iter().zip(&sorted.root).zip(&sorted.place);
        let of = grains.map(|((drive, root), place)| {
            let (a, turn) = (drive.acceleration, drive.turning * place.radius);
            root.mass * (a.dot(a) + 0.4 * turn.dot(turn))
        });
        0.125 * self.closed.step * self.closed.step * of.sum::<f64>()
    }

    /// The pairs that touch, sorted by names, grains before walls; none where no books are kept.
    pub(super) fn touches(&self) -> Vec<Touch> {
        let pairs = self.near.iter().zip(self.kept.books());
        let touch = |(pair, book): (&Near, &Book)| {
            let (delta, normal) = self.indentation(pair);
            let (load, force) = (book.load, normal * -book.load + book.tangential);
            let (a, b, wall) = (self.name(pair.a), self.name(pair.b), pair.b & WALL != 0);
            match a < b {
                true => Touch { a, b: b & !WALL, wall, delta, load, force },
                false => Touch { a: b, b: a, wall, delta, load, force: -force },
            }
        };
        let touching = pairs.filter(|(pair, _)| pair.touching);
        let mut touches: Vec<_> = touching.map(touch).collect();
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
