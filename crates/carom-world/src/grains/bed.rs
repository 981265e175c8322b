//! Bed of grains: its grains, walls and contact parameters, and their construction.

use super::boundary::{PeriodicImages, Wall};
use super::cell_order::CellOrder;
use super::contact_block::Wrench;
use super::contact_history::{ContactHistory, ContactRecord};
use super::contact_work::ClosedWork;
use super::neighbour_list::{NeighbourList, NeighbourPair, Partner};
use super::pair_laws::PairLaws;
use crate::check::{not_negative, positive};
use crate::friction::RollingResistance;
use crate::math::Vec3;
use carom::law::Law;
use carom::{Error, Result};

/// Contact parameters of all grains.
#[derive(Clone, Debug)]
pub struct ContactParameters {
    /// Law between two grains; its effective mass is replaced by that of each pair.
    pub grains: Law,
    /// Law between a grain and a wall.
    pub walls: Law,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Stiffness of the tangential spring (N/m); after [`Bed::with_mindlin`] it is 8·G* (Pa).
    pub tangential: f64,
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
    pub(crate) radius: Vec<f64>,
    pub(super) mass: Vec<f64>,
    pub(super) order: CellOrder,
    /// Acceleration of gravity (m/s²).
    pub gravity: Vec3,
    pub(super) walls: Vec<Wall>,
    pub(super) images: PeriodicImages,
    pub(super) parameters: ContactParameters,
    pub(super) laws: PairLaws,
    /// Whether the tangential stiffness grows with the contact radius as in Mindlin's theory.
    pub(super) mindlin: bool,
    /// Damping ratio of the tangential springs.
    pub(super) tangential_ratio: f64,
    pub(super) resistance: Option<RollingResistance>,
    /// Lower bound of the approach speed v₀ that is passed to laws at onset (m/s).
    pub(super) min_onset_speed: f64,
    /// Largest distance between the surfaces of two grains that are listed as neighbours (m).
    pub(super) skin: f64,
    pub(super) neighbours: NeighbourList,
    pub(super) history: ContactHistory,
    /// Wrenches on second grains that are in another chunk than the first grain, in the order of the neighbour list.
    pub(super) to_other_chunks: Vec<Wrench>,
    /// For each grain, the sum of the wrenches from pairs whose two grains are both in its chunk.
    pub(super) within_chunk: Vec<Wrench>,
    /// Number of neighbour lists built so far.
    pub lists: u64,
    /// Whether accelerations have been computed for the present positions.
    pub(super) has_forces: bool,
    pub(super) has_ledger: bool,
    pub(super) closed_work: ClosedWork,
}

/// Default lower bound of the approach speed v₀ that is passed to laws at onset (m/s). Slower contacts are resting contacts.
pub(super) const DEFAULT_MIN_ONSET_SPEED: f64 = 1e-3;
/// Width of the skin of neighbour lists, relative to the smallest radius.
const RELATIVE_SKIN: f64 = 0.3;
/// Smallest period of a periodic bed in radii of the largest grain. It ensures that at most one image of a grain is a
/// neighbour of another grain.
const MIN_PERIOD: f64 = 8.0;

