//! Forces of a block of contacts, computed with vector instructions.
//!
//! A block holds up to [`BLOCK`] contacts of one law in columns, so that square roots and quotients are computed for as many
//! contacts at once as the vector registers hold. `pulp` chooses the instructions at run time; no multiplication and
//! addition are fused, so the results are the same to the last bit on all machines. A block is small enough to stay in the
//! first-level cache. The laws are those of the library.

use crate::math::Vec3;
use carom::law::{Force, Law, Memory, Work};
use std::ops::AddAssign;

/// A force (N), and a torque about the centre of the grain that it acts on (N·m).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wrench {
    pub force: Vec3,
    pub torque: Vec3,
}

impl AddAssign for Wrench {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// Largest number of contacts in a block.
pub(super) const BLOCK: usize = 32;
/// Kinematics and friction are computed for a multiple of this number of contacts, so that the loops have no scalar
/// remainder. The padding contacts hold values of an earlier block, and their results are not used.
const SIMD_GROUP: usize = 8;

/// A number for each contact.
type Column = [f64; BLOCK];

/// A vector for each contact.
#[derive(Default)]
pub(super) struct VectorColumn([Column; 3]);

impl VectorColumn {
    #[inline(always)]
    pub fn set(&mut self, k: usize, v: Vec3) {
        let [x, y, z] = &mut self.0;
        (x[k], y[k], z[k]) = (v.x, v.y, v.z);
    }

    #[inline(always)]
    pub fn get(&self, k: usize) -> Vec3 {
        let [x, y, z] = &self.0;
        Vec3::new(x[k], y[k], z[k])
    }
}

/// A block of contacts that share one law.
#[derive(Default)]
pub(super) struct ContactBlock {
    /// Indices of the contacts among the pairs of the chunk.
    pub pair: [u32; BLOCK],
    /// On input to [`ContactBlock::compute`], the separation of the centres of two grains (m) or the normal at a wall; on
    /// output, the unit normal from a to b.
    pub normal: VectorColumn,
    /// Square of the separation (m²).
    pub square: Column,
    /// Sum of the radii (m).
    pub radius_sum: Column,
    /// On input, the product of the radii of two grains (m²) or the radius of a grain at a wall (m); on output, the
    /// effective radius (m).
    pub radius: Column,
    /// Indentation (m); an input at walls, computed between grains.
    pub delta: Column,
    /// Time since the last step during which the surfaces were in contact (s).
    pub elapsed: Column,
    /// Relative motion, as in [`super::contact_work::RelativeMotion`].
    pub velocity: VectorColumn,
    pub surface_spin: VectorColumn,
    pub spin_sum: VectorColumn,
    /// Effective mass (kg); used only if the tangential springs are damped.
    pub mass: Column,
    pub memory: [Memory; BLOCK],
    /// Force of the tangential spring, without its damper, on a, before and after the step (N).
    pub spring_before: VectorColumn,
    pub spring_after: VectorColumn,
    /// Indentation rate (m/s).
    pub rate: Column,
    /// Tangential velocity of b relative to a at the contact point (m/s).
    pub slip: VectorColumn,
    /// Normal force (N).
    pub load: Column,
    /// Friction force on a (N).
    pub friction: VectorColumn,
    /// Total force on a (N).
    pub force: VectorColumn,
    /// Normal × friction force (N). Multiplied by the arm of either grain it is the torque on that grain.
    pub unit_torque: VectorColumn,
}

/// Contact parameters that are the same for all contacts of a block.
#[derive(Clone, Copy)]
pub(super) struct BlockParameters {
    /// Whether the normal force may be negative while the surfaces overlap, because the contact ends at zero indentation.
    pub may_pull: bool,
    /// Coefficient of friction.
    pub friction: f64,
    /// Stiffness of the tangential spring times the step, k·h (N·s/m).
    pub stiffness: f64,
    /// Damping coefficient of the tangential spring divided by √(k·h·mₑ), with the effective mass mₑ (s^(−1/2)).
    pub damping: f64,
    /// Whether the stiffness is multiplied by √(R·δ) (Mindlin).
    pub mindlin: bool,
}

impl ContactBlock {
    pub fn new() -> Self {
        Self { radius_sum: [1.0; BLOCK], ..Self::default() }
    }

    /// Computes the forces of the first `count` contacts from their separations and relative motion.
    pub fn compute(&mut self, count: usize, law: &Law, parameters: BlockParameters, walls: bool) {
        let (arch, end) = (pulp::Arch::new(), count.next_multiple_of(SIMD_GROUP));
        arch.dispatch(KinematicsPass(self, end, walls));
        // Padding contacts are skipped here, because some laws are expensive to evaluate.
        law.with(NormalForces(self, count));
        arch.dispatch(FrictionPass(self, end, parameters));
    }

