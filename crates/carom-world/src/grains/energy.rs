//! Energy ledger of a bed: kinetic, potential and stored energy, and the energy that contacts have dissipated.
//!
//! The work of each contact is summed consistently with the leapfrog (`contact_work`). The work of a force F over one step
//! is F·(v₋ + v₊)/2·h with the velocities half a step before and after, which is exactly the change of kinetic energy by the
//! kicks. The ledger therefore closes to rounding for any step. It shows that no energy has been left out, but nothing about
//! the error of the step, which is measured separately (`step_error`).

use super::bed::Bed;
use super::contact_work::ContactWork;
use super::neighbour_list::{NeighbourPair, Partner};
use crate::math::Vec3;
use serde::Serialize;

/// Energies of a bed (J), and quantities of its packing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BedEnergies {
    /// Kinetic energy of all grains, including rotation (J).
    pub kinetic: f64,
    /// Potential energy in the field of gravity (J).
    pub potential: f64,
    /// Energy stored in contacts, in the normal direction and in their tangential springs (J).
    pub stored: f64,
    /// Energy lost by the contact law in the normal direction, including the error of the fixed step (J).
    pub lost_in_contacts: f64,
    /// Energy lost to friction (J).
    pub lost_to_friction: f64,
    /// Energy lost to rolling resistance (J).
    pub lost_to_rolling: f64,
    /// Error of the ledger (J). Works are summed consistently with the steps, so it is rounding unless something is wrong,
    /// and it does not show the error of the step. NaN without a ledger.
    pub error: f64,
    /// Largest approach speed at an onset so far (m/s); 0 without a ledger.
    pub fastest: f64,
    /// Number of pairs of grains in contact.
    pub pairs: u64,
    /// Number of contacts of grains with walls.
    pub wall_contacts: u64,
    /// Coordination: mean number of grains that a grain is in contact with.
    pub coordination: f64,
    /// Largest indentation relative to the smaller radius.
    pub overlap_max: f64,
    /// Mean height of the centres, measured against gravity (m).
    pub height: f64,
}

impl Bed {
    /// Returns the energies and the quantities of the packing at present.
    pub fn energies(&self) -> BedEnergies {
        let count = self.position.len();
        let mut e = BedEnergies { kinetic: self.kinetic(), ..BedEnergies::default() };
        let up = self.gravity.unit().map_or(Vec3::Z, |down| -down);
        for (position, mass) in self.position.iter().zip(&self.mass) {
            e.potential -= mass * self.gravity.dot(*position);
            e.height += up.dot(*position) / count as f64;
        }
        e.potential -= self.closed_work.lifted;
        let (mut stored, mut sprung) = (0.0, 0.0);
        for (k, pair) in self.neighbours.pairs.iter().enumerate() {
            if !pair.touching {
                continue;
            }
            let (delta, _) = self.indentation(pair);
            let (a, b) = pair.ids(&self.order);
            let a_radius = self.radius(a as usize);
            let (law, smaller, effective) = match b {
                Partner::Grain(b) => {
                    e.pairs += 1;
                    let b_radius = self.radius(b as usize);
                    let effective = a_radius * b_radius / (a_radius + b_radius);
                    (self.laws.index_between(a, b), a_radius.min(b_radius), effective)
                }
                Partner::Wall(_) => {
                    e.wall_contacts += 1;
                    (self.laws.index_at_wall(a), a_radius, a_radius)
                }
            };
            stored += self.laws.law(law).0.stored(delta, &self.history.memory(k));
            let root = if self.mindlin { (effective * delta.max(0.0)).sqrt() } else { 1.0 };
            let (spring, stiffness) = (self.history.spring(k), self.parameters.tangential * root);
            if stiffness > 0.0 {
                sprung += 0.5 * spring.dot(spring) / stiffness;
            }
            e.overlap_max = e.overlap_max.max(delta / smaller);
        }
        e.coordination = if count > 0 { 2.0 * e.pairs as f64 / count as f64 } else { 0.0 };
        let mut works = self.closed_work;
        self.history.works().iter().for_each(|work| works.add(work));
        let kinetic = e.kinetic - self.half_kick_energy();
        e.stored = stored + sprung;
        e.lost_in_contacts = works.normal - stored;
        e.lost_to_friction = works.friction - sprung;
        e.fastest = works.fastest;
        e.lost_to_rolling = works.rolling;
        let all = kinetic + e.potential + works.normal + works.friction + works.rolling;
        e.error = all - works.initial;
        e
    }

    /// Starts the ledger with the present energy as initial value: energy that is stored at the start was not absorbed as
    /// work.
    pub(super) fn start_ledger(&mut self) {
        if !self.has_ledger || !self.closed_work.initial.is_nan() {
            return;
        }
        // The forces at the start have not done work yet.
        self.history.reset_works();
        let e = self.energies();
        self.closed_work.normal -= e.lost_in_contacts;
        self.closed_work.friction -= e.lost_to_friction;
        let kinetic = e.kinetic - self.half_kick_energy();
        self.closed_work.initial = kinetic + e.potential + e.stored;
    }

    /// Returns the difference between the kinetic energy at the end of a step and that which follows from works with the
    /// velocities of the half steps (J): h²/8·(m·a² + I·α²) for every grain. The difference arises because a step ends with
    /// half a kick.
    fn half_kick_energy(&self) -> f64 {
        let order = &self.order;
        let grains = order.accelerations.iter().zip(&order.references).zip(&order.spheres);
        let of = grains.map(|((acceleration, reference), sphere)| {
            let (a, turn) = (acceleration.linear, acceleration.angular * sphere.radius);
            reference.mass * (a.dot(a) + 0.4 * turn.dot(turn))
        });
        0.125 * self.closed_work.step * self.closed_work.step * of.sum::<f64>()
    }

    /// Returns all contacts, sorted by ids, those with grains before those with walls; none without a ledger.
    pub(crate) fn contacts(&self) -> Vec<BedContact> {
        let pairs = self.neighbours.pairs.iter().zip(self.history.works());
        let contact = |(pair, work): (&NeighbourPair, &ContactWork)| {
            let (delta, normal) = self.indentation(pair);
            let (load, force) = (work.load, normal * -work.load + work.tangential);
            match pair.ids(&self.order) {
                (a, Partner::Grain(b)) if b < a => {
                    BedContact { a: b, b: Partner::Grain(a), delta, load, force: -force }
                }
                (a, b) => BedContact { a, b, delta, load, force },
            }
        };
        let touching = pairs.filter(|(pair, _)| pair.touching);
        let mut contacts: Vec<_> = touching.map(contact).collect();
        contacts.sort_unstable_by_key(|contact| match contact.b {
            Partner::Grain(b) => (false, contact.a, b),
            Partner::Wall(wall) => (true, contact.a, wall),
        });
        contacts
    }
}

/// A contact as written to tables, with grains given by id.
pub struct BedContact {
    /// First grain.
    pub a: u32,
    /// Second grain, or the wall.
    pub b: Partner,
    /// Indentation (m).
    pub delta: f64,
    /// Normal force (N).
    pub load: f64,
    /// Force on the first grain (N).
    pub force: Vec3,
}
