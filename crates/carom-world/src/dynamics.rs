//! Forces and accelerations: the right-hand side of the motion.
//!
//! m·v̇ = f, I·ω̇ = τ − ω×Iω in world axes, q̇ = ½(0, ω)q; weight, elements and contacts make f and τ, joints
//! add Jᵀλ (`solve.rs`). Planar motion is had by an inverse mass that does not answer along z or about x, y.

use crate::contact::Pushed;
use crate::element::{Anchor, Element};
use crate::gap::{Frame, Gap, gap, gap_from};
use crate::joint::{BodyMotion, ConstraintRow};
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::shape::Placed;
use crate::solve::{Factor, Inertia, islands};
use crate::state::{Layout, Phase, TOUCH, Touch, WORKS};
use crate::together::Place;
use crate::world::World;

mod mobility;
mod rounding;

/// The inverse masses at one instant.
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
        let turn = match columns.round[body] {
            Some(moment) => couple * (1.0 / moment),
            None => {
                let q = self.moving[body].q;
                q.turn(columns.inverse_inertia[body].of(q.inverse().turn(couple)))
            }
        };
        (force * by, turn)
    }
}

/// Room for one evaluation, and its results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dynamics {
    pub moving: Vec<BodyMotion>,
    force: Vec<Vec3>,
    couple: Vec<Vec3>,
    /// Linear and angular accelerations of all bodies.
    pub acceleration: Vec<(Vec3, Vec3)>,
    /// What the touches did at the last slope; of those that are idle nothing is known.
    pub pushed: Vec<Pushed>,
    /// What bodies would do under a unit force, for effective masses.
    response: Vec<(Vec3, Vec3)>,
    /// Places that close together; room for them.
    pub together: Vec<Place>,
    islands: Vec<Island>,
    works: [f64; WORKS],
    /// Normals from which those of the sites are sought, zero where none is known; empty where none is sought.
    pub starts: Vec<Vec3>,
    /// Shapes that sit in the middle of their body, as most do.
    centred: Vec<bool>,
    /// Motions are seen as they are before this time: a step that ends where one bends is not to see what follows.
    pub limit: f64,
}

/// Joints that are solved together.
#[derive(Clone, Debug, Default)]
struct Island {
    joints: Vec<usize>,
    rows: Vec<ConstraintRow>,
    factor: Factor,
    multipliers: Vec<f64>,
}

impl Dynamics {
    pub fn new(world: &World) -> Self {
        let count = world.bodies.len();
        let pairs: Vec<_> = world.joints.iter().map(|j| (j.a.body, j.b.body)).collect();
        let free: Vec<_> = world.columns.slot.iter().map(Option::is_some).collect();
        let island = |joints: Vec<usize>| Island { joints, ..Island::default() };
        let moving = world.bodies.iter().map(|body| BodyMotion {
            x: body.position,
            q: body.rotation,
            ..BodyMotion::default()
        });
        Self {
            moving: moving.collect(),
            force: vec![Vec3::ZERO; count],
            couple: vec![Vec3::ZERO; count],
            acceleration: vec![(Vec3::ZERO, Vec3::ZERO); count],
            pushed: Vec::with_capacity(world.sites.len()),
            response: vec![(Vec3::ZERO, Vec3::ZERO); count],
            together: Vec::with_capacity(world.sites.len().min(64)),
            islands: islands(&pairs, &free).into_iter().map(island).collect(),
            works: [0.0; WORKS],
            starts: Vec::new(),
            centred: world.shapes.iter().map(Placed::is_centred).collect(),
            limit: f64::INFINITY,
        }
    }

    /// Where a shape is.
    #[inline(always)]
    pub fn frame(&self, world: &World, shape: usize) -> Frame {
        let placed = &world.shapes[shape];
        let body = &self.moving[placed.body];
        if self.centred[shape] {
            return Frame { origin: body.x, rotation: body.q };
        }
        Frame { origin: body.x + body.q.turn(placed.position), rotation: body.q * placed.rotation }
    }

