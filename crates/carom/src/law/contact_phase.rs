//! Time integration of the contact phase of an impact for any law, with adaptive steps and located events.
//!
//! The state consists of the indentation δ, its rate δ̇ and the internal state of the law. Impulse and work of the
//! contact force follow from the balances of momentum and energy, m·(v₀ − δ̇) + f·t and ½m·(v₀² − δ̇²) + f·δ with a
//! constant external force f. No step crosses an event, because the equations change there: [`crate::ode::events`]
//! locates each event at the end of a step. The events are
//!
//! - the turn, δ̇ = 0, where the law stores the largest indentation,
//! - the end of contact: F = 0 while separating, or the indentation of release,
//! - kinks that the law reports.
//!
//! The largest force is found on the dense output of the steps around it.
//!
//! No tolerance has to be chosen by the user: errors of the indentation are relative to the largest indentation so
//! far, errors of the rate relative to the impact speed, and the length of the first step follows from the force at
//! onset.

use super::{Exit, Force, Memory};
use crate::error::{Error, Result};
use crate::numeric::root;
use crate::ode::events::{self, Corrections, Retake};
use crate::ode::{self, Dense, Step, StepController};

/// Indentation δ (m) and its rate δ̇ (m/s).
pub(crate) type Motion = [f64; 2];

/// Result of the integration of a contact.
pub(crate) struct ContactResult {
    pub duration: f64,
    pub end: Motion,
    /// Motion at the first turn, and the time of that turn.
    pub turn: (Motion, f64),
    /// Energy stored at the first turn and at the end (J).
    pub stored: (f64, f64),
    pub force_max: (f64, f64),
    pub separated: bool,
    pub tensile: bool,
    pub mass: f64,
    pub external: f64,
    pub release: f64,
}

impl ContactResult {
    /// Returns the rebound speed divided by the impact speed; 0 for bodies that do not separate.
    pub fn newton(&self, speed: f64) -> f64 {
        if self.separated { (-self.end[1] / speed).max(0.0) } else { 0.0 }
    }
}

#[cold]
pub(crate) fn overflow(reason: String) -> Error {
    Error::numerical(
        "the impact",
        reason,
        "the numbers are too large or too small for 64-bit arithmetic: check the units of mass, stiffness and speed",
    )
}

/// Error allowed in a step, as a fraction of the largest indentation and of the impact speed, for forms that do not
/// define a [factor](Force::tolerance_factor).
const TOLERANCE: f64 = 1.5e-11;
/// Change of the speed during the first step, as a fraction. It is small because powers of δ are singular at onset.
const FIRST_CHANGE: f64 = 3e-6;
/// Change of the speed, as a fraction, that defines the length by which errors are scaled until the indentation
/// exceeds it.
const LARGE_CHANGE: f64 = 0.1;
/// Number of steps, including rejected ones, after which an impact is regarded as too stiff.
const MAX_STEPS: usize = 20_000;
/// Fraction of the impact speed below which a contact that has not ended after all steps is regarded as creeping.
const CREEP_SPEED: f64 = 1e-5;
/// Fraction of the impact speed below which the contact is regarded as at rest during a step.
const REST_SPEED: f64 = 1e-9;
/// Number of consecutive steps at rest after which the contact is regarded as creeping or resting.
const MAX_STEPS_AT_REST: usize = 30;
/// Number of turns without separation after which a body is regarded as resting.
const MAX_TURNS: usize = 200;
/// Distance, as a fraction of the largest indentation, within which a kink is regarded as reached.
const KINK_DISTANCE: f64 = 1e-12;

/// A law together with the conditions of one impact. N is 3 for laws with an internal state and 2 otherwise, to avoid
/// the arithmetic of a state that is not there.
pub(crate) struct ContactIntegrator<F, const N: usize> {
    form: F,
    mass: f64,
    /// 1/m, stored to save a division in every evaluation.
    inverse_mass: f64,
    exit: Exit,
    external: f64,
}

/// An accepted step for later evaluation: its dense output and the memory of the law during it.
pub(crate) struct DenseStep<const N: usize> {
    pub end: f64,
    pub dense: Dense<N>,
    pub memory: Memory,
}

/// Events of a contact; [`ContactIntegrator::event_function`] defines their event functions.
#[derive(Clone, Copy, PartialEq)]
enum Event {
    /// End of compression: the rate decreases to zero.
    Turn,
    /// The bodies approach again before they have separated: the rate increases to zero.
    Recompression,
    /// The force vanishes while separating.
    ZeroForce,
    /// The indentation reaches the value at which the bodies lose contact.
    Release,
    /// The law has a kink at this indentation, while loading or unloading.
    Kink { delta: f64, loading: bool },
}

