//! Accelerations of gaps under forces at contact points, which are the inverses of effective masses.

use super::{Evaluation, Masses, add_responses};
use crate::gap::{Frame, gap};
use crate::joint::{BodyMotion, ConstraintRow, RowRole};
use crate::kinematics::{SiteGap, smaller_body_size};
use crate::math::Vec3;
use crate::shape::Placed;
use crate::solve::Inertia;
use crate::world::World;

/// A coordinate counts as held or driven if its response to a force is less than this fraction of the response without joints.
pub(crate) const MIN_RESPONSE_RATIO: f64 = 1e-9;

/// A force along the normal of a gap, acting on both bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalForce {
    pub at: SiteGap,
    pub force: f64,
}

/// Response of a body to an impulse: change of velocity (m/s) and of angular velocity (rad/s).
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyResponse {
    pub body: usize,
    pub velocity: Vec3,
    pub spin: Vec3,
}

impl Evaluation {
    /// Computes the response of all bodies to an impulse at a contact point (positive on its second body, opposite on its
    /// first), with the joints as last evaluated. Returns the work done by drives during the impulse (J).
    pub fn impulse_response(
        &mut self,
        world: &World,
        at: &SiteGap,
        impulse: Vec3,
        found: &mut Vec<BodyResponse>,
    ) -> f64 {
        let pushes = [(at.b, impulse), (at.a, -impulse)].map(|(body, push)| {
            (body, push, (at.gap.point - self.kinematics.bodies[body].x).cross(push))
        });
        self.response_to(world, pushes, found)
    }

    /// Computes the response of all bodies to impulses and angular impulses on two of them, with the joints as last evaluated.
    /// Returns the work that drives of joints, and driven bodies through joints, do during the impulse (J).
    pub fn response_to(
        &mut self,
        world: &World,
        pushes: [(usize, Vec3, Vec3); 2],
        found: &mut Vec<BodyResponse>,
    ) -> f64 {
        let masses = Masses { world, moving: &self.kinematics.bodies };
        found.clear();
        for (body, push, turn) in pushes {
            let (velocity, spin) = masses.respond(body, push, turn);
            add(world, found, BodyResponse { body, velocity, spin });
        }
        let of = |found: &[BodyResponse], body: usize| {
            let one = found.iter().find(|one| one.body == body);
            one.map_or((Vec3::ZERO, Vec3::ZERO), |one| (one.velocity, one.spin))
        };
        let mut work = 0.0;
        for group in &mut self.joint_groups {
            let moves = |body: usize| found.iter().any(|one| one.body == body);
            if !group.rows.iter().any(|row| moves(row.a) || moves(row.b)) {
                continue;
            }
            let rhs = &mut self.multipliers;
            rhs.clear();
            rhs.extend(group.rows.iter().map(|row| -row.times(of(found, row.a), of(found, row.b))));
            group.factor.solve(rhs);
            for (row, &multiplier) in group.rows.iter().zip(rhs.iter()) {
                work += multiplier * row.rate;
                for (body, force, couple) in row.reactions(multiplier) {
                    if world.columns.inverse_mass[body] == 0.0 {
                        // The joint prescribes the relative rate of both bodies. The part of the work that is done on a driven
                        // body is not done on the other one.
                        let moving = &masses.moving[body];
                        work -= force.dot(moving.v) + couple.dot(moving.w);
                    }
                    let (velocity, spin) = masses.respond(body, force, couple);
                    add(world, found, BodyResponse { body, velocity, spin });
                }
            }
        }
        work
    }

    /// Returns the scalar product of an impulse and angular impulse with the changes of velocity that they cause on a body
    /// without its joints (J).
    pub fn alone(&self, world: &World, (body, push, turn): (usize, Vec3, Vec3)) -> f64 {
        let masses = Masses { world, moving: &self.kinematics.bodies };
        let (velocity, spin) = masses.respond(body, push, turn);
        push.dot(velocity) + turn.dot(spin)
    }

    /// Computes Σ pᵢ·Wᵢⱼ·pⱼ with W = J·M⁻¹·Jᵀ, the opening accelerations of gaps under normal forces p that act together,
    /// weighted by these forces. For a single unit force this is 1/effective mass (1/kg).
    pub fn mobility(
        &mut self,
        world: &World,
        forces: impl Iterator<Item = NormalForce> + Clone,
    ) -> f64 {
        self.response.fill((Vec3::ZERO, Vec3::ZERO));
        for force in forces.clone() {
            self.push_normal(world, force);
        }
        let mut response = std::mem::take(&mut self.response);
        self.satisfy_joints(world, &mut response);
        self.response = response;
        let opening = |NormalForce { at, force }: NormalForce| {
            let acceleration = |body: usize| {
                let (v, w) = self.response[body];
                v + w.cross(at.gap.point - self.kinematics.bodies[body].x)
            };
            force * at.gap.normal.dot(acceleration(at.b) - acceleration(at.a))
        };
        forces.map(opening).sum()
    }

