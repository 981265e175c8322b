//! An impact in time, for any law with any memory: adaptive steps, located events.
//!
//! State: indentation δ, rate δ̇ and the internal state of the law; impulse and work of the force
//! follow from momentum and energy, m·(v₀ − δ̇) + f·t and ½m·(v₀² − δ̇²) + f·δ under a constant force f.
//! Events are located on the dense output of a step, which is then taken again with the length that
//! puts the event at its end, so that no step ever crosses a change of regime:
//!
//! - the turn, δ̇ = 0, where the running maximum is committed,
//! - the end of contact, F = 0 while separating or δ = release,
//! - kinks that the law declares.
//!
//! The largest force is looked for on the dense output of the steps around it.
//!
//! There is nothing to tune: lengths are measured against the largest indentation so far, rates
//! against the impact speed, and the first step against the force it meets.

use super::flown::Flown;
use super::overflow;
use crate::error::{Error, Result};
use crate::law::{Exit, Force, Memory};
use crate::ode::{self, Dense, Pace, Step};

/// δ, δ̇.
pub(super) type Motion = [f64; 2];

const TOLERANCE: f64 = 1.5e-11;
/// Change of the speed over the first step, as a fraction: powers are singular at touch.
const FIRST_CHANGE: f64 = 3e-6;
/// Change of the speed over a length with which indentations compare.
const LARGE_CHANGE: f64 = 0.1;
/// Steps, with those that were rejected, before an impact counts as too stiff.
const MOST_STEPS: usize = 20_000;
/// The part of the impact speed with which a contact still lasts after all steps and counts as creeping.
const CREEPING: f64 = 1e-5;
/// Steps with hardly any speed before a contact counts as creeping or resting.
const MOST_SLOW: usize = 30;
/// Turns of a body that bounces without leaving the contact before it counts as resting.
const MOST_TURNS: usize = 200;

/// The conditions of one flight. N is 3 for laws with an internal state, else 2: its third of the
/// arithmetic would be wasted on the others.
pub(super) struct Flight<F, const N: usize> {
    form: F,
    mass: f64,
    /// 1/m: a division on the way from each force to the next would be felt.
    inverse_mass: f64,
    exit: Exit,
    external: f64,
}

/// A piece of the course: its dense output and what the law remembered during it.
pub(super) struct Piece<const N: usize> {
    pub end: f64,
    pub dense: Dense<N>,
    pub memory: Memory,
}

/// What a step is to be checked for.
#[derive(Clone, Copy, PartialEq)]
enum Event {
    Turn,
    ZeroForce,
    Release,
    /// The law bends at this indentation, loading or unloading.
    Kink(f64, bool),
}

impl<F: Force, const N: usize> Flight<F, N> {
    pub fn new(form: F, mass: f64, exit: Exit, external: f64) -> Self {
        Self { form, mass, inverse_mass: 1.0 / mass, exit, external }
    }

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

    /// The force that a slope holds.
    fn force_in(&self, slope: &[f64; N]) -> f64 {
        self.external - self.mass * slope[1]
    }

    fn at(&self, t: f64, y: &[f64; N], memory: &Memory) -> Memory {
        Memory { time: t, internal: internal(y, memory), ..*memory }
    }

    fn force(&self, t: f64, y: &[f64; N], memory: &Memory) -> f64 {
        self.form.force(y[0], y[1], &self.at(t, y, memory))
    }

    /// The time in which the force would change the speed by this fraction, did it not slow down.
    fn time_to_change(&self, fraction: f64, memory: &Memory) -> f64 {
        let v = memory.speed;
        let change = |h: f64| {
            let y = state(v * h, v, memory);
            ((self.force(h, &y, memory) - self.external) * h / (self.mass * v)).abs()
        };
        // From a nanometre, down while it is too much (NaN and overflow are), up while too little.
        let mut h = 1e-9 / v;
        while !(change(h) < fraction) && h > 1e-280 {
            h *= 0.1;
        }
        while change(4.0 * h) < fraction && h < 1e60 {
            h *= 4.0;
        }
        h
    }

    /// The value that vanishes at an event; negative after it.
    fn watch(&self, event: Event, t: f64, y: &[f64; N], memory: &Memory) -> f64 {
        match event {
            Event::Turn => y[1],
            Event::ZeroForce => self.form.signed(y[0], y[1], &self.at(t, y, memory)),
            Event::Release => y[0] - self.form.release(),
            Event::Kink(delta, true) => delta - y[0],
            Event::Kink(delta, false) => y[0] - delta,
        }
    }

