//! A run: from one state to the next.
//!
//! One step: *forces* give the slope (`dynamics.rs`); *advance* takes a step of the eighth-order pair of
//! `carom::ode` and accepts or refuses it by its error; *detect* finds what the step passed (`detect.rs`) and
//! shortens it so that the first event lies at its end; *commit* makes the end the new state, projects it
//! onto the joints, lets the laws remember, and changes what the event changes (`commit.rs`); *onset*
//! freezes v₀, mass and law of a new touch (`onset.rs`).
//!
//! Errors are measured against what matters: positions against the smallest indentation scale among the
//! touches (bodies apart: against their size), velocities against the largest speed so far, of bodies with a prescribed
//! motion too, or where that is more against what the step itself gives them. So what starts from rest
//! has a scale, too. The tolerance is relative to these, and not below what rounding makes of accelerations.

use crate::commit::{self, Now};
use crate::detect::Event;
use crate::dynamics::Dynamics;
use crate::gap::NormalMemory;
use crate::joint::Drive;
use crate::locate::Doubt;
use crate::math::{Quat, Vec3};
use crate::observe::Observer;
use crate::state::{BODY, Layout, Phase, State, TOUCH, Touch, WORKS, sought};
use crate::world::{Mobility, World};
use carom::ode::{Stepper, stretch};
use carom::{Error, Result};

pub(crate) mod jump;
mod limits;

/// A world and its state on their way.
#[derive(Clone, Debug)]
pub struct Run<'w> {
    pub(crate) world: &'w World,
    pub(crate) state: State,
    pub(crate) dynamics: Dynamics,
    pub(crate) stepper: Stepper,
    pub(crate) slope: Vec<f64>,
    pub(crate) buffer: Vec<f64>,
    pub(crate) second: Vec<f64>,
    /// Time from the end of the step to the event it was aimed at, and the slope there.
    pub(crate) tail: f64,
    pub(crate) beyond: Vec<f64>,
    /// The end of the step with unit rotations, the slope there, and whether that is what was evaluated last.
    pub(crate) ending: Vec<f64>,
    ahead: Vec<f64>,
    pub(crate) arrived: bool,
    /// Gaps of all sites at the start of the step (those that are open).
    pub(crate) gaps: Vec<f64>,
    /// Normals at the state, for sites where they are sought, and which these are.
    normals: Vec<Vec3>,
    sought: Vec<NormalMemory>,
    // Room for what a step finds, kept so that nothing is allocated.
    pub(crate) events: Vec<Event>,
    pub(crate) doubts: Vec<Doubt>,
    /// Sliders that may slip or stick for a part of the step.
    pub(crate) brief: Vec<Event>,
    pub(crate) pieces: Vec<[f64; 4]>,
    pub(crate) now: Vec<Now>,
    /// Smallest reach of a free body: lengths of bodies apart.
    size: f64,
    /// Largest acceleration at the state.
    hardest: f64,
    /// What rounding makes of accelerations at the state, and room to find it.
    rough: f64,
    sums: Vec<f64>,
    /// Steps in a row that hardly moved time.
    idle: usize,
    /// Motions that bend somewhere: steps end there.
    bending: Vec<&'w crate::Motion>,
    /// A time in which no driven joint moves by much.
    pace: f64,
}

/// Steps in a row that may hardly move time: events that fall together need some.
const MOST_IDLE: usize = 2000;
/// Touches at once for which there is room beforehand.
const MOST_ROOM: usize = 256;
/// Steps in contact grow by no more than this.
const GROWTH: f64 = 4.0;
/// How much larger errors of the work of a contact may be than those of its motion, as shares of either.
const WORK: f64 = 100.0;
/// Steps refused in a row before a run gives up.
const MOST_REFUSED: usize = 60;

impl<'w> Run<'w> {
    /// Begins at t = 0 with the bodies as they were added, moved onto the joints if need be.
    ///
    /// # Errors
    /// When a contact that exists from the start cannot be, or the joints cannot be satisfied.
    pub fn new(world: &'w World) -> Result<Self> {
        let mut run = Self::on(world, State::bare(world));
        let state = &mut run.state;
        let left = run.dynamics.project(world, state.layout, 0.0, &mut state.y);
        if left > 1e-9 {
            return Err(Error::invalid(
                "the start",
                format!("{left:e} m (or rad) off its joints"),
                "a configuration that satisfies all joints",
                "place the bodies so that the two halves of every joint coincide",
            ));
        }
        run.evaluate();
        let rows = run.dynamics.redundant();
        if rows > 0 {
            run.state.note(crate::Note::Redundant { rows });
        }
        run.state.initial = 0.0;
        crate::start::begin(&mut run)?;
        run.evaluate();
        let energies = run.state.energies(world);
        run.state.initial = energies.kinetic + energies.potential + energies.stored;
        Ok(run)
    }