impl Bed {
    /// Creates grains at rest from their positions (m), radii (m) and density (kg/m³).
    ///
    /// # Errors
    /// When the columns differ in length, a radius or the density is not positive, or there are more than `u32::MAX` grains.
    pub fn new(
        position: Vec<Vec3>,
        radius: Vec<f64>,
        density: f64,
        parameters: ContactParameters,
    ) -> Result<Self> {
        let count = position.len();
        if radius.len() != count || u32::try_from(count).is_err() {
            let allowed = format!("as many as positions, {count}, and at most {}", u32::MAX);
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
            order: CellOrder::new(&position, &radius, &mass),
            velocity: vec![Vec3::ZERO; count],
            spin: vec![Vec3::ZERO; count],
            mass,
            gravity: Vec3::ZERO,
            walls: Vec::new(),
            images: PeriodicImages::new((f64::INFINITY, f64::INFINITY)),
            laws: PairLaws::uniform(count, parameters.grains, parameters.walls),
            mindlin: false,
            tangential_ratio: 0.0,
            resistance: None,
            min_onset_speed: DEFAULT_MIN_ONSET_SPEED,
            skin: if smallest.is_finite() { RELATIVE_SKIN * smallest } else { 1.0 },
            neighbours: NeighbourList::default(),
            history: ContactHistory::default(),
            to_other_chunks: Vec::new(),
            within_chunk: Vec::new(),
            lists: 0,
            has_forces: false,
            has_ledger: false,
            closed_work: ClosedWork { initial: f64::NAN, ..ClosedWork::default() },
            parameters,
            position,
            radius,
        })
    }

    /// Adds a wall.
    pub fn with_wall(mut self, wall: Wall) -> Self {
        self.walls.push(wall);
        self
    }

    /// Sets the laws of grains of several sizes: the size of each grain as an index, the law between sizes a ≤ b at the
    /// index b·(b + 1)/2 + a of `between`, and the law between each size and a wall. The effective masses in these laws are
    /// replaced by those of the pairs.
    ///
    /// # Errors
    /// When the counts do not agree, or there are more sizes than [`MAX_SIZES`](super::MAX_SIZES).
    pub fn with_sizes(mut self, size: Vec<u8>, between: &[Law], walls: &[Law]) -> Result<Self> {
        self.laws = PairLaws::new(self.position.len(), size, between, walls)?;
        Ok(self)
    }

    /// Sets the resistance to rolling and spinning, and enables the energy ledger.
    ///
    /// In one step the resisting couple removes at most half of the relative angular velocity that it acts against. Without
    /// this limit it could reverse that velocity, because a fixed step does not resolve how the last of it decays.
    ///
    /// # Errors
    /// When a parameter is out of range; the error names it.
    pub fn with_resistance(mut self, resistance: RollingResistance) -> Result<Self> {
        self.resistance = Some(resistance.checked()?);
        self.has_ledger = true;
        Ok(self)
    }

    /// Enables the energy ledger.
    pub fn with_ledger(mut self) -> Self {
        self.has_ledger = true;
        self
    }

    /// Sets the lower bound of the approach speed v₀ that is passed to laws at onset (m/s).
    ///
    /// # Errors
    /// When it is not positive.
    pub fn with_min_onset_speed(mut self, speed: f64) -> Result<Self> {
        let advice = "it is the smallest v0 that laws are given";
        self.min_onset_speed = positive("slowest_impact", speed, advice)?;
        Ok(self)
    }

    /// Uses Mindlin's tangential stiffness, 8·G*·√(R·δ): `tangential` of the parameters is then 8·G*, and R the effective
    /// radius of the pair.
    pub fn with_mindlin(mut self) -> Self {
        self.mindlin = true;
        self
    }

    /// Adds a damper parallel to each tangential spring. `ratio` is its damping ratio relative to critical damping of the
    /// mass that a tangential force at the surface accelerates, 2/7 of the effective mass (see the tangential spring in
    /// `friction.rs`).
    ///
    /// # Errors
    /// When it is negative or not finite.
    pub fn with_tangential_damping(mut self, ratio: f64) -> Result<Self> {
        let advice = "0 is a spring without damping";
        self.tangential_ratio = not_negative("damping_ratio", ratio, advice)?;
        Ok(self)
    }

    /// Makes the bed periodic along x and y, with these periods (m).
    ///
    /// # Errors
    /// When a period is shorter than four diameters of the largest grain.
    pub fn periodic(mut self, x: f64, y: f64) -> Result<Self> {
        let shortest = MIN_PERIOD * self.radius.iter().copied().fold(0.0, f64::max);
        for period in [x, y] {
            if !(period > shortest) {
                let allowed = format!("above {shortest} m, four grains");
                return Err(Error::invalid("period", period, allowed, "take a wider cell"));
            }
        }
        self.images = PeriodicImages::new((x, y));
        Ok(self)
    }

    /// Returns a fiftieth of the contact duration of two grains of the smallest mass at this approach speed (s).
    ///
    /// # Errors
    /// When the library cannot compute an impact of the law at this speed.
    pub fn suggested_step(&self, speed: f64) -> Result<f64> {
        let lightest = self.mass.iter().copied().fold(f64::INFINITY, f64::min);
        let law = Law { mass: 0.5 * lightest, ..self.parameters.grains };
        let impact = carom::collide(&law, speed)?;
        Ok(impact.time_of_indentation_max * 2.0 / 50.0)
    }

    /// Returns the kinetic energy of all grains, including rotation (J).
    pub fn kinetic(&self) -> f64 {
        let of = |i: usize| {
            let (v, w) = (self.velocity[i], self.spin[i]);
            let inertia = 0.4 * self.mass[i] * self.radius[i] * self.radius[i];
            0.5 * self.mass[i] * v.dot(v) + 0.5 * inertia * w.dot(w)
        };
        (0..self.mass.len()).map(of).sum()
    }

    /// Returns the radius of a grain (m); 0 if there is no such grain.
    pub fn radius(&self, grain: usize) -> f64 {
        self.radius.get(grain).copied().unwrap_or(0.0)
    }

    /// Returns the mass of a grain (kg); 0 if there is no such grain.
    pub fn mass(&self, grain: usize) -> f64 {
        self.mass.get(grain).copied().unwrap_or(0.0)
    }

    /// Returns the walls.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// Returns the periods along x and y (m); infinite along a direction that is not periodic.
    pub fn period(&self) -> (f64, f64) {
        self.images.period
    }

    /// Returns the number of pairs in contact, including contacts with walls.
    pub fn contact_count(&self) -> usize {
        self.neighbours.pairs.iter().filter(|pair| pair.touching).count()
    }

    /// Returns the vector from grain a to the nearest image of grain b (m), both given by id.
    pub(super) fn separation(&self, a: usize, b: usize) -> Vec3 {
        self.images.shortest(self.position[b] - self.position[a])
    }

    /// Returns the indentation of a pair (m) and the unit normal from its first to its second member.
    pub(super) fn indentation(&self, pair: &NeighbourPair) -> (f64, Vec3) {
        let (a, b) = pair.ids(&self.order);
        let a = a as usize;
        match b {
            Partner::Wall(wall) => {
                let wall = &self.walls[wall as usize];
                (self.radius[a] - wall.distance(self.position[a]), -wall.normal)
            }
            Partner::Grain(b) => {
                let b = b as usize;
                let separation = self.separation(a, b);
                let length = separation.length();
                let normal = if length > 0.0 { separation * (1.0 / length) } else { Vec3::X };
                (self.radius[a] + self.radius[b] - length, normal)
            }
        }
    }

    /// Copies positions and velocities from the public columns, which may have been changed between runs.
    pub(super) fn load(&mut self) {
        self.order.load(&self.position, &self.velocity, &self.spin);
    }

    /// Copies positions and velocities to the public columns.
    pub(super) fn store(&mut self) {
        self.order.store(&mut self.position, &mut self.velocity, &mut self.spin);
    }

    /// Builds the neighbour list for the present positions and carries the contact history over to it.
    pub(super) fn update_neighbours(&mut self) {
        self.wrap();
        self.lists += 1;
        let records = self.history.records(&self.neighbours, &self.order).collect();
        self.rebuild_neighbours(records);
    }

    /// Builds the neighbour list and assigns the recorded contact history to its pairs.
    pub(super) fn rebuild_neighbours(&mut self, records: Vec<ContactRecord>) {
        let Self { order, walls, images, skin, laws, neighbours, .. } = self;
        neighbours.build(order, walls, images, *skin, laws);
        self.within_chunk.resize(order.ids.len(), Wrench::default());
        self.to_other_chunks.clear();
        self.to_other_chunks.resize(neighbours.cross_chunk_pairs(), Wrench::default());
        let (has_ledger, closed) = (self.has_ledger, &mut self.closed_work);
        self.history = ContactHistory::carried_over(records, neighbours, order, has_ledger, closed);
    }

    /// Moves grains that have left the first cell of a periodic bed back into it.
    fn wrap(&mut self) {
        let order = &mut self.order;
        for (sphere, reference) in order.spheres.iter_mut().zip(&order.references) {
            let back = self.images.periods_beyond(sphere.centre);
            sphere.centre -= back;
            // If gravity has a component along x or y, as on a slope, moving a grain by a period changes its potential
            // energy.
            self.closed_work.lifted += reference.mass * self.gravity.dot(back);
        }
    }
}