    /// Flies until contact ends. The course goes to `record`, if anyone wants it; without `peak` the
    /// largest force is that at the end of a step.
    pub fn fly(
        &self,
        mut memory: Memory,
        mut record: Option<&mut Vec<Piece<N>>>,
        peak: bool,
    ) -> Result<Flown> {
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
        let mut y: [f64; N] = state(0.0, speed, &memory);
        let mut t = 0.0;
        let mut h = self.time_to_change(FIRST_CHANGE, &memory);
        let mut length = speed * self.time_to_change(LARGE_CHANGE, &memory);
        let mut flown = Flown {
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
        };
        let mut turns = 0;
        let mut dented = false;
        let mut largest_internal = f64::MIN_POSITIVE;
        let mut before: Option<(Step<N>, [f64; N], Memory)> = None;
        let mut slope = self.slope(t, &y, &memory);
        let mut slow = 0;
        let mut pace = Pace::default();
        for steps in 0.. {
            // After a few turns without leaving, it is at rest as far as anyone can tell.
            // So is what creeps out with hardly any speed, where damping keeps the steps short.
            let creeps = turns > 0 && y[1].abs() < CREEPING * speed;
            if steps == MOST_STEPS && (turns > 2 || creeps) {
                break;
            }
            // So strongly damped that the force presses it in slowly, while it has lost the energy to come back.
            if steps == MOST_STEPS && self.held(&y, &memory) {
                self.settle(&mut y, &mut memory, turns, &mut flown);
                break;
            }
            if steps == MOST_STEPS {
                return Err(Error::numerical(
                    "the impact",
                    format!("{MOST_STEPS} steps only reached {t:e} s: the law is too stiff"),
                    "check its parameters and the force that acts; a relaxation or damping faster than the impact by many orders does this",
                ));
            }
            let mut f = |t: f64, y: &[f64; N]| self.slope(t, y, &memory);
            let mut step = ode::step(&mut f, t, &y, &slope, h);
            let scale = |i: usize, size: f64| match i {
                0 => TOLERANCE * size.max(length),
                1 => TOLERANCE * speed,
                _ => TOLERANCE * size.max(largest_internal),
            };
            let error = step.error(scale);
            if error.is_nan() || error > 1.0 {
                h *= ode::stretch(error).min(0.9);
                if h < 1e-15 * t.max(f64::MIN_POSITIVE) || h < 1e-300 {
                    return Err(overflow(format!("the step shrank to {h:e} s at {t:e} s")));
                }
                continue;
            }
            let approaching = y[1] > 0.0;
            let mut event = self.passed(&step, &memory, approaching, dented);
            if let Some(found) = event {
                let mut located = self.locate(&step, &slope, found, &memory);
                if found == Event::Release {
                    // Powers vanish beyond δ = 0 and hide a force that had turned before it.
                    let mut f = |t: f64, y: &[f64; N]| self.slope(t, y, &memory);
                    let before = ode::step(&mut f, t, &y, &slope, located.h * (1.0 - 1e-7));
                    let force = self.watch(Event::ZeroForce, t + before.h, &before.end, &memory);
                    if force < 0.0 && self.force_in(&slope) > 0.0 && self.exit == Exit::ZeroForce {
                        located = self.locate(&before, &slope, Event::ZeroForce, &memory);
                        event = Some(Event::ZeroForce);
                    }
                }
                step = located;
            }
            // On its way to the event, if any, the step may have passed a kink of the law.
            let kink = Event::Kink(self.form.kink(approaching, &memory), approaching);
            let ahead = self.watch(kink, t, &y, &memory);
            let beyond = -self.watch(kink, t + step.h, &step.end, &memory);
            if ahead > 1e-12 * length && beyond > 1e-12 * length {
                step = self.locate(&step, &slope, kink, &memory);
                event = Some(kink);
            }
            if event.is_some() {
                // The accepted step went past the event, where the law may be another: check again.
                let shorter = 0.85 * step.h;
                if step.error(scale) > 1.0 && shorter > 1e-7 * (t + shorter) {
                    h = shorter;
                    continue;
                }
            }
            let t_end = t + step.h;
            let end = step.end;
            let mut f = |t: f64, y: &[f64; N]| self.slope(t, y, &memory);
            let slope_end = f(t_end, &end);
            if let Some(pieces) = &mut record {
                pieces.push(Piece { end: t_end, dense: step.dense(&mut f, &slope_end), memory });
            }
            // The force peaked between the last three points: look closer.
            let force_end = self.force_in(&slope_end);
            if let Some((last, last_slope, last_memory)) = &before {
                let (a, b) = (self.force_in(last.start_slope()), self.force_in(&slope));
                if peak && b >= a && b >= force_end && b > 0.7 * flown.force_max.0 {
                    self.peak(last, last_slope, last_memory, &mut flown.force_max);
                    self.peak(&step, &slope_end, &memory, &mut flown.force_max);
                }
            }
            if force_end > flown.force_max.0 {
                flown.force_max = (force_end, t_end);
            }
            let at_rest = state(end[0], 0.0, &self.at(t_end, &end, &memory));
            // Adhesive laws pull by nature, at rest too; that is no note.
            if force_end < -1e-9 * flown.force_max.0
                && end[1] < 0.0
                && self.force(t_end, &at_rest, &memory) >= 0.0
            {
                flown.tensile = true;
            }
            before = Some((step, slope_end, memory));
            t = t_end;
            y = end;
            length = length.max(y[0].abs());
            largest_internal = largest_internal.max(internal(&y, &memory).abs());
            let before_commit = self.at(t, &y, &memory);
            memory = before_commit;
            self.form.commit(y[0], y[1], &mut memory);
            slope = match memory == before_commit {
                true => slope_end,
                false => self.slope(t, &y, &memory),
            };
            h = match event {
                Some(_) => {
                    pace.forget();
                    h
                }
                None => pace.next(h, error),
            };
            match event {
                Some(Event::Turn) if approaching => {
                    turns += 1;
                    if turns == 1 {
                        flown.turn = ([y[0], y[1]], t);
                        flown.stored.0 = self.form.stored(y[0], &memory);
                    }
                    // A law that pushes harder inwards than outwards may hold a weight between the two.
                    let net = |rate: f64| {
                        self.external - self.force(t, &state(y[0], rate, &memory), &memory)
                    };
                    if net(-f64::MIN_POSITIVE) > 0.0 && net(f64::MIN_POSITIVE) < 0.0 {
                        break;
                    }
                }
                // A weight turned it back before it left, again and again: it comes to rest.
                Some(Event::Turn) if turns > MOST_TURNS => break,
                // Where contact ends at zero indentation this is only a change of regime (a dent).
                Some(Event::ZeroForce) if self.exit == Exit::ZeroIndentation => dented = true,
                Some(Event::ZeroForce | Event::Release) => {
                    flown.duration = t;
                    flown.separated = true;
                    break;
                }
                Some(Event::Turn | Event::Kink(..)) | None => {}
            }
            // It creeps: after the turn hardly any speed is left, step after step.
            slow = if turns > 0 && y[1].abs() < 1e-9 * speed { slow + 1 } else { 0 };
            if slow > MOST_SLOW || (turns > 0 && t > 1e9 * flown.turn.1) {
                break;
            }
        }
        flown.end = [y[0], y[1]];
        flown.stored.1 = self.form.stored(y[0], &memory);
        Ok(flown)
    }

