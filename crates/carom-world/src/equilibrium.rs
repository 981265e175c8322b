//! A start in equilibrium: the bodies are moved to where all forces balance.
//!
//! Let q be the positions and rotation vectors of the free bodies and a(q) their accelerations at rest, with the joints: where a = 0 they
//! stay. Along dq/ds = a(q) bodies sink into contacts and springs as in honey and come to rest in a minimum of the energy. This is followed with
//! the linearly implicit Euler method (pseudo-transient continuation; Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508–523),
//!
//! (1/τ − ∂a/∂q)·Δq = a,
//!
//! whose step τ grows as the accelerations fall: at first it is the path of steepest descent, in the end Newton's method. Directions in which
//! nothing pushes, such as the rolling of a ball on a plane, are left alone. Contact laws act as they do at rest.
//!
//! With friction there are many equilibria. The one that is found is that in which bodies come to rest which are let down from where they are placed:
//! tangential springs and bristles are stretched along the way by as much as the surfaces slide, and slip at their limit. The run begins with what
//! they carry. Friction laws that carry nothing at rest carry nothing here, and where bodies then slide on, that is an error.
//!
//! The nonsmooth method begins in the same place. Rigid contacts have no indentation that could balance a load, and hold any that pushes: bodies overlap
//! at the start by the indentation of the laws, and rest.

use crate::contact::{friction_after_slow_motion, turned_with_normal};
use crate::input::StepInput;
use crate::joint::JointMemory;
use crate::math::Vec3;
use crate::note::Note;
use crate::state::State;
use crate::step::{Scratch, onset};
use crate::world::World;
use carom::numeric::linear::DenseLu;
use carom::{Error, Result};

/// Steps before the search is given up.
const MAX_STEPS: usize = 1000;
/// Share of the acceleration of gravity, or of the first accelerations, that may be left.
const RESIDUAL: f64 = 1e-10;
/// The largest displacement in a step, over the size of the smallest body.
const MAX_DISPLACEMENT: f64 = 0.05;

/// The unknowns of a body: three of its position, three of its rotation, those times its reach.
fn freedoms(world: &World) -> &'static [usize] {
    if world.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
}

/// An equilibrium that was found.
#[derive(Clone, Debug)]
pub(crate) struct Equilibrium {
    /// Says which acceleration is left.
    pub note: Note,
    friction: Vec<HeldFriction>,
}

/// What friction remembers at a site, across the normal there; zero where nothing touches.
#[derive(Clone, Copy, Debug, Default)]
struct HeldFriction {
    normal: Vec3,
    memory: Vec3,
}

impl Equilibrium {
    /// Gives the touches of a state at the start the friction that holds them. The work that stretched it counts as done before.
    pub fn hold(&self, world: &World, state: &mut State) {
        for index in 0..state.touches.len() {
            hold(state, index, &self.friction);
            let touch = &state.touches[index];
            if let Some(friction) = &world.contact_at(touch.site).friction {
                let load = touch.law.force(touch.delta, 0.0, &touch.memory);
                let remembered = state.touch(index).friction;
                let stored = friction.stored(remembered, &touch.spring, touch.delta, load);
                state.layout.add_touch_works(&mut state.y, index, 0.0, stored);
            }
        }
    }
}

/// Gives a touch the friction that is held at its site.
fn hold(state: &mut State, index: usize, friction: &[HeldFriction]) {
    let touch = &state.touches[index];
    let HeldFriction { normal, memory } = friction[touch.site];
    let memory = turned_with_normal(memory, normal, touch.normal);
    state.layout.set_friction(&mut state.y, index, memory);
}