/// Outcome of a step.
enum StepEnd {
    /// The step ends without an event.
    Regular,
    OnEvent(Event),
    /// The step must be repeated with a shorter length.
    Refused,
}

/// State of the integration: everything that changes from step to step.
struct Progress<const N: usize> {
    t: f64,
    y: [f64; N],
    slope: [f64; N],
    memory: Memory,
    /// Length of the next step, and the controller that computes it from the last steps.
    h: f64,
    pace: StepController,
    /// Error allowed in a step, as a fraction of the largest indentation and of the impact speed.
    tolerance: f64,
    /// Largest indentation and largest internal state so far, which scale the errors.
    largest_indentation: f64,
    largest_internal: f64,
    turns: usize,
    /// Number of consecutive steps at rest after the turn.
    steps_at_rest: usize,
    /// Whether the force has vanished in a contact that ends at zero indentation (the bodies retain a dent).
    force_vanished: bool,
    /// The step in progress.
    step: Step<N>,
    /// The last accepted step, the slope at its end and the memory during it.
    last: Option<(Step<N>, [f64; N], Memory)>,
    result: ContactResult,
}

impl<const N: usize> Progress<N> {
    fn is_approaching(&self) -> bool {
        self.y[1] > 0.0
    }

    /// Computes the error of a step; it is acceptable up to 1.
    fn error(&self, step: &Step<N>) -> f64 {
        step.error(|component, size| match component {
            0 => self.tolerance * size.max(self.largest_indentation),
            1 => self.tolerance * self.memory.speed,
            _ => self.tolerance * size.max(self.largest_internal),
        })
    }
}

impl<F: Force, const N: usize> ContactIntegrator<F, N> {
    pub fn new(form: F, mass: f64, exit: Exit, external: f64) -> Self {
        Self { form, mass, inverse_mass: 1.0 / mass, exit, external }
    }

    /// Integrates from onset to the end of contact. Accepted steps are appended to `record`, if given. Without
    /// `refine_peak` the largest force is the largest of those at the ends of steps.
    pub fn integrate(
        &self,
        memory: Memory,
        mut record: Option<&mut Vec<DenseStep<N>>>,
        refine_peak: bool,
    ) -> Result<ContactResult> {
        let mut now = self.start(memory)?;
        for steps in 0.. {
            if steps == MAX_STEPS {
                self.judge_unfinished(&mut now)?;
                break;
            }
            let Some(error) = self.try_step(&mut now)? else { continue };
            let event = match self.end_on_event(&mut now) {
                StepEnd::Regular => None,
                StepEnd::OnEvent(event) => Some(event),
                StepEnd::Refused => continue,
            };
            let slope_end = self.slope(now.t + now.step.h, &now.step.end, &now.memory);
            if let Some(steps) = &mut record {
                let dense = self.dense(&now.step, &slope_end, &now.memory);
                steps.push(DenseStep { end: now.t + now.step.h, dense, memory: now.memory });
            }
            self.observe_force(&mut now, &slope_end, refine_peak);
            self.accept(&mut now, slope_end);
            match event {
                Some(_) => now.pace.forget(),
                None => now.h = now.pace.next(now.h, error),
            }
            if self.ends_contact(&mut now, event) || self.comes_to_rest(&mut now) {
                break;
            }
        }
        now.result.end = [now.y[0], now.y[1]];
        now.result.stored.1 = self.form.stored(now.y[0], &now.memory);
        Ok(now.result)
    }

    /// Initialises the integration at onset.
    fn start(&self, memory: Memory) -> Result<Progress<N>> {
        let speed = memory.speed;
        if !(memory.damping.is_finite() && memory.internal.is_finite()) {
            return Err(match self.form.requested() {
                Some(e) => Error::unreachable(
                    e,
                    "no coefficient of this law delivers it at this speed",
                    "ask for a larger restitution, another exit or another law",
                ),
                None => overflow(format!("the damping coefficient is {}", memory.damping)),
            });
        }
        let y: [f64; N] = state(0.0, speed, &memory);
        let slope = self.slope(0.0, &y, &memory);
        Ok(Progress {
            t: 0.0,
            y,
            slope,
            step: Step::none(0.0, &y, &slope),
            h: self.time_to_change(FIRST_CHANGE * self.form.tolerance_factor(), &memory),
            pace: StepController::default(),
            tolerance: TOLERANCE * self.form.tolerance_factor(),
            largest_indentation: speed * self.time_to_change(LARGE_CHANGE, &memory),
            largest_internal: f64::MIN_POSITIVE,
            turns: 0,
            steps_at_rest: 0,
            force_vanished: false,
            last: None,
            result: ContactResult {
                duration: f64::INFINITY,
                end: [0.0, speed],
                turn: ([0.0, speed], 0.0),
                stored: (0.0, 0.0),
                force_max: (self.force(0.0, &y, &memory), 0.0),
                separated: false,
                tensile: false,
                mass: self.mass,
                external: self.external,
                release: self.form.release(),
            },
            memory,
        })
    }