    /// Continues from a state, exactly as it would have.
    pub fn resume(world: &'w World, state: State) -> Self {
        let mut run = Self::on(world, state);
        run.evaluate();
        run
    }

    fn on(world: &'w World, state: State) -> Self {
        let reach = world.free.iter().map(|&b| world.columns.reach[b]).filter(|r| *r > 0.0);
        let size = reach.fold(f64::INFINITY, f64::min);
        // Room for what may come, so that steps do not allocate: a touch at every site, up to a bound.
        let (sites, mut state, mut stepper) = (world.sites.len(), state, Stepper::default());
        let touches = sites.min(MOST_ROOM);
        let numbers = state.layout.touch(touches);
        state.y.reserve(numbers.saturating_sub(state.y.len()));
        state.touches.reserve(touches.saturating_sub(state.touches.len()));
        stepper.reserve(numbers);
        let mut dynamics = Dynamics::new(world);
        dynamics.starts.clone_from(&state.normals);
        let row = || Vec::with_capacity(numbers);
        Self {
            world,
            dynamics,
            stepper,
            slope: row(),
            buffer: row(),
            second: row(),
            tail: 0.0,
            beyond: row(),
            ending: row(),
            ahead: row(),
            arrived: false,
            gaps: vec![f64::INFINITY; sites],
            normals: state.normals.clone(),
            sought: sought(world),
            // Five at most are watched of a touch, and an open site has one.
            events: Vec::with_capacity(5 * touches + sites),
            doubts: Vec::with_capacity(sites),
            brief: Vec::with_capacity(touches),
            pieces: Vec::with_capacity(64),
            now: Vec::with_capacity(touches),
            size: if size.is_finite() { size } else { 1.0 },
            hardest: 0.0,
            rough: 0.0,
            sums: Vec::with_capacity(world.bodies.len()),
            idle: 0,
            pace: joint_pace(world),
            bending: world.motions().filter(|m| m.next_breakpoint(-1.0) < f64::INFINITY).collect(),
            state,
        }
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Runs until a time.
    ///
    /// # Errors
    /// When a step cannot be made small enough, a contact cannot begin, or the energy ledger does not close.
    pub fn advance(&mut self, until: f64) -> Result<()> {
        self.advance_with(until, &mut ())
    }

    /// Runs until a time, with someone who watches.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn advance_with(&mut self, until: f64, observer: &mut impl Observer) -> Result<()> {
        while self.state.time < until {
            self.step(until, observer)?;
        }
        self.state.audit(self.world, None, 0.0)
    }

    /// Slope and gaps at the state.
    pub(crate) fn evaluate(&mut self) {
        let (world, state) = (self.world, &mut self.state);
        self.slope.resize(state.y.len(), 0.0);
        let (t, touches) = (state.time, &state.touches);
        self.dynamics.slope(world, state.layout, touches, t, &state.y, &mut self.slope);
        state.counts.evaluations += 1;
        self.arrived = false;
        self.survey();
    }

    /// Slope where the step ends, as a state has it, unless it was found on landing there.
    pub(crate) fn arrive(&mut self, landed: bool) {
        let (world, layout, touches) = (self.world, self.state.layout, &self.state.touches);
        self.ending.clear();
        self.ending.extend_from_slice(self.stepper.end());
        unit_rotations(layout, &mut self.ending);
        let t = self.stepper.begun() + self.stepper.length();
        if !landed {
            self.ahead.resize(self.ending.len(), 0.0);
            self.dynamics.slope(world, layout, touches, t, &self.ending, &mut self.ahead);
            self.state.counts.evaluations += 1;
        }
        // Where a motion bends, the state that follows is another.
        self.arrived = !landed && t < self.dynamics.limit;
    }