    /// Computes normals, indentations and effective radii of pairs of spheres.
    #[inline(always)]
    fn sphere_kinematics(&mut self, end: usize) {
        for k in 0..end {
            let (separation, length) = (self.normal.get(k), self.square[k].sqrt());
            let normal = separation * (1.0 / length);
            self.normal.set(k, if length > 0.0 { normal } else { Vec3::X });
            self.delta[k] = self.radius_sum[k] - length;
            self.radius[k] /= self.radius_sum[k];
        }
    }

    /// Computes indentation rates, and tangential velocities at the contact point, which lies half way through the overlap.
    #[inline(always)]
    fn rates(&mut self, end: usize) {
        for k in 0..end {
            let (normal, velocity) = (self.normal.get(k), self.velocity.get(k));
            let rate = -normal.dot(velocity);
            self.rate[k] = rate;
            let arms = self.surface_spin.get(k) - self.spin_sum.get(k) * (0.5 * self.delta[k]);
            self.slip.set(k, (velocity + normal * rate) - arms.cross(normal));
        }
    }

    /// Computes the tangential springs, limited by Coulomb friction, and the total forces.
    #[inline(always)]
    fn friction(&mut self, end: usize, parameters: BlockParameters) {
        if !parameters.may_pull {
            for load in &mut self.load[..end] {
                *load = load.max(0.0);
            }
        }
        let (constant, root) = if parameters.mindlin { (0.0, 1.0) } else { (1.0, 0.0) };
        for k in 0..end {
            let (normal, load) = (self.normal.get(k), self.load[k]);
            let stiffness =
                parameters.stiffness * (constant + root * (self.radius[k] * self.delta[k]).sqrt());
            let damping = parameters.damping * (stiffness * self.mass[k]).sqrt();
            let (before, slip) =
                (self.spring_before.get(k).perpendicular_to(normal), self.slip.get(k));
            // Force of spring and damper if the contact sticks; below, the part of it that friction can carry.
            let stretched = before + slip * stiffness;
            let stuck = stretched + slip * damping;
            let (limit, size) = (parameters.friction * load.max(0.0), stuck.length());
            let slips = size > limit;
            let friction = stuck * if slips { limit / size } else { 1.0 };
            // While the contact slips, spring and damper together carry the friction force f: T + (c/k)·Ṫ = f for the spring
            // force T. This is integrated implicitly over the step.
            let sum = (damping + stiffness).max(f64::MIN_POSITIVE);
            let slid = (before * damping + friction * stiffness) * (1.0 / sum);
            self.spring_after.set(k, if slips { slid } else { stretched });
            self.friction.set(k, friction);
            self.force.set(k, normal * -load + friction);
            self.unit_torque.set(k, normal.cross(friction));
        }
    }
}

struct KinematicsPass<'a>(&'a mut ContactBlock, usize, bool);

impl pulp::WithSimd for KinematicsPass<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, walls) = self;
        let end = end.min(BLOCK);
        if !walls {
            block.sphere_kinematics(end);
        }
        block.rates(end);
    }
}

struct FrictionPass<'a>(&'a mut ContactBlock, usize, BlockParameters);

impl pulp::WithSimd for FrictionPass<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, parameters) = self;
        block.friction(end.min(BLOCK), parameters);
    }
}

/// Advances the time and the internal state in the memory of a contact.
#[inline(always)]
fn advance_memory<F: Force>(form: &F, delta: f64, rate: f64, elapsed: f64, memory: &mut Memory) {
    memory.time += elapsed;
    memory.internal += elapsed * form.internal_rate(delta, rate, memory);
}

/// Returns the normal force of one contact, which may be negative, computed in the same way as in a block.
pub(super) fn signed_load<F: Force>(
    form: &F,
    delta: f64,
    rate: f64,
    elapsed: f64,
    memory: &mut Memory,
) -> f64 {
    advance_memory(form, delta, rate, elapsed, memory);
    let load = form.force(delta, rate, memory);
    form.commit(delta, rate, memory);
    load
}

/// Computes the normal forces of the first contacts of a block, after dispatch on the form of the law.
struct NormalForces<'a>(&'a mut ContactBlock, usize);

impl Work for NormalForces<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        pulp::Arch::new().dispatch(NormalForcePass(self.0, self.1, form));
    }
}

struct NormalForcePass<'a, F>(&'a mut ContactBlock, usize, F);

impl<F: Force> pulp::WithSimd for NormalForcePass<'_, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, form) = self;
        // This bound lets the compiler omit the bounds checks in the loops.
        let end = end.min(BLOCK);
        let (delta, rate) = (&block.delta[..end], &block.rate[..end]);
        let memory = &mut block.memory[..end];
        for k in 0..end {
            advance_memory(&form, delta[k], rate[k], block.elapsed[k], &mut memory[k]);
        }
        form.forces(delta, rate, memory, &mut block.load[..end]);
        for k in 0..end {
            form.commit(delta[k], rate[k], &mut memory[k]);
        }
    }
}