    /// The gap at a site, with the numbers of both bodies.
    #[inline]
    pub fn gap(&self, world: &World, site: usize) -> (Gap, usize, usize) {
        let start = match self.starts.is_empty() {
            true => None,
            false => self.starts.get(site).filter(|&&start| start != Vec3::ZERO),
        };
        let site = world.sites[site];
        let contact = &world.contacts[site.contact];
        let (a, b) = (&world.shapes[contact.a], &world.shapes[contact.b]);
        let (frame_a, frame_b) = (self.frame(world, contact.a), self.frame(world, contact.b));
        let found = match start {
            None => gap(&a.shape, &frame_a, &b.shape, &frame_b, site.place),
            Some(&start) => gap_from(start, &a.shape, &frame_a, &b.shape, &frame_b, site.place),
        };
        (found, a.body, b.body)
    }

    /// The slope of the state.
    pub fn slope(
        &mut self,
        world: &World,
        layout: Layout,
        touches: &[Touch],
        t: f64,
        y: &[f64],
        out: &mut [f64],
    ) {
        self.read(world, layout, t, y);
        let clock = SidedTime { time: t, limit: self.limit };
        self.works = [0.0; WORKS];
        self.load(world);
        for element in &world.elements {
            self.element(element, clock);
        }
        self.pushed.clear();
        for (index, touch) in touches.iter().enumerate() {
            let at = layout.touch(index);
            let slots = &mut out[at..at + TOUCH];
            if touch.phase == Phase::Idle {
                slots.fill(0.0);
                self.pushed.push(Pushed::IDLE);
                continue;
            }
            let pushed = Pushed::of(world, self, touch, t, &y[at..at + TOUCH]);
            self.apply(world, &pushed, slots);
            self.pushed.push(pushed);
        }
        for &index in &world.columns.driven {
            self.works[1] -= self.force[index].dot(self.moving[index].v);
        }
        self.accelerate(world, clock);
        let (x, q, v, w) = layout.columns_mut(out);
        for ((((&body, x), q), v), w) in world.free.iter().zip(x).zip(q).zip(v).zip(w) {
            let moving = &self.moving[body];
            let (linear, angular) = self.acceleration[body];
            *q = moving.q.rate(moving.w).into();
            (*x, *v, *w) = (moving.v.into(), linear.into(), angular.into());
        }
        out[layout.works()..layout.works() + WORKS].copy_from_slice(&self.works);
    }

    /// Weight and gyroscopic couple.
    #[inline(always)]
    fn load(&mut self, world: &World) {
        for (force, couple) in self.force.iter_mut().zip(&mut self.couple) {
            (*force, *couple) = (Vec3::ZERO, Vec3::ZERO);
        }
        for &body in &world.free {
            self.force[body] = world.gravity * world.columns.mass[body];
            if world.columns.round[body].is_none() && !world.planar {
                let (q, w) = (self.moving[body].q, self.moving[body].w);
                let momentum = q.turn(world.columns.inertia[body].of(q.inverse().turn(w)));
                self.couple[body] = momentum.cross(w);
            }
        }
    }

    /// Adds a force at a point of a body.
    #[inline(always)]
    fn push(&mut self, body: usize, force: Vec3, point: Vec3) {
        self.force[body] += force;
        self.couple[body] += (point - self.moving[body].x).cross(force);
    }

