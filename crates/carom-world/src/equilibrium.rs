//! A start in equilibrium: the bodies are moved to positions at which all forces balance.
//!
//! Let q be the positions and rotation vectors of the free bodies and a(q) their accelerations at rest, with the joints;
//! equilibria are the roots of a. Along the path dq/ds = a(q), bodies sink into contacts and springs as in a very viscous fluid
//! and come to rest at a minimum of the energy. This path is followed with the linearly implicit Euler method (pseudo-transient
//! continuation; Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508–523),
//!
//! (1/τ − ∂a/∂q)·Δq = a,
//!
//! whose step τ grows as the accelerations decrease: at first the method follows the path of steepest descent, in the end it is
//! Newton's method. Of ∂a/∂q only the part along the joints is used, in rows and columns: across them bodies cannot move. Along
//! directions without forces, such as the rolling of a ball on a plane, bodies do not move. Contact laws have their forces at
//! zero rate.
//!
//! With friction there are many equilibria. The one found is that in which the bodies come to rest when they are released slowly
//! from where they are placed: tangential springs and bristles are stretched by the sliding of the surfaces, and slip at their
//! limit. The run begins with the forces that they carry. Friction laws that carry no force at rest carry none here, and it is an
//! error if bodies keep sliding as a result.
//!
//! The nonsmooth method begins in the same positions. Rigid contacts have no indentation that could balance a load, but carry any
//! load that presses them: at the start the bodies overlap by the indentation of the laws, and are at rest.

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

/// Largest number of steps of the search.
const MAX_STEPS: usize = 1000;
/// Largest remaining acceleration, relative to gravity or to the accelerations at the start of the search.
const MAX_RESIDUAL: f64 = 1e-10;
/// Largest displacement in a step, relative to the size of the smallest body.
const MAX_DISPLACEMENT: f64 = 0.05;

/// Returns the indices of the unknowns of a body among three displacements and three rotations. Rotations are multiplied by the
/// bounding radius.
fn degrees_of_freedom(world: &World) -> &'static [usize] {
    if world.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
}

/// An equilibrium that was found, and the friction in it.
#[derive(Clone, Debug)]
pub(crate) struct Equilibrium {
    /// Note with the remaining acceleration.
    pub note: Note,
    friction: Vec<HeldFriction>,
}

/// Friction memory at a site, perpendicular to the normal there; zero if nothing touches.
#[derive(Clone, Copy, Debug, Default)]
struct HeldFriction {
    normal: Vec3,
    memory: Vec3,
}

