//! Forces and accelerations: the right-hand side of the equations of motion.
//!
//! m·v̇ = f, I·ω̇ = τ − ω×Iω in world axes, q̇ = ½(0, ω)q. Weight, elements, actuators and contacts contribute to f and τ;
//! joints add Jᵀλ (`solve.rs`). In planar motion the inverse mass has no components along z and about x and y.

use crate::actuator::Effort;
use crate::contact::ContactEvaluation;
use crate::element::{Anchor, Element};
use crate::input::StepInput;
use crate::joint::{BodyMotion, ConstraintRow, JointFrictionState, JointMemory, RowRole};
use crate::kinematics::{Kinematics, SiteGap};
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::solve::{Factor, Inertia, joint_groups};
use crate::state::{Phase, TouchVariables, Works};
use crate::world::World;

mod mobility;
mod rounding;
pub(crate) use mobility::{BodyResponse, MIN_RESPONSE_RATIO, NormalForce};

/// Inverse masses and inertias of the bodies at one instant.
struct Masses<'a> {
    world: &'a World,
    moving: &'a [BodyMotion],
}

impl Inertia for Masses<'_> {
    #[inline(always)]
    fn respond(&self, body: usize, force: Vec3, couple: Vec3) -> (Vec3, Vec3) {
        let columns = &self.world.columns;
        let by = columns.inverse_mass[body];
        if by == 0.0 {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        if self.world.planar {
            let turn = Vec3::Z * (couple.z / columns.inertia[body][2].z);
            return (Vec3::new(force.x * by, force.y * by, 0.0), turn);
        }
        let turn = match columns.isotropic_inertia[body] {
            Some(moment) => couple * (1.0 / moment),
            None => {
                let q = self.moving[body].q;
                q.rotate(columns.inverse_inertia[body].of(q.inverse().rotate(couple)))
            }
        };
        (force * by, turn)
    }
}

/// Everything at one instant that follows from the state vector: motion of the bodies, forces of the contacts, accelerations.
/// After [`Evaluation::evaluate`] all fields belong to the same instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    pub kinematics: Kinematics,
    force: Vec<Vec3>,
    couple: Vec<Vec3>,
    /// Linear and angular accelerations of all bodies.
    pub acceleration: Vec<(Vec3, Vec3)>,
    /// One entry for each touch; for touches that are released or asleep it is empty.
    contacts: Vec<ContactEvaluation>,
    /// Whether each body sleeps; empty if no body does.
    asleep: Vec<bool>,
    joint_groups: Vec<JointGroup>,
    works: Works,
    // Buffers of `mobility`: accelerations under given forces, and a right-hand side.
    response: Vec<(Vec3, Vec3)>,
    multipliers: Vec<f64>,
}

/// Joints whose multipliers are solved for together.
#[derive(Clone, Debug, Default)]
struct JointGroup {
    joints: Vec<usize>,
    rows: Vec<ConstraintRow>,
    factor: Factor,
    multipliers: Vec<f64>,
}

impl Evaluation {
    pub fn new(world: &World) -> Self {
        let count = world.bodies.len();
        let pairs: Vec<_> = world.joints.iter().map(|j| (j.a.body, j.b.body)).collect();
        let free: Vec<_> = world.columns.free_index.iter().map(Option::is_some).collect();
        let group = |joints: Vec<usize>| JointGroup { joints, ..JointGroup::default() };
        Self {
            kinematics: Kinematics::new(world),
            force: vec![Vec3::ZERO; count],
            couple: vec![Vec3::ZERO; count],
            acceleration: vec![(Vec3::ZERO, Vec3::ZERO); count],
            contacts: Vec::with_capacity(world.sites.len()),
            joint_groups: joint_groups(&pairs, &free).into_iter().map(group).collect(),
            asleep: Vec::with_capacity(count),
            works: Works::default(),
            response: vec![(Vec3::ZERO, Vec3::ZERO); count],
            multipliers: Vec::new(),
        }
    }

