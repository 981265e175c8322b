//! What bodies do under unit forces at places of contact: the inverse of effective masses.

use super::{Dynamics, Masses, of, sides};
use crate::gap::{Frame, gap};
use crate::joint::BodyMotion;
use crate::math::Vec3;
use crate::shape::Placed;
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

    /// How fast the rate of approach at a site changes, with all that turns, for points no faster than `speed`.
    ///
    /// Where a place lies on its bodies depends on how these turn, so its acceleration is not that of a
    /// material point: the rate is computed a little before and after, with the accelerations of the last slope.
    pub fn closing(&self, world: &World, site: usize, speed: f64) -> f64 {
        let site = world.sites[site];
        let contact = &world.contacts[site.contact];
        let (a, b) = (&world.shapes[contact.a], &world.shapes[contact.b]);
        let reach = [a.body, b.body].map(|body| world.columns.reach[body]);
        let size = reach.into_iter().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
        let size = if size.is_finite() { size } else { 1.0 };
        let soon = 1e-5 * size / speed.max(1e-3 * size);
        let rate = |t: f64| {
            let moved = |body: usize| {
                let (BodyMotion { x, q, v, w }, (dv, dw)) =
                    (self.moving[body], self.acceleration[body]);
                BodyMotion { x: x + v * t, q: q.spun(w * t), v: v + dv * t, w: w + dw * t }
            };
            let (one, two) = (moved(a.body), moved(b.body));
            let frame = |placed: &Placed, body: &BodyMotion| Frame {
                origin: body.x + body.q.turn(placed.position),
                rotation: body.q * placed.rotation,
            };
            let found = gap(&a.shape, &frame(a, &one), &b.shape, &frame(b, &two), site.place);
            -found.opening_rate(&one, &two)
        };
        (rate(soon) - rate(-soon)) / (2.0 * soon)
    }
}