    /// Slope and gaps at the state, which is where the step ended.
    pub(crate) fn settle(&mut self) {
        let same = self.state.time == self.stepper.begun() + self.stepper.length();
        if !(self.arrived && same) {
            return self.evaluate();
        }
        std::mem::swap(&mut self.slope, &mut self.ahead);
        self.arrived = false;
        self.survey();
    }

    /// Largest speed, largest acceleration and gaps at the state, after its slope.
    fn survey(&mut self) {
        let (world, state) = (self.world, &mut self.state);
        let mut hardest = 0.0f64;
        for &body in world.free.iter().chain(&world.columns.driven) {
            let (linear, angular) = self.dynamics.acceleration[body];
            let (moving, reach) = (&self.dynamics.moving[body], world.columns.reach[body]);
            state.fastest = state.fastest.max(moving.v.length() + moving.w.length() * reach);
            if world.columns.slot[body].is_some() {
                hardest = hardest.max(linear.length() + angular.length() * reach);
            }
        }
        self.hardest = hardest;
        let state = &self.state;
        for site in (0..world.sites.len()).filter(|&site| state.open[site]) {
            let gap = self.dynamics.gap(world, site).0;
            self.gaps[site] = gap.distance;
            match self.sought.get(site) {
                Some(NormalMemory::Always) => self.normals[site] = gap.normal,
                Some(NormalMemory::WhileTouching) => self.normals[site] = Vec3::ZERO,
                _ => {}
            }
        }
        for (touch, pushed) in state.touches.iter().zip(&self.dynamics.pushed) {
            if self.sought.get(touch.site).is_some_and(|sought| *sought != NormalMemory::Unused) {
                self.normals[touch.site] = match touch.phase {
                    Phase::Pushing => pushed.gap.normal,
                    Phase::Idle => self.dynamics.gap(world, touch.site).0.normal,
                };
            }
        }
        self.rough = self.dynamics.roughness(world, state, &mut self.sums);
    }

