//! The nonsmooth method: rigid bodies, impulses and a fixed step.
//!
//! In the smooth method the contact force is a function of the indentation. Here bodies are rigid: a gap cannot be negative,
//! an impact changes velocities instantaneously, and a restitution specifies by how much. The equation of motion is an
//! equation of measures, M·dv = f·dt + dp. It is integrated over a step as a whole, without locating the instants of impacts
//! (J. J. Moreau, in Nonsmooth Mechanics and Applications, Springer 1988, 1–82; M. Jean, Computer Methods in Applied
//! Mechanics and Engineering 177 (1999) 235–257):
//!
//! 1. q_m = q + h/2·v is the configuration in the middle of the step, at which forces, normals and joints are evaluated.
//! 2. v_f = v + h·a are the velocities that forces and joints alone would produce.
//! 3. Contacts whose gap at q_m is closed act: their impulses p are such that v⁺ = v_f + M⁻¹·Hᵀp satisfies an impact law (see below)
//!    and Coulomb's law of friction (`newton.rs`, `solver.rs`). During lasting contact these hold for the velocities at the end
//!    of the step: u⁺ = (2H(q_m) − H(q))·v⁺, because contact point and normal move on from q_m as they moved from q to q_m. With
//!    H(q_m)·v⁺, a ball that circles in a bore would lose energy in every step and sink into it.
//! 4. If forces depend on velocities, they are evaluated again with the mean velocity (v + v⁺)/2 including contacts, and step 3 is
//!    repeated once with the difference. Otherwise the forces on a rolling or sliding body would be those at the velocity that it
//!    would have without its contact, an error of first order in lasting contacts.
//! 5. q⁺ = q + h/2·(v + v⁺), projected onto the joints.
//!
//! - **Newton**: 0 ≤ uₙ⁺ + e·uₙ⁻ ⊥ pₙ ≥ 0 at every contact, where uₙ⁻ is the gap rate at the beginning of the step. If the
//!   approach speed is not larger than what forces produce in one step, this is not an impact: resting contacts have e = 0.
//! - **Poisson**: the impulses p_c bring all contacts to rest (compression); then impulses of at least e·p_c separate them
//!   (expansion), both without forces because an impact takes no time; then the step follows with forces and e = 0. (M.
//!   Anitescu & F. A. Potra, Nonlinear Dynamics 14 (1997) 231–247.) A contact whose surfaces do not approach, but which is
//!   loaded through another body, also expands.
//!
//! Both laws agree if two bodies meet at one point without friction, and then deliver exactly the requested restitution. If
//! several contacts are hit at the same time, neither law represents the order in which real, elastic contacts would
//! transmit the impact; the smooth method does (`docs/background/nonsmooth.md`).
//!
//! # Joints
//! Joints are not among the contacts. The accelerations a satisfy their constraints (`solve.rs`), and a body responds to an
//! impulse together with all bodies that joints connect to it (`dynamics/mobility.rs`), so a joint transmits an impact
//! instantaneously and exactly.
//!
//! # Errors
//! The instant of an impact is not located: it lies within a step, and the approach speed is that at the beginning of the
//! step. Times have errors of up to h, speeds of up to a·h, and bodies overlap by up to v·h/2. These are errors of first
//! order; the largest overlap is recorded and reported. Between impacts the step is of second order, except that friction
//! acts against the sliding velocity at the end of the step, and exact for constant gravity. Works are computed as (v +
//! v⁺)/2 times the impulses, which equals the change of kinetic energy to rounding. The energy ledger therefore shows the
//! errors of rotation, springs and joints, but not those of the instants of impacts.

mod active;
mod correct;
mod find;
mod impact;
mod islands;
mod joint_friction;
mod limits;
mod newton;
mod passages;
mod rows;
mod solver;
mod touches;

pub(crate) use limits::{check, restitution};

use crate::disjoint_sets::DisjointSets;
use crate::dynamics::{BodyResponse, Evaluation};
use crate::element::Element;
use crate::input::StepInput;
use crate::joint::Drive;
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::note::Note;
use crate::observe::{Observer, Sample};
use crate::state::State;
use crate::step::joint_friction::record_angles;
use crate::window::linked_bodies;
use crate::world::{ContactMethod, ImpactLaw, World};
use active::{joined, parts};
use carom::Result;
use find::Contacts;
use islands::ContactIslands;
use joint_friction::JointFrictionImpulse;
use rows::{BodyVelocity, dot};
use solver::Solver;