    /// Whether a pressing force keeps the bodies together: with its kinetic and stored energy the contact cannot
    /// do the work against that force that leads back to release, and no law that dissipates adds to it.
    fn held(&self, y: &[f64; N], memory: &Memory) -> bool {
        let release = self.form.release();
        let energy = |delta: f64| self.form.stored(delta, memory) - self.external * delta;
        self.external > 0.0
            && y[0] > release
            && 0.5 * self.mass * y[1] * y[1] + energy(y[0]) < energy(release)
    }

    /// Puts a contact that is pressed in ever more slowly where it comes to rest, after an infinite time: at the
    /// indentation at which the law bears the pressing force without motion. Laws with an internal state stay
    /// where they are.
    fn settle(&self, y: &mut [f64; N], memory: &mut Memory, turns: usize, flown: &mut Flown) {
        let bears = |delta: f64| {
            let mut deeper = *memory;
            self.form.commit(delta, 0.0, &mut deeper);
            self.form.force(delta, 0.0, &deeper) >= self.external
        };
        if y[1] > 0.0 && N == 2 {
            let (mut low, mut high) = (y[0], 2.0 * y[0]);
            while !bears(high) && high < 1e6 * y[0] {
                (low, high) = (high, 2.0 * high);
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if bears(middle) { high = middle } else { low = middle }
            }
            if bears(high) {
                y[0] = high;
                self.form.commit(high, 0.0, memory);
            }
        }
        y[1] = 0.0;
        if turns == 0 {
            flown.turn = ([y[0], 0.0], f64::INFINITY);
            flown.stored.0 = self.form.stored(y[0], memory);
        }
        if self.external > flown.force_max.0 {
            flown.force_max = (self.external, f64::INFINITY);
        }
    }

    /// The event that a step passed, if any; contact can end while separating only.
    fn passed(
        &self,
        step: &Step<N>,
        memory: &Memory,
        approaching: bool,
        dented: bool,
    ) -> Option<Event> {
        let (t, y) = (step.t + step.h, &step.end);
        if approaching {
            return (y[1] <= 0.0).then_some(Event::Turn);
        }
        let pushes = self.watch(Event::ZeroForce, t, y, memory) > 0.0;
        if self.watch(Event::Release, t, y, memory) <= 0.0 {
            return Some(Event::Release);
        }
        if !pushes && (!dented || self.exit == Exit::ZeroForce) {
            return Some(Event::ZeroForce);
        }
        (y[1] >= 0.0).then_some(Event::Turn)
    }

