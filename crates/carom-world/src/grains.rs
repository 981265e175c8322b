//! Many spheres with fixed steps.
//!
//! A bed of grains is another trade than a mechanism: one step for all, no located touches, as many contacts a
//! second as possible. The scheme is the leapfrog (kick, drift, forces, kick), second order and symplectic
//! without damping; forces that depend on velocities see those of the half step. Choose about fifty steps
//! a contact ([`Bed::suggested_step`]).
//!
//! # Same bits with any number of threads
//! Grains are taken in chunks of a fixed size. A chunk computes the contacts whose first grain it has and sums in
//! their order what happens within it; what it does to grains of other chunks it writes down, and these add it in the
//! order of the list. Where chunks end depends on the bed alone, so no sum depends on who computed what.
//!
//! # Neighbours
//! Pairs nearer than a skin are listed by a grid of cells, one list for many steps, until a grain has moved
//! half the skin. Memories of contacts are carried over. Within a step nothing is allocated.
//!
//! # Speed
//! What a step costs is first of all memory, then roots and quotients. So grains are sorted by cells with every list
//! (`sorted`), contacts that touch lie together with only what their law needs of them (`kept`), and are computed in rows
//! (`block`). A step is two passes: one over pairs, one over grains (`step`).
//!
//! # Laws
//! Any law of the catalogue that a contact can keep for itself: what it remembers is kept from touch to
//! parting, per pair. Grains of several sizes have a law for each pair of sizes ([`Bed::with_sizes`]). Contact
//! exists while surfaces overlap, so a law that pulls across a gap is refused ([`suits`]).
//!
//! # Ledger
//! A bed that keeps books ([`Bed::with_ledger`]) adds up the work of each contact in step with the leapfrog: a
//! force F acts over one step and its work is F·(v₋ + v₊)/2·h with the velocities half a step before and
//! after, which is what the kicks make of it exactly. So the ledger closes to rounding with any step, and says that
//! nothing was forgotten, but nothing about how good the step is. That is measured apart, by impacts of the same
//! laws with the same scheme and step against the library's (`step_error`).
//!
//! # Contact point
//! Friction acts on both grains at one point, half way through their overlap: its arms are R − δ/2 and add up to
//! the distance of the centres, so that angular momentum about any point is kept to rounding.

mod around;
mod block;
mod contacts;
mod kept;
mod ledger;
mod neighbours;
mod place;
mod save;
mod scene;
mod share;
mod simulation;
mod sorted;
mod step;
mod step_error;

pub use contacts::suits;
pub use ledger::BedEnergies;
pub use save::SavedBed;
pub use scene::{Granular, MOST_GRAINS};
pub use simulation::{BedSummary, GrainSimulation, GrainSimulationState};
pub use step_error::StepError;

use crate::friction::Resistance;
use crate::math::Vec3;
use carom::law::Law;
use carom::{Error, Result};
use std::ops::AddAssign;

/// A pair whose second member is a wall.
const WALL: u32 = 1 << 31;

/// A wall: a plane that grains stay above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// A point of it (m).
    pub point: Vec3,
    /// Unit normal towards the grains.
    pub normal: Vec3,
}

/// What is the same for all grains.
#[derive(Clone, Debug)]
pub struct Material {
    /// Law between two grains; its mass is replaced by that of the pair.
    pub grains: Law,
    /// Law between a grain and a wall.
    pub walls: Law,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Stiffness of the tangential spring (N/m); after [`Bed::with_mindlin`] 8·G* (Pa).
    pub tangential: f64,
}

/// A pair of neighbours.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// A grain, by its place.
    a: u32,
    /// A grain, or [`WALL`] and the number of a wall.
    b: u32,
    /// Which image of b, of those in `shifts`.
    image: u8,
    touching: bool,
}

impl Near {
    /// The wall, where it is one.
    fn wall(self) -> usize {
        (self.b & !WALL) as usize
    }
}

/// Where the pairs of a chunk of grains begin, their runs that share a law, and those with second grains of other chunks.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    pairs: u32,
    bins: u32,
    outside: u32,
}

/// Force (N), and couple about the centre of the grain (N·m).
#[derive(Clone, Copy, Debug, Default)]
struct Push {
    force: Vec3,
    turn: Vec3,
}

impl AddAssign for Push {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.turn += other.turn;
    }
}