/// Moves the bodies of a state at the start to an equilibrium, where they are at rest.
///
/// # Errors
/// When none is found, or a contact cannot be made.
pub(crate) fn find(world: &World, state: &mut State, scratch: &mut Scratch) -> Result<Equilibrium> {
    let count = world.free.len() * freedoms(world).len();
    let size = scratch.scales.length;
    for slot in 0..world.free.len() {
        state.layout.set_velocities(&mut state.y, slot, Vec3::ZERO, Vec3::ZERO);
    }
    state.joints.fill(JointMemory::UNDECIDED);
    let mut first = 0.0f64;
    let mut tau = f64::INFINITY;
    let mut before = f64::INFINITY;
    let mut residual = f64::INFINITY;
    let mut factor = DenseLu::default();
    let mut friction = vec![HeldFriction::default(); world.sites.len()];
    for step in 0..MAX_STEPS {
        let at = with_touches(world, state, scratch, &friction)?;
        let now = accelerations(world, &at, scratch, &at.y);
        residual = now.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        first = first.max(if step == 0 { residual } else { 0.0 });
        let scale = first.max(world.gravity.length());
        scratch.update_start_quantities(&StepInput::at(world, &at));
        let rounding = 10.0 * scratch.start_quantities.acceleration_rounding;
        if residual <= (RESIDUAL * scale).max(rounding) {
            return Ok(Equilibrium { note: Note::Equilibrium { residual, steps: step }, friction });
        }
        // The step grows as the accelerations fall, and a little in any case.
        tau = match tau.is_finite() {
            false => 1e-3 * size / residual,
            true => tau * (2.0 * before / residual).clamp(0.1, 100.0),
        };
        before = residual;
        let depth = at.touches.iter().map(|touch| touch.delta).filter(|d| *d > 0.0);
        let depth = depth.fold(f64::INFINITY, f64::min);
        let small = (1e-3 * depth).clamp(1e-10 * size, 1e-6 * size);
        let matrix = factor.matrix(count);
        for column in 0..count {
            let mut moved = vec![0.0; count];
            let mut change = |by: f64| {
                moved[column] = by;
                let y = displaced(world, &at, &moved, scratch);
                accelerations(world, &at, scratch, &y)
            };
            let (ahead, behind) = (change(small), change(-small));
            for row in 0..count {
                matrix[row * count + column] = -(ahead[row] - behind[row]) / (2.0 * small);
            }
            matrix[column * count + column] += 1.0 / tau;
        }
        factor.decompose();
        let mut displacement = now;
        factor.solve(&mut displacement);
        let largest = displacement.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !largest.is_finite() {
            break;
        }
        let share = (MAX_DISPLACEMENT * size / largest).min(1.0);
        displacement.iter_mut().for_each(|x| *x *= share);
        let mut y = displaced(world, &at, &displacement, scratch);
        friction.fill(HeldFriction::default());
        for (index, touch) in at.touches.iter().enumerate() {
            let memory = at.layout.touch(&y, index).friction;
            friction[touch.site] = HeldFriction { normal: touch.normal, memory };
        }
        y.truncate(state.y.len());
        scratch.probe.evaluation.project(&StepInput::at(world, state), 0.0, &mut y);
        state.y = y;
    }
    let found = format!("{residual:.3e} m/s² left after {MAX_STEPS} steps");
    Err(Error::numerical(
        "the start in equilibrium",
        found,
        "bodies slide, roll or fall: place them where they can rest, near what they rest on",
    ))
}

/// The state with a touch at every site that overlaps, and the friction that is held there.
fn with_touches(
    world: &World,
    state: &State,
    scratch: &mut Scratch,
    friction: &[HeldFriction],
) -> Result<State> {
    let mut at = state.clone();
    scratch.evaluate_state(world, &mut at);
    for site in 0..world.sites.len() {
        let input = StepInput::at(world, &at);
        let gap = scratch.start.evaluation.kinematics.gap(&input, site).gap;
        if gap.distance < 0.0 {
            onset::begin(world, &mut at, scratch, site)?;
            let index = at.touches.len() - 1;
            hold(&mut at, index, friction);
        }
    }
    scratch.evaluate_state(world, &mut at);
    Ok(at)
}

/// Accelerations along all unknowns at a state vector with the touches of a state.
fn accelerations(world: &World, state: &State, scratch: &mut Scratch, y: &[f64]) -> Vec<f64> {
    let probe = &mut scratch.probe;
    probe.slope.resize(y.len(), 0.0);
    probe.evaluation.evaluate(&StepInput::at(world, state), 0.0, y, &mut probe.slope);
    let of = |&body: &usize| {
        let (linear, angular) = probe.evaluation.acceleration[body];
        let angular = angular * reach(world, body);
        let all = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        freedoms(world).iter().map(move |&freedom| all[freedom])
    };
    world.free.iter().flat_map(of).collect()
}

fn reach(world: &World, body: usize) -> f64 {
    match world.columns.reach[body] {
        reach if reach > 0.0 => reach,
        _ => 1.0,
    }
}

/// The state vector with all bodies slowly displaced, and friction stretched by as much as surfaces slide.
fn displaced(world: &World, state: &State, by: &[f64], scratch: &mut Scratch) -> Vec<f64> {
    let mut y = state.y.clone();
    let own = freedoms(world);
    for (slot, &body) in world.free.iter().enumerate() {
        let mut all = [0.0; 6];
        for (i, &freedom) in own.iter().enumerate() {
            all[freedom] = by[slot * own.len() + i];
        }
        let pose = state.layout.pose(&y, slot);
        let turn = Vec3::new(all[3], all[4], all[5]) * (1.0 / reach(world, body));
        let position = pose.position + Vec3::new(all[0], all[1], all[2]);
        state.layout.set_placement(&mut y, slot, position, pose.rotation.spun(turn));
        // The way as a velocity, which lasts for a unit of time: that of the contact points is how far they slide.
        state.layout.set_velocities(&mut y, slot, position - pose.position, turn);
    }
    let (input, kinematics) =
        (StepInput::at(world, state), &mut scratch.probe.evaluation.kinematics);
    kinematics.read(&input, 0.0, &y);
    for (index, touch) in state.touches.iter().enumerate() {
        let variables = state.layout.touch(&y, index);
        let memory = friction_after_slow_motion(&input, kinematics, touch, &variables);
        state.layout.set_friction(&mut y, index, memory);
    }
    for slot in 0..world.free.len() {
        state.layout.set_velocities(&mut y, slot, Vec3::ZERO, Vec3::ZERO);
    }
    y
}