    /// The same step, shortened so that the event lies at its end.
    fn locate(&self, step: &Step<N>, slope: &[f64; N], event: Event, memory: &Memory) -> Step<N> {
        let mut f = |t: f64, y: &[f64; N]| self.slope(t, y, memory);
        let slope_end = f(step.t + step.h, &step.end);
        let dense = step.dense(&mut f, &slope_end);
        let upward = event == Event::Turn && step.start[1] < 0.0;
        let sign = if upward { -1.0 } else { 1.0 };
        let value = |x: f64| {
            let t = step.t + x * step.h;
            sign * self.watch(event, t, &dense.at(t), memory)
        };
        let x = root(&value);
        // The dense output is good to fewer digits than the step, much fewer across a kink: correct
        // the length by Newton's iteration on steps that end at the event.
        let mut length = x * step.h;
        let mut found = ode::step(&mut f, step.t, &step.start, slope, length);
        for _ in 0..8 {
            let t = step.t + found.h;
            let miss = sign * self.watch(event, t, &found.end, memory);
            let rate = match event {
                Event::Turn => sign * f(t, &found.end)[1],
                Event::Release | Event::Kink(_, false) => found.end[1],
                Event::Kink(_, true) => -found.end[1],
                Event::ZeroForce => {
                    // Backwards, where the force has not vanished yet.
                    let back = 1e-5 * found.h;
                    let before = ode::step(&mut f, step.t, &step.start, slope, found.h - back);
                    (miss - self.watch(event, t - back, &before.end, memory)) / back
                }
            };
            let next = length - miss / rate;
            if !(next > 0.0 && next <= step.h) {
                break;
            }
            found = ode::step(&mut f, step.t, &step.start, slope, next);
            let change = (next - length).abs();
            length = next;
            // What is left is its square, or its hundred-thousandth where the rate is a difference.
            if change < 1e-8 * step.h {
                break;
            }
        }
        match event {
            // On the far side of the turn, whatever the rounding.
            Event::Turn if upward => found.end[1] = f64::MIN_POSITIVE,
            Event::Turn => found.end[1] = 0.0,
            Event::Kink(delta, _) => found.end[0] = delta,
            Event::ZeroForce | Event::Release => {}
        }
        found
    }

    /// Raises `best` to the largest force within a step.
    fn peak(&self, step: &Step<N>, slope_end: &[f64; N], memory: &Memory, best: &mut (f64, f64)) {
        let mut f = |t: f64, y: &[f64; N]| self.slope(t, y, memory);
        let dense = step.dense(&mut f, slope_end);
        let at = |x: f64| {
            let t = step.t + x * step.h;
            self.force(t, &dense.at(t), memory)
        };
        let (mut a, mut b) = (0.0, 1.0);
        for _ in 0..50 {
            let (x1, x2) = (a + 0.381966 * (b - a), a + 0.618034 * (b - a));
            if at(x1) < at(x2) { a = x1 } else { b = x2 }
        }
        let x = 0.5 * (a + b);
        let force = at(x);
        if force > best.0 {
            *best = (force, step.t + x * step.h);
        }
    }
}

/// δ, δ̇ and, where there is room for it, what the law keeps inside.
fn state<const N: usize>(delta: f64, rate: f64, memory: &Memory) -> [f64; N] {
    let mut y = [memory.internal; N];
    (y[0], y[1]) = (delta, rate);
    y
}

/// The internal state: integrated with the motion, or what it was.
pub(super) fn internal<const N: usize>(y: &[f64; N], memory: &Memory) -> f64 {
    y.get(2).copied().unwrap_or(memory.internal)
}

/// Where in (0, 1] a value turns from positive to negative, or to a plateau of zero.
fn root(value: &impl Fn(f64) -> f64) -> f64 {
    let (mut a, mut fa) = (0.0, value(0.0));
    let (mut b, mut fb) = (1.0, value(1.0));
    for attempt in 0..60 {
        // Illinois where both ends carry a sign; bisection on plateaus (a force that stays 0) and
        // where the value is so flat that a secant crawls.
        let x = match fa > 0.0 && fb < 0.0 && attempt < 12 {
            true => (a * fb - b * fa) / (fb - fa),
            false => 0.5 * (a + b),
        };
        let fx = value(x);
        if fx > 0.0 {
            (a, fa) = (x, fx);
            fb *= 0.5;
        } else {
            (b, fb) = (x, fx);
            fa *= 0.5;
        }
        if b - a < 1e-13 {
            break;
        }
    }
    b
}