/// A bed of spheres.
#[derive(Clone, Debug)]
pub struct Bed {
    /// Positions (m).
    pub position: Vec<Vec3>,
    /// Velocities (m/s).
    pub velocity: Vec<Vec3>,
    /// Angular velocities (rad/s).
    pub spin: Vec<Vec3>,
    radius: Vec<f64>,
    mass: Vec<f64>,
    sorted: sorted::Sorted,
    /// Acceleration of gravity (m/s²).
    pub gravity: Vec3,
    walls: Vec<Wall>,
    /// Periods along x and y (m); infinite for none.
    period: (f64, f64),
    material: Material,
    /// Tangential springs stiffen with the contact.
    mindlin: bool,
    /// Damping ratio of the tangential springs.
    tangential_ratio: f64,
    near: Vec<Near>,
    kept: kept::Kept,
    /// What contacts do to second grains of other chunks.
    back: Vec<Push>,
    /// What contacts within their chunk do to grains, summed.
    own: Vec<Push>,
    /// For each grain the range of its entries in `of`.
    first: Vec<u32>,
    /// Places in `back` of what is done to a grain.
    of: Vec<u32>,
    /// Where images of grains are.
    shifts: [Vec3; 9],
    skin: f64,
    /// Lists made so far.
    pub lists: u64,
    fresh: bool,
    /// Size of each grain, by its number; and how many sizes there are.
    size: Vec<u8>,
    sizes: usize,
    /// Laws between sizes, then of sizes against walls.
    laws: Vec<Law>,
    /// Ends of the runs of neighbours that share a law, and the law.
    bins: Vec<(u32, u16)>,
    /// One more than there are: where the last ends.
    chunks: Vec<Chunk>,
    resistance: Option<Resistance>,
    /// The least approach speed that laws are told at touch (m/s).
    slowest: f64,
    keeps_books: bool,
    /// Works of pairs that are neighbours no more, and what periods did to the potential energy.
    closed: ledger::Closed,
}

/// The least approach speed that laws are told at touch (m/s): contacts that begin slower are resting ones.
const SLOWEST: f64 = 1e-3;
/// Most sizes of grains.
pub const MOST_SIZES: usize = 16;

impl Bed {
    /// Grains of radii (m) and a density (kg/m³), at rest.
    ///
    /// # Errors
    /// When the columns differ in length, a radius or the density is not positive, or there are too many.
    pub fn new(
        position: Vec<Vec3>,
        radius: Vec<f64>,
        density: f64,
        material: Material,
    ) -> Result<Self> {
        let count = position.len();
        if radius.len() != count || count >= WALL as usize {
            let allowed = format!("as many as positions, {count}, and below {WALL}");
            return Err(Error::invalid("radii", radius.len(), allowed, "give one radius a grain"));
        }
        let smallest = radius.iter().copied().fold(f64::INFINITY, f64::min);
        let sound = radius.iter().all(|r| *r > 0.0 && r.is_finite());
        if !sound || position.iter().any(|p| !p.is_finite()) || !(density > 0.0) {
            let advice = "radii and density are above 0, positions finite";
            return Err(Error::invalid("grains", count, "sound", advice));
        }
        let mass = |r: &f64| density * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        let mass: Vec<f64> = radius.iter().map(mass).collect();
        Ok(Self {
            sorted: sorted::Sorted::new(&position, &radius, &mass),
            velocity: vec![Vec3::ZERO; count],
            spin: vec![Vec3::ZERO; count],
            mass,
            gravity: Vec3::ZERO,
            walls: Vec::new(),
            period: (f64::INFINITY, f64::INFINITY),
            mindlin: false,
            tangential_ratio: 0.0,
            near: Vec::new(),
            kept: kept::Kept::default(),
            back: Vec::new(),
            own: Vec::new(),
            first: Vec::new(),
            of: Vec::new(),
            shifts: [Vec3::ZERO; 9],
            skin: if smallest.is_finite() { 0.3 * smallest } else { 1.0 },
            lists: 0,
            fresh: false,
            size: vec![0; count],
            sizes: 1,
            laws: vec![material.grains, material.walls],
            bins: Vec::new(),
            chunks: Vec::new(),
            resistance: None,
            slowest: SLOWEST,
            keeps_books: false,
            closed: ledger::Closed::default(),
            material,
            position,
            radius,
        })
    }

    /// The same with a wall.
    pub fn with_wall(mut self, wall: Wall) -> Self {
        self.walls.push(wall);
        self
    }

    /// The same with several sizes: the size of each grain, the law of sizes a ≤ b at place
    /// b·(b + 1)/2 + a, and the law of each size against walls. Their masses are replaced by those of the pairs.
    ///
    /// # Errors
    /// When the numbers do not fit each other, or there are more than [`MOST_SIZES`].
    pub fn with_sizes(mut self, size: Vec<u8>, between: &[Law], walls: &[Law]) -> Result<Self> {
        let sizes = walls.len();
        let fits = size.len() == self.position.len()
            && size.iter().all(|&size| usize::from(size) < sizes)
            && between.len() == sizes * (sizes + 1) / 2
            && sizes <= MOST_SIZES;
        if !fits {
            let allowed = format!("at most {MOST_SIZES}, with a law for each pair and each wall");
            return Err(Error::invalid("sizes", sizes, allowed, "give one number a grain"));
        }
        self.size = size;
        self.sizes = sizes;
        self.laws = [between, walls].concat();
        Ok(self)
    }

