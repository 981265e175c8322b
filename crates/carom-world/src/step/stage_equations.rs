//! The equations of the stages of an implicit step, and the linear systems of their Newton iteration.
//!
//! A residual r of the whole state vector is replaced by (I − γh·∂f/∂y)⁻¹·r. With β = γh, displacements follow from velocities,
//! Δx = r_x + β·Δv (rotations as rotation vectors), and the variables that touches remember are eliminated touch by touch
//! (`force_tangent.rs`). The remaining system is
//!
//! (M − β·Σ Jᵀ·D·J)·Δv − Jᶜᵀ·λ = M·r_v + β·Σ Jᵀ·(…),   Jᶜ·Δv = Jᶜ·r_v
//!
//! with D the 3×3 tangent of a force at its contact point, J the Jacobian of the velocity of that point and Jᶜ the rows of the
//! joints. Bodies that are not connected by touches, springs or joints are independent, so there is one matrix for each island.
//! Works follow from the motion and do not affect it. The works of touches are corrected by force times velocity, so that a body
//! at rest under its weight does no work; all other works are corrected by the next iteration.
//!
//! Derivatives of gyroscopic couples, of the directions of normals and joints, and of drag are left out: the effects are slow,
//! and the iteration converges to the same stage without them.

use super::error::AllowedError;
use super::force_tangent::{EliminatedForce, ForceTangent};
use crate::disjoint_sets::DisjointSets;
use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::joint::ConstraintRow;
use crate::math::{Quat, Vec3};
use crate::state::{Layout, Phase, Pose};
use carom::numeric::linear::DenseLu;
use carom::ode::StageEquations;

/// Number of unknowns of a body: three of its velocity and three of its angular velocity.
const UNKNOWNS_PER_BODY: usize = 6;
/// Largest number of unknowns of an island in an implicit step; larger islands use the explicit pair, because the cost of
/// elimination grows as the cube.
const MAX_ISLAND_UNKNOWNS: usize = 600;
/// Diagonal entry of each constraint row, relative to its mobility. It makes the system regular if joints are redundant, is small
/// enough not to slow down the iteration, and is large compared with rounding.
const REGULARISATION: f64 = 1e-10;

/// The linear system of one island.
#[derive(Clone, Debug, Default)]
struct IslandSystem {
    unknowns: usize,
    factor: DenseLu,
    rhs: Vec<f64>,
}

/// Island of a body or constraint row, and index of its first unknown in the system of the island.
#[derive(Clone, Copy, Debug, Default)]
struct FirstUnknown {
    island: usize,
    at: usize,
}

/// The linear systems of an implicit step, linearised at the state in which it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearSystem {
    forces: Vec<ForceTangent>,
    eliminated: Vec<EliminatedForce>,
    rows: Vec<ConstraintRow>,
    /// Systems of the islands. Only the first `count` belong to this step; the others are kept to reuse their memory.
    islands: Vec<IslandSystem>,
    count: usize,
    /// For each free body: its first unknown.
    body_unknowns: Vec<FirstUnknown>,
    /// Sets of free bodies that are connected by forces or joints.
    connected: DisjointSets,
    /// For each constraint row: its unknown; none for rows between bodies that are not free.
    row_unknowns: Vec<Option<FirstUnknown>>,
    /// γh (s).
    gamma_h: f64,
}

/// Linear and angular velocity of a body, or linear displacement and rotation vector.
type Twist = (Vec3, Vec3);

impl LinearSystem {
    /// Linearises all forces at the state, where the equations of motion have been evaluated. Returns false if an island is too
    /// large.
    pub fn linearise(&mut self, input: &StepInput, evaluation: &Evaluation) -> bool {
        let (world, state) = (input.world, input.state);
        self.forces.clear();
        for (index, touch) in state.touches.iter().enumerate() {
            if touch.phase == Phase::Active {
                let contact = evaluation.contact(input, index, state.time, &state.y);
                let tangent =
                    ForceTangent::of_touch(input, &evaluation.kinematics, index, &contact);
                self.forces.push(tangent);
            }
        }
        let springs = world.elements.iter();
        self.forces.extend(
            springs.filter_map(|spring| ForceTangent::of_element(&evaluation.kinematics, spring)),
        );
        self.rows.clear();
        self.rows.extend(evaluation.constraint_rows());
        self.find_islands(input)
    }

