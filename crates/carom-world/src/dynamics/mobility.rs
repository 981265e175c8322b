//! Accelerations of gaps under forces at contact points: the inverse of effective masses.

use super::{Evaluation, Masses, add_responses};
use crate::gap::{Frame, gap};
use crate::joint::BodyMotion;
use crate::kinematics::{SiteGap, smaller_body};
use crate::math::Vec3;
use crate::shape::Placed;
use crate::solve::Inertia;
use crate::world::World;

/// A force along the normal of a gap, on both bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalForce {
    pub at: SiteGap,
    pub force: f64,
}

impl Evaluation {
    /// Opening acceleration of gaps under normal forces p that act together, Σ pᵢ·Wᵢⱼ·pⱼ with W = J·M⁻¹·Jᵀ. For a single
    /// unit force that is 1/effective mass (1/kg).
    pub fn mobility(
        &mut self,
        world: &World,
        forces: impl Iterator<Item = NormalForce> + Clone,
    ) -> f64 {
        let masses = Masses { world, moving: &self.kinematics.bodies };
        let response = &mut self.response;
        response.fill((Vec3::ZERO, Vec3::ZERO));
        for NormalForce { at, force } in forces.clone() {
            let push = at.gap.normal * force;
            for (body, force) in [(at.b, push), (at.a, -push)] {
                let arm = at.gap.point - self.kinematics.bodies[body].x;
                let (v, w) = masses.respond(body, force, arm.cross(force));
                response[body].0 += v;
                response[body].1 += w;
            }
        }
        for island in &mut self.islands {
            let rhs = &mut self.multipliers;
            rhs.clear();
            rhs.extend(island.rows.iter().map(|row| -row.times(response[row.a], response[row.b])));
            island.factor.solve(rhs);
            add_responses(&island.rows, rhs, &masses, response);
        }
        let opening = |NormalForce { at, force }: NormalForce| {
            let acceleration = |body: usize| {
                let (v, w) = response[body];
                v + w.cross(at.gap.point - self.kinematics.bodies[body].x)
            };
            force * at.gap.normal.dot(acceleration(at.b) - acceleration(at.a))
        };
        forces.map(opening).sum()
    }

    /// Second derivative of the indentation at a site (m/s²), for points no faster than `speed`.
    ///
    /// Where a contact point lies on its bodies depends on how these turn, so its acceleration is not that of a
    /// material point: the rate is computed a little before and after this instant, with its accelerations.
    pub fn indentation_acceleration(&self, world: &World, site: usize, speed: f64) -> f64 {
        let site = world.sites[site];
        let contact = &world.contacts[site.contact];
        let (a, b) = (&world.shapes[contact.a], &world.shapes[contact.b]);
        let size = smaller_body(world, a.body, b.body);
        let soon = 1e-5 * size / speed.max(1e-3 * size);
        let rate = |t: f64| {
            let moved = |body: usize| {
                let (BodyMotion { x, q, v, w }, (dv, dw)) =
                    (self.kinematics.bodies[body], self.acceleration[body]);
                BodyMotion { x: x + v * t, q: q.spun(w * t), v: v + dv * t, w: w + dw * t }
            };
            let (one, two) = (moved(a.body), moved(b.body));
            let frame = |placed: &Placed, body: &BodyMotion| Frame {
                origin: body.x + body.q.turn(placed.position),
                rotation: body.q * placed.rotation,
            };
            let found = gap(&a.shape, &frame(a, &one), &b.shape, &frame(b, &two), site.number);
            -found.opening_rate(&one, &two)
        };
        (rate(soon) - rate(-soon)) / (2.0 * soon)
    }
}
