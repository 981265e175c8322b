//! A run: from one state to the next.
//!
//! One step: *forces* give the slope (`dynamics.rs`); *advance* takes a step of the eighth-order pair of
//! `carom::ode` and accepts or refuses it by its error; *detect* finds what the step passed (`detect.rs`) and
//! shortens it so that the first event lies at its end; *commit* makes the end the new state, projects it
//! onto the joints, lets the laws remember, and changes what the event changes (`commit.rs`); *onset*
//! freezes v₀, mass and law of a new touch (`onset.rs`).
//!
//! Errors are measured against what matters: positions against the smallest indentation scale among the
//! touches (bodies apart: against their size), velocities against the largest speed so far. The tolerance
//! is relative to these.

use crate::commit;
use crate::detect::{Event, Look, guard, speed_bound, watched};
use crate::dynamics::Dynamics;
use crate::observe::Observer;
use crate::state::{BODY, Phase, State, TOUCH, WORKS};
use crate::world::World;
use carom::ode::{Stepper, stretch};
use carom::{Error, Result};

/// A world and its state on their way.
#[derive(Clone, Debug)]
pub struct Run<'w> {
    pub(crate) world: &'w World,
    pub(crate) state: State,
    pub(crate) dynamics: Dynamics,
    pub(crate) stepper: Stepper,
    pub(crate) slope: Vec<f64>,
    pub(crate) buffer: Vec<f64>,
    second: Vec<f64>,
    /// Gaps of all sites at the start of the step (those that are open).
    gaps: Vec<f64>,
    events: Vec<Event>,
    /// Smallest reach of a free body: lengths of bodies apart.
    size: f64,
    /// Largest acceleration at the state.
    hardest: f64,
    /// Steps in a row that hardly moved time.
    idle: usize,
}