    /// Takes a step of the current length and returns its error, or `None` if the error is too large; the length is
    /// then reduced.
    #[inline(always)]
    fn try_step(&self, now: &mut Progress<N>) -> Result<Option<f64>> {
        now.step = self.step(now, now.h);
        let error = now.error(&now.step);
        if error.is_nan() || error > 1.0 {
            now.h *= ode::stretch(error).min(0.9);
            if now.h < 1e-15 * now.t.max(f64::MIN_POSITIVE) || now.h < 1e-300 {
                let reason = format!("the step shrank to {:e} s at {:e} s", now.h, now.t);
                return Err(overflow(reason));
            }
            return Ok(None);
        }
        Ok(Some(error))
    }

    /// Shortens the step so that it ends at the first event that it crosses. If the shortened step is not accurate
    /// enough, it is refused and the length is reduced.
    #[inline(always)]
    fn end_on_event(&self, now: &mut Progress<N>) -> StepEnd {
        let mut event = self.crossed(now, &now.step);
        if let Some(crossed) = event {
            now.step = self.locate(now, &now.step, crossed);
            // For δ < 0 the powers of δ are zero, so that the sign of the force there does not show that the force
            // changed sign shortly before the release. The force is therefore evaluated just before the release.
            if crossed == Event::Release && self.exit == Exit::ZeroForce {
                let before = self.step(now, now.step.h * (1.0 - 1e-7));
                let t = now.t + before.h;
                let force = self.event_function(Event::ZeroForce, t, &before.end, &now.memory);
                if force < 0.0 && self.force_in(&now.slope) > 0.0 {
                    now.step = self.locate(now, &before, Event::ZeroForce);
                    event = Some(Event::ZeroForce);
                }
            }
        }
        // The step may have crossed a kink of the law before the event.
        if let Some(kink) = self.crossed_kink(now, &now.step) {
            now.step = self.locate(now, &now.step, kink);
            event = Some(kink);
        }
        let Some(event) = event else { return StepEnd::Regular };
        // The step that was accepted extended beyond the event, where the force may follow another branch: check the
        // error of the shortened step.
        let shorter = 0.85 * now.step.h;
        if now.error(&now.step) > 1.0 && shorter > 1e-7 * (now.t + shorter) {
            now.h = shorter;
            return StepEnd::Refused;
        }
        StepEnd::OnEvent(event)
    }

    /// Finds the event that a step crossed, without kinks. Contact can only end while the bodies separate.
    fn crossed(&self, now: &Progress<N>, step: &Step<N>) -> Option<Event> {
        let passed = |event: Event| {
            !(self.event_function(event, now.t + step.h, &step.end, &now.memory) > 0.0)
        };
        if now.is_approaching() {
            return passed(Event::Turn).then_some(Event::Turn);
        }
        if passed(Event::Release) {
            return Some(Event::Release);
        }
        let watches_force = !now.force_vanished || self.exit == Exit::ZeroForce;
        if watches_force && passed(Event::ZeroForce) {
            return Some(Event::ZeroForce);
        }
        passed(Event::Recompression).then_some(Event::Recompression)
    }

    /// Finds the kink that a step crossed, if any.
    fn crossed_kink(&self, now: &Progress<N>, step: &Step<N>) -> Option<Event> {
        let loading = now.is_approaching();
        let delta = self.form.next_kink(now.y[0], loading, &now.memory);
        let kink = Event::Kink { delta, loading };
        let distance = |t: f64, y: &[f64; N]| self.event_function(kink, t, y, &now.memory);
        let least = KINK_DISTANCE * now.largest_indentation;
        let crossed =
            distance(now.t, &now.y) > least && distance(now.t + step.h, &step.end) < -least;
        crossed.then_some(kink)
    }