/// Fraction of the step by which two times may differ and still count as equal.
const TIME_TOLERANCE: f64 = 1e-6;

/// A note is given if the velocities after a step violate the conditions of contact by more than this fraction of the
/// largest velocity.
const MAX_RESIDUAL: f64 = 1e-11;

/// Integrator of the nonsmooth method. All of its data follow from world and state.
#[derive(Clone, Debug)]
pub(crate) struct Stepper {
    step: f64,
    law: ImpactLaw,
    /// Indices of the velocity components of a body that can change.
    freedoms: &'static [usize],
    evaluation: Evaluation,
    contacts: Contacts,
    islands: ContactIslands,
    solver: Solver,
    /// Friction of the joints in the step.
    joint_frictions: Vec<JointFrictionImpulse>,
    /// Whether forces depend on velocities, so that they are evaluated again once the contacts are solved.
    depends_on_velocity: bool,
    /// Free bodies that are connected by joints, springs or motors; their forces are corrected together.
    linked: DisjointSets,
    /// For each contact, the sum of half the thicknesses of its two shapes (m).
    thicknesses: Vec<f64>,
    /// Whether anything does work apart from contacts and gravity: elements, motors, driven joints or bodies, or viscous
    /// friction of joints.
    has_works: bool,
    // Buffers: state vectors in the middle and at the end of the step, its rates, velocities of all bodies before and after
    // the step, and after an impact without forces.
    middle: Vec<f64>,
    end: Vec<f64>,
    slope: Vec<f64>,
    before: Vec<BodyVelocity>,
    after: Vec<BodyVelocity>,
    after_impact: Vec<BodyVelocity>,
    /// Changes of the velocities of all bodies due to forces and joints alone.
    force_changes: Vec<BodyVelocity>,
    /// Largest velocity at the contacts of each island (m/s), and the residual of their conditions relative to it.
    scales: Vec<f64>,
    residuals: Vec<f64>,
    last_friction: Vec<f64>,
    responses: Vec<BodyResponse>,
}

