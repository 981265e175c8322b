//! What bodies do under unit forces at places of contact: the inverse of effective masses.

use super::{Dynamics, Masses, of, sides};
use crate::math::Vec3;
use crate::solve::Inertia;
use crate::together::Place;
use crate::world::World;

impl Dynamics {
    /// How fast gaps open under forces that push them open together, Σ pᵢ·Wᵢⱼ·pⱼ over their weights p: for one
    /// and a unit force 1/effective mass (1/kg).
    ///
    /// Uses the joints as they were prepared by the last call of [`Dynamics::slope`].
    pub fn mobility(&mut self, world: &World, places: &[Place]) -> f64 {
        let masses = Masses { world, moving: &self.moving };
        let response = &mut self.response;
        response.fill((Vec3::ZERO, Vec3::ZERO));
        for place in places {
            let push = place.gap.normal * place.weight;
            for (body, force) in [(place.b, push), (place.a, -push)] {
                let arm = place.gap.point - self.moving[body].x;
                let (v, w) = masses.respond(body, force, arm.cross(force));
                response[body].0 += v;
                response[body].1 += w;
            }
        }
        for island in &mut self.islands {
            let rhs = &mut island.multipliers;
            rhs.clear();
            rhs.extend(island.rows.iter().map(|row| -of(row, response)));
            island.factor.solve(rhs);
            for (row, &multiplier) in island.rows.iter().zip(&*rhs) {
                for (body, force, couple) in sides(row, multiplier) {
                    let (v, w) = masses.respond(body, force, couple);
                    response[body].0 += v;
                    response[body].1 += w;
                }
            }
        }
        let opening = |place: &Place| {
            let at = |body: usize| {
                let (v, w) = response[body];
                v + w.cross(place.gap.point - self.moving[body].x)
            };
            place.weight * place.gap.normal.dot(at(place.b) - at(place.a))
        };
        places.iter().map(opening).sum()
    }
}