    /// Evaluates the event function, which is positive until the event happens.
    fn event_function(&self, event: Event, t: f64, y: &[f64; N], memory: &Memory) -> f64 {
        match event {
            Event::Turn => y[1],
            Event::Recompression => -y[1],
            Event::ZeroForce => self.form.signed(y[0], y[1], &self.at(t, y, memory)),
            Event::Release => y[0] - self.form.release(),
            Event::Kink { delta, loading: true } => delta - y[0],
            Event::Kink { delta, loading: false } => y[0] - delta,
        }
    }

    /// Takes the step again from the same start, shortened so that it ends at the event.
    fn locate(&self, now: &Progress<N>, step: &Step<N>, event: Event) -> Step<N> {
        let memory = &now.memory;
        let slope_end = self.slope(now.t + step.h, &step.end, memory);
        let dense = self.dense(step, &slope_end, memory);
        let value = |t: f64, y: &[f64; N]| self.event_function(event, t, y, memory);
        let ends = [(0.0, value(now.t, &now.y)), (1.0, value(now.t + step.h, &step.end))];
        let fraction = events::crossing_between(ends, |x| {
            let t = now.t + x * step.h;
            value(t, &dense.at(t))
        });
        let mut ending = StepToEvent { integrator: self, now, event, step: *step };
        events::locate(&mut ending, step.h, fraction, Corrections::EXACT_RATE);
        let mut located = ending.step;
        match event {
            Event::Turn => located.end[1] = 0.0,
            // A positive rate, so that the bodies count as approaching.
            Event::Recompression => located.end[1] = f64::MIN_POSITIVE,
            Event::Kink { delta, .. } => located.end[0] = delta,
            Event::ZeroForce | Event::Release => {}
        }
        located
    }

    /// Updates the largest force so far and records whether the force was tensile.
    #[inline(always)]
    fn observe_force(&self, now: &mut Progress<N>, slope_end: &[f64; N], refine_peak: bool) {
        let step = &now.step;
        let (t_end, end, force_end) = (now.t + step.h, &step.end, self.force_in(slope_end));
        if let Some((last, last_slope, last_memory)) = &now.last
            && refine_peak
        {
            // The force has a maximum within the last two steps: find it on the dense output of both.
            let (a, b) = (self.force_in(last.start_slope()), self.force_in(&now.slope));
            let force_max = &mut now.result.force_max;
            if b >= a && b >= force_end && b > 0.7 * force_max.0 {
                self.raise_to_peak(last, last_slope, last_memory, force_max);
                self.raise_to_peak(step, slope_end, &now.memory, force_max);
            }
        }
        if force_end > now.result.force_max.0 {
            now.result.force_max = (force_end, t_end);
        }
        // Adhesive laws pull at rest too; only tension caused by the rate is recorded.
        let at_rest = state(end[0], 0.0, &self.at(t_end, end, &now.memory));
        if force_end < -1e-9 * now.result.force_max.0
            && end[1] < 0.0
            && self.force(t_end, &at_rest, &now.memory) >= 0.0
        {
            now.result.tensile = true;
        }
    }

    /// Raises `force_max` to the largest force within a step.
    fn raise_to_peak(
        &self,
        step: &Step<N>,
        slope_end: &[f64; N],
        memory: &Memory,
        force_max: &mut (f64, f64),
    ) {
        let dense = self.dense(step, slope_end, memory);
        let (fraction, force) = events::peak(None, |x| {
            let t = step.t + x * step.h;
            self.force(t, &dense.at(t), memory)
        });
        if force > force_max.0 {
            *force_max = (force, step.t + fraction * step.h);
        }
    }

    /// Advances to the end of a step and commits it to the memory of the law.
    #[inline(always)]
    fn accept(&self, now: &mut Progress<N>, slope_end: [f64; N]) {
        now.t += now.step.h;
        now.y = now.step.end;
        now.last = Some((now.step, slope_end, now.memory));
        now.largest_indentation = now.largest_indentation.max(now.y[0].abs());
        now.largest_internal = now.largest_internal.max(internal(&now.y, &now.memory).abs());
        let uncommitted = self.at(now.t, &now.y, &now.memory);
        now.memory = uncommitted;
        self.form.commit(now.y[0], now.y[1], &mut now.memory);
        now.slope = match now.memory == uncommitted {
            true => slope_end,
            false => self.slope(now.t, &now.y, &now.memory),
        };
    }

