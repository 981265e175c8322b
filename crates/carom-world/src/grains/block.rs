//! Contacts that touch, in rows: what they see, how hard they push.
//!
//! A row holds one number of many contacts, so that roots and quotients are taken of as many at once as the
//! machine has room for (`pulp` chooses at run time; no operation is contracted, so the bits are the same). Rows are
//! short enough to stay in the nearest cache. The law is the library's, called on a row.

use crate::math::Vec3;
use carom::law::{Force, Law, Memory, Work};

/// Contacts in a row.
pub(super) const ROW: usize = 32;
/// Rows are worked on in pieces of so many: what is left over from before fills the last.
const PIECE: usize = 8;

/// One number of each contact.
type Row = [f64; ROW];

/// A vector of each contact.
pub(super) struct Rows([Row; 3]);

impl Rows {
    const ZERO: Self = Self([[0.0; ROW]; 3]);

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

/// Contacts of one law, collected until a row is full.
pub(super) struct Block {
    /// Where they are in the list.
    pub pair: [u32; ROW],
    /// The way between the centres, then the normal from a to b.
    pub normal: Rows,
    /// Its square.
    pub square: Row,
    /// Sum of the radii.
    pub reach: Row,
    /// Product of the radii, then the radius of the pair.
    pub radius: Row,
    pub delta: Row,
    /// How long it has touched since the last step (s).
    pub elapsed: Row,
    /// Of b against a.
    pub velocity: Rows,
    /// Spins times radii, summed.
    pub arms: Rows,
    /// Spins, summed.
    pub spins: Rows,
    /// Mass of the pair, where tangential springs are damped.
    pub mass: Row,
    pub memory: [Memory; ROW],
    /// Force of the tangential spring (without its damper) on a, before the step and after.
    pub before: Rows,
    pub after: Rows,
    pub rate: Row,
    /// Velocity of b against a along the surfaces.
    pub slip: Rows,
    pub load: Row,
    /// Friction on a.
    pub friction: Rows,
    /// All on a.
    pub force: Rows,
    /// Normal × friction.
    pub turn: Rows,
}

/// What is the same for all contacts of a block.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// A force may pull while surfaces overlap: the law ends where the indentation does.
    pub pulls: bool,
    pub friction: f64,
    /// Stiffness of the tangential spring times the step (N·s/m).
    pub stiffness: f64,
    /// Damping of the tangential spring over √(stiffness times the step, times the mass of the pair) (s^(−1/2)).
    pub damping: f64,
    /// The stiffness is that times √(R·δ).
    pub mindlin: bool,
}

impl Block {
    pub fn new() -> Self {
        let zero = [0.0; ROW];
        Self {
            pair: [0; ROW],
            normal: Rows::ZERO,
            square: zero,
            reach: [1.0; ROW],
            radius: zero,
            delta: zero,
            elapsed: zero,
            velocity: Rows::ZERO,
            arms: Rows::ZERO,
            spins: Rows::ZERO,
            mass: zero,
            memory: [Memory::default(); ROW],
            before: Rows::ZERO,
            after: Rows::ZERO,
            rate: zero,
            slip: Rows::ZERO,
            load: zero,
            friction: Rows::ZERO,
            force: Rows::ZERO,
            turn: Rows::ZERO,
        }
    }

    /// All of the first `count`, from ways and velocities to forces; of walls normal and indentation are known.
    pub fn act(&mut self, count: usize, law: &Law, rules: Rules, walls: bool) {
        let (arch, end) = (pulp::Arch::new(), count.next_multiple_of(PIECE));
        arch.dispatch(See(self, end, walls));
        // Not what is left over: some laws take their time.
        law.with(Press(self, count));
        arch.dispatch(Hold(self, end, rules));
    }

    /// Normals and indentations of spheres.
    #[inline(always)]
    fn spheres(&mut self, end: usize) {
        for k in 0..end {
            let (way, length) = (self.normal.get(k), self.square[k].sqrt());
            let normal = way * (1.0 / length);
            self.normal.set(k, if length > 0.0 { normal } else { Vec3::X });
            self.delta[k] = self.reach[k] - length;
            self.radius[k] /= self.reach[k];
        }
    }

