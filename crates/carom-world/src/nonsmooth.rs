//! The nonsmooth method: rigid bodies, impulses and a fixed step.
//!
//! Where the smooth method has a force that grows with an indentation, bodies are rigid here: a gap cannot be negative, an impact
//! changes velocities at once, and a restitution says by how much. The equation of motion is one between measures, M·dv = f·dt + dp,
//! and is stepped as a whole, without looking for the instants of impacts (J. J. Moreau, in Nonsmooth Mechanics and
//! Applications, Springer 1988, 1–82; M. Jean, Computer Methods in Applied Mechanics and Engineering 177 (1999) 235–257):
//!
//! 1. q_m = q + h/2·v, the configuration at the middle of the step, where forces, normals and joints are evaluated;
//! 2. the velocities that forces and joints alone would give, v_f = v + h·a;
//! 3. contacts whose gap at q_m is closed act: their impulses p make v⁺ = v_f + M⁻¹·Hᵀp satisfy an impact law (below) and
//!    Coulomb's friction (`cone.rs`, `solver.rs`);
//! 4. q⁺ = q + h/2·(v + v⁺), moved onto the joints.
//!
//! - **Newton**: 0 ≤ uₙ⁺ + e·uₙ⁻ ⊥ pₙ ≥ 0 at every contact, uₙ⁻ being the velocity of the gap when the step begins. An approach
//!   no faster than what forces make in one step is no impact: bodies that rest have e = 0.
//! - **Poisson**: the impulses p_c that bring all contacts to rest (compression), then impulses of at least e·p_c that part them
//!   (expansion), both without forces because an impact takes no time; then the step with forces and e = 0. (M. Anitescu &
//!   F. A. Potra, Nonlinear Dynamics 14 (1997) 231–247.) A contact that is not approached but hit through another body expands too.
//!
//! Both are the same where two bodies meet at one point without friction, and deliver exactly the restitution asked for. Where several
//! contacts are hit together neither knows the order in which real, elastic contacts would pass on the impact: that is what the
//! smooth method has and this one has not (`docs/background/nonsmooth.md`).
//!
//! # Joints
//! They are not among the contacts. a keeps them (`solve.rs`), and bodies answer impulses together with all bodies they are
//! joined to (`dynamics/mobility.rs`), so that a joint transmits an impact at once and exactly.
//!
//! # Errors
//! The instant of an impact is not located: it lies within a step, and its approach speed is that at the beginning of the step.
//! Times are off by up to h, speeds by up to a·h, and bodies overlap by up to v·h/2. These are errors of first order; the largest
//! overlap is kept and reported. Between impacts the step is of second order, and constant gravity is exact. Works
//! are summed as the step makes them, (v + v⁺)/2 times the impulses, which is the change of kinetic energy to rounding: the ledger
//! shows errors of rotation, springs and joints, and not those of the instants of impacts.

mod active;
mod anderson;
mod cone;
mod limits;
mod solver;
mod touches;

pub(crate) use limits::{check, restitution};

use crate::dynamics::Evaluation;
use crate::element::Element;
use crate::gap::{self, NormalMemory};
use crate::input::StepInput;
use crate::joint::Drive;
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::note::Note;
use crate::observe::{Observer, Sample};
use crate::state::{State, normal_memories};
use crate::step::{FeatureBoxes, GapBounds};
use crate::world::{ContactMethod, ImpactLaw, World};
use active::{ActiveContact, Velocity};
use carom::Result;
use cone::Local;
use solver::Request;

/// Share of the step by which times may miss each other and still be the same.
const SAME_TIME: f64 = 1e-6;
/// Approach speeds below this share of the largest velocity at the contacts of a step are rounding, not impacts.
const ROUNDING: f64 = 1e-7;

/// Takes the steps of the nonsmooth method. All of it follows from world and state.
#[derive(Clone, Debug)]
pub(crate) struct Stepper {
    step: f64,
    law: ImpactLaw,
    evaluation: Evaluation,
    boxes: FeatureBoxes,
    memories: Vec<NormalMemory>,
    /// Restitution and friction of the contacts of the world.
    coefficients: Vec<(f64, f64)>,
    /// Forces depend on velocities, so that they are evaluated twice.
    depends_on_velocity: bool,
    /// There are elements or drives, which do work.
    has_works: bool,
    // Buffers: state vectors at the middle and at the end of the step, rates, velocities of all bodies before and after.
    middle: Vec<f64>,
    end: Vec<f64>,
    slope: Vec<f64>,
    before: Vec<Velocity>,
    after: Vec<Velocity>,
    contacts: Vec<ActiveContact>,
}