    /// Evaluates the equations of motion at time t and state vector y: computes forces and accelerations, and writes dy/dt into
    /// `slope`.
    pub fn evaluate(&mut self, input: &StepInput, t: f64, y: &[f64], slope: &mut [f64]) {
        let (world, layout) = (input.world, input.layout());
        self.kinematics.read(input, t, y);
        let clock = SidedTime { time: t, limit: input.horizon };
        self.works = Works::default();
        self.add_weight(world);
        for element in &world.elements {
            self.add_element(element, clock);
        }
        self.add_efforts(input, clock);
        self.contacts.clear();
        self.find_sleeping_bodies(input);
        for (index, touch) in input.state.touches.iter().enumerate() {
            if touch.phase != Phase::Active {
                layout.set_touch(slope, index, &TouchVariables::default());
                self.contacts.push(ContactEvaluation::default());
                continue;
            }
            let variables = layout.touch(y, index);
            let contact = ContactEvaluation::of(input, &self.kinematics, touch, t, &variables);
            layout.set_touch(slope, index, &self.add_contact(world, &contact));
            self.contacts.push(contact);
        }
        for &index in &world.columns.driven {
            let BodyMotion { v, w, .. } = self.kinematics.bodies[index];
            self.works.driven_bodies -= self.force[index].dot(v) + self.couple[index].dot(w);
        }
        self.accelerate(input, clock);
        let (x, q, v, w) = layout.columns_mut(slope);
        for ((((&body, x), q), v), w) in world.free.iter().zip(x).zip(q).zip(v).zip(w) {
            let moving = &self.kinematics.bodies[body];
            let (linear, angular) = self.acceleration[body];
            *q = moving.q.rate(moving.w).into();
            (*x, *v, *w) = (moving.v.into(), linear.into(), angular.into());
        }
        layout.set_works(slope, &self.works);
    }

    /// Adds forces at points between pairs of bodies (positive on the second body, opposite on the first) to an instant that
    /// has been evaluated, and computes accelerations and joint reactions again.
    pub fn add_given_forces(
        &mut self,
        input: &StepInput,
        t: f64,
        given: impl Iterator<Item = ((usize, usize), Vec3, Vec3)>,
    ) {
        for ((a, b), force, point) in given {
            self.add_force(b, force, point);
            self.add_force(a, -force, point);
        }
        self.accelerate(input, SidedTime { time: t, limit: input.horizon });
    }

    /// Returns the contact of an active touch, as it was evaluated with the forces.
    #[inline]
    pub fn active_contact(&self, index: usize) -> &ContactEvaluation {
        &self.contacts[index]
    }

    /// Returns the contact of any touch at this instant; `y` is the state vector there.
    #[inline]
    pub fn contact(&self, input: &StepInput, index: usize, t: f64, y: &[f64]) -> ContactEvaluation {
        let touch = &input.state.touches[index];
        match touch.phase {
            Phase::Active => *self.active_contact(index),
            Phase::Released | Phase::Asleep => {
                let variables = input.layout().touch(y, index);
                ContactEvaluation::of(input, &self.kinematics, touch, t, &variables)
            }
        }
    }

    /// Finds the bodies that sleep: those at which a touch is asleep (all touches of a sleeping body are).
    fn find_sleeping_bodies(&mut self, input: &StepInput) {
        self.asleep.clear();
        let world = input.world;
        for touch in input.state.touches.iter().filter(|touch| touch.phase == Phase::Asleep) {
            self.asleep.resize(world.bodies.len(), false);
            let (a, b) = world.bodies_at(touch.site);
            for body in [a, b] {
                self.asleep[body] = world.columns.free_index[body].is_some();
            }
        }
    }

    /// Returns whether both bodies of a site are at rest, because they sleep or are fixed.
    #[inline]
    pub fn is_at_rest(&self, world: &World, site: usize) -> bool {
        if self.asleep.is_empty() {
            return false;
        }
        let (a, b) = world.bodies_at(site);
        let stays = |body: usize| match world.columns.free_index[body] {
            Some(_) => self.asleep[body],
            None => world.bodies[body].drive().is_none(),
        };
        stays(a) && stays(b)
    }

    /// Returns bounds of speed and acceleration of all points of a body.
    pub fn motion_bounds(&self, world: &World, body: usize) -> (f64, f64) {
        let (linear, angular) = self.acceleration[body];
        let (moving, reach) = (&self.kinematics.bodies[body], world.columns.bounding_radius[body]);
        let speed = moving.v.length() + moving.w.length() * reach;
        (speed, linear.length() + angular.length() * reach)
    }

    /// Initialises forces with the weight and couples with the gyroscopic couple.
    #[inline(always)]
    fn add_weight(&mut self, world: &World) {
        for (force, couple) in self.force.iter_mut().zip(&mut self.couple) {
            (*force, *couple) = (Vec3::ZERO, Vec3::ZERO);
        }
        for &body in &world.free {
            self.force[body] = world.gravity * world.columns.mass[body];
            if world.columns.isotropic_inertia[body].is_none() && !world.planar {
                let BodyMotion { q, w, .. } = self.kinematics.bodies[body];
                let momentum = q.rotate(world.columns.inertia[body].of(q.inverse().rotate(w)));
                self.couple[body] = momentum.cross(w);
            }
        }
    }