    /// Processes an event at the end of a step. Returns true if the contact has ended or will last for ever.
    #[inline]
    fn ends_contact(&self, now: &mut Progress<N>, event: Option<Event>) -> bool {
        match event {
            Some(Event::Turn) => {
                now.turns += 1;
                if now.turns == 1 {
                    now.result.turn = ([now.y[0], now.y[1]], now.t);
                    now.result.stored.0 = self.form.stored(now.y[0], &now.memory);
                }
                // If the external force lies between the force of unloading and the larger force of loading, the
                // bodies remain at rest.
                let net = |rate: f64| {
                    let y = state(now.y[0], rate, &now.memory);
                    self.external - self.force(now.t, &y, &now.memory)
                };
                net(-f64::MIN_POSITIVE) > 0.0 && net(f64::MIN_POSITIVE) < 0.0
            }
            // The external force has reversed the motion many times without separation: the bodies come to rest.
            Some(Event::Recompression) => now.turns > MAX_TURNS,
            // If contact ends at zero indentation, the event only changes the regime.
            Some(Event::ZeroForce) if self.exit == Exit::ZeroIndentation => {
                now.force_vanished = true;
                false
            }
            Some(Event::ZeroForce | Event::Release) => {
                now.result.duration = now.t;
                now.result.separated = true;
                true
            }
            Some(Event::Kink { .. }) | None => false,
        }
    }

    /// Returns whether the speed has been negligible in many consecutive steps after the turn, or the contact lasts
    /// far longer than the compression.
    #[inline]
    fn comes_to_rest(&self, now: &mut Progress<N>) -> bool {
        let at_rest = now.turns > 0 && now.y[1].abs() < REST_SPEED * now.memory.speed;
        now.steps_at_rest = if at_rest { now.steps_at_rest + 1 } else { 0 };
        now.steps_at_rest > MAX_STEPS_AT_REST
            || (now.turns > 0 && now.t > 1e9 * now.result.time_of_turn())
    }

    /// Decides about a contact that has not ended after all steps: it rests, creeps or is held closed, or the law is
    /// too stiff.
    #[cold]
    fn judge_unfinished(&self, now: &mut Progress<N>) -> Result<()> {
        // After a few turns without separation the contact rests. A contact that opens at a negligible speed creeps:
        // strong damping keeps the steps short.
        let creeps = now.turns > 0 && now.y[1].abs() < CREEP_SPEED * now.memory.speed;
        if now.turns > 2 || creeps {
            return Ok(());
        }
        // The damping is so strong that the external force closes the contact slowly, without enough energy to open
        // it again.
        if self.is_held(now) {
            self.move_to_equilibrium(now);
            return Ok(());
        }
        Err(Error::numerical(
            "the impact",
            format!("{MAX_STEPS} steps only reached {:e} s: the law is too stiff", now.t),
            "check its parameters and the force that acts; a relaxation or damping faster than the impact by many orders does this",
        ))
    }

    /// Returns whether an external force keeps the bodies together: the kinetic and the stored energy are less than
    /// the work against that force on the way back to release. The law is dissipative and adds no energy.
    fn is_held(&self, now: &Progress<N>) -> bool {
        let (release, y) = (self.form.release(), &now.y);
        let energy = |delta: f64| self.form.stored(delta, &now.memory) - self.external * delta;
        self.external > 0.0
            && y[0] > release
            && 0.5 * self.mass * y[1] * y[1] + energy(y[0]) < energy(release)
    }

    /// Moves a contact that is pressed in ever more slowly to its state of rest, which it would reach after an
    /// infinite time: the indentation at which the static force equals the external force. Laws with an internal
    /// state keep their indentation.
    fn move_to_equilibrium(&self, now: &mut Progress<N>) {
        let memory = now.memory;
        let excess = |delta: f64| {
            let mut deeper = memory;
            self.form.commit(delta, 0.0, &mut deeper);
            self.form.force(delta, 0.0, &deeper) - self.external
        };
        if now.is_approaching() && N == 2 && excess(now.y[0]) < 0.0 {
            let (mut low, mut high) = (now.y[0], 2.0 * now.y[0]);
            while !(excess(high) >= 0.0) && high < 1e6 * now.y[0] {
                (low, high) = (high, 2.0 * high);
            }
            if excess(high) >= 0.0 {
                now.y[0] = root::find(low, high, 0.0, excess).unwrap_or(high);
                self.form.commit(now.y[0], 0.0, &mut now.memory);
            }
        }
        now.y[1] = 0.0;
        if now.turns == 0 {
            now.result.turn = ([now.y[0], 0.0], f64::INFINITY);
            now.result.stored.0 = self.form.stored(now.y[0], &now.memory);
        }
        if self.external > now.result.force_max.0 {
            now.result.force_max = (self.external, f64::INFINITY);
        }
    }