    /// Rates along the normal and slips across it.
    #[inline(always)]
    fn rates(&mut self, end: usize) {
        for k in 0..end {
            let (normal, velocity) = (self.normal.get(k), self.velocity.get(k));
            let rate = -normal.dot(velocity);
            self.rate[k] = rate;
            // Of points with arms R − δ/2 along the normal.
            let arms = self.arms.get(k) - self.spins.get(k) * (0.5 * self.delta[k]);
            self.slip.set(k, (velocity + normal * rate) - arms.cross(normal));
        }
    }

    /// Springs, held by friction, and forces.
    #[inline(always)]
    fn springs(&mut self, end: usize, rules: Rules) {
        if !rules.pulls {
            for load in &mut self.load[..end] {
                *load = load.max(0.0);
            }
        }
        let (one, root) = if rules.mindlin { (0.0, 1.0) } else { (1.0, 0.0) };
        for k in 0..end {
            let (normal, load) = (self.normal.get(k), self.load[k]);
            let stiffness =
                rules.stiffness * (one + root * (self.radius[k] * self.delta[k]).sqrt());
            let damping = rules.damping * (stiffness * self.mass[k]).sqrt();
            let (before, slip) = (self.before.get(k).across(normal), self.slip.get(k));
            // What spring and damper carry if the slider sticks, and what of it it holds.
            let stretched = before + slip * stiffness;
            let stuck = stretched + slip * damping;
            let (limit, size) = (rules.friction * load.max(0.0), stuck.length());
            let slips = size > limit;
            let friction = stuck * if slips { limit / size } else { 1.0 };
            // Where it slips spring and damper carry as much together: T + (c/k)·Ṫ is the force, at the end of the step.
            let sum = (damping + stiffness).max(f64::MIN_POSITIVE);
            let slid = (before * damping + friction * stiffness) * (1.0 / sum);
            self.after.set(k, if slips { slid } else { stretched });
            self.friction.set(k, friction);
            self.force.set(k, normal * -load + friction);
            self.turn.set(k, normal.cross(friction));
        }
    }
}

struct See<'a>(&'a mut Block, usize, bool);

impl pulp::WithSimd for See<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, walls) = self;
        let end = end.min(ROW);
        if !walls {
            block.spheres(end);
        }
        block.rates(end);
    }
}

struct Hold<'a>(&'a mut Block, usize, Rules);

impl pulp::WithSimd for Hold<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, rules) = self;
        block.springs(end.min(ROW), rules);
    }
}

/// Lets time pass for what a contact remembers.
#[inline(always)]
fn pass<F: Force>(form: &F, delta: f64, rate: f64, elapsed: f64, memory: &mut Memory) {
    memory.time += elapsed;
    memory.internal += elapsed * form.internal_rate(delta, rate, memory);
}

/// The force of one contact as a row of them has it, whatever its sign.
pub(super) fn signed_load<F: Force>(
    form: &F,
    delta: f64,
    rate: f64,
    elapsed: f64,
    memory: &mut Memory,
) -> f64 {
    pass(form, delta, rate, elapsed, memory);
    let load = form.force(delta, rate, memory);
    form.commit(delta, rate, memory);
    load
}

struct Press<'a>(&'a mut Block, usize);

impl Work for Press<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        pulp::Arch::new().dispatch(Pressed(self.0, self.1, form));
    }
}

/// The same for a form that is known.
struct Pressed<'a, F>(&'a mut Block, usize, F);

impl<F: Force> pulp::WithSimd for Pressed<'_, F> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self(block, end, form) = self;
        // Known here, it tells the compiler that rows do not overlap.
        let end = end.min(ROW);
        let (delta, rate) = (&block.delta[..end], &block.rate[..end]);
        let memory = &mut block.memory[..end];
        for k in 0..end {
            pass(&form, delta[k], rate[k], block.elapsed[k], &mut memory[k]);
        }
        form.forces(delta, rate, memory, &mut block.load[..end]);
        for k in 0..end {
            form.commit(delta[k], rate[k], &mut memory[k]);
        }
    }
}