    /// Adds a force at a point of a body.
    #[inline(always)]
    fn add_force(&mut self, body: usize, force: Vec3, point: Vec3) {
        self.force[body] += force;
        self.couple[body] += (point - self.kinematics.bodies[body].x).cross(force);
    }

    /// Adds the forces of a contact, and returns the rates of the variables of its touch.
    #[inline(always)]
    fn add_contact(&mut self, world: &World, contact: &ContactEvaluation) -> TouchVariables {
        let normal = contact.gap.normal * contact.force;
        let force = if contact.has_friction { normal + contact.friction } else { normal };
        for (body, force, sign) in [(contact.b, force, 1.0), (contact.a, -force, -1.0)] {
            // Skip fixed bodies; accumulate the forces on driven bodies to compute their work.
            if world.columns.free_index[body].is_some() || !world.columns.driven.is_empty() {
                self.add_force(body, force, contact.gap.point);
                if contact.has_friction {
                    self.couple[body] += contact.couple * sign;
                }
            }
        }
        let friction_work = match contact.has_friction {
            true => -(contact.friction.dot(contact.velocity) + contact.couple.dot(contact.spin)),
            false => 0.0,
        };
        TouchVariables {
            internal: contact.internal_rate,
            friction: contact.friction_rate,
            normal_work: contact.force * contact.rate,
            friction_work,
        }
    }

    /// Adds the efforts of springs and motors along coordinates, and the friction of joints that slide.
    fn add_efforts(&mut self, input: &StepInput, clock: SidedTime) {
        let (world, state) = (input.world, input.state);
        for actuator in &world.actuators {
            let since = clock.time - state.time;
            let bodies = &self.kinematics.bodies;
            let Some(at) = actuator.on.motion(&world.joints, bodies, &state.joints, since) else {
                continue;
            };
            let effort = actuator.effort.value(&at, clock, &state.held_efforts);
            match actuator.effort {
                Effort::Spring { damping, .. } => self.works.dampers += damping * at.rate * at.rate,
                Effort::Motor { .. } => self.works.forces += effort * at.rate,
            }
            self.add_reactions(&at.row, effort);
        }
        for (joint, memory) in world.joints.iter().zip(&state.joints) {
            if let Some(friction) = joint.friction
                && !matches!(memory.friction, JointFrictionState::Held(_))
            {
                let row = joint.coordinate_row(friction.coordinate, &self.kinematics.bodies);
                let rate = row.rate_of(&self.kinematics.bodies);
                let force = joint.sliding_friction(memory, rate);
                self.works.dampers -= force * rate;
                self.add_reactions(&row, force);
            }
        }
    }

    /// Adds the forces Jᵀ·Q of a generalised force Q.
    fn add_reactions(&mut self, row: &ConstraintRow, effort: f64) {
        for (body, force, couple) in row.reactions(effort) {
            self.force[body] += force;
            self.couple[body] += couple;
        }
    }

    /// Returns the acceleration of the coordinate of a row (rad/s² or m/s²).
    pub fn acceleration_along(&self, row: &ConstraintRow) -> f64 {
        row.times(self.acceleration[row.a], self.acceleration[row.b]) + row.bias
    }

    /// Returns the force or torque with which friction holds a joint; 0 if it does not hold it.
    pub fn holding_force(&self, joint: usize) -> f64 {
        let rows =
            self.joint_groups.iter().flat_map(|group| group.rows.iter().zip(&group.multipliers));
        let mut held = rows.filter(|(row, _)| row.joint == joint && row.role == RowRole::Friction);
        held.next().map_or(0.0, |(_, &multiplier)| multiplier)
    }

    /// Computes force and moment of a joint on its first body, the moment about the point of the joint there; drive and
    /// friction are included.
    pub fn reaction(&self, world: &World, memory: &JointMemory, joint: usize) -> (Vec3, Vec3) {
        let (mut force, mut couple) = (Vec3::ZERO, Vec3::ZERO);
        if let Some(friction) = world.joints[joint].friction
            && !matches!(memory.friction, JointFrictionState::Held(_))
        {
            let row =
                world.joints[joint].coordinate_row(friction.coordinate, &self.kinematics.bodies);
            let rate = row.rate_of(&self.kinematics.bodies);
            let size = world.joints[joint].sliding_friction(memory, rate);
            (force, couple) = (row.linear * size, row.turn_a * size);
        }
        for group in &self.joint_groups {
            for (row, &multiplier) in group.rows.iter().zip(&group.multipliers) {
                if row.joint == joint {
                    force += row.linear * multiplier;
                    couple += row.turn_a * multiplier;
                }
            }
        }
        let mount = &world.joints[joint].a;
        let arm = self.kinematics.bodies[mount.body].q.rotate(mount.point);
        (force, couple - arm.cross(force))
    }