    /// Takes a step of this length from the current state.
    #[inline(always)]
    fn step(&self, now: &Progress<N>, h: f64) -> Step<N> {
        ode::step(&mut |t, y| self.slope(t, y, &now.memory), now.t, &now.y, &now.slope, h)
    }

    fn dense(&self, step: &Step<N>, slope_end: &[f64; N], memory: &Memory) -> Dense<N> {
        step.dense(&mut |t, y| self.slope(t, y, memory), slope_end)
    }

    /// Evaluates the right-hand side of the equations of motion.
    #[inline]
    fn slope(&self, t: f64, y: &[f64; N], memory: &Memory) -> [f64; N] {
        let at = self.at(t, y, memory);
        let force = self.form.force(y[0], y[1], &at);
        let mut slope = [0.0; N];
        (slope[0], slope[1]) = (y[1], (self.external - force) * self.inverse_mass);
        if let Some(internal) = slope.get_mut(2) {
            *internal = self.form.internal_rate(y[0], y[1], &at);
        }
        slope
    }

    /// Computes the contact force from the acceleration in a slope.
    fn force_in(&self, slope: &[f64; N]) -> f64 {
        self.external - self.mass * slope[1]
    }

    /// Returns the memory with the time and the internal state of this instant.
    fn at(&self, t: f64, y: &[f64; N], memory: &Memory) -> Memory {
        Memory { time: t, internal: internal(y, memory), ..*memory }
    }

    fn force(&self, t: f64, y: &[f64; N], memory: &Memory) -> f64 {
        self.form.force(y[0], y[1], &self.at(t, y, memory))
    }

    /// Estimates the time in which the force would change the speed by this fraction if the bodies approached at
    /// constant speed.
    fn time_to_change(&self, fraction: f64, memory: &Memory) -> f64 {
        let v = memory.speed;
        let change = |h: f64| {
            let y = state(v * h, v, memory);
            ((self.force(h, &y, memory) - self.external) * h / (self.mass * v)).abs()
        };
        // Starts at an indentation of one nanometre; the time is reduced while the change is too large (or NaN) and
        // then increased.
        let mut h = 1e-9 / v;
        while !(change(h) < fraction) && h > 1e-280 {
            h *= 0.1;
        }
        while change(4.0 * h) < fraction && h < 1e60 {
            h *= 4.0;
        }
        h
    }
}

/// A step that is repeated until an event lies at its end.
struct StepToEvent<'a, F, const N: usize> {
    integrator: &'a ContactIntegrator<F, N>,
    now: &'a Progress<N>,
    event: Event,
    step: Step<N>,
}

impl<F: Force, const N: usize> Retake for StepToEvent<'_, F, N> {
    fn retake(&mut self, length: f64) {
        self.step = self.integrator.step(self.now, length);
    }

    fn value_and_rate(&mut self) -> (f64, f64) {
        let (integrator, now, event) = (self.integrator, self.now, self.event);
        let value = |step: &Step<N>| {
            integrator.event_function(event, now.t + step.h, &step.end, &now.memory)
        };
        let (step, here) = (&self.step, value(&self.step));
        let acceleration = || integrator.slope(now.t + step.h, &step.end, &now.memory)[1];
        let rate = match event {
            Event::Turn => acceleration(),
            Event::Recompression => -acceleration(),
            Event::Release | Event::Kink { loading: false, .. } => step.end[1],
            Event::Kink { loading: true, .. } => -step.end[1],
            Event::ZeroForce => {
                // Backward difference, because beyond the event the force may remain zero.
                let back = 1e-5 * step.h;
                (here - value(&integrator.step(now, step.h - back))) / back
            }
        };
        (here, rate)
    }
}

/// State vector: δ, δ̇ and, in laws that have one, the internal state.
fn state<const N: usize>(delta: f64, rate: f64, memory: &Memory) -> [f64; N] {
    let mut y = [memory.internal; N];
    (y[0], y[1]) = (delta, rate);
    y
}

/// Returns the internal state, from the integrated state or, if it is not integrated, from the memory.
pub(crate) fn internal<const N: usize>(y: &[f64; N], memory: &Memory) -> f64 {
    y.get(2).copied().unwrap_or(memory.internal)
}