    /// Finds the islands and the indices of all unknowns in them. Returns false if an island is too large.
    fn find_islands(&mut self, input: &StepInput) -> bool {
        let slot = |body: usize| input.world.columns.free_index[body];
        let free = input.world.free.len();
        self.connected.reset(free);
        let links = self.forces.iter().map(|force| (force.a, force.b));
        for (a, b) in links.chain(self.rows.iter().map(|row| (row.a, row.b))) {
            if let (Some(a), Some(b)) = (slot(a), slot(b)) {
                self.connected.join(a, b);
            }
        }
        self.body_unknowns.clear();
        self.count = 0;
        for body in 0..free {
            let first = self.connected.root(body);
            let island = match self.body_unknowns.get(first) {
                Some(place) => place.island,
                None => {
                    self.count += 1;
                    if self.islands.len() < self.count {
                        self.islands.push(IslandSystem::default());
                    }
                    self.islands[self.count - 1].unknowns = 0;
                    self.count - 1
                }
            };
            let at = self.islands[island].unknowns;
            self.islands[island].unknowns += UNKNOWNS_PER_BODY;
            self.body_unknowns.push(FirstUnknown { island, at });
        }
        self.row_unknowns.clear();
        for row in &self.rows {
            let Some(body) = slot(row.a).or(slot(row.b)) else {
                self.row_unknowns.push(None);
                continue;
            };
            let island = self.body_unknowns[body].island;
            let at = self.islands[island].unknowns;
            self.islands[island].unknowns += 1;
            self.row_unknowns.push(Some(FirstUnknown { island, at }));
        }
        self.islands[..self.count].iter().all(|island| island.unknowns <= MAX_ISLAND_UNKNOWNS)
    }