    /// Converts a vector to world axes if it follows a body, in whose axes it is then given.
    fn to_world_axes(&self, vector: Vec3, body: usize, follows: bool) -> Vec3 {
        if follows { self.kinematics.bodies[body].q.rotate(vector) } else { vector }
    }

    fn add_element(&mut self, element: &Element, clock: SidedTime) {
        let point_and_velocity = |evaluation: &Self, anchor: &Anchor| {
            let body = &evaluation.kinematics.bodies[anchor.body];
            let point = body.x + body.q.rotate(anchor.point);
            (point, body.velocity_at(point))
        };
        match element {
            Element::Spring { a, b, stiffness, damping, length } => {
                let ((p, vp), (q, vq)) = (point_and_velocity(self, a), point_and_velocity(self, b));
                let apart = q - p;
                let Some(along) = apart.unit() else { return };
                let rate = along.dot(vq - vp);
                let pull = stiffness * (apart.length() - length) + damping * rate;
                self.add_force(a.body, along * pull, p);
                self.add_force(b.body, along * -pull, q);
                self.works.dampers += damping * rate * rate;
            }
            Element::Force { at, direction, magnitude, follows } => {
                let (point, velocity) = point_and_velocity(self, at);
                let force = self.to_world_axes(*direction, at.body, *follows)
                    * magnitude.evaluate(clock).value;
                self.add_force(at.body, force, point);
                self.works.forces += force.dot(velocity);
            }
            Element::Couple { body, axis, magnitude, follows } => {
                let couple =
                    self.to_world_axes(*axis, *body, *follows) * magnitude.evaluate(clock).value;
                self.couple[*body] += couple;
                self.works.forces += couple.dot(self.kinematics.bodies[*body].w);
            }
            Element::Drag { body, linear, quadratic } => {
                let v = self.kinematics.bodies[*body].v;
                let force = v * -(linear + quadratic * v.length());
                self.force[*body] += force;
                self.works.dampers -= force.dot(v);
            }
        }
    }

    /// Computes accelerations from forces, including the reactions of joints.
    fn accelerate(&mut self, input: &StepInput, clock: SidedTime) {
        let world = input.world;
        if !world.columns.driven.is_empty() {
            for (body, at) in world.driven(clock) {
                self.acceleration[body] = (at.acceleration, at.angular_acceleration);
            }
        }
        let masses = Masses { world, moving: &self.kinematics.bodies };
        for &body in &world.free {
            self.acceleration[body] = match self.asleep.get(body) {
                Some(true) => (Vec3::ZERO, Vec3::ZERO),
                _ => masses.respond(body, self.force[body], self.couple[body]),
            };
        }
        for group in &mut self.joint_groups {
            group.prepare(input, &masses, clock);
            group.multipliers.clear();
            for row in &group.rows {
                let sum = row.times(self.acceleration[row.a], self.acceleration[row.b]);
                group.multipliers.push(-(row.bias + sum));
            }
            group.factor.solve(&mut group.multipliers);
            for (row, &multiplier) in group.rows.iter().zip(&group.multipliers) {
                for (body, force, couple) in row.reactions(multiplier) {
                    let (v, w) = masses.respond(body, force, couple);
                    self.acceleration[body].0 += v;
                    self.acceleration[body].1 += w;
                    if world.columns.inverse_mass[body] > 0.0 {
                        let moving = &self.kinematics.bodies[body];
                        self.works.constraints += force.dot(moving.v) + couple.dot(moving.w);
                    }
                }
            }
        }
    }

    /// Computes the acceleration of approach at a gap (m/s²), without centripetal terms.
    pub fn approach_acceleration(&self, SiteGap { gap, a, b }: &SiteGap) -> f64 {
        let at = |body: usize| {
            let (v, w) = self.acceleration[body];
            v + w.cross(gap.point - self.kinematics.bodies[body].x)
        };
        -gap.normal.dot(at(*b) - at(*a))
    }

    /// Returns bounds of the speed of all points of free and driven bodies, and of the acceleration of all points of free
    /// bodies.
    pub fn largest_motion(&self, world: &World) -> (f64, f64) {
        let (mut speed, mut acceleration) = (0.0f64, 0.0f64);
        for &body in world.free.iter().chain(&world.columns.driven) {
            let motion = self.motion_bounds(world, body);
            speed = speed.max(motion.0);
            if world.columns.free_index[body].is_some() {
                acceleration = acceleration.max(motion.1);
            }
        }
        (speed, acceleration)
    }