    #[inline(always)]
    fn apply(&mut self, world: &World, pushed: &Pushed, slots: &mut [f64]) {
        let normal = pushed.gap.normal * pushed.force;
        let force = if pushed.smooth { normal } else { normal + pushed.tangential };
        for (body, force, sign) in [(pushed.b, force, 1.0), (pushed.a, -force, -1.0)] {
            // What stands still answers nothing; what is driven is asked for its work.
            if world.columns.slot[body].is_some() || !world.columns.driven.is_empty() {
                self.push(body, force, pushed.gap.point);
                if !pushed.smooth {
                    self.couple[body] += pushed.couple * sign;
                }
            }
        }
        (slots[0], slots[4]) = (pushed.internal_rate, pushed.force * pushed.rate);
        pushed.memory_rate.write(slots, 1);
        slots[5] = match pushed.smooth {
            true => 0.0,
            false => -(pushed.tangential.dot(pushed.velocity) + pushed.couple.dot(pushed.spin)),
        };
    }

    fn element(&mut self, element: &Element, clock: SidedTime) {
        let place = |dynamics: &Self, anchor: &Anchor| {
            let body = &dynamics.moving[anchor.body];
            let point = body.x + body.q.turn(anchor.point);
            (point, body.velocity_at(point))
        };
        match element {
            Element::Spring { a, b, stiffness, damping, length } => {
                let ((p, vp), (q, vq)) = (place(self, a), place(self, b));
                let apart = q - p;
                let Some(along) = apart.unit() else { return };
                let rate = along.dot(vq - vp);
                let pull = stiffness * (apart.length() - length) + damping * rate;
                self.push(a.body, along * pull, p);
                self.push(b.body, along * -pull, q);
                self.works[3] += damping * rate * rate;
            }
            Element::Force { at, direction, magnitude } => {
                let (point, velocity) = place(self, at);
                let force = *direction * magnitude.evaluate(clock).value;
                self.push(at.body, force, point);
                self.works[2] += force.dot(velocity);
            }
            Element::Couple { body, axis, magnitude } => {
                let couple = *axis * magnitude.evaluate(clock).value;
                self.couple[*body] += couple;
                self.works[2] += couple.dot(self.moving[*body].w);
            }
            Element::Drag { body, linear, quadratic } => {
                let v = self.moving[*body].v;
                let force = v * -(linear + quadratic * v.length());
                self.force[*body] += force;
                self.works[3] -= force.dot(v);
            }
        }
    }

    /// Accelerations from forces, with the joints.
    fn accelerate(&mut self, world: &World, clock: SidedTime) {
        let masses = Masses { world, moving: &self.moving };
        for &body in &world.free {
            self.acceleration[body] = masses.respond(body, self.force[body], self.couple[body]);
        }
        for island in &mut self.islands {
            island.prepare(world, &masses, clock);
            island.multipliers.clear();
            for row in &island.rows {
                let sum = row.bias + of(row, &self.acceleration);
                island.multipliers.push(-sum);
            }
            island.factor.solve(&mut island.multipliers);
            for (row, &multiplier) in island.rows.iter().zip(&island.multipliers) {
                for (body, force, couple) in sides(row, multiplier) {
                    let (v, w) = masses.respond(body, force, couple);
                    self.acceleration[body].0 += v;
                    self.acceleration[body].1 += w;
                    if world.columns.inverse_mass[body] > 0.0 {
                        let moving = &self.moving[body];
                        self.works[0] += force.dot(moving.v) + couple.dot(moving.w);
                    }
                }
            }
        }
    }

    /// How fast the approach at a gap accelerates, as of the last slope (without centripetal parts).
    pub fn pressing(&self, found: &Gap, a: usize, b: usize) -> f64 {
        let at = |body: usize| {
            let (v, w) = self.acceleration[body];
            v + w.cross(found.point - self.moving[body].x)
        };
        -found.normal.dot(at(b) - at(a))
    }