impl Stepper {
    /// For a world with this method; none for the other.
    pub fn new(world: &World) -> Option<Self> {
        let ContactMethod::Nonsmooth { step, law } = world.method else { return None };
        let turns = |&body: &usize| world.columns.round[body].is_none() && !world.planar;
        let damps = |element: &Element| match element {
            Element::Spring { damping, .. } => *damping != 0.0,
            Element::Drag { .. } => true,
            Element::Force { .. } | Element::Couple { .. } => false,
        };
        let driven = world.joints.iter().any(|joint| joint.drive != Drive::Free);
        // A contact without a restitution has been refused.
        let of = |contact| (restitution(contact).unwrap_or(0.0), limits::friction(contact));
        Some(Self {
            step,
            law,
            evaluation: Evaluation::new(world),
            boxes: FeatureBoxes::new(world),
            memories: normal_memories(world),
            coefficients: world.contacts.iter().map(of).collect(),
            depends_on_velocity: world.free.iter().any(turns)
                || world.elements.iter().any(damps)
                || !world.joints.is_empty(),
            has_works: !world.elements.is_empty() || driven,
            middle: Vec::new(),
            end: Vec::new(),
            slope: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            contacts: Vec::new(),
        })
    }

    /// Where the step that begins at a time ends (s): on a multiple of the step, so that times do not add up rounding.
    fn end_of_step(&self, time: f64, until: f64) -> f64 {
        let number = (time / self.step).round();
        let on_grid = (time - number * self.step).abs() <= SAME_TIME * self.step;
        let next = if on_grid { (number + 1.0) * self.step } else { time + self.step };
        if next < until - SAME_TIME * self.step { next } else { until }
    }