impl Equilibrium {
    /// Sets the friction memory of the touches at the start. The energy stored in it counts as work done before the start.
    pub fn set_friction_memory(&self, world: &World, state: &mut State) {
        for index in 0..state.touches.len() {
            set_friction_memory(state, index, &self.friction);
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

/// Sets the friction memory of a touch to that of its site.
fn set_friction_memory(state: &mut State, index: usize, friction: &[HeldFriction]) {
    let touch = &state.touches[index];
    let HeldFriction { normal, memory } = friction[touch.site];
    let memory = turned_with_normal(memory, normal, touch.normal);
    state.layout.set_friction(&mut state.y, index, memory);
}

/// Moves the bodies to an equilibrium, at rest, at the start of a scene.
///
/// # Errors
/// When no equilibrium is found, or a contact cannot begin.
pub(crate) fn find(world: &World, state: &mut State, scratch: &mut Scratch) -> Result<Equilibrium> {
    let count = world.free.len() * degrees_of_freedom(world).len();
    let size = scratch.scales.length;
    for slot in 0..world.free.len() {
        state.layout.set_velocities(&mut state.y, slot, Vec3::ZERO, Vec3::ZERO);
    }
    state.joints.fill(JointMemory::default());
    let mut first = 0.0f64;
    let mut tau = f64::INFINITY;
    let mut before = f64::INFINITY;
    let mut share = 1.0f64;
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
        if residual <= (MAX_RESIDUAL * scale).max(rounding) {
            return Ok(Equilibrium { note: Note::Equilibrium { residual, steps: step }, friction });
        }
        // The step is multiplied by twice the ratio by which the accelerations have decreased, within limits. Where the displacement
        // was cut, a longer step would change nothing but the part of the matrix that keeps it regular.
        let longest = if share < 1.0 { 1.0 } else { 100.0 };
        tau = match tau.is_finite() {
            false => 1e-3 * size / residual,
            true => tau * (2.0 * before / residual).clamp(0.1, longest),
        };
        before = residual;
        let depth = at.touches.iter().map(|touch| touch.delta).filter(|d| *d > 0.0);
        let depth = depth.fold(f64::INFINITY, f64::min);
        let small = (1e-3 * depth).clamp(1e-10 * size, 1e-6 * size);
        let matrix = factor.matrix(count);
        for column in 0..count {
            let mut along = vec![0.0; count];
            along[column] = 1.0;
            let along = allowed(world, scratch, &along);
            let mut change = |by: f64| {
                let moved: Vec<f64> = along.iter().map(|x| x * by).collect();
                let y = displaced(world, &at, &moved, scratch);
                accelerations(world, &at, scratch, &y)
            };
            let (ahead, behind) = (change(small), change(-small));
            let slope: Vec<f64> =
                ahead.iter().zip(behind).map(|(a, b)| (a - b) / (2.0 * small)).collect();
            let slope = allowed(world, scratch, &slope);
            for row in 0..count {
                matrix[row * count + column] = -slope[row];
            }
            matrix[column * count + column] += 1.0 / tau;
        }
        factor.decompose();
        let mut displacement = now;
        factor.solve(&mut displacement);
        let mut displacement = allowed(world, scratch, &displacement);
        let largest = displacement.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !largest.is_finite() {
            break;
        }
        share = (MAX_DISPLACEMENT * size / largest).min(1.0);
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

/// Returns the state with a touch at every site that overlaps, and with the friction memory of its site.
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
            set_friction_memory(&mut at, index, friction);
        }
    }
    scratch.evaluate_state(world, &mut at);
    Ok(at)
}

/// Returns the accelerations of all unknowns at a state vector, with the touches of a state (m/s²).
fn accelerations(world: &World, state: &State, scratch: &mut Scratch, y: &[f64]) -> Vec<f64> {
    let probe = &mut scratch.probe;
    probe.slope.resize(y.len(), 0.0);
    probe.evaluation.evaluate(&StepInput::at(world, state), 0.0, y, &mut probe.slope);
    let acceleration = &probe.evaluation.acceleration;
    world.free.iter().flat_map(|&body| unknowns_of(world, body, acceleration[body])).collect()
}

/// Returns the part of displacements or accelerations that the joints allow, at the state at which the equations of motion were
/// evaluated.
fn allowed(world: &World, scratch: &mut Scratch, unknowns: &[f64]) -> Vec<f64> {
    let own = degrees_of_freedom(world);
    let mut motion = vec![(Vec3::ZERO, Vec3::ZERO); world.bodies.len()];
    for (&body, unknowns) in world.free.iter().zip(unknowns.chunks(own.len())) {
        motion[body] = motion_of(world, body, unknowns);
    }
    scratch.start.evaluation.satisfy_joints(world, &mut motion);
    world.free.iter().flat_map(|&body| unknowns_of(world, body, motion[body])).collect()
}

/// Returns displacement and rotation of a body, or their rates, from its unknowns.
fn motion_of(world: &World, body: usize, unknowns: &[f64]) -> (Vec3, Vec3) {
    let mut all = [0.0; 6];
    for (&freedom, unknown) in degrees_of_freedom(world).iter().zip(unknowns) {
        all[freedom] = *unknown;
    }
    let turn = Vec3::new(all[3], all[4], all[5]) * (1.0 / reach(world, body));
    (Vec3::new(all[0], all[1], all[2]), turn)
}

/// Returns the unknowns of a body from its displacement and rotation, or their rates.
fn unknowns_of(
    world: &World,
    body: usize,
    (linear, angular): (Vec3, Vec3),
) -> impl Iterator<Item = f64> {
    let angular = angular * reach(world, body);
    let all = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
    degrees_of_freedom(world).iter().map(move |&freedom| all[freedom])
}

fn reach(world: &World, body: usize) -> f64 {
    match world.columns.bounding_radius[body] {
        reach if reach > 0.0 => reach,
        _ => 1.0,
    }
}

/// Returns the state vector after a slow displacement of all bodies, with friction springs and bristles stretched by the sliding.
fn displaced(world: &World, state: &State, by: &[f64], scratch: &mut Scratch) -> Vec<f64> {
    let mut y = state.y.clone();
    let own = degrees_of_freedom(world);
    for (slot, &body) in world.free.iter().enumerate() {
        let pose = state.layout.pose(&y, slot);
        let (way, turn) = motion_of(world, body, &by[slot * own.len()..][..own.len()]);
        let position = pose.position + way;
        state.layout.set_placement(&mut y, slot, position, pose.rotation.rotated_by(turn));
        // The displacements are written as velocities that act for one second; those of the contact points are the sliding
        // distances.
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