    /// Moves positions and velocities onto the constraints: the nearest in the metric of the masses.
    /// Gives the largest error of position that is left.
    pub fn project(&mut self, world: &World, layout: Layout, t: f64, y: &mut [f64]) -> f64 {
        if self.islands.is_empty() {
            return 0.0;
        }
        let mut left = 0.0;
        for _ in 0..8 {
            self.read(world, layout, t, y);
            left = 0.0;
            for index in 0..self.islands.len() {
                let largest = self.correct(world, index, t, |row, _| row.error);
                left = f64::max(left, largest);
            }
            if left < 1e-15 {
                break;
            }
            for (slot, &body) in world.free.iter().enumerate() {
                let (v, w) = self.acceleration[body];
                let x = self.moving[body].x + v;
                x.write(y, layout.position(slot));
                self.moving[body].q.spun(w).write(y, layout.rotation(slot));
            }
            if left < 1e-12 {
                break;
            }
        }
        self.read(world, layout, t, y);
        for index in 0..self.islands.len() {
            self.correct(world, index, t, |row, moving| {
                let (a, b) = (&moving[row.a], &moving[row.b]);
                row.linear.dot(a.v - b.v) + row.turn_a.dot(a.w) + row.turn_b.dot(b.w) - row.rate
            });
        }
        for (slot, &body) in world.free.iter().enumerate() {
            let (v, w) = self.acceleration[body];
            (self.moving[body].v + v).write(y, layout.velocity(slot));
            (self.moving[body].w + w).write(y, layout.spin(slot));
        }
        left
    }

    /// Solves S·λ = −error and leaves M⁻¹Jᵀλ in the accelerations; gives the largest error.
    fn correct(
        &mut self,
        world: &World,
        index: usize,
        t: f64,
        error: impl Fn(&ConstraintRow, &[BodyMotion]) -> f64,
    ) -> f64 {
        let masses = Masses { world, moving: &self.moving };
        let island = &mut self.islands[index];
        if index == 0 {
            for &body in &world.free {
                self.acceleration[body] = (Vec3::ZERO, Vec3::ZERO);
            }
        }
        island.prepare(world, &masses, SidedTime::at(t));
        let rhs = &mut island.multipliers;
        rhs.clear();
        rhs.extend(island.rows.iter().map(|row| -error(row, &self.moving)));
        let largest = rhs.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        island.factor.solve(rhs);
        for (row, &multiplier) in island.rows.iter().zip(&*rhs) {
            for (body, force, couple) in sides(row, multiplier) {
                let (v, w) = masses.respond(body, force, couple);
                if world.columns.inverse_mass[body] > 0.0 {
                    self.acceleration[body].0 += v;
                    self.acceleration[body].1 += w;
                }
            }
        }
        largest
    }

    /// How many constraint rows follow from others, as of the last solve.
    pub fn redundant(&self) -> usize {
        self.islands.iter().map(|island| island.factor.redundant()).sum()
    }
}

impl Island {
    fn prepare(&mut self, world: &World, masses: &Masses, clock: SidedTime) {
        self.rows.clear();
        for &joint in &self.joints {
            world.joints[joint].append_rows(clock, masses.moving, &mut self.rows);
        }
        if world.planar {
            // Rows out of the plane are answered by no body; half of most joints are.
            self.rows.retain(|row| {
                let along = row.linear.x.abs().max(row.linear.y.abs());
                let about = row.turn_a.z.abs().max(row.turn_b.z.abs());
                along.max(about) > 1e-9 || row.error.abs() > 1e-12
            });
        }
        self.factor.prepare(&self.rows, masses);
    }
}

/// J times the motion of all bodies.
fn of(row: &ConstraintRow, motion: &[(Vec3, Vec3)]) -> f64 {
    let ((va, wa), (vb, wb)) = (motion[row.a], motion[row.b]);
    row.linear.dot(va - vb) + row.turn_a.dot(wa) + row.turn_b.dot(wb)
}

/// Jᵀλ of one row on its two bodies.
fn sides(row: &ConstraintRow, multiplier: f64) -> [(usize, Vec3, Vec3); 2] {
    let force = row.linear * multiplier;
    [(row.a, force, row.turn_a * multiplier), (row.b, -force, row.turn_b * multiplier)]
}