    /// Projects positions and velocities of a state vector onto the constraints, with the smallest change in the metric of the
    /// masses. Returns the largest remaining error of position. The fields of this evaluation are used as buffers.
    pub fn project(&mut self, input: &StepInput, t: f64, y: &mut [f64]) -> f64 {
        if self.joint_groups.is_empty() {
            return 0.0;
        }
        let (world, layout) = (input.world, input.layout());
        let (mut left, mut moved) = (0.0, true);
        for _ in 0..8 {
            self.prepare_joint_groups(input, t, y);
            left = self.solve_corrections(world, |row, _| row.error);
            moved = !(left < 1e-15);
            if !moved {
                break;
            }
            for (slot, &body) in world.free.iter().enumerate() {
                let (v, w) = self.acceleration[body];
                let moving = &self.kinematics.bodies[body];
                layout.set_placement(y, slot, moving.x + v, moving.q.rotated_by(w));
            }
            if left < 1e-12 {
                break;
            }
        }
        if moved {
            self.prepare_joint_groups(input, t, y);
        }
        self.solve_corrections(world, |row, moving| row.rate_of(moving) - row.rate);
        for (slot, &body) in world.free.iter().enumerate() {
            let (v, w) = self.acceleration[body];
            let moving = &self.kinematics.bodies[body];
            layout.set_velocities(y, slot, moving.v + v, moving.w + w);
        }
        left
    }

    /// Reads the bodies from a state vector and factorises the matrices S = J·M⁻¹·Jᵀ of the joints.
    fn prepare_joint_groups(&mut self, input: &StepInput, t: f64, y: &[f64]) {
        self.kinematics.read(input, t, y);
        let masses = Masses { world: input.world, moving: &self.kinematics.bodies };
        for group in &mut self.joint_groups {
            group.prepare(input, &masses, SidedTime::at(t));
        }
    }

    /// Solves S·λ = −error and writes M⁻¹Jᵀλ into the accelerations; returns the largest error.
    fn solve_corrections(
        &mut self,
        world: &World,
        error: impl Fn(&ConstraintRow, &[BodyMotion]) -> f64,
    ) -> f64 {
        for &body in &world.free {
            self.acceleration[body] = (Vec3::ZERO, Vec3::ZERO);
        }
        let masses = Masses { world, moving: &self.kinematics.bodies };
        let mut largest: f64 = 0.0;
        for group in &mut self.joint_groups {
            let rhs = &mut group.multipliers;
            rhs.clear();
            rhs.extend(group.rows.iter().map(|row| -error(row, &self.kinematics.bodies)));
            largest = rhs.iter().fold(largest, |most, error| most.max(error.abs()));
            group.factor.solve(rhs);
            add_responses(&group.rows, rhs, &masses, &mut self.acceleration);
        }
        largest
    }

    /// Returns the rows of all joints at this instant.
    pub fn constraint_rows(&self) -> impl Iterator<Item = ConstraintRow> + '_ {
        self.joint_groups.iter().flat_map(|group| group.rows.iter().copied())
    }

    /// Returns the number of constraint rows that are linearly dependent on others.
    pub fn redundant_constraints(&self) -> usize {
        self.joint_groups.iter().map(|group| group.factor.redundant_rows()).sum()
    }
}

impl JointGroup {
    fn prepare(&mut self, input: &StepInput, masses: &Masses, clock: SidedTime) {
        let world = input.world;
        self.rows.clear();
        for &index in &self.joints {
            let (joint, first) = (&world.joints[index], self.rows.len());
            joint.append_rows(clock, masses.moving, world.planar, &mut self.rows);
            let held = joint.holding_row(&input.state.joints[index], masses.moving);
            self.rows.extend(held.filter(|row| !world.planar || row.acts_in_plane()));
            for row in &mut self.rows[first..] {
                row.joint = index;
            }
        }
        self.factor.prepare(&self.rows, masses);
    }
}

/// Adds M⁻¹Jᵀλ to linear and angular velocities or accelerations of the bodies.
fn add_responses(
    rows: &[ConstraintRow],
    multipliers: &[f64],
    masses: &Masses,
    motion: &mut [(Vec3, Vec3)],
) {
    for (row, &multiplier) in rows.iter().zip(multipliers) {
        for (body, force, couple) in row.reactions(multiplier) {
            let (v, w) = masses.respond(body, force, couple);
            motion[body].0 += v;
            motion[body].1 += w;
        }
    }
}