/// Steps in a row that may hardly move time: events that fall together need some.
const MOST_IDLE: usize = 2000;
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
        commit::overlaps(&mut run)?;
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
        Self {
            world,
            dynamics: Dynamics::new(world),
            stepper: Stepper::default(),
            slope: Vec::new(),
            buffer: Vec::new(),
            second: Vec::new(),
            gaps: vec![f64::INFINITY; world.sites.len()],
            events: Vec::new(),
            size: if size.is_finite() { size } else { 1.0 },
            hardest: 0.0,
            idle: 0,
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
    /// When a step cannot be made small enough, or a contact cannot begin.
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
        Ok(())
    }

    /// Slope and gaps at the state.
    pub(crate) fn evaluate(&mut self) {
        let (world, state) = (self.world, &mut self.state);
        self.slope.resize(state.y.len(), 0.0);
        let (t, touches) = (state.time, &state.touches);
        self.dynamics.slope(world, state.layout, touches, t, &state.y, &mut self.slope);
        state.counts.evaluations += 1;
        let mut hardest = 0.0f64;
        for &body in &world.free {
            let (linear, angular) = self.dynamics.acceleration[body];
            let here = linear.length() + angular.length() * world.columns.reach[body];
            hardest = hardest.max(here);
        }
        self.hardest = hardest;
        for site in (0..world.sites.len()).filter(|&site| state.open[site]) {
            self.gaps[site] = self.dynamics.gap(world, site).0.distance;
        }
    }

    /// Takes one step, at most until a time.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn step(&mut self, until: f64, observer: &mut impl Observer) -> Result<()> {
        let left = until - self.state.time;
        let mut h = match self.state.step > 0.0 {
            true => self.state.step,
            false => self.first_step(left),
        };
        h = h.min(self.most_step());
        let mut refused = 0;
        let passed = loop {
            let clamped = h >= left;
            self.take(h.min(left));
            let error = self.error();
            if !(error <= 1.0) {
                refused += 1;
                self.state.counts.refused += 1;
                h = h.min(left) * stretch(error).min(0.9);
                let resolved = h > 1e-16 * self.state.time.abs() && h > 1e-290;
                if refused > MOST_REFUSED || !resolved {
                    return Err(Error::numerical(
                        "the step",
                        format!("it shrank to {h:e} s at t = {} s", self.state.time),
                        "a contact is too stiff or too strongly damped for its bodies: check stiffness, damping and units",
                    ));
                }
                continue;
            }
            // In contact the force rises steeply: steps that grow too fast are refused.
            let most = if self.state.touches.is_empty() { 8.0 } else { 2.0 };
            let next = h * stretch(error).min(most);
            let Some((event, x)) = self.passed() else {
                // A step cut short by the end says nothing about the next one.
                self.state.step = if clamped { self.state.step.max(next) } else { next };
                break None;
            };
            self.locate(event, x);
            if self.error() > 1.0 && self.stepper.length() > 1e-3 * h {
                // Past the event the law may be another; come nearer first.
                h = 0.7 * self.stepper.length();
                continue;
            }
            self.state.step = self.stepper.length().max(1e-3 * h);
            break Some(event);
        };
        let moved = self.stepper.length() > 1e-13 * self.state.time.abs();
        self.idle = if moved { 0 } else { self.idle + 1 };
        if self.idle > MOST_IDLE {
            return Err(Error::numerical(
                "the run",
                format!("events follow each other without end at t = {} s", self.state.time),
                "change the friction law or the law of the contact that sticks and slips there",
            ));
        }
        commit::commit(self, passed, until, observer)
    }

    /// A step over which no touch moves by much more than its scale. The stages of a longer one may all lie
    /// out of contact and see no force at all, which looks like no error.
    fn most_step(&self) -> f64 {
        let pushing = self.state.touches.iter().filter(|touch| touch.phase == Phase::Pushing);
        pushing.map(|touch| 5.0 * touch.scale / touch.rate.abs()).fold(f64::INFINITY, f64::min)
    }

    /// Takes a step of length h from the state.
    fn take(&mut self, h: f64) {
        let (world, state, dynamics) = (self.world, &self.state, &mut self.dynamics);
        let (layout, touches) = (state.layout, &state.touches);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            dynamics.slope(world, layout, touches, t, y, out);
        };
        self.stepper.step(&mut f, state.time, &state.y, &self.slope, h);
        self.state.counts.evaluations += 11;
    }

    pub(crate) fn again(&mut self, h: f64) {
        let (world, state, dynamics) = (self.world, &self.state, &mut self.dynamics);
        let (layout, touches) = (state.layout, &state.touches);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| {
            dynamics.slope(world, layout, touches, t, y, out);
        };
        self.stepper.again(&mut f, h);
        self.state.counts.evaluations += 11;
    }

    pub(crate) fn interpolate(&mut self) {
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
    fn error(&self) -> f64 {
        let (state, tolerance) = (&self.state, self.world.tolerance);
        let free = state.layout.free;
        let scales = state.touches.iter().filter(|touch| touch.phase == Phase::Pushing);
        let length = scales.map(|touch| touch.scale).fold(self.size, f64::min);
        // What starts from rest is measured against what the step gives it.
        let hardest = self.hardest * self.stepper.length();
        let speed = state.fastest.max(hardest).max(f64::MIN_POSITIVE);
        let (of_length, of_speed) = (tolerance * length, tolerance * speed);
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
                        let scale = friction.map_or(0.0, |f| f.scale(touch.strongest.0));
                        if scale > 0.0 { tolerance * scale.max(size) } else { f64::INFINITY }
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

    /// The earliest event that the step passed, and at which share of it.
    fn passed(&mut self) -> Option<(Event, f64)> {
        let world = self.world;
        let end = self.stepper.begun() + self.stepper.length();
        self.events.clear();
        for index in 0..self.state.touches.len() {
            watched(world, &self.state, index, &mut self.events);
        }
        let sticky = self.events.iter().any(|event| matches!(event, Event::Stick(_)));
        self.buffer.resize(self.state.y.len(), 0.0);
        let (state, y) = (&self.state, self.stepper.end());
        self.dynamics.see(world, state, sticky, end, y, &mut self.buffer);
        let dynamics = &self.dynamics;
        self.events.retain(|&event| match event {
            Event::Resume(_) => guard(world, dynamics, state, event, end, y) < 0.0,
            _ => guard(world, dynamics, state, event, end, y) <= 0.0,
        });
        // Open sites: closed at the end, or perhaps on the way.
        let mut perhaps: Vec<(usize, f64, f64)> = Vec::new();
        for site in (0..world.sites.len()).filter(|&site| state.open[site]) {
            let before = self.gaps[site];
            let after = dynamics.gap(world, site).0.distance;
            let bound = speed_bound(world, dynamics, site);
            if before <= 0.0 {
                // It has just parted; rounding may have left it a hair inside.
                if after < before && after <= 0.0 {
                    self.events.push(Event::Begin(site));
                }
            } else if after <= 0.0 {
                self.events.push(Event::Begin(site));
            } else if before + after <= 1.5 * bound * self.stepper.length() {
                perhaps.push((site, after, bound));
            }
        }
        if self.events.is_empty() && perhaps.is_empty() {
            return None;
        }
        let doubtful = self.doubtful(perhaps);
        if self.events.is_empty() && doubtful.is_empty() {
            return None;
        }
        self.interpolate();
        let mut look = Look {
            world,
            dynamics: &mut self.dynamics,
            stepper: &self.stepper,
            state: &self.state,
            y: &mut self.buffer,
            slope: &mut self.second,
        };
        let mut first: Option<(Event, f64)> = None;
        let earlier = |first: &Option<(Event, f64)>, x: f64| first.is_none_or(|(_, f)| x < f);
        for &event in &self.events {
            // Most laws push until the bodies part: then the force vanishes there and nowhere before.
            let parts = match event {
                Event::Vanish(i) if self.events.contains(&Event::Part(i)) => {
                    Some(look.root(Event::Part(i), 1.0) * (1.0 - 1e-7))
                }
                _ => None,
            };
            let x = match parts {
                Some(before) if look.value(event, before) > 0.0 => continue,
                Some(before) => look.root(event, before),
                None => look.root(event, 1.0),
            };
            if earlier(&first, x) {
                first = Some((event, x));
            }
        }
        for (site, span, bound) in doubtful {
            if let Some(x) = look.passed_through(site, span, bound)
                && earlier(&first, x)
            {
                first = Some((Event::Begin(site), x));
            }
        }
        first
    }

    /// Of the sites that could have been closed and opened within the step, those that may have been.
    ///
    /// On a straight way a gap that opens at the start or closes at the end has not been smaller than there. A rate
    /// changes by the change of velocity and the turn times the speed at most, and keeps its sign for a while.
    fn doubtful(&mut self, perhaps: Vec<(usize, f64, f64)>) -> Vec<(usize, (f64, f64), f64)> {
        if perhaps.is_empty() {
            return Vec::new();
        }
        let (world, layout, h) = (self.world, self.state.layout, self.stepper.length());
        let rate = |dynamics: &Dynamics, site: usize| {
            let (gap, a, b) = dynamics.gap(world, site);
            let (one, two) = (&dynamics.moving[a], &dynamics.moving[b]);
            let opening = gap.normal.dot(two.velocity_at(gap.point) - one.velocity_at(gap.point));
            (opening, two.v - one.v, one.w.length() + two.w.length())
        };
        let ends: Vec<_> = perhaps.iter().map(|p| rate(&self.dynamics, p.0)).collect();
        self.dynamics.read(world, layout, self.state.time, &self.state.y);
        let mut found = Vec::new();
        for (&(site, after, bound), (parting, later, turn)) in perhaps.iter().zip(ends) {
            let (opening, now, turned) = rate(&self.dynamics, site);
            let both = bound.max(speed_bound(world, &self.dynamics, site));
            let before = self.gaps[site].max(0.0);
            let change = (later - now).length() + both * turn.max(turned) * h;
            let clear = |rate: f64, gap: f64| rate >= 0.0 && gap >= 0.5 * h * change;
            let steady = |rate: f64| if rate > 0.0 { 0.5 * rate / change } else { 0.0 };
            let span = (steady(opening), 1.0 - steady(-parting));
            if !clear(opening, before) && !clear(-parting, after) && span.0 < span.1 {
                found.push((site, span, 1.1 * both + (both - bound).abs()));
            }
        }
        found
    }

    /// Takes the step again so that the event lies at its end.
    fn locate(&mut self, event: Event, x: f64) {
        let whole = self.stepper.length();
        let mut length = x * whole;
        // The slope of the guard, from the dense output.
        let slope = {
            let mut look = Look {
                world: self.world,
                dynamics: &mut self.dynamics,
                stepper: &self.stepper,
                state: &self.state,
                y: &mut self.buffer,
                slope: &mut self.second,
            };
            let back = (x - 1e-6).max(0.0);
            (look.value(event, x) - look.value(event, back)) / ((x - back) * whole)
        };
        for _ in 0..3 {
            self.again(length);
            let end = self.stepper.begun() + length;
            let (sticky, y) = (matches!(event, Event::Stick(_)), self.stepper.end());
            self.buffer.resize(y.len(), 0.0);
            self.dynamics.see(self.world, &self.state, sticky, end, y, &mut self.buffer);
            let miss = guard(self.world, &self.dynamics, &self.state, event, end, y);
            let next = length - miss / slope;
            let change = (next - length).abs();
            // Forces may vanish on a plateau, where no slope leads anywhere.
            if !(next > 0.0 && next <= whole) || change < 1e-13 * whole || change > 1e-3 * whole {
                break;
            }
            length = next;
        }
        if self.stepper.length() != length {
            self.again(length);
        }
    }
}