    /// The same with resistance to rolling and spinning.
    ///
    /// In one step the couple takes at most half of the spin it acts against: the fixed step does not
    /// resolve how the last of it fades.
    ///
    /// # Errors
    /// Names the number that makes no sense.
    pub fn with_resistance(mut self, resistance: Resistance) -> Result<Self> {
        self.resistance = Some(resistance.checked()?);
        self.keeps_books = true;
        Ok(self)
    }

    /// The same with books of energy.
    pub fn with_ledger(mut self) -> Self {
        self.keeps_books = true;
        self
    }

    /// The same with another least approach speed that laws are told at touch (m/s).
    ///
    /// # Errors
    /// When it is not positive.
    pub fn with_slowest(mut self, slowest: f64) -> Result<Self> {
        if !(slowest > 0.0 && slowest.is_finite()) {
            let advice = "it is the least v0 that laws are told";
            return Err(Error::invalid("slowest_impact", slowest, "above 0", advice));
        }
        self.slowest = slowest;
        Ok(self)
    }

    /// The same with Mindlin's tangential stiffness, 8·G*·√(R·δ): `tangential` of the material is then 8·G*, and R
    /// the radius of the pair.
    pub fn with_mindlin(mut self) -> Self {
        self.mindlin = true;
        self
    }

    /// The same with a damper beside each tangential spring: its share of critical damping against the mass that a force
    /// at the surface feels, 2/7 of that of the pair (friction's tangential spring in `friction.rs`).
    ///
    /// # Errors
    /// When it is negative or not finite.
    pub fn with_tangential_damping(mut self, ratio: f64) -> Result<Self> {
        if !(ratio >= 0.0 && ratio.is_finite()) {
            let advice = "0 is a spring that rings for ever";
            return Err(Error::invalid(
                "damping_ratio",
                ratio,
                "a finite number of at least 0",
                advice,
            ));
        }
        self.tangential_ratio = ratio;
        Ok(self)
    }

    /// The same, repeated along x and y (m).
    ///
    /// # Errors
    /// When a period is shorter than four grains.
    pub fn repeated(mut self, x: f64, y: f64) -> Result<Self> {
        let largest = self.radius.iter().copied().fold(0.0, f64::max);
        for period in [x, y] {
            if !(period > 8.0 * largest) {
                let allowed = format!("above {} m, four grains", 8.0 * largest);
                return Err(Error::invalid("period", period, allowed, "take a wider cell"));
            }
        }
        self.period = (x, y);
        Ok(self)
    }

    /// A fiftieth of the contact that the law makes of the lightest grain at a speed (s).
    ///
    /// # Errors
    /// When the library cannot collide the law at this speed.
    pub fn suggested_step(&self, speed: f64) -> Result<f64> {
        let lightest = self.mass.iter().copied().fold(f64::INFINITY, f64::min);
        let law = Law { mass: 0.5 * lightest, ..self.material.grains };
        let impact = carom::collide(&law, speed)?;
        Ok(impact.time_of_indentation_max * 2.0 / 50.0)
    }

    /// From a to b, across the nearest boundary.
    #[inline]
    fn apart(position: &[Vec3], period: (f64, f64), a: usize, b: usize) -> Vec3 {
        let mut way = position[b] - position[a];
        if period.0.is_finite() {
            way.x -= period.0 * (way.x / period.0).round();
        }
        if period.1.is_finite() {
            way.y -= period.1 * (way.y / period.1).round();
        }
        way
    }

    /// Energy of motion (J).
    pub fn kinetic(&self) -> f64 {
        let of = |i: usize| {
            let (v, w) = (self.velocity[i], self.spin[i]);
            let inertia = 0.4 * self.mass[i] * self.radius[i] * self.radius[i];
            0.5 * self.mass[i] * v.dot(v) + 0.5 * inertia * w.dot(w)
        };
        (0..self.mass.len()).map(of).sum()
    }

    /// The radius of a grain (m); 0 where there is none.
    pub fn radius(&self, grain: usize) -> f64 {
        self.radius.get(grain).copied().unwrap_or(0.0)
    }

    /// How many pairs touch.
    pub fn touching(&self) -> usize {
        self.near.iter().filter(|pair| pair.touching).count()
    }
}

#[cfg(test)]
mod tests;