    /// Takes one step, at most until a time.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn step(&mut self, until: f64, observer: &mut impl Observer) -> Result<()> {
        // All of this step begins at the normals that were found where it begins: they are part of the state, so that a
        // run that is resumed seeks from the same.
        self.state.normals.copy_from_slice(&self.normals);
        self.dynamics.starts.copy_from_slice(&self.normals);
        let bends = self.bending.iter().map(|motion| motion.next_breakpoint(self.state.time));
        let bend = bends.fold(f64::INFINITY, f64::min);
        self.dynamics.limit = bend;
        let until = until.min(bend);
        let left = until - self.state.time;
        let mut h = match self.state.step > 0.0 {
            true => self.state.step,
            false => self.first_step(left),
        };
        h = h.min(self.most_step());
        // Where a law has a corner ahead, steps come nearer and then end on it.
        let (mut aim, mut refused) = (None, 0);
        let (since, power) = self.since();
        if let Some(ahead) = self.aim(h)
            && h > ahead.step.min(0.75 * ahead.time)
        {
            h = ahead.step;
            aim = (h == ahead.time).then_some(ahead.event);
        }
        let passed = loop {
            let clamped = h >= left;
            self.take(h.min(left));
            let error = self.error();
            if !(error <= 1.0) {
                refused += 1;
                aim = None;
                self.state.counts.refused += 1;
                if refused > 1
                    && let Some(event) = self.jump()
                {
                    break event;
                }
                let share = if error.is_finite() { stretch(error).clamp(0.02, 0.9) } else { 0.02 };
                h = h.min(left) * share;
                let resolved = h > 1e-16 * self.state.time.abs() && h > 1e-290;
                if refused > MOST_REFUSED || !resolved {
                    return Err(self.shrank(h));
                }
                continue;
            }
            // In contact the force rises steeply: steps that grow too fast are refused. A corner behind is
            // felt the less the longer ago it was (`aim.rs`); less than that is taken, to be sure.
            let most = if self.state.touches.is_empty() { 8.0 } else { GROWTH };
            let faded = 1.0 + h / since;
            let next = match faded.is_finite() {
                true => {
                    let grown = faded * stretch(error * faded.powf(power + 1.0));
                    h * (grown * 0.8f64.max(0.85 / faded)).min(most)
                }
                false => h * most,
            };
            let aimed = aim.take().filter(|_| !clamped);
            let landed = aimed.filter(|&event| self.land(event));
            if aimed.is_some() && landed.is_none() && !(self.error() <= 1.0) {
                // Beyond the corner the law is another: come nearer first.
                h = 0.7 * self.stepper.length();
                continue;
            }
            self.arrive(landed.is_some());
            if let Some(event) = self.leapt() {
                self.tail = 0.0;
                self.state.step = h;
                break event;
            }
            let Some((event, x)) = self.passed(landed) else {
                if landed.is_some() {
                    self.state.step = h;
                    break landed;
                }
                // A step cut short by the end says nothing about the next one.
                self.state.step = if clamped { self.state.step.max(next) } else { next };
                break None;
            };
            self.tail = 0.0;
            self.locate(event, x);
            let error = self.error();
            if error.is_nan() || (error > 1.0 && self.stepper.length() > 1e-3 * h) {
                // Past the event the law may be another; come nearer first.
                refused += 1;
                h = 0.7 * self.stepper.length();
                if refused > MOST_REFUSED {
                    return Err(self.shrank(h));
                }
                continue;
            }
            self.state.step = self.stepper.length().max(1e-3 * h);
            break Some(event);
        };
        let moved = self.stepper.length() > 1e-13 * self.state.time.abs();
        self.idle = if moved { 0 } else { self.idle + 1 };
        if self.idle > MOST_IDLE {
            return Err(self.endless(passed));
        }
        commit::commit(self, passed, until, observer)
    }

    /// True where the next step may depend on where the run ends: it would reach there, if nothing cut it short. Up to
    /// this moment a run that goes on for longer is the same run.
    pub fn end_matters(&self, until: f64) -> bool {
        let next = match self.state.step > 0.0 {
            true => self.state.step,
            false => self.first_step(f64::INFINITY),
        };
        !(self.state.time + next < until)
    }

    /// A step over which no touch moves by much more than its scale. The stages of a longer one may all lie
    /// out of contact and see no force at all, which looks like no error. The same goes for a body that swings by itself.
    fn most_step(&self) -> f64 {
        let pushing = self.state.touches.iter().filter(|touch| touch.phase == Phase::Pushing);
        let moves = pushing.map(|touch| 5.0 * touch.scale / touch.rate.abs());
        let most = moves.fold(self.pace, f64::min);
        if self.world.columns.driven.is_empty() {
            return most;
        }
        let pace = |touch: &Touch| {
            let contact = &self.world.contacts[self.world.sites[touch.site].contact];
            let bodies = [contact.a, contact.b].map(|shape| self.world.shapes[shape].body);
            let of = |body: usize| match &self.world.bodies[body].mobility {
                Mobility::Driven { motion, .. } => motion.time_scale(),
                _ => f64::INFINITY,
            };
            bodies.into_iter().map(of).fold(f64::INFINITY, f64::min)
        };
        self.state.touches.iter().map(pace).fold(most, f64::min)
    }

    /// Takes a step of length h from the state.
    fn take(&mut self, h: f64) {
        self.arrived = false;
        let (world, state, dynamics) = (self.world, &self.state, &mut self.dynamics);
        let (layout, touches) = (state.layout, &state.touches);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            dynamics.slope(world, layout, touches, t, y, out);
        };
        self.stepper.step(&mut f, state.time, &state.y, &self.slope, h);
        self.state.counts.evaluations += 11;
    }

    pub(crate) fn again(&mut self, h: f64) {
        self.arrived = false;
        let (world, state, dynamics) = (self.world, &self.state, &mut self.dynamics);
        let (layout, touches) = (state.layout, &state.touches);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            dynamics.slope(world, layout, touches, t, y, out);
        };
        self.stepper.again(&mut f, h);
        self.state.counts.evaluations += 11;
    }

    pub(crate) fn interpolate(&mut self) {
        self.arrived = false;
        if self.stepper.interpolates() {
            return;
        }
        let (world, state, dynamics) = (self.world, &self.state, &mut self.dynamics);
        let (layout, touches) = (state.layout, &state.touches);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            dynamics.slope(world, layout, touches, t, y, out);
        };
        self.stepper.interpolate(&mut f);
        self.state.counts.evaluations += 4;
    }

    /// The error of the step against the tolerance.
    pub(crate) fn error(&self) -> f64 {
        let h = self.stepper.length();
        let speed = self.state.fastest.max(self.hardest * h);
        let error = self.error_against(speed);
        if error <= 1.0 {
            return error;
        }
        // What starts from rest is measured against what the step gives it: forces may begin within the step.
        let free = self.state.layout.free;
        let linear = self.stepper.steepest(7 * free..10 * free);
        let angular = self.size * self.stepper.steepest(10 * free..BODY * free);
        let given = linear.max(angular) * h;
        if given > speed { self.error_against(given) } else { error }
    }

    /// The same with velocities measured against a speed.
    fn error_against(&self, speed: f64) -> f64 {
        let (state, tolerance) = (&self.state, self.world.tolerance);
        let (free, h) = (state.layout.free, self.stepper.length());
        let scales = state.touches.iter().filter(|touch| touch.phase == Phase::Pushing);
        let length = scales.map(|touch| touch.scale).fold(self.size, f64::min);
        let of_length = tolerance * length;
        let of_speed = (tolerance * speed).max(self.rough * h).max(f64::MIN_POSITIVE);
        self.stepper.error(|i, size| {
            if i < 3 * free {
                of_length.max(4.0 * f64::EPSILON * size)
            } else if i < 7 * free {
                // Turning adds up over many steps: one digit more.
                (0.1 * of_length / self.size).max(4.0 * f64::EPSILON)
            } else if i < 10 * free {
                of_speed.max(4.0 * f64::EPSILON * size)
            } else if i < BODY * free {
                of_speed / self.size
            } else if i < BODY * free + WORKS {
                f64::INFINITY
            } else {
                let touch = &state.touches[(i - BODY * free - WORKS) / TOUCH];
                match (i - BODY * free - WORKS) % TOUCH {
                    0 if touch.internal > 0.0 || size > 0.0 => tolerance * touch.internal.max(size),
                    1..=3 => {
                        let contact = self.world.sites[touch.site].contact;
                        let friction = self.world.contacts[contact].friction;
                        let scale = friction.map_or(0.0, |f| f.scale(touch.load()));
                        // An error in the force of a spring whose slider slips is gone after the time c/k, and what it
                        // has made of the speed by then is what matters. Where edges lie on faces the contact point is
                        // known to some 1e-10 m only, and the direction of the slip no better.
                        let gone = match touch.slipping && touch.spring.is_damped() {
                            true => {
                                0.01 * of_speed
                                    * touch.law.mass
                                    * touch.spring.relaxation_rate(touch.delta)
                            }
                            false => 0.0,
                        };
                        if scale > 0.0 {
                            gone.max(tolerance * scale.max(size))
                        } else {
                            f64::INFINITY
                        }
                    }
                    // Forces that balance move nothing, but their work is booked.
                    4 => {
                        let momentum = touch.law.mass * speed;
                        let allowed = WORK * tolerance * size.max(0.5 * momentum * speed);
                        allowed.max(momentum * self.rough * h).max(f64::MIN_POSITIVE)
                    }
                    _ => f64::INFINITY,
                }
            }
        })
    }

    /// A first step for bodies that do not touch.
    fn first_step(&self, left: f64) -> f64 {
        let (fastest, hardest) = (self.state.fastest, self.hardest);
        let by_speed = if fastest > 0.0 { self.size / fastest } else { f64::INFINITY };
        let by_force = if hardest > 0.0 { (self.size / hardest).sqrt() } else { f64::INFINITY };
        (0.1 * by_speed.min(by_force)).min(left)
    }
}

/// A time in which no driven joint moves by much (s), infinite where nothing can be met.
///
/// What a step meets on its way is judged by the velocities at its ends, so it has to be short against the motion. Where the
/// tolerance is coarse its error alone would let it be as long as half a swing.
fn joint_pace(world: &World) -> f64 {
    if world.sites.is_empty() {
        return f64::INFINITY;
    }
    let paces = world.joints.iter().map(|joint| match &joint.drive {
        Drive::Angle(motion) | Drive::Slide(motion) => motion.time_scale(),
        Drive::Free => f64::INFINITY,
    });
    paces.fold(f64::INFINITY, f64::min)
}

/// Divides the rotations of a state by their lengths.
pub(crate) fn unit_rotations(layout: Layout, y: &mut [f64]) {
    for q in layout.columns_mut(y).1 {
        *q = Quat::of(*q).into();
    }
}