    /// Returns whether the coordinate of a row is free to respond to an effort along it, or is determined by the joints and
    /// drives as last evaluated.
    pub fn responds(&mut self, world: &World, row: &ConstraintRow) -> bool {
        self.response.fill((Vec3::ZERO, Vec3::ZERO));
        let pushes = row.reactions(1.0);
        for push in pushes {
            self.push(world, push);
        }
        let mut response = std::mem::take(&mut self.response);
        self.satisfy_joints(world, &mut response);
        let along = row.times(response[row.a], response[row.b]);
        self.response = response;
        let alone: f64 = pushes.map(|push| self.alone(world, push)).iter().sum();
        along > MIN_RESPONSE_RATIO * alone
    }

    /// Returns the change of the force with which friction holds a joint, under a normal force at a gap; 0 if it does not hold it.
    pub fn holding_force_under(&mut self, world: &World, normal: NormalForce, joint: usize) -> f64 {
        self.response.fill((Vec3::ZERO, Vec3::ZERO));
        self.push_normal(world, normal);
        let response = &self.response;
        for group in &mut self.joint_groups {
            let holds = |row: &ConstraintRow| row.joint == joint && row.role == RowRole::Friction;
            let Some(row) = group.rows.iter().position(holds) else { continue };
            let rhs = &mut self.multipliers;
            rhs.clear();
            rhs.extend(group.rows.iter().map(|row| -row.times(response[row.a], response[row.b])));
            group.factor.solve(rhs);
            return rhs[row];
        }
        0.0
    }

    /// Adds the responses of two bodies without their joints to a normal force at a gap.
    fn push_normal(&mut self, world: &World, NormalForce { at, force }: NormalForce) {
        let push = at.gap.normal * force;
        for (body, force) in [(at.b, push), (at.a, -push)] {
            let arm = at.gap.point - self.kinematics.bodies[body].x;
            self.push(world, (body, force, arm.cross(force)));
        }
    }

    /// Adds the response of a body without its joints to a force and a couple.
    fn push(&mut self, world: &World, (body, force, couple): (usize, Vec3, Vec3)) {
        let masses = Masses { world, moving: &self.kinematics.bodies };
        let (v, w) = masses.respond(body, force, couple);
        self.response[body].0 += v;
        self.response[body].1 += w;
    }

    /// Changes velocities, accelerations or small displacements of all bodies to the nearest that the joints allow, as last
    /// evaluated, in the metric of the masses.
    pub fn satisfy_joints(&mut self, world: &World, motion: &mut [(Vec3, Vec3)]) {
        let masses = Masses { world, moving: &self.kinematics.bodies };
        for group in &mut self.joint_groups {
            let rhs = &mut self.multipliers;
            rhs.clear();
            rhs.extend(group.rows.iter().map(|row| -row.times(motion[row.a], motion[row.b])));
            group.factor.solve(rhs);
            add_responses(&group.rows, rhs, &masses, motion);
        }
    }

    /// Computes the second derivative of the indentation at a site (m/s²), for points no faster than `speed`.
    ///
    /// The position of a contact point on its bodies depends on their rotation, so its acceleration is not that of a material
    /// point. The rate is therefore evaluated shortly before and after this instant, with the present accelerations.
    pub fn indentation_acceleration(&self, world: &World, site: usize, speed: f64) -> f64 {
        let site = world.sites[site];
        let contact = &world.contacts[site.contact];
        let (a, b) = (&world.shapes[contact.a], &world.shapes[contact.b]);
        let size = smaller_body_size(world, a.body, b.body);
        let soon = 1e-5 * size / speed.max(1e-3 * size);
        let rate = |t: f64| {
            let moved = |body: usize| {
                let (BodyMotion { x, q, v, w }, (dv, dw)) =
                    (self.kinematics.bodies[body], self.acceleration[body]);
                BodyMotion { x: x + v * t, q: q.rotated_by(w * t), v: v + dv * t, w: w + dw * t }
            };
            let (one, two) = (moved(a.body), moved(b.body));
            let frame = |placed: &Placed, body: &BodyMotion| Frame {
                origin: body.x + body.q.rotate(placed.position),
                rotation: body.q * placed.rotation,
            };
            let found = gap(&a.shape, &frame(a, &one), &b.shape, &frame(b, &two), site.number);
            -found.opening_rate(&one, &two)
        };
        (rate(soon) - rate(-soon)) / (2.0 * soon)
    }
}

/// Adds a response to that of the same body; bodies that are not free do not respond.
fn add(world: &World, found: &mut Vec<BodyResponse>, one: BodyResponse) {
    if world.columns.free_index[one.body].is_none() {
        return;
    }
    match found.iter_mut().find(|known| known.body == one.body) {
        Some(known) => {
            known.velocity += one.velocity;
            known.spin += one.spin;
        }
        None => found.push(one),
    }
}