    /// Assembles and decomposes the systems for stages with the coefficient γh.
    pub fn factorise(&mut self, input: &StepInput, evaluation: &Evaluation, gamma_h: f64) {
        let world = input.world;
        self.gamma_h = gamma_h;
        self.eliminated.clear();
        self.eliminated.extend(self.forces.iter().map(|force| force.eliminate(gamma_h)));
        let Self { forces, eliminated, rows, islands, body_unknowns, row_unknowns, .. } = self;
        let islands = &mut islands[..self.count];
        for island in islands.iter_mut() {
            island.factor.matrix(island.unknowns);
        }
        for (slot, &body) in world.free.iter().enumerate() {
            let FirstUnknown { island, at } = body_unknowns[slot];
            let n = islands[island].unknowns;
            let matrix = islands[island].factor.entries();
            let inertia =
                world.columns.inertia[body].in_world_axes(evaluation.kinematics.bodies[body].q);
            for i in 0..3 {
                matrix[(at + i) * n + at + i] += world.columns.mass[body];
                for (j, entry) in <[f64; 3]>::from(inertia[i]).into_iter().enumerate() {
                    matrix[(at + 3 + i) * n + at + 3 + j] += entry;
                }
            }
        }
        for (force, eliminated) in forces.iter().zip(&*eliminated) {
            let sides = [(force.b, force.arm_b, 1.0), (force.a, force.arm_a, -1.0)];
            for (of, of_arm, of_sign) in sides {
                let Some(of) = world.columns.free_index[of] else { continue };
                for (on, on_arm, on_sign) in sides {
                    let Some(on) = world.columns.free_index[on] else { continue };
                    let FirstUnknown { island, at: row } = body_unknowns[on];
                    let column = body_unknowns[of].at;
                    let n = islands[island].unknowns;
                    let matrix = islands[island].factor.entries();
                    let scale = -gamma_h * of_sign * on_sign;
                    for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                        let moved = eliminated.by_velocity.of(axis) * scale;
                        let turned = eliminated.by_velocity.of(axis.cross(of_arm)) * scale;
                        let couple = force.couple_by_spin.of(axis) * scale;
                        for (column, force, couple) in [
                            (column + k, moved, on_arm.cross(moved)),
                            (column + 3 + k, turned, on_arm.cross(turned) + couple),
                        ] {
                            for i in 0..3 {
                                matrix[(row + i) * n + column] += <[f64; 3]>::from(force)[i];
                                matrix[(row + 3 + i) * n + column] += <[f64; 3]>::from(couple)[i];
                            }
                        }
                    }
                }
            }
        }
        for (row, place) in rows.iter().zip(&*row_unknowns) {
            let Some(place) = place else { continue };
            let island = &mut islands[place.island];
            let n = island.unknowns;
            let matrix = island.factor.entries();
            let mut mobility = 0.0;
            for (body, linear, turn) in row.reactions(1.0) {
                let Some(slot) = world.columns.free_index[body] else { continue };
                let at = body_unknowns[slot].at;
                let [linear, turn] = [linear, turn].map(<[f64; 3]>::from);
                for (k, value) in linear.into_iter().chain(turn).enumerate() {
                    mobility += value * value / matrix[(at + k) * n + at + k].abs();
                    matrix[place.at * n + at + k] += value;
                    matrix[(at + k) * n + place.at] -= value;
                }
            }
            matrix[place.at * n + place.at] = REGULARISATION * mobility;
        }
        if world.planar {
            for place in &*body_unknowns {
                let n = islands[place.island].unknowns;
                let matrix = islands[place.island].factor.entries();
                for k in OUT_OF_PLANE.map(|k| place.at + k) {
                    for i in 0..n {
                        matrix[k * n + i] = 0.0;
                        matrix[i * n + k] = 0.0;
                    }
                    matrix[k * n + k] = 1.0;
                }
            }
        }
        for island in islands {
            island.factor.decompose();
        }
    }

    /// Replaces a residual of the state vector by the Newton correction that belongs to it.
    fn correct(&mut self, input: &StepInput, y: &[f64], residual: &mut [f64]) {
        let (world, layout, gamma_h) = (input.world, input.layout(), self.gamma_h);
        let slot = |body: usize| world.columns.free_index[body];
        let Self { forces, eliminated, rows, islands, body_unknowns, row_unknowns, .. } = self;
        let islands = &mut islands[..self.count];
        for island in islands.iter_mut() {
            island.rhs.clear();
            island.rhs.resize(island.unknowns, 0.0);
        }
        for (slot, &body) in world.free.iter().enumerate() {
            let FirstUnknown { island, at } = body_unknowns[slot];
            let pose = layout.pose(y, slot);
            let (v, w) = residual_velocities(layout, residual, slot);
            let local = pose.rotation.inverse().rotate(w);
            let momentum = pose.rotation.rotate(world.columns.inertia[body].of(local));
            (v * world.columns.mass[body]).write(&mut islands[island].rhs, at);
            momentum.write(&mut islands[island].rhs, at + 3);
        }
        let residual_of = |body: usize, arm: Vec3, residual: &[f64]| match slot(body) {
            Some(slot) => {
                let (x, turn) = residual_displacement(layout, y, residual, slot);
                x + turn.cross(arm)
            }
            None => Vec3::ZERO,
        };
        for (force, eliminated) in forces.iter().zip(&*eliminated) {
            let apart = residual_of(force.b, force.arm_b, residual)
                - residual_of(force.a, force.arm_a, residual);
            let remembered = match force.memory {
                Some((touch, _)) => layout.remembered(residual, touch),
                None => [0.0; 4],
            };
            let change = force.force_of_residuals(eliminated, apart, remembered) * gamma_h;
            for (body, arm, change) in
                [(force.b, force.arm_b, change), (force.a, force.arm_a, -change)]
            {
                if let Some(slot) = slot(body) {
                    let FirstUnknown { island, at } = body_unknowns[slot];
                    let rhs = &mut islands[island].rhs;
                    (Vec3::read(rhs, at) + change).write(rhs, at);
                    (Vec3::read(rhs, at + 3) + arm.cross(change)).write(rhs, at + 3);
                }
            }
        }
        for (row, place) in rows.iter().zip(&*row_unknowns) {
            let Some(place) = place else { continue };
            let island = &mut islands[place.island];
            let of = |body: usize| match slot(body) {
                Some(slot) => residual_velocities(layout, residual, slot),
                None => (Vec3::ZERO, Vec3::ZERO),
            };
            island.rhs[place.at] = row.times(of(row.a), of(row.b));
        }
        if world.planar {
            for (slot, place) in body_unknowns.iter().enumerate() {
                let (v, w) = residual_velocities(layout, residual, slot);
                let all = [v.x, v.y, v.z, w.x, w.y, w.z];
                for k in OUT_OF_PLANE {
                    islands[place.island].rhs[place.at + k] = all[k];
                }
            }
        }
        for island in islands.iter_mut() {
            let IslandSystem { factor, rhs, .. } = island;
            factor.solve(rhs);
        }
        let correction_of = |body: usize| -> Twist {
            match slot(body) {
                Some(slot) => {
                    let FirstUnknown { island, at } = body_unknowns[slot];
                    let rhs = &islands[island].rhs;
                    (Vec3::read(rhs, at), Vec3::read(rhs, at + 3))
                }
                None => (Vec3::ZERO, Vec3::ZERO),
            }
        };
        // Works and variables of touches are corrected first, because they need the residuals of the bodies, which are
        // overwritten below.
        for (force, eliminated) in forces.iter().zip(&*eliminated) {
            let at = |(v, w): Twist, arm: Vec3| v + w.cross(arm);
            let (motion_a, motion_b) = (correction_of(force.a), correction_of(force.b));
            let velocity = at(motion_b, force.arm_b) - at(motion_a, force.arm_a);
            if let Some((touch, forces)) = force.works {
                let (normal, friction) = forces.powers(velocity, motion_b.1 - motion_a.1);
                layout.add_touch_works(residual, touch, normal * gamma_h, friction * gamma_h);
            }
            let Some((touch, memory)) = force.memory else { continue };
            let apart = residual_of(force.b, force.arm_b, residual)
                - residual_of(force.a, force.arm_a, residual);
            let remembered = layout.remembered(residual, touch);
            let corrected =
                memory.correction(eliminated, remembered, apart + velocity * gamma_h, velocity);
            layout.set_remembered(residual, touch, corrected);
        }
        for (slot, &body) in world.free.iter().enumerate() {
            let (v, w) = correction_of(body);
            let (x, turn) = residual_displacement(layout, y, residual, slot);
            let Pose { rotation, .. } = layout.pose(y, slot);
            let stretched = layout.rotation_product(y, residual, slot);
            let turned = rotation.rate(turn + w * gamma_h);
            let rotated =
                Quat { w: turned.w + stretched * rotation.w, v: turned.v + rotation.v * stretched };
            layout.set_placement(residual, slot, x + v * gamma_h, rotated);
            layout.set_velocities(residual, slot, v, w);
        }
    }
}