impl Stepper {
    /// Creates the integrator for a world that uses this method; none for the smooth method.
    pub fn new(world: &World) -> Option<Self> {
        let ContactMethod::Nonsmooth { step, law } = world.method else { return None };
        let turns =
            |&body: &usize| world.columns.isotropic_inertia[body].is_none() && !world.planar;
        let damps = |element: &Element| match element {
            Element::Spring { damping, .. } => *damping != 0.0,
            Element::Drag { .. } => true,
            Element::Force { .. } | Element::Couple { .. } => false,
        };
        let driven = world.joints.iter().any(|joint| joint.drive != Drive::Free)
            || !world.joints.is_empty() && !world.columns.driven.is_empty();
        let viscous = world.joints.iter().filter_map(|joint| joint.friction);
        let viscous = viscous.into_iter().any(|friction| friction.viscous != 0.0);
        Some(Self {
            step,
            law,
            freedoms: if world.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] },
            evaluation: Evaluation::new(world),
            contacts: Contacts::new(world),
            islands: ContactIslands::default(),
            solver: Solver::default(),
            joint_frictions: Vec::new(),
            depends_on_velocity: world.free.iter().any(turns)
                || world.elements.iter().any(damps)
                || !world.joints.is_empty()
                || !world.actuators.is_empty(),
            linked: linked_bodies(world),
            thicknesses: passages::thicknesses(world),
            has_works: !world.elements.is_empty()
                || !world.actuators.is_empty()
                || driven
                || viscous,
            middle: Vec::new(),
            end: Vec::new(),
            slope: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            after_impact: Vec::new(),
            force_changes: Vec::new(),
            scales: Vec::new(),
            residuals: Vec::new(),
            last_friction: Vec::new(),
            responses: Vec::new(),
        })
    }

    /// Returns the end of the step that begins at a time (s). It is a multiple of the step, so that rounding of times does
    /// not accumulate.
    fn end_of_step(&self, time: f64, until: f64) -> f64 {
        let number = (time / self.step).round();
        let on_grid = (time - number * self.step).abs() <= TIME_TOLERANCE * self.step;
        let next = if on_grid { (number + 1.0) * self.step } else { time + self.step };
        if next < until - TIME_TOLERANCE * self.step { next } else { until }
    }

    /// Takes one step, which ends at `until` at the latest.
    ///
    /// # Errors
    /// When a contact acts between bodies that joints hold along its normal.
    pub fn step(
        &mut self,
        world: &World,
        state: &mut State,
        until: f64,
        observer: &mut impl Observer,
    ) -> Result<()> {
        let begun = state.time;
        let ended = self.end_of_step(begun, until);
        let length = ended - begun;
        self.predict_without_contacts(world, state, ended);
        let middle = begun + 0.5 * length;
        let times = (middle, length);
        self.contacts.find(world, state, &mut self.evaluation, times)?;
        joint_friction::find(
            world,
            &mut self.evaluation,
            (length, &self.last_friction),
            &mut self.contacts.rows,
            &mut self.responses,
            &mut self.joint_frictions,
        );
        self.islands.group(&self.contacts.rows, world.bodies.len());
        self.scales.clear();
        self.residuals.clear();
        for island in 0..self.islands.count() {
            self.solve_island(state, island, length);
        }
        self.correct_forces(world, state, ended);
        for island in 0..self.islands.count() {
            self.conclude_island(world, island);
        }
        self.finish(world, state, ended);
        for joint in &self.joint_frictions {
            joint.keep(state);
        }
        self.note_passages(world, state, length);
        self.sample_within(world, state, ended, observer);
        std::mem::swap(&mut state.y, &mut self.end);
        state.time = ended;
        state.counts.steps += 1;
        self.record_extremes(world, state);
        if !world.joints.is_empty() {
            self.evaluation.kinematics.read(&StepInput::at(world, state), ended, &state.y);
            record_angles(world, state, &self.evaluation.kinematics.bodies, length);
        }
        let residual = self.residuals.iter().fold(0.0f64, |most, one| most.max(*one));
        if residual > MAX_RESIDUAL {
            state.note(Note::Unsolved { residual, time: begun });
        }
        touches::update(world, state, &self.contacts, &self.after, (begun, ended), observer);
        self.sample_at_end(world, state, observer);
        Ok(())
    }

    /// Evaluates forces and joints in the middle of the step, and stores the velocities without contacts in `after`.
    fn predict_without_contacts(&mut self, world: &World, state: &mut State, ended: f64) {
        let (begun, length) = (state.time, ended - state.time);
        let input = StepInput::at(world, state);
        let layout = input.layout();
        let kinematics = &mut self.evaluation.kinematics;
        kinematics.read(&input, begun, &state.y);
        self.contacts.begin(state, kinematics);
        self.before.clear();
        self.before.extend(kinematics.bodies.iter().map(|body| joined(body.v, body.w)));
        self.middle.clone_from(&state.y);
        self.slope.clear();
        self.slope.resize(state.y.len(), 0.0);
        for (slot, &body) in world.free.iter().enumerate() {
            let moving = &kinematics.bodies[body];
            let (x, q) = (
                moving.x + moving.v * (0.5 * length),
                moving.q.rotated_by(moving.w * (0.5 * length)),
            );
            layout.set_placement(&mut self.middle, slot, x, q);
        }
        let time = begun + 0.5 * length;
        // This evaluation still contains the friction of joints of the last step; it is only needed for the velocities in
        // the middle of this step.
        self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
        joint_friction::take_out(world, state, &mut self.last_friction);
        let input = StepInput::at(world, state);
        let layout = input.layout();
        let mut evaluations = 1;
        if self.depends_on_velocity {
            for (slot, &body) in world.free.iter().enumerate() {
                let (v, w) = parts(self.before[body]);
                let (a, alpha) = self.evaluation.acceleration[body];
                let (v, w) = (v + a * (0.5 * length), w + alpha * (0.5 * length));
                layout.set_velocities(&mut self.middle, slot, v, w);
            }
            self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
            evaluations = 2;
        }
        self.after.clone_from(&self.before);
        self.force_changes.clear();
        self.force_changes.resize(world.bodies.len(), [0.0; 6]);
        for &body in &world.free {
            let (a, alpha) = self.evaluation.acceleration[body];
            self.force_changes[body] = joined(a * length, alpha * length);
            for (after, gained) in self.after[body].iter_mut().zip(self.force_changes[body]) {
                *after += gained;
            }
        }
        for (body, at) in world.driven(SidedTime::at(ended)) {
            self.after[body] = joined(at.motion.v, at.motion.w);
        }
        state.counts.evaluations += evaluations;
        state.counts.body_evaluations += evaluations * world.free.len() as u64;
    }

    /// Computes the end of the step: positions from the velocities, projected onto the joints, and the works.
    fn finish(&mut self, world: &World, state: &State, ended: f64) {
        let (begun, length) = (state.time, ended - state.time);
        let input = StepInput::at(world, state);
        let layout = input.layout();
        self.end.clone_from(&state.y);
        let mean = |body: usize| {
            let (before, after) = (self.before[body], self.after[body]);
            parts(std::array::from_fn(|i| 0.5 * (before[i] + after[i])))
        };
        for (slot, &body) in world.free.iter().enumerate() {
            let (pose, (v, w)) = (layout.pose(&state.y, slot), mean(body));
            // A body at rest keeps its bits, so that its contacts are reused; normalising its rotation again might change them.
            if (v, w) != (Vec3::ZERO, Vec3::ZERO) {
                let (x, q) = (pose.position + v * length, pose.rotation.rotated_by(w * length));
                layout.set_placement(&mut self.end, slot, x, q);
            }
            let (v1, w1) = parts(self.after[body]);
            layout.set_velocities(&mut self.end, slot, v1, w1);
            layout.set_velocities(&mut self.middle, slot, v, w);
        }
        let mut works = layout.works(&state.y);
        if self.has_works {
            let time = begun + 0.5 * length;
            self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
            let rates = layout.works(&self.slope);
            works.constraints += rates.constraints * length;
            works.driven_bodies += rates.driven_bodies * length;
            works.forces += rates.forces * length;
            works.dampers += rates.dampers * length;
        }
        let velocity = |body: usize| -> BodyVelocity {
            std::array::from_fn(|i| 0.5 * (self.before[body][i] + self.after[body][i]))
        };
        let is_driven = |body: &usize| world.columns.driven.contains(body);
        for contact in &self.contacts.active {
            let p = contact.total;
            works.constraints += (0..3).map(|i| contact.drive_work[i] * p[i]).sum::<f64>();
            for (body, rows) in contact.sides.iter().filter(|(body, _)| is_driven(body)) {
                let velocity = velocity(*body);
                works.driven_bodies -= (0..3).map(|i| p[i] * dot(&rows[i], &velocity)).sum::<f64>();
            }
        }
        for joint in &mut self.joint_frictions {
            let rate = joint.rate(velocity);
            joint.conclude(&self.contacts.rows, rate);
            works.dampers -= joint.impulse * rate;
            works.constraints += joint.drive_work * joint.impulse;
            for (body, row) in joint.sides.iter().filter(|(body, _)| is_driven(body)) {
                works.driven_bodies -= joint.impulse * dot(row, &velocity(*body));
            }
        }
        layout.set_works(&mut self.end, &works);
        if !world.joints.is_empty() {
            self.evaluation.project(&input, ended, &mut self.end);
        }
    }

    /// Passes to the observer the states that it requests before the end of the step, interpolated linearly.
    fn sample_within(
        &self,
        world: &World,
        state: &State,
        ended: f64,
        observer: &mut impl Observer,
    ) {
        let (begun, mut last) = (state.time, f64::NEG_INFINITY);
        let length = ended - begun;
        while observer.next() < ended - TIME_TOLERANCE * length && observer.next() > last {
            let time = observer.next();
            last = time;
            let share = ((time - begun) / length).clamp(0.0, 1.0);
            let mut between = state.clone();
            for (y, end) in between.y.iter_mut().zip(&self.end) {
                *y += share * (end - *y);
            }
            between.time = time;
            observer.sample(&Sample { world, time, state: &between });
        }
    }

    /// Passes the end of the step to the observer if it requests that time.
    fn sample_at_end(&self, world: &World, state: &State, observer: &mut impl Observer) {
        let mut last = f64::NEG_INFINITY;
        while observer.next() <= state.time + TIME_TOLERANCE * self.step && observer.next() > last {
            let time = observer.next();
            last = time;
            let end = State { time, ..state.clone() };
            observer.sample(&Sample { world, time, state: &end });
        }
    }

    /// Updates the largest speed and kinetic energy so far.
    fn record_extremes(&self, world: &World, state: &mut State) {
        for &body in &world.free {
            let (v, w) = parts(self.after[body]);
            let speed = v.length() + w.length() * world.columns.bounding_radius[body];
            state.largest_speed = state.largest_speed.max(speed);
        }
        state.largest_kinetic = state.largest_kinetic.max(state.kinetic(world));
    }
}