    /// Takes one step, at most until a time.
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
        self.move_freely(world, state, ended);
        self.find_contacts(world, state, begun + 0.5 * length)?;
        let before: Vec<Local> = self.contacts.iter().map(|c| c.velocity(&self.before)).collect();
        let scale = self.speed_scale(&before);
        let (total, residual) = self.solve_contacts(state, &before, length, scale);
        self.finish(world, state, &total, ended);
        self.sample_within(world, state, ended, observer);
        std::mem::swap(&mut state.y, &mut self.end);
        state.time = ended;
        state.counts.steps += 1;
        self.record_extremes(world, state);
        if residual > 0.0 {
            state.note(Note::Unsolved { residual, time: begun });
        }
        let velocities = touches::Velocities { before: &before, after: &self.after, scale };
        touches::update(world, state, &self.contacts, &total, velocities, (begun, ended), observer);
        self.sample_at_end(world, state, observer);
        Ok(())
    }

    /// Evaluates forces and joints in the middle of the step: (state) → velocities without contacts in `after`.
    fn move_freely(&mut self, world: &World, state: &mut State, ended: f64) {
        let (begun, length) = (state.time, ended - state.time);
        let input = StepInput::at(world, state);
        let layout = input.layout();
        let kinematics = &mut self.evaluation.kinematics;
        kinematics.read(&input, begun, &state.y);
        self.before.clear();
        self.before.extend(kinematics.bodies.iter().map(|body| (body.v, body.w)));
        self.middle.clone_from(&state.y);
        self.slope.clear();
        self.slope.resize(state.y.len(), 0.0);
        for (slot, &body) in world.free.iter().enumerate() {
            let moving = &kinematics.bodies[body];
            let (x, q) =
                (moving.x + moving.v * (0.5 * length), moving.q.spun(moving.w * (0.5 * length)));
            layout.set_placement(&mut self.middle, slot, x, q);
        }
        let time = begun + 0.5 * length;
        self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
        let mut evaluations = 1;
        if self.depends_on_velocity {
            for (slot, &body) in world.free.iter().enumerate() {
                let ((v, w), (a, alpha)) = (self.before[body], self.evaluation.acceleration[body]);
                let (v, w) = (v + a * (0.5 * length), w + alpha * (0.5 * length));
                layout.set_velocities(&mut self.middle, slot, v, w);
            }
            self.evaluation.evaluate(&input, time, &self.middle, &mut self.slope);
            evaluations = 2;
        }
        self.after.clone_from(&self.before);
        for &body in &world.free {
            let (a, alpha) = self.evaluation.acceleration[body];
            self.after[body].0 += a * length;
            self.after[body].1 += alpha * length;
        }
        for (body, at) in world.driven(SidedTime::at(ended)) {
            self.after[body] = (at.velocity, at.spin);
        }
        state.counts.evaluations += evaluations;
        state.counts.body_evaluations += evaluations * world.free.len() as u64;
    }

    /// Finds the contacts that are closed in the middle of the step.
    ///
    /// # Errors
    /// When joints hold the bodies of one along its normal.
    fn find_contacts(&mut self, world: &World, state: &mut State, time: f64) -> Result<()> {
        self.contacts.clear();
        let mut closed = Vec::new();
        let mut normals = state.normals.clone();
        let kinematics = &self.evaluation.kinematics;
        let mut bounds = GapBounds::new(world, &self.boxes, kinematics);
        let input = StepInput::at(world, state);
        for site in 0..world.sites.len() {
            let memory = self.memories.get(site).copied().unwrap_or(NormalMemory::Unused);
            if memory != NormalMemory::Always && bounds.exceeds(site, 0.0) {
                if memory == NormalMemory::WhileTouching {
                    normals[site] = Vec3::ZERO;
                }
                continue;
            }
            let found = kinematics.gap(&input, site);
            // Bodies that were placed to touch are apart by rounding.
            let acts = found.gap.distance <= kinematics.gap_rounding(world, found.a, found.b);
            match memory {
                NormalMemory::Unused => {}
                NormalMemory::WhileTouching if !acts => normals[site] = Vec3::ZERO,
                _ => normals[site] = found.gap.normal,
            }
            if acts {
                closed.push((site, found));
            }
        }
        state.normals = normals;
        for (site, found) in closed {
            record_overlap(world, state, site, -found.gap.distance, time);
            let (restitution, friction) = self.coefficients[world.sites[site].contact];
            let evaluation = &mut self.evaluation;
            let contact =
                ActiveContact::new(world, evaluation, site, found, restitution, friction)?;
            self.contacts.push(contact);
        }
        Ok(())
    }

    /// Largest velocity at the contacts that act, when the step begins and without their impulses (m/s).
    fn speed_scale(&self, before: &[Local]) -> f64 {
        let free = self.contacts.iter().flat_map(|contact| contact.velocity(&self.after));
        before.iter().flatten().copied().chain(free).fold(0.0, |most, u| most.max(u.abs()))
    }

    /// Solves for the impulses: velocities without contacts become those with them. Gives the impulses of the whole step.
    fn solve_contacts(
        &mut self,
        state: &State,
        before: &[Local],
        length: f64,
        scale: f64,
    ) -> (Vec<Local>, f64) {
        let none = Request { bias: 0.0, floor: 0.0 };
        let contacts = &mut self.contacts;
        if contacts.is_empty() {
            return (Vec::new(), 0.0);
        }
        // What forces make of a contact at rest within a step is no impact either, or a ball would never stop bouncing.
        let strikes = |contact: &ActiveContact, before: &Local, after: &[Velocity]| {
            let gained = before[0] - contact.velocity(after)[0];
            -before[0] > gained.max(ROUNDING * scale)
        };
        let pairs = contacts.iter().zip(before);
        let struck: Vec<bool> = pairs.map(|(c, u)| strikes(c, u, &self.after)).collect();
        let any_struck = struck.contains(&true);
        let (requests, mut total): (Vec<Request>, Vec<Local>) = match self.law {
            ImpactLaw::Newton => {
                let asked = contacts.iter().zip(before).zip(&struck);
                let requests = asked.map(|((contact, u), struck)| match struck {
                    true => Request { bias: contact.restitution * u[0], ..none },
                    false => none,
                });
                (requests.collect(), vec![[0.0; 3]; contacts.len()])
            }
            ImpactLaw::Poisson if any_struck => {
                let mut bodies = self.before.clone();
                let pressed = expand(contacts, &mut bodies);
                let moved = bodies.iter().zip(&self.before);
                for (after, (parted, before)) in self.after.iter_mut().zip(moved) {
                    after.0 += parted.0 - before.0;
                    after.1 += parted.1 - before.1;
                }
                (vec![none; contacts.len()], pressed)
            }
            ImpactLaw::Poisson => (vec![none; contacts.len()], vec![[0.0; 3]; contacts.len()]),
        };
        if !any_struck {
            for contact in contacts.iter_mut() {
                let known = state.rigid_touches.iter().find(|touch| touch.site == contact.site);
                if let Some(touch) = known {
                    let impulse = contact.along_axes(touch.force * length);
                    contact.push(impulse, &mut self.after);
                }
            }
        }
        let residual = solver::solve(contacts, &requests, &mut self.after);
        for (total, contact) in total.iter_mut().zip(contacts.iter()) {
            for (sum, p) in total.iter_mut().zip(contact.impulse) {
                *sum += p;
            }
        }
        (total, residual)
    }

    /// Makes the end of the step: positions from velocities, onto the joints, and works.
    fn finish(&mut self, world: &World, state: &State, total: &[Local], ended: f64) {
        let (begun, length) = (state.time, ended - state.time);
        let input = StepInput::at(world, state);
        let layout = input.layout();
        self.end.clone_from(&state.y);
        let mean = |body: usize| {
            let ((v, w), (v1, w1)) = (self.before[body], self.after[body]);
            ((v + v1) * 0.5, (w + w1) * 0.5)
        };
        for (slot, &body) in world.free.iter().enumerate() {
            let (pose, (v, w)) = (layout.pose(&state.y, slot), mean(body));
            let (x, q) = (pose.position + v * length, pose.rotation.spun(w * length));
            layout.set_placement(&mut self.end, slot, x, q);
            layout.set_velocities(&mut self.end, slot, self.after[body].0, self.after[body].1);
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
        for (contact, p) in self.contacts.iter().zip(total) {
            works.constraints += (0..3).map(|i| contact.drive_work[i] * p[i]).sum::<f64>();
            let push = contact.in_world(*p);
            for (body, push) in [(contact.at.b, push), (contact.at.a, -push)] {
                if world.columns.driven.contains(&body) {
                    works.driven_bodies -= push.dot(mean(body).0);
                }
            }
        }
        layout.set_works(&mut self.end, &works);
        if !world.joints.is_empty() {
            self.evaluation.project(&input, ended, &mut self.end);
        }
    }

    /// Shows the observer the states that it asks for before the end of the step: between beginning and end in proportion.
    fn sample_within(
        &self,
        world: &World,
        state: &State,
        ended: f64,
        observer: &mut impl Observer,
    ) {
        let (begun, mut last) = (state.time, f64::NEG_INFINITY);
        let length = ended - begun;
        while observer.next() < ended - SAME_TIME * length && observer.next() > last {
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

    /// Shows the observer the end of the step, where it asks for it.
    fn sample_at_end(&self, world: &World, state: &State, observer: &mut impl Observer) {
        let mut last = f64::NEG_INFINITY;
        while observer.next() <= state.time + SAME_TIME * self.step && observer.next() > last {
            let time = observer.next();
            last = time;
            let end = State { time, ..state.clone() };
            observer.sample(&Sample { world, time, state: &end });
        }
    }

    /// Keeps the largest speed and kinetic energy so far.
    fn record_extremes(&self, world: &World, state: &mut State) {
        for &body in &world.free {
            let (v, w) = self.after[body];
            let speed = v.length() + w.length() * world.columns.reach[body];
            state.largest_speed = state.largest_speed.max(speed);
        }
        state.largest_kinetic = state.largest_kinetic.max(state.kinetic(world));
    }
}

/// Poisson's impact: compression and expansion of all contacts, without forces. Gives their impulses, and leaves the velocities
/// after the impact.
fn expand(contacts: &mut [ActiveContact], bodies: &mut [Velocity]) -> Vec<Local> {
    let none = vec![Request { bias: 0.0, floor: 0.0 }; contacts.len()];
    solver::solve(contacts, &none, bodies);
    let pressed: Vec<Local> = contacts.iter_mut().map(|c| std::mem::take(&mut c.impulse)).collect();
    let least = contacts.iter().zip(&pressed).map(|(c, p)| c.restitution * p[0]);
    let requests: Vec<Request> = least.map(|floor| Request { bias: 0.0, floor }).collect();
    solver::solve(contacts, &requests, bodies);
    let sum = |(contact, pressed): (&mut ActiveContact, Local)| {
        let parted = std::mem::take(&mut contact.impulse);
        std::array::from_fn(|i| pressed[i] + parted[i])
    };
    contacts.iter_mut().zip(pressed).map(sum).collect()
}

/// Keeps the largest overlap, and notes one that is no longer small against the bodies.
fn record_overlap(world: &World, state: &mut State, site: usize, overlap: f64, time: f64) {
    state.overlap_max = state.overlap_max.max(overlap);
    let [a, b] = world.shapes_at(site);
    let limit = gap::smooth_depth(a, b).min(gap::valid_depth(a, b));
    if overlap > limit {
        let (contact, name) = (world.sites[site].contact, world.contact_at(site).name.clone());
        state.note(Note::RigidOverlap { contact, name, overlap, limit, time });
    }
}