/// Unknowns that planar motion does not have: velocity along z, angular velocity about x and y.
const OUT_OF_PLANE: [usize; 3] = [2, 3, 4];

/// Returns velocity and angular velocity of a residual.
fn residual_velocities(layout: Layout, residual: &[f64], slot: usize) -> Twist {
    let pose = layout.raw_pose(residual, slot);
    (pose.velocity, pose.spin)
}

/// Returns displacement and rotation vector θ of a residual: since r_q = ½·(0, θ)·q, θ is twice the vector part of r_q·q⁻¹.
fn residual_displacement(layout: Layout, y: &[f64], residual: &[f64], slot: usize) -> Twist {
    let (at, off) = (layout.pose(y, slot), layout.raw_pose(residual, slot));
    let product = off.rotation * at.rotation.inverse();
    (off.position, product.v * 2.0)
}

/// The equations of motion in the form in which the implicit integrator solves its stages.
pub(crate) struct Stages<'a> {
    pub input: &'a StepInput<'a>,
    pub evaluation: &'a mut Evaluation,
    pub system: &'a mut LinearSystem,
    pub allowed: AllowedError,
}

impl StageEquations for Stages<'_> {
    fn slope(&mut self, t: f64, y: &[f64], slope: &mut [f64]) {
        self.evaluation.evaluate(self.input, t, y, slope);
    }

    fn correct(&mut self, y: &[f64], residual: &mut [f64]) {
        self.system.correct(self.input, y, residual);
    }

    fn size(&self, y: &[f64], correction: &[f64]) -> f64 {
        let mut largest = 0.0f64;
        for (i, (y, correction)) in y.iter().zip(correction).enumerate() {
            if correction.abs() > self.allowed.rounding_of(self.input, i) {
                let size = correction.abs() / self.allowed.of_variable(self.input, i, y.abs());
                if !(size <= largest) {
                    largest = size;
                }
            }
        }
        largest
    }
}
